use std::fs;
use std::time::Duration;

use tempfile::TempDir;

use super::*;
use crate::review::assess_game;
use crate::review::double::{MadeUp, points, proof, task};
use tengen_core::prover::Attack;
use tengen_files::resume::testing::{check_flips, without_sums};
use tengen_files::work::Stop;

const OPTIONS: ReviewOptions = ReviewOptions { effort: Effort::Nodes(100), hash: 1 };

fn folder() -> (TempDir, PathBuf) {
    let folder = TempDir::with_prefix("tengen-review-").unwrap();
    let path = folder.path().join("review.jsonl");
    (folder, path)
}

fn tasks() -> Vec<ReviewTask> {
    vec![task("h8i9"), task(""), task("a1b2c3")]
}

fn assessed(task: &ReviewTask) -> AssessedGame {
    assess_game(task, &mut MadeUp::default(), &Stop::new(), &mut |_| {})
}

/// Returns a win of black with an attack that has an answer to one reply and one to all others.
fn won() -> Assessment {
    let [play, reply, one, other] = points("g8f8k8f7")[..] else { panic!("four cells") };
    let replies = vec![(reply, Attack::winning(one))];
    let attack = Attack { play, replies, otherwise: Some(Box::new(Attack::winning(other))) };
    let attack = Some(Arc::new(attack));
    Assessment { attack, ..proof(Color::Black, 3, Color::Black, "g8f8k8") }
}

/// Writes a journal of the last game and the first one.
fn written(path: &Path) -> Vec<AssessedGame> {
    let tasks = tasks();
    let mut games: Vec<AssessedGame> = tasks.iter().map(assessed).collect();
    games[2].positions[1] = proof(Color::Black, 7, Color::White, "o15n15");
    games[0].positions[2] = won();
    let (mut journal, known) = ReviewJournal::open(path, OPTIONS, &tasks).unwrap();
    assert!(known.is_empty());
    journal.append(2, &games[2]).unwrap();
    journal.append(0, &games[0]).unwrap();
    journal.close().unwrap();
    games
}

#[test]
fn games_come_back_as_they_were() {
    let (_folder, path) = folder();
    let games = written(&path);
    let (mut journal, known) = ReviewJournal::open(&path, OPTIONS, &tasks()).unwrap();
    assert_eq!(known, BTreeMap::from([(0, games[0].clone()), (2, games[2].clone())]));
    journal.append(1, &games[1]).unwrap();
    journal.close().unwrap();
    let (_, known) = ReviewJournal::open(&path, OPTIONS, &tasks()).unwrap();
    assert_eq!(known.into_values().collect::<Vec<_>>(), games);
}

#[test]
fn a_torn_end_is_dropped_wherever_it_is() {
    let (_folder, path) = folder();
    written(&path);
    let whole = fs::read(&path).unwrap();
    let lines: Vec<usize> =
        (0..whole.len()).filter(|&i| whole[i] == b'\n').map(|i| i + 1).collect();
    for len in 0..=whole.len() {
        fs::write(&path, &whole[..len]).unwrap();
        let (journal, known) = ReviewJournal::open(&path, OPTIONS, &tasks()).unwrap();
        journal.close().unwrap();
        let games = lines.iter().filter(|&&end| end <= len).count().saturating_sub(1);
        assert_eq!(known.len(), games, "{len}");
        let kept = lines.iter().copied().filter(|&end| end <= len).max().unwrap_or(lines[0]);
        assert_eq!(fs::read(&path).unwrap(), whole[..kept], "{len}");
    }
}

#[test]
fn other_options_and_games_are_named() {
    let (_folder, path) = folder();
    written(&path);
    let whole = fs::read(&path).unwrap();
    let refused = |options, tasks: &[ReviewTask]| {
        let error = ReviewJournal::open(&path, options, tasks).unwrap_err().to_string();
        assert_eq!(fs::read(&path).unwrap(), whole);
        error.split_once(" was begun with other options: ").unwrap().1.to_owned()
    };
    let more = ReviewOptions { effort: Effort::Nodes(200), ..OPTIONS };
    assert_eq!(refused(more, &tasks()), "nodes 100 (now 200)");
    let time = ReviewOptions { effort: Effort::Time(Duration::from_secs(2)), hash: 4 };
    let said = "nodes 100 (now none), hash 1 (now 4), time none (now 2000 ms)";
    assert_eq!(refused(time, &tasks()), said);
    assert_eq!(refused(OPTIONS, &tasks()[..2]).split(", ").count(), 2);
    let mut other = tasks();
    other[0] = task("h8i8");
    assert!(refused(OPTIONS, &other).starts_with("checksum "));
}

#[test]
fn games_of_which_other_moves_are_judged_are_others() {
    let (_folder, path) = folder();
    written(&path);
    let with_book = |count: usize| -> Vec<ReviewTask> {
        let of = |task: &ReviewTask| {
            ReviewTask::new(task.size(), task.rule(), task.moves().to_vec(), count).unwrap()
        };
        tasks().iter().map(of).collect()
    };
    for count in [1, 2, 3] {
        let error = ReviewJournal::open(&path, OPTIONS, &with_book(count)).unwrap_err();
        assert!(error.to_string().contains("other options: checksum "), "{count}: {error}");
    }
    // All moves are in the book.
    let (_folder, other) = folder();
    drop(ReviewJournal::open(&other, OPTIONS, &with_book(3)).unwrap());
    drop(ReviewJournal::open(&other, OPTIONS, &with_book(4)).unwrap());
    // What a journal without a book has been from the beginning.
    let begun = fs::read_to_string(&path).unwrap();
    assert!(begun.contains(r#"["checksum","f8503701"]"#), "{begun}");
    assert_eq!(ReviewJournal::open(&path, OPTIONS, &with_book(0)).unwrap().1.len(), 2);
}

#[test]
fn a_flipped_bit_is_told_with_its_line() {
    let (_folder, path) = folder();
    written(&path);
    check_flips(&fs::read_to_string(&path).unwrap(), |bytes| {
        fs::write(&path, bytes).unwrap();
        let opened = ReviewJournal::open(&path, OPTIONS, &tasks());
        assert_eq!(fs::read(&path).unwrap(), bytes);
        opened.err().map(|error| error.to_string())
    });
}

#[test]
fn a_journal_without_checksums_is_gone_on_with() {
    let (_folder, path) = folder();
    let games = written(&path);
    let text = without_sums(&fs::read_to_string(&path).unwrap());
    fs::write(&path, text).unwrap();
    let (mut journal, known) = ReviewJournal::open(&path, OPTIONS, &tasks()).unwrap();
    assert_eq!(known.len(), 2);
    journal.append(1, &games[1]).unwrap();
    journal.close().unwrap();
    let (_, known) = ReviewJournal::open(&path, OPTIONS, &tasks()).unwrap();
    assert_eq!(known.into_values().collect::<Vec<_>>(), games);
}

#[test]
fn what_is_no_journal_is_left_alone() {
    let (_folder, path) = folder();
    written(&path);
    let text = without_sums(&fs::read_to_string(&path).unwrap());
    let bad_move = text.replace("\"line\":\"o15n15\"", "\"line\":\"o16\"");
    let over_stones = text.replace("\"line\":\"o15n15\"", "\"line\":\"a1\"");
    let cases = [
        ("hello\n".to_owned(), "is not a journal"),
        ("{\"tengen\":1}\n".to_owned(), "is not a journal"),
        ("hello".to_owned(), "is not a journal"),
        (text.replace("{\"tengen_review\":3", "{\"tengen_review\":4"), ":1: version 4 of the"),
        (text.replace("{\"tengen_review\":3", "{\"tengen_review\":2"), "by an earlier tengen"),
        (text.replace("[\"g8\",1", "[\"g8\",2"), ":3: no proof: the number of a later node"),
        (
            text.replace("\"winner\":\"black\",\"plies\":3", "\"winner\":\"white\",\"plies\":3"),
            ":3: an attack without a proven win",
        ),
        (text.replace("\"line\":\"b1\"", "\"line\":\"\""), ": a candidate without its move"),
        (text.replace("\"game\":3", "\"game\":4"), ":2: there is no game 4"),
        (text.replace("\"game\":3", "\"game\":0"), ":2: games count from 1"),
        (text.replace("\"game\":3", "\"game\":1"), ":2: game 1 has 3 positions"),
        (bad_move, ":2: no line: "),
        (over_stones, ":2: a line over stones"),
        (text.replacen("[0.0,0.0,1.0]", "[0.5,0.0,1.0]", 1), "chances that do not add up"),
    ];
    for (text, message) in cases {
        fs::write(&path, &text).unwrap();
        let error = ReviewJournal::open(&path, OPTIONS, &tasks()).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    assert!(ReviewJournal::open(Path::new("/dev/null"), OPTIONS, &tasks()).is_err());
}

#[test]
fn games_that_begin_otherwise_are_others() {
    use tengen_core::rules::{Game, Rule};

    let (_folder, path) = folder();
    let mut board = tengen_core::board::Board::new(tengen_core::types::Size::DEFAULT);
    let begun = |board: &tengen_core::board::Board, first| {
        let mut game = Game::from_board(Rule::Freestyle, board.clone(), first);
        game.play(points("h8")[0]).unwrap();
        [ReviewTask::of_game(&game, 0, 0)]
    };
    let plain = begun(&board, Color::Black);
    assert_eq!(plain[0], task("h8"));
    drop(ReviewJournal::open(&path, OPTIONS, &plain).unwrap());
    let white = begun(&board, Color::White);
    board.place(points("a1")[0], Color::White);
    for other in [white, begun(&board, Color::Black)] {
        let error = ReviewJournal::open(&path, OPTIONS, &other).unwrap_err();
        assert!(error.to_string().contains("checksum"), "{error}");
        assert_eq!(other[0].positions(), 2);
    }
    assert!(line_of("a1", &begun(&board, Color::Black)[0], 0).is_err(), "over a stone");
    drop(ReviewJournal::open(&path, OPTIONS, &plain).unwrap());
}
