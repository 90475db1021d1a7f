//! The keys in a room, in one table.

use ratatui::crossterm::event::KeyCode;

/// The action of a key while no dialog is open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RoomKeyAction {
    /// Moves the cursor by columns and rows.
    Move(i64, i64),
    Place,
    Chat,
    Command,
    Numbers,
    Threats,
    Hint,
    Help,
    Leave,
}

/// Keys with their action, and what the help says of them.
type RoomKeyLine = (&'static [KeyCode], RoomKeyAction, &'static str);

/// All keys besides letters, in the order of the help.
pub(super) const ROOM_KEYS: [RoomKeyLine; 12] = [
    (&[KeyCode::Left], RoomKeyAction::Move(-1, 0), "moves the cursor to the left"),
    (&[KeyCode::Down], RoomKeyAction::Move(0, 1), "moves it down"),
    (&[KeyCode::Up], RoomKeyAction::Move(0, -1), "moves it up"),
    (&[KeyCode::Right], RoomKeyAction::Move(1, 0), "moves it to the right"),
    (
        &[KeyCode::Enter, KeyCode::Char(' ')],
        RoomKeyAction::Place,
        "places a stone, as a click does",
    ),
    (&[KeyCode::Tab], RoomKeyAction::Chat, "says something to the other player"),
    (&[KeyCode::Char(':')], RoomKeyAction::Command, "begins a command, as any letter does:"),
    (&[KeyCode::Char('#')], RoomKeyAction::Numbers, "shows the numbers of the moves"),
    (&[KeyCode::Char('!')], RoomKeyAction::Threats, "shows threats, if the host allows it"),
    (&[KeyCode::Char('H')], RoomKeyAction::Hint, "hint: the best move, if the host allows it"),
    (&[KeyCode::Char('?'), KeyCode::F(1)], RoomKeyAction::Help, "this help"),
    (&[KeyCode::Esc], RoomKeyAction::Leave, "leaves the room"),
];

/// Returns what a key does.
pub(super) fn action_of(code: KeyCode) -> Option<RoomKeyAction> {
    ROOM_KEYS.iter().find(|(keys, ..)| keys.contains(&code)).map(|&(_, action, _)| action)
}

/// Returns the names of keys.
pub(super) fn names(keys: &[KeyCode]) -> String {
    let name = |&code: &KeyCode| match code {
        KeyCode::Char(' ') => "Space".to_owned(),
        other => other.to_string(),
    };
    keys.iter().map(name).collect::<Vec<_>>().join(" ")
}
