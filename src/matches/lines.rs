//! The lines that are printed of each finished game, and of a test before the first.

use serde::Serialize;

use super::standing::number;
use crate::screen::text::wrapped;
use tengen_core::notation::Origin;
use tengen_core::types::Color;
use tengen_files::printable::{columns, printable, printable_json, shortened};
use tengen_files::records::GameResult;
use tengen_files::words::{counted, grouped};
use tengen_lab::arena::{EndKind, PlayedGame};
use tengen_lab::stats::{EloModel, ExpectedGames, Sprt, SprtOptions};

/// The most columns of a line for people.
const WIDTH: usize = 80;
/// The column in which the sentence about a fault begins.
const INDENT: usize = 4;

/// Returns the line of a game for people, as in
/// `Game 3: rapfi (X) - tengen (O) 1-0, 43 moves, five f8 to j8 [2 - 1]`; a game that did not end
/// by a five or a full board is followed by the sentence about its end.
///
/// No line has more than 80 columns, unless a word is too long. `points` are those of a match
/// between two, this game included; rows count from the edge `origin`.
pub(super) fn game_line(game: &PlayedGame, points: Option<&[f64]>, origin: Origin) -> String {
    let players = &game.record.players;
    let result = match game.record.result {
        Some(GameResult::Win(Color::Black)) => "1-0",
        Some(GameResult::Win(Color::White)) => "0-1",
        Some(GameResult::Draw) => "½-½",
        None => "?",
    };
    let moves = counted(game.record.moves.len() as u64, "move");
    let standing = match points {
        Some([a, b]) => format!(" [{} - {}]", number(*a), number(*b)),
        _ => String::new(),
    };
    let number = game.fixture.game + 1;
    let line = |black: &str, white: &str| {
        let end = end(game, origin);
        format!("Game {number}: {black} (X) - {white} (O) {result}, {moves}, {end}{standing}")
    };
    let [black, white] = Color::ALL.map(|color| printable(&players[color]));
    let room = WIDTH.saturating_sub(columns(&line("", "")));
    // The other name gets what a short one leaves.
    let short = columns(&black).min(columns(&white));
    let most = if short <= room / 2 { room - short } else { room / 2 }.max(2);
    let mut text = line(&shortened(&black, most), &shortened(&white, most));
    if !matches!(game.end, EndKind::Five | EndKind::Draw) {
        for line in wrapped(&printable(&sentence(game, origin)), WIDTH - INDENT) {
            text.push_str(&format!("\n{:INDENT$}{line}", ""));
        }
    }
    text
}

/// Returns the sentence about the end of a game. The referee's own counts rows from the top, as files do.
pub(super) fn sentence(game: &PlayedGame, origin: Origin) -> String {
    let detail = game.detail.clone();
    match (origin, game.end) {
        (Origin::Bottom, EndKind::Five) => end(game, origin),
        (Origin::Bottom, EndKind::Forbidden(_) | EndKind::Occupied) => {
            detail + " (rows from the top)"
        }
        (Origin::Top | Origin::Bottom, _) => detail,
    }
}

/// Returns how a game ended in a few words, and where if by a five.
fn end(game: &PlayedGame, origin: Origin) -> String {
    let is_five = game.end == EndKind::Five;
    let five = if is_five { game.record.winning_words(origin) } else { None };
    five.unwrap_or_else(|| game.end.name().to_owned())
}

/// Returns how long a test is expected to be, of which at most `most` games are played; nothing without a test that
/// makes sense.
pub(super) fn expected_length(test: Option<SprtOptions>, most: u64) -> Option<String> {
    let SprtOptions { model, elo0, elo1, .. } = test?;
    let ExpectedGames { at_elo0, at_middle, at_elo1 } = Sprt::new(test?).ok()?.expected_games();
    let [first, middle, last] = [at_elo0, at_middle, at_elo1].map(|games| grouped(rounded(games)));
    let (kind, assumed) = match model {
        EloModel::Logistic => ("Elo", ", if half of the pairs are even"),
        EloModel::Normalized => ("nElo", ""),
    };
    let most = grouped(most);
    Some(format!(
        "Expected games: {first} at {elo0} {kind}, {middle} half way, {last} at {elo1}{assumed}; at most {most}."
    ))
}

/// Returns a number of games with two digits that count.
fn rounded(games: f64) -> u64 {
    let unit = 10_f64.powf(games.max(10.0).log10().floor() - 1.0);
    ((games / unit).round() * unit) as u64
}

/// A game as programs read it.
#[derive(Serialize)]
struct GameObject<'a> {
    game: u64,
    pair: u64,
    round: u64,
    black: &'a str,
    white: &'a str,
    /// The winner, `black` or `white`, or `draw`.
    result: Option<&'static str>,
    end: &'static str,
    detail: &'a str,
    moves: usize,
    /// The time that both players thought.
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<&'a [f64]>,
}

/// Returns the line of a game for programs: an object.
pub(super) fn game_json(game: &PlayedGame, points: Option<&[f64]>) -> String {
    let players = &game.record.players;
    let seconds: f64 = game.usage.iter().map(|usage| usage.time.as_secs_f64()).sum();
    let object = GameObject {
        game: game.fixture.game + 1,
        pair: game.fixture.pair + 1,
        round: game.fixture.round + 1,
        black: &players[Color::Black],
        white: &players[Color::White],
        result: game.record.result.map(|result| match result {
            GameResult::Win(Color::Black) => "black",
            GameResult::Win(Color::White) => "white",
            GameResult::Draw => "draw",
        }),
        end: game.end.name(),
        detail: &game.detail,
        moves: game.record.moves.len(),
        seconds: (seconds * 1000.0).round() / 1000.0,
        points,
    };
    // Nothing in it can fail to be written.
    printable_json(&serde_json::to_string(&object).unwrap_or_default()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_core::notation::parse_moves;
    use tengen_core::rules::Rule;
    use tengen_core::types::Size;
    use tengen_lab::arena::testing::Sample;
    use tengen_lab::stats;

    fn won(number: u64) -> PlayedGame {
        let moves = parse_moves("h8a1h9a2h10a3h11a4h12", Size::DEFAULT).unwrap();
        Sample::new(number, 0, [0, 1], false).result(stats::PlayerResult::Win).moves(moves).game()
    }

    #[test]
    fn a_line_tells_who_won_and_how() {
        let game = won(2);
        assert_eq!(game.record.rule, Some(Rule::Freestyle));
        assert_eq!(
            game_line(&game, Some(&[2.0, 0.5]), Origin::Top),
            "Game 3: tengen (X) - carbon (O) 1-0, 9 moves, five h8 to h12 [2 - 0.5]"
        );
    }

    #[test]
    fn the_expected_length_of_a_test_is_told_in_round_numbers() {
        let text = |model, elo1| {
            let test = SprtOptions { model, elo0: 0.0, elo1, alpha: 0.05, beta: 0.05 };
            expected_length(Some(test), 200_000)
        };
        assert_eq!(
            text(EloModel::Normalized, 50.0).as_deref(),
            Some("Expected games: 260 at 0 nElo, 420 half way, 260 at 50; at most 200,000.")
        );
        assert_eq!(
            text(EloModel::Logistic, 10.0).as_deref(),
            Some(
                "Expected games: 6,400 at 0 Elo, 10,000 half way, 6,400 at 10, \
                 if half of the pairs are even; at most 200,000."
            )
        );
        assert_eq!(text(EloModel::Logistic, 0.0), None);
        assert_eq!([0.4, 9.6, 96.4, 126.0, 1_049_999.0].map(rounded), [0, 10, 96, 130, 1_000_000]);
    }

    #[test]
    fn lines_have_at_most_80_columns() {
        let mut game = won(99_999);
        let long = |letter: char| std::iter::repeat_n(letter, 60).collect::<String>();
        game.record.players[Color::Black] = long('a');
        let line = game_line(&game, Some(&[12_345.5, 54_321.5]), Origin::Top);
        assert_eq!(line.chars().count(), 79, "{line}");
        assert!(line.contains(": aa… (X) - ca… (O) 1-0"), "{line}");
        let line = game_line(&game, None, Origin::Top);
        assert_eq!(line.chars().count(), 80, "{line}");
        assert!(line.contains("a… (X) - carbon (O) 1-0"), "{line}");
        game.record.players[Color::White] = long('b');
        game.end = EndKind::Crash;
        game.detail = "it crashed: signal 11: ".to_owned() + &"assertion failed ".repeat(9);
        let text = game_line(&game, Some(&[12_345.5, 54_321.5]), Origin::Top);
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        assert!(text.lines().nth(1).unwrap().starts_with("    it crashed: signal 11:"), "{text}");
        assert!(text.contains("aa… (X) - b") && text.contains("9 moves, crash ["), "{text}");
    }
}
