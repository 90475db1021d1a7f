use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use super::super::question::SCRIPT_GAP;
use super::super::scripted::ScriptedEngine;
use super::super::{InputLine, Reply, Session, StudyReply, StudyRequest, StudyTopic};

/// A manager that talks to a session whose studies end when the test lets them.
struct StudyTalk {
    session: Session<ScriptedEngine>,
    asked: Rc<RefCell<Vec<StudyRequest>>>,
    now: Instant,
}

impl StudyTalk {
    fn new() -> StudyTalk {
        let now = Instant::now();
        let mut session = Session::new(ScriptedEngine::default(), now);
        let asked = Rc::<RefCell<Vec<StudyRequest>>>::default();
        let sink = Rc::clone(&asked);
        session.connect_studies(Box::new(move |request| sink.borrow_mut().push(request)));
        let mut talk = StudyTalk { session, asked, now };
        assert_eq!(talk.send("START 15"), ["OK"]);
        talk
    }

    /// Sends lines that come at once.
    fn send(&mut self, text: &str) -> Vec<String> {
        let mut replies = Vec::new();
        for line in text.lines() {
            let line = InputLine::new(line.as_bytes(), self.now);
            replies.extend(self.session.line(line, self.now));
        }
        replies.iter().map(ToString::to_string).collect()
    }

    /// Lets so much time pass that later lines are not of the script.
    fn wait(&mut self) {
        self.now += SCRIPT_GAP + Duration::from_millis(1);
    }

    fn reply(&mut self, reply: StudyReply) -> Vec<String> {
        self.session.study_reply(reply, self.now).iter().map(ToString::to_string).collect()
    }

    fn finish(&mut self) -> Vec<String> {
        let line = Reply::Study(StudyTopic::Proof, "{}".to_owned());
        let mut said = self.reply(StudyReply::Line(line));
        said.extend(self.reply(StudyReply::Done));
        said
    }

    fn is_stopped(&self) -> bool {
        self.asked.borrow().last().unwrap().stop.is_set()
    }
}

#[test]
fn a_request_has_the_game_the_limits_and_the_memory() {
    let mut talk = StudyTalk::new();
    let lines =
        "INFO rule 4\nINFO max_node 500\nINFO max_memory 100000000\nREVIEW\n7,7\n8,8\n6,9\nDONE";
    assert!(talk.send(lines).is_empty());
    let request = talk.asked.borrow()[0].clone();
    assert_eq!((request.topic, request.setup.stones.len()), (StudyTopic::Review, 3));
    assert_eq!(request.setup.rule, tengen_core::rules::Rule::Renju);
    assert_eq!((request.limits.max_nodes, request.max_memory), (Some(500), Some(100_000_000)));
    assert_eq!(talk.finish(), ["MESSAGE PROOF {}"]);
    // The game on the board is another one.
    assert!(talk.send("YXBOARD\n7,7,2\nDONE\nPROVE").is_empty());
    let request = talk.asked.borrow()[1].clone();
    assert_eq!((request.topic, request.setup.stones.len()), (StudyTopic::Proof, 1));
}

#[test]
fn a_script_waits_for_a_study_and_stop_ends_it() {
    let mut talk = StudyTalk::new();
    assert!(talk.send("PROVE\nABOUT\nSTART 20\nEND").is_empty());
    assert!(!talk.is_stopped() && !talk.session.is_over());
    let said = talk.finish();
    assert_eq!((said.len(), said[0].as_str(), said[2].as_str()), (3, "MESSAGE PROOF {}", "OK"));
    assert!(talk.session.is_over());

    let mut talk = StudyTalk::new();
    assert!(talk.send("PROVE\nABOUT\nSTOP\nABOUT").is_empty() && talk.is_stopped());
    assert_eq!(talk.finish().len(), 3);
}

#[test]
fn later_commands_end_a_study_if_they_need_the_position() {
    for command in ["START 15", "TURN 7,7", "PROVE", "REVIEW", "YXNBEST 2"] {
        let mut talk = StudyTalk::new();
        talk.send("PROVE");
        talk.wait();
        assert!(talk.send(command).is_empty() && talk.is_stopped(), "{command}");
        assert_eq!(talk.finish()[0], "MESSAGE PROOF {}", "{command}");
    }
    let mut talk = StudyTalk::new();
    talk.send("PROVE");
    talk.wait();
    assert_eq!(talk.send("ABOUT\nINFO rule 1\nYXSHOWFORBID").len(), 2);
    assert!(!talk.is_stopped());
    assert!(talk.send("END").is_empty() && talk.is_stopped() && talk.session.is_over());
    assert!(talk.finish().is_empty());
}

#[test]
fn a_study_ends_a_search_and_comes_after_its_move() {
    let mut talk = StudyTalk::new();
    talk.send("INFO timeout_turn 60000\nBEGIN");
    talk.wait();
    assert!(talk.send("PROVE").is_empty() && talk.asked.borrow().is_empty());
    talk.now += Duration::from_secs(1);
    let said: Vec<String> = talk.session.tick(talk.now).iter().map(ToString::to_string).collect();
    assert_eq!(said, ["7,7"]);
    assert_eq!(talk.asked.borrow()[0].setup.stones.len(), 1);
}

#[test]
fn the_end_of_the_input_ends_what_has_no_end() {
    for (limit, is_finite) in [
        ("INFO timeout_turn -1", false),
        ("INFO timeout_turn -1\nINFO max_depth 10", false),
        ("INFO max_depth 10", true),
        ("INFO timeout_turn 100", true),
    ] {
        let mut talk = StudyTalk::new();
        talk.send(&format!("{limit}\nPROVE"));
        assert_eq!(
            talk.asked.borrow()[0].limits.time.is_limited(),
            is_finite,
            "a proof has no depth"
        );
        let now = talk.now;
        assert!(talk.session.end_of_input(now).is_empty());
        assert!(talk.is_stopped() != is_finite && !talk.session.is_over(), "{limit}");
        talk.finish();
        assert!(talk.session.is_over());
    }
}

#[test]
fn flawed_games_are_errors_and_nobody_is_asked() {
    let mut talk = StudyTalk::new();
    for (lines, error) in [
        ("REVIEW\n7,7\n7,7\nDONE", "ERROR stone 2 of the block is on an occupied cell"),
        ("REVIEW 7,7 15,0 DONE", "ERROR stone 2 of the block is off the board"),
        ("REVIEW\nx\nDONE", "ERROR stone 1 of the block is not understood"),
    ] {
        assert_eq!(talk.send(lines), [error]);
    }
    assert!(talk.asked.borrow().is_empty());
}

#[test]
fn without_anybody_who_does_them_they_are_unknown() {
    let mut talk = StudyTalk::new();
    talk.session = Session::new(ScriptedEngine::default(), talk.now);
    let unknown = |word: &str| [format!("UNKNOWN command {word}")];
    assert_eq!(talk.send("PROVE"), unknown("PROVE"));
    assert_eq!(talk.send("REVIEW\n7,7\nDONE"), unknown("REVIEW"));
}

#[test]
fn other_signs_than_ascii_are_escaped() {
    let line = Reply::Study(StudyTopic::Review, "{\"a\":\"õ😀\"}".to_owned()).to_string();
    assert_eq!(line, r#"MESSAGE REVIEW {"a":"\u00f5\ud83d\ude00"}"#);
}
