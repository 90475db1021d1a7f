//! The numbers of the search, each declared once with its bounds.
//!
//! Margins are in evaluation units, depths and reductions in 64ths of a ply.

/// A tunable number: what a tuner needs to know of it.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// The name.
    pub name: &'static str,
    /// The value in use.
    pub value: i32,
    /// The smallest sensible value.
    pub min: i32,
    /// The largest sensible value.
    pub max: i32,
}

macro_rules! params {
    ($($(#[$doc:meta])* $name:ident = $value:literal in $min:literal..=$max:literal;)*) => {
        $($(#[$doc])* pub const $name: i32 = $value;)*
        /// All parameters.
        pub const ALL: &[Param] = &[
            $(Param { name: stringify!($name), value: $value, min: $min, max: $max },)*
        ];
        $(const _: () = assert!($min <= $value && $value <= $max);)*
    };
}

params! {
    /// Below this depth a hopeless node is decided by fours alone.
    RAZOR_DEPTH = 166 in 0..=320;
    /// The razoring margin at depth zero.
    RAZOR_BASE = 40 in 0..=300;
    /// The razoring margin per ply.
    RAZOR_SLOPE = 30 in 0..=200;
    /// Below this depth a node far above beta is cut without searching.
    FUTILITY_DEPTH = 640 in 0..=1280;
    /// The futility margin per ply.
    FUTILITY_SLOPE = 42 in 10..=200;
    /// The number of moves always searched before the count prunes, at depth zero.
    COUNT_BASE = 20 in 1..=60;
    /// Below this depth, cells that mean nothing to either side are skipped.
    TRIVIAL_DEPTH = 275 in 0..=640;
    /// The extension when the opponent threatens to win with the next stone.
    FIVE_EXTENSION = 83 in 0..=128;
    /// The depth from which the table's move is tested for being singular.
    SINGULAR_DEPTH = 420 in 192..=960;
    /// The singular margin per ply, in eighths.
    SINGULAR_SLOPE = 12 in 2..=64;
    /// How far a singular move must stand out to be extended twice.
    DOUBLE_MARGIN = 30 in 5..=200;
    /// The scale of late move reductions, in percent of ln(depth)·ln(count).
    REDUCTION_SCALE = 115 in 30..=160;
    /// The reduction less on the principal variation.
    REDUCTION_PV = 60 in 0..=192;
    /// The reduction more where a cut is expected.
    REDUCTION_CUT = 90 in 0..=192;
    /// The reduction more where the evaluation has not improved.
    REDUCTION_NOT_IMPROVING = 48 in 0..=192;
    /// The reduction less for a threat that follows a threat.
    REDUCTION_ATTACK = 48 in 0..=192;
    /// The history that is worth one ply of reduction.
    HISTORY_PLY = 9000 in 2000..=32000;
    /// The reduction of depth where the principal variation has no move from the table.
    NO_MOVE_REDUCTION = 24 in 0..=128;
    /// The first aspiration window to each side.
    ASPIRATION = 20 in 4..=200;
    /// The depth in plies from which windows are used.
    ASPIRATION_DEPTH = 5 in 2..=10;
    /// The weight of the opponent's interest in a cell against one's own, in 64ths.
    ORDER_DEFENCE = 44 in 16..=96;
    /// The divisor of history in move ordering.
    ORDER_HISTORY = 96 in 16..=512;
    /// What a counter-move is worth in ordering.
    ORDER_COUNTER = 30 in 0..=200;
    /// What a killer is worth in ordering.
    ORDER_KILLER = 24 in 0..=200;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinct() {
        let mut names: Vec<_> = ALL.iter().map(|p| p.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ALL.len());
    }
}
