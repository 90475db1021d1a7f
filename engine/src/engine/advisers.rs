//! The advisers of the searcher: the sources of an answer, asked in turn until one has it.

use super::book::{BookValue, OpeningBook};
use super::level::LevelAdviser;
use super::opening_choice::OpeningAdviser;
use super::question::AdviserQuestion;
use super::searches::Searches;
use super::{Answer, EventKind, Task};
use tengen_core::board::Board;
use tengen_core::position::Position;
use tengen_core::search::{Options, Report, SearchResult, Variation};
use tengen_core::types::{Point, ScoreKind};

/// A source of answers.
pub(super) trait Adviser {
    /// Returns the answer to a question, if this one has an answer.
    fn advise(&mut self, question: &AdviserQuestion<'_>, searches: &mut Searches)
    -> Option<Answer>;
}

/// All advisers, in the order in which they are asked.
#[derive(Default)]
pub(super) struct Advisers {
    known_moves: KnownMoveAdviser,
    book: BookAdviser,
    level: LevelAdviser,
    opening: OpeningAdviser,
    search: SearchAdviser,
}

impl Advisers {
    /// Returns the advisers in the order in which they are asked.
    pub(super) fn in_turn(&mut self) -> [&mut dyn Adviser; 5] {
        [
            &mut self.known_moves,
            &mut self.book,
            &mut self.level,
            &mut self.opening,
            &mut self.search,
        ]
    }

    /// Opens games from a book from now on, or from none; returns the one before.
    pub(super) fn set_book(&mut self, book: Option<OpeningBook>) -> Option<OpeningBook> {
        std::mem::replace(&mut self.book.0, book)
    }

    /// Returns whether there is a book.
    pub(super) fn has_book(&self) -> bool {
        self.book.0.is_some()
    }

    /// Forgets earlier games.
    pub(super) fn forget(&mut self) {
        self.search = SearchAdviser::default();
    }
}

/// Plays what a database has marked, or knows to win.
#[derive(Default)]
struct KnownMoveAdviser;

impl Adviser for KnownMoveAdviser {
    fn advise(
        &mut self,
        question: &AdviserQuestion<'_>,
        searches: &mut Searches,
    ) -> Option<Answer> {
        let job = question.job;
        // A level below the full one has to find its moves itself.
        if !job.is_plain() || job.plays_weakly() {
            return None;
        }
        if let Some(known) = question.known_moves.marked() {
            return Some(Answer::Moves(vec![known.point]));
        }
        let (best, score) = question.known_moves.win()?;
        let line = vec![best];
        let result = SearchResult { best, score, depth: 1, line, nodes: 0, finished: None };
        searches.send_finding(question, &result);
        Some(Answer::Moves(vec![best]))
    }
}

/// Answers from a book, if there is one.
#[derive(Default)]
struct BookAdviser(Option<OpeningBook>);

impl Adviser for BookAdviser {
    fn advise(
        &mut self,
        question: &AdviserQuestion<'_>,
        searches: &mut Searches,
    ) -> Option<Answer> {
        let job = question.job;
        let is_asked = job.scope.book || matches!(job.task, Task::Balance(_));
        // A book knows nothing of moves that a database says to leave out.
        let is_free = job.is_plain() && question.blocks.is_none();
        let book = self.0.as_ref().filter(|_| is_asked && is_free)?;
        if !job.level().is_full() {
            return None;
        }
        let mut position = question.position.clone();
        match book.answer(job, &mut position, question.lots()) {
            Ok(Some((answer, told))) => {
                if let (Some(value), Some(_)) = (told.value, told.moves.first()) {
                    let pv: Vec<Point> = told.moves.iter().copied().chain(told.reply).collect();
                    let BookValue { score, depth } = value;
                    let line = Variation { depth, seldepth: depth, score, pv };
                    let report = Report {
                        nodes: 0,
                        elapsed: question.control.elapsed(),
                        lines: vec![line],
                        win_model: searches.win_model(&position),
                    };
                    searches.send(job.id, EventKind::Report(report));
                }
                searches.send(job.id, EventKind::Book(Ok(told)));
                Some(answer)
            }
            Ok(None) => None,
            Err(error) => {
                searches.send(job.id, EventKind::Book(Err(error.to_string())));
                self.0 = None;
                None
            }
        }
    }
}

/// Searches for the answer.
#[derive(Default)]
struct SearchAdviser {
    /// The wins that the last moves lead to, the latest last.
    promises: Vec<Promise>,
}

impl Adviser for SearchAdviser {
    fn advise(
        &mut self,
        question: &AdviserQuestion<'_>,
        searches: &mut Searches,
    ) -> Option<Answer> {
        let job = question.job;
        if let Task::Balance(task) = job.task {
            let balance = searches.balance(question, task)?;
            return Some(Answer::Moves(balance.moves));
        }
        let options = question.options();
        let board = question.position.board();
        let promised = self.promises.iter().rev().find_map(|promise| promise.plies_at(board));
        // With excluded moves the win may be out of reach.
        let is_free = options.lines == 1 && question.blocks.is_none();
        let answer_at_once = options.lines == 1 && !job.analysis;
        let options = Options { answer_at_once, promised: promised.filter(|_| is_free), ..options };
        let result = searches.search(question, question.whole(options), true, |_| {})?;
        self.promise(&question.position, &result);
        if is_free {
            searches.send_finding(question, &result);
        }
        Some(Answer::Moves(vec![result.best]))
    }
}

impl SearchAdviser {
    /// Remembers the length of the win that a move leads to.
    fn promise(&mut self, position: &Position, result: &SearchResult) {
        /// More than one, because a search on the opponent's time may be wasted.
        const REMEMBERED: usize = 4;
        if let ScoreKind::Win(plies @ 3..) = result.score.kind() {
            let mut board = position.board().clone();
            board.place(result.best, position.to_move());
            if self.promises.len() == REMEMBERED {
                self.promises.remove(0);
            }
            self.promises.push(Promise { board, plies: plies - 2 });
        }
    }
}

/// A win that was found, after its first move was played.
struct Promise {
    /// The board after the move.
    board: Board,
    /// The length of the win after the opponent's reply, in plies.
    plies: u16,
}

impl Promise {
    /// Returns the length of the win if the board is the one after a single reply.
    fn plies_at(&self, board: &Board) -> Option<u16> {
        let follows = board.size() == self.board.size()
            && board.empty_cells() + 1 == self.board.empty_cells()
            && board.size().points().all(|point| {
                self.board.is_empty(point) || self.board.cell(point) == board.cell(point)
            });
        follows.then_some(self.plies)
    }
}
