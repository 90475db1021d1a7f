//! What every script of the repository keeps to.

use std::fs;
use std::path::Path;

use super::sources::files_below;

/// Returns whether a word of `grep` makes it end at a match. GNU grep does so, too, if its output goes to `/dev/null`.
fn ends_at_a_match(word: &str) -> bool {
    let is_short = word.starts_with('-') && !word.starts_with("--");
    ["--quiet", "--silent", "--max-count"].iter().any(|long| word.starts_with(long))
        || is_short && word.contains(['q', 'm'])
        || word == ">/dev/null"
}

/// Returns whether a command in a line of a shell script reads from a pipe and may end before it has read everything.
fn stops_early(line: &str) -> bool {
    if line.trim_start().starts_with('#') {
        return false;
    }
    line.replace("||", ";").split('|').skip(1).any(|rest| {
        let command = rest.split([';', '&', ')']).next().unwrap_or(rest);
        let mut words = command.split_whitespace();
        match words.next() {
            Some("head") => true,
            Some("grep") => words.any(ends_at_a_match),
            _ => false,
        }
    })
}

/// The writer of such a pipe is killed by a signal if it still writes, and with `pipefail` that is a failure, or hides a
/// match: now and then, on a busy machine.
#[test]
fn no_script_pipes_into_what_stops_early() {
    let mut scripts = 0;
    let mut faults = Vec::new();
    for path in ["scripts", ".ci"].into_iter().flat_map(|folder| files_below(Path::new(folder))) {
        // Others are pictures, or in other languages.
        let Ok(text) = fs::read_to_string(&path) else { continue };
        if !text.starts_with("#!/usr/bin/env bash")
            && path.extension().is_none_or(|extension| extension != "sh")
        {
            continue;
        }
        scripts += 1;
        let lines = text.lines().enumerate().filter(|(_, line)| stops_early(line));
        faults.extend(
            lines.map(|(i, line)| format!("{}:{}: {}", path.display(), i + 1, line.trim())),
        );
    }
    assert!(scripts > 50, "only {scripts} scripts were read");
    assert!(faults.is_empty(), "with pipefail these fail now and then:\n{}", faults.join("\n"));
}

#[test]
fn readers_that_stop_early_are_told_from_those_that_do_not() {
    for line in [
        "a | head -n 1",
        "x=$(a | b | grep -qx c)",
        "a | grep -F b >/dev/null",
        "a | grep --quiet b",
        "a | grep -m1 b",
    ] {
        assert!(stops_early(line), "{line}");
    }
    for line in [
        "head -n 1 file | cmp - b",
        "a | grep b",
        "a || head -n 1 file",
        "grep -q a file",
        "# a | head",
        "a | grep b -- c",
    ] {
        assert!(!stops_early(line), "{line}");
    }
}
