//! Merging two entries of one position.

use std::cmp::Ordering;

use super::entry::{Evaluation, GameCounts, PositionEntry, ProvenResult};
use tengen_core::types::Bound;

impl PositionEntry {
    /// Adds what another entry knows of the same position: the best knowledge wins, texts are joined.
    ///
    /// * A proven result beats none; a short distance beats a long one, and any beats none. Where two
    ///   contradict each other, the same rule decides; then a win beats a loss, and that a draw.
    /// * Of two values the deeper one counts; at equal depth an exact one before a bound, and a bound
    ///   before a value that is neither; then the bound that says more.
    /// * The best move is that of the entry whose result and value count, if it names one.
    /// * What the text of the other adds is put below. Cells keep their own text and the position its own
    ///   label, if they have one. Marks are united.
    /// * Of visits and counts of games the larger number counts: merging the same again changes nothing.
    ///
    /// But for the order of texts, for labels and for texts on cells it does not matter which of the two
    /// is merged into which.
    pub fn merge(&mut self, other: &PositionEntry) {
        let rank = compare(self.result, other.result, compare_results)
            .then_with(|| compare(self.evaluation, other.evaluation, compare_evaluations));
        self.best = match (self.best, other.best, rank) {
            (own, None, _) | (own @ Some(_), _, Ordering::Greater) => own,
            (None, its, _) | (_, its, Ordering::Less) => its,
            (own, its, Ordering::Equal) => own.min(its),
        };
        if compare(self.result, other.result, compare_results) == Ordering::Less {
            self.result = other.result;
        }
        if compare(self.evaluation, other.evaluation, compare_evaluations) == Ordering::Less {
            self.evaluation = other.evaluation;
        }
        self.visits = self.visits.max(other.visits);
        self.games = self.games.larger(other.games);
        self.merge_remarks(other);
    }

    /// Adds what was seen of the position in other games than those that are counted here already: as
    /// [`PositionEntry::merge`], but visits and games are added up.
    pub fn add(&mut self, other: &PositionEntry) {
        let visits = self.visits.saturating_add(other.visits);
        let games = self.games.plus(other.games);
        self.merge(other);
        (self.visits, self.games) = (visits, games);
    }

    fn merge_remarks(&mut self, other: &PositionEntry) {
        self.label = self.label.take().or_else(|| other.label.clone());
        self.is_marked |= other.is_marked;
        self.is_placeholder &= other.is_placeholder;
        join(&mut self.text, &other.text);
        for (&at, text) in &other.board_texts {
            self.board_texts.entry(at).or_insert_with(|| text.clone());
        }
        self.marks.extend(other.marks.iter().copied());
    }
}

impl GameCounts {
    fn larger(self, other: GameCounts) -> GameCounts {
        let key = |counts: GameCounts| (counts.total(), counts.black, counts.white);
        if key(self) < key(other) { other } else { self }
    }

    pub(super) fn plus(self, other: GameCounts) -> GameCounts {
        GameCounts {
            black: self.black.saturating_add(other.black),
            white: self.white.saturating_add(other.white),
            draws: self.draws.saturating_add(other.draws),
        }
    }
}

/// Compares things of which any is better than none.
fn compare<T>(a: Option<T>, b: Option<T>, order: impl FnOnce(T, T) -> Ordering) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) => order(a, b),
        (a, b) => a.is_some().cmp(&b.is_some()),
    }
}

/// Compares results by how much they say; the greater says more.
pub(super) fn compare_results(a: ProvenResult, b: ProvenResult) -> Ordering {
    // A smaller number means a shorter way.
    let distance = |result: ProvenResult| result.distance().map_or(u32::MAX, u32::from);
    let kind = |result| match result {
        ProvenResult::Win(_) => 2,
        ProvenResult::Loss(_) => 1,
        ProvenResult::Draw => 0,
    };
    distance(b).cmp(&distance(a)).then(kind(a).cmp(&kind(b)))
}

/// Compares values by how much they say; the greater says more.
fn compare_evaluations(a: Evaluation, b: Evaluation) -> Ordering {
    let kind = |evaluation: Evaluation| match evaluation.bound {
        None => 0,
        Some(Bound::Upper) => 1,
        Some(Bound::Lower) => 2,
        Some(Bound::Exact) => 3,
    };
    let says_more = || match a.bound {
        // The true score is below the smaller one as well.
        Some(Bound::Upper) => b.score.cmp(&a.score),
        _ => a.score.cmp(&b.score),
    };
    a.depth.cmp(&b.depth).then(kind(a).cmp(&kind(b))).then_with(says_more)
}

/// Adds a text below another, unless its lines stand there already, one after the other.
fn join(own: &mut String, other: &str) {
    if holds_lines(own, other) {
        return;
    }
    if own.is_empty() || holds_lines(other, own) {
        other.clone_into(own);
    } else {
        if !own.ends_with('\n') {
            own.push('\n');
        }
        own.push_str(other);
    }
}

/// Returns whether a text holds the lines of another, one after the other.
fn holds_lines(text: &str, part: &str) -> bool {
    let part = part.trim_end_matches('\n');
    let lines: Vec<&str> = text.split('\n').collect();
    let wanted: Vec<&str> = part.split('\n').collect();
    part.is_empty() || lines.windows(wanted.len()).any(|some| some == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::code::tests::random_entry;
    use crate::database::entry::EntryLabel;
    use tengen_core::rng::SplitMix64;
    use tengen_core::types::{Score, Size};

    fn merged(a: &PositionEntry, b: &PositionEntry) -> PositionEntry {
        let mut both = a.clone();
        both.merge(b);
        both
    }

    fn valued(score: i32, depth: i16, bound: Option<Bound>) -> PositionEntry {
        let evaluation = Some(Evaluation { score: Score::eval(score), depth, bound });
        PositionEntry { evaluation, ..PositionEntry::default() }
    }

    fn proven(text: &str) -> PositionEntry {
        PositionEntry { result: Some(text.parse().unwrap()), ..PositionEntry::default() }
    }

    #[test]
    fn merging_is_idempotent_and_loses_nothing() {
        let mut rng = SplitMix64::new(1);
        for _ in 0..2000 {
            let [a, b] = [(); 2].map(|()| random_entry(&mut rng, Size::square(5).unwrap()));
            let both = merged(&a, &b);
            assert_eq!(merged(&both, &b), both);
            assert_eq!(merged(&both, &a), both);
            assert_eq!(merged(&a, &a), a);
            let empty = PositionEntry { is_placeholder: true, ..PositionEntry::default() };
            assert_eq!(merged(&a, &empty), a);
            for one in [&a, &b] {
                assert!(holds_lines(&both.text, &one.text), "{:?} {:?}", both.text, one.text);
                assert!(one.marks.is_subset(&both.marks));
                assert!(both.visits >= one.visits && both.games.total() >= one.games.total());
            }
        }
    }

    #[test]
    fn knowledge_does_not_depend_on_who_is_merged_into_whom() {
        let mut rng = SplitMix64::new(2);
        for _ in 0..2000 {
            let size = Size::square(5).unwrap();
            let [a, b] = [(); 2].map(|()| PositionEntry {
                label: None,
                text: String::new(),
                board_texts: [].into(),
                ..random_entry(&mut rng, size)
            });
            assert_eq!(merged(&a, &b), merged(&b, &a));
        }
    }

    #[test]
    fn the_best_knowledge_wins() {
        for (better, worse) in [
            (proven("win:7"), valued(-900, 30, Some(Bound::Exact))),
            (proven("win:7"), proven("win:9")),
            (proven("loss:4"), proven("loss:8")),
            (proven("win:90"), proven("win")),
            (proven("win:9"), proven("loss:12")),
            (proven("loss"), proven("draw")),
        ] {
            assert_eq!(merged(&worse, &better).result, better.result);
            assert_eq!(merged(&better, &worse).result, better.result);
        }
        for (better, worse) in [
            (valued(5, 12, Some(Bound::Exact)), valued(5, 12, Some(Bound::Lower))),
            (valued(5, 12, Some(Bound::Upper)), valued(5, 11, Some(Bound::Exact))),
            (valued(5, 12, Some(Bound::Upper)), valued(5, 12, None)),
            (valued(9, 12, Some(Bound::Lower)), valued(5, 12, Some(Bound::Lower))),
            (valued(5, 12, Some(Bound::Upper)), valued(9, 12, Some(Bound::Upper))),
        ] {
            assert_eq!(merged(&worse, &better).evaluation, better.evaluation);
            assert_eq!(merged(&better, &worse).evaluation, better.evaluation);
        }
    }

    #[test]
    fn the_best_move_is_that_of_the_better_knowledge() {
        let size = Size::DEFAULT;
        let at = |entry, x| PositionEntry { best: size.point(x, 0), ..entry };
        let (deep, shallow) = (valued(1, 9, None), valued(1, 3, None));
        let (a, b) = (at(deep.clone(), 1), at(shallow, 2));
        assert_eq!(merged(&b, &a).best, a.best);
        assert_eq!(merged(&a, &b).best, a.best);
        assert_eq!(merged(&deep, &b).best, b.best, "none says nothing");
        assert_eq!(merged(&at(proven("win:3"), 4), &a).best, size.point(4, 0));
    }

    #[test]
    fn texts_are_joined_without_repetition() {
        let text = |text: &str| PositionEntry { text: text.to_owned(), ..Default::default() };
        for (a, b, both) in [
            ("", "x", "x"),
            ("x", "", "x"),
            ("x", "y", "x\ny"),
            ("x\ny", "y", "x\ny"),
            ("y", "x\ny", "x\ny"),
            ("xy", "y", "xy\ny"),
            ("x\n", "y\n", "x\ny\n"),
            ("x\ny\nz", "y\nz", "x\ny\nz"),
        ] {
            assert_eq!(merged(&text(a), &text(b)).text, both, "{a:?} {b:?}");
        }
        let labelled = |name: &str| PositionEntry {
            label: EntryLabel::new(name).ok(),
            board_texts: [(Size::DEFAULT.center(), name.to_owned())].into(),
            ..PositionEntry::default()
        };
        assert_eq!(merged(&labelled("a"), &labelled("b")), labelled("a"));
    }

    #[test]
    fn visits_and_games_of_other_games_are_added_up() {
        let games = GameCounts { black: 2, white: 1, draws: 0 };
        let seen = PositionEntry { visits: 4, games, ..PositionEntry::default() };
        let mut sum = seen.clone();
        sum.add(&seen);
        assert_eq!(sum.visits, 8);
        assert_eq!(sum.games, GameCounts { black: 4, white: 2, draws: 0 });
        assert_eq!(merged(&sum, &seen), sum);
    }
}
