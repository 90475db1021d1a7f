//! How a screen looks.

use std::path::PathBuf;

use clap::{Args, ColorChoice};

/// The options of the look of a screen.
#[derive(Args, Debug)]
pub struct LookArgs {
    /// Draws with letters; without a terminal that is always so.
    #[arg(long)]
    pub ascii: bool,

    /// The colours of the screen: dark, light or plain, which are the terminal's own 16 [default:
    /// dark where there are 256 colours].
    #[arg(long, value_name = "NAME", value_parser = ["dark", "light", "plain"])]
    pub theme: Option<String>,

    /// Takes colours of the screen from this file: lines such as theme = light, wood = #d7af6f,
    /// mark = red.
    #[arg(long, value_name = "FILE")]
    pub colors: Option<PathBuf>,

    /// Whether the screen has colours: auto, which is as the terminal and NO_COLOR say, always or
    /// never.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: ColorChoice,
}
