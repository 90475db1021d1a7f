use super::*;
use crate::matches::live::Live;
use tengen_core::board::Symmetry;
use tengen_core::rules::Rule;
use tengen_lab::arena::{
    Adjudication, ContestantKind, Fixture, MatchEvent, OpeningOrder, Pairing, Unfinished,
};

fn contestant(name: &str, allowance: Allowance) -> Contestant {
    Contestant {
        name: name.to_owned(),
        kind: ContestantKind::Greedy,
        dir: None,
        allowance,
        options: Vec::new(),
        restart: false,
    }
}

fn allowance() -> Allowance {
    Allowance {
        game: Some(Duration::from_secs(60)),
        increment: Duration::ZERO,
        turn: None,
        margin: Duration::ZERO,
        nodes: None,
        depth: None,
        threads: None,
        memory: None,
    }
}

fn spec() -> MatchSpec {
    let by_turn = Allowance { game: None, turn: Some(Duration::from_secs(5)), ..allowance() };
    MatchSpec {
        event: "Cup\u{1b}[2J".to_owned(),
        rule: Rule::Renju,
        size: Size::new(6, 5).unwrap(),
        contestants: vec![contestant("rapfi", allowance()), contestant("tengen", by_turn)],
        pairing: Pairing::RoundRobin,
        rounds: 1,
        openings: Vec::new(),
        order: OpeningOrder::Sequential,
        symmetries: false,
        swap2: false,
        silence: Some(MatchSpec::SILENCE),
        adjudication: Adjudication::default(),
        sprt: None,
    }
}

fn fixture() -> Fixture {
    let symmetry = Symmetry::ALL[0];
    Fixture { game: 6, pair: 3, round: 3, seats: [1, 0], opening: None, symmetry }
}

/// A game in which tengen has black, moved first, and rapfi has been thinking for 17.5 seconds.
fn live(spec: &MatchSpec, now: Instant) -> Live {
    let at = |x, y| spec.size.point(x, y).unwrap();
    let (fixture, moves) = (fixture(), [at(2, 2)]);
    let since = now.checked_sub(Duration::from_millis(17_500)).unwrap();
    let left = [None, Some(Duration::from_secs(60))];
    let so_far = Unfinished { game: 6, moves: Vec::new(), opening: 0, black_seat: 0, left };
    let info = SearchInfo { score: Some(-132), depth: Some(11), nodes: Some(1_234_567) };
    let mut live = Live::default();
    for event in [
        MatchEvent::Begun { fixture: &fixture, moves: &[] },
        MatchEvent::Asked { fixture: &fixture, seat: 0, since, left },
        MatchEvent::Moved {
            fixture: &fixture,
            seat: 0,
            moves: &moves,
            elapsed: Duration::from_millis(350),
            info,
            left,
            so_far: &so_far,
        },
        MatchEvent::Asked { fixture: &fixture, seat: 1, since, left },
    ] {
        live.notice(&event, now);
    }
    live
}

fn text(lines: &[ScreenLine]) -> String {
    let line = |line: &ScreenLine| line.iter().map(|span| span.text.as_str()).collect::<String>();
    lines.iter().map(|spans| format!("{}\n", line(spans).trim_end())).collect()
}

fn drawn(columns: usize, rows: usize, has_stones: bool) -> String {
    let (spec, now) = (spec(), Instant::now());
    let mut live = live(&spec, now);
    let standing = ["tengen 3.5 - 2.5 rapfi".to_owned()];
    let view = View {
        spec: &spec,
        game: live.current(now),
        standing: &standing,
        footer: "p pause   q end",
        notice: "",
        now,
        has_stones,
    };
    text(&screen(&view, columns, rows))
}

#[test]
fn the_screen_shows_board_clocks_and_thoughts() {
    assert_eq!(
        drawn(60, 15, false),
        "\
Cup\u{fffd}[2J  renju 6x5  game 7, round 4

    a b c d e f     X  tengen
  5 . . . . . .        5.0 s a move
  4 . . . . . .        -132, depth 11, 1234K nodes, 350 ms
  3 . .(X). . .
  2 . . . . . .     O  rapfi  < thinks
  1 . . . . . .        0:42.5


                   move 1: c3

                   tengen 3.5 - 2.5 rapfi

p pause   q end
"
    );
}

#[test]
fn a_narrow_screen_has_the_text_below_the_board() {
    let text = drawn(30, 20, true);
    assert!(text.contains("  3 · ·(●)· · ·\n"), "{text}");
    assert!(text.contains("\n ●  tengen\n    5.0 s a move\n"), "{text}");
    assert!(text.contains("\n ○  rapfi  ◀ thinks\n"), "{text}");
    // Both clocks are above the board, however few rows there are.
    for (columns, has_stones, expected) in [
        (40, true, " ● tengen 5.0 s   ○ rapfi 0:42.5◀"),
        (40, false, " X tengen 5.0 s   O rapfi 0:42.5<"),
        (30, true, " ● ten 5.0 s   ○ rap 0:42.5◀"),
        (28, false, " X te 5.0 s   O ra 0:42.5<"),
    ] {
        let text = drawn(columns, 9, has_stones);
        assert_eq!(text.lines().nth(1), Some(expected), "{text}");
        assert_eq!(text.lines().nth(2), Some("    a b c d e f"), "{text}");
    }
    assert!(text.ends_with("p pause   q end\n"), "{text}");
    let small = drawn(12, 4, true);
    assert_eq!(small.lines().count(), 4);
    assert!(small.lines().all(|line| line.chars().count() <= 12), "{small}");
    assert!(small.ends_with("p pause   q\n"), "{small}");
}

#[test]
fn clocks_run_while_a_player_thinks() {
    let ms = Duration::from_millis;
    let game = allowance();
    let turn = Allowance { game: None, turn: Some(ms(5000)), ..game };
    let both = Allowance { turn: Some(ms(5000)), ..game };
    let none = Allowance { game: None, depth: Some(4), ..game };
    for (allowance, left, used, expected) in [
        (game, Some(ms(61_000)), None, "1:01"),
        (game, Some(ms(61_000)), Some(ms(1500)), "0:59.5"),
        (game, Some(ms(1000)), Some(ms(1500)), "0:00.0"),
        (game, None, None, "1:00"),
        (turn, None, Some(ms(1500)), "1.5 s of 5.0 s for the move"),
        (turn, None, None, "5.0 s a move"),
        (both, Some(ms(3_700_000)), Some(ms(100)), "1:01:39, 100 ms of 5.0 s for the move"),
        (both, Some(ms(30_000)), None, "0:30.0"),
        (none, None, Some(ms(20)), "20 ms"),
        (none, None, None, ""),
    ] {
        assert_eq!(clock(&allowance, left, used), expected);
    }
}

#[test]
fn scores_near_the_end_are_numbers_of_moves() {
    let scores = [0, 15, -132, 29_995, -29_990, 40_000];
    let texts = scores.map(score);
    assert_eq!(texts, ["+0", "+15", "-132", "wins in 5", "loses in 10", "+40000"]);
    assert_eq!([9999, 10_000, 12_345_678].map(count), ["9999", "10K", "12M"]);
}
