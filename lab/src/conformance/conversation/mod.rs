//! One conversation with an engine.

mod listen;

use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

use super::detail::Details;
use super::engine_side::EngineSide;
use super::expect::Named;
use super::failure::Traffic;
use super::parse::DEFAULT_EXIT;
use super::referee::Referee;
use super::runner::RunnerOptions;
use super::script::{Action, CellXy, ExpectedLine, TranscriptRun, TranscriptStep};
use super::warning::{Warning, WarningKind};

/// The default time limit of a reply.
const DEFAULT_REPLY: Duration = Duration::from_secs(5);

/// The time that the runner listens after a deadline, to tell "late" from "never".
const GRACE: Duration = Duration::from_secs(1);

/// A step that is not written in the transcript.
fn implicit(text: &str, action: Action) -> TranscriptStep {
    TranscriptStep { line: 0, text: text.to_owned(), action }
}

/// Something that was not as expected.
pub(super) struct Mismatch {
    pub(super) expected: String,
    pub(super) came: String,
    /// The line and the text of the innermost step in which it happened, once known.
    pub(super) place: Option<(usize, String)>,
    /// True if the engine only moved before it could be disturbed in its search.
    pub(super) is_early: bool,
}

impl Mismatch {
    pub(super) fn new(expected: impl Into<String>, came: impl Into<String>) -> Mismatch {
        Mismatch { expected: expected.into(), came: came.into(), place: None, is_early: false }
    }

    /// Names the step, unless a step within it was named already.
    fn at(mut self, step: &TranscriptStep) -> Mismatch {
        self.place.get_or_insert_with(|| (step.line, step.text.clone()));
        self
    }
}

/// A line of the engine.
struct ReceivedLine {
    at: Instant,
    text: String,
    /// True if the manager skips this line when it waits for a reply.
    is_chatter: bool,
}

/// A conversation with a running engine.
pub(super) struct Conversation {
    engine: Box<dyn EngineSide>,
    referee: Referee,
    details: Details,
    /// The cells that have names.
    names: HashMap<String, CellXy>,
    line_end: &'static str,
    slack: f64,
    strict: bool,
    started: Instant,
    traffic: Traffic,
    /// Warnings, one of each kind.
    warnings: Vec<Warning>,
    /// The time at which the last thing was sent: deadlines count from here.
    mark: Instant,
    /// Everything up to this time was expected or waited for.
    seen_until: Instant,
    /// The part of an unfinished line that was sent.
    outgoing: Vec<u8>,
    /// The part of an unfinished line that was received.
    incoming: Vec<u8>,
    /// The bytes that came since something was sent, and those before them that were not looked at.
    heard: usize,
    /// Lines that came and were not looked at yet.
    lines: VecDeque<ReceivedLine>,
    output_ended: bool,
    complaints_ended: bool,
    exited: bool,
    memory_mark: Option<u64>,
}

impl Conversation {
    pub(super) fn new(
        engine: Box<dyn EngineSide>,
        run: &TranscriptRun,
        options: &RunnerOptions,
    ) -> Conversation {
        let now = engine.now();
        Conversation {
            engine,
            referee: Referee::default(),
            details: Details::default(),
            names: HashMap::new(),
            line_end: if run.crlf { "\r\n" } else { "\n" },
            slack: options.slack,
            strict: options.strict,
            started: now,
            traffic: Traffic::default(),
            warnings: Vec::new(),
            mark: now,
            seen_until: now,
            outgoing: Vec::new(),
            incoming: Vec::new(),
            heard: 0,
            lines: VecDeque::new(),
            output_ended: false,
            complaints_ended: false,
            exited: false,
            memory_mark: None,
        }
    }

    /// Plays a run with its usual start and end.
    pub(super) fn play(&mut self, run: &TranscriptRun) -> Result<(), Mismatch> {
        if !run.fresh {
            self.usual_start()?;
        }
        self.steps(&run.steps)?;
        if self.exited { Ok(()) } else { self.usual_end() }
    }

    fn usual_start(&mut self) -> Result<(), Mismatch> {
        let (start, info) = ("the usual START 15", "the usual INFO");
        self.steps(&[implicit(start, Action::Send("START 15".to_owned()))])?;
        let ok = [ExpectedLine::Exact("OK".to_owned()), ExpectedLine::PatientOk];
        let which = self.expect(if self.strict { &ok[..1] } else { &ok }, None);
        let place = |fault: Mismatch| fault.at(&implicit(start, Action::Eof));
        if which.map_err(place)? == 1 {
            self.warn(WarningKind::PatientOk, "OK", "OK and more".to_owned())?;
            self.referee.received("OK");
        }
        self.steps(&[implicit(info, Action::Send("INFO timeout_turn 200".to_owned()))])
    }

    /// Ends the engine. Who takes no notice of that is killed later.
    fn usual_end(&mut self) -> Result<(), Mismatch> {
        let end = "the usual END";
        self.steps(&[implicit(end, Action::Send("END".to_owned()))])?;
        let limit = DEFAULT_EXIT.mul_f64(self.slack);
        let place = |fault: Mismatch| fault.at(&implicit(end, Action::Eof));
        let status = self.status_within(limit).map_err(place)?;
        let ended = match status {
            Some(status) => self.check_end(status, Some(0)),
            None => {
                let expected = format!("the process to end within {}", show(limit));
                self.warn(WarningKind::Lingers, &expected, "it still runs".to_owned())
            }
        };
        ended.map_err(place)
    }

    /// Returns everything said, and what was borne.
    pub(super) fn into_parts(self) -> (Traffic, Vec<Warning>) {
        (self.traffic, self.warnings)
    }

    fn steps(&mut self, steps: &[TranscriptStep]) -> Result<(), Mismatch> {
        steps.iter().try_for_each(|step| self.act(&step.action).map_err(|fault| fault.at(step)))
    }

    fn act(&mut self, action: &Action) -> Result<(), Mismatch> {
        match action {
            Action::Send(template) => {
                let line = self.fill(template)?;
                self.send_line(&line)
            }
            Action::Raw { bytes, times } => self.send(&bytes.repeat(*times)),
            Action::SendPosition => {
                let lines = self.referee.position_lines();
                lines.iter().try_for_each(|line| self.send_line(line))
            }
            Action::Burst(steps) => self.burst(steps),
            Action::Expect { replies, within } => self.expect(replies, *within).map(|_| ()),
            Action::Either(branches) => self.either(branches),
            Action::Nothing(time) => self.silence(*time, false),
            Action::Thinking(time) => self.silence(*time, true),
            Action::Wait(time) => {
                self.engine.pause(*time);
                self.seen_until = self.engine.now();
                Ok(())
            }
            Action::Eof => {
                self.note("end of input");
                let rest = std::mem::take(&mut self.outgoing);
                self.referee.sent(&String::from_utf8_lossy(&rest));
                self.engine.close_input();
                Ok(())
            }
            Action::Exit { code, within } => self.exit(*code, *within),
            Action::CloseStdout => {
                self.note("output closed");
                self.engine.close_output();
                Ok(())
            }
            Action::Signal(signal) => {
                self.note(&format!("signal {signal:?}"));
                let sent = self.engine.signal(*signal);
                sent.map_err(|error| Mismatch::new("to send the signal", error.to_string()))
            }
            Action::MarkMemory => {
                self.memory_mark = self.engine.memory();
                Ok(())
            }
            Action::MemoryGrowth(limit) => self.check_memory(*limit),
            Action::Repeat(times, steps) => (0..*times).try_for_each(|_| self.steps(steps)),
        }
    }

    /// Fills in the `{…}` places of a line to send.
    fn fill(&mut self, template: &str) -> Result<String, Mismatch> {
        let mut line = String::new();
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            let Some((place, tail)) = after.split_once('}') else { break };
            line.push_str(before);
            line.push_str(&self.place(place)?);
            rest = tail;
        }
        line.push_str(rest);
        Ok(line)
    }

    /// Returns what stands for a place of a line to send.
    fn place(&mut self, place: &str) -> Result<String, Mismatch> {
        let (place, name) = match place.split_once(" as ") {
            Some((place, name)) => (place, Some(name)),
            None => (place, None),
        };
        let cell = match place {
            "file" => return Ok(self.engine.scratch_file()),
            "last" => self.referee.last_move(),
            "free" => self.referee.free_cell(|cell| self.names.values().any(|&it| it == cell)),
            name => self.names.get(name).copied(),
        };
        let cell = cell.ok_or_else(|| match place {
            "last" => Mismatch::new("a move before {last}", "none so far"),
            "free" => Mismatch::new("an empty cell", "the board is full"),
            _ => Mismatch::new(format!("a cell called {place}"), "none so far"),
        })?;
        if let Some(name) = name {
            self.names.insert(name.to_owned(), cell);
        }
        Ok(format!("{},{}", cell.0, cell.1))
    }

    fn send_line(&mut self, line: &str) -> Result<(), Mismatch> {
        self.send(format!("{line}{}", self.line_end).as_bytes())
    }

    /// Sends lines in one write.
    fn burst(&mut self, steps: &[TranscriptStep]) -> Result<(), Mismatch> {
        let mut lines = Vec::new();
        for step in steps {
            match &step.action {
                Action::Send(template) => {
                    lines.push(self.fill(template).map_err(|fault| fault.at(step))?);
                }
                Action::SendPosition => lines.extend(self.referee.position_lines()),
                action => self.act(action).map_err(|fault| fault.at(step))?,
            }
        }
        self.send_line(&lines.join("\n"))
    }

    fn send(&mut self, bytes: &[u8]) -> Result<(), Mismatch> {
        // Lines already received were written before this; the traffic must show it.
        let now = self.engine.now();
        while self.pump(now)? {}
        // What nobody has looked at yet stays in memory.
        self.heard =
            self.incoming.len() + self.lines.iter().map(|line| line.text.len()).sum::<usize>();
        let shown = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        self.traffic.add(self.elapsed(), '>', shown);
        for line in whole_lines(&mut self.outgoing, bytes).split_inclusive(|&byte| byte == b'\n') {
            let line = String::from_utf8_lossy(line);
            self.details.sent(&line);
            self.referee.sent(&line);
        }
        self.mark = self.engine.now();
        self.engine.send(bytes.to_vec());
        Ok(())
    }

    /// Returns the time since the start.
    fn elapsed(&self) -> Duration {
        self.engine.now().saturating_duration_since(self.started)
    }

    /// Notes what is done besides sending, and that deadlines count from it.
    fn note(&mut self, text: &str) {
        self.mark = self.engine.now();
        self.traffic.add(self.elapsed(), '-', text.as_bytes());
    }

    /// Waits for a line that is one of `replies`, skips chatter before it, and returns which of
    /// them it is.
    fn expect(
        &mut self,
        replies: &[ExpectedLine],
        within: Option<Duration>,
    ) -> Result<usize, Mismatch> {
        let limit = within.unwrap_or(DEFAULT_REPLY).mul_f64(self.slack);
        let alternatives: Vec<String> = replies.iter().map(ExpectedLine::to_string).collect();
        let expected = format!("{} within {}", alternatives.join(" or "), show(limit));
        let fault = |came: String| Mismatch::new(expected.as_str(), came);
        let mut deadline = self.mark + limit;
        loop {
            let Some(line) = self.next_line(deadline)? else {
                if self.output_ended {
                    return Err(fault(self.describe_end()));
                }
                if deadline > self.mark + limit {
                    return Err(fault(self.unfinished().unwrap_or_else(|| "nothing".to_owned())));
                }
                deadline = self.engine.now() + GRACE;
                continue;
            };
            let verdicts = replies.iter().map(|reply| reply.check(&line.text, &self.referee));
            let verdicts: Vec<Result<Named, String>> = verdicts.collect();
            let first = verdicts.iter().enumerate().find_map(|(i, v)| Some((i, v.as_ref().ok()?)));
            if let Some((index, named)) = first {
                let took = line.at.saturating_duration_since(self.mark);
                if took > limit {
                    return Err(fault(format!("{:?} after {}", line.text, show(took))));
                }
                self.referee.received(&line.text);
                self.seen_until = line.at;
                for (name, cell) in named {
                    self.referee.told(*cell);
                    self.names.insert(name.clone(), *cell);
                }
                return Ok(index);
            }
            if line.is_chatter {
                continue;
            }
            let reasons = verdicts.into_iter().filter_map(Result::err);
            let reasons: Vec<String> = reasons.filter(|reason| !reason.is_empty()).collect();
            let reasons = match reasons.join("; ") {
                none if none.is_empty() => String::new(),
                reasons => format!(" ({reasons})"),
            };
            return Err(fault(format!("{:?}{reasons}", line.text)));
        }
    }

    /// Waits for the first line of one of the branches, and continues with that branch.
    fn either(&mut self, branches: &[Vec<TranscriptStep>]) -> Result<(), Mismatch> {
        let (mut replies, mut owners, mut deadline) = (Vec::new(), Vec::new(), None);
        for branch in branches {
            if let Some(Action::Expect { replies: more, within }) =
                branch.first().map(|s| &s.action)
            {
                replies.extend_from_slice(more);
                owners.resize(replies.len(), branch);
                deadline = deadline.max(Some(within.unwrap_or(DEFAULT_REPLY)));
            }
        }
        let index = self.expect(&replies, deadline)?;
        owners.get(index).map_or(Ok(()), |branch| self.steps(&branch[1..]))
    }

    /// Waits for the end of the process and checks how it ended and what it left behind.
    fn exit(&mut self, code: Option<i32>, within: Duration) -> Result<(), Mismatch> {
        let limit = within.mul_f64(self.slack);
        match self.status_within(limit)? {
            Some(status) => self.check_end(status, code),
            None => {
                let expected = format!("the process to end within {}", show(limit));
                Err(Mismatch::new(expected, "it still runs"))
            }
        }
    }

    fn check_memory(&mut self, limit: u64) -> Result<(), Mismatch> {
        let (Some(before), Some(now)) = (self.memory_mark, self.engine.memory()) else {
            // The system does not tell.
            return Ok(());
        };
        let grown = now.saturating_sub(before);
        if grown <= limit {
            return Ok(());
        }
        let mib = |bytes: u64| format!("{:.1} MiB", bytes as f64 / (1024.0 * 1024.0));
        let expected = format!("at most {} more memory than at the mark", mib(limit));
        Err(Mismatch::new(expected, format!("{} more", mib(grown))))
    }
}

/// Adds bytes to a line that has no end yet, and takes out what has one.
fn whole_lines(unfinished: &mut Vec<u8>, bytes: &[u8]) -> Vec<u8> {
    unfinished.extend(bytes);
    // However long the line is, only what is new is looked at.
    let Some(last) = bytes.iter().rposition(|&byte| byte == b'\n') else { return Vec::new() };
    let rest = unfinished.split_off(unfinished.len() - bytes.len() + last + 1);
    std::mem::replace(unfinished, rest)
}

/// Writes a time as a person would.
fn show(time: Duration) -> String {
    format!("{} ms", time.as_millis())
}
