use std::sync::Mutex;

use tempfile::TempDir;

use super::*;
use crate::review::double::{MadeUp, task};
use crate::review::{Effort, ReviewOptions};

/// Collects games, and asks for an end after some.
struct Collector<'a> {
    games: Vec<(usize, AssessedGame)>,
    most: usize,
    stop: &'a AtomicBool,
}

impl ReviewSink for Collector<'_> {
    fn take(&mut self, index: usize, game: AssessedGame) -> Result<(), ReviewError> {
        self.games.push((index, game));
        self.stop.fetch_or(self.games.len() >= self.most, Ordering::SeqCst);
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
    let (tasks, stop) = (tasks(), AtomicBool::new(false));
    let mut sink = Collector { games: Vec::new(), most, stop: &stop };
    let assessors = (0..threads).map(|_| MadeUp::default()).collect();
    run(&tasks, assessors, known, journal, &stop, &mut sink, &|_| {}).unwrap();
    sink.games
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
    let (tasks, stop) = (tasks(), AtomicBool::new(false));
    let whole = collect(1, BTreeMap::new(), None, usize::MAX);
    let known = BTreeMap::from([(2, whole[2].1.clone())]);
    let seen = Mutex::new(Vec::new());
    let mut sink = Collector { games: Vec::new(), most: usize::MAX, stop: &stop };
    let observe = |progress: ReviewProgress| seen.lock().unwrap().push(progress);
    run(&tasks, vec![MadeUp::default()], known, None, &stop, &mut sink, &observe).unwrap();
    let positions = tasks.iter().map(|task| task.positions() as u64).sum::<u64>();
    let seen = seen.into_inner().unwrap();
    assert_eq!(seen.len() as u64, positions - 4);
    assert_eq!(seen[0], ReviewProgress { done: 5, by_this_run: 1 });
    let last = ReviewProgress { done: positions, by_this_run: positions - 4 };
    assert_eq!(seen.last(), Some(&last));
}

#[test]
fn a_game_that_was_interrupted_has_its_last_positions() {
    let task = task("h8h9g9g8");
    let left = AtomicU64::new(3);
    let stop = || left.load(Ordering::SeqCst) == 0;
    let mut done = || {
        left.fetch_sub(1, Ordering::SeqCst);
    };
    let part = assess_game(&task, &mut MadeUp::default(), &stop, &mut done);
    assert_eq!((part.first, part.positions.len()), (2, 3));
    let whole = assess_game(&task, &mut MadeUp::default(), &|| false, &mut || {});
    assert!(!part.is_complete() && whole.positions.ends_with(&part.positions));
}
