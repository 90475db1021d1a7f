//! `tengen bench --json` for WebAssembly, where the tool is not: the depth is the only argument, if there is one.

use std::process::ExitCode;

use tengen_core::eval::Evaluators;
use tengen_core::simd::NetworkKernels;
use tengen_lab::bench::{self, BenchOptions, DEFAULT_DEPTH};

fn main() -> ExitCode {
    let depth = std::env::args().nth(1).map_or(Ok(DEFAULT_DEPTH), |depth| depth.parse());
    let Ok(depth) = depth else { return ExitCode::from(2) };
    let options = BenchOptions { depth, ..BenchOptions::default() };
    match bench::run(&options, &Evaluators::shipped()) {
        Ok(result) => {
            // The object of `tengen bench --json`, with the kernels.
            let json = result.to_json();
            let rest = json.trim_start().trim_start_matches('{');
            println!("{{\"kernels\":\"{}\",{rest}", NetworkKernels::best().name());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("Error: {error}");
            ExitCode::FAILURE
        }
    }
}
