//! From what was typed to a match that makes sense: contradictions end here, before any work.

use super::engines::{EngineEntry, contestants};
use crate::matches::args::{MatchArgs, OrderArg};
use tengen_core::types::Point;
use tengen_files::words::counted;
use tengen_lab::arena::{
    Adjudication, DrawRule, MatchSpec, OpeningOrder, Pairing, ResignRule, Shard,
};
use tengen_lab::stats::{EloModel, Sprt, SprtOptions};

/// The rounds of a match that a test is to end: more than any test needs.
const TEST_ROUNDS: u64 = 100_000;

/// An error in the options.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct OptionError(String);

impl OptionError {
    /// Returns an error that says this.
    pub(super) fn new(message: impl Into<String>) -> OptionError {
        OptionError(message.into())
    }
}

/// Returns the match of these engines that the arguments ask for, without its openings.
pub(super) fn match_spec(
    args: &MatchArgs,
    engines: &[EngineEntry],
) -> Result<MatchSpec, OptionError> {
    let contestants = contestants(engines)?;
    if contestants.len() < 2 {
        let count = if contestants.is_empty() { "none" } else { "one" };
        return Err(OptionError(format!(
            "a match needs two engines, and there is {count}: name them with --engine, or a \
             directory or file of them with --engines"
        )));
    }
    for (option, is_given) in
        [("--best-of", args.best_of.is_some()), ("--sprt", !args.sprt.is_empty())]
    {
        if is_given && contestants.len() != 2 {
            return Err(OptionError(format!(
                "{option} is for two engines, and there are {}",
                contestants.len()
            )));
        }
    }
    if args.seed.is_some() && args.order != OrderArg::Random {
        return Err(OptionError::new("--seed is for --order random"));
    }
    let sprt = if args.sprt.is_empty() { None } else { Some(sprt(&args.sprt)?) };
    let rounds = args.rounds.or(args.best_of);
    Ok(MatchSpec {
        event: event(&args.event)?,
        rule: args.board.rule,
        size: args.board.size,
        contestants,
        pairing: pairing(args)?,
        rounds: rounds.unwrap_or(if sprt.is_some() { TEST_ROUNDS } else { 1 }),
        openings: Vec::new(),
        order: match args.order {
            OrderArg::Sequential => OpeningOrder::Sequential,
            OrderArg::Random => OpeningOrder::Shuffled(args.seed.unwrap_or(0)),
        },
        first_opening: 0,
        symmetries: args.symmetries,
        swap2: args.swap2,
        silence: (!args.silence.is_zero()).then_some(args.silence),
        adjudication: Adjudication {
            draw_after: args.draw_after,
            draw: args.draw.as_deref().map(draw_rule).transpose()?,
            resign: args.resign.as_deref().map(resign_rule).transpose()?,
        },
        sprt,
    })
}

/// Gives the match its openings, and begins with the one of this number, from 1, in their order.
pub(super) fn with_openings(
    spec: MatchSpec,
    openings: Vec<Vec<Point>>,
    start: usize,
) -> Result<MatchSpec, OptionError> {
    if openings.is_empty() {
        return Err(OptionError::new("--openings: there are no openings in the file"));
    }
    let first_opening = start.saturating_sub(1);
    if first_opening >= openings.len() {
        let count = counted(openings.len() as u64, "opening");
        return Err(OptionError(format!("--openings-start {start}: the file has {count}")));
    }
    Ok(MatchSpec { openings, first_opening, ..spec })
}

/// Returns the part of the match that is to be played.
pub(super) fn shard(args: &MatchArgs) -> Result<Option<Shard>, OptionError> {
    let Some(text) = &args.shard else { return Ok(None) };
    let number = |text: &str| digits(text).and_then(|text| text.parse::<u64>().ok());
    let parts = text.split_once('/').and_then(|(i, n)| Some((number(i)?, number(n)?)));
    match parts {
        Some((number, count)) if (1..=count).contains(&number) => {
            Ok(Some(Shard { index: number - 1, count }))
        }
        Some(_) => Err(OptionError(format!("--shard {text}: the first part is 1/N, the last N/N"))),
        None => Err(OptionError(format!("--shard {text}: it is not I/N, such as 1/4"))),
    }
}

fn event(name: &str) -> Result<String, OptionError> {
    if name.chars().any(char::is_control) {
        return Err(OptionError::new("--event: control characters are not part of a name"));
    }
    Ok(name.trim().to_owned())
}

fn pairing(args: &MatchArgs) -> Result<Pairing, OptionError> {
    if args.gauntlet {
        return Ok(Pairing::Gauntlet);
    }
    if args.best_of.is_none() {
        return Ok(Pairing::RoundRobin);
    }
    let letters = args.first.as_deref().unwrap_or("AB");
    let first = letters.chars().map(|letter| match letter {
        'A' | 'a' => Ok(0),
        'B' | 'b' => Ok(1),
        _ => Err(OptionError(format!(
            "--first {letters}: the letters are A for the first engine and B for the second"
        ))),
    });
    let first = first.collect::<Result<Vec<usize>, _>>()?;
    if first.is_empty() {
        return Err(OptionError::new("--first: there is no letter"));
    }
    Ok(Pairing::BestOf { first })
}

fn draw_rule(text: &str) -> Result<DrawRule, OptionError> {
    let parts: Option<Vec<u32>> = text.split(',').map(|part| digits(part)?.parse().ok()).collect();
    match parts.as_deref() {
        Some(&[score, moves, ref from @ ..]) if from.len() <= 1 => {
            let (score, moves) = checked("--draw", text, score, moves)?;
            Ok(DrawRule { score, moves, from: from.first().copied().unwrap_or(0) })
        }
        _ => Err(OptionError(format!(
            "--draw {text}: it is not SCORE,MOVES[,FROM], such as 10,8,60"
        ))),
    }
}

fn resign_rule(text: &str) -> Result<ResignRule, OptionError> {
    let (numbers, both) = match text.strip_suffix(",both") {
        Some(numbers) => (numbers, true),
        None => (text, false),
    };
    let parts = numbers.split_once(',').and_then(|(score, moves)| {
        Some((digits(score)?.parse().ok()?, digits(moves)?.parse().ok()?))
    });
    let Some((score, moves)) = parts else {
        return Err(OptionError(format!(
            "--resign {text}: it is not SCORE,MOVES[,both], such as 2000,4"
        )));
    };
    if score == 0 {
        return Err(OptionError(format!("--resign {text}: the score is 0")));
    }
    let (score, moves) = checked("--resign", text, score, moves)?;
    Ok(ResignRule { score, moves, both })
}

fn checked(option: &str, text: &str, score: u32, moves: u32) -> Result<(i32, u32), OptionError> {
    match i32::try_from(score) {
        Ok(score) if moves > 0 => Ok((score, moves)),
        Ok(_) => Err(OptionError(format!("{option} {text}: the number of moves is 0"))),
        Err(_) => Err(OptionError(format!("{option} {text}: no score is that high"))),
    }
}

/// Returns a text of digits alone: what numbers without a sign are made of.
fn digits(text: &str) -> Option<&str> {
    (!text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())).then_some(text)
}

fn sprt(words: &[String]) -> Result<SprtOptions, OptionError> {
    let (mut elo0, mut elo1) = (None, None);
    let (mut alpha, mut beta, mut model) = (None, None, None);
    for word in words {
        let fault = |why: &str| OptionError(format!("--sprt {word}: {why}"));
        let Some((key, value)) = word.split_once('=') else {
            return Err(fault("it is not KEY=VALUE, such as elo1=10"));
        };
        if key == "model" {
            let named = match value {
                "logistic" => EloModel::Logistic,
                "normalized" => EloModel::Normalized,
                _ => return Err(fault("the models are logistic, normalized")),
            };
            if model.replace(named).is_some() {
                return Err(fault("model= is there twice"));
            }
            continue;
        }
        let place = match key {
            "elo0" => &mut elo0,
            "elo1" => &mut elo1,
            "alpha" => &mut alpha,
            "beta" => &mut beta,
            _ => return Err(fault("the keys are elo0, elo1, alpha, beta, model")),
        };
        let number = value.parse::<f64>().ok().filter(|number| number.is_finite());
        let number = number.ok_or_else(|| fault("it is not a number"))?;
        if place.replace(number).is_some() {
            return Err(fault(&format!("{key}= is there twice")));
        }
    }
    let (Some(elo0), Some(elo1)) = (elo0, elo1) else {
        return Err(OptionError::new("--sprt: both elo0= and elo1= are needed"));
    };
    let options = SprtOptions {
        model: model.unwrap_or(EloModel::Logistic),
        elo0,
        elo1,
        alpha: alpha.unwrap_or(0.05),
        beta: beta.unwrap_or(0.05),
    };
    match Sprt::new(options) {
        Ok(_) => Ok(options),
        Err(error) => Err(OptionError(format!("--sprt: {error}").replacen("SPRT: ", "", 1))),
    }
}

#[cfg(test)]
mod tests;
