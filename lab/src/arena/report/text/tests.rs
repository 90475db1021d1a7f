use super::*;
use crate::arena::testing::{Sample, info, random_match};
use crate::arena::{EndKind, MatchInfo, Pairing, PlayedGame};
use crate::stats::{EloModel, PlayerResult, SprtOptions};

fn of(info: &MatchInfo, games: &[PlayedGame]) -> String {
    text(&Summary::new(info, games))
}

/// Returns pairs of games with these results for the first player.
fn pairs(results: &[[PlayerResult; 2]]) -> Vec<PlayedGame> {
    let mut games = Vec::new();
    for (pair, both) in (0..).zip(results) {
        for (second, &result) in [false, true].into_iter().zip(both) {
            let number = games.len() as u64;
            games.push(Sample::new(number, pair, [0, 1], second).result(result).game());
        }
    }
    games
}

#[test]
fn a_match_of_two_is_a_table() {
    let (info, mut games) = random_match(4, 2, 40);
    let sprt =
        SprtOptions { model: EloModel::Logistic, elo0: 0.0, elo1: 25.0, alpha: 0.05, beta: 0.05 };
    let settings = [
        ("openings", "48 with checksum 12ab34cd"),
        ("order", "random with seed 5"),
        ("symmetries", "on"),
        ("swap2", "off"),
        ("draw-after", "none"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()));
    let info = MatchInfo { sprt: Some(sprt), settings: settings.into(), ..info };
    games.pop();
    assert_eq!(of(&info, &games), include_str!("two.txt"));
}

#[test]
fn a_round_robin_is_a_table() {
    let (mut info, games) = random_match(9, 4, 4);
    info.players[2].name = "五子棋 with a name that is too long".to_owned();
    assert_eq!(of(&info, &games), include_str!("four.txt"));
}

#[test]
fn an_empty_match_is_a_table() {
    assert_eq!(of(&info(2), &[]), include_str!("empty.txt"));
    let many = of(&info(3), &[]);
    assert!(many.contains("0 of 6 games"), "{many}");
}

#[test]
fn all_wins_and_all_draws_are_said_in_words() {
    let wins = of(&info(2), &pairs(&[[PlayerResult::Win; 2]; 20]));
    assert!(wins.contains("Elo         +inf, at least +277.4 (95 %, from pairs)\n"), "{wins}");
    assert!(wins.contains("nElo        -\n"), "{wins}");
    assert!(wins.contains("LOS         -\n"), "{wins}");
    assert!(wins.contains("20 won, 0 lost, 0 even, 0 x 0,"), "{wins}");
    assert!(wins.contains("0 x 1.5, 20 x 2 points\n"), "{wins}");
    let losses = of(&info(2), &pairs(&[[PlayerResult::Loss; 2]; 20]));
    assert!(losses.contains("Elo         -inf, at most -277.4 (95 %, from pairs)\n"), "{losses}");
    let draws = of(&info(2), &pairs(&[[PlayerResult::Draw; 2]; 20]));
    assert!(
        draws.contains("Elo         0.0 ± 59.1 (95 %, from pairs, all alike so far)\n"),
        "{draws}"
    );
    assert!(draws.contains("100.0 % of games, 100.0 % of pairs even\n"), "{draws}");
}

#[test]
fn pairs_are_won_lost_or_even_and_some_of_these_won_by_a_colour() {
    // The first player has black in the first game of a pair and white in the second.
    let (win, draw, loss) = (PlayerResult::Win, PlayerResult::Draw, PlayerResult::Loss);
    let results = [
        [win, draw],
        [win, win],
        [draw, loss],
        [win, loss],
        [win, loss],
        [loss, win],
        [draw, draw],
    ];
    let text = of(&info(2), &pairs(&results));
    let expected = "2 won, 1 lost, 4 even (2 black, 1 white), 0 x 0,";
    assert!(text.contains(expected), "{text}");
    let dull = of(&info(2), &pairs(&[[draw, draw]]));
    assert!(dull.contains("0 won, 0 lost, 1 even, 0 x 0,"), "{dull}");
}

#[test]
fn a_single_game_waits_for_its_other() {
    let games = pairs(&[[PlayerResult::Win; 2]]);
    let text = of(&info(2), &games[..1]);
    assert!(text.contains("(95 %, from single games)"), "{text}");
    assert!(text.contains("0 x 2 points,\n            1 game waits for its other\n"), "{text}");
}

#[test]
fn single_games_have_no_pairs() {
    let pairing = Pairing::BestOf { first: vec![0, 1] };
    let info = MatchInfo { pairing, rounds: 7, ..info(2) };
    let text = of(&info, &pairs(&[[PlayerResult::Win, PlayerResult::Draw]]));
    assert!(text.starts_with("sample: best of 7, tengen against carbon\n"), "{text}");
    assert!(text.contains("freestyle on 15x15, 2 of 7 games\n"), "{text}");
    assert!(!text.contains("Pairs"), "{text}");
}

#[test]
fn faults_are_named_under_who_made_them() {
    let mut games = pairs(&[[PlayerResult::Win; 2], [PlayerResult::Loss; 2]]);
    games[0].end = EndKind::Late;
    games[1].end = EndKind::Crash;
    games[2].end = EndKind::Silent;
    let text = of(&info(2), &games);
    let expected = "Ends        five 1, late 1, silent 1, crash 1\n\
                    Faults      tengen: silent 1\n            carbon: late 1, crash 1\n";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn no_line_is_too_long_and_no_name_does_harm() {
    for players in [2, 3, 14] {
        let (mut info, games) = random_match(3, players, 1);
        let settings = (0..30).map(|i| (format!("setting {i}"), "x".repeat(3 * i + 1)));
        info.settings = settings.collect();
        info.event = "an event of which the name is very long, even though nobody asked".to_owned();
        for player in &mut info.players {
            player.name =
                "\u{1b}[31m\u{202e}\n五子棋棋棋棋棋棋棋棋棋棋棋棋棋棋棋棋棋棋棋棋棋棋棋".to_owned();
        }
        let text = of(&info, &games);
        for line in text.lines() {
            assert!(line.chars().count() <= WIDTH, "{}: {line}", line.chars().count());
            assert_eq!(line, line.trim_end());
        }
        assert!(!text.contains(['\u{1b}', '\u{202e}']));
        assert!(text.ends_with('\n') && !text.ends_with("\n\n"));
    }
}

#[test]
fn bars_are_as_high_as_their_numbers() {
    assert_eq!(bars(&[0, 1, 4, 8]), " ▁▄█");
    assert_eq!(bars(&[1000, 1, 500]), "█▁▄");
    assert_eq!(bars(&[]), "");
}
