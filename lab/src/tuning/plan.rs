//! The work of `tengen tune all`: amounts, declared once, and the steps that they come to.
//!
//! Weights are made in generations. The games of the first are played with the hand-tuned weights
//! or those that the program comes with, the games of each later one with the weights of the one
//! before. A fit reads the games of its own generation and of all before in the same plan: what
//! shapes are worth changes little from one to the next, so that older games still tell something.

use super::fit::FitOptions;
use super::selfplay::SelfPlayOptions;
use tengen_core::rules::Rule;
use tengen_core::types::Size;

/// The games of one rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RulePlan {
    /// The rule.
    pub rule: Rule,
    /// Edges of square boards, with the number of games that each generation plays there. One fit
    /// learns from all of them.
    pub boards: &'static [(u8, u64)],
}

/// The weights that games are played with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// The hand-tuned weights.
    Prior,
    /// Those that the program comes with.
    Shipped,
    /// Those of a file made before.
    File(String),
}

/// An amount of work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The name.
    pub name: &'static str,
    /// The number of the first generation. The games of generation 1 are played with the hand-tuned
    /// weights; a plan that begins with a later one plays its first games with the weights that
    /// the program comes with.
    pub first: u32,
    /// The number of generations.
    pub generations: u32,
    /// The nodes searched for a move.
    pub nodes: u64,
    /// The positions kept of the search for a move.
    pub leaves: u8,
    /// The nodes searched to judge each of them.
    pub leaf_nodes: u64,
    /// The most iterations of each regression.
    pub iterations: u32,
    /// The games of each rule; one file of weights is made for each.
    pub rules: &'static [RulePlan],
}

/// Every way through the procedure in seconds; the weights are worth nothing.
pub const SMALL: Plan = Plan {
    name: "small",
    first: 1,
    generations: 2,
    nodes: 150,
    leaves: 1,
    leaf_nodes: 150,
    iterations: 4,
    rules: &[
        RulePlan { rule: Rule::Freestyle, boards: &[(9, 40), (11, 40)] },
        RulePlan { rule: Rule::Renju, boards: &[(9, 60)] },
        RulePlan { rule: Rule::CaroExact, boards: &[(9, 40)] },
    ],
};

/// Weights for every rule, from nothing but the hand-tuned weights.
pub const FULL: Plan = Plan {
    name: "full",
    first: 1,
    generations: 2,
    nodes: 800,
    leaves: 1,
    leaf_nodes: 2000,
    iterations: 150,
    rules: &[
        RulePlan { rule: Rule::Freestyle, boards: &[(15, 10_000), (20, 12_000)] },
        RulePlan { rule: Rule::Standard, boards: &[(15, 16_000)] },
        RulePlan { rule: Rule::Renju, boards: &[(15, 16_000)] },
        RulePlan { rule: Rule::Caro, boards: &[(15, 6_000)] },
        RulePlan { rule: Rule::CaroExact, boards: &[(15, 6_000)] },
    ],
};

/// One generation more, of fewer and better games.
pub const NEXT: Plan = Plan {
    name: "next",
    first: 5,
    generations: 1,
    nodes: 2400,
    leaves: 1,
    leaf_nodes: 4000,
    iterations: 150,
    rules: &[
        RulePlan { rule: Rule::Freestyle, boards: &[(15, 12_000), (20, 8_000)] },
        RulePlan { rule: Rule::Standard, boards: &[(15, 14_000)] },
        RulePlan { rule: Rule::Renju, boards: &[(15, 14_000)] },
    ],
};

/// A step; files are named without their directory.
#[derive(Clone, PartialEq, Debug)]
pub enum Step {
    /// Games are played until a corpus has as many as it should have.
    Games {
        /// The options of self-play; the checksum of the weights is to be filled in.
        options: SelfPlayOptions,
        /// The number of games in the end.
        number: u64,
        /// The weights to play with.
        weights: Source,
        /// The corpus.
        corpus: String,
    },
    /// Weights are fitted to games.
    Fit {
        /// The options of the fit, on one thread.
        options: FitOptions,
        /// The games.
        corpora: Vec<String>,
        /// The weights.
        weights: String,
    },
}

impl Plan {
    /// Returns the number of games of all generations.
    #[must_use]
    pub fn games(&self) -> u64 {
        let of_rules = self.rules.iter().flat_map(|plan| plan.boards).map(|&(_, games)| games);
        u64::from(self.generations) * of_rules.sum::<u64>()
    }

    /// Returns all steps, each after those that it needs.
    ///
    /// # Panics
    ///
    /// Panics if the plan names a board that there is not.
    #[must_use]
    pub fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        for generation in self.first..=self.last() {
            for plan in self.rules {
                for &(edge, number) in plan.boards {
                    steps.push(self.games_step(generation, plan.rule, edge, number));
                }
                steps.push(self.fit_step(generation, plan));
            }
        }
        steps
    }

    /// Returns the number of the last generation.
    const fn last(&self) -> u32 {
        self.first + self.generations - 1
    }

    fn games_step(&self, generation: u32, rule: Rule, edge: u8, number: u64) -> Step {
        let size = Size::square(edge.into()).expect("a plan names boards that there are");
        let usual = SelfPlayOptions::new(rule, size);
        // Another generation begins with other stones.
        let options = SelfPlayOptions {
            seed: generation.into(),
            nodes: self.nodes,
            leaves: self.leaves,
            leaf_nodes: self.leaf_nodes,
            ..usual
        };
        let weights = match generation {
            1 => Source::Prior,
            _ if generation == self.first => Source::Shipped,
            _ => Source::File(self.weights_name(generation - 1, rule)),
        };
        Step::Games { options, number, weights, corpus: corpus_name(generation, rule, edge) }
    }

    fn fit_step(&self, generation: u32, plan: &RulePlan) -> Step {
        let corpora = (self.first..=generation).flat_map(|generation| {
            plan.boards.iter().map(move |&(edge, _)| corpus_name(generation, plan.rule, edge))
        });
        Step::Fit {
            options: FitOptions { iterations: self.iterations, ..FitOptions::default() },
            corpora: corpora.collect(),
            weights: self.weights_name(generation, plan.rule),
        }
    }

    /// Returns the name of the weights of a generation; those of the last are what is wanted, and
    /// have the name of their rule.
    fn weights_name(&self, generation: u32, rule: Rule) -> String {
        if generation == self.last() {
            format!("{rule}.weights")
        } else {
            format!("{rule}-{generation}.weights")
        }
    }
}

/// Returns the name of the games of a generation on a board.
fn corpus_name(generation: u32, rule: Rule, edge: u8) -> String {
    format!("{rule}-{edge}-{generation}.games")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn plans_can_be_carried_out() {
        for plan in [SMALL, FULL, NEXT] {
            let mut games = 0;
            for step in plan.steps() {
                if let Step::Games { options, number, .. } = step {
                    assert_eq!(options.check(), Ok(()));
                    games += number;
                }
            }
            assert_eq!(games, plan.games());
        }
    }

    #[test]
    fn every_step_makes_a_file_of_its_own_from_files_made_before() {
        for plan in [SMALL, FULL, NEXT] {
            let mut made = BTreeSet::new();
            for step in plan.steps() {
                let (needed, file) = match step {
                    Step::Games { weights: Source::File(weights), corpus, .. } => {
                        (vec![weights], corpus)
                    }
                    Step::Games { corpus, .. } => (Vec::new(), corpus),
                    Step::Fit { corpora, weights, .. } => (corpora, weights),
                };
                assert!(needed.iter().all(|file| made.contains(file)), "{file} needs {needed:?}");
                assert!(made.insert(file.clone()), "{file} is made twice");
            }
            for rules in plan.rules {
                assert!(made.contains(&format!("{}.weights", rules.rule)));
            }
        }
    }

    #[test]
    fn a_generation_plays_with_the_weights_of_the_one_before() {
        let steps = SMALL.steps();
        let first = Step::Games {
            options: SelfPlayOptions {
                seed: 1,
                nodes: SMALL.nodes,
                leaves: SMALL.leaves,
                leaf_nodes: SMALL.leaf_nodes,
                ..SelfPlayOptions::new(Rule::Freestyle, Size::square(9).unwrap())
            },
            number: 40,
            weights: Source::Prior,
            corpus: "freestyle-9-1.games".to_owned(),
        };
        assert_eq!(steps[0], first);
        let is_second = |step: &&Step| match step {
            Step::Games { options, weights, corpus, .. } => {
                options.seed == 2
                    && *weights == Source::File("freestyle-1.weights".to_owned())
                    && corpus == "freestyle-11-2.games"
            }
            Step::Fit { .. } => false,
        };
        assert_eq!(steps.iter().filter(is_second).count(), 1);
        let is_last = |step: &&Step| match step {
            Step::Fit { corpora, weights, .. } => {
                weights == "renju.weights" && corpora[..] == ["renju-9-1.games", "renju-9-2.games"]
            }
            Step::Games { .. } => false,
        };
        assert_eq!(steps.iter().filter(is_last).count(), 1);
    }

    #[test]
    fn a_plan_that_begins_later_plays_with_what_the_program_comes_with() {
        let steps = NEXT.steps();
        let Step::Games { options, weights, corpus, .. } = &steps[0] else { panic!("{steps:?}") };
        assert_eq!((options.seed, weights), (5, &Source::Shipped));
        assert_eq!(corpus, "freestyle-15-5.games");
        let Step::Fit { corpora, weights, .. } = &steps[2] else { panic!("{steps:?}") };
        assert_eq!(corpora[..], ["freestyle-15-5.games", "freestyle-20-5.games"]);
        assert_eq!(weights, "freestyle.weights");
    }

    #[test]
    fn the_full_plan_makes_weights_for_every_rule() {
        assert_eq!(Vec::from_iter(FULL.rules.iter().map(|plan| plan.rule)), Rule::ALL);
    }
}
