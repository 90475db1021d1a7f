//! The engine under the name that Gomocup managers expect: the protocol, whatever the arguments.

use std::process::ExitCode;

fn main() -> ExitCode {
    tengen::cli::speak_protocol().unwrap_or_else(|error| tengen::cli::report(&error))
}
