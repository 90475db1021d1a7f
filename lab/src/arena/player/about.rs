//! The names that programs give themselves.

use std::time::{Duration, Instant};

use super::link::{Link, LinkEvent};
use super::process::start_command;
use crate::arena::{Contestant, ContestantKind};
use crate::process::EngineLine;
use tengen_core::types::Size;
use tengen_engine::protocol::Command;
use tengen_files::printable::is_hidden;
use tengen_files::work::Stop;

/// The time limit of everything that is asked here. Only an engine that answers nothing takes it.
const LIMIT: Duration = Duration::from_secs(10);

/// The most characters of a name.
const LONGEST: usize = 40;

/// Starts the program of a contestant, asks it for its name (`ABOUT`), and ends it.
///
/// A program need not answer: `START` is sent behind the question, and its answer shows that none
/// comes any more. `None` is also what comes of a program that can't be started, which those who
/// want to play with it will find out; and of players in this process.
#[must_use]
pub fn own_name(contestant: &Contestant, size: Size, abandon: &Stop) -> Option<String> {
    let ContestantKind::Process(command) = &contestant.kind else { return None };
    let mut link = Link::start(command, contestant).ok()?;
    link.add(format!("{}\n{}\n", Command::About, start_command(size)));
    let until = Instant::now() + LIMIT;
    let mut name = None;
    while let Ok(LinkEvent::Line(_, line)) = link.next_line(Some(until), abandon) {
        name = name_in(&line);
        let is_answer = matches!(
            EngineLine::parse(&line),
            EngineLine::Ok(_) | EngineLine::Unknown(_) | EngineLine::Error(_)
        );
        if name.is_some() || is_answer {
            break;
        }
    }
    link.finish();
    name
}

/// Returns the name in an answer to `ABOUT`, such as `name="x", version="1"`: printable, not blank
/// and not long.
fn name_in(line: &str) -> Option<String> {
    let line = line.trim_start();
    let (key, value) = line.split_once('=')?;
    if !key.trim().eq_ignore_ascii_case("name") {
        return None;
    }
    let value = value.trim_start();
    let value = match value.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next()?,
        None => value.split(',').next()?,
    };
    let plain: String = value.chars().filter(|&c| !is_hidden(c)).collect();
    let name: String = plain.trim().chars().take(LONGEST).collect();
    let name = name.trim_end();
    (!name.is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_with_and_without_quotes() {
        for (line, name) in [
            (r#"name="tengen", version="0.1", author="A B""#, Some("tengen")),
            (r#" NAME = "Rapfi 2, the second" "#, Some("Rapfi 2, the second")),
            ("name=wine, version=3", Some("wine")),
            ("name=\"a\u{1b}[31mb\"", Some("a[31mb")),
            (r#"name="open"#, Some("open")),
            (r#"name="", version="1""#, None),
            (r#"name=" ""#, None),
            ("name", None),
            (r#"version="1", name="x""#, None),
            ("UNKNOWN name=x", None),
            ("OK", None),
        ] {
            assert_eq!(name_in(line).as_deref(), name, "{line:?}");
        }
        let long = name_in(&format!("name=\"{}\"", "é".repeat(500)));
        assert_eq!(long.map(|name| name.chars().count()), Some(LONGEST));
    }
}
