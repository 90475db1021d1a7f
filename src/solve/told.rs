//! The report on a position that was searched.

use std::path::Path;
use std::sync::Arc;

use serde::Serialize;

use super::summary::no_win;
use super::{NoVerdict, SolveAnswer, Solved};
use crate::common::words::{after, cells, position, printable_path};
use tengen_core::notation::{Moves, Origin};
use tengen_core::rules::Outcome;
use tengen_files::printable::printable_json;
use tengen_files::records::Setting;
use tengen_files::words::{counted, duration};

impl NoVerdict {
    const fn name(self) -> &'static str {
        match self {
            NoVerdict::Time => "time",
            NoVerdict::Nodes => "nodes",
            NoVerdict::Interrupted => "interrupted",
            NoVerdict::Unproved => "unproved",
        }
    }
}

/// A position and the result of its search.
pub(super) struct Told<'a> {
    /// Its number, counted from 1.
    pub(super) number: usize,
    /// The file it came from, and the number of the game there; none if it was typed.
    pub(super) source: Option<&'a (Arc<Path>, usize)>,
    pub(super) solved: &'a Solved,
    /// The edge from which rows count in text.
    pub(super) origin: Origin,
    /// True if only fours were looked at.
    pub(super) fours: bool,
}

/// The object about a position for programs.
#[derive(Serialize)]
struct SolveObject<'a> {
    position: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<usize>,
    size: (u8, u8),
    rule: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    setup: Option<Setting>,
    moves: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    attacker: Option<String>,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<String>,
    searched: u64,
    ms: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    checked: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    certificate: Option<String>,
}

impl Told<'_> {
    /// Returns the report on a position if there is only this one.
    pub(super) fn paragraph(&self) -> String {
        let game = &self.solved.game;
        let time = duration(self.solved.time);
        let nodes = counted(self.solved.nodes, "position");
        let mut searched = format!("{nodes} searched in {time}");
        let verdict = match &self.solved.answer {
            SolveAnswer::Over => {
                let (rule, size) = (game.rule(), game.board().size());
                let (after, ending) = (after(game), ending(game.outcome()));
                return format!("{rule} {size}, after {after}\nthe game is over: {ending}\n");
            }
            SolveAnswer::Win(certificate) => {
                let plies = counted(certificate.plies() as u64, "ply");
                let nodes = counted(certificate.size() as u64, "node");
                searched.push_str(&format!("; certificate of {nodes}"));
                if let Some(Ok(checked)) = self.solved.check {
                    let positions = counted(checked.positions, "position");
                    searched.push_str(&format!(", {positions} checked"));
                }
                format!(
                    "win in {plies}: {}",
                    cells(certificate.line(), game.board().size(), self.origin)
                )
            }
            SolveAnswer::NoWin => no_win(self.fours).to_owned(),
            SolveAnswer::Unknown(NoVerdict::Time) => format!("unknown: stopped after {time}"),
            SolveAnswer::Unknown(NoVerdict::Nodes) => format!("unknown: stopped after {nodes}"),
            SolveAnswer::Unknown(NoVerdict::Interrupted) => "unknown: stopped by Ctrl-C".to_owned(),
            SolveAnswer::Unknown(NoVerdict::Unproved) => {
                "unknown: there seems to be a win, but its proof needs more memory (--hash)"
                    .to_owned()
            }
        };
        format!("{}\n{verdict}\n{searched}\n", position(game, self.origin))
    }

    /// Returns the line about one of several positions, whose numbers have up to `width` digits.
    pub(super) fn line(&self, width: usize, with_file: bool) -> String {
        let (verdict, win) = match &self.solved.answer {
            SolveAnswer::Win(certificate) => ("win", Some(certificate)),
            SolveAnswer::NoWin => ("no win", None),
            SolveAnswer::Over => ("over", None),
            SolveAnswer::Unknown(_) => ("unknown", None),
        };
        let none = || "-".to_owned();
        let plies = win.map_or_else(none, |certificate| certificate.plies().to_string());
        let first = win.and_then(|certificate| certificate.line().first());
        let cell = |&point| cells(&[point], self.solved.game.board().size(), self.origin);
        let first = first.map_or_else(none, cell);
        let ms = self.solved.time.as_secs_f64() * 1e3;
        let number = self.number;
        let mut line =
            format!("{number:width$}  {verdict:<7}  {plies:>3}  {first:<3}  {ms:>9.1} ms");
        if let Some((path, game)) = self.source
            && with_file
        {
            line.push_str(&format!("  {}, game {game}", printable_path(path)));
        }
        line.push('\n');
        line
    }

    /// Returns the line about a position for programs; `file` is where its certificate is.
    pub(super) fn json(&self, file: Option<&Path>) -> serde_json::Result<String> {
        let game = &self.solved.game;
        let size = game.board().size();
        let (verdict, win, stopped) = match &self.solved.answer {
            SolveAnswer::Win(certificate) => ("win", Some(certificate), None),
            SolveAnswer::NoWin => ("none", None, None),
            SolveAnswer::Over => ("over", None, None),
            SolveAnswer::Unknown(reason) => ("unknown", None, Some(reason.name())),
        };
        let object = SolveObject {
            position: self.number,
            file: self.source.map(|(path, _)| path.display().to_string()),
            game: self.source.map(|&(_, game)| game),
            size: (size.width(), size.height()),
            rule: game.rule().name(),
            setup: Setting::of_game(game),
            moves: Moves(game.moves()).to_string(),
            attacker: (!game.outcome().is_over()).then(|| game.to_move().to_string()),
            verdict,
            stopped,
            plies: win.map(|certificate| certificate.plies()),
            line: win.map(|certificate| Moves(certificate.line()).to_string()),
            searched: self.solved.nodes,
            // To the microsecond.
            ms: (self.solved.time.as_secs_f64() * 1e6).round() / 1e3,
            nodes: win.map(|certificate| certificate.size()),
            checked: match self.solved.check {
                Some(Ok(checked)) => Some(checked.positions),
                _ => None,
            },
            certificate: file.map(|file| file.display().to_string()),
        };
        serde_json::to_string(&object).map(|text| printable_json(&text).into_owned() + "\n")
    }
}

fn ending(outcome: Outcome) -> String {
    match outcome.winner() {
        Some(winner) => format!("{winner} has won"),
        None => "it is a draw".to_owned(),
    }
}
