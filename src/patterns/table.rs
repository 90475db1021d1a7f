//! The automaton compiled into direct look-ups.
//!
//! A window is the cells up to [`PatternTables::half`] steps from a point on one line, two bits
//! each as on the board ([`crate::board::lines`]), the point itself left out: 2^16 keys where
//! only what lies within four steps matters, 2^20 where the fifth decides whether a row is
//! exactly five. One byte holds the shape for both colours, black in the low half.

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::automaton::{Automaton, State, Symbol};
use super::class::PointClass;
use super::info::CellInfo;
use super::lexicon::{Entry, texts};
use super::multiset::Multiset;
use super::shape::{Family, Shape};
use super::weights::{self, FamilyWeights, Weights};
use crate::rules::Rule;
use crate::sys::memory::spawn_small;
use crate::types::{ByColor, Color, Score};

/// The number of keys of the cells on one side of a point.
const fn side_keys(half: usize) -> usize {
    1 << (2 * half)
}

/// The shapes of all windows; shared by tables of different weights.
#[derive(Clone, Debug)]
pub(super) enum Windows {
    /// Four cells to each side.
    Half4(Arc<[u8; 1 << 16]>),
    /// Five cells to each side.
    Half5(Arc<[u8; 1 << 20]>),
}

/// Everything that the patterns of one rule need at run time; immutable.
#[derive(Debug)]
pub struct PatternTables {
    rule: Rule,
    pub(super) windows: Windows,
    /// By the shapes of the four directions, four bits each; colours with the same rule share
    /// theirs, and half the cache it takes.
    pub(super) cells: ByColor<Arc<CellTable>>,
    win_scale: u16,
    weights_crc: u32,
}

/// The number of rows and columns of [`CellTable::initiative`].
const CLASS_ROWS: usize = PointClass::COUNT.next_power_of_two();

/// What four shapes combine to, for one family, and what depends on the family besides.
#[derive(Clone, Debug)]
pub(super) struct CellTable {
    pub(super) infos: Box<[CellInfo; 1 << 16]>,
    own_orders: Box<[i16; 1 << 16]>,
    their_orders: Box<[i16; 1 << 16]>,
    /// By the strongest class of the side to move and that of the opponent.
    initiative: [[i16; CLASS_ROWS]; CLASS_ROWS],
}

static TABLES: [OnceLock<PatternTables>; Rule::ALL.len()] = [const { OnceLock::new() }; 5];

/// The tables of a rule are in use, so that they can't be replaced any more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InUseError(pub Rule);

impl fmt::Display for InUseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the weights of {} are in use already", self.0)
    }
}

impl std::error::Error for InUseError {}

impl PatternTables {
    /// Returns the tables of a rule, built on first use and kept: those of the weights that were
    /// [installed](PatternTables::install), or else of [`Weights::shipped`].
    pub fn get(rule: Rule) -> &'static PatternTables {
        TABLES[rule as usize].get_or_init(|| PatternTables::build(&Weights::shipped(rule)))
    }

    /// Makes [`PatternTables::get`] return tables of these weights for their rule.
    ///
    /// # Errors
    ///
    /// Returns [`InUseError`], and changes nothing, if `get` or `install` was called for the rule
    /// before: a program never has two opinions of one position by accident. Who wants several
    /// gives them to [`Position::with_tables`](crate::position::Position::with_tables).
    pub fn install(weights: &Weights) -> Result<&'static PatternTables, InUseError> {
        let rule = weights.rule();
        let slot = &TABLES[rule as usize];
        if slot.get().is_some() {
            return Err(InUseError(rule));
        }
        slot.set(PatternTables::build(weights)).map_err(|_| InUseError(rule))?;
        Ok(PatternTables::get(rule))
    }

    /// Builds tables; [`PatternTables::get`] is what programs want.
    #[must_use]
    pub fn build(weights: &Weights) -> PatternTables {
        let rule = weights.rule();
        let (windows, cells) = std::thread::scope(|scope| {
            let cells = spawn_small(scope, || build_cells(weights));
            (build_windows(rule), cells.join().expect("building a table cannot fail"))
        });
        PatternTables::assemble(windows, cells, weights)
    }

    /// Builds tables of other weights for the same rule, with the windows shared. What is built is
    /// never freed, because positions hold their tables for ever; it takes about 800 kB.
    ///
    /// # Panics
    ///
    /// Panics if the weights are of another rule.
    #[must_use]
    pub fn reweighted(&self, weights: &Weights) -> &'static PatternTables {
        assert_eq!(weights.rule(), self.rule, "the windows are of another rule");
        let (windows, cells) = (self.windows.clone(), build_cells(weights));
        Box::leak(Box::new(PatternTables::assemble(windows, cells, weights)))
    }

    fn assemble(
        windows: Windows,
        cells: ByColor<Arc<CellTable>>,
        weights: &Weights,
    ) -> PatternTables {
        let (rule, win_scale, weights_crc) = (weights.rule(), weights.win_scale(), weights.crc());
        PatternTables { rule, windows, cells, win_scale, weights_crc }
    }

    /// Returns the rule.
    #[must_use]
    pub const fn rule(&self) -> Rule {
        self.rule
    }

    /// Returns how many cells to each side of a point a window has.
    #[must_use]
    pub const fn half(&self) -> usize {
        match self.windows {
            Windows::Half4(_) => 4,
            Windows::Half5(_) => 5,
        }
    }

    /// Returns the number of window keys.
    #[must_use]
    pub const fn keys(&self) -> usize {
        side_keys(2 * self.half())
    }

    /// Returns the shapes of a window for black and white.
    #[inline]
    #[must_use]
    pub fn shapes(&self, key: usize) -> ByColor<Shape> {
        let byte = self.byte(key);
        ByColor([
            Shape::from_index(usize::from(byte & 15)),
            Shape::from_index(usize::from(byte >> 4)),
        ])
    }

    #[inline]
    pub(super) fn byte(&self, key: usize) -> u8 {
        match &self.windows {
            Windows::Half4(table) => table[key & 0xffff],
            Windows::Half5(table) => table[key & 0xf_ffff],
        }
    }

    /// Returns the key of the window around position `pos` of a line word.
    #[inline]
    #[must_use]
    pub fn window_key(&self, line: u64, pos: usize) -> usize {
        match self.windows {
            Windows::Half4(_) => window_key::<4>(line, pos),
            Windows::Half5(_) => window_key::<5>(line, pos),
        }
    }

    /// Returns what is known of a cell for one colour from its shapes, four bits a direction.
    #[inline]
    #[must_use]
    pub fn cell(&self, color: Color, shapes: u16) -> CellInfo {
        self.cells[color].infos[usize::from(shapes)]
    }

    /// Returns how much its own shapes speak for `color` to play on a cell, in the units of move
    /// ordering.
    #[inline]
    #[must_use]
    pub fn order_own(&self, color: Color, shapes: u16) -> i32 {
        self.cells[color].own_orders[usize::from(shapes)].into()
    }

    /// Returns how much the shapes of `color` speak for its opponent to play on a cell, in the
    /// units of move ordering.
    #[inline]
    #[must_use]
    pub fn order_their(&self, color: Color, shapes: u16) -> i32 {
        self.cells[color].their_orders[usize::from(shapes)].into()
    }

    /// Returns what being to move is worth to `color` if these are the strongest classes that it
    /// and its opponent can play, in units of the evaluation.
    #[inline]
    #[must_use]
    pub fn initiative(&self, color: Color, ours: PointClass, theirs: PointClass) -> i32 {
        self.cells[color].initiative[ours.index()][theirs.index()].into()
    }

    /// Returns the chance to win, from 0 to 1, that the score of a search promises.
    #[must_use]
    pub fn win_rate(&self, score: Score) -> f64 {
        if score.is_win() {
            1.0
        } else if score.is_loss() {
            0.0
        } else {
            1.0 / (1.0 + (-f64::from(score.raw()) / f64::from(self.win_scale)).exp())
        }
    }

    /// Returns the checksum of the weights: what [`Weights::crc`] returned for them.
    #[must_use]
    pub const fn weights_crc(&self) -> u32 {
        self.weights_crc
    }

    /// Returns the cells of a window as one colour sees them, the stone of that colour that
    /// would be played in the middle included: what [`super::definition`] judges.
    #[must_use]
    pub fn decode(&self, key: usize, color: Color) -> Vec<Symbol> {
        let half = self.half();
        let mut cells: Vec<Symbol> =
            (0..2 * half).map(|i| symbol(key as u64 >> (2 * i), color)).collect();
        cells.insert(half, Symbol::Own);
        cells
    }
}

/// Returns the key of the window around position `pos` of a line word.
#[inline(always)]
pub(super) fn window_key<const HALF: usize>(line: u64, pos: usize) -> usize {
    let shifted = line >> (2 * (pos + crate::board::lines::PADDING - HALF));
    let low = side_keys(HALF) - 1;
    let high = low << (2 * HALF);
    (shifted as usize & low) | (shifted >> 2) as usize & high
}

/// Returns a cell of two bits as `color` sees it.
fn symbol(bits: u64, color: Color) -> Symbol {
    match (bits & 3, color) {
        (0, _) => Symbol::Edge,
        (3, _) => Symbol::Empty,
        (1, Color::White) | (2, Color::Black) => Symbol::Own,
        _ => Symbol::Opponent,
    }
}

/// What the texts found so far say about the middle of a window. Masks have a bit per cell.
#[derive(Clone, Copy, Default)]
struct Findings {
    entries: u16,
    wins: u16,
    threes: u16,
    twos: u16,
}

impl Findings {
    fn add(self, other: Findings) -> Findings {
        Findings {
            entries: self.entries | other.entries,
            wins: self.wins | other.wins,
            threes: self.threes | other.threes,
            twos: self.twos | other.twos,
        }
    }

    /// Returns the strongest shape.
    fn shape(self, family: Family) -> Shape {
        let found = |entry: Entry| self.entries & 1 << entry as u16 != 0;
        if found(Entry::Five) {
            return Shape::Five;
        }
        if found(Entry::Overline) {
            return Shape::Overline;
        }
        if found(Entry::StraightFour) {
            return Shape::OpenFour;
        }
        match (self.wins.count_ones(), self.threes.count_ones(), self.twos.count_ones()) {
            (2.., _, _) if !family.is_caro() => Shape::DoubleFour,
            (1.., _, _) => Shape::Four,
            (_, 2.., _) => Shape::OpenThreeFree,
            (_, 1, _) => Shape::OpenThree,
            _ if found(Entry::BlockedThree) => Shape::BlockedThree,
            (_, _, 4..) => Shape::OpenTwoFree,
            (_, _, 3) => Shape::OpenTwoWide,
            (_, _, 1..) => Shape::OpenTwo,
            _ if found(Entry::BlockedTwo) => Shape::BlockedTwo,
            _ if found(Entry::OpenOne) => Shape::OpenOne,
            _ if found(Entry::BlockedOne) => Shape::BlockedOne,
            _ => Shape::Dead,
        }
    }
}

/// The symbols that a letter of the lexicon stands for.
fn letter(c: char) -> &'static [Symbol] {
    use Symbol::{Edge, Empty, Opponent, Own};
    match c {
        'o' => &[Own],
        '_' | '+' => &[Empty],
        'x' => &[Opponent],
        '#' => &[Edge],
        'n' => &[Empty, Opponent, Edge],
        'f' => &[Empty, Edge],
        'y' => &[Own, Empty, Edge],
        other => unreachable!("the lexicon has no letter {other}"),
    }
}

/// A text of the lexicon spelt out in symbols.
#[derive(Clone, Debug)]
pub struct Spelling {
    /// What the text stands for.
    pub entry: Entry,
    /// Its symbols.
    pub symbols: Vec<Symbol>,
    /// The place of its `+`, if it has one.
    pub mark: Option<usize>,
}

/// Returns the texts of a family with every letter that stands for several symbols spelt out.
#[must_use]
pub fn spellings(family: Family) -> Vec<Spelling> {
    let mut all = Vec::new();
    for (entry, text) in texts(family) {
        let mut spelt = vec![Vec::new()];
        for c in text.chars() {
            spelt = spelt
                .iter()
                .flat_map(|prefix: &Vec<Symbol>| {
                    letter(c).iter().map(move |&s| [prefix.as_slice(), &[s]].concat())
                })
                .collect();
        }
        let mark = text.find('+');
        all.extend(spelt.into_iter().map(|symbols| Spelling { entry, symbols, mark }));
    }
    all
}

/// Compiles the automaton of one family for windows of `half` cells to each side.
struct Compiler {
    family: Family,
    half: usize,
    automaton: Automaton,
    spellings: Vec<Spelling>,
}

impl Compiler {
    fn new(family: Family, half: usize) -> Compiler {
        let spellings = spellings(family);
        let texts: Vec<Vec<Symbol>> = spellings.iter().map(|s| s.symbols.clone()).collect();
        Compiler { family, half, automaton: Automaton::new(&texts), spellings }
    }

    /// Returns what ends at cell `end` in `state` and covers the middle.
    fn findings(&self, state: State, end: usize) -> Findings {
        let mut findings = Findings::default();
        for &id in self.automaton.matches(state) {
            let spelling = &self.spellings[id];
            let Some(start) = (end + 1).checked_sub(spelling.symbols.len()) else { continue };
            if start > self.half {
                continue;
            }
            findings.entries |= 1 << spelling.entry as u16;
            if let Some(mark) = spelling.mark {
                let bit = 1 << (start + mark);
                match spelling.entry {
                    Entry::Four => findings.wins |= bit,
                    Entry::Three => findings.threes |= bit,
                    _ => findings.twos |= bit,
                }
            }
        }
        findings
    }

    /// Returns for every key of the cells before the middle the state after the middle, with
    /// what was found up to there, and for every such state the shapes by the cells after it.
    fn rows(&self, color: Color) -> (Vec<usize>, Vec<Vec<u8>>) {
        let mut rows = Vec::new();
        let mut row_of_state = vec![None; self.automaton.states()];
        // What ends at each cell after the middle depends on the state alone: find it once.
        let found: Vec<Vec<Findings>> = (self.half + 1..=2 * self.half)
            .map(|end| {
                (0..self.automaton.states())
                    .map(|s| self.findings(State::from_index(s), end))
                    .collect()
            })
            .collect();
        let starts = (0..side_keys(self.half))
            .map(|key| {
                let mut state = State::START;
                for i in 0..self.half {
                    state = self.automaton.step(state, symbol(key as u64 >> (2 * i), color));
                }
                state = self.automaton.step(state, Symbol::Own);
                *row_of_state[state.index()].get_or_insert_with(|| {
                    let mut row = vec![0; side_keys(self.half)];
                    let here = self.findings(state, self.half);
                    self.fill(color, &found, (state, here, 0, 0), &mut row);
                    rows.push(row);
                    rows.len() - 1
                })
            })
            .collect();
        (starts, rows)
    }

    /// Fills the shapes of all windows that continue `(state, findings)` after `depth` cells.
    fn fill(
        &self,
        color: Color,
        found: &[Vec<Findings>],
        (state, findings, depth, key): (State, Findings, usize, usize),
        row: &mut [u8],
    ) {
        if depth == self.half {
            row[key] = findings.shape(self.family) as u8;
            return;
        }
        for bits in 0..4 {
            let next = self.automaton.step(state, symbol(bits, color));
            let all = findings.add(found[depth][next.index()]);
            let key = key | (bits as usize) << (2 * depth);
            self.fill(color, found, (next, all, depth + 1, key), row);
        }
    }
}

/// Returns the half length of the windows that a rule needs.
const fn half_of(rule: Rule) -> usize {
    match rule {
        Rule::Freestyle => 4,
        Rule::Standard | Rule::Renju | Rule::Caro | Rule::CaroExact => 5,
    }
}

fn build_windows(rule: Rule) -> Windows {
    let half = half_of(rule);
    let compiled = |color| Compiler::new(Family::of(rule, color), half).rows(color);
    let (black, white) = std::thread::scope(|scope| {
        let white = spawn_small(scope, || compiled(Color::White));
        (compiled(Color::Black), white.join().expect("building a table cannot fail"))
    });
    let side = side_keys(half);
    let mut bytes = vec![0u8; side * side];
    // Rows are by the cells before the middle, which are the low half of a key; columns are far
    // apart, so go through the table once, in order.
    for (after, out) in bytes.chunks_exact_mut(side).enumerate() {
        for (before, byte) in out.iter_mut().enumerate() {
            *byte = black.1[black.0[before]][after] | white.1[white.0[before]][after] << 4;
        }
    }
    let bytes: Arc<[u8]> = bytes.into();
    match half {
        4 => Windows::Half4(bytes.try_into().expect("2^16 keys")),
        _ => Windows::Half5(bytes.try_into().expect("2^20 keys")),
    }
}

/// Builds the cell tables of both colours.
fn build_cells(weights: &Weights) -> ByColor<Arc<CellTable>> {
    let rule = weights.rule();
    let build = |color| Arc::new(CellTable::new(Family::of(rule, color), weights.of(color)));
    let black = build(Color::Black);
    let white = if weights::is_shared(rule) { Arc::clone(&black) } else { build(Color::White) };
    ByColor([black, white])
}

impl CellTable {
    /// Builds the table of one family. The order of the directions does not matter, so each
    /// multiset is computed once.
    fn new(family: Family, weights: &FamilyWeights) -> CellTable {
        let mut infos = vec![CellInfo::default(); 1 << 16];
        let mut own_orders = vec![0; 1 << 16];
        let mut their_orders = vec![0; 1 << 16];
        for multiset in Multiset::all() {
            let shapes = multiset.shapes();
            let class = PointClass::combine(family, shapes);
            let info = CellInfo::new(class, weights.cell(multiset));
            let own = weights.order_own(multiset) as i16;
            let their = weights.order_their(multiset) as i16;
            for places in PERMUTATIONS {
                let code = (0..4).fold(0, |code, i| code | (shapes[places[i]] as usize) << (4 * i));
                infos[code] = info;
                own_orders[code] = own;
                their_orders[code] = their;
            }
        }
        let mut initiative = [[0; CLASS_ROWS]; CLASS_ROWS];
        for ours in PointClass::ALL {
            for theirs in PointClass::ALL {
                let value = weights.initiative(ours, theirs) as i16;
                initiative[ours.index()][theirs.index()] = value;
            }
        }
        CellTable {
            infos: infos.into_boxed_slice().try_into().expect("2^16 codes"),
            own_orders: own_orders.into_boxed_slice().try_into().expect("2^16 codes"),
            their_orders: their_orders.into_boxed_slice().try_into().expect("2^16 codes"),
            initiative,
        }
    }
}

const PERMUTATIONS: [[usize; 4]; 24] = permutations();

const fn permutations() -> [[usize; 4]; 24] {
    let mut all = [[0; 4]; 24];
    let mut n = 0;
    let mut code = 0;
    while code < 256 {
        let p = [code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6 & 3];
        if (1 << p[0] | 1 << p[1] | 1 << p[2] | 1 << p[3]) == 15 {
            all[n] = p;
            n += 1;
        }
        code += 1;
    }
    all
}
