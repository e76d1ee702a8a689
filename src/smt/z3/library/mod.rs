//! Where the Z3 library comes from. It is opened when the solver is first asked, and not before.
//!
//! In this order: the file that `RMLCUT_Z3_LIBRARY` names; the copy inside the program; for tests
//! and other programs, which have no copy, the library that the build used. Whichever it is, it
//! must be the release this program was built for. A Z3 of the system is never looked for.

mod binding;
mod functions;
mod unpack;

use std::env;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::LibraryError;
use binding::{Opened, Unfit};

/// Names a file to use as the Z3 library instead of the one inside the program.
const VARIABLE: &str = "RMLCUT_Z3_LIBRARY";

/// The library that the build used.
const BUILT: &str = env!("RMLCUT_Z3_BUILT");

/// The packed copy inside the program, if it has one.
static COPY: OnceLock<&'static [u8]> = OnceLock::new();

/// Hands over the packed copy of the library that the program carries, before it is needed.
pub fn provide(packed: &'static [u8]) {
    // The first one stays: by the time of a second one the library may be in use.
    let _ = COPY.set(packed);
}

/// Opens the library, once.
pub(super) fn load() -> Result<(), LibraryError> {
    static LOADED: OnceLock<Result<(), LibraryError>> = OnceLock::new();
    LOADED.get_or_init(|| find().map(Opened::bind)).clone()
}

fn find() -> Result<Opened, LibraryError> {
    if let Some(file) = env::var_os(VARIABLE).filter(|value| !value.is_empty()) {
        return named(&PathBuf::from(file));
    }
    match COPY.get() {
        Some(packed) => open_copy(packed),
        None => check_release(binding::open(Path::new(BUILT)), BUILT),
    }
}

fn open_copy(packed: &[u8]) -> Result<Opened, LibraryError> {
    const COPY: &str = "the copy of Z3 in this program";
    let open = |path: &Path| match binding::open(path) {
        Err(Unfit::Refused(reason)) => Err(reason),
        opened => Ok(opened),
    };
    match unpack::with_file(packed, open) {
        Ok(opened) => check_release(opened, COPY),
        Err(reason) => Err(LibraryError::Unusable { library: COPY.to_owned(), reason }),
    }
}

/// The library in a file that the user chose.
fn named(file: &Path) -> Result<Opened, LibraryError> {
    let name = format!("{VARIABLE}={}", file.display());
    let whole = |file: &Path| {
        let file = fs::canonicalize(file)?;
        ensure_whole(&file).map(|()| file)
    };
    match whole(file) {
        Ok(file) => check_release(binding::open(&file), &name),
        Err(error) => Err(LibraryError::Unusable { library: name, reason: error.to_string() }),
    }
}

/// The library, if it is the release that is needed.
fn check_release(opened: Result<Opened, Unfit>, library: &str) -> Result<Opened, LibraryError> {
    let opened = opened.map_err(|unfit| match unfit {
        Unfit::Refused(reason) => LibraryError::Unusable { library: library.to_owned(), reason },
        Unfit::Lacks(function) => LibraryError::NotZ3 { library: library.to_owned(), function },
    })?;
    let version = opened.version().map(|number| number.to_string()).join(".");
    super::ensure_release(library, &version).map(|()| opened)
}

/// Refuses a library that is cut short: the loader of Linux maps what its headers promise and does
/// not notice; the first look at what is missing would end the program.
fn ensure_whole(path: &Path) -> io::Result<()> {
    let cut_short = || io::Error::new(io::ErrorKind::InvalidData, "the file is cut short");
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut header = [0; 64];
    if file.read_exact(&mut header).is_err() || !header.starts_with(b"\x7fELF\x02\x01") {
        // Not a library of a system that we know more about than its loader does.
        return Ok(());
    }
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte));
    let (start, size, count) =
        (number(&header[32..40]), number(&header[54..56]), number(&header[56..58]));
    let mut table = vec![0; usize::try_from(size * count).unwrap_or(0)];
    file.seek(SeekFrom::Start(start))?;
    file.read_exact(&mut table).map_err(|_| cut_short())?;
    let ends = table.chunks_exact(usize::try_from(size).unwrap_or(0).max(40)).map(|segment| {
        // The segment's place in the file, and its length there.
        number(&segment[8..16]).saturating_add(number(&segment[32..40]))
    });
    if ends.into_iter().all(|end| end <= length) { Ok(()) } else { Err(cut_short()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(file: &Path) -> String {
        named(file).err().expect("it is refused").to_string()
    }

    #[test]
    fn files_that_are_no_library_are_refused_by_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let missing = folder.path().join("missing.so");
        assert!(refusal(&missing).contains("missing.so"), "{}", refusal(&missing));
        let text = folder.path().join("text.so");
        fs::write(&text, "no library").expect("a writable folder");
        assert!(refusal(&text).contains("text.so"), "{}", refusal(&text));
        assert!(!refusal(&text).ends_with("dlopen failed"), "the loader's reason is missing");
        assert!(refusal(folder.path()).contains("Z3"), "{}", refusal(folder.path()));
    }

    #[test]
    fn a_library_that_is_cut_short_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let whole = fs::read(BUILT).expect("the library of the build");
        let file = folder.path().join("libz3.so");
        for length in [10, 64, 100, 5000, whole.len() / 2, whole.len() * 3 / 4] {
            fs::write(&file, &whole[..length]).expect("a writable folder");
            assert!(refusal(&file).contains("libz3.so"), "{length}");
        }
    }
}
