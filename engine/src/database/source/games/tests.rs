use super::*;
use tengen_core::notation::Moves;
use tengen_files::records::{Format, Known, read};

fn facts(sgf: &str, scores: bool) -> Vec<(String, PositionEntry, bool)> {
    let records = read(sgf.as_bytes(), Format::Sgf, Known::default()).unwrap();
    let facts = facts_of_record(&records[0], Rule::Freestyle, scores);
    let named = |fact: Fact| {
        let stones = tengen_core::notation::Stones::of_board(fact.placement.board());
        (stones.to_string(), fact.entry, fact.is_new_game)
    };
    facts.into_iter().map(named).collect()
}

#[test]
fn a_game_tells_its_positions_with_result_comments_and_marks() {
    let sgf = "(;FF[4]GM[4]SZ[15]RE[W+R]C[about the game];B[hh]C[first]LB[aa:1][bb:x:\\]]TR[cc:dd][ee]\
               ;W[ii])";
    let facts = facts(sgf, false);
    let names: Vec<&str> = facts.iter().map(|(name, ..)| name.as_str()).collect();
    assert_eq!(names, ["/", "h8/", "h8/i9"]);
    assert!(facts.iter().all(|(_, entry, is_new)| *is_new && entry.visits == 1));
    assert!(facts.iter().all(|(_, entry, _)| entry.games.white == 1 && entry.games.total() == 1));
    let entry = &facts[1].1;
    assert_eq!(entry.text, "first");
    let texts: Vec<(String, &str)> =
        entry.board_texts.iter().map(|(at, text)| (at.to_string(), text.as_str())).collect();
    assert_eq!(texts, [("a1".to_owned(), "1"), ("b2".to_owned(), "x:]")]);
    let marked: Vec<Point> = entry.marks.iter().map(|&(at, _)| at).collect();
    assert_eq!(Moves(&marked).to_string(), "c3d3c4d4e5");
    // A comment on one of many games says nothing about the empty board.
    assert_eq!(facts[0].1.text, "");
    assert_eq!(facts[2].1.result, None, "nobody has proven what a player resigned");
}

#[test]
fn variations_are_no_games_and_make_the_record_an_analysis() {
    let sgf =
        "(;FF[4]GM[4]SZ[15]C[about]RE[B+];B[hh](;W[ii];B[jj])(;W[hi]C[better](;B[aa])(;B[bb])))";
    let facts = facts(sgf, false);
    let names: Vec<(&str, bool)> =
        facts.iter().map(|(name, _, new)| (name.as_str(), *new)).collect();
    let expected = [
        ("/", true),
        ("h8/", true),
        ("h8/h9", false),
        ("b2h8/h9", false),
        ("a1h8/h9", false),
        ("h8/i9", true),
        ("h8j10/i9", true),
    ];
    assert_eq!(names, expected);
    assert_eq!((facts[0].1.text.as_str(), facts[2].1.text.as_str()), ("about", "better"));
    assert_eq!((facts[2].1.visits, facts[2].1.games.total()), (0, 0));
}

#[test]
fn what_the_rule_decides_is_a_result() {
    let sgf =
        "(;FF[4]GM[4]SZ[15];B[aa];W[ba];B[ab];W[bb];B[ac];W[bc];B[ad];W[bd](;B[ae])(;B[oo];W[be]))";
    let facts = facts(sgf, false);
    let decided: Vec<(usize, ProvenResult)> =
        facts.iter().filter_map(|(name, entry, _)| Some((name.len(), entry.result?))).collect();
    assert_eq!(decided.len(), 2);
    assert!(decided.iter().all(|(_, result)| *result == ProvenResult::Loss(Some(0))));
}

#[test]
fn values_of_players_are_taken_only_where_that_is_wanted() {
    let sgf = "(;FF[4]GM[4]SZ[15];B[hh]C[153ms, score 35, depth 9\n\nwords];W[ii])";
    assert!(facts(sgf, false).iter().all(|(_, entry, _)| entry.evaluation.is_none()));
    let valued = facts(sgf, true);
    let evaluation = valued[0].1.evaluation.unwrap();
    assert_eq!((evaluation.score.raw(), evaluation.depth, evaluation.bound), (35, 9, None));
    assert_eq!(valued[0].1.best.unwrap().to_string(), "h8");
    // A deeper score of another move is not that of the position.
    let sgf = "(;FF[4]GM[4]SZ[15](;B[hh]C[1ms, score 5, depth 8])\
               (;B[aa]C[1ms, score -50, depth 12];W[bb]C[1ms, score 60, depth 9]))";
    let valued = facts(sgf, true);
    let values = valued.iter().map(|(_, entry, _)| entry.evaluation.map(|e| e.score.raw()));
    assert_eq!(values.collect::<Vec<_>>(), [Some(5), Some(60), None, None]);
    assert_eq!(valued[0].1.best.unwrap().to_string(), "h8");
}

#[test]
fn variations_within_variations_need_no_deep_stack() {
    let level = |i: usize| {
        let letter = |i: usize| char::from(b'a' + i as u8);
        format!("(;W[{}{}])(;W[]", letter(i % 14), letter(i / 14 % 14))
    };
    let inside: String = (0..390).map(level).collect();
    let sgf = format!("(;FF[4]GM[4]SZ[15];B[oo]{inside}{})", ")".repeat(390));
    let record = read(sgf.as_bytes(), Format::Sgf, Known::default()).unwrap().remove(0);
    let work = || facts_of_record(&record, Rule::Freestyle, false).len();
    let thread = std::thread::Builder::new().stack_size(256 << 10);
    let counted = std::thread::scope(|scope| thread.spawn_scoped(scope, work).unwrap().join());
    assert!(counted.unwrap() > 300);
}

#[test]
fn who_moves_twice_has_been_passed_to() {
    let facts = facts("(;FF[4]GM[4]SZ[15];B[hh];B[ii])", false);
    let names: Vec<&str> = facts.iter().map(|(name, ..)| name.as_str()).collect();
    assert_eq!(names, ["/", "h8/", "h8i9/"]);
}

#[test]
fn a_forbidden_ending_is_a_result_only_where_no_other_order_is_allowed() {
    let last_result = |sgf: &str| {
        let records = read(sgf.as_bytes(), Format::Sgf, Known::default()).unwrap();
        let facts = facts_of_record(&records[0], Rule::Renju, false);
        let last = &facts.last().unwrap().entry;
        assert_eq!((last.visits, last.games.white), (1, 1));
        last.result
    };
    // h8 makes two threes; h10, as the last of the same stones, would make one.
    let threes = "(;FF[4]GM[4]SZ[15]RE[W+F];B[ih];W[aa];B[jh];W[ao];B[hg];W[oa];B[hf];W[oo];B[hh])";
    assert_eq!(last_result(threes), None);
    let six = "(;FF[4]GM[4]SZ[15]RE[W+F];B[bh];W[aa];B[ch];W[ao];B[dh];W[oa];B[fh];W[oo];B[gh];W[ca];B[eh])";
    let six = six.replace("B[bh]", "B[bh];W[ka];B[hh]");
    assert_eq!(last_result(&six), Some(ProvenResult::Win(Some(0))));
}

#[test]
fn marks_before_the_first_move_and_on_the_move_itself_are_kept() {
    let facts = facts("(;FF[4]GM[4]SZ[15]LB[hh:go]CR[aa]C[about];B[hh]MA[hh][bb])", false);
    let [(_, start, _), (_, after, _)] = facts.as_slice() else { panic!("two positions") };
    assert_eq!(start.board_texts.values().collect::<Vec<_>>(), ["go"]);
    assert_eq!((start.marks.len(), start.is_marked, start.visits), (1, false, 1));
    // As in RenLib, the mark on the last stone is one on the position.
    let marked: Vec<String> = after.marks.iter().map(|(at, _)| at.to_string()).collect();
    assert_eq!((after.is_marked, marked), (true, vec!["b2".to_owned()]));
}
