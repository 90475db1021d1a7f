//! Records of games: the classes `Record` and `RecordedMove`, read and written in all formats.

use std::io::Write;
use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use tengen_core::rules::Rule;
use tengen_core::sys::files;
use tengen_core::types::{Color, Point};
use tengen_files::records::{
    Format, GameResult, GameStream, Known, Move, MoveKind, MoverSearch, ReadError, ReadGame,
    Reason, Record, fitting_size, losses, write_file,
};

use crate::border::{Whole, color_name, color_of, invalid, parsed, point, seconds_of, size_of};
use crate::game::PyBoard;

/// A game as files hold it. Unknown texts are empty. What a file says beyond this, such as variations and
/// marks, is kept, and written again if the format holds it.
///
/// Made of a board, it has the result of the game if that is over. ``black`` and ``white`` are the players.
#[pyclass(name = "Record", module = "tengen")]
pub(crate) struct PyRecord {
    record: Record,
    /// What was odd in the file of the record, and how it was read.
    #[pyo3(get)]
    warnings: Vec<String>,
}

#[pymethods]
impl PyRecord {
    #[new]
    #[pyo3(signature = (board, *, black="", white="", event="", round="", date="", comment=""))]
    fn new(
        board: &PyBoard,
        black: &str,
        white: &str,
        event: &str,
        round: &str,
        date: &str,
        comment: &str,
    ) -> PyRecord {
        let mut record = Record::of_game(&board.game);
        record.players[Color::Black] = black.to_owned();
        record.players[Color::White] = white.to_owned();
        let texts = [
            (&mut record.event, event),
            (&mut record.round, round),
            (&mut record.date, date),
            (&mut record.comment, comment),
        ];
        texts.into_iter().for_each(|(field, text)| *field = text.to_owned());
        PyRecord { record, warnings: Vec::new() }
    }

    /// The columns and the rows of the board.
    #[getter]
    fn size(&self) -> (u8, u8) {
        self.record.size.into()
    }

    /// The rule, if it is known.
    #[getter]
    fn rule(&self) -> Option<&'static str> {
        self.record.rule.map(Rule::name)
    }

    #[setter]
    fn set_rule(&mut self, rule: Option<&str>) -> PyResult<()> {
        self.record.rule = rule.map(parsed).transpose()?;
        Ok(())
    }

    /// The name of the player of the black stones.
    #[getter]
    fn black(&self) -> &str {
        &self.record.players[Color::Black]
    }

    #[setter]
    fn set_black(&mut self, name: String) {
        self.record.players[Color::Black] = name;
    }

    /// The name of the player of the white stones.
    #[getter]
    fn white(&self) -> &str {
        &self.record.players[Color::White]
    }

    #[setter]
    fn set_white(&mut self, name: String) {
        self.record.players[Color::White] = name;
    }

    /// The match or tournament.
    #[getter]
    fn event(&self) -> &str {
        &self.record.event
    }

    #[setter]
    fn set_event(&mut self, text: String) {
        self.record.event = text;
    }

    /// The round, as in ``3.1``.
    #[getter]
    fn round(&self) -> &str {
        &self.record.round
    }

    #[setter]
    fn set_round(&mut self, text: String) {
        self.record.round = text;
    }

    /// The beginning, as in ``2025-04-30`` or ``2025-04-30 18:00:00``.
    #[getter]
    fn date(&self) -> &str {
        &self.record.date
    }

    #[setter]
    fn set_date(&mut self, text: String) {
        self.record.date = text;
    }

    /// A comment on the game.
    #[getter]
    fn comment(&self) -> &str {
        &self.record.comment
    }

    #[setter]
    fn set_comment(&mut self, text: String) {
        self.record.comment = text;
    }

    /// ``black``, ``white`` (has won) or ``draw``; ``None`` if it is not known.
    #[getter]
    fn result(&self) -> Option<&'static str> {
        self.record.result.map(|result| match result {
            GameResult::Win(color) => color_name(color),
            GameResult::Draw => DRAW,
        })
    }

    #[setter]
    fn set_result(&mut self, result: Option<&str>) -> PyResult<()> {
        let result_of = |name: &str| match name {
            DRAW => Ok(GameResult::Draw),
            name => color_of(name).map(GameResult::Win),
        };
        self.record.result = result.map(result_of).transpose()?;
        Ok(())
    }

    /// Why the game ended: as :attr:`Board.reason`, or ``resignation``, ``time``, ``illegal``, ``crash``,
    /// ``adjudication``, ``forfeit``, ``rules`` or other words; ``None`` if it is not known.
    #[getter]
    fn reason(&self) -> Option<&str> {
        self.record.reason.as_ref().map(Reason::name)
    }

    #[setter]
    fn set_reason(&mut self, reason: Option<&str>) {
        self.record.reason = reason.map(Reason::from_name);
    }

    /// The number of first moves that were given to the players.
    #[getter]
    fn opening(&self) -> usize {
        self.record.opening
    }

    /// The moves in playing order, as they are now: a copy.
    #[getter]
    fn moves(&self) -> Vec<PyRecordedMove> {
        self.record.moves.iter().map(PyRecordedMove::of).collect()
    }

    /// Gives a move remarks; ``number`` counts from 1, and what is not named stays as it is.
    ///
    /// Raises :class:`ValueError` if there is no such move.
    #[pyo3(signature = (number, *, comment=None, seconds=None, score=None, depth=None, nodes=None))]
    fn annotate(
        &mut self,
        number: Whole,
        comment: Option<String>,
        seconds: Option<f64>,
        score: Option<Whole>,
        depth: Option<Whole>,
        nodes: Option<Whole>,
    ) -> PyResult<()> {
        let time = seconds.map(seconds_of).transpose()?;
        let score = score.map(|score| score.at_least(i64::from(i32::MIN), "score")).transpose()?;
        let depth = depth.map(|depth| depth.at_least(0, "depth")).transpose()?;
        let nodes = nodes.map(|nodes| nodes.at_least(0, "nodes")).transpose()?;
        let number = self.counted(number, 1)?;
        let found = &mut self.record.moves[number - 1];
        let old = found.search();
        found.set_search(MoverSearch {
            time: time.map(|time| time.as_millis() as u64).or(old.time),
            score: score.or(old.score),
            depth: depth.or(old.depth),
            nodes: nodes.or(old.nodes),
        });
        if let Some(comment) = comment {
            found.set_comment(comment);
        }
        Ok(())
    }

    /// Returns the game after its first moves, ``after`` of them or all. ``rule`` counts if the record has
    /// none.
    ///
    /// Raises :class:`ValueError` if there are fewer moves, or if one cannot be played by the rule.
    #[pyo3(signature = (after=None, *, rule="freestyle"))]
    fn board(&self, after: Option<Whole>, rule: &str) -> PyResult<PyBoard> {
        let all = self.record.moves.len();
        let after = after.map_or(Ok(all), |after| self.counted(after, 0))?;
        let game = self.record.game_after(after, parsed(rule)?).map_err(invalid)?;
        Ok(PyBoard { game })
    }

    /// Returns the record as a file of a format of :func:`read_records`; ``number`` is the number of the game
    /// in its file.
    ///
    /// Raises :class:`ValueError` if the format cannot hold the game at all.
    #[pyo3(
        signature = (format, *, number=Whole(1)),
        text_signature = "($self, format, *, number=1)"
    )]
    fn to_bytes(
        slf: PyRef<'_, Self>,
        py: Python<'_>,
        format: &str,
        number: Whole,
    ) -> PyResult<Vec<u8>> {
        let format: Format = parsed(format)?;
        let number = number.at_least(1, "number")?;
        let record = slf.record.clone();
        drop(slf);
        py.detach(|| write_file(&record, format, number, None)).map_err(invalid)
    }

    /// Returns what a format cannot hold of the record, such as ``the names``.
    ///
    /// Raises :class:`ValueError` if the format cannot hold the game at all.
    fn losses(slf: PyRef<'_, Self>, py: Python<'_>, format: &str) -> PyResult<Vec<&'static str>> {
        let format: Format = parsed(format)?;
        let record = slf.record.clone();
        drop(slf);
        py.detach(|| losses(&record, format)).map_err(invalid)
    }

    fn __eq__(&self, other: &PyRecord) -> bool {
        self.record == other.record
    }

    fn __repr__(&self) -> String {
        let (moves, result) = (self.record.moves.len(), self.result().unwrap_or("no result"));
        format!("<Record {:?} - {:?}, {moves} moves, {result}>", self.black(), self.white())
    }
}

impl PyRecord {
    /// Returns the number of a move, which is `least` or more.
    fn counted(&self, number: Whole, least: i64) -> PyResult<usize> {
        let most = self.record.moves.len();
        let found = number.at_least(least, "the number of the move").ok();
        let found = found.filter(|&found| found <= most);
        let Whole(number) = number;
        found.ok_or_else(|| invalid(format!("there is no move {number}: the game has {most}")))
    }
}

/// The result of a game that nobody has won.
const DRAW: &str = "draw";

/// A move of a record.
#[pyclass(name = "RecordedMove", module = "tengen", frozen)]
pub(crate) struct PyRecordedMove {
    kind: MoveKind,
    /// The player; where the position is changed, who is not to move then.
    #[pyo3(get)]
    color: &'static str,
    /// The comment; empty if there is none.
    #[pyo3(get)]
    comment: String,
    search: MoverSearch,
}

#[pymethods]
impl PyRecordedMove {
    /// The cell of the stone; ``None`` for a pass or a change of the position.
    #[getter]
    fn point<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.cell().map(|cell| point(py, cell)).transpose()
    }

    /// Whether it is a pass.
    #[getter]
    fn is_pass(&self) -> bool {
        self.kind == MoveKind::Pass
    }

    /// The player's thinking time, if it is known.
    #[getter]
    fn seconds(&self) -> Option<f64> {
        self.search.time.map(|time| time as f64 / 1000.0)
    }

    /// The player's own score of the position, in the units of its evaluation.
    #[getter]
    fn score(&self) -> Option<i32> {
        self.search.score
    }

    /// The depth of the player's search in plies.
    #[getter]
    fn depth(&self) -> Option<u32> {
        self.search.depth
    }

    /// The number of nodes of the player's search.
    #[getter]
    fn nodes(&self) -> Option<u64> {
        self.search.nodes
    }

    fn __repr__(&self) -> String {
        let what = match self.kind {
            MoveKind::Stone(cell) => cell.to_string(),
            MoveKind::Pass => "pass".to_owned(),
            MoveKind::SetUp => "change of the position".to_owned(),
        };
        format!("<RecordedMove {} {what}>", self.color)
    }
}

impl PyRecordedMove {
    fn of(m: &Move) -> PyRecordedMove {
        PyRecordedMove {
            kind: m.kind,
            color: color_name(m.color),
            comment: m.comment().to_owned(),
            search: m.search(),
        }
    }

    const fn cell(&self) -> Option<Point> {
        match self.kind {
            MoveKind::Stone(cell) => Some(cell),
            MoveKind::Pass | MoveKind::SetUp => None,
        }
    }
}

/// Returns the format to write a file in, and whether its files can hold more than one game.
#[pyfunction]
#[pyo3(signature = (path, format=None))]
pub(crate) fn format_to_write(
    path: PathBuf,
    format: Option<&str>,
) -> PyResult<(&'static str, bool)> {
    let format = match format {
        Some(format) => parsed(format)?,
        None => Format::of_path(&path).ok_or_else(|| {
            invalid(format!("{}: its extension is no format: name one", path.display()))
        })?,
    };
    Ok((format.name(), format.holds_many()))
}

/// Puts a file with this content in the place of another, or where none was: the whole or nothing.
#[pyfunction]
pub(crate) fn replace_file(py: Python<'_>, path: PathBuf, data: &[u8]) -> PyResult<()> {
    py.detach(|| files::replace_file(&path, |file| file.write_all(data)))?;
    Ok(())
}

/// Reads the games of a file that is in memory; `name` is for what its extension tells.
#[pyfunction]
#[pyo3(signature = (data, *, format=None, name=None, size=None, rule=None))]
pub(crate) fn read_records(
    py: Python<'_>,
    data: &[u8],
    format: Option<&str>,
    name: Option<PathBuf>,
    size: Option<&Bound<'_, PyAny>>,
    rule: Option<&str>,
) -> PyResult<Vec<PyRecord>> {
    let name = name.as_deref();
    let by_name = || name.and_then(Format::of_path);
    let format = match format {
        Some(format) => parsed(format)?,
        None => by_name().or_else(|| Format::detect(data)).ok_or_else(|| {
            let name = name.unwrap_or(Path::new("the data")).display();
            invalid(format!("cannot tell the format of {name}: name it"))
        })?,
    };
    let (size, rule) = (size.map(size_of).transpose()?, rule.map(parsed).transpose()?);
    let known = Known { size, rule, page: None };
    let read = py.detach(|| read_all(data, format, known, name));
    let records = read.map_err(invalid)?.into_iter().map(|ReadGame { record, warnings }| {
        PyRecord { record, warnings: warnings.iter().map(ToString::to_string).collect() }
    });
    Ok(records.collect())
}

fn read_all(
    data: &[u8],
    format: Format,
    mut known: Known,
    name: Option<&Path>,
) -> Result<Vec<ReadGame>, ReadError> {
    if !format.tells_size() && known.size.is_none() {
        known.size = Some(fitting_size(data, format)?);
    }
    let games: Result<_, ReadError> = GameStream::new(data, format, known)?.collect();
    games.map_err(|error| match name {
        Some(name) => error.in_file(name),
        None => error,
    })
}
