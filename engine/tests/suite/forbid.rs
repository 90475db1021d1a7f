//! Renju's forbidden points as the real binary lists them for managers of the Yixin family.

use std::time::Instant;

use crate::child::{Engine, Fault, PATIENCE, fault};
use crate::common::{RandomRow, random_rows};
use tengen_core::notation::{Stones, Xy};
use tengen_core::types::{ByColor, Point};

/// Sets a position, with black to move, and returns the points that the engine calls forbidden.
fn ask(engine: &mut Engine, row: &RandomRow) -> Result<Vec<(i64, i64)>, Fault> {
    let mut text = format!("START {}\nINFO rule 4\nYXBOARD\n", row.board.size().width());
    let ByColor([black, white]) = Stones::of_board(&row.board).0;
    for (points, owner) in [(black, 1), (white, 2)] {
        for point in points {
            text += &format!("{},{owner}\n", Xy(point));
        }
    }
    let asked = engine.send(&(text + "DONE\nYXSHOWFORBID\n"))?;
    match engine.line(asked + PATIENCE)? {
        (_, line) if line == "OK" => {}
        (_, line) => return fault(format!("{line:?} instead of OK")),
    }
    let (_, line) = engine.line(asked + PATIENCE)?;
    parse(&line).map_or_else(|| fault(format!("{line:?} instead of FORBID")), Ok)
}

/// Reads `FORBID 09121001.`: two digits for each coordinate.
fn parse(line: &str) -> Option<Vec<(i64, i64)>> {
    let digits = line.strip_prefix("FORBID ")?.strip_suffix('.')?;
    let number = |text: &[u8]| str::from_utf8(text).ok()?.parse().ok();
    digits
        .as_bytes()
        .chunks(4)
        .map(|cell| Some((number(cell.get(..2)?)?, number(cell.get(2..4)?)?)))
        .collect()
}

#[test]
fn the_forbidden_points_of_every_position_are_those_of_the_file() {
    let rows = random_rows();
    assert_eq!(rows.len(), 2000);
    let mut engine = Engine::start().expect("the engine starts");
    let mut cells = 0;
    for row in &rows {
        let mut told = match ask(&mut engine, row) {
            Ok(told) => told,
            Err(fault) => panic!("{}: {fault}{:?}", row.id, row.board),
        };
        let pair = |&(point, _): &(Point, _)| (i64::from(point.x()), i64::from(point.y()));
        let mut expected: Vec<(i64, i64)> = row.forbidden.iter().map(pair).collect();
        told.sort_unstable();
        expected.sort_unstable();
        assert_eq!(told, expected, "{}{:?}", row.id, row.board);
        cells += told.len();
    }
    assert_eq!(cells, 3591);
    engine.end(Instant::now() + PATIENCE).expect("it ends in order");
}
