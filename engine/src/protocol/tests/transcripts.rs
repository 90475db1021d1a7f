//! The transcripts of `protocol-tests/`, played against a session in this process: no clock, no threads, and
//! a player that does not search.

use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::super::scripted::{Manner, Talk, sensible};
use crate::engine::{Answer, Job, Task, position_of};
use tengen_core::eval::baselines::greedy;
use tengen_core::rng::SplitMix64;
use tengen_core::sys::signal::Signal;
use tengen_core::types::Point;
use tengen_lab::conformance::{EngineSide, RunOutcome, RunnerOptions, Transcript, load, run_with};
use tengen_lab::process::ProcessEvent;

/// The cases that say nothing here, and why.
const OUTSIDE: [(&[u32], &str); 2] = [
    (&[19, 105, 106, 113, 221, 223, 224], "they need the arguments, pipes or signals of a process"),
    (&[95, 118, 214, 309, 310], "they need the judgement of a search"),
];

/// The longest that the engine thinks, unless it has no limit.
const LONG: Duration = Duration::from_secs(1);

/// Numbers of nodes and depths below these are reached at once, others never.
const MANY: u64 = 1_000_000;
const DEEP: u32 = 90;

/// A session whose engine thinks for nine tenths of the time that it has. Time passes only where the
/// manager waits.
struct InProcess {
    talk: Talk,
    /// A line without its end.
    line: Vec<u8>,
    /// The job that has reported.
    reported: Option<u64>,
    /// What was written and not read.
    output: VecDeque<String>,
    /// The ends of output and errors that were not reported.
    ends: VecDeque<ProcessEvent>,
    folder: TempDir,
}

impl InProcess {
    fn new() -> InProcess {
        InProcess {
            talk: Talk::fresh(Manner::Deaf),
            line: Vec::new(),
            reported: None,
            output: VecDeque::new(),
            ends: [ProcessEvent::OutputEnd, ProcessEvent::ComplaintEnd].into(),
            folder: TempDir::new().unwrap(),
        }
    }

    fn say(&mut self, replies: Vec<String>) {
        self.output.extend(replies.into_iter().map(|reply| reply + "\n"));
    }

    fn line(&mut self) {
        if !self.talk.is_over() {
            let line = std::mem::take(&mut self.line);
            let replies = self.talk.send_script(line);
            self.say(replies);
        }
    }

    /// Returns when the engine answers; `None` if it thinks without a limit, or not at all.
    fn due(&self) -> Option<Instant> {
        let job = self.talk.job()?;
        let log = self.talk.log();
        let limits = log.limits_of_job.unwrap_or(job.limits);
        if log.stopped {
            return Some(self.talk.now);
        }
        let is_short = limits.max_nodes.is_some_and(|nodes| nodes < MANY)
            || limits.max_depth.is_some_and(|depth| depth < DEEP);
        let time = limits.time.turn.into_iter().chain(limits.time.left).min();
        let time = if is_short { Some(Duration::ZERO) } else { time };
        Some(limits.start + time?.mul_f64(0.9).min(LONG))
    }

    /// Lets the engine finish what it has finished by now.
    fn work(&mut self) {
        while !self.talk.log().files.is_empty() {
            let replies = self.talk.finish_file(Ok("done".to_owned()));
            self.say(replies);
        }
        while let Some(job) = self.talk.job().filter(|_| !self.talk.is_over()) {
            if self.reported.replace(job.id) != Some(job.id) {
                self.report(&job);
            }
            if self.due().is_none_or(|due| due > self.talk.now) {
                break;
            }
            let replies = self.talk.answer(answer(&job));
            self.say(replies);
        }
    }

    /// Lets the engine report as many lines of one move as were asked for.
    fn report(&mut self, job: &Job) {
        if matches!(job.task, Task::Move | Task::Swap1 | Task::Defend) {
            let points = sensible(job, job.scope.lines);
            let lines: Vec<[(i64, i64); 1]> =
                points.iter().map(|point| [(point.x().into(), point.y().into())]).collect();
            let lines: Vec<&[(i64, i64)]> = lines.iter().map(|line| &line[..]).collect();
            let replies = self.talk.report_lines(&lines);
            self.say(replies);
        }
    }
}

/// Returns the answer of a player that looks one move ahead.
fn answer(job: &Job) -> Answer {
    let setup = &job.setup;
    match job.task {
        Task::Move | Task::Swap1 | Task::Defend => {
            let mut setup = setup.clone();
            let is_free = |point: &&Point| {
                setup.stones.iter().all(|(stone, _)| stone != *point)
                    && !setup.walls.contains(point)
            };
            let blocked: Vec<Point> = job.scope.blocked.iter().filter(is_free).copied().collect();
            setup.walls.extend(blocked);
            let point = greedy::choose(&position_of(&setup), &mut SplitMix64::new(1));
            point.map_or(Answer::NoMove, |point: Point| Answer::Moves(vec![point]))
        }
        Task::Swap2 if !setup.stones.is_empty() => Answer::Swap,
        Task::Swap2 => Answer::Moves(sensible(job, 3)),
        _ => Answer::Moves(sensible(job, 2)),
    }
}

impl EngineSide for InProcess {
    fn now(&self) -> Instant {
        self.talk.now
    }

    fn pause(&mut self, time: Duration) {
        let until = self.talk.now + time;
        let early: Vec<String> = self.output.drain(..).collect();
        let mut said = Vec::new();
        while let Some(ProcessEvent::Output(_, bytes)) = self.next_event(until) {
            said.push(String::from_utf8(bytes).unwrap());
        }
        self.output.extend(early.into_iter().chain(said));
    }

    fn next_event(&mut self, deadline: Instant) -> Option<ProcessEvent> {
        loop {
            self.work();
            if let Some(line) = self.output.pop_front() {
                return Some(ProcessEvent::Output(self.talk.now, line.into_bytes()));
            }
            if self.talk.is_over() {
                self.talk.now = self.talk.now.max(deadline);
                return self.ends.pop_front();
            }
            if self.talk.now >= deadline {
                return None;
            }
            let next = self.due().into_iter().chain(self.talk.deadline()).min();
            let next = next.map_or(deadline, |next| next.min(deadline));
            self.talk.now = self.talk.now.max(next);
            let replies = self.talk.wait(0);
            self.say(replies);
        }
    }

    fn send(&mut self, bytes: Vec<u8>) {
        for byte in bytes {
            match byte {
                b'\n' => self.line(),
                byte => self.line.push(byte),
            }
        }
    }

    fn close_input(&mut self) {
        if !self.line.is_empty() {
            self.line();
        }
        let replies = self.talk.close();
        self.say(replies);
    }

    fn close_output(&mut self) {
        panic!("it has no pipes");
    }

    fn signal(&mut self, _: Signal) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn status(&mut self) -> io::Result<Option<ExitStatus>> {
        Ok(self.talk.is_over().then(ExitStatus::default))
    }

    fn memory(&self) -> Option<u64> {
        None
    }

    fn scratch_file(&self) -> String {
        self.folder.path().join("file").display().to_string()
    }

    fn left_file(&self) -> Option<String> {
        None
    }
}

#[test]
fn a_session_passes_the_transcripts_that_need_no_search() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../protocol-tests");
    let is_played = |transcript: &Transcript| {
        let case = transcript.case.expect("every transcript has a number");
        OUTSIDE.iter().all(|(cases, _)| !cases.contains(&case))
    };
    let mut failures = Vec::new();
    let mut played = 0;
    for transcript in load(&[folder]).unwrap().iter().filter(|it| is_played(it)) {
        let options = RunnerOptions { slack: 1.0, strict: true };
        played += 1;
        match run_with(transcript, &options, |_| Box::new(InProcess::new())) {
            Ok(RunOutcome::Passed(_)) => {}
            Ok(RunOutcome::Skipped(why)) => panic!("{}: {why}", transcript.name),
            Err(failure) => failures.push(failure.to_string()),
        }
    }
    assert!(failures.is_empty(), "{} of {played}:\n{}", failures.len(), failures.join("\n"));
}
