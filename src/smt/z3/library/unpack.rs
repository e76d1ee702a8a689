//! The copy of Z3 inside the program: unpacked for one run, and gone with it.
//!
//! Nothing is kept between runs. A file in memory costs about as much time as reading and digesting
//! one that was kept would, and it needs no folder, no check of who wrote it and no cleaning up.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::{env, process};

use lz4_flex::block::decompress_size_prepended;

/// Unpacks the library and opens it in the first way that works; otherwise says why each way failed.
pub(super) fn with_file<T>(
    packed: &[u8],
    open: impl Fn(&Path) -> Result<T, String>,
) -> Result<T, String> {
    let mut failures = Vec::new();
    match in_memory(packed, &open) {
        Ok(opened) => return Ok(opened),
        Err(reason) => failures.push(format!("in memory: {reason}")),
    }
    for folder in folders() {
        match in_folder(packed, &folder, &open) {
            Ok(opened) => return Ok(opened),
            Err(reason) => failures.push(format!("in {}: {reason}", folder.display())),
        }
    }
    let advice = "TMPDIR can name a folder in which files may be written and executed";
    Err(format!("{}; {advice}", failures.join("; ")))
}

/// A file in memory that only this process has; no folder has to be writable.
#[cfg(target_os = "linux")]
fn in_memory<T>(packed: &[u8], open: impl Fn(&Path) -> Result<T, String>) -> Result<T, String> {
    use nix::sys::memfd::{MFdFlags, memfd_create};

    let memory =
        memfd_create("libz3.so", MFdFlags::MFD_CLOEXEC).map_err(|error| error.to_string())?;
    let mut file = File::from(memory);
    unpack(packed, &mut file).map_err(|error| error.to_string())?;
    // What is mapped stays when the file is closed.
    open(Path::new(&format!("/proc/self/fd/{}", file.as_raw_fd())))
}

#[cfg(not(target_os = "linux"))]
fn in_memory<T>(_: &[u8], _: impl Fn(&Path) -> Result<T, String>) -> Result<T, String> {
    Err("not on this system".to_owned())
}

/// Folders in which a file might be written for a moment and then be executed: some systems forbid
/// one or the other in some of them.
fn folders() -> Vec<PathBuf> {
    let named = |variable: &str| env::var_os(variable).map(PathBuf::from);
    let cache = || named("HOME").map(|home| home.join(".cache"));
    let candidates = [
        named("XDG_RUNTIME_DIR"),
        Some(env::temp_dir()),
        named("XDG_CACHE_HOME").or_else(cache),
        // A new user has no folder for caches yet.
        named("HOME"),
    ];
    candidates.into_iter().flatten().filter(|folder| folder.is_absolute()).collect()
}

/// A file in a new folder of our own, removed as soon as it is open.
fn in_folder<T>(
    packed: &[u8],
    folder: &Path,
    open: impl Fn(&Path) -> Result<T, String>,
) -> Result<T, String> {
    let own = own_folder(folder).map_err(|error| error.to_string())?;
    let path = own.join("libz3.so");
    let opened = write(packed, &path).map_err(|error| error.to_string()).and_then(|()| open(&path));
    // What cannot be removed is harmless, and there is an answer to give.
    let _ = fs::remove_file(&path);
    let _ = fs::remove_dir(&own);
    opened
}

/// A new folder that no other user may look into.
fn own_folder(parent: &Path) -> io::Result<PathBuf> {
    const ATTEMPTS: u32 = 100;
    let mut last = io::Error::from(io::ErrorKind::AlreadyExists);
    for attempt in 0..ATTEMPTS {
        let path = parent.join(format!(".rmlcut-{}-{attempt}", process::id()));
        match DirBuilder::new().mode(0o700).create(&path) {
            Ok(()) => return Ok(path),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => last = error,
            Err(error) => return Err(error),
        }
    }
    Err(last)
}

fn write(packed: &[u8], path: &Path) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    unpack(packed, &mut file)
}

/// Undoes what `pack` in build.rs did: blocks, each with its packed length before it.
fn unpack(packed: &[u8], into: &mut impl Write) -> io::Result<()> {
    let damaged = || io::Error::new(io::ErrorKind::InvalidData, "the copy is damaged");
    let mut rest = packed;
    while let Some((length, after)) = rest.split_first_chunk::<4>() {
        let length = usize::try_from(u32::from_le_bytes(*length)).map_err(|_| damaged())?;
        let (block, after) = after.split_at_checked(length).ok_or_else(damaged)?;
        into.write_all(&decompress_size_prepended(block).map_err(|_| damaged())?)?;
        rest = after;
    }
    if rest.is_empty() { Ok(()) } else { Err(damaged()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/libz3.packed"));

    fn unpacked() -> Vec<u8> {
        let mut all = Vec::new();
        unpack(PACKED, &mut all).expect("the copy is whole");
        all
    }

    #[test]
    fn the_copy_is_the_library_of_the_build() {
        let built = fs::read(super::super::BUILT).expect("the library of the build");
        assert!(unpacked() == built, "another library than {}", super::super::BUILT);
    }

    #[test]
    fn a_damaged_copy_is_an_error() {
        for length in [3, 100, PACKED.len() - 1] {
            let unpacked = unpack(&PACKED[..length], &mut io::sink());
            assert!(unpacked.is_err(), "cut off after {length} bytes");
        }
    }

    #[test]
    fn a_file_in_memory_and_one_in_a_folder_have_the_whole_library() {
        let read = |path: &Path| fs::read(path).map_err(|error| error.to_string());
        let whole = unpacked();
        if cfg!(target_os = "linux") {
            assert!(in_memory(PACKED, read) == Ok(whole.clone()));
        }
        let folder = tempfile::tempdir().expect("a folder");
        assert!(in_folder(PACKED, folder.path(), read) == Ok(whole));
        let left = fs::read_dir(folder.path()).expect("it is still there").count();
        assert_eq!(left, 0, "nothing stays behind");
    }

    #[test]
    fn a_way_that_fails_is_followed_by_another() {
        let refuse_memory = |path: &Path| match path.starts_with("/proc") {
            true => Err("forbidden".to_owned()),
            false => Ok(()),
        };
        assert_eq!(with_file(PACKED, refuse_memory), Ok(()));
        let reasons = with_file(PACKED, |_| Err::<(), _>("forbidden".to_owned()));
        let reasons = reasons.expect_err("every way is forbidden");
        assert!(reasons.matches("forbidden").count() >= 1, "{reasons}");
        assert!(reasons.contains("TMPDIR"), "what to do: {reasons}");
    }
}
