//! The form that asks guests on the network for the code.

use std::collections::HashMap;
use std::net::IpAddr;
use std::time::Duration;

use http_body_util::{BodyExt, Limited};
use hyper::body::Incoming;
use hyper::header::{self, HeaderValue};
use hyper::{Method, Request, StatusCode};
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep, sleep_until};

use super::answer::{PageAnswer, answer, bare, error, not_allowed};
use super::request::{is_own, query};
use super::state::WebState;
use tengen_people::code::{CallerNet, JoinCode};

/// The time that each wrong code costs its network: all 2^30 codes take it 34 years.
const PENALTY: Duration = Duration::from_secs(1);
/// The time between two codes from anywhere. Of the 2^30 codes a day tries four million, or one in 250.
const BETWEEN_TRIES: Duration = Duration::from_millis(20);
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
    tries: Mutex<CodeTries>,
}

/// When codes may be tried again.
#[derive(Debug, Default)]
struct CodeTries {
    /// By networks whose code was wrong, as long as that matters.
    by_net: HashMap<CallerNet, Instant>,
    /// By anybody.
    by_all: Option<Instant>,
}

impl CodeTries {
    /// Returns whether a network may try a code, which counts as a try.
    fn begin(&mut self, net: CallerNet, now: Instant) -> bool {
        self.by_net.retain(|_, again| *again > now);
        let may_try = !self.by_net.contains_key(&net);
        if may_try {
            self.by_all = Some(now + BETWEEN_TRIES);
        }
        may_try
    }

    /// Takes it that the code of a network was wrong.
    fn fail(&mut self, net: CallerNet, now: Instant) {
        self.by_net.insert(net, now + PENALTY);
    }
}

impl CodeDoor {
    pub(super) fn new(code: JoinCode) -> CodeDoor {
        CodeDoor { code, tries: Mutex::default() }
    }

    /// Returns whether a code is right; nothing if this network has just tried another one.
    async fn opens(&self, text: &str, from: IpAddr) -> Option<bool> {
        let net = CallerNet::from(from);
        // All stand in one line. Who hangs up there has learned nothing.
        let mut tries = self.tries.lock().await;
        if let Some(again) = tries.by_all {
            sleep_until(again).await;
        }
        let now = Instant::now();
        if !tries.begin(net, now) {
            return None;
        }
        let is_right = text.parse().is_ok_and(|code: JoinCode| code == self.code);
        if !is_right {
            // Who hangs up now waits all the same.
            tries.fail(net, now);
            drop(tries);
            sleep(PENALTY).await;
        }
        Some(is_right)
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
                Some(true) => welcome(state, ""),
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

/// Leads to a page, with the key; to the main one if there is none of the name.
pub(super) fn welcome(state: &WebState, page: &str) -> PageAnswer {
    let mut answer = bare(StatusCode::SEE_OTHER);
    let page = if state.files.contains_key(&format!("/{page}")) { page } else { "" };
    if let Ok(place) = HeaderValue::from_str(&format!("/{page}?key={}", state.key)) {
        answer.headers_mut().insert(header::LOCATION, place);
    }
    answer
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    fn address(last: u8) -> IpAddr {
        IpAddr::from([10, 0, 0, last])
    }

    #[test]
    fn a_wrong_code_costs_those_who_hang_up_as_much() {
        let code = JoinCode::random();
        let door = CodeDoor::new(code.clone());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            // This drops the answer while it waits.
            assert_eq!(door.opens("no code", address(1)).now_or_never(), None);
            let again = door.tries.lock().await.by_net[&address(1).into()];
            assert_eq!(door.opens(&code.to_string(), address(2)).await, Some(true));
            let mut tries = door.tries.lock().await;
            assert!(!tries.begin(address(1).into(), again - Duration::from_millis(1)));
            assert!(tries.begin(address(1).into(), again));
        });
    }

    #[test]
    fn many_networks_try_no_more_codes_than_a_few() {
        let mut tries = CodeTries::default();
        let start = Instant::now();
        for last in 1..=3 {
            let now = tries.by_all.unwrap_or(start);
            assert_eq!(now, start + u32::from(last - 1) * BETWEEN_TRIES);
            assert!(tries.begin(address(last).into(), now));
            tries.fail(address(last).into(), now);
            // Who may not try keeps nobody waiting.
            let next = tries.by_all;
            assert!(!tries.begin(address(1).into(), now + BETWEEN_TRIES / 2));
            assert_eq!(tries.by_all, next);
        }
        assert_eq!(tries.by_net.len(), 3);
        assert!(tries.begin(address(1).into(), start + 2 * PENALTY));
        assert!(tries.by_net.is_empty(), "nothing is kept for ever");
    }
}
