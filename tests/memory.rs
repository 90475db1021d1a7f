//! The memory of the real binary beside what it is allowed.

#[path = "common/child.rs"]
mod child;

use std::time::{Duration, Instant};

use child::Engine;
use tengen::rules::Rule;
use tengen::types::Size;

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
