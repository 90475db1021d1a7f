//! The tool: a subcommand, or the protocol if there is none.

use std::process::ExitCode;

fn main() -> ExitCode {
    match tengen::cli::run() {
        Ok(code) => code,
        Err(error) if tengen::cli::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("Error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
