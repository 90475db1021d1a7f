//! Search information in the forms that managers know.

use super::EngineLine;

/// The score of a win at once; a win in n is n less.
const WIN: i32 = 30_000;
/// The most plies that a win is thought to take; evaluations stay below such a win.
const LONGEST_WIN: i32 = 1_000;

/// The search information of an engine, from its own point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SearchInfo {
    /// The score in its own units; a forced win is above, a forced loss below all others.
    pub score: Option<i32>,
    /// The depth, in plies.
    pub depth: Option<u32>,
    /// The nodes searched.
    pub nodes: Option<u64>,
}

/// Gathers a [`SearchInfo`] from the lines that come before an answer: of each figure the last one
/// that belongs to the best line.
///
/// Understood are words and values in any order, as in `MESSAGE depth 12-20 ev 35 n 1500K`, with
/// bars between the fields or without; the short form `MESSAGE (1) 35 | 12-20 | H8`; and lines of
/// one field each, as in `INFO EVAL 35`. A score is a number or a win or loss in N plies,
/// `+M5` or `-M4`. Everything else is passed over.
#[derive(Clone, Copy, Debug, Default)]
pub struct SearchInfoReader {
    info: SearchInfo,
    /// Which of several lines the next `INFO` lines are about; 0 is the best.
    pv: u64,
}

impl SearchInfoReader {
    /// Takes a line.
    pub fn read(&mut self, line: &EngineLine<'_>) {
        let new = match line {
            EngineLine::Message(text) | EngineLine::Debug(text) => message(text),
            EngineLine::Info(text) => self.info_line(text),
            _ => SearchInfo::default(),
        };
        let info = &mut self.info;
        info.score = new.score.or(info.score);
        info.depth = new.depth.or(info.depth);
        info.nodes = new.nodes.or(info.nodes);
    }

    /// Returns what was said so far.
    #[must_use]
    pub const fn info(&self) -> SearchInfo {
        self.info
    }

    fn info_line(&mut self, text: &str) -> SearchInfo {
        let (key, value) = split_word(text);
        let key = key.to_ascii_uppercase();
        if key == "PV" {
            self.pv = value.parse().unwrap_or(0);
        }
        let mut info = SearchInfo::default();
        match key.as_str() {
            // The nodes of all lines together.
            "TOTALNODES" => info.nodes = count(value),
            _ if self.pv > 0 => {}
            "EVAL" => info.score = score(value),
            "DEPTH" => info.depth = depth(value),
            "NODES" => info.nodes = count(value),
            _ => {}
        }
        info
    }
}

/// Reads the text of a `MESSAGE`.
fn message(text: &str) -> SearchInfo {
    let mut info = SearchInfo::default();
    let separators = |c: char| c.is_whitespace() || matches!(c, '|' | '=' | ':' | ';' | ',');
    let mut words = text.split(separators).filter(|word| !word.is_empty());
    while let Some(word) = words.next() {
        let value = words.clone().next().unwrap_or_default();
        match word.to_ascii_lowercase().as_str() {
            "(1)" => {
                info.score = score(value);
                words.next();
                info.depth = words.next().and_then(depth);
            }
            // Another line than the best.
            "multipv" if value != "1" => return SearchInfo::default(),
            // Cells follow, and they may look like anything.
            "pv" | "bestline" => break,
            "depth" | "dep" => info.depth = depth(value).or(info.depth),
            "ev" | "eval" | "value" | "val" | "score" | "sc" => {
                info.score = score(value).or(info.score);
            }
            "n" | "node" | "nodes" | "nd" | "called" | "visits" => {
                info.nodes = count(value).or(info.nodes);
            }
            _ => {}
        }
    }
    info
}

/// Returns the first word and what follows it, without blanks around either.
fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim_start())
}

/// Reads the depth at the beginning of `12-20`.
fn depth(text: &str) -> Option<u32> {
    text.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// Reads an evaluation, or a win or loss in N plies.
fn score(text: &str) -> Option<i32> {
    let unsigned = |text| match str::strip_prefix(text, '-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let (sign, magnitude) = unsigned(text);
    Some(match magnitude.strip_prefix(['M', 'm', '#']).map(unsigned) {
        // The sign is on either side of the letter.
        Some((behind, plies)) => {
            sign * behind * (WIN - plies.parse::<u32>().ok()?.min(LONGEST_WIN as u32) as i32)
        }
        // Engines have evaluations of any size; a win is above all of them.
        None => sign * number(magnitude)?.round().min(f64::from(WIN - LONGEST_WIN - 1)) as i32,
    })
}

/// Reads a number of nodes, maybe in thousands, millions, billions or trillions.
fn count(text: &str) -> Option<u64> {
    let (digits, unit) = match text.bytes().last()?.to_ascii_uppercase() {
        b'K' => (&text[..text.len() - 1], 1e3),
        b'M' => (&text[..text.len() - 1], 1e6),
        b'G' | b'B' => (&text[..text.len() - 1], 1e9),
        b'T' => (&text[..text.len() - 1], 1e12),
        _ => (text, 1.0),
    };
    digits.parse().ok().filter(|_| unit == 1.0).or_else(|| {
        // The conversion saturates.
        Some((number(digits)? * unit).round() as u64)
    })
}

/// Reads a decimal number without a sign, an exponent or any other word for a number.
fn number(text: &str) -> Option<f64> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    if plain { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(lines: &[&str]) -> SearchInfo {
        let mut reader = SearchInfoReader::default();
        lines.iter().for_each(|line| reader.read(&EngineLine::parse(line)));
        reader.info()
    }

    fn info(score: i32, depth: u32, nodes: impl Into<Option<u64>>) -> SearchInfo {
        SearchInfo { score: Some(score), depth: Some(depth), nodes: nodes.into() }
    }

    #[test]
    fn the_lines_of_other_engines_are_understood() {
        for (line, expected) in [
            // Yixin, Embryo and others that write for the same managers.
            (
                "MESSAGE depth 12-20 ev 35 n 1500K n/ms 640 tm 2345 pv H8 I9",
                info(35, 12, 1_500_000),
            ),
            ("MESSAGE depth 9-13 multipv 1 ev -M12 n 980 n/ms 6 tm 2 pv n8", info(-29_988, 9, 980)),
            // Rapfi.
            ("MESSAGE Depth 12-20 | Eval 35 | Time 1.5s | H8 I9", info(35, 12, None)),
            ("MESSAGE Depth 12-20 | Eval +M5 | Time 987ms | H8 I9", info(29_995, 12, None)),
            ("MESSAGE (1) 35 | 12-20 | H8 I9", info(35, 12, None)),
            // As in chess.
            ("MESSAGE depth 12 ev #-5", info(-29_995, 12, None)),
            ("MESSAGE depth 12 ev M-5", info(-29_995, 12, None)),
            ("MESSAGE depth 12 ev #+5", info(29_995, 12, None)),
            ("MESSAGE depth 12 ev -#5", info(-29_995, 12, None)),
            (
                "MESSAGE Speed 640Kn/s | Depth 12-20 | Eval -35 | Node 1.5M | Time 1.5s",
                info(-35, 12, 1_500_000),
            ),
            // AlphaGomoku.
            (
                "MESSAGE depth 1-45 ev 60.1 winrate 56.7 drawrate 6.9 n 288959 n/s 12487 tm 2 pv Xf4",
                info(60, 1, 288_959),
            ),
            ("DEBUG dep=7 val=-12 nd=3G", info(-12, 7, 3_000_000_000)),
        ] {
            assert_eq!(read(&[line]), expected, "{line}");
        }
        let mcts =
            "MESSAGE multipv 1 ev 35 w 55.2 d 3.1 stdev 0.05 v 120K seldepth 15 n 240K n/ms 20";
        assert_eq!(read(&[mcts]), SearchInfo { depth: None, ..info(35, 0, 240_000) });
    }

    #[test]
    fn only_the_last_words_about_the_best_line_count() {
        let lines = [
            "MESSAGE depth 3 ev 10 n 50",
            "MESSAGE depth 4 ev 20 n 100",
            "MESSAGE depth 4 multipv 2 ev -900 n 110",
            "MESSAGE (2) -800 | 5-9 | H8",
            "MESSAGE a slow computer; value of speed n/s 3000",
            "7,7",
        ];
        assert_eq!(read(&lines), info(20, 4, 100));
        let lines = [
            "INFO PV 0",
            "INFO DEPTH 8",
            "INFO SELDEPTH 20",
            "INFO NODES 90",
            "INFO EVAL +M7",
            "INFO PV DONE",
            "info pv 1",
            "INFO DEPTH 7",
            "INFO EVAL -5",
            "INFO TOTALNODES 120",
        ];
        assert_eq!(read(&lines), info(29_993, 8, 120));
    }

    #[test]
    fn no_evaluation_is_beyond_a_win() {
        for (text, expected) in [
            ("99999999999999999999", 28_999),
            ("-31000", -28_999),
            ("+M99999", 29_000),
            ("M0", 30_000),
            ("-M99999999999", 0),
        ] {
            let score = read(&[&format!("INFO EVAL {text}")]).score;
            assert_eq!(score.unwrap_or(0), expected, "{text}");
        }
        for text in ["", "-", "+M", "inf", "-nan", "1e5", "--3", "1.2.3", "٣"] {
            assert_eq!(read(&[&format!("MESSAGE ev {text}")]).score, None, "{text}");
        }
        assert_eq!(read(&["INFO NODES 99999999999999999999T"]).nodes, Some(u64::MAX));
    }

    proptest! {
        #[test]
        fn no_line_is_too_much(
            line in "(MESSAGE|INFO|debug)( (depth|ev|n|\\(1\\)|pv|EVAL|PV|[-+]?M?[0-9.]*[KMé]?|\\PC*)){0,6}",
        ) {
            let score = read(&[&line]).score.unwrap_or(0);
            prop_assert!((-WIN..=WIN).contains(&score));
        }
    }
}
