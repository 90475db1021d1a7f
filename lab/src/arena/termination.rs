//! The exact reasons for which games end.

use std::fmt;
use std::time::Duration;

use serde::{Serialize, Serializer};

use tengen_core::rules::{Swap2Error, Violation};
use tengen_core::types::Point;
use tengen_files::records::Reason;

/// A fault of a player, which loses the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlayerFault {
    /// The program could not be started, or did not accept the board; the reason as text.
    Start(String),
    /// The answer came after the limit.
    Late {
        /// The time that the player took.
        used: Duration,
        /// The limit, the margin not counted.
        limit: Duration,
    },
    /// No answer came at all; the limit had passed for long.
    Silent {
        /// The limit, the margin not counted.
        limit: Duration,
    },
    /// No line came for this long, and there was no limit of time.
    Hung {
        /// The limit of silence.
        silence: Duration,
    },
    /// A line came that is no answer: its beginning.
    Garbage(String),
    /// More output than anybody can mean: a line without an end, or lines without number.
    Flood,
    /// The program died; how.
    Crashed(String),
    /// The program ended by itself.
    Exited,
    /// The move is on a stone.
    Occupied(Point),
    /// The move is not on the board.
    Outside {
        /// The column.
        x: i64,
        /// The row.
        y: i64,
    },
    /// An answer that swap2 does not allow.
    Swap2(Swap2Error),
    /// More memory was used than allowed, in bytes.
    Memory {
        /// The memory used.
        used: u64,
        /// The memory allowed.
        limit: u64,
    },
}

/// The reason for which a game ended; the winner is stored beside it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Termination {
    /// A winning run.
    Five,
    /// Neither side could win any more.
    Draw,
    /// Black made a move that renju forbids.
    Forbidden(Violation),
    /// The loser did something wrong.
    Fault(PlayerFault),
    /// The game was long enough.
    DrawAfter,
    /// Both players thought it a draw.
    DrawAdjudicated,
    /// Both players, or the loser, thought it lost.
    WinAdjudicated,
}

impl Termination {
    /// Returns the kind, without the particulars.
    #[must_use]
    pub const fn kind(&self) -> EndKind {
        match self {
            Termination::Five => EndKind::Five,
            Termination::Draw => EndKind::Draw,
            Termination::Forbidden(violation) => EndKind::Forbidden(*violation),
            Termination::DrawAfter => EndKind::DrawAfter,
            Termination::DrawAdjudicated => EndKind::DrawAdjudicated,
            Termination::WinAdjudicated => EndKind::WinAdjudicated,
            Termination::Fault(fault) => match fault {
                PlayerFault::Start(_) => EndKind::Start,
                PlayerFault::Late { .. } => EndKind::Late,
                PlayerFault::Silent { .. } | PlayerFault::Hung { .. } => EndKind::Silent,
                PlayerFault::Garbage(_) => EndKind::Garbage,
                PlayerFault::Flood => EndKind::Flood,
                PlayerFault::Crashed(_) => EndKind::Crash,
                PlayerFault::Exited => EndKind::Exit,
                PlayerFault::Occupied(_) => EndKind::Occupied,
                PlayerFault::Outside { .. } => EndKind::Outside,
                PlayerFault::Swap2(_) => EndKind::Swap2,
                PlayerFault::Memory { .. } => EndKind::Memory,
            },
        }
    }
}

/// The kinds of [`Termination`]: what journals hold and tables count.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EndKind {
    /// See [`Termination::Five`].
    Five,
    /// See [`Termination::Draw`].
    Draw,
    /// See [`Termination::Forbidden`].
    Forbidden(Violation),
    /// See [`Termination::DrawAfter`].
    DrawAfter,
    /// See [`Termination::DrawAdjudicated`].
    DrawAdjudicated,
    /// See [`Termination::WinAdjudicated`].
    WinAdjudicated,
    /// See [`PlayerFault::Start`].
    Start,
    /// See [`PlayerFault::Late`].
    Late,
    /// See [`PlayerFault::Silent`] and [`PlayerFault::Hung`].
    Silent,
    /// See [`PlayerFault::Garbage`].
    Garbage,
    /// See [`PlayerFault::Flood`].
    Flood,
    /// See [`PlayerFault::Crashed`].
    Crash,
    /// See [`PlayerFault::Exited`].
    Exit,
    /// See [`PlayerFault::Occupied`].
    Occupied,
    /// See [`PlayerFault::Outside`].
    Outside,
    /// See [`PlayerFault::Swap2`].
    Swap2,
    /// See [`PlayerFault::Memory`].
    Memory,
}

impl EndKind {
    /// All kinds, the regular ones first.
    pub const ALL: [EndKind; 19] = [
        EndKind::Five,
        EndKind::Draw,
        EndKind::Forbidden(Violation::Overline),
        EndKind::Forbidden(Violation::DoubleFour),
        EndKind::Forbidden(Violation::DoubleThree),
        EndKind::DrawAfter,
        EndKind::DrawAdjudicated,
        EndKind::WinAdjudicated,
        EndKind::Start,
        EndKind::Late,
        EndKind::Silent,
        EndKind::Garbage,
        EndKind::Flood,
        EndKind::Crash,
        EndKind::Exit,
        EndKind::Occupied,
        EndKind::Outside,
        EndKind::Swap2,
        EndKind::Memory,
    ];

    /// Returns the name, a word of its own for each kind.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            EndKind::Five => "five",
            EndKind::Draw => "draw",
            EndKind::Forbidden(Violation::Overline) => "forbidden-overline",
            EndKind::Forbidden(Violation::DoubleFour) => "forbidden-44",
            EndKind::Forbidden(Violation::DoubleThree) => "forbidden-33",
            EndKind::DrawAfter => "draw-after",
            EndKind::DrawAdjudicated => "draw-adjudicated",
            EndKind::WinAdjudicated => "win-adjudicated",
            EndKind::Start => "start",
            EndKind::Late => "late",
            EndKind::Silent => "silent",
            EndKind::Garbage => "garbage",
            EndKind::Flood => "flood",
            EndKind::Crash => "crash",
            EndKind::Exit => "exit",
            EndKind::Occupied => "occupied",
            EndKind::Outside => "outside",
            EndKind::Swap2 => "swap2",
            EndKind::Memory => "memory",
        }
    }

    /// Returns the kind with a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<EndKind> {
        EndKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Returns whether the loser did something that is not playing badly.
    #[must_use]
    pub fn is_fault(self) -> bool {
        self >= EndKind::Start
    }

    /// Returns the nearest reason that game records know.
    #[must_use]
    pub const fn reason(self) -> Reason {
        match self {
            EndKind::Five => Reason::Five,
            EndKind::Draw => Reason::FullBoard,
            EndKind::Forbidden(violation) => Reason::Forbidden(violation),
            EndKind::DrawAfter | EndKind::DrawAdjudicated | EndKind::WinAdjudicated => {
                Reason::Adjudication
            }
            EndKind::Late | EndKind::Silent => Reason::Time,
            EndKind::Occupied | EndKind::Outside | EndKind::Swap2 => Reason::Illegal,
            EndKind::Start | EndKind::Crash | EndKind::Exit => Reason::Crash,
            EndKind::Garbage | EndKind::Flood | EndKind::Memory => Reason::Forfeit,
        }
    }
}

impl Serialize for EndKind {
    /// Writes the name.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl fmt::Display for PlayerFault {
    /// Writes what the player did, as in `answered after 1203 ms of 1000`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerFault::Start(why) => write!(f, "could not start: {why}"),
            PlayerFault::Late { used, limit } => {
                write!(f, "answered after {} ms of {}", used.as_millis(), limit.as_millis())
            }
            PlayerFault::Silent { limit } => {
                write!(f, "did not answer within {} ms", limit.as_millis())
            }
            PlayerFault::Hung { silence } => {
                write!(f, "wrote nothing for {} s", silence.as_secs_f64())
            }
            PlayerFault::Garbage(line) => write!(f, "answered {line:?}"),
            PlayerFault::Flood => write!(f, "wrote without end"),
            PlayerFault::Crashed(how) => write!(f, "crashed: {how}"),
            PlayerFault::Exited => write!(f, "ended by itself"),
            PlayerFault::Occupied(point) => write!(f, "played on the stone at {point}"),
            PlayerFault::Outside { x, y } => write!(f, "played at {x},{y}, off the board"),
            PlayerFault::Swap2(error) => write!(f, "made a mistake in swap2: {error}"),
            PlayerFault::Memory { used, limit } => {
                write!(f, "used {} MiB of {}", used >> 20, limit >> 20)
            }
        }
    }
}
