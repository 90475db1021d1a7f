//! What waits for a page.

use std::collections::VecDeque;

use tengen_lab::process::EngineLine;

/// The most bytes that wait; a page that is slow or away loses what lies beyond.
const MOST_BYTES: usize = 2 << 20;
/// The most lines that wait.
const MOST_LINES: usize = 8192;
/// The most lines that are taken at a time: those are lost if the connection breaks.
const BATCH: usize = 64;

/// How much a line is worth where there is no place for all.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Worth {
    /// Another one will come.
    Chatter,
    Answer,
    /// What happens to the engine.
    State,
}

/// A line of an engine that is to be added.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Heard(Worth, String);

impl Heard {
    pub(super) fn new(line: String) -> Heard {
        let worth = match EngineLine::parse(&line).is_chatter() {
            true => Worth::Chatter,
            false => Worth::Answer,
        };
        // Only our own begin with a brace.
        Heard(worth, if line.starts_with('{') { format!(" {line}") } else { line })
    }
}

/// Lines in the order in which they came, of bounded size: chatter gives way to answers, and the old to the new.
#[derive(Debug, Default)]
pub(super) struct PageOutbox {
    lines: VecDeque<(Worth, String)>,
    bytes: usize,
    /// The number of lines of each worth.
    counts: [usize; 3],
}

impl PageOutbox {
    /// Adds a line of an engine.
    pub(super) fn push(&mut self, Heard(worth, line): Heard) {
        self.add(worth, line);
    }

    /// Adds what happens to the engine, as JSON.
    pub(super) fn push_state(&mut self, json: String) {
        self.add(Worth::State, json);
    }

    /// Puts what has happened to the engine before all that waits.
    pub(super) fn push_state_first(&mut self, json: String) {
        self.bytes += json.len();
        self.counts[Worth::State as usize] += 1;
        self.lines.push_front((Worth::State, json));
    }

    /// Drops all that waits before the last that has happened to the engine; returns whether anything has.
    pub(super) fn begin_with_state(&mut self) -> bool {
        let is_state = |(worth, _): &(Worth, String)| *worth == Worth::State;
        let Some(at) = self.lines.iter().rposition(is_state) else { return false };
        let later = self.lines.split_off(at);
        for (worth, line) in std::mem::replace(&mut self.lines, later) {
            self.forget(worth, &line);
        }
        true
    }

    fn add(&mut self, worth: Worth, line: String) {
        self.bytes += line.len();
        self.counts[worth as usize] += 1;
        self.lines.push_back((worth, line));
        while self.bytes > MOST_BYTES || self.lines.len() > MOST_LINES {
            let least = self.counts.iter().position(|&count| count > 0);
            let oldest = self.lines.iter().position(|(worth, _)| Some(*worth as usize) == least);
            let Some((worth, line)) = oldest.and_then(|i| self.lines.remove(i)) else { return };
            self.forget(worth, &line);
        }
    }

    fn forget(&mut self, worth: Worth, line: &str) {
        self.bytes -= line.len();
        self.counts[worth as usize] -= 1;
    }

    /// Takes the next lines.
    pub(super) fn take(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        while lines.len() < BATCH
            && let Some((worth, line)) = self.lines.pop_front()
        {
            self.forget(worth, &line);
            lines.push(line);
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(outbox: &mut PageOutbox) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let more = outbox.take();
            if more.is_empty() {
                assert_eq!((outbox.bytes, outbox.counts), (0, [0; 3]));
                return lines;
            }
            lines.extend(more);
        }
    }

    #[test]
    fn lines_come_out_as_they_went_in() {
        let mut outbox = PageOutbox::default();
        outbox.push(Heard::new("OK".to_owned()));
        outbox.push(Heard::new("{}".to_owned()));
        outbox.push_state("{1}".to_owned());
        outbox.push_state_first("{0}".to_owned());
        assert_eq!(all(&mut outbox), ["{0}", "OK", " {}", "{1}"]);
    }

    #[test]
    fn what_is_of_a_process_before_the_last_is_dropped() {
        let mut outbox = PageOutbox::default();
        outbox.push(Heard::new("7,7".to_owned()));
        assert!(!outbox.begin_with_state());
        outbox.push_state("{gone}".to_owned());
        outbox.push_state("{ready}".to_owned());
        outbox.push(Heard::new("OK".to_owned()));
        assert!(outbox.begin_with_state());
        assert_eq!(all(&mut outbox), ["{ready}", "OK"]);
    }

    #[test]
    fn chatter_gives_way_first_and_memory_is_bounded() {
        let mut outbox = PageOutbox::default();
        outbox.push(Heard::new("7,7".to_owned()));
        outbox.push_state("{}".to_owned());
        for n in 0..3 * MOST_LINES {
            outbox.push(Heard::new(format!("MESSAGE {n}")));
        }
        assert_eq!(outbox.lines.len(), MOST_LINES);
        let lines = all(&mut outbox);
        assert_eq!((lines[0].as_str(), lines[1].as_str()), ("7,7", "{}"));
        assert_eq!(lines.last().unwrap(), &format!("MESSAGE {}", 3 * MOST_LINES - 1));
        outbox.push_state("{}".to_owned());
        for n in 0..500 {
            outbox.push(Heard::new(format!("{n},{}", "7".repeat(60_000))));
            assert!(outbox.bytes <= MOST_BYTES);
        }
        let lines = all(&mut outbox);
        assert_eq!(lines[0], "{}");
        assert!(lines.last().unwrap().starts_with("499,"));
    }
}
