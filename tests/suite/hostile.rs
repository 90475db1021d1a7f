//! Engines that misbehave, as real processes.
//!
//! The engine is `examples/hostile.rs`, which `cargo test` builds with the tests.

use std::path::PathBuf;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use crate::child;
use serde_json::Value;
use tengen_core::rules::{Rule, Violation, violation};
use tengen_core::types::{Color, Point, Size};
use tengen_files::work::Stop;
use tengen_lab::arena::player::{
    GameTerms, PlayerAnswer, PlayerChoice, PlayerOddity, ProcessPlayer, Question, own_name,
};
use tengen_lab::arena::{Allowance, Contestant, ContestantKind, Player, PlayerError, PlayerFault};
use tengen_lab::process::EngineCommand;

const TERMS: GameTerms = GameTerms { size: Size::DEFAULT, rule: Rule::Freestyle };
/// The time limit for answers where time is not tested: only who hangs takes longer,
/// however busy the machine is.
const AMPLE: Duration = Duration::from_secs(120);
/// The time limit for an answer that does not come.
const SHORT: Duration = Duration::from_millis(200);

fn engine() -> PathBuf {
    let test = std::env::current_exe().expect("the path of this test");
    let dir = test.parent().and_then(|deps| deps.parent()).expect("the directory of the build");
    let engine = dir.join("examples").join(format!("hostile{}", std::env::consts::EXE_SUFFIX));
    assert!(engine.is_file(), "cargo build --example hostile makes {}", engine.display());
    engine
}

fn contestant(args: &[&str]) -> Contestant {
    Contestant {
        name: "hostile".to_owned(),
        kind: ContestantKind::Process(EngineCommand::new(engine(), args)),
        dir: None,
        allowance: Allowance {
            game: None,
            turn: Some(AMPLE),
            margin: Duration::from_millis(100),
            nodes: None,
            depth: None,
            threads: None,
            memory: None,
        },
        options: Vec::new(),
        restart: false,
    }
}

fn player(args: &[&str]) -> ProcessPlayer {
    ProcessPlayer::new(&contestant(args))
}

fn at(x: i64, y: i64) -> Point {
    TERMS.size.point(x, y).expect("a cell of the board")
}

fn begin(player: &mut ProcessPlayer) -> Result<(), PlayerError> {
    player.begin(&TERMS, &Stop::new())
}

fn ask(
    player: &mut ProcessPlayer,
    moves: &[Point],
    limit: Duration,
) -> Result<PlayerAnswer, PlayerError> {
    let question =
        Question { moves, swap2: false, time_left: None, limit: Some(limit), silence: None };
    player.answer(&question, &Stop::new())
}

fn answer(player: &mut ProcessPlayer, moves: &[Point]) -> Result<PlayerChoice, PlayerError> {
    ask(player, moves, AMPLE).map(|answer| answer.choice)
}

/// Returns whether a process exists; always `false` where that is not easily known.
fn exists(id: u32) -> bool {
    PathBuf::from(format!("/proc/{id}")).exists()
}

/// Plays two games with an engine that answers the first question of each and does something
/// wrong at the second, and returns what; the process must be gone each time.
fn fault(kind: &str) -> PlayerFault {
    fault_within(kind, AMPLE)
}

/// Does the same with another limit for the second answer.
fn fault_within(kind: &str, limit: Duration) -> PlayerFault {
    let mut player = player(&[kind, "1"]);
    let mut faults = (0..2).map(|_| {
        assert_eq!(begin(&mut player), Ok(()), "{kind}");
        let id = player.process_id().expect("a running process");
        assert_eq!(answer(&mut player, &[]), Ok(PlayerChoice::Move(at(0, 0))), "{kind}");
        let second = ask(&mut player, &[at(0, 0), at(9, 9)], limit);
        let Err(PlayerError::Fault(fault)) = second else { panic!("{kind}: {second:?}") };
        assert_eq!(player.process_id(), None, "{kind}");
        assert!(!exists(id), "{kind}");
        fault
    });
    let first = faults.next().expect("two games");
    assert_eq!(Some(&first), faults.next().as_ref(), "{kind}");
    first
}

#[test]
fn a_good_engine_plays_games_in_one_process() {
    let mut player = player(&["good"]);
    let mut ids = Vec::new();
    for size in [Size::DEFAULT, Size::new(7, 6).expect("a size")] {
        let terms = GameTerms { size, ..TERMS };
        assert_eq!(player.begin(&terms, &Stop::new()), Ok(()));
        ids.push(player.process_id());
        let mut moves: Vec<Point> = Vec::new();
        // It answers as white as well as black, and to a position that it has not seen before.
        for _ in 0..10 {
            let free = size.points().find(|point| !moves.contains(point)).expect("a free cell");
            assert_eq!(answer(&mut player, &moves), Ok(PlayerChoice::Move(free)));
            moves.push(free);
            if moves.len() != 5 {
                moves.extend(size.points().find(|point| !moves.contains(point)));
            }
        }
    }
    assert_eq!(ids[0], ids[1]);
    assert_eq!(player.take_oddities(), []);
    let id = ids[0].expect("a running process");
    drop(player);
    assert!(!exists(id));
}

#[test]
fn our_own_engine_is_asked_for_everything_and_its_thoughts_are_heard() {
    let program = child::engine();
    let mut contestant = contestant(&[]);
    contestant.kind = ContestantKind::Process(EngineCommand::new(program, &[]));
    contestant.allowance.nodes = Some(20_000);
    contestant.allowance.memory = Some(32 << 20);
    let mut player = ProcessPlayer::new(&contestant);
    for size in [Size::DEFAULT, Size::new(15, 12).expect("a size")] {
        let terms = GameTerms { size, rule: Rule::Renju };
        assert_eq!(player.begin(&terms, &Stop::new()), Ok(()));
        let mut swap2 = |moves: &[Point]| {
            let limit = Some(AMPLE);
            let question = Question { moves, swap2: true, time_left: None, limit, silence: None };
            player.answer(&question, &Stop::new()).map(|answer| answer.choice)
        };
        let mut stones = match swap2(&[]) {
            Ok(PlayerChoice::Stones(stones)) if stones.len() == 3 => stones,
            other => panic!("{other:?}"),
        };
        match swap2(&stones) {
            Ok(PlayerChoice::Swap) => {}
            Ok(PlayerChoice::Stones(more)) if more.len() <= 2 => stones.extend(more),
            other => panic!("{other:?}"),
        }
        for _ in 0..4 {
            let answer = ask(&mut player, &stones, AMPLE).expect("a move");
            let PlayerChoice::Move(point) = answer.choice else { panic!("{answer:?}") };
            assert!(!stones.contains(&point));
            assert!(answer.info.score.is_some() && answer.info.depth > Some(0));
            assert!(answer.info.nodes.is_some_and(|nodes| nodes <= 30_000));
            stones.push(point);
            stones.extend(size.points().find(|point| !stones.contains(point)));
        }
    }
}

#[test]
fn an_engine_is_started_anew_for_each_game_if_that_is_wanted() {
    let mut player = ProcessPlayer::new(&Contestant { restart: true, ..contestant(&["good"]) });
    assert_eq!(begin(&mut player), Ok(()));
    let first = player.process_id();
    assert_eq!(begin(&mut player), Ok(()));
    assert!(first != player.process_id() && !exists(first.expect("a running process")));
}

#[test]
fn faults_are_told_apart() {
    assert_eq!(fault_within("silent", SHORT), PlayerFault::Silent { limit: SHORT });
    assert_eq!(fault("garbage"), PlayerFault::Garbage("hello world".to_owned()));
    assert_eq!(fault("unknown"), PlayerFault::Garbage("UNKNOWN command".to_owned()));
    assert_eq!(fault("label"), PlayerFault::Garbage("h8".to_owned()));
    assert_eq!(fault("outside"), PlayerFault::Outside { x: 15, y: 15 });
    assert_eq!(fault("exit"), PlayerFault::Exited);
    assert_eq!(fault("exit-nonzero"), PlayerFault::Crashed("exit code 3".to_owned()));
}

#[test]
fn output_without_end_is_noticed_before_the_time_is_up() {
    for kind in ["long-line", "flood"] {
        assert_eq!(fault(kind), PlayerFault::Flood);
    }
}

/// The limit for the address space of a match, in KiB: what it needs without hostile engines is half
/// of it, and each of them would fill it.
#[cfg(target_os = "linux")]
const ADDRESS_SPACE: &str = "500000";

/// The limit holds for a match and the engines that it starts.
#[cfg(target_os = "linux")]
#[test]
fn output_without_end_does_not_fill_our_memory() {
    let script = "ulimit -v $0 && exec \"$@\"";
    let mut command = Command::new("sh");
    command.args(["-c", script, ADDRESS_SPACE, env!("CARGO_BIN_EXE_tengen")]);
    // The C library of Linux reserves much for each thread, which is not used.
    command.env("MALLOC_ARENA_MAX", "1");
    command.args(["match", "--gauntlet", "--json", "--each", "turn=120s", "margin=120s"]);
    for kind in ["good", "long-line", "flood", "complains"] {
        let program = format!("cmd='{}' {kind} 2", engine().display());
        command.args(["--engine", &program, &format!("name={kind}")]);
    }
    let output = command.output().expect("sh starts");
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let ends: Vec<Value> = text.lines().map(|line| line.parse().expect("JSON")).collect();
    let ends: Vec<&str> = ends.iter().filter_map(|game| game["end"].as_str()).collect();
    assert_eq!(ends, ["flood", "flood", "flood", "flood", "five", "five"]);
}

#[test]
fn what_is_said_between_questions_is_no_answer() {
    let dir = tempfile::TempDir::with_prefix("tengen-hostile-").expect("the directory is made");
    let told = dir.path().join("told");
    let mut player = player(&["babbles", "0", told.to_str().expect("the path is text")]);
    assert_eq!(begin(&mut player), Ok(()));
    let mut moves = Vec::new();
    for x in 0..4 {
        assert_eq!(answer(&mut player, &moves), Ok(PlayerChoice::Move(at(x, 0))), "{x}");
        moves.extend([at(x, 0), at(x, 9)]);
        // It has said all, and the rest of it only has to be taken out of the pipe.
        let said = || std::fs::metadata(&told).map_or(0, |metadata| metadata.len());
        while said() <= x as u64 {
            thread::sleep(Duration::from_millis(5));
        }
        thread::sleep(Duration::from_millis(500));
    }
}

#[test]
fn complaints_without_end_are_borne() {
    let mut player = player(&["complains"]);
    assert_eq!(begin(&mut player), Ok(()));
    let mut moves = Vec::new();
    for x in 0..4 {
        assert_eq!(answer(&mut player, &moves), Ok(PlayerChoice::Move(at(x, 0))), "{x}");
        moves.extend([at(x, 0), at(x, 9)]);
    }
}

#[test]
fn a_late_answer_is_an_answer_and_the_next_game_has_another_process() {
    // An answer later than that by a second is not awaited: a good part of it is for the machine.
    let mut player = player(&["late:150"]);
    assert_eq!(begin(&mut player), Ok(()));
    let id = player.process_id();
    let limit = Duration::ZERO;
    let late = ask(&mut player, &[], limit).expect("a late answer");
    assert!(late.elapsed >= Duration::from_millis(150));
    assert_eq!(player.process_id(), id);
    assert_eq!(begin(&mut player), Ok(()));
    assert_ne!(player.process_id(), id);
}

#[test]
fn moves_on_stones_and_forbidden_ones_are_for_the_referee() {
    let mut player = player(&["occupied"]);
    assert_eq!(begin(&mut player), Ok(()));
    assert_eq!(answer(&mut player, &[at(7, 7)]), Ok(PlayerChoice::Move(at(7, 7))));

    let mut player = self::player(&["forbidden"]);
    let terms = GameTerms { rule: Rule::Renju, ..TERMS };
    assert_eq!(player.begin(&terms, &Stop::new()), Ok(()));
    let mut moves = Vec::new();
    let mut board = tengen_core::board::Board::new(TERMS.size);
    let forbidden = (0..6).find_map(|i| {
        let Ok(PlayerChoice::Move(point)) = answer(&mut player, &moves) else { panic!("no move") };
        let violation = violation(&board, point);
        board.place(point, Color::Black);
        board.place(at(2 * i, 0), Color::White);
        moves.extend([point, at(2 * i, 0)]);
        violation
    });
    assert_eq!(forbidden, Some(Violation::Overline));
}

#[cfg(unix)]
#[test]
fn the_last_words_of_a_crash_are_told() {
    let crash = fault("crash");
    let PlayerFault::Crashed(how) = &crash else { panic!("{crash:?}") };
    assert_eq!(how, "signal 6: hostile: about to crash");
}

#[cfg(unix)]
#[test]
fn who_leaves_others_behind_has_ended_all_the_same() {
    // The others live longer.
    let start = Instant::now();
    assert_eq!(fault("leaves-child"), PlayerFault::Exited);
    assert_eq!(fault("closes-stdout"), PlayerFault::Crashed("it closed its output".to_owned()));
    assert!(start.elapsed() < AMPLE);
}

#[test]
fn engines_are_asked_for_their_names_and_need_not_answer() {
    let name = |kind: &str| own_name(&contestant(&[kind]), TERMS.size, &Stop::new());
    for kind in ["good", "slow-start:1300", "greets", "bad-end", "ignores-end"] {
        assert_eq!(name(kind).as_deref(), Some("hostile"), "{kind}");
    }
    assert_eq!(name("ignores-about"), None);
    let nobody = Contestant {
        kind: ContestantKind::Process(EngineCommand::new("no-such-engine", &[])),
        ..contestant(&[])
    };
    assert_eq!(own_name(&nobody, TERMS.size, &Stop::new()), None);
}

/// Tolerated deviations of engines, and the notes about them.
fn borne() -> Vec<(&'static str, Option<PlayerOddity>)> {
    let spelling = |line: &str, meant: &str| {
        Some(PlayerOddity::Spelling { line: line.to_owned(), meant: meant.to_owned() })
    };
    vec![
        ("good", None),
        ("ok-text", spelling("OK - everything is good", "OK")),
        ("ok-small", spelling("ok", "OK")),
        ("ok-blank", spelling("OK ", "OK")),
        ("greets", Some(PlayerOddity::BeforeOk("Welcome to hostile!".to_owned()))),
        ("suggests", Some(PlayerOddity::Suggestion("SUGGEST 0,0".to_owned()))),
        ("spaces", spelling("  0 , 0 ", "0,0")),
        ("remark", spelling("0,0 -12", "0,0")),
        ("cell-and-more", spelling("0,0,1", "0,0")),
        ("two-moves", spelling("0,0 14,14", "0,0")),
        ("blank-lines", None),
        ("cr", None),
        ("crlf", None),
        ("debugs", None),
        ("twice", None),
        ("slow-start:1300", None),
        ("ignores-about", None),
        ("bad-end", None),
    ]
}

#[test]
fn odd_answers_are_taken_as_piskvork_takes_them_and_told() {
    for (kind, oddity) in borne() {
        let mut player = player(&[kind]);
        for _ in 0..2 {
            assert_eq!(begin(&mut player), Ok(()), "{kind}");
            let mut moves = Vec::new();
            for x in 0..3 {
                assert_eq!(answer(&mut player, &moves), Ok(PlayerChoice::Move(at(x, 0))), "{kind}");
                moves.extend([at(x, 0), at(x, 9)]);
            }
            let greets = matches!(oddity, Some(PlayerOddity::BeforeOk(_)));
            let told = player.take_oddities();
            assert!(told == Vec::from_iter(oddity.clone()) || greets, "{kind}: {told:?}");
        }
    }
}

#[test]
fn who_is_told_to_play_does_not_suggest_again() {
    let mut player = player(&["suggests-forever"]);
    assert_eq!(begin(&mut player), Ok(()));
    let fault = PlayerFault::Garbage("SUGGEST 7,7".to_owned());
    assert_eq!(answer(&mut player, &[]), Err(PlayerError::Fault(fault)));
}

#[test]
fn who_hangs_without_a_clock_is_noticed_by_its_silence() {
    let mut player = player(&["silent"]);
    for _ in 0..2 {
        assert_eq!(begin(&mut player), Ok(()));
        let id = player.process_id().expect("a running process");
        let silence = Some(SHORT);
        let question = Question { moves: &[], swap2: false, time_left: None, limit: None, silence };
        let answer = player.answer(&question, &Stop::new());
        assert_eq!(answer, Err(PlayerError::Fault(PlayerFault::Hung { silence: SHORT })));
        assert!(!exists(id));
    }
}

#[test]
fn who_does_not_accept_a_board_can_not_play() {
    let mut player = player(&["ignores-start"]);
    player.start_limit = Duration::from_millis(300);
    for _ in 0..2 {
        let begun = begin(&mut player);
        assert_eq!(
            begun,
            Err(PlayerError::Fault(PlayerFault::Start("no answer to START 15".to_owned())))
        );
        assert_eq!(player.process_id(), None);
    }
    let refused = "answered \"ERROR unsupported size\" to START 15";
    let begun = begin(&mut self::player(&["refuses"]));
    assert_eq!(begun, Err(PlayerError::Fault(PlayerFault::Start(refused.to_owned()))));
    let mut deaf = self::player(&["deaf"]);
    deaf.start_limit = Duration::from_millis(300);
    let silent = PlayerFault::Start("no answer to START 15".to_owned());
    assert_eq!(begin(&mut deaf), Err(PlayerError::Fault(silent)));
}

#[test]
fn who_ignores_the_end_is_killed() {
    let kinds: &[&str] =
        if cfg!(unix) { &["ignores-end", "ignores-sigterm"] } else { &["ignores-end"] };
    for kind in kinds {
        let mut player = player(&[kind]);
        assert_eq!(begin(&mut player), Ok(()), "{kind}");
        let id = player.process_id().expect("a running process");
        let start = Instant::now();
        drop(player);
        assert!(start.elapsed() < AMPLE, "{kind}");
        assert!(!exists(id), "{kind}");
    }
}

#[test]
fn memory_is_measured() {
    let mut player = player(&["memory:100", "1"]);
    assert_eq!(begin(&mut player), Ok(()));
    assert!(answer(&mut player, &[]).is_ok());
    let before = player.memory();
    assert!(answer(&mut player, &[at(0, 0), at(9, 9)]).is_ok());
    let after = player.memory();
    if cfg!(target_os = "linux") {
        assert!(before.is_some_and(|bytes| bytes < 50 << 20), "{before:?}");
        assert!(after.is_some_and(|bytes| (100 << 20..200 << 20).contains(&bytes)), "{after:?}");
    }
}

#[test]
fn an_abandoned_question_ends_at_once() {
    let mut player = player(&["silent"]);
    assert_eq!(begin(&mut player), Ok(()));
    let id = player.process_id().expect("a running process");
    let abandon = Stop::new();
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(200));
            abandon.request();
        });
        let question =
            Question { moves: &[], swap2: false, time_left: None, limit: None, silence: None };
        assert_eq!(player.answer(&question, &abandon), Err(PlayerError::Abandoned));
    });
    assert!(!exists(id));
    assert_eq!(begin(&mut player), Ok(()));
}

/// The end of a game for each kind of engine, as `tengen match` names it.
const ENDS: [(&str, &str); 14] = [
    ("silent", "silent"),
    ("late:2200", "late"),
    ("garbage", "garbage"),
    ("unknown", "garbage"),
    ("long-line", "flood"),
    ("flood", "flood"),
    ("crash", "crash"),
    ("exit", "exit"),
    ("exit-nonzero", "crash"),
    ("occupied", "occupied"),
    ("outside", "outside"),
    ("closes-stdout", "crash"),
    ("leaves-child", "exit"),
    ("memory:100", "memory"),
];

#[test]
fn a_match_goes_on_whatever_some_of_its_engines_do() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tengen"));
    let engine = engine();
    let words = |kind: &str| {
        // All of them play two moves first.
        let program = format!("cmd='{}' {kind} 2", engine.display());
        // Late and silent engines are judged by the clock; the others have as long as they like.
        let turn = if kind == "silent" || kind.starts_with("late") { "2s" } else { "120s" };
        ["--engine".to_owned(), program, format!("name={kind}"), format!("turn={turn}")]
    };
    command.args(["match", "--gauntlet", "--json", "--concurrency", "2"]);
    command.args(["--each", "margin=100ms", "memory=64"]);
    command.args(words("good"));
    let harmless = ["ignores-about", "ignores-end", "ignores-sigterm", "complains"];
    for kind in ENDS.map(|(kind, _)| kind).into_iter().chain(harmless) {
        command.args(words(kind));
    }
    let output = command.output().expect("tengen starts");
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let games: Vec<Value> = text.lines().map(|line| line.parse().expect("JSON")).collect();
    let games = &games[..games.len() - 1];
    assert_eq!(games.len(), 2 * (ENDS.len() + harmless.len()));
    for game in games {
        let (black, white) = (game["black"].as_str().unwrap(), game["white"].as_str().unwrap());
        let (kind, winner) = if black == "good" { (white, "black") } else { (black, "white") };
        if let Some((_, end)) = ENDS.iter().find(|(known, _)| *known == kind) {
            assert_eq!(game["end"], *end, "{game}");
            assert_eq!(game["result"], winner, "{game}");
        } else {
            assert_eq!(game["end"], "five", "{game}");
        }
    }
}
