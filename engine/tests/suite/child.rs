//! An engine as a child process that speaks the protocol, for tests of the real binary.

#![allow(dead_code, reason = "tests of several packages share it, and none needs all")]

use std::env::consts::EXE_SUFFIX;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tengen_core::notation::{Xy, parse_xy};
use tengen_core::rules::Rule;
use tengen_core::types::{Color, Point, Size};

/// Longer than anything takes here, however busy the machine is: only an engine that hangs needs it.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// Returns the program under test: the one that the variable `TENGEN_ENGINE` names, or else the one
/// that is built with the tests.
pub(crate) fn program() -> OsString {
    std::env::var_os("TENGEN_ENGINE").unwrap_or_else(|| engine().into())
}

/// Returns the engine `pbrain-tengen` of the same build.
///
/// It belongs to a package whose tests build it; where only those of the tool are run, that is done here,
/// if it is missing or older than its sources.
pub(crate) fn engine() -> &'static Path {
    static ENGINE: OnceLock<PathBuf> = OnceLock::new();
    ENGINE.get_or_init(|| {
        if let Some(engine) = option_env!("CARGO_BIN_EXE_pbrain-tengen") {
            return engine.into();
        }
        let Some(tool) = option_env!("CARGO_BIN_EXE_tengen") else {
            panic!("these are tests of the engine or of the tool");
        };
        let folder = Path::new(tool).parent().expect("it is in a folder");
        let engine = folder.join(format!("pbrain-tengen{EXE_SUFFIX}"));
        let modified = |path: &Path| path.metadata().and_then(|data| data.modified()).ok();
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let sources = ["core", "files", "engine"].iter().flat_map(|name| files(&root.join(name)));
        if modified(&engine) < sources.filter_map(|source| modified(&source)).max() {
            build_engine(root, folder);
        }
        engine
    })
}

/// Returns the files of a folder and of those in it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// Builds the engine as its tests do, so that nothing is compiled twice, in the profile of the tests.
fn build_engine(root: &Path, folder: &Path) {
    let profile = match folder.file_name().and_then(OsStr::to_str) {
        Some("debug") | None => "dev",
        Some(profile) => profile,
    };
    let mut build = Command::new(env!("CARGO"));
    build.args(["test", "--no-run", "--quiet", "--package", "tengen-engine", "--profile", profile]);
    build.arg("--manifest-path").arg(root.join("Cargo.toml"));
    build.arg("--target-dir").arg(folder.parent().expect("profiles are in the target folder"));
    assert!(build.status().expect("Cargo starts").success(), "{build:?}");
}

/// Opens a terminal: the end of a person, and that of a program.
#[cfg(target_os = "linux")]
pub(crate) fn open_terminal() -> (std::fs::File, std::os::fd::OwnedFd) {
    use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

    let (mut ours, mut theirs) = (0, 0);
    let none = std::ptr::null_mut();
    // SAFETY: the pointers are to two numbers, and the others may be null.
    let made =
        unsafe { libc::openpty(&raw mut ours, &raw mut theirs, none, none.cast(), none.cast()) };
    assert_eq!(made, 0, "a terminal is made");
    // SAFETY: both descriptors were just opened and belong to nobody else.
    let (ours, theirs) = unsafe { (OwnedFd::from_raw_fd(ours), OwnedFd::from_raw_fd(theirs)) };
    assert!(theirs.as_raw_fd() > 2);
    (ours.into(), theirs)
}

/// A fault of an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Fault(pub(crate) String);

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Returns a fault.
pub(crate) fn fault<T>(text: impl Into<String>) -> Result<T, Fault> {
    Err(Fault(text.into()))
}

/// A running engine. It is killed when this is dropped.
pub(crate) struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<(Instant, String)>,
    complaints: Option<JoinHandle<Vec<u8>>>,
}

impl Engine {
    /// Starts the binary under test.
    pub(crate) fn start() -> io::Result<Engine> {
        Engine::start_as(Command::new(program()))
    }

    /// Starts an engine by a command.
    pub(crate) fn start_as(mut command: Command) -> io::Result<Engine> {
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let input = child.stdin.take();
        let mut output = BufReader::new(child.stdout.take().expect("a piped output"));
        let mut errors = child.stderr.take().expect("a piped error output");
        let (sender, lines) = channel();
        thread::spawn(move || {
            let mut line = Vec::new();
            while output.read_until(b'\n', &mut line).is_ok_and(|len| len > 0) {
                let text = String::from_utf8_lossy(&line).into_owned();
                if sender.send((Instant::now(), text)).is_err() {
                    break;
                }
                line.clear();
            }
        });
        let complaints = thread::spawn(move || {
            let mut all = Vec::new();
            // Only the output before an error is known.
            let _ = errors.read_to_end(&mut all);
            all
        });
        Ok(Engine { child, input, lines, complaints: Some(complaints) })
    }

    /// Sends lines and returns the time just before.
    pub(crate) fn send(&mut self, text: &str) -> Result<Instant, Fault> {
        let start = Instant::now();
        let Some(input) = &mut self.input else { return fault("the input is closed") };
        match input.write_all(text.as_bytes()).and_then(|()| input.flush()) {
            Ok(()) => Ok(start),
            Err(error) => fault(format!("cannot write to it: {error}{}", self.death())),
        }
    }

    /// Waits for the next line that is not a comment; returns when it came and the line without its
    /// end.
    pub(crate) fn line(&mut self, deadline: Instant) -> Result<(Instant, String), Fault> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let (at, line) = match self.lines.recv_timeout(left) {
                Ok(received) => received,
                Err(RecvTimeoutError::Timeout) => return fault("no reply"),
                Err(RecvTimeoutError::Disconnected) => {
                    return fault(format!("its output has ended{}", self.death()));
                }
            };
            let Some(text) = line.strip_suffix('\n') else {
                return fault(format!("half a line: {line:?}{}", self.death()));
            };
            if !text.starts_with("MESSAGE ") && !text.starts_with("DEBUG ") {
                return Ok((at, text.to_owned()));
            }
        }
    }

    /// Waits for a move, spelt exactly as the protocol wants it and on the board.
    pub(crate) fn point(
        &mut self,
        size: Size,
        deadline: Instant,
    ) -> Result<(Instant, Point), Fault> {
        let (at, line) = self.line(deadline)?;
        match parse_xy(&line, size) {
            Ok(point) if Xy(point).to_string() == line => Ok((at, point)),
            Ok(_) => fault(format!("an oddly spelt move: {line:?}")),
            Err(error) => fault(format!("{line:?} instead of a move: {error}")),
        }
    }

    /// Starts a game and waits until the engine says that it is ready.
    pub(crate) fn new_game(&mut self, size: Size, rule: Rule, infos: &str) -> Result<(), Fault> {
        let start = if size.width() == size.height() {
            format!("START {}\n", size.width())
        } else {
            format!("RECTSTART {},{}\n", size.width(), size.height())
        };
        self.send(&format!("{start}INFO rule {}\n{infos}", rule.mask()))?;
        let (_, line) = self.line(Instant::now() + PATIENCE)?;
        if line == "OK" { Ok(()) } else { fault(format!("{line:?} instead of OK")) }
    }

    /// Returns the largest amount of memory that the process ever occupied, in bytes, where that
    /// is known.
    pub(crate) fn peak_memory(&self) -> Option<u64> {
        self.memory_figure("VmHWM:")
    }

    /// Returns the largest amount of addresses that the process ever had, in bytes, where that is
    /// known.
    pub(crate) fn peak_addresses(&self) -> Option<u64> {
        self.memory_figure("VmPeak:")
    }

    fn memory_figure(&self, name: &str) -> Option<u64> {
        if !cfg!(target_os = "linux") {
            return None;
        }
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let value = status.lines().find_map(|line| line.strip_prefix(name))?;
        let kib: u64 = value.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(kib * 1024)
    }

    /// Returns the number of threads of the process, where that is known.
    pub(crate) fn threads(&self) -> Option<usize> {
        if !cfg!(target_os = "linux") {
            return None;
        }
        Some(std::fs::read_dir(format!("/proc/{}/task", self.child.id())).ok()?.count())
    }

    /// Returns whether a thread of the process runs or waits for a processor, where that is known. However
    /// busy the machine is, one that works does, and one that sleeps does not.
    pub(crate) fn is_running(&self) -> Option<bool> {
        if !cfg!(target_os = "linux") {
            return None;
        }
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.child.id())).ok()?;
        let runs = |task: std::io::Result<std::fs::DirEntry>| {
            // A thread may end meanwhile.
            let stat = std::fs::read_to_string(task.ok()?.path().join("stat")).ok()?;
            // The name in the second field may hold blanks.
            Some(stat.rsplit(')').next()?.trim_start().starts_with('R'))
        };
        Some(tasks.filter_map(runs).any(|runs| runs))
    }

    /// Waits for a line of any kind for so long.
    pub(crate) fn any_line(&mut self, patience: Duration) -> Option<String> {
        let (_, line) = self.lines.recv_timeout(patience).ok()?;
        Some(line.trim_end().to_owned())
    }

    /// Ends the engine: it has to exit in time, successfully and without another word.
    pub(crate) fn end(mut self, deadline: Instant) -> Result<(), Fault> {
        self.send("END\n")?;
        self.input = None;
        let status = loop {
            match self.child.try_wait() {
                Ok(Some(status)) => break status,
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(1)),
                Ok(None) => return fault("it does not end"),
                Err(error) => return fault(format!("cannot wait for its end: {error}")),
            }
        };
        if !status.success() {
            return fault(format!("it ended with {status}"));
        }
        let complaints = self.complaints.take().and_then(|reader| reader.join().ok());
        if let Some(text) = complaints.filter(|text| !text.is_empty()) {
            return fault(format!("it complained: {}", String::from_utf8_lossy(&text)));
        }
        // The sender is gone with the end of the output, so this comes to an end.
        match self.lines.iter().next() {
            Some((_, line)) => fault(format!("{line:?} after the end")),
            None => Ok(()),
        }
    }

    /// Waits for the end of a process that is about to end; returns how it ended and what it complained of.
    #[cfg(unix)]
    pub(crate) fn last_words(mut self) -> (std::process::ExitStatus, String) {
        self.input = None;
        let status = self.child.wait().expect("the child is ours");
        let complaints = self.complaints.take().and_then(|reader| reader.join().ok());
        let text = String::from_utf8_lossy(&complaints.unwrap_or_default()).into_owned();
        (status, text)
    }

    /// Returns how the process ended, if it has, to be appended to a message.
    fn death(&mut self) -> String {
        // A process whose pipes are closed may take a moment to be gone.
        for _ in 0..100 {
            if let Ok(Some(status)) = self.child.try_wait() {
                return format!(", it ended with {status}");
            }
            thread::sleep(Duration::from_millis(1));
        }
        String::new()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the `BOARD` command for moves in playing order, black first, as seen by `own`.
pub(crate) fn board_command(moves: &[Point], own: Color) -> String {
    let mut text = "BOARD\n".to_owned();
    for (i, &point) in moves.iter().enumerate() {
        let owner = if Color::to_move_after(i) == own { 1 } else { 2 };
        text += &format!("{},{owner}\n", Xy(point));
    }
    text + "DONE\n"
}

/// Reads a number from an environment variable.
///
/// # Panics
///
/// Panics if the variable is there but is not a number.
pub(crate) fn number_from_env(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name} is not a number: {text:?}")),
        Err(_) => default,
    }
}
