//! The engine under the name that Gomocup managers expect: the protocol, whatever the arguments.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use tengen_engine::options::{EngineOptions, WAITING};
use tengen_files::printable::printable;

fn main() -> ExitCode {
    speak().unwrap_or_else(|error| {
        note(&format!("Error: {error}"));
        ExitCode::FAILURE
    })
}

fn speak() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let engine = EngineOptions::among(std::env::args_os())?.start()?;
    if io::stdin().is_terminal() {
        // A person would wait for an answer.
        note(WAITING);
    }
    Ok(engine.run(None))
}

/// Says a line on standard error. It may quote names of files.
fn note(text: &str) {
    // If this fails, there is no way to report it.
    let _ = writeln!(io::stderr(), "{}", printable(text));
}
