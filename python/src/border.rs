//! What crosses the border: cells, sizes, rules and limits, and work that Python waits for.

use std::fmt::Display;
use std::str::FromStr;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{RecvTimeoutError, bounded};
use pyo3::exceptions::{PyOverflowError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use tengen_core::notation::{parse_cell, parse_xy};
use tengen_core::sys::panics;
use tengen_core::sys::stop::Stop;
use tengen_core::types::{Color, Point, Size};
use tengen_files::records::brief;

/// The time between two looks at what Python wants, such as an end by Ctrl-C.
pub(crate) const POLL: Duration = Duration::from_millis(20);

/// Returns the exception for an argument that makes no sense.
pub(crate) fn invalid(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Returns the exception for a fault of the program.
pub(crate) fn fault(error: impl Display) -> PyErr {
    PyRuntimeError::new_err(format!("internal error: {error}; please report it"))
}

/// Reads what is written in words, such as a rule.
pub(crate) fn parsed<T: FromStr<Err: Display>>(text: &str) -> PyResult<T> {
    text.parse().map_err(invalid)
}

/// A whole number as Python gives it. One that is too large for any purpose is a `ValueError`, as one that is only
/// too large for its own.
#[derive(Clone, Copy)]
pub(crate) struct Whole(pub(crate) i64);

impl<'a, 'py> FromPyObject<'a, 'py> for Whole {
    type Error = PyErr;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Whole> {
        value.extract().map(Whole).map_err(|error| {
            let is_large = error.is_instance_of::<PyOverflowError>(value.py());
            if is_large { invalid("a number with more than 63 bits") } else { error }
        })
    }
}

impl Whole {
    /// Returns the number, which has to be `least` or more.
    ///
    /// # Errors
    ///
    /// Returns a `ValueError` that names `what` it is if it is less, or too large.
    pub(crate) fn at_least<T: TryFrom<i64>>(self, least: i64, what: &str) -> PyResult<T> {
        let found = if self.0 < least { None } else { T::try_from(self.0).ok() };
        found.ok_or_else(|| {
            let size = if self.0 < least { "small" } else { "large" };
            invalid(format!("{what} = {}: too {size}", self.0))
        })
    }
}

/// Reads a pair of whole numbers; what is none is a `TypeError` that names what is `expected`.
fn pair_of(value: &Bound<'_, PyAny>, expected: &'static str) -> PyResult<(i64, i64)> {
    let misfit = |_| PyTypeError::new_err(expected);
    let (x, y): (Bound<'_, PyAny>, Bound<'_, PyAny>) = value.extract().map_err(misfit)?;
    let number = |value: Bound<'_, PyAny>| {
        value.extract().map(|Whole(number)| number).map_err(|error| {
            let is_large = error.is_instance_of::<PyValueError>(value.py());
            if is_large { error } else { misfit(error) }
        })
    };
    Ok((number(x)?, number(y)?))
}

/// Reads the size of a board: the edge of a square, or columns and rows.
pub(crate) fn size_of(value: &Bound<'_, PyAny>) -> PyResult<Size> {
    let (width, height) = match value.extract::<Whole>() {
        Ok(Whole(edge)) => (edge, edge),
        Err(error) if error.is_instance_of::<PyValueError>(value.py()) => return Err(error),
        Err(_) => pair_of(value, "a size is a number of cells, or a pair (columns, rows)")?,
    };
    Size::new(width, height).map_err(invalid)
}

/// Reads a cell: a text such as `h8`, or a column and a row.
pub(crate) fn cell_of(value: &Bound<'_, PyAny>, size: Size) -> PyResult<Point> {
    let (text, found) = if let Ok(text) = value.extract::<String>() {
        let found = parse_cell(&text, size);
        (brief(&format!("{text:?}")), found)
    } else {
        let expected = "a cell is a text such as 'h8', or a pair (column, row) of numbers from 0";
        let (x, y) = pair_of(value, expected)?;
        let text = format!("{x},{y}");
        let found = parse_xy(&text, size);
        (format!("({text})"), found)
    };
    found.map_err(|error| invalid(format!("{text}: {error} of {size} cells")))
}

/// Reads cells of any iterable.
pub(crate) fn cells_of(values: &Bound<'_, PyAny>, size: Size) -> PyResult<Vec<Point>> {
    values.try_iter()?.map(|value| cell_of(&value?, size)).collect()
}

/// Returns a cell as a `tengen.Point`.
pub(crate) fn point<'py>(py: Python<'py>, point: Point) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "tengen._point", "Point")?.call1((point.x(), point.y()))
}

/// Returns cells as a list of `tengen.Point`.
pub(crate) fn points<'py>(
    py: Python<'py>,
    cells: impl IntoIterator<Item = Point>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    cells.into_iter().map(|cell| point(py, cell)).collect()
}

/// Returns the name of a colour.
pub(crate) const fn color_name(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

/// Reads the name of a colour.
pub(crate) fn color_of(name: &str) -> PyResult<Color> {
    let named = |color: &Color| color_name(*color) == name;
    let found = Color::ALL.into_iter().find(named);
    found.ok_or_else(|| invalid(format!("{name:?}: the colours are black, white")))
}

/// Reads a time in seconds.
pub(crate) fn seconds_of(seconds: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| invalid(format!("seconds = {seconds}: a time from 0 on is needed")))
}

/// Does work on a thread with a stack of its own, while other threads of Python run, and returns its result.
///
/// # Errors
///
/// Returns what a signal raises, such as `KeyboardInterrupt`, after the work has ended as it was asked to, and a
/// `RuntimeError` if it panicked.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    stack_bytes: usize,
    work: impl FnOnce(&Stop) -> T + Send,
) -> PyResult<T> {
    let stop = Stop::new();
    let mut interrupt = None;
    let (done, inbox) = bounded(1);
    let worker = thread::Builder::new().stack_size(stack_bytes);
    let result = thread::scope(|scope| {
        let of_worker = &stop;
        let begun = worker.spawn_scoped(scope, move || {
            let _ = done.send(panics::catch(|| work(of_worker)));
        });
        begun.map_err(|error| PyRuntimeError::new_err(format!("no thread can be had: {error}")))?;
        loop {
            match py.detach(|| inbox.recv_timeout(POLL)) {
                Ok(result) => return result.map_err(fault),
                Err(RecvTimeoutError::Timeout) if interrupt.is_none() => {
                    interrupt = py.check_signals().err();
                    interrupt.iter().for_each(|_| stop.request());
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(fault("a thread has gone")),
            }
        }
    });
    interrupt.map_or(result, Err)
}
