//! Codes by which people let each other in.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use thiserror::Error;

/// The signs of a code: none that is taken for another.
const SIGNS: &[u8; 32] = b"23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
/// The number of signs of a code; there are 2^30 codes.
const LENGTH: usize = 6;

/// The code that the host gives the guest by another channel: six letters and digits.
///
/// It keeps out everybody who does not know it. It is too short to keep out somebody who records the line
/// and tries all codes at home: what is said on the line is not a secret either.
#[derive(Clone, PartialEq, Eq)]
pub struct JoinCode([u8; LENGTH]);

impl JoinCode {
    /// Draws a random code.
    #[must_use]
    pub fn random() -> JoinCode {
        let lots: [u8; LENGTH] = rand::random();
        JoinCode(lots.map(|lot| SIGNS[usize::from(lot % 32)]))
    }

    /// Returns its signs.
    #[must_use]
    pub const fn signs(&self) -> &[u8] {
        &self.0
    }
}

/// A text that is no code.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("a code has {LENGTH} letters and digits, without 0, 1, I and O")]
pub struct JoinCodeError;

impl FromStr for JoinCode {
    type Err = JoinCodeError;

    /// Reads a code in either case; blanks and hyphens in it do not matter.
    fn from_str(text: &str) -> Result<JoinCode, JoinCodeError> {
        let signs = text.bytes().filter(|b| !matches!(b, b' ' | b'-'));
        let signs: Vec<u8> = signs.map(|b| b.to_ascii_uppercase()).collect();
        let code: [u8; LENGTH] = signs.try_into().map_err(|_| JoinCodeError)?;
        if code.iter().all(|sign| SIGNS.contains(sign)) {
            Ok(JoinCode(code))
        } else {
            Err(JoinCodeError)
        }
    }
}

impl fmt::Display for JoinCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|&sign| write!(f, "{}", char::from(sign)))
    }
}

/// Shows nothing: codes do not belong in logs.
impl fmt::Debug for JoinCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JoinCode")
    }
}

/// A network that one caller may have all of: an address, or of the sixth version 2^64 of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CallerNet([u8; 16]);

impl From<IpAddr> for CallerNet {
    fn from(address: IpAddr) -> CallerNet {
        CallerNet(match address.to_canonical() {
            IpAddr::V4(address) => address.to_ipv6_mapped().octets(),
            IpAddr::V6(address) if address.is_loopback() => address.octets(),
            IpAddr::V6(address) => {
                let mut octets = address.octets();
                octets[8..].fill(0);
                octets
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_of_the_sixth_version_is_one_caller() {
        let net = |text: &str| CallerNet::from(text.parse::<IpAddr>().unwrap());
        assert_eq!(net("2001:db8::1"), net("2001:db8::ffff:1"));
        assert_ne!(net("2001:db8::1"), net("2001:db8:0:1::1"));
        assert_eq!(net("::ffff:10.0.0.1"), net("10.0.0.1"));
        assert_ne!(net("10.0.0.1"), net("10.0.0.2"));
        assert_ne!(net("::1"), net("::2"));
    }

    #[test]
    fn codes_are_read_as_people_write_them() {
        let code: JoinCode = "abc-2 3z".parse().unwrap();
        assert_eq!(code.to_string(), "ABC23Z");
        for text in ["", "ABC23", "ABC23ZZ", "ABC10Z", "ABÇ23Z"] {
            assert_eq!(text.parse::<JoinCode>(), Err(JoinCodeError), "{text}");
        }
        for _ in 0..100 {
            let code = JoinCode::random();
            assert_eq!(code.to_string().parse(), Ok(code));
        }
    }
}
