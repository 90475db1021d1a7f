//! A dense Aho-Corasick automaton over the four symbols of a cell.
//!
//! After Aho and Corasick, "Efficient string matching" (1975): a trie of the texts, failure links
//! found breadth first, and the links closed into a deterministic automaton, so that reading a cell
//! is one table lookup and never follows failure links.

/// The size of the alphabet.
pub const SYMBOLS: usize = 4;

/// The content of a cell from the view of one colour.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Symbol {
    /// An own stone.
    Own = 0,
    /// An opponent stone.
    Opponent = 1,
    /// Beyond the edge of the board, or a neutral stone.
    Edge = 2,
    /// An empty cell.
    Empty = 3,
}

impl Symbol {
    /// All symbols, by number.
    pub const ALL: [Symbol; SYMBOLS] = [Symbol::Own, Symbol::Opponent, Symbol::Edge, Symbol::Empty];
}

/// The number of a state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AutomatonState(u32);

impl AutomatonState {
    /// The initial state.
    pub const START: AutomatonState = AutomatonState(0);

    /// Returns the state with this number.
    #[inline]
    #[must_use]
    pub const fn from_index(index: usize) -> AutomatonState {
        AutomatonState(index as u32)
    }

    /// Returns the number of the state, below [`Automaton::states`].
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// An automaton that finds every occurrence of every text of a fixed set in one pass.
#[derive(Clone, Debug)]
pub struct Automaton {
    next: Vec<[AutomatonState; SYMBOLS]>,
    /// The texts that end in each state, longest first, including those of its failure state.
    matches: Vec<Vec<usize>>,
}

impl Automaton {
    /// Builds the automaton of `texts`; a text is identified by its index in the list. Equal texts
    /// are all reported. Empty texts are never found.
    #[must_use]
    pub fn new(texts: &[Vec<Symbol>]) -> Automaton {
        const NONE: AutomatonState = AutomatonState(u32::MAX);
        let mut next = vec![[NONE; SYMBOLS]];
        let mut matches: Vec<Vec<usize>> = vec![Vec::new()];
        for (id, text) in texts.iter().enumerate().filter(|(_, text)| !text.is_empty()) {
            let mut state = AutomatonState::START;
            for &symbol in text {
                let child = next[state.index()][symbol as usize];
                state = if child == NONE {
                    let new = AutomatonState(next.len() as u32);
                    next[state.index()][symbol as usize] = new;
                    next.push([NONE; SYMBOLS]);
                    matches.push(Vec::new());
                    new
                } else {
                    child
                };
            }
            matches[state.index()].push(id);
        }

        // Breadth first, so that the failure state, which is nearer to the root, is already closed.
        let mut failure = vec![AutomatonState::START; next.len()];
        let mut queue = std::collections::VecDeque::new();
        for child in &mut next[AutomatonState::START.index()] {
            if *child == NONE {
                *child = AutomatonState::START;
            } else {
                queue.push_back(*child);
            }
        }
        while let Some(state) = queue.pop_front() {
            let inherited = matches[failure[state.index()].index()].clone();
            matches[state.index()].extend(inherited);
            let fallbacks = next[failure[state.index()].index()];
            for (child, fallback) in next[state.index()].iter_mut().zip(fallbacks) {
                if *child == NONE {
                    *child = fallback;
                } else {
                    failure[child.index()] = fallback;
                    queue.push_back(*child);
                }
            }
        }
        Automaton { next, matches }
    }

    /// Returns the number of states.
    #[must_use]
    pub fn states(&self) -> usize {
        self.next.len()
    }

    /// Returns the state after reading `symbol` in `state`.
    #[inline]
    #[must_use]
    pub fn step(&self, state: AutomatonState, symbol: Symbol) -> AutomatonState {
        self.next[state.index()][symbol as usize]
    }

    /// Returns the texts that end in `state`.
    #[inline]
    #[must_use]
    pub fn matches(&self, state: AutomatonState) -> &[usize] {
        &self.matches[state.index()]
    }
}
