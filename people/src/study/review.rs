//! Reviews of games.

use serde::Serialize;
use serde_json::value::RawValue;

use super::{line, mebibytes};
use crate::review::{
    Assessment, Effort, EngineAssessor, GameReview, MoveObject, ReviewTask, ReviewedGame,
    assess_game, page_data,
};
use tengen_core::notation::Origin;
use tengen_core::rules::{Game, Rule};
use tengen_core::types::{Color, Point};
use tengen_engine::protocol::{Reply, StudyRequest, StudyTopic};
use tengen_files::records::Record;

/// The object after each position.
#[derive(Serialize)]
struct ProgressObject {
    /// The positions that are done, and all.
    progress: [usize; 2],
    /// The moves before the position.
    after: usize,
    /// Black's expected points in it, as far as is known.
    black: f64,
}

/// The object after all moves.
#[derive(Serialize)]
struct EndObject {
    done: bool,
    complete: bool,
    accuracy: [Option<f64>; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    turning_point: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lost: Option<LostObject>,
    /// The game as the page of a review shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<Box<RawValue>>,
}

#[derive(Serialize)]
struct LostObject {
    loser: String,
    after: usize,
}

/// Reviews a game on an empty board, black first.
pub(super) fn study(request: &StudyRequest, tell: &mut dyn FnMut(Reply)) {
    let setup = &request.setup;
    let moves: Vec<Point> = setup.stones.iter().map(|&(point, _)| point).collect();
    let game = match Game::from_moves(setup.size, setup.rule, &moves) {
        Ok(game) => game,
        Err(error) => return tell(Reply::Error(error.to_string())),
    };
    let task = ReviewTask::of_game(&game, 0, 0);
    let effort = request.limits.max_nodes.map_or(Effort::USUAL, Effort::Nodes);
    // Two tables.
    let mebibytes = mebibytes(request, 2 * EngineAssessor::USUAL_MEBIBYTES).div_ceil(2);
    let mut assessor = match EngineAssessor::new(effort, mebibytes) {
        Ok(assessor) => assessor,
        Err(error) => return tell(Reply::Error(error.to_string())),
    };
    let (all, mut count) = (task.positions(), 0);
    let mut done = |assessment: &Assessment| {
        count += 1;
        let after = all - count;
        let own = assessment.chances.points();
        let black = if task.to_move_after(after) == Color::Black { own } else { 1.0 - own };
        let black = (black * 1e4).round() / 1e4;
        tell(line(StudyTopic::Review, &ProgressObject { progress: [count, all], after, black }));
    };
    let assessed = assess_game(&task, &mut assessor, &request.stop, &mut done);
    let complete = assessed.is_complete();
    if assessed.positions.is_empty() {
        return tell(line(StudyTopic::Review, &EndObject::empty(complete)));
    }
    let review = GameReview::new(&task, &assessed);
    for m in &review.moves {
        tell(line(StudyTopic::Review, &MoveObject::from(m)));
    }
    tell(line(StudyTopic::Review, &EndObject::new(&game, &task, &review, complete)));
}

impl EndObject {
    /// Returns the object where nothing was reviewed.
    fn empty(complete: bool) -> EndObject {
        EndObject {
            done: true,
            complete,
            accuracy: [None, None],
            turning_point: None,
            lost: None,
            game: None,
        }
    }

    fn new(game: &Game, task: &ReviewTask, review: &GameReview, complete: bool) -> EndObject {
        let origin = if game.rule() == Rule::Renju { Origin::Bottom } else { Origin::Top };
        let record = Record::of_game(game);
        let (file, text) = ("", "");
        let shown = ReviewedGame {
            number: 1,
            file,
            place: None,
            record: &record,
            task,
            origin,
            review,
            text,
        };
        let lost =
            review.lost.map(|lost| LostObject { loser: lost.loser.to_string(), after: lost.after });
        EndObject {
            accuracy: Color::ALL.map(|color| review.accuracy[color]),
            turning_point: review.turning_point.map(|i| review.moves[i].ply),
            lost,
            game: RawValue::from_string(page_data(&shown)).ok(),
            ..EndObject::empty(complete)
        }
    }
}
