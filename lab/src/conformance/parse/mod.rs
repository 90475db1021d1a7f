//! Transcript text into a [`Transcript`].
//!
//! The language is described for its writers in `protocol-tests/README.md`.

use std::iter::Peekable;
use std::time::Duration;

use super::expect::parse_replies;
use super::profile::{FeatureLevel, Importance};
use super::script::{Action, Transcript, TranscriptRun, TranscriptStep};
use tengen_core::sys::signal::Signal;
use tengen_files::words::parse_time;

/// The default time limit for a process after its last input.
pub(super) const DEFAULT_EXIT: Duration = Duration::from_secs(1);

/// The most bytes that are sent at once.
const MOST_BYTES: usize = 16 << 20;

/// How many steps may hold each other.
const DEEPEST: usize = 100;

/// A transcript that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{name}:{line}: {problem}")]
pub struct ParseError {
    /// The name of the file.
    pub name: String,
    /// The line number, counted from 1.
    pub line: usize,
    /// The fault of the line.
    pub problem: String,
}

impl Transcript {
    /// Reads a transcript; `name` is the file name to show in errors.
    ///
    /// # Errors
    ///
    /// Returns a [`ParseError`] for the first line that means nothing.
    pub fn parse(name: &str, text: &str) -> Result<Transcript, ParseError> {
        let error =
            |LineProblem { line, problem }| ParseError { name: name.to_owned(), line, problem };
        let title = text.lines().next().and_then(|line| line.strip_prefix('#')).map(str::trim);
        let Some(title) = title.filter(|title| !title.is_empty()) else {
            let problem = "a transcript begins with a comment that says what it is about";
            return Err(error(LineProblem::new(1, problem)));
        };
        let mut lines = TranscriptLines::new(text);
        let importance = parse_importance(&mut lines).map_err(error)?;
        let mut runs = Vec::new();
        loop {
            runs.push(parse_run(&mut lines).map_err(error)?);
            if lines.next().is_none() {
                break;
            }
        }
        Ok(Transcript {
            name: name.to_owned(),
            case: case_number(title),
            title: title.to_owned(),
            importance,
            runs,
        })
    }
}

/// Reads the number out of a title such as `case 57: one empty cell left`.
fn case_number(title: &str) -> Option<u32> {
    title.strip_prefix("case ")?.split(':').next()?.parse().ok()
}

/// A problem and the line it is on.
struct LineProblem {
    line: usize,
    problem: String,
}

impl LineProblem {
    fn new(line: usize, problem: impl Into<String>) -> LineProblem {
        LineProblem { line, problem: problem.into() }
    }
}

/// The lines that mean something, with their numbers.
struct TranscriptLines<'a> {
    lines: Peekable<std::iter::Enumerate<std::str::Lines<'a>>>,
    last: usize,
    /// The number of steps that are open.
    depth: usize,
}

impl<'a> TranscriptLines<'a> {
    fn new(text: &'a str) -> TranscriptLines<'a> {
        TranscriptLines { lines: text.lines().enumerate().peekable(), last: 1, depth: 0 }
    }

    /// Returns the next line that is neither blank nor a comment, without taking it.
    fn peek(&mut self) -> Option<&'a str> {
        while let Some(&(_, line)) = self.lines.peek() {
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                return Some(line);
            }
            self.lines.next();
        }
        None
    }

    fn next(&mut self) -> Option<(usize, &'a str)> {
        self.peek()?;
        self.next_raw()
    }

    /// Takes the next line, whatever it is.
    fn next_raw(&mut self) -> Option<(usize, &'a str)> {
        let (index, line) = self.lines.next()?;
        self.last = index + 1;
        Some((index + 1, line.trim()))
    }
}

/// Reads the lines before the first run that say who depends on it.
fn parse_importance(lines: &mut TranscriptLines<'_>) -> Result<Importance, LineProblem> {
    let mut importance = Importance::default();
    while let Some(line) = lines.peek() {
        let (word, managers) = split_word(line);
        let Some(level) = FeatureLevel::ALL.into_iter().find(|level| level.name() == word) else {
            break;
        };
        lines.next();
        let added = importance.add(level, managers);
        added.map_err(|problem| LineProblem::new(lines.last, problem))?;
    }
    Ok(importance)
}

/// Reads up to `---` or the end of the file.
fn parse_run(lines: &mut TranscriptLines<'_>) -> Result<TranscriptRun, LineProblem> {
    let mut run = TranscriptRun { args: Vec::new(), fresh: false, crlf: false, steps: Vec::new() };
    while let Some(line) = lines.peek() {
        let (word, rest) = split_word(line);
        match word {
            "fresh" if rest.is_empty() => run.fresh = true,
            "crlf" if rest.is_empty() => run.crlf = true,
            "args" => run.args.extend(rest.split_whitespace().map(str::to_owned)),
            _ => break,
        }
        lines.next();
    }
    (run.steps, _) = parse_steps(lines, None)?;
    if run.steps.is_empty() {
        return Err(LineProblem::new(lines.last, "nothing happens in this run"));
    }
    Ok(run)
}

/// Reads steps up to the `end` or `or` of what is opened by a word on a line, or else up to `---` or the end of the
/// file. The second result is true if it was an `or`.
fn parse_steps(
    lines: &mut TranscriptLines<'_>,
    opened: Option<(&str, usize)>,
) -> Result<(Vec<TranscriptStep>, bool), LineProblem> {
    let mut steps = Vec::new();
    let mut deadline = None;
    let mut at_or = false;
    loop {
        match (lines.peek(), opened) {
            (Some("end"), Some(_)) => {
                lines.next();
                break;
            }
            (Some("or"), Some(("either", _))) => {
                lines.next();
                at_or = true;
                break;
            }
            (None | Some("---"), None) => break,
            (None | Some("---"), Some((word, line))) => {
                return Err(LineProblem::new(line, format!("this {word} has no end")));
            }
            _ => {}
        }
        let Some((line, text)) = lines.next() else { break };
        let error = |problem| LineProblem::new(line, problem);
        if let Some(time) = text.strip_prefix('!') {
            if deadline.is_some() {
                return Err(error("two deadlines for one line".to_owned()));
            }
            deadline = Some((line, parse_duration(time.trim()).map_err(error)?));
            continue;
        }
        if text == "draw" {
            steps.extend(parse_drawing(lines, line)?);
            continue;
        }
        let action = match split_word(text) {
            ("repeat", times) => {
                let times = parse_number(times).map_err(error)?;
                Action::Repeat(times, parse_held(lines, "repeat", line)?.0)
            }
            ("burst", "") => parse_burst(lines, line)?,
            ("either", "") => parse_either(lines, line)?,
            _ => parse_action(text, &mut deadline).map_err(error)?,
        };
        if deadline.is_some() {
            return Err(error("a deadline belongs to a line that is expected".to_owned()));
        }
        steps.push(TranscriptStep { line, text: text.to_owned(), action });
    }
    match deadline {
        Some((line, _)) => Err(LineProblem::new(line, "nothing is expected after this deadline")),
        None => Ok((steps, at_or)),
    }
}

/// Reads what a step on this line holds, up to its `end` or `or`.
fn parse_held(
    lines: &mut TranscriptLines<'_>,
    word: &str,
    line: usize,
) -> Result<(Vec<TranscriptStep>, bool), LineProblem> {
    lines.depth += 1;
    if lines.depth > DEEPEST {
        return Err(LineProblem::new(line, format!("more than {DEEPEST} steps hold each other")));
    }
    let held = parse_steps(lines, Some((word, line)))?;
    lines.depth -= 1;
    Ok(held)
}

/// Reads the lines of a burst up to `end`.
fn parse_burst(lines: &mut TranscriptLines<'_>, line: usize) -> Result<Action, LineProblem> {
    let (steps, _) = parse_held(lines, "burst", line)?;
    let is_sent =
        |step: &TranscriptStep| matches!(step.action, Action::Send(_) | Action::SendPosition);
    match steps.iter().find(|step| !is_sent(step)) {
        Some(other) => Err(LineProblem::new(other.line, "a burst is of lines to send")),
        None => Ok(Action::Burst(steps)),
    }
}

/// Reads alternatives up to `end`.
fn parse_either(lines: &mut TranscriptLines<'_>, line: usize) -> Result<Action, LineProblem> {
    let mut branches = Vec::new();
    loop {
        let (steps, more) = parse_held(lines, "either", line)?;
        if !matches!(steps.first().map(|step| &step.action), Some(Action::Expect { .. })) {
            let line = steps.first().map_or(line, |step| step.line);
            let problem = "each alternative begins with a line that is expected";
            return Err(LineProblem::new(line, problem));
        }
        branches.push(steps);
        if !more {
            return Ok(Action::Either(branches));
        }
    }
}

/// Reads a step of one line. Takes the deadline if the step is one that has a deadline.
fn parse_action(text: &str, deadline: &mut Option<(usize, Duration)>) -> Result<Action, String> {
    if let Some(line) = text.strip_prefix('>') {
        return Ok(Action::Send(line.strip_prefix(' ').unwrap_or(line).to_owned()));
    }
    if let Some(reply) = text.strip_prefix('<') {
        return match split_word(reply) {
            ("nothing", time) if !reply.starts_with(' ') => {
                parse_duration(time).map(Action::Nothing)
            }
            ("thinking", time) if !reply.starts_with(' ') => {
                parse_duration(time).map(Action::Thinking)
            }
            _ => {
                let within = deadline.take().map(|(_, time)| time);
                Ok(Action::Expect { replies: parse_replies(reply)?, within })
            }
        };
    }
    match split_word(text) {
        ("wait", time) => parse_duration(time).map(Action::Wait),
        ("raw", rest) => parse_raw(rest),
        ("position", "") => Ok(Action::SendPosition),
        ("eof", "") => Ok(Action::Eof),
        ("exit", rest) => parse_exit(rest),
        ("close-stdout", "") => Ok(Action::CloseStdout),
        ("signal", "TERM") => Ok(Action::Signal(Signal::Term)),
        ("signal", "STOP") => Ok(Action::Signal(Signal::Stop)),
        ("signal", "CONT") => Ok(Action::Signal(Signal::Cont)),
        ("memory", "mark") => Ok(Action::MarkMemory),
        ("memory", rest) => {
            let mib = rest.strip_prefix('+').and_then(|rest| rest.strip_suffix("MiB"));
            let mib = mib.ok_or("after `memory` comes `mark` or a growth such as `+16MiB`")?;
            Ok(Action::MemoryGrowth(parse_number::<u32>(mib)? as u64 * 1024 * 1024))
        }
        ("fresh" | "args" | "crlf", _) => {
            Err("`fresh`, `args` and `crlf` come first in a run".to_owned())
        }
        ("must" | "should" | "extension", _) => {
            Err("who depends on a transcript is said before its first run".to_owned())
        }
        ("end", "") => Err("`end` of nothing".to_owned()),
        ("or", "") => Err("`or` without `either`".to_owned()),
        (word, _) => Err(format!("`{word}` is not a step of a transcript")),
    }
}

/// Reads a board drawing up to `end`: one line `x,y,c` is sent for each stone, row by row.
fn parse_drawing(
    lines: &mut TranscriptLines<'_>,
    opened_at: usize,
) -> Result<Vec<TranscriptStep>, LineProblem> {
    let mut steps = Vec::new();
    for y in 0.. {
        let Some((line, text)) = lines.next_raw().filter(|(_, text)| *text != "---") else {
            return Err(LineProblem::new(opened_at, "this drawing has no end"));
        };
        if text == "end" {
            break;
        }
        for (x, cell) in text.split_whitespace().enumerate() {
            let field = match cell {
                "." => continue,
                "x" => 1,
                "o" => 2,
                "#" => 3,
                _ => {
                    let problem = format!("`{cell}` is none of x (own), o (opponent), # and .");
                    return Err(LineProblem::new(line, problem));
                }
            };
            let action = Action::Send(format!("{x},{y},{field}"));
            steps.push(TranscriptStep { line, text: text.to_owned(), action });
        }
    }
    Ok(steps)
}

/// Reads `"bytes"` or `"bytes" times 3`.
fn parse_raw(rest: &str) -> Result<Action, String> {
    let body = rest.strip_prefix('"').and_then(|rest| rest.rsplit_once('"'));
    let (body, tail) = body.ok_or("after `raw` come bytes in double quotes")?;
    let times = match split_word(tail.trim()) {
        ("", "") => 1,
        ("times", n) => parse_number(n)?,
        _ => return Err(format!("`{tail}` after the bytes is not `times N`")),
    };
    let mut bytes = Vec::new();
    let mut chars = body.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            bytes.extend(c.encode_utf8(&mut [0; 4]).bytes());
            continue;
        }
        bytes.push(match chars.next() {
            Some('n') => b'\n',
            Some('r') => b'\r',
            Some('t') => b'\t',
            Some('0') => 0,
            Some(c @ ('\\' | '"')) => c as u8,
            Some('x') => {
                let digits: String = chars.by_ref().take(2).collect();
                u8::from_str_radix(&digits, 16)
                    .map_err(|_| format!("`\\x{digits}` is not a byte in hexadecimal"))?
            }
            other => return Err(format!("`\\{}` stands for no byte", other.unwrap_or(' '))),
        });
    }
    if bytes.len().checked_mul(times).is_none_or(|sent| sent > MOST_BYTES) {
        return Err("at most 16 MiB are sent at once".to_owned());
    }
    Ok(Action::Raw { bytes, times })
}

/// Reads what follows `exit`: a code, a time after `within`, both or neither.
fn parse_exit(rest: &str) -> Result<Action, String> {
    let (code, time) = match rest.split_once("within") {
        Some((code, time)) => (code.trim(), parse_duration(time.trim())?),
        None => (rest, DEFAULT_EXIT),
    };
    let code = if code.is_empty() { None } else { Some(parse_number(code)?) };
    Ok(Action::Exit { code, within: time })
}

/// Reads a time such as `200ms` or `2s`.
fn parse_duration(text: &str) -> Result<Duration, String> {
    // Both units end with it.
    let time = parse_time(&text.replace(' ', "")).ok().filter(|_| text.ends_with('s'));
    time.ok_or_else(|| format!("`{text}` is not a time such as 200ms or 2s, of at most 1000 hours"))
}

fn parse_number<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("`{text}` is not a number that can stand here"))
}

/// Splits off the first word; the rest is trimmed.
pub(super) fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    text.split_once(char::is_whitespace).map_or((text, ""), |(word, rest)| (word, rest.trim()))
}

#[cfg(test)]
mod tests;
