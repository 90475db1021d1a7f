//! The description of a match for those who did not start it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    Adjudication, Contestant, ContestantKind, EngineWords, MatchSpec, OpeningOrder, Pairing,
    ResignRule,
};
use crate::stats::SprtOptions;
use tengen_core::rules::Rule;
use tengen_core::types::{Point, Size};
use tengen_files::resume::Differences;
use tengen_files::words::seconds;

/// The facts of a match without which its games mean nothing: the head of a journal.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchInfo {
    /// The name of the match.
    pub event: String,
    /// The rule.
    pub rule: Rule,
    /// The size of the board.
    pub size: Size,
    /// The contestants.
    pub players: Vec<PlayerInfo>,
    /// The pairing of the contestants.
    pub pairing: Pairing,
    /// See [`MatchSpec::rounds`](super::MatchSpec::rounds).
    pub rounds: u64,
    /// The test that ends the match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtOptions>,
    /// Everything else that two runs of one match must agree in, by name as text: openings
    /// (number and checksum), order, symmetries, swap2, adjudication.
    pub settings: Vec<(String, String)>,
}

/// A contestant as a journal knows it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerInfo {
    /// The name.
    pub name: String,
    /// The command line of a process, or `builtin` and the name of an evaluator.
    pub command: String,
    /// Its limits and what else is sent to it, in the words of the command line.
    pub options: String,
}

impl MatchInfo {
    /// Returns the facts of a match.
    #[must_use]
    pub fn of(spec: &MatchSpec) -> MatchInfo {
        MatchInfo {
            event: spec.event.clone(),
            rule: spec.rule,
            size: spec.size,
            players: spec.contestants.iter().map(PlayerInfo::of).collect(),
            pairing: spec.pairing.clone(),
            rounds: spec.rounds,
            sprt: spec.sprt,
            settings: settings(spec),
        }
    }

    /// Returns the settings in which two match descriptions differ.
    #[must_use]
    pub fn differences(&self, now: &MatchInfo) -> Differences {
        Differences::between(self.facts(), now.facts())
    }

    /// Returns every value by name.
    fn facts(&self) -> Vec<(String, String)> {
        let text = |value: &Value| match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        // Serialising cannot fail: all map keys are strings.
        let fields = serde_json::to_value(self).unwrap_or_default();
        let mut facts = Vec::new();
        for (name, value) in fields.as_object().into_iter().flatten() {
            match (name.as_str(), value.as_array()) {
                ("players", Some(players)) => {
                    facts.push(("number of players".to_owned(), players.len().to_string()));
                    for (number, player) in (1..).zip(players) {
                        for (what, value) in player.as_object().into_iter().flatten() {
                            facts.push((format!("{what} of player {number}"), text(value)));
                        }
                    }
                }
                ("settings", _) => facts.extend(self.settings.iter().cloned()),
                _ => facts.push((name.clone(), text(value))),
            }
        }
        facts
    }
}

/// Stands for something that a match does not have.
const NOT_SET: &str = "none";

impl PlayerInfo {
    fn of(contestant: &Contestant) -> PlayerInfo {
        let words = EngineWords::of(contestant);
        let command = match &contestant.kind {
            ContestantKind::Process(command) => command.to_string(),
            kind => EngineWords { kind: Some(kind.clone()), ..EngineWords::default() }.to_string(),
        };
        let options = EngineWords { kind: None, name: None, ..words }.to_string();
        PlayerInfo { name: contestant.name.clone(), command, options }
    }
}

/// Returns what else two runs of a match must agree in.
fn settings(spec: &MatchSpec) -> Vec<(String, String)> {
    let on = |set: bool| if set { "on" } else { "off" }.to_owned();
    let or_none = |value: Option<String>| value.unwrap_or_else(|| NOT_SET.to_owned());
    let openings = match spec.openings.len() {
        0 => NOT_SET.to_owned(),
        count => format!("{count} with checksum {:08x}", checksum(&spec.openings)),
    };
    let mut order = match spec.order {
        OpeningOrder::Sequential => "sequential".to_owned(),
        OpeningOrder::Shuffled(seed) => format!("random with seed {seed}"),
    };
    if spec.first_opening > 0 {
        order += &format!(" from {}", spec.first_opening + 1);
    }
    let Adjudication { draw_after, draw, resign } = spec.adjudication;
    let draw = draw.map(|rule| format!("{},{},{}", rule.score, rule.moves, rule.from));
    let resign = resign.map(|ResignRule { score, moves, both }| {
        format!("{score},{moves}{}", if both { " by both" } else { "" })
    });
    // Journals of the usual limit do not name it.
    let silence = match spec.silence {
        Some(MatchSpec::SILENCE) => None,
        silence => Some(("silence", or_none(silence.map(|time| seconds(time) + " s")))),
    };
    let usual = [
        ("openings", openings),
        ("order", order),
        ("symmetries", on(spec.symmetries)),
        ("swap2", on(spec.swap2)),
        ("draw-after", or_none(draw_after.map(|moves| moves.to_string()))),
        ("draw", or_none(draw)),
        ("resign", or_none(resign)),
    ];
    usual.into_iter().chain(silence).map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Returns the CRC-32 of all openings.
fn checksum(openings: &[Vec<Point>]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for opening in openings {
        for point in opening {
            hasher.update(&[point.x(), point.y()]);
        }
        hasher.update(&[u8::MAX]);
    }
    hasher.finalize()
}

#[cfg(test)]
mod tests;
