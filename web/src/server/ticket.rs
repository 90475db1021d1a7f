//! The address that a browser is started with.

use std::sync::atomic::{AtomicBool, Ordering};

use hyper::body::Incoming;
use hyper::{Method, Request, StatusCode};

use super::answer::{PageAnswer, answer, not_allowed};
use super::join::welcome;
use super::request::query;
use super::state::WebState;
use crate::access::AccessKey;

/// The path of it.
pub(super) const PATH: &str = "/open";

/// A secret that admits whoever comes with it first.
///
/// All users of a machine can list the command lines of its processes, as that of a browser with the address that it
/// is to open. With the key in it they had the key.
#[derive(Debug)]
pub(super) struct Ticket {
    secret: AccessKey,
    is_used: AtomicBool,
}

impl Ticket {
    pub(super) const fn new(secret: AccessKey) -> Ticket {
        Ticket { secret, is_used: AtomicBool::new(false) }
    }

    fn admits(&self, text: &str) -> bool {
        self.secret.is(text) && !self.is_used.swap(true, Ordering::SeqCst)
    }
}

/// Leads to a page, with the key.
pub(super) fn open(state: &WebState, request: &Request<Incoming>) -> PageAnswer {
    if request.method() != Method::GET {
        return not_allowed("GET");
    }
    let asked = request.uri().query().unwrap_or_default();
    if query(asked, "ticket").is_some_and(|text| state.ticket.admits(&text)) {
        return welcome(state, &query(asked, "page").unwrap_or_default());
    }
    let why = "This address was good for one time: open the one that tengen has printed.\n";
    answer(StatusCode::FORBIDDEN, "text/plain; charset=utf-8", why)
}
