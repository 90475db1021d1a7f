//! Signals to other processes.

use std::io;

/// A signal that the conformance runner sends to an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Signal {
    /// Asks the process to end.
    Term,
    /// Suspends the process.
    Stop,
    /// Resumes the process.
    Cont,
}

/// Sends a signal to the process with the id `pid`.
///
/// # Errors
///
/// Returns the system's error if there is no such process or it is not ours, and
/// [`io::ErrorKind::Unsupported`] on systems without signals.
#[cfg(unix)]
pub fn send(pid: u32, signal: Signal) -> io::Result<()> {
    let number = match signal {
        Signal::Term => libc::SIGTERM,
        Signal::Stop => libc::SIGSTOP,
        Signal::Cont => libc::SIGCONT,
    };
    // An id of 0 or below would mean a whole group of processes.
    let pid = libc::pid_t::try_from(pid).ok().filter(|&pid| pid > 0);
    let pid = pid.ok_or(io::ErrorKind::InvalidInput)?;
    // SAFETY: `kill` takes two numbers and touches no memory of ours.
    if unsafe { libc::kill(pid, number) } == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
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
    fn process_groups_cannot_be_addressed() {
        assert!(send(0, Signal::Cont).is_err());
        assert!(send(u32::MAX, Signal::Cont).is_err());
    }
}
