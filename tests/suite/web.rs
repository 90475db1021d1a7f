//! `tengen web` with the real binary: what it serves, and that it serves nobody else.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tungstenite::client::IntoClientRequest;
use tungstenite::handshake::client::Request;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::{Error, Message, WebSocket};

use crate::child::PATIENCE;
use crate::place::Place;
use tengen_web::server::USUAL_PORT;

/// A running server. It is killed when this is dropped.
struct Web {
    child: Child,
    port: u16,
    key: String,
    /// The lines after the address.
    said: Vec<String>,
}

/// An answer of HTTP.
struct Reply {
    status: u16,
    /// The head in small letters.
    head: String,
    body: Vec<u8>,
}

impl Reply {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// Returns a header.
    fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.filter(|(other, _)| *other == name).map(|(_, value)| value).next()
    }
}

impl Web {
    /// Starts it at a free port.
    fn begin(place: &Place, more: &[&str]) -> Web {
        Web::begin_at(place, &[&["--port", "0"][..], more].concat())
    }

    fn begin_at(place: &Place, more: &[&str]) -> Web {
        let args = [&["web", "--no-open", "--threads", "1", "--memory", "64"][..], more].concat();
        Web::begin_as(place.command(&args))
    }

    fn begin_as(mut command: Command) -> Web {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("tengen starts");
        let mut out = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let mut line = || out.next().expect("it says where it is").expect("text");
        let url = line();
        let rest = url.strip_prefix("http://127.0.0.1:").expect("an address");
        let (port, key) = rest.split_once("/?key=").expect("a key");
        let (port, key) = (port.parse().expect("a port"), key.to_owned());
        let mut said = vec![line()];
        while !said.iter().any(|line| line.starts_with("Ctrl-C")) {
            said.push(line());
        }
        Web { child, port, key, said }
    }

    fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a time");
        stream
    }

    /// Asks in these words, and returns the answer.
    fn ask_raw(&self, request: &[u8]) -> Option<Reply> {
        let mut stream = self.connect();
        // It may be refused before it is complete.
        let _ = stream.write_all(request);
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
        let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
        let status = head.split(' ').nth(1)?.parse().ok()?;
        Some(Reply { status, head, body: bytes[end + 4..].to_vec() })
    }

    /// Asks with further lines of the head, and a body.
    fn ask(&self, method: &str, path: &str, more: &[&str], body: &str) -> Reply {
        let host = format!("Host: {}", self.host());
        let host: &[&str] =
            if more.iter().any(|line| line.starts_with("Host:")) { &[] } else { &[&host] };
        let length = format!("Content-Length: {}", body.len());
        let length: &[&str] = if body.is_empty() { &[] } else { &[&length] };
        let head =
            [&[&*format!("{method} {path} HTTP/1.1")], host, length, more].concat().join("\r\n");
        self.ask_raw(format!("{head}\r\n\r\n{body}").as_bytes()).expect("an answer")
    }

    fn get(&self, path: &str) -> Reply {
        self.ask("GET", path, &[], "")
    }

    fn with_key(&self, path: &str) -> String {
        format!("{path}?key={}", self.key)
    }

    fn origin(&self) -> String {
        format!("http://{}", self.host())
    }

    fn socket_request(&self, session: &str, key: &str, origin: &str) -> Request {
        let url = format!("ws://{}/api/engine?session={session}&engine=0&key={key}", self.host());
        let mut request = url.into_client_request().expect("an address");
        request.headers_mut().insert("Origin", origin.parse().expect("an origin"));
        request
    }

    /// Opens the socket of a session.
    fn socket(&self, session: &str) -> PageSocket {
        let request = self.socket_request(session, &self.key, &self.origin());
        let opened = tungstenite::client(request, self.connect());
        let Ok((socket, _)) = opened else { panic!("{opened:?}") };
        PageSocket(socket)
    }

    /// Returns the status with which a socket is refused.
    fn refused(&self, request: Request) -> u16 {
        match tungstenite::client(request, self.connect()) {
            Err(tungstenite::HandshakeError::Failure(Error::Http(response))) => {
                response.status().as_u16()
            }
            other => panic!("{other:?}"),
        }
    }

    /// Plays a move, to show that all is well.
    fn plays(&self, session: &str) {
        let mut page = self.socket(session);
        page.until("{\"state\":\"ready\"");
        page.say("START 15");
        page.until("OK");
        page.say("BEGIN");
        page.until("7,7");
    }
}

impl Drop for Web {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The socket of a page.
struct PageSocket(WebSocket<TcpStream>);

impl PageSocket {
    fn say(&mut self, line: &str) {
        self.0.send(Message::text(line)).expect("it listens");
    }

    /// Returns the next line, or the code with which the socket is closed.
    fn hear(&mut self) -> Result<String, u16> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            // What says only that the other side is there ends no read.
            assert!(Instant::now() < deadline, "no line comes");
            match self.0.read() {
                Ok(Message::Text(line)) => return Ok(line.to_string()),
                Ok(Message::Close(frame)) => {
                    return Err(frame.map_or(CloseCode::Status, |frame| frame.code).into());
                }
                Ok(_) => {}
                Err(error) => panic!("{error}"),
            }
        }
    }

    /// Waits for a line that begins so.
    fn until(&mut self, beginning: &str) -> String {
        loop {
            let line = self.hear().unwrap_or_else(|code| panic!("closed with {code}"));
            if line.starts_with(beginning) {
                return line;
            }
        }
    }

    /// Waits until the socket is closed, and returns the last line and the code.
    fn closed(&mut self) -> (String, u16) {
        let mut last = String::new();
        loop {
            match self.hear() {
                Ok(line) => last = line,
                Err(code) => return (last, code),
            }
        }
    }
}

/// Everybody on a machine can see what its browsers are started with.
#[cfg(all(unix, not(target_os = "macos")))]
#[test]
fn the_browser_is_opened_with_an_address_that_is_good_once() {
    let place = Place::new("web-open");
    let command = place.command_with_browser(&["web", "--port", "0", "--memory", "64"]);
    let web = Web::begin_as(command);
    let opened = place.opened();
    assert!(!opened.contains(&web.key), "{opened}");
    let path = opened.strip_prefix(&web.origin()).expect("its address");
    assert_eq!(web.get(&path.replace("ticket=", "ticket=0")).status, 403);
    let reply = web.get(path);
    assert_eq!((reply.status, reply.header("location")), (303, Some(&*web.with_key("/"))));
    let again = web.get(path);
    assert_eq!(again.status, 403);
    assert!(!again.text().contains(&web.key));
}

#[test]
fn the_page_is_served_with_headers_that_keep_others_away() {
    let place = Place::new("web");
    let web = Web::begin(&place, &[]);
    let page = web.get("/");
    assert_eq!(page.status, 200);
    assert!(page.text().contains("<!doctype html>"), "{}", page.text());
    for (name, value) in [
        ("content-type", "text/html; charset=utf-8"),
        ("cache-control", "no-cache"),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-embedder-policy", "require-corp"),
    ] {
        assert_eq!(page.header(name), Some(value), "{name}");
    }
    let policy = page.header("content-security-policy").expect("a policy");
    assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe-inline"), "{policy}");
    assert_eq!(web.get("/?key=x").header("cache-control"), Some("no-store"));
    let tag = format!("If-None-Match: {}", page.header("etag").expect("a tag"));
    let again = web.ask("GET", "/index.html", &[&tag], "");
    assert_eq!((again.status, again.body.len()), (304, 0));
    let packed = web.ask("GET", "/", &["Accept-Encoding: br, gzip"], "");
    assert_eq!(packed.header("content-encoding"), Some("gzip"));
    assert_eq!(packed.body[..2], [0x1f, 0x8b]);
    assert_eq!(web.ask("HEAD", "/", &[], "").body, b"");
    assert_eq!(web.ask("POST", "/", &[], "").status, 405);
    let board = web.get("/shared/board.js");
    assert_eq!(board.header("content-type"), Some("text/javascript; charset=utf-8"));
}

#[test]
fn paths_lead_to_the_page_and_nowhere_else() {
    let place = Place::new("web");
    place.write("secret", "secret");
    let web = Web::begin(&place, &[]);
    for path in [
        "/secret",
        "/../secret",
        "/..%2fsecret",
        "/%2e%2e/secret",
        "/%252e%252e/secret",
        "/..\\secret",
        "//etc/passwd",
        "/shared/../../secret",
        "/shared",
        "/index.html/",
        "/index.html%00",
        "/api",
        "/join",
    ] {
        let reply = web.get(path);
        assert!(matches!(reply.status, 400 | 404), "{path}: {}", reply.status);
    }
    assert_eq!(web.get("/").status, 200);
}

#[test]
fn a_page_plays_with_its_engine_and_finds_it_again() {
    let place = Place::new("web");
    let web = Web::begin(&place, &[]);
    let info = web.get(&web.with_key("/api/info")).text();
    for part in [
        "\"engines\":[{\"id\":0,\"name\":\"tengen\",\"levels\":true}]",
        "\"files\":false",
        "\"cores\":1",
        "\"max_memory_mb\":64",
    ] {
        assert!(info.contains(part), "{info}");
    }
    let mut page = web.socket("session-1");
    assert_eq!(page.hear().as_deref(), Ok("{\"state\":\"ready\",\"name\":\"tengen\"}"));
    page.say("INFO max_node 100");
    page.say("START 15");
    assert_eq!(page.hear().as_deref(), Ok("OK"));
    page.say("BEGIN");
    page.until("7,7");
    // A second window takes the engine over.
    let mut other = web.socket("session-1");
    assert_eq!(other.hear().as_deref(), Ok("{\"state\":\"resumed\",\"name\":\"tengen\"}"));
    let (last, code) = page.closed();
    assert!(last.starts_with("{\"state\":\"gone\",\"reason\":"), "{last}");
    assert_eq!(code, 4001);
    // A page that is reloaded finds its game.
    other.say("TURN 8,8");
    drop(other);
    let mut page = web.socket("session-1");
    page.until("{\"state\":\"resumed\"");
    page.say("TURN 7,7");
    page.until("ERROR");
    // Another page has another engine.
    web.plays("session-2");
}

#[test]
fn an_engine_that_ends_is_started_again_but_not_for_ever() {
    let place = Place::new("web");
    let web = Web::begin(&place, &[]);
    let mut page = web.socket("session-1");
    for _ in 0..8 {
        page.until("{\"state\":\"ready\"");
        page.say("END");
        let gone = page.until("{\"state\":\"gone\"");
        assert!(gone.contains("tengen has ended with exit code 0"), "{gone}");
    }
    page.until("{\"state\":\"ready\"");
    page.say("END");
    let (last, code) = page.closed();
    assert!(last.contains("is not started again"), "{last}");
    assert_eq!(code, 4002);
    web.plays("session-1");
}

#[test]
fn engines_of_others_are_behind_the_same_page() {
    let place = Place::new("web");
    let missing = ["--engine", "cmd=./no-such-engine", "name=Nobody"];
    let web = Web::begin(&place, &missing);
    let info = web.get(&web.with_key("/api/info")).text();
    assert!(info.contains("{\"id\":0,\"name\":\"Nobody\",\"levels\":false},{\"id\":1,\"name\":\"tengen\",\"levels\":true}"), "{info}");
    let (last, code) = web.socket("session-1").closed();
    assert!(
        last.starts_with("{\"state\":\"gone\",\"reason\":\"Nobody cannot be started"),
        "{last}"
    );
    assert_eq!(code, 4002);
}

#[test]
fn nobody_without_the_key_or_from_another_site_is_let_in() {
    let place = Place::new("web");
    let web = Web::begin(&place, &["--files", "."]);
    let right = web.with_key("/api/info");
    assert_eq!(web.get(&right).status, 200);
    let header = format!("X-Tengen-Key: {}", web.key);
    assert_eq!(web.ask("GET", "/api/info", &[&header], "").status, 200);
    for path in [
        "/api/info",
        "/api/info?key=",
        "/api/info?key=00000000000000000000000000000000",
        "/api/engine",
        "/api/files/x",
    ] {
        assert_eq!(web.get(path).status, 401, "{path}");
    }
    assert_eq!(web.get(&right[..right.len() - 1]).status, 401);
    // Names of other sites that lead here.
    let port = web.port;
    for host in [
        "evil.example",
        &format!("evil.example:{port}"),
        "127.0.0.1",
        "",
        &format!("192.168.1.5:{port}"),
    ] {
        for path in ["/", &right] {
            let reply = web.ask("GET", path, &[&format!("Host: {host}")], "");
            assert!(matches!(reply.status, 400 | 403), "{host}: {}", reply.status);
        }
    }
    let twice = [format!("Host: {}", web.host()), "Host: evil.example".to_owned()];
    let reply = web.ask("GET", &right, &[&twice[0], &twice[1]], "");
    assert!(matches!(reply.status, 400 | 403));
    assert_eq!(web.ask("GET", &right, &[&format!("Host: localhost:{port}")], "").status, 200);
    // Pages of other sites.
    for origin in
        ["http://evil.example", "null", "http://127.0.0.1:1", &format!("https://127.0.0.1:{port}")]
    {
        assert_eq!(
            web.ask("GET", &right, &[&format!("Origin: {origin}")], "").status,
            403,
            "{origin}"
        );
        assert_eq!(web.refused(web.socket_request("session-1", &web.key, origin)), 403);
    }
    assert_eq!(web.refused(web.socket_request("session-1", "wrong", &web.origin())), 401);
    let mut silent = web.socket_request("session-1", &web.key, "x");
    silent.headers_mut().remove("Origin");
    assert_eq!(web.refused(silent), 403);
    assert_eq!(web.refused(web.socket_request("short", &web.key, &web.origin())), 400);
    assert_eq!(web.refused(web.socket_request("..%2f..%2fx", &web.key, &web.origin())), 400);
    assert_eq!(web.ask("PUT", &web.with_key("/api/files/a.sgf"), &[], "x").status, 403);
    assert_eq!(place.files("."), [""; 0]);
    web.plays("session-1");
}

#[test]
fn files_are_those_of_one_folder() {
    let place = Place::new("web");
    fs::create_dir(place.path("games")).unwrap();
    place.write("secret", "secret");
    place.write("games/one.sgf", "(;GM[4])");
    let web = Web::begin(&place, &["--files", "games"]);
    let origin = format!("Origin: {}", web.origin());
    let path = |name: &str| web.with_key(&format!("/api/files/{name}"));
    assert_eq!(
        web.get(&web.with_key("/api/files")).text(),
        "{\"files\":[{\"name\":\"one.sgf\",\"bytes\":8}]}"
    );
    let one = web.get(&path("one.sgf"));
    assert_eq!((one.status, one.text().as_str()), (200, "(;GM[4])"));
    assert_eq!(one.header("content-type"), Some("application/octet-stream"));
    assert_eq!(web.ask("PUT", &path("my%20game.sgf"), &[&origin], "(;)").status, 204);
    assert_eq!(place.read("games/my game.sgf"), "(;)");
    assert_eq!(web.ask("PUT", &path("one.sgf"), &[&origin, "If-None-Match: *"], "x").status, 412);
    assert_eq!(place.read("games/one.sgf"), "(;GM[4])");
    for name in [
        "../secret",
        "..%2fsecret",
        "%2e%2e%2fsecret",
        "..%5csecret",
        "a/b",
        "con",
        ".hidden",
        "x%00",
        "%ff",
        "a%0ab",
    ] {
        assert_eq!(web.get(&path(name)).status, 400, "{name}");
        assert_eq!(web.ask("PUT", &path(name), &[&origin], "x").status, 400, "{name}");
    }
    assert_eq!(web.get(&path("%252e%252e%252fsecret")).status, 404);
    assert_eq!(web.get(&path("none.sgf")).status, 404);
    assert_eq!(web.ask("DELETE", &path("one.sgf"), &[&origin], "").status, 405);
    let long = format!("Content-Length: {}", 17 << 20);
    let host = web.host();
    let head =
        format!("PUT {} HTTP/1.1\r\nHost: {host}\r\n{origin}\r\n{long}\r\n\r\n", path("long"));
    let long = [head.as_bytes(), &vec![b'x'; 17 << 20]].concat();
    assert!(web.ask_raw(&long).is_none_or(|reply| reply.status == 413));
    // What breaks off is not there.
    drop(web.connect().write_all(&long[..1 << 20]));
    assert_eq!(place.files("games"), ["my game.sgf", "one.sgf"]);
    // Engines know the same files.
    let mut page = web.socket("session-1");
    page.say("START 15");
    page.until("OK");
    page.say("YXSETDATABASE ../secret.db");
    page.until("ERROR \"../secret.db\" is no name of a file in the folder");
    page.say("YXHASHDUMP");
    page.say("/elsewhere/hash");
    page.until("ERROR \"/elsewhere/hash\"");
    page.say("YXSETDATABASE games.db");
    page.say("INFO max_node 100");
    page.say("BEGIN");
    page.until("7,7");
    // Nor do they open others behind another command, on the next line, or in the text of a database.
    for lines in [
        &["START 15 YXSETDATABASE", "../secret"][..],
        &["YXDBTOTXTALL", "/elsewhere/text"],
        &["yxdbtolib ../library.lib"],
        &["YXTXTTODB ../secret"],
        &["INFO book ../secret"],
        &["YXDBMERGE", "../secret"],
    ] {
        lines.iter().for_each(|line| page.say(line));
        page.until("ERROR");
    }
    // A text may have blank lines.
    for line in [
        "YXEDITTEXTDATABASE \"one",
        "",
        "two\"",
        "7,7",
        "DONE",
        "YXQUERYDATABASETEXT",
        "7,7",
        "DONE",
    ] {
        page.say(line);
    }
    page.until("MESSAGE DATABASE TEXT \"one");
    assert_eq!([page.hear(), page.hear()], [Ok(String::new()), Ok("two\"".to_owned())]);
    assert_eq!(place.files("."), ["games", "secret"]);
    assert_eq!(place.files("games"), ["games.db", "my game.sgf", "one.sgf"]);
}

#[test]
fn a_crowd_keeps_nobody_out() {
    let place = Place::new("web");
    let web = Web::begin(&place, &[]);
    let mut crowd = Vec::new();
    for n in 0..1000 {
        let Ok(mut stream) = TcpStream::connect(("127.0.0.1", web.port)) else { continue };
        // Some say nothing, some a part of a request.
        if n % 2 == 0 {
            let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost: 127");
        }
        crowd.push(stream);
        if n % 100 == 99 {
            assert_eq!(web.get("/").status, 200);
        }
    }
    web.plays("session-1");
    drop(crowd);
    web.plays("session-2");
}

#[test]
fn sessions_are_few_and_those_left_give_way() {
    let place = Place::new("web");
    let web = Web::begin(&place, &[]);
    let mut pages: Vec<PageSocket> = (0..16).map(|n| web.socket(&format!("session-{n}"))).collect();
    for page in &mut pages {
        page.until("{\"state\":\"ready\"");
    }
    for n in 0..100 {
        let (last, code) = web.socket(&format!("too-many-{n}")).closed();
        assert!(last.contains("16 pages have engines already"), "{last}");
        assert_eq!(code, 4002);
    }
    pages.pop();
    // The server has to notice that the page is gone, and the engine to end.
    let mut page = loop {
        let mut page = web.socket("another-1");
        if page.hear().is_ok_and(|line| line.contains("ready")) {
            break page;
        }
    };
    page.say("START 15");
    page.until("OK");
    pages[0].say("START 20");
    pages[0].until("OK");
    drop(pages);
    for n in 0..200 {
        drop(web.socket(&format!("in-haste-{n}")));
    }
    loop {
        let mut page = web.socket("another-2");
        if page.hear().is_ok_and(|line| line.contains("ready")) {
            break;
        }
    }
}

#[test]
fn what_is_too_long_or_nonsense_harms_nobody() {
    let place = Place::new("web");
    let web = Web::begin(&place, &[]);
    let mut page = web.socket("session-1");
    page.until("{\"state\":\"ready\"");
    page.say("x".repeat(64 * 1024).as_str());
    page.until("UNKNOWN");
    page.say("START 15\nBEGIN");
    page.until("ERROR a message is one line");
    page.say("START 15");
    page.until("OK");
    let _ = page.0.send(Message::text("x".repeat(65 * 1024)));
    // It may be closed before all of it is sent.
    while page.0.read().is_ok() {}
    let mut page = web.socket("session-1");
    page.until("{\"state\":\"resumed\"");
    let _ = page.0.send(Message::binary(vec![0; 10]));
    assert_eq!(page.closed().1, 1003);
    let mut page = web.socket("session-1");
    // Thousands of lines at once, faster than they are read.
    for _ in 0..5000 {
        page.say("INFO timeout_turn 1000");
    }
    page.say("START 20");
    page.until("OK");
    let host = format!("Host: {}", web.host());
    let long_path = format!("GET /{} HTTP/1.1\r\n{host}\r\n\r\n", "x".repeat(1 << 20));
    let long_head = format!("GET / HTTP/1.1\r\n{host}\r\nX: {}\r\n\r\n", "x".repeat(1 << 20));
    let many = format!("GET / HTTP/1.1\r\n{host}\r\n{}\r\n", "X: x\r\n".repeat(10_000));
    for request in [
        long_path.as_bytes(),
        long_head.as_bytes(),
        many.as_bytes(),
        b"\0\xff\r\n\r\n",
        b"GET\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ] {
        let reply = web.ask_raw(request);
        assert!(reply.is_none_or(|reply| (400..500).contains(&reply.status)));
    }
    web.plays("session-2");
}

// Elsewhere a browser is found without a path.
#[cfg(target_os = "linux")]
#[test]
fn a_running_match_is_shown_to_whoever_has_the_key() {
    let place = Place::new("live");
    let args = ["match", "--engine", "builtin=greedy", "--engine", "builtin=shapes", "depth=1"];
    let more = ["--rounds", "10000", "--slow", "20ms", "--quiet", "--watch-web"];
    let mut command = place.command(&[&args[..], &more].concat());
    let mut child = command.env("PATH", "").stderr(Stdio::piped()).spawn().expect("tengen starts");
    let mut err = BufReader::new(child.stderr.take().expect("a pipe")).lines();
    let told = err.by_ref().map(|line| line.expect("text")).find(|line| line.contains("http://"));
    let told = told.expect("it says where it is");
    let (_, rest) = told.split_once("http://127.0.0.1:").expect("an address");
    let (port, key) = rest.split_once("/live.html?key=").expect("a key");
    let (port, key) = (port.parse().expect("a port"), key.to_owned());
    let web = Web { child, port, key, said: vec![] };
    assert_eq!(web.get("/live.html").status, 200);
    assert_eq!(web.get("/api/match").status, 401);
    let with_key = web.with_key("/api/match");
    assert_eq!(web.ask("POST", &with_key, &[&format!("Origin: {}", web.origin())], "").status, 405);
    let told = || -> serde_json::Value {
        let reply = web.get(&with_key);
        assert_eq!(reply.status, 200);
        serde_json::from_str(&reply.text()).expect("JSON")
    };
    // Games go on until one has ended and another runs.
    let is_seen = |told: &serde_json::Value| {
        let list = |name: &str| told[name].as_array().cloned().unwrap_or_default();
        !list("last").is_empty()
            && list("games")
                .iter()
                .any(|game| game["moves"].as_str().is_some_and(|moves| moves.len() > 2))
    };
    let mut now = told();
    while !is_seen(&now) {
        std::thread::sleep(Duration::from_millis(20));
        now = told();
    }
    assert_eq!(now["rule"], "freestyle");
    assert_eq!(now["size"], serde_json::json!([15, 15]));
    assert_eq!(now["over"], false);
    let players = &now["games"][0]["players"];
    let mut names = [0, 1].map(|i| players[i]["name"].as_str().expect("a name").to_owned());
    names.sort();
    assert_eq!(names, ["greedy", "shapes"]);
}

#[test]
fn guests_on_the_network_join_by_the_code() {
    let place = Place::new("web");
    let web = Web::begin(&place, &["--listen", "0.0.0.0"]);
    let guests =
        web.said.iter().find(|line| line.starts_with("On other machines: ")).expect("an address");
    let (url, code) = guests.split_once(", code ").expect("a code");
    assert!(
        url.ends_with(&format!(":{}/join", web.port)) && !guests.contains(&web.key),
        "{guests}"
    );
    let port = web.port;
    let origin = format!("Origin: {}", web.origin());
    assert_eq!(web.get("/join").status, 200);
    assert!(web.get("/api/info").text().contains("\"join\":\"/join\""));
    assert_eq!(web.ask("POST", "/join", &[], &format!("code={code}")).status, 403);
    assert_eq!(
        web.ask("POST", "/join", &["Origin: http://evil.example"], &format!("code={code}")).status,
        403
    );
    let wrong = if code == "AAAAAA" { "code=BBBBBB" } else { "code=AAAAAA" };
    let reply = web.ask("POST", "/join", &[&origin], wrong);
    assert!(reply.status == 403 && !reply.text().contains(&web.key));
    assert_eq!(web.ask("POST", "/join", &[&origin], &"x".repeat(5000)).status, 413);
    let reply = web.ask("POST", "/join", &[&origin], &format!("code={}", code.to_lowercase()));
    assert_eq!(
        (reply.status, reply.header("location")),
        (303, Some(&*format!("/?key={}", web.key)))
    );
    // Any address is ours, no name of a site is.
    assert_eq!(web.ask("GET", "/", &[&format!("Host: 192.168.1.5:{port}")], "").status, 200);
    assert_eq!(web.ask("GET", "/", &[&format!("Host: evil.example:{port}")], "").status, 403);
}

#[test]
fn a_port_that_is_taken_and_a_folder_that_is_none_are_told() {
    let place = Place::new("web");
    let taken = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    for (args, why) in [
        (&["web", "--no-open", "--port", &port][..], format!("cannot listen at 127.0.0.1:{port}")),
        (
            &["web", "--no-open", "--port", "0", "--files", "none"],
            "cannot use the folder none".to_owned(),
        ),
        (
            &["web", "--no-open", "--port", "0", "--engine", "builtin=shapes"],
            "only programs play with the page".to_owned(),
        ),
    ] {
        let output = place.run(args, "");
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(1) && output.stdout.is_empty(), "{err}");
        assert!(err.contains(&why), "{err}");
    }
}

#[test]
fn where_somebody_listens_at_the_usual_port_another_is_taken() {
    let place = Place::new("web-port");
    let Ok(taken) = TcpListener::bind(("127.0.0.1", USUAL_PORT)) else { return };
    assert_ne!(Web::begin_at(&place, &[]).port, USUAL_PORT);
    drop(taken);
}

/// What needs signals and scripts as engines.
#[cfg(unix)]
mod unix {
    use super::*;

    /// Writes a shell script as an engine.
    fn script(place: &Place, text: &str) -> String {
        place.write("engine", text);
        format!("cmd=sh {}", place.path("engine"))
    }

    fn signal(pid: i32, signal: i32) -> bool {
        // SAFETY: it takes numbers only.
        unsafe { libc::kill(pid, signal) == 0 }
    }

    #[test]
    fn ctrl_c_ends_the_server_and_all_that_its_engines_have_started() {
        let place = Place::new("web");
        // It does not end by itself, nor does what it has started.
        let engine = script(
            &place,
            "trap '' TERM HUP INT\nsleep 1000 & echo MESSAGE $$ $!\nwait\nsleep 1000",
        );
        let mut web = Web::begin(&place, &["--engine", &engine]);
        let mut page = web.socket("session-1");
        let pids = page.until("MESSAGE ");
        let pids: Vec<i32> =
            pids.split(' ').skip(1).map(|pid| pid.parse().expect("a pid")).collect();
        assert!(pids.len() == 2 && pids.iter().all(|&pid| signal(pid, 0)));
        let id = i32::try_from(web.child.id()).expect("a pid");
        assert!(signal(id, libc::SIGINT));
        assert_eq!(page.closed().1, 1001);
        assert_eq!(web.child.wait().expect("it ends").code(), Some(0));
        for pid in pids {
            // A killed process that nobody waits for is a zombie until init has.
            let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            assert!(
                !signal(pid, 0)
                    || stat.contains(") Z ")
                    || stat.is_empty() && cfg!(not(target_os = "linux"))
            );
        }
    }

    #[test]
    fn an_engine_that_is_killed_is_started_again() {
        let place = Place::new("web");
        let engine =
            script(&place, "echo broken >&2\necho MESSAGE $$\nwhile read line; do echo OK; done");
        let web = Web::begin(&place, &["--engine", &engine, "name=Ann"]);
        let mut page = web.socket("session-1");
        let pid = page.until("MESSAGE ").split(' ').nth(1).unwrap().parse().expect("a pid");
        assert!(signal(pid, libc::SIGKILL));
        let gone = page.until("{\"state\":\"gone\"");
        assert_eq!(gone, "{\"state\":\"gone\",\"reason\":\"Ann has ended with signal 9: broken\"}");
        page.until("{\"state\":\"ready\",\"name\":\"Ann\"}");
        page.until("MESSAGE ");
        page.say("START 15");
        page.until("OK");
    }

    #[test]
    fn neither_a_page_that_does_not_read_nor_an_engine_that_floods_takes_memory() {
        let place = Place::new("web");
        let flood = "read line\nyes 'MESSAGE a line that says nothing at all and is long enough' | head -n 2000000\n\
                     echo 7,7\nread line\nyes '1,1' | head -n 500000\necho 8,8\nread line\necho 9,9\nread line";
        let engine = script(&place, flood);
        let web = Web::begin(&place, &["--engine", &engine]);
        let mut page = web.socket("session-1");
        page.say("START 15");
        page.until("7,7");
        drop(page);
        let mut page = web.socket("session-1");
        page.say("BEGIN");
        // Closed as a whole with lines that nobody has read, it would take along what it said.
        page.0.get_ref().shutdown(Shutdown::Write).expect("it is open");
        let mut page = web.socket("session-1");
        page.until("8,8");
        page.say("BEGIN");
        page.until("9,9");
        if cfg!(target_os = "linux") {
            let status = fs::read_to_string(format!("/proc/{}/status", web.child.id())).unwrap();
            let peak =
                status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a figure");
            let kib: u64 = peak.trim().trim_end_matches("kB").trim().parse().expect("a number");
            assert!(kib < 150 * 1024, "{kib} KiB");
        }
    }

    #[test]
    fn an_engine_that_does_not_read_makes_its_page_wait_and_nobody_else() {
        let place = Place::new("web");
        let engine = script(&place, "echo MESSAGE here\nsleep 1000");
        let web = Web::begin(&place, &["--engine", &engine]);
        let mut page = web.socket("session-1");
        page.until("MESSAGE here");
        page.0.get_ref().set_write_timeout(Some(Duration::from_millis(200))).expect("a time");
        let line = "INFO x ".to_owned() + &"x".repeat(60_000);
        let said = (0..2000).take_while(|_| page.0.send(Message::text(&*line)).is_ok()).count();
        assert!(said < 2000);
        assert_eq!(web.get("/").status, 200);
        let mut other = web.socket("session-2");
        other.until("MESSAGE here");
    }
}
