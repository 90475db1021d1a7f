//! Databases that somebody made up: pages are garbled and all checksums fit, those of the blocks and,
//! in every other file, those that the store keeps of its pages as well.
//!
//! Whatever is asked of such a file gives an answer or an error: no panic, no abort, no work without end.
//! The work is done by a process of its own, as what must not happen would end the tests.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;

use tengen_core::rng::SplitMix64;
use tengen_core::rules::Rule;
use tengen_core::types::{Point, Size};
use tengen_engine::database::{
    Access, DatabaseError, Placement, PositionDatabase, PositionEntry, PropagationOptions, Removal,
    ResultFilter,
};
use twox_hash::XxHash3_128;

use crate::child::PATIENCE;
use crate::fuzz::memory;
use crate::place::Place;
use tengen_files::work::Stop;

/// The variable with the numbers of the files to make, as `FROM-TO`.
const CASES: &str = "TENGEN_TEST_MADE_UP";
/// The number of files, unless the variable says otherwise.
const FILES: u64 = 60;
/// The most memory that a question may take: the store keeps some pages, and no made-up number
/// decides how many.
const MOST_MEMORY: usize = 48 << 20;
/// The memory for pages.
const CACHE: usize = 1 << 20;

const BLOCK: usize = 4096;
const STORED: usize = BLOCK + 4;
const LEAF: u8 = 1;
const BRANCH: u8 = 2;
/// The page and checksum of a tree, and its length.
const ROOT: usize = 32;

fn numbered(number: u64) -> Placement {
    let mut rng = SplitMix64::new(number);
    let mut points: Vec<Point> = Size::DEFAULT.points().collect();
    rng.shuffle(&mut points);
    Placement::of_moves(Rule::Freestyle, Size::DEFAULT, &points[..1 + (number % 7) as usize])
        .expect("different cells")
}

fn entry(number: u64) -> PositionEntry {
    let text = format!("{number} ").repeat(1 + (number % 9) as usize * 12);
    PositionEntry { text, visits: number + 1, ..PositionEntry::default() }
}

/// A database as the program writes it, of some dozen pages, some of which were freed.
static WHOLE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let place = Place::new("made-up-whole");
    let path = PathBuf::from(place.path("whole.tdb"));
    let database = PositionDatabase::open(&path, Access::Create).expect("a database");
    for batch in 0..6 {
        let put = |writer: &mut tengen_engine::database::DatabaseWriter<'_>| {
            (batch * 60..batch * 60 + 90).try_for_each(|n| writer.put(&numbered(n), entry(n)))
        };
        database.write(put).expect("it is saved");
    }
    drop(database);
    fs::read(&path).expect("the file")
});

/// A file that is changed block by block.
struct Garbled {
    /// The beginning of block 0, as the store sees it.
    head: Vec<u8>,
    /// The blocks from 1 on.
    blocks: Vec<Vec<u8>>,
    /// The first sector of the file.
    first: Vec<u8>,
}

impl Garbled {
    fn new(bytes: &[u8]) -> Garbled {
        let stored = bytes[BLOCK..].chunks_exact(STORED);
        Garbled {
            head: bytes[512..1020].to_vec(),
            blocks: stored.map(|block| block[..BLOCK].to_vec()).collect(),
            first: bytes[..508].to_vec(),
        }
    }

    /// Returns the file with checksums of its blocks.
    fn file(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for sector in [&self.first, &self.head] {
            bytes.extend_from_slice(sector);
            bytes.extend_from_slice(&crc32fast::hash(sector).to_le_bytes());
        }
        bytes.resize(BLOCK, 0);
        for (number, block) in (1_u64..).zip(&self.blocks) {
            let mut sum = crc32fast::Hasher::new();
            sum.update(&number.to_le_bytes());
            sum.update(block);
            bytes.extend_from_slice(block);
            bytes.extend_from_slice(&sum.finalize().to_le_bytes());
        }
        bytes
    }

    /// Makes the checksums fit that the store keeps of its pages, as far as they can be followed.
    fn sum_pages(&mut self) {
        for slot in [64, 192] {
            for (root, is_there) in [(slot + 8, slot + 1), (slot + 40, slot + 2)] {
                if self.head[is_there] != 0 {
                    let header = self.head[root..root + ROOT].to_vec();
                    let sum = self.sum_tree(number(&header), None, None, true, &mut Vec::new());
                    put(&mut self.head, root + 8, sum);
                }
            }
            let sum = XxHash3_128::oneshot(&self.head[slot..slot + 112]);
            put(&mut self.head, slot + 112, Some(sum));
        }
    }

    /// Returns the blocks of a page, if it is in the file.
    fn page(&self, page: u64) -> Option<Range<usize>> {
        let (order, region) = (page >> 59, page >> 20 & 0xf_ffff);
        let len = 1_usize.checked_shl(order as u32).filter(|_| order < 8 && region == 0)?;
        let first = (page & 0xf_ffff) as usize * len;
        (first + len <= self.blocks.len()).then_some(first..first + len)
    }

    /// Sums up a tree from its leaves on, and returns its checksum. Keys and values may have fixed
    /// lengths; the values of a tree of tables are trees.
    fn sum_tree(
        &mut self,
        page: u64,
        key: Option<usize>,
        value: Option<usize>,
        has_tables: bool,
        path: &mut Vec<u64>,
    ) -> Option<u128> {
        let blocks = self.page(page).filter(|_| path.len() < 20 && !path.contains(&page))?;
        path.push(page);
        let mut bytes = self.blocks[blocks.clone()].concat();
        let count = usize::from(u16::from_le_bytes([bytes[2], bytes[3]]));
        let end_at = |bytes: &[u8], at: usize| {
            bytes.get(at..at + 4).map(|end| number(end) as usize).filter(|&end| end <= bytes.len())
        };
        let end = match bytes[0] {
            LEAF if count > 0 => {
                let of_keys = if key.is_none() { 4 * count } else { 0 };
                let of_values = if value.is_none() { 4 * count } else { 0 };
                let keys_start = 4 + of_keys + of_values;
                let keys_end = match key {
                    Some(len) => keys_start + len * count,
                    None => end_at(&bytes, 4 * count)?,
                };
                let value_end = |bytes: &[u8], i: usize| match value {
                    Some(len) => Some(keys_end + len * (i + 1)),
                    None => end_at(bytes, 4 + of_keys + 4 * i),
                };
                if has_tables {
                    let mut start = keys_end;
                    for i in 0..count {
                        let end = value_end(&bytes, i)?;
                        self.sum_table(bytes.get_mut(start..end)?, path);
                        start = end;
                    }
                }
                value_end(&bytes, count - 1)?
            }
            BRANCH if count > 0 => {
                let pages = 8 + 16 * (count + 1);
                for i in 0..=count {
                    let child = number(bytes.get(pages + 8 * i..pages + 8 * i + 8)?);
                    let sum = self.sum_tree(child, key, value, has_tables, path);
                    put(&mut bytes, 8 + 16 * i, sum);
                }
                let keys = pages + 8 * (count + 1);
                match key {
                    Some(len) => keys + len * count,
                    None => end_at(&bytes, keys + 4 * (count - 1))?,
                }
            }
            _ => return None,
        };
        path.pop();
        for (block, part) in self.blocks[blocks].iter_mut().zip(bytes.chunks_exact(BLOCK)) {
            block.copy_from_slice(part);
        }
        bytes.get(..end).map(XxHash3_128::oneshot)
    }

    /// Sums up the tree of a table, which is described by these bytes.
    fn sum_table(&mut self, bytes: &mut [u8], path: &mut Vec<u64>) {
        if bytes.len() < 52 || bytes[9] == 0 {
            return;
        }
        let fixed = |at: usize| (bytes[at] != 0).then(|| number(&bytes[at + 1..at + 5]) as usize);
        let (page, key, value) = (number(&bytes[10..18]), fixed(42), fixed(47));
        let sum = self.sum_tree(page, key, value, false, path);
        put(bytes, 18, sum);
    }

    /// Changes something.
    fn garble(&mut self, rng: &mut SplitMix64) {
        let used: Vec<usize> = (0..self.blocks.len())
            .filter(|&block| self.blocks[block].iter().any(|&byte| byte != 0))
            .collect();
        let block = used[rng.below(used.len())];
        let other = used[rng.below(used.len())];
        let odd = [0, 1, 2, 3, 127, 128, 255, rng.below(256) as u8];
        let odd_number = [
            0,
            u64::MAX,
            1 << 63,
            1 << 32,
            block as u64,
            other as u64,
            other as u64 | 1 << 59,
            (other as u64) << 20,
            rng.next_u64(),
        ];
        match rng.below(8) {
            0 => {
                let at = rng.below(256);
                self.head[at] = odd[rng.below(odd.len())];
            }
            1 | 2 => {
                for _ in 0..[1, 4, 50][rng.below(3)] {
                    self.blocks[block][rng.below(BLOCK)] = rng.below(256) as u8;
                }
            }
            3 => {
                for _ in 0..1 + rng.below(3) {
                    self.blocks[block][rng.below(64)] = odd[rng.below(odd.len())];
                }
            }
            4 => {
                let at = 8 * rng.below(40);
                let odd = odd_number[rng.below(odd_number.len())];
                self.blocks[block][at..at + 8].copy_from_slice(&odd.to_le_bytes());
            }
            5 => self.blocks[block] = self.blocks[other].clone(),
            6 => self.blocks[block].fill(0),
            // A child of a branch becomes another one, or any page.
            _ => self.redirect(rng, &used),
        }
    }

    fn redirect(&mut self, rng: &mut SplitMix64, used: &[usize]) {
        let branches: Vec<usize> =
            used.iter().copied().filter(|&block| self.blocks[block][0] == BRANCH).collect();
        if branches.is_empty() {
            return;
        }
        let bytes = &mut self.blocks[branches[rng.below(branches.len())]];
        let count = usize::from(u16::from_le_bytes([bytes[2], bytes[3]])).min(100);
        let pages = 8 + 16 * (count + 1);
        let child = |i: usize| pages + 8 * i..pages + 8 * i + 8;
        let to = if rng.below(2) == 0 {
            number(&bytes[child(rng.below(count + 1))])
        } else {
            used[rng.below(used.len())] as u64
        };
        bytes[child(rng.below(count + 1))].copy_from_slice(&to.to_le_bytes());
    }
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().take(8).rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

fn put(bytes: &mut [u8], at: usize, sum: Option<u128>) {
    if let Some(sum) = sum {
        bytes[at..at + 16].copy_from_slice(&sum.to_le_bytes());
    }
}

/// Returns the file of a number.
fn made_up(case: u64) -> Vec<u8> {
    let mut rng = SplitMix64::new(case);
    let mut file = Garbled::new(&WHOLE);
    for _ in 0..[1, 1, 3][rng.below(3)] {
        file.garble(&mut rng);
    }
    if case.is_multiple_of(2) {
        file.sum_pages();
    }
    file.file()
}

/// Something that is asked of a database.
type Question = fn(&Path) -> Result<(), DatabaseError>;

const QUESTIONS: [(&str, Question); 8] = [
    ("read", |path| {
        let database = PositionDatabase::open_with(path, Access::Read, CACHE)?;
        let reader = database.read()?;
        reader.len()?;
        reader.groups()?;
        let mut last = None;
        for stored in reader.scan(None)? {
            let key = stored?.key;
            assert!(last.as_ref().is_none_or(|last| *last < key), "keys in order");
            last = Some(key);
        }
        Ok(())
    }),
    ("look up", |path| {
        let database = PositionDatabase::open_with(path, Access::Read, CACHE)?;
        for n in 0..60 {
            database.get(&numbered(n))?;
        }
        database.read()?.moves(&numbered(0)).map(drop)
    }),
    ("write", |path| {
        let database = PositionDatabase::open_with(path, Access::Write, CACHE)?;
        for n in 0..12 {
            database.write(|writer| {
                writer.put(&numbered(n * 17), entry(n + 5))?;
                writer.remove(&numbered(n * 23 + 1))
            })?;
        }
        Ok(())
    }),
    ("check", |path| PositionDatabase::open_with(path, Access::Read, CACHE)?.check_pages()),
    ("compact", |path| {
        PositionDatabase::open_with(path, Access::Write, CACHE)?.compact().map(drop)
    }),
    ("propagate", |path| {
        let database = PositionDatabase::open_with(path, Access::Write, CACHE)?;
        database.propagate(PropagationOptions { values: true }, &Stop::new(), &mut |_| {}).map(drop)
    }),
    ("remove", |path| {
        let database = PositionDatabase::open_with(path, Access::Write, CACHE)?;
        let root = Placement::of_moves(Rule::Freestyle, Size::DEFAULT, &[]).expect("a position");
        let filter = ResultFilter::Any;
        database
            .remove_following(&root, Removal { filter, goes_on: true, with_root: true })
            .map(drop)
    }),
    ("merge", |path| {
        let whole = path.with_extension("whole");
        fs::write(&whole, &*WHOLE).expect("a file");
        let into = PositionDatabase::open_with(&whole, Access::Write, CACHE)?;
        let other = PositionDatabase::open_with(path, Access::Read, CACHE)?;
        into.merge_from(&other, &Stop::new(), &mut |_| {}).map(drop)
    }),
];

/// The process that asks.
#[test]
fn process_that_asks() {
    let Ok(cases) = std::env::var(CASES) else { return };
    let (from, to) = cases.split_once('-').expect("FROM-TO");
    let (from, to): (u64, u64) = (from.parse().expect("FROM"), to.parse().expect("TO"));
    let place = Place::new("made-up");
    let path = PathBuf::from(place.path("x.tdb"));
    let mut answers = BTreeSet::new();
    for case in from..to {
        let bytes = made_up(case);
        for (name, ask) in QUESTIONS {
            println!("\ncase {case}: {name}");
            fs::write(&path, &bytes).expect("a file");
            let (answer, peak) = memory::peak(|| ask(&path));
            assert!(peak < MOST_MEMORY, "{peak} bytes of memory");
            if let Err(error) = &answer {
                let message = error.to_string();
                assert!(message.len() < 400 && !message.contains(char::is_control), "{message:?}");
            }
            answers.insert((name, answer.is_ok()));
            // Nobody is kept out of a file because something went wrong with it.
            if answer.is_err() {
                let again = PositionDatabase::open_with(&path, Access::Write, CACHE);
                assert!(!matches!(again, Err(DatabaseError::InUse(_))), "{again:?}");
            }
        }
    }
    println!("\nanswers: {answers:?}");
    if to - from >= 50 {
        assert_eq!(answers.len(), 2 * QUESTIONS.len(), "some files are good and some are not");
    }
}

#[test]
fn no_made_up_file_hurts_anybody_who_asks() {
    let cases = std::env::var("TENGEN_MADE_UP_FILES").ok();
    let files = cases.map_or(FILES, |files| files.parse().expect("a number"));
    let exe = std::env::current_exe().expect("this program");
    let mut child = Command::new(exe)
        .args(["made_up_databases::process_that_asks", "--exact", "--nocapture"])
        .env(CASES, format!("0-{files}"))
        .stdout(Stdio::piped())
        .spawn()
        .expect("the process starts");
    let output = BufReader::new(child.stdout.take().expect("a pipe"));
    let (sender, lines) = channel();
    thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|l| sender.send(l)));
    let mut last = String::new();
    loop {
        match lines.recv_timeout(PATIENCE) {
            Ok(line) if line.starts_with("case ") => last = line,
            Ok(_) => {}
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                child.kill().expect("it is ended");
                panic!("no end of {last}");
            }
        }
    }
    let status = child.wait().expect("its end");
    assert!(status.success(), "{status} at {last}");
    assert!(last.starts_with(&format!("case {}: ", files - 1)), "{last}");
}

/// Files that only the checks above distinguish from damaged ones.
#[test]
fn the_file_that_is_garbled_is_good_itself() {
    let mut file = Garbled::new(&WHOLE);
    assert_eq!(file.file(), *WHOLE);
    file.sum_pages();
    assert_eq!(file.file(), *WHOLE, "the checksums of pages are those of the store");
}
