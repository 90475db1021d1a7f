//! The openings by name.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::OpeningFault;
use crate::types::Size;

/// The edge of the smallest board with all squares of the openings of renju, and with more cells
/// that are different by symmetry than anybody has to offer.
const LEAST_EDGE: u8 = 9;

/// The way in which a game is opened, so that neither side has an advantage.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OpeningRule {
    /// The first player places three stones, the other chooses the colour.
    Swap,
    /// The same, but the other can also place two more and leave the choice to the first player.
    Swap2,
    /// One of the 26 openings, a choice of colour, and two fifth stones of which white keeps one.
    Rif,
    /// One of the 26 openings and the number of fifth stones, a choice of colour, and those stones,
    /// of which white keeps one.
    Yamaguchi,
    /// One of the 26 openings, a choice of colour, the fourth stone with the number of fifth stones
    /// up to 8, a second choice of colour, and those stones, of which white keeps one.
    Soosorv8,
    /// Five stones in growing squares, with a choice of colour after each; or ten fifth stones, of
    /// which white keeps one.
    Taraguchi10,
}

impl OpeningRule {
    /// All openings.
    pub const ALL: [OpeningRule; 6] = [
        OpeningRule::Swap,
        OpeningRule::Swap2,
        OpeningRule::Rif,
        OpeningRule::Yamaguchi,
        OpeningRule::Soosorv8,
        OpeningRule::Taraguchi10,
    ];

    /// Returns the name in lower case without accents, such as `soosorv8`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            OpeningRule::Swap => "swap",
            OpeningRule::Swap2 => "swap2",
            OpeningRule::Rif => "rif",
            OpeningRule::Yamaguchi => "yamaguchi",
            OpeningRule::Soosorv8 => "soosorv8",
            OpeningRule::Taraguchi10 => "taraguchi10",
        }
    }

    /// Returns the name as it is printed, such as `Soosõrv-8`.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            OpeningRule::Swap => "swap",
            OpeningRule::Swap2 => "swap2",
            OpeningRule::Rif => "RIF",
            OpeningRule::Yamaguchi => "Yamaguchi",
            OpeningRule::Soosorv8 => "Soosõrv-8",
            OpeningRule::Taraguchi10 => "Taraguchi-10",
        }
    }

    /// Returns whether the opening was made for renju: its first stones are one of the 26 openings.
    #[must_use]
    pub const fn is_of_renju(self) -> bool {
        !matches!(self, OpeningRule::Swap | OpeningRule::Swap2)
    }

    /// Checks that the board has the squares of the opening.
    ///
    /// # Errors
    ///
    /// Returns an error if it is too small.
    pub fn check_size(self, size: Size) -> Result<(), OpeningFault> {
        match size.width().min(size.height()) {
            0..LEAST_EDGE if self.is_of_renju() => Err(OpeningFault::Board(LEAST_EDGE)),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for OpeningRule {
    /// Writes [`OpeningRule::name`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that names no opening.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the openings are swap, swap2, rif, yamaguchi, soosorv8 and taraguchi10")]
pub struct OpeningNameError;

impl FromStr for OpeningRule {
    type Err = OpeningNameError;

    /// Reads a name as [`OpeningRule::name`] gives it, in either case.
    fn from_str(name: &str) -> Result<OpeningRule, OpeningNameError> {
        let is = |rule: &OpeningRule| rule.name().eq_ignore_ascii_case(name);
        OpeningRule::ALL.into_iter().find(is).ok_or(OpeningNameError)
    }
}
