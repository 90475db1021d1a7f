//! The reference definition of shapes, by recursion.
//!
//! It does not use the lexicon. A window is the cells on either side of a point on which the colour
//! has just played. Its shape is a winning row, or else follows from the strongest shapes that one
//! more stone on each empty cell in turn produces.

use std::collections::HashMap;

use super::automaton::Symbol;
use super::shape::{Family, Shape};

/// Computes shapes by recursion, with memoization.
#[derive(Debug)]
pub struct Definition {
    family: Family,
    seen: HashMap<Vec<u8>, Shape>,
}

impl Definition {
    /// Returns the definition of a family.
    #[must_use]
    pub fn new(family: Family) -> Definition {
        Definition { family, seen: HashMap::new() }
    }

    /// Returns the shape of a window whose middle cell holds the new stone.
    ///
    /// # Panics
    ///
    /// Panics if the length is even or the middle is not an own stone.
    pub fn shape(&mut self, window: &[Symbol]) -> Shape {
        assert!(window.len() % 2 == 1 && window[window.len() / 2] == Symbol::Own);
        let key: Vec<u8> = window.iter().map(|&s| s as u8).collect();
        if let Some(&shape) = self.seen.get(&key) {
            return shape;
        }
        let shape = self.compute(window);
        self.seen.insert(key, shape);
        shape
    }

    fn compute(&mut self, window: &[Symbol]) -> Shape {
        if wins(self.family, window) {
            return Shape::Five;
        }
        if run(window).1 > 5 {
            return match self.family {
                Family::RenjuBlack => Shape::Overline,
                _ => Shape::Dead,
            };
        }
        let mut next = Vec::new();
        let mut winning_cells = Vec::new();
        let mut line = window.to_vec();
        for cell in (0..line.len()).filter(|&cell| window[cell] == Symbol::Empty) {
            line[cell] = Symbol::Own;
            let shape = self.shape(&line);
            next.push(shape);
            if shape == Shape::Five {
                winning_cells.push(cell);
            }
            line[cell] = Symbol::Empty;
        }
        let count = |wanted: &dyn Fn(Shape) -> bool| next.iter().filter(|&&s| wanted(s)).count();

        if is_straight_four(self.family, window, &winning_cells) {
            return Shape::OpenFour;
        }
        match winning_cells.len() {
            0 => {}
            1 => return Shape::Four,
            // In caro the ends decide whether one reply can stop both, so claim less.
            _ if self.family.is_caro() => return Shape::Four,
            _ => return Shape::DoubleFour,
        }
        match count(&|s| s == Shape::OpenFour) {
            0 => {}
            1 => return Shape::OpenThree,
            _ => return Shape::OpenThreeFree,
        }
        if count(&|s| matches!(s, Shape::Four | Shape::DoubleFour)) > 0 {
            return Shape::BlockedThree;
        }
        match count(&|s| s.is_open_three()) {
            0 => {}
            1 | 2 => return Shape::OpenTwo,
            3 => return Shape::OpenTwoWide,
            _ => return Shape::OpenTwoFree,
        }
        if count(&|s| s == Shape::BlockedThree) > 0 {
            Shape::BlockedTwo
        } else if count(&|s| s.is_open_two()) > 0 {
            Shape::OpenOne
        } else if count(&|s| s == Shape::BlockedTwo) > 0 {
            Shape::BlockedOne
        } else {
            Shape::Dead
        }
    }
}

/// Returns the start and the length of the run of own stones through the middle.
fn run(window: &[Symbol]) -> (usize, usize) {
    let middle = window.len() / 2;
    let before = window[..middle].iter().rev().take_while(|&&s| s == Symbol::Own).count();
    let after = window[middle..].iter().take_while(|&&s| s == Symbol::Own).count();
    (middle - before, before + after)
}

/// Returns whether the run through the middle wins.
fn wins(family: Family, window: &[Symbol]) -> bool {
    let (start, length) = run(window);
    let at = |i: Option<usize>| i.and_then(|i| window.get(i).copied());
    let enclosed = at(start.checked_sub(1)) == Some(Symbol::Opponent)
        && at(Some(start + length)) == Some(Symbol::Opponent);
    match family {
        Family::FiveOrMore => length >= 5,
        Family::ExactlyFive | Family::RenjuBlack => length == 5,
        Family::Caro => length > 5 || length == 5 && !enclosed,
        Family::CaroExact => length == 5 && !enclosed,
    }
}

/// Returns whether the run has length four, both its neighbours win, and no single reply stops
/// both.
fn is_straight_four(family: Family, window: &[Symbol], winning_cells: &[usize]) -> bool {
    let (start, length) = run(window);
    let Some(before) = start.checked_sub(1) else { return false };
    let after = start + length;
    if length != 4 || !winning_cells.contains(&before) || !winning_cells.contains(&after) {
        return false;
    }
    if !family.is_caro() {
        return true;
    }
    let mut line = window.to_vec();
    (0..window.len()).filter(|&reply| window[reply] == Symbol::Empty).all(|reply| {
        line[reply] = Symbol::Opponent;
        let still_wins = [before, after].into_iter().any(|cell| {
            cell != reply && {
                line[cell] = Symbol::Own;
                let wins = wins(family, &line);
                line[cell] = Symbol::Empty;
                wins
            }
        });
        line[reply] = Symbol::Empty;
        still_wins
    })
}
