//! CPUs of their own for the games that are played at the same time (`--affinity`).

use super::options::OptionError;
use crate::common::words::note;
use tengen_files::words::counted;
use tengen_lab::arena::{MatchEvent, MatchSpec, Observer, Pairing};

/// The CPUs of each worker of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Affinity(Vec<Vec<usize>>);

impl Affinity {
    /// Chooses CPUs, of those that this process may use, for so many games at the same time.
    pub(super) fn new(spec: &MatchSpec, games: u64) -> Result<Affinity, OptionError> {
        let allowed = system::allowed().map_err(|error| {
            OptionError::new(format!("--affinity: cannot choose CPUs: {error}"))
        })?;
        let threads = spec.contestants.iter().filter_map(|player| player.allowance.threads).max();
        let is_series = matches!(spec.pairing, Pairing::BestOf { .. });
        let games = if is_series { 1 } else { games };
        shared(&in_order(&allowed, system::siblings), games, threads.unwrap_or(1).into())
    }
}

/// Gives each of so many games so many CPUs.
fn shared(cpus: &[usize], games: u64, threads: u64) -> Result<Affinity, OptionError> {
    let needed = games.saturating_mul(threads);
    if needed > cpus.len() as u64 {
        return Err(OptionError::new(format!(
            "--affinity: {} with {} need {}, and this process may use {}",
            counted(games, "game"),
            counted(threads, "thread"),
            counted(needed, "CPU"),
            cpus.len()
        )));
    }
    let sets = cpus.chunks_exact(usize::try_from(threads).unwrap_or(usize::MAX).max(1));
    Ok(Affinity(sets.map(<[usize]>::to_vec).collect()))
}

/// Returns CPUs in the order in which games get them: of each core one before the second of any, as those
/// slow each other down.
fn in_order(cpus: &[usize], siblings: impl Fn(usize) -> Vec<usize>) -> Vec<usize> {
    let rank = |cpu: usize| {
        let of_core = siblings(cpu);
        cpus.iter().filter(|&&other| other < cpu && of_core.contains(&other)).count()
    };
    let mut ordered = cpus.to_vec();
    ordered.sort_by_key(|&cpu| (rank(cpu), cpu));
    ordered
}

/// Returns the numbers of a list as Linux writes it, such as `0-3,8`.
fn numbers(list: &str) -> Vec<usize> {
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        Some(first.parse::<usize>().ok()?..=last.parse::<usize>().ok()?)
    };
    list.trim().split(',').filter_map(range).flatten().collect()
}

/// Binds the workers of a match to their CPUs, and passes everything on.
pub(super) struct PinnedMatch<'a, O> {
    pub(super) affinity: Option<&'a Affinity>,
    pub(super) observer: O,
}

impl<O: Observer> Observer for PinnedMatch<'_, O> {
    fn notice(&self, event: MatchEvent<'_>) {
        self.observer.notice(event);
    }

    fn enter(&self, worker: usize) {
        let cpus = self.affinity.and_then(|Affinity(sets)| sets.get(worker));
        if let Some(Err(error)) = cpus.map(|cpus| system::pin(cpus)) {
            note(format_args!("Note: game {worker} has no CPUs of its own: {error}"));
        }
        self.observer.enter(worker);
    }
}

#[cfg(target_os = "linux")]
mod system {
    use std::{fs, io};

    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    /// Returns the CPUs that this thread may use.
    pub(super) fn allowed() -> io::Result<Vec<usize>> {
        let set = sched_getaffinity(None)?;
        Ok((0..CpuSet::MAX_CPU).filter(|&cpu| set.is_set(cpu)).collect())
    }

    /// Returns the CPUs of the core of one, itself included; none if the system does not say.
    pub(super) fn siblings(cpu: usize) -> Vec<usize> {
        let path = format!("/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list");
        fs::read_to_string(path).map_or_else(|_| Vec::new(), |list| super::numbers(&list))
    }

    /// Binds this thread to CPUs, and with it the threads and processes that it will start.
    pub(super) fn pin(cpus: &[usize]) -> io::Result<()> {
        let mut set = CpuSet::new();
        cpus.iter().for_each(|&cpu| set.set(cpu));
        Ok(sched_setaffinity(None, &set)?)
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::io::{Error, ErrorKind, Result};

    fn elsewhere<T>() -> Result<T> {
        Err(Error::new(ErrorKind::Unsupported, "that is possible on Linux only"))
    }

    pub(super) fn allowed() -> Result<Vec<usize>> {
        elsewhere()
    }

    pub(super) fn siblings(_cpu: usize) -> Vec<usize> {
        super::numbers("")
    }

    pub(super) fn pin(_cpus: &[usize]) -> Result<()> {
        elsewhere()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_lab::arena::testing;

    #[test]
    fn games_get_different_cpus_on_different_cores_first() {
        // Four cores, of which the third has one CPU that may be used.
        let siblings = |cpu: usize| vec![cpu % 4, cpu % 4 + 4];
        let cpus = in_order(&[0, 1, 2, 3, 4, 5, 7], siblings);
        assert_eq!(cpus, [0, 1, 2, 3, 4, 5, 7]);
        assert_eq!(in_order(&[0, 4, 5, 6], siblings), [0, 5, 6, 4]);
        assert_eq!(in_order(&[3, 9], |_| Vec::new()), [3, 9]);
        let sets = |games, threads| shared(&cpus, games, threads).map(|Affinity(sets)| sets);
        assert_eq!(sets(3, 2).unwrap(), [[0, 1], [2, 3], [4, 5]]);
        assert_eq!(sets(7, 1).unwrap().concat(), cpus);
        assert_eq!(
            sets(4, 2).unwrap_err().to_string(),
            "--affinity: 4 games with 2 threads need 8 CPUs, and this process may use 7"
        );
        assert!(sets(u64::MAX, u64::MAX).is_err());
    }

    #[test]
    fn lists_of_cpus_are_read() {
        assert_eq!(numbers("0-2,8,10-11\n"), [0, 1, 2, 8, 10, 11]);
        for none in ["", "\n", "x", "3-", "5-4"] {
            assert_eq!(numbers(none), [0; 0], "{none:?}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_a_worker_starts_is_bound_to_its_cpus() {
        let allowed = system::allowed().unwrap();
        let last = *allowed.last().unwrap();
        let affinity = Affinity(vec![Vec::new(), vec![last]]);
        let pinned = PinnedMatch { affinity: Some(&affinity), observer: () };
        std::thread::scope(|scope| {
            scope.spawn(|| {
                pinned.enter(1);
                let inherited = std::thread::spawn(system::allowed).join().unwrap();
                assert_eq!(inherited.unwrap(), [last]);
            });
        });
        assert_eq!(system::allowed().unwrap(), allowed, "others are not");
        assert_eq!(Affinity::new(&testing::spec(2), 1).unwrap().0.len(), allowed.len());
        let mut series = testing::spec(2);
        series.pairing = Pairing::BestOf { first: vec![0] };
        assert!(Affinity::new(&series, 1 << 20).is_ok(), "one game at a time");
    }
}
