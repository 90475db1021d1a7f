//! `tengen db grow`.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use super::Asked;
use crate::common::interrupts::{INTERRUPTED, stop_on_signals};
use crate::common::progress::{Bar, threads};
use crate::db::args::DbGrowArgs;
use tengen_engine::database::{Access, PositionDatabase, PositionEntry};
use tengen_files::words::{clock_time, counted, grouped};
use tengen_lab::growth::{
    GrowthEnd, GrowthMove, GrowthOptions, GrowthState, GrowthSummary, grow as run,
};

/// The moves of the best line that the progress shows.
const SHOWN_MOVES: usize = 6;

/// Grows the tree of a position.
pub(super) fn grow(args: &DbGrowArgs) -> anyhow::Result<ExitCode> {
    let asked = Asked::new(&args.position, args.json)?;
    let options = GrowthOptions {
        nodes: args.nodes,
        width: args.width.into(),
        margin: args.margin,
        ply_price: args.ply_price,
        most_positions: args.positions,
        time: args.time,
        settled: Some(args.settled).filter(|&searches| searches > 0),
        tolerance: args.tolerance,
        threads: threads(args.run.threads),
        table_bytes: usize::try_from(u64::from(args.hash) << 20).unwrap_or(usize::MAX),
    };
    let stop = stop_on_signals()?;
    let database = PositionDatabase::open(&args.file, Access::Create)?;
    let spinner = Bar::spinner(args.run.quiet);
    let start = Instant::now();
    let mut tell = |state: &GrowthState| {
        let left = args.time.map(|time| time.saturating_sub(start.elapsed()));
        spinner.say(progress(&asked, args, state, left));
    };
    let done = run(&database, &asked.placement, &options, &stop, &mut tell);
    spinner.end();
    let summary = done?;
    let text =
        if args.json { format!("{}\n", object(&asked, &summary)) } else { text(&asked, &summary) };
    io::stdout().write_all(text.as_bytes())?;
    Ok(match summary.end {
        GrowthEnd::Stopped => ExitCode::from(INTERRUPTED),
        _ => ExitCode::SUCCESS,
    })
}

/// Returns what is known of a position in a few words, for its side to move.
fn verdict(entry: &PositionEntry) -> String {
    match (entry.result, entry.evaluation) {
        (Some(result), _) => result.to_string(),
        (None, Some(evaluation)) => evaluation.score.raw().to_string(),
        (None, None) => "unknown".to_owned(),
    }
}

/// Returns what is known of a move in a few words, for the side that makes it.
fn worth(step: &GrowthMove) -> String {
    match (step.result, step.value) {
        (Some(result), _) => result.before().to_string(),
        (None, Some(value)) => (-value).raw().to_string(),
        (None, None) => "unknown".to_owned(),
    }
}

/// Returns the line that shows how far it is.
fn progress(
    asked: &Asked,
    args: &DbGrowArgs,
    state: &GrowthState,
    left: Option<Duration>,
) -> String {
    let mut said = match args.positions {
        Some(most) => format!("{} of {}", grouped(state.positions), counted(most, "position")),
        None => counted(state.positions, "position"),
    };
    let cells = state.line.iter().take(SHOWN_MOVES).map(|step| asked.cell(step.point));
    let cells = cells.collect::<Vec<_>>().join(" ");
    let _ = write!(said, ", value {}, {cells}", verdict(&state.root));
    if let Some(left) = left {
        let _ = write!(said, ", {} left", clock_time(left));
    }
    said
}

/// Returns why it ended, for programs and for people.
fn reason(end: GrowthEnd) -> (&'static str, &'static str) {
    match end {
        GrowthEnd::Proven => ("proven", "the position is proven"),
        GrowthEnd::Complete => ("complete", "everything within the margin is searched"),
        GrowthEnd::Settled => ("settled", "the value has settled"),
        GrowthEnd::Positions => ("positions", "there are enough positions"),
        GrowthEnd::Time => ("time", "the time is over"),
        GrowthEnd::Stopped => ("interrupted", "it was interrupted"),
    }
}

/// Returns the summary for people.
fn text(asked: &Asked, summary: &GrowthSummary) -> String {
    let GrowthSummary { end, state, expanded, proven, loose } = summary;
    let mut text = format!(
        "{}\n\n{}, {} searched ({} now), {} proven; {}\n\nvalue   {}\n",
        asked.title(),
        counted(state.positions, "position"),
        grouped(*expanded),
        grouped(state.searches),
        grouped(*proven),
        reason(*end).1,
        verdict(&state.root),
    );
    if let (None, Some(evaluation)) = (state.root.result, state.root.evaluation) {
        text.pop();
        let _ = writeln!(text, ", depth {}", evaluation.depth);
    }
    if !state.line.is_empty() {
        text.push_str("\nmove  value for its side\n");
    }
    for step in &state.line {
        let _ = writeln!(text, "{:4}  {}", asked.cell(step.point), worth(step));
    }
    if !loose.is_empty() {
        text.push_str("\nwould be searched next\nprice  moves\n");
    }
    for (line, price) in loose {
        let cells: Vec<String> = line.iter().map(|step| asked.cell(step.point)).collect();
        let cells =
            if cells.is_empty() { "the position itself".to_owned() } else { cells.join(" ") };
        let _ = writeln!(text, "{price:5}  {cells}");
    }
    text
}

/// Returns the summary for programs.
fn object(asked: &Asked, summary: &GrowthSummary) -> Value {
    let GrowthSummary { end, state, expanded, proven, loose } = summary;
    let step = |step: &GrowthMove| {
        let mut object = Map::from_iter([("move".to_owned(), asked.cell(step.point).into())]);
        if let Some(result) = step.result {
            object.insert("result".to_owned(), result.before().to_string().into());
        } else if let Some(value) = step.value {
            object.insert("score".to_owned(), (-value).raw().into());
        }
        Value::Object(object)
    };
    let mut root = Map::new();
    match (state.root.result, state.root.evaluation) {
        (Some(result), _) => {
            root.insert("result".to_owned(), result.to_string().into());
        }
        (None, Some(evaluation)) => {
            root.insert("score".to_owned(), evaluation.score.raw().into());
            root.insert("depth".to_owned(), evaluation.depth.into());
        }
        (None, None) => {}
    }
    let loose: Vec<Value> = loose
        .iter()
        .map(|(line, price)| {
            let cells: String = line.iter().map(|step| asked.cell(step.point)).collect();
            json!({ "price": price, "moves": cells })
        })
        .collect();
    json!({
        "end": reason(*end).0,
        "positions": state.positions,
        "searched": expanded,
        "searches": state.searches,
        "proven": proven,
        "root": root,
        "line": state.line.iter().map(step).collect::<Vec<Value>>(),
        "next": loose,
    })
}
