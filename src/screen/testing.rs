//! Helpers for tests of screens.

use std::path::PathBuf;

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::KeyCode;

/// Returns the keys of a text: letters, or names such as `<Enter>`.
pub(crate) fn codes(keys: &str) -> Vec<KeyCode> {
    let mut codes = Vec::new();
    let mut rest = keys;
    while let Some(c) = rest.chars().next() {
        let (code, length) = match rest.strip_prefix('<').and_then(|name| name.split_once('>')) {
            Some((name, _)) => (named(name), name.len() + 2),
            None => (KeyCode::Char(c), c.len_utf8()),
        };
        rest = &rest[length..];
        codes.push(code);
    }
    codes
}

fn named(name: &str) -> KeyCode {
    match name {
        "Enter" => KeyCode::Enter,
        "Esc" => KeyCode::Esc,
        "Tab" => KeyCode::Tab,
        "Left" => KeyCode::Left,
        "Right" => KeyCode::Right,
        "Up" => KeyCode::Up,
        "PageDown" => KeyCode::PageDown,
        "Down" => KeyCode::Down,
        "Home" => KeyCode::Home,
        "End" => KeyCode::End,
        "Back" => KeyCode::Backspace,
        _ => panic!("{name} is not a key"),
    }
}

/// Returns the text on a screen.
pub(crate) fn text_of(buffer: &Buffer) -> String {
    let area = buffer.area;
    let row = |y| {
        let line: String = (area.x..area.right()).map(|x| buffer[(x, y)].symbol()).collect();
        line.trim_end().to_owned() + "\n"
    };
    (area.y..area.bottom()).map(row).collect()
}

/// Compares a screen with the file of this name in `tests/data/screens`; with
/// `TENGEN_UPDATE_SCREENS=1` in the environment the file is written instead.
pub(crate) fn looks_like(text: &str, name: &str) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/screens");
    let path = folder.join(format!("{name}.txt"));
    if std::env::var_os("TENGEN_UPDATE_SCREENS").is_some() {
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(&path, text).unwrap();
        return;
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(text, expected, "{} is\n{text}", path.display());
}
