//! Who is let in: the key, and the names under which we are called.

use std::fmt;
use std::hint::black_box;
use std::net::IpAddr;

/// The secret that a page needs: 128 random bits. It does not appear in logs.
#[derive(Clone, PartialEq, Eq)]
pub struct AccessKey([u8; 16]);

impl AccessKey {
    /// Draws a key.
    #[must_use]
    pub fn random() -> AccessKey {
        AccessKey(rand::random())
    }

    /// Returns whether a text is the key, in a time that does not depend on how much of it is.
    #[must_use]
    pub fn is(&self, text: &str) -> bool {
        let own = self.to_string();
        let differing =
            own.bytes().zip(text.bytes()).fold(0, |bits, (a, b)| black_box(bits | (a ^ b)));
        own.len() == text.len() && black_box(differing) == 0
    }
}

impl fmt::Display for AccessKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for AccessKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AccessKey")
    }
}

/// The names under which a server may be called.
///
/// A page of another site can make its own name lead to this machine (DNS rebinding), and then its requests
/// look like ours to the browser. They bear that name. Addresses are never names of sites.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ServedHosts {
    /// The port.
    pub port: u16,
    /// True if all addresses are ours, and not only those of this machine for itself.
    pub network: bool,
}

impl ServedHosts {
    /// Returns whether `host`, as the header of a request has it, means this server.
    #[must_use]
    pub fn has(self, host: &str) -> bool {
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, port),
            _ => (host, "80"),
        };
        if port != self.port.to_string() {
            return false;
        }
        let address = match name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            Some(inner) => inner.parse().ok().filter(IpAddr::is_ipv6),
            None => name.parse().ok().filter(IpAddr::is_ipv4),
        };
        match address {
            Some(address) => self.network || address.is_loopback(),
            None => name.eq_ignore_ascii_case("localhost"),
        }
    }

    /// Returns whether an origin is that of pages that this server has served as `host`.
    #[must_use]
    pub fn is_origin(self, origin: &str, host: &str) -> bool {
        let rest = origin.strip_prefix("http://");
        self.has(host) && rest.is_some_and(|origin| origin.eq_ignore_ascii_case(host))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_but_the_key_is_the_key() {
        let key = AccessKey::random();
        let text = key.to_string();
        assert_eq!(text.len(), 32);
        assert!(key.is(&text));
        let other = AccessKey::random().to_string();
        let longer = format!("{text}0");
        for wrong in ["", &text[1..], &longer, &text.to_uppercase().replace('a', "A"), &other, "é"]
        {
            assert!(wrong == text || !key.is(wrong), "{wrong}");
        }
        assert!(!format!("{key:?}").contains(&text));
    }

    #[test]
    fn only_names_of_this_machine_are_served() {
        let here = ServedHosts { port: 4000, network: false };
        for host in
            ["127.0.0.1:4000", "localhost:4000", "LOCALHOST:4000", "[::1]:4000", "127.0.0.2:4000"]
        {
            assert!(here.has(host), "{host}");
        }
        for host in [
            "",
            ":4000",
            "127.0.0.1",
            "127.0.0.1:4001",
            "127.0.0.1:04000",
            "127.0.0.1:4000:4000",
            "evil.example:4000",
            "localhost.evil.example:4000",
            "127.0.0.1.evil.example:4000",
            "localhost:4000.evil.example",
            "[::1]",
            "::1:4000",
            "[127.0.0.1]:4000",
            "192.168.1.5:4000",
            "0.0.0.0:4000",
            "a@localhost:4000",
        ] {
            assert!(!here.has(host), "{host}");
        }
        let network = ServedHosts { network: true, ..here };
        assert!(network.has("192.168.1.5:4000") && network.has("[fe80::1]:4000"));
        assert!(!network.has("evil.example:4000"));
        let web = ServedHosts { port: 80, network: false };
        assert!(web.has("localhost") && web.has("[::1]") && web.has("localhost:80"));
    }

    #[test]
    fn origins_are_those_of_the_same_host() {
        let here = ServedHosts { port: 4000, network: false };
        assert!(here.is_origin("http://localhost:4000", "localhost:4000"));
        for origin in [
            "null",
            "",
            "http://localhost:4001",
            "https://localhost:4000",
            "http://127.0.0.1:4000",
            "http://localhost:4000/",
            "http://evil.example",
        ] {
            assert!(!here.is_origin(origin, "localhost:4000"), "{origin}");
        }
        assert!(!here.is_origin("http://evil.example:4000", "evil.example:4000"));
    }
}
