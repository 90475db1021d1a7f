//! The time management parameters, each declared once with its bounds.

/// Declares [`TimeParams`] and its default, which is within the bounds of the list.
macro_rules! time_params {
    ($($(#[$doc:meta])* $name:ident = $value:literal in $least:literal..=$most:literal;)*) => {
        /// The parameters of time management; see each field.
        #[derive(Clone, Copy, PartialEq, Debug)]
        pub struct TimeParams {
            $($(#[$doc])* pub $name: f64,)*
        }

        impl TimeParams {
            /// The default values.
            pub const DEFAULT: TimeParams = TimeParams { $($name: $value,)* };
        }

        // A NaN or a default outside its bounds fails to compile.
        const _: () = assert!(true $(&& $value >= $least && $value <= $most)*);
    };
}

time_params! {
    /// The divisor of the time left that gives the maximum time of a move.
    maximum_moves = 7.0 in 2.0..=20.0;
    /// The divisor of the time left that gives the optimum time of a move.
    optimum_moves = 14.0 in 5.0..=60.0;
    /// The number of moves at the turn limit for which a match clock is ample and is ignored: most
    /// games are decided sooner, and saved time would be lost.
    ample_moves = 12.0 in 5.0..=150.0;
    /// The fraction of the maximum time after which no iteration is started.
    optimum_share = 0.9 in 0.5..=1.0;
    /// The fraction of the time left that no single move exceeds.
    single_move_share = 0.5 in 0.1..=0.5;
    /// The largest number of future moves whose overhead is reserved from the time left.
    overhead_moves = 200.0 in 0.0..=200.0;
    /// The reserve for mishaps, in multiples of the move overhead and at most half of the time
    /// left, so that a short stall of the machine does not lose a long game.
    mishap_reserves = 10.0 in 0.0..=50.0;
    /// The least fraction of the time left that can be used, whatever the overhead.
    usable_least = 0.02 in 0.005..=0.5;
    /// The fraction of the increment that is used at once.
    increment_share = 0.75 in 0.0..=0.95;
    /// The divisor of the maximum time that, times the importance of the move, bounds the optimum
    /// time.
    turn_divisor = 1.2 in 1.0..=4.0;
    /// The number of stones around which the importance of moves drops.
    importance_center = 50.0 in 10.0..=120.0;
    /// The width of that drop, in stones.
    importance_width = 8.0 in 2.0..=40.0;
    /// The power that scales that drop.
    importance_power = 0.08 in 0.0..=0.5;
    /// The extra importance of the first move.
    opening_bonus = 0.1 in 0.0..=1.0;
    /// The decay of that extra importance with every stone.
    opening_decay = 0.04 in 0.0..=0.5;
    /// The factor of the optimum time when the score is steady.
    falling_base = 0.95 in 0.2..=1.0;
    /// The increase of that factor per unit of score lost.
    falling_slope = 0.0032 in 0.0..=0.02;
    /// The smallest such factor, when the score rises.
    falling_least = 0.8 in 0.1..=1.0;
    /// The largest such factor, when the score falls.
    falling_most = 1.8 in 1.0..=3.0;
    /// The multiple of the maximum time within which an iteration must be expected to end to be
    /// started; even an incomplete iteration is of use.
    overrun = 1.7 in 1.0..=10.0;
    /// The shortening of the search by every iteration with the same best move.
    stability_step = 0.0125 in 0.0..=0.1;
    /// The lengthening of the search by every recent change of the best move.
    instability_weight = 2.0 in 0.0..=5.0;
    /// The divisor of the maximum time that stops the search after an iteration, at depth 0.
    depth_base = 1.05 in 1.0..=3.0;
    /// The increase of that divisor with the depth.
    depth_slope = 0.0015 in 0.0..=0.1;
    /// The power of the depth that this increase is proportional to.
    depth_power = 1.4 in 0.5..=2.0;
    /// The smallest ratio of the durations of two iterations that is assumed.
    growth_least = 1.2 in 1.0..=2.0;
    /// The largest ratio of the durations of two iterations that is assumed.
    growth_most = 6.0 in 2.0..=20.0;
}
