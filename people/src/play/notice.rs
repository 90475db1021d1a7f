//! Notices of a session.

use super::{AskedInOpening, Controller, EndOfGame, PlayFault};
use tengen_core::eval::WinDrawLoss;
use tengen_core::rules::{OpeningChoice, OpeningFault, OpeningQuestion, Seat};
use tengen_core::search::{Report, Variation};
use tengen_core::types::{ByColor, Color, Point, Score};

/// Something that has happened in a session.
#[derive(Clone, PartialEq, Debug)]
pub enum PlayNotice {
    /// A move was played.
    Played {
        /// Its number, counted from 1; the stones of the opening count too.
        number: usize,
        /// The cell.
        point: Point,
        /// The side.
        color: Color,
        /// The one who chose it.
        by: Controller,
    },
    /// A player has made a choice in the opening.
    Chosen {
        /// The player who was asked.
        seat: Seat,
        /// The colour of the player before the choice.
        color: Color,
        /// The question.
        question: OpeningQuestion,
        /// The choice.
        choice: OpeningChoice,
        /// The one who made it.
        by: Controller,
    },
    /// A person is asked to choose in the opening.
    Asked(AskedInOpening),
    /// The opening is finished: these players have black and white from now on.
    Opened(ByColor<Controller>),
    /// The opening that was agreed on is not played, for this reason.
    NotOpened(OpeningFault),
    /// The engine was asked what it would choose in the opening: these, one after the other.
    Advice(Vec<OpeningChoice>),
    /// The game is over.
    Over(EndOfGame),
    /// The engine was asked what it would play.
    Hint(Hint),
    /// This side offers a draw to the other, which a person plays.
    DrawOffered(Color),
    /// The engine, which has this side, continues the game.
    DrawDeclined(Color),
    /// It is the turn of the engine or of a program, but it waits until it is told to go on.
    EngineWaits,
    /// The engine has given no move that can be played. It waits.
    NoMove,
    /// A program has not answered, for a reason that goes on after its name. It waits.
    ProgramFailed(Controller, String),
    /// This is to be said of a program that answers all the same; it goes on after its name.
    ProgramRemark(Controller, String),
    /// A program has answered with a move that can't be played, for this reason. It waits.
    Unplayable(Controller, Point, PlayFault),
    /// The engine has broken off by a fault of its own, which is this one; it goes on with the best that it
    /// knows.
    EngineFault(String),
}

/// The move that the engine would play for the side to move, and its expected line.
#[derive(Clone, PartialEq, Debug)]
pub struct Hint {
    /// The side to move.
    pub color: Color,
    /// The best move.
    pub point: Point,
    /// The expected moves, the best one first.
    pub line: Vec<Point>,
    /// The search's result for the position, if it had time.
    pub judgement: Option<Judgement>,
}

/// The judgement of a search about a position, for the side to move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Judgement {
    /// The chances of the side to move.
    pub chances: WinDrawLoss,
    /// The score.
    pub score: Score,
    /// The completed depth, in plies.
    pub depth: u32,
    /// The number of nodes searched.
    pub nodes: u64,
}

impl Judgement {
    /// Returns the judgement of a report, with the best line.
    pub(super) fn of(report: &Report) -> Option<(Judgement, &Variation)> {
        let best = report.lines.first()?;
        let judgement = Judgement {
            chances: report.win_model.chances(best.score),
            score: best.score,
            depth: best.depth,
            nodes: report.nodes,
        };
        Some((judgement, best))
    }
}
