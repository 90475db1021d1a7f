//! `tengen play`.
//!
//! Lines are [`typed`] or come from the keys of a [`screen`], a [`PlaySession`](tengen_people::play::PlaySession) does what they say, and a
//! [`voice`] tells what comes of it. Everything is saved before it is reported.

pub(crate) mod args;
#[cfg(feature = "lan")]
mod lan;
mod marks;
mod opening;
mod programs;
mod screen;
mod serving;
mod table;
mod typed;
mod voice;

use std::io::{self, IsTerminal};
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};

use self::args::{FIRST_LEVEL, PlayArgs};
use self::programs::{PlayerWords, absent, seated};
use self::serving::{TypingPlayer, serve};
use self::table::{Advice, PlayTable};
use self::voice::Voice;
use super::screen::{Look, has_stones};
use crate::common::files::{STREAM, game_of_file, game_of_moves};
use crate::common::interrupts::{BEAT, Interrupts};
use crate::common::words::note;
use tengen_core::notation::{BoardGlyphs, Origin};
use tengen_core::rules::{OpeningRule, Rule};
use tengen_core::search::Params;
use tengen_core::sys::clock::SystemClock;
use tengen_core::types::{ByColor, Color, Size};
use tengen_engine::engine::{Engine, Event, Level, Settings, Skill, Thinker as _};
use tengen_engine::options::evaluators_of_files;
use tengen_engine::protocol::stdio::read_lines;
use tengen_files::records::Record;
use tengen_files::resume::FileError;
use tengen_people::play::{
    Autosave, AutosaveError, CasualGame, ClockControl, Coach, CoachAnswer, Controller, PlaySession,
    PlayTerms, ProgramEvent, ProgramName, SavedGame, SeatedProgram, ThinkingLimits, state_file,
};
use tengen_people::review::Effort;

/// The longest line that is understood, in bytes.
const MOST_TYPED: usize = 16 * 1024;
/// The most lines that wait.
const MOST_LINES: usize = 256;

/// Plays by lines of text or on the whole screen.
pub(super) fn run(args: &PlayArgs) -> anyhow::Result<ExitCode> {
    #[cfg(feature = "lan")]
    if let Some(ended) = lan::run(args)? {
        return Ok(ended);
    }
    let look = if args.line { None } else { Some(look(args)?) };
    let evaluators = evaluators_of_files(&args.evaluation.weights, &args.evaluation.networks)?;
    let params: Params = args.evaluation.params.iter().copied().collect();
    let mut autosave = autosave(args)?;
    let resumed = autosave.as_mut().filter(|_| args.resume).map(saved_game).transpose()?;
    let is_welcoming = look.is_some() && args.leaves_game_open();
    let last = autosave.as_ref().filter(|_| is_welcoming).and_then(Autosave::last);
    let begun = match &resumed {
        Some(_) => None,
        None if is_welcoming => Some(proposed(args, last.as_ref())?),
        None => Some((terms(args), begin(args)?)),
    };
    let signals = Interrupts::watch().context("cannot watch for Ctrl-C")?;

    let (mut engine, engine_events) = Engine::with(params, evaluators);
    engine.set_settings(Settings { threads: args.threads.into(), ..Settings::default() });
    let (outbox, events) = unbounded();
    pass_on(engine_events, outbox.clone());
    let mut session = match (resumed, begun) {
        (Some(saved), _) => resume(args, engine, saved, &outbox),
        (None, begun) => {
            let new = || (terms(args), CasualGame::new(Size::DEFAULT, Rule::Freestyle));
            let (terms, game) = begun.unwrap_or_else(new);
            let programs = [&args.black, &args.white].into_iter().flatten();
            let programs = programs.filter_map(PlayerWords::program);
            let programs = programs.map(|words| seated(words, outbox.clone())).collect();
            let session = PlaySession::new(engine, SystemClock, terms, game);
            let session = session.with_programs(programs);
            match args.opening {
                Some(opening) => session.with_opening(opening).context("--opening")?,
                None => session,
            }
        }
    };
    drop(outbox);
    if args.file.is_none() {
        session.set_date(&Record::date_now());
    }
    let (coach, advice) = Coach::start(args.teach, Effort::USUAL);
    let mut table = PlayTable::new(session, voice(args), autosave, coach, args.rule);
    if let Some(look) = look {
        let is_open = |saved: &SavedGame| saved.game.end().is_none() && !saved.game.is_untouched();
        if last.as_ref().is_some_and(is_open) {
            table.say("The last game is not over: tengen play --resume goes on with it.\n");
        }
        return screen::run(table, look, &events, &advice, &signals, is_welcoming);
    }
    let (mut table, mut out) = (TypedTable::new(table), io::stdout().lock());
    let ended = serve(&mut table, &mut out, &lines(), (&events, &advice), &signals);
    table.table.dismiss_programs();
    // Dropping the engine would end its threads one by one; the process ends at once.
    std::mem::forget(table);
    ended
}

/// Returns the game to go on with.
fn saved_game(autosave: &mut Autosave) -> anyhow::Result<SavedGame> {
    let saved = autosave.read()?;
    saved.with_context(|| {
        format!("there is no game to resume: {} is missing", autosave.path().display())
    })
}

/// Returns how the screen is drawn.
fn look(args: &PlayArgs) -> anyhow::Result<Look> {
    let look = Look::new(&args.look)?;
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        bail!("the screen needs a terminal: --line plays by lines of text, also in pipes");
    }
    Ok(look)
}

/// Returns the way to say things.
fn voice(args: &PlayArgs) -> Voice {
    let draws_stones = !args.look.ascii && io::stdout().is_terminal() && has_stones();
    let glyphs = if draws_stones { BoardGlyphs::Stones } else { BoardGlyphs::Letters };
    Voice { origin: args.origin, glyphs }
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
        note("The game is not saved: there is no folder for that");
        return Ok(None);
    };
    match Autosave::open(&path) {
        Ok(autosave) => {
            if args.autosave.is_some() && !args.resume {
                autosave.check()?;
            }
            Ok(Some(autosave))
        }
        // Where the user's folders cannot be written to, people can play all the same.
        Err(AutosaveError::File(error @ FileError::Io { .. }))
            if args.autosave.is_none() && !args.resume =>
        {
            let error = anyhow::Error::new(error);
            note(format_args!("The game is not saved: {error:#}"));
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
    let is_of_renju = args.opening.is_some_and(OpeningRule::is_of_renju);
    let usual = if is_of_renju { Rule::Renju } else { Rule::Freestyle };
    match &args.file {
        Some(path) if path.as_os_str() == STREAM => {
            bail!("standard input is where moves are typed: name a file")
        }
        Some(path) if !path.exists() && path.to_string_lossy().contains('=') => {
            let quoted = "the words of a player are in quotes: --white \"cmd=./pbrain-foo turn=5\"";
            bail!("{}: {quoted}", path.display())
        }
        Some(path) => Ok(game_of_file(path, 1, &args.source(), usual, Origin::Top)?.0),
        None => game_of_moves(args.moves.as_deref(), &args.source(), usual, args.origin),
    }
}

/// Returns what is proposed to somebody who has said nothing about the game: the players, clocks and board
/// of the last one, or a level that beginners can beat.
fn proposed(args: &PlayArgs, last: Option<&SavedGame>) -> anyhow::Result<(PlayTerms, CasualGame)> {
    let Some(last) = last else {
        let skills = ByColor([Skill { level: FIRST_LEVEL, seed: None }; 2]);
        return Ok((PlayTerms { skills, ..terms(args) }, begin(args)?));
    };
    let mut terms = last.terms;
    // Programs are not started unless somebody says so.
    for player in &mut terms.sides.0 {
        if player.program().is_some() {
            *player = Controller::Engine;
        }
    }
    Ok((terms, CasualGame::new(last.game.size(), last.game.rule())))
}

/// Goes on with a saved game, with the players that the options name instead of those who had their sides.
fn resume(
    args: &PlayArgs,
    engine: Engine,
    saved: SavedGame,
    outbox: &Sender<TableEvent>,
) -> PlaySession<Engine, SystemClock> {
    let mut sides = saved.terms.sides;
    let missing = |(number, name): (usize, &ProgramName)| {
        let has = |color: &Color| sides[*color].program() == Some(number);
        let color = Color::ALL.into_iter().find(has).unwrap_or(Color::White);
        absent(name.clone(), color, outbox.clone())
    };
    let mut programs: Vec<SeatedProgram> = saved.programs.iter().enumerate().map(missing).collect();
    let given = [(Color::Black, &args.black), (Color::White, &args.white)];
    for (color, player) in given.into_iter().filter_map(|(color, p)| Some((color, p.as_ref()?))) {
        sides[color] = match (player, sides[color]) {
            // One that the other side has too stays with that.
            (PlayerWords::Program(words), Controller::Program(number))
                if sides[!color] != sides[color] =>
            {
                programs[usize::from(number)] = seated(words, outbox.clone());
                Controller::Program(number)
            }
            (PlayerWords::Program(words), _) => {
                programs.push(seated(words, outbox.clone()));
                u8::try_from(programs.len() - 1).map_or(Controller::Engine, Controller::Program)
            }
            (player, _) => player.plain().unwrap_or(Controller::Person),
        };
    }
    let mut session = PlaySession::resume(engine, SystemClock, saved).with_programs(programs);
    for (color, player) in given {
        session.seat(color, sides[color]);
        if let Some(PlayerWords::Engine(level)) = player {
            session.set_level(Some(color), level.unwrap_or(Level::FULL));
        }
    }
    session
}

/// Something that the engine or a program says.
#[derive(Clone, Debug)]
pub(crate) enum TableEvent {
    /// The engine.
    Engine(Event),
    /// A program that plays.
    Program(ProgramEvent),
}

impl From<ProgramEvent> for TableEvent {
    fn from(event: ProgramEvent) -> TableEvent {
        TableEvent::Program(event)
    }
}

/// Passes on what the engine says, to where programs speak too.
fn pass_on(events: Receiver<Event>, outbox: Sender<TableEvent>) {
    thread::spawn(move || {
        // It ends with the engine, or when nobody listens any more.
        events.into_iter().map(TableEvent::Engine).try_for_each(|event| outbox.send(event))
    });
}

/// Returns what the options say about players, clocks and thinking.
fn terms(args: &PlayArgs) -> PlayTerms {
    let other = |controller| match controller {
        Controller::Person => Controller::Engine,
        Controller::Engine | Controller::Program(_) => Controller::Person,
    };
    let mut programs = 0;
    let [black, white] = [&args.black, &args.white].map(|player| {
        let numbered = |player: &PlayerWords| {
            player.plain().unwrap_or_else(|| {
                programs += 1;
                Controller::Program(programs - 1)
            })
        };
        player.as_ref().map(numbered)
    });
    let sides = match (black, white) {
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

/// Starts to read standard input, and returns its lines; the channel is closed at the end.
fn lines() -> Receiver<Vec<u8>> {
    let (sender, lines) = bounded(MOST_LINES);
    thread::spawn(move || {
        read_lines(io::stdin().lock(), MOST_TYPED, |line, _| sender.send(line.to_vec()).is_ok());
    });
    lines
}

/// A table whose commands are typed, line by line.
struct TypedTable {
    table: PlayTable<Engine, SystemClock>,
    /// The number of moves at the end of the input.
    closing: usize,
}

impl TypedTable {
    fn new(mut table: PlayTable<Engine, SystemClock>) -> TypedTable {
        table.start();
        table.say("Type help for the commands.\n");
        TypedTable { table, closing: 0 }
    }

    fn moves(&self) -> usize {
        self.table.session().game().moves().len()
    }
}

impl TypingPlayer for TypedTable {
    type Event = TableEvent;
    const GONE: &'static str = "the engine is gone";

    fn told(&mut self) -> &mut String {
        self.table.told_mut()
    }

    fn save_changes(&mut self) {
        self.table.save_changes();
    }

    fn is_over(&self) -> bool {
        self.table.is_over()
    }

    fn interrupted(&mut self) -> bool {
        let is_thinking = self.table.is_thinking();
        if is_thinking {
            self.table.obey("stop");
        }
        is_thinking
    }

    fn takes(&self, line: &str) -> bool {
        self.table.takes(line)
    }

    fn obey(&mut self, line: &str) {
        self.table.obey(line);
        // What is begun now has its answer before the end.
        self.closing = self.moves();
    }

    fn typed(&mut self, line: String, _waits: bool) -> Option<String> {
        if self.table.overtakes(&line) {
            self.table.obey(&line);
            return None;
        }
        Some(line)
    }

    fn input_ended(&mut self) {
        self.closing = self.moves();
    }

    fn may_end(&self) -> bool {
        self.moves() > self.closing || !self.table.is_thinking()
    }

    fn event(&mut self, event: TableEvent) -> anyhow::Result<()> {
        match event {
            TableEvent::Engine(event) => self.table.event(event),
            TableEvent::Program(event) => self.table.program_event(event),
        }
        Ok(())
    }

    fn advice(&mut self, answer: CoachAnswer) {
        match self.table.advice(answer) {
            // The warning is said; an answer to it is typed.
            None | Some(Advice::Warned(_)) => {}
            Some(Advice::Reviewed(review)) => {
                let findings = self.table.review_words().findings(&review);
                self.table.say(&findings);
            }
        }
        // A move that was looked at is played: the engine's answer is still to come.
        self.closing = self.moves();
    }

    fn patience(&self) -> Duration {
        let deadline = self.table.session().deadline();
        deadline.map_or(BEAT, |deadline| deadline.saturating_duration_since(Instant::now()))
    }

    fn beat(&mut self) {
        self.table.tick();
    }
}
