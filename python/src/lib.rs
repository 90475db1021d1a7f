//! The Python module `tengen._native`: board and rules, search, proofs and records of games for Python.
//!
//! `python/tengen` is what Python sees of it, and says what all means. Nothing here panics across the border:
//! what is wrong with an argument is a `ValueError` with the words of the packages below, and whatever takes
//! time lets other threads of Python run and ends by Ctrl-C.

mod border;
mod game;
mod records;
mod search;
mod solving;

/// The compiled part of `tengen`.
#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    use crate::game::{PyBoard, read_moves};
    #[pymodule_export]
    use crate::records::{PyRecord, PyRecordedMove, format_to_write, read_records, replace_file};
    #[pymodule_export]
    use crate::search::{PyEngine, PyEvaluation, PyLine, PySearchResult, evaluate};
    #[pymodule_export]
    use crate::solving::{PyVerdict, solve, verify};
}
