//! Typed commands.

use std::path::PathBuf;

use crate::common::options::{parse_rule, parse_size};
use tengen_core::notation::{Origin, parse_cell};
use tengen_core::rules::{OpeningChoice, OpeningNameError, OpeningRule, Rule};
use tengen_core::types::{Cell, Color, Point, Size};
use tengen_engine::engine::Level;
use tengen_files::records::read_typed;

/// The answer to `help`: the commands, one a line.
pub(super) const HELP: &str = "\
h8: plays this cell. Several at once, such as h8 i9, play for both sides in turn.
undo, undo 3: takes back your last move and what followed, or 3 moves.
redo, redo 3: plays again what was taken back.
hint: what the engine would play, and why.
threats: what both sides threaten, and what has to be answered now.
win: shows a forced win of the side to move, if there is one, against whatever you defend.
back: leaves the win that is shown, and goes on with the game.
teach on, teach off: warns before a move that allows a forced win or throws yours away, or no longer.
yes: plays the move that you were warned of.
go: lets the engine play the next move, and go on if it waits.
step: lets the engine play the next move, and then wait.
level 3, level white 3: how strong the engine plays from now on, from 1 to 10.
stop: stops the engine, also while it thinks.
wait: waits until two engines have finished their game or are stopped.
swap: changes sides.
resign: gives the game up.
draw: offers a draw, or accepts one.
new: begins another game. rematch: the same, with sides changed.
review: says which moves were mistakes, and why. review game.html: and makes a page of it, or game.sgf.
rule renju, size 15: the rule and the size of the next game.
opening swap2, opening none: the opening of the next game.
opening: what is asked in this one.
stay, two, ten, 5: choices in an opening; swap and cells are others.
set h8 black, set h8 white, set h8 wall, set h8 empty: changes the position.
turn black, turn white: says who is to move.
board: the board. moves: the moves. clock: the clocks. forbidden: what renju forbids.
save FILE: writes the game; the end of the name tells the format: psq, rec, sgf, lib, pos, xy, pgn, json.
load FILE, load 2 FILE: goes on with the first or the second game of a file.
quit: ends. --resume goes on.
";

/// A line, understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum TypedCommand {
    Play(Vec<Point>),
    Undo(Option<usize>),
    Redo(Option<usize>),
    Hint,
    Threats,
    Win,
    Back,
    Teach(bool),
    /// The level of a side, or of both.
    Level(Option<Color>, Level),
    Yes,
    Go,
    Step,
    Stop,
    Wait,
    Swap,
    Resign,
    Draw,
    New,
    Rematch,
    /// The file for the page or the record with comments, if there is to be one.
    Review(Option<PathBuf>),
    Rule(Rule),
    Size(Size),
    Opening(Option<OpeningRule>),
    Asked,
    Choose(OpeningChoice),
    Set(Point, Cell),
    Turn(Color),
    Board,
    Moves,
    Clock,
    Forbidden,
    Save(PathBuf),
    Load(usize, PathBuf),
    Help,
    Quit,
}

impl TypedCommand {
    /// Returns whether it is about the position of the game, its players or its end, and not only
    /// about what is told or when.
    pub(super) const fn changes_game(&self) -> bool {
        !matches!(
            self,
            TypedCommand::Threats
                | TypedCommand::Review(_)
                | TypedCommand::Save(_)
                | TypedCommand::Teach(_)
                | TypedCommand::Level(..)
                | TypedCommand::Stop
                | TypedCommand::Wait
                | TypedCommand::Asked
                | TypedCommand::Board
                | TypedCommand::Moves
                | TypedCommand::Clock
                | TypedCommand::Forbidden
                | TypedCommand::Help
                | TypedCommand::Quit
        )
    }

    /// Reads a line; nothing, if it is blank. `size` and `origin` are those of the board.
    pub(super) fn parse(
        line: &str,
        size: Size,
        origin: Origin,
    ) -> Result<Option<TypedCommand>, String> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let plain = |command| match rest {
            "" => Ok(Some(command)),
            _ => Err(format!("{word} stands alone")),
        };
        match word.to_ascii_lowercase().as_str() {
            "" => Ok(None),
            "undo" => Ok(Some(TypedCommand::Undo(number(word, rest)?))),
            "redo" => Ok(Some(TypedCommand::Redo(number(word, rest)?))),
            "hint" => plain(TypedCommand::Hint),
            "threats" => plain(TypedCommand::Threats),
            "win" => plain(TypedCommand::Win),
            "back" => plain(TypedCommand::Back),
            "yes" => plain(TypedCommand::Yes),
            "teach" => match rest.to_ascii_lowercase().as_str() {
                "on" => Ok(Some(TypedCommand::Teach(true))),
                "off" => Ok(Some(TypedCommand::Teach(false))),
                _ => Err("teach is followed by on or off".to_owned()),
            },
            "go" => plain(TypedCommand::Go),
            "step" => plain(TypedCommand::Step),
            "stop" => plain(TypedCommand::Stop),
            "wait" => plain(TypedCommand::Wait),
            "swap" => plain(TypedCommand::Swap),
            "resign" => plain(TypedCommand::Resign),
            "draw" => plain(TypedCommand::Draw),
            "new" => plain(TypedCommand::New),
            "rematch" => plain(TypedCommand::Rematch),
            "review" => Ok(Some(TypedCommand::Review((!rest.is_empty()).then(|| rest.into())))),
            "board" => plain(TypedCommand::Board),
            "moves" => plain(TypedCommand::Moves),
            "clock" => plain(TypedCommand::Clock),
            "forbidden" => plain(TypedCommand::Forbidden),
            "help" => plain(TypedCommand::Help),
            "quit" => plain(TypedCommand::Quit),
            "rule" => parse_rule(rest).map(|rule| Some(TypedCommand::Rule(rule))),
            "opening" => opening(rest).map(Some),
            "stay" => plain(TypedCommand::Choose(OpeningChoice::Stay)),
            "two" => plain(TypedCommand::Choose(OpeningChoice::TwoMore)),
            "ten" => plain(TypedCommand::Choose(OpeningChoice::TenFifths)),
            number if number.bytes().all(|b| b.is_ascii_digit()) => {
                let choice = number.parse().map(OpeningChoice::Number);
                let choice = choice.map_err(|_| "the number is too large".to_owned())?;
                plain(TypedCommand::Choose(choice))
            }
            "size" => parse_size(rest).map(|size| Some(TypedCommand::Size(size))),
            "turn" => color(rest)
                .map(|color| Some(TypedCommand::Turn(color)))
                .ok_or_else(|| "turn is followed by black or white".to_owned()),
            "set" => set(rest, size, origin).map(Some),
            "level" => level(rest).map(Some),
            "save" if rest.is_empty() => Err("save is followed by the name of a file".to_owned()),
            "save" => Ok(Some(TypedCommand::Save(PathBuf::from(rest)))),
            "load" => load(rest).map(Some),
            _ => play(line, word, size, origin).map(Some),
        }
    }
}

/// Reads the moves of a line.
fn play(line: &str, word: &str, size: Size, origin: Origin) -> Result<TypedCommand, String> {
    match read_typed(line, Some(size), origin) {
        Ok((_, points)) => Ok(TypedCommand::Play(points)),
        // A word at the beginning that is not like a cell is a command which is not there.
        Err(_) if word.chars().take_while(|c| c.is_alphabetic()).count() > 1 => {
            Err(format!("there is no command {:?}: help lists them", brief(word)))
        }
        Err(error) => {
            let column = error.place.column().unwrap_or_default();
            Err(format!("expected {} at column {column}", error.expected))
        }
    }
}

/// Reads what follows the word `opening`.
fn opening(rest: &str) -> Result<TypedCommand, String> {
    match rest.to_ascii_lowercase().as_str() {
        "" => Ok(TypedCommand::Asked),
        "none" => Ok(TypedCommand::Opening(None)),
        name => match name.parse() {
            Ok(rule) => Ok(TypedCommand::Opening(Some(rule))),
            Err(OpeningNameError) => Err(format!("{OpeningNameError}; or none")),
        },
    }
}

/// The most characters of a word that are repeated in an answer.
const MOST_OF_WORD: usize = 20;

/// Returns the beginning of a word.
fn brief(word: &str) -> String {
    let mut chars = word.chars();
    let mut text: String = chars.by_ref().take(MOST_OF_WORD).collect();
    if chars.next().is_some() {
        text.push('…');
    }
    text
}

fn number(word: &str, rest: &str) -> Result<Option<usize>, String> {
    if rest.is_empty() {
        return Ok(None);
    }
    let digits = rest.bytes().all(|b| b.is_ascii_digit());
    let number = rest.parse().ok().filter(|&number| digits && number > 0);
    number.map(Some).ok_or_else(|| format!("{word} is followed by a number of moves"))
}

fn color(text: &str) -> Option<Color> {
    Color::ALL.into_iter().find(|color| color.to_string().eq_ignore_ascii_case(text))
}

fn level(rest: &str) -> Result<TypedCommand, String> {
    let (first, last) = rest.rsplit_once(char::is_whitespace).unwrap_or(("", rest));
    let side = match first.trim() {
        "" => Some(None),
        word => color(word).map(Some),
    };
    match (side, last.parse()) {
        (Some(side), Ok(level)) => Ok(TypedCommand::Level(side, level)),
        _ => Err("level is followed by black, white or nothing, and a number from 1 to 10".into()),
    }
}

fn set(rest: &str, size: Size, origin: Origin) -> Result<TypedCommand, String> {
    let wrong = || "set is followed by a cell and black, white, wall or empty".to_owned();
    let (cell, content) = rest.split_once(char::is_whitespace).ok_or_else(wrong)?;
    let point = parse_cell(cell, size).map_err(|error| format!("{:?} is {error}", brief(cell)))?;
    let content = content.trim();
    let content = match (color(content), content.to_ascii_lowercase().as_str()) {
        (Some(color), _) => Cell::Stone(color),
        (_, "wall") => Cell::Wall,
        (_, "empty") => Cell::Empty,
        _ => return Err(wrong()),
    };
    Ok(TypedCommand::Set(origin.turn(point, size), content))
}

fn load(rest: &str) -> Result<TypedCommand, String> {
    let (first, path) = rest.split_once(char::is_whitespace).unwrap_or(("", rest));
    let is_number = !first.is_empty() && first.bytes().all(|b| b.is_ascii_digit());
    let (number, path) = match first.parse() {
        Ok(number) if is_number => (number, path.trim()),
        _ => (1, rest),
    };
    if path.is_empty() {
        return Err("load is followed by the name of a file".to_owned());
    }
    Ok(TypedCommand::Load(number, PathBuf::from(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Option<TypedCommand>, String> {
        TypedCommand::parse(line, Size::DEFAULT, Origin::Top)
    }

    #[test]
    fn each_command_of_the_help_is_understood() {
        let words = HELP.lines().flat_map(|line| line.split(". ").map(str::to_owned));
        let names = words.flat_map(|part| {
            let (commands, _) = part.split_once(':').unwrap_or_default();
            commands.split(", ").map(str::to_owned).collect::<Vec<_>>()
        });
        let mut count = 0;
        for name in names.filter(|name| !name.is_empty()) {
            assert!(matches!(parse(&name), Ok(Some(_))), "{name:?}: {:?}", parse(&name));
            count += 1;
        }
        assert!(count > 34, "{count}");
    }

    #[test]
    fn cells_are_moves_and_rows_count_from_either_edge() {
        let at = |x, y| Size::DEFAULT.point(x, y).unwrap();
        assert_eq!(parse(" H8 "), Ok(Some(TypedCommand::Play(vec![at(7, 7)]))));
        assert_eq!(parse("1.h8 2.a1"), Ok(Some(TypedCommand::Play(vec![at(7, 7), at(0, 0)]))));
        let bottom = |line| TypedCommand::parse(line, Size::DEFAULT, Origin::Bottom);
        assert_eq!(bottom("a1"), Ok(Some(TypedCommand::Play(vec![at(0, 14)]))));
        let set = TypedCommand::Set(at(0, 14), Cell::Wall);
        assert_eq!(bottom("SET a1 Wall"), Ok(Some(set)));
        assert_eq!(parse(""), Ok(None));
    }

    #[test]
    fn files_may_have_blanks_and_numbers_in_their_names() {
        let load = |number, path: &str| Ok(Some(TypedCommand::Load(number, PathBuf::from(path))));
        assert_eq!(parse("load a b.sgf"), load(1, "a b.sgf"));
        assert_eq!(parse("load 12 a b.sgf"), load(12, "a b.sgf"));
        assert_eq!(parse("load 12"), load(1, "12"));
        let save = TypedCommand::Save(PathBuf::from("a  b.sgf"));
        assert_eq!(parse("save  a  b.sgf "), Ok(Some(save)));
    }

    #[test]
    fn bad_lines_are_answered_in_a_few_words() {
        for (line, words) in [
            ("foo", "there is no command \"foo\": help lists them"),
            ("h8 foo", "expected a cell such as h8 at column 4"),
            ("z1", "expected a cell of a 15x15 board at column 1"),
            ("h8 h8", "expected an empty cell at column 4"),
            ("7,7", "expected a cell such as h8 at column 1"),
            ("undo x", "undo is followed by a number of moves"),
            ("undo 0", "undo is followed by a number of moves"),
            ("undo -1", "undo is followed by a number of moves"),
            ("redo 99999999999999999999999", "redo is followed by a number of moves"),
            ("hint 3", "hint stands alone"),
            ("go on", "go stands alone"),
            ("set", "set is followed by a cell and black, white, wall or empty"),
            ("set h8", "set is followed by a cell and black, white, wall or empty"),
            ("set h8 red", "set is followed by a cell and black, white, wall or empty"),
            ("set q1 wall", "\"q1\" is not on the board"),
            ("set é wall", "\"é\" is not a cell"),
            ("teach", "teach is followed by on or off"),
            ("level", "level is followed by black, white or nothing, and a number from 1 to 10"),
            ("level 11", "level is followed by black, white or nothing, and a number from 1 to 10"),
            (
                "level red 3",
                "level is followed by black, white or nothing, and a number from 1 to 10",
            ),
            ("turn", "turn is followed by black or white"),
            ("save", "save is followed by the name of a file"),
            ("load ", "load is followed by the name of a file"),
            ("size 4", "board edges from 5 to 22 are supported, such as 15 or 20"),
            (
                "opening chess",
                "the openings are swap, swap2, rif, yamaguchi, soosorv8 and taraguchi10; or none",
            ),
            ("stay h8", "stay stands alone"),
            ("99999999999999999999999", "the number is too large"),
            ("\u{1b}[2J", "expected a cell such as h8 at column 1"),
        ] {
            assert_eq!(parse(line), Err(words.to_owned()), "{line:?}");
        }
        let rule = parse("rule chess").unwrap_err();
        assert!(rule.starts_with("the rules are freestyle, "), "{rule}");
        let long = parse(&"x".repeat(5000)).unwrap_err();
        assert!(long.chars().count() < 80, "{long}");
    }
}
