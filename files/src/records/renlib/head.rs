//! The beginning of a library.

/// The first eight bytes of all files but the oldest.
pub(super) const MAGIC: [u8; 8] = *b"\xffRenLib\xff";

/// The newest version of the format.
const NEWEST: (u8, u8) = (3, 4);

/// The version of files whose tree begins with a move in the centre instead of a root.
const WITHOUT_ROOT: (u8, u8) = (3, 0);

/// The head of a library.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LibHead {
    /// None, in the oldest files; these begin with a move in the centre.
    Absent,
    /// A version, at most 3.4.
    Version {
        /// The number before the point.
        major: u8,
        /// The number after the point.
        minor: u8,
        /// The padding of the header; RenLib writes `FF`.
        filler: [u8; 10],
    },
}

impl LibHead {
    /// The head of what RenLib writes if the only first move is the centre.
    pub const WITHOUT_ROOT: LibHead = LibHead::of_version(WITHOUT_ROOT);

    /// The head of what RenLib writes otherwise.
    pub const WITH_ROOT: LibHead = LibHead::of_version(NEWEST);

    const fn of_version((major, minor): (u8, u8)) -> LibHead {
        LibHead::Version { major, minor, filler: [0xff; 10] }
    }

    /// Reads what follows after the magic bytes; `None` if the version is a later one.
    pub(super) fn parse(bytes: [u8; 12]) -> Option<LibHead> {
        let [major, minor, filler @ ..] = bytes;
        ((major, minor) <= NEWEST).then_some(LibHead::Version { major, minor, filler })
    }

    /// Adds the bytes of the head to a file.
    pub(super) fn write(self, bytes: &mut Vec<u8>) {
        if let LibHead::Version { major, minor, filler } = self {
            bytes.extend(MAGIC);
            bytes.extend([major, minor]);
            bytes.extend(filler);
        }
    }
}
