//! The analysis of a position as lines of text or JSON.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::bail;
use crossbeam_channel::{Receiver, select};
use serde::Serialize;

use super::{shortened, worth};
use crate::common::interrupts::{BEAT, Interrupts};
use tengen_core::notation::{Moves, Origin};
use tengen_core::types::ScoreKind;
use tengen_engine::engine::{Engine, Event, Thinker};
use tengen_files::printable::printable_json;
use tengen_files::words::{counted, duration};
use tengen_people::play::{LiveAnalysis, LiveMove};

/// The columns of a line of play.
const COLUMNS: usize = 60;

/// Prints the best moves whenever they are known deeper, until a limit or Ctrl-C ends it.
pub(super) fn run(
    mut analysis: LiveAnalysis<Engine>,
    origin: Origin,
    is_json: bool,
    events: &Receiver<Event>,
) -> anyhow::Result<ExitCode> {
    let signals = Interrupts::watch()?;
    let print = |text: &str| -> anyhow::Result<()> {
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        Ok(out.flush()?)
    };
    if !is_json {
        print(&heading(&analysis, origin))?;
    }
    // The depth and the nodes reported last.
    let mut told = (None, 0);
    loop {
        select! {
            recv(events) -> event => match event {
                Ok(event) => _ = analysis.event(event),
                Err(_) => bail!("the engine is gone"),
            },
            default(BEAT) => {}
        }
        // The reports of a depth that is not finished yet add little, but the last one counts.
        let depth = analysis.moves().last().map(|live| live.depth);
        let nodes = analysis.report().map_or(0, |report| report.nodes);
        let is_over = !analysis.is_working() || signals.take_any();
        if depth > told.0 || is_over && nodes > told.1 {
            told = (depth, nodes);
            print(&if is_json { object(&analysis) } else { block(&analysis, origin) })?;
        }
        if is_over {
            // Dropping the engine would end its threads one by one; the process ends at once.
            let fault = analysis.fault().map(str::to_owned);
            std::mem::forget(analysis);
            return fault.map_or(Ok(ExitCode::SUCCESS), |fault| bail!(fault));
        }
    }
}

fn heading<T: Thinker>(analysis: &LiveAnalysis<T>, origin: Origin) -> String {
    let game = analysis.game();
    let moves = counted(game.moves().len() as u64, "move");
    let rows = crate::common::words::rows_from(origin);
    format!("{} {}, {} to move after {moves}{rows}\n", game.rule(), game.size(), game.to_move())
}

/// Returns the moves of a report, one on a line.
fn block<T: Thinker>(analysis: &LiveAnalysis<T>, origin: Origin) -> String {
    let (game, moves) = (analysis.game(), analysis.moves());
    let (Some(report), Some(first)) = (analysis.report(), moves.first()) else {
        return String::new();
    };
    let nodes = counted(report.nodes, "node");
    let mut text = format!("depth {}, {nodes}, {}\n", first.depth, duration(report.elapsed));
    for (i, live) in moves.iter().enumerate() {
        let line = shortened(live, game, origin, COLUMNS);
        let depth = format!("{}-{}", live.depth, live.seldepth);
        let _ = writeln!(text, "{:>3}.  {:>11}  {depth:<6} {line}", i + 1, worth(live));
    }
    text
}

/// The object of a report. Cells count from the top.
#[derive(Serialize)]
struct ReportObject {
    ply: usize,
    color: String,
    depth: u32,
    nodes: u64,
    seconds: f64,
    moves: Vec<CandidateObject>,
}

/// The object of a move.
#[derive(Serialize)]
struct CandidateObject {
    #[serde(rename = "move")]
    cell: String,
    win: f64,
    wdl: [f64; 3],
    #[serde(skip_serializing_if = "Option::is_none")]
    wins_in: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    loses_in: Option<u16>,
    score: i32,
    depth: u32,
    seldepth: u32,
    line: String,
}

/// Returns a report as JSON on a line.
fn object<T: Thinker>(analysis: &LiveAnalysis<T>) -> String {
    let moves = analysis.moves();
    let (Some(report), Some(first)) = (analysis.report(), moves.first()) else {
        return String::new();
    };
    let object = ReportObject {
        ply: analysis.game().moves().len(),
        color: analysis.game().to_move().to_string(),
        depth: first.depth,
        nodes: report.nodes,
        seconds: (report.elapsed.as_secs_f64() * 1e3).round() / 1e3,
        moves: moves.iter().map(move_object).collect(),
    };
    // Texts, numbers and lists of them always have a form.
    printable_json(&serde_json::to_string(&object).unwrap_or_default()).into_owned() + "\n"
}

fn move_object(live: &LiveMove) -> CandidateObject {
    let rounded = |share: f64| (share * 1e4).round() / 1e4;
    let chances = live.chances;
    let (wins_in, loses_in) = match live.score.kind() {
        ScoreKind::Win(plies) => (Some(plies), None),
        ScoreKind::Loss(plies) => (None, Some(plies)),
        ScoreKind::Value(_) => (None, None),
    };
    CandidateObject {
        cell: live.line.first().map_or_else(String::new, ToString::to_string),
        win: rounded(chances.points()),
        wdl: [chances.win, chances.draw, chances.loss].map(rounded),
        wins_in,
        loses_in,
        score: live.score.raw(),
        depth: live.depth,
        seldepth: live.seldepth,
        line: Moves(&live.line).to_string(),
    }
}
