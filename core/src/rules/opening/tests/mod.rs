//! Openings against the tables of their rules, read from the top to the bottom.

mod swap2;

use super::*;
use crate::rng::SplitMix64;
use crate::types::{Color, Point, Size};

/// The state of an opening: somebody is asked something, or it is finished with this player on
/// black.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Stand {
    Asked(Seat, OpeningQuestion),
    Finished { black: Seat, stones: Vec<Point> },
}

/// The tables: each rule is a script that asks one question after the other, from the beginning,
/// and stops at the first one that nobody has answered.
struct Script<'a> {
    answers: std::slice::Iter<'a, OpeningChoice>,
    black: Seat,
    stones: Vec<Point>,
}

type Scripted<T> = Result<T, (Seat, OpeningQuestion)>;

impl Script<'_> {
    fn ask(&mut self, seat: Seat, question: OpeningQuestion) -> Scripted<OpeningChoice> {
        self.answers.next().copied().ok_or((seat, question))
    }

    fn cell(&mut self, seat: Seat, question: OpeningQuestion) -> Scripted<Point> {
        match self.ask(seat, question)? {
            OpeningChoice::Cell(point) => Ok(point),
            other => panic!("{other} was taken for a cell"),
        }
    }

    fn stone(&mut self, seat: Seat, reach: Option<u8>) -> Scripted<()> {
        let number = self.stones.len() + 1;
        let point = self.cell(seat, OpeningQuestion::Stone { number, reach })?;
        self.stones.push(point);
        Ok(())
    }

    /// Asks for the colours; returns the answer if it is neither of the usual ones.
    fn colors(&mut self, seat: Seat, other: Option<OpeningChoice>) -> Scripted<OpeningChoice> {
        let answer = self.ask(seat, OpeningQuestion::Colors { other })?;
        if answer == OpeningChoice::Swap {
            self.black = self.black.other();
        }
        Ok(answer)
    }

    fn number(&mut self, seat: Seat, most: usize) -> Scripted<usize> {
        match self.ask(seat, OpeningQuestion::Number { most })? {
            OpeningChoice::Number(number) => Ok(number),
            other => panic!("{other} was taken for a number"),
        }
    }

    fn fifths(&mut self, of: usize) -> Scripted<()> {
        for number in 1..=of {
            self.cell(self.black, OpeningQuestion::Fifth { number, of })?;
        }
        let kept = self.cell(self.black.other(), OpeningQuestion::Keep)?;
        self.stones.push(kept);
        Ok(())
    }

    fn designated(&mut self) -> Scripted<()> {
        (0..3).try_for_each(|reach| self.stone(Seat::A, Some(reach)))
    }

    fn whole(&mut self, rule: OpeningRule) -> Scripted<()> {
        match rule {
            OpeningRule::Swap => {
                (0..3).try_for_each(|_| self.stone(Seat::A, None))?;
                self.colors(Seat::B, None)?;
            }
            OpeningRule::Swap2 => {
                (0..3).try_for_each(|_| self.stone(Seat::A, None))?;
                if self.colors(Seat::B, Some(OpeningChoice::TwoMore))? == OpeningChoice::TwoMore {
                    (0..2).try_for_each(|_| self.stone(Seat::B, None))?;
                    self.black = Seat::B;
                    self.colors(Seat::A, None)?;
                }
            }
            OpeningRule::Rif => {
                self.designated()?;
                self.colors(Seat::B, None)?;
                self.stone(self.black.other(), None)?;
                self.fifths(2)?;
            }
            OpeningRule::Yamaguchi => {
                self.designated()?;
                let number = self.number(Seat::A, 12)?;
                self.colors(Seat::B, None)?;
                self.stone(self.black.other(), None)?;
                self.fifths(number)?;
            }
            OpeningRule::Soosorv8 => {
                self.designated()?;
                self.colors(Seat::B, None)?;
                self.stone(self.black.other(), None)?;
                let number = self.number(self.black.other(), 8)?;
                self.colors(self.black, None)?;
                self.fifths(number)?;
            }
            OpeningRule::Taraguchi10 => {
                for reach in 0..3 {
                    let mover = if reach == 1 { self.black.other() } else { self.black };
                    self.stone(mover, Some(reach))?;
                    let next = if reach == 1 { self.black } else { self.black.other() };
                    self.colors(next, None)?;
                }
                self.stone(self.black.other(), Some(3))?;
                match self.colors(self.black, Some(OpeningChoice::TenFifths))? {
                    OpeningChoice::TenFifths => self.fifths(10)?,
                    _ => {
                        self.stone(self.black, Some(4))?;
                        self.colors(self.black.other(), None)?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// Returns what the tables say after these choices.
fn expected(rule: OpeningRule, choices: &[OpeningChoice]) -> Stand {
    let mut script = Script { answers: choices.iter(), black: Seat::A, stones: Vec::new() };
    let asked = script.whole(rule);
    match asked {
        Err((seat, question)) => Stand::Asked(seat, question),
        Ok(()) => {
            assert_eq!(script.answers.next(), None, "the opening was over before");
            Stand::Finished { black: script.black, stones: script.stones }
        }
    }
}

fn stand(opening: &Opening) -> Stand {
    match opening.asked() {
        Some((seat, question)) => Stand::Asked(seat, question),
        None => {
            Stand::Finished { black: opening.seat(Color::Black), stones: opening.stones().to_vec() }
        }
    }
}

/// Returns every choice that the question allows, by trying.
fn allowed(opening: &Opening, question: OpeningQuestion) -> Vec<OpeningChoice> {
    let size = opening.size();
    let free = |p: &Point| !opening.stones().contains(p);
    let cells: Vec<Point> = match question {
        OpeningQuestion::Stone { reach: Some(reach), .. } => {
            let (c, near) = (size.center(), i32::from(reach));
            let within = |a: u8, b: u8| (i32::from(a) - i32::from(b)).abs() <= near;
            size.points()
                .filter(free)
                .filter(|p| within(p.x(), c.x()) && within(p.y(), c.y()))
                .collect()
        }
        OpeningQuestion::Stone { reach: None, .. } => size.points().filter(free).collect(),
        OpeningQuestion::Fifth { .. } => {
            let equal = |p: Point| symmetric_cells(size, opening.stones(), p);
            let fresh = |p: &Point| !equal(*p).iter().any(|e| opening.fifths().contains(e));
            size.points().filter(free).filter(fresh).collect()
        }
        OpeningQuestion::Keep => {
            let mut all = opening.fifths().to_vec();
            all.sort_unstable();
            all
        }
        OpeningQuestion::Number { most } => return (1..=most).map(OpeningChoice::Number).collect(),
        OpeningQuestion::Colors { other } => {
            return [OpeningChoice::Swap, OpeningChoice::Stay].into_iter().chain(other).collect();
        }
    };
    cells.into_iter().map(OpeningChoice::Cell).collect()
}

#[test]
fn random_openings_follow_the_tables() {
    let mut rng = SplitMix64::new(21);
    for rule in OpeningRule::ALL {
        for game in 0..60 {
            let (width, height) = [(15, 15), (9, 9), (10, 12), (22, 9)][game % 4];
            let size = Size::new(width, height).unwrap();
            let mut opening = Opening::new(rule, size).unwrap();
            let mut choices = Vec::new();
            loop {
                assert_eq!(stand(&opening), expected(rule, &choices), "{rule}: {choices:?}");
                let Some((_, question)) = opening.asked() else { break };
                let all = opening.allowed();
                assert_eq!(all, allowed(&opening, question), "{rule}: {choices:?}");
                // Near the centre, so that symmetric stones are not rare.
                let near = |c: &&OpeningChoice| match c {
                    OpeningChoice::Cell(point) => point.distance(size.center()) <= 2,
                    _ => true,
                };
                let near: Vec<&OpeningChoice> = all.iter().filter(near).collect();
                let from = if near.is_empty() { all.iter().collect() } else { near };
                let choice = *from[rng.below(from.len())];
                assert!(opening.explain(choice).unwrap().contains("; then "));
                opening.choose(choice).unwrap();
                choices.push(choice);
            }
            assert_eq!(Opening::replay(rule, size, &choices), Ok(opening.clone()));
            assert_eq!(opening.choices(), choices);
            for choice in [OpeningChoice::Stay, OpeningChoice::Cell(size.center())] {
                assert_eq!(opening.choose(choice), Err(OpeningFault::Finished));
            }
        }
    }
}

/// Reads choices such as `h8 swap 5` of the usual board.
fn after(rule: OpeningRule, words: &str) -> Opening {
    let size = Size::DEFAULT;
    let choice = |word: &str| {
        let all = size.points().map(OpeningChoice::Cell);
        let numbers = (1..=12).map(OpeningChoice::Number);
        let mut all = all.chain(OpeningChoice::WORDS).chain(numbers);
        all.find(|choice| choice.to_string() == word).expect("a choice")
    };
    let choices: Vec<OpeningChoice> = words.split_whitespace().map(choice).collect();
    Opening::replay(rule, size, &choices).unwrap()
}

#[test]
fn what_is_not_allowed_is_refused_with_the_reason_and_changes_nothing() {
    let at = |x, y| OpeningChoice::Cell(Size::DEFAULT.point(x, y).unwrap());
    let far = OpeningChoice::Cell(Size::square(20).unwrap().point(17, 7).unwrap());
    let renju = OpeningRule::Rif;
    let four = "h8 h7 i8 stay h9";
    for (rule, before, choice, words) in [
        (renju, "", at(7, 8), "h9 is not in the centre, where this stone has to be"),
        (renju, "h8", at(7, 7), "h8 is occupied"),
        (renju, "h8", at(9, 7), "j8 is not in the central 3x3, where this stone has to be"),
        (renju, "h8 h7", at(10, 7), "k8 is not in the central 5x5, where this stone has to be"),
        (renju, "h8", far, "h8 is occupied"),
        (renju, "h8 h7 i8", at(7, 8), "what is asked now is to choose the colour: swap or stay"),
        (
            renju,
            "h8",
            OpeningChoice::Swap,
            "what is asked now is to place stone 2, white, in the central 3x3",
        ),
        (renju, &format!("{four} a1"), at(0, 0), "a1 is on offer already"),
        (
            renju,
            &format!("{four} g6"),
            at(6, 9),
            "g10 is equal by symmetry to g6, which is on offer",
        ),
        (renju, &format!("{four} g6 g8"), at(6, 9), "g10 is not on offer"),
        (
            OpeningRule::Soosorv8,
            four,
            OpeningChoice::Number(9),
            "the number of fifth stones is from 1 to 8",
        ),
        (
            OpeningRule::Yamaguchi,
            "h8 h7 i8",
            OpeningChoice::Number(0),
            "the number of fifth stones is from 1 to 12",
        ),
        (
            OpeningRule::Swap,
            "a1 b1 c1",
            OpeningChoice::TwoMore,
            "what is asked now is to choose the colour: swap or stay",
        ),
        (
            OpeningRule::Swap2,
            "a1 b1 c1",
            OpeningChoice::TenFifths,
            "what is asked now is to choose the colour: swap, stay or two",
        ),
        (OpeningRule::Swap2, "a1 b1 c1 two a2", at(0, 1), "a2 is occupied"),
    ] {
        let mut opening = after(rule, before);
        let unchanged = opening.clone();
        if choice == far {
            let OpeningChoice::Cell(point) = far else { unreachable!() };
            assert_eq!(opening.choose(choice), Err(OpeningFault::OffBoard(point)));
        } else {
            assert_eq!(opening.choose(choice).unwrap_err().to_string(), words);
        }
        assert_eq!(opening, unchanged);
    }
    let small = Size::new(15, 8).unwrap();
    let fault = Opening::new(OpeningRule::Taraguchi10, small).unwrap_err();
    assert_eq!(fault.to_string(), "the opening needs a board of at least 9x9");
    assert!(Opening::new(OpeningRule::Swap2, small).is_ok());
}

#[test]
fn choices_are_explained() {
    for (rule, before, choice, words) in [
        (OpeningRule::Swap2, "a1 b1 c1", OpeningChoice::Swap, "you take black; then white moves"),
        (
            OpeningRule::Swap2,
            "a1 b1 c1",
            OpeningChoice::TwoMore,
            "the other player chooses after two more stones; then you are to place stone 4, white, \
             anywhere",
        ),
        (
            OpeningRule::Soosorv8,
            "h8 h7 i8 stay h9",
            OpeningChoice::Number(3),
            "black offers 3 fifth stones, of which white keeps one; then the other player is to \
             choose the colour",
        ),
        (
            OpeningRule::Soosorv8,
            "h8 h7 i8 stay h9 3",
            OpeningChoice::Swap,
            "you take white; then the other player is to offer fifth stone 1 of 3, black, anywhere",
        ),
        (
            OpeningRule::Taraguchi10,
            "h8 stay",
            OpeningChoice::Cell(Size::DEFAULT.point(7, 6).unwrap()),
            "the stone goes here; then the other player is to choose the colour",
        ),
    ] {
        assert_eq!(after(rule, before).explain(choice).unwrap(), words);
    }
}

#[test]
fn names_lead_back_to_their_openings() {
    for rule in OpeningRule::ALL {
        assert_eq!(rule.to_string().parse(), Ok(rule));
        assert_eq!(rule.title().replace('õ', "o").replace('-', "").to_lowercase(), rule.name());
    }
    assert!("gomoku".parse::<OpeningRule>().is_err());
}
