//! The options of openings.

use std::fmt;
use std::str::FromStr;

use super::games::ByGames;
use super::text::OpeningFormat;
use tengen_core::rules::Rule;
use tengen_core::types::{Score, Size};

/// The largest number of random stones.
const MOST_STONES: u8 = 20;
/// The name of the games among the fields of a state, which had none of it before there were any.
pub(super) const BY_GAMES: &str = "by-games";
/// What is written there if openings are not chosen by games.
pub(super) const NO_GAMES: &str = "none";
/// The largest transposition table of a thread, in mebibytes.
const MOST_HASH: u32 = 65_536;

/// The number of random stones of an opening: each number from `least` to `most` equally often.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StoneCount {
    /// The smallest number.
    pub least: u8,
    /// The largest number.
    pub most: u8,
}

impl fmt::Display for StoneCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.least, self.most) {
            (least, most) if least == most => write!(f, "{least}"),
            (least, most) => write!(f, "{least}-{most}"),
        }
    }
}

impl FromStr for StoneCount {
    type Err = OptionNameError;

    /// Reads `4` or `3-6`.
    fn from_str(text: &str) -> Result<StoneCount, OptionNameError> {
        let number = |text: &str| {
            let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
            let number = text.parse::<u8>().ok().filter(|_| digits);
            let allowed = number.filter(|n| (1..=MOST_STONES).contains(n));
            allowed.ok_or(OptionNameError("a number from 1 to 20 or a range such as 3-6"))
        };
        let (least, most) = text.split_once('-').unwrap_or((text, text));
        let count = StoneCount { least: number(least)?, most: number(most)? };
        if count.least > count.most {
            return Err(OptionNameError("a range such as 3-6, the smaller number first"));
        }
        Ok(count)
    }
}

/// The number of stones placed by search to balance the random ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Balancing {
    /// One stone.
    One,
    /// Two stones, one of each colour.
    Two,
    /// One stone, or two if no single one will do.
    OneOrTwo,
}

impl Balancing {
    /// Returns the numbers of stones in the order in which they are tried.
    #[must_use]
    pub const fn counts(self) -> &'static [usize] {
        match self {
            Balancing::One => &[1],
            Balancing::Two => &[2],
            Balancing::OneOrTwo => &[1, 2],
        }
    }
}

impl fmt::Display for Balancing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Balancing::One => "1",
            Balancing::Two => "2",
            Balancing::OneOrTwo => "1-2",
        })
    }
}

impl FromStr for Balancing {
    type Err = OptionNameError;

    /// Reads `1`, `2` or `1-2`.
    fn from_str(text: &str) -> Result<Balancing, OptionNameError> {
        match text {
            "1" => Ok(Balancing::One),
            "2" => Ok(Balancing::Two),
            "1-2" => Ok(Balancing::OneOrTwo),
            _ => Err(OptionNameError("1, 2 or 1-2")),
        }
    }
}

/// A text that is not a value of an option; it holds what would be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("it is not {0}")]
pub struct OptionNameError(pub(super) &'static str);

/// Everything that decides which opening has which number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpeningOptions {
    /// The rule.
    pub rule: Rule,
    /// The size of the board.
    pub size: Size,
    /// The form in which openings are written.
    pub format: OpeningFormat,
    /// The start of the random numbers.
    pub seed: u64,
    /// The number of random stones.
    pub stones: StoneCount,
    /// The edge of the box in which the random stones stand, in cells.
    pub area: u8,
    /// The least distance of the box from the edge of the board, in cells.
    pub margin: u8,
    /// The number of stones placed by search.
    pub balancing: Balancing,
    /// The nodes searched for one such stone; for two together it is six times as many.
    pub nodes: u64,
    /// The nodes of the search that has the last word.
    pub check_nodes: u64,
    /// The farthest from 0 that the score of an opening may be, in the engine's units.
    pub window: i32,
    /// The size of a thread's transposition table, in mebibytes. It bears on what a search finds.
    pub hash: u32,
    /// The games that choose among balanced openings; without them all are kept.
    pub by_games: Option<ByGames>,
}

impl OpeningOptions {
    /// Returns what is good for a rule and size.
    #[must_use]
    pub fn new(rule: Rule, size: Size) -> OpeningOptions {
        let edge = size.width().min(size.height());
        // Large boards have room for looser openings, and black's advantage in freestyle asks for
        // them. In renju many stones on little room bring forbidden points into play too early.
        let (area, stones) = match rule {
            Rule::Freestyle if edge >= 17 => (6, StoneCount { least: 3, most: 6 }),
            Rule::Renju => (5, StoneCount { least: 3, most: 5 }),
            _ => (5, StoneCount { least: 3, most: 6 }),
        };
        let area = area.min(edge);
        OpeningOptions {
            rule,
            size,
            format: OpeningFormat::Pos,
            seed: 0,
            stones,
            area,
            margin: ((edge - area) / 2).min(2),
            balancing: Balancing::OneOrTwo,
            nodes: 50_000,
            check_nodes: 500_000,
            window: 50,
            hash: 16,
            by_games: None,
        }
    }

    /// Checks that openings can be made with these options.
    ///
    /// # Errors
    ///
    /// Returns the first contradiction found.
    pub fn check(&self) -> Result<(), OpeningOptionsError> {
        let edge = self.size.width().min(self.size.height());
        let StoneCount { least, most } = self.stones;
        if least == 0 || least > most || most > MOST_STONES {
            return Err(OpeningOptionsError::Stones);
        }
        if self.area == 0 || self.area > edge {
            return Err(OpeningOptionsError::AreaOnBoard { area: self.area, edge });
        }
        if u16::from(self.margin) * 2 + u16::from(self.area) > u16::from(edge) {
            return Err(OpeningOptionsError::MarginOnBoard {
                area: self.area,
                margin: self.margin,
                edge,
            });
        }
        if usize::from(most) * 2 > usize::from(self.area).pow(2) {
            return Err(OpeningOptionsError::StonesInArea { most, area: self.area });
        }
        if !(0..Score::DECISIVE.raw()).contains(&self.window) {
            return Err(OpeningOptionsError::Window);
        }
        if self.nodes == 0 || self.check_nodes == 0 {
            return Err(OpeningOptionsError::Nodes);
        }
        if !(1..=MOST_HASH).contains(&self.hash) {
            return Err(OpeningOptionsError::Hash);
        }
        self.by_games.map_or(Ok(()), |terms| terms.check())
    }

    /// Returns whether a score, for whichever side, is balanced.
    #[must_use]
    pub fn is_balanced(&self, score: Score) -> bool {
        score.raw().abs() <= self.window
    }

    /// Returns all options as text, by the names that they have on the command line, and what else
    /// the openings depend on.
    pub(super) fn fields(&self) -> [(&'static str, String); 14] {
        [
            ("version", env!("CARGO_PKG_VERSION").to_owned()),
            ("rule", self.rule.to_string()),
            ("size", self.size.to_string()),
            ("format", self.format.to_string()),
            ("seed", self.seed.to_string()),
            ("stones", self.stones.to_string()),
            ("box", self.area.to_string()),
            ("margin", self.margin.to_string()),
            ("balance", self.balancing.to_string()),
            ("nodes", self.nodes.to_string()),
            ("check-nodes", self.check_nodes.to_string()),
            ("window", self.window.to_string()),
            ("hash", self.hash.to_string()),
            (
                BY_GAMES,
                self.by_games.map_or_else(|| NO_GAMES.to_owned(), |terms| terms.to_string()),
            ),
        ]
    }
}

/// A contradiction between options, or with the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OpeningOptionsError {
    /// The number of stones is 0, too large, or a range from a larger to a smaller number.
    #[error("an opening has from 1 to {MOST_STONES} stones")]
    Stones,
    /// The box is empty or does not fit on the board.
    #[error("a box of {area} cells does not fit on a board with an edge of {edge}")]
    AreaOnBoard {
        /// The edge of the box.
        area: u8,
        /// The shorter edge of the board.
        edge: u8,
    },
    /// The box with its margins does not fit on the board.
    #[error(
        "a box of {area} cells with margins of {margin} does not fit on a board with an edge of \
         {edge}"
    )]
    MarginOnBoard {
        /// The edge of the box.
        area: u8,
        /// The margin.
        margin: u8,
        /// The shorter edge of the board.
        edge: u8,
    },
    /// The stones would fill more than half of the box.
    #[error("{most} stones fill more than half of a box of {area} by {area} cells")]
    StonesInArea {
        /// The largest number of stones.
        most: u8,
        /// The edge of the box.
        area: u8,
    },
    /// The window is negative or would hold proven wins.
    #[error("the window goes from 0 to {}", Score::DECISIVE.raw() - 1)]
    Window,
    /// A node limit is 0.
    #[error("a search needs at least one node")]
    Nodes,
    /// The table is empty or too large.
    #[error("a table has from 1 to {MOST_HASH} mebibytes")]
    Hash,
    /// There are too few or too many games of a strength.
    #[error("openings are chosen by 2 to {most} games of a strength")]
    Games {
        /// The largest number.
        most: u8,
    },
    /// Both colours can't win as many games.
    #[error("of {games} games both colours can't win such a share")]
    Share {
        /// The number of games.
        games: u8,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openings::games::GameNodes;
    use tengen_core::types::{MAX_EDGE, MIN_EDGE};

    fn usual() -> OpeningOptions {
        OpeningOptions::new(Rule::Standard, Size::square(15).unwrap())
    }

    #[test]
    fn the_usual_options_fit_every_board() {
        for rule in Rule::ALL {
            for width in MIN_EDGE..=MAX_EDGE {
                for height in [MIN_EDGE, 9, 15, MAX_EDGE] {
                    let size = Size::new(width.into(), height.into()).unwrap();
                    let options = OpeningOptions::new(rule, size);
                    assert_eq!(options.check(), Ok(()), "{rule} {size}");
                }
            }
        }
    }

    #[test]
    fn contradictions_are_found() {
        let fault = |change: &dyn Fn(&mut OpeningOptions)| {
            let mut options = usual();
            change(&mut options);
            options.check().unwrap_err()
        };
        assert_eq!(fault(&|o| o.stones.least = 0), OpeningOptionsError::Stones);
        assert_eq!(fault(&|o| o.stones.least = 7), OpeningOptionsError::Stones);
        assert_eq!(fault(&|o| o.stones.most = 21), OpeningOptionsError::Stones);
        assert_eq!(
            fault(&|o| o.area = 16),
            OpeningOptionsError::AreaOnBoard { area: 16, edge: 15 }
        );
        assert_eq!(fault(&|o| o.area = 0), OpeningOptionsError::AreaOnBoard { area: 0, edge: 15 });
        assert_eq!(
            fault(&|o| o.margin = 6),
            OpeningOptionsError::MarginOnBoard { area: 5, margin: 6, edge: 15 }
        );
        assert_eq!(fault(&|o| o.margin = 255), {
            OpeningOptionsError::MarginOnBoard { area: 5, margin: 255, edge: 15 }
        });
        assert_eq!(
            fault(&|o| o.stones.most = 13),
            OpeningOptionsError::StonesInArea { most: 13, area: 5 }
        );
        assert_eq!(fault(&|o| o.window = -1), OpeningOptionsError::Window);
        assert_eq!(fault(&|o| o.window = 29_000), OpeningOptionsError::Window);
        assert_eq!(fault(&|o| o.nodes = 0), OpeningOptionsError::Nodes);
        assert_eq!(fault(&|o| o.check_nodes = 0), OpeningOptionsError::Nodes);
        assert_eq!(fault(&|o| o.hash = 0), OpeningOptionsError::Hash);
        let games = |terms: ByGames| fault(&|o| o.by_games = Some(terms));
        for number in [0, 1, 201] {
            assert_eq!(games(ByGames::new(number)), OpeningOptionsError::Games { most: 200 });
        }
        for (number, share) in [(5, 41), (8, 51), (2, 100)] {
            let terms = ByGames { share, ..ByGames::new(number) };
            assert_eq!(games(terms), OpeningOptionsError::Share { games: number });
        }
        let terms = ByGames { nodes: GameNodes([0, 10]), ..ByGames::new(8) };
        assert_eq!(games(terms), OpeningOptionsError::Nodes);
    }

    #[test]
    fn every_number_of_games_can_be_stood_with_the_usual_share() {
        for games in 2..=200 {
            let options = OpeningOptions { by_games: Some(ByGames::new(games)), ..usual() };
            assert_eq!(options.check(), Ok(()), "{games}");
        }
    }

    #[test]
    fn numbers_of_stones_lead_back_to_their_text() {
        for text in ["1", "4", "3-6", "20"] {
            assert_eq!(text.parse::<StoneCount>().unwrap().to_string(), text);
        }
        assert_eq!("4-4".parse::<StoneCount>().unwrap().to_string(), "4");
        for text in ["", "0", "21", "6-3", "-3", "3-", "3-4-5", "+3", " 3", "three", "256", "0-3"] {
            assert!(text.parse::<StoneCount>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn balancings_lead_back_to_their_text() {
        for balancing in [Balancing::One, Balancing::Two, Balancing::OneOrTwo] {
            assert_eq!(balancing.to_string().parse(), Ok(balancing));
        }
        for text in ["", "0", "3", "2-1", "one"] {
            assert!(text.parse::<Balancing>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn every_option_shows_in_the_fields() {
        let before = usual().fields();
        let changes: [&dyn Fn(&mut OpeningOptions); 13] = [
            &|o| o.rule = Rule::Caro,
            &|o| o.size = Size::square(20).unwrap(),
            &|o| o.format = OpeningFormat::Offset,
            &|o| o.seed = 1,
            &|o| o.stones.most = 7,
            &|o| o.area = 6,
            &|o| o.margin = 1,
            &|o| o.balancing = Balancing::Two,
            &|o| o.nodes = 7,
            &|o| o.check_nodes = 7,
            &|o| o.window = 7,
            &|o| o.hash = 7,
            &|o| o.by_games = Some(ByGames::new(8)),
        ];
        for (i, change) in changes.iter().enumerate() {
            let mut options = usual();
            change(&mut options);
            let after = options.fields();
            for (j, (old, new)) in before.iter().zip(&after).enumerate() {
                assert_eq!(old.0, new.0);
                assert_eq!(old.1 == new.1, j != i + 1, "{} {}", old.0, new.1);
            }
        }
    }

    #[test]
    fn only_scores_inside_the_window_are_balanced() {
        let options = usual();
        for (score, balanced) in [(0, true), (50, true), (-50, true), (51, false), (-51, false)] {
            assert_eq!(options.is_balanced(Score::eval(score)), balanced, "{score}");
        }
        assert!(!options.is_balanced(Score::WIN) && !options.is_balanced(-Score::WIN));
    }
}
