//! The analysis of a position on the whole screen.
//!
//! An [`AnalysisScreen`] is all that is to be seen, and knows no terminal: events change it, and
//! [`AnalysisScreen::draw`] draws it.

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::process::ExitCode;

use anyhow::{Context, bail};
use crossbeam_channel::{Receiver, select};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{
    Event as TerminalEvent, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton,
    MouseEventKind,
};
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::{shortened, worth};
use crate::common::interrupts::{BEAT, Interrupts};
use crate::common::words::cells;
use crate::screen::Look;
use crate::screen::board::BoardPicture;
use crate::screen::layout::Layout;
use crate::screen::panel::{draw_box, help_step, scrolled};
use crate::screen::terminal::{Claim, ScreenTerminal, input};
use crate::screen::text::{chance_bar, put, wrapped};
use crate::screen::theme::Role;
use tengen_core::notation::{Origin, parse_cell};
use tengen_core::types::{Color, Point, ScoreKind};
use tengen_engine::engine::{Engine, Event, Thinker};
use tengen_files::printable::printable;
use tengen_files::records::Move;
use tengen_files::words::{counted, duration, grouped};
use tengen_people::play::{LiveAnalysis, LiveMove};

/// The columns that the list of moves needs with depths and headings.
const LEAST_TABLE: usize = 27;
/// The most moves of a line that are drawn on the board.
const MOST_DRAWN: usize = 9;
/// The longest typed cell.
const MOST_TYPED: usize = 3;
/// The moves of a long step.
const LONG_STEP: usize = 10;

/// The keys and what they do, for the help.
const KEYS: [(&str, &str); 13] = [
    ("Left Right", "a move back or forward, through the game"),
    ("PgUp PgDn", "ten moves; Home and End all of them"),
    ("Up Down", "chooses one of the best moves"),
    ("Enter", "plays the chosen move"),
    ("a click", "plays a move"),
    (":", "takes a typed move, such as h8"),
    ("Backspace", "back to the game from a variation"),
    ("+ -", "compares more or fewer moves"),
    ("Space", "pauses, or goes on"),
    ("v", "draws the line of the chosen move"),
    ("n", "shows the numbers of the moves"),
    ("?", "this help"),
    ("q", "ends"),
];

/// Analyses on the whole screen until the end.
///
/// # Errors
///
/// Returns an error if the terminal cannot be had or is gone.
pub(super) fn run(
    analysis: LiveAnalysis<Engine>,
    look: Look,
    origin: Origin,
    events: &Receiver<Event>,
) -> anyhow::Result<ExitCode> {
    let signals = Interrupts::watch().context("cannot watch for Ctrl-C")?;
    let mut terminal = ScreenTerminal::take(Claim::Whole).context("cannot use the terminal")?;
    let mut screen = AnalysisScreen::new(analysis, look, origin);
    let input = input();
    loop {
        if screen.is_over || signals.take_any() {
            drop(terminal);
            // Dropping the engine would end its threads one by one; the process ends at once.
            std::mem::forget(screen);
            return Ok(ExitCode::SUCCESS);
        }
        if std::mem::take(&mut screen.is_suspended) {
            terminal.suspend()?;
        }
        terminal.draw(|frame| screen.draw(frame))?;
        select! {
            recv(input) -> event => match event {
                Ok(event) => screen.input(&event),
                Err(_) => bail!("the terminal is gone"),
            },
            recv(events) -> event => match event {
                Ok(event) => _ = screen.analysis.event(event),
                Err(_) => bail!("the engine is gone"),
            },
            default(BEAT) => {}
        }
        // Everything that is there already is drawn at once.
        input.try_iter().for_each(|event| screen.input(&event));
        for event in events.try_iter() {
            screen.analysis.event(event);
        }
    }
}

/// The screen of `tengen analyse --position`.
struct AnalysisScreen<T> {
    analysis: LiveAnalysis<T>,
    look: Look,
    origin: Origin,
    area: Rect,
    /// The number of the chosen move, from 0.
    chosen: usize,
    /// True if the line of the chosen move is drawn instead of the chances.
    draws_line: bool,
    numbers: bool,
    /// The cell that is being typed.
    typed: Option<String>,
    /// The rejected input.
    fault: Option<String>,
    /// The first line of the help, while it is shown.
    help: Option<usize>,
    is_over: bool,
    is_suspended: bool,
}

impl<T: Thinker> AnalysisScreen<T> {
    fn new(analysis: LiveAnalysis<T>, look: Look, origin: Origin) -> AnalysisScreen<T> {
        AnalysisScreen {
            analysis,
            look,
            origin,
            area: Rect::default(),
            chosen: 0,
            draws_line: false,
            numbers: false,
            typed: None,
            fault: None,
            help: None,
            is_over: false,
            is_suspended: false,
        }
    }

    /// Takes what the terminal reports.
    fn input(&mut self, event: &TerminalEvent) {
        match event {
            TerminalEvent::Key(key) if key.kind != KeyEventKind::Release => self.key(*key),
            TerminalEvent::Mouse(mouse)
                if mouse.kind == MouseEventKind::Down(MouseButton::Left) =>
            {
                self.fault = None;
                // A click puts the help away, and no more.
                if self.help.take().is_some() {
                    return;
                }
                let size = self.analysis.game().size();
                let cell = self.layout().and_then(|l| l.cell_at(size, mouse.column, mouse.row));
                if let Some(point) = cell {
                    self.play(point);
                }
            }
            _ => {}
        }
    }

    fn key(&mut self, key: KeyEvent) {
        self.fault = None;
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            match key.code {
                KeyCode::Char('c') => self.is_over = true,
                KeyCode::Char('z') => self.is_suspended = true,
                _ => {}
            }
            return;
        }
        if let Some(first) = self.help.take() {
            let lines = help(self.area.width).len();
            return self.help = help_step(key.code, first, lines, self.area.height);
        }
        if self.types(key.code) {
            return;
        }
        match key.code {
            KeyCode::Left => _ = self.analysis.back(1),
            KeyCode::Right => _ = self.analysis.forward(1),
            KeyCode::PageUp => _ = self.analysis.back(LONG_STEP),
            KeyCode::PageDown => _ = self.analysis.forward(LONG_STEP),
            KeyCode::Home => _ = self.analysis.back(usize::MAX),
            KeyCode::End => _ = self.analysis.forward(usize::MAX),
            KeyCode::Backspace => _ = self.analysis.rejoin(),
            KeyCode::Up => {
                self.chosen = self.chosen.saturating_sub(1);
                return;
            }
            KeyCode::Down => {
                let last = self.analysis.moves().len().saturating_sub(1);
                self.chosen = (self.chosen + 1).min(last);
                return;
            }
            KeyCode::Enter => {
                if let Some(point) = self.chosen().and_then(|live| live.line.first().copied()) {
                    self.play(point);
                }
                return;
            }
            KeyCode::Char('+') => self.analysis.set_count(self.analysis.count() + 1),
            KeyCode::Char('-') => self.analysis.set_count(self.analysis.count() - 1),
            KeyCode::Char(' ') if self.analysis.is_paused() => return self.analysis.resume(),
            KeyCode::Char(' ') => return self.analysis.pause(),
            KeyCode::Char('v') => return self.draws_line = !self.draws_line,
            KeyCode::Char('n') => return self.numbers = !self.numbers,
            KeyCode::Char(':' | '/') => return self.typed = Some(String::new()),
            KeyCode::Char('?') | KeyCode::F(1) => return self.help = Some(0),
            KeyCode::Char('q') => return self.is_over = true,
            _ => return,
        }
        self.chosen = 0;
    }

    /// Takes a key while a cell is typed; returns whether one is.
    fn types(&mut self, code: KeyCode) -> bool {
        let Some(mut text) = self.typed.take() else { return false };
        match code {
            KeyCode::Esc => return true,
            KeyCode::Enter => {
                let size = self.analysis.game().size();
                match parse_cell(text.trim(), size) {
                    Ok(point) => self.play(self.origin.turn(point, size)),
                    Err(error) => self.fault = Some(error.to_string()),
                }
                return true;
            }
            KeyCode::Backspace => drop(text.pop()),
            KeyCode::Char(c) if c.is_ascii_alphanumeric() && text.len() < MOST_TYPED => {
                text.push(c)
            }
            _ => {}
        }
        self.typed = Some(text);
        true
    }

    fn play(&mut self, point: Point) {
        let size = self.analysis.game().size();
        match self.analysis.play(point) {
            Ok(()) => self.chosen = 0,
            Err(fault) => {
                self.fault = Some(fault.turned(|point| self.origin.turn(point, size)).to_string());
            }
        }
    }

    fn chosen(&self) -> Option<LiveMove> {
        self.analysis.moves().into_iter().nth(self.chosen)
    }

    fn layout(&self) -> Option<Layout> {
        let game = self.analysis.game();
        let chosen = self.chosen().and_then(|live| live.line.first().copied());
        let last = game.moves().last().and_then(Move::point);
        let center = chosen.or(last).unwrap_or_else(|| game.size().center());
        Layout::new(self.area, game.size(), center)
    }

    /// Draws the screen.
    fn draw(&mut self, frame: &mut Frame<'_>) {
        self.area = frame.area();
        let buffer = frame.buffer_mut();
        let Some(layout) = self.layout() else {
            put(buffer, self.area, vec![Line::raw("too small")]);
            return;
        };
        let picture = BoardPicture {
            cursor: self.chosen().and_then(|live| live.line.first().copied()),
            labels: self.labels(layout.step.0 > 2),
            ..BoardPicture::of_game(self.analysis.game(), self.origin, &self.look, self.numbers)
        };
        picture.draw(buffer, &layout);
        // Beside the board or, if there is more room, below it.
        let room = if layout.side.width == 0 { layout.below } else { layout.side };
        put(buffer, room, self.facts(room.width.into()));
        self.draw_status(buffer, layout.status);
        if let Some(first) = self.help {
            let lines = scrolled(help(self.area.width), first, self.area.height, &self.look);
            draw_box(buffer, self.area, "Keys", lines, &self.look);
        }
    }

    /// Returns what empty cells say: the places of the best moves in their list or, where cells are
    /// wide, their chances in percent; or else the numbers of the moves of the chosen line.
    fn labels(&self, is_wide: bool) -> HashMap<Point, (String, Role)> {
        let mut labels = HashMap::new();
        if self.draws_line {
            let line = self.chosen().map(|live| live.line).unwrap_or_default();
            for (i, point) in line.into_iter().take(MOST_DRAWN).enumerate() {
                labels.insert(point, ((i + 1).to_string(), Role::Expected));
            }
            return labels;
        }
        for (i, live) in self.analysis.moves().iter().enumerate() {
            let Some(&point) = live.line.first() else { continue };
            let label = match live.score.kind() {
                ScoreKind::Value(_) if is_wide => {
                    // Two digits have room.
                    format!("{:.0}", (100.0 * live.chances.points()).min(99.0))
                }
                ScoreKind::Win(_) if is_wide => "W".to_owned(),
                ScoreKind::Loss(_) if is_wide => "L".to_owned(),
                _ => rank_sign(i).to_string(),
            };
            let role = if i == 0 { Role::Answer } else { Role::Expected };
            labels.insert(point, (label, role));
        }
        labels
    }

    /// Returns the text beside the board.
    fn facts(&self, width: usize) -> Vec<Line<'static>> {
        let theme = &self.look.theme;
        let (title, faint) = (theme.style(Role::Title), theme.style(Role::Faint));
        let game = self.analysis.game();
        let mut lines = vec![Line::styled(format!("{} {}", game.rule(), game.size()), title)];
        let (played, left) = (game.moves().len(), game.undone().len());
        let mut place = format!("move {played} of {}", played + left);
        match self.analysis.moves_off_game() {
            0 => {}
            off => place += &format!(", {} off the game", counted(off as u64, "move")),
        }
        lines.extend(wrapped(&place, width).into_iter().map(Line::raw));
        if let Some(fault) = self.analysis.fault() {
            let told = wrapped(&printable(fault), width).into_iter();
            lines.extend(told.map(|line| Line::styled(line, faint)));
        }
        let Some(report) = self.analysis.report() else {
            let words = match game.end() {
                Some(_) => "the game is over",
                None if self.analysis.is_paused() => "paused",
                None => "thinking",
            };
            lines.push(Line::styled(words, faint));
            return lines;
        };
        let moves = self.analysis.moves();
        if let Some(first) = moves.first() {
            lines.push(self.bar(first, width));
        }
        let nodes = grouped(report.nodes);
        let mut work = format!("{nodes} nodes, {}", duration(report.elapsed));
        if self.analysis.is_paused() {
            work += ", paused";
        } else if !self.analysis.is_working() {
            work += ", ended";
        }
        lines.extend(wrapped(&work, width).into_iter().map(|line| Line::styled(line, faint)));
        let is_narrow = width < LEAST_TABLE;
        if !is_narrow {
            let text = format!("    {:<4} {:>11}  depth", "move", "chances");
            lines.push(Line::styled(text, title));
        }
        for (i, live) in moves.iter().enumerate() {
            let mark = match (i == self.chosen, self.look.ascii) {
                (true, true) => '>',
                (true, false) => '▸',
                (false, _) => ' ',
            };
            let cell = live.line.first().map(|point| cells(&[*point], game.size(), self.origin));
            let (cell, sign) = (cell.unwrap_or_default(), rank_sign(i));
            let text = if is_narrow {
                format!("{mark}{sign} {cell} {}", worth(live))
            } else {
                let depth = format!("{}-{}", live.depth, live.seldepth);
                format!("{mark} {sign} {cell:<4} {:>11}  {depth}", worth(live))
            };
            let style = if i == self.chosen { title } else { theme.style(Role::Text) };
            lines.push(Line::styled(text, style));
        }
        if let Some(live) = self.chosen() {
            lines.push(Line::styled("Line", title));
            let line = shortened(&live, game, self.origin, usize::MAX);
            lines.extend(wrapped(&line, width).into_iter().map(Line::raw));
        }
        lines
    }

    /// Returns the bar of black's chances.
    fn bar(&self, first: &LiveMove, width: usize) -> Line<'static> {
        let points = match self.analysis.game().to_move() {
            Color::Black => first.chances.points(),
            Color::White => 1.0 - first.chances.points(),
        };
        let bar = chance_bar(points, width, self.look.ascii);
        Line::raw(format!("{bar} black {:.0} %", 100.0 * points))
    }

    /// Draws the last line: what is typed, what was refused, or the keys to begin with.
    fn draw_status(&self, buffer: &mut Buffer, area: Rect) {
        let theme = &self.look.theme;
        let (text, style) = match (&self.typed, &self.fault) {
            (Some(text), _) => (format!(":{text}_"), theme.style(Role::Title)),
            (None, Some(fault)) => (format!("Error: {fault}"), theme.style(Role::Alert)),
            (None, None) => {
                let keys = "Left Right step, Up Down Enter play, Space pause, ? help, q end";
                (keys.to_owned(), theme.style(Role::Faint))
            }
        };
        buffer.set_stringn(area.x, area.y, text, area.width.into(), style);
    }
}

/// Returns the sign of a place in the list of moves, from 0: `1` to `9`, then letters.
fn rank_sign(index: usize) -> char {
    char::from_digit(index as u32 + 1, 36).unwrap_or('+')
}

/// Returns the lines of the help on a screen of this width.
fn help(width: u16) -> Vec<Line<'static>> {
    let width = usize::from(width.saturating_sub(4));
    let text = KEYS.iter().flat_map(|(keys, help)| wrapped(&format!("{keys}: {help}"), width));
    text.map(Line::raw).collect()
}
