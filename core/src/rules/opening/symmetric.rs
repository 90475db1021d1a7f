//! Cells that are equal by the symmetries of a few stones.

use crate::types::{Color, Point, Size};

/// The turns and mirror images of the plane: the image of `(x, y)` is `(a·x + b·y, c·x + d·y)`.
const TURNS: [[i64; 4]; 8] = [
    [1, 0, 0, 1],
    [0, -1, 1, 0],
    [-1, 0, 0, -1],
    [0, 1, -1, 0],
    [1, 0, 0, -1],
    [-1, 0, 0, 1],
    [0, 1, 1, 0],
    [0, -1, -1, 0],
];

/// Returns the cells that are equal to `point` by the symmetries of the stones, itself among them.
///
/// The stones alternate in colour, black first; at least one. A symmetry is a turn or a mirror
/// image about whatever centre or axis that puts the black stones on the black ones and the white
/// on the white; the edges of the board do not matter. Fifth stones on offer must not be equal so.
#[must_use]
pub fn symmetric_cells(size: Size, stones: &[Point], point: Point) -> Vec<Point> {
    let of = |color: Color| -> Vec<(i64, i64)> {
        let numbered = stones.iter().enumerate();
        let own = numbered.filter(|(i, _)| Color::to_move_after(*i) == color);
        own.map(|(_, &stone)| coordinates(stone)).collect()
    };
    let (black, white) = (of(Color::Black), of(Color::White));
    let count = i64::try_from(black.len()).unwrap_or(0);
    let mut cells = vec![point];
    for [a, b, c, d] in TURNS {
        let turn = |(x, y): (i64, i64)| (a * x + b * y, c * x + d * y);
        // The shift that brings the turned black stones back on themselves moves their centre back.
        let sum = |all: (i64, i64), (x, y): (i64, i64)| (all.0 + x, all.1 + y);
        let before = black.iter().copied().fold((0, 0), sum);
        let after = black.iter().copied().map(turn).fold((0, 0), sum);
        let (dx, dy) = (before.0 - after.0, before.1 - after.1);
        if count == 0 || dx % count != 0 || dy % count != 0 {
            continue;
        }
        let map = |cell: (i64, i64)| {
            let (x, y) = turn(cell);
            (x + dx / count, y + dy / count)
        };
        let keeps = |stones: &[(i64, i64)]| stones.iter().all(|&s| stones.contains(&map(s)));
        if keeps(&black) && keeps(&white) {
            let (x, y) = map(coordinates(point));
            cells.extend(size.point(x, y).filter(|cell| !cells.contains(cell)));
        }
    }
    cells
}

fn coordinates(point: Point) -> (i64, i64) {
    (point.x().into(), point.y().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(cells: &[(i64, i64)]) -> Vec<Point> {
        cells.iter().map(|&(x, y)| Size::DEFAULT.point(x, y).unwrap()).collect()
    }

    #[test]
    fn symmetries_about_any_axis_count() {
        // Black on a row, white on the axis between them: off the centre of the board.
        let stones = points(&[(3, 5), (4, 6), (5, 5), (4, 8)]);
        let cells = |x, y| symmetric_cells(Size::DEFAULT, &stones, points(&[(x, y)])[0]);
        assert_eq!(cells(2, 9), points(&[(2, 9), (6, 9)]));
        assert_eq!(cells(4, 2), points(&[(4, 2)]));
        assert_eq!(cells(14, 2), points(&[(14, 2)]), "the image is off the board");
        let skew = points(&[(7, 7), (8, 8), (9, 7), (4, 3)]);
        assert_eq!(symmetric_cells(Size::DEFAULT, &skew, skew[3]).len(), 1);
    }

    /// Tries every turn with every shift.
    #[test]
    fn no_symmetry_is_missed() {
        let size = Size::new(9, 11).unwrap();
        let mut rng = crate::rng::SplitMix64::new(5);
        let all: Vec<Point> = size.points().collect();
        for _ in 0..300 {
            // Near one another, so that symmetric sets are frequent.
            let mut near: Vec<Point> =
                all.iter().copied().filter(|p| p.distance(size.center()) <= 1).collect();
            rng.shuffle(&mut near);
            let stones = &near[..4];
            let point = all[rng.below(all.len())];
            let mut expected = Vec::new();
            let xy = |p: Point| (i64::from(p.x()), i64::from(p.y()));
            for turn in TURNS {
                for shift in 0..60 * 60 {
                    let map = |p: Point| {
                        let (x, y) = xy(p);
                        let (dx, dy) = (shift % 60 - 30, shift / 60 - 30);
                        size.point(turn[0] * x + turn[1] * y + dx, turn[2] * x + turn[3] * y + dy)
                    };
                    let lands = |from: [usize; 2], p: Point| {
                        map(p).is_some_and(|image| from.iter().any(|&i| stones[i] == image))
                    };
                    if lands([0, 2], stones[0])
                        && lands([0, 2], stones[2])
                        && lands([1, 3], stones[1])
                        && lands([1, 3], stones[3])
                    {
                        expected.extend(map(point));
                    }
                }
            }
            expected.sort_unstable();
            expected.dedup();
            let mut found = symmetric_cells(size, stones, point);
            found.sort_unstable();
            assert_eq!(found, expected);
        }
    }
}
