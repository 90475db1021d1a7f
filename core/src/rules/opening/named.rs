//! The 26 openings of renju.

use std::fmt;

use crate::types::{Point, Size};

/// One of the 26 ways, up to symmetry, to put a white stone next to a black one in the centre and a
/// third stone, black, within two steps of it. It displays as `Kagetsu (D4)`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RenjuOpening {
    /// The letter of the side on which white is, direct (`D`) or indirect (`I`), and a number.
    pub code: &'static str,
    /// The Japanese name.
    pub name: &'static str,
    /// The third stone, from the centre, where white is at (0, 1) or (1, 1).
    third: (i64, i64),
}

const fn named(code: &'static str, name: &'static str, third: (i64, i64)) -> RenjuOpening {
    RenjuOpening { code, name, third }
}

/// The openings in which white is beside the centre.
const DIRECT: [RenjuOpening; 13] = [
    named("D1", "Kansei", (0, 2)),
    named("D2", "Keigetsu", (1, 2)),
    named("D3", "Sosei", (2, 2)),
    named("D4", "Kagetsu", (1, 1)),
    named("D5", "Zangetsu", (2, 1)),
    named("D6", "Ugetsu", (1, 0)),
    named("D7", "Kinsei", (2, 0)),
    named("D8", "Shogetsu", (0, -1)),
    named("D9", "Kyugetsu", (1, -1)),
    named("D10", "Shingetsu", (2, -1)),
    named("D11", "Zuisei", (0, -2)),
    named("D12", "Sangetsu", (1, -2)),
    named("D13", "Yusei", (2, -2)),
];

/// The openings in which white is on a diagonal of the centre.
const INDIRECT: [RenjuOpening; 13] = [
    named("I1", "Chosei", (2, 2)),
    named("I2", "Kyogetsu", (2, 1)),
    named("I3", "Kosei", (2, 0)),
    named("I4", "Suigetsu", (2, -1)),
    named("I5", "Ryusei", (2, -2)),
    named("I6", "Ungetsu", (1, 0)),
    named("I7", "Hogetsu", (1, -1)),
    named("I8", "Rangetsu", (1, -2)),
    named("I9", "Gingetsu", (0, -1)),
    named("I10", "Myojo", (0, -2)),
    named("I11", "Shagetsu", (-1, -1)),
    named("I12", "Meigetsu", (-1, -2)),
    named("I13", "Suisei", (-2, -2)),
];

impl RenjuOpening {
    /// Returns the opening that three stones are, in the order in which they were placed.
    #[must_use]
    pub fn of(size: Size, stones: &[Point]) -> Option<RenjuOpening> {
        let &[first, second, third] = stones else { return None };
        let center = size.center();
        let from_center = |p: Point| {
            let d = |a: u8, b: u8| i64::from(a) - i64::from(b);
            (d(p.x(), center.x()), d(p.y(), center.y()))
        };
        if first != center {
            return None;
        }
        let white = from_center(second);
        let all = match (white.0.abs(), white.1.abs()) {
            (0, 1) | (1, 0) => DIRECT,
            (1, 1) => INDIRECT,
            _ => return None,
        };
        let target = if all == DIRECT { (0, 1) } else { (1, 1) };
        // Two of the eight turns and mirror images bring white where the table has it.
        for (flips, exchanged) in (0..4).flat_map(|flips| [(flips, false), (flips, true)]) {
            let map = |(x, y): (i64, i64)| {
                let x = if flips & 1 == 0 { x } else { -x };
                let y = if flips & 2 == 0 { y } else { -y };
                if exchanged { (y, x) } else { (x, y) }
            };
            if map(white) == target
                && let Some(found) = all.into_iter().find(|o| o.third == map(from_center(third)))
            {
                return Some(found);
            }
        }
        None
    }
}

impl fmt::Display for RenjuOpening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.name, self.code)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn every_pair_of_stones_near_the_centre_is_one_of_the_26() {
        for edge in [9, 10, 15] {
            let size = Size::square(edge).unwrap();
            let center = size.center();
            let near = |reach| size.points().filter(move |&p| p.distance(center) <= reach);
            let mut counts = BTreeMap::new();
            for second in near(1).filter(|&p| p != center) {
                for third in near(2).filter(|&p| p != center && p != second) {
                    let opening = RenjuOpening::of(size, &[center, second, third]);
                    *counts.entry(opening.expect("a name").code).or_insert(0) += 1;
                }
            }
            assert_eq!(counts.len(), 26);
            // On the axis of symmetry there are half as many images.
            assert_eq!(counts.values().sum::<i32>(), 184);
            assert!(counts.values().all(|&n| n == 4 || n == 8), "{counts:?}");
        }
    }

    #[test]
    fn other_stones_have_no_name() {
        let size = Size::DEFAULT;
        let points = |cells: &[(i64, i64)]| -> Vec<Point> {
            cells.iter().map(|&(x, y)| size.point(x, y).unwrap()).collect()
        };
        let name = |cells: &[(i64, i64)]| {
            RenjuOpening::of(size, &points(cells)).map(|opening| opening.to_string())
        };
        assert_eq!(name(&[(7, 7), (7, 6), (8, 6)]).as_deref(), Some("Kagetsu (D4)"));
        assert_eq!(name(&[(7, 7), (6, 8), (8, 8)]).as_deref(), Some("Hogetsu (I7)"));
        for cells in [
            &[(7, 8), (7, 7), (8, 8)][..],
            &[(7, 7), (7, 9), (8, 8)],
            &[(7, 7), (7, 8), (10, 8)],
            &[(7, 7), (7, 8)],
        ] {
            assert_eq!(name(cells), None, "{cells:?}");
        }
    }
}
