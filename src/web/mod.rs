//! `tengen web`.

pub(crate) mod args;
mod engines;

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::thread;

use anyhow::{Context, bail};

use self::args::WebArgs;
use crate::common::browser::open_in_browser;
use crate::common::interrupts::{BEAT, stop_on_signals};
use crate::common::words::printable_path;
use tengen_engine::machine;
use tengen_files::words::counted;
use tengen_people::code::JoinCode;
use tengen_web::engines::EngineLimits;
use tengen_web::page::export;
use tengen_web::server::{WebOptions, WebServer};

/// The bytes of a mebibyte.
const MIB: u64 = 1 << 20;
/// The most memory of an engine where the system does not tell how much there is.
const UNTOLD_MEMORY: u64 = 1024 * MIB;

/// Serves the page until a signal, or writes it to a folder.
pub(super) fn run(args: &WebArgs) -> anyhow::Result<ExitCode> {
    if let Some(folder) = &args.export {
        return write_page(folder);
    }
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let limits = EngineLimits {
        threads: args.threads.map_or(cores, usize::from),
        memory: match args.memory {
            Some(mebibytes) => mebibytes * MIB,
            None => machine::total_bytes().map_or(UNTOLD_MEMORY, |bytes| bytes / 4),
        },
    };
    let code = args.listen.filter(|address| !address.is_loopback()).map(|_| JoinCode::random());
    let stop = stop_on_signals()?;
    let server = WebServer::start(WebOptions {
        address: args.listen.unwrap_or(std::net::Ipv4Addr::LOCALHOST.into()),
        port: args.port,
        code: code.clone(),
        engines: engines::chosen(&args.engines.0)?,
        limits,
        files: args.files.clone(),
        live: None,
    })?;
    let mut out = io::stdout().lock();
    writeln!(out, "{}", server.url(""))?;
    if let (Some(code), Some(url)) = (&code, server.guest_url()) {
        writeln!(out, "On other machines: {url}, code {code}")?;
    }
    writeln!(out, "Ctrl-C ends it.")?;
    out.flush()?;
    if !args.no_open {
        open_in_browser(server.url_for_once(""), "the address");
    }
    while !stop.is_set() {
        if !server.is_running() {
            bail!("the server has ended");
        }
        thread::sleep(BEAT);
    }
    drop(server);
    Ok(ExitCode::SUCCESS)
}

fn write_page(folder: &Path) -> anyhow::Result<ExitCode> {
    let count = export(folder).context("cannot export the page")?;
    let files = counted(count as u64, "file");
    writeln!(io::stdout(), "{files} in {}", printable_path(folder))?;
    Ok(ExitCode::SUCCESS)
}
