//! The memory of the real binary beside what it is allowed.

#[cfg(unix)]
use std::ffi::OsString;
#[cfg(unix)]
use std::process::Command;
use std::time::{Duration, Instant};

use crate::child::Engine;
#[cfg(unix)]
use crate::child::program;
use tengen_core::rules::Rule;
use tengen_core::types::Size;

const MIB: u64 = 1 << 20;

/// Longer than any answer takes here.
const PATIENCE: Duration = Duration::from_secs(120);

/// Plays two moves under some `max_memory`, and returns the most memory and the most addresses that
/// the process ever had.
fn most_memory(rule: Rule, megabytes: u64, threads: u64, nodes: u64) -> (u64, u64) {
    let mut engine = Engine::start().expect("the engine starts");
    let bytes = megabytes * MIB;
    let infos = format!(
        "INFO max_memory {bytes}\nINFO thread_num {threads}\nINFO timeout_turn 100000\n\
         INFO max_node {nodes}\n"
    );
    engine.new_game(Size::DEFAULT, rule, &infos).expect("a game");
    for question in ["BOARD\n7,7,1\n8,8,2\n6,8,1\n8,6,2\nDONE\n", "TURN 0,0\n"] {
        engine.send(question).expect("a listener");
        engine.point(Size::DEFAULT, Instant::now() + PATIENCE).expect("a move");
    }
    let memory = engine.peak_memory().expect("a figure of the system");
    let addresses = engine.peak_addresses().expect("a figure of the system");
    engine.end(Instant::now() + PATIENCE).expect("an end");
    (memory, addresses)
}

#[test]
fn memory_and_addresses_stay_below_nine_tenths_of_what_is_allowed() {
    if !cfg!(target_os = "linux") {
        return;
    }
    for rule in [Rule::Freestyle, Rule::Renju] {
        for (megabytes, threads, nodes) in
            [(16, 1, 20_000), (16, 64, 20_000), (32, 64, 50_000), (350, 1, 50_000)]
        {
            let (memory, addresses) = most_memory(rule, megabytes, threads, nodes);
            let name = format!("{rule}, {megabytes} MiB, {threads} threads");
            let most = megabytes * MIB / 10 * 9;
            assert!(memory <= most, "{name}: {memory} bytes resident");
            // The program and its libraries alone take most of what is least.
            let most = if megabytes == 16 { 17 * MIB } else { most };
            assert!(addresses <= most, "{name}: {addresses} bytes of addresses");
        }
    }
}

#[test]
fn many_threads_stay_below_what_is_allowed() {
    if !cfg!(target_os = "linux") {
        return;
    }
    for threads in [64, 256] {
        let (memory, addresses) = most_memory(Rule::Freestyle, 350, threads, 400_000);
        assert!(memory.max(addresses) <= 315 * MIB, "{threads}: {memory} {addresses}");
    }
}

/// Plays three moves under a limit of address space; returns whether the engine could start.
///
/// # Panics
///
/// Panics if it started and did not play, or did not start and said nothing.
#[cfg(unix)]
fn plays_within(limit: u64, threads: u64) -> bool {
    use std::os::unix::process::ExitStatusExt;

    let name = format!("{} MiB, {threads} threads", limit / MIB);
    let mut command = Command::new("sh");
    let script = format!("ulimit -v {} && exec \"$0\"", limit / 1024);
    command.args([OsString::from("-c"), script.into(), program()]);
    let mut engine = Engine::start_as(command).expect("the shell starts");
    let infos = format!(
        "START 20\nINFO max_memory 0\nINFO thread_num {threads}\nINFO timeout_turn 100000\n\
         INFO max_node 2000\n"
    );
    let deadline = Instant::now() + PATIENCE;
    if engine.send(&infos).and_then(|_| engine.line(deadline)).is_err() {
        let (status, complaint) = engine.last_words();
        let aborted = status.signal() == Some(libc::SIGABRT);
        assert!(!aborted && !status.success(), "{name}: {status} {complaint}");
        assert!(status.signal().is_some() || complaint.lines().count() == 1, "{name}: {complaint}");
        return false;
    }
    for question in ["BEGIN\n", "TURN 0,0\n", "TURN 2,0\n"] {
        engine.send(question).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        let move_ = engine.point(Size::new(20, 20).expect("a size"), deadline);
        move_.unwrap_or_else(|fault| panic!("{name}: {fault}"));
    }
    engine.end(deadline).unwrap_or_else(|fault| panic!("{name}: {fault}"));
    true
}

#[cfg(unix)]
#[test]
fn every_limit_of_address_space_ends_in_moves_or_in_one_line() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let mut started = 0;
    for megabytes in (6..60).step_by(2) {
        for threads in [1, 8] {
            started += u32::from(plays_within(megabytes * MIB, threads));
        }
    }
    assert!(started > 20, "{started}");
}
