//! What readers leave out of a library.

/// The names of what is left out of a library, each once.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LibLosses(Vec<&'static str>);

impl LibLosses {
    /// Moves that nobody can play.
    pub const ON_STONES: &str = "moves on stones, and what follows them";
    /// The rest of a file whose [`awaited`](super::LibReader::awaited) nodes do not come.
    pub const CUT_OFF: &str = "what the file announces and does not have (it may be cut off)";

    /// Adds a name.
    pub fn add(&mut self, name: &'static str) {
        if !self.0.contains(&name) {
            self.0.push(name);
        }
    }

    /// Adds bytes that were no letters, if a text had some.
    pub fn check_letters(&mut self, text: &str) {
        if text.contains(char::REPLACEMENT_CHARACTER) {
            self.add("bytes that are not letters of the encoding");
        }
    }

    /// Returns the names, in the order in which they were added.
    #[must_use]
    pub fn names(&self) -> &[&'static str] {
        &self.0
    }
}
