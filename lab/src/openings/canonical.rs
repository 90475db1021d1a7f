//! The equality of openings.

use tengen_core::board::Symmetry;
use tengen_core::types::{Color, Point, Size};

/// The stones of an opening in a form that all its images under the symmetries of the board share,
/// whatever the order in which the stones were played.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Canonical {
    black: Vec<Point>,
    white: Vec<Point>,
}

/// Returns the canonical form of an opening: stones alternating in colour, black first.
///
/// A square has eight symmetries, another rectangle four.
///
/// # Panics
///
/// Panics if a stone is not on the board.
#[must_use]
pub fn canonical(size: Size, stones: &[Point]) -> Canonical {
    let image = |symmetry: Symmetry| {
        let of = |color: Color| {
            let own = stones.iter().skip(color.index()).step_by(2);
            let mut points: Vec<Point> = own.map(|&point| symmetry.map(size, point)).collect();
            points.sort_unstable();
            points
        };
        Canonical { black: of(Color::Black), white: of(Color::White) }
    };
    Symmetry::of_size(size).map(image).min().unwrap_or_else(|| image(Symmetry::Identity))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use tengen_core::notation::parse_moves;
    use tengen_core::rng::SplitMix64;

    fn form(text: &str, size: Size) -> Canonical {
        canonical(size, &parse_moves(text, size).unwrap())
    }

    #[test]
    fn all_images_of_an_opening_have_one_form() {
        let mut rng = SplitMix64::new(1);
        for (size, symmetries) in [(Size::square(15).unwrap(), 8), (Size::new(9, 12).unwrap(), 4)] {
            for _ in 0..100 {
                let mut stones: Vec<Point> = Vec::new();
                while stones.len() < 5 {
                    let point = size.points().nth(rng.below(size.area())).unwrap();
                    if !stones.contains(&point) {
                        stones.push(point);
                    }
                }
                let mut images = HashSet::new();
                for symmetry in Symmetry::ALL.into_iter().filter(|s| s.map_size(size) == size) {
                    let image: Vec<Point> = stones.iter().map(|&p| symmetry.map(size, p)).collect();
                    assert_eq!(canonical(size, &image), canonical(size, &stones));
                    images.insert(image);
                }
                // The test would be empty if the images were all the same.
                assert!(images.len() > symmetries / 2, "{stones:?}");
            }
        }
    }

    #[test]
    fn the_order_of_the_stones_of_a_colour_does_not_matter_but_the_colour_does() {
        let size = Size::square(15).unwrap();
        assert_eq!(form("h8i9j8h9", size), form("j8h9h8i9", size));
        assert_ne!(form("h8i9j8h9", size), form("i9h8h9j8", size));
        assert_ne!(form("h8i9j8", size), form("h8i9j8h9", size));
    }

    #[test]
    fn a_shifted_opening_is_another() {
        let size = Size::square(15).unwrap();
        assert_ne!(form("h8i9j8", size), form("i8j9k8", size));
    }

    #[test]
    fn a_rectangle_is_not_turned_by_a_quarter() {
        let square = Size::square(12).unwrap();
        let oblong = Size::new(12, 11).unwrap();
        assert_eq!(form("a1b3", square), form("a1c2", square));
        assert_ne!(form("a1b3", oblong), form("a1c2", oblong));
        assert_eq!(form("a1b3", oblong), form("l11k9", oblong));
    }
}
