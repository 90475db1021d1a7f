//! An opening between two players, of whom one or both may be the engine.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Controller;
use tengen_core::notation::parse_cell;
use tengen_core::rules::{
    Opening, OpeningChoice, OpeningFault, OpeningQuestion, OpeningRule, Seat,
};
use tengen_core::types::{ByColor, Color, Point, Size};
use tengen_files::records::Move;

/// The beginning of the line about an opening in the comment on a game.
const REMARK: &str = "Opening ";

/// A choice with the time that it took.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct TimedChoice {
    choice: OpeningChoice,
    /// The time since the choice before, in milliseconds.
    time: u64,
}

/// An opening that is being played or was, with its players and times.
///
/// It follows from its choices alone, so the last of them can be taken back and made again. Choices
/// of the same player without one of the other between them are one turn on the clock.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedOpening {
    opening: Opening,
    /// The times of the choices.
    times: Vec<u64>,
    /// The choices that were taken back, the next one last.
    undone: Vec<TimedChoice>,
    /// The moves after the opening that were taken back before its choices, the next one last.
    later: Vec<Move>,
    /// The first player and the other.
    players: [Controller; 2],
}

impl PlayedOpening {
    /// Begins an opening; the first player is the one who has black as yet.
    ///
    /// # Errors
    ///
    /// Returns an error if the board is too small.
    pub fn new(
        rule: OpeningRule,
        size: Size,
        sides: ByColor<Controller>,
    ) -> Result<PlayedOpening, OpeningFault> {
        let opening = Opening::new(rule, size)?;
        let (times, undone, later) = (Vec::new(), Vec::new(), Vec::new());
        Ok(PlayedOpening { opening, times, undone, later, players: sides.0 })
    }

    /// Returns the stones, the choices so far, and who is asked what.
    #[must_use]
    pub const fn course(&self) -> &Opening {
        &self.opening
    }

    /// Returns who has a seat.
    #[must_use]
    pub const fn player(&self, seat: Seat) -> Controller {
        match seat {
            Seat::A => self.players[0],
            Seat::B => self.players[1],
        }
    }

    /// Returns the colour that the first player has now.
    #[must_use]
    pub fn first(&self) -> Color {
        self.opening.color(Seat::A)
    }

    /// Returns who has which colour now.
    #[must_use]
    pub fn sides(&self) -> ByColor<Controller> {
        ByColor::from_fn(|color| self.player(self.opening.seat(color)))
    }

    /// Returns who is asked what; nothing once the opening is finished.
    #[must_use]
    pub fn question(&self) -> Option<AskedInOpening> {
        let (seat, question) = self.opening.asked()?;
        let (player, color) = (self.player(seat), self.opening.color(seat));
        Some(AskedInOpening { seat, player, color, question })
    }

    /// Returns whether no choice was made or taken back yet.
    #[must_use]
    pub fn is_untouched(&self) -> bool {
        self.times.is_empty() && self.undone.is_empty()
    }

    /// Returns the number of choices that can be made again.
    #[must_use]
    pub const fn undone(&self) -> usize {
        self.undone.len()
    }

    /// Keeps moves after the opening that were taken back, the next one last.
    pub(super) fn keep_later(&mut self, moves: &[Move]) {
        self.later = moves.to_vec();
    }

    /// Returns the moves that were kept, the next one last.
    #[must_use]
    pub fn later(&self) -> &[Move] {
        &self.later
    }

    /// Lets the players exchange their seats.
    pub(super) const fn exchange(&mut self) {
        self.players.swap(0, 1);
    }

    /// Gives the seat of a side to a player.
    pub(super) fn seat(&mut self, color: Color, player: Controller) {
        self.players[self.opening.seat(color) as usize] = player;
    }

    /// Takes a choice, and forgets those that were taken back.
    pub(super) fn choose(&mut self, choice: OpeningChoice, time: u64) -> Result<(), OpeningFault> {
        self.opening.choose(choice)?;
        self.times.push(time);
        self.undone.clear();
        self.later.clear();
        Ok(())
    }

    /// Takes back the last choice, if there is any, and returns who had made it.
    pub(super) fn take_back(&mut self) -> Option<Controller> {
        let (&choice, rest) = self.opening.choices().split_last()?;
        let time = self.times.pop()?;
        let (rule, size) = (self.opening.rule(), self.opening.size());
        self.opening = Opening::replay(rule, size, rest).ok()?;
        self.undone.push(TimedChoice { choice, time });
        self.question().map(|asked| asked.player)
    }

    /// Makes the choice again that was taken back last, if any was, and returns whose it is.
    pub(super) fn redo(&mut self) -> Option<Controller> {
        let TimedChoice { choice, time } = self.undone.pop()?;
        let asked = self.question()?;
        self.opening.choose(choice).ok()?;
        self.times.push(time);
        Some(asked.player)
    }

    /// Returns the times of the turns of a player that are over, in milliseconds.
    pub(super) fn turns(&self, seat: Seat) -> Vec<u64> {
        let mut turns = self.all_turns();
        if turns.last().map(|turn| turn.0) == self.opening.asked().map(|asked| asked.0) {
            turns.pop();
        }
        turns.into_iter().filter(|turn| turn.0 == seat).map(|turn| turn.1).collect()
    }

    /// Returns the time that the player who is asked has used in this turn for earlier choices, in
    /// milliseconds.
    pub(super) fn time_of_turn(&self) -> u64 {
        match (self.all_turns().last(), self.opening.asked()) {
            (Some(&(seat, time)), Some((asked, _))) if seat == asked => time,
            _ => 0,
        }
    }

    /// Returns the choices so far, each with what was asked of whom.
    #[must_use]
    pub fn asked_and_chosen(&self) -> Vec<(AskedInOpening, OpeningChoice)> {
        let (rule, size) = (self.opening.rule(), self.opening.size());
        let Ok(opening) = Opening::new(rule, size) else { return Vec::new() };
        let (times, undone, later) = (Vec::new(), Vec::new(), Vec::new());
        let mut past = PlayedOpening { opening, times, undone, later, players: self.players };
        let mut all = Vec::new();
        for &choice in self.opening.choices() {
            let Some(asked) = past.question() else { break };
            all.push((asked, choice));
            if past.opening.choose(choice).is_err() {
                break;
            }
        }
        all
    }

    /// Returns the turns so far with their times.
    fn all_turns(&self) -> Vec<(Seat, u64)> {
        let mut turns: Vec<(Seat, u64)> = Vec::new();
        for ((asked, _), &time) in self.asked_and_chosen().iter().zip(&self.times) {
            match turns.last_mut() {
                Some(last) if last.0 == asked.seat => last.1 = last.1.saturating_add(time),
                _ => turns.push((asked.seat, time)),
            }
        }
        turns
    }

    /// Returns the opening as a line of the comment on a game: files of games have no other place
    /// for it. Cells count from the top.
    #[must_use]
    pub fn remark(&self) -> String {
        let words = self.opening.choices().iter().map(|choice| format!(" {choice}"));
        format!("{REMARK}{}:{}", self.opening.rule(), words.collect::<String>())
    }

    /// Reads the line that [`PlayedOpening::remark`] returns, of a game on this board with these
    /// players on the sides that they have now. Returns nothing if it is anything else.
    #[must_use]
    pub fn from_remark(
        line: &str,
        size: Size,
        sides: ByColor<Controller>,
    ) -> Option<PlayedOpening> {
        let (name, words) = line.strip_prefix(REMARK)?.split_once(':')?;
        let words = words.split_whitespace();
        let choices: Option<Vec<OpeningChoice>> = words.map(|w| parse_choice(w, size)).collect();
        let opening = Opening::replay(name.parse().ok()?, size, &choices?).ok()?;
        let times = vec![0; opening.choices().len()];
        let players = [Seat::A, Seat::B].map(|seat| sides[opening.color(seat)]);
        Some(PlayedOpening { opening, times, undone: Vec::new(), later: Vec::new(), players })
    }

    /// Returns the opening as it is saved.
    pub(super) fn saved(&self) -> SavedOpening {
        let words = |choices: &mut dyn Iterator<Item = OpeningChoice>| {
            choices.map(|choice| choice.to_string()).collect::<Vec<_>>().join(" ")
        };
        SavedOpening {
            rule: self.opening.rule().name().to_owned(),
            choices: words(&mut self.opening.choices().iter().copied()),
            undone: words(&mut self.undone.iter().map(|undone| undone.choice)),
            times: self.times.iter().copied().chain(self.undone.iter().map(|u| u.time)).collect(),
            later: self
                .later
                .iter()
                .filter_map(|m| Some(m.point()?.to_string()))
                .collect::<Vec<_>>()
                .join(" "),
            later_times: self.later.iter().map(Move::time).collect(),
            first: self.players[0],
            second: self.players[1],
        }
    }

    /// Reads what [`PlayedOpening::saved`] returns.
    pub(super) fn from_saved(
        saved: &SavedOpening,
        size: Size,
    ) -> Result<PlayedOpening, SavedOpeningError> {
        let rule = saved.rule.parse().map_err(|_| SavedOpeningError::Rule)?;
        let read = |words: &str| -> Result<Vec<OpeningChoice>, SavedOpeningError> {
            let words = words.split_whitespace();
            words.map(|w| parse_choice(w, size).ok_or(SavedOpeningError::Choice)).collect()
        };
        let (choices, undone) = (read(&saved.choices)?, read(&saved.undone)?);
        if saved.times.len() != choices.len() + undone.len() {
            return Err(SavedOpeningError::Times);
        }
        // Choices taken back have to be possible again.
        let again: Vec<OpeningChoice> =
            choices.iter().chain(undone.iter().rev()).copied().collect();
        let stones = Opening::replay(rule, size, &again)?.stones().to_vec();
        let later = read_later(saved, size, &stones).ok_or(SavedOpeningError::Later)?;
        let (times, undone_times) = saved.times.split_at(choices.len());
        let undone = undone.into_iter().zip(undone_times);
        Ok(PlayedOpening {
            opening: Opening::replay(rule, size, &choices)?,
            times: times.to_vec(),
            undone: undone.map(|(choice, &time)| TimedChoice { choice, time }).collect(),
            later,
            players: [saved.first, saved.second],
        })
    }
}

/// Reads the moves that were taken back before the choices that led to these stones; nothing if
/// they are no such moves.
fn read_later(saved: &SavedOpening, size: Size, stones: &[Point]) -> Option<Vec<Move>> {
    let words = saved.later.split_whitespace();
    let points: Option<Vec<Point>> = words.map(|w| parse_cell(w, size).ok()).collect();
    let points = points.filter(|points| points.len() == saved.later_times.len())?;
    let mut seen = stones.to_vec();
    let mut moves = Vec::new();
    for (&point, &time) in points.iter().zip(&saved.later_times).rev() {
        if seen.contains(&point) {
            return None;
        }
        moves.push(Move::new(point, Color::to_move_after(seen.len())).with_time(time));
        seen.push(point);
    }
    moves.reverse();
    Some(moves)
}

/// A question of an opening, and to whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AskedInOpening {
    /// The seat of the player.
    pub seat: Seat,
    /// The player.
    pub player: Controller,
    /// The colour that the player has as yet.
    pub color: Color,
    /// The question.
    pub question: OpeningQuestion,
}

/// Reads a choice as it is displayed: a cell counted from the top, a number, or a word such as
/// `swap`. Returns nothing if it is anything else.
#[must_use]
pub fn parse_choice(word: &str, size: Size) -> Option<OpeningChoice> {
    let is = |choice: &OpeningChoice| choice.to_string().eq_ignore_ascii_case(word);
    if let Some(choice) = OpeningChoice::WORDS.into_iter().find(is) {
        return Some(choice);
    }
    if !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit()) {
        return word.parse().ok().map(OpeningChoice::Number);
    }
    parse_cell(word, size).ok().map(OpeningChoice::Cell)
}

/// An opening in a file.
#[derive(Serialize, Deserialize)]
pub(super) struct SavedOpening {
    rule: String,
    /// The choices with blanks between them.
    choices: String,
    /// Those that were taken back, the next one last.
    undone: String,
    /// The times of both, in milliseconds.
    times: Vec<u64>,
    /// The cells of the moves after the opening that were taken back, the next one last.
    later: String,
    later_times: Vec<Option<u64>>,
    first: Controller,
    second: Controller,
}

/// The reason why a saved opening is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub(super) enum SavedOpeningError {
    /// The name of the rule is unknown.
    #[error("an opening of another kind")]
    Rule,
    /// A word is not a choice.
    #[error("an opening with a choice that is none")]
    Choice,
    /// There are more or fewer times than choices.
    #[error("an opening whose times are not those of its choices")]
    Times,
    /// The moves after it are none.
    #[error("an opening with moves that do not follow it")]
    Later,
    /// A choice is not allowed.
    #[error("an opening with a choice that is not allowed: {0}")]
    Choices(#[from] OpeningFault),
}
