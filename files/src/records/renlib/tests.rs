use std::fmt::Write as _;

use super::node::{COMMENT, EXTENDED, LEAF, MARK, NO_MOVE, OLD_COMMENT, SIBLING, START};
use super::*;
use crate::records::{
    Format, Known, Move, Record, RecordPlace, WriteError, losses, read, write_file,
};
use tengen_core::rng::SplitMix64;
use tengen_core::types::{Color, Point, Size};

const HEAD: [u8; 20] = *b"\xffRenLib\xff\x03\x04\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff";

/// Returns a file of the newest version.
fn file(nodes: &[u8]) -> Vec<u8> {
    [&HEAD, nodes].concat()
}

fn tree(bytes: &[u8]) -> LibTree {
    LibTree::read(bytes).unwrap()
}

fn error(bytes: &[u8]) -> (u64, &'static str) {
    match LibTree::read(bytes).unwrap_err() {
        LibError::Expected { at, expected } => (at, expected),
        LibError::Io(error) => panic!("{error}"),
    }
}

/// Returns the cells with parentheses around children.
fn shape(tree: &LibTree) -> String {
    fn add(tree: &LibTree, parent: Option<usize>, text: &mut String) {
        for number in tree.children(parent) {
            let node = tree.node(number);
            let sign = if node.is_move() { "" } else { "?" };
            let cell = node.cell().map_or("-".to_owned(), |cell| cell.to_string());
            let _ = write!(text, "{sign}{cell}");
            if tree.children(Some(number)).next().is_some() {
                text.push('(');
                add(tree, Some(number), text);
                text.push(')');
            }
            text.push(' ');
        }
    }
    let mut text = String::new();
    add(tree, None, &mut text);
    text.trim_end().replace(" )", ")")
}

/// Reads a file as a game, which must be the only thing in it.
fn record(bytes: &[u8]) -> Record {
    let LibGame { record, left_out } = tree(bytes).to_record(None);
    assert_eq!(left_out.names(), [""; 0]);
    record
}

/// Returns what is left out of a file with these nodes after a root.
fn left_out(nodes: &[u8]) -> Vec<&'static str> {
    tree(&file(&[b"\0\0", nodes].concat())).to_record(None).left_out.names().to_vec()
}

#[test]
fn siblings_follow_after_all_that_is_below_a_node() {
    let nodes = b"\0\0\x78\x80\x69\x80\x79\x40\x6a\xc0\x88\0\x89\x40\x68\x40";
    assert_eq!(shape(&tree(&file(nodes))), "-(h8(i7(i8) j7 h9(i9)) h7)");
    for (text, bytes) in [
        ("-", file(b"\0\0")),
        ("h8", file(b"\x78\0")),
        ("h8(i8)", b"\x78\0\x79\x40".to_vec()),
        ("a1 a15 o1 o15", file(b"\x01\xc0\xe1\xc0\x0f\xc0\xef\x40")),
        ("-(h8(-(i8)))", file(b"\0\0\x78\0\0\0\x79\x40")),
        ("-(?h8 i8)", file(b"\0\0\x78\xc2\x79\x40")),
        // The flags of a saved branch announce siblings that are not there.
        ("-(h8(i8 h9))", file(b"\0\0\x78\x80\x79\xc0\x88\x40")),
        // Nodes after the last leaf are below it, as with RenLib.
        ("h8(i8(h9))", file(b"\x78\0\x79\x40\x88\x40")),
    ] {
        let tree = tree(&bytes);
        assert_eq!(shape(&tree), text);
        assert_eq!(tree.to_bytes(), bytes, "{text}");
    }
    assert_eq!(tree(&file(b"\0\0\x78\x80\x79\xc0\x88\x40")).awaited(), 1);
}

#[test]
fn every_flag_is_read_and_written_back() {
    let page = CodePage::WESTERN;
    let node = |bytes: &[u8]| {
        let tree = tree(&file(bytes));
        assert_eq!(tree.to_bytes(), file(bytes));
        assert_eq!(tree.len(), 1, "{bytes:?}");
        let LibNode { position, flags, extension, texts } = tree.node(0);
        LibNode { position, flags, extension, texts: texts.into_owned().into() }
    };
    let said = |bytes: &[u8]| {
        let node = node(bytes);
        let LibRemark { line, text } = node.comment(page);
        [line, text, node.board_text(page)]
    };
    assert!(node(&[0x78, MARK]).is_marked() && !node(&[0x78, 0]).is_marked());
    assert!(node(&[0x78, START]).is_start() && !node(&[0x78, 0]).is_start());
    assert!(!node(&[0x78, NO_MOVE]).is_move() && node(&[0x78, 0]).is_move());
    assert_eq!(said(b"\x78\x08ab\0\0"), ["ab", "", ""]);
    assert_eq!(said(b"\x78\x08a\0"), ["a", "", ""]);
    assert_eq!(said(b"\x78\x08\0\0"), ["", "", ""]);
    assert_eq!(said(b"\x78\x08\x08a\r\nb\0"), ["", "a\nb", ""]);
    assert_eq!(said(b"\x78\x08a\x08b\0"), ["a", "b", ""]);
    assert_eq!(said(b"\x78\x01\0\x01ab\0\0"), ["", "", "ab"]);
    assert_eq!(said(b"\x78\x09\0\x01abc\0d\0"), ["abc", "", "d"]);
    assert_eq!(said(b"\x78\x20ab\xe3\0"), ["abc", "", ""]);
    assert_eq!(said(b"\x78\x20a\xe2"), ["ab", "", ""]);
    // RenLib reads an old comment where both are announced.
    assert_eq!(said(b"\x78\x28a\xe2"), ["ab", "", ""]);
    assert_eq!(said(b"\x78\x21\0\x01\xe1\x7f\xe5\0"), ["a", "", "å"]);
    // Fillers may be anything, and the flags of the extension too.
    assert_eq!(said(b"\x78\x08ab\0x"), ["ab", "", ""]);
    assert!(node(b"\x78\x01\x12\x34").has_unknown_flags());
    assert!(!node(b"\x78\x01\0\x01a\0").has_unknown_flags());
    assert_eq!([SIBLING, LEAF, OLD_COMMENT, COMMENT, EXTENDED], [0x80, 0x40, 0x20, 8, 1]);
}

#[test]
fn heads_are_of_any_version_up_to_the_last() {
    for (major, minor) in [(3, 4), (3, 0), (2, 9), (0, 255), (2, 255)] {
        let mut bytes = file(b"\x78\x40");
        (bytes[8], bytes[9], bytes[12]) = (major, minor, 7);
        let tree = tree(&bytes);
        let LibHead::Version { filler, .. } = tree.head() else { panic!("{:?}", tree.head()) };
        assert_eq!(filler[2], 7);
        assert_eq!(tree.to_bytes(), bytes);
    }
    let old = tree(b"\x78\0\x79\x40");
    assert_eq!((old.head(), old.to_bytes().as_slice()), (LibHead::Absent, &b"\x78\0\x79\x40"[..]));
    for (major, minor) in [(3, 5), (4, 0)] {
        let mut bytes = file(b"");
        (bytes[8], bytes[9]) = (major, minor);
        assert_eq!(error(&bytes), (8, "a version of the format up to 3.4"));
    }
}

#[test]
fn errors_tell_the_byte() {
    for (bytes, at, expected) in [
        (b"".to_vec(), 0, "the head of a RenLib library"),
        (b"!<arch>\n".to_vec(), 0, "the head of a RenLib library"),
        (b"\xffRenju\xff".to_vec(), 4, "the name of RenLib"),
        (HEAD[..19].to_vec(), 19, "a head of 20 bytes"),
        (file(b"\0\0\x10\0"), 22, "a cell of the board"),
        (file(b"\0\0\xf1\0"), 22, "a cell of the board"),
        (file(b"\0\0\x78\x01\0"), 25, "two bytes of flags"),
        (file(b"\0\0\x78\x08ab"), 26, "the end of a text"),
        (file(b"\0\0\x78\x08ab\0"), 27, "the end of a text"),
        (file(b"\0\0\x78\x20abcd"), 28, "the end of a text"),
    ] {
        assert_eq!(error(&bytes), (at, expected), "{bytes:?}");
    }
    // RenLib takes no notice of an odd byte at the end.
    let odd = file(b"\x78\x40\n");
    assert_eq!(tree(&odd).to_bytes(), odd);
    let error = read(&file(b"\x10\0"), Format::Lib, Known::default()).unwrap_err();
    assert_eq!(error.to_string(), "byte 20: expected a cell of the board");
}

#[test]
fn damaged_files_are_trees_or_errors() {
    let whole = file(
        b"\0\x08\x08root\0\x78\x80\x69\x99\0\x01line\x08more\0board\0\x79\x54\x6a\xe0ol\xe4\0\
          \0\0\x88\x40\x68\x02\x58\xc3\0\x01a\0\x59\x40",
    );
    let whole_tree = tree(&whole);
    assert_eq!(whole_tree.to_bytes(), whole);
    let judge = |bytes: &[u8]| {
        if let Ok(tree) = LibTree::read(bytes) {
            assert_eq!(tree.to_bytes(), bytes);
            let record = tree.to_record(None).record;
            assert_eq!(record.check(), Ok(()));
            let again = LibTree::of_record(&record, None).unwrap();
            assert_eq!(LibTree::read(&again.to_bytes()[..]).unwrap(), again);
        }
    };
    for end in 0..=whole.len() {
        judge(&whole[..end]);
    }
    for at in 0..whole.len() {
        for byte in 0..=255 {
            let mut bytes = whole.clone();
            bytes[at] = byte;
            judge(&bytes);
        }
    }
}

/// Makes a library at random; its nodes are legal moves only where that is likely.
fn random_tree(rng: &mut SplitMix64) -> LibTree {
    let head = [LibHead::WITH_ROOT, LibHead::WITHOUT_ROOT][rng.below(2)];
    let mut builder = LibBuilder::new(head);
    let mut depth = 0;
    for number in 0..=rng.below(60) {
        let cell = (number > 0 && rng.below(12) > 0).then(|| random_cell(rng));
        let mut node = LibNode::new(cell);
        node.flags = [0, 0, 0, MARK, START, NO_MOVE][rng.below(6)];
        let mut text = || -> Vec<u8> {
            let len = if rng.below(3) > 0 { 0 } else { rng.below(9) };
            (0..len).map(|_| 1 + rng.below(255) as u8).collect()
        };
        let (comment, board_text) = (text(), text());
        node.set_texts(&comment, &board_text);
        builder.enter(&node).unwrap();
        depth += 1;
        while depth > 1 && rng.below(3) == 0 {
            builder.leave();
            depth -= 1;
        }
    }
    builder.into_tree()
}

fn random_cell(rng: &mut SplitMix64) -> Point {
    let mut edge = || rng.below(15) as i64;
    Size::DEFAULT.point(edge(), edge()).unwrap()
}

#[test]
fn a_thousand_random_trees_come_back() {
    let rng = &mut SplitMix64::new(22);
    for _ in 0..1000 {
        let made = random_tree(rng);
        let bytes = made.to_bytes();
        assert_eq!(tree(&bytes), made);
        assert_eq!(tree(&bytes).to_bytes(), bytes);
        // Steps make the same tree again.
        let mut builder = LibBuilder::new(made.head());
        for step in LibReader::new(&bytes[..]).unwrap() {
            match step.unwrap() {
                LibStep::Enter(node) => builder.enter(&node).unwrap(),
                LibStep::Leave => builder.leave(),
            }
        }
        assert_eq!(builder.into_tree(), made);
    }
}

#[test]
fn a_thousand_games_with_variations_come_back_through_libraries_and_sgf() {
    let rng = &mut SplitMix64::new(7);
    for _ in 0..1000 {
        let record = random_tree(rng).to_record(None).record;
        for format in [Format::Lib, Format::Json] {
            assert_eq!(losses(&record, format), Ok(vec![]), "{format}: {record:?}");
        }
        let bytes = write_file(&record, Format::Lib, 1, None).unwrap();
        let sgf = write_file(&record, Format::Sgf, 1, None).unwrap();
        let of_sgf = read(&sgf, Format::Sgf, Known::default()).unwrap().remove(0);
        assert_eq!(of_sgf, record, "{}", String::from_utf8_lossy(&sgf));
        let again = write_file(&of_sgf, Format::Lib, 1, None).unwrap();
        assert_eq!(again, bytes);
    }
}

#[test]
fn a_library_is_a_game_with_variations() {
    let bytes =
        file(b"\0\x08a\x08b\0\x78\x99\0\x01line\x08more\0!\0\x69\x80\x79\x44\x6a\x42\x68\x40");
    let record = record(&bytes);
    let lines = |m: &Move| -> Vec<String> {
        m.variations()
            .iter()
            .map(|line| line.iter().filter_map(|m| Some(m.point()?.to_string())).collect())
            .collect()
    };
    let cells: Vec<String> = record.points().map(|point| point.to_string()).collect();
    assert_eq!(cells, ["h8", "i7", "i8"]);
    assert_eq!(lines(&record.moves[0]), ["h7"]);
    assert_eq!(record.comment, "b");
    assert_eq!(record.moves[0].comment(), "more");
    let sgf = String::from_utf8(write_file(&record, Format::Sgf, 1, None).unwrap());
    let sgf = sgf.unwrap();
    for part in ["SZ[15]C[b]N[a]LB[hh:!]\n", ";B[hh]C[more]N[line]MA[hh]", ";B[ih]HO[1]"] {
        assert!(sgf.contains(part), "{part} in {sgf}");
    }
}

#[test]
fn passes_show_in_the_colors() {
    // After h8, white passes or plays i7; after the pass, black has two moves.
    let bytes = file(b"\0\0\x78\0\0\x88\x08Pass\0\x79\xc0\x88\x40\x69\x40");
    let record = record(&bytes);
    assert!(!record.alternates());
    let colors: Vec<Color> = record.moves.iter().map(|m| m.color).collect();
    assert_eq!(colors, [Color::Black; 2]);
    let others: Vec<(String, Color)> = record.moves[1]
        .variations()
        .iter()
        .map(|line| (line[0].point().unwrap().to_string(), line[0].color))
        .collect();
    assert_eq!(others, [("h9".to_owned(), Color::Black), ("i7".to_owned(), Color::White)]);
    let written = write_file(&record, Format::Lib, 1, None).unwrap();
    assert_eq!(written, bytes);
}

#[test]
fn what_a_record_cannot_hold_is_named() {
    let cut_off = "what the file announces and does not have (it may be cut off)";
    let cases: [(&[u8], &str); 9] = [
        (b"\x78\0\0\x40", "passes that no move follows"),
        (b"\0\0\0\0\x78\x40", "several passes in a row"),
        (b"\x78\0\0\x10\x79\x40", "what is said of passes"),
        (b"\x78\x4a\x08x\0\0", "what is said of cells without a stone"),
        (b"\x78\x02\x79\x40", "moves after cells without a stone"),
        (b"\x78\0\x78\0\x79\x40", "moves on stones, and what follows them"),
        (b"\x78\x41\x80\0", "flags without a meaning"),
        (b"\0\0\x78\x41\0\x01!\0", "texts on the board after a pass"),
        (b"\x78\x80\x79\x40\x88\xc0", cut_off),
    ];
    for (nodes, name) in cases {
        assert_eq!(left_out(nodes), [name]);
    }
    let strange = tree(&file(b"\x78\x08\xff\0")).to_record("gbk".parse().ok());
    assert_eq!(strange.left_out.names(), ["bytes that are not letters of the encoding"]);
    let root = tree(&file(b"\0\x10\x78\x40")).to_record(None);
    assert_eq!(root.left_out.names(), ["marks of the empty board"]);
}

#[test]
fn a_library_is_no_text_and_has_no_byte_order_mark() {
    for (bytes, place) in [(&b"\xff\xfe\x78\0\x65\0"[..], 1), (b"\xef\xbb\xbf\x78\0", 0)] {
        let error = read(bytes, Format::Lib, Known::default()).unwrap_err();
        assert_eq!(error.place, RecordPlace::Byte(place), "{error}");
    }
}

#[test]
fn games_are_written_as_renlib_writes_them() {
    let size = Size::DEFAULT;
    let point = |x, y| size.point(x, y).unwrap();
    let write = |record: &Record| write_file(record, Format::Lib, 1, None).unwrap();
    let center = Record::of_points(size, &[point(7, 7), point(8, 6)]);
    let mut head = HEAD;
    head[9] = 0;
    assert_eq!(write(&center), [&head[..], b"\x78\0\x69\x40"].concat());
    let corner = Record::of_points(size, &[point(0, 0), point(8, 6)]);
    assert_eq!(write(&corner), file(b"\0\0\x01\0\x69\x40"));
    assert_eq!(write(&Record::new(size)), file(b"\0\0"));
    let mut said = center;
    said.moves[1].set_comment("黒\nx".to_owned());
    let name = "gbk".parse().ok();
    let bytes = write_file(&said, Format::Lib, 1, name).unwrap();
    assert_eq!(bytes[20..], *b"\x78\0\x69\x48\x08\xfc\\\r\nx\0\0");
    let known = Known { page: name, ..Known::default() };
    assert_eq!(read(&bytes, Format::Lib, known), Ok(vec![said.clone()]));
    assert!(write(&said).ends_with("\u{8}黒\r\nx\0".as_bytes()));
    let western = write_file(&said, Format::Lib, 1, Some(CodePage::WESTERN));
    assert_eq!(western, Err(WriteError::Letters(CodePage::WESTERN)));
    // Text that would be taken for UTF-8 is written in it.
    said.moves[1].set_comment("Ã¥".to_owned());
    assert!(write(&said).ends_with("\u{8}Ã¥\0".as_bytes()));
    said.moves[1].set_comment("å".to_owned());
    assert!(write(&said).ends_with(b"\x08\xe5\0\0"));
}

#[test]
fn deep_and_wide_trees_need_no_stack() {
    let deep = file(&b"\x78\x02\0\0".repeat(200_000));
    let tree = tree(&deep);
    assert_eq!(tree.to_bytes(), deep);
    assert!(!tree.to_record(None).left_out.names().is_empty());
    let passes = file(&b"\0\0".repeat(200_000));
    assert_eq!(record_of(&passes).moves.len(), 0);
    let wide = file(&[b"\0\0".to_vec(), b"\x78\xc0".repeat(100_000)].concat());
    let wide = record_of(&wide);
    assert_eq!(wide.moves[0].variations().len(), 99_999);
    assert_eq!(losses(&wide, Format::Sgf), Ok(vec![]));
}

fn record_of(bytes: &[u8]) -> Record {
    tree(bytes).to_record(None).record
}
