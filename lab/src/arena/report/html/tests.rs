use super::*;
use crate::arena::testing::{Sample, info, random_match};
use crate::arena::{EndKind, Summary};
use serde_json::Value;
use tengen_core::types::Point;

fn report(info: &MatchInfo, games: &[PlayedGame]) -> String {
    html(info, &Summary::new(info, games), games)
}

/// Returns the data of a page.
fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
    let (data, _) = rest.split_once("</script>").unwrap();
    serde_json::from_str(data).unwrap()
}

#[test]
fn two_hundred_games_are_less_than_a_megabyte() {
    let (info, mut games) = random_match(5, 2, 100);
    // Eighty moves each, with numbers as long as they may be.
    for game in &mut games {
        let size = game.record.size;
        game.record.moves = size
            .points()
            .take(80)
            .enumerate()
            .map(|(i, point)| {
                Move::new(point, Color::to_move_after(i)).with_search(
                    tengen_files::records::MoverSearch {
                        time: Some(123_456),
                        score: Some(-29_999),
                        depth: Some(22),
                        nodes: Some(1_234_567_890),
                    },
                )
            })
            .collect();
    }
    let page = report(&info, &games);
    assert_eq!(games.len(), 200);
    assert!(page.len() < 1_000_000, "{} bytes", page.len());
}

#[test]
fn every_game_is_in_the_data() {
    let (info, games) = random_match(6, 4, 2);
    let data = data(&report(&info, &games));
    let listed = data["games"].as_array().unwrap();
    assert_eq!(listed.len(), games.len());
    for (game, listed) in games.iter().zip(listed) {
        let moves = listed["m"].as_str().unwrap().as_bytes();
        let read: Vec<Point> = moves
            .chunks(2)
            .map(|cell| info.size.point((cell[0] - b'a').into(), (cell[1] - b'a').into()).unwrap())
            .collect();
        assert_eq!(read, game.record.points().collect::<Vec<Point>>());
        assert_eq!(listed["n"], game.fixture.game + 1);
        let times: Vec<Option<u64>> =
            listed["t"].as_str().unwrap().split(',').map(|time| time.parse().ok()).collect();
        assert_eq!(times, game.record.moves.iter().map(Move::time).collect::<Vec<_>>());
        let five = game.end == EndKind::Five;
        assert_eq!(listed["l"].as_str().is_some_and(|line| line.len() >= 10), five);
        assert_eq!(listed["e"], game.end.name());
    }
    assert_eq!(data["courses"].as_array().unwrap().len(), 4);
}

#[test]
fn nothing_that_players_say_becomes_part_of_the_page() {
    let (mut info, mut games) = random_match(7, 2, 2);
    let hostile = "</script><img src=x onerror=alert(1)>&\"'{{data}}\u{202e}\u{2028}\u{0}五";
    info.players[0].name = hostile.to_owned();
    info.players[1].command = hostile.to_owned();
    info.event = hostile.to_owned();
    info.settings.push((hostile.to_owned(), hostile.to_owned()));
    for game in &mut games {
        game.detail = hostile.to_owned();
    }
    let page = report(&info, &games);
    assert!(!page.contains("<img"));
    let plain = report(&random_match(7, 2, 2).0, &games[..0]);
    for tag in ["<script", "</script", "<title", "</title", "<pre", "</pre"] {
        assert_eq!(page.matches(tag).count(), plain.matches(tag).count(), "{tag}");
    }
    // As data they are what they are.
    let data = data(&page);
    assert_eq!(data["summary"]["players"][0]["name"], hostile);
    assert_eq!(data["games"][0]["d"], hostile);
    assert!(!page.contains('\0'));
}

#[test]
fn nothing_is_loaded_from_elsewhere() {
    let (info, games) = random_match(8, 3, 1);
    let page = report(&info, &games);
    for address in ["http:", "https:", "src=", "@import", "url("] {
        let found = page.matches(address).count();
        // The one address is the name of a kind of elements.
        let allowed = usize::from(address == "http:");
        assert_eq!(found, allowed, "{address}");
    }
    assert!(!page.contains("{{") && !page.contains("}}</"), "all places are filled");
}

#[test]
fn an_empty_match_and_a_game_without_moves_make_pages() {
    let info = info(2);
    assert_eq!(data(&report(&info, &[]))["games"].as_array().unwrap().len(), 0);
    let game = Sample::new(0, 0, [0, 1], false).end(EndKind::Start).game();
    let data = data(&report(&info, &[game]));
    assert_eq!(data["games"][0]["m"], "");
    assert_eq!(data["games"][0]["t"], "");
}

#[test]
fn colors_are_told_where_they_do_not_alternate() {
    let points: Vec<Point> = info(2).size.points().take(3).collect();
    let mut game = Sample::new(0, 0, [0, 1], false).moves(points).game();
    assert_eq!(ReplayedGame::new(&game, Rule::Freestyle).c, "");
    game.record.moves[1].color = Color::Black;
    assert_eq!(ReplayedGame::new(&game, Rule::Freestyle).c, "bbb");
}

#[test]
fn rows_count_from_the_edge_of_the_console_on_a_board_that_is_not_turned() {
    for rule in Rule::ALL {
        let page = report(&MatchInfo { rule, ..info(2) }, &[]);
        assert_eq!(data(&page)["bottom"], rule == Rule::Renju, "{rule}");
        assert!(page.contains("fromBottom: data.bottom }") && !page.contains("upward"));
    }
}
