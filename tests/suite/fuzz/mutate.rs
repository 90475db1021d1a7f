//! Changes to inputs: of bytes, of tokens, of lines, and crossings of two inputs.

use std::ops::Range;

use tengen_core::rng::SplitMix64;

/// The longest input.
const LONGEST: usize = 64 << 10;

/// Bytes that mean something in a format, or to those who read text.
const BYTES: &[u8] = b"()[]{};:,\\\"\r\n\t -+.0129abhpBWCx_\x00\x7f\x80\xbf\xc3\xe2\xf0\xff\xef";

/// Numbers at the limits of what somebody might keep them in.
const NUMBERS: &[&str] = &[
    "0",
    "-1",
    "1",
    "4",
    "5",
    "15",
    "22",
    "23",
    "26",
    "127",
    "128",
    "255",
    "256",
    "32767",
    "32768",
    "65536",
    "2147483647",
    "2147483648",
    "-2147483649",
    "9223372036854775808",
    "1e999",
    "18446744073709551616",
];

/// Words of the formats.
const WORDS: &[&str] = &[
    "(",
    ")",
    ";",
    "(;",
    ")(",
    "B[hh]",
    "W[ii]",
    ";B[]",
    ";W[tt]",
    "B[aa:cc]",
    "AB[aa:oo]",
    "AW[bb]",
    "AE[aa]",
    "C[12ms]",
    "C[opening move]",
    "C[score -3, depth 4, nodes 5]",
    "C[forbidden 33]",
    "C[\n7ms]",
    "SZ[15]",
    "SZ[20:15]",
    "SZ[22]",
    "GM[4]",
    "GM[1]",
    "FF[4]",
    "RU[1]",
    "RU[renju]",
    "RE[B+R]",
    "RE[0]",
    "RE[B+Black win by five connection]",
    "TE[Draw]",
    "TE[Black play forbidden move - overline]",
    "Black[x]",
    "\\]",
    "\\\r\n",
    "[Event \"1\"]\n",
    "[Round \"1.2\"]\n",
    "[Termination \"White win by time forfeit\"]\n",
    "[Date \"????.??.??\"]\n",
    "1-0\n",
    "1/2-1/2\n",
    "*\n",
    "Piskvorky 15x15, 11:11, 0\n",
    "Piskvorky 22X5, 0:0, 1\n",
    "8,8,0\n",
    "1,1\n",
    "-1\n",
    "a,b\n",
    "h8",
    "a0",
    "a01",
    "v22",
    "0,0, ",
    "-7,7, ",
    "{\"tengen\":1,\"size\":[15,15],\"moves\":\"\"}\n",
    "{\"tengen_match\":1}\n",
    "\"tengen\":1,",
    "\"size\":[5,22],",
    "\"moves\":\"h8i9\",",
    "\"colors\":\"bw\",",
    "\"times\":[null,1],",
    "\"scores\":[-5],",
    "\"depths\":[],",
    "\"nodes\":[0,0],",
    "\"comments\":[\"\",\"x\"],",
    "\"opening\":1,",
    "\"result\":\"draw\",",
    "\"reason\":\"forbidden-33\",",
    "\"x\":{\"y\":[1]},",
    "null",
    "<game id=\"1\">",
    "</game>",
    "<move>h8 i9</move>",
    "<player id=\"1\" name=\"x\"/>",
    " bresult=\"1\"",
    "&amp;",
    "&#0;",
    "<![CDATA[",
    "<!--",
    "CA[gbk]",
    "CA[Shift_JIS]",
    "\x1a",
    "{",
    "black",
    "7,7,0\n",
    "\\u0000",
    "\\ud800",
    "\\u001b[2J",
    "\u{feff}",
    "\u{2028}",
    "\u{10ffff}",
    "\r\n",
];

/// Returns a changed copy; parts of `other` may come in.
pub(super) fn mutate(base: &[u8], other: &[u8], rng: &mut SplitMix64) -> Vec<u8> {
    let mut input = base.to_vec();
    // Most inputs are near their origin, a few are far away.
    let changes = 1 + small(5, rng);
    for _ in 0..changes {
        match rng.below(12) {
            0..3 => change_byte(&mut input, rng),
            3..5 => change_range(&mut input, rng),
            5..9 => change_token(&mut input, rng),
            9 => change_line(&mut input, rng),
            _ => cross(&mut input, other, rng),
        }
        input.truncate(LONGEST);
    }
    input
}

/// Returns a number below 2^(`powers` - 1), a small one more often than a large one.
fn small(powers: usize, rng: &mut SplitMix64) -> usize {
    let power = rng.below(powers);
    rng.below(1 << power)
}

fn place(input: &[u8], rng: &mut SplitMix64) -> usize {
    rng.below(input.len() + 1)
}

fn change_byte(input: &mut Vec<u8>, rng: &mut SplitMix64) {
    let at = place(input, rng);
    let any = rng.next_u64() as u8;
    let byte = if rng.below(2) == 0 { any } else { BYTES[rng.below(BYTES.len())] };
    match (rng.below(4), input.get_mut(at)) {
        (0, Some(old)) => *old = byte,
        (1, Some(old)) => *old ^= 1 << rng.below(8),
        (2, Some(_)) => drop(input.remove(at)),
        _ => input.insert(at, byte),
    }
}

/// Returns a range that is more often short than long.
fn range(input: &[u8], rng: &mut SplitMix64) -> Range<usize> {
    let start = place(input, rng);
    let len = small(11, rng).min(input.len() - start);
    start..start + len
}

fn change_range(input: &mut Vec<u8>, rng: &mut SplitMix64) {
    let range = range(input, rng);
    match rng.below(5) {
        0 => drop(input.drain(range)),
        1 => input.truncate(range.start),
        2 => {
            let part = input[range].to_vec();
            let at = place(input, rng);
            input.splice(at..at, part);
        }
        3 => {
            let part = input[range.clone()].to_vec();
            let times = 1 + small(9, rng);
            let times = times.min(LONGEST / part.len().max(1));
            input.splice(range, part.repeat(times));
        }
        _ => input[range].fill(BYTES[rng.below(BYTES.len())]),
    }
}

/// Returns the token at or after a place: a number, a word, or a byte of another kind.
fn token(input: &[u8], rng: &mut SplitMix64) -> Range<usize> {
    let kind = |at: usize| match input.get(at) {
        Some(b'0'..=b'9') => 1,
        Some(byte) if byte.is_ascii_alphabetic() || *byte >= 0x80 => 2,
        Some(_) => 3,
        None => 0,
    };
    let mut start = place(input, rng);
    let mut end = start + 1;
    if kind(start) < 3 {
        while start > 0 && kind(start - 1) == kind(start) {
            start -= 1;
        }
        while end < input.len() && kind(end) == kind(start) {
            end += 1;
        }
    }
    start.min(input.len())..end.min(input.len())
}

fn change_token(input: &mut Vec<u8>, rng: &mut SplitMix64) {
    let old = token(input, rng);
    let text = &input[old.clone()];
    let is_number = text.first().is_some_and(u8::is_ascii_digit);
    let new: Vec<u8> = match rng.below(6) {
        0 => Vec::new(),
        1 => [text, text].concat(),
        2 => {
            let another = token(input, rng);
            input[another].to_vec()
        }
        3 => text.to_ascii_uppercase(),
        _ if is_number => match rng.below(3) {
            0 => NUMBERS[rng.below(NUMBERS.len())].into(),
            1 => [&b"0"[..], text].concat(),
            _ => {
                let number = std::str::from_utf8(text).ok().and_then(|text| text.parse().ok());
                let step = rng.below(3) as u64;
                number.unwrap_or(0_u64).wrapping_add(step).wrapping_sub(1).to_string().into()
            }
        },
        _ => WORDS[rng.below(WORDS.len())].into(),
    };
    let at = if rng.below(4) == 0 { old.start..old.start } else { old };
    input.splice(at, new);
}

fn change_line(input: &mut Vec<u8>, rng: &mut SplitMix64) {
    let mut lines: Vec<&[u8]> = input.split_inclusive(|&byte| byte == b'\n').collect();
    if lines.is_empty() {
        return;
    }
    let (one, two) = (rng.below(lines.len()), rng.below(lines.len()));
    match rng.below(4) {
        0 => drop(lines.remove(one)),
        1 => lines.insert(one, lines[two]),
        2 => lines.swap(one, two),
        _ => {
            let times = small(9, rng).min(LONGEST / lines[one].len());
            lines.splice(one..one, std::iter::repeat_n(lines[one], times).collect::<Vec<_>>());
        }
    }
    *input = lines.concat();
}

/// Goes on with the other input, or takes a part of it.
fn cross(input: &mut Vec<u8>, other: &[u8], rng: &mut SplitMix64) {
    if rng.below(2) == 0 {
        input.truncate(place(input, rng));
        input.extend_from_slice(&other[place(other, rng)..]);
    } else {
        let part = other[range(other, rng)].to_vec();
        let old = range(input, rng);
        input.splice(old, part);
    }
}
