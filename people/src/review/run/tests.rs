use std::sync::Mutex;

use tempfile::TempDir;

use super::*;
use crate::review::double::{MadeUp, task};
use crate::review::{Effort, ReviewOptions};

/// Returns a sink that collects games, and asks for an end after some.
fn collector<'a>(
    games: &'a mut Vec<(usize, AssessedGame)>,
    most: usize,
    stop: &'a Stop,
) -> impl FnMut(usize, AssessedGame) -> Result<(), ReviewError> + 'a {
    move |index, game| {
        games.push((index, game));
        if games.len() >= most {
            stop.request();
        }
        Ok(())
    }
}

fn tasks() -> Vec<ReviewTask> {
    let moves = ["h8i9", "", "a1b2c3", "h8", "h8h9g9", "c3d4", "o15"];
    moves.into_iter().map(task).collect()
}

fn collect(
    threads: usize,
    known: BTreeMap<u64, AssessedGame>,
    journal: Option<&mut ReviewJournal>,
    most: usize,
) -> Vec<(usize, AssessedGame)> {
    let (tasks, stop, mut games) = (tasks(), Stop::new(), Vec::new());
    let mut sink = collector(&mut games, most, &stop);
    let assessors = (0..threads).map(|_| MadeUp::default()).collect();
    run(&tasks, assessors, known, journal, &stop, &mut sink, &|_| {}).unwrap();
    drop(sink);
    games
}

#[test]
fn games_come_in_their_order_with_any_number_of_threads() {
    let one = collect(1, BTreeMap::new(), None, usize::MAX);
    assert_eq!(one.iter().map(|(index, _)| *index).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5, 6]);
    for (index, game) in &one {
        assert_eq!(game.positions.len(), tasks()[*index].positions());
    }
    assert_eq!(collect(3, BTreeMap::new(), None, usize::MAX), one);
}

#[test]
fn an_interrupted_run_goes_on_where_it_was() {
    let folder = TempDir::with_prefix("tengen-review-").unwrap();
    let path = folder.path().join("journal");
    let options = ReviewOptions { effort: Effort::Nodes(1), hash: 1 };
    let open = || ReviewJournal::open(&path, options, &tasks()).unwrap();
    let whole = collect(1, BTreeMap::new(), None, usize::MAX);
    let (mut journal, _) = open();
    let begun = collect(1, BTreeMap::new(), Some(&mut journal), 3);
    assert!(begun.len() < whole.len(), "{}", begun.len());
    journal.close().unwrap();
    let (mut journal, known) = open();
    assert!(known.len() >= 3 && known.values().all(AssessedGame::is_complete));
    assert_eq!(collect(2, known, Some(&mut journal), usize::MAX), whole);
    journal.close().unwrap();
    assert_eq!(open().1.len(), whole.len());
}

#[test]
fn progress_counts_positions_of_earlier_runs_too() {
    let (tasks, stop, mut games) = (tasks(), Stop::new(), Vec::new());
    let whole = collect(1, BTreeMap::new(), None, usize::MAX);
    let known = BTreeMap::from([(2, whole[2].1.clone())]);
    let seen = Mutex::new(Vec::new());
    let mut sink = collector(&mut games, usize::MAX, &stop);
    let observe = |progress: Progress| seen.lock().unwrap().push(progress);
    run(&tasks, vec![MadeUp::default()], known, None, &stop, &mut sink, &observe).unwrap();
    let positions = tasks.iter().map(|task| task.positions() as u64).sum::<u64>();
    let seen = seen.into_inner().unwrap();
    assert_eq!(seen.len() as u64, positions - 4);
    assert_eq!(seen[0], Progress { done: 5, by_this_run: 1 });
    let last = Progress { done: positions, by_this_run: positions - 4 };
    assert_eq!(seen.last(), Some(&last));
}

#[test]
fn a_game_that_was_interrupted_has_its_last_positions() {
    let task = task("h8h9g9g8");
    let (stop, mut left) = (Stop::new(), 3);
    let mut done = |_: &_| {
        left -= 1;
        if left == 0 {
            stop.request();
        }
    };
    let part = assess_game(&task, &mut MadeUp::default(), &stop, &mut done);
    assert_eq!((part.first, part.positions.len()), (2, 3));
    let whole = assess_game(&task, &mut MadeUp::default(), &Stop::new(), &mut |_| {});
    assert!(!part.is_complete() && whole.positions.ends_with(&part.positions));
}
