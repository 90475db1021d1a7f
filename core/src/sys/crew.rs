//! Threads that wait for work.
//!
//! A search shares borrowed data with its threads, which the standard library allows only for threads that
//! are started and ended with it. Starting one takes longer than a short search can wait, so these stay.

use std::fmt;
use std::mem;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use super::panics;

/// Work that members share; each does the part of its number.
type SharedWork<'a> = &'a (dyn Fn(usize) + Sync + 'a);

/// Threads that are started once and wait for work. They end when the crew is dropped.
#[derive(Default)]
pub struct Crew {
    members: Vec<Member>,
}

/// The handle of a thread. Each work that is sent is answered once, when it is over.
struct Member {
    work: Sender<SharedWork<'static>>,
    done: Receiver<()>,
}

impl Crew {
    /// Returns a crew without members.
    #[must_use]
    pub const fn new() -> Crew {
        Crew { members: Vec::new() }
    }

    /// Returns the number of threads.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.members.len()
    }

    /// Returns whether there are no threads.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Starts threads with stacks of so many bytes until there are `members`, or the system refuses one.
    pub fn grow(&mut self, members: usize, stack_bytes: usize) {
        while self.members.len() < members {
            let number = self.members.len();
            let (work, inbox) = channel::<SharedWork<'static>>();
            let (tell, done) = channel();
            let body = move || {
                for work in inbox {
                    // Work that cares about its panics catches them itself.
                    let _ = panics::catch(|| work(number));
                    if tell.send(()).is_err() {
                        return;
                    }
                }
            };
            let builder = thread::Builder::new().name("helper".to_owned()).stack_size(stack_bytes);
            match builder.spawn(body) {
                Ok(_) => self.members.push(Member { work, done }),
                Err(_) => return,
            }
        }
    }

    /// Ends all threads but the first `members`.
    pub fn shrink(&mut self, members: usize) {
        self.members.truncate(members);
    }

    /// Has the first `helpers` members, or as many as there are, do their parts of `work`, and this thread
    /// `own`; returns what that returns when all are done.
    ///
    /// A part that panics is over. If `own` panics, the panic goes on when all parts are done.
    pub fn run<T>(
        &mut self,
        helpers: usize,
        work: &(dyn Fn(usize) + Sync),
        own: impl FnOnce() -> T,
    ) -> T {
        // SAFETY: only the lifetime changes. No member uses the work after it has answered that it is over
        // or has ended, and `Busy`, which waits for both, is dropped before this function returns or
        // unwinds. Nothing between its parts can leak it.
        let work = unsafe { mem::transmute::<SharedWork<'_>, SharedWork<'static>>(work) };
        let mut busy = Busy(Vec::with_capacity(helpers.min(self.members.len())));
        for member in self.members.iter().take(helpers) {
            // A member that has ended does not get it.
            if member.work.send(work).is_ok() {
                busy.0.push(member);
            }
        }
        own()
    }
}

impl fmt::Debug for Crew {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Crew({})", self.members.len())
    }
}

/// Members that have work. Dropping this waits for them.
struct Busy<'a>(Vec<&'a Member>);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        for member in &self.0 {
            // An error says that the thread has ended.
            let _ = member.done.recv();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn crew(members: usize) -> Crew {
        let mut crew = Crew::new();
        crew.grow(members, 64 << 10);
        assert_eq!(crew.len(), members);
        crew
    }

    #[test]
    fn parts_are_done_once_each_and_on_the_same_threads_again() {
        let mut crew = crew(3);
        let seen: Mutex<Vec<_>> = Mutex::default();
        let note = |number| seen.lock().unwrap().push((number, thread::current().id()));
        for _ in 0..100 {
            assert_eq!(crew.run(3, &note, || 7), 7);
        }
        crew.run(2, &note, || {});
        crew.run(9, &note, || {});
        let seen = seen.into_inner().unwrap();
        let count = |part| seen.iter().filter(|(number, _)| *number == part).count();
        assert_eq!([count(0), count(1), count(2), seen.len()], [102, 102, 101, 305]);
        assert_eq!(seen.into_iter().collect::<HashSet<_>>().len(), 3);
    }

    #[test]
    fn a_run_ends_when_all_parts_are_over() {
        let mut crew = crew(2);
        for is_long in [false, true] {
            let over = AtomicUsize::new(0);
            let part = |_| {
                for _ in 0..1000 {
                    thread::yield_now();
                }
                over.fetch_add(1, Ordering::Relaxed);
                assert!(is_long, "a part that panics is over");
            };
            let own = || assert!(is_long, "the panic of the caller");
            assert_eq!(panics::catch(|| crew.run(2, &part, own)).is_ok(), is_long);
            assert_eq!(over.load(Ordering::Relaxed), 2);
        }
    }

    #[test]
    fn a_crew_without_members_does_its_own_work() {
        let mut crew = crew(2);
        crew.shrink(0);
        assert!(crew.is_empty());
        assert_eq!(crew.run(2, &|_| panic!("nobody"), || 3), 3);
    }
}
