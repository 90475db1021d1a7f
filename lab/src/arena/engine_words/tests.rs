use super::*;
use crate::process::split_words;
use proptest::option::of;
use proptest::prelude::*;

#[test]
fn slips_of_the_pen_are_near() {
    for (word, known) in [
        ("node", "nodes"),
        ("Depth", "depth"),
        ("dpeth", "depth"),
        ("tread", "threads"),
        ("memroy", "memory"),
        ("turns", "turn"),
        ("mame", "name"),
        ("biultin", "builtin"),
    ] {
        assert!(is_near(word, known), "{word} {known}");
    }
    for (word, known) in
        [("hash", "name"), ("st", "tc"), ("book", "tc"), ("evaluate", "restart"), ("d", "dir")]
    {
        assert!(!is_near(word, known), "{word} {known}");
    }
}

#[test]
fn programs_keep_their_versions() {
    for (program, name) in [
        ("./tengen-0.8", "tengen-0.8"),
        ("C:/x/pbrain-rapfi-0.41.2.EXE", "rapfi-0.41.2"),
        ("b.sh", "b"),
        ("pbrain-.exe", "pbrain-"),
        (".hidden", ".hidden"),
    ] {
        assert_eq!(name_of_program(Path::new(program)), name);
    }
}

/// Reads words with blanks between them.
fn read(line: &str) -> Result<EngineWords, EngineWordError> {
    EngineWords::read(&split_words(line))
}

#[test]
fn words_are_written_as_they_are_typed() {
    let line = "builtin=shapes name='S T' tc=40/60+0.5 margin=1 depth=4 memory=350 restart=off level=3 \
                info:treads=2 book=a=b";
    let words = read(line).unwrap();
    assert_eq!(words.to_string(), line);
    assert_eq!(words.name.as_deref(), Some("S T"));
    assert_eq!(words.options, [("treads".into(), "2".into()), ("book".into(), "a=b".into())]);
    let error = read("depth=4 turn=soon").unwrap_err();
    assert_eq!(error.to_string(), "turn=soon: it is not a time such as 60, 0.5, 500ms, 4m or 1h");
    for (word, fault) in [
        ("tc=0/5", "it is MOVES/TIME; 5 s for each move are turn=5"),
        ("tc=/5", "it is MOVES/TIME; 5 s for each move are turn=5"),
        ("tc=40/0", "the time is 0"),
        ("tc=40/", "it is not a time such as 60, 0.5, 500ms, 4m or 1h"),
    ] {
        assert_eq!(read(word).unwrap_err().to_string(), format!("{word}: {fault}"));
    }
    // What could not be read back.
    for (words, fault) in [
        (["a'b=1", "x=1"], "a'b=1: the key is not a word"),
        (["a\"b=1", "x=1"], "a\"b=1: the key is not a word"),
        (["info:x=1", "x=2"], "x=2: x is sent twice"),
    ] {
        let error = EngineWords::read(&words.map(str::to_owned)).unwrap_err();
        assert_eq!(error.to_string(), fault);
    }
}

fn kinds() -> impl Strategy<Value = ContestantKind> {
    let args = proptest::collection::vec("[ -~]{0,12}", 0..4);
    let process = ("[a-z]{1,3}[ '\"]?[a-z]{1,9}", args).prop_map(|(program, args)| {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        ContestantKind::Process(EngineCommand::new(program, &args))
    });
    let evaluators = EvaluatorKind::ALL.into_iter().map(ContestantKind::Evaluator);
    let own = evaluators.chain([ContestantKind::Greedy]).collect::<Vec<_>>();
    prop_oneof![process, proptest::sample::select(own)]
}

fn times(least: u64) -> impl Strategy<Value = Duration> {
    (least..=3_600_000_000).prop_map(Duration::from_millis)
}

/// Keys that are sent, those that mean something else without a prefix among them.
fn keys() -> impl Strategy<Value = String> {
    let odd = KEYS.into_iter().chain(["treads", "rule", "info:x"]).collect::<Vec<_>>();
    prop_oneof!["[a-z_]{1,9}", proptest::sample::select(odd).prop_map(str::to_owned)]
}

fn words() -> impl Strategy<Value = EngineWords> {
    let dir = "/[a-z '\"]{0,9}x".prop_map(|dir| std::path::absolute(dir).unwrap());
    let limits = (of(1..=u64::MAX), of(1..=u32::MAX), of(1..=u32::MAX), of(1..=u64::MAX));
    let level = (1..=10_u8).prop_map(|level| Level::new(level).unwrap());
    let options = proptest::collection::btree_map(keys(), "[ -~é五]{0,9}", 0..4);
    let who = (of(kinds()), of("[!-~五]([ -~]{0,9}[!-~])?"), of(dir));
    let game = (of(1..=u32::MAX), times(1), times(0));
    let game = game.prop_map(|(period, time, increment)| GameTime { period, time, increment });
    let clocks = (of(game), of(times(1)), of(times(0)));
    (who, clocks, limits, of(any::<bool>()), of(level), options).prop_map(
        |((kind, name, dir), (clock, turn, margin), limits, restart, level, options)| {
            let (nodes, depth, threads, memory) = limits;
            let options = options.into_iter().collect();
            EngineWords {
                kind,
                name,
                dir,
                clock,
                turn,
                margin,
                nodes,
                depth,
                threads,
                memory,
                restart,
                level,
                options,
            }
        },
    )
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(words in words()) {
        let text = words.to_string();
        prop_assert_eq!(read(&text), Ok(words), "{}", text);
    }

    #[test]
    fn a_contestant_is_made_again_by_its_words(words in words()) {
        if let Ok(contestant) = words.contestant("x".to_owned()) {
            let written = EngineWords::of(&contestant);
            let read = read(&written.to_string()).unwrap();
            // A level is told as a strength, which limits nobody.
            if let Ok(again) = read.contestant("x".to_owned()) {
                prop_assert_eq!(again, contestant);
            }
        }
    }
}
