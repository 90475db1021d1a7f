//! Proofs of forced wins.

use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::value::RawValue;

use super::{board_of, line, mebibytes};
use crate::explain::WinMeans;
use tengen_core::notation::Moves;
use tengen_core::position::Position;
use tengen_core::prover::{Certificate, Horizon, Prover, ProverLimits, ProverVerdict};
use tengen_core::rules::Game;
use tengen_engine::protocol::{Reply, StudyRequest, StudyTopic};
use tengen_files::certificates::write_attack;

/// The mebibytes of the prover where memory has no limit.
const USUAL_MEBIBYTES: u32 = 64;

/// The longest tree that is told, in bytes.
const MOST_OF_TREE: usize = 200_000;

/// The object about a position.
#[derive(Serialize)]
struct ProofObject {
    result: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<&'static str>,
    attacker: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<&'static str>,
    searched: u64,
    ms: f64,
    /// The nodes of the proof, as in a certificate.
    #[serde(skip_serializing_if = "Option::is_none")]
    tree: Option<Box<RawValue>>,
    /// True if the tree is left out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    too_long: bool,
}

/// Looks for a forced win of the side to move.
pub(super) fn study(request: &StudyRequest, tell: &mut dyn FnMut(Reply)) {
    let (setup, limits) = (&request.setup, &request.limits);
    let board = board_of(setup);
    let object = ProofObject {
        result: "over",
        stopped: None,
        attacker: setup.to_move.to_string(),
        plies: None,
        line: None,
        by: None,
        searched: 0,
        ms: 0.0,
        tree: None,
        too_long: false,
    };
    let game = Game::from_board(setup.rule, board.clone(), setup.to_move);
    if game.outcome().is_over() {
        return tell(line(StudyTopic::Proof, &object));
    }
    let mut position = Position::from_board(setup.rule, board, setup.to_move);
    let time = limits.time.turn.into_iter().chain(limits.time.left).min();
    // What has passed since the command arrived is a part of it.
    let time = time.map_or(Duration::MAX, |time| time.saturating_sub(limits.start.elapsed()));
    let in_time = request.stop.part_within(time);
    let nodes = limits.max_nodes.unwrap_or(u64::MAX).max(1);
    let limits = ProverLimits { nodes, stop: Some(&in_time) };
    let mut prover = Prover::new((mebibytes(request, USUAL_MEBIBYTES) as usize) << 20);
    let begun = Instant::now();
    let verdict = prover.solve(&mut position, Horizon::default(), &limits);
    // To the microsecond.
    let ms = (begun.elapsed().as_secs_f64() * 1e6).round() / 1e3;
    let object = ProofObject { searched: prover.nodes(), ms, ..object };
    tell(line(
        StudyTopic::Proof,
        &match verdict {
            ProverVerdict::Win(certificate) => object.won(&certificate, &position),
            ProverVerdict::NoWin => ProofObject { result: "none", ..object },
            ProverVerdict::Unknown => {
                let stopped = if request.stop.is_set() {
                    "stop"
                } else if in_time.is_set() {
                    "time"
                } else if prover.nodes() >= nodes {
                    "nodes"
                } else {
                    "memory"
                };
                ProofObject { result: "unknown", stopped: Some(stopped), ..object }
            }
        },
    ));
}

impl ProofObject {
    fn won(self, certificate: &Certificate, position: &Position) -> ProofObject {
        let tree = write_attack(certificate.root());
        let too_long = tree.len() > MOST_OF_TREE;
        let by = match WinMeans::of_line(position, certificate.line()) {
            WinMeans::Fours => "fours",
            WinMeans::Threats | WinMeans::Any => "threats",
        };
        ProofObject {
            result: "win",
            plies: Some(certificate.plies()),
            line: Some(Moves(certificate.line()).to_string()),
            by: Some(by),
            tree: RawValue::from_string(tree).ok().filter(|_| !too_long),
            too_long,
            ..self
        }
    }
}
