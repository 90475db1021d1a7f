//! Shared parts of the commands with a full screen.

pub(super) mod board;
pub(super) mod layout;
pub(super) mod terminal;
#[cfg(test)]
pub(super) mod testing;
pub(super) mod text;
pub(super) mod theme;

use clap::ColorChoice;

use self::theme::{ColorDepth, Theme};
use crate::common::drawing::is_unicode;
use crate::common::options::LookArgs;

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
    /// Returns an error if the file of colours cannot be read.
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
        let named = args.theme.as_deref().and_then(|name| Theme::named(name, depth));
        let theme = named.unwrap_or_else(|| Theme::usual(depth));
        let theme = match &args.colors {
            Some(path) => Theme::read(path, &theme)?,
            None => theme,
        };
        Ok(Look { theme, ascii: args.ascii || !is_unicode() })
    }
}
