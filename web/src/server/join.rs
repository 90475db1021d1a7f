//! The form that asks guests on the network for the code.

use std::collections::HashSet;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use http_body_util::{BodyExt, Limited};
use hyper::body::Incoming;
use hyper::header::{self, HeaderValue};
use hyper::{Method, Request, StatusCode};

use super::answer::{PageAnswer, answer, bare, error, not_allowed};
use super::request::{is_own, query};
use super::state::WebState;
use tengen_people::code::JoinCode;

/// The time that each wrong code costs its address: all codes take longer than anybody lives.
const PENALTY: Duration = Duration::from_secs(1);
/// The longest form, in bytes.
const MOST_BYTES: usize = 1024;

/// The path of the form.
pub(super) const PATH: &str = "/join";

/// The form.
const FORM: &str = include_str!("join.html");

/// The door for those who know the code.
#[derive(Debug)]
pub(super) struct CodeDoor {
    code: JoinCode,
    /// Addresses that have tried a code and wait.
    trying: Mutex<HashSet<IpAddr>>,
}

impl CodeDoor {
    pub(super) fn new(code: JoinCode) -> CodeDoor {
        CodeDoor { code, trying: Mutex::default() }
    }

    /// Returns whether a code is right; nothing if this address tries another one at present.
    async fn opens(&self, text: &str, from: IpAddr) -> Option<bool> {
        let trying = || self.trying.lock().unwrap_or_else(PoisonError::into_inner);
        if !trying().insert(from) {
            return None;
        }
        // Whatever becomes of the request, the address may try again.
        let _leaves = Leaves { door: self, from };
        let is_right = text.parse().is_ok_and(|code: JoinCode| code == self.code);
        if !is_right {
            tokio::time::sleep(PENALTY).await;
        }
        Some(is_right)
    }
}

/// An address that is trying a code.
struct Leaves<'a> {
    door: &'a CodeDoor,
    from: IpAddr,
}

impl Drop for Leaves<'_> {
    fn drop(&mut self) {
        self.door.trying.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.from);
    }
}

/// Shows the form, or leads whoever knows the code to the page.
pub(super) async fn join(
    state: &WebState,
    door: &CodeDoor,
    request: Request<Incoming>,
    host: &str,
    from: IpAddr,
) -> PageAnswer {
    match *request.method() {
        Method::GET | Method::HEAD => form(StatusCode::OK, "The code is shown where tengen runs."),
        Method::POST if !is_own(&request, state.hosts, host) => {
            error(StatusCode::FORBIDDEN, "the form of another site")
        }
        Method::POST => {
            let body = Limited::new(request.into_body(), MOST_BYTES).collect().await;
            let Ok(body) = body else { return bare(StatusCode::PAYLOAD_TOO_LARGE) };
            let text = String::from_utf8_lossy(&body.to_bytes()).into_owned();
            match door.opens(&query(&text, "code").unwrap_or_default(), from).await {
                Some(true) => welcome(state),
                Some(false) => form(StatusCode::FORBIDDEN, "The code is wrong."),
                None => form(StatusCode::TOO_MANY_REQUESTS, "One code at a time."),
            }
        }
        _ => not_allowed("GET, HEAD, POST"),
    }
}

fn form(status: StatusCode, said: &str) -> PageAnswer {
    answer(status, "text/html; charset=utf-8", FORM.replace("{said}", said))
}

/// Leads to the page, with the key.
fn welcome(state: &WebState) -> PageAnswer {
    let mut answer = bare(StatusCode::SEE_OTHER);
    if let Ok(place) = HeaderValue::from_str(&format!("/?key={}", state.key)) {
        answer.headers_mut().insert(header::LOCATION, place);
    }
    answer
}
