//! Matches that are killed again and again lose nothing and play nothing twice.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;
use tengen_core::rng::SplitMix64;
use tengen_core::rules::{Game, Outcome, Rule};
use tengen_core::types::{Color, Point, Size};
use tengen_files::records::{GameResult, MoverSearch};
use tengen_lab::arena::{Journal, PlayedGame};

/// A directory of its own, removed at the end of the test.
struct Place(TempDir);

impl Place {
    fn new() -> Place {
        Place(TempDir::with_prefix("tengen-resume-").expect("the directory is made"))
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.file(name)).unwrap_or_default()
    }

    fn games(&self, name: &str) -> Vec<PlayedGame> {
        let read = Journal::read(&self.file(name));
        read.unwrap_or_else(|error| panic!("{name}: {error}")).1
    }

    /// Begins a run whose standard output goes to the file `told`.
    fn start(&self, args: &[&str]) -> Child {
        let told = fs::File::create(self.file("told")).expect("the file is made");
        Command::new(env!("CARGO_BIN_EXE_tengen"))
            .args(args)
            .current_dir(&self.0)
            .stdin(Stdio::null())
            .stdout(told)
            .stderr(Stdio::null())
            .spawn()
            .expect("tengen starts")
    }

    /// Returns the whole lines that the last run printed.
    fn told(&self) -> Vec<Value> {
        let bytes = self.bytes("told");
        let end = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let text = str::from_utf8(&bytes[..end]).expect("the output is text");
        text.lines().map(|line| serde_json::from_str(line).expect("lines are JSON")).collect()
    }

    /// Plays to the end, and returns the summary.
    fn finish(&self, args: &[&str]) -> Value {
        let status = self.start(args).wait().expect("tengen ends");
        assert!(status.success(), "{args:?}: {status}");
        self.told().pop().expect("there is a summary")
    }
}

/// Returns the part of a journal up to its last line end.
fn whole_lines(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1)]
}

/// Returns the games in their order, without what depends on the time.
fn timeless(mut games: Vec<PlayedGame>) -> Vec<PlayedGame> {
    games.sort_by_key(|game| game.fixture.game);
    for game in &mut games {
        game.record.date.clear();
        game.record
            .moves
            .iter_mut()
            .for_each(|m| m.set_search(MoverSearch { time: None, ..m.search() }));
        for usage in &mut game.usage {
            (usage.memory, usage.time, usage.slowest) = (None, Duration::ZERO, Duration::ZERO);
        }
    }
    games
}

/// Checks every game against the rules.
fn replay(games: &[PlayedGame]) {
    for game in games {
        let record = &game.record;
        let points: Vec<Point> = record.points().collect();
        let replayed = Game::from_moves(record.size, Rule::Freestyle, &points).expect("legal");
        let result = match replayed.outcome() {
            Outcome::Won(run) => GameResult::Win(run.color),
            Outcome::Draw => GameResult::Draw,
            other => panic!("game {} ended with {other:?}", game.fixture.game),
        };
        assert_eq!(record.result, Some(result), "game {}", game.fixture.game);
    }
}

/// Writes so many openings of four stones, each another.
fn openings(count: usize) -> String {
    let size = Size::DEFAULT;
    let mut random = SplitMix64::new(1);
    let mut lines = BTreeSet::new();
    while lines.len() < count {
        let mut cells = BTreeSet::new();
        while cells.len() < 4 {
            let mut edge = || 4 + random.below(7) as i64;
            cells.insert(size.point(edge(), edge()).expect("on the board").to_string());
        }
        lines.insert(Vec::from_iter(cells).concat() + "\n");
    }
    lines.into_iter().collect()
}

/// The points of a player, in halves.
fn halves(games: &[PlayedGame], player: usize) -> u32 {
    let of = |game: &PlayedGame| match game.record.result {
        Some(GameResult::Draw) | None => 1,
        Some(GameResult::Win(winner)) => {
            let black = game.fixture.seats[game.black_seat];
            if (black == player) == (winner == Color::Black) { 2 } else { 0 }
        }
    };
    games.iter().map(of).sum()
}

#[test]
fn a_match_killed_again_and_again_is_the_match() {
    let place = Place::new();
    fs::write(place.file("openings.pos"), openings(30)).expect("the openings are written");
    let common = [
        "match",
        "--engine",
        "builtin=greedy",
        "name=a",
        "--engine",
        "builtin=shapes",
        "name=b",
        "depth=1",
        "--rounds",
        "30",
        "--openings",
        "openings.pos",
        "--order",
        "random",
        "--json",
    ];
    let with = |more: &[&'static str]| [&common[..], more].concat();
    // A game takes long enough to be killed in. On a busy machine more games than planned are played
    // between two kills, and the match may be over before all of them.
    let slowed = with(&["--journal", "killed.jsonl", "--concurrency", "3", "--slow", "4ms"]);
    let mut random = SplitMix64::new(2);
    let mut before = Vec::new();
    let mut grown = 0;
    for _ in 0..20 {
        let mut run = place.start(&slowed);
        let lines = |bytes: &[u8]| bytes.iter().filter(|&&byte| byte == b'\n').count();
        let wanted = lines(&before) + random.below(5);
        while lines(&place.bytes("killed.jsonl")) < wanted
            && run.try_wait().expect("the run is ours").is_none()
        {
            thread::sleep(Duration::from_millis(1));
        }
        thread::sleep(Duration::from_millis(random.below(100) as u64));
        // A run that has just ended can't be killed.
        let _ = run.kill();
        run.wait().expect("it ends");

        let after = place.bytes("killed.jsonl");
        assert!(after.starts_with(whole_lines(&before)), "the journal only grows");
        grown += usize::from(whole_lines(&after).len() > whole_lines(&before).len());
        if !whole_lines(&after).is_empty() {
            let kept: BTreeSet<u64> =
                place.games("killed.jsonl").iter().map(|game| game.fixture.game + 1).collect();
            for told in place.told() {
                let game = told["game"].as_u64().expect("a number");
                assert!(kept.contains(&game), "game {game} was told and not kept");
            }
        }
        before = after;
    }
    assert!(grown > 1, "games were finished in {grown} runs only");

    let summary = place.finish(&with(&["--journal", "killed.jsonl", "--concurrency", "2"]));
    assert!(place.bytes("killed.jsonl").starts_with(whole_lines(&before)));
    let games = place.games("killed.jsonl");
    let numbers: BTreeSet<u64> = games.iter().map(|game| game.fixture.game).collect();
    assert!(games.len() == 60 && numbers.into_iter().eq(0..60));
    replay(&games);

    // The result is the sum of the games.
    assert_eq!(summary["games"], 60);
    for player in 0..2 {
        let all = &summary["players"][player]["all"];
        let points = all["wins"].as_u64().unwrap() * 2 + all["draws"].as_u64().unwrap();
        assert_eq!(points, u64::from(halves(&games, player)));
    }

    // And it is the match that nobody killed.
    let other = place.finish(&with(&["--journal", "whole.jsonl", "--concurrency", "2"]));
    assert_eq!(timeless(games), timeless(place.games("whole.jsonl")));
    assert_eq!(summary["players"][0]["all"]["wins"], other["players"][0]["all"]["wins"]);

    // Once more changes nothing.
    let bytes = place.bytes("killed.jsonl");
    place.finish(&with(&["--journal", "killed.jsonl"]));
    assert_eq!(place.bytes("killed.jsonl"), bytes);
}

#[test]
fn the_best_of_seven_goes_on_with_the_move_it_was_killed_at() {
    let place = Place::new();
    let common = [
        "match",
        "--engine",
        "builtin=greedy",
        "name=a",
        "tc=240",
        "--engine",
        "builtin=shapes",
        "name=b",
        "depth=1",
        "tc=240",
        "--best-of",
        "7",
        "--first",
        "ABBAABB",
        "--json",
    ];
    let with = |more: &[&'static str]| [&common[..], more].concat();
    let slowed = with(&["--journal", "killed.jsonl", "--slow", "10ms"]);
    let mut random = SplitMix64::new(3);
    let mut resumed = 0;
    for _ in 0..10 {
        let mut run = place.start(&slowed);
        let mut is_running = true;
        while is_running && place.bytes("killed.jsonl.running").is_empty() {
            is_running = run.try_wait().expect("the run is ours").is_none();
            thread::sleep(Duration::from_millis(1));
        }
        thread::sleep(Duration::from_millis(random.below(120) as u64));
        if !is_running {
            break;
        }
        // A run that has just ended can't be killed.
        let _ = run.kill();
        run.wait().expect("it ends");
        resumed += usize::from(!place.bytes("killed.jsonl.running").is_empty());
    }
    assert!(resumed > 0, "a game was broken off in {resumed} runs only");
    place.finish(&with(&["--journal", "killed.jsonl"]));
    assert!(!place.file("killed.jsonl.running").exists());
    let games = place.games("killed.jsonl");
    replay(&games);
    assert!(halves(&games, 0).max(halves(&games, 1)) >= 8, "somebody has won");
    place.finish(&with(&["--journal", "whole.jsonl"]));
    assert_eq!(timeless(games), timeless(place.games("whole.jsonl")));
}

#[test]
fn a_longer_match_goes_on_with_the_journal_of_a_shorter_one() {
    let place = Place::new();
    fs::write(place.file("openings.pos"), openings(3)).expect("the openings are written");
    let common = [
        "match",
        "--engine",
        "builtin=greedy",
        "name=a",
        "--engine",
        "builtin=shapes",
        "name=b",
        "depth=1",
        "--openings",
        "openings.pos",
        "--order",
        "random",
        "--symmetries",
        "--json",
    ];
    let with = |more: &[&'static str]| [&common[..], more].concat();
    place.finish(&with(&["--rounds", "2", "--journal", "grown.jsonl"]));
    let short = place.games("grown.jsonl");
    assert_eq!(short.len(), 4);
    let summary = place.finish(&with(&["--rounds", "5", "--journal", "grown.jsonl"]));
    assert_eq!((&summary["games"], &summary["scheduled"]), (&Value::from(10), &Value::from(10)));
    let grown = place.games("grown.jsonl");
    assert_eq!(grown[..4], short, "games are not played twice");
    place.finish(&with(&["--rounds", "5", "--journal", "whole.jsonl"]));
    assert_eq!(timeless(grown), timeless(place.games("whole.jsonl")));

    let bytes = place.bytes("grown.jsonl");
    let fewer = with(&["--rounds", "4", "--journal", "grown.jsonl"]);
    assert_eq!(place.start(&fewer).wait().expect("tengen ends").code(), Some(1));
    assert_eq!(place.bytes("grown.jsonl"), bytes);
}
