use std::io::Write;
use std::path::{Path, PathBuf};

use lz4_flex::frame::{BlockMode, BlockSize, FrameEncoder, FrameInfo};

use super::*;
use crate::database::source::{TextFacts, to_rapfi_text};
use crate::database::{EntryLabel, PositionEntry, ProvenResult};
use tengen_core::notation::Stones;
use tengen_core::rng::SplitMix64;
use tengen_core::types::{Bound, Point};

/// The record that says that texts are UTF-8.
const METADATA: &[u8] = b"\x03\0\0\0\0\x14\0\0\0\0\0\0charset=\"UTF-8\"";
/// Freestyle with h8, a value of -35 at depth 20, a text on g8 (or the cells like it) and a comment.
const CENTRE: &[u8] = b"\x05\0\0\x0f\x0f\x07\x07\x15\0\xff\xdd\xff\x53\0@BTXT@76A\x08Centre";
/// The same with i8 (7,6 after a turn): won for the side that moved.
const WON: &[u8] = b"\x07\0\0\x0f\x0f\x07\x07\x06\x07\x05\0\x77\xdc\x8a\x67\0";
/// Renju with h8, of which nothing is known.
const NULL: &[u8] = b"\x05\0\x02\x0f\x0f\x07\x07\0\0";

fn file(records: &[&[u8]]) -> Vec<u8> {
    let count = u32::try_from(records.len()).unwrap();
    [&count.to_le_bytes()[..], &records.concat()].concat()
}

/// Returns the facts of a file before its end or its fault.
fn read(file: &[u8], page: Option<CodePage>) -> (Vec<Fact>, Option<String>) {
    let source = RapfiFacts::new(PathBuf::from("a.db"), file, page);
    let mut source = match source {
        Ok(source) => source,
        Err(error) => return (Vec::new(), Some(error.to_string())),
    };
    let mut facts = Vec::new();
    loop {
        match source.next_fact() {
            Ok(Some(fact)) => facts.push(fact),
            Ok(None) => return (facts, None),
            Err(error) => {
                assert!(matches!(source.next_fact(), Ok(None)), "nothing follows a fault");
                return (facts, Some(error.to_string()));
            }
        }
    }
}

#[track_caller]
fn facts(file: &[u8]) -> Vec<Fact> {
    let (facts, fault) = read(file, None);
    assert_eq!(fault, None);
    facts
}

#[track_caller]
fn fault(file: &[u8], facts: usize, expected: &str) {
    let (read, fault) = read(file, None);
    assert_eq!((read.len(), fault.as_deref()), (facts, Some(expected)));
}

fn compressed(content: &[u8], mode: BlockMode) -> Vec<u8> {
    let info =
        FrameInfo::new().block_mode(mode).block_size(BlockSize::Max64KB).content_checksum(true);
    let mut encoder = FrameEncoder::with_frame_info(info, Vec::new());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

fn example() -> Vec<u8> {
    file(&[METADATA, CENTRE, WON, NULL])
}

#[test]
fn records_are_positions_with_all_that_they_say() {
    let facts = facts(&example());
    let stones: Vec<String> =
        facts.iter().map(|fact| Stones::of_board(fact.placement.board()).to_string()).collect();
    assert_eq!(stones, ["h8/", "h8/g8", "h8/"]);
    let [centre, won, null] = &facts[..] else { panic!("{facts:?}") };
    assert_eq!(centre.placement.rule(), Rule::Freestyle);
    assert_eq!(centre.placement.to_move(), Color::White);
    let evaluation = centre.entry.evaluation.unwrap();
    assert_eq!((evaluation.score.raw(), evaluation.depth), (-35, 20));
    assert_eq!(evaluation.bound, Some(Bound::Exact));
    let at = Size::DEFAULT.point(7, 6).unwrap();
    assert_eq!(centre.entry.text, "Centre");
    assert_eq!(centre.entry.board_texts.iter().collect::<Vec<_>>(), [(&at, &"A".to_owned())]);
    assert_eq!(won.entry.result, Some(ProvenResult::Loss(Some(12))));
    assert_eq!(null.placement.rule(), Rule::Renju);
    assert_eq!(null.entry, PositionEntry { is_placeholder: true, ..PositionEntry::default() });
}

#[test]
fn compressed_files_say_the_same() {
    // These bytes are Rapfi's own.
    let frame: &[u8] =
        b"\x04\x22\x4d\x18\x44\x40\x5e\x54\0\0\0\xb1\x04\0\0\0\x03\0\0\0\0\x14\0\x01\
        \0\xf2\x1fcharset=\"UTF-8\"\x05\0\0\x0f\x0f\x07\x07\x15\0\xff\xdd\xff\x53\0@BTXT@76A\x08\
        Centre\x07\x1e\0\xf0\x03\x06\x07\x05\0\x77\xdc\x8a\x67\0\x05\0\x02\x0f\x0f\x07\x07\0\0\
        \0\0\0\0\xb9\xbd\xbf\x4d";
    assert_eq!(facts(frame), facts(&example()));
    for end in 0..frame.len() {
        let (_, fault) = read(&frame[..end], None);
        assert!(fault.is_some_and(|fault| fault.starts_with("a.db: byte ")), "cut at {end}");
    }
    for at in 0..frame.len() {
        let mut damaged = frame.to_vec();
        damaged[at] ^= 0x10;
        let (_, fault) = read(&damaged, None);
        assert!(fault.is_some(), "byte {at}");
    }
    let more = [frame, b"x"].concat();
    fault(&more, 3, "a.db: byte 86 of the content: something follows after the compressed data");
}

#[test]
fn damage_in_a_later_block_leaves_what_was_before() {
    let mut records = vec![METADATA.to_vec()];
    let mut rng = SplitMix64::new(3);
    let text: Vec<u8> = (0..200).map(|_| b' ' + (rng.next_u64() % 90) as u8).collect();
    for number in 0..1000_u16 {
        let [x, y] = [(number % 15) as u8, (number / 15 % 15) as u8];
        let mut record = vec![7, 0, 0, 15, 15, x, y, (x + 1) % 15, (y + 2) % 15, 205, 0];
        record.extend([0xff, 0, 0, 0, 0]);
        record.extend(&text[..]);
        record.truncate(216);
        record[30] = b'0' + (number % 10) as u8;
        records.push(record);
    }
    let records: Vec<&[u8]> = records.iter().map(Vec::as_slice).collect();
    let content = file(&records);
    for mode in [BlockMode::Linked, BlockMode::Independent] {
        let frame = compressed(&content, mode);
        assert_eq!(facts(&frame), facts(&content));
        let mut damaged = frame.clone();
        // In the checksum at the end.
        *damaged.last_mut().unwrap() ^= 1;
        let (read, fault) = read(&damaged, None);
        assert_eq!(read.len(), 1000);
        assert!(fault.unwrap().contains("damaged"));
        // In the fourth and last block.
        let cut = read_len(&frame[..frame.len() - 100]);
        assert!((300..1000).contains(&cut), "{cut}");
    }
}

fn read_len(file: &[u8]) -> usize {
    let (facts, fault) = read(file, None);
    assert!(fault.is_some());
    facts.len()
}

#[test]
fn a_file_that_is_cut_or_wrong_is_an_error_with_its_place() {
    let whole = example();
    for end in 0..whole.len() {
        let (_, fault) = read(&whole[..end], None);
        let fault = fault.unwrap();
        assert!(fault.starts_with(&format!("a.db: byte {end} of the content: ")), "{fault}");
    }
    fault(&whole[..70], 1, "a.db: byte 70 of the content: the file ends inside of record 3 of 4");
    let more = [&whole[..], b"\0"].concat();
    let rest = "there is more than the records that were announced";
    fault(&more, 3, &format!("a.db: byte 86 of the content: {rest}"));
    for (record, expected) in [
        (&b"\x05\0\x03\x0f\x0f\x07\x07\0\0"[..], "there is no rule 3"),
        (b"\x05\0\0\x17\x17\x07\x07\0\0", "there is no board of 23x23"),
        (b"\x05\0\0\xff\x0f\x07\x07\0\0", "there is no board of 255x15"),
        (b"\x05\0\0\x0f\x0f\x0f\x07\0\0", "no stone can be at 15,7"),
        (b"\x07\0\0\x0f\x0f\x07\x07\x07\x07\0\0", "no stone can be at 7,7"),
        (b"\x07\0\0\x0f\x0f\xff\xff\xff\xff\0\0", "there are two passes"),
        (b"\x02\0\0\x0f\0\0", "3 bytes of a key were expected"),
    ] {
        let expected = format!("a.db: byte 31 of the content: record 2 of 2: {expected}");
        fault(&file(&[METADATA, record]), 0, &expected);
    }
    // A number of records that no memory would hold.
    fault(
        b"\xff\xff\xff\xff",
        0,
        "a.db: byte 4 of the content: the file ends inside of record 1 of 4294967295",
    );
}

#[test]
fn passes_short_values_and_empty_places_are_understood() {
    let pass = b"\x07\0\0\x0f\x0f\x07\x07\xff\xff\x01\0x";
    let odd = b"\x06\0\0\x0f\x0f\x07\x07\x09\x03\0\xff\x05\0";
    let text = b"\x03\0\0\x0f\x0f\x07\0\xff\0\0\0\0ok";
    let facts = facts(&file(&[b"\0\0", pass, odd, text, b"\x03\0\0\0\0\x01\0w"]));
    assert_eq!(facts.len(), 3);
    assert_eq!((facts[0].placement.stones(), facts[0].placement.to_move()), (1, Color::Black));
    assert_eq!(facts[0].entry.label, EntryLabel::new("x").ok());
    assert_eq!((facts[1].placement.stones(), facts[1].placement.to_move()), (1, Color::White));
    assert_eq!(facts[1].entry.evaluation.unwrap().score.raw(), 5);
    assert_eq!((facts[2].placement.stones(), facts[2].entry.text.as_str()), (0, "ok"));
}

#[test]
fn texts_of_old_files_are_of_the_encoding_that_is_named() {
    // A text on a cell and a comment in GBK; NUL was left behind.
    let old =
        b"\x05\0\0\x0f\x0f\x07\x07\x17\0\xff\0\0\0\0@BTXT@76\xd7\xf7\0\x08\xd7\xf7\xd5\xdf\n!";
    let records = file(&[old]);
    let named = "the text is not UTF-8: its encoding has to be named, such as gbk";
    fault(&records, 0, &format!("a.db: byte 18 of the content: {named}"));
    let gbk: CodePage = "gbk".parse().unwrap();
    let (facts, none) = read(&records, Some(gbk));
    assert_eq!((facts[0].entry.text.as_str(), none), ("作者\n!", None));
    assert_eq!(facts[0].entry.board_texts.values().collect::<Vec<_>>(), ["作"]);
    // Text that declares UTF-8 is UTF-8, wherever it can be.
    let utf_8 = b"\x05\0\0\x0f\x0f\x07\x07\x08\0\xff\0\0\0\0\xe9\xbb\x92";
    let (facts, _) = read(&file(&[METADATA, utf_8, old]), Some(gbk));
    assert_eq!((facts[0].entry.text.as_str(), facts[1].entry.text.as_str()), ("黒", "作者\n!"));
    let error = read(&file(&[utf_8]), Some(gbk)).1.unwrap();
    assert_eq!(error, "a.db: byte 18 of the content: the text is not gbk");
}

#[test]
fn files_are_known_by_their_beginning() {
    for content in [
        example(),
        compressed(&example(), BlockMode::Linked),
        file(&[CENTRE]),
        file(&[METADATA]),
        file(&[]),
    ] {
        assert!(is_rapfi(&content[..content.len().min(1024)]));
    }
    for other in ["", "abcd", "h8i9h9j10", "index,key", "\u{7f}ELF\u{2}\u{1}\u{1}\0\0\0\0\0\0"] {
        assert!(!is_rapfi(other.as_bytes()), "{other:?}");
    }
    assert!(!is_rapfi(b"\xffRenLib\xff\x03\x00\xff\xff\xff\xff"));
    assert!(is_rapfi_text(TEXT_HEADER.as_bytes()) && !is_rapfi_text(b"index,"));
}

/// Reads the lines of a text below the header.
fn text_facts(lines: &str) -> Result<Vec<Fact>, String> {
    let text = format!("{TEXT_HEADER}\n{lines}");
    let mut source = TextFacts::new(Path::new("a.csv"), text.as_bytes());
    let mut facts = Vec::new();
    while let Some(fact) = source.next_fact().map_err(|error| error.to_string())? {
        facts.push(fact);
    }
    assert_eq!(source.bytes_read(), text.len() as u64);
    Ok(facts)
}

#[test]
fn the_text_is_rapfis() {
    let lines: Vec<String> = (0..)
        .zip(facts(&example()))
        .map(|(index, fact)| to_rapfi_text(index, &fact.placement, &fact.entry).unwrap())
        .collect();
    let expected = [
        r#"0,f-15-15-h8--w,(none),-35,20,exact,"@BTXT@76A\bCentre""#,
        r#"1,f-15-15-h8-g8-b,w,-29988,25,exact,"""#,
        r#"2,r-15-15-h8--w,(null),0,0,none,"""#,
    ];
    assert_eq!(lines, expected);
    assert_eq!(text_facts(&lines.join("\r\n")).unwrap(), facts(&example()));
    let caro = Placement::empty(Rule::Caro, Size::DEFAULT);
    assert_eq!(to_rapfi_text(0, &caro, &PositionEntry::default()), None);
}

#[test]
fn every_image_has_the_same_line_and_what_is_written_is_read() {
    let mut rng = SplitMix64::new(5);
    let mut below = |n: usize| (rng.next_u64() % n as u64) as usize;
    for size in [Size::DEFAULT, Size::new(6, 6).unwrap(), Size::new(7, 20).unwrap()] {
        let points: Vec<Point> = size.points().collect();
        for round in 0..60 {
            let mut placement = Placement::empty(RULES[round % 3], size);
            for _ in 0..round % 9 {
                let _ = placement.play(points[below(points.len())]);
            }
            if round % 10 == 7 {
                placement = placement.passed();
            }
            let label = [0, -1, 119, 108, 100, 120, 33, 44, 40, 34, 10, -56][below(12)];
            let value = if label == 119 { -29_990 } else { below(2000) as i32 - 1000 };
            let (depth, bound) = (below(60) as i16 - 20, below(4) as u8);
            let facts = BoardFacts { label, value, depth, bound, shown: String::new() };
            let mut entry = facts.entry();
            entry.text = ["", "a\\n\"b\"\n),,c", "@BTXT@77 no", "黒\r"][below(4)].to_owned();
            for text in &["A", "黒", "1\\"][..below(4)] {
                entry.board_texts.insert(points[below(points.len())], (*text).to_owned());
            }
            let line = to_rapfi_text(7, &placement, &entry).unwrap();
            let back = text_facts(&line).unwrap();
            let [fact] = &back[..] else { panic!("{line}") };
            let key = placement.key();
            assert_eq!(fact.placement.key().key, key.key, "{line}");
            let stored = fact.placement.key().stored(fact.entry.clone());
            assert_eq!(stored, key.stored(entry.clone()), "{line}");
            // One text at most, since the order of others depends on the image.
            entry.board_texts = entry.board_texts.into_iter().take(1).collect();
            let line = to_rapfi_text(7, &placement, &entry).unwrap();
            let stored = key.stored(entry);
            assert_eq!(to_rapfi_text(7, &key.key.placement(), &stored).unwrap(), line);
        }
    }
}

#[test]
fn texts_of_another_kind_are_refused_with_the_line() {
    let mut source = TextFacts::new(Path::new("a.csv"), &b"1,f-15-15---b,x,0,0,none,\"\"\n"[..]);
    let error = source.next_fact().unwrap_err().to_string();
    assert_eq!(error, format!("a.csv:1: the first line is {TEXT_HEADER}"));
    for (line, expected) in [
        ("x", "there is no index"),
        ("x,f-15-15---b,x,0,0,none,\"\"", "the index is not a number"),
        ("0,c-15-15---b,x,0,0,none,\"\"", "\"c-15-15---b\" is not a key such as f-15-15-h8-g8-b"),
        ("0,f-15-15--b,x,0,0,none,\"\"", "\"f-15-15--b\" is not a key such as f-15-15-h8-g8-b"),
        ("0,f-15-15-h8-h8-b,x,0,0,none,\"\"", "h8 occurs twice"),
        ("0,f-15-15-h16--w,x,0,0,none,\"\"", "\"h16\" is not on the board"),
        ("0,f-15-15---b,xy,0,0,none,\"\"", "a label is one letter, (null), (none) or a number"),
        ("0,f-15-15---b,(128),0,0,none,\"\"", "a label is one letter, (null), (none) or a number"),
        ("0,f-15-15---b,黒,0,0,none,\"\"", "a label is one letter, (null), (none) or a number"),
        ("0,f-15-15---b,x,32768,0,none,\"\"", "\"32768\" is not a value"),
        ("0,f-15-15---b,x,0,a,none,\"\"", "\"a\" is not a depth"),
        ("0,f-15-15---b,x,0,0,above,\"\"", "a bound is none, upper, lower or exact"),
        ("0,f-15-15---b,x,0,0,none,\"", "the text is not in quotes"),
        ("0,f-15-15---b,x,0,0,none,\"a\"b\"", "a quote inside of the text has no backslash"),
        ("0,f-15-15---b,x,0,0,none,\"a\\\"", "\\\", \\\\, \\n and \\b are all"),
    ] {
        let error = text_facts(&format!("\n{line}\n")).unwrap_err();
        assert!(error.starts_with(&format!("a.csv:3: {expected}")), "{line}: {error}");
    }
}

#[test]
fn different_texts_on_mirrored_cells_are_both_written() {
    let size = Size::DEFAULT;
    let cell = |name| tengen_core::notation::parse_cell(name, size).unwrap();
    for names in ["f12", "d10"].map(|first| [first, if first == "f12" { "d10" } else { "f12" }]) {
        for moves in [["h8", "i7"], ["h8", "g9"]] {
            let placement = Placement::of_moves(Rule::Freestyle, size, &moves.map(cell)).unwrap();
            let board_texts =
                names.into_iter().zip(["A", "B"]).map(|(at, text)| (cell(at), text.to_owned()));
            let entry =
                PositionEntry { board_texts: board_texts.collect(), ..PositionEntry::default() };
            let line = to_rapfi_text(0, &placement, &entry).unwrap();
            let read = text_facts(&line).unwrap().remove(0).entry.board_texts;
            let mut texts: Vec<String> = read.into_values().collect();
            texts.sort_unstable();
            assert_eq!(texts, ["A", "B"], "{line}");
        }
    }
}
