//! `tengen analyse --position`: the best moves of a position, deeper and deeper.

mod screen;
mod text;

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use anyhow::bail;

use crate::analyse::args::AnalyseArgs;
use crate::analyse::games::last_game;
use crate::common::files::{STREAM, game_of_file, game_of_moves};
use crate::common::progress::threads;
use crate::common::words::{cells, usual_origin};
use crate::screen::Look;
use tengen_core::notation::Origin;
use tengen_core::rules::Rule;
use tengen_core::types::ScoreKind;
use tengen_engine::engine::{Engine, Settings, Thinker as _};
use tengen_people::play::{CasualGame, LiveAnalysis, LiveLimits, LiveMove};

/// The moves that are compared, unless the options say something else.
const USUAL_LINES: u8 = 5;
/// The mebibytes of the search, unless the options say something else.
const USUAL_HASH: u32 = 256;

/// Analyses the position that the options name.
pub(super) fn run(args: &AnalyseArgs) -> anyhow::Result<ExitCode> {
    let is_screen = !args.json && io::stdout().is_terminal();
    let (game, origin) = game(args, is_screen)?;
    let look = if is_screen { Some(Look::new(&args.look)?) } else { None };
    if !is_screen && game.end().is_some() {
        bail!("the game is over: --after names an earlier position");
    }
    let (mut engine, events) = Engine::new();
    let bytes = u64::from(args.hash.unwrap_or(USUAL_HASH)) << 20;
    engine.set_settings(Settings {
        threads: threads(args.run.threads),
        max_memory: None,
        hash_size: Some(bytes),
        ..Settings::default()
    });
    let limits = LiveLimits { nodes: args.nodes, depth: args.position.depth, time: args.time };
    let count = args.position.lines.unwrap_or(USUAL_LINES).into();
    let analysis = LiveAnalysis::new(game, engine, count, limits);
    match look {
        Some(look) => screen::run(analysis, look, origin, &events),
        None => text::run(analysis, origin, args.json, &events),
    }
}

/// Returns the game with the position to begin with, and the edge from which its rows count.
fn game(args: &AnalyseArgs, is_screen: bool) -> anyhow::Result<(CasualGame, Origin)> {
    let typed = args.typed_origin();
    let mut format = None;
    let mut game = match &args.files[..] {
        [] if args.last => last_game()?.1.game,
        [] => game_of_moves(args.moves.as_deref(), &args.source, Rule::Freestyle, typed)?,
        [path] if path.as_os_str() == STREAM && is_screen => {
            bail!("standard input is where keys are typed: name a file")
        }
        [path] => {
            let (number, top) = (args.position.game.unwrap_or(1), args.origin.unwrap_or_default());
            let (game, of) = game_of_file(path, number, &args.source, Rule::Freestyle, top)?;
            format = Some(of);
            game
        }
        _ => bail!("one position is analysed: name one file"),
    };
    if let Some(after) = args.position.after {
        let (least, most) = (game.opening(), game.moves().len());
        if !(least..=most).contains(&after) {
            bail!("--after: there are positions after {least} to {most} moves");
        }
        if after < most {
            game.take_back(most - after)?;
        }
    }
    let origin = typed.unwrap_or_else(|| usual_origin(Some(game.rule()), format));
    Ok((game, origin))
}

/// Returns what a move is worth to the side to move: `56.2 %`, `wins in 7`.
fn worth(live: &LiveMove) -> String {
    match live.score.kind() {
        ScoreKind::Win(plies) => format!("wins in {plies}"),
        ScoreKind::Loss(plies) => format!("loses in {plies}"),
        ScoreKind::Value(_) => format!("{:.1} %", 100.0 * live.chances.points()),
    }
}

/// Returns a line of play, as far as it fits in this number of columns.
fn shortened(live: &LiveMove, game: &CasualGame, origin: Origin, columns: usize) -> String {
    let mut text = String::new();
    for point in &live.line {
        let cell = cells(&[*point], game.size(), origin);
        if text.len() + 1 + cell.len() > columns {
            break;
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text += &cell;
    }
    text
}
