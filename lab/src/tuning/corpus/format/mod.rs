//! Headers and games as bytes; see [`super`] for what they mean.

use crate::openings::StoneCount;
use crate::tuning::game::{
    Ending, Leaf, MOST_PATH, ScoredMove, SelfPlayGame, TrainingGame, TrainingResult,
};
use crate::tuning::selfplay::{
    EARLIER_PROCEDURE, MOST_LEAVES, PROCEDURE, Relabelling, SelfPlayOptions, SelfPlayOptionsError,
};
use tengen_core::rules::Rule;
use tengen_core::types::{MAX_POINTS, Point, PointSet, Score, Size};

/// The magic bytes of a corpus.
pub const MAGIC: [u8; 8] = *b"tengames";
/// The version of the format that new files are of.
pub const VERSION: u16 = 3;
/// The version of files of the [`EARLIER_PROCEDURE`], which are read and continued.
const EARLIER_VERSION: u16 = 2;
/// The size of a header.
pub(super) const HEADER_BYTES: usize = 104;
/// The size of a header of the earlier version.
const EARLIER_HEADER_BYTES: usize = 64;

/// The bytes of a record before its cells.
const PREFIX_BYTES: usize = 8;
/// The size of a checksum.
const CRC_BYTES: usize = 4;
/// The size of a cell.
const CELL_BYTES: usize = 2;
/// The size of a cell with a score.
const MOVE_BYTES: usize = 4;
/// The bytes of a leaf without the cells of its path.
const LEAF_BYTES: usize = 3 + MOVE_BYTES;
/// The most bytes of the leaves of a move.
const MAX_LEAVES_BYTES: usize = MOST_LEAVES as usize * (LEAF_BYTES + MOST_PATH * CELL_BYTES);
/// No record is larger: a board full of moves, each with as many leaves as can be, as far from it
/// as can be.
pub(super) const MAX_GAME_BYTES: usize =
    PREFIX_BYTES + MAX_POINTS * (MOVE_BYTES + MAX_LEAVES_BYTES) + CRC_BYTES;
/// More zeros in a row than records have: of their numbers hardly two in a row are 0.
const MOST_ZEROS: usize = 64;
/// The factor of the ending in the byte that it shares with the result.
const ENDING_UNIT: u8 = 4;

/// The reason why bytes are not header.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum HeaderFault {
    /// They begin with something else, or end too early.
    #[error("it is not a file of training games")]
    Foreign,
    /// The format has another version.
    #[error(
        "it has version {0} of the format, and only {EARLIER_VERSION} and {VERSION} are known here"
    )]
    Version(u16),
    /// The checksum does not fit.
    #[error("the beginning of the file is damaged")]
    Damaged,
    /// The games were made in another way.
    #[error(
        "its games were made in way {0}, and only {EARLIER_PROCEDURE} and {PROCEDURE} are known here"
    )]
    Procedure(u16),
    /// There is no such rule.
    #[error("there is no rule {0}")]
    Rule(u8),
    /// There is no such board.
    #[error("there is no board of {0} by {1} cells")]
    Size(u8, u8),
    /// No games can be played with these options.
    #[error("invalid game options: {0}")]
    Options(SelfPlayOptionsError),
}

/// Returns the header of a corpus.
///
/// # Panics
///
/// Panics if the options fail their check.
#[must_use]
pub fn encode_header(options: &SelfPlayOptions) -> Vec<u8> {
    assert_eq!(options.check(), Ok(()), "options that can be played");
    let is_earlier = options.procedure == EARLIER_PROCEDURE;
    let (version, len) =
        if is_earlier { (EARLIER_VERSION, EARLIER_HEADER_BYTES) } else { (VERSION, HEADER_BYTES) };
    let mut bytes = Vec::with_capacity(len);
    bytes.extend(MAGIC);
    bytes.extend(version.to_le_bytes());
    bytes.extend(options.procedure.to_le_bytes());
    bytes.extend([options.rule as u8, options.size.width(), options.size.height()]);
    bytes.extend([options.stones.least, options.stones.most]);
    bytes.extend([options.spread, options.reach, options.variety_plies]);
    // Windows and margins are below that of a proven win, which fits.
    bytes.extend((options.window as u16).to_le_bytes());
    bytes.extend((options.variety_margin as u16).to_le_bytes());
    bytes.extend(options.longest.to_le_bytes());
    bytes.extend([options.leaves, 0]);
    bytes.extend(options.weights.to_le_bytes());
    bytes.extend(options.seed.to_le_bytes());
    bytes.extend(options.nodes.to_le_bytes());
    bytes.extend(options.leaf_nodes.to_le_bytes());
    bytes.extend(options.network.to_le_bytes());
    if !is_earlier {
        bytes.extend((options.draw_score as u16).to_le_bytes());
        bytes.extend([options.draw_moves, 0]);
        bytes.extend(options.draw_stones.to_le_bytes());
        if let Some(judged) = &options.relabelling {
            bytes.extend([1 + 2 * u8::from(judged.roots), 0]);
            for crc in [judged.sources, judged.weights, judged.network] {
                bytes.extend(crc.to_le_bytes());
            }
            bytes.extend(judged.count.to_le_bytes());
            bytes.extend(judged.seed.to_le_bytes());
        }
    }
    bytes.resize(len - CRC_BYTES, 0);
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// Reads the header that `bytes` begin with; returns it with its length.
pub(super) fn decode_header(bytes: &[u8]) -> Result<(SelfPlayOptions, usize), HeaderFault> {
    if bytes.len() < EARLIER_HEADER_BYTES || !bytes.starts_with(&MAGIC) {
        return Err(HeaderFault::Foreign);
    }
    let mut input = Bytes(&bytes[MAGIC.len()..]);
    let (known, len) = match input.u16() {
        VERSION => (PROCEDURE, HEADER_BYTES),
        EARLIER_VERSION => (EARLIER_PROCEDURE, EARLIER_HEADER_BYTES),
        version => return Err(HeaderFault::Version(version)),
    };
    let header = bytes.get(..len).ok_or(HeaderFault::Foreign)?;
    if !has_good_crc(header) {
        return Err(HeaderFault::Damaged);
    }
    let procedure = input.u16();
    if procedure != known {
        return Err(HeaderFault::Procedure(procedure));
    }
    let rule = input.u8();
    let rule = *Rule::ALL.get(usize::from(rule)).ok_or(HeaderFault::Rule(rule))?;
    let (width, height) = (input.u8(), input.u8());
    let size = Size::new(width.into(), height.into());
    let size = size.map_err(|_| HeaderFault::Size(width, height))?;
    let stones = StoneCount { least: input.u8(), most: input.u8() };
    let (spread, reach, variety_plies) = (input.u8(), input.u8(), input.u8());
    let (window, variety_margin) = (input.u16().into(), input.u16().into());
    let longest = input.u16();
    let (leaves, _) = (input.u8(), input.u8());
    let (weights, seed) = (input.u32(), input.u64());
    let (nodes, leaf_nodes) = (input.u64(), input.u64());
    let network = input.u32();
    let [draw_score, draws, draw_stones] =
        if procedure == PROCEDURE { [input.u16(), input.u16(), input.u16()] } else { [0; 3] };
    let relabelling = if procedure == PROCEDURE { relabelling(&mut input) } else { None };
    let options = SelfPlayOptions {
        rule,
        size,
        seed,
        nodes,
        stones,
        spread,
        reach,
        window,
        variety_plies,
        variety_margin,
        longest,
        draw_score: draw_score.into(),
        draw_moves: draws.to_le_bytes()[0],
        draw_stones,
        leaves,
        leaf_nodes,
        procedure,
        weights,
        network,
        relabelling,
    };
    options.check().map_err(HeaderFault::Options)?;
    Ok((options, len))
}

/// Reads how leaves were judged again.
fn relabelling(input: &mut Bytes<'_>) -> Option<Relabelling> {
    let [kind, _] = input.take();
    let (sources, weights, network) = (input.u32(), input.u32(), input.u32());
    let (count, seed) = (input.u64(), input.u64());
    let roots = kind & 2 != 0;
    (kind & 1 != 0).then_some(Relabelling { sources, weights, network, roots, count, seed })
}

/// Adds the record of a game to `bytes`.
///
/// # Panics
///
/// Panics if the game has more stones than any board has room for, or more leaves than
/// [`SelfPlayOptions`] can ask for.
pub fn encode_game(played: &SelfPlayGame, bytes: &mut Vec<u8>) {
    let SelfPlayGame { game, ending } = played;
    let start = bytes.len();
    bytes.push(u8::try_from(game.opening.len()).expect("an opening has few stones"));
    bytes.push(game.result as u8 + ENDING_UNIT * *ending as u8);
    bytes.extend(u16::try_from(game.moves.len()).expect("a game fits on a board").to_le_bytes());
    let of_leaf = |leaf: &Leaf| LEAF_BYTES + leaf.path.len() * CELL_BYTES;
    let of_leaves = game.leaves.iter().map(of_leaf).sum::<usize>();
    bytes.extend(u32::try_from(of_leaves).expect("leaves are few").to_le_bytes());
    game.opening.iter().for_each(|&point| put_cell(point, bytes));
    game.moves.iter().for_each(|&scored| put_move(scored, bytes));
    for Leaf { after, path, judged } in &game.leaves {
        bytes.extend(u16::try_from(*after).expect("a game fits on a board").to_le_bytes());
        bytes.push(u8::try_from(path.len()).expect("a path is short"));
        path.iter().for_each(|&point| put_cell(point, bytes));
        put_move(*judged, bytes);
    }
    bytes.extend(crc32fast::hash(&bytes[start..]).to_le_bytes());
    assert!(bytes.len() - start <= MAX_GAME_BYTES, "a record that can be read");
}

fn put_cell(point: Point, bytes: &mut Vec<u8>) {
    bytes.extend((point.index() as u16).to_le_bytes());
}

fn put_move(ScoredMove { point, score }: ScoredMove, bytes: &mut Vec<u8>) {
    put_cell(point, bytes);
    // Every score fits; see its documentation.
    bytes.extend((score.raw() as i16).to_le_bytes());
}

/// The numbers that a record begins with.
#[derive(Clone, Copy)]
struct Prefix {
    stones: u8,
    kinds: u8,
    moves: u16,
    /// The bytes of all leaves.
    leaves: u32,
}

impl Prefix {
    fn bytes(self) -> [u8; PREFIX_BYTES] {
        let mut bytes = [self.stones, self.kinds, 0, 0, 0, 0, 0, 0];
        bytes[2..4].copy_from_slice(&self.moves.to_le_bytes());
        bytes[4..].copy_from_slice(&self.leaves.to_le_bytes());
        bytes
    }

    fn take(input: &mut Bytes<'_>) -> Prefix {
        Prefix { stones: input.u8(), kinds: input.u8(), moves: input.u16(), leaves: input.u32() }
    }

    /// Returns the length of the record, if there can be such a long one.
    fn record_len(self) -> Option<usize> {
        let cells = usize::from(self.stones) * CELL_BYTES + usize::from(self.moves) * MOVE_BYTES;
        let rest = MAX_GAME_BYTES.checked_sub(PREFIX_BYTES + cells + CRC_BYTES)?;
        let leaves = usize::try_from(self.leaves).ok().filter(|&leaves| leaves <= rest)?;
        Some(MAX_GAME_BYTES - rest + leaves)
    }
}

/// Reads the game that `bytes` begin with; returns it with the length of its record.
///
/// Returns `None` if there is no whole game, or one that can't be on this board.
pub(super) fn decode_game(bytes: &[u8], size: Size) -> Option<(SelfPlayGame, usize)> {
    let prefix = Prefix::take(&mut Bytes(bytes.get(..PREFIX_BYTES)?));
    let len = prefix.record_len()?;
    let record = bytes.get(..len).filter(|record| has_good_crc(record))?;
    let mut input = Bytes(&record[PREFIX_BYTES..len - CRC_BYTES]);
    let result = *TrainingResult::ALL.get(usize::from(prefix.kinds % ENDING_UNIT))?;
    let ending = *Ending::ALL.get(usize::from(prefix.kinds / ENDING_UNIT))?;
    let mut empty: PointSet = size.points().collect();
    let opening =
        (0..prefix.stones).map(|_| input.cell(&mut empty)).collect::<Option<Vec<Point>>>()?;
    // The empty cells that the search for each move found.
    let mut found = Vec::new();
    let moves = (0..prefix.moves)
        .map(|_| {
            found.push(empty);
            input.scored(&mut empty)
        })
        .collect::<Option<Vec<ScoredMove>>>()?;
    let mut leaves: Vec<Leaf> = Vec::new();
    while !input.0.is_empty() {
        let leaf = decode_leaf(&mut input, &found)?;
        if leaves.last().is_some_and(|before| before.after > leaf.after) {
            return None;
        }
        leaves.push(leaf);
    }
    let game = TrainingGame { opening, moves, leaves, result };
    Some((SelfPlayGame { game, ending }, len))
}

/// Takes a leaf off the front; `found` are the empty cells before each move of the game.
fn decode_leaf(input: &mut Bytes<'_>, found: &[PointSet]) -> Option<Leaf> {
    let has = |input: &Bytes<'_>, bytes: usize| (input.0.len() >= bytes).then_some(());
    has(input, LEAF_BYTES)?;
    let (after, depth) = (usize::from(input.u16()), usize::from(input.u8()));
    has(input, depth * CELL_BYTES + MOVE_BYTES)?;
    let mut empty = *found.get(after)?;
    if !(1..=MOST_PATH).contains(&depth) {
        return None;
    }
    let path = (0..depth).map(|_| input.cell(&mut empty)).collect::<Option<Vec<Point>>>()?;
    Some(Leaf { after, path, judged: input.scored(&mut empty)? })
}

/// Returns whether `rest`, the end of a file, which does not begin with a whole game, is what an
/// interrupted run leaves: the first part of a record, or something that the system had not written
/// yet when it went down, which reads as zeros.
pub(super) fn is_torn(rest: &[u8], size: Size) -> bool {
    let has_unwritten = rest.split(|&byte| byte != 0).any(|zeros| zeros.len() > MOST_ZEROS);
    has_unwritten || is_first_part(rest, size)
}

/// Returns whether bytes are the first part of a record that is longer.
fn is_first_part(rest: &[u8], size: Size) -> bool {
    let Some(start) = rest.get(..PREFIX_BYTES) else { return true };
    let prefix = Prefix::take(&mut Bytes(start));
    let is_cut = prefix.record_len().is_some_and(|len| len > rest.len());
    is_cut && is_sound(rest, prefix, size) && !is_whole_but_for_its_length(rest, prefix)
}

/// Returns whether bytes are a whole record but for one of the numbers from which its length follows:
/// then that is damaged, and nothing is missing.
fn is_whole_but_for_its_length(rest: &[u8], prefix: Prefix) -> bool {
    let Some(cells) = rest.len().checked_sub(PREFIX_BYTES + CRC_BYTES) else { return false };
    let of_stones = usize::from(prefix.stones) * CELL_BYTES;
    let of_moves = usize::from(prefix.moves) * MOVE_BYTES;
    let of_leaves = prefix.leaves as usize;
    let stones = cells.checked_sub(of_moves + of_leaves).map(|bytes| bytes / CELL_BYTES);
    let moves = cells.checked_sub(of_stones + of_leaves).map(|bytes| bytes / MOVE_BYTES);
    let leaves = cells.checked_sub(of_stones + of_moves);
    let (stones, moves, leaves) = (
        stones.and_then(|n| n.try_into().ok()).map(|stones| Prefix { stones, ..prefix }),
        moves.and_then(|n| n.try_into().ok()).map(|moves| Prefix { moves, ..prefix }),
        leaves.and_then(|n| n.try_into().ok()).map(|leaves| Prefix { leaves, ..prefix }),
    );
    let others = [stones, moves, leaves];
    others.into_iter().flatten().any(|other| {
        let mut record = rest.to_vec();
        record[..PREFIX_BYTES].copy_from_slice(&other.bytes());
        other.record_len() == Some(record.len()) && has_good_crc(&record)
    })
}

/// Returns whether what there is of a record that is cut off can be of a game.
fn is_sound(rest: &[u8], prefix: Prefix, size: Size) -> bool {
    let (kinds, mut input) = (prefix.kinds, Bytes(&rest[PREFIX_BYTES..]));
    let mut empty: PointSet = size.points().collect();
    let has_kinds = usize::from(kinds % ENDING_UNIT) < TrainingResult::ALL.len()
        && usize::from(kinds / ENDING_UNIT) < Ending::ALL.len();
    if !has_kinds {
        return false;
    }
    for _ in 0..prefix.stones {
        if input.0.len() < CELL_BYTES {
            return true;
        }
        if input.cell(&mut empty).is_none() {
            return false;
        }
    }
    let mut found = Vec::new();
    for _ in 0..prefix.moves {
        found.push(empty);
        if input.0.len() < MOVE_BYTES {
            return true;
        }
        if input.scored(&mut empty).is_none() {
            return false;
        }
    }
    // A part of the checksum may follow.
    input.0 = &input.0[..input.0.len().min(prefix.leaves as usize)];
    while let Some(&[low, high, depth]) = input.0.first_chunk() {
        let after = usize::from(u16::from_le_bytes([low, high]));
        let len = LEAF_BYTES + usize::from(depth) * CELL_BYTES;
        if input.0.len() < len {
            return after < found.len() && usize::from(depth) <= MOST_PATH;
        }
        if decode_leaf(&mut input, &found).is_none() {
            return false;
        }
    }
    true
}

/// Returns whether bytes end with the checksum of those before.
fn has_good_crc(bytes: &[u8]) -> bool {
    bytes
        .split_last_chunk()
        .is_some_and(|(before, &crc)| crc32fast::hash(before) == u32::from_le_bytes(crc))
}

/// Takes numbers off the front of bytes that are known to be enough.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    /// Takes a cell, which must be among the empty ones and is none of them any more.
    fn cell(&mut self, empty: &mut PointSet) -> Option<Point> {
        let index = usize::from(self.u16());
        let point = (index < MAX_POINTS).then(|| Point::from_index(index))?;
        empty.contains(point).then(|| {
            empty.remove(point);
            point
        })
    }

    /// Takes a cell, as [`Bytes::cell`] does, with a score.
    fn scored(&mut self, empty: &mut PointSet) -> Option<ScoredMove> {
        let point = self.cell(empty)?;
        let score = Score::from_raw(i32::from(self.u16().cast_signed()));
        Some(ScoredMove { point, score })
    }

    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (first, rest) = self.0.split_first_chunk().expect("the length was looked at before");
        self.0 = rest;
        *first
    }

    fn u8(&mut self) -> u8 {
        u8::from_le_bytes(self.take())
    }

    fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.take())
    }

    fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }

    fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.take())
    }
}

#[cfg(test)]
pub(super) mod tests;
