//! Lines of chat between the two players of a room.
//!
//! Each side numbers its lines, and says in pings and pongs how many of the other's it has heard. So what was
//! on its way when a connection broke is sent again, and shown once. A program that says nothing of chat in
//! them is one from before there was any, and is sent none: it would take a line for an error.

use std::collections::VecDeque;

use thiserror::Error;

use tengen_files::printable::brief;

/// The most characters of a line.
const MOST_OF_LINE: usize = 200;
/// The most lines that wait for the other side to hear them.
const MOST_WAITING: usize = 20;

/// The reason why a line is not sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum ChatFault {
    /// There is nothing in it.
    #[error("there is nothing to say")]
    Empty,
    /// The program of the other side is too old.
    #[error("the program of the other side has no chat")]
    NoChat,
    /// Too many lines wait.
    #[error("{MOST_WAITING} lines were not heard yet")]
    TooMany,
}

/// A line that is to be sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChatLine {
    /// Its number among those of its side, from 1.
    pub number: u64,
    /// What it says; it can be shown.
    pub text: String,
}

/// One side of a chat, without sockets.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct RoomChat {
    /// The number of the last own line.
    last: u64,
    /// The own lines that were not heard yet, as far as is known.
    waiting: VecDeque<ChatLine>,
    /// The number of the last line that was heard.
    heard: u64,
    /// Whether the other side has chat, once it is known on this connection.
    has_chat: Option<bool>,
    /// True once the other side has said what it has heard, on any connection.
    is_met: bool,
}

impl RoomChat {
    /// Takes a line that the player says, and returns it if it is to be sent at once; others wait until the
    /// other side is there.
    ///
    /// # Errors
    ///
    /// Returns an error if there is nothing in the line, or if it cannot be sent.
    pub fn say(&mut self, text: &str) -> Result<Option<ChatLine>, ChatFault> {
        let text = brief(text.trim(), MOST_OF_LINE);
        if text.is_empty() {
            return Err(ChatFault::Empty);
        }
        if self.has_chat == Some(false) {
            return Err(ChatFault::NoChat);
        }
        if self.waiting.len() >= MOST_WAITING {
            return Err(ChatFault::TooMany);
        }
        self.last = self.last.saturating_add(1);
        let line = ChatLine { number: self.last, text };
        self.waiting.push_back(line.clone());
        Ok(self.has_chat.map(|_| line))
    }

    /// Takes a line of the other side, and returns it as it can be shown, unless it was heard before.
    pub fn hear(&mut self, number: u64, text: &str) -> Option<String> {
        if number <= self.heard {
            return None;
        }
        self.heard = number;
        Some(brief(text.trim(), MOST_OF_LINE))
    }

    /// Returns the number of the last line that was heard, to be told to the other side.
    #[must_use]
    pub const fn heard(&self) -> u64 {
        self.heard
    }

    /// Takes note of the last line that the other side has heard, or that it speaks of none, and returns what
    /// is to be sent now.
    ///
    /// # Errors
    ///
    /// Returns an error if lines have waited for a program that has no chat: they are dropped.
    pub fn is_heard(&mut self, heard: Option<u64>) -> Result<Vec<ChatLine>, ChatFault> {
        let was_known = self.has_chat.replace(heard.is_some()).is_some();
        let Some(heard) = heard else {
            let dropped = std::mem::take(&mut self.waiting);
            return if dropped.is_empty() { Ok(Vec::new()) } else { Err(ChatFault::NoChat) };
        };
        if !std::mem::replace(&mut self.is_met, true) {
            // A side that was started anew goes on where it was, with what has waited since.
            self.last = heard;
            for line in &mut self.waiting {
                self.last = self.last.saturating_add(1);
                line.number = self.last;
            }
        }
        self.waiting.retain(|line| line.number > heard);
        if was_known {
            // The others are on their way.
            return Ok(Vec::new());
        }
        Ok(self.waiting.iter().cloned().collect())
    }

    /// Takes note that the connection is broken.
    pub const fn lose(&mut self) {
        self.has_chat = None;
    }

    /// Begins anew with somebody else, who hears nothing of what was said before.
    pub fn begin_anew(&mut self) {
        *self = RoomChat::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(lines: &[ChatLine]) -> Vec<u64> {
        lines.iter().map(|line| line.number).collect()
    }

    #[test]
    fn a_line_waits_until_the_other_side_is_known_to_have_chat() {
        let mut chat = RoomChat::default();
        assert_eq!(chat.say("hello"), Ok(None));
        assert_eq!(numbers(&chat.is_heard(Some(0)).unwrap()), [1]);
        let second = ChatLine { number: 2, text: "again".to_owned() };
        assert_eq!(chat.say("  again "), Ok(Some(second)));
        // Both are on their way, and not sent twice on one connection.
        assert_eq!(chat.is_heard(Some(0)), Ok(Vec::new()));
        assert_eq!(chat.say(" "), Err(ChatFault::Empty));
    }

    #[test]
    fn what_was_not_heard_is_sent_again_and_shown_once() {
        let (mut ann, mut bob) = (RoomChat::default(), RoomChat::default());
        assert_eq!(ann.is_heard(Some(bob.heard())), Ok(Vec::new()));
        let lines: Vec<ChatLine> = ["a", "b"].map(|text| ann.say(text).unwrap().unwrap()).into();
        assert_eq!(bob.hear(lines[0].number, &lines[0].text).as_deref(), Some("a"));
        ann.lose();
        assert_eq!(ann.say("c"), Ok(None));
        let again = ann.is_heard(Some(bob.heard())).unwrap();
        assert_eq!(numbers(&again), [2, 3]);
        let shown: Vec<_> = lines
            .iter()
            .chain(&again)
            .filter_map(|line| bob.hear(line.number, &line.text))
            .collect();
        assert_eq!(shown, ["b", "c"]);
        assert_eq!(ann.is_heard(Some(bob.heard())), Ok(Vec::new()));
        assert_eq!(ann.waiting.len(), 0);
    }

    #[test]
    fn a_side_that_was_started_anew_is_heard_too() {
        let (mut ann, mut bob) = (RoomChat::default(), RoomChat::default());
        bob.hear(7, "the last line of a host that was killed");
        assert_eq!(ann.is_heard(Some(bob.heard())), Ok(Vec::new()));
        let line = ann.say("back again").unwrap().unwrap();
        assert_eq!(bob.hear(line.number, &line.text).as_deref(), Some("back again"));
    }

    #[test]
    fn what_waits_in_a_side_that_was_started_anew_is_heard_too() {
        for before in [1, 7] {
            let (mut ann, mut bob) = (RoomChat::default(), RoomChat::default());
            bob.hear(before, "the last line of a host that was killed");
            for text in ["a", "b"] {
                assert_eq!(ann.say(text), Ok(None));
            }
            // The line may break before anything of that is heard.
            for _ in 0..2 {
                ann.lose();
                let lines = ann.is_heard(Some(bob.heard())).unwrap();
                assert_eq!(numbers(&lines), [before + 1, before + 2]);
            }
            let lines: Vec<ChatLine> = ann.waiting.iter().cloned().collect();
            let heard = lines.iter().filter_map(|line| bob.hear(line.number, &line.text));
            assert_eq!(heard.collect::<Vec<_>>(), ["a", "b"]);
        }
    }

    #[test]
    fn programs_without_chat_are_sent_none() {
        let mut chat = RoomChat::default();
        assert_eq!(chat.is_heard(None), Ok(Vec::new()));
        assert_eq!(chat.say("hello"), Err(ChatFault::NoChat));
        chat.lose();
        assert_eq!(chat.say("hello"), Ok(None));
        assert_eq!(chat.is_heard(None), Err(ChatFault::NoChat));
        assert_eq!(chat.is_heard(None), Ok(Vec::new()));
    }

    #[test]
    fn lines_are_short_few_and_harmless() {
        let mut chat = RoomChat::default();
        let shown = chat.hear(u64::MAX, &"\u{1b}x".repeat(9000)).unwrap();
        assert!(!shown.contains('\u{1b}') && shown.chars().count() <= MOST_OF_LINE + 1);
        assert_eq!(chat.hear(u64::MAX, "more"), None);
        assert_eq!(chat.is_heard(Some(u64::MAX)), Ok(Vec::new()));
        for _ in 0..MOST_WAITING {
            assert!(chat.say("x").is_ok());
        }
        assert_eq!(chat.say("x"), Err(ChatFault::TooMany));
    }
}
