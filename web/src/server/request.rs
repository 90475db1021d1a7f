//! What a request says, as far as it is believed.

use std::borrow::Cow;

use hyper::Request;
use hyper::header::{self, HeaderName};

use crate::access::{AccessKey, ServedHosts};

/// The header with the key.
const KEY: HeaderName = HeaderName::from_static("x-tengen-key");

/// Returns the one value of a header that must not be there twice.
pub(super) fn only<T>(request: &Request<T>, name: HeaderName) -> Option<&str> {
    let mut values = request.headers().get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

/// Returns the host that a request means, if it is this server.
pub(super) fn host<T>(request: &Request<T>, hosts: ServedHosts) -> Option<String> {
    // Only requests to proxies name it in another place.
    let is_plain = request.uri().authority().is_none();
    let host = only(request, header::HOST).filter(|host| is_plain && hosts.has(host))?;
    Some(host.to_owned())
}

/// Returns whether a request comes from a page that this server has served as `host`.
pub(super) fn is_own<T>(request: &Request<T>, hosts: ServedHosts, host: &str) -> bool {
    only(request, header::ORIGIN).is_some_and(|origin| hosts.is_origin(origin, host))
}

/// Returns whether a request comes from a page of somebody else.
pub(super) fn is_foreign<T>(request: &Request<T>, hosts: ServedHosts, host: &str) -> bool {
    request.headers().contains_key(header::ORIGIN) && !is_own(request, hosts, host)
}

/// Returns whether a request has the key.
pub(super) fn has_key<T>(request: &Request<T>, key: &AccessKey) -> bool {
    let in_query = || query(request.uri().query().unwrap_or_default(), "key");
    match only(request, KEY) {
        Some(text) => key.is(text),
        None => in_query().is_some_and(|text| key.is(&text)),
    }
}

/// Returns the value of a key of a query or a form.
pub(super) fn query(text: &str, key: &str) -> Option<String> {
    let pair = |pair: &str| {
        let (name, value) = pair.split_once('=')?;
        (name == key).then(|| decoded(&value.replace('+', " ")))
    };
    text.split('&').find_map(pair).flatten()
}

/// Decodes percent signs, once; nothing if that leads to no text.
pub(super) fn decoded(text: &str) -> Option<String> {
    if !text.contains('%') {
        return Some(text.to_owned());
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    let digit = |byte: Option<u8>| byte.and_then(|byte| char::from(byte).to_digit(16));
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => u8::try_from(digit(rest.next())? * 16 + digit(rest.next())?).ok()?,
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

/// Returns whether an answer may be compressed with gzip.
pub(super) fn takes_gzip<T>(request: &Request<T>) -> bool {
    let encodings = request.headers().get_all(header::ACCEPT_ENCODING).iter();
    let mut names =
        encodings.filter_map(|value| value.to_str().ok()).flat_map(|text| text.split(','));
    names.any(|name| {
        let (name, weight) = name.split_once(';').unwrap_or((name, ""));
        let is_zero = weight.trim().trim_end_matches(['0', '.']) == "q=";
        name.trim().eq_ignore_ascii_case("gzip") && !is_zero
    })
}

/// Returns a session ID, if it is one.
pub(super) fn session_id(text: Option<String>) -> Option<Cow<'static, str>> {
    let is_sign = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    text.filter(|id| (8..=64).contains(&id.len()) && id.chars().all(is_sign)).map(Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percent_signs_are_decoded_once() {
        for (text, expected) in [
            ("a b", Some("a b")),
            ("%2e%2E%2f", Some("../")),
            ("%252e", Some("%2e")),
            ("%e5%af%be", Some("対")),
            ("%", None),
            ("%4", None),
            ("%+1", None),
            ("%ff", None),
        ] {
            assert_eq!(decoded(text).as_deref(), expected, "{text}");
        }
        assert_eq!(query("a=1&key=x%20y+z&key=2", "key").as_deref(), Some("x y z"));
        assert_eq!(query("xkey=1", "key"), None);
    }

    #[test]
    fn headers_that_are_there_twice_are_not_believed() {
        let hosts = ServedHosts { port: 80, network: false };
        let request = |uri: &str, headers: &[(HeaderName, &str)]| {
            let mut request = Request::builder().uri(uri);
            for (name, value) in headers {
                request = request.header(name, *value);
            }
            request.body(()).unwrap()
        };
        let of = |uri: &str, headers: &[(HeaderName, &str)]| host(&request(uri, headers), hosts);
        assert_eq!(of("/", &[(header::HOST, "localhost")]).as_deref(), Some("localhost"));
        assert_eq!(of("/", &[]), None);
        assert_eq!(of("/", &[(header::HOST, "localhost"), (header::HOST, "evil")]), None);
        assert_eq!(of("http://evil/", &[(header::HOST, "localhost")]), None);
        let foreign =
            request("/", &[(header::ORIGIN, "http://evil"), (header::ORIGIN, "http://localhost")]);
        assert!(is_foreign(&foreign, hosts, "localhost") && !is_own(&foreign, hosts, "localhost"));
        let gzip = |value: &str| takes_gzip(&request("/", &[(header::ACCEPT_ENCODING, value)]));
        assert!(gzip("br, GZIP;q=0.5") && !gzip("br") && !gzip("gzip;q=0.0") && !gzip("gzip; q=0"));
    }
}
