//! Swap2 as engines play it.

use super::super::*;

fn size() -> Size {
    Size::square(15).unwrap()
}

fn cells(xs: &[i64]) -> Swap2Answer {
    Swap2Answer::Stones(xs.iter().map(|&x| size().point(x, 7).unwrap()).collect())
}

fn after(answers: &[Swap2Answer]) -> Swap2 {
    let mut opening = Swap2::new(size());
    for answer in answers {
        opening.answer(answer).unwrap();
    }
    opening
}

fn end(answers: &[Swap2Answer]) -> (usize, Option<Swap2Stage>, Option<Seat>) {
    let opening = after(answers);
    (opening.stones().len(), opening.stage(), opening.black())
}

#[test]
fn every_branch_ends_with_the_right_colors_and_stones() {
    let place = || cells(&[7, 8, 9]);
    let two = || cells(&[1, 2]);
    let (one, swap) = (cells(&[3]), Swap2Answer::Swap);
    assert_eq!(end(&[]), (0, Some(Swap2Stage::Place), None));
    assert_eq!(end(&[place()]), (3, Some(Swap2Stage::Choose), None));
    assert_eq!(end(&[place(), swap.clone()]), (3, None, Some(Seat::B)));
    assert_eq!(end(&[place(), one.clone()]), (4, None, Some(Seat::A)));
    assert_eq!(end(&[place(), two()]), (5, Some(Swap2Stage::ChooseAgain), None));
    assert_eq!(end(&[place(), two(), swap]), (5, None, Some(Seat::A)));
    assert_eq!(end(&[place(), two(), one]), (6, None, Some(Seat::B)));
}

#[test]
fn the_seats_are_asked_in_turn() {
    assert_eq!(Swap2Stage::ALL.map(Swap2Stage::seat), [Seat::A, Seat::B, Seat::A]);
    for stage in Swap2Stage::ALL {
        assert_eq!(Swap2Stage::from_stones(stage.stones()), Some(stage));
    }
    assert_eq!([1, 2, 4, 6].map(Swap2Stage::from_stones), [None; 4]);
}

#[test]
fn the_stones_are_kept_in_the_order_given() {
    let opening = after(&[cells(&[9, 7, 8]), cells(&[2, 1]), cells(&[3])]);
    let xs: Vec<u8> = opening.stones().iter().map(|p| p.x()).collect();
    assert_eq!(xs, [9, 7, 8, 2, 1, 3]);
}

#[test]
fn wrong_counts_are_refused_at_every_stage() {
    let places = [vec![], vec![cells(&[7, 8, 9])], vec![cells(&[7, 8, 9]), cells(&[1, 2])]];
    for (answers, legal) in places.iter().zip([&[3][..], &[1, 2], &[1]]) {
        let opening = after(answers);
        let stage = opening.stage().unwrap();
        for n in 0..=5 {
            let xs: Vec<i64> = (0..n).map(|i| [0, 3, 4, 5, 6][i as usize]).collect();
            let count = xs.len();
            let result = opening.clone().answer(&cells(&xs));
            if legal.contains(&count) {
                assert_eq!(result, Ok(()), "{stage:?} {n}");
            } else {
                assert_eq!(result, Err(Swap2Error::WrongCount { stage, got: count }));
            }
        }
    }
}

#[test]
fn bad_cells_are_refused_and_change_nothing() {
    let point = |x| size().point(x, 7).unwrap();
    let outside = Size::square(20).unwrap().point(15, 7).unwrap();
    let mut opening = Swap2::new(size());
    let repeated = opening.answer(&cells(&[7, 8, 7]));
    assert_eq!(repeated, Err(Swap2Error::Repeated(point(7))));
    let off = opening.answer(&Swap2Answer::Stones(vec![point(1), outside, point(2)]));
    assert_eq!(off, Err(Swap2Error::OffBoard(outside)));
    assert_eq!(opening.answer(&Swap2Answer::Swap), Err(Swap2Error::NothingToSwap));
    assert_eq!(opening, Swap2::new(size()));

    opening.answer(&cells(&[7, 8, 9])).unwrap();
    let before = opening.clone();
    assert_eq!(opening.answer(&cells(&[8])), Err(Swap2Error::Occupied(point(8))));
    assert_eq!(opening.answer(&cells(&[1, 1])), Err(Swap2Error::Repeated(point(1))));
    assert_eq!(opening.answer(&cells(&[1, 9])), Err(Swap2Error::Occupied(point(9))));
    assert_eq!(opening, before);
}

#[test]
fn a_finished_opening_takes_no_answer() {
    for last in [Swap2Answer::Swap, cells(&[1])] {
        let mut opening = after(&[cells(&[7, 8, 9]), last]);
        assert_eq!(opening.answer(&cells(&[2])), Err(Swap2Error::Finished));
        assert_eq!(opening.answer(&Swap2Answer::Swap), Err(Swap2Error::Finished));
    }
}
