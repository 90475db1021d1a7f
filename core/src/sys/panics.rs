//! Panics that are an error of what panicked, and not the end of the program.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::path::Path;
use std::sync::Once;
use std::thread;

thread_local! {
    /// The number of calls of [`catch`] that this thread is in.
    static CATCHING: Cell<u32> = const { Cell::new(0) };
    /// The place of the last panic of this thread.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Set when the hook for panics is there.
static HOOK: Once = Once::new();

/// A panic that was caught.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message} ({place})")]
pub struct Panic {
    message: String,
    /// The file, without its folder, and the line.
    place: String,
}

impl Panic {
    /// Goes on with the panic, on this thread.
    pub fn resume(self) -> ! {
        panic::resume_unwind(Box::new(self))
    }

    fn of(payload: &(dyn Any + Send)) -> Panic {
        if let Some(resumed) = payload.downcast_ref::<Panic>() {
            return resumed.clone();
        }
        let text = payload.downcast_ref::<&str>().map(|&text| text.to_owned());
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        let message = text.unwrap_or_else(|| "a panic without a message".to_owned());
        let place = PLACE.take().unwrap_or_else(|| "somewhere".to_owned());
        Panic { message, place }
    }
}

/// Returns what `work` returns, or the message of its panic, about which nothing is printed.
///
/// Changes by `work` may be half done: the caller doesn't use it any more, or knows that it is
/// whole.
///
/// # Errors
///
/// Returns the panic.
pub fn catch<T>(work: impl FnOnce() -> T) -> Result<T, Panic> {
    hush();
    let _catching = Catching::begin();
    panic::catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let panic = Panic::of(&*payload);
        // A payload that panics when it is dropped is left alone.
        if let Err(further) = panic::catch_unwind(AssertUnwindSafe(|| drop(payload))) {
            std::mem::forget(further);
        }
        panic
    })
}

/// Returns whether a panic of this thread would be caught by [`catch`].
#[must_use]
pub fn is_caught() -> bool {
    CATCHING.get() > 0
}

/// Reports all panics to `report` alone, including those that are caught.
pub fn report_all_to(report: impl Fn(&PanicHookInfo<'_>) + Send + Sync + 'static) {
    HOOK.call_once(|| {});
    panic::set_hook(Box::new(move |info| {
        note_place(info);
        report(info);
    }));
}

/// A call of [`catch`] that is not over.
struct Catching;

impl Catching {
    fn begin() -> Catching {
        CATCHING.set(CATCHING.get() + 1);
        Catching
    }
}

impl Drop for Catching {
    fn drop(&mut self) {
        CATCHING.set(CATCHING.get() - 1);
    }
}

/// Keeps panics that are caught from the hook that is there.
fn hush() {
    // The hook can't be changed by a thread that is panicking.
    if thread::panicking() {
        return;
    }
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            note_place(info);
            if !is_caught() {
                usual(info);
            }
        }));
    });
}

fn note_place(info: &PanicHookInfo<'_>) {
    let place = info.location().and_then(|at| {
        let file = Path::new(at.file()).file_name()?.to_str()?;
        Some(format!("{file}:{}", at.line()))
    });
    PLACE.set(place);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message<T>(caught: Result<T, Panic>) -> String {
        caught.map_or_else(|panic| panic.message, |_| "no panic".to_owned())
    }

    #[test]
    fn a_panic_is_an_error_and_the_thread_goes_on() {
        assert_eq!(catch(|| 7), Ok(7));
        let list: Vec<usize> = Vec::new();
        let error = catch(|| list[list.len() / 2]).unwrap_err();
        assert!(error.to_string().contains("out of bounds"), "{error}");
        assert!(error.place.starts_with("panics.rs:"), "{error}");
        assert_eq!(message(catch(|| panic!("a {}", "b"))), "a b");
        assert_eq!(message(catch(|| panic::panic_any(3))), "a panic without a message");
    }

    #[test]
    fn calls_may_lie_within_each_other() {
        let outer = catch(|| {
            let inner = catch(|| panic!("inner"));
            assert!(is_caught());
            inner
        });
        assert_eq!(message(outer.unwrap()), "inner");
        assert!(!is_caught());
    }

    #[test]
    fn a_panic_that_goes_on_elsewhere_is_still_the_same() {
        let first = catch(|| panic!("first")).unwrap_err();
        let copy = first.clone();
        let passed_on = thread::spawn(|| catch(|| first.resume())).join().unwrap();
        assert_eq!(passed_on, Err::<(), _>(copy));
    }
}
