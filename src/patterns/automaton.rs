//! A dense Aho-Corasick automaton over the four contents that a cell can have.
//!
//! After Aho and Corasick, "Efficient string matching" (1975): a trie of the texts, failure links
//! found breadth first, and the links closed into a deterministic automaton, so that reading a
//! cell is one table look-up and never a walk along failure links.

/// The number of symbols of the alphabet.
pub const SYMBOLS: usize = 4;

/// A cell as one colour sees it.
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
    /// All symbols by their number.
    pub const ALL: [Symbol; SYMBOLS] = [Symbol::Own, Symbol::Opponent, Symbol::Edge, Symbol::Empty];
}

/// The number of a state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct State(u32);

impl State {
    /// The state before anything was read.
    pub const START: State = State(0);

    /// Returns the state with this number.
    #[inline]
    #[must_use]
    pub const fn from_index(index: usize) -> State {
        State(index as u32)
    }

    /// Returns the number of the state, below [`Automaton::states`].
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Finds every occurrence of every text of a fixed set in one pass.
#[derive(Clone, Debug)]
pub struct Automaton {
    next: Vec<[State; SYMBOLS]>,
    /// The texts that end in each state, longest first: its own and those of its failure state.
    matches: Vec<Vec<usize>>,
}

impl Automaton {
    /// Builds the automaton of `texts`; a text is known by its place in the list. Equal texts are
    /// all reported. Empty texts are never found.
    #[must_use]
    pub fn new(texts: &[Vec<Symbol>]) -> Automaton {
        const NONE: State = State(u32::MAX);
        let mut next = vec![[NONE; SYMBOLS]];
        let mut matches: Vec<Vec<usize>> = vec![Vec::new()];
        for (id, text) in texts.iter().enumerate().filter(|(_, text)| !text.is_empty()) {
            let mut state = State::START;
            for &symbol in text {
                let child = next[state.index()][symbol as usize];
                state = if child == NONE {
                    let new = State(next.len() as u32);
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

        // Breadth first, so that the failure state, which is nearer to the root, is closed already.
        let mut failure = vec![State::START; next.len()];
        let mut queue = std::collections::VecDeque::new();
        for child in &mut next[State::START.index()] {
            if *child == NONE {
                *child = State::START;
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
    pub fn step(&self, state: State, symbol: Symbol) -> State {
        self.next[state.index()][symbol as usize]
    }

    /// Returns the texts that end where `state` was reached.
    #[inline]
    #[must_use]
    pub fn matches(&self, state: State) -> &[usize] {
        &self.matches[state.index()]
    }
}
