//! A connection to an untrusted peer: bounded in length, number and time.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};
use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// The version of the conversation. Another one is refused.
pub const PROTOCOL_VERSION: u32 = 1;

/// The time without a whole message after which a line is taken for broken.
pub const SILENCE: Duration = Duration::from_secs(15);

/// The time that a host has to let a guest in: others may be before it.
pub(super) const HANDSHAKE: Duration = Duration::from_secs(10);

/// The most bytes of a message of a guest.
pub(super) const MOST_OF_GUEST: usize = 2 * 1024;

/// The most bytes of a message of a host: the state with the longest game has fewer.
pub(super) const MOST_OF_HOST: usize = 256 * 1024;

/// The messages that are heard at once.
const BURST: u32 = 60;
/// The messages that are heard in a second, on the average.
const RATE: u32 = 100;
/// The messages that wait to be sent.
const MOST_WAITING: usize = 64;
/// The time that the other side has to take some bytes.
const WRITING: Duration = Duration::from_secs(10);
/// The time that the last messages have to be on their way.
const FINISHING: Duration = Duration::from_secs(1);
/// The interval at which a reader looks at the time.
const BEAT: Duration = Duration::from_millis(200);

/// The reason why a line is given up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub(super) enum LineFault {
    /// The other side has closed it, or the network has.
    #[error("the other side or the network has closed it")]
    Broken,
    /// Nothing has come for too long.
    #[error("nothing was heard for too long")]
    Silent,
    /// A line is too long.
    #[error("a message is too long")]
    TooLong,
    /// A line is not a message.
    #[error("a message is not understood")]
    NotUnderstood,
}

/// The number of messages that are heard now: a token bucket. Others wait, and the network holds their sender
/// up: a program that plays fast is slowed down, and one that floods the line holds nobody up.
#[derive(Clone, Copy, Debug)]
struct MessageQuota {
    left: f64,
    since: Instant,
}

impl MessageQuota {
    const fn new(now: Instant) -> MessageQuota {
        MessageQuota { left: BURST as f64, since: now }
    }

    /// Takes one; returns how long that has to wait.
    fn take(&mut self, now: Instant) -> Duration {
        let passed = now.saturating_duration_since(self.since).as_secs_f64();
        self.left = (self.left + passed * f64::from(RATE)).min(f64::from(BURST)) - 1.0;
        self.since = now;
        Duration::from_secs_f64((-self.left).max(0.0) / f64::from(RATE))
    }
}

/// The reading end.
pub(super) struct LineReader {
    stream: TcpStream,
    most: usize,
    /// The time without a whole message after which the line is taken for broken.
    silence: Duration,
    buffer: Vec<u8>,
    /// The number of bytes at the beginning of the buffer that hold no end of a line.
    searched: usize,
    heard: Instant,
    allowance: MessageQuota,
}

impl LineReader {
    /// Reads lines of up to this number of bytes.
    pub(super) fn new(stream: TcpStream, most: usize) -> std::io::Result<LineReader> {
        stream.set_read_timeout(Some(BEAT))?;
        let now = Instant::now();
        let (buffer, allowance) = (Vec::new(), MessageQuota::new(now));
        let silence = SILENCE;
        Ok(LineReader { stream, most, silence, buffer, searched: 0, heard: now, allowance })
    }

    /// Waits for the next message, which has to be whole until `deadline`, if there is one, and
    /// before the line has been silent for too long.
    pub(super) fn next<T: DeserializeOwned>(
        &mut self,
        deadline: Option<Instant>,
    ) -> Result<T, LineFault> {
        loop {
            let end = self.buffer[self.searched..].iter().position(|&b| b == b'\n');
            if let Some(end) = end.map(|end| end + self.searched) {
                let line: Vec<u8> = self.buffer.drain(..=end).collect();
                self.searched = 0;
                if line.len() > self.most {
                    return Err(LineFault::TooLong);
                }
                thread::sleep(self.allowance.take(Instant::now()));
                self.heard = Instant::now();
                return serde_json::from_slice(&line).map_err(|_| LineFault::NotUnderstood);
            }
            self.searched = self.buffer.len();
            if self.searched >= self.most {
                return Err(LineFault::TooLong);
            }
            let now = Instant::now();
            let late = deadline.is_some_and(|deadline| now >= deadline);
            if late || now.saturating_duration_since(self.heard) >= self.silence {
                return Err(LineFault::Silent);
            }
            let mut chunk = [0; 4096];
            match self.stream.read(&mut chunk) {
                Ok(0) => return Err(LineFault::Broken),
                Ok(count) => self.buffer.extend_from_slice(&chunk[..count]),
                Err(error) => match error.kind() {
                    ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => {}
                    _ => return Err(LineFault::Broken),
                },
            }
        }
    }
}

/// The writing end, which nobody waits for. When all of its copies are dropped, what waits is sent
/// and the line is closed.
#[derive(Clone, Debug)]
pub struct LineWriter {
    /// The lines that wait; an empty one is the last.
    waiting: Sender<Vec<u8>>,
    stream: Arc<TcpStream>,
    /// Closed when all is sent.
    sent: Receiver<()>,
}

impl LineWriter {
    /// Starts to write to a stream.
    pub(super) fn new(stream: TcpStream) -> std::io::Result<LineWriter> {
        stream.set_write_timeout(Some(WRITING))?;
        // Messages are small, and people wait for them.
        stream.set_nodelay(true)?;
        let (waiting, lines) = bounded::<Vec<u8>>(MOST_WAITING);
        let (sending, sent) = bounded::<()>(0);
        let mut out = stream.try_clone()?;
        thread::Builder::new().spawn(move || {
            let _sending = sending;
            for line in lines {
                if line.is_empty() || out.write_all(&line).is_err() {
                    break;
                }
            }
            // The reader of the other side, or of this one, learns that it is over.
            let _ = out.shutdown(Shutdown::Both);
        })?;
        Ok(LineWriter { waiting, stream: Arc::new(stream), sent })
    }

    /// Sends a message some time. A line that takes nothing is closed.
    pub fn send<T: Serialize>(&self, message: &T) {
        // The messages are plain data.
        let mut line = serde_json::to_vec(message).unwrap_or_default();
        line.push(b'\n');
        if self.waiting.try_send(line).is_err() {
            self.close();
        }
    }

    /// Closes the line at once.
    pub fn close(&self) {
        let _ = self.stream.shutdown(Shutdown::Both);
    }

    /// Waits until what was sent is on its way, but not for long, and closes the line.
    pub fn finish(&self) {
        if self.waiting.try_send(Vec::new()).is_ok() {
            let _ = self.sent.recv_timeout(FINISHING);
        }
        self.close();
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use serde_json::Value;

    use super::*;

    /// Returns both ends of a line.
    fn line() -> (TcpStream, LineReader) {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let peer = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        (peer, LineReader::new(listener.accept().unwrap().0, 1000).unwrap())
    }

    #[test]
    fn bytes_that_make_no_message_are_silence() {
        let (mut peer, mut reader) = line();
        reader.silence = Duration::from_millis(300);
        let dripping = thread::spawn(move || {
            // One byte after the other, as long as anybody listens.
            while peer.write_all(b" ").is_ok() {
                thread::sleep(Duration::from_millis(20));
            }
        });
        assert!(matches!(reader.next::<Value>(None), Err(LineFault::Silent | LineFault::TooLong)));
        drop(reader);
        dripping.join().unwrap();
    }

    #[test]
    fn each_limit_of_a_line_has_its_reason() {
        let long = [vec![b'1'; 999], vec![b'\n']].concat();
        let too_long = [vec![b'1'; 1000], vec![b'\n']].concat();
        for (bytes, messages, fault) in [
            (&b"1\n2\n"[..], 2, LineFault::Broken),
            (b"1\n2", 1, LineFault::Broken),
            (b"1\n\xff\n2\n", 1, LineFault::NotUnderstood),
            (b"\n", 0, LineFault::NotUnderstood),
            (b"\"\xc3\"\n", 0, LineFault::NotUnderstood),
            (&[&long[..], b"1\n"].concat(), 0, LineFault::NotUnderstood),
            (&too_long, 0, LineFault::TooLong),
            (&[b"1\n", &too_long[..]].concat(), 1, LineFault::TooLong),
            (&vec![0; 65_536], 0, LineFault::TooLong),
        ] {
            let (mut peer, mut reader) = line();
            // The reader may have given up before all is taken. Then this end of the line says no more.
            let _ = peer.write_all(bytes).and_then(|()| peer.shutdown(Shutdown::Write));
            let mut heard = 0;
            let end = loop {
                match reader.next::<Value>(None) {
                    Ok(_) => heard += 1,
                    Err(fault) => break fault,
                }
            };
            let name: String = String::from_utf8_lossy(bytes).chars().take(20).collect();
            assert_eq!(end, fault, "{name:?}");
            assert_eq!(heard, messages, "{name:?}");
        }
    }

    #[test]
    fn messages_may_come_in_bursts_and_wait_then() {
        let mut now = Instant::now();
        let mut allowance = MessageQuota::new(now);
        for pause in [0, 3600] {
            now += Duration::from_secs(pause);
            assert!((0..BURST).all(|_| allowance.take(now).is_zero()));
            for _ in 0..1000 {
                let wait = allowance.take(now);
                assert!(wait.abs_diff(Duration::from_secs(1) / RATE) < Duration::from_millis(1));
                now += wait;
            }
        }
    }

    #[test]
    fn a_flood_is_heard_drop_by_drop() {
        let (mut peer, mut reader) = line();
        let start = Instant::now();
        peer.write_all(&b"1\n".repeat(10_000)).unwrap();
        for _ in 0..BURST + RATE {
            assert_eq!(reader.next::<u8>(None), Ok(1));
        }
        assert!(start.elapsed() > Duration::from_millis(900), "the last ones wait for a second");
    }
}
