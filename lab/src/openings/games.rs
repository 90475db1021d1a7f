//! Openings chosen by games, which the engine plays against itself.
//!
//! From a candidate a number of games is played at each of two strengths, in nodes a move. It is kept if at both
//! strengths each colour wins a share of the games. Draws count for neither: an opening that is drawn whoever plays
//! tells engines apart no better than one that black always wins.
//!
//! # What so few games tell
//!
//! If nothing is drawn and black wins a game with probability *p*, the games of a strength that black wins are
//! binomially distributed. Of 10 games with a share of 30 %, black has to win 3 to 7; the chance to be kept is
//!
//! | *p* | at one strength | at both |
//! | --- | --- | --- |
//! | 0.5 | 0.89 | 0.79 |
//! | 0.6 | 0.82 | 0.67 |
//! | 0.7 | 0.62 | 0.38 |
//! | 0.8 | 0.32 | 0.10 |
//! | 0.9 | 0.07 | 0.005 |
//! | 0.95 | 0.01 | 0.0001 |
//!
//! so two strengths of 10 games each keep out what a colour wins nearly always, and let pass most of what is even.
//! They do not measure *p*: one of ten that black wins with 0.8 is kept too.

use std::fmt;
use std::ops::AddAssign;
use std::str::FromStr;

use super::options::{OpeningOptionsError, OptionNameError};
use crate::stats::{PlayerResult, Trinomial};
use tengen_core::rng::SplitMix64;
use tengen_core::types::Point;
use tengen_files::work::Stop;

/// The largest number of games of a strength.
const MOST_GAMES: u8 = 200;

/// Plays games from openings, on the board and under the rule that it was made for.
///
/// The result depends on the question alone, not on earlier ones.
pub trait Contest {
    /// Plays a game of the engine against itself from an opening and returns black's result.
    ///
    /// Returns `None` if `stop` is set before a move, or if no game can begin with the stones.
    fn play(&mut self, stones: &[Point], game: GameVariety, stop: &Stop) -> Option<PlayerResult>;
}

/// What makes a game another one than others from the same opening.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameVariety {
    /// The nodes searched for a move.
    pub nodes: u64,
    /// The start of the random numbers, which choose where a second best move is played.
    pub seed: u64,
}

/// The two strengths of games, in nodes a move: the smaller one first, since it rejects most.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameNodes(pub [u64; 2]);

impl fmt::Display for GameNodes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.0[0], self.0[1])
    }
}

impl FromStr for GameNodes {
    type Err = OptionNameError;

    /// Reads `3000,12000`.
    fn from_str(text: &str) -> Result<GameNodes, OptionNameError> {
        let fault =
            OptionNameError("two numbers of nodes such as 3000,12000, the smaller one first");
        let number = |text: &str| {
            let digits = text.bytes().all(|b| b.is_ascii_digit());
            text.parse::<u64>().ok().filter(|&n| digits && n > 0).ok_or(fault)
        };
        let (least, most) = text.split_once(',').ok_or(fault)?;
        let nodes = [number(least)?, number(most)?];
        if nodes[0] <= nodes[1] { Ok(GameNodes(nodes)) } else { Err(fault) }
    }
}

/// The games that a candidate has to stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ByGames {
    /// The number of games at each strength.
    pub games: u8,
    /// The strengths.
    pub nodes: GameNodes,
    /// The share of the games that each colour has to win, in per cent.
    pub share: u8,
}

impl ByGames {
    /// Returns what is usual for a number of games.
    #[must_use]
    pub const fn new(games: u8) -> ByGames {
        ByGames { games, nodes: GameNodes([3000, 12_000]), share: 30 }
    }

    /// Returns the number of games of a strength that each colour has to win.
    #[must_use]
    pub fn least_wins(&self) -> u64 {
        (u64::from(self.games) * u64::from(self.share)).div_ceil(100).max(1)
    }

    /// Checks that a candidate can stand the games.
    pub(super) fn check(&self) -> Result<(), OpeningOptionsError> {
        if !(2..=MOST_GAMES).contains(&self.games) {
            return Err(OpeningOptionsError::Games { most: MOST_GAMES });
        }
        if self.nodes.0.contains(&0) {
            return Err(OpeningOptionsError::Nodes);
        }
        if 2 * self.least_wins() > u64::from(self.games) {
            return Err(OpeningOptionsError::Share { games: self.games });
        }
        Ok(())
    }

    /// Returns whether a colour can't get its share of the games any more.
    fn is_decided_against(&self, games: &Trinomial) -> bool {
        let left = u64::from(self.games) - games.games();
        games.wins().min(games.losses()) + left < self.least_wins()
    }
}

impl fmt::Display for ByGames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ByGames { games, nodes, share } = self;
        write!(f, "{games} of {nodes} nodes, {share} %")
    }
}

/// How candidates fared in the games of one strength.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct StrengthTrials {
    /// The candidates that passed.
    pub passed: u64,
    /// The candidates that were rejected because black won too often.
    pub black: u64,
    /// The candidates that were rejected because white won too often.
    pub white: u64,
    /// The candidates that were rejected because too many games were drawn.
    pub drawn: u64,
    /// The games that were played.
    pub games: u64,
    /// The games of those that passed, with black's results.
    pub passed_games: Trinomial,
}

impl StrengthTrials {
    /// Returns the number of candidates.
    #[must_use]
    pub const fn tried(&self) -> u64 {
        self.passed + self.black + self.white + self.drawn
    }

    /// Counts a candidate with its games.
    fn add(&mut self, games: &Trinomial, has_passed: bool) {
        self.games += games.games();
        let (wins, losses, draws) = (games.wins(), games.losses(), games.draws());
        match () {
            () if has_passed => {
                self.passed += 1;
                self.passed_games += *games;
            }
            () if wins > losses.max(draws) => self.black += 1,
            () if losses > draws => self.white += 1,
            () => self.drawn += 1,
        }
    }
}

impl AddAssign for StrengthTrials {
    fn add_assign(&mut self, other: StrengthTrials) {
        self.passed += other.passed;
        self.black += other.black;
        self.white += other.white;
        self.drawn += other.drawn;
        self.games += other.games;
        self.passed_games += other.passed_games;
    }
}

/// How candidates fared in games, at the smaller strength and at the larger one.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Trials(pub [StrengthTrials; 2]);

impl AddAssign for Trials {
    fn add_assign(&mut self, other: Trials) {
        self.0.iter_mut().zip(other.0).for_each(|(sum, more)| *sum += more);
    }
}

/// Plays the games from a candidate until it is clear whether it is kept, which is returned and counted.
///
/// Returns `None` if `stop` is set before that.
pub(super) fn stands<C: Contest>(
    terms: &ByGames,
    seed: u64,
    stones: &[Point],
    contest: &mut C,
    trials: &mut Trials,
    stop: &Stop,
) -> Option<bool> {
    for (strength, nodes) in terms.nodes.0.into_iter().enumerate() {
        let mut games = Trinomial::default();
        while games.games() < u64::from(terms.games) && !terms.is_decided_against(&games) {
            let mut rng = game_stream(seed, stones, strength, games.games());
            let variety = GameVariety { nodes: varied(nodes, &mut rng), seed: rng.next_u64() };
            games.add_game(contest.play(stones, variety, stop)?);
        }
        let has_passed = !terms.is_decided_against(&games);
        trials.0[strength].add(&games, has_passed);
        if !has_passed {
            return Some(false);
        }
    }
    Some(true)
}

/// Returns the random numbers of a game, which depend on nothing but the seed, the opening, the strength and
/// the number of the game.
fn game_stream(seed: u64, stones: &[Point], strength: usize, game: u64) -> SplitMix64 {
    let parts = stones.iter().map(|stone| stone.index() as u64).chain([strength as u64, game]);
    SplitMix64::new(parts.fold(seed, |seed, part| SplitMix64::new(seed).next_u64() ^ part))
}

/// Returns a number of nodes that is at most a quarter from the one asked for. Searches of one number of nodes give
/// the same moves wherever the random numbers of a game let them, and the games would be alike.
fn varied(nodes: u64, rng: &mut SplitMix64) -> u64 {
    let reach = nodes / 4;
    let range = usize::try_from(2 * reach + 1).unwrap_or(usize::MAX);
    (nodes - reach).saturating_add(rng.below(range) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tengen_core::types::Size;

    /// Gives results in a row, again and again.
    struct Row {
        results: Vec<PlayerResult>,
        asked: Vec<u64>,
        stops_after: usize,
    }

    impl Row {
        fn new(text: &str) -> Row {
            let result = |letter| match letter {
                'b' => PlayerResult::Win,
                'w' => PlayerResult::Loss,
                _ => PlayerResult::Draw,
            };
            let results = text.chars().map(result).collect();
            Row { results, asked: Vec::new(), stops_after: usize::MAX }
        }
    }

    impl Contest for Row {
        fn play(&mut self, _: &[Point], game: GameVariety, stop: &Stop) -> Option<PlayerResult> {
            if self.asked.len() == self.stops_after {
                stop.request();
                return None;
            }
            self.asked.push(game.nodes);
            Some(self.results[(self.asked.len() - 1) % self.results.len()])
        }
    }

    fn played(terms: &ByGames, row: &mut Row) -> (Option<bool>, Trials) {
        let (stones, mut trials) = ([Size::DEFAULT.center()], Trials::default());
        let kept = stands(terms, 1, &stones, row, &mut trials, &Stop::new());
        (kept, trials)
    }

    #[test]
    fn a_candidate_is_rejected_as_soon_as_a_colour_cannot_win_its_share() {
        // Of 10 games each colour has to win 3.
        let terms = ByGames::new(10);
        assert_eq!(terms.least_wins(), 3);
        for (results, games, cause) in [
            ("b", 8, [1, 0, 0]),
            ("w", 8, [0, 1, 0]),
            ("d", 8, [0, 0, 1]),
            ("wbbbbbbbb", 9, [1, 0, 0]),
            ("wwbbbbbbbb", 10, [1, 0, 0]),
            ("bbwdddddwd", 8 + 2, [0, 0, 1]),
        ] {
            let mut row = Row::new(results);
            let (kept, trials) = played(&terms, &mut row);
            assert_eq!(kept, Some(false), "{results}");
            assert_eq!(row.asked.len(), games, "{results}");
            let [first, second] = trials.0;
            assert_eq!([first.black, first.white, first.drawn], cause, "{results}");
            assert_eq!((first.tried(), first.games, first.passed), (1, games as u64, 0));
            assert_eq!(second, StrengthTrials::default(), "the larger strength is not played");
        }
    }

    #[test]
    fn both_strengths_have_to_be_stood() {
        let terms = ByGames::new(10);
        let (kept, trials) = played(&terms, &mut Row::new("bwbwbwbdww"));
        assert_eq!(kept, Some(true));
        for strength in trials.0 {
            assert_eq!((strength.passed, strength.games), (1, 10));
            assert_eq!(strength.passed_games, Trinomial::new(5, 1, 4));
        }
        let (kept, trials) = played(&terms, &mut Row::new("bwbwbwbwbwbbbbbbbb"));
        assert_eq!(kept, Some(false));
        let [first, second] = trials.0;
        assert_eq!((first.passed, first.games), (1, 10));
        assert_eq!((second.tried(), second.black, second.games), (1, 1, 8));
    }

    #[test]
    fn games_have_nodes_of_their_own_around_those_of_the_strength() {
        let terms = ByGames { nodes: GameNodes([400, 4000]), ..ByGames::new(100) };
        let mut row = Row::new("bw");
        played(&terms, &mut row);
        let (few, many) = row.asked.split_at(100);
        for (asked, nodes) in [(few, 400), (many, 4000)] {
            let (least, most) = (asked.iter().min().unwrap(), asked.iter().max().unwrap());
            assert!((nodes * 3 / 4..nodes * 4 / 5).contains(least), "{least}");
            assert!((nodes * 6 / 5..=nodes * 5 / 4).contains(most), "{most}");
        }
        let mut again = Row::new("bw");
        played(&terms, &mut again);
        assert_eq!(again.asked, row.asked);
        // Nothing is there to vary, and nothing overflows.
        assert_eq!(varied(1, &mut SplitMix64::new(1)), 1);
        assert!(varied(u64::MAX, &mut SplitMix64::new(1)) > u64::MAX / 2);
    }

    #[test]
    fn what_is_stopped_is_neither_kept_nor_counted() {
        let mut row = Row { stops_after: 5, ..Row::new("bw") };
        assert_eq!(played(&ByGames::new(10), &mut row), (None, Trials::default()));
    }

    #[test]
    fn strengths_lead_back_to_their_text() {
        for text in ["3000,12000", "1,1"] {
            assert_eq!(text.parse::<GameNodes>().unwrap().to_string(), text);
        }
        for text in ["", "3000", "12000,3000", "0,5", "3,", ",3", "1,2,3", "+1,2", "1, 2", "a,b"] {
            assert!(text.parse::<GameNodes>().is_err(), "{text:?}");
        }
    }

    proptest! {
        /// Ending early must not change what all games would have said.
        #[test]
        fn the_verdict_is_that_of_all_games(
            results in "[bwd]{1,24}",
            games in 2_u8..25,
            share in 1_u8..=50,
        ) {
            let terms = ByGames { share, ..ByGames::new(games) };
            prop_assume!(terms.check().is_ok());
            let mut row = Row::new(&results);
            let (kept, trials) = played(&terms, &mut row);
            let all: Vec<char> = results.chars().cycle().take(usize::from(games)).collect();
            let count = |letter| all.iter().filter(|&&other| other == letter).count() as u64;
            let passes = count('b').min(count('w')) >= terms.least_wins();
            prop_assert_eq!(trials.0[0].passed, u64::from(passes));
            prop_assert!(passes || kept == Some(false));
        }
    }
}
