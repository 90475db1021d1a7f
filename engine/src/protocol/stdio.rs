//! The loop between standard input, the session, the engine and standard output.

use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::time::Instant;
use std::{env, fs, mem, thread};

use crossbeam_channel::{Receiver, Sender, at, never, select, unbounded};

use super::arrival::TimedInput;
use super::command::MAX_INPUT_LINE;
use super::database::{DatabaseReply, DatabaseRequest, DatabaseWorker};
use super::input::InputLine;
use super::reply::Reply;
use super::session::{Session, SessionTerms};
use super::study::{Scholar, StudyReply, StudyRequest};
use crate::engine::{Event, Thinker};
use tengen_core::prover::STACK_BYTES;
use tengen_core::sys::input::unread_bytes;
use tengen_core::sys::memory::SMALL_STACK;
use tengen_core::sys::panics;
use tengen_files::records::BYTE_ORDER_MARK;

/// The variable that names the file to which a panic is written.
const LOG_VARIABLE: &str = "TENGEN_LOG";

/// The most bytes in one write: what Linux never splits in a pipe, and more than the longest reply.
const MAX_WRITE: usize = 4096;

/// Speaks the protocol on standard input and output until the manager ends it. A `scholar` does the studies that it
/// asks for; without one these commands are unknown.
///
/// The exit code is a success after `END` and at the end of the input, and a failure if standard
/// output or the engine is lost. Nothing is ever written to standard error.
pub fn run<T: Thinker>(
    thinker: T,
    events: Receiver<Event>,
    terms: SessionTerms,
    scholar: Option<Box<dyn Scholar>>,
) -> ExitCode {
    let started = Instant::now();
    silence_panics();
    let (sender, lines) = unbounded();
    let reader =
        thread::Builder::new().name("stdin".to_owned()).stack_size(SMALL_STACK).spawn(move || {
            let read = || parse_lines(io::stdin().lock(), unread_bytes, &sender);
            if let Err(panic) = panics::catch(read) {
                // Where this thread ends, the input ends.
                let line = InputLine::new(b"", Instant::now());
                let _ = sender.send(InputLine { fault: Some(panic), ..line });
            }
        });
    if reader.is_err() {
        return ExitCode::FAILURE;
    }
    let mut session = Session::new(thinker, started);
    let (mut database, replies) = DatabaseThread::new();
    session.connect_database(Box::new(move |request| database.send(request)));
    let (sender, studies) = unbounded();
    if let Some(scholar) = scholar {
        let mut thread = StudyThread { scholar: Some(scholar), replies: sender, requests: None };
        session.connect_studies(Box::new(move |request| thread.send(request)));
    }
    session.apply(terms);
    let streams = Streams { lines, events, database: replies, studies };
    let served = panics::catch(|| serve(&mut session, streams, &mut io::stdout().lock()));
    let code = match served {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(_)) => ExitCode::FAILURE,
        Err(panic) => {
            let _ = write(&mut io::stdout().lock(), &session.last_words(&panic));
            ExitCode::FAILURE
        }
    };
    // Dropping the engine would wait for its threads; the process ends at once.
    std::mem::forget(session);
    code
}

/// Parses each line and sends it, until the input ends or nobody receives them any more; `unread` tells
/// how many bytes wait outside the buffer of the input.
fn parse_lines(input: impl BufRead, unread: impl FnMut() -> u64, lines: &Sender<InputLine>) {
    read_lines(TimedInput::new(input, unread), MAX_INPUT_LINE, |bytes, input| {
        lines.send(InputLine::new(bytes, input.arrival())).is_ok()
    });
}

/// Hands on each line without its end, and the input behind it, until the input ends or `take` returns
/// that it wants no more. An input that cannot be read has ended.
///
/// A byte order mark before the first line is left out. Of a line of more than `most` bytes only its beginning is
/// kept, just long enough to show that it is.
pub fn read_lines<R: BufRead>(mut input: R, most: usize, mut take: impl FnMut(&[u8], &R) -> bool) {
    let mut bytes = Vec::new();
    let (mut pending, mut is_first) = (false, true);
    let mut take = |line: &[u8], input: &R| {
        let mark = if mem::take(&mut is_first) { BYTE_ORDER_MARK } else { &[] };
        take(line.strip_prefix(mark).unwrap_or(line), input)
    };
    loop {
        let chunk = match input.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => &[],
        };
        if chunk.is_empty() {
            break;
        }
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let taken = end.map_or(chunk.len(), |end| end + 1);
        let content = &chunk[..end.unwrap_or(chunk.len())];
        let room = (most + 1).saturating_sub(bytes.len());
        bytes.extend_from_slice(&content[..content.len().min(room)]);
        pending = end.is_none();
        input.consume(taken);
        if !pending {
            if !take(&bytes, &input) {
                return;
            }
            bytes.clear();
        }
    }
    if pending {
        take(&bytes, &input);
    }
}

/// The event sources of a session.
pub struct Streams {
    /// The lines of the manager; their end is the end of the input.
    pub lines: Receiver<InputLine>,
    /// The events of the engine.
    pub events: Receiver<Event>,
    /// The replies of the database.
    pub database: Receiver<DatabaseReply>,
    /// The replies to requests for studies; without anybody who does them their end.
    pub studies: Receiver<StudyReply>,
}

/// A thread that carries out requests to databases, started by the first one.
struct DatabaseThread {
    replies: Sender<DatabaseReply>,
    requests: Option<Sender<DatabaseRequest>>,
}

impl DatabaseThread {
    fn new() -> (DatabaseThread, Receiver<DatabaseReply>) {
        let (replies, receiver) = unbounded();
        (DatabaseThread { replies, requests: None }, receiver)
    }

    fn send(&mut self, request: DatabaseRequest) {
        let replies = &self.replies;
        let requests = self.requests.get_or_insert_with(|| {
            let (sender, requests) = unbounded();
            let replies = replies.clone();
            let work = move || {
                let mut worker = DatabaseWorker::default();
                // The process ends if there is no reader any more.
                let mut sink = |reply| drop(replies.send(reply));
                for request in requests {
                    if let Err(panic) = panics::catch(|| worker.run(request, &mut sink)) {
                        // Its remains may panic again, and are not used any more.
                        let _ = panics::catch(|| drop(mem::take(&mut worker)));
                        let text = format!("the database is closed: internal error: {panic}");
                        sink(DatabaseReply::Line(Reply::Message(text)));
                        sink(DatabaseReply::Opened(None));
                        sink(DatabaseReply::Done);
                    }
                }
            };
            // Without a thread the requests are dropped with their channel.
            let _ = thread::Builder::new().name("database".to_owned()).spawn(work);
            sender
        });
        if requests.send(request).is_err() {
            let error = Reply::Error("there is no thread for the database".to_owned());
            let _ = self.replies.send(DatabaseReply::Line(error));
            let _ = self.replies.send(DatabaseReply::Done);
        }
    }
}

/// A thread that does studies, started by the first one.
struct StudyThread {
    /// Whoever does them, until the thread is there.
    scholar: Option<Box<dyn Scholar>>,
    replies: Sender<StudyReply>,
    requests: Option<Sender<StudyRequest>>,
}

impl StudyThread {
    fn send(&mut self, request: StudyRequest) {
        let (replies, scholar) = (&self.replies, &mut self.scholar);
        let requests = self.requests.get_or_insert_with(|| {
            let (sender, requests) = unbounded::<StudyRequest>();
            let (replies, scholar) = (replies.clone(), scholar.take());
            let work = move || {
                let Some(mut scholar) = scholar else { return };
                // The process ends if there is no reader any more.
                let tell = |reply| drop(replies.send(reply));
                for request in requests {
                    let study =
                        || scholar.study(&request, &mut |line| tell(StudyReply::Line(line)));
                    if let Err(panic) = panics::catch(study) {
                        let text = format!("internal error: {panic}");
                        tell(StudyReply::Line(Reply::Error(text)));
                    }
                    tell(StudyReply::Done);
                }
            };
            let builder = thread::Builder::new().name("study".to_owned()).stack_size(STACK_BYTES);
            // Without a thread the requests are dropped with their channel.
            let _ = builder.spawn(work);
            sender
        });
        if requests.send(request).is_err() {
            let error = Reply::Error("there is no thread for this".to_owned());
            let _ = self.replies.send(StudyReply::Line(error));
            let _ = self.replies.send(StudyReply::Done);
        }
    }
}

/// Runs a session.
///
/// # Errors
///
/// Returns the error of a failed write, or [`io::ErrorKind::BrokenPipe`] if the engine is gone.
pub fn serve<T: Thinker>(
    session: &mut Session<T>,
    streams: Streams,
    output: &mut impl Write,
) -> io::Result<()> {
    let Streams { mut lines, events, database, mut studies } = streams;
    while !session.is_over() {
        let deadline = session.deadline().map_or_else(never, at);
        let replies = select! {
            recv(lines) -> line => match line {
                Ok(line) => session.line(line, Instant::now()),
                Err(_) => {
                    lines = never();
                    session.end_of_input(Instant::now())
                }
            },
            recv(events) -> event => match event {
                Ok(event) => session.event(event, Instant::now()),
                Err(_) => return Err(io::ErrorKind::BrokenPipe.into()),
            },
            recv(database) -> reply => match reply {
                Ok(reply) => session.database_reply(reply, Instant::now()),
                Err(_) => return Err(io::ErrorKind::BrokenPipe.into()),
            },
            recv(studies) -> reply => match reply {
                Ok(reply) => session.study_reply(reply, Instant::now()),
                Err(_) => {
                    studies = never();
                    continue;
                }
            },
            recv(deadline) -> _ => session.tick(Instant::now()),
        };
        write(output, &replies)?;
    }
    Ok(())
}

/// Writes replies as whole lines: some managers lose a line that comes in pieces. Many lines go in one
/// write, so that the answer doesn't come late behind the lines of a search of all moves.
fn write(output: &mut impl Write, replies: &[Reply]) -> io::Result<()> {
    let mut lines = String::new();
    for reply in replies {
        let line = reply.to_line();
        if lines.len() + line.len() > MAX_WRITE {
            output.write_all(lines.as_bytes())?;
            lines.clear();
        }
        lines.push_str(&line);
    }
    output.write_all(lines.as_bytes())?;
    output.flush()
}

/// Keeps panics away from standard error, which some managers read as protocol.
fn silence_panics() {
    let path = env::var_os(LOG_VARIABLE);
    panics::report_all_to(move |info| {
        let Some(path) = &path else { return };
        let file = fs::OpenOptions::new().create(true).append(true).open(path);
        if let Ok(mut file) = file {
            // There is nowhere left to report a failure of this.
            let _ = writeln!(file, "{info}");
        }
    });
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::engine::{Answer, EventKind, Job, Settings, TableFile, TableUsage};
    use tengen_core::search::Limits;

    /// An engine that answers each job with the centre, at once or when it is stopped.
    struct Instantly {
        events: Sender<Event>,
        patient: bool,
        job: Option<Job>,
    }

    impl Thinker for Instantly {
        fn think(&mut self, job: Job) {
            self.job = Some(job);
            if !self.patient {
                self.stop();
            }
        }

        fn stop(&mut self) {
            if let Some(job) = self.job.take() {
                let answer = Answer::Moves(vec![job.setup.size.center()]);
                self.events.send(Event { id: job.id, kind: EventKind::Done(answer) }).unwrap();
            }
        }

        fn set_limits(&mut self, _limits: Limits) {}
        fn set_settings(&mut self, _settings: Settings) {}
        fn table_file(&mut self, _file: TableFile) {}

        fn table_usage(&self) -> TableUsage {
            TableUsage::default()
        }

        fn new_game(&mut self) {}
    }

    fn engine(patient: bool) -> (Instantly, Receiver<Event>) {
        let (events, receiver) = unbounded();
        (Instantly { events, patient, job: None }, receiver)
    }

    /// Keeps each write apart.
    #[derive(Default)]
    struct Writes(Vec<String>);

    impl Write for Writes {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.push(String::from_utf8(bytes.to_vec()).unwrap());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Refuses to write, as a pipe that was closed.
    struct Closed;

    impl Write for Closed {
        fn write(&mut self, _bytes: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn read(input: &[u8]) -> Receiver<InputLine> {
        let (sender, lines) = unbounded();
        parse_lines(io::BufReader::with_capacity(7, input), || 0, &sender);
        lines
    }

    fn texts(input: &[u8]) -> Vec<String> {
        read(input).iter().map(|line| line.text).collect()
    }

    /// Streams with a database that is never asked.
    fn streams(lines: Receiver<InputLine>, events: Receiver<Event>) -> Streams {
        Streams { lines, events, database: never(), studies: never() }
    }

    fn talk(patient: bool, input: &str) -> (io::Result<()>, Vec<String>) {
        let (engine, events) = engine(patient);
        let mut session = Session::new(engine, Instant::now());
        let mut writes = Writes::default();
        let result = serve(&mut session, streams(read(input.as_bytes()), events), &mut writes);
        (result, writes.0)
    }

    #[test]
    fn a_mark_before_the_first_line_is_none_of_it() {
        let mark = "\u{feff}";
        for end in ["", "\n"] {
            let lines = read(format!("{mark}START 15{end}").as_bytes());
            assert_eq!(lines.recv().unwrap().text, "START 15");
        }
        let lines = read(format!("a\n{mark}b\n").as_bytes());
        assert_eq!(lines.iter().nth(1).unwrap().text, format!("{mark}b"));
    }

    #[test]
    fn lines_are_cut_at_line_feeds_and_at_the_end() {
        let expected = ["START 15\r", "", "a longer line", "END"];
        assert_eq!(texts(b"START 15\r\n\na longer line\nEND"), expected);
        assert_eq!(texts(b"END\n"), ["END"]);
        assert!(texts(b"").is_empty());
    }

    #[test]
    fn of_a_long_line_only_the_beginning_is_kept() {
        let mut input = vec![b'x'; 10 * MAX_INPUT_LINE];
        input.extend_from_slice(b"\nEND");
        let lines = texts(&input);
        assert_eq!(lines[0].len(), MAX_INPUT_LINE + 1);
        assert_eq!(lines[1..], ["END"]);
    }

    #[test]
    fn each_reply_is_one_write_of_a_whole_line() {
        let (result, writes) = talk(false, "START 15\nSWAP2BOARD\nDONE\nFOO\nBEGIN");
        assert!(result.is_ok());
        assert_eq!(writes.len(), 4);
        assert!(writes.iter().all(|line| line.ends_with('\n') && line.matches('\n').count() == 1));
        assert_eq!(writes.first().map(String::as_str), Some("OK\n"));
    }

    #[test]
    fn the_last_line_needs_no_line_feed() {
        assert_eq!(talk(false, "START 15").1, ["OK\n"]);
    }

    #[test]
    fn the_end_of_input_ends_an_unlimited_search() {
        let input = "START 15\nINFO timeout_turn -1\nBEGIN\n";
        assert_eq!(talk(true, input).1, ["OK\n", "7,7\n"]);
    }

    #[test]
    fn a_search_that_does_not_stop_is_answered_for() {
        struct Deaf;
        impl Thinker for Deaf {
            fn think(&mut self, _job: Job) {}
            fn stop(&mut self) {}
            fn set_limits(&mut self, _limits: Limits) {}
            fn set_settings(&mut self, _settings: Settings) {}
            fn table_file(&mut self, _file: TableFile) {}
            fn table_usage(&self) -> TableUsage {
                TableUsage::default()
            }
            fn new_game(&mut self) {}
        }
        let (_events, receiver) = unbounded();
        let mut session = Session::new(Deaf, Instant::now());
        let mut writes = Writes::default();
        let input = read(b"START 15\nBEGIN\nSTOP\n");
        serve(&mut session, streams(input, receiver), &mut writes).unwrap();
        assert_eq!(writes.0, ["OK\n", "7,7\n"]);
    }

    #[test]
    fn many_lines_go_in_few_writes_of_whole_lines() {
        let replies: Vec<_> = (0..1000).map(|i| Reply::Message(format!("line {i}"))).collect();
        let mut writes = Writes::default();
        write(&mut writes, &replies).unwrap();
        let written: Vec<_> = writes.0.concat().lines().map(str::to_owned).collect();
        assert_eq!(written, replies.iter().map(Reply::to_string).collect::<Vec<_>>());
        assert!(writes.0.iter().all(|lines| lines.ends_with('\n') && lines.len() <= MAX_WRITE));
        assert!(writes.0.len() <= 5, "{} writes", writes.0.len());
    }

    #[test]
    fn a_failed_write_ends_the_loop() {
        let (engine, events) = engine(false);
        let mut session = Session::new(engine, Instant::now());
        let (_open, lines) = {
            let (sender, lines) = unbounded();
            let line = InputLine::new(b"START 15", Instant::now());
            sender.send(line).unwrap();
            (sender, lines)
        };
        let result = serve(&mut session, streams(lines, events), &mut Closed);
        assert_eq!(result.map_err(|error| error.kind()), Err(io::ErrorKind::BrokenPipe));
    }

    #[test]
    fn end_does_not_wait_for_the_engine_or_for_more_input() {
        let (engine, events) = engine(true);
        let mut session = Session::new(engine, Instant::now());
        let (sender, lines) = unbounded();
        for text in ["START 15", "BEGIN"] {
            sender.send(InputLine::new(text.as_bytes(), Instant::now())).unwrap();
        }
        // Somebody who has waited for a while.
        let later = Instant::now() + Duration::from_secs(3600);
        for text in ["END", "ABOUT"] {
            sender.send(InputLine::new(text.as_bytes(), later)).unwrap();
        }
        let mut writes = Writes::default();
        // The engine gives no answer, and the input stays open: waiting would be for ever.
        serve(&mut session, streams(lines, events), &mut writes).unwrap();
        assert_eq!(writes.0, ["OK\n"]);
    }

    #[test]
    fn a_lost_engine_ends_the_loop() {
        let (engine, events) = engine(false);
        drop(events);
        let (sender, dead) = unbounded();
        drop(sender);
        let mut session = Session::new(engine, Instant::now());
        let (_open, lines) = unbounded();
        assert!(serve(&mut session, streams(lines, dead), &mut Writes::default()).is_err());
    }
}
