//! Reviews and proofs for managers: the commands `REVIEW` and `PROVE` of the protocol.
//!
//! The answers are objects of JSON, a line each; `docs/reference/protocol.md` describes them. Rows of cells count
//! from the top.

mod proof;
mod review;

use serde::Serialize;

use tengen_core::board::Board;
use tengen_engine::engine::Setup;
use tengen_engine::protocol::{Reply, Scholar, StudyRequest, StudyTopic};

/// The part of the memory of the process that a study may take, one of this many: the search has the rest.
const MEMORY_PART: u64 = 16;

/// Reviews games and proves wins. It keeps no memory between two requests.
#[derive(Clone, Copy, Default, Debug)]
pub struct Studies;

impl Scholar for Studies {
    fn study(&mut self, request: &StudyRequest, tell: &mut dyn FnMut(Reply)) {
        match request.topic {
            StudyTopic::Review => review::study(request, tell),
            StudyTopic::Proof => proof::study(request, tell),
        }
    }
}

/// Returns the mebibytes that a study may take, `most` if there is no limit, and at least one.
fn mebibytes(request: &StudyRequest, most: u32) -> u32 {
    let part = request.max_memory.map(|bytes| (bytes / MEMORY_PART) >> 20);
    part.map_or(most, |part| u32::try_from(part).unwrap_or(most).clamp(1, most))
}

fn board_of(setup: &Setup) -> Board {
    let mut board = Board::new(setup.size);
    setup.walls.iter().for_each(|&wall| board.place_wall(wall));
    setup.stones.iter().for_each(|&(point, color)| board.place(point, color));
    board
}

/// Returns a line with an object.
fn line(topic: StudyTopic, object: &impl Serialize) -> Reply {
    // Texts, numbers and lists of them always have a form.
    Reply::Study(topic, serde_json::to_string(object).unwrap_or_default())
}

#[cfg(test)]
mod tests;
