//! Adjudication of games.

use super::{Adjudication, DrawRule, ResignRule};
use tengen_core::types::Color;
use tengen_files::records::Move;

/// Adjudication: decisions that the rules do not make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Adjudicated {
    /// The game was long enough.
    DrawAfter,
    /// Both players thought it a draw.
    Draw,
    /// This colour has lost.
    Lost(Color),
}

impl Adjudication {
    /// Decides a game by all of its moves, the first `opening` of which were given. A move whose
    /// score is not known interrupts every series that it would belong to.
    ///
    /// A lost game is looked for before a drawn one, and the player who has just moved comes first.
    #[must_use]
    pub fn decide(&self, moves: &[Move], opening: usize) -> Option<Adjudicated> {
        let played = moves.get(opening..).unwrap_or_default();
        let lost = self.resign.and_then(|rule| loser(rule, played));
        if let Some(color) = lost {
            return Some(Adjudicated::Lost(color));
        }
        let count = u32::try_from(moves.len()).unwrap_or(u32::MAX);
        if self.draw.is_some_and(|rule| count >= rule.from && is_drawn(rule, played)) {
            return Some(Adjudicated::Draw);
        }
        self.draw_after.is_some_and(|limit| count >= limit).then_some(Adjudicated::DrawAfter)
    }
}

fn loser(rule: ResignRule, played: &[Move]) -> Option<Color> {
    let mover = played.last()?.color;
    let (bad, good) = (rule.score.saturating_neg(), rule.score);
    [mover, !mover].into_iter().find(|&color| {
        all_of_last(rule.moves, played, color, |score| score <= bad)
            && (!rule.both || all_of_last(rule.moves, played, !color, |score| score >= good))
    })
}

fn is_drawn(rule: DrawRule, played: &[Move]) -> bool {
    let is_near = |score: i32| i64::from(score).abs() <= i64::from(rule.score);
    Color::ALL.into_iter().all(|color| all_of_last(rule.moves, played, color, is_near))
}

/// Returns whether a colour has made `count` moves and reported such a score at each of the last.
fn all_of_last(count: u32, played: &[Move], color: Color, such: impl Fn(i32) -> bool) -> bool {
    // A rule about no moves at all would decide every game before it began.
    let count = usize::try_from(count.max(1)).unwrap_or(usize::MAX);
    let own = played.iter().rev().filter(|m| m.color == color).take(count);
    let mut seen = 0;
    own.inspect(|_| seen += 1).all(|m| m.score().is_some_and(&such)) && seen == count
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_core::types::Size;
    use tengen_files::records::MoverSearch;

    /// Returns moves with these scores, black first; 999 is an unknown one.
    fn moves(scores: &[i32]) -> Vec<Move> {
        let scored = |(i, (&score, point))| {
            let score = (score != 999).then_some(score);
            let search = MoverSearch { score, ..MoverSearch::default() };
            Move::new(point, Color::to_move_after(i)).with_search(search)
        };
        scores.iter().zip(Size::DEFAULT.points()).enumerate().map(scored).collect()
    }

    fn resign(moves: u32, both: bool) -> Adjudication {
        let rule = ResignRule { score: 500, moves, both };
        Adjudication { resign: Some(rule), ..Adjudication::default() }
    }

    fn draw(moves: u32, from: u32) -> Adjudication {
        let rule = DrawRule { score: 10, moves, from };
        Adjudication { draw: Some(rule), ..Adjudication::default() }
    }

    #[test]
    fn nothing_is_decided_by_default() {
        let none = Adjudication::default();
        assert_eq!(none.decide(&moves(&[0; 200]), 0), None);
        assert_eq!(none.decide(&moves(&[-9999; 200]), 0), None);
        assert_eq!(none.decide(&[], 7), None, "an opening that is not there");
    }

    #[test]
    fn long_games_are_drawn() {
        let rules = Adjudication { draw_after: Some(4), ..Adjudication::default() };
        assert_eq!(rules.decide(&moves(&[0, 0, 0]), 0), None);
        assert_eq!(rules.decide(&moves(&[0, 0, 0, 0]), 0), Some(Adjudicated::DrawAfter));
        assert_eq!(rules.decide(&moves(&[0, 0, 0, 0]), 4), Some(Adjudicated::DrawAfter));
        assert_eq!(rules.decide(&moves(&[0, 0, 0, 0, 0]), 2), Some(Adjudicated::DrawAfter));
    }

    #[test]
    fn a_series_of_bad_scores_loses() {
        let black = Some(Adjudicated::Lost(Color::Black));
        let white = Some(Adjudicated::Lost(Color::White));
        let rules = resign(3, false);
        assert_eq!(rules.decide(&moves(&[-500, 0, -500, 0]), 0), None, "two of three");
        assert_eq!(rules.decide(&moves(&[-500, 0, -501, 0, -9999]), 0), black);
        assert_eq!(rules.decide(&moves(&[0, -500, 0, -500, 0, -500]), 0), white);
        assert_eq!(rules.decide(&moves(&[-500, 0, -499, 0, -500]), 0), None, "one is better");
        assert_eq!(rules.decide(&moves(&[-500, 0, 999, 0, -500]), 0), None, "one is unknown");
        assert_eq!(rules.decide(&moves(&[-500, 0, -500, 0, -500]), 1), None, "one is given");
        let longer = moves(&[0, 0, -500, 0, -500, 0, -500]);
        assert_eq!(rules.decide(&longer, 0), black, "older scores do not count");
    }

    #[test]
    fn the_winner_may_have_to_agree() {
        let black = Some(Adjudicated::Lost(Color::Black));
        let rules = resign(2, true);
        assert_eq!(rules.decide(&moves(&[-500, 500, -500]), 0), None, "the winner once");
        assert_eq!(rules.decide(&moves(&[-500, 500, -500, 499]), 0), None);
        assert_eq!(rules.decide(&moves(&[-500, 500, -500, 999]), 0), None);
        assert_eq!(rules.decide(&moves(&[-500, 500, -500, 500]), 0), black);
        let white = moves(&[0, -700, 600, -700, 600]);
        assert_eq!(rules.decide(&white, 0), Some(Adjudicated::Lost(Color::White)));
    }

    #[test]
    fn if_both_despair_the_mover_has_lost() {
        let both = moves(&[-500, -500]);
        assert_eq!(resign(1, false).decide(&both, 0), Some(Adjudicated::Lost(Color::White)));
        assert_eq!(resign(1, true).decide(&both, 0), None);
    }

    #[test]
    fn a_series_of_small_scores_on_both_sides_is_a_draw() {
        let rules = draw(2, 0);
        assert_eq!(rules.decide(&moves(&[0, 0, 0]), 0), None, "the second only once");
        assert_eq!(rules.decide(&moves(&[10, -10, 0, 3]), 0), Some(Adjudicated::Draw));
        assert_eq!(rules.decide(&moves(&[10, -11, 0, 3]), 0), None);
        assert_eq!(rules.decide(&moves(&[10, 999, 0, 3]), 0), None);
        assert_eq!(rules.decide(&moves(&[0, 0, 0, 0]), 1), None, "one is given");
        assert_eq!(rules.decide(&moves(&[i32::MIN, 0, i32::MIN, 0]), 0), None);
    }

    #[test]
    fn a_draw_waits_for_its_move() {
        let scores = [0; 6];
        assert_eq!(draw(1, 6).decide(&moves(&scores[..5]), 0), None);
        assert_eq!(draw(1, 6).decide(&moves(&scores), 0), Some(Adjudicated::Draw));
    }

    #[test]
    fn rules_about_no_moves_are_about_one() {
        assert_eq!(draw(0, 0).decide(&[], 0), None);
        assert_eq!(resign(0, false).decide(&[], 0), None);
        assert_eq!(draw(0, 0).decide(&moves(&[0]), 0), None);
        assert_eq!(draw(0, 0).decide(&moves(&[0, 0]), 0), Some(Adjudicated::Draw));
        let lost = Some(Adjudicated::Lost(Color::Black));
        assert_eq!(resign(0, false).decide(&moves(&[-500]), 0), lost);
    }

    #[test]
    fn a_lost_game_is_not_drawn_and_a_drawn_one_tells_why() {
        let mut rules = resign(1, false);
        rules.draw_after = Some(2);
        assert_eq!(rules.decide(&moves(&[0, -500]), 0), Some(Adjudicated::Lost(Color::White)));
        rules.draw = draw(1, 0).draw;
        assert_eq!(rules.decide(&moves(&[0, 0]), 0), Some(Adjudicated::Draw));
    }
}
