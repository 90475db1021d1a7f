//! The reader of certificates against damaged and hostile files.
//!
//! The variables are those of `fuzz_records`.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use crate::common::forced_wins;
use crate::fuzz::{self, Verdict, corpus, memory};
use tengen_core::position::Position;
use tengen_core::prover::{Horizon, Prover, ProverLimits, ProverVerdict, verify};
use tengen_core::rules::Game;
use tengen_files::certificates::{Proof, read, write};
use tengen_files::records::{Format, RecordPlace};

/// The memory limit of the reader for each byte of its input. A node is 7 bytes as text and some
/// hundred in memory; a list that grows is there twice for a moment.
const BYTES_PER_BYTE: usize = 100;

/// The memory limit of the reader in any case.
const BYTES: usize = 64 << 10;

/// The longest error message: it must not quote the file.
const LONGEST_MESSAGE: usize = 200;

/// The most nodes of a proof that is checked.
const CHECKED: usize = 30;

/// A small certificate, to be damaged.
const SMALL: &str = "{\"tengen_certificate\":1,\"size\":[15,15],\"rule\":\"freestyle\",\
                     \"moves\":\"h8a1i8a3j8a5\",\"attacker\":\"black\",\"tree\":[\n\
                     [\"g8\",1,\"f8\",2],\n[\"f8\"],\n[\"k8\"]\n]}\n";

/// Returns an error unless something is so.
fn ensure(so: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if so { Ok(()) } else { Err(otherwise()) }
}

fn judge(bytes: &[u8]) -> Verdict {
    let mut kind = DefaultHasher::new();
    let (result, peak) = memory::peak(|| read(bytes));
    let most = BYTES + BYTES_PER_BYTE * bytes.len();
    ensure(peak <= most, || format!("{peak} bytes of memory for {}", bytes.len()))?;
    match result {
        Ok(proof) => judge_proof(&proof, &mut kind)?,
        Err(error) => {
            let lines = bytes.iter().filter(|&&byte| byte == b'\n').count() + 1;
            let RecordPlace::Text { line, column } = error.place else {
                return Err(format!("no place of a text: {error}"));
            };
            let is_place = (1..=lines).contains(&line) && (1..=bytes.len() + 1).contains(&column);
            ensure(is_place, || format!("no place of the input: {error}"))?;
            let text = &error.expected;
            ensure(!text.is_empty() && text.chars().count() <= LONGEST_MESSAGE, || {
                format!("an error of {} bytes", text.len())
            })?;
            ensure(!text.contains(char::is_control), || format!("control characters: {text:?}"))?;
            let words = text.split(['`', '"']).next().unwrap_or_default();
            (0_u8, words.chars().filter(char::is_ascii_alphabetic).collect::<String>())
                .hash(&mut kind);
        }
    }
    Ok(kind.finish())
}

fn judge_proof(proof: &Proof, kind: &mut impl Hasher) -> Result<(), String> {
    let Proof { game, attack } = proof;
    ensure(!game.outcome().is_over(), || "the game is over".to_owned())?;
    let area = game.board().size().area();
    ensure(attack.plies() <= area, || format!("a line of {} moves", attack.plies()))?;
    let text = write(game, attack);
    let again = read(text.as_bytes()).map_err(|error| format!("its own text: {error}\n{text}"))?;
    let is_same = again.attack == *attack
        && again.game.moves() == game.moves()
        && again.game.rule() == game.rule()
        && again.game.board().size() == game.board().size();
    ensure(is_same, || format!("{again:?} is another one"))?;
    (1_u8, attack.size().ilog2(), attack.plies()).hash(kind);
    if attack.size() <= CHECKED {
        let checked = verify(game, attack).map(drop).map_err(|flaw| flaw.why);
        checked.map_err(|why| std::mem::discriminant(&why)).hash(kind);
    }
    Ok(())
}

/// Returns the certificates of some wins of the data files, the small ones first.
fn certificates() -> Vec<Vec<u8>> {
    let mut texts = vec![SMALL.to_owned()];
    let mut prover = Prover::new(1 << 20);
    let limits = ProverLimits::of_nodes(20_000);
    for case in forced_wins().iter().step_by(30) {
        let game = Game::from_moves(case.size, case.rule, &case.moves).expect(&case.id);
        let mut position = Position::from_board(case.rule, game.board().clone(), game.to_move());
        if let ProverVerdict::Win(certificate) =
            prover.solve(&mut position, Horizon::default(), &limits)
        {
            texts.push(write(&game, certificate.root()));
        }
    }
    assert!(texts.len() > 3, "{} certificates", texts.len());
    texts.sort_by_key(String::len);
    texts.into_iter().map(String::into_bytes).collect()
}

/// Returns trees that somebody wrote in order to hurt the reader.
fn hostile() -> Vec<Vec<u8>> {
    const LONG: usize = 100_000;
    let head = &SMALL[..SMALL.find("[\n").expect("a tree")];
    let tree = |text: String| format!("{head}{text}}}").into_bytes();
    let nodes = |count: usize, node: &dyn Fn(usize) -> String| {
        let nodes: Vec<String> = (0..count).map(node).collect();
        tree(format!("[{}]", nodes.join(",")))
    };
    vec![
        tree("[".repeat(LONG) + &"]".repeat(LONG)),
        tree("[]".to_owned()),
        tree(format!("[[\"h8\",{}]]", "9".repeat(LONG))),
        tree(format!("[[\"{}\"]]", "h".repeat(LONG))),
        tree(format!("[[\"h8\"{}]]", ",1".repeat(LONG / 2))),
        tree(format!("[[\"h8\",1{}]]", ",\"h9\",2".repeat(LONG / 7))),
        // A line too long for the board, one that refers to itself, one whose nodes nobody needs.
        nodes(LONG / 10, &|i| format!("[\"h8\",{}]", i + 1)),
        nodes(LONG / 10, &|i| format!("[\"h8\",{i}]")),
        nodes(LONG / 10, &|_| "[\"h8\"]".to_owned()),
        nodes(2, &|i| format!("[\"h8\",{},\"i8\",{}]", i + 1, usize::MAX)),
    ]
}

#[test]
fn no_file_hurts_the_reader_of_certificates() {
    let mut inputs = certificates();
    inputs.extend(hostile());
    inputs.extend(corpus::inputs(Some(Format::Json)));
    fuzz::run("certificate", inputs, judge);
}
