//! The digest that ties a certificate to the text it was made for; the only user of `sha2`.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use crate::protocol::{Protocol, print_protocol};

/// The SHA-256 of the protocol's canonical text, in 64 hexadecimal digits.
///
/// Comments, spacing, spellings and `reach` lines do not count; every name and the order of
/// declarations do.
pub fn digest(protocol: &Protocol) -> String {
    let judged = Protocol { expected_runs: Vec::new(), ..protocol.clone() };
    digest_of(print_protocol(&judged).as_bytes())
}

/// The SHA-256 of some bytes, in 64 hexadecimal digits.
pub fn digest_of(bytes: &[u8]) -> String {
    let mut digits = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        write!(digits, "{byte:02x}").expect("writing to a string succeeds");
    }
    digits
}
