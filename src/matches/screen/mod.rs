//! The screen of a running match: a game with its clocks, and the standing.

use std::time::{Duration, Instant};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::lines::sentence;
use super::live::LiveGame;
use crate::screen::Look;
use crate::screen::board::BoardPicture;
use crate::screen::layout::Layout;
use crate::screen::text::{put, wrapped};
use crate::screen::theme::Role;
use tengen_core::board::Board;
use tengen_core::notation::Origin;
use tengen_core::rules::{Rule, find_winner, forbidden_points};
use tengen_core::types::{Color, PointSet};
use tengen_files::printable::{columns, fitting, printable, shortened};
use tengen_files::words::{clock_time, duration, thousands};
use tengen_lab::arena::player::SearchInfo;
use tengen_lab::arena::{Allowance, Contestant, MatchSpec};

/// The columns before what a player says.
const INDENT: usize = 4;

/// What is to be seen of a match.
#[derive(Clone, Copy, Debug)]
pub(super) struct MatchPicture<'a> {
    /// The match.
    pub spec: &'a MatchSpec,
    /// How it is drawn.
    pub look: &'a Look,
    /// The edge from which rows count.
    pub origin: Origin,
    /// The game, once there is one.
    pub game: Option<&'a LiveGame>,
    /// The standing of the match, in a few lines.
    pub standing: &'a [String],
    /// What the keys do.
    pub keys: &'a str,
    /// A notice, such as that the match is paused or ends.
    pub notice: &'a str,
    /// The time.
    pub now: Instant,
}

impl MatchPicture<'_> {
    /// Draws it on this area.
    ///
    /// Where there is no room for text beside the board, both clocks stand above it.
    pub(super) fn draw(&self, area: Rect, buffer: &mut Buffer) {
        let last = self.game.and_then(|game| game.moves.last().copied());
        let center = last.unwrap_or_else(|| self.spec.size.center());
        let layout = |area| Layout::new(area, self.spec.size, center);
        let width = usize::from(area.width);
        let beside = layout(area).map(|layout| (layout, self.side(&layout)));
        if let Some((layout, side)) = beside.filter(|(layout, side)| fits(layout, side)) {
            self.draw_board(buffer, &layout);
            put(buffer, layout.side, side);
            put(buffer, layout.below, raw(&self.standing.join(", "), width));
        } else {
            put(buffer, area, vec![self.clocks(width)]);
            let rest = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
            let below = match layout(rest) {
                Some(layout) => {
                    self.draw_board(buffer, &layout);
                    layout.below
                }
                None => Rect { height: rest.height.saturating_sub(1), ..rest },
            };
            put(buffer, below, self.below(width));
        }
        let status =
            Rect { y: area.bottom().saturating_sub(1), height: area.height.min(1), ..area };
        put(buffer, status, vec![self.status()]);
    }

    fn draw_board(&self, buffer: &mut Buffer, layout: &Layout) {
        let moves = self.game.map_or(&[][..], |game| &game.moves);
        let mut board = Board::new(self.spec.size);
        for (number, &point) in moves.iter().enumerate() {
            board.place(point, Color::to_move_after(number));
        }
        let is_over = self.game.is_some_and(|game| game.ended.is_some());
        let run = find_winner(&board, self.spec.rule).filter(|_| is_over);
        let to_move = Color::to_move_after(moves.len());
        let forbids = self.spec.rule == Rule::Renju && to_move == Color::Black && !is_over;
        let forbidden = if forbids { forbidden_points(&board) } else { Vec::new() };
        let picture = BoardPicture {
            last: moves.last().copied(),
            winning: run.into_iter().flat_map(|run| run.points()).collect(),
            forbidden: forbidden.into_iter().map(|(point, _)| point).collect::<PointSet>(),
            ..BoardPicture::new(&board, self.origin, self.look)
        };
        picture.draw(buffer, layout);
    }

    /// Returns the text beside the board, with the standing if that is not below.
    fn side(&self, layout: &Layout) -> Vec<Line<'static>> {
        let width = layout.side.width.into();
        let mut lines = self.head(width);
        lines.push(Line::default());
        if let Some(game) = self.game {
            for color in Color::ALL {
                lines.extend(self.player(game, color, width));
                lines.push(Line::default());
            }
            lines.extend(self.progress(game, width));
            lines.push(Line::default());
        }
        if layout.below.height == 0 {
            lines.extend(self.standing.iter().flat_map(|text| raw(text, width)));
        }
        if lines.len() > layout.side.height.into() {
            lines.retain(|line| line.width() > 0);
        }
        lines
    }

    /// Returns the text below a board that has none beside it.
    fn below(&self, width: usize) -> Vec<Line<'static>> {
        let mut lines = Vec::new();
        if let Some(game) = self.game {
            lines.extend(self.progress(game, width));
        }
        lines.extend(raw(&self.standing.join(", "), width));
        lines.extend(self.head(width));
        if let Some(game) = self.game {
            for color in Color::ALL {
                lines.extend(self.player(game, color, width));
            }
        }
        lines
    }

    /// Returns the name of the match, and which game of it this is.
    fn head(&self, width: usize) -> Vec<Line<'static>> {
        let style = self.look.theme.style(Role::Title);
        let event = wrapped(&printable(&self.spec.event), width);
        let mut lines: Vec<_> = event.into_iter().map(|line| Line::styled(line, style)).collect();
        let mut facts = format!("{} {}", self.spec.rule, self.spec.size);
        if let Some(game) = self.game {
            let (game, round) = (game.fixture.game + 1, game.fixture.round + 1);
            facts += &format!(", game {game}, round {round}");
        }
        lines.extend(raw(&facts, width));
        lines
    }

    /// Returns the last move and, if it has come, the end of the game.
    fn progress(&self, game: &LiveGame, width: usize) -> Vec<Line<'static>> {
        let last = match game.moves.last() {
            None => "no stone yet".to_owned(),
            Some(&point) => {
                let cell = self.origin.turn(point, self.spec.size);
                format!("move {}: {cell}", game.moves.len())
            }
        };
        let mut lines = raw(&last, width);
        if let Some((_, played)) = &game.ended {
            let style = self.look.theme.style(Role::Alert);
            let told = wrapped(&printable(&sentence(played, self.origin)), width);
            lines.extend(told.into_iter().map(|line| Line::styled(line, style)));
        }
        lines
    }

    /// Returns the contestant that has a colour, its clock, and whether it thinks.
    fn clock_of(
        &self,
        game: &LiveGame,
        color: Color,
        clock: impl Fn(&Allowance, Option<Duration>, Option<Duration>) -> String,
    ) -> (&Contestant, String, bool) {
        let seat = game.seat_of(color);
        let contestant = &self.spec.contestants[game.fixture.seats[seat]];
        let used = game.thinks_since(seat, self.now);
        (contestant, clock(&contestant.allowance, game.left[seat], used), used.is_some())
    }

    /// Returns the lines of a player: who it is, the clock, and what it said last.
    fn player(&self, game: &LiveGame, color: Color, width: usize) -> Vec<Line<'static>> {
        let theme = &self.look.theme;
        let (contestant, clock, thinks) = self.clock_of(game, color, clock);
        let mut name = self.look.player_stone(color).to_vec();
        let mark = if thinks { format!("  {}", self.look.turn_mark()) } else { String::new() };
        let text = printable(&contestant.name);
        let text = shortened(&text, width.saturating_sub(INDENT + columns(&mark)));
        name.push(Span::styled(format!(" {text}"), theme.style(Role::Title)));
        if thinks {
            name.push(Span::styled(format!("{mark} thinks"), theme.style(Role::Alert)));
        }
        let info = game.infos[game.seat_of(color)];
        let info = info.map_or_else(String::new, |(info, time)| said(&info, time));
        let mut lines = vec![Line::from(name)];
        for (text, role) in [(clock, Role::Text), (info, Role::Faint)] {
            let told = wrapped(&text, width.saturating_sub(INDENT)).into_iter();
            lines.extend(
                told.map(|text| Line::styled(format!("{:INDENT$}{text}", ""), theme.style(role))),
            );
        }
        lines
    }

    /// Returns the players with their clocks in one line; names are cut so that both clocks fit.
    fn clocks(&self, width: usize) -> Line<'static> {
        let Some(game) = self.game else { return Line::default() };
        let theme = &self.look.theme;
        let sides = Color::ALL.map(|color| (color, self.clock_of(game, color, short_clock)));
        // A stone with a blank on each side, a blank before the clock, a mark, and a gap.
        let taken: usize = sides.iter().map(|(_, (_, clock, _))| columns(clock) + 6).sum();
        let room = width.saturating_sub(taken) / 2;
        let mut spans = Vec::new();
        for (color, (contestant, clock, thinks)) in sides {
            let name = printable(&contestant.name);
            let name = format!("{} ", fitting(&name, room));
            let (role, mark) =
                if thinks { (Role::Alert, self.look.turn_mark()) } else { (Role::Text, " ") };
            spans.extend(self.look.player_stone(color));
            spans.push(Span::styled(name, theme.style(Role::Title)));
            spans.push(Span::styled(format!("{clock}{mark} "), theme.style(role)));
        }
        Line::from(spans)
    }

    /// Returns the last line: the notice and the keys.
    fn status(&self) -> Line<'static> {
        let theme = &self.look.theme;
        let mut spans = vec![Span::styled(self.keys.to_owned(), theme.style(Role::Faint))];
        if !self.notice.is_empty() {
            let notice = format!("{}   ", self.notice);
            spans.insert(0, Span::styled(notice, theme.style(Role::Alert)));
        }
        Line::from(spans)
    }
}

/// Returns whether the text beside the board is to be seen, but for the last facts of a long one.
fn fits(layout: &Layout, side: &[Line<'_>]) -> bool {
    let is_whole = side.len() <= layout.side.height.into();
    layout.side.width > 0 && (is_whole || layout.below.height == 0)
}

/// Returns a printable text in lines of at most this width.
fn raw(text: &str, width: usize) -> Vec<Line<'static>> {
    wrapped(text, width).into_iter().map(Line::raw).collect()
}

/// Returns what the clock for a game starts with, if there is one.
fn game_time(allowance: &Allowance) -> Option<Duration> {
    allowance.game.map(|game| game.time)
}

/// Returns what is left of a game, or what a move has taken of its limit.
fn short_clock(allowance: &Allowance, left: Option<Duration>, used: Option<Duration>) -> String {
    match (left.or(game_time(allowance)), allowance.turn) {
        (Some(left), _) => clock_time(left.saturating_sub(used.unwrap_or_default())),
        (None, Some(turn)) => {
            let used = used.map_or_else(String::new, |used| format!("{}/", duration(used)));
            format!("{used}{}", duration(turn))
        }
        (None, None) => used.map_or_else(|| "-".to_owned(), duration),
    }
}

/// Returns the clock of a player who has used this much time for a move that is not made yet.
pub(super) fn clock(
    allowance: &Allowance,
    left: Option<Duration>,
    used: Option<Duration>,
) -> String {
    let mut parts = Vec::new();
    if let Some(left) = left.or(game_time(allowance)) {
        parts.push(clock_time(left.saturating_sub(used.unwrap_or_default())));
    }
    match (allowance.turn, used) {
        (Some(turn), Some(used)) => {
            parts.push(format!("{} of {} for the move", duration(used), duration(turn)));
        }
        (Some(turn), None) if parts.is_empty() => parts.push(format!("{} a move", duration(turn))),
        (None, Some(used)) if parts.is_empty() => parts.push(duration(used)),
        _ => {}
    }
    parts.join(", ")
}

/// Returns what a player said of its last move.
pub(super) fn said(info: &SearchInfo, time: Duration) -> String {
    let mut parts = Vec::new();
    parts.extend(info.score.map(score));
    parts.extend(info.depth.map(|depth| format!("depth {depth}")));
    parts.extend(info.nodes.map(|nodes| format!("{} nodes", thousands(nodes as f64))));
    parts.push(duration(time));
    parts.join(", ")
}

/// Returns a score as engines mean it: near 30000 it is a number of moves to the end.
fn score(score: i32) -> String {
    const WIN: i32 = 30_000;
    match score {
        29_000..=WIN => format!("wins in {}", WIN - score),
        -30_000..=-29_000 => format!("loses in {}", WIN + score),
        _ => format!("{score:+}"),
    }
}

#[cfg(test)]
mod tests;
