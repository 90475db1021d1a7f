//! Threats of a stone, and kinds of wins.

use std::fmt;

use tengen_core::patterns::Shape;
use tengen_core::position::Position;
use tengen_core::types::{Color, Dir, Point};

/// Shapes by the names that players give them; ordered by strength.
///
/// A three is open if one more stone makes it an open four. Black's in renju count only if that
/// stone is not forbidden. In caro, where a stone behind a row can spoil it, less is claimed: two
/// fours on one line are one, since a single stone may stop both.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Threat {
    /// One open three.
    OpenThree,
    /// Two open threes or more.
    DoubleThree,
    /// A four that one cell makes a five.
    Four,
    /// Such a four and an open three.
    FourThree,
    /// Two fours, which no single stone stops.
    DoubleFour,
    /// Four in a row that a stone at either end makes a five.
    OpenFour,
    /// The game is won.
    Five,
}

impl Threat {
    /// All threats, the weakest first.
    pub const ALL: [Threat; 7] = [
        Threat::OpenThree,
        Threat::DoubleThree,
        Threat::Four,
        Threat::FourThree,
        Threat::DoubleFour,
        Threat::OpenFour,
        Threat::Five,
    ];

    /// Returns what a stone of `color` on an empty cell makes, whichever side is to move; `None` if it
    /// threatens nothing or is forbidden.
    #[must_use]
    pub fn of(position: &mut Position, point: Point, color: Color) -> Option<Threat> {
        let code = position.tracker().shapes(point, color);
        let shapes = Dir::ALL.map(|dir| Shape::in_code(code, dir));
        if shapes.contains(&Shape::Five) {
            return Some(Threat::Five);
        }
        if shapes.iter().all(|&shape| shape < Shape::OpenThree)
            || position.is_forbidden(point, color)
        {
            return None;
        }
        let fours = |shape: &Shape| match shape {
            Shape::Four | Shape::OpenFour => 1,
            Shape::DoubleFour => 2,
            _ => 0,
        };
        if shapes.contains(&Shape::OpenFour) {
            return Some(Threat::OpenFour);
        }
        let threes = position.open_threes(point, color);
        match (shapes.iter().map(fours).sum(), threes) {
            (0, 0) => None,
            (0, 1) => Some(Threat::OpenThree),
            (0, _) => Some(Threat::DoubleThree),
            (1, 0) => Some(Threat::Four),
            (1, _) => Some(Threat::FourThree),
            _ => Some(Threat::DoubleFour),
        }
    }

    /// Returns whether it wins unless the opponent stops it or has a four in between: all but a
    /// lone three and a plain four.
    #[must_use]
    pub const fn usually_wins(self) -> bool {
        !matches!(self, Threat::OpenThree | Threat::Four)
    }

    /// Returns whether the opponent has to answer with the next stone.
    #[must_use]
    pub fn is_four(self) -> bool {
        self >= Threat::Four
    }

    /// Returns the name: `open three`, `double three`, `four`, `four-three`, `double four`,
    /// `open four` or `five`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Threat::OpenThree => "open three",
            Threat::DoubleThree => "double three",
            Threat::Four => "four",
            Threat::FourThree => "four-three",
            Threat::DoubleFour => "double four",
            Threat::OpenFour => "open four",
            Threat::Five => "five",
        }
    }

    /// Returns the name with its article.
    pub(super) fn with_article(self) -> String {
        let article = if self.name().starts_with('o') { "an" } else { "a" };
        format!("{article} {}", self.name())
    }
}

impl fmt::Display for Threat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Returns every empty cell where a stone of `color` makes something, row by row, with what it
/// makes.
#[must_use]
pub fn threats(position: &mut Position, color: Color) -> Vec<(Point, Threat)> {
    let empties = *position.tracker().empties();
    let here = |point| Threat::of(position, point, color).map(|threat| (point, threat));
    empties.iter().filter_map(here).collect()
}

/// The way in which a proven win is won.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WinMeans {
    /// By continuous fours (VCF).
    Fours,
    /// By continuous threats (VCT).
    Threats,
    /// Not by threats alone, or unknown.
    Any,
}

impl WinMeans {
    /// Returns the means of a win whose whole line, the winner's moves first and last, is played
    /// from a position.
    ///
    /// Every move of the winner has to make a four, or at least an open three; a line that can't
    /// be played, or does not end with a five, is won by [`WinMeans::Any`].
    #[must_use]
    pub fn of_line(position: &Position, line: &[Point]) -> WinMeans {
        let mut position = position.clone();
        let winner = position.to_move();
        let mut means = WinMeans::Fours;
        let mut last = None;
        for &point in line {
            let is_free = position.size().contains(point) && position.board().is_empty(point);
            if !is_free {
                return WinMeans::Any;
            }
            if position.to_move() == winner {
                last = Threat::of(&mut position, point, winner);
                match last {
                    Some(threat) if threat.is_four() => {}
                    Some(_) => means = WinMeans::Threats,
                    None => return WinMeans::Any,
                }
            }
            position.play_unchecked(point);
        }
        if last == Some(Threat::Five) { means } else { WinMeans::Any }
    }
}

/// A proven win of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct WinAhead {
    /// The kind of win.
    pub means: WinMeans,
    /// The number of plies up to the five that is enough against any defence, an odd one.
    pub plies: u16,
}

impl fmt::Display for WinAhead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plies = self.plies;
        match self.means {
            WinMeans::Fours => write!(f, "by fours in {plies} (VCF)"),
            WinMeans::Threats => write!(f, "by threats in {plies} (VCT)"),
            WinMeans::Any => write!(f, "in {plies}"),
        }
    }
}

#[cfg(test)]
mod tests;
