//! The options of games.

use std::fmt;

use crate::openings::StoneCount;
use tengen_core::eval::classical::Weights;
use tengen_core::rules::Rule;
use tengen_core::types::{Score, Size};

/// The number of the way in which options become games. Where a change of this module makes other
/// games of the same options, a corpus begun before must not be continued, so the number grows.
/// Changes of the search or of its evaluation are noticed by themselves.
pub const PROCEDURE: u16 = 3;
/// The earlier way that corpora may still be read, and continued, in: no draws are adjudicated, and all that a
/// search evaluates may be a leaf.
pub const EARLIER_PROCEDURE: u16 = 2;

/// The largest number of random stones.
const MOST_STONES: u8 = 20;
/// The largest distance of random stones from each other.
const MOST_REACH: u8 = 8;
/// The usual nodes of a search: few enough for tens of games a second, enough to
/// see through the tactics that decide most of them.
const USUAL_NODES: u64 = 800;
/// The usual score beyond which an opening is too uneven. With it and with the usual
/// number of stones each colour wins between 40 and 60 % of the games under every rule.
const USUAL_WINDOW: i32 = 60;
/// The usual number of random stones of an opening. Few stones favour black, as the empty board
/// does.
const USUAL_STONES: StoneCount = StoneCount { least: 2, most: 12 };
/// The usual plies of a game in which the second best move has a chance.
const USUAL_VARIETY_PLIES: u8 = 4;
/// The usual score that the second best move may lose: a chance of winning of 2 or 3 %.
const USUAL_VARIETY_MARGIN: i32 = 20;

/// The usual distance from 0 of the scores of a game that is drawn by adjudication.
const USUAL_DRAW_SCORE: i32 = 25;
/// The usual number of moves in a row with such scores.
const USUAL_DRAW_MOVES: u8 = 10;

/// The most positions that are kept of the search for a move.
pub(in crate::tuning) const MOST_LEAVES: u8 = 8;
/// The usual number of positions kept of the search for a move: those of one game are alike, and to
/// judge more takes longer than to play more games.
const USUAL_LEAVES: u8 = 1;
/// The usual nodes of the search that judges each of them: more than a move gets,
/// because there is no result that would put an error right.
const USUAL_LEAF_NODES: u64 = 2000;

/// Everything that decides which game has which number, but for the engine itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SelfPlayOptions {
    /// The rule.
    pub rule: Rule,
    /// The size of the board.
    pub size: Size,
    /// The start of the random numbers.
    pub seed: u64,
    /// The nodes searched for a move.
    pub nodes: u64,
    /// The number of random stones, each of the range equally often.
    pub stones: StoneCount,
    /// The farthest from the centre that the first random stone may be, in cells (king moves): each
    /// distance from 0 on is equally likely, and so is each cell at that distance.
    pub spread: u8,
    /// The farthest that each other random stone is from one chosen among those before, in each
    /// coordinate.
    pub reach: u8,
    /// The farthest from 0 that the score of an opening may be, in the engine's units.
    pub window: i32,
    /// The number of first moves in which the second best one has a chance: a half, if its score is
    /// near enough.
    pub variety_plies: u8,
    /// The most that score may be lower, in the engine's units.
    pub variety_margin: i32,
    /// The number of stones with which a game is drawn.
    pub longest: u16,
    /// The farthest from 0 that the scores of moves may be that make a game drawn, in the engine's units.
    pub draw_score: i32,
    /// The number of moves in a row with such scores that make a game drawn; 0 for none.
    pub draw_moves: u8,
    /// The least number of stones of such a game.
    pub draw_stones: u16,
    /// The number of positions that are kept of those that the search for a move evaluated; 0 keeps
    /// none. No move depends on it.
    pub leaves: u8,
    /// The nodes searched to judge each of them.
    pub leaf_nodes: u64,
    /// The way in which games are made of the options, [`PROCEDURE`] or [`EARLIER_PROCEDURE`].
    pub procedure: u16,
    /// The CRC-32 of the file of weights that the search uses; 0 stands for the hand-tuned weights.
    pub weights: u32,
    /// The CRC-32 of the network that corrects the evaluation; 0 stands for none.
    pub network: u32,
    /// How the leaves were judged again, if they were: then games are not made from these options alone.
    pub relabelling: Option<Relabelling>,
}

/// How positions of games were judged again, to be the leaves of others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Relabelling {
    /// The CRC-32 of the file of the games, or of the checksums of all files.
    pub sources: u32,
    /// The CRC-32 of the file of weights of the search that judged; 0 stands for the hand-tuned weights.
    pub weights: u32,
    /// The CRC-32 of its network; 0 stands for none.
    pub network: u32,
    /// Whether positions that the games came to were judged as well.
    pub roots: bool,
    /// The number of positions, drawn at random; `u64::MAX` for all.
    pub count: u64,
    /// The start of the random numbers.
    pub seed: u64,
}

impl fmt::Display for Relabelling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Relabelling { sources, weights, network, roots, count, seed } = *self;
        match count {
            u64::MAX => f.write_str("all leaves")?,
            count => write!(f, "{count} leaves by seed {seed}")?,
        }
        let roots = if roots { " and positions" } else { "" };
        let weights = name_of_crc(weights, "hand-tuned");
        let network = name_of_crc(network, "none");
        write!(f, "{roots} of {sources:08x} by weights {weights} and network {network}")
    }
}

impl SelfPlayOptions {
    /// Returns what is good for a rule and size.
    #[must_use]
    pub fn new(rule: Rule, size: Size) -> SelfPlayOptions {
        let edge = size.width().min(size.height());
        SelfPlayOptions {
            rule,
            size,
            seed: 0,
            nodes: USUAL_NODES,
            stones: USUAL_STONES,
            // Leaves two lines at the edge, where nobody would begin.
            spread: edge / 2 - 2,
            reach: 3,
            window: USUAL_WINDOW,
            variety_plies: USUAL_VARIETY_PLIES,
            variety_margin: USUAL_VARIETY_MARGIN,
            // With two thirds of the cells taken hardly a game is still won.
            longest: (size.area() * 2 / 3) as u16,
            draw_score: USUAL_DRAW_SCORE,
            draw_moves: USUAL_DRAW_MOVES,
            // 60 on 15x15.
            draw_stones: (size.area() * 4 / 15) as u16,
            leaves: USUAL_LEAVES,
            leaf_nodes: USUAL_LEAF_NODES,
            procedure: PROCEDURE,
            weights: 0,
            network: 0,
            relabelling: None,
        }
    }

    /// Returns the options as they are usual in another procedure.
    #[must_use]
    pub const fn in_procedure(self, procedure: u16) -> SelfPlayOptions {
        if procedure < PROCEDURE {
            SelfPlayOptions { draw_score: 0, draw_moves: 0, draw_stones: 0, procedure, ..self }
        } else {
            SelfPlayOptions { procedure, ..self }
        }
    }

    /// Checks that games can be played with these options.
    ///
    /// # Errors
    ///
    /// Returns the first contradiction found.
    pub fn check(&self) -> Result<(), SelfPlayOptionsError> {
        let edge = self.size.width().min(self.size.height());
        let scores = 0..Score::DECISIVE.raw();
        let StoneCount { least, most } = self.stones;
        if least == 0 || least > most || most > MOST_STONES {
            return Err(SelfPlayOptionsError::Stones);
        }
        if usize::from(most) * 2 > self.size.area() {
            return Err(SelfPlayOptionsError::StonesOnBoard { most });
        }
        if self.spread > edge / 2 {
            return Err(SelfPlayOptionsError::Spread { most: edge / 2 });
        }
        if !(1..=MOST_REACH).contains(&self.reach) {
            return Err(SelfPlayOptionsError::Reach);
        }
        let given = [self.window, self.variety_margin, self.draw_score];
        if !given.iter().all(|score| scores.contains(score)) {
            return Err(SelfPlayOptionsError::Window);
        }
        if self.longest <= u16::from(most) || usize::from(self.longest) > self.size.area() {
            return Err(SelfPlayOptionsError::Longest { least: most, most: self.size.area() });
        }
        if usize::from(self.draw_stones) > self.size.area() {
            return Err(SelfPlayOptionsError::DrawStones { most: self.size.area() });
        }
        match self.procedure {
            PROCEDURE => {}
            EARLIER_PROCEDURE if self.draw_moves == 0 && self.relabelling.is_none() => {}
            _ => return Err(SelfPlayOptionsError::Procedure),
        }
        if self.leaves > MOST_LEAVES {
            return Err(SelfPlayOptionsError::Leaves);
        }
        if self.nodes == 0 || self.leaf_nodes == 0 {
            return Err(SelfPlayOptionsError::Nodes);
        }
        Ok(())
    }

    /// Returns all options as text, by the names that they have on the command line, and what else
    /// the games depend on.
    #[must_use]
    pub fn fields(&self) -> Vec<(&'static str, String)> {
        let judged = self.relabelling.map(|judged| ("judged-again", judged.to_string()));
        let fields = [
            ("rule", self.rule.to_string()),
            ("size", self.size.to_string()),
            ("seed", self.seed.to_string()),
            ("nodes", self.nodes.to_string()),
            ("stones", self.stones.to_string()),
            ("spread", self.spread.to_string()),
            ("reach", self.reach.to_string()),
            ("window", self.window.to_string()),
            ("variety", self.variety_plies.to_string()),
            ("variety-margin", self.variety_margin.to_string()),
            ("longest", self.longest.to_string()),
            ("draw-score", self.draw_score.to_string()),
            ("draw-moves", self.draw_moves.to_string()),
            ("draw-stones", self.draw_stones.to_string()),
            ("leaves", self.leaves.to_string()),
            ("leaf-nodes", self.leaf_nodes.to_string()),
            ("procedure", self.procedure.to_string()),
            ("weights", name_of_crc(self.weights, "hand-tuned")),
            ("network", name_of_crc(self.network, "none")),
        ];
        fields.into_iter().chain(judged).collect()
    }
}

/// Returns what [`SelfPlayOptions::weights`] calls some weights.
#[must_use]
pub fn weights_id(weights: &Weights) -> u32 {
    if *weights == Weights::hand_tuned(weights.rule()) { 0 } else { weights.crc() }
}

/// Returns the name of a file of which only the CRC-32 is known, or the name of 0.
fn name_of_crc(crc: u32, zero: &str) -> String {
    if crc == 0 { zero.to_owned() } else { format!("{crc:08x}") }
}

/// A contradiction between options, or with the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SelfPlayOptionsError {
    /// The number of stones is 0, too large, or a range from a larger to a smaller number.
    #[error("the number of stones is not from 1 to {MOST_STONES}")]
    Stones,
    /// The stones would fill more than half of the board.
    #[error("{most} stones fill more than half of the board")]
    StonesOnBoard {
        /// The largest number of stones.
        most: u8,
    },
    /// The first stone would be off the board.
    #[error("on this board the first stone is at most {most} cells from the centre")]
    Spread {
        /// The largest distance on this board.
        most: u8,
    },
    /// The reach is 0 or too large.
    #[error("the reach is not from 1 to {MOST_REACH}")]
    Reach,
    /// A window or margin is negative or would hold proven wins.
    #[error("windows and margins of scores are from 0 to {}", Score::DECISIVE.raw() - 1)]
    Window,
    /// A game would be over with its opening, or could not be as long.
    #[error("the longest game has more than {least} and at most {most} stones here")]
    Longest {
        /// The bound that the length must exceed.
        least: u8,
        /// The largest possible length.
        most: usize,
    },
    /// No board has so many stones.
    #[error("a game that is drawn early has at most {most} stones here")]
    DrawStones {
        /// The largest possible number.
        most: usize,
    },
    /// The games of a corpus are made in a way that knows no adjudication, or in an unknown one.
    #[error("files of games that were begun by earlier versions adjudicate no draws")]
    Procedure,
    /// More positions of a search are to be kept than there is room for.
    #[error("the number of leaves of a search is not from 0 to {MOST_LEAVES}")]
    Leaves,
    /// A node limit is 0.
    #[error("a search needs at least one node")]
    Nodes,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_good_for_a_board_can_be_played_on_it() {
        for rule in Rule::ALL {
            for (width, height) in [(7, 7), (9, 12), (15, 15), (20, 20), (22, 22)] {
                let size = Size::new(width, height).unwrap();
                assert_eq!(SelfPlayOptions::new(rule, size).check(), Ok(()), "{rule} {size}");
            }
        }
    }

    #[test]
    fn contradictions_are_named() {
        let usual = SelfPlayOptions::new(Rule::Freestyle, Size::square(9).unwrap());
        let range = |least, most| StoneCount { least, most };
        for (options, error) in [
            (SelfPlayOptions { stones: range(0, 3), ..usual }, SelfPlayOptionsError::Stones),
            (SelfPlayOptions { stones: range(4, 3), ..usual }, SelfPlayOptionsError::Stones),
            (SelfPlayOptions { stones: range(4, 21), ..usual }, SelfPlayOptionsError::Stones),
            (SelfPlayOptions { spread: 5, ..usual }, SelfPlayOptionsError::Spread { most: 4 }),
            (SelfPlayOptions { reach: 0, ..usual }, SelfPlayOptionsError::Reach),
            (SelfPlayOptions { window: -1, ..usual }, SelfPlayOptionsError::Window),
            (SelfPlayOptions { variety_margin: 29_000, ..usual }, SelfPlayOptionsError::Window),
            (
                SelfPlayOptions { longest: 8, ..usual },
                SelfPlayOptionsError::Longest { least: 12, most: 81 },
            ),
            (
                SelfPlayOptions { longest: 82, ..usual },
                SelfPlayOptionsError::Longest { least: 12, most: 81 },
            ),
            (SelfPlayOptions { draw_score: -1, ..usual }, SelfPlayOptionsError::Window),
            (
                SelfPlayOptions { draw_stones: 82, ..usual },
                SelfPlayOptionsError::DrawStones { most: 81 },
            ),
            (
                SelfPlayOptions { procedure: EARLIER_PROCEDURE, ..usual },
                SelfPlayOptionsError::Procedure,
            ),
            (SelfPlayOptions { procedure: 1, ..usual }, SelfPlayOptionsError::Procedure),
            (SelfPlayOptions { leaves: 9, ..usual }, SelfPlayOptionsError::Leaves),
            (SelfPlayOptions { nodes: 0, ..usual }, SelfPlayOptionsError::Nodes),
            (SelfPlayOptions { leaf_nodes: 0, ..usual }, SelfPlayOptionsError::Nodes),
        ] {
            assert_eq!(options.check(), Err(error));
        }
        assert_eq!(usual.in_procedure(EARLIER_PROCEDURE).check(), Ok(()));
        let tiny = SelfPlayOptions::new(Rule::Freestyle, Size::square(5).unwrap());
        let crowded = SelfPlayOptions { stones: range(13, 13), ..tiny };
        assert_eq!(crowded.check(), Err(SelfPlayOptionsError::StonesOnBoard { most: 13 }));
    }
}
