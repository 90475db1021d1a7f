//! The arguments of `tengen play` for games on a network.

use clap::Args;
use clap::builder::NonEmptyStringValueParser;

use tengen_people::room::{JoinCode, RoomAid};

/// The options of a room.
#[derive(Args, Debug)]
pub(crate) struct LanArgs {
    /// Opens a room for a game on the network.
    ///
    /// You have black, or the first move in an opening, unless --white person says otherwise. Rule,
    /// size, opening and clocks are yours. With --resume, opens the room again that was saved last,
    /// with its game, code and port, for the guest who was there.
    #[arg(
        long,
        conflicts_with_all = [
            "think", "nodes", "threads", "weights", "networks", "params", "teach", "level", "seed"
        ]
    )]
    pub(crate) host: bool,

    /// Joins the room at this address, or one of the local network.
    ///
    /// Such as 192.168.1.5:4000. Without an address, rooms are searched for.
    #[arg(
        long,
        value_name = "HOST:PORT",
        num_args = 0..=1,
        conflicts_with_all = [
            "host", "resume", "file", "moves", "black", "white", "from", "size", "rule", "opening",
            "time", "game_time", "increment", "byoyomi", "think", "nodes", "threads", "weights",
            "networks", "params", "teach", "level", "seed", "port", "unlisted", "allow"
        ]
    )]
    pub(crate) join: Option<Option<String>>,

    /// Opens the room at this port [default: a free one].
    #[arg(long, value_name = "NUMBER", requires = "host", hide_short_help = true)]
    pub(crate) port: Option<u16>,

    /// Hides the room from the list of the local network.
    ///
    /// A guest needs its address.
    #[arg(long, requires = "host", hide_short_help = true)]
    pub(crate) unlisted: bool,

    /// Lets both players see none, threats or hints [default: threats].
    ///
    /// Threats are what stones would make on empty cells, and what has to be answered; hints are the engine's
    /// moves, too. Both players are told. Points that renju forbids are shown in any case.
    #[arg(long, value_name = "WHAT", requires = "host", hide_short_help = true)]
    pub(crate) allow: Option<RoomAid>,

    /// Joins with this code, which the host sees; it is asked for otherwise.
    #[arg(long, requires = "join", hide_short_help = true)]
    pub(crate) code: Option<JoinCode>,

    /// The name that the other player sees [default: host or guest].
    #[arg(
        long,
        value_name = "NAME",
        value_parser = NonEmptyStringValueParser::new(),
        hide_short_help = true
    )]
    pub(crate) name: Option<String>,
}
