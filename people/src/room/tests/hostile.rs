//! Lines over the loopback to peers who do not behave.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::room::code::{Lot, ProofInput, ProvingSide};
use crate::room::line::{MOST_OF_GUEST, PROTOCOL_VERSION};
use crate::room::{
    CallEvent, GuestMessage, HostMessage, JoinCode, LineWriter, RoomAction, RoomCaller, RoomEvent,
    RoomKey, RoomServer,
};
use tengen_core::rng::SplitMix64;

/// The reason for a line that the other side has closed.
const CLOSED: &str = "the other side or the network has closed it";
/// Longer than anything takes here.
const PATIENCE: Duration = Duration::from_secs(60);

fn open() -> (RoomServer, JoinCode) {
    let code = JoinCode::random();
    // On a busy machine callers take their time.
    let server = RoomServer::open_with(0, RoomKey::new(code.clone()), "Ann", PATIENCE);
    (server.expect("a port"), code)
}

fn connect(server: &RoomServer) -> TcpStream {
    let stream = TcpStream::connect(("127.0.0.1", server.port())).expect("it listens");
    stream.set_read_timeout(Some(PATIENCE)).expect("a time");
    stream
}

fn call(server: &RoomServer, code: &JoinCode) -> RoomCaller {
    let address = format!("127.0.0.1:{}", server.port());
    RoomCaller::join(&address, code.clone(), "Bob", PATIENCE).expect("an address")
}

/// Waits until a guest has joined.
fn joined(server: &RoomServer) -> (u64, bool, LineWriter) {
    let deadline = Instant::now() + PATIENCE;
    loop {
        match server.events().recv_deadline(deadline).expect("a guest") {
            RoomEvent::Joined { line, returns, writer, name } => {
                assert_eq!(name, "Bob");
                return (line, returns, writer);
            }
            RoomEvent::Said { .. } | RoomEvent::Lost { .. } | RoomEvent::Refused { .. } => {}
        }
    }
}

fn other_than(code: &JoinCode) -> JoinCode {
    std::iter::repeat_with(JoinCode::random).find(|other| other != code).expect("there are others")
}

/// Returns why it is over for a caller.
fn over(caller: &RoomCaller) -> String {
    loop {
        match next(caller) {
            CallEvent::Refused(why) => return why,
            CallEvent::Crowded => {}
            other => panic!("{other:?}"),
        }
    }
}

fn next(caller: &RoomCaller) -> CallEvent {
    caller.events().recv_timeout(PATIENCE).expect("an event")
}

/// Reads all that the host says, until it closes the line.
fn all_said(stream: TcpStream) -> Vec<HostMessage> {
    let lines = BufReader::new(stream).lines().map_while(Result::ok);
    lines.map(|line| serde_json::from_str(&line).expect("a message")).collect()
}

/// Returns the reason with which the host closes the line after these bytes.
fn refusal(server: &RoomServer, bytes: &[u8]) -> String {
    let mut stream = connect(server);
    // The host may have closed the line before it has taken all.
    let _ = stream.write_all(bytes);
    let said = all_said(stream);
    match said.last() {
        Some(HostMessage::Bye { why }) => why.clone(),
        other => panic!("no refusal but {other:?}"),
    }
}

fn join_of(version: u32, lot: &str, proof: &str) -> Vec<u8> {
    let message = GuestMessage::Join {
        tengen_room: version,
        lot: lot.to_owned(),
        proof: proof.to_owned(),
        name: "Eve".to_owned(),
        returns: false,
    };
    let mut line = serde_json::to_vec(&message).unwrap();
    line.push(b'\n');
    line
}

#[test]
fn whoever_talks_nonsense_is_sent_away_and_a_guest_still_comes() {
    let (server, code) = open();
    let lot = "0".repeat(32);
    let not_understood = "a message is not understood";
    let cases: [(Vec<u8>, &str); 9] = [
        (b"hello\n".to_vec(), not_understood),
        (b"\n".to_vec(), not_understood),
        (b"{}\n".to_vec(), not_understood),
        (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n".to_vec(), not_understood),
        (b"\xff\xfe\x00\n".to_vec(), not_understood),
        (b"{\"say\":\"act\",\"id\":1,\"action\":{},\"more\":1}\n".to_vec(), not_understood),
        (b"{\"say\":\"pong\"}\n".to_vec(), "the first message has to be one to join with"),
        (join_of(PROTOCOL_VERSION + 1, &lot, &lot), "the versions differ: this room speaks 1"),
        (vec![b'a'; MOST_OF_GUEST], "a message is too long"),
    ];
    for (bytes, why) in cases {
        assert_eq!(refusal(&server, &bytes), why, "{:?}", String::from_utf8_lossy(&bytes));
    }
    let caller = call(&server, &code);
    assert!(matches!(next(&caller), CallEvent::Joined { returns: false, .. }));
    assert!(!joined(&server).1);
}

#[test]
fn random_bytes_do_nothing() {
    let (server, code) = open();
    let mut rng = SplitMix64::new(8);
    for _ in 0..60 {
        let mut bytes: Vec<u8> = (0..rng.below(3000)).map(|_| rng.below(256) as u8).collect();
        if rng.below(2) == 0 {
            // A message with an error in it.
            let mut line = join_of(1, &"ab".repeat(16), &"cd".repeat(32));
            let at = rng.below(line.len());
            line[at] = bytes.first().copied().unwrap_or(b'"');
            line.truncate(rng.below(line.len()) + 1);
            bytes = line;
            // A right one would take a second to be refused.
            bytes.retain(|&b| b != b'}');
        }
        bytes.push(b'\n');
        let mut stream = connect(&server);
        let _ = stream.write_all(&bytes);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest);
    }
    let caller = call(&server, &code);
    assert!(matches!(next(&caller), CallEvent::Joined { .. }));
    joined(&server);
}

#[test]
fn a_wrong_code_is_refused_and_a_third_one_with_the_right_code_too() {
    let (server, code) = open();
    let wrong = other_than(&code);
    for caller in [call(&server, &wrong), call(&server, &wrong)] {
        assert_eq!(over(&caller), "the code is wrong");
    }
    let guest = call(&server, &code);
    assert!(matches!(next(&guest), CallEvent::Joined { .. }));
    let (line, _, writer) = joined(&server);
    assert_eq!(over(&call(&server, &code)), "another guest has joined the room");
    // The line of the guest breaks; nobody else can come in their place, they themselves can.
    drop(guest);
    writer.close();
    over(&call(&server, &code));
    assert!(server.reopen(wrong.clone()) >= line);
    let another = call(&server, &wrong);
    assert!(matches!(next(&another), CallEvent::Joined { returns: false, .. }));
    assert!(joined(&server).0 > line);
}

#[test]
fn callers_with_wrong_codes_keep_neither_the_guest_out_nor_the_one_who_comes_back() {
    let (server, code) = open();
    let server = Arc::new(server);
    let is_over = Arc::new(AtomicBool::new(false));
    let begun = Arc::new(AtomicUsize::new(0));
    let callers: Vec<_> = (0..30)
        .map(|_| {
            let (server, is_over, begun) =
                (Arc::clone(&server), Arc::clone(&is_over), Arc::clone(&begun));
            thread::spawn(move || {
                let proof = join_of(PROTOCOL_VERSION, &"0".repeat(32), &"0".repeat(64));
                while !is_over.load(Ordering::SeqCst) {
                    let mut stream = connect(&server);
                    let _ = stream.write_all(&proof);
                    begun.fetch_add(1, Ordering::SeqCst);
                    let _ = stream.read_to_end(&mut Vec::new());
                }
            })
        })
        .collect();
    while begun.load(Ordering::SeqCst) < 30 {
        thread::yield_now();
    }
    let guest = call(&server, &code);
    loop {
        match next(&guest) {
            CallEvent::Joined { returns, writer, .. } => {
                assert!(!returns);
                writer.close();
            }
            CallEvent::Crowded => continue,
            other => panic!("{other:?}"),
        }
        break;
    }
    assert!(matches!(next(&guest), CallEvent::Lost(_)));
    loop {
        match next(&guest) {
            CallEvent::Joined { returns, .. } => break assert!(returns),
            CallEvent::Lost(_) | CallEvent::Crowded => {}
            other => panic!("{other:?}"),
        }
    }
    is_over.store(true, Ordering::SeqCst);
    callers.into_iter().for_each(|caller| caller.join().expect("it ends"));
}

#[test]
fn nothing_counts_that_a_guest_says_after_good_bye() {
    let (server, code) = open();
    let guest = call(&server, &code);
    let CallEvent::Joined { writer, .. } = next(&guest) else { panic!("not in") };
    let (line, _, _) = joined(&server);
    writer.send(&GuestMessage::Bye);
    for id in 1..20 {
        writer.send(&GuestMessage::Act { id, action: RoomAction::Resign });
    }
    assert!(matches!(next(&guest), CallEvent::Lost(_)), "the line is closed");
    let mut said = Vec::new();
    loop {
        match server.events().recv_timeout(PATIENCE).expect("the guest comes back") {
            RoomEvent::Said { line: from, message } if from == line => said.push(message),
            RoomEvent::Joined { .. } => break,
            RoomEvent::Lost { .. } => panic!("it was not lost"),
            _ => {}
        }
    }
    assert_eq!(said, [GuestMessage::Bye]);
}

#[test]
fn a_guest_comes_back_when_the_line_breaks() {
    let (server, code) = open();
    let guest = call(&server, &code);
    // A line whose writer is dropped is closed.
    let CallEvent::Joined { returns: false, writer: mut kept, .. } = next(&guest) else {
        panic!("not in")
    };
    let (mut line, _, mut writer) = joined(&server);
    for _ in 0..2 {
        writer.close();
        assert!(matches!(next(&guest), CallEvent::Lost(_)));
        let CallEvent::Joined { returns, name, writer: again } = next(&guest) else {
            panic!("not back")
        };
        assert!(returns && name == "Ann");
        kept = again;
        let (new, returns, back) = joined(&server);
        assert!(returns && new != line);
        (line, writer) = (new, back);
    }
    writer.send(&HostMessage::Bye { why: "enough".to_owned() });
    assert!(matches!(next(&guest), CallEvent::Over(why) if why == "enough"));
    drop(kept);
}

#[test]
fn players_who_move_fast_stay_in_the_room() {
    let (server, code) = open();
    let guest = call(&server, &code);
    let CallEvent::Joined { writer, .. } = next(&guest) else { panic!("not in") };
    let (_, _, host) = joined(&server);
    for id in 0..150 {
        writer.send(&GuestMessage::Act { id, action: RoomAction::Resign });
        let event = server.events().recv_timeout(PATIENCE).expect("an action");
        assert!(matches!(event, RoomEvent::Said { .. }), "{event:?}");
        host.send(&HostMessage::Done { id });
        assert!(matches!(next(&guest), CallEvent::Said(HostMessage::Done { .. })));
    }
}

#[test]
fn silent_connections_make_place_for_a_guest() {
    let (server, code) = open();
    let mut silent: Vec<TcpStream> = (0..200).map(|_| connect(&server)).collect();
    for stream in &mut silent {
        // A line that never ends.
        let _ = stream.write_all(b"{\"say\":");
    }
    let caller = call(&server, &code);
    assert!(matches!(next(&caller), CallEvent::Joined { .. }));
    // The first ones had to leave before the last ones came.
    assert!(matches!(all_said(silent.swap_remove(0))[..], [] | [HostMessage::Hello { .. }]));
}

#[test]
fn silent_connections_are_closed() {
    let code = JoinCode::random();
    let server = RoomServer::open_with(0, RoomKey::new(code), "Ann", Duration::from_millis(50));
    let server = server.expect("a port");
    let mut streams: Vec<TcpStream> = (0..3).map(|_| connect(&server)).collect();
    streams[1].write_all(b"{\"say\":").expect("it listens");
    // One that has said its last word hears the same.
    streams[2].shutdown(std::net::Shutdown::Write).expect("it is open");
    for stream in streams {
        assert!(matches!(all_said(stream)[..], [HostMessage::Hello { .. }]));
    }
}

#[test]
fn a_room_is_at_the_addresses_of_both_families() {
    let (server, code) = open();
    let guest = call(&server, &code);
    assert!(matches!(next(&guest), CallEvent::Joined { .. }));
    // Where there is no sixth version there is nothing to be shown.
    if let Ok(stream) = TcpStream::connect(("::1", server.port())) {
        stream.set_read_timeout(Some(PATIENCE)).expect("a time");
        let mut line = String::new();
        BufReader::new(stream).read_line(&mut line).expect("a line");
        assert!(line.starts_with("{\"say\":\"hello\""), "{line}");
    }
}

#[test]
fn names_of_any_length_and_in_any_bytes_are_kept_off() {
    let (server, code) = open();
    let long = join_of(PROTOCOL_VERSION, &"a".repeat(65_536), "");
    assert_eq!(refusal(&server, &long), "a message is too long");
    let mut bytes = join_of(PROTOCOL_VERSION, &"0".repeat(32), &"0".repeat(64));
    let name = bytes.windows(3).position(|part| part == b"Eve").expect("the name");
    bytes[name] = 0xff;
    assert_eq!(refusal(&server, &bytes), "a message is not understood");
    let address = format!("127.0.0.1:{}", server.port());
    let name = "\u{202e}B\u{1b}[2Job".to_owned() + &"b".repeat(1000);
    let caller = RoomCaller::join(&address, code, &name, PATIENCE).expect("an address");
    assert!(matches!(next(&caller), CallEvent::Joined { .. }));
    match server.events().iter().find(|event| matches!(event, RoomEvent::Joined { .. })) {
        Some(RoomEvent::Joined { name, .. }) => {
            assert_eq!(name, "\u{fffd}B\u{fffd}[2Job".to_owned() + &"b".repeat(24));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_peer_who_never_reads_holds_nobody_up() {
    let (server, code) = open();
    let mut stream = connect(&server);
    let mut hello = String::new();
    BufReader::new(stream.try_clone().expect("a copy")).read_line(&mut hello).expect("a line");
    let HostMessage::Hello { lot, .. } = serde_json::from_str(&hello).expect("a message") else {
        panic!("no greeting")
    };
    let (host, guest) = (lot.parse::<Lot>().expect("a lot"), Lot::random());
    let known = ProofInput { code: &code, ticket: None, host: &host, guest: &guest };
    let proof = known.proof(ProvingSide::Guest);
    let line = join_of(PROTOCOL_VERSION, &guest.to_string(), &proof);
    stream.write_all(&line).expect("it listens");
    let Some(RoomEvent::Joined { writer, .. }) =
        server.events().iter().find(|event| matches!(event, RoomEvent::Joined { .. }))
    else {
        panic!("not in")
    };
    // More than all buffers between them hold; each call returns at once.
    let state = HostMessage::Bye { why: "x".repeat(200_000) };
    for _ in 0..200 {
        writer.send(&state);
    }
    loop {
        match server.events().recv_timeout(PATIENCE).expect("an end") {
            RoomEvent::Lost { why, .. } => break assert_eq!(why, CLOSED),
            RoomEvent::Refused { .. } => {}
            other => panic!("{other:?}"),
        }
    }
}
