//! Properties of a whole game in SGF: rules and results as people write them.

use crate::records::ending::reason_of;
use crate::records::{GameResult, Reason};
use tengen_core::rules::Rule;
use tengen_core::types::Color;

/// Words for playing without forbidden moves, in any language; they come before the names of games.
const FREE: [&str; 14] = [
    "free",
    "unrestricted",
    "no restriction",
    "without restriction",
    "no forbidden",
    "without forbidden",
    "no fouls",
    "无禁",
    "無禁",
    "禁手なし",
    "禁手無",
    "свободн",
    "без фолов",
    "volná",
];

/// Words for renju: its name, and what is played in no other game.
const RENJU: [&str; 21] = [
    "renju",
    "rendzu",
    "rendju",
    "рендзю",
    "рэндзю",
    "ренджу",
    "連珠",
    "连珠",
    "聯珠",
    "联珠",
    "禁手",
    "有禁",
    "렌주",
    "rif",
    "sakata",
    "yamaguchi",
    "taraguchi",
    "tarannikov",
    "soosorv",
    "soosõrv",
    "soosyrv",
];

/// Words for five in a row and nothing else.
const STANDARD: [&str; 6] =
    ["standard", "exact", "no overline", "without overline", "стандарт", "标准"];

/// Names of the game itself: whoever says no more means five or more.
const GOMOKU: [&str; 14] = [
    "gomoku",
    "gomokunarabe",
    "gomoku narabe",
    "gobang",
    "five in a row",
    "five in row",
    "5 in a row",
    "5 in row",
    "piskvorky",
    "piškvorky",
    "гомоку",
    "五子棋",
    "五目並べ",
    "五目ならべ",
];

/// Reads the value of RU: a Gomocup number, the name of a rule, or the words that people write.
pub(in crate::records) fn parse_rule(text: &str) -> Option<Rule> {
    let text = text.trim();
    let by_number = || Rule::from_mask(text.parse().ok()?).map(|(rule, _)| rule);
    text.parse().ok().or_else(by_number).or_else(|| rule_of_words(text))
}

fn rule_of_words(text: &str) -> Option<Rule> {
    let letters: String = text.chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
    let lower = letters.to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    let words = words.join(" ");
    let has = |list: &[&str]| list.iter().any(|word| has_word(&words, word));
    let name = words.trim_end_matches(" rules").trim_end_matches(" rule");
    let name = name.trim_end_matches("规则").trim_end_matches("規則").trim();
    if has(&["caro"]) {
        return Some(if has(&STANDARD) { Rule::CaroExact } else { Rule::Caro });
    }
    if has(&FREE) {
        return Some(Rule::Freestyle);
    }
    if has(&RENJU) {
        return Some(Rule::Renju);
    }
    // Other games have standards, too.
    if has(&STANDARD) && (has(&GOMOKU) || name == "standard" || name.starts_with("exact")) {
        return Some(Rule::Standard);
    }
    GOMOKU.contains(&name).then_some(Rule::Freestyle)
}

/// Returns whether a text has a word or what begins like it: of Latin letters at the beginning of a
/// word, of others anywhere.
fn has_word(text: &str, word: &str) -> bool {
    if !word.is_ascii() {
        return text.contains(word);
    }
    text.match_indices(word).any(|(at, _)| at == 0 || text[..at].ends_with(' '))
}

/// Reads the value of RE.
pub(super) fn parse_result(text: &str) -> (Option<GameResult>, Option<Reason>) {
    let Some((winner, how)) = text.split_once('+') else {
        return match text.to_ascii_lowercase().as_str() {
            "0" | "d" | "draw" => (Some(GameResult::Draw), None),
            "" | "?" => (None, None),
            _ => (None, Some(Reason::from_name(text))),
        };
    };
    let result = match winner.trim() {
        "B" | "b" => GameResult::Win(Color::Black),
        "W" | "w" => GameResult::Win(Color::White),
        _ => return (None, Some(Reason::from_name(text))),
    };
    let reason = match how.to_ascii_lowercase().as_str() {
        "draw" => return (Some(GameResult::Draw), None),
        "r" | "resign" => Some(Reason::Resignation),
        "t" | "time" => Some(Reason::Time),
        "f" | "forfeit" => Some(Reason::Forfeit),
        // A margin means nothing in a game of five.
        number if number.parse::<f64>().is_ok() => None,
        _ => reason_of(how),
    };
    (Some(result), reason)
}

/// Writes the value of RE.
pub(super) fn result_text(result: Option<GameResult>, reason: Option<&Reason>) -> String {
    let winner = match result {
        Some(GameResult::Win(Color::Black)) => "B+",
        Some(GameResult::Win(Color::White)) => "W+",
        Some(GameResult::Draw) => return "0".to_owned(),
        None => return reason.map_or(String::new(), |_| "?".to_owned()),
    };
    let how = match reason {
        Some(Reason::Resignation) => "R",
        Some(Reason::Time) => "T",
        Some(Reason::Forfeit | Reason::Illegal | Reason::Crash | Reason::Forbidden(_)) => "F",
        _ => "",
    };
    format!("{winner}{how}")
}

/// Returns whether RE alone gives the reason.
pub(super) fn tells(result: Option<GameResult>, reason: Option<&Reason>) -> bool {
    parse_result(&result_text(result, reason)).1.as_ref() == reason
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_known_by_the_words_that_people_write() {
        for (rule, texts) in [
            (
                Some(Rule::Freestyle),
                &[
                    "0",
                    "Freestyle",
                    "Free style",
                    "free-style gomoku",
                    "Gomoku (freestyle)",
                    "Gomoku",
                    "Free renju",
                    "Gomoku rules",
                    "Five-in-a-Row",
                    "5 in a row",
                    "无禁手",
                    "五子棋",
                    "гомоку",
                    "GOBANG",
                    "Gomoku, no restrictions",
                    "Свободное рендзю",
                ][..],
            ),
            (
                Some(Rule::Standard),
                &[
                    "1",
                    "Standard",
                    "standard gomoku",
                    "Gomoku Standard",
                    "Exactly five",
                    "Gomoku: exact five",
                ],
            ),
            (
                Some(Rule::Renju),
                &[
                    "4",
                    "Renju",
                    "Renju rules",
                    "RENJU",
                    "renju international",
                    "RIF",
                    "RIF rules",
                    "Taraguchi-10",
                    "Soosõrv-8",
                    "Yamaguchi",
                    "連珠",
                    "有禁手",
                    "Рендзю",
                    "Japanese renju",
                    "Sakata rule",
                ],
            ),
            (Some(Rule::Caro), &["8", "caro", "Caro rule", "Cờ caro"]),
            (Some(Rule::CaroExact), &["9", "caro-exact", "Caro (exactly five)"]),
            (
                None,
                &[
                    "Japanese",
                    "Chinese",
                    "",
                    "?",
                    "chess",
                    "ing",
                    "griffin",
                    "Omok",
                    "AGA",
                    "ghostrenju",
                ],
            ),
        ] {
            for text in texts {
                assert_eq!(parse_rule(text), rule, "{text}");
            }
        }
    }

    #[test]
    fn results_are_read_in_every_spelling_seen() {
        let black = Some(GameResult::Win(Color::Black));
        let draw = Some(GameResult::Draw);
        let words = Some(Reason::Other("some words".to_owned()));
        for (text, result, reason) in [
            ("B+", black, None),
            ("B+1", black, None),
            ("B+Resign", black, Some(Reason::Resignation)),
            ("B+T", black, Some(Reason::Time)),
            ("B+F", black, Some(Reason::Forfeit)),
            ("B+some words", black, words),
            ("B+DRAW", draw, None),
            ("0", draw, None),
            ("Draw", draw, None),
            ("?", None, None),
            ("Void", None, Some(Reason::Other("Void".to_owned()))),
        ] {
            assert_eq!(parse_result(text), (result, reason), "{text}");
        }
    }
}
