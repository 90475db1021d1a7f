use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

use super::*;
use crate::openings::double::ScriptedBalancer;
use crate::openings::games::ByGames;
use crate::openings::generate::make;
use crate::openings::run::run;
use tengen_core::rules::Rule;
use tengen_core::types::Size;
use tengen_files::resume::testing::{check_flips, without_sums};
use tengen_files::work::{Progress, Stop};

/// A directory of its own for an output file, removed at the end of the test.
struct Place(TempDir);

impl Place {
    fn new() -> Place {
        Place(TempDir::with_prefix("tengen-openings-").unwrap())
    }

    fn output(&self) -> PathBuf {
        self.0.path().join("out.txt")
    }

    fn state(&self) -> PathBuf {
        self.0.path().join("out.txt.state")
    }

    fn put(&self, output: &[u8], state: &[u8]) {
        fs::write(self.output(), output).unwrap();
        fs::write(self.state(), state).unwrap();
    }

    fn files(&self) -> Vec<(String, Vec<u8>)> {
        let mut files: Vec<_> = fs::read_dir(&self.0)
            .unwrap()
            .map(|entry| {
                let path = entry.unwrap().path();
                let name = path.file_name().unwrap().to_str().unwrap().to_owned();
                (name, fs::read(path).unwrap())
            })
            .collect();
        files.sort();
        files
    }
}

fn options(format: OpeningFormat) -> OpeningOptions {
    let size = Size::square(15).unwrap();
    OpeningOptions { format, ..OpeningOptions::new(Rule::Renju, size) }
}

/// Makes openings up to a number, and returns what the file holds then.
fn fill(
    place: &Place,
    options: &OpeningOptions,
    number: u64,
    threads: usize,
) -> Result<(Progress, Vec<u8>), OpeningsError> {
    let (mut store, begun) = FileStore::open(&place.output(), options)?;
    let doubles = vec![ScriptedBalancer::default(); threads];
    let progress = run(options, number, begun, doubles, &mut store, &Stop::new(), &mut |_, _| {})?;
    Ok((progress, fs::read(place.output()).unwrap()))
}

/// Returns the message of the error with which a file is refused; nothing must have changed.
fn refusal(place: &Place, options: &OpeningOptions) -> String {
    let before = place.files();
    let error = FileStore::open(&place.output(), options).map(|_| ()).unwrap_err();
    assert_eq!(place.files(), before, "{error}");
    let text = error.to_string();
    text.replace(place.0.path().to_str().unwrap(), "DIR").replace('\\', "/")
}

#[test]
fn a_file_has_a_line_for_every_opening() {
    for format in OpeningFormat::ALL {
        let (place, options) = (Place::new(), options(format));
        let (progress, bytes) = fill(&place, &options, 30, 3).unwrap();
        assert_eq!(progress.done, 30);
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.ends_with('\n') && text.lines().count() == 30);
        for line in text.lines() {
            let stones = parse_line(line, options.size, format).unwrap();
            assert_eq!(format_line(&stones, options.size, format), line);
        }
        let names: Vec<String> = place.files().into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["out.txt", "out.txt.state"]);
    }
}

#[test]
fn a_file_cut_off_anywhere_is_completed_as_if_nothing_had_happened() {
    for format in OpeningFormat::ALL {
        let (place, options) = (Place::new(), options(format));
        let (_, whole) = fill(&place, &options, 12, 2).unwrap();
        let state = fs::read(place.state()).unwrap();
        // Every place in the last lines, and some of each line before.
        let cuts = (0..=whole.len()).filter(|cut| cut % 5 == 0 || cut + 30 > whole.len());
        for cut in cuts {
            place.put(&whole[..cut], &state);
            let lines = whole[..cut].iter().filter(|&&byte| byte == b'\n').count();
            let (store, begun) = FileStore::open(&place.output(), &options).unwrap();
            assert_eq!(begun.forms.len(), lines);
            drop(store);
            let (progress, again) = fill(&place, &options, 12, 1 + cut % 3).unwrap();
            assert_eq!(again, whole, "cut at {cut}");
            assert!(progress.by_this_run <= 12 - lines as u64);
        }
    }
}

#[test]
fn a_state_cut_off_after_the_options_loses_only_what_was_ahead() {
    let (place, options) = (Place::new(), options(OpeningFormat::Pos));
    let (_, whole) = fill(&place, &options, 12, 1).unwrap();
    let head = fs::read(place.state()).unwrap();
    let made =
        |index| make(&options, &mut ScriptedBalancer::default(), index, 0, &Stop::new()).unwrap();
    let mut state = head.clone();
    for index in [3, 1, 2, 7] {
        state.extend(ahead_line(&made(index), &options).bytes());
    }
    for cut in head.len()..=state.len() {
        place.put(b"", &state[..cut]);
        let kept = state[head.len()..cut].iter().filter(|&&byte| byte == b'\n').count();
        let (progress, again) = fill(&place, &options, 12, 1).unwrap();
        assert_eq!(again, whole);
        assert_eq!(progress.by_this_run, 12 - kept as u64, "cut at {cut}");
    }
}

#[test]
fn a_finished_file_is_left_alone_and_can_be_made_longer() {
    let (place, options) = (Place::new(), options(OpeningFormat::Pos));
    let (_, few) = fill(&place, &options, 5, 1).unwrap();
    let (progress, same) = fill(&place, &options, 5, 1).unwrap();
    assert_eq!((progress, &same), (Progress { done: 5, by_this_run: 0 }, &few));
    let (progress, same) = fill(&place, &options, 3, 1).unwrap();
    assert_eq!((progress.done, &same), (5, &few));
    let (_, more) = fill(&place, &options, 9, 2).unwrap();
    assert!(more.starts_with(&few));
    let fresh = Place::new();
    assert_eq!(fill(&fresh, &options, 9, 1).unwrap().1, more);
}

#[test]
fn other_options_are_refused_by_name() {
    let (place, options) = (Place::new(), options(OpeningFormat::Pos));
    fill(&place, &options, 3, 1).unwrap();
    let other = OpeningOptions { seed: 5, window: 70, ..options };
    assert_eq!(
        refusal(&place, &other),
        "DIR/out.txt was begun with other options: seed 0 (now 5), window 50 (now 70)"
    );
    // Even if the lines could not be read as the other options have it.
    let offset = OpeningOptions { format: OpeningFormat::Offset, ..options };
    assert_eq!(
        refusal(&place, &offset),
        "DIR/out.txt was begun with other options: format pos (now offset)"
    );
    // An empty file has nothing to lose.
    fs::write(place.output(), "").unwrap();
    assert_eq!(fill(&place, &other, 3, 1).unwrap().0.by_this_run, 3);
}

#[test]
fn a_file_begun_before_there_were_games_is_one_without_games() {
    let (place, options) = (Place::new(), options(OpeningFormat::Pos));
    let (_, lines) = fill(&place, &options, 3, 1).unwrap();
    let state = without_sums(&fs::read_to_string(place.state()).unwrap());
    let older = state.replace("by-games: none\n", "");
    assert_ne!(older, state);
    place.put(&lines, older.as_bytes());
    let chosen = OpeningOptions { by_games: Some(ByGames::new(10)), ..options };
    assert_eq!(
        refusal(&place, &chosen),
        "DIR/out.txt was begun with other options: by-games none (now 10 of 3000,12000 nodes, 30 %)"
    );
    assert_eq!(fill(&place, &options, 3, 1).unwrap().1, lines);
}

#[test]
fn openings_chosen_by_games_are_continued_as_if_nothing_had_happened() {
    let plain = options(OpeningFormat::Pos);
    let options = OpeningOptions { by_games: Some(ByGames::new(6)), ..plain };
    let (whole, place) = (Place::new(), Place::new());
    let (_, lines) = fill(&whole, &options, 12, 1).unwrap();
    fill(&place, &options, 5, 3).unwrap();
    assert_eq!(fill(&place, &options, 12, 2).unwrap().1, lines);
}

#[test]
fn a_file_of_other_origin_is_refused() {
    let (place, options) = (Place::new(), options(OpeningFormat::Pos));
    fs::write(place.output(), "h8i9j8\n").unwrap();
    let text = refusal(&place, &options);
    assert!(text.starts_with("DIR/out.txt has lines already, but there is no DIR/out.txt.state"));
    fs::write(place.output(), "no end of line").unwrap();
    refusal(&place, &options);
    // Nothing is lost by going on with an empty file.
    fs::write(place.output(), "").unwrap();
    fill(&place, &options, 1, 1).unwrap();
}

#[test]
fn a_directory_is_no_output() {
    let place = Place::new();
    fs::create_dir(place.output()).unwrap();
    let error = FileStore::open(&place.output(), &options(OpeningFormat::Pos)).unwrap_err();
    assert!(matches!(error, OpeningsError::File(FileError::NotAFile(_))), "{error:?}");
    let error = FileStore::open(&place.0.path().join("no/out.txt"), &options(OpeningFormat::Pos))
        .unwrap_err();
    assert!(matches!(error, OpeningsError::File(FileError::Io { .. })), "{error:?}");
}

#[test]
fn lines_that_are_no_openings_are_refused_by_number() {
    let (place, options) = (Place::new(), options(OpeningFormat::Pos));
    let (_, bytes) = fill(&place, &options, 2, 1).unwrap();
    let (good, state) = (String::from_utf8(bytes).unwrap(), fs::read(place.state()).unwrap());
    let message = |line: &str| {
        place.put(format!("{good}{line}\n").as_bytes(), &state);
        refusal(&place, &options)
    };
    assert_eq!(message("h8p1"), "DIR/out.txt:3:3: expected a cell of a 15x15 board");
    assert_eq!(message("h8i9h8"), "DIR/out.txt:3:5: expected an empty cell");
    assert_eq!(message("# by hand"), "DIR/out.txt:3:1: expected a cell such as h8");
    assert_eq!(message(""), "DIR/out.txt:3:1: expected a cell such as h8");
    assert_eq!(message("f8a1g8c1h8e1i8"), "DIR/out.txt:3: black could win on e8");
    assert_eq!(message("g8a1i8c1h7a15h9c15h8"), "DIR/out.txt:3: h8 is forbidden to black: 33");
    let first = good.lines().next().unwrap();
    assert_eq!(message(first), "DIR/out.txt:3: the same opening as in line 1");
    let stones = parse_line(first, options.size, OpeningFormat::Pos).unwrap();
    let mirror = |p: &Point| tengen_core::board::Symmetry::FlipRows.map(options.size, *p);
    let mirrored: Vec<Point> = stones.iter().map(mirror).collect();
    let mirrored = format_line(&mirrored, options.size, OpeningFormat::Pos);
    assert_eq!(message(&mirrored), "DIR/out.txt:3: the same opening as in line 1");
    place.put(b"h8\xff\n", &state);
    assert_eq!(refusal(&place, &options), "DIR/out.txt:1: the line is not UTF-8");
}

#[test]
fn hostile_state_files_are_refused_with_their_fault() {
    let (place, options) = (Place::new(), options(OpeningFormat::Pos));
    let (_, lines) = fill(&place, &options, 2, 1).unwrap();
    let good = without_sums(&fs::read_to_string(place.state()).unwrap());
    let message = |state: &str| {
        place.put(&lines, state.as_bytes());
        refusal(&place, &options)
    };
    let title = "DIR/out.txt.state: the first line is not `tengen openings`";
    for state in ["", "tengen openings", "\n", "something\nelse\n", &good[1..]] {
        assert_eq!(message(state), title);
    }
    let fault = |state: String| message(&state).replace("DIR/out.txt.state: ", "");
    assert_eq!(fault(good.replace("seed: 0\n", "")), "there is no line for seed");
    assert_eq!(fault(format!("{good}seed: 0\n")), "line 16 gives seed a second time");
    assert_eq!(fault(format!("{good}sead: 0\n")), "line 16 has the unknown name \"sead\"");
    assert_eq!(fault(format!("{good}seed\n")), "line 16 is not a name and a value");
    for ahead in [
        "",
        "3",
        "3 0",
        "3 0 ",
        "3 0 h8 h9",
        "-3 0 h8i9",
        "3 -1 h8i9",
        "x 0 h8i9",
        "3 0 h8h8",
        "3 0 z9",
        "3 0 f8a1g8c1h8e1i8",
        "99999999999999999999 0 h8i9",
        "3 99999999999 h8i9",
        "18446744073709551615 0 h8i9",
        "3 4294967295 h8i9",
        "3  0 h8i9",
    ] {
        let text = fault(format!("{good}ahead: {ahead}\n"));
        assert_eq!(text, "line 16 is not an opening with its number", "{ahead}");
    }
    assert_eq!(
        message(&good.replace("seed: 0", "seed: 0 ")),
        "DIR/out.txt was begun with other options: seed 0  (now 0)"
    );
    assert!(message(&good.replace("version: ", "version: 9")).contains("version 9"));
    place.put(&lines, b"tengen openings\n\xff\n");
    assert_eq!(refusal(&place, &options), "DIR/out.txt.state:2: the line is not UTF-8");
}

#[test]
fn a_flipped_bit_of_the_state_is_told_with_its_line() {
    let (place, options) = (Place::new(), options(OpeningFormat::Pos));
    let (_, lines) = fill(&place, &options, 1, 1).unwrap();
    let center = options.size.center();
    let (stones, trials) = (vec![center], Trials::default());
    let ahead = ahead_line(&MadeOpening { index: 5, attempt: 0, stones, trials }, &options);
    let good = fs::read_to_string(place.state()).unwrap() + &ahead;
    check_flips(&good, |bytes| {
        place.put(&lines, bytes);
        FileStore::open(&place.output(), &options).err().map(|error| error.to_string())
    });
}

#[test]
fn an_opening_ahead_that_is_the_same_as_an_earlier_one_is_made_anew() {
    let (place, options) = (Place::new(), options(OpeningFormat::Pos));
    let (_, whole) = fill(&place, &options, 6, 1).unwrap();
    let text = String::from_utf8(whole.clone()).unwrap();
    let first = text.lines().next().unwrap();
    let state = without_sums(&fs::read_to_string(place.state()).unwrap());
    place.put(&whole, format!("{state}ahead: 6 0 {first}\nahead: 1 0 {first}\n").as_bytes());
    let (progress, _) = fill(&place, &options, 7, 1).unwrap();
    assert_eq!(progress, Progress { done: 7, by_this_run: 1 });
    FileStore::open(&place.output(), &options).unwrap();
}

#[test]
fn two_runs_at_once_do_not_mix_their_lines() {
    let (place, options) = (Place::new(), options(OpeningFormat::Pos));
    let (mut one, _) = FileStore::open(&place.output(), &options).unwrap();
    let text = refusal(&place, &options);
    assert_eq!(text, "DIR/out.txt: another run is writing to it");
    let center = options.size.center();
    one.write(&[center]).unwrap();
    fs::write(place.output(), b"h8\nh9\n").unwrap();
    let changed = one.write(&[center]).unwrap_err();
    assert!(matches!(changed, OpeningsError::File(FileError::Changed(_))), "{changed}");
    assert_eq!(fs::read(place.output()).unwrap(), b"h8\nh9\n");
}

#[test]
fn lines_that_an_editor_ended_otherwise_are_understood() {
    let (place, options) = (Place::new(), options(OpeningFormat::Offset));
    let (_, whole) = fill(&place, &options, 4, 1).unwrap();
    let text = String::from_utf8(whole).unwrap();
    fs::write(place.output(), text.replace('\n', "\r\n")).unwrap();
    let (progress, more) = fill(&place, &options, 6, 1).unwrap();
    assert_eq!(progress, Progress { done: 6, by_this_run: 2 });
    let fresh = Place::new();
    let plain = String::from_utf8(fill(&fresh, &options, 6, 1).unwrap().1).unwrap();
    assert!(String::from_utf8(more).unwrap().lines().eq(plain.lines()));
}
