//! The transcripts of `protocol-tests/` against the real executable, and the runner against
//! engines that misbehave.
//!
//! Deadlines are stretched so far that only an engine that hangs misses one: other tests run at the
//! same time. `scripts/checks/protocol` plays the transcripts with the deadlines of managers.

use std::path::{Path, PathBuf};

use crate::child;
use crate::common::repository;
use tengen_lab::conformance::{RunnerOptions, Transcript, load, run_all};
use tengen_lab::process::EngineCommand;

/// The factor for deadlines; the shortest are of some milliseconds, the usual one of five
/// seconds.
const SLACK: f64 = 100.0;
/// The number of transcripts at a time: most of them wait.
const JOBS: usize = 6;

fn transcripts() -> Vec<Transcript> {
    load(&[repository().join("protocol-tests")]).expect("all transcripts parse")
}

/// Plays transcripts and shows every failure.
fn check(transcripts: &[Transcript], engine: &EngineCommand) {
    let mut failures = Vec::new();
    let options = RunnerOptions { slack: SLACK, strict: true };
    run_all(transcripts, engine, &options, JOBS, |_, verdict| {
        failures.extend(verdict.err().map(|failure| failure.to_string()));
    })
    .unwrap();
    let of = transcripts.len();
    assert!(failures.is_empty(), "{} of {of} failed:\n\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn every_case_has_a_transcript_named_after_it() {
    let mut numbers = Vec::new();
    for transcript in transcripts() {
        let number = transcript.case.expect("the title begins with `case N:`");
        let name = PathBuf::from(&transcript.name);
        let name = name.file_name().expect("a file has a name").to_string_lossy().into_owned();
        assert!(name.starts_with(&format!("{number:03}-")), "{name} is about case {number}");
        numbers.push(number);
    }
    // 1 to 151 are the cases of the protocol, from 201 on come conversations as managers hold
    // them, and from 301 on recorded ones.
    let count = |from: u32| numbers.iter().filter(|&&n| n / 100 == from / 100).count() as u32;
    let series = |from: u32| from..from + count(from);
    assert!(count(201) >= 25, "{numbers:?}");
    let expected: Vec<u32> = (1..=151).chain(series(201)).chain(series(301)).collect();
    assert_eq!(numbers, expected);
}

#[test]
fn every_transcript_says_who_depends_on_it() {
    let unsaid: Vec<String> = transcripts()
        .into_iter()
        .filter(|transcript| !transcript.importance.is_said())
        .map(|transcript| transcript.title)
        .collect();
    assert!(unsaid.is_empty(), "no `must`, `should` or `extension`: {unsaid:#?}");
}

#[test]
fn pbrain_tengen_passes_all_transcripts() {
    check(&transcripts(), &EngineCommand::new(child::engine(), &[]));
}

/// Engines of a few lines of shell, most of which break a rule that the runner watches over.
#[cfg(unix)]
mod runner {
    use super::*;
    use tengen_lab::conformance::{RunOutcome, WarningKind, run};

    /// Plays a transcript against a shell script, which is given `reply`: a function that writes
    /// its argument as a line.
    fn play(transcript: &str, script: &str, slack: f64) -> Result<RunOutcome, String> {
        play_as(transcript, script, slack, true)
    }

    /// Does the same for an engine of whom not everything is minded, unless it is strict.
    fn play_as(
        transcript: &str,
        script: &str,
        slack: f64,
        strict: bool,
    ) -> Result<RunOutcome, String> {
        let transcript = Transcript::parse("t.txt", &format!("# test\n{transcript}"))
            .expect("the transcript parses");
        let script = format!("reply() {{ printf '%s\\n' \"$1\"; }}\n{script}");
        let engine = EngineCommand::new("sh", &["-c", &script]);
        let options = RunnerOptions { slack, strict };
        run(&transcript, &engine, &options).map_err(|failure| failure.to_string())
    }

    /// A script that answers like an engine and does `$1` when it is asked for a move.
    fn on_begin(action: &str) -> String {
        format!(
            "while read -r line; do case $line in
                START*) reply OK;;
                BEGIN) {action};;
                END) exit 0;;
            esac; done"
        )
    }

    #[track_caller]
    fn passes(transcript: &str, script: &str) {
        if let Err(failure) = play(transcript, script, SLACK) {
            panic!("it must pass:\n{failure}");
        }
    }

    /// Checks that a transcript fails at a line of its file, for a reason other than a deadline.
    #[track_caller]
    fn fails(transcript: &str, script: &str, at: &str, reason: &str) {
        fails_within(transcript, script, SLACK, at, reason);
    }

    /// Checks that a deadline is missed. None of those before it is near, however busy the machine is.
    #[track_caller]
    fn times_out(transcript: &str, script: &str, at: &str, reason: &str) {
        fails_within(transcript, script, 1.0, at, reason);
    }

    #[track_caller]
    fn fails_within(transcript: &str, script: &str, slack: f64, at: &str, reason: &str) {
        let failure = play(transcript, script, slack).expect_err("it must fail");
        assert!(failure.starts_with(&format!("t.txt{at}")), "not at {at}:\n{failure}");
        assert!(failure.contains(reason), "not because of {reason:?}:\n{failure}");
    }

    const MOVE: &str = "> BEGIN\n! 300ms\n<move\n";

    #[test]
    fn a_good_engine_passes() {
        passes(MOVE, &on_begin("reply 'MESSAGE depth 1'; reply 7,7"));
    }

    #[test]
    fn a_late_move_fails_and_its_time_is_told() {
        times_out(MOVE, &on_begin("sleep 0.5; reply 7,7"), ":4: <move", "got:      \"7,7\" after ");
    }

    #[test]
    fn slack_forgives_a_late_move() {
        passes(MOVE, &on_begin("sleep 0.5; reply 7,7"));
    }

    #[test]
    fn a_missing_move_fails() {
        times_out(MOVE, &on_begin(":"), ":4: <move", "got:      nothing");
    }

    #[test]
    fn illegal_moves_fail() {
        fails(MOVE, &on_begin("reply 15,0"), ":4: <move", "15,0 is off the board");
        fails(MOVE, &on_begin("reply '7, 7'"), ":4: <move", "\"7, 7\"");
        let turn = "while read -r line; do case $line in
            START*) reply OK;; TURN*) reply 7,7;; END) exit 0;; esac; done";
        passes("> TURN 8,8\n<move\n", turn);
        fails("> TURN 7,7\n<move\n", turn, ":3: <move", "7,7 is not empty");
        fails("> TURN 8,8\n<move\n> TURN 9,9\n<move\n", turn, ":5: <move", "7,7 is not empty");
        fails("> TURN 8,8\n<move not 7,7\n", turn, ":3: <move", "not one of the moves allowed");
    }

    #[test]
    fn an_extra_line_fails_where_it_is_noticed() {
        // Both in one write: what comes later is noticed later.
        let two_moves = on_begin("printf '7,7\\n8,8\\n'");
        fails(MOVE, &two_moves, ": the usual END", "got:      \"8,8\"");
        fails(&format!("{MOVE}<nothing 100ms\n"), &two_moves, ":5: <nothing", "\"8,8\"");
        let chatter = on_begin("printf '7,7\\nMESSAGE hm\\n'");
        passes(MOVE, &chatter);
        fails(&format!("{MOVE}<nothing 100ms\n"), &chatter, ":5: <nothing", "MESSAGE hm");
        fails("<nothing 100ms\n> X\n", "reply hello", ": the usual START", "\"hello\"");
    }

    #[test]
    fn thinking_permits_messages_but_no_move() {
        let transcript = "> BEGIN\n<thinking 200ms\n<move\n";
        passes(transcript, &on_begin("reply 'MESSAGE a'; sleep 0.4; reply 7,7"));
        let transcript = "> BEGIN\n<thinking 100s\n<move\n";
        fails(transcript, &on_begin("reply 7,7"), ":3: <thinking", "\"7,7\"");
    }

    #[test]
    fn lines_that_some_manager_cannot_read_fail() {
        for (action, fault) in [
            ("echo; reply 7,7", "it is empty"),
            ("printf '7,7\\r\\n'", "it ends with CR LF"),
            ("reply ' 7,7'", "it begins with a blank"),
            ("reply '7,7 '", "it ends with a blank"),
            ("reply MESSAGE; reply 7,7", "no text after the keyword"),
            ("printf 'MESSAGE \\377\\n'", "the byte 0xff"),
            ("printf 'MESSAGE %02500d\\n' 0; reply 7,7", "longer than 2000 bytes"),
            ("printf 7,; sleep 1; echo 7", "written without its line end"),
            ("printf 7,7; exit", "written without its line end"),
        ] {
            fails(MOVE, &on_begin(action), ":4: <move", fault);
        }
    }

    /// Plays a transcript as for other people's engines, and returns the warnings.
    #[track_caller]
    fn warns(transcript: &str, script: &str) -> Vec<WarningKind> {
        match play_as(transcript, script, SLACK, false) {
            Ok(RunOutcome::Passed(warnings)) => warnings.iter().map(|it| it.kind).collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_only_some_managers_mind_is_a_warning() {
        for (action, kind) in [
            ("echo; reply 7,7", WarningKind::Empty),
            ("printf '7,7\\r\\n'", WarningKind::CarriageReturn),
            ("reply 'MESSAGE a '; reply 7,7", WarningKind::Blank),
            ("printf 'MESSAGE \\377\\n7,7\\n'", WarningKind::Bytes),
            ("printf 'MESSAGE %02500d\\n' 0; reply 7,7", WarningKind::TooLong),
            ("printf 7,; sleep 0.5; echo 7", WarningKind::Piece),
            ("echo warning >&2; sleep 0.5; reply 7,7", WarningKind::StandardError),
            ("touch book.tmp; reply 7,7", WarningKind::LeftFile),
        ] {
            assert_eq!(warns("> BEGIN\n<move\n", &on_begin(action)), [kind], "{action}");
        }
        let start = |ok: &str, end: &str| {
            format!(
                "while read -r line; do case $line in
                    START*) reply '{ok}';; BEGIN) reply 7,7;; END) {end};; esac; done"
            )
        };
        let begin = "> BEGIN\n<move\n> BEGIN\n<move not 8,8\n";
        let fine = start("OK", "exit 0");
        // Its second move is on the stone of the first, so the OK was understood in both cases.
        for script in [&fine, &start("OK - everything is good", "exit 0")] {
            let failure = play_as(begin, script, SLACK, false).expect_err("it plays on a stone");
            assert!(failure.contains("7,7 is not empty"), "{failure}");
        }
        let begin = "> BEGIN\n<move\n";
        assert_eq!(warns(begin, &fine), []);
        assert_eq!(warns(begin, &start("ok", "exit 0")), [WarningKind::PatientOk]);
        assert_eq!(warns(begin, &start("OK", "exit 3")), [WarningKind::ExitCode]);
    }

    #[test]
    fn who_moves_at_once_is_not_disturbed() {
        let disturbed = "> BEGIN\n<thinking 100s\n> STOP\n<move\n";
        let outcome = play_as(disturbed, &on_begin("reply 7,7"), SLACK, false);
        assert!(matches!(outcome, Ok(RunOutcome::Skipped(_))), "{outcome:?}");
        // Not so for other lines, nor where another run shows something.
        assert!(play_as(disturbed, &on_begin("reply OK"), SLACK, false).is_err());
        let more = format!("{disturbed}---\n> BEGIN\n<move\n");
        assert_eq!(warns(&more, &on_begin("reply 7,7")), []);
        assert!(play_as(disturbed, &on_begin("reply 7,7"), SLACK, true).is_err());
    }

    #[test]
    fn who_does_not_end_is_warned_of() {
        let deaf = "while read -r line; do case $line in START*) reply OK;; esac; done; sleep 600";
        match play_as("wait 1ms\n", deaf, 1.0, false) {
            Ok(RunOutcome::Passed(warnings)) => assert_eq!(warnings[0].kind, WarningKind::Lingers),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_every_manager_minds_fails_for_everybody() {
        for (action, reason) in [
            ("reply '7,7 '", "\"7,7 \""),
            ("reply ' MESSAGE a'; reply 7,7", "\" MESSAGE a\""),
            ("reply MESSAGE; reply 7,7", "\"MESSAGE\""),
            ("reply 'SUGGEST 7,7'", "\"SUGGEST 7,7\""),
            ("reply 7,7; reply 8,8", "\"8,8\""),
            ("printf '7,7\\r'; exit", "\"7,7\\r\""),
        ] {
            let failure = play_as(MOVE, &on_begin(action), SLACK, false).expect_err(action);
            assert!(failure.contains(reason), "{action}: {failure}");
        }
    }

    #[test]
    fn output_on_standard_error_fails() {
        let script = on_begin("echo warning >&2; sleep 1; reply 7,7");
        fails(MOVE, &script, ":4: <move", "expected: nothing on standard error");
        let at_the_end = "while read -r line; do case $line in
            START*) reply OK;; END) echo bye >&2; exit 0;; esac; done";
        fails("wait 1ms\n", at_the_end, ": the usual END", "\"bye\\n\"");
    }

    #[test]
    fn wrong_ends_fail() {
        let exits = |code: &str| {
            format!(
                "while read -r line; do case $line in
                    START*) reply OK;; END) exit {code};; BEGIN) exit 0;; esac; done"
            )
        };
        fails("wait 1ms\n", &exits("3"), ": the usual END", "exit status: 3");
        passes("> END\nexit 3\n", &exits("3"));
        passes("> END\nexit\n", &exits("3"));
        fails("> END\nexit 0\n", &exits("3"), ":3: exit 0", "exit status: 3");
        fails(MOVE, &exits("0"), ":4: <move", "the process ended: exit status: 0");
        let deaf = "while read -r line; do case $line in START*) reply OK;; esac; done";
        times_out("> END\nexit 0 within 100ms\n", deaf, ":3: exit", "it still runs");
        passes("eof\nexit 0\n", deaf);
        let talks = "while read -r line; do case $line in
            START*) reply OK;; END) reply 7,7; exit 0;; esac; done";
        fails("wait 1ms\n", talks, ": the usual END", "got:      \"7,7\"");
    }

    #[test]
    fn files_left_behind_fail() {
        fails(
            "wait 1ms\n",
            &format!("touch book.tmp\n{}", on_begin(":")),
            ": the usual END",
            "book.tmp",
        );
        passes("wait 1ms\n", &format!("touch a; rm a\n{}", on_begin(":")));
    }

    #[test]
    fn signals_arrive() {
        passes("signal TERM\nexit within 500ms\n", "reply OK; exec sleep 600");
        times_out(
            "signal TERM\nexit\n",
            "trap : TERM; reply OK; while :; do sleep 0.1; done",
            ":3: exit",
            "still",
        );
        passes(
            "signal STOP\n> BEGIN\n<nothing 200ms\nsignal CONT\n! 300ms\n<move\n",
            &on_begin("reply 7,7"),
        );
    }

    #[test]
    fn a_closed_output_breaks_the_pipe() {
        // A process that another test is just starting may hold the pipe for a moment.
        let persists = on_begin("while reply 7,7 2>&-; do sleep 0.01; done; exit 1");
        passes("close-stdout\n> BEGIN\nexit within 500ms\n", &persists);
        let ignores = on_begin("reply 7,7 2>&- || :");
        times_out(
            "close-stdout\n> BEGIN\nexit within 100ms\n",
            &format!("trap '' PIPE\n{ignores}"),
            ":4: exit",
            "still",
        );
    }

    #[test]
    fn growing_memory_fails() {
        let script = on_begin("a=$(head -c 30000000 /dev/zero | tr '\\0' x); reply 7,7");
        let transcript = "memory mark\n> BEGIN\n<move\nmemory +16MiB\n";
        if Path::new("/proc/self/status").exists() {
            fails(transcript, &script, ":5: memory +16MiB", "at most 16.0 MiB more");
        }
        passes("memory mark\n> BEGIN\n<move\nmemory +100MiB\n", &script);
    }

    #[test]
    fn lines_about_a_search_that_nobody_asked_for_fail() {
        let block = "reply 'INFO PV 0'; reply 'INFO NUMPV 1'; reply 'INFO DEPTH 2'
            reply 'INFO EVAL 0'; reply 'INFO WINRATE 0.5'; reply 'INFO BESTLINE 7,7'
            reply 'INFO PV DONE'";
        let shows = on_begin(&format!("{block}; reply 7,7"));
        fails(MOVE, &shows, ":4: <move", "got:      \"INFO PV 0\"");
        passes(&format!("> INFO show_detail 2\n{MOVE}"), &shows);
        passes(&format!("> info SHOW_DETAIL 3\n{MOVE}"), &shows);
        fails(&format!("> INFO show_detail 1\n{MOVE}"), &shows, ":5: <move", "INFO PV 0");
        fails(
            "> INFO show_detail 2\n> INFO show_detail 0\n> BEGIN\n<move\n",
            &shows,
            ":5: <move",
            "INFO PV 0",
        );
        passes("> INFO show_detail 2\n> BEGIN\n< INFO DEPTH 2\n< INFO PV DONE\n<move\n", &shows);
        let real_time = on_begin("reply 'MESSAGE REALTIME BEST 7,7'; reply 7,7");
        fails(MOVE, &real_time, ":4: <move", "MESSAGE REALTIME BEST 7,7");
        passes(&format!("> INFO show_detail 1\n{MOVE}"), &real_time);
        let swap = on_begin("reply 'MESSAGE SWAP2 SWAP1 YES'; reply 7,7");
        fails(MOVE, &swap, ":4: <move", "MESSAGE SWAP2 SWAP1 YES");
    }

    #[test]
    fn malformed_lines_about_a_search_fail() {
        let open = on_begin("reply 'INFO PV 0'; reply 7,7");
        let asked = format!("> INFO show_detail 3\n{MOVE}");
        fails(&asked, &open, ":5: <move", "\"7,7\": it comes before the INFO PV DONE");
        let lose = on_begin("reply 'MESSAGE REALTIME LOSE 7,7'; reply 7,7");
        fails(&asked, &lose, ":5: <move", "no manager knows this line");
    }

    #[test]
    fn forbidden_cells_are_compared() {
        let script = on_begin("reply 'FORBID 09121001.'");
        passes("> BEGIN\n<forbid 10,1 9,12\n", &script);
        fails("> BEGIN\n<forbid 10,1\n", &script, ":3: <forbid", "FORBID 09121001.");
        fails("> BEGIN\n<forbid\n", &script, ":3: <forbid", "FORBID without cells");
    }

    #[test]
    fn places_of_expected_lines_are_checked_and_named() {
        let script = "while read -r line; do case $line in
            START*) reply OK;; INFO*) ;; STEP) reply 'MESSAGE SWAP2 MOVE1 3 4'; reply 'MESSAGE SWAP2 MOVE2 5 6';;
            TWICE) reply 'A 3 4'; reply 'A 3 4';; OFF) reply 'A 15 4';; COUNT) reply 'N 15';;
            BEGIN) reply 7,7;; TURN*) reply 8,8;; 'PUT 5,6 7,7 1,1') reply YES;;
            END) exit 0;; *) reply \"ERROR $line\";; esac; done";
        let steps = "> STEP\n< MESSAGE SWAP2 MOVE1 {x y as A}\n< MESSAGE SWAP2 MOVE2 {x y as B}\n";
        passes(&format!("{steps}> BEGIN\n<move as C\n> PUT {{B}} {{C}} 1,1\n< YES\n"), script);
        fails("> TWICE\n< A {x y as A}\n< A {x y as B}\n", script, ":4: < A", "named before");
        fails("> OFF\n< A {x y}\n", script, ":3: < A", "15,4 is off the board");
        passes("> COUNT\n< N {n}\n", script);
        fails("> COUNT\n< N {x,y}\n", script, ":3: < N", "\"N 15\"");
        fails("> PUT {D}\n", script, ":2: > PUT", "a cell called D");
        passes("> TURN {free as D}\n<move\n> PUT {D}\n<error\n", script);
    }

    #[test]
    fn the_next_line_decides_between_alternatives() {
        let either = "> BEGIN\neither\n< SWAP\n<nothing 50ms\nor\n<move in 7,7\n< OK\nend\n> X\n";
        passes(either, &on_begin("reply 'MESSAGE hm'; reply SWAP"));
        passes(either, &on_begin("reply 7,7; reply OK"));
        fails(either, &on_begin("reply 7,7; reply SWAP"), ":8: < OK", "SWAP");
        fails(either, &on_begin("printf 'SWAP\\n7,7\\n'"), ":5: <nothing", "7,7");
        fails(either, &on_begin("reply 8,8"), ":3: either", "\"8,8\"");
    }

    #[test]
    fn line_ends_and_bursts_arrive_as_written() {
        let script = "while IFS= read -r line; do
            case $line in *\"$(printf '\\r')\") end=CRLF;; *) end=LF;; esac
            case $line in START*) reply OK;; END*) exit 0;; INFO*) ;;
            *) reply \"ERROR $(printf %s \"$line\" | tr -d '\\r') $end\";; esac; done";
        passes("> A\n< ERROR A LF\n", script);
        passes("crlf\n> A\n< ERROR A CRLF\n", script);
        let burst = "burst\n> A\n> B {free}\nend\n< ERROR A LF\n";
        passes(&format!("{burst}<error /B */\n"), script);
        passes(&format!("crlf\n{burst}<error /CRLF$/\n"), script);
    }

    #[test]
    fn a_scratch_file_can_be_written_and_read() {
        let script = "while IFS= read -r line; do case $line in START*) reply OK;;
            WRITE*) echo x >\"${line#WRITE }\" && reply OK;;
            READ*) cat \"${line#READ }\";; END) exit 0;; esac; done";
        passes("> WRITE {file}\n< OK\n> READ {file}\n< x\n", script);
    }

    #[test]
    fn placeholders_follow_the_game() {
        let script = "while read -r line; do case $line in
            START*) reply OK;; BEGIN) reply 3,4;; TAKEBACK\\ 3,4) reply OK;;
            TURN\\ 3,4) reply 1,1;; END) exit 0;; *,*,*|INFO*|BOARD) ;; DONE) reply 5,5;;
            *) reply \"ERROR $line\";; esac; done";
        passes("> BEGIN\n<move\n> TAKEBACK {last}\n< OK\n", script);
        passes("> BEGIN\n<move\n> BOARD\nposition\n> DONE\n<move\n", script);
        fails("> TAKEBACK {last}\n< OK\n", script, ":2: > TAKEBACK", "a move before {last}");
        fails("> BEGIN\n<move\n> PUT {free}\n< OK\n", script, ":5: < OK", "ERROR PUT ");
    }

    #[test]
    fn failures_inside_a_repeat_name_the_inner_line() {
        let transcript = "repeat 3\n> BEGIN\n<move\nend\n";
        fails(transcript, &on_begin("reply 7,7"), ":4: <move", "7,7 is not empty");
    }

    #[test]
    fn an_engine_that_never_reads_does_not_hang_the_runner() {
        let transcript = "raw \"x\" times 1000000\n! 200ms\n< OK\n";
        times_out(transcript, "reply OK; exec sleep 30", ":4: < OK", "got:      nothing");
    }
}
