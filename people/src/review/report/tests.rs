use serde_json::Value;

use super::*;
use crate::review::double::{MadeUp, proof, task};
use crate::review::{AssessedGame, assess_game};
use tengen_core::rules::Rule;
use tengen_core::types::{Color, Size};
use tengen_files::page::testing::check_contrast;
use tengen_files::work::Stop;

/// Assesses a game with made-up chances.
fn assessed(task: &ReviewTask) -> AssessedGame {
    assess_game(task, &mut MadeUp::default(), &Stop::new(), &mut |_| {})
}

/// Returns the page of a game with these assessments.
fn page(record: &Record, task: &ReviewTask, assessed: &AssessedGame) -> String {
    let review = GameReview::new(task, assessed);
    let game = ReviewedGame {
        number: 1,
        file: "game.pos",
        place: None,
        record,
        task,
        origin: Origin::Top,
        review: &review,
        text: "Game 1 of 1",
    };
    html(&[GamePart::new(&game)], "Reviewed")
}

fn record(task: &ReviewTask) -> Record {
    Record::of_points(task.size(), task.moves())
}

/// Returns the data of a game of a page.
fn data(page: &str, id: &str) -> Value {
    let start = format!("<script type=\"application/json\" id=\"{id}\">");
    let (_, rest) = page.split_once(&start).unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn a_page_holds_the_moves_the_values_and_the_lines() {
    let task = task("h8i9h10");
    let mut assessed = assessed(&task);
    assessed.positions[2] = proof(Color::Black, 5, Color::Black, "g8f8e8");
    let page = page(&record(&task), &task, &assessed);
    let game = data(&page, "game-1");
    assert_eq!((&game["moves"], &game["rule"]), (&"hhiihj".into(), &"freestyle".into()));
    assert_eq!(game["black"].as_array().unwrap().len(), 4);
    let [review, position] = [&game["reviews"][2], &game["positions"][2]];
    assert_eq!(position["proven"], serde_json::json!([0, 5, ""]));
    assert_eq!(position["line"], "ghfheh");
    assert_eq!(review["class"], "missed_win");
    assert_eq!(review["why"][0], serde_json::json!(["misses a win in 5 from g8", "gh"]));
    // The move that was played is among the others.
    let others = position["others"].as_array().unwrap();
    assert!(others.iter().any(|other| other["line"].as_str().unwrap().starts_with("hj")));
    assert_eq!(data(&page, "list")[0]["moves"], 3);
}

#[test]
fn a_page_explains_the_marks_that_its_script_draws() {
    let task = task("h8i9h10");
    let page = page(&record(&task), &task, &assessed(&task));
    for class in MoveClass::ALL {
        let (name, mark) = (class.name(), class.mark());
        let drawn = page.lines().find(|line| line.starts_with(&format!("  {name}: {{ words: ")));
        assert!(drawn.unwrap().contains(&format!("mark: '{mark}'")), "{name}");
        let row = format!("<tr><td class=\"class {name}\">{mark}</td>");
        assert_eq!(page.contains(&row), !mark.is_empty(), "{name}");
        assert!(page.contains(&class.meaning()), "{name}");
    }
}

#[test]
fn openings_of_renju_are_named_and_those_of_other_rules_are_not() {
    let moves = crate::review::double::points("h8h9i8j9");
    let opening = |rule: Rule, count: usize| {
        let task = ReviewTask::new(Size::DEFAULT, rule, moves[..count].to_vec(), 0).unwrap();
        data(&page(&record(&task), &task, &assessed(&task)), "game-1")["opening"].clone()
    };
    assert_eq!(opening(Rule::Renju, 4), "Ugetsu (D6)");
    assert_eq!(opening(Rule::Renju, 2), Value::Null);
    assert_eq!(opening(Rule::Standard, 4), Value::Null);
}

#[test]
fn a_page_of_a_long_game_with_proofs_is_small_enough() {
    use std::sync::Arc;
    use tengen_core::prover::Attack;

    let size = Size::DEFAULT;
    let cells: Vec<_> = size.points().collect();
    // No five in a row: every row of the game is shifted by two cells.
    let row = |y: usize| (0..15usize).map(move |x| 15 * y + (x * 2 + 4 * y) % 15);
    let moves: Vec<_> = (0..8).flat_map(row).map(|i| cells[i]).collect();
    let task = ReviewTask::new(size, Rule::CaroExact, moves, 0).unwrap();
    let mut assessed = assessed(&task);
    let attack = |play| {
        let replies = cells[130..220].iter().map(|&reply| (reply, Attack::winning(cells[224])));
        let otherwise = Some(Box::new(Attack::winning(cells[223])));
        Some(Arc::new(Attack { play, replies: replies.collect(), otherwise }))
    };
    for (played, position) in assessed.positions.iter_mut().enumerate() {
        let to_move = Color::to_move_after(played);
        *position = crate::review::Assessment {
            attack: attack(cells[222]),
            candidates: position.candidates.clone(),
            ..proof(to_move, 3, to_move, "m15n15o15")
        };
    }
    let mut record = record(&task);
    record.comment = "x".repeat(1000);
    let page = page(&record, &task, &assessed);
    assert!(page.len() < 400_000, "{} bytes", page.len());
    let game = data(&page, "game-1");
    let positions = game["positions"].as_array().unwrap();
    assert!(positions.iter().any(|position| position["attack"].is_string()));
}

#[test]
fn nothing_that_is_said_becomes_part_of_the_page() {
    let task = task("h8i9");
    let hostile = "</script><img src=x onerror=alert(1)>&\"'{{games}}\u{202e}\u{2028}\u{0}五";
    let mut named = record(&task);
    named.players[Color::Black] = hostile.to_owned();
    named.event = hostile.to_owned();
    named.comment = hostile.to_owned();
    named.moves[1].set_comment(hostile.to_owned());
    let assessed = assessed(&task);
    let [page, plain] = [&named, &record(&task)].map(|record| page(record, &task, &assessed));
    assert!(!page.contains("<img") && !page.contains('\0'));
    for tag in ["<script", "</script", "<title", "</title", "<pre", "</pre"] {
        assert_eq!(page.matches(tag).count(), plain.matches(tag).count(), "{tag}");
    }
    // As data it is what it is.
    let game = data(&page, "game-1");
    assert_eq!([&game["names"][0], &game["comments"][1]], [hostile, hostile]);
}

#[test]
fn nothing_is_loaded_from_elsewhere() {
    let task = task("h8");
    let page = page(&record(&task), &task, &assessed(&task));
    for address in ["http:", "https:", "src=", "@import", "url("] {
        // The one address is the name of a kind of elements.
        assert_eq!(page.matches(address).count(), usize::from(address == "http:"), "{address}");
    }
    assert!(!page.contains("{{") && page.len() < 100_000, "{} bytes", page.len());
    assert!(html(&[], "Reviewed").contains("0 games"));
}

#[test]
fn texts_of_the_page_can_be_read_by_day_and_night() {
    let mut pairs = vec![("--badge-ink", "--badge"), ("--best-ink", "--best")];
    for ink in ["--fine", "--doubt", "--wrong", "--missed"] {
        pairs.extend(["--page", "--card", "--shade"].map(|ground| (ink, ground)));
    }
    check_contrast(LIGHT, DARK, &pairs);
}

#[test]
fn the_page_knows_every_class() {
    let page = html(&[], "Reviewed");
    for class in crate::review::MoveClass::ALL {
        let name = class.name();
        let start =
            page.find(&format!("\n  {name}: {{ words: '")).unwrap_or_else(|| panic!("{name}"));
        let entry = page[start..].lines().nth(1).unwrap();
        assert!(entry.contains(&format!("fault: {}", class.is_fault())), "{entry}");
        let is_styled = |line: &str| {
            line.split('{').next().is_some_and(|selectors| {
                selectors.split(',').any(|selector| selector.trim() == format!(".{name}"))
            })
        };
        assert!(include_str!("page.css").lines().any(is_styled), "{name} has no colour");
        if class.is_fault() {
            assert!(page.contains(&format!("{name}: '")), "{name} has no plural");
        }
    }
}

#[test]
fn a_win_whose_next_move_is_not_known_is_no_win_of_the_best_move() {
    let task = task("h8i9c3a5");
    let mut assessed = assessed(&task);
    let worth = crate::review::double::worth;
    assessed.positions[1] = proof(Color::White, 7, Color::White, "i9j8");
    assessed.positions[2] = proof(Color::White, 6, Color::Black, "j8");
    assessed.positions[3] = worth(0.7, "a3");
    assessed.positions[4] = worth(0.35, "a4");
    let page = page(&record(&task), &task, &assessed);
    let position = &data(&page, "game-1")["positions"][3];
    assert_eq!(position["proven"], serde_json::json!([1, 5, ""]));
    assert_eq!((&position["value"], &position["best"]), (&10_000.into(), &7_000.into()));
}
