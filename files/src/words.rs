//! Numbers and times in words for people, the same in every table, line and screen, and times as people
//! type them.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Returns a number with its unit: `1 node`, `1,234 nodes`, `3 plies`.
///
/// ```
/// use tengen_files::words::counted;
///
/// assert_eq!(counted(1, "node"), "1 node");
/// assert_eq!(counted(1234, "ply"), "1,234 plies");
/// ```
#[must_use]
pub fn counted(number: u64, what: &str) -> String {
    let digits = grouped(number);
    match (number, what.strip_suffix('y')) {
        (1, _) => format!("{digits} {what}"),
        (_, Some(stem)) => format!("{digits} {stem}ies"),
        (_, None) => format!("{digits} {what}s"),
    }
}

/// Returns a number with a comma between thousands.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns a large number in two or three digits, as in `460 k` or `1.2 M`.
#[must_use]
pub fn thousands(number: f64) -> String {
    let units = [(1e9, "G"), (1e6, "M"), (1e3, "k")];
    match units.into_iter().find(|(unit, _)| number >= *unit) {
        Some((unit, letter)) if number < 10.0 * unit => format!("{:.1} {letter}", number / unit),
        Some((unit, letter)) => format!("{:.0} {letter}", number / unit),
        None => format!("{number:.0}"),
    }
}

/// Returns a time that was measured, as in `0.05 ms`, `8.1 ms`, `312 ms`, `12.3 s`, `4 min` or
/// `2 h 05 min`.
///
/// ```
/// use std::time::Duration;
/// use tengen_files::words::duration;
///
/// assert_eq!(duration(Duration::from_millis(312)), "312 ms");
/// assert_eq!(duration(Duration::from_secs(7500)), "2 h 05 min");
/// ```
#[must_use]
pub fn duration(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match time.as_nanos() as f64 / 1e6 {
        ms if ms < 0.1 && ms > 0.0 => format!("{ms:.2} ms"),
        ms if ms < 10.0 && ms.fract() != 0.0 => format!("{ms:.1} ms"),
        ms if ms < 1e3 => format!("{ms:.0} ms"),
        _ if seconds < 100.0 => format!("{seconds:.1} s"),
        _ if seconds < 6000.0 => format!("{:.0} min", seconds / 60.0),
        _ => {
            let minutes = (seconds / 60.0).round() as u64;
            format!("{} h {:02} min", minutes / 60, minutes % 60)
        }
    }
}

/// Returns a time that was guessed, as in `15 s`, `5 min`, `3 h` or `3 days`.
#[must_use]
pub fn rough_time(seconds: f64) -> String {
    match seconds {
        s if s < 90.0 => format!("{s:.0} s"),
        s if s < 90.0 * 60.0 => format!("{:.0} min", s / 60.0),
        s if s < 48.0 * 3600.0 => format!("{:.0} h", s / 3600.0),
        s => format!("{:.0} days", s / 86400.0),
    }
}

/// Returns a time as clocks show it, with tenths below a minute.
#[must_use]
pub fn clock_time(time: Duration) -> String {
    let seconds = time.as_secs();
    if seconds < 60 {
        return format!("0:{seconds:02}.{}", time.subsec_millis() / 100);
    }
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

/// Returns the time that a clock shows as it is spoken, as in `8 minutes 59 seconds`. Parts of a second
/// count as one: 0 is over.
#[must_use]
pub fn spoken_time(time: Duration) -> String {
    let seconds = time.as_millis().div_ceil(1000) as u64;
    match (seconds / 60, seconds % 60) {
        (0, seconds) => counted(seconds, "second"),
        (minutes, 0) => counted(minutes, "minute"),
        (minutes, seconds) => {
            format!("{} {}", counted(minutes, "minute"), counted(seconds, "second"))
        }
    }
}

/// The longest time that can be written.
const LONGEST: Duration = Duration::from_secs(1000 * 3600);

/// Reads a time such as `60`, `0.5`, `500ms`, `4m` or `1h`, in seconds where it has no unit, exact to
/// a millisecond.
///
/// # Errors
///
/// Returns what is wrong with the text, which is no time or one beyond 1000 hours.
pub fn parse_time(text: &str) -> Result<Duration, String> {
    let units = [("ms", 1.0), ("s", 1e3), ("m", 60e3), ("h", 3600e3)];
    let with_unit = |&(unit, length): &(&str, f64)| Some((text.strip_suffix(unit)?, length));
    let (number, unit) = units.iter().find_map(with_unit).unwrap_or((text, 1e3));
    let is_plain = number.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let millis = number.parse::<f64>().ok().filter(|_| is_plain).map(|number| number * unit);
    let Some(millis) = millis else {
        return Err("it is not a time such as 60, 0.5, 500ms, 4m or 1h".to_owned());
    };
    if millis > LONGEST.as_secs_f64() * 1e3 {
        return Err("the longest time is 1000h".to_owned());
    }
    Ok(Duration::from_millis(millis.round() as u64))
}

/// Returns a number of seconds without zeros at its end, which [`parse_time`] reads.
#[must_use]
pub fn seconds(time: Duration) -> String {
    let text = format!("{}.{:09}", time.as_secs(), time.subsec_nanos());
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Returns the name of the file for one of several games: `games.psq` becomes `games-01.psq`. A single one has no
/// number, nor has a pipe or a device, which takes all.
#[must_use]
pub fn numbered(path: &Path, number: usize, count: usize) -> PathBuf {
    let is_stream = fs::metadata(path).is_ok_and(|it| !it.is_file() && !it.is_dir());
    if count == 1 || is_stream {
        return path.to_owned();
    }
    let width = count.to_string().len();
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{number:0width$}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_have_their_thousands_apart_and_the_right_word() {
        assert_eq!(counted(0, "node"), "0 nodes");
        assert_eq!(counted(1, "ply"), "1 ply");
        assert_eq!(counted(15, "ply"), "15 plies");
        assert_eq!(counted(999, "position"), "999 positions");
        assert_eq!(counted(1_000, "position"), "1,000 positions");
        assert_eq!(counted(12_345_678, "position"), "12,345,678 positions");
    }

    #[test]
    fn large_numbers_are_short() {
        let numbers = [999.0, 1234.0, 45_678.0, 7.8e6, 2.5e10];
        assert_eq!(numbers.map(thousands), ["999", "1.2 k", "46 k", "7.8 M", "25 G"]);
    }

    #[test]
    fn times_are_in_the_unit_that_suits_them() {
        let times = [0, 50, 8_140, 9_000, 312_400, 4_567_000, 250_000_000, 7_500_000_000];
        assert_eq!(
            times.map(|micros| duration(Duration::from_micros(micros))),
            ["0 ms", "0.05 ms", "8.1 ms", "9 ms", "312 ms", "4.6 s", "4 min", "2 h 05 min"]
        );
        let guesses = [3.2, 89.0, 300.0, 3.0 * 3600.0, 72.0 * 3600.0];
        assert_eq!(guesses.map(rough_time), ["3 s", "89 s", "5 min", "3 h", "3 days"]);
    }

    #[test]
    fn clocks_show_tenths_in_the_last_minute_and_are_spoken_in_whole_seconds() {
        let times = [0, 59_990, 61_000, 3_700_000].map(Duration::from_millis);
        assert_eq!(times.map(clock_time), ["0:00.0", "0:59.9", "1:01", "1:01:40"]);
        assert_eq!(
            times.map(spoken_time),
            ["0 seconds", "1 minute", "1 minute 1 second", "61 minutes 40 seconds"]
        );
    }

    #[test]
    fn numbers_are_as_wide_as_the_last_one() {
        let name = |path: &str, count| numbered(Path::new(path), 7, count).display().to_string();
        assert_eq!(name("games.psq", 9), "games-7.psq");
        assert_eq!(name("a.b.psq", 120), "a.b-007.psq");
        assert_eq!(name("games", 10), "games-07");
        assert_eq!(numbered(Path::new("a/games.psq"), 1, 1), Path::new("a/games.psq"));
        #[cfg(unix)]
        assert_eq!(numbered(Path::new("/dev/null"), 1, 9), Path::new("/dev/null"));
    }

    #[test]
    fn times_are_seconds_unless_they_have_a_unit() {
        let millis = |text: &str| parse_time(text).map(|time| time.as_millis());
        for (text, expected) in [
            ("60", 60_000),
            ("0.5", 500),
            (".25", 250),
            ("500ms", 500),
            ("2s", 2000),
            ("4m", 240_000),
            ("1.5h", 5_400_000),
            ("0", 0),
            ("0.1", 100),
            ("1000h", 3_600_000_000),
        ] {
            assert_eq!(millis(text), Ok(expected), "{text}");
        }
        for text in ["", "s", "ms", "-1", "+1", "1e3", "1 s", "1d", "inf", "NaN", "1.2.3", "."] {
            let error = "it is not a time such as 60, 0.5, 500ms, 4m or 1h".to_owned();
            assert_eq!(parse_time(text), Err(error), "{text:?}");
        }
        assert_eq!(parse_time("1001h"), Err("the longest time is 1000h".to_owned()));
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(millis in 0..=3_600_000_000_u64) {
            let time = Duration::from_millis(millis);
            prop_assert_eq!(parse_time(&seconds(time)), Ok(time));
        }
    }
}
