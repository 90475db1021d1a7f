//! The one move that is owed while the engine thinks.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::detail::{Detail, mark_line, report_lines};
use super::game::Game;
use super::reply::Reply;
use crate::engine::{Answer, Job, Task};
use crate::rules::Rule;
use crate::search::{BalanceStones, Limits, Mark, Report};
use crate::types::{Point, PointSet};

/// The shortest time between two reports of up to ten lines.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

/// The shortest time between two cells marked as being searched.
const MARK_INTERVAL: Duration = Duration::from_millis(5);

/// The right to print the answer of one job.
///
/// The natural end of a search, a stop and the end of the grace time compete for it; whoever
/// claims it first prints, and nobody else can.
#[derive(Debug)]
pub(super) struct Ticket {
    spent: AtomicBool,
}

impl Ticket {
    fn new() -> Ticket {
        Ticket { spent: AtomicBool::new(false) }
    }

    /// Returns whether the caller may print; true once only.
    pub(super) fn claim(&self) -> bool {
        self.spent.compare_exchange(false, true, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }
}

/// How an answer is spelled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Style {
    /// On one line, as the protocol has it.
    Plain,
    /// As messages: a step of swap2, counted from 1, on a Yixin Board.
    YixinSwap2(u8),
    /// As messages: a step of Soosõrv's opening, counted from 1, on a Yixin Board.
    YixinSoosorv(u8),
}

/// A job whose answer has not been printed.
pub(super) struct Thinking {
    /// The number of the job.
    pub(super) id: u64,
    /// Who may print the answer.
    pub(super) ticket: Ticket,
    /// The limits as last told to the engine.
    pub(super) limits: Limits,
    /// Whether the manager asked for analysis.
    pub(super) analysis: bool,
    /// What was used of the match before this move.
    pub(super) used: Duration,
    /// When the answer is given without the engine; set once the engine was asked to stop.
    pub(super) deadline: Option<Instant>,
    /// The job, as long as the engine is still busy with an earlier one.
    pub(super) held: Option<Job>,
    /// How the answer is spelled.
    pub(super) style: Style,
    /// What was asked for.
    pub(super) task: Task,
    rule: Rule,
    game: Game,
    blocked: PointSet,
    best: Vec<Point>,
    unprinted: Option<Report>,
    printed: Option<Instant>,
    /// The cell that is marked as being searched.
    marked: Option<Point>,
    /// When a cell was marked the last time since the marks were wiped off.
    marked_at: Option<Instant>,
    /// The cells that were marked as losing.
    lost: PointSet,
}

/// What becomes of an answer.
pub(super) struct Outcome {
    /// The lines to print.
    pub(super) replies: Vec<Reply>,
    /// The moves to make on the session's board.
    pub(super) played: Vec<Point>,
}

impl Thinking {
    /// Returns the state of a job that is about to begin.
    pub(super) fn new(job: Job, game: Game, used: Duration, analysis: bool) -> Thinking {
        Thinking {
            id: job.id,
            ticket: Ticket::new(),
            limits: job.limits,
            analysis,
            used,
            deadline: None,
            style: Style::Plain,
            task: job.task,
            rule: job.setup.rule,
            blocked: job.scope.blocked.iter().copied().collect(),
            held: Some(job),
            game,
            best: Vec::new(),
            unprinted: None,
            printed: None,
            marked: None,
            marked_at: None,
            lost: PointSet::EMPTY,
        }
    }

    /// Takes a report; returns the lines to print unless some were printed a moment ago.
    pub(super) fn report(&mut self, report: Report, detail: Detail, now: Instant) -> Vec<Reply> {
        if let Some(line) = report.lines.first() {
            self.best.clone_from(&line.pv);
        }
        // Many lines at once are told less often.
        let tens = u32::try_from(report.lines.len().div_ceil(10)).unwrap_or(1);
        let interval = REPORT_INTERVAL * tens.max(1);
        if self.printed.is_some_and(|at| now.saturating_duration_since(at) < interval) {
            self.unprinted = Some(report);
            return Vec::new();
        }
        self.printed = Some(now);
        self.unprinted = None;
        report_lines(&report, detail)
    }

    /// Takes a report of what was found before anybody asked.
    pub(super) fn remember(&mut self, report: Report) {
        if let Some(line) = report.lines.first() {
            self.best.clone_from(&line.pv);
        }
        self.unprinted = Some(report);
    }

    /// Returns the lines of the last report if they were not printed.
    pub(super) fn last_report(&mut self, detail: Detail) -> Vec<Reply> {
        let report = self.unprinted.take();
        report.map_or_else(Vec::new, |report| report_lines(&report, detail))
    }

    /// Takes what happened to a move at the root; returns the line to print, if it is worth one:
    /// a board can't draw a thousand cells a second.
    pub(super) fn mark(&mut self, mark: Mark, now: Instant) -> Option<Reply> {
        let wanted = match mark {
            Mark::Refresh => self.marked_at.take().is_some(),
            Mark::Searching(point) => {
                let due = self
                    .marked_at
                    .is_none_or(|at| now.saturating_duration_since(at) >= MARK_INTERVAL);
                self.marked = due.then_some(point);
                due
            }
            Mark::Searched(point) => self.marked.take() == Some(point),
            Mark::Best(_) => true,
            // The cell stays marked until the next move.
            Mark::Lost(point) => self.lost.insert(point),
        };
        if wanted && mark != Mark::Refresh {
            self.marked_at = Some(now);
        }
        wanted.then(|| mark_line(mark))
    }

    /// Returns the best line known.
    pub(super) fn best(&self) -> &[Point] {
        &self.best
    }

    /// Returns what to make of the engine's answer, or of its absence. Whatever the engine says,
    /// only moves that can be played are printed.
    pub(super) fn outcome(&self, answer: Option<Answer>) -> Outcome {
        match (self.task, self.style) {
            (Task::Swap2, Style::Plain) => {
                Outcome { replies: vec![self.answer_of_swap2(answer)], played: Vec::new() }
            }
            (_, Style::YixinSwap2(step)) => {
                let replies = swap2_messages(step, &self.answer_of_swap2(answer));
                Outcome { replies, played: Vec::new() }
            }
            (_, Style::YixinSoosorv(step)) => {
                let replies = self.soosorv_messages(step, answer);
                Outcome { replies, played: Vec::new() }
            }
            (Task::Swap1, _) if answer == Some(Answer::Swap) && self.game.stones() == 1 => {
                Outcome { replies: vec![Reply::Swap], played: Vec::new() }
            }
            (Task::Balance(task), _) if task.stones == BalanceStones::Two => {
                self.outcome_of_two(answer)
            }
            _ => self.outcome_of_move(answer),
        }
    }

    fn outcome_of_move(&self, answer: Option<Answer>) -> Outcome {
        let told = match answer {
            Some(Answer::Moves(moves)) => moves.first().copied(),
            _ => None,
        };
        let playable = |point: &Point| self.game.is_playable(self.rule, *point);
        let best = self.best.first().copied();
        let played = told
            .filter(playable)
            .or_else(|| best.filter(playable))
            .or_else(|| self.game.fallback(self.rule, self.blocked));
        let reply = played.map_or_else(board_is_full, Reply::Move);
        Outcome { replies: vec![reply], played: played.into_iter().collect() }
    }

    /// A move of each side.
    fn outcome_of_two(&self, answer: Option<Answer>) -> Outcome {
        let told = match answer {
            Some(Answer::Moves(moves)) => moves,
            _ => Vec::new(),
        };
        let known = self.best.get(..2).unwrap_or_default().to_vec();
        let mut choices = [told, known, self.game.central(2)].into_iter();
        match choices.find(|moves| moves.len() == 2 && self.are_free(moves)) {
            Some(moves) => Outcome { replies: vec![Reply::Moves(moves.clone())], played: moves },
            None => Outcome { replies: vec![board_is_full()], played: Vec::new() },
        }
    }

    fn answer_of_swap2(&self, answer: Option<Answer>) -> Reply {
        let stage = self.game.stones();
        let counts = match stage {
            0 => 3..=3,
            3 => 1..=2,
            _ => 1..=1,
        };
        match answer {
            Some(Answer::Swap) if stage > 0 => Reply::Swap,
            Some(Answer::Moves(moves))
                if counts.contains(&moves.len()) && self.are_free(&moves) =>
            {
                Reply::Moves(moves)
            }
            // Both are always allowed.
            _ if stage > 0 => Reply::Swap,
            _ => Reply::Moves(self.game.central(3)),
        }
    }

    /// Spells a step of Soosõrv's opening; without an answer the engine keeps its colour and plays
    /// near the centre.
    fn soosorv_messages(&self, step: u8, answer: Option<Answer>) -> Vec<Reply> {
        let message = |text: String| Reply::Message(format!("SOOSORV {text}"));
        let spell = |point: &Point| format!("{} {}", point.x(), point.y());
        match (step, answer) {
            (1, answer) => {
                let stones = match answer {
                    Some(Answer::Moves(stones)) if stones.len() == 3 => stones,
                    _ => self.game.central(3),
                };
                let number = |(i, point)| message(format!("MOVE{} {}", i + 1, spell(point)));
                stones.iter().enumerate().map(number).collect()
            }
            (2 | 4, answer) => {
                let swaps = if answer == Some(Answer::Swap) { 'Y' } else { 'N' };
                vec![message(format!("SWAP{} {swaps}", step / 2))]
            }
            (3, answer) => {
                let known = match answer {
                    Some(Answer::Offer(point, fifths)) => Some((point, fifths)),
                    _ => self.game.central(1).first().map(|&point| (point, 1)),
                };
                let offer = |(point, fifths)| message(format!("MOVE4 {} {fifths}", spell(&point)));
                known.map(offer).into_iter().collect()
            }
            (5, answer) => {
                let fifths = match answer {
                    Some(Answer::Moves(moves)) if !moves.is_empty() => moves,
                    _ => self.game.central(1),
                };
                let edge = |text: &str| message(format!("MOVE5 {text}"));
                let mut lines = vec![edge("REFRESH")];
                lines.extend(fifths.iter().map(|point| message(format!("MOVE5 {}", spell(point)))));
                lines.push(edge("DONE"));
                lines
            }
            (_, answer) => {
                let kept = match answer {
                    Some(Answer::Moves(moves)) => moves.first().copied(),
                    _ => self.game.last_move(),
                };
                kept.map(|p| message(format!("MOVE5C {}", spell(&p)))).into_iter().collect()
            }
        }
    }

    fn are_free(&self, moves: &[Point]) -> bool {
        moves
            .iter()
            .enumerate()
            .all(|(i, &point)| self.game.is_empty(point) && !moves[..i].contains(&point))
    }
}

/// Spells a step of swap2 as a Yixin Board reads it: blanks between the numbers, and whether the
/// engine takes black told apart from the stones.
fn swap2_messages(step: u8, answer: &Reply) -> Vec<Reply> {
    let message = |text: String| Reply::Message(format!("SWAP2 {text}"));
    let stone =
        |number: usize, point: &Point| message(format!("MOVE{number} {} {}", point.x(), point.y()));
    match (step, answer) {
        (1, Reply::Moves(stones)) => {
            stones.iter().enumerate().map(|(i, point)| stone(i + 1, point)).collect()
        }
        (2, Reply::Moves(stones)) if stones.len() == 2 => {
            stones.iter().enumerate().map(|(i, point)| stone(i + 4, point)).collect()
        }
        (step, Reply::Swap) => vec![message(format!("SWAP{} YES", step - 1))],
        (step, _) => vec![message(format!("SWAP{} NO", step - 1))],
    }
}

/// Returns the answer to a request for a move where there is none.
pub(super) fn board_is_full() -> Reply {
    Reply::Error("board is full".to_owned())
}
