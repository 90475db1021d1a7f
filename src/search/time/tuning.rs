//! The numbers of time management, each declared once with its bounds.

/// Declares [`TimeParams`] and its default, which is within the bounds of the list.
macro_rules! time_params {
    ($($(#[$doc:meta])* $name:ident = $value:literal in $least:literal..=$most:literal;)*) => {
        /// Every number that shapes how time is used; see each field.
        #[derive(Clone, Copy, PartialEq, Debug)]
        pub struct TimeParams {
            $($(#[$doc])* pub $name: f64,)*
        }

        impl TimeParams {
            /// The values in use.
            pub const DEFAULT: TimeParams = TimeParams { $($name: $value,)* };
        }

        // A NaN or a default outside its bounds fails to compile.
        const _: () = assert!(true $(&& $value >= $least && $value <= $most)*);
    };
}

time_params! {
    /// One move may use the time left divided by this.
    hard_moves = 7.0 in 2.0..=20.0;
    /// One move should use the time left divided by this.
    soft_moves = 14.0 in 5.0..=60.0;
    /// The match clock does not matter if it allows this many more moves at the turn limit: most
    /// games are decided sooner, and what was saved is lost.
    ample_moves = 12.0 in 5.0..=150.0;
    /// The part of the hard limit after which no iteration is begun.
    soft_share = 0.9 in 0.5..=1.0;
    /// The part of the time left that no single move exceeds.
    single_move_share = 0.5 in 0.1..=0.5;
    /// How many future moves have their overhead set aside from the time left.
    overhead_moves = 200.0 in 0.0..=200.0;
    /// How many times the reserve is kept of the time left, half of it at most: in a long game a
    /// moment in which the machine does something else shall not cost the game.
    mishap_reserves = 10.0 in 0.0..=50.0;
    /// The part of the time left that is used even if overhead would eat it all.
    usable_least = 0.02 in 0.005..=0.5;
    /// The part of the increment that is used at once.
    increment_share = 0.75 in 0.0..=0.95;
    /// The hard limit divided by this, times the importance of the move, bounds the soft limit.
    turn_divisor = 1.2 in 1.0..=4.0;
    /// The number of stones around which moves become less important.
    importance_center = 50.0 in 10.0..=120.0;
    /// How gradually that happens, in stones.
    importance_width = 8.0 in 2.0..=40.0;
    /// How much less important they become.
    importance_power = 0.08 in 0.0..=0.5;
    /// How much more important the first move is.
    opening_bonus = 0.1 in 0.0..=1.0;
    /// How fast that fades with every stone.
    opening_decay = 0.04 in 0.0..=0.5;
    /// The part of the soft limit used when the score is steady.
    falling_base = 0.95 in 0.2..=1.0;
    /// What every unit of score lost adds to that part.
    falling_slope = 0.0032 in 0.0..=0.02;
    /// The least such part, when the score rises.
    falling_least = 0.8 in 0.1..=1.0;
    /// The largest such part, when the score falls.
    falling_most = 1.8 in 1.0..=3.0;
    /// An iteration is begun if it is expected to end before so many times the hard limit: what a
    /// cut-off one found is of use.
    overrun = 1.7 in 1.0..=10.0;
    /// How much every iteration with the same best move shortens the search.
    stability_step = 0.0125 in 0.0..=0.1;
    /// How much every recent change of the best move lengthens it.
    instability_weight = 2.0 in 0.0..=5.0;
    /// The hard limit divided by this ends an iteration of depth 0.
    depth_base = 1.05 in 1.0..=3.0;
    /// How much more the divisor is for deeper iterations.
    depth_slope = 0.0015 in 0.0..=0.1;
    /// The power of the depth that this is multiplied by.
    depth_power = 1.4 in 0.5..=2.0;
    /// The least factor between the times of two iterations that is believed.
    growth_least = 1.2 in 1.0..=2.0;
    /// The largest.
    growth_most = 6.0 in 2.0..=20.0;
}
