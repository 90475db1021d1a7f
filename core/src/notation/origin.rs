//! The edge from which text counts rows.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::types::{Point, Size};

/// The edge of the board from which text counts rows.
///
/// Points themselves, the protocol's `x,y` and files always count from the top; this is about the
/// letters and numbers that people read and type. Printed renju, RenLib, Gomocalc and Yixin-Board
/// count from the bottom.
///
/// ```
/// use tengen_core::notation::Origin;
/// use tengen_core::types::Size;
///
/// let size = Size::square(15)?;
/// let corner = size.point(0, 0).unwrap();
/// assert_eq!(Origin::Bottom.row(corner.y(), size), 15);
/// assert_eq!(Origin::Bottom.turn(corner, size), size.point(0, 14).unwrap());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Origin {
    /// `a1` is the upper left corner.
    #[default]
    Top,
    /// `a1` is the lower left corner.
    Bottom,
}

impl Origin {
    /// All origins.
    pub const ALL: [Origin; 2] = [Origin::Top, Origin::Bottom];

    /// Returns the name: `top` or `bottom`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Origin::Top => "top",
            Origin::Bottom => "bottom",
        }
    }

    /// Returns the point whose own text, counted from the top, is the text of `point` here. It is
    /// its own inverse: it also gives the point that was meant by a text read as from the top.
    ///
    /// # Panics
    ///
    /// May panic if the point is not on a board of size `size`.
    #[must_use]
    pub fn turn(self, point: Point, size: Size) -> Point {
        let mirrored = || size.point(point.x().into(), i64::from(size.height() - 1 - point.y()));
        match self {
            Origin::Top => point,
            Origin::Bottom => mirrored().unwrap_or(point),
        }
    }

    /// Returns the number of the row `y`, which is counted from 0 at the top.
    #[must_use]
    pub const fn row(self, y: u8, size: Size) -> u8 {
        match self {
            Origin::Top => y + 1,
            Origin::Bottom => size.height() - y,
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that names no origin.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("rows are counted from the top or from the bottom")]
pub struct OriginNameError;

impl FromStr for Origin {
    type Err = OriginNameError;

    /// Reads a name as [`Origin::name`] gives it.
    fn from_str(name: &str) -> Result<Origin, OriginNameError> {
        Origin::ALL.into_iter().find(|origin| origin.name() == name).ok_or(OriginNameError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_from_the_bottom_are_mirrored_and_back() {
        let size = Size::new(20, 15).unwrap();
        for point in size.points() {
            assert_eq!(Origin::Top.turn(point, size), point);
            let turned = Origin::Bottom.turn(point, size);
            assert_eq!(Origin::Bottom.turn(turned, size), point);
            let text = format!("{}{}", char::from(b'a' + point.x()), 15 - point.y());
            assert_eq!(turned.to_string(), text);
            for origin in Origin::ALL {
                let row = origin.turn(point, size).y() + 1;
                assert_eq!(origin.row(point.y(), size), row);
            }
        }
    }

    #[test]
    fn names_lead_back_to_their_origin() {
        for origin in Origin::ALL {
            assert_eq!(origin.to_string().parse(), Ok(origin));
        }
        assert_eq!("Top".parse::<Origin>(), Err(OriginNameError));
    }
}
