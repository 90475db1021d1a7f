//! The eight symmetries of the square.

use crate::types::{Point, Size};

/// One of the eight board symmetries; the last four exchange width and height or not as the
/// first four do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Symmetry {
    /// Leaves every point where it is.
    Identity,
    /// Turns by a quarter: `(x, y)` goes to `(y, w - x)`.
    Rotate90,
    /// Turns by a half.
    Rotate180,
    /// Turns by three quarters: `(x, y)` goes to `(h - y, x)`.
    Rotate270,
    /// Mirrors top and bottom.
    FlipRows,
    /// Mirrors left and right.
    FlipColumns,
    /// Exchanges the coordinates.
    Transpose,
    /// Exchanges the coordinates and turns by a half.
    Antitranspose,
}

impl Symmetry {
    /// All eight symmetries, the identity first.
    pub const ALL: [Symmetry; 8] = [
        Symmetry::Identity,
        Symmetry::Rotate90,
        Symmetry::Rotate180,
        Symmetry::Rotate270,
        Symmetry::FlipRows,
        Symmetry::FlipColumns,
        Symmetry::Transpose,
        Symmetry::Antitranspose,
    ];

    /// Returns whether width and height change places.
    #[must_use]
    pub const fn swaps_edges(self) -> bool {
        matches!(
            self,
            Symmetry::Rotate90
                | Symmetry::Rotate270
                | Symmetry::Transpose
                | Symmetry::Antitranspose
        )
    }

    /// Returns the symmetries that keep a board of size `size` as it is, the identity first: eight of
    /// a square, four of another rectangle.
    pub fn of_size(size: Size) -> impl Iterator<Item = Symmetry> {
        Symmetry::ALL.into_iter().filter(move |symmetry| symmetry.map_size(size) == size)
    }

    /// Returns the symmetry that leads back.
    #[must_use]
    pub const fn inverse(self) -> Symmetry {
        match self {
            Symmetry::Rotate90 => Symmetry::Rotate270,
            Symmetry::Rotate270 => Symmetry::Rotate90,
            own_inverse => own_inverse,
        }
    }

    /// Returns the size of the image of a board of size `size`.
    #[must_use]
    pub fn map_size(self, size: Size) -> Size {
        if self.swaps_edges() {
            Size::new(size.height().into(), size.width().into()).unwrap_or(size)
        } else {
            size
        }
    }

    /// Returns the image of a point of a board of size `size`.
    ///
    /// # Panics
    ///
    /// Panics if the point is not on the board.
    #[must_use]
    pub fn map(self, size: Size, point: Point) -> Point {
        assert!(size.contains(point));
        let (x, y) = (i64::from(point.x()), i64::from(point.y()));
        let (w, h) = (i64::from(size.width()) - 1, i64::from(size.height()) - 1);
        let (x, y) = match self {
            Symmetry::Identity => (x, y),
            Symmetry::Rotate90 => (y, w - x),
            Symmetry::Rotate180 => (w - x, h - y),
            Symmetry::Rotate270 => (h - y, x),
            Symmetry::FlipRows => (x, h - y),
            Symmetry::FlipColumns => (w - x, y),
            Symmetry::Transpose => (y, x),
            Symmetry::Antitranspose => (h - y, w - x),
        };
        self.map_size(size).point(x, y).expect("a symmetry keeps points on the board")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_symmetry_is_a_bijection_with_an_inverse() {
        let size = Size::new(7, 12).unwrap();
        for symmetry in Symmetry::ALL {
            for point in size.points() {
                let image = symmetry.map(size, point);
                assert_eq!(symmetry.inverse().map(symmetry.map_size(size), image), point);
            }
            let mut images: Vec<Point> = size.points().map(|p| symmetry.map(size, p)).collect();
            images.sort_unstable();
            images.dedup();
            assert_eq!(images.len(), size.area());
        }
    }
}
