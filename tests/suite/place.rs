//! A directory for the files of one test, and tengen run in it.

#![allow(dead_code, reason = "tests of several packages share it, and none needs all")]

use std::fs;
use std::io::Write;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

/// A directory of its own, removed at the end of the test.
pub(crate) struct Place(pub(crate) TempDir);

impl Place {
    /// Makes an empty directory; if a killed test leaves it behind, the name says which.
    pub(crate) fn new(name: &str) -> Place {
        let prefix = format!("tengen-{name}-");
        Place(TempDir::with_prefix(prefix).expect("the directory is made"))
    }

    /// Returns the path of a file in the directory.
    pub(crate) fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().expect("the path is text").to_owned()
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("the file is written");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Returns the names of all files in a directory, in order; `"."` is the place itself.
    pub(crate) fn files(&self, dir: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(dir)).expect("the directory is read");
        let name = |entry: std::io::Result<fs::DirEntry>| {
            entry.expect("an entry").file_name().into_string().expect("names are text")
        };
        let mut names: Vec<String> = entries.map(name).collect();
        names.sort();
        names
    }

    /// Returns tengen with these arguments, to be run in the directory without input.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let Some(tool) = option_env!("CARGO_BIN_EXE_tengen") else { panic!("a test of the tool") };
        let mut command = Command::new(tool);
        command.args(args).current_dir(&self.0).env("COLUMNS", "100").stdin(Stdio::null());
        command
    }

    /// Returns tengen with these arguments and a browser that only notes what it is to [open](Self::opened). It is found
    /// as on most systems without Windows: by a program that opens what it is given.
    #[cfg(unix)]
    pub(crate) fn command_with_browser(&self, args: &[&str]) -> Command {
        use std::os::unix::fs::PermissionsExt;

        fs::create_dir(self.path("bin")).expect("a directory");
        let program = "#!/bin/sh\nprintf %s \"$1\" > opened.new && mv opened.new opened\n";
        self.write("bin/xdg-open", program);
        let mode = fs::Permissions::from_mode(0o755);
        fs::set_permissions(self.path("bin/xdg-open"), mode).expect("a program");
        let usual = std::env::var("PATH").unwrap_or_default();
        let mut command = self.command(args);
        command.env("PATH", format!("{}:{usual}", self.path("bin")));
        command
    }

    /// Waits until the browser was opened, which nobody else does, and returns what it was to show.
    pub(crate) fn opened(&self) -> String {
        while !fs::exists(self.path("opened")).expect("a directory") {
            thread::sleep(Duration::from_millis(10));
        }
        self.read("opened")
    }

    /// Runs tengen in the directory and gives it some input.
    pub(crate) fn run(&self, args: &[&str], input: &str) -> Output {
        let mut command = self.command(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("tengen starts");
        // A command that reads no input may be gone already.
        let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
        child.wait_with_output().expect("tengen ends")
    }
}

/// Returns whether a process has taken the signal that ends it into its own hands.
pub(crate) fn takes_signals(child: &Child) -> bool {
    const TERM: u64 = 1 << 14;
    let Ok(text) = fs::read_to_string(format!("/proc/{}/status", child.id())) else {
        // Not told here, so that time has to do.
        thread::sleep(Duration::from_secs(1));
        return true;
    };
    let taken = text.lines().find_map(|line| line.strip_prefix("SigCgt:")).expect("a mask");
    u64::from_str_radix(taken.trim(), 16).expect("a mask") & TERM != 0
}
