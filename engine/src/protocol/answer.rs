//! The spelling of answers.

use super::question::{AnswerStyle, OwedAnswer};
use super::reply::Reply;
use crate::engine::{Answer, OpeningStep, Task, offered_fifths};
use tengen_core::rules::Swap2Stage;
use tengen_core::search::BalanceStones;
use tengen_core::types::Point;

/// An answer, ready to be printed.
pub(super) struct SpelledAnswer {
    /// The lines to print.
    pub(super) replies: Vec<Reply>,
    /// The moves to make on the session's board.
    pub(super) played: Vec<Point>,
}

impl SpelledAnswer {
    /// Returns an answer that leaves the board as it is.
    fn without_moves(replies: Vec<Reply>) -> SpelledAnswer {
        SpelledAnswer { replies, played: Vec::new() }
    }
}

impl OwedAnswer {
    /// Spells the engine's answer, or one of the session's own if there is none. Whatever the
    /// engine answers, only moves that can be played are printed.
    pub(super) fn spell(&self, answer: Option<Answer>) -> SpelledAnswer {
        match self.job.task {
            Task::Swap2 => SpelledAnswer::without_moves(match self.style {
                AnswerStyle::Line => vec![self.swap2_reply(answer)],
                AnswerStyle::Messages => self.swap2_messages(answer),
            }),
            Task::Opening(step) => {
                SpelledAnswer::without_moves(self.soosorv_messages(step, answer))
            }
            Task::Swap1 if answer == Some(Answer::Swap) && self.game.stones() == 1 => {
                SpelledAnswer::without_moves(vec![Reply::Swap])
            }
            Task::Balance(task) if task.stones == BalanceStones::Two => {
                self.spell_two_moves(answer)
            }
            _ => self.spell_move(answer),
        }
    }

    fn spell_move(&self, answer: Option<Answer>) -> SpelledAnswer {
        let rule = self.job.setup.rule;
        let playable = |point: &Point| self.game.is_playable(rule, *point);
        let played = first_move(answer)
            .filter(playable)
            .or_else(|| self.reporter.best().first().copied().filter(playable))
            .or_else(|| {
                let blocked = self.job.scope.blocked.iter().copied().collect();
                self.game.fallback(rule, blocked)
            });
        let reply = played.map_or_else(board_is_full, Reply::Move);
        SpelledAnswer { replies: vec![reply], played: played.into_iter().collect() }
    }

    /// Spells a move of each side.
    fn spell_two_moves(&self, answer: Option<Answer>) -> SpelledAnswer {
        let best = self.reporter.best().get(..2).unwrap_or_default().to_vec();
        let mut choices = [moves(answer), best, self.game.central(2)].into_iter();
        match choices.find(|moves| moves.len() == 2 && self.are_free(moves)) {
            Some(played) => SpelledAnswer { replies: vec![Reply::Moves(played.clone())], played },
            None => SpelledAnswer::without_moves(vec![board_is_full()]),
        }
    }

    fn swap2_reply(&self, answer: Option<Answer>) -> Reply {
        let stage = Swap2Stage::from_stones(self.game.stones()).unwrap_or(Swap2Stage::Place);
        match answer {
            Some(Answer::Moves(moves))
                if stage.counts().contains(&moves.len()) && self.are_free(&moves) =>
            {
                Reply::Moves(moves)
            }
            // Both are always allowed.
            _ if stage.may_swap() => Reply::Swap,
            _ => Reply::Moves(self.game.central(3)),
        }
    }

    /// Spells a stage of swap2 as a Yixin Board reads it: one stone a line, and apart from them
    /// whether the engine takes black.
    fn swap2_messages(&self, answer: Option<Answer>) -> Vec<Reply> {
        let message = |text: String| Reply::Message(format!("SWAP2 {text}"));
        let placed = self.game.stones();
        let number = if placed == 3 { 1 } else { 2 };
        match self.swap2_reply(answer) {
            Reply::Moves(stones) if stones.len() > 1 => {
                let stone =
                    |(i, &point)| message(format!("MOVE{} {}", placed + 1 + i, spaced(point)));
                stones.iter().enumerate().map(stone).collect()
            }
            Reply::Swap => vec![message(format!("SWAP{number} YES"))],
            _ => vec![message(format!("SWAP{number} NO"))],
        }
    }

    /// Spells a step of Soosõrv's opening; without an answer the engine keeps its colour and plays
    /// near the centre, as many stones as are owed.
    fn soosorv_messages(&self, step: OpeningStep, answer: Option<Answer>) -> Vec<Reply> {
        let message = |text: String| Reply::Message(format!("SOOSORV {text}"));
        let swap = |number: usize| {
            let letter = if answer == Some(Answer::Swap) { 'Y' } else { 'N' };
            vec![message(format!("SWAP{number} {letter}"))]
        };
        match step {
            OpeningStep::Open => {
                let stones = Some(moves(answer)).filter(|stones| stones.len() == 3);
                let stones = stones.unwrap_or_else(|| self.game.central(3));
                let stone = |(i, &point)| message(format!("MOVE{} {}", i + 1, spaced(point)));
                stones.iter().enumerate().map(stone).collect()
            }
            OpeningStep::SwapFirst => swap(1),
            OpeningStep::SwapFourth { .. } => swap(2),
            OpeningStep::Fourth => {
                let offer = match answer {
                    Some(Answer::Offer(point, fifths)) => Some((point, fifths)),
                    _ => self.game.central(1).first().map(|&point| (point, 1)),
                };
                let line = |(point, fifths)| message(format!("MOVE4 {} {fifths}", spaced(point)));
                offer.map(line).into_iter().collect()
            }
            OpeningStep::Fifths { fifths } => {
                let known = moves(answer).into_iter().chain(self.reporter.best().first().copied());
                let fifths = offered_fifths(&self.job.setup, known, fifths);
                let mut lines = vec![message("MOVE5 REFRESH".to_owned())];
                lines.extend(fifths.iter().map(|&p| message(format!("MOVE5 {}", spaced(p)))));
                lines.push(message("MOVE5 DONE".to_owned()));
                lines
            }
            OpeningStep::Choose => {
                let kept = first_move(answer).or_else(|| self.game.last_move());
                kept.map(|p| message(format!("MOVE5C {}", spaced(p)))).into_iter().collect()
            }
            // Steps of other openings, for which there are no messages.
            OpeningStep::SwapOwed { .. }
            | OpeningStep::FourthOwed { .. }
            | OpeningStep::Number { .. } => Vec::new(),
        }
    }

    fn are_free(&self, moves: &[Point]) -> bool {
        moves
            .iter()
            .enumerate()
            .all(|(i, &point)| self.game.is_empty(point) && !moves[..i].contains(&point))
    }
}

/// Returns the moves of an answer, none if it has none.
fn moves(answer: Option<Answer>) -> Vec<Point> {
    match answer {
        Some(Answer::Moves(moves)) => moves,
        _ => Vec::new(),
    }
}

fn first_move(answer: Option<Answer>) -> Option<Point> {
    moves(answer).first().copied()
}

/// Spells a cell with a blank between its numbers, as Yixin Boards read them in messages.
fn spaced(point: Point) -> String {
    format!("{} {}", point.x(), point.y())
}

/// Returns the answer to a request for a move where there is none.
pub(super) fn board_is_full() -> Reply {
    Reply::Error("board is full".to_owned())
}
