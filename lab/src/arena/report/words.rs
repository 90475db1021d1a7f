//! Numbers and names in tables.

use std::time::Duration;

use crate::arena::{EndCount, Interval};
use tengen_files::printable;
use tengen_files::words::duration;

/// Returns a name that fits this many columns and does nothing to a terminal.
pub(super) fn name(name: &str, columns: usize) -> String {
    match name {
        "" => "?".to_owned(),
        name => printable::shortened(&printable::printable(name), columns).into_owned(),
    }
}

/// Returns a share as in `60.5 %`.
pub(super) fn percent(share: Option<f64>) -> String {
    share.map_or_else(unknown, |share| format!("{:.1} %", 100.0 * share))
}

/// Returns a probability with more digits where it is nearly certain.
pub(super) fn likelihood(share: Option<f64>) -> String {
    match share {
        Some(share) if share > 0.99995 => "> 99.99 %".to_owned(),
        Some(share) if share < 0.00005 => "< 0.01 %".to_owned(),
        Some(share) if !(0.01..=0.99).contains(&share) => format!("{:.2} %", 100.0 * share),
        share => percent(share),
    }
}

/// Returns what stands for what is not known.
pub(super) fn unknown() -> String {
    "-".to_owned()
}

/// Returns an Elo with its sign.
pub(super) fn elo(value: f64) -> String {
    // No minus before a rounded nothing.
    let value = if value.abs() < 0.05 { 0.0 } else { value };
    if value == 0.0 { "0.0".to_owned() } else { format!("{value:+.1}") }
}

/// Returns an Elo and its interval: `+74.1 ± 40.2`, or the ends where one is infinite.
pub(super) fn interval(interval: Option<Interval>) -> String {
    match interval {
        None => unknown(),
        Some(Interval { value, error, .. }) if error.is_finite() => {
            format!("{} ± {error:.1}", elo(value))
        }
        Some(Interval { value, lower, .. }) if value == f64::INFINITY => {
            format!("+inf, at least {}", elo(lower))
        }
        Some(Interval { value, upper, .. }) if value == f64::NEG_INFINITY => {
            format!("-inf, at most {}", elo(upper))
        }
        Some(Interval { value, lower, upper, .. }) => {
            format!("{}, from {} to {}", elo(value), elo(lower), elo(upper))
        }
    }
}

/// Returns points without a half that is none.
pub(super) fn points(points: f64) -> String {
    format!("{points:.1}")
}

/// Returns a number of milliseconds.
pub(super) fn time(ms: f64) -> String {
    duration(Duration::try_from_secs_f64(ms / 1e3).unwrap_or_default())
}

/// Returns how games ended, each as in `late 2`.
pub(super) fn ends(ends: &[EndCount]) -> Vec<String> {
    ends.iter().map(|count| format!("{} {}", count.end.name(), count.games)).collect()
}

/// Returns columns of text, two blanks between them, those after the first `left` at the right.
pub(super) fn table(rows: &[Vec<String>], left: usize) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| printable::columns(cell)).max()
    };
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
            let gap = if column == 0 { "" } else { "  " };
            let blanks = " ".repeat(width - printable::columns(cell));
            line.push_str(gap);
            let parts = if column < left { [cell, &*blanks] } else { [&*blanks, cell] };
            line.extend(parts);
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit_and_are_harmless() {
        assert_eq!(name("tengen", 6), "tengen");
        assert_eq!(name("tengen 2", 6), "tenge…");
        assert_eq!(name("", 6), "?");
        assert_eq!([6, 5].map(|columns| name("五子棋", columns)), ["五子棋", "五子…"]);
        assert_eq!(name("a\u{1b}[2Jb\nc\u{202e}d", 20), "a\u{fffd}[2Jb\u{fffd}c\u{fffd}d");
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(percent(Some(0.6049)), "60.5 %");
        assert_eq!(percent(None), "-");
        assert_eq!(likelihood(Some(0.9987)), "99.87 %");
        assert_eq!(likelihood(Some(1.0)), "> 99.99 %");
        assert_eq!(likelihood(Some(0.0)), "< 0.01 %");
        assert_eq!([elo(-0.01), elo(12.34), elo(-7.0)], ["0.0", "+12.3", "-7.0"]);
    }

    #[test]
    fn infinite_ends_are_said_in_words() {
        let of = |value: f64, lower: f64, upper: f64| {
            interval(Some(Interval { value, lower, upper, error: (upper - lower) / 2.0 }))
        };
        assert_eq!(of(10.0, -20.0, 40.0), "+10.0 ± 30.0");
        assert_eq!(of(f64::INFINITY, 170.0, f64::INFINITY), "+inf, at least +170.0");
        assert_eq!(of(f64::NEG_INFINITY, f64::NEG_INFINITY, -3.0), "-inf, at most -3.0");
        assert_eq!(of(500.0, 300.0, f64::INFINITY), "+500.0, from +300.0 to +inf");
        assert_eq!(interval(None), "-");
    }

    #[test]
    fn columns_are_as_wide_as_their_letters() {
        let rows =
            [["五", "1", "é"], ["longer…", "22", ""]].map(|row| row.map(str::to_owned).into());
        assert_eq!(table(&rows, 1), "五        1  é\nlonger…  22\n");
    }
}
