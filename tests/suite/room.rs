//! Two processes that play with each other over the loopback.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use tengen_files::resume::strip_sum;

use crate::place::Place;
use crate::play::Dialog;

/// A line between a guest and a host that can be cut.
struct Proxy {
    port: u16,
    streams: Arc<Mutex<Vec<TcpStream>>>,
}

impl Proxy {
    fn to(host: u16) -> Proxy {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let streams: Arc<Mutex<Vec<TcpStream>>> = Arc::default();
        let kept = Arc::clone(&streams);
        thread::spawn(move || {
            for guest in listener.incoming().map_while(Result::ok) {
                let Ok(host) = TcpStream::connect(("127.0.0.1", host)) else { continue };
                let copies =
                    || -> std::io::Result<_> { Ok((guest.try_clone()?, host.try_clone()?)) };
                let (Ok(there), Ok(back)) = (copies(), copies()) else { continue };
                let mut kept = kept.lock().expect("nobody fails");
                kept.extend([guest, host]);
                thread::spawn(move || pass(there.0, there.1));
                thread::spawn(move || pass(back.1, back.0));
            }
        });
        Proxy { port, streams }
    }

    /// Cuts all lines; new ones can be made.
    fn cut(&self) {
        for stream in self.streams.lock().expect("nobody fails").drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

/// Passes on what is said, until one of them has left.
fn pass(mut from: TcpStream, mut to: TcpStream) {
    let mut bytes = [0; 1024];
    while let Ok(count @ 1..) = from.read(&mut bytes) {
        if to.write_all(&bytes[..count]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
    let _ = from.shutdown(Shutdown::Both);
}

/// Opens a room, and returns its port and its code.
fn open(place: &Place, more: &[&str]) -> (Dialog, u16, String) {
    let usual = ["play", "--line", "--host", "--unlisted", "--autosave", "host.json"];
    let host = Dialog::begin(place, &[&usual[..], more].concat());
    let line = host.until("The room is open at port ");
    let words: Vec<&str> = line.split([' ', '.']).collect();
    let port = words[6].parse().expect("a port");
    (host, port, words.last().expect("a code").to_string())
}

fn join(place: &Place, port: u16, code: &str) -> Dialog {
    let address = format!("127.0.0.1:{port}");
    let args = ["play", "--line", "--join", &address, "--code", code, "--name", "Bob"];
    Dialog::begin(place, &[&args[..], &["--autosave", "guest.json"]].concat())
}

fn said(dialog: &mut Dialog, line: &str, answer: &str) {
    dialog.say(line);
    dialog.until(answer);
}

#[test]
fn a_game_goes_on_when_the_line_is_cut_and_nothing_is_lost() {
    let place = Place::new("room");
    let (mut host, port, code) = open(&place, &["--name", "Ann", "--game-time", "10m"]);
    let proxy = Proxy::to(port);
    let mut guest = join(&place, proxy.port, &code);
    guest.until("freestyle 15x15, black: Ann, white: you.");
    host.until("Bob has joined.");
    host.until("Your turn, black.");
    said(&mut host, "a1", "Move 1: black a1.");
    guest.until("Your turn, white.");
    said(&mut guest, "a1", "Error: a1 is occupied.");
    said(&mut guest, "a2", "Move 2: white a2.");
    host.until("Your turn, black.");

    guest.say("say Good luck");
    host.until("Bob says: Good luck");

    // The host plays and talks while the line is cut, and the guest sees it when it holds again.
    proxy.cut();
    guest.until("The line is broken: ");
    said(&mut host, "b1", "Move 3: black b1.");
    host.say("say Still there?");
    guest.until("The line holds again.");
    guest.until("Move 3: black b1.");
    guest.until("Your turn, white.");
    guest.until("Ann says: Still there?");
    // The guest plays while it is cut, and the host gets it.
    proxy.cut();
    guest.until("The line is broken: ");
    guest.say("b2");
    host.until("Bob is back.");
    host.until("Move 4: white b2.");
    guest.until("Move 4: white b2.");
    // So does the host get what is said.
    proxy.cut();
    guest.until("The line is broken: ");
    guest.say("say Yes");
    host.until("Bob is back.");
    host.until("Bob says: Yes");

    said(&mut guest, "undo", "You ask Ann for taking the last move back.");
    host.until("Bob asks you for taking the last move back: accept or decline.");
    said(&mut host, "accept", "Taken back.");
    guest.until("Taken back.");
    said(&mut guest, "b2", "Move 4: white b2.");
    host.until("Move 4: white b2.");
    for (number, cell) in [(5, "c1"), (6, "c2"), (7, "d1"), (8, "d2"), (9, "e1")] {
        let (mover, other) =
            if number % 2 == 1 { (&mut host, &guest) } else { (&mut guest, &host) };
        mover.say(cell);
        other.until(&format!("Move {number}: "));
    }
    guest.until("Game over: black wins, 5 in a row from a1 to e1.");
    said(&mut host, "save host.sgf", "Saved to host.sgf.");
    said(&mut guest, "save guest.sgf", "Saved to guest.sgf.");
    assert_eq!(place.read("host.sgf"), place.read("guest.sgf"));
    assert!(place.read("host.sgf").contains("PB[Ann]PW[Bob]"), "{}", place.read("host.sgf"));
    // The host keeps the room with the game.
    let kept = place.read("host.json");
    assert_eq!(kept.lines().next(), place.read("guest.json").lines().next());

    said(&mut guest, "new", "You ask Ann for another game.");
    host.until("Bob asks you for another game: accept or decline.");
    said(&mut host, "accept", "Another game. freestyle 15x15, black: Bob, white: you.");
    guest.until("Your turn, black.");
    host.say("quit");
    guest.until("The room is closed: the host has closed the room.");
    assert!(host.child.wait().expect("it ends").success());
    assert!(guest.child.wait().expect("it ends").success());
}

#[test]
fn nobody_comes_without_the_code_or_to_a_place_that_is_taken() {
    let place = Place::new("room-code");
    let (mut host, port, code) = open(&place, &["--rule", "renju", "--opening", "swap2"]);
    let address = format!("127.0.0.1:{port}");
    let refused = |code: &str| {
        let args = ["play", "--line", "--no-autosave", "--join", &address, "--code", code];
        let output = place.run(&args, "");
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let wrong = if code == "AAAAAA" { "BBBBBB" } else { "AAAAAA" };
    assert_eq!(refused(wrong), "Error: cannot join the room: the code is wrong\n");
    host.until("A caller was rejected: the code is wrong.");
    // Where the code is asked for, it is asked for again.
    let args = ["play", "--line", "--no-autosave", "--join", &address];
    let output = place.run(&args, &format!("{wrong}\n{wrong}\n"));
    assert_eq!(output.status.code(), Some(1));
    let ask = "Type the code that the host sees.\n";
    let again = format!("{ask}Error: cannot join the room: the code is wrong.\n");
    assert_eq!(String::from_utf8_lossy(&output.stdout), again.repeat(2) + ask);
    let error = "Error: cannot join the room: the code is wrong\n";
    assert_eq!(String::from_utf8_lossy(&output.stderr), error);
    let mut guest = join(&place, port, &code);
    guest.until("You have joined the room of host.");
    assert_eq!(refused(&code), "Error: cannot join the room: another guest has joined the room\n");
    // The colours of an opening follow the players.
    for cell in ["h8", "h9", "i8"] {
        host.say(cell);
    }
    guest.until("Your turn. The second player, white: choose the colour.");
    guest.say("hint");
    guest.until("Error: hints are not allowed in this room.");
    guest.say("teach on");
    guest.until("Error: that is not for games with others.");
    said(&mut guest, "swap", "The opening is finished, black: you, white: host. White to move.");
    host.until("The opening is finished, black: Bob, white: you. White to move.");
    // A guest who has left comes back by another code.
    guest.say("quit");
    host.until("Bob has left. invite lets another come.");
    host.say("invite");
    let line = host.until("Another guest can join now. Code: ");
    let code = line.rsplit(' ').next().expect("a code").to_owned();
    let guest = join(&place, port, &code);
    guest.until("renju 15x15, opening swap2, black: you, white: host, rows from the bottom.");
}

/// Opens the room of `host.json` again.
fn reopen(place: &Place, port: u16, code: &str) -> Dialog {
    let args = ["play", "--line", "--host", "--resume", "--autosave", "host.json"];
    let host = Dialog::begin(place, &args);
    let line = host.until("The room is open again at port ");
    assert_eq!(line, format!("The room is open again at port {port}. Code: {code}"));
    host
}

#[test]
fn a_host_that_is_killed_opens_its_room_again_and_the_guest_goes_on() {
    let place = Place::new("room-killed");
    place.write("host.json", "{\"tengen_play\": 0}\n");
    let options = ["--name", "Ann", "--game-time", "20m", "--opening", "swap2"];
    let (mut host, port, code) = open(&place, &options);
    let mut guest = join(&place, port, &code);
    guest.until("You have joined the room of Ann.");
    // In the middle of the opening, with a request.
    said(&mut host, "h8", "Stone 1: black h8.");
    guest.until("Stone 1: black h8.");
    said(&mut guest, "draw", "You ask Ann for a draw.");
    drop(host);
    guest.until("The line is broken: ");
    assert_eq!(place.read("host.json.old"), "{\"tengen_play\": 0}\n");

    let mut host = reopen(&place, port, &code);
    host.until("freestyle 15x15, opening swap2, black: you, white: Bob.");
    // Lines typed before the guest joins wait.
    host.say("h9");
    host.until("Bob is back.");
    guest.until("The line holds again.");
    guest.until("Nothing has come of a draw.");
    guest.until("Stone 2: white h9.");
    said(&mut host, "i8", "Stone 3: black i8.");
    guest.until("Your turn. The second player, white: choose the colour.");
    drop(host);
    guest.until("The line is broken: ");
    // The guest chooses while nobody is there.
    guest.say("swap");
    let mut host = reopen(&place, port, &code);
    host.until("The opening is finished, black: Bob, white: you. White to move.");
    guest.until("The opening is finished, black: you, white: Ann. White to move.");
    said(&mut host, "a1", "Move 4: white a1.");
    guest.until("Your turn, black.");
    said(&mut guest, "a2", "Move 5: black a2.");
    host.until("Move 5: black a2.");

    // The guest's place is nobody else's, after a restart too.
    drop(host);
    let mut host = reopen(&place, port, &code);
    host.until("Bob is back.");
    let address = format!("127.0.0.1:{port}");
    let other = ["play", "--line", "--no-autosave", "--join", &address, "--code", &code];
    let output = place.run(&other, "");
    let refused = "Error: cannot join the room: another guest has joined the room\n";
    assert_eq!(String::from_utf8_lossy(&output.stderr), refused);
    assert_eq!(output.status.code(), Some(1));
    guest.until("The line holds again.");
    said(&mut guest, "resign", "Game over: white wins, black resigns.");
    host.until("Game over: white wins, black resigns.");
    said(&mut host, "save host.sgf", "Saved to host.sgf.");
    said(&mut guest, "save guest.sgf", "Saved to guest.sgf.");
    assert_eq!(place.read("host.sgf"), place.read("guest.sgf"));
    assert!(place.read("host.sgf").contains("PB[Bob]PW[Ann]"), "{}", place.read("host.sgf"));
    let game = |name| place.read(name).lines().next().expect("a game").to_owned();
    assert_eq!(game("host.json"), game("guest.json"));

    // The game alone goes on without the room, which is kept.
    drop(host);
    let kept = place.read("host.json");
    let alone = ["play", "--line", "--resume", "--autosave", "host.json"];
    let output = place.run(&alone, "undo\n");
    assert!(output.status.success());
    assert_eq!(place.read("host.json.old"), kept);
    assert_ne!(place.read("host.json"), kept);
}

#[test]
fn a_file_that_holds_no_room_is_told_and_left_as_it_is() {
    let place = Place::new("room-damaged");
    let (mut host, port, code) = open(&place, &[]);
    let guest = join(&place, port, &code);
    guest.until("You have joined the room of host.");
    host.until("Bob has joined.");
    said(&mut host, "h8", "Move 1: black h8.");
    drop((host, guest));
    let whole = place.read("host.json");
    let (game, room) = whole.split_once('\n').expect("a room");
    let args = ["play", "--line", "--host", "--resume", "--autosave", "host.json"];
    for (text, words) in [
        (format!("{game}\n"), "host.json has a game without a room: --resume alone continues it"),
        (
            format!("{game}\n{}", &room[..room.len() / 2]),
            "host.json: no saved room of this version",
        ),
        (whole.replace(&code, "ABC"), "host.json: no saved room of this version: damaged: "),
        (
            format!("{game}\n{}\n", strip_sum(room).expect("a checksum").replace(&code, "ABC")),
            "host.json: no saved room of this version: a code that",
        ),
        (format!("{whole}{whole}"), "host.json: no saved room of this version"),
        (game[1..].to_owned(), "host.json: no saved game of this version"),
        (String::new(), "host.json: no saved game of this version"),
    ] {
        place.write("host.json", &text);
        let output = place.run(&args, "");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.starts_with(&format!("Error: {words}")), "{error}");
        assert_eq!((error.lines().count(), output.stdout.len()), (1, 0), "{error}");
        assert_eq!(place.read("host.json"), text);
    }
    let output = place.run(&[&args[..5], &["missing.json"]].concat(), "");
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(error, "Error: there is no room to resume: missing.json is missing\n");
}

#[test]
fn help_is_what_the_host_allows() {
    let place = Place::new("room-help");
    let (mut host, port, code) = open(&place, &["--allow", "hints"]);
    let mut guest = join(&place, port, &code);
    for player in [&mut host, &mut guest] {
        player.until("Both of you may see threats and hints.");
    }
    for cell in ["h8", "i8", "j8"] {
        said(&mut host, cell, "Move ");
        said(&mut guest, "wait", "");
        said(&mut guest, &cell.replace('8', "1"), "Move ");
        said(&mut host, "wait", "");
    }
    said(&mut host, "threats", "Black can win in 3 plies.");
    // Both may ask, whoever is to move.
    for player in [&mut host, &mut guest] {
        let hint = "Hint: ";
        said(player, "hint", hint);
    }
    // A move does not wait for a hint, which is dropped then.
    host.say("hint");
    said(&mut host, "g8", "Move 7: black g8.");
    guest.until("Move 7: black g8.");

    let place = Place::new("room-no-help");
    let (mut host, port, code) = open(&place, &["--allow", "none"]);
    let mut guest = join(&place, port, &code);
    for player in [&mut host, &mut guest] {
        player.until("Neither of you may see threats or hints.");
        said(player, "threats", "Error: threats are not allowed in this room.");
        said(player, "hint", "Error: hints are not allowed in this room.");
    }
}

#[test]
fn whole_games_can_be_piped() {
    let place = Place::new("room-piped");
    let (mut host, port, code) = open(&place, &["--white", "person", "--time", "5m"]);
    let mut guest = join(&place, port, &code);
    for cell in ["a1", "b1", "c1", "d1", "e1"] {
        guest.say("wait");
        guest.say(cell);
    }
    for cell in ["a2", "b2", "c2", "d2"] {
        host.say("wait");
        host.say(cell);
    }
    host.until("Game over: black wins, 5 in a row from a1 to e1.");
    guest.until("Game over: black wins, 5 in a row from a1 to e1.");
}

#[test]
fn a_clock_runs_out_at_the_host() {
    let place = Place::new("room-clock");
    let (host, port, code) = open(&place, &["--time", "1"]);
    let guest = join(&place, port, &code);
    host.until("Game over: white wins, black has run out of time.");
    guest.until("Game over: white wins, black has run out of time.");
}

#[test]
fn options_of_rooms_that_make_no_sense_are_refused() {
    let place = Place::new("room-options");
    for (args, code, words) in [
        (&["--host", "--join", "a:1"][..], 2, "cannot be used with"),
        (&["--join", "a:1", "--rule", "renju"], 2, "cannot be used with"),
        (&["--join", "a:1", "--code", "ABC"], 2, "a code has 6 letters and digits"),
        (&["--port", "5000"], 2, "--host"),
        (&["--join", "a:1", "--allow", "none"], 2, "cannot be used with"),
        (&["--join", "a:1", "--unlisted"], 2, "cannot be used with"),
        (&["--host", "--allow", "all"], 2, "it is none, threats or hints"),
        (&["--host", "--resume", "--rule", "renju"], 2, "cannot be used with"),
        (&["--host", "--level", "3"], 2, "cannot be used with"),
        (&["--join", "a:1", "--seed", "1"], 2, "cannot be used with"),
        (&["--host", "--black", "engine"], 1, "no engine plays in a room"),
        (&["--name", "Ann"], 1, "a name is for games on a network"),
        (&["--join", "nowhere", "--code", "ABC234"], 1, "is not an address of a room"),
        (&["--join", "127.0.0.1:1", "--code", "ABC234"], 1, "cannot join the room: "),
    ] {
        let output = place.run(&[&["play", "--line", "--no-autosave"], args].concat(), "");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{args:?}: {error}");
        assert!(error.contains(words), "{args:?}: {error}");
    }
}
