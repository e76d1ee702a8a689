//! Writing files, wholly or not at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::report::ci::shown;

/// Why a file was not written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {reason}", shown(path))]
pub(crate) struct OutputError {
    path: PathBuf,
    reason: io::Error,
}

/// A first line that is written to the standard output before the rest of a result.
pub(crate) struct FirstLine {
    line: &'static str,
    is_written: AtomicBool,
}

impl FirstLine {
    /// A line that is not written yet.
    pub(crate) fn new(line: &'static str) -> Self {
        FirstLine { line, is_written: AtomicBool::new(false) }
    }

    /// Writes it. If that is not possible, it stays a part of the rest.
    pub(crate) fn write(&self) {
        if io::stderr().is_terminal() {
            // The line of the progress is in the way.
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
        let mut stdout = io::stdout().lock();
        let written = stdout.write_all(self.line.as_bytes()).and_then(|()| stdout.flush());
        self.is_written.store(written.is_ok(), Ordering::Release);
    }

    /// What is left to write of a result.
    pub(crate) fn rest(&self, result: String) -> String {
        match result.strip_prefix(self.line) {
            Some(rest) if self.is_written.load(Ordering::Acquire) => rest.to_owned(),
            _ => result,
        }
    }
}

/// Replaces the text of a file atomically: readers meanwhile, or after a failure, see the old
/// text. Links and permissions stay. A device or a pipe is written to, never replaced.
pub(crate) fn replace(path: &Path, text: &str) -> Result<(), OutputError> {
    let report = |reason| OutputError { path: path.to_owned(), reason };
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir()) {
        let written = File::options().write(true).open(path);
        return written.and_then(|mut file| file.write_all(text.as_bytes())).map_err(report);
    }
    // A file that does not exist yet is no link to follow.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let draft = draft_beside(&target);
    let written = write_draft(&draft, &target, text).and_then(|()| fs::rename(&draft, &target));
    if written.is_err() {
        // The draft may not exist, and there is nothing more to be done about it if it does.
        let _ = fs::remove_file(&draft);
    }
    written.map_err(report)
}

/// Whether a text can be put in the place of a file, tried without touching the file.
pub(crate) fn ensure_writable(path: &Path) -> Result<(), OutputError> {
    let report = |reason| OutputError { path: path.to_owned(), reason };
    let metadata = fs::metadata(path);
    if metadata.as_ref().is_ok_and(fs::Metadata::is_dir) {
        return Err(report(io::ErrorKind::IsADirectory.into()));
    }
    if metadata.is_ok_and(|metadata| !metadata.is_file()) {
        // A pipe may have no reader yet, and opening it would wait for one.
        return Ok(());
    }
    if path.file_name().is_none() || path.as_os_str().as_encoded_bytes().ends_with(b"/") {
        return Err(report(io::ErrorKind::InvalidFilename.into()));
    }
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let draft = draft_beside(&target);
    File::create_new(&draft).and_then(|_| fs::remove_file(&draft)).map_err(report)
}

fn draft_beside(target: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(target.file_name().unwrap_or_default());
    name.push(format!(".{}", std::process::id()));
    target.with_file_name(name)
}

fn write_draft(draft: &Path, target: &Path, text: &str) -> io::Result<()> {
    let mut file = File::create_new(draft)?;
    file.write_all(text.as_bytes())?;
    if let Ok(metadata) = fs::metadata(target) {
        file.set_permissions(metadata.permissions())?;
    }
    file.sync_all()
}
