//! The line to a running engine.

use std::io;
use std::thread;
use std::time::{Duration, Instant};

use super::{GameTranscript, PlayerError, Speaker};
use crate::arena::{Contestant, PlayerFault};
use crate::process::{
    self, EngineCommand, LineBuffer, MOST_OUTPUT, OutputPiece, POLL, Process, ProcessEvent,
    StartOptions,
};
use tengen_core::sys::signal::suspended_between;
use tengen_files::printable::brief;
use tengen_files::work::Stop;

/// The interval at which a waiting player checks for other events.
const LOOK: Duration = Duration::from_millis(50);
/// The time limit for an engine that has closed its output to end, and for the last output of one
/// that has ended to be read.
const LAST_BREATH: Duration = Duration::from_millis(500);
/// The time limit for an engine to end after `END`.
const FAREWELL: Duration = Duration::from_secs(1);

/// A running engine and what it writes, line by line.
pub(super) struct Link {
    process: Process,
    lines: LineBuffer,
    /// The bytes that came since the last question.
    heard: usize,
    output_ended: bool,
    peak: Option<u64>,
    /// Everything written both ways since it was taken last.
    pub(super) transcript: GameTranscript,
}

/// The outcome of waiting for a line.
#[derive(Debug)]
pub(super) enum LinkEvent {
    /// A line that is not blank, and when it was read.
    Line(Instant, String),
    /// Nothing until the end of the wait.
    Nothing,
}

impl Link {
    /// Starts an engine.
    pub(super) fn start(command: &EngineCommand, contestant: &Contestant) -> io::Result<Link> {
        let dir = contestant.dir.as_deref();
        let options = StartOptions { dir, own_group: true, ..StartOptions::default() };
        let process = Process::start(command, &options)?;
        Ok(Link {
            process,
            lines: LineBuffer::new(),
            heard: 0,
            output_ended: false,
            peak: None,
            transcript: GameTranscript::default(),
        })
    }

    /// Forgets everything that has come and sends some lines: a question.
    pub(super) fn say(&mut self, text: String) -> Result<(), PlayerError> {
        self.heard = 0;
        while let Some(event) = self.process.waiting_event() {
            self.take(event)?;
            while self.read_line().is_some() {}
        }
        self.lines.forget();
        self.heard = 0;
        self.add(text);
        Ok(())
    }

    /// Sends some lines more; what has come still belongs to the last question.
    pub(super) fn add(&mut self, text: String) {
        let now = Instant::now();
        text.lines().for_each(|line| self.transcript.add(now, Speaker::Match, line));
        self.process.send(text.into_bytes());
    }

    /// Waits for the next line, and longer if this process is suspended meanwhile.
    pub(super) fn next_line(
        &mut self,
        until: Option<Instant>,
        abandon: &Stop,
    ) -> Result<LinkEvent, PlayerError> {
        let begun = Instant::now();
        // Later by what this process is suspended.
        let until = || until?.checked_add(suspended_between(begun, Instant::now()));
        loop {
            if abandon.is_set() {
                return Err(PlayerError::Abandoned);
            }
            match self.read_line() {
                Some(OutputPiece::Line(at, text)) => return Ok(LinkEvent::Line(at, text)),
                Some(OutputPiece::TooLong) => return Err(PlayerError::Fault(PlayerFault::Flood)),
                None if self.output_ended => return Err(self.end()),
                None => {}
            }
            let now = Instant::now();
            let look = now + LOOK;
            let event = self.process.next_event(until().map_or(look, |until| until.min(look)));
            if let Some(event) = event {
                self.take(event)?;
            } else if until().is_some_and(|until| until <= Instant::now()) {
                return Ok(LinkEvent::Nothing);
            } else if matches!(self.process.status(), Ok(Some(_))) {
                // Somebody else may hold the output open; what the engine itself wrote is there.
                match self.process.next_event(Instant::now() + LAST_BREATH) {
                    Some(event) => self.take(event)?,
                    None => self.output_ended = true,
                }
            }
        }
    }

    /// Returns the next complete line and notes it in the transcript.
    fn read_line(&mut self) -> Option<OutputPiece> {
        let piece = self.lines.next_piece()?;
        match &piece {
            OutputPiece::Line(at, text) => self.transcript.add(*at, Speaker::Engine, text),
            OutputPiece::TooLong => {
                self.transcript.add(Instant::now(), Speaker::Engine, "(a line without an end)");
            }
        }
        Some(piece)
    }

    fn take(&mut self, event: ProcessEvent) -> Result<(), PlayerError> {
        match event {
            ProcessEvent::Output(at, bytes) => {
                self.heard += bytes.len();
                if self.heard > MOST_OUTPUT {
                    return Err(PlayerError::Fault(PlayerFault::Flood));
                }
                self.lines.push(at, &bytes);
            }
            ProcessEvent::OutputEnd => self.output_ended = true,
            ProcessEvent::Complaint(_) | ProcessEvent::ComplaintEnd => {}
        }
        Ok(())
    }

    /// Says how an engine ended whose output did.
    fn end(&mut self) -> PlayerError {
        let status = self.process.wait(Instant::now() + LAST_BREATH);
        PlayerError::Fault(match status {
            None => PlayerFault::Crashed("it closed its output".to_owned()),
            Some(status) if status.success() => PlayerFault::Exited,
            Some(status) => {
                // Another thread may still be reading them.
                if self.process.last_words().is_empty() {
                    thread::sleep(10 * POLL);
                }
                let mut how = process::describe(status);
                for line in self.process.last_words() {
                    how.push_str(": ");
                    how.push_str(&brief(&line, 200));
                }
                PlayerFault::Crashed(how)
            }
        })
    }

    /// Returns whether the engine has ended.
    pub(super) fn has_ended(&mut self) -> bool {
        self.output_ended || !matches!(self.process.status(), Ok(None))
    }

    /// Returns the most memory that the engine was seen to use, in bytes.
    pub(super) fn memory(&mut self) -> Option<u64> {
        self.peak = self.peak.max(self.process.peak_memory());
        self.peak
    }

    /// Returns the id of the process.
    pub(super) fn id(&self) -> u32 {
        self.process.id()
    }

    /// Tells the engine to end, and kills it if it does not.
    pub(super) fn finish(mut self) {
        self.process.send(b"END\n".to_vec());
        self.process.close_input();
        self.process.wait(Instant::now() + FAREWELL);
    }
}
