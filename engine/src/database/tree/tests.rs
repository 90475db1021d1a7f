use tempfile::TempDir;

use super::*;
use crate::database::source::{Gathered, facts_of_record};
use crate::database::store::tests::{new_database, placement};
use tengen_core::notation::parse_moves;
use tengen_files::records::{Format, Known, read, write};

const ALL: TreeOptions = TreeOptions { depth: usize::MAX, limit: usize::MAX };

fn moves(text: &str) -> Vec<Point> {
    parse_moves(text, Size::DEFAULT).unwrap()
}

#[test]
fn a_tree_that_was_read_is_written_again() {
    let folder = TempDir::with_prefix("tengen-tree-").unwrap();
    let database = new_database(&folder);
    let sgf = "(;FF[4]GM[4]SZ[15]C[about]LB[hh:start]TR[hi];B[hh]C[first]LB[aa:1][bb:x:\\]]\
               (;W[gf]MA[gf];B[jj]TR[cc][dd]MA[ee]C[x\ny])(;W[hi]C[better](;B[aa])(;B[bc])))";
    let records = read(sgf.as_bytes(), Format::Sgf, Known::default()).unwrap();
    let mut gathered = Gathered::default();
    facts_of_record(&records[0], Rule::Renju, false).into_iter().for_each(|f| gathered.add(f));
    assert_eq!(gathered.save(&database).unwrap(), 7);
    let reader = database.read().unwrap();
    let tree = reader.tree(Rule::Renju, Size::DEFAULT, &[], &ALL).unwrap();
    assert_eq!((tree.positions, tree.is_cut), (6, false));
    // It goes on being the same, from whatever side the positions are seen.
    let text = write(&tree.record, Format::Sgf, 1).unwrap();
    let again = read(text.as_bytes(), Format::Sgf, Known::default()).unwrap();
    let folder = TempDir::with_prefix("tengen-tree-").unwrap();
    let other = new_database(&folder);
    let mut gathered = Gathered::default();
    facts_of_record(&again[0], Rule::Renju, false).into_iter().for_each(|f| gathered.add(f));
    gathered.save(&other).unwrap();
    let strip = |database: &PositionDatabase| -> Vec<(PositionKey, PositionEntry)> {
        let all = database.read().unwrap().scan(None).unwrap().map(|stored| {
            let mut stored = stored.unwrap();
            stored.entry.visits = 0;
            (stored.key, stored.entry)
        });
        all.collect()
    };
    assert_eq!(strip(&database), strip(&other));
    let below = reader.tree(Rule::Renju, Size::DEFAULT, &moves("h8h9"), &ALL).unwrap();
    assert_eq!(below.positions, 2);
    assert_eq!(below.record.moves[1].comment(), "better");
    assert_eq!(below.record.moves[2].variations().len(), 1);
}

use crate::database::PositionDatabase;

#[test]
fn better_moves_come_first_and_limits_are_kept() {
    let folder = TempDir::with_prefix("tengen-tree-").unwrap();
    let database = new_database(&folder);
    let at = |moves| placement(Rule::Freestyle, Size::DEFAULT, moves);
    for (moves, result) in [
        ("h8", None),
        ("h8a1", Some("win:9")),
        ("h8a2", None),
        ("h8a3", Some("loss:4")),
        ("h8a3b1", None),
    ] {
        let result = result.map(|text| text.parse().unwrap());
        let entry = PositionEntry { result, ..PositionEntry::default() };
        database.write(|writer| writer.put(&at(moves), entry)).unwrap();
    }
    let reader = database.read().unwrap();
    let tree = |depth, limit| {
        let options = TreeOptions { depth, limit };
        reader.tree(Rule::Freestyle, Size::DEFAULT, &moves("h8"), &options).unwrap()
    };
    let all = tree(99, 99);
    let key = |m: &Move| {
        let mut after = at("h8");
        after.play(m.point().unwrap()).unwrap();
        after.key().key
    };
    let first = &all.record.moves[1];
    assert_eq!(key(first), at("h8a3").key().key);
    let others: Vec<PositionKey> = first.variations().iter().map(|line| key(&line[0])).collect();
    assert_eq!(others, [at("h8a2").key().key, at("h8a1").key().key]);
    assert_eq!((all.positions, all.record.moves.len()), (4, 3));
    assert_eq!(first.notes().iter().next(), Some(Note::new("GW", &["2"])));
    assert_eq!((tree(1, 99).positions, tree(1, 99).is_cut), (3, false));
    assert_eq!((tree(99, 2).positions, tree(99, 2).is_cut), (2, true));
    assert_eq!(tree(0, 99).record.moves.len(), 1);
}

#[test]
fn a_library_keeps_its_marks_and_the_texts_on_the_empty_board() {
    use crate::database::source::{FactSource, LibFacts};
    use std::path::PathBuf;
    use tengen_files::records::{CodePage, LibTree};

    let folder = TempDir::with_prefix("tengen-tree-").unwrap();
    let database = new_database(&folder);
    let size = Size::DEFAULT;
    let empty = Placement::empty(Rule::Renju, size);
    let board_texts = [(size.center(), "go".to_owned())].into();
    let marked = PositionEntry { is_marked: true, ..PositionEntry::default() };
    let entries = [
        (empty, PositionEntry { board_texts, ..PositionEntry::default() }),
        (placement(Rule::Renju, size, "h8"), marked.clone()),
        (placement(Rule::Renju, size, "h8h9"), PositionEntry::default()),
        (placement(Rule::Renju, size, "h8i9"), marked),
    ];
    database
        .write(|writer| entries.iter().try_for_each(|(at, e)| writer.put(at, e.clone())))
        .unwrap();
    let tree = database.read().unwrap().tree(Rule::Renju, size, &[], &ALL).unwrap();
    let file = LibTree::of_record(&tree.record, None).unwrap().to_bytes();
    let mut source =
        LibFacts::new(PathBuf::new(), &file[..], CodePage::UTF_8, Rule::Renju).unwrap();
    let folder = TempDir::with_prefix("tengen-tree-").unwrap();
    let again = new_database(&folder);
    let mut gathered = Gathered::default();
    while let Some(fact) = source.next_fact().unwrap() {
        gathered.add(fact);
    }
    gathered.save(&again).unwrap();
    for (at, entry) in &entries {
        assert_eq!(again.get(at).unwrap().as_ref(), Some(entry));
    }
}
