//! The numbers of the search, each declared once with its bounds.
//!
//! Margins are in evaluation units, depths and reductions in 64ths of a ply. A search gets its
//! numbers with its [`Options`](super::Options); those who tune it try others than the default.

#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;

/// What is known of a number of the search: what a tuner or an expert needs to change it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Param {
    /// The name, in lower case.
    pub name: &'static str,
    /// The value that the search uses unless told otherwise.
    pub default: i32,
    /// The smallest sensible value.
    pub min: i32,
    /// The largest sensible value.
    pub max: i32,
    /// What the number is, in one sentence.
    pub meaning: &'static str,
}

impl Param {
    /// Returns the parameter of a name.
    ///
    /// # Errors
    ///
    /// Returns [`ParamError::Unknown`] if there is none.
    pub fn find(name: &str) -> Result<&'static Param, ParamError> {
        let found = Params::ALL.iter().find(|param| param.name == name);
        found.ok_or_else(|| ParamError::Unknown(name.to_owned()))
    }
}

/// Why a parameter cannot be set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParamError {
    /// There is no `=` between a name and a value.
    NoValue(String),
    /// No parameter has this name.
    Unknown(String),
    /// The value is not a whole number.
    NotANumber {
        /// The parameter.
        param: &'static Param,
        /// What was given for its value.
        text: String,
    },
    /// The value is beyond the bounds.
    OutOfBounds {
        /// The parameter.
        param: &'static Param,
        /// The value.
        value: i32,
    },
}

impl fmt::Display for ParamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParamError::NoValue(text) => write!(f, "{text:?} is not NAME=VALUE"),
            ParamError::Unknown(name) => write!(f, "no parameter is called {name:?}"),
            ParamError::NotANumber { param, text } => {
                write!(f, "{text:?} is not a whole number for {}", param.name)
            }
            ParamError::OutOfBounds { param: Param { name, min, max, .. }, value } => {
                write!(f, "{name} is from {min} to {max}, not {value}")
            }
        }
    }
}

impl std::error::Error for ParamError {}

/// A value for a parameter, within its bounds. Reads and writes itself as `NAME=VALUE`.
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
    /// Returns [`ParamError::OutOfBounds`] if the parameter cannot have the value.
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

/// Declares [`Params`], its default and the table of its numbers from one list.
macro_rules! params {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident = $default:literal in $min:literal..=$max:literal;
    )*) => {
        /// Every number that shapes the search, each within its bounds.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct Params {
            $($(#[doc = $doc])+ pub(super) $name: i32,)*
        }

        impl Params {
            /// The values in use.
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
    /// Below this depth, in 64ths of a ply, a hopeless node is decided by fours alone, and so is one
    /// in which an open four must be stopped.
    razor_depth = 141 in 0..=320;
    /// The razoring margin at depth zero.
    razor_base = 11 in 0..=300;
    /// The razoring margin per ply.
    razor_slope = 11 in 0..=200;
    /// Below this depth, in 64ths of a ply, a node far above beta is cut without searching.
    rfp_depth = 1280 in 0..=1280;
    /// The futility margin per ply beyond the first.
    rfp_slope = 43 in 10..=200;
    /// How much smaller that is where a cut is expected and the table knows nothing.
    rfp_unknown = 6 in 0..=60;
    /// The number of moves always searched before the count prunes, at depth zero.
    lmp_base = 2 in 1..=60;
    /// The extension when the opponent threatens to win with the next stone, in 64ths of a ply.
    forced_reply_extension = 82 in 0..=128;
    /// The depth, in 64ths of a ply, from which the table's move is tested for being singular.
    singular_depth = 432 in 192..=960;
    /// The singular margin per ply, in eighths.
    singular_slope = 5 in 2..=64;
    /// How far a singular move must stand out to be extended twice.
    double_ext_margin = 16 in 5..=200;
    /// The scale of late move reductions, in percent of ln(depth)·ln(count).
    lmr_scale = 84 in 30..=160;
    /// The reduction less on the principal variation, in 64ths of a ply.
    lmr_pv = 71 in 0..=192;
    /// The reduction more where a cut is expected, in 64ths of a ply; not for killers.
    lmr_cut_node = 118 in 0..=192;
    /// The reduction more where the evaluation has not tt_adjusted_eval, in 64ths of a ply.
    lmr_not_improving = 61 in 0..=192;
    /// The reduction less for a threat, and again if it follows a threat, in 64ths of a ply.
    lmr_threat = 33 in 0..=192;
    /// The reduction more, in 64ths of a ply, for a move that answers an open three far from the
    /// opponent's last move and takes none of its fours.
    lmr_far_theirs = 134 in 0..=320;
    /// The same for one far from the own last move.
    lmr_far_ours = 69 in 0..=320;
    /// The history that is worth one ply of reduction.
    lmr_history = 12807 in 2000..=32000;
    /// The reduction of depth where a node of some weight has no move from the table, in 64ths of
    /// a ply.
    iir_no_move = 26 in 0..=128;
    /// The reduction of depth on the principal variation, in percent of what the table's depth is
    /// short.
    iir_stale = 27 in 0..=100;
    /// The most that comes to, in 64ths of a ply.
    iir_stale_max = 230 in 0..=640;
    /// The depth, in 64ths of a ply, from which the table is asked for a move that leads to a position
    /// known to be good enough.
    etc_depth = 448 in 64..=2560;
    /// The first aspiration window to each side.
    aspiration = 10 in 4..=200;
    /// The depth in plies from which windows are used.
    aspiration_depth = 5 in 2..=10;
    /// The divisor of history in move ordering.
    order_history = 138 in 16..=512;
    /// What a counter-move is worth in ordering.
    order_counter = 50 in 0..=200;
}

impl Default for Params {
    fn default() -> Params {
        Params::DEFAULT
    }
}

impl Params {
    /// Returns the number of this name, or `None` if there is none.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<i32> {
        self.field(name).copied()
    }

    /// Sets the number of this name.
    ///
    /// # Errors
    ///
    /// Returns [`ParamError`] if there is no such number or it cannot have the value; nothing is
    /// changed then.
    pub fn set(&mut self, name: &str, value: i32) -> Result<(), ParamError> {
        self.assign(Assignment::new(Param::find(name)?, value)?);
        Ok(())
    }

    /// Sets a number.
    pub fn assign(&mut self, assignment: Assignment) {
        if let Some(field) = self.field_mut(assignment.param.name) {
            *field = assignment.value;
        }
    }

    /// Returns the numbers that are not as in [`Params::DEFAULT`].
    pub fn changed(&self) -> impl Iterator<Item = Assignment> + '_ {
        Params::ALL.iter().filter_map(|param| {
            let value = self.get(param.name).filter(|&value| value != param.default)?;
            Some(Assignment { param, value })
        })
    }
}

impl FromIterator<Assignment> for Params {
    /// Returns the default with some numbers changed; of several values for one the last counts.
    fn from_iter<I: IntoIterator<Item = Assignment>>(assignments: I) -> Params {
        let mut params = Params::DEFAULT;
        assignments.into_iter().for_each(|assignment| params.assign(assignment));
        params
    }
}
