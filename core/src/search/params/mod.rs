//! The search parameters, each declared once with its bounds.
//!
//! Margins are in evaluation units; depths and reductions are in 64ths of a ply. A search gets its
//! parameters with its [`Options`](super::Options), so tuning can try other values than the
//! defaults.

#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// The description of a search parameter, for tuners and experts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Param {
    /// The name, in lower case.
    pub name: &'static str,
    /// The default value.
    pub default: i32,
    /// The smallest sensible value.
    pub min: i32,
    /// The largest sensible value.
    pub max: i32,
    /// The meaning of the parameter, in one sentence.
    pub meaning: &'static str,
}

impl Param {
    /// Returns the parameter with this name.
    ///
    /// # Errors
    ///
    /// Returns [`ParamError::Unknown`] if there is none.
    pub fn find(name: &str) -> Result<&'static Param, ParamError> {
        let found = Params::ALL.iter().find(|param| param.name == name);
        found.ok_or_else(|| ParamError::Unknown(name.to_owned()))
    }
}

/// An error in setting a parameter.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ParamError {
    /// There is no `=` between a name and a value.
    #[error("{0:?} is not NAME=VALUE")]
    NoValue(String),
    /// No parameter has this name.
    #[error("no parameter is called {0:?}")]
    Unknown(String),
    /// The value is not a whole number.
    #[error("{text:?} is not a whole number for {}", .param.name)]
    NotANumber {
        /// The parameter.
        param: &'static Param,
        /// The text given as its value.
        text: String,
    },
    /// The value is out of bounds.
    #[error("{} is from {} to {}, not {value}", .param.name, .param.min, .param.max)]
    OutOfBounds {
        /// The parameter.
        param: &'static Param,
        /// The value.
        value: i32,
    },
}

/// A value for a parameter, within its bounds. Parsed from and displayed as `NAME=VALUE`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Assignment {
    param: &'static Param,
    value: i32,
}

impl Assignment {
    /// Makes an assignment.
    ///
    /// # Errors
    ///
    /// Returns [`ParamError::OutOfBounds`] if the value is out of bounds.
    pub fn new(param: &'static Param, value: i32) -> Result<Assignment, ParamError> {
        if (param.min..=param.max).contains(&value) {
            Ok(Assignment { param, value })
        } else {
            Err(ParamError::OutOfBounds { param, value })
        }
    }

    /// Returns the parameter.
    #[must_use]
    pub fn param(self) -> &'static Param {
        self.param
    }

    /// Returns the value.
    #[must_use]
    pub fn value(self) -> i32 {
        self.value
    }
}

impl FromStr for Assignment {
    type Err = ParamError;

    fn from_str(text: &str) -> Result<Assignment, ParamError> {
        let (name, value) =
            text.split_once('=').ok_or_else(|| ParamError::NoValue(text.to_owned()))?;
        let param = Param::find(name)?;
        let number =
            value.parse().map_err(|_| ParamError::NotANumber { param, text: value.to_owned() })?;
        Assignment::new(param, number)
    }
}

impl fmt::Display for Assignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.param.name, self.value)
    }
}

/// Declares [`Params`], its default and the table of its parameters from one list.
macro_rules! params {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident = $default:literal in $min:literal..=$max:literal;
    )*) => {
        /// The parameters of the search, each within its bounds.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct Params {
            $($(#[doc = $doc])+ pub(super) $name: i32,)*
        }

        impl Params {
            /// The default values.
            pub const DEFAULT: Params = Params { $($name: $default,)* };

            /// All parameters, in the order of their declaration.
            pub const ALL: &[Param] = &[$(Param {
                name: stringify!($name),
                default: $default,
                min: $min,
                max: $max,
                meaning: concat!($($doc),+).trim_ascii(),
            },)*];

            fn field(&self, name: &str) -> Option<&i32> {
                match name {
                    $(stringify!($name) => Some(&self.$name),)*
                    _ => None,
                }
            }

            fn field_mut(&mut self, name: &str) -> Option<&mut i32> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)*
                    _ => None,
                }
            }
        }

        $(const _: () = assert!($min <= $default && $default <= $max);)*
    };
}

params! {
    /// The depth, in 64ths of a ply, below which quiescence search decides a node far below alpha
    /// or one that must stop an open four.
    razor_depth = 141 in 0..=320;
    /// The razoring margin at depth zero.
    razor_base = 11 in 0..=300;
    /// The razoring margin per ply.
    razor_slope = 11 in 0..=200;
    /// The depth, in 64ths of a ply, below which reverse futility pruning cuts a node far above
    /// beta.
    rfp_depth = 1280 in 0..=1280;
    /// The reverse futility margin per ply beyond the first.
    rfp_slope = 43 in 10..=200;
    /// The decrease of the reverse futility margin per ply at expected cut nodes without a table
    /// entry.
    rfp_unknown = 6 in 0..=60;
    /// The move count of late move pruning at depth zero.
    lmp_base = 2 in 1..=60;
    /// The extension, in 64ths of a ply, if the opponent threatens to win with the next stone.
    forced_reply_extension = 82 in 0..=128;
    /// The least depth, in 64ths of a ply, at which the table move is tested for being singular.
    singular_depth = 432 in 192..=960;
    /// The singular margin per ply, in eighths of an evaluation unit.
    singular_slope = 5 in 2..=64;
    /// The margin beyond the singular one by which a move must stand out to be extended by two
    /// plies.
    double_ext_margin = 16 in 5..=200;
    /// The scale of late move reductions, in percent of ln(depth)·ln(move count).
    lmr_scale = 84 in 30..=160;
    /// The decrease of the reduction on present or former principal variations, in 64ths of a ply.
    lmr_pv = 71 in 0..=192;
    /// The increase of the reduction at expected cut nodes, in 64ths of a ply, except for killers
    /// that make no threat.
    lmr_cut_node = 118 in 0..=192;
    /// The increase of the reduction if the static evaluation is not improving, in 64ths of a ply.
    lmr_not_improving = 61 in 0..=192;
    /// The decrease of the reduction for a threat, in 64ths of a ply, applied twice if the side's
    /// previous move was a threat too.
    lmr_threat = 33 in 0..=192;
    /// The increase of the reduction, in 64ths of a ply, for a reply to an open three that is far
    /// from the opponent's last move and takes none of its fours.
    lmr_far_theirs = 134 in 0..=320;
    /// The increase of the reduction, in 64ths of a ply, for a reply to an open three that is far
    /// from the side's own last move and takes none of the opponent's fours.
    lmr_far_ours = 69 in 0..=320;
    /// The history score that changes the reduction by one ply.
    lmr_history = 12807 in 2000..=32000;
    /// The decrease of depth, in 64ths of a ply, at principal variation nodes and expected cut
    /// nodes without a table move.
    iir_no_move = 26 in 0..=128;
    /// The decrease of depth on the principal variation, in percent of the depth that the table
    /// entry lacks.
    iir_stale = 27 in 0..=100;
    /// The largest decrease of depth for a shallow table entry, in 64ths of a ply.
    iir_stale_max = 230 in 0..=640;
    /// The least depth, in 64ths of a ply, for enhanced transposition cutoffs.
    etc_depth = 448 in 64..=2560;
    /// The first aspiration window to each side of the expected score, in evaluation units.
    aspiration = 10 in 4..=200;
    /// The least depth, in plies, for aspiration windows.
    aspiration_depth = 5 in 2..=10;
    /// The divisor of history scores in move ordering.
    order_history = 138 in 16..=512;
    /// The bonus of the counter-move in move ordering.
    order_counter = 50 in 0..=200;
    /// The distance from the window, in evaluation units, beyond which a score that is cheaper to
    /// compute is enough.
    eval_gate = 300 in 0..=2000;
}

impl Default for Params {
    fn default() -> Params {
        Params::DEFAULT
    }
}

impl Params {
    /// Returns the value of the parameter with this name, or `None` if there is none.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<i32> {
        self.field(name).copied()
    }

    /// Sets the parameter with this name.
    ///
    /// # Errors
    ///
    /// Returns [`ParamError`], and changes nothing, if there is no such parameter or the value is
    /// out of bounds.
    pub fn set(&mut self, name: &str, value: i32) -> Result<(), ParamError> {
        self.assign(Assignment::new(Param::find(name)?, value)?);
        Ok(())
    }

    /// Sets a parameter.
    pub fn assign(&mut self, assignment: Assignment) {
        if let Some(field) = self.field_mut(assignment.param.name) {
            *field = assignment.value;
        }
    }

    /// Returns the parameters that differ from [`Params::DEFAULT`].
    pub fn changed(&self) -> impl Iterator<Item = Assignment> + '_ {
        Params::ALL.iter().filter_map(|param| {
            let value = self.get(param.name).filter(|&value| value != param.default)?;
            Some(Assignment { param, value })
        })
    }
}

impl FromIterator<Assignment> for Params {
    /// Returns the default with some parameters changed; the last of several values for one counts.
    fn from_iter<I: IntoIterator<Item = Assignment>>(assignments: I) -> Params {
        let mut params = Params::DEFAULT;
        assignments.into_iter().for_each(|assignment| params.assign(assignment));
        params
    }
}
