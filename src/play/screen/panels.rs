//! The text around the board.

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::Screen;
use super::dialog::Dialog;
use super::keys::EDIT_HELP;
use crate::common::words::cells;
use crate::play::voice::{Cast, capital};
use crate::screen::layout::Layout;
use crate::screen::panel::{GamePanels, clock_words, message_style, typed_line};
use crate::screen::text::{chance_bar, put, wrapped};
use crate::screen::theme::Role;
use tengen_core::sys::clock::Clock;
use tengen_core::types::{Cell, Color, ScoreKind};
use tengen_engine::engine::Thinker;
use tengen_files::printable::printable;
use tengen_files::words::grouped;
use tengen_people::play::Controller;

/// The most characters of a program's name beside its stone.
const MOST_OF_NAME: usize = 14;

impl<T: Thinker, C: Clock> Screen<T, C> {
    pub(super) fn draw_panels(&self, buffer: &mut Buffer, layout: &Layout) {
        let game = self.game();
        let voice = self.table.voice();
        GamePanels {
            facts: &|width| self.facts(width),
            moves: game.moves().iter().map(|m| voice.played(game, m)).collect(),
            messages: &self.messages,
            style: &|message| message_style(message, &self.look.theme),
            theme: &self.look.theme,
        }
        .draw(buffer, layout);
        self.draw_status(buffer, layout.status);
    }

    /// Returns what is played, by whom, with which chances and which threats.
    fn facts(&self, width: usize) -> Vec<Line<'static>> {
        let theme = &self.look.theme;
        if let Some(debrief) = &self.debrief {
            return self.debrief_lines(debrief, width);
        }
        let game = self.table.game();
        let mut head = format!("{} {}", game.rule(), game.size());
        if self.brush.is_some() {
            head += ", set up";
        } else if self.table.shown().is_some() {
            head += ", a win is shown";
        } else if self.table.coach().is_teaching {
            head += ", teaching";
        }
        let mut lines = vec![Line::styled(head, theme.style(Role::Title))];
        lines.extend(Color::ALL.map(|color| self.player(color)));
        if self.shown.evaluation {
            lines.extend(self.evaluation(width));
        }
        lines.extend(self.threats().lines(self.table.voice(), theme, width));
        lines
    }

    /// Returns the line of a player: the stone, who it is, the clock, and whose turn it is.
    fn player(&self, color: Color) -> Line<'static> {
        let theme = &self.look.theme;
        let session = self.table.session();
        let game = self.table.game();
        let level = session.terms().skills[color].level;
        let who = match (self.table.shown(), session.terms().sides[color]) {
            (Some(shown), _) if shown.attacker() == color => "the win".to_owned(),
            (Some(_), _) => "your defence".to_owned(),
            (None, Controller::Person) => "person".to_owned(),
            (None, player @ Controller::Program(_)) => {
                let name = Cast::of(session).name(player);
                name.chars().take(MOST_OF_NAME).collect()
            }
            (None, Controller::Engine) if level.is_full() => "tengen".to_owned(),
            (None, Controller::Engine) => format!("level {}", level.number()),
        };
        let mut spans = self.look.player_stone(color).to_vec();
        spans.push(Span::raw(format!(" {who:<7}")));
        let clock = session.side_clock(color);
        let is_turn = game.end().is_none() && self.table.mover() == color;
        let used = if is_turn { session.turn_time() } else { Duration::ZERO };
        spans.extend(clock_words(&clock, used).map(|time| Span::raw(format!(" {time}"))));
        if is_turn {
            let mark = format!(" {}", self.look.turn_mark());
            spans.push(Span::styled(mark, theme.style(Role::Alert)));
            if session.is_thinking() && session.terms().sides[color] != Controller::Person {
                spans.push(Span::styled(" thinks", theme.style(Role::Alert)));
            }
        }
        Line::from(spans)
    }

    /// Returns the bar of chances and the expected moves.
    fn evaluation(&self, width: usize) -> Vec<Line<'static>> {
        let theme = &self.look.theme;
        let faint = theme.style(Role::Faint);
        let game = self.table.session().game();
        let Some(outlook) = &self.outlook else {
            let text = wrapped("No chances yet: H asks for a hint.", width);
            return text.into_iter().map(|line| Line::styled(line, faint)).collect();
        };
        let mut lines = Vec::new();
        let hint = &outlook.hint;
        if let Some(judgement) = hint.judgement {
            let points = match hint.color {
                Color::Black => judgement.chances.points(),
                Color::White => 1.0 - judgement.chances.points(),
            };
            let bar = chance_bar(points, width, self.look.ascii);
            let words = match judgement.score.kind() {
                ScoreKind::Win(n) => format!("{} wins in {n}", hint.color),
                ScoreKind::Loss(n) => format!("{} wins in {n}", !hint.color),
                ScoreKind::Value(_) => format!("black {:.0} %", points * 100.0),
            };
            lines.push(Line::raw(format!("{bar} {words}")));
            let nodes = grouped(judgement.nodes);
            let of = format!(
                "after move {}, depth {}, {nodes} nodes",
                outlook.at.moves().len(),
                judgement.depth
            );
            lines.extend(wrapped(&of, width).into_iter().map(|line| Line::styled(line, faint)));
        }
        let expected = outlook.at.rest_of(&hint.line, &self.table.session().reached());
        if !expected.is_empty() {
            let origin = self.table.voice().origin(game);
            let text = format!("expected {}", cells(expected, game.size(), origin));
            lines.extend(wrapped(&text, width).into_iter().take(3).map(Line::raw));
        }
        lines
    }

    /// Draws the last line: what is asked or typed, or the cell under the cursor and the keys.
    fn draw_status(&self, buffer: &mut Buffer, area: Rect) {
        let theme = &self.look.theme;
        let width = usize::from(area.width);
        let (text, style) = match &self.dialog {
            Some(Dialog::Prompt(text)) => {
                (typed_line(":", text, width, &self.look), theme.style(Role::Title))
            }
            Some(Dialog::Sure(question, _)) => {
                (format!("{question} y n"), theme.style(Role::Alert))
            }
            _ => (self.cell_words(), theme.style(Role::Faint)),
        };
        buffer.set_stringn(area.x, area.y, text, width, style);
    }

    /// Returns what there is to say of the cell under the cursor, and the keys to begin with.
    fn cell_words(&self) -> String {
        let game = self.game();
        let point = self.cursor;
        let mut text = self.table.voice().cell(game, point);
        if let Some(count) = self.count {
            return format!("{text}  {count}");
        }
        if let Some(letter) = self.waiting_letter() {
            return format!("{text}  {letter}");
        }
        if let Some(brush) = self.brush {
            let brush = match brush {
                Cell::Stone(color) => color.to_string(),
                Cell::Wall => "blocked".to_owned(),
                Cell::Empty => "empty".to_owned(),
            };
            let keys = EDIT_HELP.map(|(key, _)| key).join(" ");
            return format!("{text}  set up: {brush}; {keys}; {} to move", game.to_move());
        }
        let mut facts = self.threats().facts(point);
        if facts.is_empty() {
            facts.push(self.state());
        }
        text += "  ";
        text += &facts.join(", ");
        text
    }

    /// Returns who is to do what.
    fn state(&self) -> String {
        let (session, game) = (self.table.session(), self.table.game());
        if self.debrief.is_some() {
            return "Right, Left: through the review, Esc leaves it".to_owned();
        }
        if let Some((done, of)) = self.table.coach().reviewed() {
            return format!("reviewing: {done} of {of} positions, Esc stops");
        }
        if self.table.shown().is_some() {
            return match game.end() {
                Some(_) => "u tries another defence, Esc goes back to the game".to_owned(),
                None => "Enter defends, u takes back, Esc goes back to the game".to_owned(),
            };
        }
        if game.end().is_some() {
            return "the game is over: R review, N again with sides changed, n new, q quit"
                .to_owned();
        }
        if self.table.coach().is_busy() {
            return "looking for a forced win: Esc stops it".to_owned();
        }
        let cast = Cast::of(session);
        if session.is_thinking() {
            let who = session.asked_program().map(|program| printable(&program.name));
            return format!("{} thinks: Esc stops it", who.unwrap_or("the engine".into()));
        }
        let color = capital(session.mover());
        match session.terms().sides[session.mover()] {
            player @ (Controller::Engine | Controller::Program(_)) => {
                let who = cast.name(player);
                format!("{who} waits: g go, . step, {color} to move")
            }
            Controller::Person => {
                format!("{color} to move: Enter plays, ? help, u back, H hint, t threats, q quit")
            }
        }
    }

    /// Says in words what there is no room to draw.
    pub(super) fn draw_too_small(&self, buffer: &mut Buffer) {
        let area = self.area;
        let mut lines = vec!["too small".to_owned()];
        let game = self.table.game();
        let last = game.moves().last().map(|m| self.table.voice().played(game, m));
        lines.push(format!("[{}]", self.table.voice().cell(game, self.cursor)));
        lines.extend(last.map(|cell| format!("last {cell}")));
        put(buffer, area, lines.into_iter().map(Line::raw).collect());
    }
}
