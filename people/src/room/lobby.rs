//! The queue of callers, and whose code is checked next.

use std::collections::HashMap;
use std::net::IpAddr;
use std::time::{Duration, Instant};

use crate::code::CallerNet;

/// The most callers at a time.
const MOST_PLACES: usize = 192;
/// The most callers of one network at a time.
const MOST_OF_ONE: usize = 64;
/// The time between two codes of one network: 64 callers wait for little more than three seconds.
const BETWEEN_TRIES_OF_ONE: Duration = Duration::from_millis(50);
/// The time between two codes from anywhere. Of the 2^30 codes a day tries four million, or one in 250.
const BETWEEN_TRIES: Duration = Duration::from_millis(20);
/// The time between two returns of the guest.
const BETWEEN_RETURNS: Duration = Duration::from_secs(1);

/// The place of a caller who waits.
#[derive(Clone, Copy, Debug)]
struct LobbyPlace {
    id: u64,
    net: CallerNet,
    /// True if its code waits to be looked at; else nothing has come yet.
    has_spoken: bool,
}

/// A caller who was given a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entered {
    /// The number of the place.
    pub(super) id: u64,
    /// The place that another caller lost to it.
    pub(super) instead_of: Option<u64>,
}

/// True if the code of a caller may be looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CodeTurn {
    /// Now.
    Now,
    /// Not before this moment: it is to be asked again then.
    At(Instant),
    /// Never: the place was given up.
    Gone,
}

/// Those who have called and are not let in yet.
///
/// Nobody keeps others out. Who says nothing makes place for the next, those of the network with the most
/// places first. Codes are looked at one after the other, the first of each network in turn and no more
/// than some in a second, so that many callers try no more codes than one, and one caller from elsewhere
/// does not wait for them.
#[derive(Clone, Debug, Default)]
pub(super) struct Lobby {
    /// In the order in which they came.
    places: Vec<LobbyPlace>,
    last: u64,
    /// When a code of a network was last looked at, as long as that matters.
    tries: HashMap<CallerNet, Instant>,
    tried: Option<Instant>,
    returned: Option<Instant>,
}

impl Lobby {
    /// Gives a place to a caller; `None` if all that there is for its network have spoken.
    pub(super) fn enter(&mut self, address: IpAddr) -> Option<Entered> {
        let net = CallerNet::from(address);
        let mut instead_of = None;
        if self.count(net) >= MOST_OF_ONE || self.places.len() >= MOST_PLACES {
            let taken = self.least_wanted(net)?;
            instead_of = Some(self.places.remove(taken).id);
        }
        self.last += 1;
        self.places.push(LobbyPlace { id: self.last, net, has_spoken: false });
        Some(Entered { id: self.last, instead_of })
    }

    fn count(&self, net: CallerNet) -> usize {
        self.places.iter().filter(|place| place.net == net).count()
    }

    /// Returns the place that somebody of this network gets where there is none left.
    fn least_wanted(&self, newcomer: CallerNet) -> Option<usize> {
        let own = self.count(newcomer);
        let crowd = self.places.iter().map(|place| self.count(place.net)).max()?;
        let is_of_crowd = |place: &LobbyPlace| match own {
            MOST_OF_ONE.. => place.net == newcomer,
            _ => self.count(place.net) == crowd,
        };
        let silent = self.places.iter().position(|place| is_of_crowd(place) && !place.has_spoken);
        // A caller that has spoken waits ahead of later ones, but not in a crowd.
        silent
            .or_else(|| (own < crowd).then(|| self.places.iter().rposition(is_of_crowd)).flatten())
    }

    /// Frees the place of a caller that has left.
    pub(super) fn leave(&mut self, id: u64) {
        self.places.retain(|place| place.id != id);
    }

    /// Returns whether the code of a caller may be looked at, which has come. If it may now, that
    /// counts as a try, and the caller waits no more.
    pub(super) fn ask(&mut self, id: u64, now: Instant) -> CodeTurn {
        let Some(place) = self.places.iter_mut().find(|place| place.id == id) else {
            return CodeTurn::Gone;
        };
        place.has_spoken = true;
        let net = place.net;
        self.tries.retain(|_, tried| now.saturating_duration_since(*tried) < BETWEEN_TRIES_OF_ONE);
        let free = self.tried.map_or(now, |tried| tried + BETWEEN_TRIES);
        let free_for_net = self.tries.get(&net).map_or(now, |&tried| tried + BETWEEN_TRIES_OF_ONE);
        let free = free.max(free_for_net);
        if free > now {
            return CodeTurn::At(free);
        }
        // Of all whose network may try now, the one whose network is the first that waits.
        let may_try =
            |place: &&LobbyPlace| place.has_spoken && !self.tries.contains_key(&place.net);
        if self.places.iter().find(may_try).is_some_and(|first| first.id != id) {
            return CodeTurn::At(now + BETWEEN_TRIES);
        }
        self.tries.insert(net, now);
        self.tried = Some(now);
        self.leave(id);
        CodeTurn::Now
    }

    /// Returns the moment from which a guest who comes back may be in the room, which counts as a return.
    pub(super) fn return_at(&mut self, now: Instant) -> Instant {
        let at = self.returned.map_or(now, |returned| now.max(returned + BETWEEN_RETURNS));
        self.returned = Some(at);
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(number: usize) -> IpAddr {
        IpAddr::from([10, 0, (number / 256) as u8, (number % 256) as u8])
    }

    /// Lets callers ask again and again until one has its turn, and returns the time that it took.
    fn waiting(lobby: &mut Lobby, others: &mut [u64], guest: u64, start: Instant) -> Duration {
        let mut now = start;
        loop {
            assert!(now - start < Duration::from_secs(3600), "the guest waits for ever");
            for other in &mut *others {
                // A rejected caller is back at once.
                if lobby.ask(*other, now) == CodeTurn::Now {
                    *other = lobby.enter(address(1)).expect("a place").id;
                }
            }
            match lobby.ask(guest, now) {
                CodeTurn::Now => return now - start,
                CodeTurn::At(_) => now += Duration::from_millis(5),
                CodeTurn::Gone => panic!("the guest has lost its place"),
            }
        }
    }

    #[test]
    fn callers_who_say_nothing_make_place_for_others() {
        let mut lobby = Lobby::default();
        let now = Instant::now();
        let silent: Vec<u64> =
            (0..1000).map(|_| lobby.enter(address(1)).expect("a place").id).collect();
        assert_eq!(lobby.places.len(), MOST_OF_ONE);
        // Also for one of the same network.
        for number in [1, 2] {
            let guest = lobby.enter(address(number)).expect("a place");
            assert_eq!(lobby.ask(guest.id, now + number as u32 * BETWEEN_TRIES), CodeTurn::Now);
        }
        assert_eq!(lobby.ask(silent[0], now), CodeTurn::Gone);
        // From ever so many networks.
        for number in 0..1000 {
            lobby.enter(address(number)).expect("a place");
        }
        assert_eq!(lobby.places.len(), MOST_PLACES);
        let guest = lobby.enter(address(2000)).expect("a place");
        assert!(guest.instead_of.is_some());
        assert_eq!(lobby.ask(guest.id, now + 4 * BETWEEN_TRIES), CodeTurn::Now);
    }

    #[test]
    fn callers_with_wrong_codes_do_not_keep_the_guest_out() {
        let mut lobby = Lobby::default();
        let start = Instant::now();
        let mut others: Vec<u64> = (0..30).map(|_| lobby.enter(address(1)).unwrap().id).collect();
        let near = lobby.enter(address(1)).expect("a place").id;
        let time = waiting(&mut lobby, &mut others, near, start);
        assert!(time <= 31 * BETWEEN_TRIES_OF_ONE, "{time:?}");
        let later = start + Duration::from_secs(10);
        let far = lobby.enter(address(2)).expect("a place").id;
        let time = waiting(&mut lobby, &mut others, far, later);
        assert!(time <= 2 * BETWEEN_TRIES, "{time:?}");
    }

    #[test]
    fn a_crowd_that_has_spoken_gives_places_to_others_and_not_to_more_of_its_own() {
        let mut lobby = Lobby::default();
        let now = Instant::now();
        for net in 0..MOST_PLACES / MOST_OF_ONE {
            while lobby.count(address(net).into()) < MOST_OF_ONE {
                let id = lobby.enter(address(net)).expect("a place").id;
                lobby.ask(id, now);
            }
        }
        assert_eq!(lobby.enter(address(0)), None);
        let guest = lobby.enter(address(9)).expect("a place");
        let gone = guest.instead_of.expect("somebody had it");
        assert_eq!(lobby.ask(gone, now), CodeTurn::Gone);
        assert_ne!(lobby.ask(guest.id, now + BETWEEN_TRIES), CodeTurn::Gone);
    }

    #[test]
    fn many_callers_try_no_more_codes_than_a_few() {
        let second = Duration::from_secs(1);
        for (nets, between) in [(1, BETWEEN_TRIES_OF_ONE), (100, BETWEEN_TRIES)] {
            let mut lobby = Lobby::default();
            let start = Instant::now();
            let mut tries = 0;
            let mut callers: Vec<Option<u64>> = vec![None; 100];
            for tick in 0..400 {
                let now = start + tick * Duration::from_millis(5);
                for (i, caller) in callers.iter_mut().enumerate() {
                    let enter = || lobby.enter(address(i % nets)).map(|entered| entered.id);
                    *caller = caller.take().or_else(enter);
                    if caller.is_some_and(|id| lobby.ask(id, now) == CodeTurn::Now) {
                        tries += 1;
                        *caller = None;
                    }
                }
            }
            let most = (2.0 * second.div_duration_f64(between)) as u32 + 1;
            assert!((most / 2..=most).contains(&tries), "{tries} of {most}");
        }
    }

    #[test]
    fn a_guest_comes_back_once_a_second() {
        let mut lobby = Lobby::default();
        let now = Instant::now();
        let at: Vec<Duration> = (0..3).map(|_| lobby.return_at(now) - now).collect();
        assert_eq!(at, [0, 1, 2].map(|seconds| seconds * BETWEEN_RETURNS));
        let later = now + Duration::from_secs(60);
        assert_eq!(lobby.return_at(later), later);
    }
}
