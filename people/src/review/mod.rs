//! Reviews of whole games: what each move was worth, and where the game was lost.
//!
//! Three steps, each pure in what it is given:
//!
//! 1. An [`Assessor`] looks at the positions of a game one by one, the last one first
//!    ([`assess_game`]). [`EngineAssessor`] is the real one: the search and the prover, each with
//!    its share of the [`Effort`], and memories that are emptied before each game. *Backwards*,
//!    because then the table already knows what came of the move that was played when the position
//!    before it is searched: a player's mistake is seen from where it was punished.
//! 2. Every position is searched once. Its value is what the search says, or what the position
//!    after the move that was played is worth, if that is more. Where the search likes another move so
//!    much better that the played one would be a fault, the position after that other move is searched
//!    as well: both moves are judged by what comes after them. What is proven of one position
//!    holds for its neighbours as far as the moves force it (`settle`). So "after" one
//!    move is "before" the next, and no move is better than the best.
//! 3. [`GameReview`] classifies the moves by what they lost ([`MoveClass`]), explains them in the
//!    players' words, and sums up the game.
//!
//! With a number of nodes as effort the same game gets the same review on every machine, whatever
//! was reviewed before it and however often the run was interrupted. [`run`] reviews games on many
//! threads, one game a thread; a [`ReviewJournal`] keeps the finished ones. [`html`] shows reviews as
//! a page to click through, and [`annotated`] as records for other programs.

mod accuracy;
mod annotate;
mod assess;
mod backward;
mod class;
#[cfg(test)]
mod double;
mod engine;
mod game;
mod journal;
mod object;
mod report;
mod run;
mod settle;

pub use accuracy::move_accuracy;
pub use annotate::annotated;
pub use assess::{AssessedGame, Assessment, Assessor, Candidate, Proven, ReviewTask};
pub use backward::assess_game;
pub use class::{
    BLUNDER_LOSS, INACCURACY_LOSS, LOST_ALREADY, MISTAKE_LOSS, MoveClass, MoveClassNameError,
    NEARLY_DECIDED,
};
pub use engine::{Effort, EngineAssessor};
pub use game::{GameReview, LostForGood, MoveReview};
pub use journal::{ReviewError, ReviewJournal, ReviewOptions};
pub use object::MoveObject;
pub use report::{GamePart, ReviewedGame, html, page_data};
pub use run::{ReviewSink, run};
