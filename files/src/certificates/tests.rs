use super::*;
use crate::records::{RecordError, RecordPlace};
use tengen_core::prover::verify;
use tengen_core::rng::SplitMix64;
use tengen_core::types::Color;

const TEXT: &str = "{\"tengen_certificate\":1,\"size\":[15,15],\"rule\":\"freestyle\",\
                    \"moves\":\"h8a1i8a3j8a5\",\"attacker\":\"black\",\"tree\":[\n\
                    [\"g8\",1,\"f8\",2],\n[\"f8\"],\n[\"k8\"]\n]}\n";

fn fault(text: &str) -> RecordError {
    read(text.as_bytes()).expect_err(text)
}

#[test]
fn a_certificate_is_read_and_written_back_byte_by_byte() {
    let proof = read(TEXT.as_bytes()).unwrap();
    assert_eq!(write(&proof.game, &proof.attack), TEXT);
    assert_eq!(proof.game.to_move(), Color::Black);
    assert_eq!((proof.attack.size(), proof.attack.plies()), (3, 3));
    assert!(verify(&proof.game, &proof.attack).is_ok());
    // Other programs may write it otherwise.
    let other = TEXT.replace("\"attacker\":\"black\",", "\"by\":[[{}]],").replace('\n', "\r\n ");
    let again = read(format!("\u{feff}{}", other.replace(',', " , ")).as_bytes()).unwrap();
    assert_eq!(again.attack, proof.attack);
}

#[test]
fn errors_tell_what_was_expected_and_where() {
    let size = TEXT.find("[15,15]").unwrap() + 1;
    let moves = TEXT.find("\"h8a1").unwrap() + 1;
    let attacker = TEXT.find("\"black\"").unwrap() + 1;
    let later = "the number of a later node to which no other refers";
    for (old, new, place, expected) in [
        ("{\"ten", "[\"ten", (1, 1), "a certificate: an object that begins with {"),
        ("1,\"si", "2,\"si", (1, 23), "a certificate as JSON (version 1 of the format)"),
        (
            "15,15",
            "15,40",
            (1, size + 6),
            "a certificate as JSON (board edges from 5 to 22 are supported, such as 15 or 20)",
        ),
        ("h8a1", "h8h8", (1, moves + 3), "an empty cell"),
        ("\"h8a1i8a3j8a5\"", "7", (1, moves), "a row of cells such as \"h8i9h9\""),
        ("h8a1i8a3j8a5", "h8a1i8a3j8a5g8b1f8", (1, moves), "a game that is not over"),
        ("\"black\"", "\"white\"", (1, attacker), "\"black\", who is to move in this position"),
        ("[\"g8\",1,\"f8\",2]", "\"g8\"", (2, 1), "a node such as [\"h8\",1]"),
        ("[\"f8\"]", "[\"f16\"]", (3, 2), "a cell of a 15x15 board"),
        ("[\"f8\"]", "[8]", (3, 2), "a cell such as \"h8\""),
        ("[\"f8\"]", "[\"f8\",2]", (3, 7), later),
        ("[\"f8\"]", "[\"f8\",1]", (3, 7), later),
        ("[\"f8\"]", "[\"f8\",99999999999999999999]", (3, 7), later),
        ("[\"f8\"]", "[\"f8\",3]", (5, 1), "node 3, to which another refers"),
        ("1,\"f8\",2", "1,\"f8\"", (2, 13), "the number of a node"),
        ("1,\"f8\",2", "1,\"f8\",2,\"f8\",3", (2, 16), "a reply that was not named before"),
        ("[\"g8\",1,\"f8\",2]", "[\"g8\"]", (3, 1), "no node to which no earlier one refers"),
    ] {
        let text = TEXT.replacen(old, new, 1);
        assert_ne!(text, TEXT, "{old}");
        let error = fault(&text);
        assert_eq!(
            (error.expected.as_str(), error.place),
            (expected, RecordPlace::Text { line: place.0, column: place.1 }),
            "{text}"
        );
    }
    assert!(fault("").expected.starts_with("a certificate:"));
    assert!(fault(&TEXT[..TEXT.len() / 2]).expected.starts_with("a certificate as JSON (EOF"));
}

#[test]
fn no_tree_is_deeper_than_the_board() {
    let chain = |count: usize| {
        let nodes: Vec<String> = (1..count).map(|next| format!("[\"h8\",{next}]")).collect();
        let head = &TEXT[..TEXT.find("[\n").unwrap()];
        format!("{head}[{},[\"h8\"]]}}", nodes.join(","))
    };
    assert_eq!(read(chain(113).as_bytes()).unwrap().attack.plies(), 225);
    for count in [114, 100_000] {
        assert_eq!(fault(&chain(count)).expected, "a line of play that fits on the board");
    }
    let nested = TEXT.replace("[\"f8\"]", &"[".repeat(100_000));
    assert!(fault(&nested).expected.starts_with("a certificate as JSON ("));
}

#[test]
fn damaged_certificates_are_errors_or_other_certificates() {
    let mut random = SplitMix64::new(5);
    let mut below = |limit: usize| (random.next_u64() % limit as u64) as usize;
    for _ in 0..20_000 {
        let mut bytes = TEXT.as_bytes().to_vec();
        for _ in 0..=below(3) {
            let at = below(bytes.len());
            match below(4) {
                0 => bytes[at] = below(256) as u8,
                1 => bytes[at] = TEXT.as_bytes()[below(TEXT.len())],
                2 => {
                    bytes.remove(at);
                }
                _ => bytes.insert(at, b"[]{},\"019ah"[below(11)]),
            }
        }
        match read(&bytes) {
            Ok(proof) => {
                let text = write(&proof.game, &proof.attack);
                let again = read(text.as_bytes()).expect("what was written is read");
                assert_eq!(again.attack, proof.attack);
                let _ = verify(&proof.game, &proof.attack);
            }
            Err(error) => {
                assert!(error.place.column().is_some_and(|column| column >= 1), "{error}");
                assert!(!error.to_string().contains(char::is_control), "{error}");
            }
        }
    }
}
