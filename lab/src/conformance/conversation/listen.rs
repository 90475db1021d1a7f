//! Reading the engine's output in a conversation.

use std::process::ExitStatus;
use std::time::{Duration, Instant};

use super::{Conversation, GRACE, Mismatch, ReceivedLine, show, whole_lines};
use crate::conformance::discipline;
use crate::conformance::warning::{Warning, WarningKind};
use crate::process::{EngineLine, MOST_OUTPUT, POLL, ProcessEvent};

impl Conversation {
    /// Waits for the end of the process for so long after the last thing sent.
    pub(super) fn status_within(
        &mut self,
        limit: Duration,
    ) -> Result<Option<ExitStatus>, Mismatch> {
        let deadline = self.mark + limit;
        let system =
            |error: std::io::Error| Mismatch::new("to watch the process", error.to_string());
        loop {
            if let Some(status) = self.engine.status().map_err(system)? {
                return Ok(Some(status));
            }
            let now = self.engine.now();
            if now > deadline {
                return Ok(None);
            }
            self.pump(now + POLL)?;
        }
    }

    /// Checks how the process ended and what it left behind.
    pub(super) fn check_end(
        &mut self,
        status: ExitStatus,
        code: Option<i32>,
    ) -> Result<(), Mismatch> {
        self.exited = true;
        // The rest of the output; a process that the engine started may keep the pipes open.
        let patience = self.engine.now() + GRACE;
        while !(self.output_ended && self.complaints_ended) && self.pump(patience)? {}
        if let Some(line) = self.lines.iter().find(|line| !line.is_chatter) {
            return Err(Mismatch::new(
                "nothing but the end of the process",
                format!("{:?}", line.text),
            ));
        }
        if code.is_some() && status.code() != code {
            let expected = format!("exit code {}", code.unwrap_or_default());
            self.warn(WarningKind::ExitCode, &expected, status.to_string())?;
        }
        match self.engine.left_file() {
            Some(file) => self.warn(WarningKind::LeftFile, "no file to be left behind", file),
            None => Ok(()),
        }
    }

    /// Takes note of something that not every manager bears, or fails if that is wanted.
    pub(super) fn warn(
        &mut self,
        kind: WarningKind,
        expected: &str,
        came: String,
    ) -> Result<(), Mismatch> {
        if self.strict {
            return Err(Mismatch::new(expected, came));
        }
        if self.warnings.iter().all(|warning| warning.kind != kind) {
            self.warnings.push(Warning { kind, came });
        }
        Ok(())
    }

    /// Returns the next line, or `None` if none comes before the deadline or ever.
    pub(super) fn next_line(
        &mut self,
        deadline: Instant,
    ) -> Result<Option<ReceivedLine>, Mismatch> {
        loop {
            if let Some(line) = self.lines.pop_front() {
                self.details.check(&line.text, &self.referee).map_err(|fault| {
                    let expected = "lines about a search to be such as managers can read";
                    Mismatch::new(expected, format!("{:?}: {fault}", line.text))
                })?;
                return Ok(Some(line));
            }
            if self.output_ended || !self.pump(deadline)? {
                return Ok(None);
            }
        }
    }

    /// Requires that for some time no line comes, or none but those about a search.
    ///
    /// Thinking counts from the last line in either direction and not from now: a runner that comes late to
    /// listen takes no move for an early one.
    pub(super) fn silence(&mut self, time: Duration, thinks: bool) -> Result<(), Mismatch> {
        let from = if thinks { self.mark.max(self.seen_until) } else { self.engine.now() };
        let until = from + time;
        self.seen_until = until;
        let what = if thinks { "no line but MESSAGE and DEBUG" } else { "no line" };
        loop {
            while self.lines.is_empty() && !self.output_ended && self.pump(until)? {}
            if self.lines.front().is_none_or(|line| line.at >= until) {
                return Ok(());
            }
            let Some(line) = self.next_line(until)? else { return Ok(()) };
            // Lines that managers skip are harmless.
            let is_borne = line.is_chatter && (thinks || !self.strict);
            if !is_borne {
                let expected = format!("{what} for {}", show(time));
                let fault = Mismatch::new(expected, format!("{:?}", line.text));
                let is_move = matches!(EngineLine::strict(&line.text), EngineLine::Cells(_));
                return Err(Mismatch { is_early: is_move && !self.strict && thinks, ..fault });
            }
        }
    }

    /// Takes in the next event, and returns whether one came before the deadline. Output that was read later
    /// is taken in as well: it may have waited for us, but no flood of it keeps us from going on.
    pub(super) fn pump(&mut self, deadline: Instant) -> Result<bool, Mismatch> {
        let Some(event) = self.engine.next_event(deadline) else { return Ok(false) };
        if let ProcessEvent::Output(_, bytes) | ProcessEvent::Complaint(bytes) = &event {
            self.heard += bytes.len();
            if self.heard > MOST_OUTPUT {
                let expected = "at most 16 MiB of output between two things that are sent";
                return Err(Mismatch::new(expected, "more"));
            }
        }
        match event {
            ProcessEvent::OutputEnd => self.output_ended = true,
            ProcessEvent::ComplaintEnd => self.complaints_ended = true,
            ProcessEvent::Complaint(bytes) => {
                let came = format!("{:?}", String::from_utf8_lossy(&bytes));
                self.warn(WarningKind::StandardError, "nothing on standard error", came)?;
            }
            ProcessEvent::Output(at, bytes) => {
                self.take_output(at, &bytes)?;
                return Ok(at <= deadline);
            }
        }
        Ok(true)
    }

    fn take_output(&mut self, at: Instant, bytes: &[u8]) -> Result<(), Mismatch> {
        let since_start = at.saturating_duration_since(self.started);
        for line in whole_lines(&mut self.incoming, bytes).split_inclusive(|&byte| byte == b'\n') {
            let mut line = line.strip_suffix(b"\n").unwrap_or(line);
            self.traffic.add(since_start, '<', line);
            while let Some((kind, fault)) = discipline::fault(line) {
                let expected = "every line to be one that all managers can read";
                let came = format!("{:?}: {fault}", String::from_utf8_lossy(line));
                self.warn(kind, expected, came)?;
                if kind != WarningKind::CarriageReturn {
                    break;
                }
                line = &line[..line.len() - 1];
            }
            if line.is_empty() {
                continue;
            }
            let text = String::from_utf8_lossy(line).into_owned();
            let is_chatter = self.details.is_chatter(text.trim_end());
            self.lines.push_back(ReceivedLine { at, text, is_chatter });
        }
        let Some(fault) = discipline::piece_fault(&self.incoming) else { return Ok(()) };
        let piece = String::from_utf8_lossy(&self.incoming).into_owned();
        if self.strict {
            let piece = std::mem::take(&mut self.incoming);
            self.traffic.add(since_start, '<', &piece);
        }
        let expected = "each line to be written in one piece";
        self.warn(WarningKind::Piece, expected, format!("{piece:?}: {fault}"))
    }

    pub(super) fn describe_end(&mut self) -> String {
        // The end of the output comes a little before the end of the process.
        let deadline = self.engine.now() + GRACE;
        let end = loop {
            match self.engine.status() {
                Ok(Some(status)) => break format!("the process ended: {status}"),
                Ok(None) if self.engine.now() < deadline => self.engine.pause(POLL),
                _ => break "the engine closed its output".to_owned(),
            }
        };
        self.unfinished().map_or(end.clone(), |piece| format!("{piece}, then {end}"))
    }

    /// Returns the beginning of a line that has no end, if there is one.
    pub(super) fn unfinished(&self) -> Option<String> {
        let piece: String = String::from_utf8_lossy(&self.incoming).chars().take(80).collect();
        (!piece.is_empty()).then(|| format!("{piece:?} without a line feed"))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::io;

    use super::*;
    use crate::conformance::{EngineSide, RunnerOptions, Transcript, run_with};
    use tengen_core::sys::signal::Signal;

    /// An engine that moves some time after it is asked, and whose runner looks at the clock much later.
    struct Delayed {
        now: Instant,
        moves_after: Duration,
        output: VecDeque<(Instant, &'static str)>,
        /// What comes every millisecond besides, and is always there before anybody asks for it.
        flood: Option<fn(Instant) -> ProcessEvent>,
        /// The events of the flood so far.
        flooded: u32,
    }

    impl EngineSide for Delayed {
        fn now(&self) -> Instant {
            self.now
        }

        fn pause(&mut self, time: Duration) {
            self.now += time;
        }

        fn next_event(&mut self, deadline: Instant) -> Option<ProcessEvent> {
            let late = self.now.max(deadline);
            let first = self.output.front().copied().filter(|(at, _)| *at <= late);
            let Some((at, line)) = first else {
                if let Some(flood) = self.flood {
                    self.flooded += 1;
                    assert!(self.flooded < 10_000, "it listens for ever");
                    self.now += Duration::from_millis(1);
                    return Some(flood(self.now));
                }
                self.now = late;
                return None;
            };
            self.output.pop_front();
            self.now = self.now.max(at);
            Some(ProcessEvent::Output(at, line.into()))
        }

        fn send(&mut self, bytes: Vec<u8>) {
            if bytes.starts_with(b"START") {
                self.output.push_back((self.now, "OK\n"));
            } else if bytes.starts_with(b"BEGIN") {
                self.output.push_back((self.now + self.moves_after, "7,7\n"));
                self.now += Duration::from_secs(10);
            }
        }

        fn close_input(&mut self) {}

        fn close_output(&mut self) {}

        fn signal(&mut self, _: Signal) -> io::Result<()> {
            Ok(())
        }

        fn status(&mut self) -> io::Result<Option<ExitStatus>> {
            Ok(self.output.is_empty().then(ExitStatus::default))
        }

        fn memory(&self) -> Option<u64> {
            None
        }

        fn scratch_file(&self) -> String {
            String::new()
        }

        fn left_file(&self) -> Option<String> {
            None
        }
    }

    /// Plays a conversation with an engine that moves after so many milliseconds.
    fn play(steps: &str, milliseconds: u64) -> Result<(), String> {
        let options = RunnerOptions { slack: 100.0, strict: true };
        play_amid(steps, milliseconds, None, options)
    }

    fn play_amid(
        steps: &str,
        milliseconds: u64,
        flood: Option<fn(Instant) -> ProcessEvent>,
        options: RunnerOptions,
    ) -> Result<(), String> {
        let text = format!("# test\n{steps}exit\n");
        let transcript = Transcript::parse("t.txt", &text).unwrap();
        let engine = |_: &_| -> Box<dyn EngineSide> {
            let moves_after = Duration::from_millis(milliseconds);
            let (now, output) = (Instant::now(), VecDeque::new());
            Box::new(Delayed { now, moves_after, output, flood, flooded: 0 })
        };
        run_with(&transcript, &options, engine).map(drop).map_err(|failure| failure.to_string())
    }

    #[test]
    fn a_runner_that_listens_late_takes_no_move_for_an_early_one() {
        let thinks = "> BEGIN\n<thinking 500ms\n<thinking 500ms\n<move\n";
        assert_eq!(play(thinks, 1000), Ok(()));
        assert!(play(thinks, 999).is_err());
        // What it waited for has passed.
        assert!(play("> BEGIN\nwait 1s\n<thinking 500ms\n<move\n", 1000).is_err());
        assert!(play("> BEGIN\n<nothing 500ms\n<move\n", 2000).is_err());
    }
    #[test]
    fn deadlines_hold_although_an_engine_never_stops_writing() {
        let chatter = |now| ProcessEvent::Output(now, b"MESSAGE x\n".to_vec());
        let piece = |now| ProcessEvent::Output(now, b"x".to_vec());
        let blank = |now| ProcessEvent::Output(now, b"\n".to_vec());
        let play = |steps, flood| play_amid(steps, 100, Some(flood), RunnerOptions::default());
        for flood in [chatter, piece, blank] {
            let error = play("fresh\n> ABOUT\n! 100ms\n<about\n", flood).unwrap_err();
            assert!(error.contains(" within 100 ms"), "{error}");
        }
        for steps in ["<nothing 100ms\n", "<thinking 100ms\n", "> BEGIN\n! 200ms\n<move\n"] {
            assert_eq!(play(steps, chatter), Ok(()), "{steps}");
        }
    }

    #[test]
    fn a_flood_ends_the_conversation_before_it_fills_the_memory() {
        let chatter = |now| {
            let line = format!("MESSAGE {}\n", "x".repeat(1000));
            ProcessEvent::Output(now, line.repeat(100).into_bytes())
        };
        let piece = |now| ProcessEvent::Output(now, vec![b'x'; 100_000]);
        let complaint = |_| ProcessEvent::Complaint(vec![b'x'; 100_000]);
        let flood = "at most 16 MiB of output between two things that are sent";
        // Lines that nobody looks at stay, whatever is sent meanwhile.
        let sent = "> ABOUT\n".repeat(10_000);
        for (steps, flood_of) in [
            ("fresh\n> ABOUT\n! 2s\n<about\n", chatter as fn(Instant) -> ProcessEvent),
            ("fresh\n> ABOUT\n! 2s\n<about\n", piece),
            ("fresh\n> ABOUT\n! 2s\n<about\n", complaint),
            ("fresh\n<nothing 2s\n", complaint),
            (&sent, chatter),
        ] {
            let error = play_amid(steps, 100, Some(flood_of), RunnerOptions::default());
            let error = error.unwrap_err();
            assert!(error.contains(flood), "{error}");
        }
    }
}
