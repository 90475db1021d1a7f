//! Answers to options as c-gomoku-cli and fastchess have them, with one dash.

use std::ffi::OsString;

use super::args::command;

/// The options of c-gomoku-cli, and of fastchess, that have other names here.
const RENAMED: [(&str, &str); 14] = [
    ("boardsize", "--size"),
    ("games", "--rounds, which counts pairs of games"),
    ("transform", "--symmetries"),
    ("msg", "--log"),
    ("debug", "--log"),
    ("maxmoves", "--draw-after"),
    ("pgnout", "--pgn"),
    ("ratinginterval", "--status-every"),
    ("srand", "--seed"),
    ("tournament", "--gauntlet, or nothing for a round robin"),
    ("use-affinity", "--affinity"),
    ("variant", "--rule"),
    ("config", "--journal"),
    ("autosaveinterval", "--journal"),
];

/// Returns what to say of options with one dash among the arguments of `tengen match`, if there are
/// some that mean one of its own.
pub(super) fn foreign_options(args: impl Iterator<Item = OsString>) -> Option<String> {
    let command = command();
    let meant = |name: &str| {
        let renamed = RENAMED.into_iter().find(|(known, _)| *known == name);
        let mut own = command.get_arguments().filter_map(clap::Arg::get_long);
        let own = || own.find(|long| long.replace('-', "") == name).map(|long| format!("--{long}"));
        renamed.map(|(_, ours)| ours.to_owned()).or_else(own)
    };
    let mut lines: Vec<String> = Vec::new();
    for arg in args {
        let Some(name) = arg.to_str().and_then(|arg| arg.strip_prefix('-')) else { continue };
        if let Some(ours) = meant(name) {
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
        let line = "-engine name=a cmd=b -engine cmd=c -each tc=60 -boardsize 20 -drawafter 200 -q";
        let expected = "the options of `tengen match` have two dashes:\n  -engine is --engine\n  \
                        -each is --each\n  -boardsize is --size\n  -drawafter is --draw-after";
        assert_eq!(answer(line).as_deref(), Some(expected));
        let line = "-ratinginterval 20 -use-affinity 2-7 -pgnout file=x -repeat";
        let expected = "the options of `tengen match` have two dashes:\n  -ratinginterval is \
                        --status-every\n  -use-affinity is --affinity\n  -pgnout is --pgn";
        assert_eq!(answer(line).as_deref(), Some(expected));
        for line in ["--engine cmd=x -q", "-h", "-x -", "engine", "-sample"] {
            assert_eq!(answer(line), None, "{line}");
        }
    }
}
