//! Shared parts of the commands with a full screen.

pub(super) mod board;
pub(super) mod layout;
pub(super) mod panel;
pub(super) mod terminal;
#[cfg(test)]
pub(super) mod testing;
pub(super) mod text;
pub(super) mod theme;

use clap::ColorChoice;

use self::theme::{ColorDepth, Theme};
use crate::common::options::{LookArgs, ThemeSource};

/// The style of a screen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Look {
    pub(super) theme: Theme,
    /// True if only ASCII is drawn.
    pub(super) ascii: bool,
}

impl Look {
    /// Returns the look that options ask for, on the terminal that the environment describes.
    ///
    /// # Errors
    ///
    /// Returns an error if a file of colours cannot be read.
    pub(super) fn new(args: &LookArgs) -> anyhow::Result<Look> {
        let depth = match args.color {
            ColorChoice::Never => ColorDepth::None,
            ColorChoice::Auto => ColorDepth::of_terminal(|name| std::env::var(name).ok()),
            ColorChoice::Always => ColorDepth::of_terminal(|name| match name {
                "NO_COLOR" => None,
                _ => std::env::var(name).ok(),
            })
            .max(ColorDepth::Named),
        };
        let mut theme = Theme::usual(depth);
        // A file changes the colours of a named theme, in whatever order the two were typed.
        for source in &args.theme {
            if let ThemeSource::Named(name) = source {
                theme = Theme::named(*name, depth);
            }
        }
        for source in &args.theme {
            if let ThemeSource::File(path) = source {
                theme = Theme::read(path, &theme)?;
            }
        }
        Ok(Look { theme, ascii: args.ascii || !is_unicode() })
    }
}

/// Returns whether stones can be drawn as such: there are colours, and letters beyond ASCII.
pub(super) fn has_stones() -> bool {
    is_unicode() && !is_set("NO_COLOR")
}

/// Returns whether the terminal has letters beyond ASCII.
fn is_unicode() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find(|&name| is_set(name));
    let locale = locale.and_then(|name| std::env::var(name).ok()).unwrap_or_default();
    cfg!(windows) || locale.to_ascii_lowercase().replace('-', "").contains("utf8")
}

fn is_set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| !value.is_empty())
}
