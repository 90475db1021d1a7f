//! An engine as a child process.

use std::fmt;
use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};

use crate::sys::signal::{self, Signal};

/// How an engine is started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineCommand {
    program: PathBuf,
    args: Vec<String>,
}

impl EngineCommand {
    /// Returns a command that starts `program` with `args`.
    ///
    /// A relative path with a separator is meant from the current directory, although engines
    /// are run in a directory of their own.
    #[must_use]
    pub fn new(program: impl AsRef<Path>, args: &[&str]) -> EngineCommand {
        let program = program.as_ref();
        let is_name = program.components().count() == 1;
        let program = match std::path::absolute(program) {
            Ok(path) if !is_name || path.is_file() => path,
            _ => program.to_owned(),
        };
        EngineCommand { program, args: args.iter().map(|&arg| arg.to_owned()).collect() }
    }

    /// Reads a command line: words separated by blanks, with single or double quotes around
    /// words that contain blanks. Returns `None` if there is no word.
    #[must_use]
    pub fn parse(line: &str) -> Option<EngineCommand> {
        let mut words: Vec<String> = Vec::new();
        let mut word: Option<String> = None;
        let mut quote = None;
        for c in line.chars() {
            match quote {
                Some(q) if c == q => quote = None,
                None if c == '"' || c == '\'' => {
                    quote = Some(c);
                    word.get_or_insert_default();
                }
                None if c.is_whitespace() => words.extend(word.take()),
                _ => word.get_or_insert_default().push(c),
            }
        }
        words.extend(word);
        let (program, args) = words.split_first()?;
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        Some(EngineCommand::new(program, &args))
    }
}

impl fmt::Display for EngineCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.program.display())?;
        self.args.iter().try_for_each(|arg| write!(f, " {arg}"))
    }
}

/// Something that came from the process.
#[derive(Debug)]
pub(super) enum Event {
    /// What one read of its standard output gave.
    Output(Instant, Vec<u8>),
    /// Its standard output is at an end.
    OutputEnd,
    /// What one read of its standard error gave.
    Complaint(Vec<u8>),
    /// Its standard error is at an end.
    ComplaintEnd,
}

/// A running engine. It is killed when this is dropped.
pub(super) struct Process {
    child: Child,
    input: Option<Sender<Vec<u8>>>,
    events: Receiver<Event>,
    output: OutputEnd,
    status: Option<ExitStatus>,
    dir: ScratchDir,
    /// A place for files that the engine is told to write.
    files: ScratchDir,
}

/// The means to make the thread that reads an engine's output close its end of the pipe.
struct OutputEnd {
    close: Arc<AtomicBool>,
    /// A writing end of our own, to wake the thread up. While it is open, the output has no end,
    /// so it is kept only if it will be needed.
    wake: Option<PipeWriter>,
}

impl Process {
    /// Starts an engine in a fresh directory.
    ///
    /// `closable` tells whether [`Process::close_output`] will be called.
    pub(super) fn start(
        command: &EngineCommand,
        more_args: &[String],
        closable: bool,
    ) -> io::Result<Process> {
        let (dir, files) = (ScratchDir::new()?, ScratchDir::new()?);
        let (stdout_reader, stdout) = io::pipe()?;
        let (stderr_reader, stderr) = io::pipe()?;
        let wake = if closable { Some(stdout.try_clone()?) } else { None };
        let mut child = Command::new(&command.program)
            .args(&command.args)
            .args(more_args)
            .current_dir(&dir.path)
            .stdin(Stdio::piped())
            .stdout(stdout)
            .stderr(stderr)
            .spawn()?;
        let (sender, events) = unbounded();
        let close = Arc::new(AtomicBool::new(false));
        let stdin = child.stdin.take();
        let input = stdin.map(|mut stdin| {
            // A thread of its own, because a suspended engine does not read and must not stop us.
            let (sender, receiver) = unbounded::<Vec<u8>>();
            thread::spawn(move || {
                // A failed write means that the engine is gone, which is noticed elsewhere.
                receiver.iter().try_for_each(|bytes| stdin.write_all(&bytes))
            });
            sender
        });
        let complaints = sender.clone();
        let closed = Arc::clone(&close);
        thread::spawn(move || read_output(stdout_reader, &closed, &sender));
        thread::spawn(move || read_complaints(stderr_reader, &complaints));
        let output = OutputEnd { close, wake };
        Ok(Process { child, input, events, output, status: None, dir, files })
    }

    /// Returns the next event, or `None` at `deadline`.
    pub(super) fn next_event(&self, deadline: Instant) -> Option<Event> {
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

    /// Sends bytes; does nothing after [`Process::close_input`].
    pub(super) fn send(&self, bytes: Vec<u8>) {
        if let Some(input) = &self.input {
            // The thread is gone if the engine is, which is noticed elsewhere.
            let _ = input.send(bytes);
        }
    }

    /// Closes the standard input of the engine once everything sent is written.
    pub(super) fn close_input(&mut self) {
        self.input = None;
    }

    /// Closes our end of the standard output of the engine.
    pub(super) fn close_output(&mut self) {
        self.output.close.store(true, Ordering::SeqCst);
        if let Some(mut wake) = self.output.wake.take() {
            // It fails only if the other end is closed already.
            let _ = wake.write_all(b"\n");
        }
    }

    /// Sends a signal.
    pub(super) fn signal(&self, signal: Signal) -> io::Result<()> {
        signal::send(self.child.id(), signal)
    }

    /// Returns how the process ended, if it has.
    pub(super) fn status(&mut self) -> io::Result<Option<ExitStatus>> {
        if self.status.is_none() {
            self.status = self.child.try_wait()?;
            if self.status.is_some() {
                self.output.wake = None;
            }
        }
        Ok(self.status)
    }

    /// Returns the memory that the process uses at present, in bytes; `None` where the system
    /// does not tell.
    pub(super) fn memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(kib * 1024)
    }

    /// Returns the path of a file that an engine may write: always the same one, which does not
    /// exist at the start and is removed at the end.
    pub(super) fn scratch_file(&self) -> String {
        self.files.path.join("file").display().to_string()
    }

    /// Returns the name of some file in the directory in which the process was started.
    pub(super) fn left_file(&self) -> Option<String> {
        let entry = std::fs::read_dir(&self.dir.path).ok()?.next()?.ok()?;
        Some(entry.file_name().to_string_lossy().into_owned())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if !matches!(self.status(), Ok(Some(_))) {
            // Neither can fail in a way that anything could be done about.
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

fn read_output(mut pipe: PipeReader, close: &AtomicBool, events: &Sender<Event>) {
    // Larger than a pipe, so that no line is cut by the reading.
    let mut buffer = vec![0; 1 << 20];
    loop {
        let read = pipe.read(&mut buffer);
        let now = Instant::now();
        if close.load(Ordering::SeqCst) {
            break;
        }
        match read {
            Ok(0) => break,
            Ok(n) => {
                if events.send(Event::Output(now, buffer[..n].to_vec())).is_err() {
                    break;
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    // Nobody listens any more if this fails, here and below.
    let _ = events.send(Event::OutputEnd);
}

fn read_complaints(mut pipe: PipeReader, events: &Sender<Event>) {
    let mut buffer = [0; 4096];
    while let Ok(n @ 1..) = pipe.read(&mut buffer) {
        if events.send(Event::Complaint(buffer[..n].to_vec())).is_err() {
            break;
        }
    }
    let _ = events.send(Event::ComplaintEnd);
}

/// An empty directory that is removed when this is dropped.
struct ScratchDir {
    path: PathBuf,
}

impl ScratchDir {
    fn new() -> io::Result<ScratchDir> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        loop {
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let name = format!("tengen-conformance-{}-{count}", std::process::id());
            let path = std::env::temp_dir().join(name);
            match std::fs::create_dir(&path) {
                Ok(()) => return Ok(ScratchDir { path }),
                // Left behind by a process that was killed and had the same number.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for ScratchDir {
    fn drop(&mut self) {
        // A leftover directory in the system's temporary directory does no harm.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// The pause between two looks at whether a process has ended.
pub(super) const POLL: Duration = Duration::from_millis(2);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_are_split_at_blanks_outside_quotes() {
        let command = EngineCommand::parse(r#" no-such-engine -a "b c"  'd "e"' "" "#).unwrap();
        assert_eq!(command.program, PathBuf::from("no-such-engine"));
        assert_eq!(command.args, ["-a", "b c", "d \"e\"", ""]);
        assert_eq!(EngineCommand::parse("  "), None);
    }

    #[test]
    fn relative_paths_are_meant_from_here() {
        let command = EngineCommand::parse("./engine").unwrap();
        assert_eq!(command.program, std::env::current_dir().unwrap().join("engine"));
        assert_eq!(EngineCommand::new("sh", &[]).program, PathBuf::from("sh"));
    }
}
