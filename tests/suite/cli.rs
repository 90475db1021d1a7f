//! The command line: help, version, errors, and what `conformance` prints.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;
use tengen_core::eval::classical::Weights;
use tengen_core::eval::network::Parameters;
use tengen_core::patterns::PatternSet;
use tengen_core::rules::Rule;
use tengen_core::types::Color;

#[cfg(target_os = "linux")]
use crate::child::{self, open_terminal};
use tengen_lab::conformance::{RunnerOptions, load, run_all};
use tengen_lab::process::EngineCommand;

fn tengen(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(args)
        .env("COLUMNS", "100")
        .stdin(Stdio::null())
        .output()
        .expect("tengen starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A file in a directory of its own, removed at the end of the test.
struct TempFile {
    path: PathBuf,
    _dir: TempDir,
}

impl TempFile {
    fn new(name: &str, content: impl AsRef<[u8]>) -> TempFile {
        let dir = TempDir::with_prefix("tengen-cli-").expect("the directory is made");
        let path = dir.path().join(name);
        std::fs::write(&path, content).expect("the file is written");
        TempFile { path, _dir: dir }
    }

    fn path(&self) -> &str {
        self.path.to_str().expect("the path is text")
    }
}

#[test]
fn a_file_in_the_place_of_a_command_is_shown() {
    let game = TempFile::new("a game.pos", "h8i7h9\nh8\n");
    for options in [&[][..], &["--game", "2"]] {
        let short = tengen(&[&[game.path()], options].concat());
        let long = tengen(&[&["show", game.path()], options].concat());
        assert!(short.status.success(), "{}", stderr(&short));
        assert_eq!(stdout(&short), stdout(&long));
    }
    let missing = tengen(&["missing.psq"]);
    assert_eq!((missing.status.code(), stdout(&missing)), (Some(1), String::new()));
    assert!(stderr(&missing).starts_with("Error: cannot read missing.psq: "), "{missing:?}");
    // What is no path is a command that does not exist.
    let command = tengen(&["shwo"]);
    assert_eq!(command.status.code(), Some(2));
    assert!(stderr(&command).contains("unrecognized subcommand 'shwo'"), "{command:?}");
    // An option of the protocol has no file.
    assert_eq!(tengen(&["--level", "3", game.path()]).status.code(), Some(2));
}

#[test]
fn version_is_the_name_and_the_number_of_the_package() {
    for option in ["--version", "-V"] {
        let output = tengen(&[option]);
        assert_eq!(stdout(&output), format!("tengen {}\n", env!("CARGO_PKG_VERSION")));
        assert!(output.status.success());
    }
}

#[test]
fn other_errors_are_one_line_with_exit_code_1() {
    let bad = TempFile::new("bad.txt", "# title\n> START 15\nfoo\n");
    let cases: [(&[&str], String); 3] = [
        (
            &["conformance", "--engine", " ", bad.path()],
            "Error: --engine names no program\n".to_owned(),
        ),
        (
            &["conformance", "--engine", "x", bad.path()],
            format!(
                "Error: cannot load the transcripts: {}:3: `foo` is not a step of a transcript\n",
                bad.path()
            ),
        ),
        (
            &["conformance", "--engine", "x", "src"],
            "Error: cannot load the transcripts: src: no transcripts here\n".to_owned(),
        ),
    ];
    for (args, message) in cases {
        let output = tengen(args);
        assert_eq!(stderr(&output), message);
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        assert!(stdout(&output).is_empty(), "{args:?}");
    }
    let output = tengen(&["conformance", "--engine", "x", "no-such-file.txt"]);
    let text = stderr(&output);
    assert!(text.starts_with("Error: cannot load the transcripts: no-such-file.txt: "), "{text}");
}

#[test]
fn conformance_says_once_that_an_engine_does_not_start() {
    let file = TempFile::new("start.txt", "# case 2: starting\nfresh\n> START 15\n< OK\n");
    let output = tengen(&["conformance", "--engine", "no-such-engine", file.path()]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stdout(&output), "");
    let text = stderr(&output);
    assert!(text.starts_with("Error: cannot start no-such-engine: "), "{text}");
}

#[test]
fn conformance_carries_its_transcripts() {
    let elsewhere = tempfile::tempdir().expect("a directory");
    // A program that ends at once.
    let engine = format!("'{}' --version", env!("CARGO_BIN_EXE_tengen"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_tengen"));
    command.args(["conformance", "--profile", "all", "--engine", &engine]);
    let text = stdout(&command.current_dir(elsewhere.path()).output().expect("tengen starts"));
    let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/protocol-tests")).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let count = names.filter(|name| name.ends_with(".txt")).count();
    let summary = text.lines().find_map(|line| line.strip_prefix("Profile all: "));
    let numbers = summary.unwrap_or_else(|| panic!("{text}")).split(", ");
    let number = |part: &str| part.split(' ').next()?.parse::<usize>().ok();
    assert_eq!(numbers.filter_map(number).sum::<usize>(), count, "{text}");
}

#[cfg(unix)]
#[test]
fn conformance_prints_two_lines_for_a_failure_and_a_summary() {
    let engine = r#"sh -c 'while read -r line; do case $line in END) exit;; *) echo "UNKNOWN $line";; esac; done'"#;
    let good = TempFile::new("good.txt", "# case 24: unknown\nfresh\n> FOO\n<unknown /FOO/\n");
    let bad = TempFile::new("bad.txt", "# case 2: start\nfresh\n> START 15\n< OK\n");
    let command = ["conformance", "--slack", "20", "--engine", engine];
    let output = tengen(&[&command[..], &[good.path()]].concat());
    let summary = "Profile all: 1 passed, 0 failed, 0 skipped\n  must       1 of 1 passed\n";
    assert_eq!(stdout(&output), summary);
    assert!(output.status.success());
    let output = tengen(&[&command[..], &["--verbose", good.path()]].concat());
    assert_eq!(stdout(&output), format!("pass  must       case 24: unknown\n{summary}"));

    let output = tengen(&[&command[..], &[bad.path(), good.path()]].concat());
    assert_eq!(output.status.code(), Some(1));
    let expected = "FAIL  must       case 2: start\n      line 4: expected \"OK\" within 100000 ms; \
                    got: \"UNKNOWN START 15\"\n\
                    Profile all: 1 passed, 1 failed, 0 skipped\n  must       1 of 2 passed\n";
    assert_eq!(stdout(&output), expected);
    let output = tengen(&[&command[..], &["--verbose", bad.path()]].concat());
    let text = stdout(&output);
    let head = format!("FAIL  must       case 2: start\n{}:4: < OK\n", bad.path());
    assert!(text.starts_with(&head), "{text}");
    assert!(text.contains("got:      \"UNKNOWN START 15\"\n"), "{text}");
}

#[test]
fn bench_takes_weights_from_files_and_says_what_is_wrong_with_one() {
    let signature = |more: &[&str]| {
        let args = ["bench", "--json", "--depth", "2", "--rule", "renju"];
        let output = tengen(&[&args[..], more].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        json["signature"].as_u64().expect("a signature")
    };
    let mut weights = Weights::shipped(Rule::Renju);
    let same = TempFile::new("same.weights", weights.to_bytes());
    for set in PatternSet::all() {
        weights.of_mut(Color::White).set_order_own(set, 0.0);
    }
    let other = TempFile::new("other.weights", weights.to_bytes());
    let standard =
        TempFile::new("standard.weights", Weights::hand_tuned(Rule::Standard).to_bytes());
    // With weights of one's own the tables evaluate alone.
    let expected = signature(&["--network", "none"]);
    let with_same = ["--weights", same.path(), "--weights", standard.path()];
    assert_eq!(signature(&with_same), expected);
    assert_ne!(signature(&["--weights", other.path()]), expected);

    let damaged = TempFile::new("damaged.weights", &weights.to_bytes()[..1000]);
    for (files, expected) in [
        (vec!["none"], "Error: cannot read none: "),
        (vec![damaged.path()], "damaged.weights: the weights have 1000 bytes instead of "),
        (vec![same.path(), other.path()], "other.weights are the second weights for renju\n"),
    ] {
        let options = files.iter().flat_map(|file| ["--weights", file]);
        let tool: Vec<&str> = ["bench"].into_iter().chain(options.clone()).collect();
        // The protocol is not spoken with other weights than those asked for.
        for args in [tool, options.collect()] {
            let output = tengen(&args);
            assert_eq!(output.status.code(), Some(1));
            assert!(stdout(&output).is_empty());
            assert!(stderr(&output).contains(expected), "{}", stderr(&output));
        }
    }
}

#[test]
fn bench_takes_networks_from_files_and_says_what_is_wrong_with_one() {
    let signature = |more: &[&str]| {
        let args = ["bench", "--json", "--depth", "2", "--rule", "renju"];
        let output = tengen(&[&args[..], more].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        json["signature"].as_u64().expect("a signature")
    };
    let file = |name: &str, rule: Rule| {
        TempFile::new(name, Parameters::random(rule, 1).to_bytes().expect("good parameters"))
    };
    let (renju, standard) = (file("renju.net", Rule::Renju), file("standard.net", Rule::Standard));
    let expected = signature(&[]);
    assert_eq!(signature(&["--network", standard.path()]), expected, "it is for another rule");
    let tables = signature(&["--network", "none"]);
    assert_ne!(signature(&["--network", renju.path()]), tables);
    assert_ne!(signature(&["--network", standard.path(), "--network", renju.path()]), expected);

    let bytes = Parameters::random(Rule::Renju, 1).to_bytes().expect("good parameters");
    let damaged = TempFile::new("damaged.net", &bytes[..1000]);
    for (files, expected) in [
        (vec!["nowhere"], "Error: cannot read nowhere: "),
        (vec![renju.path(), "none"], "Error: --network none stands alone"),
        (vec![damaged.path()], "damaged.net: the network is damaged: "),
        (vec![renju.path(), renju.path()], "renju.net is the second network for renju\n"),
    ] {
        let options = files.iter().flat_map(|file| ["--network", file]);
        let tool: Vec<&str> = ["bench"].into_iter().chain(options.clone()).collect();
        // The protocol is not spoken with another evaluation than the one asked for.
        for args in [tool, options.collect()] {
            let output = tengen(&args);
            assert_eq!(output.status.code(), Some(1));
            assert!(stdout(&output).is_empty());
            assert!(stderr(&output).contains(expected), "{}", stderr(&output));
        }
    }
}

#[cfg(unix)]
#[test]
fn a_closed_output_is_no_error() {
    // `true` does not read, so the help or the report finds a closed pipe.
    let file = TempFile::new("pipe.txt", "# case 1: silence\nfresh\n<nothing 200ms\n");
    let command = format!(
        "{{ {} conformance --engine cat {}; echo \"code $?\" >&2; }} | true",
        env!("CARGO_BIN_EXE_tengen"),
        file.path()
    );
    let output = Command::new("sh").args(["-c", &command]).output().expect("sh starts");
    assert_eq!(stderr(&output), "code 0\n");
}

#[test]
fn without_a_command_the_protocol_is_spoken_whatever_the_options() {
    for args in [&[][..], &["--force-utf8"], &["-x", "y"], &["--param", "aspiration=30"]] {
        speaks_the_protocol(Path::new(env!("CARGO_BIN_EXE_tengen")), args);
    }
}

/// Runs tengen with a terminal as its standard input, in which somebody types `END`, and returns its
/// exit code and standard error.
#[cfg(target_os = "linux")]
fn in_terminal(args: &[&str]) -> (Option<i32>, String) {
    let (mut ours, theirs) = open_terminal();
    let child = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(args)
        .stdin(theirs)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("tengen starts");
    ours.write_all(b"END\n").expect("the terminal takes a line");
    let output = child.wait_with_output().expect("tengen ends");
    (output.status.code(), stderr(&output))
}

#[cfg(target_os = "linux")]
#[test]
fn a_person_in_a_terminal_is_not_left_waiting_in_silence() {
    let (code, words) = in_terminal(&[]);
    assert_eq!((code, words.lines().count()), (Some(0), 1), "{words}");
    assert!(words.starts_with("tengen waits for a game manager: "), "{words}");
    // A word that a manager may send is a typing error of a person.
    let (code, words) = in_terminal(&["--force-utf8"]);
    assert_eq!(code, Some(2));
    assert!(words.contains("unexpected argument '--force-utf8'"), "{words}");
}

#[test]
fn without_a_command_the_tool_is_the_same_engine() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("protocol-tests");
    let mut transcripts = load(&[folder]).expect("all transcripts parse");
    // The last two are of what only the tool answers, reviews and proofs. Other engines pass them by `UNKNOWN`, so
    // what it says is looked at below.
    transcripts.retain(|t| {
        matches!(t.case, Some(1 | 2 | 14 | 16 | 19 | 29 | 59 | 96 | 101 | 105 | 150 | 151))
    });
    assert_eq!(transcripts.len(), 12);
    let engine = EngineCommand::new(env!("CARGO_BIN_EXE_tengen"), &[]);
    // Only an engine that hangs misses a deadline.
    let options = RunnerOptions { slack: 100.0, strict: true };
    run_all(&transcripts, &engine, &options, 2, |_, verdict| {
        assert!(verdict.is_ok(), "{}", verdict.unwrap_err());
    })
    .unwrap();
    let said = piped("START 15\nINFO max_node 100\nREVIEW 7,7 DONE\nPROVE\nEND\n");
    assert!(said.contains("\nMESSAGE REVIEW {\"done\":true,"), "{said}");
    assert!(said.contains("\nMESSAGE PROOF {\"result\":"), "{said}");
}

/// Returns what tengen answers to these lines.
fn piped(lines: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("tengen starts");
    child.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("the lines are read");
    let output = child.wait_with_output().expect("tengen ends");
    assert!(output.status.success());
    stdout(&output)
}

#[test]
fn the_engine_speaks_the_protocol_whatever_the_arguments() {
    for args in [&["bench"][..], &["--help"], &["--version"], &["nonsense", "--more"]] {
        speaks_the_protocol(child::engine(), args);
    }
}

fn speaks_the_protocol(program: &Path, args: &[&str]) {
    let mut child = Command::new(program)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("tengen starts");
    let mut stdin = child.stdin.take().expect("stdin is piped");
    stdin.write_all(b"START 15\nEND\n").expect("tengen reads");
    let output = child.wait_with_output().expect("tengen ends");
    assert_eq!(stdout(&output), "OK\n", "{args:?}");
    assert!(output.status.success() && output.stderr.is_empty(), "{args:?}");
}
