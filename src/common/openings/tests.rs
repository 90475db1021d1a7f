//! Tests of files of openings.

use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

use super::*;
use tengen_core::rng::SplitMix64;

/// A file, and the directory of its own that it is in, removed at the end of the test.
struct TestFile(PathBuf, TempDir);

impl TestFile {
    fn new(name: &str, bytes: impl AsRef<[u8]>) -> TestFile {
        let dir = TempDir::with_prefix("tengen-openings-").unwrap();
        let path = dir.path().join(name);
        fs::write(&path, bytes).unwrap();
        TestFile(path, dir)
    }

    fn load(&self, edge: i64, rule: Rule) -> Result<Vec<Vec<Point>>, OpeningError> {
        load(&self.0, Size::square(edge).unwrap(), rule, None)
    }

    /// Returns the error of reading the file without the name of its directory.
    fn error(&self, edge: i64, rule: Rule) -> String {
        let text = self.load(edge, rule).unwrap_err().to_string();
        text.replace(&format!("{}/", self.1.path().display()), "")
    }
}

fn points(cells: &[(i64, i64)]) -> Vec<Point> {
    cells.iter().map(|&(x, y)| Size::DEFAULT.point(x, y).unwrap()).collect()
}

#[test]
fn every_format_with_moves_gives_the_same_openings() {
    let wanted = vec![points(&[(7, 7), (8, 6), (9, 9)])];
    let sgf = "(;FF[4]GM[4]SZ[15];B[hh];W[ig];B[jj])";
    let json = "{\"tengen\":1,\"size\":[15,15],\"moves\":\"h8i7j10\"}\n";
    let psq = "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,3\n10,10,0\na\nb\n-1\n";
    for (name, text) in [
        ("a.pos", "h8i7j10\n"),
        ("a.txt", "\n h8i7j10 \r\n"),
        ("a.offset", "0,0, 1,-1, 2,2"),
        ("a.txt", "\u{feff}0,0, 1,-1, 2,2\n"),
        ("a.sgf", sgf),
        ("a", sgf),
        ("a.json", json),
        ("a.jsonl", json),
        ("a.psq", psq),
    ] {
        let file = TestFile::new(name, text);
        assert_eq!(file.load(15, Rule::Renju).unwrap(), wanted, "{name} {text:?}");
    }
}

#[test]
fn the_format_can_be_told_against_name_and_beginning() {
    let file = TestFile::new("a.sgf", "0,0");
    let size = Size::DEFAULT;
    assert!(load(&file.0, size, Rule::Freestyle, None).is_err());
    let told = load(&file.0, size, Rule::Freestyle, Some(Format::Offset)).unwrap();
    assert_eq!(told, [points(&[(7, 7)])]);
}

#[test]
fn of_a_game_with_an_opening_only_that_is_taken() {
    let json = "{\"tengen\":1,\"size\":[15,15],\"opening\":2,\"moves\":\"h8i7j10\"}\n\
                {\"tengen\":1,\"size\":[15,15],\"moves\":\"h8i7\"}\n\
                {\"tengen\":1,\"size\":[15,15],\"opening\":2,\"moves\":\"h8i7\"}\n";
    let openings = TestFile::new("a.json", json).load(15, Rule::Freestyle).unwrap();
    assert_eq!(openings, vec![points(&[(7, 7), (8, 6)]); 3], "the same one is allowed");
    // The rest of the game may be anything: here it is won.
    let won = "{\"tengen\":1,\"size\":[15,15],\"opening\":1,\"moves\":\"h8a1h9a2h10a3h11a4h12\"}";
    let openings = TestFile::new("a.json", won).load(15, Rule::Freestyle).unwrap();
    assert_eq!(openings, [points(&[(7, 7)])]);
}

#[test]
fn errors_tell_the_file_and_the_place() {
    for (name, text, expected) in [
        ("a.pos", "h8\n\nh8i7h8\n", "a.pos:3:5: expected an empty cell"),
        ("a.pos", "h8\r\n  p1\r\n", "a.pos:2:3: expected a cell of a 15x15 board"),
        ("a.pos", "\u{feff}h8\nx\n", "a.pos:2:1: expected a cell such as h8"),
        ("a.offset", "0,0\n0,0, 8,0", "a.offset:2:6: expected a cell of a 15x15 board"),
        ("a.pos", "h8\nh8a1h9a2h10a3h11a4h12\n", "a.pos: game 2: black has won already"),
        ("a.pos", "h8a1h9a2h10a3h11a4h12a5\n", "a.pos: game 1: the game is over"),
        (
            "a.psq",
            "Piskvorky 20x20, 11:11, 0\n1,1,0\n-1\n",
            "a.psq: game 1: the opening is on a 20x20 board, the match on 15x15",
        ),
        (
            "a.sgf",
            "(;FF[4]GM[4]SZ[15];B[hh])\n(;FF[4]GM[4]SZ[19];B[hh])",
            "a.sgf: game 2: the opening is on a 19x19 board, the match on 15x15",
        ),
        (
            "a.sgf",
            "(;FF[4]GM[4]SZ[15];B[hh];B[aa])",
            "a.sgf: game 1: the colours do not alternate, black first",
        ),
        (
            "a.json",
            "{\"tengen\":1,\"size\":[15,20],\"moves\":\"\"}",
            "a.json: game 1: the opening is on a 15x20 board, the match on 15x15",
        ),
        ("a.pgn", "[Event \"1\"]\n", "a.pgn: there are no moves in pgn"),
        ("a.pos", "\n\r\n \n", "there are no openings in a.pos"),
        ("a.json", "", "there are no openings in a.json"),
        ("a.txt", "what?", "cannot tell the format of a.txt"),
    ] {
        let file = TestFile::new(name, text);
        assert_eq!(file.error(15, Rule::Freestyle), expected, "{text:?}");
    }
    let error = load(Path::new("/none/such"), Size::DEFAULT, Rule::Renju, None).unwrap_err();
    assert_eq!(error.to_string(), "cannot read /none/such");
    assert!(std::error::Error::source(&error).is_some());
}

#[test]
fn openings_that_the_rule_ends_are_refused() {
    // An overline, and a double three.
    let six = "h1a1h2c1h3e1h5g1h6i1h4\n";
    let threes = "h6a1h7o1i8a15j8o15h8\n";
    let outcome = |text: &str, rule| match TestFile::new("a.pos", text).load(15, rule) {
        Ok(_) => "fine".to_owned(),
        Err(error) => error.to_string().split("game 1: ").last().unwrap().to_owned(),
    };
    assert_eq!(outcome(six, Rule::Freestyle), "black has won already");
    assert_eq!(outcome(six, Rule::Standard), "fine");
    assert_eq!(outcome(six, Rule::Renju), "black has played the forbidden h4 (overline)");
    assert_eq!(outcome(threes, Rule::Renju), "black has played the forbidden h8 (33)");
    assert_eq!(outcome(threes, Rule::Standard), "fine");
}

#[test]
fn an_opening_that_nobody_can_win_is_refused() {
    // All of a 5x5 board but a cell, no two rows alike: no line has one colour only.
    let size = Size::square(5).unwrap();
    let rows = ["XXOOX", "OOXXO", "XXOOX", "OOXXO", "XOXO."];
    let of = |c: char| {
        let cells = rows.concat();
        size.points().zip(cells.chars().collect::<Vec<_>>()).filter(move |&(_, d)| d == c)
    };
    let (black, white): (Vec<_>, Vec<_>) = (of('X').collect(), of('O').collect());
    assert_eq!((black.len(), white.len()), (12, 12));
    let stones: Vec<Point> = black.iter().zip(&white).flat_map(|(b, w)| [b.0, w.0]).collect();
    // It may have been dead for long; the place of the last move that was needed is not asked here.
    let first = (1..=stones.len())
        .find(|&count| check(&stones[..count], size, Rule::Freestyle).is_err())
        .unwrap();
    assert_eq!(check(&stones[..first], size, Rule::Freestyle), Err(MatchOpeningFault::Draw));
    if first < stones.len() {
        let over = Err(MatchOpeningFault::Move(PlayError::GameOver));
        assert_eq!(check(&stones, size, Rule::Freestyle), over);
    }
    let outside = Size::DEFAULT.center();
    let off = Err(MatchOpeningFault::Move(PlayError::OffBoard(outside)));
    assert_eq!(check(&[outside], size, Rule::Freestyle), off);
}

#[test]
fn no_more_than_a_million_are_taken() {
    let many = "a1\n".repeat(MAX_OPENINGS);
    let file = TestFile::new("a.pos", &many);
    assert_eq!(file.load(5, Rule::Freestyle).unwrap().len(), MAX_OPENINGS);
    let file = TestFile::new("a.pos", many + "a1\n");
    assert_eq!(file.error(5, Rule::Freestyle), "there are more than 1000000 openings in a.pos");
}

#[test]
#[cfg(unix)]
fn an_endless_file_is_refused() {
    let zero = Path::new("/dev/zero");
    let error = load(zero, Size::DEFAULT, Rule::Freestyle, None).unwrap_err();
    assert_eq!(error.to_string(), "cannot tell the format of /dev/zero");
}

#[test]
fn whatever_a_file_holds_what_comes_of_it_can_be_played() {
    const PARTS: [&str; 16] = [
        "h8",
        "i9j10",
        "a1",
        "0,0",
        ", 1,-1",
        "\n",
        "\r\n",
        " ",
        "(;FF[4]GM[4]SZ[15]",
        ";B[hh]",
        ";W[aa]",
        ")",
        "{\"tengen\":1,\"size\":[15,15],\"moves\":\"h8\"}",
        "Piskvorky 15x15, 11:11, 0\n",
        "8,8,0\n",
        "\u{fffd}",
    ];
    let mut rng = SplitMix64::new(3);
    let mut good = 0;
    for _ in 0..4000 {
        let first = rng.below(PARTS.len());
        let text: String = (0..1 + rng.below(5))
            .map(|i| PARTS[if i == 0 { first } else { rng.below(PARTS.len()) }])
            .collect();
        let mut bytes = text.into_bytes();
        if rng.below(4) == 0 {
            let at = rng.below(bytes.len());
            bytes[at] = rng.below(256) as u8;
        }
        for format in Format::ALL {
            let Ok(openings) =
                parse(Path::new("x"), &bytes[..], Size::DEFAULT, Rule::Renju, format)
            else {
                continue;
            };
            good += 1;
            assert!(!openings.is_empty());
            for stones in openings {
                assert_eq!(check(&stones, Size::DEFAULT, Rule::Renju), Ok(()));
            }
        }
    }
    assert!(good > 300, "{good}");
}

#[test]
fn the_openings_that_the_program_carries_are_good_and_different() {
    for (rule, edge, text) in BUILTIN {
        let size = Size::square(edge).unwrap();
        let all = parse(Path::new("builtin"), text.as_bytes(), size, rule, Format::Pos).unwrap();
        assert!(all.len() >= 20, "{rule} {size}: {}", all.len());
        let different: std::collections::BTreeSet<_> = all.iter().collect();
        assert_eq!(different.len(), all.len());
        assert_eq!(builtin(size, rule), Some(all));
    }
    assert_eq!(builtin(Size::square(14).unwrap(), Rule::Renju), None);
}
