//! The thread that keeps the process of a session.

use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, never, select};

use super::WebEngine;
use super::session::EngineSession;
use tengen_files::printable::printable;
use tengen_lab::process::{LineBuffer, OutputPiece, Process, ProcessEvent, StartOptions, describe};

/// The number of times that the engine of a session is started again.
const MOST_RESTARTS: u32 = 8;
/// The longest line of an engine, in bytes: reviews have up to 400 kB for a game, and proofs 200 kB.
const LONGEST_LINE: usize = 512 * 1024;
/// The most lines that wait until an engine reads.
const MOST_UNREAD: usize = 64;
/// The interval at which an engine is looked at that says nothing.
const LOOK: Duration = Duration::from_millis(500);
/// The time that an engine has to end after `END`.
const ENDING: Duration = Duration::from_secs(1);

/// Starts the engine of a session, and again when it ends, until the session does.
pub(super) fn keep(engine: &WebEngine, orders: &Receiver<String>, session: &EngineSession) {
    for start in 0..=MOST_RESTARTS {
        let started = Process::start(
            &engine.command,
            &StartOptions {
                dir: engine.dir.as_deref(),
                own_group: true,
                tells_complaints: true,
                ..StartOptions::default()
            },
        );
        let mut process = match started {
            Ok(process) => process,
            Err(error) => {
                session.finish(&format!("{} cannot be started: {error}", engine.name));
                return;
            }
        };
        for line in &engine.first {
            process.send(format!("{line}\n").into_bytes());
        }
        session.ready(&engine.name, start > 0);
        let Some(why) = converse(&mut process, orders, session) else { return };
        // What was meant for this one is not for the next.
        while orders.try_recv().is_ok() {}
        session.gone(&format!("{} {why}", engine.name));
    }
    session.finish(&format!(
        "{} has ended {} times and is not started again",
        engine.name,
        MOST_RESTARTS + 1
    ));
}

/// Passes on what both sides say, until the engine ends; returns how, or nothing at the end of the session.
fn converse(
    process: &mut Process,
    orders: &Receiver<String>,
    session: &EngineSession,
) -> Option<String> {
    let mut lines = LineBuffer::with_blank_lines(LONGEST_LINE);
    let nothing = never();
    // True once all its complaints are known.
    let mut has_complained = false;
    loop {
        let orders = if process.unread() < MOST_UNREAD { orders } else { &nothing };
        let event = select! {
            recv(orders) -> order => match order {
                Ok(line) => {
                    process.send(format!("{line}\n").into_bytes());
                    continue;
                }
                Err(_) => {
                    end(process);
                    return None;
                }
            },
            recv(process.events()) -> event => event.ok(),
            default(LOOK) => None,
        };
        match event {
            Some(ProcessEvent::Output(at, bytes)) => {
                lines.push(at, &bytes);
                session.said(std::iter::from_fn(|| lines.next_piece()).map(|piece| match piece {
                    OutputPiece::Line(_, line) => line,
                    OutputPiece::TooLong => {
                        "ERROR the engine has written too long a line".to_owned()
                    }
                }));
            }
            Some(ProcessEvent::OutputEnd) => {
                let deadline = Instant::now() + ENDING;
                while !has_complained && let Some(event) = process.next_event(deadline) {
                    has_complained = matches!(event, ProcessEvent::ComplaintEnd);
                }
                let status = process.wait(Instant::now() + ENDING);
                let how = status.map_or("has closed its output".to_owned(), |status| {
                    format!("has ended with {}", describe(status))
                });
                return Some(with_last_words(how, process));
            }
            Some(ProcessEvent::Complaint(_)) => {}
            Some(ProcessEvent::ComplaintEnd) => has_complained = true,
            None if session.is_over() => {
                end(process);
                return None;
            }
            // Another process may hold its output open.
            None => {
                if let Ok(Some(status)) = process.status() {
                    let how = format!("has ended with {}", describe(status));
                    return Some(with_last_words(how, process));
                }
            }
        }
    }
}

/// Adds what an engine has complained of at last.
fn with_last_words(how: String, process: &Process) -> String {
    match process.last_words().last() {
        Some(words) => format!("{how}: {}", printable(words)),
        None => how,
    }
}

/// Lets an engine end; it is killed if it does not.
fn end(process: &mut Process) {
    process.send(b"END\n".to_vec());
    process.close_input();
    if process.wait(Instant::now() + ENDING).is_none() {
        process.kill();
    }
}
