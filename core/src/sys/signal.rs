//! Signals to other processes and to our own.

use std::io;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// When [`suspend_self`] suspended this process, and when it went on.
static SUSPENSIONS: Mutex<Vec<(Instant, Option<Instant>)>> = Mutex::new(Vec::new());

/// A signal that is sent to an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Signal {
    /// Asks the process to end.
    Term,
    /// Suspends the process.
    Stop,
    /// Resumes the process.
    Cont,
    /// Ends the process at once.
    Kill,
}

/// Sends a signal to the process with the id `pid`.
///
/// # Errors
///
/// Returns the system's error if there is no such process or it is not ours, and
/// [`io::ErrorKind::Unsupported`] on systems without signals.
#[cfg(unix)]
pub fn send(pid: u32, signal: Signal) -> io::Result<()> {
    // An id of 0 or below would mean a whole group of processes.
    let pid = libc::pid_t::try_from(pid).ok().filter(|&pid| pid > 0);
    kill(pid.ok_or(io::ErrorKind::InvalidInput)?, signal)
}

/// Sends a signal to all processes of the group whose first one has, or had, the id `pid`.
///
/// # Errors
///
/// Returns the system's error if there is no such group or it is not ours.
#[cfg(unix)]
pub(super) fn send_to_group(pid: u32, signal: Signal) -> io::Result<()> {
    // The negatives of 0 and 1 would mean our own group and everybody.
    let pid = libc::pid_t::try_from(pid).ok().filter(|&pid| pid > 1);
    kill(-pid.ok_or(io::ErrorKind::InvalidInput)?, signal)
}

/// Suspends this process, and returns when it goes on.
///
/// A signal to the own process may be taken by any of its threads, and this one would run on until that one is
/// woken. Therefore it is sent to this thread.
///
/// # Errors
///
/// Returns the system's error, and [`io::ErrorKind::Unsupported`] on systems without signals.
#[cfg(unix)]
pub fn suspend_self() -> io::Result<()> {
    let suspensions = || SUSPENSIONS.lock().unwrap_or_else(PoisonError::into_inner);
    // Before all threads go on, so that none of them takes the time for its own.
    suspensions().push((Instant::now(), None));
    // SAFETY: `raise` takes a number and touches no memory of ours.
    let raised = unsafe { libc::raise(libc::SIGSTOP) };
    let error = io::Error::last_os_error();
    if let Some((_, end @ None)) = suspensions().last_mut() {
        *end = Some(Instant::now());
    }
    if raised == 0 { Ok(()) } else { Err(error) }
}

/// Returns for how long of the time between two moments [`suspend_self`] had this process suspended. What others suspend is
/// not known.
#[must_use]
pub fn suspended_between(from: Instant, to: Instant) -> Duration {
    let suspensions = SUSPENSIONS.lock().unwrap_or_else(PoisonError::into_inner);
    let part = |&(begin, end): &(Instant, Option<Instant>)| {
        end.map_or(to, |end| end.min(to)).saturating_duration_since(begin.max(from))
    };
    suspensions.iter().map(part).sum()
}

/// Returns the time between two moments in which [`suspend_self`] did not have this process suspended.
#[must_use]
pub fn awake_between(from: Instant, to: Instant) -> Duration {
    to.saturating_duration_since(from).saturating_sub(suspended_between(from, to))
}

#[cfg(unix)]
fn kill(whom: libc::pid_t, signal: Signal) -> io::Result<()> {
    let number = match signal {
        Signal::Term => libc::SIGTERM,
        Signal::Stop => libc::SIGSTOP,
        Signal::Cont => libc::SIGCONT,
        Signal::Kill => libc::SIGKILL,
    };
    // SAFETY: `kill` takes two numbers and touches no memory of ours.
    if unsafe { libc::kill(whom, number) } == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Sends a signal to the process with the id `pid`.
///
/// # Errors
///
/// Always returns [`io::ErrorKind::Unsupported`]: this system has no signals.
#[cfg(not(unix))]
pub fn send(_pid: u32, _signal: Signal) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Suspends this process.
///
/// # Errors
///
/// Always returns [`io::ErrorKind::Unsupported`]: this system has no signals.
#[cfg(not(unix))]
pub fn suspend_self() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;
    use std::process::Command;

    #[test]
    fn a_terminated_process_dies_of_the_signal() {
        let mut child = Command::new("sleep").arg("60").spawn().expect("sleep starts");
        send(child.id(), Signal::Term).expect("the child exists");
        assert_eq!(child.wait().expect("the child ends").signal(), Some(libc::SIGTERM));
    }

    #[test]
    fn a_suspended_process_does_nothing_until_it_goes_on() {
        let dir = tempfile::tempdir().expect("a directory");
        let woken = dir.path().join("woken");
        // Wakes its parent again and again, in case that is not suspended yet.
        let mut waker = Command::new("sh")
            .args(["-c", "sleep 0.2; : >\"$0\"; for i in 1 2 3 4 5 6 7 8 9; do kill -CONT $PPID; sleep 0.1; done"])
            .arg(&woken)
            .spawn()
            .expect("sh starts");
        let before = Instant::now();
        suspend_self().expect("a process may suspend itself");
        let after = Instant::now();
        let is_woken = woken.exists();
        let suspended = suspended_between(before, after);
        assert!(suspended <= after - before && suspended_between(after, after) == Duration::ZERO);
        assert!(suspended > Duration::ZERO);
        // It is still needed if the process is suspended too late.
        waker.wait().expect("the waker ends");
        assert!(is_woken, "it went on at once");
    }

    #[test]
    fn process_groups_cannot_be_addressed_as_a_process() {
        assert!(send(0, Signal::Cont).is_err());
        assert!(send(u32::MAX, Signal::Cont).is_err());
    }

    #[test]
    fn neither_our_own_group_nor_everybody_is_meant() {
        for pid in [0, 1, u32::MAX] {
            assert!(send_to_group(pid, Signal::Cont).is_err());
        }
    }
}
