//! What is told of a match to those who did not start it.

use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{
    Adjudication, Contestant, ContestantKind, MatchSpec, OpeningOrder, Pairing, ResignRule,
};
use crate::rules::Rule;
use crate::stats::{EloModel, SprtOptions};
use crate::types::{Point, Size};

/// The facts of a match without which its games mean nothing: the head of a journal.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(into = "Written", try_from = "Written")]
pub struct MatchInfo {
    /// The name of the match.
    pub event: String,
    /// The rule.
    pub rule: Rule,
    /// The size of the board.
    pub size: Size,
    /// The contestants.
    pub players: Vec<PlayerInfo>,
    /// Who plays whom.
    pub pairing: Pairing,
    /// See [`MatchSpec::rounds`](super::MatchSpec::rounds).
    pub rounds: u64,
    /// The test that ends the match.
    pub sprt: Option<SprtOptions>,
    /// Everything else that two runs of one match must agree in, by name and in words: openings
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
    /// What it may use and what else it is told, in the words of the command line.
    pub options: String,
}

/// Something in which two matches are not the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// What it is.
    pub name: String,
    /// How it was when the journal was begun.
    pub begun: String,
    /// How it is now.
    pub now: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} (now {})", self.name, self.begun, self.now)
    }
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

    /// Returns in what another match, or another idea of the same, is not this one.
    #[must_use]
    pub fn differences(&self, now: &MatchInfo) -> Vec<Difference> {
        let (begun, now) = (self.facts(), now.facts());
        let find = |facts: &[(String, String)], name: &str| {
            let fact = facts.iter().find(|(other, _)| other == name);
            fact.map_or_else(|| NOT_SET.to_owned(), |(_, value)| value.clone())
        };
        let mut seen = BTreeSet::new();
        let names = begun.iter().chain(&now).map(|(name, _)| name);
        names
            .filter(|&name| seen.insert(name))
            .map(|name| Difference {
                name: name.clone(),
                begun: find(&begun, name),
                now: find(&now, name),
            })
            .filter(|difference| difference.begun != difference.now)
            .collect()
    }

    /// Returns everything by name and in words.
    fn facts(&self) -> Vec<(String, String)> {
        let pairing = match &self.pairing {
            Pairing::RoundRobin => "round robin".to_owned(),
            Pairing::Gauntlet => "gauntlet".to_owned(),
            Pairing::BestOf { first } => {
                let letters: String =
                    first.iter().map(|&i| if i == 0 { 'A' } else { 'B' }).collect();
                format!("best of, {letters} first")
            }
        };
        let sprt = self.sprt.map_or_else(
            || NOT_SET.to_owned(),
            |SprtOptions { model, elo0, elo1, alpha, beta }| {
                let model = model_name(model);
                format!("elo0={elo0} elo1={elo1} alpha={alpha} beta={beta} model={model}")
            },
        );
        let mut facts: Vec<(String, String)> = [
            ("event", self.event.clone()),
            ("rule", self.rule.to_string()),
            ("size", self.size.to_string()),
            ("pairing", pairing),
            ("rounds", self.rounds.to_string()),
            ("sprt", sprt),
            ("number of players", self.players.len().to_string()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into();
        for (number, player) in (1..).zip(&self.players) {
            let PlayerInfo { name, command, options } = player;
            for (what, value) in [("name", name), ("command", command), ("options", options)] {
                facts.push((format!("{what} of player {number}"), value.clone()));
            }
        }
        facts.extend(self.settings.iter().cloned());
        facts
    }
}

/// What stands for something that a match does not have.
const NOT_SET: &str = "none";

impl PlayerInfo {
    fn of(contestant: &Contestant) -> PlayerInfo {
        let command = match &contestant.kind {
            ContestantKind::Process(command) => command.to_string(),
            ContestantKind::Evaluator(kind) => format!("builtin={kind}"),
            ContestantKind::Greedy => "builtin=greedy".to_owned(),
        };
        PlayerInfo { name: contestant.name.clone(), command, options: options(contestant) }
    }
}

/// Returns what a contestant may use in the words of the command line.
fn options(contestant: &Contestant) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut word = |name: &str, value: Option<String>| {
        words.extend(value.map(|value| format!("{name}={value}")));
    };
    let allowance = &contestant.allowance;
    let clock = allowance.game.map(|game| match allowance.increment {
        Duration::ZERO => seconds(game),
        increment => format!("{}+{}", seconds(game), seconds(increment)),
    });
    word("dir", contestant.dir.as_ref().map(|dir| dir.display().to_string()));
    word("tc", clock);
    word("turn", allowance.turn.map(seconds));
    word("margin", Some(seconds(allowance.margin)));
    word("nodes", allowance.nodes.map(|nodes| nodes.to_string()));
    word("depth", allowance.depth.map(|depth| depth.to_string()));
    word("threads", allowance.threads.map(|threads| threads.to_string()));
    word("memory", allowance.memory.map(mebibytes));
    word("restart", contestant.restart.then(|| "on".to_owned()));
    for (key, value) in &contestant.options {
        word(key, Some(value.clone()));
    }
    words.join(" ")
}

/// Returns a number of seconds without zeros at its end.
fn seconds(time: Duration) -> String {
    let text = format!("{}.{:09}", time.as_secs(), time.subsec_nanos());
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Returns a number of MiB, with the bytes beyond if there are any.
fn mebibytes(bytes: u64) -> String {
    match bytes % (1 << 20) {
        0 => (bytes >> 20).to_string(),
        _ => format!("{bytes}B"),
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
    let order = match spec.order {
        OpeningOrder::Sequential => "sequential".to_owned(),
        OpeningOrder::Shuffled(seed) => format!("random with seed {seed}"),
    };
    let Adjudication { draw_after, draw, resign } = spec.adjudication;
    let draw = draw.map(|rule| format!("{},{},{}", rule.score, rule.moves, rule.from));
    let resign = resign.map(|ResignRule { score, moves, both }| {
        format!("{score},{moves}{}", if both { " by both" } else { "" })
    });
    [
        ("openings", openings),
        ("order", order),
        ("symmetries", on(spec.symmetries)),
        ("swap2", on(spec.swap2)),
        ("draw-after", or_none(draw_after.map(|moves| moves.to_string()))),
        ("draw", or_none(draw)),
        ("resign", or_none(resign)),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into()
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

const fn model_name(model: EloModel) -> &'static str {
    match model {
        EloModel::Logistic => "logistic",
        EloModel::Normalized => "normalized",
    }
}

/// [`MatchInfo`] as JSON has it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    event: String,
    rule: String,
    size: (u8, u8),
    players: Vec<PlayerInfo>,
    pairing: WrittenPairing,
    rounds: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sprt: Option<WrittenSprt>,
    settings: Vec<(String, String)>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum WrittenPairing {
    RoundRobin,
    Gauntlet,
    BestOf(Vec<usize>),
}

/// Numbers are kept in their letters: the parser of JSON may miss the nearest one.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenSprt {
    model: String,
    elo0: Box<RawValue>,
    elo1: Box<RawValue>,
    alpha: Box<RawValue>,
    beta: Box<RawValue>,
}

impl From<MatchInfo> for Written {
    fn from(info: MatchInfo) -> Written {
        // A number that is none is no option of a test; should one come here, it is no option of
        // what is read back either.
        let raw = |number: f64| serde_json::value::to_raw_value(&number).unwrap_or_default();
        Written {
            event: info.event,
            rule: info.rule.to_string(),
            size: (info.size.width(), info.size.height()),
            players: info.players,
            pairing: match info.pairing {
                Pairing::RoundRobin => WrittenPairing::RoundRobin,
                Pairing::Gauntlet => WrittenPairing::Gauntlet,
                Pairing::BestOf { first } => WrittenPairing::BestOf(first),
            },
            rounds: info.rounds,
            sprt: info.sprt.map(|sprt| WrittenSprt {
                model: model_name(sprt.model).to_owned(),
                elo0: raw(sprt.elo0),
                elo1: raw(sprt.elo1),
                alpha: raw(sprt.alpha),
                beta: raw(sprt.beta),
            }),
            settings: info.settings,
        }
    }
}

impl TryFrom<Written> for MatchInfo {
    type Error = String;

    fn try_from(written: Written) -> Result<MatchInfo, String> {
        let number = |raw: Box<RawValue>| {
            raw.get().parse::<f64>().map_err(|_| format!("{} is not a number", raw.get()))
        };
        let (width, height) = written.size;
        let sprt = match written.sprt {
            None => None,
            Some(sprt) => Some(SprtOptions {
                model: [EloModel::Logistic, EloModel::Normalized]
                    .into_iter()
                    .find(|&model| model_name(model) == sprt.model)
                    .ok_or_else(|| format!("{} is no model of a test", sprt.model))?,
                elo0: number(sprt.elo0)?,
                elo1: number(sprt.elo1)?,
                alpha: number(sprt.alpha)?,
                beta: number(sprt.beta)?,
            }),
        };
        Ok(MatchInfo {
            event: written.event,
            rule: written.rule.parse().map_err(|_| format!("{} is no rule", written.rule))?,
            size: Size::new(width.into(), height.into()).map_err(|error| error.to_string())?,
            players: written.players,
            pairing: match written.pairing {
                WrittenPairing::RoundRobin => Pairing::RoundRobin,
                WrittenPairing::Gauntlet => Pairing::Gauntlet,
                WrittenPairing::BestOf(first) => Pairing::BestOf { first },
            },
            rounds: written.rounds,
            sprt,
            settings: written.settings,
        })
    }
}

#[cfg(test)]
mod tests;
