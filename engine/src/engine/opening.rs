//! Opening moves that need no search but should vary.

use tengen_core::position::Position;
use tengen_core::rng::SplitMix64;
use tengen_core::types::{Color, Point, Size};

/// The smallest distance from the edge at which a random neighbour of the first stone is sound.
const ROOM: u8 = 4;

/// The lots where nothing is left to chance.
const FIXED: SplitMix64 = SplitMix64::new(0);

/// Returns the move in openings so short that a search adds nothing: the centre of an empty board,
/// or, where there is something to draw lots with, a neighbour of a single stone well inside the
/// board.
pub(super) fn book_move(position: &Position, lots: Option<&mut SplitMix64>) -> Option<Point> {
    let size = position.size();
    let stones = position.board().stones(Color::Black) + position.board().stones(Color::White);
    if position.empty_cells() + stones < size.area() {
        return None;
    }
    match (stones, lots) {
        (0, _) => Some(size.center()),
        (1, Some(lots)) => {
            let stone = size.points().find(|&p| !position.board().is_empty(p))?;
            if size.edge_distance(stone) < ROOM {
                return None;
            }
            let around: Vec<Point> = size.points().filter(|p| p.distance(stone) == 1).collect();
            Some(around[lots.below(around.len())])
        }
        _ => None,
    }
}

/// Returns `count` different sets of three stones for the first stage of swap2.
///
/// The stones are within a box of five by five anywhere on the board, often off the centre: three
/// stones near an edge are worth less, which makes nearly even positions.
pub(super) fn three_stones(size: Size, count: usize, lots: Option<SplitMix64>) -> Vec<Vec<Point>> {
    let mut rng = lots.unwrap_or(FIXED);
    let mut all: Vec<Vec<Point>> = Vec::new();
    // Enough attempts to find all of them even on the smallest board.
    for _ in 0..50 * count {
        if all.len() == count {
            break;
        }
        let stones = three_in_box(size, &mut rng);
        if !all.contains(&stones) {
            all.push(stones);
        }
    }
    all
}

/// Returns up to `count` different sets of three stones that Soosõrv's opening allows: the first in
/// the centre, the second next to it, the third within two steps of it.
pub(super) fn soosorv_stones(
    size: Size,
    count: usize,
    lots: Option<SplitMix64>,
) -> Vec<Vec<Point>> {
    let mut rng = lots.unwrap_or(FIXED);
    let center = size.center();
    let within = |steps| -> Vec<Point> {
        size.points().filter(|p| *p != center && p.distance(center) <= steps).collect()
    };
    // By symmetry, one neighbour on a line and one on a diagonal are enough.
    let seconds: Vec<Point> =
        within(1).into_iter().filter(|p| p.y() < center.y() && p.x() >= center.x()).collect();
    let mut all: Vec<Vec<Point>> = Vec::new();
    for &second in &seconds {
        let thirds = within(2).into_iter().filter(|third| *third != second);
        all.extend(thirds.map(|third| vec![center, second, third]));
    }
    rng.shuffle(&mut all);
    all.truncate(count);
    all
}

fn three_in_box(size: Size, rng: &mut SplitMix64) -> Vec<Point> {
    const BOX: u8 = 5;
    let mut up_to = |most: u8| i64::try_from(rng.below(usize::from(most) + 1)).unwrap_or(0);
    let left = up_to(size.width() - BOX);
    let top = up_to(size.height() - BOX);
    let mut stones = Vec::new();
    while stones.len() < 3 {
        if let Some(point) = size.point(left + up_to(BOX - 1), top + up_to(BOX - 1))
            && !stones.contains(&point)
        {
            stones.push(point);
        }
    }
    stones
}
