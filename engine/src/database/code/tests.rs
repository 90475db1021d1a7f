use super::*;
use tengen_core::rng::SplitMix64;

/// Returns an entry in which about half of all fields have random content.
pub(in crate::database) fn random_entry(rng: &mut SplitMix64, size: Size) -> PositionEntry {
    let cell = |rng: &mut SplitMix64| numbered_cell(size, rng.below(size.area())).unwrap();
    let some = |rng: &mut SplitMix64| rng.below(2) == 0;
    let text = |rng: &mut SplitMix64| {
        let words = ["a", "win\n", "白", "  ", "\u{0}", "x y"];
        (0..=rng.below(4)).map(|_| words[rng.below(words.len())]).collect::<String>()
    };
    let number = |rng: &mut SplitMix64| rng.next_u64() >> rng.below(64);
    let mut entry = PositionEntry::default();
    if some(rng) {
        let plies = some(rng).then(|| number(rng) as u16);
        let results = [ProvenResult::Win(plies), ProvenResult::Loss(plies), ProvenResult::Draw];
        entry.result = Some(results[rng.below(3)]);
    }
    if some(rng) {
        let bounds = [None, Some(Bound::Upper), Some(Bound::Lower), Some(Bound::Exact)];
        let score = Score::from_raw(rng.below(60_003) as i32 - 30_001);
        let depth = (rng.next_u64() >> rng.below(16)) as i16;
        entry.evaluation = Some(Evaluation { score, depth, bound: bounds[rng.below(4)] });
    }
    entry.best = some(rng).then(|| cell(rng));
    entry.visits = if some(rng) { number(rng) } else { 0 };
    entry.label = some(rng).then(|| EntryLabel::new(["w", "!", "白12"][rng.below(3)]).unwrap());
    if some(rng) {
        entry.text = text(rng);
    }
    if some(rng) {
        entry.games = GameCounts { black: number(rng), white: number(rng), draws: number(rng) };
    }
    (entry.is_marked, entry.is_placeholder) = (some(rng), some(rng));
    if some(rng) {
        entry.board_texts = (0..rng.below(4)).map(|_| (cell(rng), text(rng))).collect();
        entry.marks = (0..rng.below(4)).map(|_| (cell(rng), CellMark::ALL[rng.below(5)])).collect();
    }
    entry
}

#[test]
fn every_entry_is_read_as_it_was_written() {
    let mut rng = SplitMix64::new(1);
    for round in 0..2000 {
        let size = [Size::DEFAULT, Size::LARGEST, Size::new(5, 9).unwrap()][round % 3];
        let entry = random_entry(&mut rng, size);
        assert_eq!(decode(&encode(&entry, size), size), Ok(entry));
    }
}

#[test]
fn what_is_absent_takes_no_room() {
    let size = Size::DEFAULT;
    assert_eq!(encode(&PositionEntry::default(), size), [0]);
    let searched = PositionEntry {
        evaluation: Some(Evaluation {
            score: Score::eval(-35),
            depth: 12,
            bound: Some(Bound::Exact),
        }),
        best: Some(size.center()),
        ..PositionEntry::default()
    };
    assert_eq!(encode(&searched, size), [0b110, 69, 102, 112]);
    let won = PositionEntry { result: Some(ProvenResult::Win(Some(7))), ..Default::default() };
    assert_eq!(encode(&won, size), [0b1, 32]);
}

#[test]
fn garbled_entries_are_errors_or_other_entries_and_never_panics() {
    let mut rng = SplitMix64::new(2);
    let mut errors = 0;
    for _ in 0..5000 {
        let size = Size::DEFAULT;
        let good = encode(&random_entry(&mut rng, size), size);
        let mut bytes = good.clone();
        match rng.below(3) {
            0 => bytes.truncate(rng.below(bytes.len())),
            1 => bytes.push(rng.next_u64() as u8),
            _ => {
                let at = rng.below(bytes.len());
                bytes[at] ^= 1 << rng.below(8);
            }
        }
        match decode(&bytes, size) {
            Ok(entry) => assert_eq!(decode(&encode(&entry, size), size), Ok(entry)),
            Err(error) => {
                errors += 1;
                assert!(error.offset <= bytes.len(), "{error}");
            }
        }
    }
    assert!(errors > 1000, "{errors}");
}

#[test]
fn faults_are_named_with_their_place() {
    let fault = |bytes: &[u8]| decode(bytes, Size::DEFAULT).unwrap_err().to_string();
    assert_eq!(fault(&[]), "byte 0 of the entry: the fields of an entry was expected");
    assert_eq!(
        fault(&[0x80, 0x10]),
        "byte 0 of the entry: fields that this version knows was expected"
    );
    assert_eq!(fault(&[0b100, 225, 1]), "byte 1 of the entry: a cell was expected");
    assert_eq!(fault(&[0b1, 3]), "byte 1 of the entry: a proven result was expected");
    assert_eq!(fault(&[0b10_0000, 1, 0xff]), "byte 1 of the entry: a text was expected");
    assert_eq!(fault(&[0b1, 0, 0]), "byte 2 of the entry: the end was expected");
}
