//! Conversations between a match and an engine.

use std::collections::VecDeque;
use std::mem;
use std::time::Instant;

/// The most bytes of a conversation that are kept.
const KEPT: usize = 1 << 20;

/// The writer of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Speaker {
    /// The match, to the engine.
    Match,
    /// The engine, to the match.
    Engine,
}

/// A line of a conversation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TranscriptLine {
    /// The time at which it was sent or read.
    pub at: Instant,
    /// Its writer.
    pub speaker: Speaker,
    /// The line without its end.
    pub text: String,
}

/// The conversation of a game with one engine. Of a very long one, the end is kept.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GameTranscript {
    lines: VecDeque<TranscriptLine>,
    bytes: usize,
    dropped: u64,
}

impl GameTranscript {
    /// Adds a line.
    pub(super) fn add(&mut self, at: Instant, speaker: Speaker, text: &str) {
        self.push(TranscriptLine { at, speaker, text: text.to_owned() });
    }

    /// Adds the lines of another transcript, which came later.
    pub(super) fn append(&mut self, later: GameTranscript) {
        self.dropped += later.dropped;
        later.lines.into_iter().for_each(|line| self.push(line));
    }

    fn push(&mut self, line: TranscriptLine) {
        self.bytes += cost(&line);
        self.lines.push_back(line);
        while self.bytes > KEPT && self.lines.len() > 1 {
            let first = self.lines.pop_front();
            self.bytes -= first.as_ref().map_or(0, cost);
            self.dropped += 1;
        }
    }

    /// Returns the lines, oldest first.
    pub fn lines(&self) -> impl Iterator<Item = &TranscriptLine> {
        self.lines.iter()
    }

    /// Returns how many lines were dropped from the beginning.
    #[must_use]
    pub const fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Returns whether there is nothing in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Returns the transcript and leaves an empty one.
    pub(super) fn take(&mut self) -> GameTranscript {
        mem::take(self)
    }
}

fn cost(line: &TranscriptLine) -> usize {
    mem::size_of::<TranscriptLine>() + line.text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_long_conversation_is_kept() {
        let (mut transcript, now) = (GameTranscript::default(), Instant::now());
        for i in 0..10_000 {
            transcript.add(now, Speaker::Engine, &format!("{i} {}", "x".repeat(1000)));
        }
        let count = transcript.lines().count();
        assert!((900..1000).contains(&count), "{count}");
        assert_eq!(transcript.dropped(), 10_000 - count as u64);
        let last = transcript.lines().last().unwrap();
        assert!(last.text.starts_with("9999 "));
        let mut both = GameTranscript::default();
        both.add(now, Speaker::Match, "START 15");
        both.append(transcript.take());
        assert!(transcript.is_empty() && transcript.dropped() == 0);
        assert_eq!(both.lines().count() as u64 + both.dropped(), 10_001);
    }
}
