use super::*;
use tengen_core::rng::SplitMix64;

/// Returns a position of random stones, most of them in turn.
fn random(rng: &mut SplitMix64, size: Size) -> Placement {
    let rule = Rule::ALL[rng.below(5)];
    let mut points: Vec<Point> = size.points().collect();
    rng.shuffle(&mut points);
    // Small numbers of stones and the symmetric centre make positions that are symmetric to themselves.
    let stones = if rng.below(3) == 0 { rng.below(4) } else { rng.below(size.area()) };
    if rng.below(2) == 0 {
        let center = points.iter().position(|&point| point == size.center()).unwrap();
        points.swap(0, center);
    }
    let mut placement = Placement::of_moves(rule, size, &points[..stones]).unwrap();
    if rng.below(4) == 0 {
        placement = placement.passed();
        if let Some(&point) = points.get(stones) {
            placement.play(point).unwrap();
        }
    }
    placement
}

/// Returns the image of a position.
fn image(placement: &Placement, symmetry: Symmetry) -> Placement {
    let mut board = Board::new(symmetry.map_size(placement.size()));
    for point in placement.size().points() {
        if let tengen_core::types::Cell::Stone(color) = placement.board().cell(point) {
            board.place(symmetry.map(placement.size(), point), color);
        }
    }
    Placement::new(placement.rule(), board, placement.to_move()).unwrap()
}

/// Returns the bytes of a position as it stands, as the module says.
fn plain(placement: &Placement) -> Vec<u8> {
    let size = placement.size();
    let of = |color| {
        let is_own =
            move |&p: &Point| placement.board().cell(p) == tengen_core::types::Cell::Stone(color);
        size.points()
            .filter(is_own)
            .map(|p| usize::from(p.y()) * usize::from(size.width()) + usize::from(p.x()))
    };
    let (black, all) = (of(Color::Black).count(), placement.stones());
    let mut bytes = vec![placement.rule().mask() as u8, size.width(), size.height()];
    bytes.extend((all as u16).to_be_bytes());
    if black == all.div_ceil(2) && placement.to_move() == Color::to_move_after(all) {
        bytes.push(0);
    } else {
        bytes.push(if placement.to_move() == Color::Black { 1 } else { 2 });
        bytes.extend((black as u16).to_be_bytes());
    }
    for cell in of(Color::Black).chain(of(Color::White)) {
        if size.area() <= 256 {
            bytes.push(cell as u8);
        } else {
            bytes.extend((cell as u16).to_be_bytes());
        }
    }
    bytes
}

fn sizes() -> [Size; 5] {
    [(5, 5), (15, 15), (20, 20), (22, 11), (6, 9)].map(|(w, h)| Size::new(w, h).unwrap())
}

#[test]
fn the_key_is_the_smallest_image() {
    let mut rng = SplitMix64::new(1);
    let mut symmetric = 0;
    for round in 0..600 {
        let placement = random(&mut rng, sizes()[round % 5]);
        let images =
            || Symmetry::of_size(placement.size()).map(|s| (s, plain(&image(&placement, s))));
        let smallest = images().map(|(_, bytes)| bytes).min().unwrap();
        let mapped = placement.key();
        assert_eq!(mapped.key.as_bytes(), smallest);
        let ways: Vec<Symmetry> =
            images().filter(|(_, bytes)| *bytes == smallest).map(|(way, _)| way).collect();
        assert_eq!(mapped.ways, ways);
        symmetric += usize::from(ways.len() > 1);
        for symmetry in Symmetry::of_size(placement.size()) {
            assert_eq!(image(&placement, symmetry).key().key, mapped.key);
        }
    }
    assert!(symmetric > 20, "{symmetric}");
}

#[test]
fn a_position_comes_back_from_its_key() {
    let mut rng = SplitMix64::new(2);
    for round in 0..300 {
        let placement = random(&mut rng, sizes()[round % 5]);
        let MappedKey { key, ways } = placement.key();
        assert_eq!(key.placement(), image(&placement, ways[0]));
        assert!(key.is_canonical());
        assert_eq!(PositionKey::from_bytes(key.as_bytes()), Ok(key.clone()));
        let group = key.group();
        assert_eq!((group.rule, group.stones), (placement.rule(), placement.stones()));
        assert!(group.prefix().as_slice() < key.as_bytes() && key.as_bytes() < &group.end());
    }
}

#[test]
fn keys_of_neighbours_are_those_of_the_neighbouring_positions() {
    let mut rng = SplitMix64::new(3);
    for round in 0..100 {
        let placement = random(&mut rng, sizes()[round % 5]);
        let mut images = placement.images();
        for point in placement.size().points() {
            let mut next = placement.clone();
            if next.play(point).is_ok() {
                assert_eq!(images.key_after(point), next.key());
            } else if placement.board().cell(point)
                == tengen_core::types::Cell::Stone(!placement.to_move())
            {
                let mut board = placement.board().clone();
                board.remove(point, !placement.to_move());
                let before = Placement::new(placement.rule(), board, !placement.to_move());
                assert_eq!(images.key_before(point), before.unwrap().key());
            }
        }
        assert_eq!(images.key(), placement.key());
    }
}

#[test]
fn other_rules_sizes_turns_and_stones_have_other_keys() {
    let moves = |rule, text: &str, size| {
        let moves = tengen_core::notation::parse_moves(text, size).unwrap();
        Placement::of_moves(rule, size, &moves).unwrap().key().key
    };
    let size = Size::DEFAULT;
    let key = moves(Rule::Renju, "h8i9j8", size);
    assert_eq!(key, moves(Rule::Renju, "j8i9h8", size));
    assert_eq!(key, moves(Rule::Renju, "h8i7j8", size));
    assert_ne!(key, moves(Rule::Standard, "h8i9j8", size));
    assert_ne!(key, moves(Rule::Renju, "h8i9j8", Size::square(20).unwrap()));
    assert_ne!(key, moves(Rule::Renju, "i9h8j8", size));
    assert_ne!(key, key.placement().passed().key().key);
    // Fewer stones come first.
    assert!(moves(Rule::Renju, "o15a1", size) < moves(Rule::Renju, "a1b1c1", size));
    assert_eq!(key.as_bytes().len(), 6 + 3);
}

#[test]
fn bytes_that_are_no_key_are_refused_with_their_place() {
    let good = [4, 15, 15, 0, 3, 0, 10, 20, 15];
    assert!(PositionKey::from_bytes(&good).is_ok());
    let fault = |bytes: &[u8]| PositionKey::from_bytes(bytes).map_err(|error| error.offset);
    for (at, byte, offset) in [
        (0, 3, 0),
        (1, 4, 1),
        (2, 23, 1),
        (4, 4, 9),
        (4, 226, 3),
        (5, 3, 5),
        (7, 10, 7),
        (8, 10, 8),
        (8, 225, 8),
    ] {
        let mut bytes = good;
        bytes[at] = byte;
        assert_eq!(fault(&bytes), Err(offset), "{at}");
    }
    for len in 0..good.len() {
        assert!(fault(&good[..len]).is_err(), "{len}");
    }
    // A turn is stored only where it is not the usual one.
    assert!(fault(&[0, 15, 15, 0, 1, 2, 0, 0, 7]).is_ok());
    assert_eq!(fault(&[0, 15, 15, 0, 1, 2, 0, 1, 7]), Err(5));
    assert_eq!(fault(&[0, 15, 15, 0, 1, 1, 0, 2, 7]), Err(6));
}

#[test]
fn garbled_keys_are_errors_or_other_keys_and_never_panics() {
    let mut rng = SplitMix64::new(4);
    for _ in 0..3000 {
        let mut bytes: Vec<u8> =
            random(&mut rng, Size::square(6).unwrap()).key().key.as_bytes().to_vec();
        let at = rng.below(bytes.len());
        bytes[at] ^= 1 << rng.below(8);
        if let Ok(key) = PositionKey::from_bytes(&bytes) {
            let _ = (key.is_canonical(), key.placement());
        }
    }
}

#[test]
fn cells_go_into_the_frame_of_the_key_and_back_from_every_side() {
    let size = Size::DEFAULT;
    let at = |x, y| size.point(x, y).unwrap();
    let moves = [at(7, 7), at(8, 8), at(9, 7)];
    let placement = Placement::of_moves(Rule::Renju, size, &moves).unwrap();
    let entry = PositionEntry {
        best: Some(at(3, 4)),
        board_texts: [(at(0, 1), "a".to_owned()), (at(2, 2), "b".to_owned())].into(),
        ..PositionEntry::default()
    };
    let stored = placement.key().stored(entry);
    for symmetry in Symmetry::ALL {
        let seen = image(&placement, symmetry).key().seen(stored.clone());
        // The position is symmetric to itself, so there are two ways to see it.
        let same = |a: Point, b: Point| {
            let mapped = placement.key();
            mapped.same_cells(a).any(|cell| symmetry.map(size, cell) == b)
        };
        assert!(same(at(3, 4), seen.best.unwrap()));
        assert!(same(at(0, 1), *seen.board_texts.iter().find(|(_, text)| *text == "a").unwrap().0));
        let again = image(&placement, symmetry).key().stored(seen);
        assert_eq!(again, stored);
    }
}

#[test]
fn texts_on_cells_that_are_the_same_by_symmetry_are_all_kept() {
    let size = Size::DEFAULT;
    let empty = Placement::of_moves(Rule::Freestyle, size, &[]).unwrap();
    let at = |x, y| size.point(x, y).unwrap();
    let texts =
        [(at(0, 0), "a".to_owned()), (at(14, 14), "b".to_owned()), (at(0, 14), "a".to_owned())];
    let entry = PositionEntry { board_texts: texts.into(), ..PositionEntry::default() };
    let stored = empty.key().stored(entry);
    let left: Vec<&str> = stored.board_texts.values().map(String::as_str).collect();
    assert_eq!(left, ["a", "b"]);
    assert_eq!(empty.key().same_cells(at(0, 0)).filter(|&cell| cell == at(14, 0)).count(), 2);
}

#[test]
fn different_texts_on_mirrored_cells_are_both_kept_from_every_side() {
    let size = Size::DEFAULT;
    let cell = |name: &str| tengen_core::notation::parse_cell(name, size).unwrap();
    let moves = [cell("h8"), cell("i7")];
    let placement = Placement::of_moves(Rule::Freestyle, size, &moves).unwrap();
    let texts = BTreeMap::from([(cell("f12"), "A".to_owned()), (cell("d10"), "B".to_owned())]);
    let entry = PositionEntry { board_texts: texts, ..PositionEntry::default() };
    let both = |entry: &PositionEntry| {
        let mut texts: Vec<String> = entry.board_texts.values().cloned().collect();
        texts.sort_unstable();
        texts.concat()
    };
    for from in Symmetry::ALL {
        let mapped = image(&placement, from).key();
        let stored = mapped.stored(entry.clone().mapped(from, size));
        assert_eq!(both(&stored), "AB", "{from:?}");
        // An edit that has nothing to do with them changes neither, from whatever side.
        for to in Symmetry::ALL {
            let mapped = image(&placement, to).key();
            assert_eq!(mapped.stored(mapped.seen(stored.clone())), stored, "{from:?} {to:?}");
        }
    }
}

#[test]
fn a_text_that_meets_another_one_goes_to_a_free_cell_that_is_the_same() {
    let size = Size::DEFAULT;
    let cell = |name: &str| tengen_core::notation::parse_cell(name, size).unwrap();
    let key = Placement::of_moves(Rule::Freestyle, size, &[cell("h8"), cell("i7")]).unwrap().key();
    let entry = |texts: &[(&str, &str)]| {
        let texts = texts.iter().map(|&(at, text)| (cell(at), text.to_owned()));
        let board_texts = texts.collect();
        key.stored(PositionEntry { board_texts, ..PositionEntry::default() })
    };
    let merged = |own: &PositionEntry, other: &PositionEntry| {
        let mut both = own.clone();
        both.merge(&key.key.beside(own, other));
        both
    };
    let (a, b) = (entry(&[("f12", "A")]), entry(&[("d10", "B")]));
    let both = merged(&a, &b);
    assert_eq!(both.board_texts.values().collect::<Vec<_>>(), ["A", "B"]);
    for same in [&a, &b, &both, &merged(&b, &a)] {
        assert_eq!(merged(&both, same), both, "what is there already");
    }
    // A third has no room, and neither has another one on the diagonal, where no cell is the same.
    assert_eq!(merged(&both, &entry(&[("f12", "C")])), both);
    let diagonal = entry(&[("g9", "A")]);
    assert_eq!(merged(&diagonal, &entry(&[("g9", "B")])), diagonal);
}
