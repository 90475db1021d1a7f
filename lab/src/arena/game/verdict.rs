//! The end of a game, with a sentence about it.

use crate::arena::{DrawRule, PlayerFault, ResignRule, Termination};
use tengen_core::rules::{Run, Violation};
use tengen_core::types::{Color, Point};
use tengen_files::records::GameResult;

/// The end of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct GameEnd {
    pub(super) termination: Termination,
    /// The seat that won, if one did.
    winner: Option<usize>,
    /// A sentence about it.
    pub(super) detail: String,
}

impl GameEnd {
    /// The seat with this name has a winning run.
    pub(super) fn five(seat: usize, name: &str, run: Run) -> GameEnd {
        let last = run.points().last().unwrap_or(run.first);
        GameEnd {
            termination: Termination::Five,
            winner: Some(seat),
            detail: format!("{name} made {} in a row from {} to {last}", run.len, run.first),
        }
    }

    /// Neither side can win any more.
    pub(super) fn draw() -> GameEnd {
        let detail = "nobody could win any more".to_owned();
        GameEnd { termination: Termination::Draw, winner: None, detail }
    }

    /// The seat with this name made a move that renju forbids.
    pub(super) fn forbidden(seat: usize, name: &str, at: Point, kind: Violation) -> GameEnd {
        let what = match kind {
            Violation::Overline => "an overline",
            Violation::DoubleFour => "a double four",
            Violation::DoubleThree => "a double three",
        };
        GameEnd {
            termination: Termination::Forbidden(kind),
            winner: Some(1 - seat),
            detail: format!("{name} played the forbidden {at}, {what}"),
        }
    }

    /// The seat with this name did something wrong.
    pub(super) fn fault(seat: usize, name: &str, fault: PlayerFault) -> GameEnd {
        let detail = format!("{name} {fault}");
        GameEnd { termination: Termination::Fault(fault), winner: Some(1 - seat), detail }
    }

    /// The game is drawn after this many moves.
    pub(super) fn draw_after(moves: usize) -> GameEnd {
        let detail = format!("{moves} moves were played");
        GameEnd { termination: Termination::DrawAfter, winner: None, detail }
    }

    /// Both players thought it a draw.
    pub(super) fn draw_agreed(rule: Option<DrawRule>) -> GameEnd {
        let detail = rule.map_or_else(String::new, |rule| {
            format!("both players reported scores within {} for {}", rule.score, moves(rule.moves))
        });
        GameEnd { termination: Termination::DrawAdjudicated, winner: None, detail }
    }

    /// The seat has lost according to its own scores, and perhaps to those of the other.
    pub(super) fn resigned(seat: usize, names: [&str; 2], rule: Option<ResignRule>) -> GameEnd {
        let detail = rule.map_or_else(String::new, |rule| {
            let (loser, score) = (names[seat], rule.score);
            let moves = moves(rule.moves);
            let mut detail = format!("{loser} reported scores of at most -{score} for {moves}");
            if rule.both {
                let winner = names[1 - seat];
                detail.push_str(&format!(" and {winner} of at least {score}"));
            }
            detail
        });
        let termination = Termination::WinAdjudicated;
        GameEnd { termination, winner: Some(1 - seat), detail }
    }

    /// Returns the result as records tell it, where this seat has black.
    pub(super) fn result(&self, black_seat: usize) -> GameResult {
        match self.winner {
            None => GameResult::Draw,
            Some(seat) if seat == black_seat => GameResult::Win(Color::Black),
            Some(_) => GameResult::Win(Color::White),
        }
    }
}

fn moves(count: u32) -> String {
    match count {
        0 | 1 => "a move".to_owned(),
        count => format!("{count} moves"),
    }
}
