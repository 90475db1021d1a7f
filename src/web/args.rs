//! The arguments of `tengen web`.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::{ArgMatches, Args, Command, FromArgMatches};

use crate::common::options::{word_lists, words_option};

/// The arguments of `tengen web`.
#[derive(Args, Debug)]
pub(crate) struct WebArgs {
    /// The engines that play beside tengen.
    #[command(flatten)]
    pub(crate) engines: WebEngineArgs,

    /// Serves at this port; 0 is a free one [default: 15015 if it is free].
    ///
    /// Browsers keep the games of a page under its address and port.
    #[arg(long, value_name = "NUMBER")]
    pub(crate) port: Option<u16>,

    /// Prints the address and opens no browser.
    #[arg(long)]
    pub(crate) no_open: bool,

    /// Lets the page open and save games and databases in this folder, and nowhere else.
    #[arg(long, value_name = "DIR")]
    pub(crate) files: Option<PathBuf>,

    /// The most threads of an engine [default: one for each core].
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: Option<u16>,

    /// The most memory of an engine, in mebibytes [default: a quarter of the machine's].
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(16..=1 << 24))]
    pub(crate) memory: Option<u64>,

    /// Serves others on the network, too, at this address of the machine, such as 0.0.0.0 for all.
    ///
    /// They open an address that is printed, and type a code. What they say is not encrypted: it is for networks
    /// whose people are trusted.
    #[arg(long, value_name = "ADDRESS", value_parser = parse_address)]
    pub(crate) listen: Option<IpAddr>,

    /// Writes the page with an engine for browsers to a new folder instead, for any web server.
    #[arg(
        long,
        value_name = "DIR",
        conflicts_with_all = ["engine", "port", "no_open", "files", "threads", "memory", "listen"]
    )]
    pub(crate) export: Option<PathBuf>,
}

/// The engines, each with its words.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct WebEngineArgs(pub(crate) Vec<Vec<String>>);

// The derived form would forget which word belongs to which engine.
impl Args for WebEngineArgs {
    fn augment_args(command: Command) -> Command {
        let help =
            "An engine to choose beside tengen: words such as cmd=./rapfi name=Rapfi threads=4";
        command.arg(words_option("engine", help).long_help(
            "An engine to choose beside tengen: words such as cmd=./rapfi name=Rapfi threads=4; may be repeated\n\n\
             The words are those of tengen match without times and limits: cmd, name, dir, threads, memory, and what \
             is sent as INFO.",
        ))
    }

    fn augment_args_for_update(command: Command) -> Command {
        WebEngineArgs::augment_args(command)
    }
}

impl FromArgMatches for WebEngineArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<WebEngineArgs, clap::Error> {
        Ok(WebEngineArgs(word_lists(matches, "engine")))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = WebEngineArgs::from_arg_matches(matches)?;
        Ok(())
    }
}

fn parse_address(text: &str) -> Result<IpAddr, String> {
    text.parse().map_err(|_| {
        "it is an address without a port, such as 0.0.0.0: --port names the port".to_owned()
    })
}
