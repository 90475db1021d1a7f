//! The keys and what they do, in one table.

use ratatui::crossterm::event::KeyCode;

/// The action of a key while no dialog is open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum KeyAction {
    Left,
    Down,
    Up,
    Right,
    Place,
    Undo,
    Redo,
    New,
    Rematch,
    Swap,
    Resign,
    Draw,
    Hint,
    Win,
    Back,
    Go,
    Pause,
    Step,
    Threats,
    Teach,
    Numbers,
    Evaluation,
    Edit,
    Command,
    Save,
    Load,
    Help,
    Quit,
}

/// Keys with their action and what the help says of them.
pub(super) struct KeyLine {
    pub(super) keys: &'static [KeyCode],
    pub(super) action: KeyAction,
    pub(super) help: &'static str,
}

const fn line(keys: &'static [KeyCode], action: KeyAction, help: &'static str) -> KeyLine {
    KeyLine { keys, action, help }
}

/// All keys, in the order of the help.
pub(super) const KEYS: [KeyLine; 28] = [
    line(&[KeyCode::Left, KeyCode::Char('h')], KeyAction::Left, "moves the cursor to the left"),
    line(&[KeyCode::Down, KeyCode::Char('j')], KeyAction::Down, "moves it down"),
    line(&[KeyCode::Up, KeyCode::Char('k')], KeyAction::Up, "moves it up"),
    line(&[KeyCode::Right, KeyCode::Char('l')], KeyAction::Right, "moves it to the right"),
    line(
        &[KeyCode::Enter, KeyCode::Char(' ')],
        KeyAction::Place,
        "places a stone, as a click does",
    ),
    line(&[KeyCode::Char('u')], KeyAction::Undo, "takes back your last move; 3u takes back three"),
    line(&[KeyCode::Char('r')], KeyAction::Redo, "plays again what was taken back"),
    line(&[KeyCode::Char('H')], KeyAction::Hint, "hint: the best move, and why"),
    line(&[KeyCode::Char('t')], KeyAction::Threats, "shows threats and what has to be answered"),
    line(&[KeyCode::Char('v')], KeyAction::Evaluation, "shows chances and the expected moves"),
    line(&[KeyCode::Char('m')], KeyAction::Numbers, "shows the numbers of the moves"),
    line(&[KeyCode::Char('w')], KeyAction::Win, "shows a forced win, if there is one"),
    line(&[KeyCode::Esc], KeyAction::Back, "leaves what is shown, or stops the engine"),
    line(&[KeyCode::Char('T')], KeyAction::Teach, "warns before moves that give a win away"),
    line(&[KeyCode::Char('g')], KeyAction::Go, "lets the engine play the next move"),
    line(&[KeyCode::Char('p')], KeyAction::Pause, "pauses the engine, or lets it go on"),
    line(&[KeyCode::Char('.')], KeyAction::Step, "lets the engine play one move and wait"),
    line(&[KeyCode::Char('n')], KeyAction::New, "begins another game"),
    line(&[KeyCode::Char('N')], KeyAction::Rematch, "begins it again, with sides changed"),
    line(&[KeyCode::Char('s')], KeyAction::Swap, "changes sides"),
    line(&[KeyCode::Char('d')], KeyAction::Draw, "offers a draw, or accepts one"),
    line(&[KeyCode::Char('R')], KeyAction::Resign, "resigns, or reviews a game that is over"),
    line(&[KeyCode::Char('e')], KeyAction::Edit, "sets up a position"),
    line(&[KeyCode::Char('S')], KeyAction::Save, "saves the game in a file"),
    line(&[KeyCode::Char('L')], KeyAction::Load, "goes on with the game of a file"),
    line(
        &[KeyCode::Char(':'), KeyCode::Char('/')],
        KeyAction::Command,
        "takes a typed command: see below",
    ),
    line(&[KeyCode::Char('?'), KeyCode::F(1)], KeyAction::Help, "this help"),
    line(&[KeyCode::Char('q')], KeyAction::Quit, "quits; --resume goes on"),
];

/// The actions of keys in the position editor, besides moving the cursor.
pub(super) const EDIT_HELP: [(&str, &str); 6] = [
    ("b w", "a black or a white stone"),
    ("x", "a blocked cell"),
    ("Backspace", "empties the cell"),
    ("Enter", "the same as before, as a click does"),
    ("Tab", "gives the move to the other side"),
    ("Esc", "ends it"),
];

/// Returns what a key does.
pub(super) fn action_of(code: KeyCode) -> Option<KeyAction> {
    KEYS.iter().find(|line| line.keys.contains(&code)).map(|line| line.action)
}

impl KeyLine {
    /// Returns the names of the keys.
    pub(super) fn names(&self) -> String {
        self.keys.iter().map(|&code| name(code)).collect::<Vec<_>>().join(" ")
    }
}

fn name(code: KeyCode) -> String {
    match code {
        KeyCode::Char(' ') => "Space".to_owned(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_does_one_thing_and_digits_are_counts() {
        let all: Vec<KeyCode> = KEYS.iter().flat_map(|line| line.keys.iter().copied()).collect();
        for (i, code) in all.iter().enumerate() {
            assert!(!all[..i].contains(code), "{code:?}");
            assert!(!matches!(code, KeyCode::Char(c) if c.is_ascii_digit()));
        }
    }
}
