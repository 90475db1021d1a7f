//! A session as a file holds it.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use thiserror::Error;

use super::opening::SavedOpening;
use super::{
    CasualGame, ClockControl, Controller, PlayTerms, PlayedOpening, ProgramName, ThinkingLimits,
};
use tengen_core::notation::{Moves, parse_moves};
use tengen_core::rules::Rule;
use tengen_core::types::{ByColor, Color};
use tengen_engine::engine::Skill;
use tengen_files::records::{self, Format, Known, Move};
use tengen_files::resume::{strip_sum, with_sum};

/// The version of the format.
const VERSION: u32 = 1;

/// The most games that a session counts: more than anybody plays.
pub(super) const MOST_GAMES: u64 = 1 << 32;

/// All of a session that outlives the process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SavedGame {
    /// The number of the game in its session, from 1.
    pub number: u64,
    /// The terms.
    pub terms: PlayTerms,
    /// The programs of the session, those that play among them.
    pub programs: Vec<ProgramName>,
    /// The opening that is being played or was, if any.
    pub opening: Option<PlayedOpening>,
    /// The game; of an opening, its first moves are the stones.
    pub game: CasualGame,
    /// The number of first moves whose times do not count.
    pub timed_from: usize,
    /// True if the engine waits in its turn.
    pub is_waiting: bool,
}

/// The fields of the file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedPlayFields {
    /// The version of the format.
    tengen_play: u32,
    number: u64,
    black: Controller,
    white: Controller,
    /// Black's skill and white's; files of before levels have none.
    #[serde(default)]
    skills: [Skill; 2],
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    programs: Vec<ProgramName>,
    clock: ClockControl,
    thinking: ThinkingLimits,
    /// The blocked cells.
    walls: String,
    /// True if white is to move.
    white_to_move: bool,
    /// The number of moves on the board; the others were taken back.
    shown: usize,
    timed_from: usize,
    waits: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    opening: Option<SavedOpening>,
    /// The record with all moves, as a line of JSON records.
    game: Box<RawValue>,
}

/// The reason why a text is no saved game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("no saved game of this version: {0}")]
pub struct SavedGameError(String);

impl SavedGameError {
    fn because(fault: impl ToString) -> SavedGameError {
        SavedGameError(fault.to_string())
    }
}

impl SavedGame {
    /// Writes the game as a line of JSON with its checksum.
    #[must_use]
    pub fn to_text(&self) -> String {
        let game = &self.game;
        let mut record = game.record();
        let shown = record.moves.len();
        record.moves.extend(game.undone().iter().rev().cloned());
        // Neither can fail: the moves are those of a game, and the text is JSON.
        let line = records::write(&record, Format::Json, 1).unwrap_or_default();
        let raw = RawValue::from_string(line.trim_end().to_owned()).unwrap_or_default();
        let fields = SavedPlayFields {
            tengen_play: VERSION,
            number: self.number,
            black: self.terms.sides[Color::Black],
            white: self.terms.sides[Color::White],
            skills: self.terms.skills.0,
            programs: self.programs.clone(),
            clock: self.terms.clock,
            thinking: self.terms.thinking,
            walls: Moves(game.walls()).to_string(),
            white_to_move: game.to_move() == Color::White,
            shown,
            timed_from: self.timed_from,
            waits: self.is_waiting,
            opening: self.opening.as_ref().map(PlayedOpening::saved),
            game: raw,
        };
        with_sum(&serde_json::to_string(&fields).unwrap_or_default()) + "\n"
    }

    /// Reads what [`SavedGame::to_text`] writes.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is anything else.
    pub fn from_text(text: &str) -> Result<SavedGame, SavedGameError> {
        // A checksum whose name is damaged is a field that nobody knows.
        let text = strip_sum(text).map_err(SavedGameError::because)?;
        let fields: SavedPlayFields =
            serde_json::from_str(&text).map_err(SavedGameError::because)?;
        if fields.tengen_play != VERSION {
            return Err(SavedGameError(format!("version {}", fields.tengen_play)));
        }
        if fields.number > MOST_GAMES {
            return Err(SavedGameError::because("an impossible number of games"));
        }
        if fields.clock.byoyomi.is_some_and(|b| b.periods == 0 || b.length.is_zero()) {
            return Err(SavedGameError::because("periods without time"));
        }
        let read = records::read(fields.game.get().as_bytes(), Format::Json, Known::default());
        let mut records = read.map_err(SavedGameError::because)?.into_iter();
        let mut record = records.next().ok_or_else(|| SavedGameError::because("no record"))?;
        let walls = parse_moves(&fields.walls, record.size).map_err(SavedGameError::because)?;
        let whole = record.moves.len();
        if fields.shown > whole || fields.shown < record.opening {
            return Err(SavedGameError::because("fewer moves than it says"));
        }
        record.check().map_err(SavedGameError::because)?;
        let undone = record.moves.split_off(fields.shown);
        if undone.iter().filter_map(Move::point).any(|point| walls.contains(&point)) {
            return Err(SavedGameError::because("a move on a blocked cell"));
        }
        let game = CasualGame::from_record(record, &walls, Rule::Freestyle);
        let mut game = game.map_err(SavedGameError::because)?;
        game.restore(
            if fields.white_to_move { Color::White } else { Color::Black },
            undone.into_iter().rev().collect(),
        );
        let sides = ByColor([fields.black, fields.white]);
        let is_named = |c: &Controller| c.program().is_none_or(|n| n < fields.programs.len());
        if !sides.0.iter().all(is_named) {
            return Err(SavedGameError::because("a program without a name"));
        }
        let read = |saved: &SavedOpening| PlayedOpening::from_saved(saved, game.size());
        let opening = fields.opening.as_ref().map(read).transpose();
        let opening = opening.map_err(SavedGameError::because)?;
        if opening.as_ref().is_some_and(|opening| !fits(opening, &game, sides)) {
            return Err(SavedGameError::because("an opening that is not the game's"));
        }
        // Moves in the first version's files may have become set-up stones.
        let most = most_timed(&game, opening.as_ref());
        if fields.timed_from > most.max(whole) {
            return Err(SavedGameError::because("fewer moves than it says"));
        }
        Ok(SavedGame {
            number: fields.number,
            programs: fields.programs,
            opening,
            terms: PlayTerms {
                sides,
                skills: ByColor(fields.skills),
                clock: fields.clock,
                thinking: fields.thinking,
            },
            game,
            timed_from: fields.timed_from.min(most),
            is_waiting: fields.waits,
        })
    }
}

/// Returns how many moves a game has with all that can be played again.
pub(super) fn most_timed(game: &CasualGame, opening: Option<&PlayedOpening>) -> usize {
    let of_opening = opening.map_or(0, |opening| opening.undone() + opening.later().len());
    game.moves().len() + game.undone().len() + of_opening
}

/// Returns whether a game goes on from an opening, or is still in it, with these players.
fn fits(opening: &PlayedOpening, game: &CasualGame, sides: ByColor<Controller>) -> bool {
    let stones = opening.course().stones();
    game.opening() == stones.len()
        && game.walls().is_empty()
        && game.moves().iter().map_while(Move::point).take(stones.len()).eq(stones.iter().copied())
        && game.moves().iter().enumerate().all(|(i, m)| m.color == Color::to_move_after(i))
        && (opening.question().is_none()
            || game.moves().len() == stones.len() && game.undone().is_empty())
        && opening.sides() == sides
}
