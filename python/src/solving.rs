//! `solve` and `verify`: proofs of forced wins.

use std::time::{Duration, Instant};

use pyo3::prelude::*;
use tengen_core::position::Position;
use tengen_core::prover::{
    CheckError, CheckLimits, Checked, Horizon, Prover, ProverLimits, ProverVerdict, STACK_BYTES,
    usual_most_positions, verify_within,
};
use tengen_core::types::Point;
use tengen_files::certificates;

use crate::border::{Whole, fault, invalid, points, run, seconds_of};
use crate::game::PyBoard;

/// What is known of a forced win. It is true if the side to move wins.
#[pyclass(name = "Verdict", module = "tengen", frozen)]
pub(crate) struct PyVerdict {
    /// ``win`` is proven. ``no win`` means that none was found by the moves that were looked at, which says
    /// nothing of others, and ``unknown`` that a limit came first.
    #[pyo3(get)]
    status: &'static str,
    /// The number of positions searched.
    #[pyo3(get)]
    nodes: u64,
    /// The time of the search and of the check.
    #[pyo3(get)]
    seconds: f64,
    /// The proof of a win, a file that :func:`verify` and ``tengen verify`` check.
    #[pyo3(get)]
    certificate: Option<String>,
    line: Vec<Point>,
}

#[pymethods]
impl PyVerdict {
    /// The attack against the longest resistance, up to the winning move; empty without a win.
    #[getter]
    fn line<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        points(py, self.line.iter().copied())
    }

    /// Whether the side to move wins.
    #[getter]
    fn is_win(&self) -> bool {
        self.certificate.is_some()
    }

    fn __bool__(&self) -> bool {
        self.is_win()
    }

    fn __repr__(&self) -> String {
        let plies = match self.line.len() {
            0 => String::new(),
            plies => format!(" in {plies} plies"),
        };
        format!("<Verdict {}{plies}, {} nodes>", self.status, self.nodes)
    }
}

/// Looks for a forced win of the side to move, by fours and threes or by fours alone, and proves it.
///
/// ``seconds`` and ``nodes`` limit the search, ``None`` does not; ``memory`` is in mebibytes. A win has been
/// checked by the plain rules, with every reply.
///
/// Raises :class:`ValueError` if the game is over or an argument makes no sense, and what signals raise.
#[pyfunction]
#[pyo3(
    signature = (board, *, seconds=Some(10.0), nodes=None, fours_only=false, memory=Whole(64)),
    text_signature = "(board, *, seconds=10.0, nodes=None, fours_only=False, memory=64)"
)]
pub(crate) fn solve(
    py: Python<'_>,
    board: PyRef<'_, PyBoard>,
    seconds: Option<f64>,
    nodes: Option<Whole>,
    fours_only: bool,
    memory: Whole,
) -> PyResult<PyVerdict> {
    board.goes_on()?;
    let time = seconds.map_or(Ok(Duration::MAX), seconds_of)?;
    let nodes = nodes.map_or(Ok(u64::MAX), |nodes| nodes.at_least(1, "nodes"))?;
    let memory: u16 = memory.at_least(1, "memory")?;
    let game = board.game.clone();
    // Others may play on it during the search.
    drop(board);
    let (verdict, searched, took) = run(py, STACK_BYTES, |stop| {
        let start = Instant::now();
        let mut position = Position::from_board(game.rule(), game.board().clone(), game.to_move());
        let in_time = stop.part_within(time);
        let limits = ProverLimits { nodes, stop: Some(&in_time) };
        let mut prover = Prover::new(usize::from(memory) << 20);
        let verdict = prover.solve(&mut position, Horizon { fours_only }, &limits);
        let checked = match &verdict {
            ProverVerdict::Win(proof) => {
                let limits = CheckLimits { positions: u64::MAX, stop: Some(stop) };
                verify_within(&game, proof.root(), &limits)
            }
            _ => Ok(Checked { positions: 0 }),
        };
        (checked.map(|_| verdict), prover.nodes(), start.elapsed())
    })?;
    let (status, proof) = match verdict {
        Ok(ProverVerdict::Win(proof)) => ("win", Some(proof)),
        Ok(ProverVerdict::NoWin) => ("no win", None),
        Ok(ProverVerdict::Unknown) => ("unknown", None),
        Err(error) => return Err(fault(format!("the proof fails: {error}"))),
    };
    let certificate = proof.as_ref().map(|proof| certificates::write(&game, proof.root()));
    let line = proof.map_or_else(Vec::new, |proof| proof.line().to_vec());
    Ok(PyVerdict { status, nodes: searched, seconds: took.as_secs_f64(), certificate, line })
}

/// Checks a proof by the plain rules, and returns the number of positions that were looked at.
///
/// Raises :class:`ValueError` if the text is no certificate, or it is no proof.
#[pyfunction]
pub(crate) fn verify(py: Python<'_>, certificate: &str) -> PyResult<u64> {
    let proof = certificates::read(certificate.as_bytes()).map_err(invalid)?;
    let positions = usual_most_positions(&proof.attack, proof.game.board().size());
    let checked = run(py, STACK_BYTES, |stop| {
        let limits = CheckLimits { positions, stop: Some(stop) };
        verify_within(&proof.game, &proof.attack, &limits)
    })?;
    match checked {
        Ok(Checked { positions }) => Ok(positions),
        Err(CheckError::Flaw(flaw)) => Err(invalid(format!("no proof: {flaw}"))),
        Err(error) => Err(invalid(error)),
    }
}
