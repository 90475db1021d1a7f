//! Processes that end together.

use std::io;
use std::process::{Child, Command};

/// A process that was started here, with all that it starts: they can be killed together, and a Ctrl-C that is typed
/// for us is not for them.
///
/// On Windows the system kills them when this is dropped and when we end, however that happens. Where it has no groups
/// of processes, all of this does nothing.
#[derive(Debug)]
pub struct ProcessGroup(system::Group);

impl ProcessGroup {
    /// Starts the first process of a new group.
    ///
    /// # Errors
    ///
    /// Returns the system's error if it cannot be started.
    pub fn start(command: &mut Command) -> io::Result<(Child, ProcessGroup)> {
        system::start(command).map(|(child, group)| (child, ProcessGroup(group)))
    }

    /// Kills all that are left of the group.
    pub fn kill(&self) {
        self.0.kill();
    }
}

#[cfg(unix)]
mod system {
    use std::io;
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command};

    use crate::sys::signal::{Signal, send_to_group};

    /// The id of its first process, which the group keeps after the end of that.
    #[derive(Debug)]
    pub(super) struct Group(u32);

    pub(super) fn start(command: &mut Command) -> io::Result<(Child, Group)> {
        let child = command.process_group(0).spawn()?;
        let group = Group(child.id());
        Ok((child, group))
    }

    impl Group {
        pub(super) fn kill(&self) {
            // It fails if nobody is left.
            let _ = send_to_group(self.0, Signal::Kill);
        }
    }
}

#[cfg(windows)]
mod system {
    use std::io;
    use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
    use std::os::windows::process::CommandExt;
    use std::process::{Child, Command};
    use std::ptr::{null, null_mut};
    use std::thread;
    use std::time::{Duration, Instant};

    use windows_sys::Win32::Foundation::{HANDLE, INVALID_HANDLE_VALUE};
    use windows_sys::Win32::System::Diagnostics::ToolHelp::{
        CreateToolhelp32Snapshot, TH32CS_SNAPTHREAD, THREADENTRY32, Thread32First, Thread32Next,
    };
    use windows_sys::Win32::System::JobObjects::{
        AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION,
        JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE, JOBOBJECT_BASIC_ACCOUNTING_INFORMATION,
        JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectBasicAccountingInformation,
        JobObjectExtendedLimitInformation, QueryInformationJobObject, SetInformationJobObject,
        TerminateJobObject,
    };
    use windows_sys::Win32::System::Threading::{
        CREATE_NEW_PROCESS_GROUP, CREATE_SUSPENDED, OpenThread, ResumeThread, THREAD_SUSPEND_RESUME,
    };

    /// How long the killed may take to be gone.
    const GONE: Duration = Duration::from_secs(1);

    /// The job of the processes; `None` if the system gave none, as Windows 7 where we are in a job ourselves.
    #[derive(Debug)]
    pub(super) struct Group(Option<OwnedHandle>);

    pub(super) fn start(command: &mut Command) -> io::Result<(Child, Group)> {
        // It runs once it is in the job, since nothing that it starts before would be.
        let mut child =
            command.creation_flags(CREATE_SUSPENDED | CREATE_NEW_PROCESS_GROUP).spawn()?;
        let group = Group(job_of(&child).ok());
        if let Err(error) = resume(child.id()) {
            // Neither can fail in a way that anything could be done about.
            let _ = child.kill();
            let _ = child.wait();
            return Err(error);
        }
        Ok((child, group))
    }

    impl Group {
        pub(super) fn kill(&self) {
            let Some(job) = &self.0 else { return };
            // SAFETY: the handle is that of a job and open.
            unsafe { TerminateJobObject(job.as_raw_handle(), 1) };
            // That takes a while, in which they hold folders that are to be removed.
            let start = Instant::now();
            while any_runs(job) && start.elapsed() < GONE {
                thread::sleep(Duration::from_millis(1));
            }
        }
    }

    /// Returns a job that the process is in. Its processes are killed when its handle is closed; when one crashes,
    /// no window asks somebody what to do.
    fn job_of(child: &Child) -> io::Result<OwnedHandle> {
        // SAFETY: the attributes and the name may be missing.
        let job = owned(unsafe { CreateJobObjectW(null(), null()) })?;
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        limits.BasicLimitInformation.LimitFlags =
            JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
        // SAFETY: the pointer is to a structure of the type that the class asks for, of that size.
        done(unsafe {
            SetInformationJobObject(
                job.as_raw_handle(),
                JobObjectExtendedLimitInformation,
                (&raw const limits).cast(),
                size_of_val(&limits) as u32,
            )
        })?;
        // SAFETY: both handles are open.
        done(unsafe { AssignProcessToJobObject(job.as_raw_handle(), child.as_raw_handle()) })?;
        Ok(job)
    }

    fn any_runs(job: &OwnedHandle) -> bool {
        let mut counts = JOBOBJECT_BASIC_ACCOUNTING_INFORMATION::default();
        // SAFETY: the first pointer is to a structure of the type that the class gives, of that size; the second,
        // for the size, may be null.
        let told = done(unsafe {
            QueryInformationJobObject(
                job.as_raw_handle(),
                JobObjectBasicAccountingInformation,
                (&raw mut counts).cast(),
                size_of_val(&counts) as u32,
                null_mut(),
            )
        });
        told.is_ok() && counts.ActiveProcesses > 0
    }

    /// Lets a suspended process run.
    fn resume(pid: u32) -> io::Result<()> {
        // SAFETY: it takes two numbers.
        let threads = owned(unsafe { CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0) })?;
        let mut entry =
            THREADENTRY32 { dwSize: size_of::<THREADENTRY32>() as u32, ..THREADENTRY32::default() };
        // SAFETY: the handle is that of a snapshot, and the structure says its size.
        let mut found = unsafe { Thread32First(threads.as_raw_handle(), &raw mut entry) };
        while found != 0 {
            if entry.th32OwnerProcessID == pid {
                // SAFETY: it takes three numbers.
                let thread = unsafe { OpenThread(THREAD_SUSPEND_RESUME, 0, entry.th32ThreadID) };
                let thread = owned(thread)?;
                // SAFETY: the handle is that of a thread, with the right to resume it. Windows counts how often
                // a thread is suspended: this was once.
                let before = unsafe { ResumeThread(thread.as_raw_handle()) };
                // It has only this one, as it has not run.
                return done(i32::from(before != u32::MAX));
            }
            // SAFETY: as above.
            found = unsafe { Thread32Next(threads.as_raw_handle(), &raw mut entry) };
        }
        Err(io::Error::other("the threads of a process that was just started are not known"))
    }

    /// Returns a handle that was just opened, unless opening it failed.
    fn owned(handle: HANDLE) -> io::Result<OwnedHandle> {
        if handle.is_null() || handle == INVALID_HANDLE_VALUE {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: it is open, and nobody else has it.
        Ok(unsafe { OwnedHandle::from_raw_handle(handle) })
    }

    /// Returns the system's error if a call of it returned 0.
    fn done(result: i32) -> io::Result<()> {
        if result == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
    }
}

#[cfg(not(any(unix, windows)))]
mod system {
    use std::io;
    use std::process::{Child, Command};

    #[derive(Debug)]
    pub(super) struct Group;

    pub(super) fn start(command: &mut Command) -> io::Result<(Child, Group)> {
        Ok((command.spawn()?, Group))
    }

    impl Group {
        pub(super) fn kill(&self) {}
    }
}

#[cfg(test)]
#[cfg(any(unix, windows))]
mod tests {
    use std::io::{BufRead, BufReader, Read};
    use std::process::Stdio;

    use super::*;

    /// Returns a shell that has started another process, says so in a line, and waits for it.
    fn family() -> Command {
        let mut shell = if cfg!(windows) { Command::new("cmd") } else { Command::new("sh") };
        if cfg!(windows) {
            shell.args(["/d", "/c", "echo begun& cmd /d /c pause"]).stdin(Stdio::piped());
        } else {
            shell.args(["-c", "sleep 600 & echo begun; wait"]);
        }
        shell.stdout(Stdio::piped());
        shell
    }

    #[test]
    fn all_of_a_group_are_killed() {
        let (mut shell, group) = ProcessGroup::start(&mut family()).expect("a shell starts");
        // The other process holds the output open.
        let mut output = BufReader::new(shell.stdout.take().expect("its output is ours"));
        let mut line = String::new();
        output.read_line(&mut line).expect("text");
        assert_eq!(line.trim_end(), "begun");
        group.kill();
        assert!(!shell.wait().expect("the shell ends").success());
        output.read_to_string(&mut line).expect("the end");
        group.kill();
    }

    #[test]
    fn what_is_not_there_is_not_started() {
        assert!(ProcessGroup::start(&mut Command::new("tengen-no-such-program")).is_err());
    }

    #[test]
    #[cfg(windows)]
    fn a_group_ends_when_nobody_holds_it() {
        let (mut shell, group) = ProcessGroup::start(&mut family()).expect("a shell starts");
        drop(group);
        shell.wait().expect("the shell ends");
        let mut said = String::new();
        let mut output = shell.stdout.take().expect("its output is ours");
        output.read_to_string(&mut said).expect("the end of both");
    }
}
