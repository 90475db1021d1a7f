use super::*;
use crate::matches::live::Live;
use crate::screen::testing::{looks_like, text_of};
use crate::screen::theme::{ColorDepth, Theme};
use tengen_core::board::Symmetry;
use tengen_core::notation::parse_moves;
use tengen_core::types::Size;
use tengen_lab::arena::testing::Sample;
use tengen_lab::arena::{
    Adjudication, ContestantKind, Fixture, MatchEvent, OpeningOrder, Pairing, Unfinished,
};
use tengen_lab::stats::PlayerResult;

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
        game: "60".parse().ok(),
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
        first_opening: 0,
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
        MatchEvent::Begun { fixture: &fixture, moves: &[], so_far: &so_far },
        MatchEvent::Asked { fixture: &fixture, seat: 0, since, left },
        MatchEvent::Moved {
            fixture: &fixture,
            seat: 0,
            moves: &moves,
            elapsed: Duration::from_millis(350),
            info,
            so_far: &so_far,
        },
        MatchEvent::Asked { fixture: &fixture, seat: 1, since, left },
    ] {
        live.notice(&event, now);
    }
    live
}

/// The look of a terminal without colours.
fn look(ascii: bool) -> Look {
    Look { theme: Theme::usual(ColorDepth::None), ascii }
}

/// Returns the screen of a match as text.
fn screen(
    spec: &MatchSpec,
    live: &mut Live,
    now: Instant,
    (columns, rows): (u16, u16),
    look: &Look,
    origin: Origin,
) -> String {
    let standing = ["tengen 3.5 - 2.5 rapfi", "+2 -1 =3", "6 of 20 games, 1 running"];
    let picture = MatchPicture {
        spec,
        look,
        origin,
        game: live.current(now),
        standing: &standing.map(str::to_owned),
        keys: "p pause   q end",
        notice: "",
        now,
    };
    let area = Rect::new(0, 0, columns, rows);
    let mut buffer = Buffer::empty(area);
    picture.draw(area, &mut buffer);
    text_of(&buffer)
}

fn drawn(columns: u16, rows: u16, ascii: bool) -> String {
    let (spec, now) = (spec(), Instant::now());
    let mut live = live(&spec, now);
    screen(&spec, &mut live, now, (columns, rows), &look(ascii), Origin::Top)
}

#[test]
fn the_screen_shows_board_clocks_and_thoughts() {
    looks_like(&drawn(60, 16, false), "match-60x16");
    looks_like(&drawn(60, 16, true), "match-ascii-60x16");
    looks_like(&drawn(36, 20, false), "match-36x20");
    looks_like(&drawn(20, 16, false), "match-20x16");
    let (spec, now) = (MatchSpec { size: Size::DEFAULT, ..spec() }, Instant::now());
    let mut live = live(&spec, now);
    for (columns, rows) in [(50, 20), (80, 24), (120, 40)] {
        let text = screen(&spec, &mut live, now, (columns, rows), &look(false), Origin::Bottom);
        looks_like(&text, &format!("match-{columns}x{rows}"));
    }
}

#[test]
fn both_clocks_are_on_the_screen_however_small_it_is() {
    for (columns, ascii, expected) in [
        (28, false, " ● te 5.0 s   ○ ra 0:42.5◀"),
        (28, true, " X te 5.0 s   O ra 0:42.5<"),
        (24, false, " ●  5.0 s   ○  0:42.5◀"),
    ] {
        let spec = MatchSpec { size: Size::DEFAULT, ..spec() };
        let now = Instant::now();
        let mut live = live(&spec, now);
        for rows in [3, 9, 24] {
            let text = screen(&spec, &mut live, now, (columns, rows), &look(ascii), Origin::Top);
            assert_eq!(text.lines().next(), Some(expected), "{text}");
            assert_eq!(text.lines().last(), Some("p pause   q end"), "{text}");
        }
    }
    for (columns, rows) in [(0, 0), (1, 1), (12, 4), (5, 1), (200, 1), (1, 100)] {
        assert_eq!(drawn(columns, rows, false).lines().count(), usize::from(rows));
    }
}

#[test]
fn rows_count_from_the_edge_that_is_chosen() {
    let (spec, now) = (spec(), Instant::now());
    let mut live = live(&spec, now);
    for (origin, first) in [(Origin::Top, "  1 "), (Origin::Bottom, "  5 ")] {
        let text = screen(&spec, &mut live, now, (60, 16), &look(false), origin);
        assert!(text.lines().nth(1).unwrap().starts_with(first), "{text}");
    }
}

#[test]
fn a_game_that_is_over_shows_its_five_and_renju_what_it_forbids() {
    let spec = MatchSpec { size: Size::DEFAULT, event: "Cup".to_owned(), ..spec() };
    let now = Instant::now();
    let mut live = Live::default();
    let forks = parse_moves("g8a1h8a3i7a5i6a7", spec.size).unwrap();
    let so_far =
        Unfinished { game: 6, moves: Vec::new(), opening: 0, black_seat: 0, left: [None; 2] };
    let begun = MatchEvent::Begun { fixture: &fixture(), moves: &forks, so_far: &so_far };
    live.notice(&begun, now);
    let look = look(true);
    let text = screen(&spec, &mut live, now, (80, 24), &look, Origin::Bottom);
    assert!(text.contains("X X x"), "{text}");
    assert!(text.contains("move 8: a9"), "{text}");
    let moves = parse_moves("h8a1h9a2h10a3h11a4h12", spec.size).unwrap();
    let mut game = Sample::new(6, 3, [1, 0], false).result(PlayerResult::Win).moves(moves).game();
    game.detail = "tengen made 5 in a row from h8 to h12".to_owned();
    live.notice(&MatchEvent::Finished(&game), now);
    let told = |live: &mut Live, origin| screen(&spec, live, now, (80, 24), &look, origin);
    assert!(told(&mut live, Origin::Top).contains("tengen made 5 in a row from h8 to h12"));
    let text = told(&mut live, Origin::Bottom);
    assert!(text.contains("five h8 to h4"), "{text}");
    assert!(!text.contains(" x "), "{text}");
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
}
