//! The automaton, compiled into lookup tables.
//!
//! A window is the cells up to [`PatternTables::half`] steps from a point on one line, two bits
//! each as on the board ([`crate::board::lines`]), without the point itself: 2^16 keys where only
//! cells within four steps matter, 2^20 where the fifth decides whether a row is exactly five. One
//! byte holds the shapes of both colours, black's in the low half.

use std::sync::{Arc, OnceLock};

use super::automaton::{Automaton, AutomatonState, Symbol};
use super::class::PointClass;
use super::info::CellInfo;
use super::lexicon::{Entry, texts};
use super::set::PatternSet;
use super::shape::{Family, Shape};
use crate::rules::Rule;
use crate::sys::memory::both;
use crate::types::{ByColor, Color};

/// The number of keys of the cells on one side of a point.
const fn side_keys(half: usize) -> usize {
    1 << (2 * half)
}

/// The shapes of all windows.
#[derive(Clone, Debug)]
pub(super) enum Windows {
    /// Four cells to each side.
    Half4(Arc<[u8; 1 << 16]>),
    /// Five cells to each side.
    Half5(Arc<[u8; 1 << 20]>),
}

/// The pattern tables of one rule; immutable.
///
/// ```
/// use tengen_core::board::Board;
/// use tengen_core::patterns::{PatternTables, Shape};
/// use tengen_core::rules::Rule;
/// use tengen_core::types::{Color, Dir, Size};
///
/// let tables = PatternTables::get(Rule::Freestyle);
/// let mut board = Board::new(Size::square(15)?);
/// for x in 3..7 {
///     board.place(board.size().point(x, 7).unwrap(), Color::White);
/// }
/// let (line, pos) = board.line(board.size().point(7, 7).unwrap(), Dir::Horizontal);
/// assert_eq!(tables.shapes(tables.window_key(line, pos))[Color::White], Shape::Five);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PatternTables {
    rule: Rule,
    pub(super) windows: Windows,
    /// Indexed by the shapes of the four directions, four bits each; colours with the same rule
    /// share one table, which saves cache.
    pub(super) cells: ByColor<Arc<CellTable>>,
}

/// The combinations of four shapes for one family, indexed with four bits per direction.
pub(super) type CellTable = [CellInfo; 1 << 16];

static TABLES: [OnceLock<PatternTables>; Rule::ALL.len()] = [const { OnceLock::new() }; 5];

impl PatternTables {
    /// Returns the tables of a rule, which are built on first use and cached.
    pub fn get(rule: Rule) -> &'static PatternTables {
        TABLES[rule as usize].get_or_init(|| PatternTables::build(rule))
    }

    /// Builds the tables of a rule; most callers want [`PatternTables::get`].
    #[must_use]
    pub fn build(rule: Rule) -> PatternTables {
        let (windows, cells) = both(|| build_windows(rule), || build_cells(rule));
        PatternTables { rule, windows, cells }
    }

    /// Returns the rule.
    #[must_use]
    pub const fn rule(&self) -> Rule {
        self.rule
    }

    /// Returns the number of cells of a window on each side of its point.
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

    /// Returns the class and set of a cell for a colour, from its shapes with four bits per
    /// direction.
    #[inline]
    #[must_use]
    pub fn cell(&self, color: Color, shapes: u16) -> CellInfo {
        self.cells[color][usize::from(shapes)]
    }

    /// Returns the cells of a window as one colour sees them, with a stone of that colour in the
    /// middle: the input of [`super::definition`].
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

/// The entries and marked cells found so far around the middle of a window. Masks have one bit per
/// cell.
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

/// Returns the symbols that a letter of the lexicon stands for.
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
    /// The meaning of the text.
    pub entry: Entry,
    /// Its symbols.
    pub symbols: Vec<Symbol>,
    /// The index of its `+`, if it has one.
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

/// A compiler of the automaton of one family for windows of `half` cells to each side.
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

    /// Returns the findings of the texts that end at cell `end` in `state` and cover the middle.
    fn findings(&self, state: AutomatonState, end: usize) -> Findings {
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

    /// Returns, for every key of the cells before the middle, the row of the state and the findings
    /// after the middle, and for every such row the shapes by the cells after the middle.
    fn rows(&self, color: Color) -> (Vec<usize>, Vec<Vec<u8>>) {
        let mut rows = Vec::new();
        let mut row_of_state = vec![None; self.automaton.states()];
        // The texts that end at each cell after the middle depend on the state alone: find them
        // once.
        let found: Vec<Vec<Findings>> = (self.half + 1..=2 * self.half)
            .map(|end| {
                (0..self.automaton.states())
                    .map(|s| self.findings(AutomatonState::from_index(s), end))
                    .collect()
            })
            .collect();
        let starts = (0..side_keys(self.half))
            .map(|key| {
                let mut state = AutomatonState::START;
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
        (state, findings, depth, key): (AutomatonState, Findings, usize, usize),
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
    let (black, white) = both(|| compiled(Color::Black), || compiled(Color::White));
    let side = side_keys(half);
    let mut bytes = vec![0u8; side * side];
    // Rows are indexed by the cells before the middle, the low half of a key. Columns are far apart
    // in memory, so fill the table in one pass, in order.
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
fn build_cells(rule: Rule) -> ByColor<Arc<CellTable>> {
    let build = |color| build_cell_table(Family::of(rule, color));
    let black = build(Color::Black);
    let white = if Family::is_shared(rule) { Arc::clone(&black) } else { build(Color::White) };
    ByColor([black, white])
}

/// Builds the cell table of one family. The order of the directions does not matter, so each set
/// is computed once.
fn build_cell_table(family: Family) -> Arc<CellTable> {
    let mut infos = vec![CellInfo::default(); 1 << 16];
    for set in PatternSet::all() {
        let shapes = set.shapes();
        let info = CellInfo::new(PointClass::combine(family, shapes), set);
        for places in PERMUTATIONS {
            let code = (0..4).fold(0, |code, i| code | (shapes[places[i]] as usize) << (4 * i));
            infos[code] = info;
        }
    }
    let infos: Arc<[CellInfo]> = infos.into();
    infos.try_into().expect("2^16 codes")
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
