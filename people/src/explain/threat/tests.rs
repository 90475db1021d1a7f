//! Threats against the plain definitions, on the boards of random games.

use super::*;
use tengen_core::board::Board;
use tengen_core::notation::parse_moves;
use tengen_core::rng::SplitMix64;
use tengen_core::rules::{Rule, Run, violation, winning_runs};
use tengen_core::types::Size;

/// The shapes that stones of a colour make on a board, found by placing them.
struct Plain {
    board: Board,
    rule: Rule,
    color: Color,
}

impl Plain {
    fn is_forbidden(&self, point: Point) -> bool {
        self.rule == Rule::Renju
            && self.color == Color::Black
            && violation(&self.board, point).is_some()
    }

    fn is_caro(&self) -> bool {
        matches!(self.rule, Rule::Caro | Rule::CaroExact)
    }

    fn wins(&self, point: Point) -> bool {
        winning_runs(&self.board, point, self.color, self.rule).next().is_some()
    }

    /// Returns the cells that make a five along a line with the stone on `point`.
    fn fives(&self, point: Point, dir: Dir) -> Vec<Point> {
        let near = (-4..=4).filter(|&i| i != 0).filter_map(|i| point.offset(dir, i));
        near.filter(|&cell| self.board.is_empty(cell))
            .filter(|&cell| {
                winning_runs(&self.board, cell, self.color, self.rule)
                    .any(|run| run.dir == dir && run.contains(point))
            })
            .collect()
    }

    /// Returns whether the stone on `point` stands in a row of four with a five at both ends.
    fn is_open_four(&mut self, point: Point, dir: Dir) -> bool {
        let run = Run::through(&self.board, point, self.color, dir);
        let fives = self.fives(point, dir);
        let ends = [-1, 4].map(|steps| run.first.offset(dir, steps));
        run.len == 4
            && ends.iter().all(|end| end.is_some_and(|end| fives.contains(&end)))
            && [0, 1].into_iter().all(|blocked| {
                // In caro a stone at one end can spoil the five at the other.
                let (Some(end), Some(other)) = (ends[blocked], ends[1 - blocked]) else {
                    return false;
                };
                self.board.place(end, !self.color);
                let is_left = self.fives(point, dir).contains(&other);
                self.board.remove(end, !self.color);
                is_left
            })
    }

    /// Returns whether a legal stone makes the line of the stone on `point` an open four.
    fn is_open_three(&mut self, point: Point, dir: Dir) -> bool {
        let near = (-3..=3).filter(|&i| i != 0).filter_map(|i| point.offset(dir, i));
        let cells: Vec<Point> = near.filter(|&cell| self.board.is_empty(cell)).collect();
        cells.into_iter().any(|cell| {
            // Black's stone that makes a five in renju makes no straight four.
            let is_black = self.rule == Rule::Renju && self.color == Color::Black;
            if self.is_forbidden(cell) || is_black && self.wins(cell) {
                return false;
            }
            self.board.place(cell, self.color);
            let run = Run::through(&self.board, point, self.color, dir);
            let is_four = run.contains(cell) && self.is_open_four(point, dir);
            self.board.remove(cell, self.color);
            is_four
        })
    }

    fn threat(&mut self, point: Point) -> Option<Threat> {
        if self.wins(point) {
            return Some(Threat::Five);
        }
        if self.is_forbidden(point) {
            return None;
        }
        self.board.place(point, self.color);
        let (mut fours, mut threes, mut open) = (0, 0, false);
        for dir in Dir::ALL {
            match self.fives(point, dir).len() {
                0 => threes += usize::from(self.is_open_three(point, dir)),
                1 => fours += 1,
                _ if self.is_open_four(point, dir) => open = true,
                _ if self.is_caro() => fours += 1,
                _ => fours += 2,
            }
        }
        self.board.remove(point, self.color);
        match (open, fours, threes) {
            (true, ..) => Some(Threat::OpenFour),
            (_, 2.., _) => Some(Threat::DoubleFour),
            (_, 1, 1..) => Some(Threat::FourThree),
            (_, 1, 0) => Some(Threat::Four),
            (_, 0, 2..) => Some(Threat::DoubleThree),
            (_, 0, 1) => Some(Threat::OpenThree),
            _ => None,
        }
    }
}

/// Returns the position after moves of both sides in turn.
fn position(rule: Rule, text: &str) -> Position {
    let size = Size::square(15).unwrap();
    let mut position = Position::new(rule, size);
    for point in parse_moves(text, size).unwrap() {
        position.play(point).unwrap();
    }
    position
}

fn at(text: &str) -> Point {
    parse_moves(text, Size::square(15).unwrap()).unwrap()[0]
}

#[test]
fn threats_are_what_the_plain_rules_make_of_a_stone() {
    let mut rng = SplitMix64::new(71);
    let mut seen = [0; Threat::ALL.len()];
    for game in 0..150 {
        let rule = Rule::ALL[game % Rule::ALL.len()];
        let mut position = Position::new(rule, Size::new(9, 8).unwrap());
        // Black more often than white, so that long rows happen.
        for _ in 0..8 + rng.below(24) {
            let cells: Vec<Point> = position.tracker().empties().iter().collect();
            position.play_unchecked(cells[rng.below(cells.len())]);
            if rng.below(4) == 0 {
                position.pass();
            }
        }
        for color in Color::ALL {
            let mut plain = Plain { board: position.board().clone(), rule, color };
            let found = threats(&mut position, color);
            for point in position.tracker().empties().iter().collect::<Vec<_>>() {
                let expected = plain.threat(point);
                let here = found.iter().find(|(cell, _)| *cell == point);
                assert_eq!(
                    here.map(|&(_, threat)| threat),
                    expected,
                    "{rule} {color} {point}{:?}",
                    position.board()
                );
                expected.into_iter().for_each(|threat| seen[threat as usize] += 1);
            }
        }
        position.validate();
    }
    assert!(seen.iter().all(|&n| n > 8), "too few of a kind: {seen:?}");
}

#[test]
fn threats_have_the_names_of_players() {
    // Black has g8 h8 and h9; white is elsewhere.
    let mut open = position(Rule::Freestyle, "g8a1h8a3h9a5");
    assert_eq!(Threat::of(&mut open, at("i8"), Color::Black), Some(Threat::OpenThree));
    assert_eq!(Threat::of(&mut open, at("o10"), Color::Black), None);
    assert_eq!(Threat::of(&mut open, at("h7"), Color::Black), Some(Threat::OpenThree));
    let mut three = position(Rule::Freestyle, "g8a1h8a3i8a5");
    assert_eq!(Threat::of(&mut three, at("j8"), Color::Black), Some(Threat::OpenFour));
    assert_eq!(Threat::of(&mut three, at("k8"), Color::Black), Some(Threat::Four));
    let names: Vec<String> = Threat::ALL.iter().map(|threat| threat.with_article()).collect();
    let expected = [
        "an open three",
        "a double three",
        "a four",
        "a four-three",
        "a double four",
        "an open four",
        "a five",
    ];
    assert_eq!(names, expected);
}

#[test]
fn threes_that_black_may_not_extend_in_renju_are_none() {
    // The row h8 i8 j8 becomes a straight four only at g8 or k8, where black would also make a
    // second row of four.
    let stones = "h8a1i8a3g9a5g10a7g11a15k9c15k10e15k11g15";
    let free = Threat::of(&mut position(Rule::Freestyle, stones), at("j8"), Color::Black);
    assert_eq!(free, Some(Threat::OpenThree));
    let mut renju = position(Rule::Renju, stones);
    assert!(renju.is_legal(at("j8")));
    assert_eq!(Threat::of(&mut renju, at("j8"), Color::Black), None);
    // Two real threes are forbidden: black makes nothing, white a double three.
    let cross = "g8a1h8a3i9a5i10a7";
    assert_eq!(Threat::of(&mut position(Rule::Renju, cross), at("i8"), Color::Black), None);
    let mut white = position(Rule::Renju, "a1g8a3h8a5i9a7i10");
    assert_eq!(Threat::of(&mut white, at("i8"), Color::White), Some(Threat::DoubleThree));
}

#[test]
fn the_means_of_a_win_are_those_of_all_its_moves() {
    let size = Size::square(15).unwrap();
    let means = |stones: &str, line: &str| {
        WinMeans::of_line(&position(Rule::Freestyle, stones), &parse_moves(line, size).unwrap())
    };
    let three = "h8a1i8a3j8a5";
    assert_eq!(means(three, "g8f8k8"), WinMeans::Fours);
    assert_eq!(means("h8a1i8a3", "j8k8g8f8e8"), WinMeans::Any, "the four was answered");
    assert_eq!(means("h8a1i8a3", "j8a5g8f8k8"), WinMeans::Threats);
    for line in ["", "g8", "g8f8", "g8f8l8", "c3c4g8f8k8", "h8"] {
        assert_eq!(means(three, line), WinMeans::Any, "{line}");
    }
    let win = |means| WinAhead { means, plies: 9 }.to_string();
    assert_eq!(win(WinMeans::Fours), "by fours in 9 (VCF)");
    assert_eq!(win(WinMeans::Threats), "by threats in 9 (VCT)");
    assert_eq!(win(WinMeans::Any), "in 9");
}
