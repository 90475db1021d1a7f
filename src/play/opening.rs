//! Texts of openings.

use super::voice::{Cast, Voice, capital};
use crate::common::words::cells;
use tengen_core::rules::{OpeningChoice, OpeningQuestion, RenjuOpening, Seat};
use tengen_core::types::{ByColor, Color};
use tengen_people::play::{AskedInOpening, CasualGame, PlayNotice, PlayedOpening};

/// Returns the name of a seat.
const fn player(seat: Seat) -> &'static str {
    match seat {
        Seat::A => "The first player",
        Seat::B => "The second player",
    }
}

impl Voice {
    /// Returns the line that says how a game is opened, and by whom.
    pub(super) fn opening_heading(self, cast: Cast<'_>, opening: &PlayedOpening) -> String {
        let [first, second] = [Seat::A, Seat::B].map(|seat| cast.name(opening.player(seat)));
        let title = opening.course().rule().title();
        format!("Opening {title}, the first player is {first}, the second is {second}.\n")
    }

    /// Returns the lines of what has happened in an opening; nothing if the notice is none of one.
    pub(super) fn of_opening(
        self,
        game: &CasualGame,
        cast: Cast<'_>,
        opening: Option<&PlayedOpening>,
        notice: &PlayNotice,
    ) -> Option<String> {
        Some(match notice {
            PlayNotice::Chosen { seat, color, question, choice, by } => {
                let by = cast.by(*by);
                let name = || self.name_of_opening(game, opening, *question);
                let chosen = self.chosen(game, *seat, *color, *question, *choice);
                format!("{chosen}{by}.\n") + &name()
            }
            PlayNotice::Asked(asked) => self.question(game, opening?, asked),
            PlayNotice::EngineWaits => {
                let who = cast.capital(opening?.question()?.player);
                format!("{who} waits in the opening: go lets it choose.\n")
            }
            PlayNotice::Opened(ByColor([black, white])) => {
                let to_move = capital(game.to_move());
                let (black, white) = (cast.name(*black), cast.name(*white));
                format!(
                    "The opening is finished: black is {black}, white is {white}. \
                     {to_move} to move.\n"
                )
            }
            PlayNotice::NotOpened(fault) => format!("The game has no opening: {fault}.\n"),
            PlayNotice::Advice(choices) => {
                let turn = |choice: &OpeningChoice| {
                    choice.turned(|p| self.origin(game).turn(p, game.size())).to_string()
                };
                let words: Vec<String> = choices.iter().map(turn).collect();
                format!("Hint: {}.\n", words.join(" "))
            }
            _ => return None,
        })
    }

    /// Returns what is asked, with the ways to answer where they are words.
    pub(super) fn question(
        self,
        game: &CasualGame,
        opening: &PlayedOpening,
        asked: &AskedInOpening,
    ) -> String {
        let AskedInOpening { seat, color, question, .. } = asked;
        let mut text = format!("{}, {color}: {question}.\n", player(*seat));
        let origin = self.origin(game);
        let fifths = opening.course().fifths();
        if !fifths.is_empty() {
            text += &format!("On offer: {}.\n", cells(fifths, game.size(), origin));
        }
        for choice in OpeningChoice::WORDS {
            if let Ok(words) = opening.course().explain(choice) {
                text += &format!("{choice}: {words}.\n");
            }
        }
        text
    }

    fn chosen(
        self,
        game: &CasualGame,
        seat: Seat,
        color: Color,
        question: OpeningQuestion,
        choice: OpeningChoice,
    ) -> String {
        let cell = choice.turned(|point| self.origin(game).turn(point, game.size()));
        let player = player(seat);
        match (question, choice) {
            (OpeningQuestion::Stone { number, .. }, _) => {
                format!("Stone {number}: {} {cell}", Color::to_move_after(number - 1))
            }
            (OpeningQuestion::Fifth { number, of }, _) => {
                format!("Fifth stone {number} of {of} on offer: {cell}")
            }
            (OpeningQuestion::Keep, _) => format!("Stone 5: black {cell} stays"),
            (_, OpeningChoice::Number(number)) => {
                format!("Fifth stones that black has to offer: {number}")
            }
            (_, OpeningChoice::Swap) => format!("{player} takes {}", !color),
            (_, OpeningChoice::Stay) => format!("{player} keeps {color}"),
            (_, OpeningChoice::TwoMore) => format!("{player} places two more stones"),
            (_, OpeningChoice::TenFifths) => format!("{player} offers ten fifth stones"),
            (_, OpeningChoice::Cell(_)) => format!("{player}: {cell}"),
        }
    }

    /// Returns the line with the name of three stones, after the third of them.
    fn name_of_opening(
        self,
        game: &CasualGame,
        opening: Option<&PlayedOpening>,
        question: OpeningQuestion,
    ) -> String {
        let is_third = matches!(question, OpeningQuestion::Stone { number: 3, .. });
        let of_renju = opening.filter(|opening| is_third && opening.course().rule().is_of_renju());
        let stones = of_renju.and_then(|opening| opening.course().stones().get(..3));
        let name = stones.and_then(|stones| RenjuOpening::of(game.size(), stones));
        name.map_or_else(String::new, |name| format!("The first three stones are {name}.\n"))
    }
}
