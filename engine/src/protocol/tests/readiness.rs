//! The needs of a search are allocated while nobody waits for it.

use super::super::readiness::QUIET;
use super::super::scripted::{Manner, Talk};
use super::{expect, ms};
use tengen_core::rules::Rule;
use tengen_core::types::Size;

/// Lets a manager be silent for so long that the engine gets ready; returns how often it was asked to.
fn quiet(talk: &mut Talk) -> usize {
    let before = talk.log().ready.len();
    let said = talk.wait(QUIET.as_millis().try_into().unwrap());
    assert!(said.is_empty(), "{said:?}");
    talk.log().ready.len() - before
}

#[test]
fn the_engine_gets_ready_when_a_manager_falls_silent() {
    let mut talk = Talk::fresh(Manner::Deaf);
    talk.send("INFO thread_num 8\nABOUT");
    assert_eq!(quiet(&mut talk), 0, "there is no game yet");
    talk.send("START 20\nINFO rule 4\nINFO thread_num 4\nINFO timeout_turn 5");
    assert_eq!(quiet(&mut talk), 1);
    assert_eq!(quiet(&mut talk), 0, "once is enough");
    let job = talk.log().ready[0].clone();
    assert_eq!((job.setup.rule, job.setup.size), (Rule::Renju, Size::square(20).unwrap()));
    assert_eq!(job.limits.time.turn, ms(5));
    assert_eq!(talk.log().settings.last().unwrap().threads, 4);
    // The question has nothing more to tell the engine.
    let (settings, games) = (talk.log().settings.len(), talk.log().new_games);
    talk.send("TURN 3,3");
    assert!(talk.job().is_some());
    assert_eq!((talk.log().settings.len(), talk.log().new_games), (settings, games));
    assert_eq!(quiet(&mut talk), 0, "it has work");
}

#[test]
fn a_game_that_had_to_wait_for_a_database_is_made_ready_for() {
    let folder = tempfile::TempDir::new().unwrap();
    let mut talk = Talk::fresh(Manner::Deaf);
    talk.slow_disk = true;
    let path = folder.path().join("a.db");
    assert_eq!(talk.send(&format!("yxsetdatabase {}\nSTART 15", path.display())), [""; 0]);
    talk.slow_disk = false;
    assert_eq!(talk.database_replies().last().map(String::as_str), Some("OK"));
    assert_eq!(quiet(&mut talk), 1);
}

#[test]
fn a_question_that_comes_at_once_is_not_kept_waiting() {
    let mut talk = Talk::fresh(Manner::Quick);
    expect("3", &talk.send_script("START 20\nINFO timeout_turn 5\nBEGIN\nTURN 0,0"), "OK|m|m");
    assert!(talk.log().ready.is_empty());
}

#[test]
fn whatever_changes_what_is_needed_is_made_ready_for() {
    let mut talk = Talk::started(Manner::Quick);
    talk.send("BEGIN");
    assert_eq!(quiet(&mut talk), 1, "what was said while it thought may need more");
    for (line, forgets) in [
        ("RESTART", 1),
        ("RECTSTART 20,15", 1),
        ("START 15", 1),
        ("START 15", 0),
        ("INFO rule 1", 1),
        ("INFO thread_num 3", 0),
        ("INFO max_memory 50000000", 0),
        ("INFO hash_size 4096", 0),
        ("yxboard\ndone", 0),
        ("yxhashclear", 1),
    ] {
        let before = talk.log().new_games;
        talk.send(line);
        assert_eq!(quiet(&mut talk), 1, "{line}");
        assert_eq!(talk.log().new_games - before, forgets, "{line}");
        let last = talk.log().settings.len();
        talk.send("BOARD\n7,7,2\nDONE");
        assert_eq!(talk.log().settings.len(), last, "{line}");
        assert_eq!(talk.log().new_games - before, forgets, "{line}");
    }
}

/// The search may not depend on how fast a manager writes.
#[test]
fn the_engine_forgets_the_same_whether_or_not_it_gets_ready() {
    let lines = ["INFO rule 1", "INFO rule 0", "START 20", "START 15", "RESTART", "yxhashclear"];
    for pair in lines.iter().flat_map(|one| lines.map(|other| [one, other])) {
        let forgets = [false, true].map(|is_slow| {
            let mut talk = Talk::started(Manner::Quick);
            talk.send("BEGIN");
            for line in pair {
                talk.send(line);
                if is_slow {
                    quiet(&mut talk);
                }
            }
            talk.send("TURN 0,0");
            talk.log().new_games > 0
        });
        assert_eq!(forgets[0], forgets[1], "{pair:?}");
    }
}
