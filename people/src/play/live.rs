//! The analysis of a position that goes on until it is told to stop.

use std::time::{Duration, Instant};

use super::{CasualGame, PlayFault};
use tengen_core::eval::WinDrawLoss;
use tengen_core::search::time::TimeControl;
use tengen_core::search::{Limits, Report};
use tengen_core::types::{Point, Score};
use tengen_engine::engine::{Event, EventKind, Job, JobEnd, JobSlot, Scope, Skill, Task, Thinker};
use tengen_files::records::Move;

/// One of the best moves of a position, as far as the analysis knows.
#[derive(Clone, PartialEq, Debug)]
pub struct LiveMove {
    /// The move, and what is expected to follow it.
    pub line: Vec<Point>,
    /// The score for the side to move.
    pub score: Score,
    /// The chances of the side to move.
    pub chances: WinDrawLoss,
    /// The depth of the search, in plies.
    pub depth: u32,
    /// The length of the longest line searched, in plies.
    pub seldepth: u32,
}

/// When an analysis of a position ends by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LiveLimits {
    /// After this number of nodes.
    pub nodes: Option<u64>,
    /// After this depth, in plies.
    pub depth: Option<u32>,
    /// After this time.
    pub time: Option<Duration>,
}

/// The best moves of the position on a board, searched deeper and deeper, while people step through
/// a game or try other moves.
///
/// It follows the position: a step stops the engine, drops what it still says, and asks it about
/// the new position. Like [`PlaySession`](super::PlaySession) it has no input, output or threads.
#[derive(Debug)]
pub struct LiveAnalysis<T> {
    game: CasualGame,
    /// The moves of the game that was given, the opening included.
    given: Vec<Move>,
    thinker: T,
    limits: LiveLimits,
    /// The number of moves wanted.
    count: usize,
    is_paused: bool,
    /// The search for the best moves.
    search: JobSlot<()>,
    last_id: u64,
    report: Option<Report>,
    fault: Option<String>,
}

impl<T: Thinker> LiveAnalysis<T> {
    /// The largest number of moves that are compared.
    pub const MOST_MOVES: usize = 30;

    /// Begins to analyse the position of a game, in which moves may have been taken back; `count`
    /// moves of it are wanted, at least 1 and at most [`LiveAnalysis::MOST_MOVES`].
    #[must_use]
    pub fn new(game: CasualGame, thinker: T, count: usize, limits: LiveLimits) -> LiveAnalysis<T> {
        let mut given = game.moves().to_vec();
        given.extend(game.undone().iter().rev().cloned());
        let mut analysis = LiveAnalysis {
            game,
            given,
            thinker,
            limits,
            count: count.clamp(1, Self::MOST_MOVES),
            is_paused: false,
            search: JobSlot::Idle,
            last_id: 0,
            report: None,
            fault: None,
        };
        analysis.ask();
        analysis
    }

    /// Returns the game up to the position.
    #[must_use]
    pub const fn game(&self) -> &CasualGame {
        &self.game
    }

    /// Returns the last report about the position.
    #[must_use]
    pub const fn report(&self) -> Option<&Report> {
        self.report.as_ref()
    }

    /// Returns the last fault of the engine that has broken off a search, if there was one.
    #[must_use]
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// Returns the best moves, the best one first; none until the engine has said something.
    #[must_use]
    pub fn moves(&self) -> Vec<LiveMove> {
        let Some(report) = &self.report else { return Vec::new() };
        let known = report.lines.iter().filter(|line| line.depth > 0);
        let told = known.map(|line| LiveMove {
            line: line.pv.clone(),
            score: line.score,
            chances: report.win_model.chances(line.score),
            depth: line.depth,
            seldepth: line.seldepth,
        });
        told.collect()
    }

    /// Returns the number of moves wanted.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.count
    }

    /// Returns whether the engine works on the position.
    #[must_use]
    pub const fn is_working(&self) -> bool {
        self.search.work().is_some()
    }

    /// Returns whether the analysis is paused.
    #[must_use]
    pub const fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// Returns how many stones lie on the board by moves that are not those of the given game.
    #[must_use]
    pub fn moves_off_game(&self) -> usize {
        self.game.moves().len() - self.common()
    }

    /// Takes an event of the engine; returns whether there is something new to show.
    pub fn event(&mut self, event: Event) -> bool {
        match event.kind {
            EventKind::Report(report) if self.search.worked_at(event.id).is_some() => {
                self.report = Some(report);
                true
            }
            EventKind::Fault(text) => {
                self.fault = Some(text);
                true
            }
            EventKind::Done(_) => {
                let end = self.search.finish(event.id);
                if let Some(JobEnd::Late(_)) = end {
                    self.ask();
                }
                matches!(end, Some(JobEnd::Answered(())))
            }
            _ => false,
        }
    }

    /// Goes back by this number of moves, or to the first position if there are fewer. Returns
    /// whether the position changed.
    pub fn back(&mut self, count: usize) -> bool {
        let count = count.min(self.game.moves().len() - self.game.opening());
        let changed = count > 0 && self.game.take_back(count).is_ok();
        self.follow(changed)
    }

    /// Goes forward by this number of moves that were gone back, or as far as there are any.
    /// Returns whether the position changed.
    pub fn forward(&mut self, count: usize) -> bool {
        let count = count.min(self.game.undone().len());
        let changed = count > 0 && self.game.redo(count).is_ok();
        self.follow(changed)
    }

    /// Tries a move of the side to move. The next move of the present line is a step forward; any
    /// other leaves the line.
    ///
    /// # Errors
    ///
    /// Returns the reason why the move cannot be played.
    pub fn play(&mut self, point: Point) -> Result<(), PlayFault> {
        if self.game.undone().last().is_some_and(|m| m.point() == Some(point)) {
            self.forward(1);
            return Ok(());
        }
        self.game.play(Move::new(point, self.game.to_move()))?;
        self.follow(true);
        Ok(())
    }

    /// Returns to the given game, to the position where it was left. Returns whether the position
    /// changed.
    pub fn rejoin(&mut self) -> bool {
        let common = self.common();
        let off = self.game.moves().len() - common;
        if off > 0 {
            // There are as many.
            let _ = self.game.take_back(off);
        }
        let ahead = self.given[common..].iter().rev().cloned().collect();
        self.game.restore(self.game.to_move(), ahead);
        self.follow(off > 0)
    }

    /// Compares this number of moves from now on, from 1 to [`LiveAnalysis::MOST_MOVES`]; a number
    /// beyond that is cut off.
    pub fn set_count(&mut self, count: usize) {
        let count = count.clamp(1, Self::MOST_MOVES);
        if count != self.count {
            self.count = count;
            self.follow(true);
        }
    }

    /// Stops the engine, and keeps what it found.
    pub fn pause(&mut self) {
        self.is_paused = true;
        self.drain();
    }

    /// Goes on after a pause, or after the analysis ended by itself.
    pub fn resume(&mut self) {
        self.is_paused = false;
        self.ask();
    }

    /// Returns the number of first stones that are the same as in the given game.
    fn common(&self) -> usize {
        let same = |(a, b): &(&Move, &Move)| a.kind == b.kind && a.color == b.color;
        self.game.moves().iter().zip(&self.given).take_while(same).count()
    }

    /// Asks about the new position, if it `changed`. Returns `changed`.
    fn follow(&mut self, changed: bool) -> bool {
        if changed {
            self.report = None;
            self.drain();
            self.ask();
        }
        changed
    }

    /// Makes the engine end its job.
    fn drain(&mut self) {
        if self.search.drop_work().is_some() {
            self.thinker.stop();
        }
    }

    /// Asks the engine about the position, if it is free and there is something to ask.
    fn ask(&mut self) {
        let is_full = self.game.board().empty_cells() == 0;
        if !self.search.is_idle() || self.is_paused || self.game.end().is_some() || is_full {
            return;
        }
        self.last_id += 1;
        let LiveLimits { nodes: max_nodes, depth: max_depth, time } = self.limits;
        let time = time.map_or(TimeControl::UNLIMITED, TimeControl::of_turn);
        let limits = Limits { time, start: Instant::now(), max_depth, max_nodes };
        let scope = Scope { lines: self.count, ..Scope::default() };
        let setup = self.game.setup();
        let (id, task, skill) = (self.last_id, Task::Move, Skill::default());
        self.thinker.think(Job { id, setup, task, analysis: true, limits, scope, skill });
        self.search.begin(id, ());
    }
}

#[cfg(test)]
mod tests {
    use super::super::scripted::{ScriptedThinker, points, report};
    use super::*;
    use tengen_core::rng::SplitMix64;
    use tengen_core::rules::Rule;
    use tengen_core::types::Size;
    use tengen_engine::engine::Answer;
    use tengen_files::records::Record;

    fn analysis(cells: &str) -> (LiveAnalysis<ScriptedThinker>, ScriptedThinker) {
        let record = Record::of_points(Size::DEFAULT, &points(cells));
        let game = CasualGame::from_record(record, &[], Rule::Freestyle).unwrap();
        let mind = ScriptedThinker::default();
        (LiveAnalysis::new(game, mind.clone(), 2, LiveLimits::default()), mind)
    }

    fn cells(moves: &[Move]) -> String {
        moves.iter().filter_map(Move::point).map(|point| point.to_string()).collect()
    }

    /// Lets the engine finish its job.
    fn finish(analysis: &mut LiveAnalysis<ScriptedThinker>, mind: &ScriptedThinker) -> bool {
        let job = mind.log().job.take().unwrap();
        analysis.event(Event { id: job.id, kind: EventKind::Done(Answer::NoMove) })
    }

    #[test]
    fn reports_are_those_of_the_position_that_is_shown() {
        let (mut analysis, mind) = analysis("h8i9h9h10");
        let job = mind.log().job.clone().unwrap();
        assert!(job.analysis && job.scope.lines == 2);
        let told = report(&[("g7", 200), ("i8j8", -30)]);
        assert!(analysis.event(Event { id: job.id, kind: EventKind::Report(told.clone()) }));
        let moves = analysis.moves();
        assert_eq!(moves[0].line, points("g7"));
        assert!((moves[0].chances.points() - 0.7311).abs() < 1e-4, "e to one");
        assert!(moves[1].chances.points() < 0.5);

        assert!(analysis.back(1));
        assert!(analysis.moves().is_empty() && mind.log().stopped);
        // Late reports are about another position.
        assert!(!analysis.event(Event { id: job.id, kind: EventKind::Report(told) }));
        assert!(analysis.moves().is_empty());
        finish(&mut analysis, &mind);
        let job = mind.log().job.clone().unwrap();
        assert_eq!(job.setup.stones.len(), 3);
    }

    #[test]
    fn a_pause_keeps_what_was_found() {
        let (mut analysis, mind) = analysis("h8i9");
        let id = mind.log().job.as_ref().unwrap().id;
        analysis.event(Event { id, kind: EventKind::Report(report(&[("g7", 1)])) });
        analysis.pause();
        assert!(mind.log().stopped && analysis.is_paused());
        finish(&mut analysis, &mind);
        assert_eq!((analysis.moves().len(), mind.log().job.is_some()), (1, false));
        assert!(analysis.back(1));
        assert_eq!((analysis.moves().len(), mind.log().job.is_some()), (0, false));
        analysis.resume();
        assert_eq!(mind.log().job.as_ref().map(|job| job.setup.stones.len()), Some(1));
    }

    #[test]
    fn another_move_leaves_the_game_and_rejoin_returns_to_it() {
        let (mut analysis, _) = analysis("h8i9h9h10g8");
        assert!(analysis.back(3) && !analysis.rejoin());
        // The next move of the game is a step.
        analysis.play(points("h9")[0]).unwrap();
        assert_eq!(
            (cells(analysis.game().undone()), analysis.moves_off_game()),
            ("g8h10".into(), 0)
        );
        analysis.play(points("a1")[0]).unwrap();
        analysis.play(points("a2")[0]).unwrap();
        assert_eq!((analysis.game().undone().len(), analysis.moves_off_game()), (0, 2));
        assert!(analysis.play(points("h8")[0]).is_err());
        analysis.back(1);
        assert!(analysis.rejoin());
        assert_eq!(cells(analysis.game().moves()), "h8i9h9");
        assert_eq!(cells(analysis.game().undone()), "g8h10");
        assert!(analysis.forward(9) && !analysis.forward(1));
        assert_eq!(cells(analysis.game().moves()), "h8i9h9h10g8");
    }

    #[test]
    fn there_is_nothing_to_ask_about_a_game_that_is_over() {
        let (mut analysis, mind) = analysis("h8a1h9a2h10a3h11a4h12");
        assert!(mind.log().job.is_none() && !analysis.is_working());
        analysis.back(1);
        assert!(analysis.is_working());
        analysis.forward(1);
        finish(&mut analysis, &mind);
        assert!(mind.log().job.is_none());
    }

    /// Whatever is done, the engine ends up with the position that is shown, and the game with its
    /// moves.
    #[test]
    fn the_engine_follows_every_walk() {
        let mut random = SplitMix64::new(11);
        for _ in 0..60 {
            let (mut analysis, mind) = analysis("h8i9h9h10g8f8g9g10");
            for _ in 0..50 {
                let count = random.below(4);
                match random.below(8) {
                    0 => _ = analysis.back(count),
                    1 => _ = analysis.forward(count),
                    2 => _ = analysis.rejoin(),
                    3 => analysis.set_count(count),
                    4 => analysis.pause(),
                    5 => analysis.resume(),
                    6 => {
                        let point = Size::DEFAULT.points().nth(random.below(225));
                        let _ = analysis.play(point.unwrap());
                    }
                    _ if mind.log().job.is_some() => _ = finish(&mut analysis, &mind),
                    _ => {}
                }
                let job = mind.log().job.clone();
                assert!(!analysis.is_working() || job.is_some());
            }
            analysis.set_count(analysis.count() % 2 + 1);
            analysis.resume();
            while mind.log().stopped && mind.log().job.is_some() {
                finish(&mut analysis, &mind);
            }
            let job = mind.log().job.clone();
            if analysis.game().end().is_none() {
                let job = job.unwrap();
                assert_eq!(job.setup, analysis.game().setup());
                assert_eq!(job.scope.lines, analysis.count());
            }
            analysis.rejoin();
            analysis.forward(100);
            assert_eq!(cells(analysis.game().moves()), "h8i9h9h10g8f8g9g10");
        }
    }
}
