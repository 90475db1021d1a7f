//! The seeds of the mutations: games, files of other programs, and hostile texts.

use std::fs;
use std::path::Path;

use tengen_core::types::{Point, Size};
use tengen_files::records::{Format, Record, write_file};

use crate::games::random_record;

/// The number of bytes of a file that are used.
const MOST: usize = 64 << 10;

/// As other programs write them.
const FOREIGN: [&str; 13] = [
    "Piskvorky 20x20, 11:11, 1\r\n10,10,0\r\n11,9,812\r\nRAPFI25.zip\r\nJAX25.zip\r\n-1\r\n\
     0,Freestyle15_1\r\n",
    "(;FF[4]GM[4]GN[1]EV[a x b]DT[2025.04.30 18:00:00]RO[1.2]RU[1]SZ[20]PB[a]PW[b]RE[B+1]\
     TE[Black win by five connection]\r\n;B[hh]C[opening move];W[ih]C[opening move]\r\n\
     ;B[gg]C[153ms];W[jj]C[87ms])\r\n\r\n(;SZ[20])\r\n",
    "(;AB[aa:cc]AW[dd](;B[ee](;W[])(;B[gg]))(;B[ff];W[tt]))",
    "[Event \"1\"]\n[Date \"2025.04.30\"]\n[Round \"3.1\"]\n[Black \"a \\\"b\\\"\"]\n[White \"c\"]\n\
     [Result \"0-1\"]\n[Termination \"Black win by five connection\"]\n[PlyCount \"9\"]\n0-1\n\n",
    "[Event \"?\"]\n[Site \"PlayOK\"]\n[Black \"a\"]\n[White \"b\"]\n[GameType \"61,15\"]\n\n1. f3 g3 \
     {why} 2. h3 black 3. h5 (3. i5) i5 4. g6 f6 0-1\n",
    RENJUNET,
    "<database><players><player id=\"1\" name=\"x\"/></players><games><game id=\"1\" black=\"1\" \
     bresult=\"1\"><move>h8 h7</move></game></games></database>",
    "one\ntwo\n7,7,0\n8,8,12\n0\n",
    "7,7\n8,8\n\n0,0\n",
    "1. h8 i9 2. h10 i8.\n",
    "8,-3, 6,-4, 5,-4, 4,-3, 2,-8, -1,-5\r\n6,6, 4,6, 6,4, 4,4, 6,2, 4,2",
    "d3e5f6d7\r\nk10j10i9j9m7\r\n",
    "{\"tengen_match\":1,\"event\":\"x\",\"players\":[{\"name\":\"a\"}]}\n{\"tengen\":1,\"game\":3,\
     \"pair\":1,\"seats\":[0,1],\"size\":[15,15],\"moves\":\"h8i9\",\"end\":\"late\"}\n",
];

/// As the database of RenjuNet is written.
const RENJUNET: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<database version=\"1.0\">\n\
    <players><player id=\"1\" name=\"Ando\" surname=\"Meritee\"/><player id=\"2\" name=\"a &amp; b\"/>\
    </players>\n<cities><city id=\"1\" name=\"Tallinn\"/></cities>\n<rules><rule id=\"1\" \
    name=\"Soosyrv-8\"><info>x</info></rule></rules>\n<openings><opening id=\"4\" name=\"D4\" \
    abbr=\"d4\"/></openings>\n<tournaments><tournament id=\"1\" name=\"WC\" city=\"1\" year=\"2005\" \
    month=\"8\"/></tournaments>\n<games count=\"2\">\n<game id=\"1\" tournament=\"1\" round=\"1\" rule=\"1\" \
    black=\"1\" white=\"2\" bresult=\"0.5\" opening=\"4\" alt=\"g8\" swap=\"1\"><move>h8 h7 g7</move>\
    <info>good &lt;game&gt;</info></game>\n<game id=\"2\" bresult=\"0\"><move><![CDATA[h8]]></move></game>\n\
    </games></database>\n";

/// Returns the inputs that a reader of `format` begins with; without one those of all readers.
pub(crate) fn inputs(format: Option<Format>) -> Vec<Vec<u8>> {
    let mut inputs = hostile();
    inputs.extend(FOREIGN.map(|text| text.as_bytes().to_vec()));
    for each in Format::ALL {
        // Some of other formats, as a reader may be given any file.
        let count = if format.is_none_or(|format| format == each) { 40 } else { 2 };
        inputs.extend((0..count).filter_map(|seed| text(&[random_record(seed)], each)));
        inputs.extend(text(&[full(Size::LARGEST)], each));
        let many: Vec<Record> = (100..130).map(random_record).collect();
        inputs.extend(text(&many, each).filter(|_| each.holds_many()));
    }
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data"), &mut inputs);
    if let Some(directory) = std::env::var_os("TENGEN_FUZZ_CORPUS") {
        files(Path::new(&directory), &mut inputs);
    }
    inputs
}

/// Writes those games that a format can hold.
fn text(records: &[Record], format: Format) -> Option<Vec<u8>> {
    let write = |(i, record)| write_file(record, format, i, None).ok();
    let text: Vec<u8> = (1..).zip(records).filter_map(write).flatten().collect();
    (!text.is_empty()).then_some(text)
}

/// Returns a game that fills the board.
fn full(size: Size) -> Record {
    let points: Vec<Point> = size.points().collect();
    Record::of_points(size, &points)
}

/// Adds the files below a directory, and the beginnings of large ones.
fn files(directory: &Path, inputs: &mut Vec<Vec<u8>>) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        match fs::read(&path) {
            Ok(mut bytes) => {
                bytes.truncate(MOST);
                inputs.push(bytes);
            }
            Err(_) => files(&path, inputs),
        }
    }
}

/// Returns texts that somebody wrote in order to hurt a reader.
#[allow(clippy::too_many_lines, reason = "a list of texts")]
fn hostile() -> Vec<Vec<u8>> {
    const LONG: usize = 100_000;
    let json = |fields: &str| format!("{{\"tengen\":1,\"size\":[15,15],\"moves\":\"h8\"{fields}}}");
    let psq = |rest: &str| format!("Piskvorky 15x15, 11:11, 0\n{rest}");
    let deep = |open: &str, close: &str| open.repeat(LONG) + &close.repeat(LONG);
    let digits = "9".repeat(LONG);
    let word = "x".repeat(LONG);
    let mut texts = vec![
        String::new(),
        "\n".repeat(LONG),
        "\r".repeat(LONG),
        " ".repeat(LONG),
        "\0".repeat(LONG),
        "\u{feff}".repeat(1000),
        "h8\ri9\rj10\r".to_owned(),
        digits.clone(),
        word.clone(),
        // Deep, closed and not closed.
        deep("(;", ")"),
        "(;".repeat(LONG),
        format!("(;B[aa]{})", deep("(;W[bb]", ")")),
        json(&format!(",\"x\":{}", deep("[", "]"))),
        json(&format!(",\"x\":{}", "{\"y\":".repeat(LONG))),
        json(&format!(",\"times\":{}", deep("[", "]"))),
        format!("{{\"tengen_match\":{}}}", deep("[", "]")),
        // Long tokens.
        format!("(;{word}[hh])"),
        format!("(;C[{word}])"),
        format!("(;C[{}])", "\\".repeat(LONG)),
        format!("(;C[{}])", "\\\n".repeat(LONG)),
        format!("(;B[{word}])"),
        format!("(;SZ[{digits}])"),
        format!("(;RU[{digits}])"),
        format!("(;B[hh]C[{digits}ms])"),
        format!("(;B[hh]C[{}])", "1ms, ".repeat(LONG / 5)),
        format!("[{word} \"1\"]\n*\n"),
        format!("[Round \"{word}\"]\n*\n"),
        format!("[Round \"{}\"]\n*\n", "\\".repeat(LONG)),
        format!("[Round \"{word}"),
        psq(&format!("{digits},1,0\n-1\n")),
        psq(&format!("1,1,{digits}\n-1\n")),
        psq(&format!("{word}\n{word}\n0\n")),
        psq(&format!("1,1{}", ",1".repeat(LONG))),
        format!("Piskvorky {digits}x{digits}, 1:1, 0\n-1\n"),
        format!("Piskvorky 15x15{}", ",".repeat(LONG)),
        format!("h{digits}"),
        format!("0,{digits}"),
        format!("0,{}", "0".repeat(LONG)),
        ",".repeat(LONG),
        "0,0,".repeat(LONG / 4),
        json(&format!(",\"black\":\"{word}\"")),
        json(&format!(",\"reason\":\"{}\"", "\\u0000".repeat(LONG / 6))),
        json(&format!(",\"result\":\"{word}\"")),
        json(&format!(",\"opening\":{digits}")),
        json(&format!(",\"times\":[{digits}]")),
        json(&format!(",\"comments\":[{}\"\"]", "\"\",".repeat(LONG / 3))),
        json(",\"black\":\"\\ud800\""),
        json(",\"result\":\"\\u001b[2J\""),
        // Many small things.
        "(;)".repeat(LONG / 3),
        format!("(;{})", "B[]".repeat(LONG / 3)),
        format!("({})", ";".repeat(LONG)),
        format!("(;C[]{})", ";C[x]".repeat(LONG / 5)),
        format!("(;B[aa]{})", ";C[x]".repeat(LONG / 5)),
        format!("(;AB{})", "[aa]".repeat(LONG / 4)),
        format!("(;{})", "AB[aa]AW[bb]".repeat(LONG / 12)),
        format!("(;{})", "EV[x]".repeat(LONG / 5)),
        format!("(;{})", ";B[]".repeat(LONG / 4)),
        format!("(;{})", ";PL[B]".repeat(LONG / 6)),
        format!("(;{})", ";AB[aa];AE[aa]".repeat(LONG / 14)),
        format!("(;B[aa];B[bb]{})", "(B[])".repeat(LONG / 5)),
        format!("(;B[aa];B[bb]{})", "(B[]N[])".repeat(LONG / 8)),
        format!("(;B[aa];B[bb]{})", "(B[]C[x])".repeat(LONG / 9)),
        format!("(;B[aa];B[bb]{})", "(;B[]C[1ms])".repeat(LONG / 12)),
        format!("(;B[aa];B[bb]{})", "(;B[](B[])(B[]))".repeat(LONG / 16)),
        format!("(;B[aa](;B[bb](;B[cc])(;{})))", "(B[])".repeat(LONG / 5)),
        format!("(;B[aa]{})", ";N[]".repeat(LONG / 16)),
        format!("(;B[aa];B[\u{e9}]{})", "(B[])".repeat(LONG / 5)),
        json(&format!(",\"changes\":[{}{{}}]", "{},".repeat(LONG / 3))),
        format!("{{\"tengen\":1,\"size\":[15,15],\"moves\":\"{}\"}}", "--".repeat(LONG / 2)),
        json(&format!(",\"sgf\":[\"{}\"]", "(;B[])".repeat(LONG / 6))),
        "[A\"\"]\n*\n".repeat(LONG / 8),
        format!("{}*\n", "[A\"\"]\n".repeat(LONG / 6)),
        "a1\n".repeat(LONG / 3),
        "0,0\n".repeat(LONG / 4),
        psq(&"\n".repeat(LONG)),
        "{\"tengen\":1,\"size\":[5,5],\"moves\":\"\"}\n".repeat(LONG / 38),
        "{\"tengen_match\":1}\n".repeat(LONG / 19),
    ];
    // Sizes at the limits and beyond.
    for edge in [-1, 0, 1, 4, 5, 22, 23, 255, 256, 65_536, i64::from(i32::MAX), i64::MAX] {
        texts.push(format!("(;SZ[{edge}];B[aa])"));
        texts.push(format!("(;SZ[15:{edge}];B[tt])"));
        texts.push(format!("Piskvorky {edge}x{edge}, 1:1, 0\n{edge},{edge},0\n-1\n"));
        texts.push(format!("{{\"tengen\":1,\"size\":[{edge},15],\"moves\":\"a{edge}\"}}"));
        texts.push(format!("a{edge}\n"));
        texts.push(format!("{edge},{edge}\n"));
    }
    let mut inputs: Vec<Vec<u8>> = texts.into_iter().map(String::into_bytes).collect();
    inputs.extend(libraries());
    // No text at all.
    inputs.push((0..=255).collect());
    inputs.push(vec![0xff; LONG]);
    inputs.push(b"\xff\xfe(\0;\0)\0".to_vec());
    inputs.push(b"(;PB[\xd0\xeb]B[h\xc3]C[\xc4\xe3ok\xf0\x9f])".to_vec());
    inputs.push(
        b"{\"tengen\":1,\"size\":[15,15],\"black\":\"\xed\xa0\x80\",\"moves\":\"\"}".to_vec(),
    );
    inputs
}

/// Returns libraries of RenLib with every flag, and with many small things.
fn libraries() -> Vec<Vec<u8>> {
    const LONG: usize = 100_000;
    let head = b"\xffRenLib\xff\x03\x04\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff";
    let library = |nodes: &[u8]| [&head[..], nodes].concat();
    vec![
        library(
            b"\0\x08\x08root\0\x78\x80\x69\x99\0\x01line\x08more\0board\0\x79\x54\x6a\xe0ol\xe4\0\
              \0\0\x88\x40\x68\x02\x58\xc3\0\x01a\0\x59\x40",
        ),
        b"\x78\x80\x69\xa0ab\xe3\0\x79\x40\x68\x40".to_vec(),
        library(&[0; LONG]),
        library(&b"\x78\xc0".repeat(LONG / 2)),
        library(&b"\x78\x80".repeat(LONG / 2)),
        library(&b"\0\0\x78\xc3\0\x01a\0".repeat(LONG / 8)),
        library(&b"\x78\xd8\x08a\0".repeat(LONG / 5)),
        library(&[&b"\x78\x08"[..], &[b'a'; LONG]].concat()),
    ]
}
