//! Counts of what searches do, in builds with the feature `stats`.
//!
//! Without the feature [`tally`] is empty and costs nothing. The counts are those of all searches and all
//! threads of the process.

use std::sync::atomic::{AtomicU64, Ordering};

/// Declares what is counted, each with the words that say it.
macro_rules! counted {
    ($($name:ident $words:literal,)*) => {
        /// What is counted.
        #[derive(Clone, Copy, Debug)]
        pub(super) enum Counted {
            $($name,)*
        }

        /// The words for what is counted, in the order of [`Counted`].
        const WORDS: &[&str] = &[$($words),*];
    };
}

counted! {
    PvNode "nodes on a principal variation",
    CutNode "nodes expected to cut",
    AllNode "other nodes with a null window",
    QsearchNode "nodes of the quiescence search",
    Evaluation "evaluations",
    ThreatWin "wins by threats at once",
    ThreatLoss "losses by threats at once",
    ThreatReplies "nodes with few replies to a threat",
    Probe "nodes that ask the table",
    Hit "nodes that it knows",
    TableCut "nodes that it decides",
    QsearchHit "quiescence nodes that it knows",
    QsearchTableCut "quiescence nodes that it decides",
    Razored "nodes razored",
    ReverseFutility "nodes cut by reverse futility",
    NoTableMove "nodes reduced without a table move",
    EtcTry "nodes that try enhanced transposition cutoffs",
    EtcCut "nodes cut by them",
    Move "moves searched",
    LateMoves "nodes whose late moves were pruned",
    Cut "nodes that a move cut",
    FirstMoveCut "nodes that the first move cut",
    Reduced "moves searched with a reduced depth or a null window first",
    ResearchedDepth "moves searched again to their full depth",
    ResearchedWindow "moves searched again with an open window",
    SingularTest "table moves tested for being singular",
    SingularExtended "singular moves extended",
    SingularDouble "singular moves extended twice",
    MultiCut "nodes cut by another good move",
}

static COUNTS: [AtomicU64; WORDS.len()] = [const { AtomicU64::new(0) }; WORDS.len()];

/// Counts one more, in builds with the feature `stats`.
#[inline(always)]
pub(super) fn tally(what: Counted) {
    if cfg!(feature = "stats") {
        COUNTS[what as usize].fetch_add(1, Ordering::Relaxed);
    }
}

/// Returns what searches have done since the process began, in words, with how often; nothing in builds
/// without the feature `stats`.
#[must_use]
pub fn search_counts() -> Vec<(&'static str, u64)> {
    let counts = WORDS.iter().zip(&COUNTS).filter(|_| cfg!(feature = "stats"));
    counts.map(|(&words, count)| (words, count.load(Ordering::Relaxed))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_there_in_builds_that_count() {
        let before = search_counts();
        tally(Counted::Cut);
        tally(Counted::Cut);
        let counts = search_counts();
        if cfg!(feature = "stats") {
            let (words, count) = counts[Counted::Cut as usize];
            assert_eq!(words, "nodes that a move cut");
            assert!(count >= before[Counted::Cut as usize].1 + 2 && counts.len() == WORDS.len());
        } else {
            assert_eq!(counts, []);
        }
    }
}
