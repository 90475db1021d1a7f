//! `tengen play`.
//!
//! Lines are [`typed`], a [`PlaySession`](crate::play::PlaySession) does what they say, and a
//! [`voice`] tells what comes of it. Everything is saved before it is told.

mod table;
mod typed;
mod voice;

use std::collections::VecDeque;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use crossbeam_channel::{Receiver, bounded, never, select};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag::{register, register_conditional_shutdown};

use self::table::Table;
use self::voice::Voice;
use super::args::playing::PlayArgs;
use super::drawing::{BoardGlyphs, has_stones};
use super::files::{STREAM, load};
use super::weights;
use super::words::usual_origin;
use crate::engine::{Engine, Event, Settings, Skill, Thinker as _};
use crate::notation::Origin;
use crate::play::{
    Autosave, AutosaveError, CasualGame, ClockControl, Controller, PlaySession, PlayTerms,
    ThinkingLimits, state_file,
};
use crate::protocol::stdio::read_lines;
use crate::records::{Record, read_typed};
use crate::resume::FileError;
use crate::rules::Rule;
use crate::search::Params;
use crate::sys::clock::SystemClock;
use crate::types::{ByColor, Size};

/// The longest line that is understood, in bytes.
const MOST_TYPED: usize = 16 * 1024;
/// The most lines that wait.
const MOST_LINES: usize = 256;
/// The interval at which signals and clocks are looked at.
const BEAT: Duration = Duration::from_millis(50);
/// The exit code of a program that SIGINT ended.
const INTERRUPTED: u8 = 130;

/// Plays by lines of text.
pub(super) fn run(args: &PlayArgs) -> anyhow::Result<ExitCode> {
    let evaluators = weights::evaluators(&args.weights, &args.networks)?;
    let mut autosave = autosave(args)?;
    let resumed = match &mut autosave {
        Some(autosave) if args.resume => match autosave.read()? {
            Some(saved) => Some(saved),
            None => {
                bail!("there is no game to go on with: {} is missing", autosave.path().display())
            }
        },
        _ => None,
    };
    let begun = if resumed.is_none() { Some(begin(args)?) } else { None };
    let signals = Interrupts::watch().context("cannot watch for Ctrl-C")?;

    let (mut engine, events) = Engine::with(Params::DEFAULT, evaluators);
    engine.set_settings(Settings { threads: args.threads.into(), ..Settings::default() });
    let mut session = match (resumed, begun) {
        (Some(saved), _) => PlaySession::resume(engine, SystemClock, saved),
        (None, begun) => {
            let game = begun.unwrap_or_else(|| CasualGame::new(Size::DEFAULT, Rule::Freestyle));
            PlaySession::new(engine, SystemClock, terms(args), game)
        }
    };
    if args.file.is_none() {
        session.set_date(&Record::date_now());
    }
    let draws_stones = !args.ascii && io::stdout().is_terminal() && has_stones();
    let glyphs = if draws_stones { BoardGlyphs::Stones } else { BoardGlyphs::Letters };
    let voice = Voice { origin: args.origin, glyphs };
    let mut table = Table::new(session, voice, autosave, args.source.rule);
    let ended = serve(&mut table, &lines(), &events, &signals);
    // Dropping the engine would end its threads one by one; the process ends at once.
    std::mem::forget(table);
    ended
}

/// Takes the file of the session; `None` if nothing is to be saved.
fn autosave(args: &PlayArgs) -> anyhow::Result<Option<Autosave>> {
    if args.no_autosave {
        return Ok(None);
    }
    let Some(path) = args.autosave.clone().or_else(state_file) else {
        if args.resume {
            bail!("there is no folder for saved games: name the file with --autosave");
        }
        writeln!(io::stderr(), "The game is not saved: there is no folder for that")?;
        return Ok(None);
    };
    match Autosave::open(&path) {
        Ok(autosave) => Ok(Some(autosave)),
        // Where the user's folders cannot be written to, people can play all the same.
        Err(AutosaveError::File(error @ FileError::Io { .. }))
            if args.autosave.is_none() && !args.resume =>
        {
            let error = anyhow::Error::new(error);
            writeln!(io::stderr(), "The game is not saved: {error:#}")?;
            Ok(None)
        }
        Err(error @ AutosaveError::File(FileError::Locked(_))) => {
            bail!("{error}: --autosave FILE saves elsewhere, --no-autosave nowhere")
        }
        Err(error) => Err(error.into()),
    }
}

/// Returns the game to begin with.
fn begin(args: &PlayArgs) -> anyhow::Result<CasualGame> {
    let rule = args.source.rule.unwrap_or(Rule::Freestyle);
    if let Some(path) = &args.file {
        if path.as_os_str() == STREAM {
            bail!("standard input is where moves are typed: name a file");
        }
        let (records, _) = load(path, &args.source, Origin::Top)?;
        let Some(record) = records.into_iter().next() else {
            bail!("there are no games in {}", path.display());
        };
        let game = CasualGame::from_record(record, &[], rule);
        return game.with_context(|| format!("cannot play {}", path.display()));
    }
    let Some(moves) = &args.moves else {
        return Ok(CasualGame::new(args.source.size.unwrap_or(Size::DEFAULT), rule));
    };
    let origin = args.origin.unwrap_or_else(|| usual_origin(Some(rule), None));
    let (size, points) = read_typed(moves, args.source.size, origin).context("--moves")?;
    let record = Record::of_points(size, &points);
    CasualGame::from_record(record, &[], rule).context("cannot play --moves")
}

/// Returns what the options say about players, clocks and thinking.
fn terms(args: &PlayArgs) -> PlayTerms {
    let other = |controller| match controller {
        Controller::Person => Controller::Engine,
        Controller::Engine => Controller::Person,
    };
    let sides = match (args.black, args.white) {
        (Some(black), white) => [black, white.unwrap_or_else(|| other(black))],
        (None, Some(white)) => [other(white), white],
        (None, None) => [Controller::Person, Controller::Engine],
    };
    let usual = ThinkingLimits::default();
    PlayTerms {
        sides: ByColor(sides),
        skills: ByColor(args.levels().map(|level| Skill { level, seed: args.seed })),
        clock: ClockControl {
            turn: args.time,
            game: args.game_time,
            increment: args.increment.unwrap_or_default(),
            byoyomi: args.byoyomi.map(|periods| periods.0),
        },
        thinking: ThinkingLimits { time: args.think.unwrap_or(usual.time), nodes: args.nodes },
    }
}

/// Ctrl-C, and the wish of the system that the program ends.
struct Interrupts {
    interrupt: Arc<AtomicBool>,
    terminate: Arc<AtomicBool>,
}

impl Interrupts {
    fn watch() -> io::Result<Interrupts> {
        let [interrupt, terminate] = [SIGINT, SIGTERM].map(|signal| {
            let flag = Arc::new(AtomicBool::new(false));
            // In this order: a signal that finds the flag set, because we hang, ends the program.
            register_conditional_shutdown(signal, INTERRUPTED.into(), Arc::clone(&flag))?;
            register(signal, Arc::clone(&flag))?;
            io::Result::Ok(flag)
        });
        Ok(Interrupts { interrupt: interrupt?, terminate: terminate? })
    }
}

/// Starts to read standard input, and returns its lines; the channel is closed at the end.
fn lines() -> Receiver<Vec<u8>> {
    let (sender, lines) = bounded(MOST_LINES);
    thread::spawn(move || {
        read_lines(io::stdin().lock(), MOST_TYPED, |line| sender.send(line.to_vec()).is_ok());
    });
    lines
}

/// Does what is typed until the end.
fn serve(
    table: &mut Table<Engine, SystemClock>,
    lines: &Receiver<Vec<u8>>,
    events: &Receiver<Event>,
    signals: &Interrupts,
) -> anyhow::Result<ExitCode> {
    let mut out = io::stdout().lock();
    let mut lines = lines.clone();
    let mut waiting: VecDeque<String> = VecDeque::new();
    // The number of moves at the end of the input, once that has come.
    let mut closing: Option<usize> = None;
    table.start();
    loop {
        let said = table.said();
        out.write_all(said.as_bytes())?;
        out.flush()?;
        if table.is_over() || signals.terminate.load(Ordering::SeqCst) {
            return Ok(ExitCode::SUCCESS);
        }
        if signals.interrupt.swap(false, Ordering::SeqCst) {
            if !table.session().is_thinking() {
                return Ok(ExitCode::from(INTERRUPTED));
            }
            table.obey("stop");
            continue;
        }
        if waiting.front().is_some_and(|line| table.takes(line))
            && let Some(line) = waiting.pop_front()
        {
            table.obey(&line);
            continue;
        }
        let moves = table.session().game().moves().len();
        if waiting.is_empty()
            && closing.is_some_and(|then| moves > then || !table.session().is_thinking())
        {
            return Ok(ExitCode::SUCCESS);
        }
        let more = if waiting.len() < MOST_LINES { lines.clone() } else { never() };
        let until = table
            .session()
            .deadline()
            .map_or(BEAT, |deadline| deadline.saturating_duration_since(Instant::now()).min(BEAT));
        select! {
            recv(more) -> line => match line {
                Ok(line) => match table.line(line) {
                    Some(line) if table.overtakes(&line) => table.obey(&line),
                    line => waiting.extend(line),
                },
                Err(_) => {
                    lines = never();
                    closing = Some(moves);
                }
            },
            recv(events) -> event => match event {
                Ok(event) => table.event(event),
                Err(_) => bail!("the engine is gone"),
            },
            default(until) => table.tick(),
        }
    }
}
