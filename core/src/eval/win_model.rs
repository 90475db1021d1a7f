//! The win model: winning chances from scores.

use crate::types::Score;

/// A model of the chances to win, draw and lose at a score, the extension of the logistic model by
/// Rao and Kupper (1967): at a score of `draw_margin`, a win is as likely as not.
///
/// ```
/// use tengen_core::eval::WinModel;
/// use tengen_core::types::Score;
///
/// let model = WinModel::new(200, 0);
/// assert_eq!(model.chances(Score::ZERO).points(), 0.5);
/// assert!(model.chances(Score::eval(200)).points() > 0.7);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WinModel {
    /// The increase of the score, in units, that multiplies the odds by e.
    scale: u16,
    /// The score up to which draws reduce wins, in units; 0 where draws count as half a win.
    draw_margin: u16,
}

/// The chances of a side, which add up to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WinDrawLoss {
    /// The chance to win.
    pub win: f64,
    /// The chance of a draw.
    pub draw: f64,
    /// The chance to lose.
    pub loss: f64,
}

impl WinDrawLoss {
    /// Returns the expected points of a game, from 0 to 1, with half a point for a draw.
    #[must_use]
    pub fn points(self) -> f64 {
        self.win + self.draw / 2.0
    }

    /// Returns the chances of the other side.
    #[must_use]
    pub fn of_opponent(self) -> WinDrawLoss {
        WinDrawLoss { win: self.loss, draw: self.draw, loss: self.win }
    }
}

impl WinModel {
    /// Returns the model with these parameters, both in units of the score.
    ///
    /// # Panics
    ///
    /// Panics if the scale is 0.
    #[must_use]
    pub const fn new(scale: u16, draw_margin: u16) -> WinModel {
        assert!(scale > 0, "a scale of at least one unit");
        WinModel { scale, draw_margin }
    }

    /// Returns the chances at a score; certain ones for a proven win or loss.
    #[must_use]
    pub fn chances(self, score: Score) -> WinDrawLoss {
        if score.is_decisive() {
            let win = f64::from(u8::from(score.is_win()));
            return WinDrawLoss { win, draw: 0.0, loss: 1.0 - win };
        }
        let chance_above = |margin: f64, score: f64| {
            1.0 / (1.0 + ((margin - score) / f64::from(self.scale)).exp())
        };
        let (score, margin) = (f64::from(score.raw()), f64::from(self.draw_margin));
        let (win, loss) = (chance_above(margin, score), chance_above(margin, -score));
        WinDrawLoss { win, draw: (1.0 - win - loss).max(0.0), loss }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Ply;

    #[test]
    fn chances_add_up_to_one_and_are_mirrored_by_the_sign_of_the_score() {
        for model in [WinModel::new(200, 0), WinModel::new(230, 60)] {
            for score in (-3000..=3000).step_by(50).map(Score::eval) {
                let (ours, theirs) = (model.chances(score), model.chances(-score));
                assert!((ours.win + ours.draw + ours.loss - 1.0).abs() < 1e-12);
                assert!((ours.win - theirs.loss).abs() < 1e-12, "{score}");
                assert!((ours.points() + theirs.points() - 1.0).abs() < 1e-12, "{score}");
            }
        }
    }

    #[test]
    fn the_odds_grow_by_a_factor_of_e_with_the_scale() {
        let odds = |score| {
            let chances = WinModel::new(200, 0).chances(Score::eval(score));
            chances.win / chances.loss
        };
        assert!((odds(0) - 1.0).abs() < 1e-12);
        assert!((odds(200).ln() - 1.0).abs() < 1e-12 && (odds(600).ln() - 3.0).abs() < 1e-12);
    }

    #[test]
    fn with_a_margin_an_even_position_may_be_drawn() {
        let even = WinModel::new(100, 50).chances(Score::ZERO);
        assert!(even.draw > 0.2 && (even.win - even.loss).abs() < 1e-12);
        let at_margin = WinModel::new(100, 50).chances(Score::eval(50));
        assert!((at_margin.win - 0.5).abs() < 1e-12);
        assert!(WinModel::new(100, 0).chances(Score::eval(30)).draw.abs() < 1e-12);
    }

    #[test]
    fn proven_results_are_certain() {
        let model = WinModel::new(200, 60);
        assert_eq!(model.chances(Score::win_in(Ply(5))).points(), 1.0);
        assert_eq!(model.chances(Score::loss_in(Ply(5))).points(), 0.0);
    }
}
