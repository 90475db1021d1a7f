//! The colours of the screen.

use std::path::Path;

use anyhow::{Context, bail};
use ratatui::style::{Color, Modifier, Style};

use crate::common::options::ThemeName;
use crate::common::words::printable_path;
use tengen_files::printable::printable;

/// The most bytes of a file of colours.
const MOST_BYTES: u64 = 64 << 10;

/// The role of a piece of the screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// Text.
    Text,
    /// Text that is less important.
    Faint,
    /// Headings.
    Title,
    /// Text that asks for attention.
    Alert,
    /// The lines of the board.
    Grid,
    /// The background of the board.
    Wood,
    /// Black stones.
    Black,
    /// White stones.
    White,
    /// The mark of the last move.
    Mark,
    /// The cursor.
    Cursor,
    /// The background of the stones that have won.
    Win,
    /// Forbidden cells.
    Forbidden,
    /// Blocked cells.
    Wall,
    /// Threats that black could make.
    BlackThreat,
    /// Threats that white could make.
    WhiteThreat,
    /// The background of the cells that answer a threat.
    Answer,
    /// The moves that the engine expects.
    Expected,
}

/// The number of roles.
const ROLES: usize = 17;

/// The names of the roles in files, in their order.
const NAMES: [(&str, Role); ROLES] = [
    ("text", Role::Text),
    ("faint", Role::Faint),
    ("title", Role::Title),
    ("alert", Role::Alert),
    ("grid", Role::Grid),
    ("wood", Role::Wood),
    ("black", Role::Black),
    ("white", Role::White),
    ("mark", Role::Mark),
    ("cursor", Role::Cursor),
    ("win", Role::Win),
    ("forbidden", Role::Forbidden),
    ("wall", Role::Wall),
    ("black-threat", Role::BlackThreat),
    ("white-threat", Role::WhiteThreat),
    ("answer", Role::Answer),
    ("expected", Role::Expected),
];

/// The number of colours of a terminal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum ColorDepth {
    /// None: bold, dim and reversed text only.
    None,
    /// The 16 named ones.
    Named,
    /// 256.
    Indexed,
    /// All.
    True,
}

impl ColorDepth {
    /// Returns what the environment says of the terminal; `variable` looks it up.
    pub(crate) fn of_terminal(variable: impl Fn(&str) -> Option<String>) -> ColorDepth {
        let term = variable("TERM").unwrap_or_default();
        if variable("NO_COLOR").is_some_and(|value| !value.is_empty()) || term == "dumb" {
            return ColorDepth::None;
        }
        let color_term = variable("COLORTERM").unwrap_or_default();
        if matches!(color_term.as_str(), "truecolor" | "24bit")
            || variable("WT_SESSION").is_some()
            || term.ends_with("-direct")
        {
            ColorDepth::True
        } else if term.contains("256") || cfg!(windows) {
            ColorDepth::Indexed
        } else {
            ColorDepth::Named
        }
    }
}

/// A set of colours.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Theme {
    colors: [Option<Color>; ROLES],
    depth: ColorDepth,
}

const fn rgb(rgb: u32) -> Option<Color> {
    Some(Color::Rgb((rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8))
}

/// For terminals with a dark background.
const DARK: [Option<Color>; ROLES] = [
    None,
    rgb(0x009a_9a9a),
    rgb(0x00f0_d090),
    rgb(0x00ff_af5f),
    rgb(0x0087_5f2f),
    rgb(0x00d7_af6f),
    rgb(0x0010_1010),
    rgb(0x00ff_ffff),
    rgb(0x00c0_0000),
    rgb(0x0000_5faf),
    rgb(0x005f_d75f),
    rgb(0x00c0_0000),
    rgb(0x005f_3f1f),
    rgb(0x0010_1010),
    rgb(0x00ff_ffff),
    rgb(0x00ff_8787),
    rgb(0x0000_3f9f),
];

/// For terminals with a light background.
const LIGHT: [Option<Color>; ROLES] = [
    None,
    rgb(0x005f_5f5f),
    rgb(0x0000_3f87),
    rgb(0x00af_2f00),
    rgb(0x0087_5f2f),
    rgb(0x00cf_9f5f),
    rgb(0x0000_0000),
    rgb(0x00ff_ffff),
    rgb(0x00d0_0000),
    rgb(0x0000_5fd7),
    rgb(0x0087_ef87),
    rgb(0x00d0_0000),
    rgb(0x0087_5f3f),
    rgb(0x0000_0000),
    rgb(0x00ff_ffff),
    rgb(0x00ff_8787),
    rgb(0x0000_3faf),
];

/// The terminal's own 16 colours on its own background.
const PLAIN: [Option<Color>; ROLES] = [
    None,
    Some(Color::DarkGray),
    Some(Color::Cyan),
    Some(Color::Yellow),
    Some(Color::DarkGray),
    None,
    Some(Color::Green),
    Some(Color::White),
    Some(Color::Red),
    Some(Color::Yellow),
    Some(Color::Blue),
    Some(Color::Red),
    Some(Color::DarkGray),
    Some(Color::Green),
    Some(Color::White),
    Some(Color::Magenta),
    Some(Color::Cyan),
];

impl Theme {
    /// Returns a theme of the program.
    pub(crate) const fn named(name: ThemeName, depth: ColorDepth) -> Theme {
        let colors = match name {
            ThemeName::Dark => DARK,
            ThemeName::Light => LIGHT,
            ThemeName::Plain => PLAIN,
        };
        Theme { colors, depth }
    }

    /// Returns the default theme.
    pub(crate) const fn usual(depth: ColorDepth) -> Theme {
        match depth {
            ColorDepth::None | ColorDepth::Named => Theme { colors: PLAIN, depth },
            ColorDepth::Indexed | ColorDepth::True => Theme { colors: DARK, depth },
        }
    }

    /// Reads a file of colours.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read, or the place of what is not understood.
    pub(crate) fn read(path: &Path, usual: &Theme) -> anyhow::Result<Theme> {
        let named = || format!("cannot read {}", printable_path(path));
        let metadata = std::fs::metadata(path).with_context(named)?;
        if !metadata.is_file() || metadata.len() > MOST_BYTES {
            bail!("{} is not a file of colours", printable_path(path));
        }
        let text = std::fs::read_to_string(path).with_context(named)?;
        Theme::parse(&text, usual).map_err(|(line, fault)| {
            anyhow::anyhow!("{}:{line}: {}", printable_path(path), printable(&fault))
        })
    }

    /// Reads lines such as `wood = #d7af6f`, over the theme of a line `theme = light`; returns the
    /// number of a line that is not understood, and why.
    fn parse(text: &str, usual: &Theme) -> Result<Theme, (usize, String)> {
        let mut theme = usual.clone();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            theme.set(line).map_err(|fault| (number, fault))?;
        }
        Ok(theme)
    }

    fn set(&mut self, line: &str) -> Result<(), String> {
        let (name, value) =
            line.split_once('=').ok_or("expected a name and a colour, such as wood = #d7af6f")?;
        let (name, value) = (name.trim(), value.trim());
        if name == "theme" {
            let name = ThemeName::find(value).ok_or("the themes are dark, light and plain")?;
            *self = Theme::named(name, self.depth);
            return Ok(());
        }
        let Some(&(_, role)) = NAMES.iter().find(|(known, _)| *known == name) else {
            let names: Vec<&str> = NAMES.iter().map(|(name, _)| *name).collect();
            return Err(format!("the names are theme, {}", names.join(", ")));
        };
        self.colors[role as usize] = match value {
            "none" => None,
            _ => Some(value.parse().map_err(|_| {
                "a colour is #rrggbb, a number up to 255, a name such as red, or none".to_owned()
            })?),
        };
        Ok(())
    }

    /// Returns the colour of a role, as this terminal has it.
    fn color(&self, role: Role) -> Option<Color> {
        let color = self.colors[role as usize]?;
        match (self.depth, color) {
            (ColorDepth::None, _) => None,
            (ColorDepth::Indexed, Color::Rgb(r, g, b)) => Some(Color::Indexed(index(r, g, b))),
            (ColorDepth::Named, Color::Rgb(r, g, b)) => Some(nearest_named(r, g, b)),
            (ColorDepth::Named, Color::Indexed(n)) if n > 15 => Some(Color::Reset),
            _ => Some(color),
        }
    }

    /// Returns the look of a role.
    pub(crate) fn style(&self, role: Role) -> Style {
        let style = Style::new();
        let style = match role {
            Role::Wood | Role::Win | Role::Answer => match self.color(role) {
                Some(color) => style.bg(color),
                None => style,
            },
            _ => match self.color(role) {
                Some(color) => style.fg(color),
                None => style,
            },
        };
        match role {
            Role::Title | Role::Alert | Role::Mark | Role::Cursor | Role::Forbidden => {
                style.add_modifier(Modifier::BOLD)
            }
            Role::Win if self.depth == ColorDepth::None => style.add_modifier(Modifier::REVERSED),
            Role::Answer if self.depth == ColorDepth::None => {
                style.add_modifier(Modifier::UNDERLINED)
            }
            Role::Faint if self.depth == ColorDepth::None => style.add_modifier(Modifier::DIM),
            Role::WhiteThreat if self.depth == ColorDepth::None => {
                style.add_modifier(Modifier::ITALIC)
            }
            Role::BlackThreat | Role::WhiteThreat | Role::Expected => {
                style.add_modifier(Modifier::BOLD)
            }
            _ => style,
        }
    }

    /// Returns the look of a number on a stone.
    pub(crate) fn numbered(&self, stone: Role) -> Style {
        let other = if stone == Role::Black { Role::White } else { Role::Black };
        let style = Style::new().add_modifier(Modifier::BOLD);
        match (self.color(stone), self.color(other)) {
            (Some(back), Some(text)) if self.has_wood() => style.bg(back).fg(text),
            (Some(back), _) => style.bg(back).fg(Color::Black),
            (None, _) if stone == Role::White => style.add_modifier(Modifier::REVERSED),
            (None, _) => style,
        }
    }

    /// Returns whether the board has a background of its own.
    pub(crate) fn has_wood(&self) -> bool {
        self.color(Role::Wood).is_some()
    }

    /// Returns the look of a role on the board.
    pub(crate) fn on_board(&self, role: Role) -> Style {
        self.style(Role::Wood).patch(self.style(role))
    }
}

/// Returns the nearest of the 6×6×6 colours and 24 greys among the 256.
fn index(r: u8, g: u8, b: u8) -> u8 {
    const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let nearest =
        |value: u8| (0..6).min_by_key(|&i| STEPS[usize::from(i)].abs_diff(value)).unwrap_or(0_u8);
    let (i, j, k) = (nearest(r), nearest(g), nearest(b));
    let cube = [STEPS[usize::from(i)], STEPS[usize::from(j)], STEPS[usize::from(k)]];
    let mean = (u16::from(r) + u16::from(g) + u16::from(b)) / 3;
    let grey = (mean.saturating_sub(3) / 10).min(23) as u8;
    let level = 8 + 10 * grey;
    if distance([r, g, b], [level; 3]) < distance([r, g, b], cube) {
        232 + grey
    } else {
        16 + 36 * i + 6 * j + k
    }
}

fn distance(a: [u8; 3], b: [u8; 3]) -> u32 {
    a.into_iter().zip(b).map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
}

/// Returns the nearest of the 16 named colours, as most terminals have them.
fn nearest_named(r: u8, g: u8, b: u8) -> Color {
    const NAMED: [(Color, [u8; 3]); 16] = [
        (Color::Black, [0, 0, 0]),
        (Color::Red, [170, 0, 0]),
        (Color::Green, [0, 170, 0]),
        (Color::Yellow, [170, 130, 0]),
        (Color::Blue, [0, 0, 170]),
        (Color::Magenta, [170, 0, 170]),
        (Color::Cyan, [0, 170, 170]),
        (Color::Gray, [170, 170, 170]),
        (Color::DarkGray, [85, 85, 85]),
        (Color::LightRed, [255, 85, 85]),
        (Color::LightGreen, [85, 255, 85]),
        (Color::LightYellow, [255, 255, 85]),
        (Color::LightBlue, [85, 85, 255]),
        (Color::LightMagenta, [255, 85, 255]),
        (Color::LightCyan, [85, 255, 255]),
        (Color::White, [255, 255, 255]),
    ];
    let near = NAMED.into_iter().min_by_key(|(_, known)| distance([r, g, b], *known));
    near.map_or(Color::Reset, |(color, _)| color)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_tells_the_colours() {
        let depth = |set: &[(&str, &str)]| {
            ColorDepth::of_terminal(|name| {
                set.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
            })
        };
        assert_eq!(depth(&[("TERM", "xterm-256color")]), ColorDepth::Indexed);
        let true_color = [("TERM", "xterm"), ("COLORTERM", "truecolor")];
        assert_eq!(depth(&true_color), ColorDepth::True);
        let never = [("TERM", "xterm-256color"), ("NO_COLOR", "1")];
        assert_eq!(depth(&never), ColorDepth::None);
        assert_eq!(depth(&[("TERM", "dumb")]), ColorDepth::None);
        #[cfg(not(windows))]
        assert_eq!(depth(&[("TERM", "linux"), ("NO_COLOR", "")]), ColorDepth::Named);
    }

    #[test]
    fn names_stand_in_the_order_of_the_roles() {
        for (i, (name, role)) in NAMES.into_iter().enumerate() {
            assert_eq!(role as usize, i, "{name}");
        }
    }

    #[test]
    fn a_file_changes_a_theme() {
        let usual = Theme::usual(ColorDepth::True);
        let text = "# mine\n\ntheme = light\nwood = #102030\nmark = 200\nalert=none\nwin = red\n";
        let theme = Theme::parse(text, &usual).unwrap();
        assert_eq!(theme.color(Role::Wood), Some(Color::Rgb(16, 32, 48)));
        assert_eq!(theme.color(Role::Mark), Some(Color::Indexed(200)));
        assert_eq!(theme.color(Role::Alert), None);
        assert_eq!(theme.color(Role::Win), Some(Color::Red));
        assert_eq!(theme.color(Role::Grid), LIGHT[Role::Grid as usize]);
    }

    #[test]
    fn what_is_not_understood_has_a_place() {
        for (text, line, words) in [
            ("wood", 1, "expected a name"),
            ("\nwood = nice", 2, "a colour is"),
            ("wood = 256", 1, "a colour is"),
            ("tree = red", 1, "the names are theme, text"),
            ("theme = red", 1, "the themes are"),
        ] {
            let (number, fault) = Theme::parse(text, &Theme::usual(ColorDepth::True)).unwrap_err();
            assert_eq!(number, line, "{text:?}");
            assert!(fault.starts_with(words), "{fault}");
        }
    }

    #[test]
    fn colours_become_those_that_a_terminal_has() {
        assert_eq!((index(0, 0, 0), index(255, 255, 255)), (16, 231));
        assert_eq!((index(215, 175, 95), index(128, 128, 128)), (179, 244));
        let wood = |depth| Theme { colors: DARK, depth }.color(Role::Wood);
        assert_eq!(wood(ColorDepth::None), None);
        assert!(matches!(wood(ColorDepth::Indexed), Some(Color::Indexed(_))));
        assert_eq!(wood(ColorDepth::Named), Some(Color::Gray));
    }
}
