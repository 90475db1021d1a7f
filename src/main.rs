//! The tool: a subcommand, or the protocol if there is none.

use std::process::ExitCode;

fn main() -> ExitCode {
    tengen::run().unwrap_or_else(|error| tengen::report(&error))
}
