//! The digest that ties a certificate to the text it was made for; the only user of `sha2`.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use crate::protocol::{Protocol, print_protocol};

/// The SHA-256 of the protocol's canonical text, in 64 hexadecimal digits.
///
/// Comments, spacing and spellings do not count; every name and the order of declarations do.
pub fn digest(protocol: &Protocol) -> String {
    let mut digits = String::with_capacity(64);
    for byte in Sha256::digest(print_protocol(protocol)) {
        write!(digits, "{byte:02x}").expect("writing to a string succeeds");
    }
    digits
}
