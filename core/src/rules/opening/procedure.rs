//! The course of an opening: who is asked what, and what follows from the answer.

use super::{
    OpeningChoice, OpeningFault, OpeningQuestion, OpeningRule, Seat, Swap2Stage, symmetric_cells,
};
use crate::types::{Color, Point, Size};

/// The largest number of fifth stones in Yamaguchi's opening.
const MOST_OF_YAMAGUCHI: usize = 12;
/// The largest number of fifth stones in Soosõrv's opening.
const MOST_OF_SOOSORV: usize = 8;
/// The number of fifth stones on offer in the RIF opening.
const OF_RIF: usize = 2;
/// The number of fifth stones on offer in Taraguchi's opening, where no single one is placed.
const OF_TARAGUCHI: usize = 10;

/// An opening on its way: what was chosen, and who is asked what.
///
/// Seat A is the first player, who has black until colours are exchanged. Once the opening is
/// finished, the game goes on with the side that follows from the number of stones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    rule: OpeningRule,
    size: Size,
    choices: Vec<OpeningChoice>,
    stones: Vec<Point>,
    /// The fifth stones on offer.
    fifths: Vec<Point>,
    /// The number of fifth stones that black owes.
    owed: usize,
    /// The player who has black now.
    black: Seat,
    asked: Option<(Seat, OpeningQuestion)>,
}

impl Opening {
    /// Returns an opening in which nothing is chosen yet.
    ///
    /// # Errors
    ///
    /// Returns an error if the board is too small.
    pub fn new(rule: OpeningRule, size: Size) -> Result<Opening, OpeningFault> {
        rule.check_size(size)?;
        let owed = match rule {
            OpeningRule::Rif => OF_RIF,
            _ => 0,
        };
        let mut opening = Opening {
            rule,
            size,
            choices: Vec::new(),
            stones: Vec::new(),
            fifths: Vec::new(),
            owed,
            black: Seat::A,
            asked: None,
        };
        opening.asked = Some((Seat::A, opening.stone()));
        Ok(opening)
    }

    /// Returns the opening after these choices.
    ///
    /// # Errors
    ///
    /// Returns an error if the board is too small, or if one of the choices is not allowed.
    pub fn replay(
        rule: OpeningRule,
        size: Size,
        choices: &[OpeningChoice],
    ) -> Result<Opening, OpeningFault> {
        let mut opening = Opening::new(rule, size)?;
        for &choice in choices {
            opening.choose(choice)?;
        }
        Ok(opening)
    }

    /// Returns the rule of the opening.
    #[must_use]
    pub const fn rule(&self) -> OpeningRule {
        self.rule
    }

    /// Returns the size of the board.
    #[must_use]
    pub const fn size(&self) -> Size {
        self.size
    }

    /// Returns all choices so far.
    #[must_use]
    pub fn choices(&self) -> &[OpeningChoice] {
        &self.choices
    }

    /// Returns the stones in playing order, colours alternating, black first. Fifth stones on offer
    /// are not among them until one is kept.
    #[must_use]
    pub fn stones(&self) -> &[Point] {
        &self.stones
    }

    /// Returns the fifth stones on offer, all of which are black.
    #[must_use]
    pub fn fifths(&self) -> &[Point] {
        &self.fifths
    }

    /// Returns how many fifth stones black has to offer, or 0 as long as that is open.
    #[must_use]
    pub const fn owed_fifths(&self) -> usize {
        self.owed
    }

    /// Returns the colour that a player has now.
    #[must_use]
    pub fn color(&self, seat: Seat) -> Color {
        if seat == self.black { Color::Black } else { Color::White }
    }

    /// Returns the player who has a colour now.
    #[must_use]
    pub const fn seat(&self, color: Color) -> Seat {
        match color {
            Color::Black => self.black,
            Color::White => self.black.other(),
        }
    }

    /// Returns who is asked what, or `None` if the opening is finished.
    #[must_use]
    pub const fn asked(&self) -> Option<(Seat, OpeningQuestion)> {
        self.asked
    }

    /// Returns every choice that is allowed now.
    #[must_use]
    pub fn allowed(&self) -> Vec<OpeningChoice> {
        let numbers = (1..=MOST_OF_YAMAGUCHI).map(OpeningChoice::Number);
        let cells = self.size.points().map(OpeningChoice::Cell);
        let all = OpeningChoice::WORDS.into_iter().chain(numbers).chain(cells);
        all.filter(|&choice| self.check(choice).is_ok()).collect()
    }

    /// Checks whether a choice is allowed now.
    ///
    /// # Errors
    ///
    /// Returns the reason why it is not.
    pub fn check(&self, choice: OpeningChoice) -> Result<(), OpeningFault> {
        let (_, question) = self.asked.ok_or(OpeningFault::Finished)?;
        match (question, choice) {
            (OpeningQuestion::Stone { reach, .. }, OpeningChoice::Cell(point)) => {
                self.check_empty(point)?;
                match reach {
                    Some(reach) if point.distance(self.size.center()) > reach => {
                        Err(OpeningFault::Outside(point, reach))
                    }
                    _ => Ok(()),
                }
            }
            (OpeningQuestion::Fifth { .. }, OpeningChoice::Cell(point)) => {
                self.check_empty(point)?;
                self.check_fifth(point)
            }
            (OpeningQuestion::Keep, OpeningChoice::Cell(point)) => {
                if self.fifths.contains(&point) {
                    Ok(())
                } else {
                    Err(OpeningFault::NotOffered(point))
                }
            }
            (OpeningQuestion::Number { most }, OpeningChoice::Number(number)) => {
                if (1..=most).contains(&number) { Ok(()) } else { Err(OpeningFault::Number(most)) }
            }
            (OpeningQuestion::Colors { .. }, OpeningChoice::Swap | OpeningChoice::Stay) => Ok(()),
            (OpeningQuestion::Colors { other }, choice) if other == Some(choice) => Ok(()),
            _ => Err(OpeningFault::Unasked(question)),
        }
    }

    /// Takes the choice of the player who is asked.
    ///
    /// # Errors
    ///
    /// Returns the reason, and changes nothing, if the choice is not allowed.
    pub fn choose(&mut self, choice: OpeningChoice) -> Result<(), OpeningFault> {
        self.check(choice)?;
        let Some((asked, question)) = self.asked else { return Err(OpeningFault::Finished) };
        self.choices.push(choice);
        self.asked = match (question, choice) {
            (OpeningQuestion::Stone { .. }, OpeningChoice::Cell(point)) => {
                self.stones.push(point);
                self.after_stone()
            }
            (OpeningQuestion::Fifth { number, of }, OpeningChoice::Cell(point)) => {
                self.fifths.push(point);
                if number == of {
                    Some((self.seat(Color::White), OpeningQuestion::Keep))
                } else {
                    Some((asked, OpeningQuestion::Fifth { number: number + 1, of }))
                }
            }
            (OpeningQuestion::Keep, OpeningChoice::Cell(point)) => {
                self.stones.push(point);
                self.fifths.clear();
                None
            }
            (_, OpeningChoice::Number(number)) => {
                self.owed = number;
                Some(self.colors_of_side_to_move())
            }
            (_, OpeningChoice::TwoMore) => {
                // Whoever places the two sits on black, and leaves the choice to white.
                self.black = asked;
                Some((asked, self.stone()))
            }
            (_, OpeningChoice::TenFifths) => {
                self.owed = OF_TARAGUCHI;
                Some(self.first_fifth())
            }
            (_, OpeningChoice::Swap) => {
                self.black = self.black.other();
                self.after_colors()
            }
            (_, OpeningChoice::Stay) => self.after_colors(),
            (question, choice) => {
                debug_assert!(false, "{choice:?} was allowed to {question:?}");
                Some((asked, question))
            }
        };
        Ok(())
    }

    /// Returns what follows the stone that was placed last.
    fn after_stone(&self) -> Option<(Seat, OpeningQuestion)> {
        let stones = self.stones.len();
        match self.rule {
            OpeningRule::Swap | OpeningRule::Swap2 => {
                let Some(stage) = Swap2Stage::from_stones(stones) else {
                    let placer = if stones < 3 { Seat::A } else { Swap2Stage::Choose.seat() };
                    return Some((placer, self.stone()));
                };
                let adds = self.rule == OpeningRule::Swap2 && stage.counts().contains(&2);
                let other = adds.then_some(OpeningChoice::TwoMore);
                Some((stage.seat(), OpeningQuestion::Colors { other }))
            }
            OpeningRule::Taraguchi10 => Some(self.colors_of_side_to_move()),
            _ if stones < 3 => Some((Seat::A, self.stone())),
            OpeningRule::Yamaguchi if stones == 3 => {
                Some((Seat::A, OpeningQuestion::Number { most: MOST_OF_YAMAGUCHI }))
            }
            OpeningRule::Soosorv8 if stones == 4 => {
                let white = self.seat(Color::White);
                Some((white, OpeningQuestion::Number { most: MOST_OF_SOOSORV }))
            }
            _ if stones == 3 => Some(self.colors_of_side_to_move()),
            _ => Some(self.first_fifth()),
        }
    }

    /// Returns what follows a choice of colours.
    fn after_colors(&self) -> Option<(Seat, OpeningQuestion)> {
        let stones = self.stones.len();
        match self.rule {
            OpeningRule::Swap | OpeningRule::Swap2 => None,
            OpeningRule::Taraguchi10 if stones == 5 => None,
            OpeningRule::Soosorv8 if stones == 4 => Some(self.first_fifth()),
            _ => Some((self.seat(Color::to_move_after(stones)), self.stone())),
        }
    }

    /// Returns the question for the next stone.
    fn stone(&self) -> OpeningQuestion {
        let number = self.stones.len() + 1;
        let is_near = match self.rule {
            OpeningRule::Swap | OpeningRule::Swap2 => false,
            OpeningRule::Taraguchi10 => true,
            _ => number <= 3,
        };
        // The first stone is in the centre, and each square is one step wider.
        let reach = u8::try_from(number - 1).ok().filter(|_| is_near);
        OpeningQuestion::Stone { number, reach }
    }

    /// Returns the question of colours to the side to move.
    fn colors_of_side_to_move(&self) -> (Seat, OpeningQuestion) {
        let stones = self.stones.len();
        let ten = self.rule == OpeningRule::Taraguchi10 && stones == 4;
        let other = ten.then_some(OpeningChoice::TenFifths);
        (self.seat(Color::to_move_after(stones)), OpeningQuestion::Colors { other })
    }

    fn first_fifth(&self) -> (Seat, OpeningQuestion) {
        (self.seat(Color::Black), OpeningQuestion::Fifth { number: 1, of: self.owed })
    }

    fn check_empty(&self, point: Point) -> Result<(), OpeningFault> {
        if !self.size.contains(point) {
            return Err(OpeningFault::OffBoard(point));
        }
        if self.stones.contains(&point) {
            return Err(OpeningFault::Occupied(point));
        }
        Ok(())
    }

    /// Checks a fifth stone against those on offer.
    fn check_fifth(&self, point: Point) -> Result<(), OpeningFault> {
        if self.fifths.contains(&point) {
            return Err(OpeningFault::Offered(point));
        }
        let equal = symmetric_cells(self.size, &self.stones, point);
        match self.fifths.iter().find(|fifth| equal.contains(fifth)) {
            Some(&other) => Err(OpeningFault::Symmetric(point, other)),
            None => Ok(()),
        }
    }

    /// Explains in a sentence without its end what a choice means for the player who is asked, as
    /// in `you take black; then the other player is to place stone 4, white, anywhere`.
    ///
    /// # Errors
    ///
    /// Returns the reason if the choice is not allowed.
    pub fn explain(&self, choice: OpeningChoice) -> Result<String, OpeningFault> {
        let mut next = self.clone();
        next.choose(choice)?;
        let Some((asked, question)) = self.asked else { return Err(OpeningFault::Finished) };
        let color = next.color(asked);
        let what = match (question, choice) {
            (_, OpeningChoice::Swap) => format!("you take {color}"),
            (_, OpeningChoice::Stay) => format!("you keep {color}"),
            (_, OpeningChoice::TwoMore) => "the other player chooses after two more stones".into(),
            (_, OpeningChoice::TenFifths) => "black offers ten fifth stones".into(),
            (_, OpeningChoice::Number(1)) => "black offers one fifth stone".into(),
            (_, OpeningChoice::Number(n)) => {
                format!("black offers {n} fifth stones, of which white keeps one")
            }
            (OpeningQuestion::Keep, OpeningChoice::Cell(_)) => "this fifth stone stays".into(),
            (OpeningQuestion::Fifth { .. }, _) => "this stone is on offer".into(),
            (_, OpeningChoice::Cell(_)) => "the stone goes here".into(),
        };
        let then = match next.asked {
            Some((seat, question)) => {
                let who = if seat == asked { "you are" } else { "the other player is" };
                format!("then {who} to {question}")
            }
            None => format!("then {} moves", Color::to_move_after(next.stones.len())),
        };
        Ok(format!("{what}; {then}"))
    }
}
