//! Engines as child processes.
//!
//! Output of an engine arrives as [`ProcessEvent`]s with the moment they were read.
//! However much it writes, few of them wait: the engine does. [`EngineLine`] says what a line is,
//! and [`SearchInfoReader`] what lines say of a search; what follows from either is for others to
//! say.

mod command;
mod engine_line;
mod lines;
mod pipes;
mod search_info;

pub use command::{EngineCommand, quoted, split_words};
pub use engine_line::{EngineLine, leading_cell, strict_cell, strict_number};
pub use lines::{LONGEST_LINE, LineBuffer, MOST_OUTPUT, OutputPiece};
pub use search_info::{SearchInfo, SearchInfoReader};

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use tempfile::TempDir;

use pipes::{LastWords, OutputEnd};
use tengen_core::sys::group::ProcessGroup;
use tengen_core::sys::signal::{self, Signal};

/// The pause between two looks at whether a process has ended.
pub const POLL: Duration = Duration::from_millis(2);

/// Something that came from the process.
#[derive(Debug)]
pub enum ProcessEvent {
    /// The bytes of one read of its standard output.
    Output(Instant, Vec<u8>),
    /// Its standard output is at an end.
    OutputEnd,
    /// The bytes of one read of its standard error.
    Complaint(Vec<u8>),
    /// Its standard error is at an end.
    ComplaintEnd,
}

/// Options for starting a process.
#[derive(Clone, Copy, Debug, Default)]
pub struct StartOptions<'a> {
    /// Arguments after those of the command.
    pub more_args: &'a [String],
    /// The directory in which it is started; `None` is one of its own, which is removed.
    pub dir: Option<&'a Path>,
    /// True if [`Process::close_output`] will be called.
    pub closable: bool,
    /// True if what it writes to its standard error becomes events. The end is kept anyway.
    pub tells_complaints: bool,
    /// True if it is the first of a [group of processes](ProcessGroup), all of which are killed.
    pub own_group: bool,
}

/// A running engine. It is killed when this is dropped.
pub struct Process {
    child: Child,
    input: Option<Sender<Vec<u8>>>,
    events: Receiver<ProcessEvent>,
    output: OutputEnd,
    last_words: LastWords,
    status: Option<ExitStatus>,
    group: Option<ProcessGroup>,
    dir: PathBuf,
    /// The directory of its own, if it has one.
    _scratch: Option<TempDir>,
    /// A place for files that the engine is asked to write.
    files: TempDir,
}

impl Process {
    /// Starts an engine.
    ///
    /// # Errors
    ///
    /// Returns the system's error if it can't be started, or if pipes and directories can't be
    /// made.
    pub fn start(command: &EngineCommand, options: &StartOptions<'_>) -> io::Result<Process> {
        let new_dir = || TempDir::with_prefix("tengen-engine-");
        let scratch = if options.dir.is_some() { None } else { Some(new_dir()?) };
        let files = new_dir()?;
        let own = scratch.as_ref().map(TempDir::path);
        let dir = options.dir.or(own).unwrap_or(Path::new(".")).to_owned();
        let (stdout_reader, stdout) = io::pipe()?;
        let (stderr_reader, stderr) = io::pipe()?;
        let wake = if options.closable { Some(stdout.try_clone()?) } else { None };
        let mut start = Command::new(command.program());
        start
            .args(command.args())
            .args(options.more_args)
            .current_dir(&dir)
            .stdin(Stdio::piped())
            .stdout(stdout)
            .stderr(stderr);
        let (mut child, group) = if options.own_group {
            ProcessGroup::start(&mut start).map(|(child, group)| (child, Some(group)))?
        } else {
            (start.spawn()?, None)
        };
        // The command holds the writing ends of the pipes; while it does they have no end.
        drop(start);
        let input = child.stdin.take().map(pipes::write);
        let (events, output, last_words) =
            pipes::read(stdout_reader, stderr_reader, wake, options.tells_complaints);
        Ok(Process {
            child,
            input,
            events,
            output,
            last_words,
            status: None,
            group,
            dir,
            _scratch: scratch,
            files,
        })
    }

    /// Returns the next event, or `None` at `deadline`.
    pub fn next_event(&self, deadline: Instant) -> Option<ProcessEvent> {
        match self.events.recv_deadline(deadline) {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                // Both pipes are at an end; there is nothing to wait for but time itself.
                thread::sleep(deadline.saturating_duration_since(Instant::now()));
                None
            }
        }
    }

    /// Returns the next event if it is there already.
    pub fn waiting_event(&self) -> Option<ProcessEvent> {
        self.events.try_recv().ok()
    }

    /// Returns what comes from the process, for those who wait for other things, too.
    #[must_use]
    pub const fn events(&self) -> &Receiver<ProcessEvent> {
        &self.events
    }

    /// Returns how many of the texts that were sent wait until the process reads.
    #[must_use]
    pub fn unread(&self) -> usize {
        self.input.as_ref().map_or(0, Sender::len)
    }

    /// Sends bytes; does nothing after [`Process::close_input`].
    pub fn send(&self, bytes: Vec<u8>) {
        if let Some(input) = &self.input {
            // The thread is gone if the engine is, which is noticed elsewhere.
            let _ = input.send(bytes);
        }
    }

    /// Closes the standard input of the engine once everything sent is written.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Closes our end of the standard output of the engine.
    pub fn close_output(&mut self) {
        self.output.close();
    }

    /// Sends a signal.
    ///
    /// # Errors
    ///
    /// Returns the system's error; see [`signal::send`].
    pub fn signal(&self, signal: Signal) -> io::Result<()> {
        signal::send(self.child.id(), signal)
    }

    /// Returns how the process ended, if it has.
    ///
    /// # Errors
    ///
    /// Returns the system's error if it does not tell.
    pub fn status(&mut self) -> io::Result<Option<ExitStatus>> {
        if self.status.is_none() {
            self.status = self.child.try_wait()?;
            if self.status.is_some() {
                self.output.release();
                // Its leftover child processes.
                self.kill_group();
            }
        }
        Ok(self.status)
    }

    /// Waits until the process has ended, `deadline` at the latest, and returns how, if it has.
    /// Its output meanwhile is lost.
    pub fn wait(&mut self, deadline: Instant) -> Option<ExitStatus> {
        loop {
            if let Ok(Some(status)) = self.status() {
                return Some(status);
            }
            let now = Instant::now();
            if now >= deadline {
                return None;
            }
            // One that is stopped by a full pipe can't end.
            while self.waiting_event().is_some() && Instant::now() < deadline {}
            thread::sleep(POLL.min(deadline.saturating_duration_since(now)));
        }
    }

    /// Kills the process and its group.
    pub fn kill(&mut self) {
        if !matches!(self.status(), Ok(Some(_))) {
            self.kill_group();
            // Neither can fail in a way that anything could be done about.
            let _ = self.child.kill();
            self.status = self.child.wait().ok();
        }
    }

    fn kill_group(&self) {
        if let Some(group) = &self.group {
            group.kill();
        }
    }

    /// Returns the id of the process.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Returns the memory that the process uses at present, in bytes; `None` where the system
    /// does not tell.
    #[must_use]
    pub fn memory(&self) -> Option<u64> {
        self.memory_figure("VmRSS:")
    }

    /// Returns the most memory that the process has used so far, in bytes; `None` where the system
    /// does not tell, as after its end.
    #[must_use]
    pub fn peak_memory(&self) -> Option<u64> {
        self.memory_figure("VmHWM:")
    }

    fn memory_figure(&self, name: &str) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(kib * 1024)
    }

    /// Returns the last lines that the process wrote to its standard error, at most three.
    #[must_use]
    pub fn last_words(&self) -> Vec<String> {
        self.last_words.lines()
    }

    /// Returns the path of a file that an engine may write: always the same one, which does not
    /// exist at the start and is removed at the end.
    #[must_use]
    pub fn scratch_file(&self) -> String {
        self.files.path().join("file").display().to_string()
    }

    /// Returns the name of some file in the directory in which the process was started.
    #[must_use]
    pub fn left_file(&self) -> Option<String> {
        let entry = std::fs::read_dir(&self.dir).ok()?.next()?.ok()?;
        Some(entry.file_name().to_string_lossy().into_owned())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Says how a process ended, as in `exit code 3` or `signal 11`.
#[must_use]
pub fn describe(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("signal {signal}");
    }
    match status.code() {
        // Windows reports crashes by such codes.
        Some(code @ ..0) => format!("exit code {code:#x}"),
        Some(code) => format!("exit code {code}"),
        None => status.to_string(),
    }
}
