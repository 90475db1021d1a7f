use std::collections::BTreeSet;

use tempfile::TempDir;

use super::*;
use crate::database::store::tests::{new_database, placement};
use tengen_core::rules::Rule;
use tengen_core::types::Size;

/// A small board without games, and names of its positions.
struct Forest {
    _folder: TempDir,
    database: PositionDatabase,
}

fn at(moves: &str) -> Placement {
    placement(Rule::Freestyle, Size::square(5).unwrap(), moves)
}

impl Forest {
    fn new(positions: &[(&str, Option<&str>)]) -> Forest {
        let folder = TempDir::with_prefix("tengen-remove-").unwrap();
        let database = new_database(&folder);
        for (moves, result) in positions {
            let result = result.map(|text| text.parse().unwrap());
            let entry = PositionEntry { result, ..PositionEntry::default() };
            database.write(|writer| writer.put(&at(moves), entry)).unwrap();
        }
        Forest { _folder: folder, database }
    }

    /// Removes, checks the number, and returns which of `names` are left.
    fn left<'a>(&self, root: &str, removal: Removal, names: &[&'a str]) -> BTreeSet<&'a str> {
        let before = self.database.read().unwrap().len().unwrap();
        let removed = self.database.remove_following(&at(root), removal).unwrap();
        let reader = self.database.read().unwrap();
        assert_eq!(reader.len().unwrap(), before - removed);
        let is_left = |moves: &&str| reader.get(&at(moves)).unwrap().is_some();
        names.iter().copied().filter(is_left).collect()
    }
}

const NAMES: [&str; 8] = ["", "a1", "a1b1", "a1b1c1", "a1b1c1d1", "a1b2", "a1b2c1", "a1b1e5a5"];

fn forest() -> Forest {
    Forest::new(&NAMES.map(|name| (name, None)))
}

const ALL: Removal = Removal { filter: ResultFilter::Any, goes_on: false, with_root: true };

#[test]
fn all_that_follows_goes_with_a_position() {
    // Nobody knows how to come to a1b1e5a5: the position before it is missing.
    assert_eq!(forest().left("a1b1", ALL, &NAMES), ["", "a1", "a1b2", "a1b2c1", "a1b1e5a5"].into());
    let below = Removal { with_root: false, ..ALL };
    assert_eq!(forest().left("a1", below, &NAMES), ["", "a1", "a1b1e5a5"].into());
    assert_eq!(forest().left("b1", ALL, &NAMES).len(), NAMES.len());
    // From another side of the board it is the same position.
    assert_eq!(forest().left("a5", ALL, &NAMES), ["", "a1b1e5a5"].into());
}

#[test]
fn what_something_else_leads_to_stays_with_all_that_follows() {
    let names = ["", "a1", "c1", "a1b1c1", "a1b1", "c1b1", "a1b1c1d1"];
    let forest = Forest::new(&names.map(|name| (name, None)));
    // a1 b1 c1 is c1 b1 a1 as well.
    assert_eq!(forest.left("a1", ALL, &names), ["", "c1", "c1b1", "a1b1c1", "a1b1c1d1"].into());
    assert_eq!(forest.left("c1", ALL, &names), [""].into());
}

#[test]
fn filters_choose_by_the_result_for_the_side_that_has_moved() {
    let results = [None, Some("win:6"), Some("loss:5"), Some("win"), Some("draw"), Some("loss")];
    for (filter, chosen) in [
        ("w", [2, 5].as_slice()),
        ("l", &[1, 3]),
        ("wl", &[1, 2, 3, 5]),
        ("wld", &[1, 2, 3, 4, 5]),
        ("nonwl", &[0, 4]),
        ("nonwld", &[0]),
        ("wlnostep", &[3, 5]),
        ("wlinstep:6", &[2]),
        ("wlinstep:7", &[1, 2]),
    ] {
        let filter: ResultFilter = filter.parse().unwrap();
        let is_chosen = |i: &usize| {
            let result = results[*i].map(|text| text.parse().unwrap());
            filter.chooses(&PositionEntry { result, ..PositionEntry::default() })
        };
        assert_eq!((0..6).filter(is_chosen).collect::<Vec<_>>(), chosen, "{filter:?}");
    }
    for text in ["", "x", "W", "wlinstep", "wlinstep:", "wlinstep:x"] {
        assert!(text.parse::<ResultFilter>().is_err(), "{text}");
    }
}

#[test]
fn a_filter_looks_below_what_stays_only_if_it_is_to_go_on() {
    let names = ["a1", "a1b1", "a1b1c1", "a1b2", "a1b2c1", "a1b2d5"];
    let new = || {
        Forest::new(&[
            ("a1", None),
            ("a1b1", Some("loss")),
            ("a1b1c1", None),
            ("a1b2", None),
            ("a1b2c1", None),
            ("a1b2d5", Some("loss:3")),
        ])
    };
    let won = Removal { filter: ResultFilter::Won, goes_on: false, with_root: false };
    assert_eq!(new().left("a1", won, &names), ["a1", "a1b2", "a1b2c1", "a1b2d5"].into());
    let deep = Removal { goes_on: true, ..won };
    assert_eq!(new().left("a1", deep, &names), ["a1", "a1b2", "a1b2c1"].into());
}
