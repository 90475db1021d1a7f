//! Expected lines: their syntax, and the lines that fulfil them.

use super::parse::split_word;
use super::pattern::Pattern;
use super::referee::Referee;
use super::script::{CellXy, ExpectedLine};
use super::template::{Template, parse_name};
use crate::process::{EngineLine, strict_cell};

/// Cells of a line and what they are called from then on.
pub(super) type Named = Vec<(String, CellXy)>;

/// Reads what follows the `<` of an expected line.
///
/// # Errors
///
/// Returns what is wrong with it.
pub(super) fn parse_replies(text: &str) -> Result<Vec<ExpectedLine>, String> {
    if text.trim().is_empty() {
        let hint = "nothing is expected here; to expect silence, write `<nothing 100ms`";
        return Err(hint.to_owned());
    }
    match text.strip_prefix(' ') {
        Some(line) => {
            let line = line.trim_end();
            let template = Template::parse(line)?.map(ExpectedLine::Template);
            Ok(vec![template.unwrap_or_else(|| ExpectedLine::Exact(line.to_owned()))])
        }
        None => text.split(" | ").map(|reply| parse_reply(reply.trim())).collect(),
    }
}

fn parse_reply(text: &str) -> Result<ExpectedLine, String> {
    if text.starts_with('/') {
        return parse_pattern(text).map(ExpectedLine::Pattern);
    }
    let (word, rest) = split_word(text);
    let pattern = || if rest.is_empty() { Ok(None) } else { parse_pattern(rest).map(Some) };
    match word {
        "move" => parse_moves(1, rest),
        "moves" => {
            let (count, rest) = split_word(rest);
            let count = count.parse().ok().filter(|&n| n > 0);
            parse_moves(count.ok_or("after `moves` comes how many")?, rest)
        }
        "forbid" => {
            let cell = |word| strict_cell(word).ok_or_else(|| format!("`{word}` is not a cell"));
            rest.split_whitespace().map(cell).collect::<Result<_, _>>().map(ExpectedLine::Forbid)
        }
        "error" => Ok(ExpectedLine::Error(pattern()?)),
        "unknown" => Ok(ExpectedLine::Unknown(pattern()?)),
        "ok" if rest.is_empty() => Ok(ExpectedLine::Exact("OK".to_owned())),
        "swap" if rest.is_empty() => Ok(ExpectedLine::Exact("SWAP".to_owned())),
        "about" if rest.is_empty() => Ok(ExpectedLine::About),
        _ => Err(format!("`{text}` is not a kind of line")),
    }
}

fn parse_pattern(text: &str) -> Result<Pattern, String> {
    let inner = text.strip_prefix('/').and_then(|text| text.strip_suffix('/'));
    inner.map(Pattern::new).ok_or_else(|| format!("`{text}` is not a pattern between slashes"))
}

/// Reads `in 6,7 11,7 not 6,8 as A`, where all parts may be absent.
fn parse_moves(count: usize, rest: &str) -> Result<ExpectedLine, String> {
    let (mut only, mut not, mut names) = (Vec::new(), Vec::new(), Vec::new());
    let mut words = rest.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let list = match word {
            "in" => &mut only,
            "not" => &mut not,
            "as" => {
                names = words.by_ref().map(parse_name).collect::<Result<_, _>>()?;
                if names.len() != count {
                    return Err(format!("after `as` comes a name for each of the {count} cells"));
                }
                break;
            }
            _ => return Err(format!("`{word}` is neither `in` nor `not` nor `as` nor a cell")),
        };
        while let Some(cell) = words.peek().and_then(|word| strict_cell(word)) {
            list.push(cell);
            words.next();
        }
        if list.is_empty() {
            return Err(format!("no cell after `{word}`"));
        }
    }
    Ok(ExpectedLine::Moves { count, only, not, names })
}

impl ExpectedLine {
    /// Decides whether `line` is what is expected; returns the cells that get a name.
    ///
    /// # Errors
    ///
    /// Returns why not, or an empty text if the line is simply another one.
    pub(super) fn check(&self, line: &str, referee: &Referee) -> Result<Named, String> {
        let fits = match self {
            ExpectedLine::Exact(expected) => line == expected,
            ExpectedLine::PatientOk => matches!(EngineLine::parse(line), EngineLine::Ok(_)),
            ExpectedLine::Template(template) => return check_template(template, line, referee),
            ExpectedLine::Pattern(pattern) => pattern.matches(line),
            ExpectedLine::Moves { count, only, not, names } => {
                let EngineLine::Cells(cells) = EngineLine::strict(line) else {
                    return Err(String::new());
                };
                check_cells(&cells, *count, only, not, referee)?;
                return Ok(names.iter().cloned().zip(cells).collect());
            }
            ExpectedLine::Forbid(expected) => check_forbidden(line, expected),
            ExpectedLine::Error(pattern) => match EngineLine::strict(line) {
                EngineLine::Error(text) => has_text(text, pattern.as_ref()),
                _ => false,
            },
            ExpectedLine::Unknown(pattern) => match EngineLine::strict(line) {
                EngineLine::Unknown(text) => has_text(text, pattern.as_ref()),
                _ => false,
            },
            ExpectedLine::About => return check_about(line).map(|()| Named::new()),
        };
        if fits { Ok(Named::new()) } else { Err(String::new()) }
    }
}

fn check_template(template: &Template, line: &str, referee: &Referee) -> Result<Named, String> {
    let found = template.read(line).ok_or_else(String::new)?;
    for found in &found {
        referee.check_empty(&[found.cell])?;
        if found.name.is_some() {
            referee.check_fresh(found.cell)?;
        }
    }
    let named = |name: &str, cell| (name.to_owned(), cell);
    Ok(found.into_iter().filter_map(|f| f.name.map(|name| named(name, f.cell))).collect())
}

/// Returns whether `line` lists exactly these cells, each as four digits, in any order.
fn check_forbidden(line: &str, expected: &[CellXy]) -> bool {
    let digits = line.strip_prefix("FORBID ").and_then(|rest| rest.strip_suffix('.'));
    let digits = digits.filter(|digits| digits.bytes().all(|b| b.is_ascii_digit()));
    let Some(digits) = digits else { return false };
    let mut came: Vec<&str> =
        (0..digits.len()).step_by(4).map(|at| &digits[at..digits.len().min(at + 4)]).collect();
    let mut expected: Vec<String> = expected.iter().map(|(x, y)| format!("{x:02}{y:02}")).collect();
    came.sort_unstable();
    expected.sort_unstable();
    came == expected
}

fn has_text(text: &str, pattern: Option<&Pattern>) -> bool {
    !text.is_empty() && pattern.is_none_or(|pattern| pattern.matches(text))
}

fn check_cells(
    cells: &[CellXy],
    count: usize,
    only: &[CellXy],
    not: &[CellXy],
    referee: &Referee,
) -> Result<(), String> {
    if cells.len() != count {
        return Err(format!("that is {} cells, not {count}", cells.len()));
    }
    referee.check_moves(cells)?;
    for cell in cells {
        if not.contains(cell) || !(only.is_empty() || only.contains(cell)) {
            return Err(format!("{},{} is not one of the moves allowed here", cell.0, cell.1));
        }
    }
    Ok(())
}

/// Checks an answer to `ABOUT`: some managers split it at every comma and equals sign.
fn check_about(line: &str) -> Result<(), String> {
    let error = |text: &str| Err(text.to_owned());
    if !line.starts_with("name=\"") {
        return error("it does not begin with name=\"");
    }
    for field in line.split(", ") {
        let value = field
            .split_once('=')
            .filter(|(key, _)| !key.is_empty() && key.bytes().all(|b| b.is_ascii_lowercase()))
            .and_then(|(_, value)| value.strip_prefix('"')?.strip_suffix('"'));
        match value {
            None => return Err(format!("`{field}` is not key=\"value\"")),
            Some(value) if value.contains([',', '=', '"']) => {
                return Err(format!("the value in `{field}` has a comma, = or quote"));
            }
            Some(_) => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(expected: &str, line: &str) -> bool {
        let mut referee = Referee::default();
        referee.sent("START 15");
        referee.received("OK");
        referee.sent("TURN 7,7");
        let replies = parse_replies(expected).expect("it parses");
        replies.iter().any(|reply| reply.check(line, &referee).is_ok())
    }

    #[test]
    fn a_move_is_two_numbers_and_a_comma() {
        assert!(check("move", "8,8") && check("move", "0,14"));
        let not_moves =
            ["7,7", "15,0", "8,8 ", " 8,8", "8, 8", "8,8 9,9", "08,8", "-1,3", "8", "8,8,1", ""];
        for line in not_moves {
            assert!(!check("move", line), "{line:?}");
        }
    }

    #[test]
    fn move_lists_decide_which_moves_are_allowed() {
        assert!(check("move in 8,8 9,9", "9,9") && !check("move in 8,8 9,9", "8,9"));
        assert!(check("move not 8,8", "9,9") && !check("move not 8,8", "8,8"));
    }

    #[test]
    fn cells_get_their_names() {
        let mut referee = Referee::default();
        referee.sent("START 15");
        referee.received("OK");
        let named = |expected: &str, line: &str, referee: &Referee| {
            parse_replies(expected).expect("it parses")[0].check(line, referee)
        };
        let told = named(" MOVE1 {x y as A}", "MOVE1 3 4", &referee);
        assert_eq!(told, Ok(vec![("A".to_owned(), (3, 4))]));
        referee.told((3, 4));
        assert!(named(" MOVE2 {x y as B}", "MOVE2 3 4", &referee).is_err());
        assert!(named(" POS {x y}", "POS 3 4", &referee).is_ok());
        assert!(named(" POS {x y}", "POS 3 15", &referee).is_err());
        referee.sent("SWAP2BOARD");
        referee.sent("DONE");
        let moves = named("moves 3 as A B C", "1,1 2,2 3,3", &referee).expect("three moves");
        assert_eq!(moves[2], ("C".to_owned(), (3, 3)));
    }

    #[test]
    fn forbidden_cells_come_in_any_order() {
        assert!(check("forbid", "FORBID ."));
        assert!(check("forbid 9,12 10,1", "FORBID 09121001."));
        assert!(check("forbid 9,12 10,1", "FORBID 10010912."));
        let others = [
            "FORBID .",
            "FORBID 0912.",
            "FORBID 091210010912.",
            "FORBID 09121001",
            "FORBID 9,12 10,1.",
            "FORBID 09121001.1",
            "FORBID 0912100.",
            "FORBID 1209 0110.",
        ];
        for line in others {
            assert!(!check("forbid 9,12 10,1", line), "{line}");
        }
        assert!(!check("forbid", "FORBID.") && !check("forbid", "FORBID 0000."));
    }

    #[test]
    fn several_moves_are_distinct_and_separated_by_one_blank() {
        assert!(check("moves 2", "8,8 9,9"));
        for line in ["8,8", "8,8 8,8", "8,8  9,9", "8,8 7,7", "8,8 9,9 1,1"] {
            assert!(!check("moves 2", line), "{line:?}");
        }
    }

    #[test]
    fn errors_need_a_text() {
        assert!(check("error", "ERROR no game") && check("error /20/", "ERROR use 20"));
        assert!(!check("error", "ERROR") && !check("error /20/", "ERROR use 19"));
        assert!(!check("error", "UNKNOWN x") && check("error | unknown", "UNKNOWN x"));
        assert!(check("unknown /FOO/", "UNKNOWN FOO") && !check("unknown /FOO/", "UNKNOWN BAR"));
    }

    #[test]
    fn about_lines_can_be_split_at_every_comma_and_equals_sign() {
        assert!(check("about", r#"name="tengen", version="0.1", author="A B""#));
        let broken = [
            r#"version="0.1", name="tengen""#,
            r#"name="tengen",version="0.1""#,
            r#"name="a, b""#,
            r#"name="a=b""#,
            r#"name=tengen"#,
            r#"name="tengen", version"#,
            r#"name="tengen", "#,
        ];
        for line in broken {
            assert!(!check("about", line), "{line}");
        }
    }

    #[test]
    fn exact_lines_are_exact() {
        assert!(check(" OK", "OK") && !check(" OK", "ok") && !check(" OK", "OKAY"));
    }
}
