//! Lines over the loopback to peers who do not behave.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::rng::SplitMix64;
use crate::room::line::{MOST_OF_GUEST, PROTOCOL_VERSION};
use crate::room::{
    CallEvent, GuestMessage, HostMessage, JoinCode, LineWriter, RoomCaller, RoomEvent, RoomKey,
    RoomServer,
};

/// Longer than anything takes here.
const PATIENCE: Duration = Duration::from_secs(60);

fn open() -> (RoomServer, JoinCode) {
    let code = JoinCode::random();
    (RoomServer::open(0, RoomKey::new(code.clone()), "Ann").expect("a port"), code)
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
fn a_wrong_code_is_refused_with_delay_and_a_third_one_with_the_right_code_too() {
    let (server, code) = open();
    let wrong = std::iter::repeat_with(JoinCode::random).find(|other| *other != code).unwrap();
    let start = Instant::now();
    let callers = [call(&server, &wrong), call(&server, &wrong)];
    for caller in &callers {
        match next(caller) {
            CallEvent::Over(why) => assert_eq!(why, "the code is wrong"),
            other => panic!("{other:?}"),
        }
    }
    assert!(start.elapsed() >= Duration::from_secs(2), "two at once are not quicker");
    let guest = call(&server, &code);
    assert!(matches!(next(&guest), CallEvent::Joined { .. }));
    let (_, _, writer) = joined(&server);
    match next(&call(&server, &code)) {
        CallEvent::Over(why) => assert_eq!(why, "somebody else has joined the room"),
        other => panic!("{other:?}"),
    }
    // The line of the guest breaks; nobody else can come in their place, they themselves can.
    drop(guest);
    writer.close();
    assert!(matches!(next(&call(&server, &code)), CallEvent::Over(_)));
    server.reopen(wrong.clone());
    let another = call(&server, &wrong);
    assert!(matches!(next(&another), CallEvent::Joined { returns: false, .. }));
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
fn a_guest_who_floods_the_line_loses_it_for_good() {
    let (server, code) = open();
    let guest = call(&server, &code);
    let CallEvent::Joined { writer, .. } = next(&guest) else { panic!("not in") };
    joined(&server);
    for _ in 0..2000 {
        writer.send(&GuestMessage::Pong);
    }
    // Either end gives the line up: what waits is bounded too.
    let mut lost = None;
    while lost.is_none() {
        match server.events().recv_timeout(PATIENCE).expect("an end") {
            RoomEvent::Lost { why, .. } => lost = Some(why),
            RoomEvent::Said { message, .. } => assert_eq!(message, GuestMessage::Pong),
            other => panic!("{other:?}"),
        }
    }
    let why = lost.unwrap();
    assert!(["there are too many messages", "the line is broken"].contains(&&*why), "{why}");
}

#[test]
fn silent_connections_give_way_to_a_guest() {
    let (server, code) = open();
    let mut silent: Vec<TcpStream> = (0..8).map(|_| connect(&server)).collect();
    for stream in &mut silent {
        // A line that never ends.
        stream.write_all(b"{\"say\":").expect("it listens");
    }
    let ends: Vec<_> = silent.into_iter().map(all_said).collect();
    for said in ends {
        let why = "nothing was heard for too long".to_owned();
        assert_eq!(said.last(), Some(&HostMessage::Bye { why }));
    }
    let caller = call(&server, &code);
    assert!(matches!(next(&caller), CallEvent::Joined { .. }));
}
