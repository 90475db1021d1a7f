//! Games of two people on a local network: one opens a room, the other joins it.

pub(crate) mod args;
mod hosting;
mod joining;
mod room;

use std::process::ExitCode;

use anyhow::bail;

use super::args::PlayArgs;

/// Plays in a room, if the arguments ask for one.
pub(super) fn run(args: &PlayArgs) -> anyhow::Result<Option<ExitCode>> {
    match &args.lan.join {
        _ if args.lan.host => hosting::run(args).map(Some),
        Some(address) => joining::run(args, address.as_deref()).map(Some),
        None if args.lan.name.is_some() => {
            bail!("a name is for games on a network: --host or --join")
        }
        None => Ok(None),
    }
}
