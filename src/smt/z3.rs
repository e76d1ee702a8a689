//! The Z3 library: the only file that names the z3 crate.

use thiserror::Error;

/// The Z3 releases whose interface this program was built for.
const SUPPORTED: &str = "5.3.";

/// The linked Z3 library is not one this program was built for.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the Z3 library found at start is {found}, but {SUPPORTED}x is needed")]
pub struct WrongVersion {
    /// The version that the library reports.
    pub found: String,
}

/// The version of the linked library, such as `5.3.2.0`.
pub fn version() -> String {
    let full = z3::full_version();
    full.trim_start_matches("Z3 ").to_owned()
}

/// Refuses any library whose interface may differ from the one this program was built for.
///
/// # Errors
/// When the library reports another version.
pub fn ensure_version() -> Result<(), WrongVersion> {
    supported(&version())
}

fn supported(version: &str) -> Result<(), WrongVersion> {
    if version.starts_with(SUPPORTED) {
        Ok(())
    } else {
        Err(WrongVersion { found: version.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_linked_library_is_supported() {
        assert_eq!(ensure_version(), Ok(()));
    }

    #[test]
    fn other_libraries_are_refused() {
        for other in ["4.8.12.0", "5.4.0.0", "5.30.1", "15.3.2", ""] {
            assert_eq!(supported(other), Err(WrongVersion { found: other.to_owned() }));
        }
    }
}
