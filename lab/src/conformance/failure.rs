//! Reports of failed transcripts.

use std::collections::VecDeque;
use std::fmt;
use std::time::Duration;

use super::warning::Warning;

/// A transcript that an engine did not fulfil.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The name of the transcript.
    pub name: String,
    /// The line number of the step that failed, counted from 1; 0 if the transcript does not
    /// write it down (the usual start, the usual end).
    pub line: usize,
    /// The step as written.
    pub step: String,
    /// The expected event.
    pub expected: String,
    /// The event that came instead.
    pub came: String,
    /// Everything said so far.
    pub traffic: Traffic,
    /// Warnings before that.
    pub warnings: Vec<Warning>,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => writeln!(f, "{}: {}", self.name, self.step)?,
            line => writeln!(f, "{}:{line}: {}", self.name, self.step)?,
        }
        writeln!(f, "  expected: {}", self.expected)?;
        writeln!(f, "  got:      {}", self.came)?;
        writeln!(f, "  traffic:")?;
        write!(f, "{}", self.traffic)
    }
}

impl std::error::Error for Failure {}

/// What was said in a conversation, with the seconds since the process was started; of a long one its start and
/// its end.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Traffic {
    entries: VecDeque<TrafficEntry>,
    /// The number of entries between that were forgotten.
    hidden: usize,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct TrafficEntry {
    at: Duration,
    mark: char,
    text: String,
}

/// The numbers of entries kept from the start and from the end of a long conversation.
const SHOWN: (usize, usize) = (20, 100);
/// The most characters shown of a long line.
const SHOWN_WIDTH: usize = 200;

impl Traffic {
    /// Adds an entry; `mark` is `>` for what was sent, `<` for what came, or another character.
    pub(super) fn add(&mut self, at: Duration, mark: char, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
        let escaped = text.chars().flat_map(|c| match c {
            '"' | '\'' | '\\' => c.to_string().chars().collect::<Vec<_>>(),
            c => c.escape_debug().collect(),
        });
        let mut text: String = escaped.take(SHOWN_WIDTH + 1).collect();
        if let Some((cut, _)) = text.char_indices().nth(SHOWN_WIDTH) {
            text.truncate(cut);
            text.push_str(&format!("… ({} bytes)", bytes.len()));
        }
        self.entries.push_back(TrafficEntry { at, mark, text });
        if self.entries.len() > SHOWN.0 + SHOWN.1 {
            self.entries.remove(SHOWN.0);
            self.hidden += 1;
        }
    }
}

impl fmt::Display for Traffic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, entry) in self.entries.iter().enumerate() {
            if i == SHOWN.0 && self.hidden > 0 {
                writeln!(f, "       … {} more lines …", self.hidden)?;
            }
            let line = format!("{:8.3} {} {}", entry.at.as_secs_f64(), entry.mark, entry.text);
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traffic_shows_times_directions_and_invisible_bytes() {
        let mut traffic = Traffic::default();
        traffic.add(Duration::from_millis(1), '>', b"START 15\r");
        traffic.add(Duration::from_millis(1250), '<', b"MESSAGE \"a\\b\"");
        assert_eq!(traffic.to_string(), "   0.001 > START 15\\r\n   1.250 < MESSAGE \"a\\b\"\n");
    }

    #[test]
    fn long_conversations_and_lines_are_shortened() {
        let mut traffic = Traffic::default();
        for second in 0..500 {
            traffic.add(Duration::from_secs(second), '>', &[b'x'; 1000]);
        }
        assert_eq!(traffic.entries.len(), SHOWN.0 + SHOWN.1);
        let text = traffic.to_string();
        assert_eq!(text.lines().count(), SHOWN.0 + SHOWN.1 + 1);
        assert!(text.contains("380 more lines") && text.contains("(1000 bytes)"));
        let begins =
            |line: usize, second: &str| text.lines().nth(line).unwrap().starts_with(second);
        assert!(begins(19, "  19.000 >") && begins(21, " 400.000 >"), "{text}");
        assert!(text.lines().all(|line| line.chars().count() < 240));
    }
}
