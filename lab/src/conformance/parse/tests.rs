//! Tests of the transcript language.

use super::*;
use crate::conformance::pattern::Pattern;
use crate::conformance::profile::Manager;
use crate::conformance::script::ExpectedLine;

#[track_caller]
fn actions(body: &str) -> Vec<Action> {
    let transcript = Transcript::parse("test", &format!("# title\n{body}")).expect("it parses");
    assert_eq!(transcript.runs.len(), 1);
    transcript.runs[0].steps.iter().map(|step| step.action.clone()).collect()
}

#[track_caller]
fn problem(text: &str) -> String {
    Transcript::parse("file.txt", text).expect_err("it does not parse").to_string()
}

fn expect(reply: ExpectedLine) -> Action {
    Action::Expect { replies: vec![reply], within: None }
}

#[test]
fn a_title_is_required_and_may_begin_with_a_case_number() {
    assert!(problem("> START 15\n").starts_with("file.txt:1: a transcript begins with a comment"));
    assert!(problem("#\n> START 15\n").starts_with("file.txt:1: a transcript begins"));
    let transcript = Transcript::parse("n", "# case 57: one cell\n# more\n> X\n").unwrap();
    assert_eq!((transcript.case, transcript.title.as_str()), (Some(57), "case 57: one cell"));
    assert_eq!(Transcript::parse("n", "# no number\n> X\n").unwrap().case, None);
}

#[test]
fn who_depends_on_a_transcript_is_said_before_its_first_run() {
    let text = "# title\n# more\n\nmust gomocup\n# and\nshould all\nfresh\n> X\n---\n> Y\n";
    let transcript = Transcript::parse("n", text).unwrap();
    assert_eq!(transcript.importance.level_for(Manager::Gomocup), Some(FeatureLevel::Must));
    assert_eq!(transcript.importance.level_for(Manager::Cute), Some(FeatureLevel::Should));
    assert!(transcript.runs[0].fresh && transcript.runs.len() == 2);
    assert!(!Transcript::parse("n", "# title\n> X\n").unwrap().importance.is_said());
    let fault = problem("# title\nmust arena\n> X\n");
    assert!(fault.starts_with("file.txt:2: `arena` is not a manager"), "{fault}");
    let late = "file.txt:3: who depends on a transcript is said before its first run";
    assert_eq!(problem("# title\n> X\nmust gomocup\n"), late);
}

#[test]
fn sent_lines_keep_their_inner_blanks() {
    let sent = |text: &str| Action::Send(text.to_owned());
    assert_eq!(
        actions("> TURN 7,7\n>   TURN  7 , 7\n>\n"),
        [sent("TURN 7,7"), sent("  TURN  7 , 7"), sent("")]
    );
}

#[test]
fn a_blank_after_the_angle_makes_an_expected_line_literal() {
    assert_eq!(
        actions("< OK\n< move\n<move\n</^MESSAGE*/\n"),
        [
            expect(ExpectedLine::Exact("OK".to_owned())),
            expect(ExpectedLine::Exact("move".to_owned())),
            expect(ExpectedLine::Moves { count: 1, only: vec![], not: vec![], names: vec![] }),
            expect(ExpectedLine::Pattern(Pattern::new("^MESSAGE*"))),
        ]
    );
}

#[test]
fn moves_can_be_limited() {
    assert_eq!(
        actions("<move in 6,7 11,7 not 6,8\n<moves 3 as A B C\n"),
        [
            expect(ExpectedLine::Moves {
                count: 1,
                only: vec![(6, 7), (11, 7)],
                not: vec![(6, 8)],
                names: vec![],
            }),
            expect(ExpectedLine::Moves {
                count: 3,
                only: vec![],
                not: vec![],
                names: ["A", "B", "C"].map(str::to_owned).to_vec(),
            }),
        ]
    );
}

#[test]
fn alternatives_are_separated_by_bars() {
    assert_eq!(
        actions("<ok | error /20/ | unknown | swap\n"),
        [Action::Expect {
            replies: vec![
                ExpectedLine::Exact("OK".to_owned()),
                ExpectedLine::Error(Some(Pattern::new("20"))),
                ExpectedLine::Unknown(None),
                ExpectedLine::Exact("SWAP".to_owned()),
            ],
            within: None,
        }]
    );
}

#[test]
fn a_deadline_belongs_to_the_next_expected_line() {
    let within = Some(Duration::from_millis(100));
    assert_eq!(
        actions("! 100ms\n# comment\n< OK\n< OK\n")[0],
        Action::Expect { replies: vec![ExpectedLine::Exact("OK".to_owned())], within }
    );
    assert_eq!(
        problem("# t\n! 1s\n> X\n"),
        "file.txt:3: a deadline belongs to a line that is expected"
    );
    assert_eq!(problem("# t\n> X\n! 1s\n"), "file.txt:3: nothing is expected after this deadline");
    assert_eq!(problem("# t\n! 1s\n! 1s\n< OK\n"), "file.txt:3: two deadlines for one line");
    assert_eq!(
        problem("# t\n! soon\n< OK\n"),
        "file.txt:2: `soon` is not a time such as 200ms or 2s, of at most 1000 hours"
    );
}

#[test]
fn numbers_that_are_too_large_are_problems_of_their_lines() {
    let most = u64::MAX;
    for step in [
        format!("! {most}s\n< OK"),
        format!("<nothing {most}s"),
        format!("<thinking {most}ms"),
        format!("wait {most}s"),
        "wait 3600001s".to_owned(),
        format!("exit within {most}s"),
        format!("raw \"ab\" times {most}"),
        "raw \"ab\" times 8388609".to_owned(),
        format!("repeat {most}\n> X\nend"),
    ] {
        assert!(problem(&format!("# t\n{step}\n")).starts_with("file.txt:2: "), "{step}");
    }
    assert_eq!(actions("wait 3600000s\n"), [Action::Wait(Duration::from_secs(3_600_000))]);
    assert_eq!(actions("wait 200 ms\n"), [Action::Wait(Duration::from_millis(200))]);
    assert!(problem("# t\nwait 200\n").contains("`200` is not a time"));
}

#[test]
fn steps_hold_each_other_to_some_depth() {
    let nested =
        |depth: usize| format!("{}> X\n{}", "repeat 1\n".repeat(depth), "end\n".repeat(depth));
    assert_eq!(actions(&nested(100)).len(), 1);
    let deep = format!("# t\n{}", nested(100_000));
    assert_eq!(problem(&deep), "file.txt:102: more than 100 steps hold each other");
    // One after the other there may be any number.
    assert_eq!(actions(&nested(1).repeat(1000)).len(), 1000);
}

#[test]
fn raw_bytes_know_the_usual_escapes() {
    assert_eq!(
        actions(r#"raw "a\r\n\t\0\\\"\xfe é" times 3"#),
        [Action::Raw { bytes: b"a\r\n\t\0\\\"\xfe \xc3\xa9".to_vec(), times: 3 }]
    );
    assert_eq!(problem("# t\nraw \"\\q\"\n"), "file.txt:2: `\\q` stands for no byte");
    assert!(problem("# t\nraw \"\\x4\"x\n").contains("`x` after the bytes"));
    assert_eq!(problem("# t\nraw abc\n"), "file.txt:2: after `raw` come bytes in double quotes");
}

#[test]
fn exits_have_an_optional_code_and_time() {
    let within = Duration::from_millis(500);
    assert_eq!(
        actions("exit\nexit 0\nexit within 500ms\nexit 1 within 500ms\n"),
        [
            Action::Exit { code: None, within: DEFAULT_EXIT },
            Action::Exit { code: Some(0), within: DEFAULT_EXIT },
            Action::Exit { code: None, within },
            Action::Exit { code: Some(1), within },
        ]
    );
}

#[test]
fn the_other_steps_are_single_words_and_their_arguments() {
    assert_eq!(
        actions(
            "wait 2s\n<nothing 50ms\n<thinking 1s\nposition\neof\nclose-stdout\nsignal STOP\n\
             memory mark\nmemory +16MiB\n"
        ),
        [
            Action::Wait(Duration::from_secs(2)),
            Action::Nothing(Duration::from_millis(50)),
            Action::Thinking(Duration::from_secs(1)),
            Action::SendPosition,
            Action::Eof,
            Action::CloseStdout,
            Action::Signal(Signal::Stop),
            Action::MarkMemory,
            Action::MemoryGrowth(16 << 20),
        ]
    );
}

#[test]
fn repeats_nest() {
    let body = actions("repeat 3\n> A\nrepeat 2\n> B\nend\nend\n> C\n");
    assert_eq!(body.len(), 2);
    let Action::Repeat(3, steps) = &body[0] else { panic!("{body:?}") };
    assert!(matches!(&steps[1].action, Action::Repeat(2, inner) if inner.len() == 1));
    assert_eq!(steps[0].line, 3);
    assert_eq!(problem("# t\nrepeat 2\n> A\n---\n> B\n"), "file.txt:2: this repeat has no end");
    assert_eq!(problem("# t\n> A\nend\n"), "file.txt:3: `end` of nothing");
    assert!(problem("# t\nrepeat x\n> A\nend\n").starts_with("file.txt:2: `x` is not a number"));
}

#[test]
fn bursts_hold_lines_to_send() {
    let body = actions("burst\n> A\nposition\ndraw\nx\nend\nend\n> B\n");
    assert_eq!(body.len(), 2);
    let Action::Burst(steps) = &body[0] else { panic!("{body:?}") };
    let sent: Vec<&Action> = steps.iter().map(|step| &step.action).collect();
    let line = |text: &str| Action::Send(text.to_owned());
    assert_eq!(sent, [&line("A"), &Action::SendPosition, &line("0,0,1")]);
    assert_eq!(problem("# t\nburst\n> A\n< OK\nend\n"), "file.txt:4: a burst is of lines to send");
    assert_eq!(problem("# t\nburst\n> A\n"), "file.txt:2: this burst has no end");
}

#[test]
fn alternatives_begin_with_what_tells_them_apart() {
    let body = actions("either\n< A\n> B\nor\n! 1s\n<move\nend\n> C\n");
    assert_eq!(body.len(), 2);
    let Action::Either(branches) = &body[0] else { panic!("{body:?}") };
    assert_eq!(branches.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1]);
    let head = "each alternative begins with a line that is expected";
    assert_eq!(problem("# t\neither\n< A\nor\n> B\nend\n"), format!("file.txt:5: {head}"));
    assert_eq!(problem("# t\neither\n< A\nor\nend\n"), format!("file.txt:2: {head}"));
    assert_eq!(problem("# t\neither\n< A\n---\n> B\n"), "file.txt:2: this either has no end");
    assert_eq!(problem("# t\nrepeat 2\n< A\nor\nend\n"), "file.txt:4: `or` without `either`");
}

#[test]
fn places_make_a_line_a_template() {
    let body = actions("< MOVE {x y as A}\n< OK\n");
    let [Action::Expect { replies, .. }, _] = &body[..] else { panic!("{body:?}") };
    assert!(matches!(&replies[..], [ExpectedLine::Template(_)]));
    let forbid = ExpectedLine::Forbid(vec![(9, 12), (10, 1)]);
    assert_eq!(actions("<forbid 9,12 10,1\n"), [expect(forbid)]);
}

#[test]
fn drawings_become_lines_of_a_block() {
    let sent = |text: &str| Action::Send(text.to_owned());
    assert_eq!(actions("draw\n. x\n\n# o .\nend\n"), [sent("1,0,1"), sent("0,2,3"), sent("1,2,2")]);
    assert!(problem("# t\ndraw\n. y\nend\n").starts_with("file.txt:3: `y` is none of"));
    assert_eq!(problem("# t\n> A\ndraw\n. .\n"), "file.txt:3: this drawing has no end");
}

#[test]
fn runs_are_separated_and_have_their_own_heads() {
    let text = "# t\nfresh\nargs --force-utf8 -x\ncrlf\n> A\n---\n> B\n";
    let transcript = Transcript::parse("t", text).unwrap();
    assert_eq!(transcript.runs.len(), 2);
    assert!(transcript.runs[0].fresh && !transcript.runs[1].fresh);
    assert!(transcript.runs[0].crlf && !transcript.runs[1].crlf);
    assert_eq!(transcript.runs[0].args, ["--force-utf8", "-x"]);
    assert!(transcript.runs[1].args.is_empty());
    assert_eq!(
        problem("# t\n> A\nfresh\n"),
        "file.txt:3: `fresh`, `args` and `crlf` come first in a run"
    );
    assert_eq!(problem("# t\n> A\n---\n"), "file.txt:3: nothing happens in this run");
}

#[test]
fn nonsense_is_reported_with_its_line() {
    assert_eq!(problem("# t\n\n> A\nfoo bar\n"), "file.txt:4: `foo` is not a step of a transcript");
    assert_eq!(problem("# t\n<moove\n"), "file.txt:2: `moove` is not a kind of line");
    assert_eq!(
        problem("# t\n<move at 1,1\n"),
        "file.txt:2: `at` is neither `in` nor `not` nor `as` nor a cell"
    );
    assert_eq!(problem("# t\n<move in\n"), "file.txt:2: no cell after `in`");
    assert!(problem("# t\n<moves 2 as A\n").contains("a name for each of the 2 cells"));
    assert!(problem("# t\n<move as last\n").contains("`last` is not a name"));
    assert!(problem("# t\n< OK {\n").contains("no closing brace"));
    assert_eq!(problem("# t\n<forbid 7\n"), "file.txt:2: `7` is not a cell");
    assert_eq!(problem("# t\n<error 20\n"), "file.txt:2: `20` is not a pattern between slashes");
    assert_eq!(
        problem("# t\n<\n"),
        "file.txt:2: nothing is expected here; to expect silence, write `<nothing 100ms`"
    );
    assert_eq!(problem("# t\nsignal KILL\n"), "file.txt:2: `signal` is not a step of a transcript");
}
