use std::time::Instant;

use serde_json::Value;

use super::*;
use tengen_core::notation::parse_moves;
use tengen_core::rules::{Game, Rule};
use tengen_core::search::Limits;
use tengen_core::sys::stop::Stop;
use tengen_core::types::{Color, Size};
use tengen_files::certificates::read_attack;

fn request(topic: StudyTopic, rule: Rule, moves: &str) -> StudyRequest {
    let size = Size::DEFAULT;
    let points = parse_moves(moves, size).unwrap();
    let mut colors = Color::ALL.into_iter().cycle();
    let stones: Vec<_> = points.into_iter().zip(colors.by_ref()).collect();
    let to_move = if stones.len().is_multiple_of(2) { Color::Black } else { Color::White };
    let setup = Setup { size, rule, stones, walls: Vec::new(), to_move };
    let limits = Limits { max_nodes: Some(2000), ..Limits::none(Instant::now()) };
    StudyRequest { topic, setup, limits, max_memory: Some(64 << 20), stop: Stop::new() }
}

/// Returns the objects of the answers.
fn answers(request: &StudyRequest) -> Vec<Value> {
    let mut lines = Vec::new();
    Studies.study(request, &mut |reply| lines.push(reply.to_string()));
    let beginning = format!("MESSAGE {} ", request.topic.word());
    let object = |line: &String| serde_json::from_str(line.strip_prefix(&beginning)?).ok();
    lines.iter().map(|line| object(line).unwrap_or_else(|| panic!("{line}"))).collect()
}

#[test]
fn a_review_tells_every_position_then_every_move_and_then_the_game() {
    let moves = "h8i9h9h10g8i8f8e8g10i10g9i7i6";
    let answers = answers(&request(StudyTopic::Review, Rule::Freestyle, moves));
    let plies = 13;
    assert_eq!(answers.len(), plies + 1 + plies + 1);
    for (i, object) in answers[..plies + 1].iter().enumerate() {
        assert_eq!(object["progress"], serde_json::json!([i + 1, plies + 1]));
        assert_eq!(object["after"], plies - i);
        assert!((0.0..=1.0).contains(&object["black"].as_f64().unwrap()), "{object}");
    }
    for (i, object) in answers[plies + 1..][..plies].iter().enumerate() {
        assert_eq!(object["ply"], i + 1);
        assert!(object["move"].is_string() && object["class"].is_string(), "{object}");
    }
    let last = answers.last().unwrap();
    assert_eq!((&last["done"], &last["complete"]), (&true.into(), &true.into()));
    assert_eq!(last["game"]["reviews"].as_array().unwrap().len(), plies);
}

#[test]
fn a_review_that_is_stopped_ends_with_what_it_knows() {
    let request = request(StudyTopic::Review, Rule::Renju, "h8h9j10");
    request.stop.request();
    let answers = answers(&request);
    let [object] = &answers[..] else { panic!("{answers:?}") };
    assert_eq!((&object["done"], &object["complete"]), (&true.into(), &false.into()));
}

#[test]
fn a_game_that_cannot_be_is_an_error() {
    // The last move comes after the end.
    let request = request(StudyTopic::Review, Rule::Freestyle, "a1a2b1b2c1c2d1d2e1o15");
    let mut said = Vec::new();
    Studies.study(&request, &mut |reply| said.push(reply.to_string()));
    assert_eq!(said, ["ERROR the game is over"]);
}

#[test]
fn a_proof_answers_every_defence_and_holds_by_the_rules() {
    let moves = "f8a1g8a3h8a5";
    let answers = answers(&request(StudyTopic::Proof, Rule::Freestyle, moves));
    let [object] = &answers[..] else { panic!("{answers:?}") };
    assert_eq!((&object["result"], &object["plies"]), (&"win".into(), &3.into()));
    assert_eq!(object["attacker"], "black");
    let size = Size::DEFAULT;
    let game = Game::from_moves(size, Rule::Freestyle, &parse_moves(moves, size).unwrap()).unwrap();
    let attack = read_attack(&object["tree"].to_string(), size).unwrap();
    assert!(tengen_core::prover::verify(&game, &attack).is_ok());
}

#[test]
fn a_position_without_a_win_or_an_end_says_so() {
    let result = |moves: &str| {
        answers(&request(StudyTopic::Proof, Rule::Freestyle, moves))[0]["result"].clone()
    };
    assert_eq!(result("h8"), "none");
    assert_eq!(result("a1a2b1b2c1c2d1d2e1"), "over");
}

#[test]
fn a_proof_that_is_stopped_is_unknown() {
    let mut request = request(StudyTopic::Proof, Rule::Freestyle, "h8i9h9h10g8i8");
    request.limits.max_nodes = Some(1);
    assert_eq!(answers(&request)[0]["stopped"], "nodes");
    request.stop.request();
    request.limits.max_nodes = None;
    assert_eq!(answers(&request)[0]["stopped"], "stop");
}

#[test]
fn a_study_takes_a_part_of_the_memory() {
    let of = |max_memory| {
        let request = StudyRequest { max_memory, ..request(StudyTopic::Proof, Rule::Caro, "") };
        mebibytes(&request, 64)
    };
    assert_eq!([None, Some(350 << 20), Some(16 << 20), Some(1 << 40)].map(of), [64, 21, 1, 64]);
}
