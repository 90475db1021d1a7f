//! Proofs of knowing a code.

use std::fmt;
use std::str::FromStr;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::code::JoinCode;

/// An unguessable random number: used once for a proof, or as the ticket of a guest.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Lot([u8; 16]);

impl Lot {
    /// Draws a number.
    pub(super) fn random() -> Lot {
        Lot(rand::random())
    }
}

impl fmt::Display for Lot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Lot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Lot")
    }
}

impl FromStr for Lot {
    type Err = ();

    /// Reads 32 hexadecimal digits.
    fn from_str(text: &str) -> Result<Lot, ()> {
        bytes_of(text).map(Lot).ok_or(())
    }
}

/// Reads two hexadecimal digits for each byte, exactly as many.
fn bytes_of<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digits = text.as_bytes();
    if digits.len() != 2 * N {
        return None;
    }
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|d| u8::try_from(d).ok());
    let mut bytes = [0; N];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks(2)) {
        *byte = digit(pair[0])? * 16 + digit(pair[1])?;
    }
    Some(bytes)
}

/// The side that proves that it knows the code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ProvingSide {
    /// The host to the guest.
    Host,
    /// The guest to the host.
    Guest,
}

/// The shared knowledge that one side proves.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProofInput<'a> {
    /// The code.
    pub(super) code: &'a JoinCode,
    /// The ticket of a guest who comes back.
    pub(super) ticket: Option<&'a Lot>,
    /// The number of the host in this connection.
    pub(super) host: &'a Lot,
    /// The number of the guest in this connection.
    pub(super) guest: &'a Lot,
}

impl ProofInput<'_> {
    fn mac(&self, prover: ProvingSide) -> Hmac<Sha256> {
        let mut key = self.code.signs().to_vec();
        key.extend(self.ticket.iter().flat_map(|ticket| ticket.0));
        // Keys of every length are taken.
        let mut mac = Hmac::<Sha256>::new_from_slice(&key).expect("a key");
        mac.update(match prover {
            ProvingSide::Host => b"tengen room host",
            ProvingSide::Guest => b"tengen room guest",
        });
        mac.update(&self.host.0);
        mac.update(&self.guest.0);
        mac
    }

    /// Returns the proof as hexadecimal digits.
    pub(super) fn proof(&self, prover: ProvingSide) -> String {
        let bytes = self.mac(prover).finalize().into_bytes();
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Returns whether a text is the proof, in a time that does not depend on how much of it is.
    pub(super) fn is_proved_by(&self, prover: ProvingSide, proof: &str) -> bool {
        bytes_of::<32>(proof).is_some_and(|bytes| self.mac(prover).verify_slice(&bytes).is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_needs_all_that_is_known() {
        let (code, other): (JoinCode, JoinCode) =
            ("ABC234".parse().unwrap(), "ABC235".parse().unwrap());
        let [host, guest, ticket] = [1, 2, 3].map(|byte| Lot([byte; 16]));
        let known = ProofInput { code: &code, ticket: None, host: &host, guest: &guest };
        let proof = known.proof(ProvingSide::Guest);
        assert!(known.is_proved_by(ProvingSide::Guest, &proof));
        assert!(!known.is_proved_by(ProvingSide::Host, &proof));
        for wrong in [
            ProofInput { code: &other, ..known },
            ProofInput { ticket: Some(&ticket), ..known },
            ProofInput { host: &guest, ..known },
            ProofInput { guest: &host, ..known },
        ] {
            assert!(!wrong.is_proved_by(ProvingSide::Guest, &proof));
        }
        for text in ["", "00", "é", &proof[1..], &proof.replace(&proof[..1], "g")] {
            assert!(!known.is_proved_by(ProvingSide::Guest, text));
        }
        assert_eq!(host.to_string().parse(), Ok(host));
    }

    /// The numbers of RFC 4231, by which both sides of other versions agree too.
    #[test]
    fn the_authentication_code_is_the_standard_one() {
        let mut mac = Hmac::<Sha256>::new_from_slice(b"Jefe").unwrap();
        mac.update(b"what do ya want for nothing?");
        let bytes = mac.finalize().into_bytes();
        let text: String = bytes.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(text, "5bdcc146bf60754e");
    }
}
