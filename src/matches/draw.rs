//! A running game as a screen of text: what stands where, in which ink.

use std::time::{Duration, Instant};

use super::live::LiveGame;
use crate::common::words::clock_time;
use tengen_core::types::{Color, Point, Size};
use tengen_files::printable::{self, printable};
use tengen_lab::arena::player::SearchInfo;
use tengen_lab::arena::{Allowance, Contestant, MatchSpec};

/// The look of a piece of text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ink {
    Plain,
    Faint,
    Strong,
    /// Text that asks for attention.
    Alert,
    /// An empty cell.
    Board,
    /// A black stone.
    Black,
    /// A white stone.
    White,
    /// The mark of the last move on the board.
    Mark,
}

/// A piece of text in one ink.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Span {
    pub ink: Ink,
    pub text: String,
}

/// A line of the screen.
pub(super) type ScreenLine = Vec<Span>;

/// The content of a screen.
#[derive(Clone, Copy, Debug)]
pub(super) struct View<'a> {
    /// The match.
    pub spec: &'a MatchSpec,
    /// The game, once there is one.
    pub game: Option<&'a LiveGame>,
    /// The standing of the match, in a few lines.
    pub standing: &'a [String],
    /// The keys, and whether the match is paused or ends.
    pub footer: &'a str,
    /// A notice, such as that the match is paused or ends.
    pub notice: &'a str,
    /// The time.
    pub now: Instant,
    /// True if stones are drawn as such, or as letters.
    pub has_stones: bool,
}

/// The least width of the text next to the board.
const PANEL: usize = 28;

/// Between the board and the text next to it.
const GAP: usize = 3;

/// Returns the lines of a screen of this many columns and rows.
///
/// Where there is no room for text next to the board, both clocks stand above it.
pub(super) fn screen(view: &View<'_>, columns: usize, rows: usize) -> Vec<ScreenLine> {
    let mut lines = vec![header(view)];
    let board = board(view);
    let width = length(board.first().map_or(&[], |line| line.as_slice()));
    let panel = panel(view);
    if width + GAP + PANEL <= columns {
        lines.push(ScreenLine::new());
        let count = board.len().max(panel.len());
        let (mut board, mut panel) = (board.into_iter(), panel.into_iter());
        for _ in 0..count {
            let mut line = board.next().unwrap_or_default();
            line.push(plain(" ".repeat(width + GAP - length(&line))));
            line.extend(panel.next().unwrap_or_default());
            lines.push(line);
        }
    } else {
        lines.push(clocks(view, columns));
        lines.extend(board);
        lines.push(ScreenLine::new());
        lines.extend(panel);
    }
    // The footer is always there.
    lines.truncate(rows.saturating_sub(1));
    lines.resize(rows.saturating_sub(1), ScreenLine::new());
    if !view.notice.is_empty() && lines.len() > 1 {
        let last = lines.len() - 1;
        lines[last] = vec![span(Ink::Alert, view.notice)];
    }
    lines.push(vec![span(Ink::Faint, view.footer)]);
    lines.into_iter().map(|line| clip(line, columns)).collect()
}

fn header(view: &View<'_>) -> ScreenLine {
    let spec = view.spec;
    let mut line = vec![span(Ink::Strong, &printable(&spec.event))];
    line.push(plain(format!("  {} {}", spec.rule, spec.size)));
    if let Some(game) = view.game {
        line.push(plain(format!(
            "  game {}, round {}",
            game.fixture.game + 1,
            game.fixture.round + 1
        )));
    }
    line
}

/// Returns the board. Row 1 is at the bottom, as the names of cells have it in diagrams.
fn board(view: &View<'_>) -> Vec<ScreenLine> {
    let size = view.spec.size;
    let columns: String = (0..size.width()).map(|x| format!(" {}", char::from(b'a' + x))).collect();
    let mut lines = vec![vec![span(Ink::Faint, &format!("   {columns} "))]];
    let moves = view.game.map_or(&[][..], |game| &game.moves);
    for y in (0..size.height()).rev() {
        let mut line = vec![span(Ink::Faint, &format!("{:>3}", y + 1))];
        line.extend(row(size, y, moves, view.has_stones));
        lines.push(line);
    }
    lines
}

/// Returns a row of the board; the last move is in parentheses.
fn row(size: Size, y: u8, moves: &[Point], has_stones: bool) -> ScreenLine {
    let mut line = ScreenLine::new();
    let mut is_after_last = false;
    for point in size.points().filter(|point| point.y() == y) {
        let number = moves.iter().position(|&at| at == point);
        let is_last = number.is_some_and(|number| number + 1 == moves.len());
        match (is_last, is_after_last) {
            (true, _) => line.push(span(Ink::Mark, "(")),
            (_, true) => line.push(span(Ink::Mark, ")")),
            _ => line.push(span(Ink::Board, " ")),
        }
        line.push(match number.map(Color::to_move_after) {
            None => span(Ink::Board, if has_stones { "·" } else { "." }),
            Some(color) => stone(color, has_stones),
        });
        is_after_last = is_last;
    }
    line.push(if is_after_last { span(Ink::Mark, ")") } else { span(Ink::Board, " ") });
    line
}

/// Returns a stone on the board: the two differ in shape too, for terminals without colour.
fn stone(color: Color, has_stones: bool) -> Span {
    match (color, has_stones) {
        (Color::Black, true) => span(Ink::Black, "●"),
        (Color::Black, false) => span(Ink::Black, "X"),
        (Color::White, true) => span(Ink::White, "○"),
        (Color::White, false) => span(Ink::White, "O"),
    }
}

/// Returns the players with their clocks in one line; names are cut so that both clocks fit.
fn clocks(view: &View<'_>, columns: usize) -> ScreenLine {
    let Some(game) = view.game else { return ScreenLine::new() };
    let sides = Color::ALL.map(|color| {
        let side = game.seat_of(color);
        let contestant = &view.spec.contestants[game.fixture.seats[side]];
        let thinks = game.thinking.filter(|(thinker, _)| *thinker == side);
        let used = thinks.map(|(_, since)| view.now.saturating_duration_since(since));
        let clock = short_clock(&contestant.allowance, game.left[side], used);
        (color, printable(&contestant.name), clock, used.is_some())
    });
    // A stone with a blank on each side, a blank before the clock, a mark, and a gap.
    let taken: usize = sides.iter().map(|(_, _, clock, _)| clock.chars().count() + 6).sum();
    let room = columns.saturating_sub(taken) / 2;
    let mut line = ScreenLine::new();
    for (color, name, clock, thinks) in sides {
        let name = printable::fitting(&name, room);
        line.extend([span(Ink::Board, " "), stone(color, view.has_stones), span(Ink::Board, " ")]);
        line.push(span(Ink::Strong, &format!("{name} ")));
        let ink = if thinks { Ink::Alert } else { Ink::Plain };
        line.push(span(ink, &clock));
        let mark = if view.has_stones { "◀ " } else { "< " };
        line.push(span(ink, if thinks { mark } else { "  " }));
    }
    line
}

/// Returns what is left of a game, or what a move has taken of its limit.
fn short_clock(allowance: &Allowance, left: Option<Duration>, used: Option<Duration>) -> String {
    match (left.or(allowance.game), allowance.turn) {
        (Some(left), _) => clock_time(left.saturating_sub(used.unwrap_or_default())),
        (None, Some(turn)) => {
            let used = used.map_or_else(String::new, |used| format!("{}/", seconds(used)));
            format!("{used}{}", seconds(turn))
        }
        (None, None) => used.map_or_else(|| "-".to_owned(), seconds),
    }
}

/// Returns what stands next to the board.
fn panel(view: &View<'_>) -> Vec<ScreenLine> {
    let mut lines = Vec::new();
    if let Some(game) = view.game {
        for color in Color::ALL {
            let seat = game.seat_of(color);
            let contestant = &view.spec.contestants[game.fixture.seats[seat]];
            lines.extend(player(view, game, seat, color, contestant));
            lines.push(ScreenLine::new());
        }
        lines.push(vec![plain(last_move(game))]);
        if let Some((_, detail)) = &game.ended {
            lines.push(vec![span(Ink::Alert, &printable(detail))]);
        }
        lines.push(ScreenLine::new());
    }
    lines.extend(view.standing.iter().map(|text| vec![plain(printable(text).into_owned())]));
    lines
}

/// Returns the lines of a player: who it is, the clock, and what it said last.
fn player(
    view: &View<'_>,
    game: &LiveGame,
    seat: usize,
    color: Color,
    contestant: &Contestant,
) -> Vec<ScreenLine> {
    let thinks = game.thinking.filter(|(thinker, _)| *thinker == seat);
    let used = thinks.map(|(_, since)| view.now.saturating_duration_since(since));
    let mut name = vec![span(Ink::Board, " ")];
    name.extend([stone(color, view.has_stones), span(Ink::Board, " "), plain(" ".to_owned())]);
    name.push(span(Ink::Strong, &printable(&contestant.name)));
    if used.is_some() {
        name.push(span(Ink::Alert, if view.has_stones { "  ◀ thinks" } else { "  < thinks" }));
    }
    let clock = clock(&contestant.allowance, game.left[seat], used);
    let info = game.infos[seat].map_or(String::new(), |(info, time)| said(&info, time));
    vec![name, vec![plain(format!("    {clock}"))], vec![span(Ink::Faint, &format!("    {info}"))]]
}

/// Returns the clock of a player who has used this much time for a move that is not made yet.
fn clock(allowance: &Allowance, left: Option<Duration>, used: Option<Duration>) -> String {
    let mut parts = Vec::new();
    if let Some(left) = left.or(allowance.game) {
        parts.push(clock_time(left.saturating_sub(used.unwrap_or_default())));
    }
    match (allowance.turn, used) {
        (Some(turn), Some(used)) => {
            parts.push(format!("{} of {} for the move", seconds(used), seconds(turn)));
        }
        (Some(turn), None) if parts.is_empty() => parts.push(format!("{} a move", seconds(turn))),
        (None, Some(used)) if parts.is_empty() => parts.push(seconds(used)),
        _ => {}
    }
    parts.join(", ")
}

/// Returns what a player said of its last move.
fn said(info: &SearchInfo, time: Duration) -> String {
    let mut parts = Vec::new();
    parts.extend(info.score.map(score));
    parts.extend(info.depth.map(|depth| format!("depth {depth}")));
    parts.extend(info.nodes.map(|nodes| format!("{} nodes", count(nodes))));
    parts.push(seconds(time));
    parts.join(", ")
}

fn last_move(game: &LiveGame) -> String {
    match game.moves.last() {
        None => "no stone yet".to_owned(),
        Some(point) => format!("move {}: {point}", game.moves.len()),
    }
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

fn seconds(time: Duration) -> String {
    match time.as_millis() {
        0..1000 => format!("{} ms", time.as_millis()),
        millis => format!("{:.1} s", millis as f64 / 1000.0),
    }
}

/// Returns a large number in a few letters.
fn count(number: u64) -> String {
    match number {
        0..10_000 => number.to_string(),
        10_000..10_000_000 => format!("{}K", number / 1000),
        10_000_000..10_000_000_000 => format!("{}M", number / 1_000_000),
        _ => format!("{}G", number / 1_000_000_000),
    }
}

fn span(ink: Ink, text: &str) -> Span {
    Span { ink, text: text.to_owned() }
}

const fn plain(text: String) -> Span {
    Span { ink: Ink::Plain, text }
}

fn length(line: &[Span]) -> usize {
    line.iter().map(|span| printable::columns(&span.text)).sum()
}

/// Cuts off what does not fit.
fn clip(line: ScreenLine, columns: usize) -> ScreenLine {
    let mut left = columns;
    let mut clipped = ScreenLine::new();
    for span in line {
        let text = printable::fitting(&span.text, left).to_owned();
        left -= printable::columns(&text);
        clipped.push(Span { text, ..span });
    }
    clipped
}

#[cfg(test)]
mod tests;
