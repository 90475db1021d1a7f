//! The lines with which managers of the Yixin family show a running search.

use std::fmt::Write as _;

use super::reply::{MAX_OUTPUT_LINE, Reply, search_line};
use crate::search::Report;
use crate::types::{Point, Score};

/// The bit of `show_detail` that asks for `MESSAGE REALTIME` lines.
const REALTIME: u8 = 1;
/// The bit of `show_detail` that asks for `INFO` lines.
const INFO: u8 = 2;

/// Returns the lines about a finished iteration: the one that everybody gets, and those that
/// `show_detail` asks for. Unasked they would be taken for moves.
pub(super) fn report_lines(report: &Report, show_detail: u8) -> Vec<Reply> {
    let mut lines = vec![Reply::Message(search_line(report))];
    let Some(best) = report.pv.first() else { return lines };
    if show_detail & REALTIME != 0 && report.multipv <= 1 {
        lines.push(Reply::Message(format!("REALTIME BEST {}", Reply::Move(*best))));
        lines.push(Reply::Message(format!("REALTIME VAL {}", report.score)));
    }
    if show_detail & INFO != 0 {
        lines.extend(info_lines(report).into_iter().map(Reply::Info));
    }
    lines
}

/// Spells an iteration one field a line, in the order that managers need.
fn info_lines(report: &Report) -> Vec<String> {
    let ms = u64::try_from(report.elapsed.as_millis()).unwrap_or(u64::MAX);
    vec![
        format!("PV {}", report.multipv.saturating_sub(1)),
        "NUMPV 1".to_owned(),
        format!("DEPTH {}", report.depth),
        format!("SELDEPTH {}", report.seldepth),
        format!("NODES {}", report.nodes),
        format!("TOTALNODES {}", report.nodes),
        format!("TOTALTIME {ms}"),
        format!("SPEED {}", report.nodes.saturating_mul(1000) / ms.max(1)),
        format!("EVAL {}", report.score),
        format!("WINRATE {:.4}", win_rate(report.score)),
        format!("BESTLINE {}", best_line(&report.pv)),
        "PV DONE".to_owned(),
    ]
}

/// Returns the chance to win that managers show for a score, from 0 to 1.
fn win_rate(score: Score) -> f64 {
    if score.is_win() {
        1.0
    } else if score.is_loss() {
        0.0
    } else {
        1.0 / (1.0 + (-f64::from(score.raw()) / 400.0).exp())
    }
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
    use crate::types::Size;

    fn report(len: usize) -> Report {
        let size = Size::square(22).unwrap();
        Report {
            depth: 3,
            seldepth: 9,
            multipv: 1,
            score: Score::ZERO,
            nodes: 500,
            elapsed: Duration::from_millis(250),
            pv: vec![size.point(21, 20).unwrap(); len],
        }
    }

    fn lines(show_detail: u8, len: usize) -> Vec<String> {
        report_lines(&report(len), show_detail).iter().map(Reply::to_string).collect()
    }

    #[test]
    fn nobody_gets_lines_that_were_not_asked_for() {
        let starts_with = |lines: &[String], start: &str| {
            lines.iter().filter(|line| line.starts_with(start)).count()
        };
        for (show_detail, realtime, info) in [(0, 0, 0), (1, 2, 0), (2, 0, 12), (3, 2, 12)] {
            let lines = lines(show_detail, 2);
            assert_eq!(starts_with(&lines, "MESSAGE depth "), 1);
            assert_eq!(starts_with(&lines, "MESSAGE REALTIME "), realtime, "{show_detail}");
            assert_eq!(starts_with(&lines, "INFO "), info, "{show_detail}");
            assert_eq!(lines.len(), 1 + realtime + info);
        }
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
            "INFO BESTLINE 21,20 21,20",
            "INFO PV DONE",
        ];
        assert_eq!(lines[1..], expected);
    }

    #[test]
    fn a_long_best_line_is_cut_between_moves() {
        let lines = lines(2, 1000);
        let best = &lines[11];
        assert!((1980..MAX_OUTPUT_LINE).contains(&best.len()), "{}", best.len());
        assert!(best.ends_with(" 21,20"));
    }
}
