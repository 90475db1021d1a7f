//! Files that keep the games that were assessed.
//!
//! The first line of a journal says of which games it is and how they are assessed; every other
//! line is a game. Each has a checksum. The part of a line that an interrupted run leaves is dropped.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::assess::{AssessedGame, Assessment, Candidate, Proven, ReviewTask};
use super::engine::Effort;
use crate::explain::WinMeans;
use tengen_core::eval::WinDrawLoss;
use tengen_core::notation::{Moves, parse_moves};
use tengen_core::sys::memory::AllocError;
use tengen_core::types::{Color, Point};
use tengen_files::certificates::{read_attack, write_attack};
use tengen_files::resume::with_sum;
use tengen_files::resume::{AppendLog, Differences, FileError, LockedFile, WholeLines};
use tengen_files::work::ThreadError;

/// The version of the format.
const FORMAT: u32 = 3;

/// The text with which every journal begins.
const BEGINNING: &str = "{\"tengen_review\":";

/// The reason why games can't be reviewed, or not be kept.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// A file failed, or a line of it is wrong.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file is something else.
    #[error("{} is not a journal of a review", .0.display())]
    NotAJournal(PathBuf),
    /// The journal was begun with other options or games.
    #[error("{} was begun with other options: {differences}", .path.display())]
    Different {
        /// The journal.
        path: PathBuf,
        /// The difference.
        differences: Differences,
    },
    /// A result can't be written to where it goes, if that is not a file of ours.
    #[error("cannot write the review")]
    Output(#[source] std::io::Error),
    /// The memory of a search can't be had.
    #[error("cannot make a table")]
    Memory(#[from] AllocError),
    /// A thread could not be started.
    #[error(transparent)]
    Thread(#[from] ThreadError),
}

/// The settings that assessments depend on, apart from the games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReviewOptions {
    /// The effort for a position.
    pub effort: Effort,
    /// The size of the tables of search and prover each, in mebibytes.
    pub hash: u32,
}

impl ReviewOptions {
    /// Returns what a journal of these options and games has to agree with, by name.
    fn fields(self, tasks: &[ReviewTask]) -> Vec<(String, String)> {
        let mut hasher = crc32fast::Hasher::new();
        for task in tasks {
            let text = format!("{} {} {};", task.rule(), task.size(), Moves(task.moves()));
            hasher.update(text.as_bytes());
            let start = task.start();
            if start.empty_cells() < start.size().area() || task.to_move_after(0) == Color::White {
                hasher.update(format!("{} {:?};", task.to_move_after(0), start).as_bytes());
            }
            // Moves of the book are compared with no others.
            let book = task.book().min(task.moves().len());
            if book > 0 {
                hasher.update(format!("book {book};").as_bytes());
            }
        }
        let effort = match self.effort {
            Effort::Nodes(nodes) => ("nodes", nodes.to_string()),
            Effort::Time(time) => ("time", format!("{} ms", time.as_millis())),
        };
        let fields = [
            ("version", env!("CARGO_PKG_VERSION").to_owned()),
            effort,
            ("hash", self.hash.to_string()),
            ("games", tasks.len().to_string()),
            ("checksum", format!("{:08x}", hasher.finalize())),
        ];
        fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

/// The first line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReviewHead {
    tengen_review: u32,
    options: Vec<(String, String)>,
}

/// The line of a game.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReviewLine {
    /// The number of the game, counted from 1.
    game: u64,
    positions: Vec<PositionPart>,
}

/// Knowledge about a position.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PositionPart {
    /// The chances of the side to move to win, to draw and to lose.
    chances: [f64; 3],
    #[serde(default, skip_serializing_if = "Option::is_none")]
    proven: Option<ProvenPart>,
    line: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    candidates: Vec<CandidatePart>,
    /// The list of nodes of a certificate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    attack: Option<Box<RawValue>>,
}

/// Another move than the best.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CandidatePart {
    chances: [f64; 3],
    #[serde(default, skip_serializing_if = "Option::is_none")]
    proven: Option<ProvenPart>,
    line: String,
}

/// A proof.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProvenPart {
    winner: SidePart,
    plies: u16,
    means: MeansPart,
}

/// A side.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum SidePart {
    Black,
    White,
}

/// The kind of a win.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum MeansPart {
    Fours,
    Threats,
    Any,
}

impl ProvenPart {
    fn of(proven: Proven) -> ProvenPart {
        ProvenPart {
            winner: match proven.winner {
                Color::Black => SidePart::Black,
                Color::White => SidePart::White,
            },
            plies: proven.plies,
            means: match proven.means {
                WinMeans::Fours => MeansPart::Fours,
                WinMeans::Threats => MeansPart::Threats,
                WinMeans::Any => MeansPart::Any,
            },
        }
    }

    fn read(self) -> Proven {
        Proven {
            winner: match self.winner {
                SidePart::Black => Color::Black,
                SidePart::White => Color::White,
            },
            plies: self.plies,
            means: match self.means {
                MeansPart::Fours => WinMeans::Fours,
                MeansPart::Threats => WinMeans::Threats,
                MeansPart::Any => WinMeans::Any,
            },
        }
    }
}

impl CandidatePart {
    fn of(candidate: &Candidate) -> CandidatePart {
        CandidatePart {
            chances: shares(candidate.chances),
            proven: candidate.proven.map(ProvenPart::of),
            line: Moves(&candidate.line).to_string(),
        }
    }

    fn read(self, task: &ReviewTask, played: usize) -> Result<Candidate, String> {
        let line = line_of(&self.line, task, played)?;
        if line.is_empty() {
            return Err("a candidate without its move".to_owned());
        }
        let chances = chances_of(self.chances)?;
        Ok(Candidate { line, chances, proven: self.proven.map(ProvenPart::read) })
    }
}

impl PositionPart {
    fn of(assessment: &Assessment) -> PositionPart {
        let attack = assessment.attack.as_deref().map(write_attack);
        PositionPart {
            chances: shares(assessment.chances),
            proven: assessment.proven.map(ProvenPart::of),
            line: Moves(&assessment.line).to_string(),
            candidates: assessment.candidates.iter().map(CandidatePart::of).collect(),
            // The output is JSON.
            attack: attack.and_then(|text| RawValue::from_string(text).ok()),
        }
    }

    /// Returns the assessment of a position after some moves of a game, or what is wrong.
    fn read(self, task: &ReviewTask, played: usize) -> Result<Assessment, String> {
        let chances = chances_of(self.chances)?;
        let proven = self.proven.map(ProvenPart::read);
        let line = line_of(&self.line, task, played)?;
        if line.is_empty() && played < task.moves().len() {
            return Err("no best move".to_owned());
        }
        let read = |part: CandidatePart| part.read(task, played);
        let candidates = self.candidates.into_iter().map(read).collect::<Result<_, _>>()?;
        let attack = self.attack.map(|text| read_attack(text.get(), task.size()));
        let attack = attack.transpose().map_err(|error| format!("no proof: {}", error.expected))?;
        let is_won = proven.is_some_and(|p| p.winner == task.to_move_after(played));
        if attack.is_some() && !is_won {
            return Err("an attack without a proven win".to_owned());
        }
        let attack = attack.map(Arc::new);
        Ok(Assessment { proven, candidates, attack, ..Assessment::of_chances(chances, line) })
    }
}

fn shares(chances: WinDrawLoss) -> [f64; 3] {
    [chances.win, chances.draw, chances.loss]
}

/// Returns chances that are written as shares, or what is wrong with them.
fn chances_of(shares: [f64; 3]) -> Result<WinDrawLoss, String> {
    let [win, draw, loss] = shares;
    let is_share = |share: &f64| (0.0..=1.0).contains(share);
    if !shares.iter().all(is_share) || (win + draw + loss - 1.0).abs() > 1e-6 {
        return Err("chances that do not add up to 1".to_owned());
    }
    Ok(WinDrawLoss { win, draw, loss })
}

/// Returns the line of a position after some moves of a game, or what is wrong with it.
fn line_of(text: &str, task: &ReviewTask, played: usize) -> Result<Vec<Point>, String> {
    let line = parse_moves(text, task.size()).map_err(|error| format!("no line: {error}"))?;
    let is_taken =
        |point: &Point| !task.start().is_empty(*point) || task.moves()[..played].contains(point);
    if line.iter().any(is_taken) {
        return Err("a line over stones".to_owned());
    }
    Ok(line)
}

/// A file to which games are added as they are assessed.
///
/// Nobody else can open it in the meantime. What is added has reached the system when the call
/// returns, and the disk about a second later, or when this is dropped.
#[derive(Debug)]
pub struct ReviewJournal {
    log: AppendLog,
}

impl ReviewJournal {
    /// Opens the journal of these games and options, new or begun by an earlier run, and returns
    /// the games that are in it by their index.
    ///
    /// # Errors
    ///
    /// Returns an error, and changes nothing, if the journal is in use, of something else, or
    /// damaged in another way than by a last line without an end.
    pub fn open(
        path: &Path,
        options: ReviewOptions,
        tasks: &[ReviewTask],
    ) -> Result<(ReviewJournal, BTreeMap<u64, AssessedGame>), ReviewError> {
        let file = LockedFile::open(path)?;
        let now = options.fields(tasks);
        let head = ReviewHead { tengen_review: FORMAT, options: now.clone() };
        let head = line_text(&head);
        let mut lines = WholeLines::new(path, file.file())?;
        let mut games = BTreeMap::new();
        let mut is_begun = false;
        loop {
            let text = match lines.next_summed() {
                Ok(Some(text)) => text,
                Ok(None) => break,
                // Of a file that is something else nothing more needs to be said.
                Err(FileError::BadLine { line: 1, .. }) => {
                    return Err(ReviewError::NotAJournal(path.to_owned()));
                }
                Err(error) => return Err(error.into()),
            };
            if is_begun {
                let (index, game) = read_game(&text, tasks).map_err(|fault| lines.bad(fault))?;
                games.insert(index, game);
                continue;
            }
            if !text.starts_with(BEGINNING) {
                return Err(ReviewError::NotAJournal(path.to_owned()));
            }
            let begun = read_head(&text).map_err(|fault| lines.bad(fault))?;
            let differences = Differences::between(begun, now.clone());
            if !differences.is_empty() {
                return Err(ReviewError::Different { path: path.to_owned(), differences });
            }
            is_begun = true;
        }
        if !is_begun && !head.as_bytes().starts_with(lines.torn()) {
            return Err(ReviewError::NotAJournal(path.to_owned()));
        }
        let whole = lines.whole();
        let log = file.resume(whole, head.as_bytes())?;
        Ok((ReviewJournal { log }, games))
    }

    /// Adds a game that was assessed to its beginning.
    ///
    /// # Errors
    ///
    /// Returns an error if it can't be written, or if another program has changed the file.
    pub fn append(&mut self, index: u64, game: &AssessedGame) -> Result<(), ReviewError> {
        debug_assert!(game.is_complete(), "a part of a game has no place in a journal");
        let positions = game.positions.iter().map(PositionPart::of).collect();
        let line = line_text(&ReviewLine { game: index + 1, positions });
        Ok(self.log.append(line.as_bytes())?)
    }

    /// Brings everything to the disk, and closes the file.
    ///
    /// # Errors
    ///
    /// Returns an error if something may not have reached the disk.
    pub fn close(self) -> Result<(), ReviewError> {
        Ok(self.log.close()?)
    }
}

fn line_text(value: &impl Serialize) -> String {
    // Texts, numbers and lists of them always have a form.
    with_sum(&serde_json::to_string(value).unwrap_or_default()) + "\n"
}

fn read_head(text: &str) -> Result<Vec<(String, String)>, String> {
    let head: ReviewHead = serde_json::from_str(text).map_err(|error| error.to_string())?;
    match head.tengen_review {
        FORMAT => Ok(head.options),
        earlier if earlier < FORMAT => Err(format!(
            "version {earlier} of the format, by an earlier tengen, which compared moves in another \
             way: a review begins with another file"
        )),
        other => Err(format!("version {other} of the format is not known")),
    }
}

fn read_game(text: &str, tasks: &[ReviewTask]) -> Result<(u64, AssessedGame), String> {
    let line: ReviewLine = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let index = line.game.checked_sub(1).ok_or("games count from 1")?;
    let task = usize::try_from(index).ok().and_then(|index| tasks.get(index));
    let task = task.ok_or_else(|| format!("there is no game {}", line.game))?;
    if line.positions.len() != task.positions() {
        return Err(format!("game {} has {} positions", line.game, task.positions()));
    }
    let positions = line.positions.into_iter().enumerate();
    let positions: Result<_, String> =
        positions.map(|(played, part)| part.read(task, played)).collect();
    Ok((index, AssessedGame { first: 0, positions: positions? }))
}

#[cfg(test)]
mod tests;
