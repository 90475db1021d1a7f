//! The engine's side of a conversation.

use std::io;
use std::process::ExitStatus;
use std::thread;
use std::time::{Duration, Instant};

use crate::process::{Process, ProcessEvent};
use tengen_core::sys::signal::Signal;

/// An engine that a transcript can be played against: a process, or something that behaves like one.
///
/// It also keeps the time, so that one without a clock can let hours pass at once.
pub trait EngineSide {
    /// Returns the time, which never goes back.
    fn now(&self) -> Instant;

    /// Lets time pass.
    fn pause(&mut self, time: Duration);

    /// Returns the next event, or `None` at `deadline`.
    fn next_event(&mut self, deadline: Instant) -> Option<ProcessEvent>;

    /// Sends bytes in one write.
    fn send(&mut self, bytes: Vec<u8>);

    /// Closes its input once everything sent is written.
    fn close_input(&mut self);

    /// Closes the reading end of its output.
    fn close_output(&mut self);

    /// Sends a signal.
    ///
    /// # Errors
    ///
    /// Returns why it could not be sent.
    fn signal(&mut self, signal: Signal) -> io::Result<()>;

    /// Returns how it ended, if it has.
    ///
    /// # Errors
    ///
    /// Returns the system's error if it does not say.
    fn status(&mut self) -> io::Result<Option<ExitStatus>>;

    /// Returns the memory that it uses at present, in bytes; `None` where that is unknown.
    fn memory(&self) -> Option<u64>;

    /// Returns the path of a file that it may write, always the same one.
    fn scratch_file(&self) -> String;

    /// Returns the name of some file that it has left where it was started.
    fn left_file(&self) -> Option<String>;
}

impl EngineSide for Process {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn pause(&mut self, time: Duration) {
        thread::sleep(time);
    }

    fn next_event(&mut self, deadline: Instant) -> Option<ProcessEvent> {
        Process::next_event(self, deadline)
    }

    fn send(&mut self, bytes: Vec<u8>) {
        Process::send(self, bytes);
    }

    fn close_input(&mut self) {
        Process::close_input(self);
    }

    fn close_output(&mut self) {
        Process::close_output(self);
    }

    fn signal(&mut self, signal: Signal) -> io::Result<()> {
        Process::signal(self, signal)
    }

    fn status(&mut self) -> io::Result<Option<ExitStatus>> {
        Process::status(self)
    }

    fn memory(&self) -> Option<u64> {
        Process::memory(self)
    }

    fn scratch_file(&self) -> String {
        Process::scratch_file(self)
    }

    fn left_file(&self) -> Option<String> {
        Process::left_file(self)
    }
}
