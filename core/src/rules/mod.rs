//! The written rules, decided by plain scanning without tables: exact, slow, and the oracle for
//! everything faster.
//!
//! Nothing here knows a pattern, a search or a manager; whatever is faster elsewhere is
//! tested against this module.

mod five;
mod forbidden;
mod opening;
mod outcome;

pub use five::{Run, find_winner, winning_run, winning_runs};
pub use forbidden::{Violation, forbidden_points, violation, violations};
pub use opening::{
    Opening, OpeningChoice, OpeningFault, OpeningNameError, OpeningQuestion, OpeningRule,
    RenjuOpening, Seat, Swap2, Swap2Answer, Swap2Error, Swap2Stage, symmetric_cells,
};
pub use outcome::{Game, Outcome, PlayError, is_dead, outcome_after, standing_outcome};

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The lines that win, and the moves that black may not play.
///
/// ```
/// use tengen_core::rules::Rule;
///
/// assert_eq!("renju".parse(), Ok(Rule::Renju));
/// // The number of `INFO rule`: exactly five, in a continuous game.
/// assert_eq!(Rule::from_mask(3), Some((Rule::Standard, true)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[repr(u8)]
pub enum Rule {
    /// Five or more in a row win.
    Freestyle = 0,
    /// Exactly five in a row win.
    Standard = 1,
    /// Black wins with exactly five and may not make an overline, two fours or two threes; white
    /// wins with five or more.
    Renju = 2,
    /// Six or more win, and five that are not enclosed by opponent stones at both ends.
    Caro = 3,
    /// Exactly five that are not enclosed by opponent stones at both ends win.
    CaroExact = 4,
}

/// The bits of the number in `INFO rule`.
mod mask {
    pub(super) const EXACT: i64 = 1;
    pub(super) const CONTINUOUS: i64 = 2;
    pub(super) const RENJU: i64 = 4;
    pub(super) const CARO: i64 = 8;
}

impl Rule {
    /// All rules.
    pub const ALL: [Rule; 5] =
        [Rule::Freestyle, Rule::Standard, Rule::Renju, Rule::Caro, Rule::CaroExact];

    /// Returns the name: `freestyle`, `standard`, `renju`, `caro` or `caro-exact`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Rule::Freestyle => "freestyle",
            Rule::Standard => "standard",
            Rule::Renju => "renju",
            Rule::Caro => "caro",
            Rule::CaroExact => "caro-exact",
        }
    }

    /// Returns the rule that a manager's number stands for and whether it asks for a continuous
    /// game, or `None` for a number without a meaning.
    ///
    /// The number is a sum of 1 (exactly five), 2 (continuous), 4 (renju) and 8 (caro). Renju
    /// decides all of winning lines, so 1 and 8 add nothing to it.
    #[must_use]
    pub const fn from_mask(mask: i64) -> Option<(Rule, bool)> {
        let known = mask::EXACT | mask::CONTINUOUS | mask::RENJU | mask::CARO;
        if mask & !known != 0 {
            return None;
        }
        let rule = if mask & mask::RENJU != 0 {
            Rule::Renju
        } else {
            match (mask & mask::CARO != 0, mask & mask::EXACT != 0) {
                (false, false) => Rule::Freestyle,
                (false, true) => Rule::Standard,
                (true, false) => Rule::Caro,
                (true, true) => Rule::CaroExact,
            }
        };
        Some((rule, mask & mask::CONTINUOUS != 0))
    }

    /// Returns the number that stands for the rule in `INFO rule`.
    #[must_use]
    pub const fn mask(self) -> i64 {
        match self {
            Rule::Freestyle => 0,
            Rule::Standard => mask::EXACT,
            Rule::Renju => mask::RENJU,
            Rule::Caro => mask::CARO,
            Rule::CaroExact => mask::CARO | mask::EXACT,
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that names no rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the rules are {}", Rule::ALL.map(Rule::name).join(", "))]
pub struct RuleNameError;

impl FromStr for Rule {
    type Err = RuleNameError;

    /// Reads a name as [`Rule::name`] gives it, in letters of either case, or the number of
    /// `INFO rule`.
    fn from_str(name: &str) -> Result<Rule, RuleNameError> {
        let named =
            |rule: &Rule| rule.name().eq_ignore_ascii_case(name) || rule.mask().to_string() == name;
        Rule::ALL.into_iter().find(named).ok_or(RuleNameError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sum_of_known_bits_is_a_rule_and_nothing_else_is() {
        use Rule::{Caro, CaroExact, Freestyle, Renju, Standard};
        let plain = [
            (0, Freestyle),
            (1, Standard),
            (4, Renju),
            (5, Renju),
            (8, Caro),
            (9, CaroExact),
            (12, Renju),
            (13, Renju),
        ];
        for (mask, rule) in plain {
            assert_eq!(Rule::from_mask(mask), Some((rule, false)), "{mask}");
            assert_eq!(Rule::from_mask(mask + 2), Some((rule, true)), "{mask} + 2");
        }
        for mask in [-1, -2, 16, 17, 20, 32, i64::MAX, i64::MIN] {
            assert_eq!(Rule::from_mask(mask), None, "{mask}");
        }
    }

    #[test]
    fn numbers_and_names_lead_back_to_their_rule() {
        for rule in Rule::ALL {
            assert_eq!(Rule::from_mask(rule.mask()), Some((rule, false)));
            assert_eq!(rule.to_string().parse(), Ok(rule));
            assert_eq!(rule.name().to_uppercase().parse(), Ok(rule));
        }
        assert_eq!("gomoku".parse::<Rule>(), Err(RuleNameError));
        assert_eq!("".parse::<Rule>(), Err(RuleNameError));
    }

    #[test]
    fn the_message_for_a_wrong_name_lists_the_right_ones() {
        assert_eq!(
            RuleNameError.to_string(),
            "the rules are freestyle, standard, renju, caro, caro-exact"
        );
    }
}
