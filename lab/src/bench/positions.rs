//! The games and positions of the benchmark.
//!
//! The games are complete: self-play games of the engine from random openings, played to the end.
//! The positions, none of them decided by a threat on the board, range from the opening to the late
//! middle game; most come from other games. Changing any of them makes new figures incomparable
//! with old ones.

use tengen_core::notation::parse_moves;
use tengen_core::position::Position;
use tengen_core::rules::Rule;
use tengen_core::types::{Point, Size};

/// A sequence of moves under a rule on a board, black first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BenchPosition {
    /// The rule.
    pub rule: Rule,
    edges: (i64, i64),
    text: &'static str,
}

impl BenchPosition {
    const fn new(rule: Rule, edges: (i64, i64), text: &'static str) -> BenchPosition {
        BenchPosition { rule, edges, text }
    }

    /// Returns the size of the board.
    ///
    /// # Panics
    ///
    /// Never panics for the records of this module, and there are no others.
    #[must_use]
    pub fn size(&self) -> Size {
        Size::new(self.edges.0, self.edges.1).expect("records have supported sizes")
    }

    /// Returns the moves in playing order.
    ///
    /// # Panics
    ///
    /// Never panics for the records of this module, and there are no others.
    #[must_use]
    pub fn moves(&self) -> Vec<Point> {
        parse_moves(self.text, self.size()).expect("records are spelt correctly")
    }

    /// Returns the position after the last move.
    #[must_use]
    pub fn position(&self) -> Position {
        let mut position = Position::new(self.rule, self.size());
        for point in self.moves() {
            position.play_unchecked(point);
        }
        position
    }
}

/// Whole games of all rules.
pub static GAMES: [BenchPosition; 20] = [
    BenchPosition::new(
        Rule::Freestyle,
        (15, 15),
        "g7j8i9j11j5k10h7j10j7i7g8i6g6g5k9f5h6h10g10g9f8i5i4h8f10h5e5j9j12f9e9d10d8c7k6\
         i10l10k5j6l7k8l11m12k12l13k11i11k13k14n11m11h13i12h11h12g11g12f12j4j3e8c8e6e7\
         d6f6h9i8d5f7d7d9d4",
    ),
    BenchPosition::new(
        Rule::Freestyle,
        (15, 15),
        "h9g8j11i11f11g10g9i9i10h8j10k10f8f9e10j9l11k8j8h7g12h13e7g6i8i6j5d6e8e9j7e5f6\
         f4c7d8d9c8k9g5l13k12k6l5j4j6g7h6f7d7c10b11e3h5h4d5f5d4",
    ),
    BenchPosition::new(
        Rule::Freestyle,
        (15, 15),
        "g11h9k5h10i11g10f10h12h11j11f11e11i10g12k6i12j12f9e12d10k7k8k4k3j6d9e9d8d7j9i9\
         d11d12h8i6h6h7g8l6m6i7i8j8m5j7l7g7",
    ),
    BenchPosition::new(
        Rule::Freestyle,
        (20, 20),
        "l10k14k13h12j13l13j15j14i13i14l14j12m11k9g13h13h14k8g14g15m13f12i12n12m12m10j9\
         m14f9g10l11k10k11n11l9l8n10l12n15m7j10j8i11j11i8k7k6n8m8l6i9i10k12k5o9j4",
    ),
    BenchPosition::new(
        Rule::Standard,
        (15, 15),
        "k11e10e8k6j7k8k5j8l8g8h8g7f9g9g10h11l7l6k7i7h6h7n6m7e7i10j9f5g6i6e6j6m6e5d6f6\
         c5b4d9i8i9i5i4g5h5c6k4j3l9d4c3m9j11m11k10m8m10l11k9h9l12j10k12k13i12h13j12h12\
         m12",
    ),
    BenchPosition::new(
        Rule::Standard,
        (15, 15),
        "e6j11j5f5h10i11k11g11g8h9e7i12e8e9f8d8f10i10i9f11h11i14i13g10i8h8h7i6f7e12d13\
         k12l13g7f9f6e5e4d6g9d5c4c5b4b5a5d7c6c7b7f4g3b8",
    ),
    BenchPosition::new(
        Rule::Standard,
        (15, 15),
        "g10k11e10i9k10l10g11j10l12f10g9g12j12i11k9k12i10g8f8k7h11j8h10j7j6i7e7d6h7h8g7\
         k8i8l7m7l6m5l9l8i6h5m10",
    ),
    BenchPosition::new(
        Rule::Standard,
        (20, 20),
        "n10i13k13h12j12l12i11h10h11g11f10l14k15k14l13i15i12m13m14o15n14i9j8k10j11k12\
         l11k11j10j9k9h6o11l8o12h14f12h15j13j14i14f9p11h16h13h9g9h7h8i8g6h17h18g17f18i7\
         n13q10l15",
    ),
    BenchPosition::new(
        Rule::Renju,
        (15, 15),
        "e6j11j5f5h10i11h11h12i12f7f6g6h7g8h5f10h4h6g5i3j6i5e9e8j4j7i4k4g10d9c10j13j10\
         h8i10k10j3j2f8l11k6l7e7d8d6g9e11j9m12d10d11k12m10k11m11k9k8k13",
    ),
    BenchPosition::new(
        Rule::Renju,
        (15, 15),
        "f11i7g7h10i11i9j8j6g9h11f9h9h8f10i10i5l8i8i6h5e10g8j5d9h13e5k10i12f5d6k9j10k11\
         k12l11l10m12n13m11j11k7k8o11n11m9n10m10m13m8",
    ),
    BenchPosition::new(
        Rule::Renju,
        (15, 15),
        "j8k8k9l10l11i11j6j7i9j9i6h6l6k7l7g7i5k6l5k5k4l4h7j5g10h10f8f11h11i12f5f7e6g4j3\
         i2e8j12d7f9c8b9d8g8b8",
    ),
    BenchPosition::new(
        Rule::Renju,
        (20, 20),
        "n14n8i8n11n10m8o8m9m10k10o7o10n9l11n7p7p9m6k11l12m12m7m5n6o5o6l6l10l9j8l8n5q8\
         l7k8j7h6j6j5i7k7k5h8j10j9m11k9h9q10r11q11q9n4o3m3i10h10p6q6g8f7p4l2k1p5o11p11\
         o13o12n12p14p10r8m13",
    ),
    BenchPosition::new(
        Rule::Caro,
        (15, 15),
        "e10k8j8k9f5l9k7h10j9h7k10i11g9k11l11h8h12i6h5j6f6k6i8m12l6f7h9m10j7e9g5j5g8f11\
         e7d8g11g7e5d5m5n4j12n11o12g12d6j10l12l13k14m11m9f8h6f10f9c7b6m7l8k4l3l4e6c6e3\
         e4f4i7d2",
    ),
    BenchPosition::new(
        Rule::Caro,
        (15, 15),
        "f8g7e9f9g10d8h7g6g5e10h5e5h8h6d6k5k10j4k3g12f11h10i8j7j6d11j11e12k11l11i3k8l9\
         m8j3h3i10g8c12i9i4n8k2l1l8m9l6f13g14i5j2h4l5l7i2c10b9k4h2g2l2",
    ),
    BenchPosition::new(
        Rule::Caro,
        (15, 15),
        "e5i8g8e9k6f10f7g9i7e10h9d5f6d10c10e7d6h10i10j11f8e8e11f4g7d4h7j7h8i9h6h5i6j6j5\
         k4i5j4i4i3h3g2l7",
    ),
    BenchPosition::new(
        Rule::Caro,
        (20, 20),
        "n10n9i12j10i8m8k6h10k7m9m7l7h9j7i10i9o10n8l10m10k8k9j9g8o8k11l12l11m11o9p9k13\
         k14g7f6j13i14g6g9h12i11i15g12f13h13f11j14g14n7q10q8r7j15k16l13m12g5f12f10h14\
         i16h17g13e14m14n14k4k5f14e13g11e12m6l5k12j11n15o16e11h15d11e15e16f15g15g16d13\
         i18",
    ),
    BenchPosition::new(
        Rule::CaroExact,
        (15, 15),
        "k5i6h8h10j11g7k6g9i11e7k7k8j6f7i7l4l11k11i5h4l9l7k9f8c5h7c7l8j8l5l6h6j9i9f9h5\
         h3g6j10j12l10m11k3k4l13l12m6o6m5n4m9o9m8m7k10i12m12n13n10m10h12g13i4g8j5g5",
    ),
    BenchPosition::new(
        Rule::CaroExact,
        (15, 15),
        "f11i7g7h10i11e9h12g12g8g6j11h8f10f9i12h9g9k10j10k9h6i13h14f14f12e11k12j12e7h13\
         d6c5d7d5i5j4h4c7f5k7k6l6j8j5j3l5j13k5h11g11l11k11m10n9i14",
    ),
    BenchPosition::new(
        Rule::CaroExact,
        (15, 15),
        "k11j8g9f9g5h10h11g8k10j7i9h7j5j11k8k9i10j9j10h8i8i7l10m10l12m13k7f6i12i13f5h6\
         h5i5e5d5i6g7f7j4f8k3",
    ),
    BenchPosition::new(
        Rule::CaroExact,
        (20, 20),
        "m11k8i9i7l12l7l11j11k7l9j9o9n12m12m10m8k10n9o10l10l8l6k11j10m13o11n13n10j5j6k9\
         l13p9m6k6g9k5h7h5m5m4l5k4k3l4f10h8n4n15n14n5o6p6g11j14i15f7e8i14n7p5k14j15g10\
         g12h13j13k12i10n8n11o3p2m7p10o7p7o8o5p8q8r7i4j4k15j16l16m17i5g5m14o15o12p11l18\
         r6q7q5p4e9d8e11e10f11d11f9d7h9d9d10e12d12c13f8f13h11c10g14b9",
    ),
];

/// Positions of all rules to search.
pub static POSITIONS: [BenchPosition; 20] = [
    BenchPosition::new(Rule::Freestyle, (15, 15), "g7j8i9j11j5"),
    BenchPosition::new(Rule::Freestyle, (15, 15), "k8i8g7j6j9i10i7h6j10k6i6j7l5j11g8i11i9k11h11g9"),
    BenchPosition::new(
        Rule::Freestyle,
        (15, 15),
        "e7h7g9g8h9f8e8e9f6j8i6i9k7j7h6g6i8j6j9f10f11d11d8j5j4g5e10k5g4l4",
    ),
    BenchPosition::new(Rule::Freestyle, (20, 20), "n12i12i9j13l12i14i13k10j11k12l11k11"),
    BenchPosition::new(Rule::Standard, (15, 15), "k11e10e8k6j7"),
    BenchPosition::new(
        Rule::Standard,
        (15, 15),
        "g10k11e10i9k10l10g11j10l12f10g9g12j12i11k9k12i10g8f8k7",
    ),
    BenchPosition::new(
        Rule::Standard,
        (15, 15),
        "h9g8j11i11f11g10g9j9e9f9e8e11d10g7d9e10h7i10i12h8j10d8k8c11f6i8j8l9d11c10",
    ),
    BenchPosition::new(Rule::Standard, (20, 20), "n10i13k13h12j12l12i11h10h11g11f10l14"),
    BenchPosition::new(
        Rule::Standard,
        (20, 20),
        "n10i13k13h12j12l12i11h10h11g11f10l14k15k14l13i15i12m13m14o15n14i9j8k10j11k12\
         l11k11j10j9",
    ),
    BenchPosition::new(
        Rule::Standard,
        (12, 17),
        "i11h10f6e10e9f11g12g11f12e12d10e11d11f8i12h12h9d13",
    ),
    BenchPosition::new(Rule::Renju, (15, 15), "e6j11j5f5h10"),
    BenchPosition::new(Rule::Renju, (15, 15), "e6j11j5f5h10i11h11h12i12f7f6g6"),
    BenchPosition::new(Rule::Renju, (15, 15), "f11i7g7h10i11i9j8j6g9h11f9h9h8f10i10i5l8i8i6h5"),
    BenchPosition::new(
        Rule::Renju,
        (15, 15),
        "f8j5k7h6h5f5i8i6j6e6l8m9j8k8h7j7f6g8l9d7c8i4h3d5f7e5c5e7i5h4",
    ),
    BenchPosition::new(Rule::Renju, (20, 20), "i10j9n13i8k10h9j7f8h8g9f9g7h10k9i9g10g8g11h6j10"),
    BenchPosition::new(Rule::Caro, (15, 15), "f8g7e9f9g10"),
    BenchPosition::new(Rule::Caro, (15, 15), "e10k8j8k9f5l9k7h10j9h7k10i11"),
    BenchPosition::new(Rule::Caro, (20, 20), "n11k13k11n12i14"),
    BenchPosition::new(Rule::CaroExact, (15, 15), "f11i7g7h10i11"),
    BenchPosition::new(Rule::CaroExact, (20, 20), "i10j9n13h8h7g9i9h10f8i11l14g10"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_core::rules::{Game, Outcome};

    fn game(record: &BenchPosition) -> Game {
        Game::from_moves(record.size(), record.rule, &record.moves()).unwrap()
    }

    #[test]
    fn the_games_are_complete_and_none_was_lost_by_a_forbidden_move() {
        for record in &GAMES {
            let outcome = game(record).outcome();
            assert!(matches!(outcome, Outcome::Won(_)), "{record:?}: {outcome:?}");
            assert!((40..=120).contains(&record.moves().len()), "{record:?}");
        }
    }

    #[test]
    fn the_positions_are_of_games_that_go_on() {
        for record in &POSITIONS {
            let game = game(record);
            assert_eq!(game.outcome(), Outcome::Ongoing, "{record:?}");
            assert_eq!(record.position().to_move(), game.to_move());
        }
    }

    #[test]
    fn every_rule_and_kind_of_board_is_measured() {
        let has = |records: &[BenchPosition], rule: Rule, edges: (i64, i64)| {
            records.iter().any(|record| record.rule == rule && record.edges == edges)
        };
        for rule in Rule::ALL {
            for edge in [15, 20] {
                assert!(has(&GAMES, rule, (edge, edge)), "{rule} {edge}");
                assert!(has(&POSITIONS, rule, (edge, edge)), "{rule} {edge}");
            }
        }
        assert!(POSITIONS.iter().any(|record| record.edges.0 != record.edges.1));
    }
}
