//! Requests of a session to its engine, and the use of the answers.

use std::time::Duration;

use super::{PlayResult, PlaySession};
use crate::play::notice::Judgement;
use crate::play::thinking::{EngineWork, ThinkingTask};
use crate::play::{Controller, Hint, PlayFault, PlayNotice, accepts_draw};
use tengen_core::eval::WinDrawLoss;
use tengen_core::search::Report;
use tengen_core::sys::clock::Clock;
use tengen_core::types::Point;
use tengen_engine::engine::{Answer, Event, EventKind, Job, JobEnd, Scope, Skill, Task, Thinker};
use tengen_files::records::{GameResult, Move, MoverSearch, Reason};

impl<T: Thinker, C: Clock> PlaySession<T, C> {
    /// Stops the engine: its move is not played, and it waits; a hint is given as far as it is
    /// known; a draw is declined.
    ///
    /// # Errors
    ///
    /// Returns an error if it is not thinking.
    pub fn stop(&mut self) -> PlayResult {
        let work = self.work.drop_work().ok_or(PlayFault::NotThinking)?;
        let EngineWork { task, by, report, .. } = work;
        self.halt(by);
        Ok(match task {
            ThinkingTask::Hint => {
                self.hint_of(report.as_ref(), None).into_iter().map(PlayNotice::Hint).collect()
            }
            ThinkingTask::Draw(color) => vec![PlayNotice::DrawDeclined(color)],
            ThinkingTask::Advice => Vec::new(),
            ThinkingTask::Move | ThinkingTask::Choice => {
                self.is_waiting = true;
                self.is_saved = false;
                vec![PlayNotice::EngineWaits]
            }
        })
    }

    /// Returns what the engine, which is at work, thinks of the position until now.
    #[must_use]
    pub fn outlook(&self) -> Option<Hint> {
        self.work.work().and_then(|work| self.hint_of(work.report.as_ref(), None))
    }

    /// Takes an event of the engine.
    pub fn event(&mut self, event: Event) -> Vec<PlayNotice> {
        match event.kind {
            EventKind::Report(new) => {
                if let Some(work) = self.work.worked_at(event.id) {
                    work.report = Some(new);
                }
            }
            EventKind::Done(answer) => match self.work.finish(event.id) {
                Some(JobEnd::Answered(work)) => {
                    return self.answered(work.task, work.report, answer);
                }
                Some(JobEnd::Late(Some(next))) => self.begin(next.task),
                Some(JobEnd::Late(None)) | None => {}
            },
            EventKind::Fault(text) => return vec![PlayNotice::EngineFault(text)],
            _ => {}
        }
        Vec::new()
    }

    /// Takes the answer to a question.
    fn answered(
        &mut self,
        task: ThinkingTask,
        report: Option<Report>,
        answer: Answer,
    ) -> Vec<PlayNotice> {
        let best = match &answer {
            Answer::Moves(points) => points.first().copied(),
            _ => None,
        };
        let mut notices = match task {
            ThinkingTask::Move => return self.engine_moves(best, report.as_ref()),
            ThinkingTask::Choice => return self.engine_chooses(&answer),
            ThinkingTask::Advice => self.advice_of(&answer),
            ThinkingTask::Hint => match self.hint_of(report.as_ref(), best) {
                Some(hint) => vec![PlayNotice::Hint(hint)],
                None => vec![PlayNotice::NoMove],
            },
            ThinkingTask::Draw(color) => {
                let judged = report.as_ref().and_then(Judgement::of);
                let mut chances = judged.map(|(judgement, _)| judgement.chances);
                if color != self.game.to_move() {
                    chances = chances.map(WinDrawLoss::of_opponent);
                }
                if accepts_draw(self.game.stones(), chances) {
                    return self.agree_to_draw();
                }
                vec![PlayNotice::DrawDeclined(color)]
            }
        };
        // The clock may have run out meanwhile.
        notices.extend(self.tick());
        notices
    }

    /// Plays the engine's move.
    fn engine_moves(&mut self, best: Option<Point>, report: Option<&Report>) -> Vec<PlayNotice> {
        let (color, used) = (self.game.to_move(), self.used());
        if self.is_late(ThinkingTask::Move) {
            self.game.finish(GameResult::Win(!color), Reason::Time);
            return self.proceed(Vec::new());
        }
        let judged = report.and_then(Judgement::of).map(|(judgement, _)| judgement);
        let before = self.game.moves().len();
        let played = best.map(|point| {
            let search = MoverSearch {
                time: Some(used),
                score: judged.map(|judgement| judgement.score.raw()),
                depth: judged.map(|judgement| judgement.depth),
                nodes: judged.map(|judgement| judgement.nodes),
            };
            self.game.play(Move::new(point, color).with_search(search)).map(|()| point)
        });
        let Some(Ok(point)) = played else {
            self.is_waiting = true;
            self.is_saved = false;
            return vec![PlayNotice::NoMove];
        };
        self.timed_from = self.timed_from.min(before);
        self.begin_turn();
        let (number, by) = (self.game.moves().len(), Controller::Engine);
        self.proceed(vec![PlayNotice::Played { number, point, color, by }])
    }

    /// Returns whether the answer to a question comes too late.
    pub(super) fn is_late(&self, task: ThinkingTask) -> bool {
        let used = Duration::from_millis(self.used()).saturating_add(self.earlier_in_turn());
        let limit = self.side_clock(self.mover()).limit();
        let limit = limit.map(|limit| limit.saturating_add(self.margin()));
        self.is_timed(task) && limit.is_some_and(|limit| used >= limit)
    }

    /// Returns the hint that a search amounts to, if it has found a move that can be played.
    fn hint_of(&self, report: Option<&Report>, best: Option<Point>) -> Option<Hint> {
        let judged = report.and_then(Judgement::of);
        let agrees = |first: Option<&Point>| best.is_none() || first == best.as_ref();
        let judged = judged.filter(|(_, line)| agrees(line.pv.first()));
        let line = judged.map_or_else(|| best.into_iter().collect(), |(_, line)| line.pv.clone());
        let point = *line.first()?;
        let judgement = judged.map(|(judgement, _)| judgement);
        let hint = Hint { color: self.game.to_move(), point, line, judgement };
        self.game.board().is_empty(point).then_some(hint)
    }

    /// Lets the engine think about the next move; its clock runs from now on.
    pub(super) fn begin_move(&mut self) {
        if self.terms.sides[self.mover()] != Controller::Person {
            self.turn.begin(self.clock.now());
        }
        self.begin(ThinkingTask::Move);
    }

    /// Asks the engine, at once or when it has finished what it does.
    pub(super) fn begin(&mut self, task: ThinkingTask) {
        let Some(work) = self.work.put_next(EngineWork::new(task)) else { return };
        self.last_id += 1;
        let id = self.last_id;
        if let Some(program) = self.program_for(task) {
            self.work.begin(id, EngineWork { by: Some(program), is_begun: false, ..work });
            return self.ask_program(program, id, task);
        }
        let clock = self.side_clock(self.mover());
        let clock = Some(&clock).filter(|_| self.is_timed(task));
        let limits = self.terms.thinking.search(clock, self.clock.now());
        // A judgement is wanted even where the move is obvious, and at full strength.
        let analysis = matches!(task, ThinkingTask::Hint | ThinkingTask::Draw(_));
        let of_opening = match task {
            ThinkingTask::Choice | ThinkingTask::Advice => self.job_of_opening(),
            _ => None,
        };
        let of_game = || (self.game.setup(), Task::Move, Scope::default());
        let (setup, task_of_job, scope) = of_opening.unwrap_or_else(of_game);
        let skill = match task {
            ThinkingTask::Move | ThinkingTask::Choice => self.terms.skills[self.mover()],
            ThinkingTask::Hint | ThinkingTask::Draw(_) | ThinkingTask::Advice => Skill::default(),
        };
        self.thinker.think(Job { id, setup, task: task_of_job, analysis, limits, scope, skill });
        self.work.begin(id, work);
    }

    /// Returns whether a question is answered on the clock of the side to move: a move of the
    /// engine's own is.
    fn is_timed(&self, task: ThinkingTask) -> bool {
        matches!(task, ThinkingTask::Move | ThinkingTask::Choice)
            && self.terms.clock.is_limited()
            && self.terms.sides[self.mover()] != Controller::Person
    }

    /// Makes the engine drop what it does.
    pub(super) fn interrupt(&mut self) {
        if let Some(work) = self.work.drop_work() {
            self.halt(work.by);
        }
    }
}
