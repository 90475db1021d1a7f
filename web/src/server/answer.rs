//! Answers, with the headers that all of them have.

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};
use serde::Serialize;

/// An answer.
pub(super) type PageAnswer = Response<Full<Bytes>>;

/// What pages may load: their own files and nothing else, no scripts in HTML, no frames around them. `{host}` is
/// the server, which not all browsers take for a part of `'self'` where it speaks WebSocket.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
     img-src 'self' data: blob:; connect-src 'self' ws://{host}; worker-src 'self'; manifest-src 'self'; \
     form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The headers of all answers: browsers keep other sites' pages apart from ours, which also gives ours threads
/// with shared memory, guess no kinds of files, and tell nobody our addresses.
const HEADERS: [(HeaderName, &str); 5] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-embedder-policy"), "require-corp"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// An error for scripts.
#[derive(Serialize)]
struct ErrorObject<'a> {
    error: &'a str,
    /// The address of the form that asks for the code.
    #[serde(skip_serializing_if = "Option::is_none")]
    join: Option<&'a str>,
}

/// Returns an answer with a body of some kind.
pub(super) fn answer(status: StatusCode, kind: &'static str, body: impl Into<Bytes>) -> PageAnswer {
    let mut answer = Response::new(Full::new(body.into()));
    *answer.status_mut() = status;
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    answer
}

/// Returns an answer with nothing but a status.
pub(super) fn bare(status: StatusCode) -> PageAnswer {
    let mut answer = Response::new(Full::default());
    *answer.status_mut() = status;
    answer.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    answer
}

/// Returns an answer in JSON.
pub(super) fn json(status: StatusCode, value: &impl Serialize) -> PageAnswer {
    let body = serde_json::to_vec(value).expect("our objects are JSON");
    answer(status, "application/json", body)
}

/// Returns an error.
pub(super) fn error(status: StatusCode, why: &str) -> PageAnswer {
    json(status, &ErrorObject { error: why, join: None })
}

/// Returns an error of somebody who is not let in, with the form that helps, if one does.
pub(super) fn unknown(join: Option<&str>) -> PageAnswer {
    let error = "the key is missing or wrong: open the address that tengen web has printed";
    json(StatusCode::UNAUTHORIZED, &ErrorObject { error, join })
}

/// Returns the refusal of a method, with those that there are.
pub(super) fn not_allowed(methods: &'static str) -> PageAnswer {
    let mut answer = error(StatusCode::METHOD_NOT_ALLOWED, "this is not done here");
    answer.headers_mut().insert(header::ALLOW, HeaderValue::from_static(methods));
    answer
}

/// Adds the headers that all answers have to an answer to a request to `host`.
pub(super) fn secure(answer: &mut PageAnswer, host: &str) {
    // A connection is for one request, so that none is kept open for nothing.
    if answer.status() != StatusCode::SWITCHING_PROTOCOLS {
        answer.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    let headers = answer.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if let Ok(policy) = HeaderValue::from_str(&POLICY.replace("{host}", host)) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
}
