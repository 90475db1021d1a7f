//! Readers of the data files and strategies shared by the tests.

#![allow(dead_code, reason = "tests of several packages share it, and none needs all")]

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use tengen_core::board::{Board, Symmetry};
use tengen_core::notation::{Stones, parse_cell, parse_moves};
use tengen_core::rules::{Rule, Violation};
use tengen_core::types::{ByColor, Cell, Color, Point, Size};

/// The verdict on the point of a row in a file of forbidden moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// Black may play there and makes no five.
    Legal,
    /// Black wins there.
    Five,
    /// Black may not play there; of several kinds the first.
    Forbidden(Violation),
}

/// A position and one point on which black would play.
#[derive(Debug)]
pub(crate) struct ForbiddenCase {
    pub(crate) id: String,
    pub(crate) board: Board,
    pub(crate) point: Point,
    pub(crate) verdict: Verdict,
    pub(crate) note: String,
}

/// A position and all its points that are forbidden to black, each with every kind that applies
/// in the order of `Violation`.
#[derive(Debug)]
pub(crate) struct RandomRow {
    pub(crate) id: String,
    pub(crate) board: Board,
    pub(crate) forbidden: Vec<(Point, Vec<Violation>)>,
}

/// A game in which the side to move is said to have a forced win.
#[derive(Debug)]
pub(crate) struct ForcedWin {
    pub(crate) id: String,
    pub(crate) rule: Rule,
    pub(crate) size: Size,
    pub(crate) moves: Vec<Point>,
    /// An upper bound of the length of the win, in plies.
    pub(crate) plies: u32,
    /// The first move of the win that was claimed; others may win too.
    pub(crate) point: Point,
}

/// Returns the path of a file in `tests/data` of the repository.
pub(crate) fn data(name: &str) -> PathBuf {
    repository().join("tests/data").join(name)
}

/// Returns the folder of the repository, which is that of a package or the one around it.
pub(crate) fn repository() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.ancestors().find(|folder| folder.join("protocol-tests").is_dir()).expect("a repository")
}

/// Reads `renju-forbidden.tsv` or a file like it.
pub(crate) fn forbidden_cases(path: &Path) -> Vec<ForbiddenCase> {
    let header = "id\trule\tsize\tboard\tpoint\tverdict\tnote";
    rows(path, header, |[id, rule, size, stones, point, verdict, note]| {
        assert_eq!(rule, "renju");
        let size = square(size);
        ForbiddenCase {
            id: id.to_owned(),
            board: board(stones, size),
            point: parse_cell(point, size).unwrap(),
            verdict: match verdict.strip_prefix("forbidden:") {
                Some(kind) => Verdict::Forbidden(violation(kind)),
                None if verdict == "five" => Verdict::Five,
                None => {
                    assert_eq!(verdict, "legal");
                    Verdict::Legal
                }
            },
            note: note.to_owned(),
        }
    })
}

/// Reads `renju-random.tsv`.
pub(crate) fn random_rows() -> Vec<RandomRow> {
    let header = "id\tsize\tblack\twhite\tforbidden";
    rows(&data("renju-random.tsv"), header, |[id, size, black, white, forbidden]| {
        let size = square(size);
        let listed = forbidden.split(' ').filter(|&item| item != "-");
        RandomRow {
            id: id.to_owned(),
            board: board(&format!("{black}/{white}"), size),
            forbidden: listed
                .map(|item| {
                    let (cell, kinds) = item.split_once(':').unwrap();
                    let mut kinds: Vec<Violation> = kinds.split('+').map(violation).collect();
                    kinds.sort_unstable();
                    (parse_cell(cell, size).unwrap(), kinds)
                })
                .collect(),
        }
    })
}

/// Reads all files of forced wins.
pub(crate) fn forced_wins() -> Vec<ForcedWin> {
    let header = "id\trule\tsize\tmoves\tplies\tmove";
    ["freestyle15", "freestyle20", "standard15", "renju15"]
        .into_iter()
        .flat_map(|name| {
            let path = data(&format!("forced-wins-{name}.tsv"));
            rows(&path, header, |[id, rule, size, moves, plies, point]| {
                let size = square(size);
                ForcedWin {
                    id: id.to_owned(),
                    rule: rule.parse().unwrap(),
                    size,
                    moves: parse_moves(moves, size).unwrap(),
                    plies: plies.parse().unwrap(),
                    point: parse_cell(point, size).unwrap(),
                }
            })
        })
        .collect()
}

/// Reads all files of openings.
pub(crate) fn openings() -> Vec<(Rule, Size, Vec<Point>)> {
    let files = [
        ("freestyle15", Rule::Freestyle, "15"),
        ("freestyle20", Rule::Freestyle, "20"),
        ("standard15", Rule::Standard, "15"),
        ("renju15", Rule::Renju, "15"),
    ];
    let mut openings = Vec::new();
    for (name, rule, size) in files {
        let size = square(size);
        for line in read(&data(&format!("openings-{name}.txt"))).lines() {
            openings.push((rule, size, parse_moves(line, size).unwrap()));
        }
    }
    openings
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Reads a file of tab-separated rows with the given header; `N` is the number of columns.
fn rows<T, const N: usize>(path: &Path, header: &str, parse: impl Fn([&str; N]) -> T) -> Vec<T> {
    let text = read(path);
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some(header), "the columns of {}", path.display());
    lines
        .map(|line| {
            let columns: Vec<&str> = line.split('\t').collect();
            parse(columns.try_into().unwrap_or_else(|_| panic!("columns of {line:?}")))
        })
        .collect()
}

fn square(edge: &str) -> Size {
    Size::square(edge.parse().unwrap()).unwrap()
}

fn board(stones: &str, size: Size) -> Board {
    Stones::parse(stones, size).unwrap().board(size).unwrap()
}

fn violation(name: &str) -> Violation {
    Violation::ALL.into_iter().find(|kind| kind.name() == name).unwrap()
}

/// Returns the image of a board.
pub(crate) fn map_board(symmetry: Symmetry, board: &Board) -> Board {
    let size = board.size();
    let mut image = Board::new(symmetry.map_size(size));
    for point in size.points() {
        let target = symmetry.map(size, point);
        match board.cell(point) {
            Cell::Empty => {}
            Cell::Stone(color) => image.place(target, color),
            Cell::Wall => image.place_wall(target),
        }
    }
    image
}

/// Returns a board with the colours exchanged.
pub(crate) fn swap_colors(board: &Board) -> Board {
    let ByColor([black, white]) = Stones::of_board(board).0;
    let mut swapped = Stones(ByColor([white, black])).board(board.size()).unwrap();
    for point in board.size().points().filter(|&p| board.cell(p) == Cell::Wall) {
        swapped.place_wall(point);
    }
    swapped
}

/// Makes any size, squares no more often than others.
pub(crate) fn sizes() -> impl Strategy<Value = Size> {
    (5..=22i64, 5..=22i64).prop_map(|(width, height)| Size::new(width, height).unwrap())
}

/// Makes boards of any size. Up to `crowded` percent of the cells are not empty, up to 2 percent
/// of those are walls, and one colour may have many more stones than the other.
pub(crate) fn boards(crowded: u8) -> impl Strategy<Value = Board> {
    (sizes(), 0..=crowded, 0..=2u8, 5..=95u8).prop_flat_map(|(size, filled, walls, black)| {
        let cell = (0..100u8, 0..100u8, 0..100u8);
        proptest::collection::vec(cell, size.area()).prop_map(move |cells| {
            let mut board = Board::new(size);
            for (point, (fill, wall, color)) in size.points().zip(cells) {
                if fill >= filled {
                    continue;
                }
                if wall < walls {
                    board.place_wall(point);
                } else {
                    board.place(point, if color < black { Color::Black } else { Color::White });
                }
            }
            board
        })
    })
}
