//! An engine of your own: alpha-beta, deeper and deeper, on the classes of cells that a position keeps.
//!
//! `cargo run --release -p tengen-engine --example own-engine` waits for a game manager.

use std::cmp::Reverse;
use std::process::ExitCode;

use tengen_core::patterns::PointClass;
use tengen_core::position::Position;
use tengen_core::search::SearchControl;
use tengen_core::types::{Color, Point};
use tengen_engine::kit;
use tengen_engine::protocol::Introduction;

/// The worth of a cell by its class, from nothing to an open three, a four and a five.
const WORTH: [i32; 14] = [0, 0, 2, 3, 5, 6, 12, 16, 30, 20, 26, 90, 300, 3000];
const WIN: i32 = 1_000_000;
/// The moves that are searched in a position: the best at sight.
const WIDTH: usize = 14;

fn main() -> ExitCode {
    let [name, version, author] = ["evening", "0.1", "you"].map(str::to_owned);
    kit::run(Introduction { name, version, author }, choose)
}

/// Chooses a move: the last depth counts that was searched before the time was over.
fn choose(p: &mut Position, control: &SearchControl) -> Point {
    let mut best = moves(p).first().copied().unwrap_or(p.size().center());
    let (mut nodes, most) = (0, control.max_depth().unwrap_or(40));
    for depth in 1..=most.min(p.empty_cells() as u32) {
        match search(p, depth, (-WIN, WIN), control, &mut nodes) {
            Some((score, Some(point))) if score.abs() < WIN / 2 => best = point,
            Some((_, point)) => return point.unwrap_or(best),
            None => break,
        }
        if control.budget().optimum.is_some_and(|time| control.elapsed() > time / 2) {
            break;
        }
    }
    best
}

/// Returns the score of the side to move, within a window, and its best move; nothing if the time is over.
fn search(
    p: &mut Position,
    depth: u32,
    (mut alpha, beta): (i32, i32),
    control: &SearchControl,
    nodes: &mut u64,
) -> Option<(i32, Option<Point>)> {
    *nodes += 1;
    if nodes.is_multiple_of(64) && control.should_stop(*nodes) {
        return None;
    }
    if let five @ Some(_) = p.first_of(p.to_move(), PointClass::Five) {
        return Some((WIN - p.played() as i32, five));
    }
    if depth == 0 || p.empty_cells() == 0 {
        return Some((worth(p, p.to_move()) - worth(p, !p.to_move()), None));
    }
    let mut best = None;
    for point in moves(p) {
        p.play_unchecked(point);
        let reply = search(p, depth - 1, (-beta, -alpha), control, nodes);
        p.undo();
        let score = -reply?.0;
        if best.is_none() || score > alpha {
            (alpha, best) = (alpha.max(score), Some(point));
        }
        if alpha >= beta {
            break;
        }
    }
    Some((alpha, best))
}

fn worth(p: &Position, color: Color) -> i32 {
    p.board().empties().iter().map(|point| WORTH[p.class(point, color) as usize].min(100)).sum()
}

/// Returns the cells that are worth most to both sides together, best first.
fn moves(p: &mut Position) -> Vec<Point> {
    let (center, us) = (p.size().center(), p.to_move());
    let sight = |p: &Position, point: Point| {
        let [own, theirs] = [us, !us].map(|color| WORTH[p.class(point, color) as usize]);
        let far = point.x().abs_diff(center.x()).max(point.y().abs_diff(center.y()));
        (2 * own + theirs, Reverse(far))
    };
    let mut cells: Vec<Point> = p.board().empties().iter().collect();
    cells.retain(|&point| p.is_legal(point));
    cells.sort_by_key(|&point| Reverse(sight(p, point)));
    cells.truncate(WIDTH);
    cells
}
