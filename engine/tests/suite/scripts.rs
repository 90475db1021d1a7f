//! Scripts of commands that reach the real binary as a file, through a pipe and from a terminal.

use std::env;
use std::fs::File;
use std::io::{self, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};

use crate::child;
#[cfg(target_os = "linux")]
use crate::child::open_terminal;
use crate::place::Place;
use tengen_core::sys::input::unread_bytes;

/// The variable that has a process of this test count its input.
const COUNTS: &str = "TENGEN_TEST_COUNTS_INPUT";

/// The depth of every search. The next command is read long before it is reached.
const DEPTH: u32 = 8;

/// A script of two questions with other commands behind each. It is longer than what is read at a time, and
/// fits into a small pipe.
fn script(end: &str) -> String {
    let padding = format!("INFO folder {}\n", "x".repeat(900)).repeat(6);
    format!(
        "START 15\nINFO timeout_turn 3600000\nINFO max_depth {DEPTH}\nBOARD\n7,7,1\n8,8,2\nDONE\n\
         {padding}INFO timeout_turn 0\nABOUT\nINFO timeout_turn 3600000\n\
         BOARD\n7,7,1\n6,6,2\nDONE\n{padding}ABOUT\n{end}"
    )
}

fn start(stdin: impl Into<Stdio>) -> Child {
    let mut command = Command::new(child::engine());
    command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::null());
    command.spawn().expect("the engine starts")
}

/// Checks that both questions were thought about, and that all was answered in order.
#[track_caller]
fn is_answered_in_order(child: Child) {
    let output = child.wait_with_output().expect("the engine ends");
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8(output.stdout).expect("it writes text");
    let deepest = format!("MESSAGE depth {DEPTH}-");
    let kinds: Vec<&str> = said
        .lines()
        .filter_map(|line| match line {
            "OK" => Some("OK"),
            line if line.starts_with(&deepest) => Some("deep"),
            line if line.starts_with("MESSAGE ") => None,
            line if line.starts_with("name=") => Some("about"),
            line if line.starts_with(|c: char| c.is_ascii_digit()) => Some("move"),
            line => Some(line),
        })
        .collect();
    assert_eq!(kinds, ["OK", "deep", "move", "about", "deep", "move", "about"], "{said}");
}

#[test]
fn a_file_is_a_script() {
    let place = Place::new("script-file");
    for end in ["", "END\n", "END"] {
        place.write("script", &script(end));
        is_answered_in_order(start(File::open(place.path("script")).expect("a file")));
    }
}

#[test]
fn what_is_in_a_pipe_is_a_script() {
    let script = script("END\n");
    let mut child = start(Stdio::piped());
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(script.as_bytes()).expect("it reads");
    // The pipe stays open: it is END that ends the engine.
    is_answered_in_order(child);
    drop(input);
}

/// Waits for a line of a search, which shows that it runs.
fn wait_for_thoughts(child: &mut Child) -> Vec<u8> {
    let output = child.stdout.as_mut().expect("an output");
    let mut said = Vec::new();
    while !String::from_utf8_lossy(&said).contains("MESSAGE depth") {
        let mut byte = [0];
        output.read_exact(&mut byte).expect("it thinks");
        said.extend(byte);
    }
    said
}

/// Lets an engine think about a question that it would think about for an hour, and sends it a line.
fn interrupt(later: &str) -> String {
    let mut child = start(Stdio::piped());
    let mut input: ChildStdin = child.stdin.take().expect("a pipe");
    let asked = "START 15\nINFO timeout_turn 3600000\nBOARD\n7,7,1\n8,8,2\nDONE\nABOUT\n";
    input.write_all(asked.as_bytes()).expect("it reads");
    wait_for_thoughts(&mut child);
    // Longer than the pauses within a script.
    std::thread::sleep(std::time::Duration::from_millis(200));
    input.write_all(later.as_bytes()).expect("it reads");
    drop(input);
    let output = child.wait_with_output().expect("the engine ends");
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8(output.stdout).expect("it writes text");
    said.lines()
        .filter(|line| !line.starts_with("MESSAGE ") && line.contains(['=', ',', 'K']))
        .map(|line| if line.starts_with("name=") { "about" } else { line })
        .map(|line| if line.starts_with(|c: char| c.is_ascii_digit()) { "move" } else { line })
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn what_comes_while_it_thinks_is_meant_for_the_search() {
    assert_eq!(interrupt("STOP\n"), "move about");
    assert_eq!(interrupt("INFO timeout_turn 0\n"), "move about");
    assert_eq!(interrupt("START 20\n"), "move about OK");
    assert_eq!(interrupt("END\n"), "");
}

#[cfg(target_os = "linux")]
#[test]
fn what_is_pasted_into_a_terminal_is_a_script() {
    let (mut ours, theirs) = open_terminal();
    let child = start(theirs);
    // A terminal holds four kilobytes.
    let script = script("END\n");
    let lines = script.lines().filter(|line| !line.starts_with("INFO folder"));
    let pasted: String = lines.map(|line| format!("{line}\n")).collect();
    ours.write_all(pasted.as_bytes()).expect("the terminal takes the script");
    is_answered_in_order(child);
    drop(ours);
}

/// Says how much there is to be read, if it was started by [`counted`].
#[test]
fn process_that_counts_its_input() {
    if env::var_os(COUNTS).is_some() {
        println!("unread {}", unread_bytes());
    }
}

/// Returns how many bytes a process with this input says that it can read at once.
fn counted(stdin: impl Into<Stdio>) -> u64 {
    let mut command = Command::new(env::current_exe().expect("this program"));
    command.args(["scripts::process_that_counts_its_input", "--exact", "--nocapture"]);
    let output = command.env(COUNTS, "1").stdin(stdin).output().expect("it starts");
    let said = String::from_utf8(output.stdout).expect("it writes text");
    let (_, count) = said.split_once("unread ").expect("a number");
    count.lines().next().and_then(|count| count.parse().ok()).expect("a number")
}

#[test]
fn what_was_not_read_is_known_to_be_there() {
    if !cfg!(any(unix, windows)) {
        return;
    }
    for bytes in [0, 1, 3000] {
        let (reader, mut writer) = io::pipe().expect("a pipe");
        writer.write_all(&vec![b'x'; bytes]).expect("it has room");
        assert_eq!(counted(reader), bytes as u64);
    }
    let place = Place::new("script-unread");
    place.write("script", &"x".repeat(50_000));
    assert!(counted(File::open(place.path("script")).expect("a file")) >= 50_000);
}
