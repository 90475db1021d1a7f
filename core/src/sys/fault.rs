//! Panics on demand, to show that nothing is lost by one.
//!
//! A build with assertions panics where the variable `TENGEN_FAULT` of its environment says: `search:900` at
//! every 900th pass of [`Place::Search`]. Other builds know nothing of it.

/// The places that can panic on demand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A node of the first thread of a search.
    Search,
    /// The beginning of another thread of a search.
    Helper,
    /// A score that a network corrects.
    Network,
    /// A position of a proof search.
    Prover,
    /// A question of a search to a database or a book.
    Knowledge,
    /// A request to the thread of the database.
    Database,
    /// A line or an answer that a session of the protocol deals with.
    Session,
    /// A line of input that is parsed.
    Input,
}

/// Panics if this pass of `place` is one that was asked for.
#[inline(always)]
pub fn pass(place: Place) {
    #[cfg(debug_assertions)]
    on_demand::pass(place);
    let _ = place;
}

#[cfg(debug_assertions)]
mod on_demand {
    use std::env;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::Place;

    /// A place, and the number of passes from one panic to the next.
    static WANTED: OnceLock<Option<(Place, u64)>> = OnceLock::new();
    static PASSES: AtomicU64 = AtomicU64::new(0);

    pub(super) fn pass(place: Place) {
        let wanted = WANTED.get_or_init(|| parse(&env::var("TENGEN_FAULT").ok()?));
        if let Some((wanted, every)) = *wanted
            && wanted == place
            && (PASSES.fetch_add(1, Ordering::Relaxed) + 1).is_multiple_of(every)
        {
            panic!("a fault on demand in {place:?}");
        }
    }

    fn parse(text: &str) -> Option<(Place, u64)> {
        let (name, every) = text.split_once(':')?;
        let place = match name {
            "search" => Place::Search,
            "helper" => Place::Helper,
            "network" => Place::Network,
            "prover" => Place::Prover,
            "knowledge" => Place::Knowledge,
            "database" => Place::Database,
            "session" => Place::Session,
            "input" => Place::Input,
            _ => return None,
        };
        Some((place, every.parse().ok().filter(|&every| every > 0)?))
    }
}
