//! What the screen of a room looks like.

use std::time::Duration;

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::keys::{ROOM_KEYS, names};
use super::{RoomDialog, RoomScreen};
use crate::play::lan::room::{HELP, RoomView};
use crate::play::lan::{RoomConnection, RoomSide};
use crate::play::marks::{ShownThreats, expected_label};
use crate::screen::board::BoardPicture;
use crate::screen::panel::{
    GamePanels, clock_words, draw_box, message_style, scrolled, typed_line,
};
use crate::screen::text::{put, wrapped};
use crate::screen::theme::Role;
use tengen_core::types::Color;
use tengen_people::room::RoomAid;

/// The most characters of a name beside its stone.
const MOST_OF_NAME: usize = 14;
/// The columns of a name where there is room.
const LEAST_OF_NAME: usize = 7;
/// The columns of the stone, the clock and the mark beside a name.
const BESIDE_NAME: usize = 12;
/// The widest help.
const MOST_OF_HELP: usize = 96;

impl<S: RoomSide> RoomScreen<'_, S> {
    /// Draws the screen.
    pub(super) fn draw(&mut self, frame: &mut Frame<'_>) {
        self.area = frame.area();
        let buffer = frame.buffer_mut();
        let Some(layout) = self.layout() else {
            return put(buffer, self.area, vec![Line::raw("too small")]);
        };
        let view = self.side.view();
        if let Some(view) = &view {
            let game = view.session.game();
            let origin = view.voice.origin(game);
            let hint = view.adviser.point();
            let mut picture = BoardPicture {
                cursor: Some(self.cursor),
                labels: hint.map(|point| (point, expected_label(0))).into_iter().collect(),
                ..BoardPicture::of_game(game, origin, &self.look, self.has_numbers)
            };
            self.threats(view).mark(&mut picture);
            picture.draw(buffer, &layout);
        }
        let moves = view.as_ref().map_or_else(Vec::new, |view| {
            let game = view.session.game();
            game.moves().iter().map(|m| view.voice.played(game, m)).collect()
        });
        GamePanels {
            facts: &|width| self.facts(view.as_ref(), width),
            moves,
            messages: &self.messages,
            style: &|message| self.style(message),
            theme: &self.look.theme,
        }
        .draw(buffer, &layout);
        self.draw_status(buffer, layout.status, view.as_ref());
        if let Some(RoomDialog::Help(first)) = self.dialog {
            let lines = scrolled(self.help(), first, self.area.height, &self.look);
            draw_box(buffer, self.area, "Keys and commands", lines, &self.look);
        }
    }

    /// Returns the threats of the game, where they are shown.
    fn threats<'a>(&self, view: &RoomView<'a>) -> ShownThreats<'a> {
        ShownThreats::of(view.session.game(), self.has_threats && view.aid.has_threats())
    }

    /// Returns the look of a message: what people say stands out.
    fn style(&self, message: &str) -> Style {
        let is_chat = message.starts_with("You say: ")
            || self.side.view().is_some_and(|view| {
                message.strip_prefix(view.other).is_some_and(|rest| rest.starts_with(" says: "))
            });
        let theme = &self.look.theme;
        if is_chat { theme.style(Role::Title) } else { message_style(message, theme) }
    }

    /// Returns what is played by whom, whether the connection holds, and what is asked.
    fn facts(&self, view: Option<&RoomView<'_>>, width: usize) -> Vec<Line<'static>> {
        let theme = &self.look.theme;
        let styled = |text: &str, role: Role| -> Vec<Line<'static>> {
            let style = theme.style(role);
            wrapped(text, width).into_iter().map(|line| Line::styled(line, style)).collect()
        };
        let mut lines = Vec::new();
        if let Some(view) = view {
            let game = view.session.game();
            let head = format!("{} {}, {}", game.rule(), game.size(), view.aid);
            lines.extend(styled(&head, Role::Title));
            lines.extend(Color::ALL.map(|color| self.player(view, color, width)));
        }
        let RoomConnection { holds, words } = self.side.connection();
        let words = if self.side.is_over() { "The room is closed." } else { &words };
        lines.extend(styled(words, if holds { Role::Faint } else { Role::Alert }));
        if let Some(asked) = view.and_then(RoomView::proposed) {
            lines.extend(styled(&asked, Role::Alert));
        }
        if let Some(view) = view {
            lines.extend(self.threats(view).lines(view.voice, theme, width));
        }
        lines
    }

    /// Returns the line of a player: the stone, who it is, the clock, and whose turn it is.
    fn player(&self, view: &RoomView<'_>, color: Color, width: usize) -> Line<'static> {
        let session = view.session;
        // The clock matters more than the end of a name.
        let room = width.saturating_sub(BESIDE_NAME);
        let name = view.name(view.player(color)).chars().take(MOST_OF_NAME.min(room));
        let name: String = name.collect();
        let padded = if room < MOST_OF_NAME { 0 } else { LEAST_OF_NAME };
        let mut spans = self.look.player_stone(color).to_vec();
        spans.push(Span::raw(format!(" {name:<padded$}")));
        let is_turn = session.game().end().is_none() && session.mover() == color;
        let used = if is_turn { view.turn } else { Duration::ZERO };
        let time = clock_words(&session.side_clock(color), used);
        spans.extend(time.map(|time| Span::raw(format!(" {time}"))));
        if is_turn {
            let mark = format!(" {}", self.look.turn_mark());
            spans.push(Span::styled(mark, self.look.theme.style(Role::Alert)));
        }
        Line::from(spans)
    }

    /// Draws the last line: what is asked or typed, or the cell under the cursor and what is to be done.
    fn draw_status(&self, buffer: &mut Buffer, area: Rect, view: Option<&RoomView<'_>>) {
        let theme = &self.look.theme;
        let width = usize::from(area.width);
        let (text, role) = match &self.dialog {
            Some(RoomDialog::Command(text)) => {
                (typed_line(":", text, width, &self.look), Role::Title)
            }
            Some(RoomDialog::Chat(text)) => {
                (typed_line("say: ", text, width, &self.look), Role::Title)
            }
            Some(RoomDialog::Sure(question, _)) => (format!("{question} y n"), Role::Alert),
            Some(RoomDialog::Help(_)) | None => (self.state(view), Role::Faint),
        };
        buffer.set_stringn(area.x, area.y, text, width, theme.style(role));
    }

    /// Returns the cell under the cursor, and who is to do what.
    fn state(&self, view: Option<&RoomView<'_>>) -> String {
        const KEYS: &str = "Tab talks, ? help, Esc leaves";
        let Some(view) = view else { return KEYS.to_owned() };
        let game = view.session.game();
        let cell = view.voice.cell(game, self.cursor);
        let facts = self.threats(view).facts(self.cursor);
        if !facts.is_empty() {
            return format!("{cell}  {}", facts.join(", "));
        }
        let what = if view.adviser.is_busy() {
            "the engine looks for a hint".to_owned()
        } else if self.side.is_over() {
            return format!("{cell}  the room is closed: Esc leaves");
        } else if game.end().is_some() {
            "the game is over: new asks for another".to_owned()
        } else if view.is_my_turn() {
            "your turn: Enter plays".to_owned()
        } else {
            format!("the turn of {}", view.other)
        };
        let more = match view.aid {
            RoomAid::None => "",
            RoomAid::Threats => ", ! threats",
            RoomAid::Hints => ", ! threats, H hint",
        };
        format!("{cell}  {what}, {KEYS}{more}")
    }

    /// Returns all lines of the help.
    pub(super) fn help(&self) -> Vec<Line<'static>> {
        let width = usize::from(self.area.width.saturating_sub(4)).min(MOST_OF_HELP);
        let mut lines: Vec<Line<'static>> = Vec::new();
        for (keys, _, help) in &ROOM_KEYS {
            let names: String =
                names(keys).chars().filter(|c| !self.look.ascii || c.is_ascii()).collect();
            lines.push(Line::raw(format!("{names:<12} {help}")));
        }
        lines.extend(HELP.lines().flat_map(|line| wrapped(line, width)).map(Line::raw));
        lines
    }
}
