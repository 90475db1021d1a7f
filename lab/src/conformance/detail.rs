//! The lines with which an engine shows a running search, to managers that asked for them.
//!
//! `INFO show_detail` asks: its first bit for `MESSAGE REALTIME` lines, its second for `INFO`
//! lines. Who has not asked takes such a line for a move, or crashes on it.

use super::referee::Referee;
use super::script::CellXy;
use crate::process::{EngineLine, strict_cell, strict_number};

/// The bit of `show_detail` that asks for `MESSAGE REALTIME` lines.
const REALTIME: i64 = 1;
/// The bit of `show_detail` that asks for `INFO` lines.
const INFO: i64 = 2;

/// Words that make a `MESSAGE` an answer to managers of the Yixin family, who may expect none.
const ANSWERS: [&str; 6] = ["DATABASE", "INFO", "SWAP2", "SOOSORV", "REVIEW", "PROOF"];

/// The fields that every block of `INFO` lines has, in this order; others may stand between them.
const FIELDS: [&str; 5] = ["NUMPV", "DEPTH", "EVAL", "WINRATE", "BESTLINE"];

/// Follows what the manager asked for and what the engine has shown.
#[derive(Clone, Default, Debug)]
pub(super) struct Details {
    asked: i64,
    block: Option<InfoBlock>,
    /// The first moves of the lines shown since the best one.
    first_moves: Vec<CellXy>,
}

/// A block of `INFO` lines that is not closed: what the engine thinks of one line of play.
#[derive(Clone, Debug)]
struct InfoBlock {
    index: i64,
    /// The number of [`FIELDS`] that have come.
    fields: usize,
    keys: Vec<String>,
}

impl Details {
    /// Takes note of a line sent to the engine.
    pub(super) fn sent(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let [info, key, value, ..] = words[..]
            && info.eq_ignore_ascii_case("INFO")
            && key.eq_ignore_ascii_case("show_detail")
            && let Ok(value) = value.parse::<i64>()
        {
            self.asked = value.clamp(0, REALTIME | INFO);
        }
    }

    /// Returns whether the manager skips this line when it waits for a reply.
    pub(super) fn is_chatter(&self, line: &str) -> bool {
        match EngineLine::strict(line) {
            EngineLine::Message(text) if !text.is_empty() => {
                // Yixin Board compares in any case, and only the first letters.
                let text = text.to_ascii_uppercase();
                let realtime = text.starts_with("REALTIME");
                !ANSWERS.iter().any(|word| text.starts_with(word))
                    && (!realtime || self.asked & REALTIME != 0)
            }
            EngineLine::Debug(text) => !text.is_empty(),
            EngineLine::Info(text) => !text.is_empty() && self.asked & INFO != 0,
            _ => false,
        }
    }

    /// Checks the next line of the engine, where it shows a search.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with it.
    pub(super) fn check(&mut self, line: &str, referee: &Referee) -> Result<(), String> {
        match EngineLine::strict(line) {
            EngineLine::Message(text) if self.asked & REALTIME != 0 => {
                match text.strip_prefix("REALTIME ") {
                    Some(text) => check_realtime(text, referee),
                    None => Ok(()),
                }
            }
            EngineLine::Info(text) if self.asked & INFO != 0 => self.check_info(text, referee),
            EngineLine::Info(_) => Ok(()),
            _ if self.block.is_some() && !self.is_chatter(line) => {
                Err("it comes before the INFO PV DONE of the lines before it".to_owned())
            }
            _ => Ok(()),
        }
    }

    fn check_info(&mut self, text: &str, referee: &Referee) -> Result<(), String> {
        let Some((key, value)) = text.split_once(' ') else {
            return Err("it has no value".to_owned());
        };
        match (key, value, self.block.take()) {
            ("PV", "DONE", Some(block)) if block.fields == FIELDS.len() => Ok(()),
            ("PV", "DONE", Some(block)) => Err(format!("{} is missing", FIELDS[block.fields])),
            ("PV", _, Some(_)) => Err("the lines before it have no INFO PV DONE".to_owned()),
            ("PV", index, None) => {
                let index = strict_number(index).ok_or("it needs a number")?;
                if index == 0 {
                    self.first_moves.clear();
                }
                self.block = Some(InfoBlock { index, fields: 0, keys: Vec::new() });
                Ok(())
            }
            (_, _, None) => Err("there is no INFO PV before it".to_owned()),
            (key, value, Some(mut block)) => {
                block.take_key(key)?;
                check_value(key, value, block.index)?;
                if key == "BESTLINE" {
                    self.check_best_line(value, referee)?;
                }
                self.block = Some(block);
                Ok(())
            }
        }
    }

    fn check_best_line(&mut self, value: &str, referee: &Referee) -> Result<(), String> {
        let EngineLine::Cells(cells) = EngineLine::strict(value) else {
            return Err("it needs cells separated by single blanks".to_owned());
        };
        referee.check_empty(&cells)?;
        if let Some(first) = cells.first() {
            if self.first_moves.contains(first) {
                return Err("another line of the search begins with the same move".to_owned());
            }
            self.first_moves.push(*first);
        }
        Ok(())
    }
}

impl InfoBlock {
    fn take_key(&mut self, key: &str) -> Result<(), String> {
        if self.keys.iter().any(|known| known == key) {
            return Err(format!("the second {key} of a block"));
        }
        self.keys.push(key.to_owned());
        let next = FIELDS.get(self.fields).copied();
        if next == Some(key) {
            self.fields += 1;
        } else if FIELDS.contains(&key) {
            return Err(format!("it comes before {}", next.unwrap_or("INFO PV DONE")));
        }
        Ok(())
    }
}

/// Checks the value of a field as far as managers compute with it.
fn check_value(key: &str, value: &str, index: i64) -> Result<(), String> {
    let fits = match key {
        "NUMPV" => strict_number(value).is_some_and(|number| index < number),
        "DEPTH" | "SELDEPTH" | "NODES" | "TOTALNODES" | "TOTALTIME" | "SPEED" => {
            strict_number(value).is_some()
        }
        "EVAL" => is_score(value),
        "WINRATE" => value.parse().is_ok_and(|rate: f64| (0.0..=1.0).contains(&rate)),
        _ => true,
    };
    if fits { Ok(()) } else { Err(format!("{value} is not a valid {key}")) }
}

/// Returns whether this is an integer, or `+M5` or `-M5`.
fn is_score(text: &str) -> bool {
    match text.strip_prefix("+M").or_else(|| text.strip_prefix("-M")) {
        Some(plies) => strict_number(plies).is_some(),
        None => strict_number(text.strip_prefix('-').unwrap_or(text)).is_some(),
    }
}

fn check_realtime(text: &str, referee: &Referee) -> Result<(), String> {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    match word {
        "REFRESH" if rest.is_empty() => Ok(()),
        "POS" | "DONE" | "BEST" | "LOST" => {
            let cell = strict_cell(rest).ok_or("it needs a cell")?;
            referee.check_empty(&[cell])
        }
        "VAL" if is_score(rest) => Ok(()),
        "PV" if !rest.is_empty() => Ok(()),
        _ => Err("no manager knows this line".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn details(asked: i64) -> Details {
        let mut details = Details::default();
        details.sent(&format!("info Show_Detail {asked}\r"));
        details
    }

    /// Returns what is wrong with the first wrong line; 7,7 is not empty.
    fn fault(lines: &[&str]) -> Option<String> {
        let mut referee = Referee::default();
        referee.sent("START 15");
        referee.received("OK");
        referee.sent("TURN 7,7");
        let mut details = details(3);
        lines.iter().find_map(|line| details.check(line, &referee).err())
    }

    const BLOCK: [&str; 9] = [
        "INFO PV 0",
        "INFO NUMPV 2",
        "INFO DEPTH 5",
        "INFO SELDEPTH 9",
        "INFO EVAL -35",
        "INFO WINRATE 0.4501",
        "INFO DRAWRATE 0.1",
        "INFO BESTLINE 8,8 9,9",
        "INFO PV DONE",
    ];

    #[test]
    fn lines_about_a_search_are_chatter_only_for_those_who_asked() {
        for (asked, realtime, info) in [
            (-1, false, false),
            (0, false, false),
            (1, true, false),
            (2, false, true),
            (9, true, true),
        ] {
            let details = details(asked);
            assert_eq!(details.is_chatter("MESSAGE REALTIME BEST 7,7"), realtime, "{asked}");
            assert_eq!(details.is_chatter("INFO DEPTH 5"), info, "{asked}");
            assert!(details.is_chatter("MESSAGE depth 1") && details.is_chatter("DEBUG x"));
            assert!(!details.is_chatter("7,7") && !details.is_chatter("OK"));
        }
    }

    #[test]
    fn answers_to_yixin_boards_are_no_chatter() {
        for text in ["INFO MAX_HASH_SIZE 20", "SWAP2 MOVE1 7 7", "Database DONE", "soosorv SWAP1 Y"]
        {
            assert!(!details(3).is_chatter(&format!("MESSAGE {text}")), "{text}");
        }
    }

    #[test]
    fn a_whole_block_is_right() {
        assert_eq!(fault(&BLOCK), None);
        let won = ["INFO EVAL +M5", "INFO WINRATE 1"];
        let block = [&BLOCK[..4], &won, &BLOCK[7..], &["MESSAGE depth 1", "8,8"]].concat();
        assert_eq!(fault(&block), None);
    }

    #[test]
    fn incomplete_and_disordered_blocks_are_found() {
        let without = |i: usize| [&BLOCK[..i], &BLOCK[i + 1..]].concat();
        let with = |i: usize, line| [&BLOCK[..i], &[line], &BLOCK[i..]].concat();
        let instead = |i: usize, line| [&BLOCK[..i], &[line], &BLOCK[i + 1..]].concat();
        let cases = [
            (without(0), "there is no INFO PV before it"),
            (without(1), "it comes before NUMPV"),
            (without(7), "BESTLINE is missing"),
            (with(8, "7,8"), "it comes before the INFO PV DONE"),
            (with(8, "INFO PV 1"), "have no INFO PV DONE"),
            (with(3, "INFO DEPTH 5"), "the second DEPTH"),
            (instead(1, "INFO NUMPV 0"), "0 is not a valid NUMPV"),
            (instead(2, "INFO DEPTH"), "it has no value"),
            (instead(4, "INFO EVAL +M"), "+M is not a valid EVAL"),
            (instead(4, "INFO EVAL M5"), "M5 is not a valid EVAL"),
            (instead(5, "INFO WINRATE 45"), "45 is not a valid WINRATE"),
            (instead(7, "INFO BESTLINE H8"), "it needs cells"),
            (instead(7, "INFO BESTLINE 8,8 7,7"), "7,7 is not empty"),
            (instead(7, "INFO BESTLINE 8,8 15,1"), "15,1 is off the board"),
        ];
        for (lines, expected) in cases {
            let found = fault(&lines).unwrap_or_default();
            assert!(found.contains(expected), "{lines:?}: {found}");
        }
    }

    #[test]
    fn the_lines_of_one_search_begin_with_different_moves() {
        let other = |line: &'static str| {
            let mut block = BLOCK;
            (block[0], block[7]) = ("INFO PV 1", line);
            block
        };
        assert_eq!(fault(&[BLOCK, other("INFO BESTLINE 9,9 8,8"), BLOCK].concat()), None);
        let found = fault(&[BLOCK, other("INFO BESTLINE 8,8 9,9")].concat());
        assert!(found.is_some_and(|fault| fault.contains("the same move")));
    }

    #[test]
    fn real_time_lines_are_those_that_managers_know() {
        let right = [
            "REFRESH", "POS 1,2", "DONE 1,2", "BEST 1,2", "LOST 1,2", "VAL -5", "VAL +M3",
            "PV H8 I9",
        ];
        for text in right {
            assert_eq!(fault(&[&format!("MESSAGE REALTIME {text}")]), None, "{text}");
        }
        for text in ["LOSE 1,2", "POS 1 2", "BEST 7,7", "POS 15,0", "VAL x", "REFRESH 1", "PV", "X"]
        {
            assert!(fault(&[&format!("MESSAGE REALTIME {text}")]).is_some(), "{text}");
        }
    }
}
