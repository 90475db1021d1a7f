//! Answers to options as c-gomoku-cli has them, with one dash.

use std::ffi::OsString;

/// The options of c-gomoku-cli, and what they are here.
const OPTIONS: [(&str, &str); 25] = [
    ("engine", "--engine"),
    ("each", "--each"),
    ("rule", "--rule"),
    ("boardsize", "--size"),
    ("games", "--rounds, which counts pairs of games"),
    ("rounds", "--rounds"),
    ("repeat", "not needed: games come in pairs"),
    ("gauntlet", "--gauntlet"),
    ("openings", "--openings FILE [--order random --seed NUMBER]"),
    ("transform", "--symmetries"),
    ("concurrency", "--concurrency"),
    ("drawafter", "--draw-after"),
    ("draw", "--draw SCORE,COUNT"),
    ("resign", "--resign SCORE,COUNT"),
    ("sprt", "--sprt"),
    ("pgn", "--pgn"),
    ("sgf", "--sgf"),
    ("msg", "--log"),
    ("log", "--log FILE"),
    ("debug", "--log FILE"),
    ("fatalerror", "not there"),
    ("sendbyboard", "not there"),
    ("loseonly", "not there"),
    ("sample", "not there"),
    ("event", "--event"),
];

/// Returns what to say of the options of c-gomoku-cli among the arguments of `tengen match`, if
/// there are some.
pub(super) fn foreign_options(args: impl Iterator<Item = OsString>) -> Option<String> {
    let mut lines: Vec<String> = Vec::new();
    for arg in args {
        let Some(name) = arg.to_str().and_then(|arg| arg.strip_prefix('-')) else { continue };
        if let Some((name, ours)) = OPTIONS.into_iter().find(|(known, _)| *known == name) {
            let line = format!("  -{name} is {ours}");
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    let reason = "the options of `tengen match` have two dashes:";
    (!lines.is_empty()).then(|| format!("{reason}\n{}", lines.join("\n")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(line: &str) -> Option<String> {
        foreign_options(line.split(' ').map(OsString::from))
    }

    #[test]
    fn options_with_one_dash_are_answered_with_their_spelling_here() {
        let line = "-engine name=a cmd=b -engine cmd=c -each tc=60 -rounds 5 -drawafter 200 -q";
        let expected = "the options of `tengen match` have two dashes:\n  -engine is --engine\n  \
                        -each is --each\n  -rounds is --rounds\n  -drawafter is --draw-after";
        assert_eq!(answer(line).as_deref(), Some(expected));
        for line in ["--engine cmd=x -q", "-h", "-x -", "engine"] {
            assert_eq!(answer(line), None, "{line}");
        }
    }
}
