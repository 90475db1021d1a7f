use std::collections::BTreeSet;
use std::time::Duration;

use super::*;
use crate::arena::{Allowance, DrawRule, testing};
use crate::process::EngineCommand;
use crate::stats::EloModel;
use tengen_core::eval::EvaluatorKind;

fn written(info: &MatchInfo) -> String {
    serde_json::to_string(info).unwrap()
}

/// Returns a match in which everything is set.
fn full() -> MatchSpec {
    let mut spec = testing::spec(2);
    spec.contestants[0].kind = ContestantKind::Process(EngineCommand::new("engine", &["-x", "1"]));
    spec.contestants[0].dir = Some("somewhere".into());
    spec.contestants[0].allowance = Allowance {
        game: Some("40/60+0.5".parse().unwrap()),
        turn: Some(Duration::from_millis(10_010)),
        margin: Duration::from_millis(100),
        nodes: Some(1000),
        depth: Some(9),
        threads: Some(2),
        memory: Some(350 << 20),
    };
    spec.contestants[0].options = vec![("key".to_owned(), "a value".to_owned())];
    spec.contestants[0].restart = true;
    spec.contestants[1].kind = ContestantKind::Evaluator(EvaluatorKind::Shapes);
    spec.openings = Size::DEFAULT.points().take(3).map(|point| vec![point]).collect();
    spec.order = OpeningOrder::Shuffled(7);
    spec.adjudication = Adjudication {
        draw_after: Some(200),
        draw: Some(DrawRule { score: 20, moves: 5, from: 50 }),
        resign: Some(ResignRule { score: 1000, moves: 3, both: true }),
    };
    spec.sprt = Some(SprtOptions {
        model: EloModel::Normalized,
        elo0: 0.1 + 0.2,
        elo1: 5e-324,
        alpha: 0.05,
        beta: 1.0 / 3.0,
    });
    spec
}

#[test]
fn facts_are_in_the_words_of_the_command_line() {
    let info = MatchInfo::of(&full());
    assert_eq!(info.players[0].command, "engine -x 1");
    assert_eq!(
        info.players[0].options,
        "dir=somewhere tc=40/60+0.5 turn=10.01 margin=0.1 nodes=1000 depth=9 threads=2 memory=350 \
         restart=on key='a value'"
    );
    assert_eq!(info.players[1].command, "builtin=shapes");
    assert_eq!(info.players[1].options, "turn=60 margin=0.1");
    let setting = |name: &str| {
        let found = info.settings.iter().find(|(other, _)| other == name);
        found.unwrap_or_else(|| panic!("{name}")).1.as_str()
    };
    assert!(setting("openings").starts_with("3 with checksum "));
    assert_eq!(setting("order"), "random with seed 7");
    let later = MatchInfo::of(&MatchSpec { first_opening: 24, ..full() });
    assert_eq!(
        info.differences(&later).to_string(),
        "order random with seed 7 (now random with seed 7 from 25)"
    );
    assert_eq!(setting("symmetries"), "off");
    assert_eq!(setting("draw-after"), "200");
    assert_eq!(setting("draw"), "20,5,50");
    assert_eq!(setting("resign"), "1000,3 by both");
}

#[test]
fn what_is_written_is_read_back_exactly() {
    let mut specs = vec![full(), testing::spec(2), testing::spec(5)];
    specs.push(MatchSpec { pairing: Pairing::Gauntlet, ..testing::spec(3) });
    specs.push(MatchSpec {
        pairing: Pairing::BestOf { first: vec![0, 1, 1] },
        event: "\"quoted\"\nand \u{1f44d}".to_owned(),
        rule: Rule::Renju,
        size: Size::new(22, 5).unwrap(),
        ..full()
    });
    for spec in specs {
        let info = MatchInfo::of(&spec);
        let text = written(&info);
        assert!(!text.contains('\n'));
        assert_eq!(serde_json::from_str::<MatchInfo>(&text).unwrap(), info, "{text}");
    }
}

#[test]
fn what_is_no_match_is_refused_in_words() {
    let text = written(&MatchInfo::of(&full()));
    for (old, new, what) in [
        ("\"freestyle\"", "\"chess\"", "unknown variant `chess`"),
        ("[9,9]", "[9,99]", "board edges"),
        ("\"normalized\"", "\"best\"", "unknown variant `best`"),
        ("0.05", "\"0.05\"", "invalid type: string \"0.05\""),
        ("\"rounds\"", "\"turns\"", "unknown field `turns`"),
    ] {
        assert!(text.contains(old), "{text}");
        let error = serde_json::from_str::<MatchInfo>(&text.replacen(old, new, 1)).unwrap_err();
        assert!(error.to_string().contains(what), "{error}");
    }
}

/// A change of a match, and the names of what differs then.
type Change = (fn(&mut MatchSpec), &'static [&'static str]);

#[test]
fn every_difference_is_named() {
    let changes: [Change; 20] = [
        (|_| {}, &[]),
        (|spec| spec.event.push('x'), &["event"]),
        (|spec| spec.rule = Rule::Renju, &["rule"]),
        (|spec| spec.size = Size::DEFAULT, &["size"]),
        (|spec| spec.rounds = 2, &["rounds"]),
        (|spec| spec.pairing = Pairing::Gauntlet, &["pairing"]),
        (|spec| spec.sprt = None, &["sprt"]),
        (|spec| spec.contestants[1].name.push('x'), &["name of player 2"]),
        (|spec| spec.contestants[1].kind = ContestantKind::Greedy, &["command of player 2"]),
        (|spec| spec.contestants[1].allowance.nodes = Some(1), &["options of player 2"]),
        (|spec| spec.contestants[0].allowance.memory = Some(1), &["options of player 1"]),
        (|spec| spec.contestants[0].restart = false, &["options of player 1"]),
        (|spec| spec.contestants[0].options.clear(), &["options of player 1"]),
        (|spec| spec.openings.swap(0, 1), &["openings"]),
        (|spec| spec.openings.clear(), &["openings"]),
        (|spec| spec.order = OpeningOrder::Shuffled(8), &["order"]),
        (|spec| spec.symmetries = true, &["symmetries"]),
        (|spec| spec.swap2 = true, &["swap2"]),
        (|spec| spec.adjudication = Adjudication::default(), &["draw-after", "draw", "resign"]),
        (
            |spec| {
                spec.contestants.pop();
            },
            &[
                "number of players",
                "command of player 2",
                "name of player 2",
                "options of player 2",
            ],
        ),
    ];
    let begun = MatchInfo::of(&full());
    for (change, names) in changes {
        let mut spec = full();
        change(&mut spec);
        let now = MatchInfo::of(&spec);
        let differences = begun.differences(&now);
        let found: Vec<&str> = differences.0.iter().map(|d| d.name.as_str()).collect();
        assert_eq!(found, names);
        assert_eq!(begun == now, names.is_empty());
        let back: BTreeSet<String> =
            now.differences(&begun).0.into_iter().map(|difference| difference.name).collect();
        assert_eq!(back, names.iter().map(|&name| name.to_owned()).collect());
    }
    let more = MatchInfo::of(&MatchSpec { rounds: 3, ..full() });
    assert_eq!(begun.differences(&more).to_string(), "rounds 1 (now 3)");
}

#[test]
fn a_limit_of_silence_is_named_only_if_it_is_another_one() {
    let usual = testing::spec(2);
    let named = |silence: Option<Duration>| {
        let info = MatchInfo::of(&MatchSpec { silence, ..usual.clone() });
        let is_silence = |(name, _): &(String, String)| name == "silence";
        info.settings.into_iter().find(is_silence).map(|(_, value)| value)
    };
    assert_eq!(named(usual.silence), None);
    assert_eq!(named(Some(Duration::from_millis(2500))).as_deref(), Some("2.5 s"));
    assert_eq!(named(None).as_deref(), Some("none"));
}
