//! The lines with which managers of the Yixin family show a running search.

use std::fmt::Write as _;

use super::reply::{Labels, MAX_OUTPUT_LINE, Reply, search_line};
use crate::engine::{BookAnswer, BookValue};
use tengen_core::eval::WinDrawLoss;
use tengen_core::search::{Mark, Report, Variation};
use tengen_core::types::Point;

/// The bit of `show_detail` that asks for `MESSAGE REALTIME` lines.
const REALTIME: u8 = 1;
/// The bit of `show_detail` that asks for `INFO` lines.
const INFO: u8 = 2;

/// The lines about a search that a manager wants, and their spelling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Detail {
    /// The value of `show_detail`.
    pub(super) level: u8,
    /// The names of cells.
    pub(super) labels: Labels,
}

/// Returns the lines about a finished iteration: the one that every manager gets, and those that
/// `show_detail` asks for. A manager that did not ask for them would take them for moves.
pub(super) fn report_lines(report: &Report, detail: Detail) -> Vec<Reply> {
    let mut lines = Vec::new();
    for (index, variation) in report.lines.iter().enumerate() {
        let Some(best) = variation.pv.first() else { continue };
        let chances = report.win_model.chances(variation.score);
        let told = (detail.level & INFO != 0).then_some(chances);
        lines.push(Reply::Message(search_line(report, index, variation, told, detail.labels)));
        if detail.level & REALTIME != 0 && index == 0 {
            let pv = detail.labels.spell(&variation.pv, "MESSAGE REALTIME PV".len());
            lines.push(Reply::Message(format!("REALTIME BEST {}", Reply::Move(*best))));
            lines.push(Reply::Message(format!("REALTIME VAL {}", variation.score)));
            lines.push(Reply::Message(format!("REALTIME PV {pv}")));
        }
        if detail.level & INFO != 0 {
            lines
                .extend(info_lines(report, index, variation, chances).into_iter().map(Reply::Info));
        }
    }
    lines
}

/// Spells what happens to a move at the root.
pub(super) fn mark_line(mark: Mark) -> Reply {
    let (word, point) = match mark {
        Mark::Refresh => return Reply::Message("REALTIME REFRESH".to_owned()),
        Mark::Searching(point) => ("POS", point),
        Mark::Searched(point) => ("DONE", point),
        Mark::Best(point) => ("BEST", point),
        Mark::Lost(point) => ("LOST", point),
    };
    Reply::Message(format!("REALTIME {word} {}", Reply::Move(point)))
}

/// Tells what the book has answered.
pub(super) fn book_line(told: &BookAnswer, labels: Labels) -> Reply {
    let moves = labels.spell(&told.moves, 0);
    let what = if moves.is_empty() { "the position".to_owned() } else { moves };
    let mut text = format!("book: {what}");
    match told.value {
        // Writing to a string can't fail.
        Some(BookValue { score, depth: 0 }) => drop(write!(text, " ev {score} proven")),
        Some(BookValue { score, depth }) => drop(write!(text, " ev {score} depth {depth}")),
        None => {}
    }
    if told.choices > 1 {
        let _ = write!(text, " one of {}", told.choices);
    }
    Reply::Message(text)
}

/// Spells a line one field a line, in the order that managers need.
fn info_lines(
    report: &Report,
    index: usize,
    variation: &Variation,
    chances: WinDrawLoss,
) -> Vec<String> {
    let ms = u64::try_from(report.elapsed.as_millis()).unwrap_or(u64::MAX);
    vec![
        format!("PV {index}"),
        format!("NUMPV {}", report.lines.len()),
        format!("DEPTH {}", variation.depth),
        format!("SELDEPTH {}", variation.seldepth),
        format!("NODES {}", report.nodes),
        format!("TOTALNODES {}", report.nodes),
        format!("TOTALTIME {ms}"),
        format!("SPEED {}", report.nodes.saturating_mul(1000) / ms.max(1)),
        format!("EVAL {}", variation.score),
        // Some boards take 0 for a value that is missing.
        format!("WINRATE {:.4}", chances.points().max(0.0001)),
        format!("DRAWRATE {:.4}", chances.draw),
        format!("BESTLINE {}", best_line(&variation.pv)),
        "PV DONE".to_owned(),
    ]
}

/// Spells as many moves as fit on one line, in coordinates.
fn best_line(pv: &[Point]) -> String {
    let mut line = String::new();
    for point in pv {
        if "INFO BESTLINE ".len() + line.len() + " 21,21\n".len() > MAX_OUTPUT_LINE {
            break;
        }
        let blank = if line.is_empty() { "" } else { " " };
        // Writing to a string can't fail.
        let _ = write!(line, "{blank}{}", Reply::Move(*point));
    }
    line
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::protocol::info::Coordinates;
    use tengen_core::eval::WinModel;
    use tengen_core::types::{Score, Size};

    fn report(len: usize) -> Report {
        let size = Size::square(22).unwrap();
        let pv = vec![size.point(21, 20).unwrap(); len];
        let line = Variation { depth: 3, seldepth: 9, score: Score::ZERO, pv };
        let elapsed = Duration::from_millis(250);
        Report { nodes: 500, elapsed, lines: vec![line], win_model: WinModel::new(200, 40) }
    }

    fn detail(level: u8) -> Detail {
        let size = Size::square(22).unwrap();
        let labels = Labels { coordinates: Coordinates::ColumnRow, size };
        Detail { level, labels }
    }

    fn lines(level: u8, len: usize) -> Vec<String> {
        report_lines(&report(len), detail(level)).iter().map(Reply::to_string).collect()
    }

    #[test]
    fn nobody_gets_lines_that_were_not_asked_for() {
        let starts_with = |lines: &[String], start: &str| {
            lines.iter().filter(|line| line.starts_with(start)).count()
        };
        for (level, realtime, info) in [(0, 0, 0), (1, 3, 0), (2, 0, 13), (3, 3, 13)] {
            let lines = lines(level, 2);
            assert_eq!(starts_with(&lines, "MESSAGE depth "), 1);
            assert_eq!(starts_with(&lines, "MESSAGE REALTIME "), realtime, "{level}");
            assert_eq!(starts_with(&lines, "INFO "), info, "{level}");
            assert_eq!(lines.len(), 1 + realtime + info);
        }
    }

    #[test]
    fn each_of_several_lines_has_a_block_of_its_own() {
        let mut report = report(2);
        report.lines = vec![report.lines[0].clone(); 3];
        let lines: Vec<String> =
            report_lines(&report, detail(2)).iter().map(Reply::to_string).collect();
        let of = |text: &str| lines.iter().filter(|line| line.as_str() == text).count();
        assert_eq!((of("INFO PV 0"), of("INFO PV 2"), of("INFO PV 3")), (1, 1, 0));
        assert_eq!((of("INFO NUMPV 3"), of("INFO PV DONE")), (3, 3));
        assert!(lines.iter().any(|line| line.starts_with("MESSAGE depth 3-9 multipv 3 ")));
    }

    #[test]
    fn marks_name_their_cell() {
        let point = Size::square(22).unwrap().point(3, 4).unwrap();
        let line = |mark| mark_line(mark).to_string();
        assert_eq!(line(Mark::Refresh), "MESSAGE REALTIME REFRESH");
        assert_eq!(line(Mark::Searching(point)), "MESSAGE REALTIME POS 3,4");
        assert_eq!(line(Mark::Searched(point)), "MESSAGE REALTIME DONE 3,4");
        assert_eq!(line(Mark::Best(point)), "MESSAGE REALTIME BEST 3,4");
        assert_eq!(line(Mark::Lost(point)), "MESSAGE REALTIME LOST 3,4");
    }

    #[test]
    fn a_block_has_the_known_order_and_is_closed() {
        let lines = lines(2, 2);
        let expected = [
            "INFO PV 0",
            "INFO NUMPV 1",
            "INFO DEPTH 3",
            "INFO SELDEPTH 9",
            "INFO NODES 500",
            "INFO TOTALNODES 500",
            "INFO TOTALTIME 250",
            "INFO SPEED 2000",
            "INFO EVAL 0",
            "INFO WINRATE 0.5000",
            "INFO DRAWRATE 0.0997",
            "INFO BESTLINE 21,20 21,20",
            "INFO PV DONE",
        ];
        assert_eq!(lines[1..], expected);
        assert!(
            lines[0].starts_with("MESSAGE depth 3-9 ev 0 w 50.0 d 10.0 n 500 "),
            "{}",
            lines[0]
        );
    }

    #[test]
    fn a_long_best_line_is_cut_between_moves() {
        let lines = lines(2, 1000);
        let best = &lines[12];
        assert!((1980..MAX_OUTPUT_LINE).contains(&best.len()), "{}", best.len());
        assert!(best.ends_with(" 21,20"));
    }
}
