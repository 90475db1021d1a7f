//! Texts of others on the way to a terminal: nothing that a terminal obeys, that cannot be seen, or that
//! turns the direction of text.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Output, Stdio};
use std::time::Duration;

use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;
use tengen_files::printable::is_hidden;

use crate::place::Place;
use crate::play::Dialog;

/// Escapes, controls of C0, C1 and of direction, what has no width, tags, and a pile of marks.
const EVIL: &str = "\u{1b}[2J\u{1b}]0;title\u{7}\u{9b}31m\u{7f}\r\u{202e}gnp\u{2066}\u{200b}\u{200d}\
                    \u{2028}\u{feff}\u{e0041}\u{fe0f}e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}";

/// Checks that a text leaves a terminal alone.
fn check(text: &[u8], of: &str) {
    let text = str::from_utf8(text).unwrap_or_else(|_| panic!("{of}: no UTF-8"));
    let hidden: String = text.chars().filter(|&c| c != '\n' && is_hidden(c)).collect();
    assert!(hidden.is_empty(), "{of}: {} in {text:?}", hidden.escape_unicode());
    // JSON has to mean the same, marks and all.
    let has_pile = !text.starts_with('{') && text.contains(&"\u{301}".repeat(5));
    assert!(!has_pile, "{of}: a pile in {text:?}");
}

fn check_all(output: &Output, of: &str) {
    check(&output.stdout, of);
    check(&output.stderr, of);
}

/// Runs a command whose output has to name something evil, and to be harmless.
fn names_evil(place: &Place, args: &[&str], input: &str) {
    let output = place.run(args, input);
    check_all(&output, &format!("{args:?}"));
    let all = [&output.stdout[..], &output.stderr].concat();
    let text = String::from_utf8_lossy(&all);
    assert!(text.contains("gnp"), "{args:?}: nothing evil in {text}");
}

#[test]
fn texts_of_records_leave_the_terminal_alone() {
    let place = Place::new("terminal-records");
    let evil = EVIL.replace(']', "\\]");
    let sgf = format!(
        "(;GM[4]FF[4]CA[UTF-8]SZ[15]PB[{evil}]PW[{evil}]EV[{evil}]RO[{evil}]DT[{evil}]RE[B+{evil}]\
         GC[{evil}]C[{evil}];B[hh]C[{evil}]N[{evil}];W[hi];B[ih];W[ii];B[jh];W[ji];B[kh])"
    );
    place.write("a.sgf", &sgf);
    names_evil(&place, &["show", "a.sgf"], "");
    names_evil(&place, &["show", "a.sgf", "--after", "1"], "");
    let analyse = ["analyse", "--rule", "freestyle", "--nodes", "20", "--quiet", "a.sgf"];
    names_evil(&place, &analyse, "");
    check_all(&place.run(&[&analyse[..], &["--json"]].concat(), ""), "analyse --json");
    let play = ["play", "--line", "--no-autosave", "--rule", "freestyle", "a.sgf"];
    let output = place.run(&play, "moves\nboard\nquit\n");
    check_all(&output, "play");
    place.write("a.json", &format!("{{\"{EVIL}\": 1}}"));
    check_all(&place.run(&["show", "a.json"], ""), "show a.json");
}

#[test]
fn texts_of_databases_leave_the_terminal_alone() {
    let place = Place::new("terminal-db");
    let kept: String = EVIL.chars().filter(|c| !c.is_control()).collect();
    let label = "\u{202e}gnp\u{200b}";
    let put = ["db", "put", "a.tdb", "--rule", "renju", "--moves", "h8"];
    let text = ["--text", EVIL, "--label", label, "--board-text", &format!("g7={kept}")];
    let output = place.run(&[&put[..], &text].concat(), "");
    check_all(&output, "db put");
    assert!(output.status.success(), "{output:?}");
    for moves in ["h8", ""] {
        let query = ["db", "query", "a.tdb", "--rule", "renju", "--moves", moves];
        names_evil(&place, &query, "");
        names_evil(&place, &[&query[..], &["--json"]].concat(), "");
    }
}

#[test]
#[cfg(unix)]
fn names_of_files_leave_the_terminal_alone() {
    let place = Place::new("terminal-files");
    let name = format!("{}.sgf", EVIL.replace('/', ""));
    let named = |rest: &str| format!("{name}{rest}");
    for args in [
        &["show", &name][..],
        &["convert", "--to", "sgf", &name],
        &["analyse", &name],
        &["solve", &name],
        &["verify", &name],
        &["play", "--line", "--no-autosave", &name],
        &["db", "info", &name],
        &["match", "report", &name],
        &["conformance", "--engine", "true", &name],
        &["tune", "info", &name],
        &["match", "--engine", &name, "--engine", "builtin=greedy"],
        &["match", "--engine", &format!("cmd={name}"), "--engine", "builtin=greedy"],
        &["--database", &name, "--book", &named("x")],
    ] {
        check_all(&place.run(args, ""), &format!("missing: {args:?}"));
    }
    place.write(&name, "hello");
    for args in [
        &["show", &name][..],
        &["verify", &name],
        &["db", "info", &name],
        &["match", "report", &name],
        &["conformance", "--engine", "true", &name],
        &["tune", "info", &name],
        &["play", "--line", "--resume", "--autosave", &name],
    ] {
        names_evil(&place, args, "");
    }
}

#[test]
#[cfg(unix)]
fn what_engines_say_leaves_the_terminal_alone() {
    use std::os::unix::fs::PermissionsExt;

    let place = Place::new("terminal-engines");
    let engine = place.path("engine");
    let script = format!(
        "#!/bin/sh\nread line\nprintf '%s\\n' 'MESSAGE {EVIL}'\necho OK\nread line\n\
                          printf '%s\\n' '{EVIL}'\nprintf '%s\\n' '{EVIL}' >&2\nexit 3\n"
    );
    place.write("engine", &script);
    std::fs::set_permissions(&engine, PermissionsExt::from_mode(0o755)).expect("it is ours");
    let name = "name=a\u{202e}gnp\u{200b}";
    let of_match = [
        "match",
        "--engine",
        &format!("cmd={engine}"),
        name,
        "depth=1",
        "--engine",
        "builtin=greedy",
        "--rounds",
        "1",
    ];
    names_evil(&place, &[&of_match[..], &["--log", "log.txt"]].concat(), "");
    names_evil(&place, &[&of_match[..], &["--json", "--journal", "a.journal"]].concat(), "");
    check(place.read("log.txt").as_bytes(), "the log");
    place.write("case.txt", "# an opening\nfresh\n> START 15\n< OK\n> BEGIN\n<move\n");
    names_evil(&place, &["conformance", "--engine", &engine, "case.txt"], "");
}

/// A line to a program in a room.
struct Peer {
    stream: TcpStream,
    lines: BufReader<TcpStream>,
}

impl Peer {
    fn new(stream: TcpStream) -> Peer {
        stream.set_read_timeout(Some(Duration::from_secs(120))).expect("a time");
        let lines = BufReader::new(stream.try_clone().expect("a copy"));
        Peer { stream, lines }
    }

    fn send(&mut self, message: &Value) {
        // The other side may have left.
        let _ = writeln!(self.stream, "{message}");
    }

    fn next(&mut self) -> Value {
        let mut line = String::new();
        self.lines.read_line(&mut line).expect("a line");
        serde_json::from_str(&line).expect("a message")
    }
}

/// Returns the proof of knowing the code.
fn proof(code: &str, who: &str, host: &Value, guest: &Value) -> String {
    let bytes = |lot: &Value| -> Vec<u8> {
        let digits = lot.as_str().expect("a lot");
        (0..digits.len() / 2)
            .map(|i| u8::from_str_radix(&digits[2 * i..2 * i + 2], 16).expect("digits"))
            .collect()
    };
    let mut mac = Hmac::<Sha256>::new_from_slice(code.as_bytes()).expect("a key");
    mac.update(format!("tengen room {who}").as_bytes());
    mac.update(&bytes(host));
    mac.update(&bytes(guest));
    mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn saved_game() -> Value {
    json!({
        "tengen_play": 1, "number": 1, "black": "person", "white": "person",
        "skills": [{ "level": 10, "seed": null }, { "level": 10, "seed": null }],
        "clock": { "turn": null, "game": null, "increment": { "secs": 0, "nanos": 0 }, "byoyomi": null },
        "thinking": { "time": { "secs": 2, "nanos": 0 }, "nodes": null },
        "walls": "", "white_to_move": false, "shown": 2, "timed_from": 0, "waits": false,
        "game": {
            "tengen": 1, "size": [15, 15], "rule": "freestyle", "black": "Ann", "white": "Bob",
            "opening": 0, "moves": "h8i9"
        }
    })
}

fn state(game: &Value) -> Value {
    json!({ "say": "state", "game": game.to_string(), "first": "guest", "turn_ms": 0, "proposal": null })
}

#[test]
#[cfg_attr(not(feature = "lan"), ignore = "there are no rooms")]
fn a_host_leaves_the_terminal_of_its_guest_alone() {
    let place = Place::new("terminal-guest");
    let lot = Value::from("ab".repeat(16));
    let with = |path: &str, value: Value| {
        let mut game = saved_game();
        *game.pointer_mut(path).expect("a field") = value;
        state(&game)
    };
    let evil = || Value::from(EVIL);
    let bad = [
        with("/black", evil()),
        with("/walls", evil()),
        with("/game/rule", evil()),
        with("/game/moves", evil()),
        with("/game/black", evil()),
        with("/game/size", evil()),
        json!({ "say": "state", "game": format!("{{\"{EVIL}\":1}}"), "first": "guest", "turn_ms": 0,
                "proposal": null }),
        json!({ "say": "state", "game": EVIL, "first": EVIL, "turn_ms": 0, "proposal": null }),
        json!({ "say": "bye", "why": EVIL }),
        json!({ "say": EVIL }),
        json!({ "say": "refused", "id": 1, "why": EVIL }),
    ];
    for message in bad {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let code = "ABC234";
        let args = ["play", "--line", "--no-autosave", "--join", &address, "--code", code];
        let mut command = place.command(&args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut guest = command.spawn().expect("tengen starts");
        let mut peer = Peer::new(listener.accept().expect("a guest").0);
        peer.send(&json!({ "say": "hello", "tengen_room": 1, "lot": lot }));
        let join = peer.next();
        let proof = proof(code, "host", &lot, &join["lot"]);
        peer.send(&json!({ "say": "welcome", "ticket": lot, "proof": proof, "name": EVIL }));
        peer.send(&state(&saved_game()));
        writeln!(guest.stdin.as_mut().expect("a pipe"), "a1\nmoves\nboard").expect("it listens");
        // The move is on its way when the answer comes.
        while peer.next()["say"] != "act" {}
        peer.send(&message);
        peer.send(&json!({ "say": "bye", "why": "enough" }));
        let output = guest.wait_with_output().expect("it ends");
        check_all(&output, &message.to_string());
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.contains("You have joined the room of "), "{output:?}");
    }
}

#[test]
#[cfg_attr(not(feature = "lan"), ignore = "there are no rooms")]
fn a_guest_leaves_the_terminal_of_its_host_alone() {
    let place = Place::new("terminal-host");
    let mut host =
        Dialog::begin(&place, &["play", "--line", "--host", "--unlisted", "--no-autosave"]);
    let line = host.until("The room is open at port ");
    let words: Vec<&str> = line.split([' ', '.']).collect();
    let (port, code) = (words[6].parse::<u16>().expect("a port"), words.last().expect("a code"));
    let mut peer = Peer::new(TcpStream::connect(("127.0.0.1", port)).expect("it listens"));
    let hello = peer.next();
    let lot = Value::from("cd".repeat(16));
    let proof = proof(code, "guest", &hello["lot"], &lot);
    peer.send(&json!({ "say": "join", "tengen_room": 1, "lot": lot, "proof": proof, "name": EVIL,
                       "returns": false }));
    check(host.until("\u{fffd}[2J").as_bytes(), "a name");
    let kinds = [json!({ "what": "draw" }), json!({ "what": "new_game" })];
    for id in 1..40 {
        let action = match id % 3 {
            0 => json!({ "do": "play", "after": 0, "choice": EVIL }),
            _ => json!({ "do": "propose", "proposal": kinds[id % 2] }),
        };
        peer.send(&json!({ "say": "act", "id": id, "action": action }));
        // The host closes a line on which too many answers wait, as there may where the machine is busy.
        while peer.next()["id"] != id {}
    }
    peer.send(&json!({ "say": "bye" }));
    // Nothing counts any more.
    peer.send(&json!({ "say": "act", "id": 99, "action": { "do": "resign" } }));
    host.say("board");
    let mut asked = 0;
    loop {
        let line = host.until("");
        check(line.as_bytes(), "the host");
        assert!(!line.contains("Game over"), "{line}");
        asked += usize::from(line.contains(" asks you for "));
        if line.contains("has left") {
            break;
        }
    }
    assert!((1..=5).contains(&asked), "{asked} questions");
    host.say("quit");
    assert!(host.child.wait().expect("it ends").success());
}
