//! Reviews for people, as text.

mod paint;

use std::fmt::Write as _;

use anyhow::bail;

pub(crate) use self::paint::Paint;
use super::words::cells;
use tengen_core::notation::Origin;
use tengen_core::types::{Color, Point, Size};
use tengen_files::records::Record;
use tengen_files::words::{counted, duration, grouped};
use tengen_people::explain::Remark;
use tengen_people::play::CasualGame;
use tengen_people::review::{Effort, GameReview, MoveClass, MoveReview, ReviewTask};

/// The most columns of a picture of the chances.
const COLUMNS: usize = 72;

/// Returns how reviews were made, as pages and records say it.
pub(crate) fn made(effort: Effort) -> String {
    let effort = match effort {
        Effort::Nodes(nodes) => format!("{} nodes", grouped(nodes)),
        Effort::Time(time) => duration(time),
    };
    format!("Reviewed by tengen {}, {effort} a position", env!("CARGO_PKG_VERSION"))
}

/// Returns what is to be reviewed of a game, whose record this is; its first `book` moves were not the players'
/// own.
///
/// # Errors
///
/// Returns an error if the record does not keep to the rule, or if the game has blocked cells, of which
/// reviews know nothing.
pub(crate) fn review_task(
    game: &CasualGame,
    record: &Record,
    book: usize,
) -> anyhow::Result<ReviewTask> {
    if !game.walls().is_empty() {
        bail!("a game with blocked cells cannot be reviewed");
    }
    Ok(ReviewTask::of_record(record, book)?)
}

/// The way in which reviews of a game are told.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReviewWords {
    pub(crate) size: Size,
    /// The edge from which rows count.
    pub(crate) origin: Origin,
    /// True if what a plain terminal lacks is left out.
    pub(crate) ascii: bool,
    /// The colours.
    pub(crate) paint: Paint,
}

impl ReviewWords {
    /// Returns what was found in a game: chances, faults, and what they add up to.
    pub(crate) fn findings(self, review: &GameReview) -> String {
        let mut text = format!("Black's chances  {}\n", picture(&review.black, self.ascii));
        text.push_str(&self.table(review));
        text.push('\n');
        for color in Color::ALL {
            let name = if color == Color::Black { "Black" } else { "White" };
            let _ = writeln!(text, "{name:<15}  {}", accuracy(review, color));
        }
        let named = |m: &MoveReview| format!("move {}, {} {}", m.ply, m.color, self.cell(m.point));
        if let Some(m) = review.turning_point.map(|i| &review.moves[i]) {
            let _ = writeln!(text, "Turning point    {}", named(m));
        }
        if let Some(lost) = review.lost {
            let by = lost.after.checked_sub(review.skipped + 1).map(|i| &review.moves[i]);
            let by = match by {
                Some(m) => format!("by {}", named(m)),
                None if review.skipped > 0 => "before the first move reviewed".to_owned(),
                None => "before the first move".to_owned(),
            };
            let _ = writeln!(text, "Lost for good    {} {by}", lost.loser);
        }
        text
    }

    /// Returns the name of a cell.
    fn cell(self, point: Point) -> String {
        cells(&[point], self.size, self.origin)
    }

    /// Returns what a move was and what it cost, as in `move 12, white g9: blunder, 52 → 3 %`.
    pub(crate) fn verdict(self, m: &MoveReview) -> String {
        let (cell, class) = (self.cell(m.point), m.class.words());
        let change = self.change(m, 0);
        format!("move {}, {} {cell}: {class}, {change} %", m.ply, m.color)
    }

    /// Returns the chances before and after a move, in per cent, each in this many columns at least.
    fn change(self, m: &MoveReview, width: usize) -> String {
        let arrow = if self.ascii { "->" } else { "→" };
        let [before, after] = [m.before, m.after].map(|chances| 100.0 * chances.points());
        format!("{before:>width$.0} {arrow} {after:>width$.0}")
    }

    /// Returns the best line from before a move.
    pub(crate) fn better(self, m: &MoveReview) -> String {
        cells(&m.line, self.size, self.origin)
    }

    /// Returns a table of the moves to which there was a better one, or says that there are none.
    fn table(self, review: &GameReview) -> String {
        let told: Vec<&MoveReview> = review.moves.iter().filter(|m| m.has_better()).collect();
        if told.is_empty() {
            return "No inaccuracy, mistake or blunder\n".to_owned();
        }
        let mut text = "\nmove         class             chances      better  why\n".to_owned();
        for m in told {
            let stone = if m.color == Color::Black { 'X' } else { 'O' };
            let class = format!("{:<2} {:<10}", mark(m.class, self.ascii), m.class.words());
            let line = format!(
                "{:>4} {stone} {:<4}  {}  {} %  {:<6}  {}",
                m.ply,
                self.cell(m.point),
                self.paint.class(m.class, &class),
                self.change(m, 3),
                self.cell(m.best()),
                self.why(m)
            );
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }

    /// Returns what is wrong with a move; and if that is only where the opponent goes, what the better
    /// move does.
    pub(crate) fn why(self, m: &MoveReview) -> String {
        let wrong = || m.remarks.iter().filter(|remark| remark.is_fault());
        let text = self.remarks(wrong());
        let is_vague = wrong().all(|said| matches!(said, Remark::Lets(..) | Remark::Cedes(..)));
        if !is_vague || m.better.is_empty() {
            return text;
        }
        format!("{text}; {} {}", self.cell(m.best()), self.remarks(m.better.iter()))
    }

    /// Returns remarks with commas between them.
    fn remarks<'a>(self, remarks: impl Iterator<Item = &'a Remark>) -> String {
        let seen = |remark: &Remark| remark.seen_from(self.origin, self.size).to_string();
        remarks.map(seen).collect::<Vec<_>>().join(", ")
    }
}

/// Returns the legend of the marks of faults, the worst first, in lines.
pub(crate) fn legend(ascii: bool, paint: Paint) -> String {
    let mut text = String::new();
    for class in MoveClass::ALL.into_iter().rev().filter(|class| class.is_fault()) {
        let name = format!("{:<2} {:<10}", mark(class, ascii), class.words());
        let _ = writeln!(text, "{}  {}", paint.class(class, &name), class.meaning());
    }
    text
}

/// Returns the mark of a class, with letters only where a plain terminal lacks it.
fn mark(class: MoveClass, ascii: bool) -> &'static str {
    match class {
        MoveClass::MissedWin if ascii => "x",
        other => other.mark(),
    }
}

/// Draws shares from 0 to 1, from left to right; of many, the means of neighbours.
fn picture(shares: &[f64], ascii: bool) -> String {
    let steps = if ascii { "_.,-=+*#" } else { "▁▂▃▄▅▆▇█" };
    let steps: Vec<char> = steps.chars().collect();
    let columns = shares.len().min(COLUMNS);
    let column = |i: usize| {
        let part = &shares[i * shares.len() / columns..(i + 1) * shares.len() / columns];
        let mean = part.iter().sum::<f64>() / part.len() as f64;
        steps[((mean * steps.len() as f64) as usize).min(steps.len() - 1)]
    };
    (0..columns).map(column).collect()
}

/// Returns the accuracy of a side and its faults, as in `81.2 %, 1 mistake`.
pub(crate) fn accuracy(review: &GameReview, color: Color) -> String {
    review.accuracy_words(color) + &faults(review, color)
}

/// Returns how many moves of a side were what kind of fault, after a comma each.
fn faults(review: &GameReview, color: Color) -> String {
    let mut text = String::new();
    for class in MoveClass::ALL.into_iter().filter(|class| class.is_fault()) {
        match review.count(color, class) {
            0 => {}
            number => {
                let _ = write!(text, ", {}", counted(number as u64, class.words()));
            }
        }
    }
    text
}
