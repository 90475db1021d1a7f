use std::path::Path;
use std::time::Duration;

use super::*;
use tengen_core::eval::EvaluatorKind;
use tengen_lab::arena::ContestantKind;

fn words(lines: &[&str], each: &str) -> EngineArgs {
    let split = |line: &str| line.split(' ').filter(|w| !w.is_empty()).map(str::to_owned).collect();
    EngineArgs { engines: lines.iter().map(|line| split(line)).collect(), each: split(each) }
}

fn read(lines: &[&str], each: &str) -> Result<Vec<Contestant>, String> {
    made(&words(lines, each), &[]).map_err(|error| error.to_string())
}

/// Returns the contestants of the words and of programs.
fn made(args: &EngineArgs, programs: &[&str]) -> Result<Vec<Contestant>, OptionError> {
    let programs = programs.iter().map(|path| EngineEntry::of_program(Path::new(path)));
    contestants(&entries(args, programs.collect())?)
}

fn complaint(line: &str) -> String {
    read(&[line], "turn=1").expect_err("the words make no sense")
}

#[test]
fn words_say_who_plays_and_with_which_limits() {
    let all = read(
        &[
            "cmd=/usr/bin/pbrain-rapfi tc=60+0.5 margin=1s memory=350 threads=2 restart=on",
            "builtin=shapes name=S depth=4 nodes=1000 evaluate=1",
        ],
        "",
    )
    .unwrap();
    let rapfi = &all[0];
    assert_eq!(rapfi.name, "rapfi");
    assert!(
        matches!(&rapfi.kind, ContestantKind::Process(c) if c.to_string() == "/usr/bin/pbrain-rapfi")
    );
    assert_eq!(rapfi.allowance.game, "60+0.5".parse().ok());
    assert_eq!(rapfi.allowance.margin, Duration::from_secs(1));
    assert_eq!((rapfi.allowance.memory, rapfi.allowance.threads), (Some(350 << 20), Some(2)));
    assert!(rapfi.restart && rapfi.options.is_empty());
    let shapes = &all[1];
    assert_eq!(shapes.name, "S");
    assert_eq!(shapes.kind, ContestantKind::Evaluator(EvaluatorKind::Shapes));
    assert_eq!((shapes.allowance.depth, shapes.allowance.nodes), (Some(4), Some(1000)));
    assert_eq!(shapes.allowance.margin, Duration::from_millis(100));
    assert_eq!(shapes.options, [("evaluate".to_owned(), "1".to_owned())]);
}

#[test]
fn the_words_of_an_engine_win_over_those_of_all() {
    let all = read(
        &["builtin=shapes hash=1 turn=2", "cmd=x dir=/tmp", "builtin=greedy"],
        "cmd=y hash=2 book=off depth=3 turn=1 dir=/",
    )
    .unwrap();
    let option = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    assert_eq!(all[0].kind, ContestantKind::Evaluator(EvaluatorKind::Shapes));
    assert_eq!(all[0].options, [option("hash", "1"), option("book", "off")]);
    assert_eq!(all[0].allowance.turn, Some(Duration::from_secs(2)));
    assert_eq!((all[0].allowance.depth, &all[0].dir), (Some(3), &None));
    assert_eq!(all[1].name, "x");
    assert_eq!(all[1].dir.as_deref(), Some(Path::new("/tmp")));
    assert_eq!(all[1].options, [option("hash", "2"), option("book", "off")]);
    assert_eq!(all[2].kind, ContestantKind::Greedy);
}

#[test]
fn names_are_unique() {
    let names = |lines: &[&str]| -> Vec<String> {
        read(lines, "turn=1").unwrap().into_iter().map(|contestant| contestant.name).collect()
    };
    assert_eq!(
        names(&["cmd=a/x", "cmd=b/x.exe", "cmd=c/x", "cmd=y"]),
        ["x", "x (2)", "x (3)", "y"]
    );
    assert_eq!(names(&["cmd=x", "cmd=y name=x"]), ["x (2)", "x"]);
    assert_eq!(
        read(&["cmd=x name=a", "cmd=y name=a"], "turn=1"),
        Err("--engine name=a: two engines are so named".to_owned())
    );
    assert_eq!(
        read(&["cmd=x"], "name=a turn=1"),
        Err("--each name=: every engine needs a name of its own".to_owned())
    );
}

#[test]
fn programs_of_a_folder_follow_the_named_ones() {
    let found = ["/e/pbrain-b.sh", "/e/x"];
    let all = made(&words(&["cmd=x"], "turn=1 memory=7"), &found).unwrap();
    let names: Vec<&str> = all.iter().map(|contestant| contestant.name.as_str()).collect();
    assert_eq!(names, ["x", "b", "x (2)"]);
    assert_eq!(all[1].allowance.memory, Some(7 << 20));
    assert!(matches!(&all[2].kind, ContestantKind::Process(c) if c.to_string() == "/e/x"));
    assert_eq!(
        made(&EngineArgs::default(), &found).map_err(|error| error.to_string()),
        Err("/e/pbrain-b.sh: there is no limit: give tc= (time for a game), turn= (time for a \
             move), nodes= or depth=, or one for all engines with --each"
            .to_owned())
    );
}

#[test]
fn a_level_is_a_player_or_the_strength_of_one() {
    let all = read(&["level=2", "level=9 builtin=patterns", "cmd=x level=10 turn=1"], "").unwrap();
    assert_eq!(all[0].kind, ContestantKind::Evaluator(EvaluatorKind::Network));
    assert_eq!(all[1].kind, ContestantKind::Evaluator(EvaluatorKind::Patterns));
    let strength = |percent: &str| [("strength".to_owned(), percent.to_owned())];
    for (contestant, name, percent) in [
        (&all[0], "level 2", "12"),
        (&all[1], "patterns level 9", "89"),
        (&all[2], "x level 10", "100"),
    ] {
        assert_eq!(contestant.name, name);
        assert_eq!(contestant.options, strength(percent));
    }
    // The full level, and other programs, know no limit of their own.
    assert!(read(&["level=10", "cmd=x turn=1"], "").is_err());
    assert!(read(&["cmd=x level=3", "level=3"], "").is_err());
}

#[test]
fn an_engine_without_a_limit_is_refused() {
    assert_eq!(
        read(&["cmd=x", "cmd=y depth=3"], ""),
        Err("--engine cmd=x: there is no limit: give tc= (time for a game), turn= (time for a \
             move), nodes= or depth=, or one for all engines with --each"
            .to_owned())
    );
    assert!(read(&["builtin=greedy", "cmd=y depth=3"], "").is_ok());
}

#[test]
fn words_that_make_no_sense_are_refused_with_the_reason() {
    let players = format!("builtin=rapfi: the players are {}, greedy", EvaluatorKind::names());
    for (line, message) in [
        ("level=11", "level=11: the levels are 1 to 10"),
        ("builtin=greedy level=2", "builtin=greedy: greedy has no levels: it is the first of them"),
        ("builtin=greedy fast=1", "builtin=greedy: fast=1 means nothing to greedy"),
        ("level=2 strength=5", "level=2: level= and strength= say the same"),
        ("./rapfi", "./rapfi: it is not KEY=VALUE, such as cmd=./rapfi"),
        ("name=x", "name=x: cmd= or builtin= is missing: who plays?"),
        ("cmd=", "cmd=: it names no program"),
        ("cmd=x builtin=shapes", "builtin=shapes: one of cmd= and builtin= says who plays"),
        ("cmd=x cmd=y", "cmd=y: one of cmd= and builtin= says who plays"),
        ("builtin=rapfi", &players),
        ("builtin=shapes dir=/", "builtin=shapes: dir= is for programs, and shapes is none"),
        (
            "builtin=greedy depth=4",
            "builtin=greedy: greedy does not search: no nodes=, depth= or threads=",
        ),
        ("cmd=x depth=4 depth=5", "depth=5: depth= is there twice"),
        ("cmd=x name=", "name=: the name is empty"),
        ("cmd=x tc=abc", "tc=abc: it is not a time such as 60, 0.5, 500ms, 4m or 1h"),
        ("cmd=x tc=60+", "tc=60+: it is not a time such as 60, 0.5, 500ms, 4m or 1h"),
        ("cmd=x tc=0", "tc=0: the time is 0"),
        ("cmd=x turn=-1", "turn=-1: it is not a time such as 60, 0.5, 500ms, 4m or 1h"),
        ("cmd=x nodes=1e6", "nodes=1e6: it is not a number from 1"),
        ("cmd=x depth=0", "depth=0: it is not a number from 1"),
        ("cmd=x memory=99999999999999", "memory=99999999999999: that is more than there can be"),
        ("cmd=x restart=yes", "restart=yes: it is on or off"),
        ("cmd=x timeout_turn=1000", "timeout_turn=1000: it is set by turn="),
        ("cmd=x rule=1", "rule=1: it is set by --rule"),
        (
            "cmd=x treads=2",
            "treads=2: did you mean threads=? To send it as it is, write info:treads=2",
        ),
        ("cmd=x Depth=2", "Depth=2: did you mean depth=? To send it as it is, write info:Depth=2"),
        ("cmd=x =2", "=2: the key is not a word"),
    ] {
        assert_eq!(complaint(line), format!("--engine {message}"), "{line}");
    }
}

#[test]
fn other_keys_are_sent() {
    let all = read(&["cmd=x turn=1 info:treads=2 info:depth=3 hash=16 book=a=b folder=/x"], "");
    let options = all.unwrap().remove(0).options;
    let line: Vec<String> = options.iter().map(|(key, value)| format!("{key} {value}")).collect();
    assert_eq!(line, ["treads 2", "depth 3", "hash 16", "book a=b", "folder /x"]);
}
