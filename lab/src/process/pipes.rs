//! The threads between us and the pipes of an engine.

use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};

use super::ProcessEvent;

/// The most reads that wait for us. When there are more, the pipes fill up and the engine has to
/// wait: each read is no larger than a pipe, so that all of them take 8 MiB where pipes have 64
/// KiB.
const WAITING_READS: usize = 128;

/// The most bytes of the end of the standard error that are kept.
const KEPT: usize = 2048;

/// The means to make the thread that reads an engine's output close its end of the pipe.
pub(super) struct OutputEnd {
    close: Arc<AtomicBool>,
    /// A writing end of our own, to wake the thread up. While it is open, the output has no end,
    /// so it is kept only if it will be needed.
    wake: Option<PipeWriter>,
}

impl OutputEnd {
    /// Makes the thread close its end.
    pub(super) fn close(&mut self) {
        self.close.store(true, Ordering::SeqCst);
        if let Some(mut wake) = self.wake.take() {
            // It fails only if the other end is closed already.
            let _ = wake.write_all(b"\n");
        }
    }

    /// Lets the output end with the engine.
    pub(super) fn release(&mut self) {
        self.wake = None;
    }
}

/// Starts the threads that read what an engine writes.
///
/// `wake` is a writing end of its output, if that shall be closed some day. What it writes to its
/// standard error becomes events only if `tells_complaints`.
pub(super) fn read(
    stdout: PipeReader,
    stderr: PipeReader,
    wake: Option<PipeWriter>,
    tells_complaints: bool,
) -> (Receiver<ProcessEvent>, OutputEnd, LastWords) {
    let (sender, events) = bounded(WAITING_READS);
    let words = LastWords::default();
    let kept = words.clone();
    let complaints = tells_complaints.then(|| sender.clone());
    let close = Arc::new(AtomicBool::new(false));
    let closed = Arc::clone(&close);
    thread::spawn(move || read_output(stdout, &closed, &sender));
    thread::spawn(move || read_complaints(stderr, complaints.as_ref(), &kept));
    (events, OutputEnd { close, wake }, words)
}

/// Starts the thread that writes to an engine what is sent on the channel.
///
/// It is a thread of its own because a suspended engine does not read and must not stop us.
pub(super) fn write(mut stdin: impl Write + Send + 'static) -> Sender<Vec<u8>> {
    let (sender, receiver) = unbounded::<Vec<u8>>();
    thread::spawn(move || {
        // A failed write means that the engine is gone, which is noticed elsewhere.
        receiver.iter().try_for_each(|bytes| stdin.write_all(&bytes))
    });
    sender
}

fn read_output(mut pipe: PipeReader, close: &AtomicBool, events: &Sender<ProcessEvent>) {
    // Larger than a pipe, so that no line is cut by the reading.
    let mut buffer = vec![0; 1 << 20];
    loop {
        let read = pipe.read(&mut buffer);
        let now = Instant::now();
        if close.load(Ordering::SeqCst) {
            break;
        }
        match read {
            Ok(0) => break,
            Ok(n) => {
                if events.send(ProcessEvent::Output(now, buffer[..n].to_vec())).is_err() {
                    break;
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    // If this fails, there is no receiver any more, here and below.
    let _ = events.send(ProcessEvent::OutputEnd);
}

fn read_complaints(mut pipe: PipeReader, events: Option<&Sender<ProcessEvent>>, kept: &LastWords) {
    let mut buffer = [0; 4096];
    loop {
        match pipe.read(&mut buffer) {
            Ok(0) => break,
            Ok(n) => {
                kept.add(&buffer[..n]);
                let event = ProcessEvent::Complaint(buffer[..n].to_vec());
                if events.is_some_and(|events| events.send(event).is_err()) {
                    break;
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    if let Some(events) = events {
        let _ = events.send(ProcessEvent::ComplaintEnd);
    }
}

/// The end of what an engine wrote to its standard error.
#[derive(Clone, Default)]
pub(super) struct LastWords(Arc<Mutex<Vec<u8>>>);

impl LastWords {
    fn add(&self, bytes: &[u8]) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(bytes);
        let surplus = kept.len().saturating_sub(KEPT);
        kept.drain(..surplus);
    }

    /// Returns the last lines that are not blank, at most three.
    pub(super) fn lines(&self) -> Vec<String> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let text = String::from_utf8_lossy(&kept);
        let lines: Vec<&str> =
            text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let first = lines.len().saturating_sub(3);
        lines[first..].iter().map(|&line| line.to_owned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_words_are_kept() {
        let words = LastWords::default();
        assert!(words.lines().is_empty());
        words.add(b"one\n\ntwo\n");
        words.add(b"thr");
        words.add(b"ee\r\n \nfour");
        assert_eq!(words.lines(), ["two", "three", "four"]);
        for _ in 0..1000 {
            words.add(&[b'x'; 1000]);
        }
        assert_eq!(words.lines(), ["x".repeat(KEPT)]);
    }
}
