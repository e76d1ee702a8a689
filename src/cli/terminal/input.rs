//! Reading input files.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::report::ci::{one_line, shown};
use crate::source::{Lemmas, Reading, SourceFile};

/// No protocol is larger; a device that never ends is.
const LARGEST: u64 = 64 << 20;

/// Why there is no text.
#[derive(Debug, thiserror::Error)]
pub(crate) enum InputError {
    /// The system reports an error.
    #[error("cannot read {}: {reason}", shown(path))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: io::Error,
    },
    /// The file is not UTF-8 text.
    #[error(
        "{}:{line}:{column}: this is not text: byte {byte:#04x} is not valid UTF-8",
        one_line(name)
    )]
    NotText {
        /// The file.
        name: String,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// The first byte that is wrong.
        byte: u8,
    },
    /// The file is too large to be one.
    #[error("{}: this is larger than {} MB", one_line(name), LARGEST >> 20)]
    TooLarge {
        /// The file.
        name: String,
    },
}

/// Whether a path stands for the standard input.
pub(crate) fn is_standard_input(path: &Path) -> bool {
    path == Path::new("-")
}

/// Which property of a protocol text to prove, where the text alone does not decide.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct PropertyChoice {
    /// Label of the line to prove; the other properties become invariants
    #[arg(long, value_name = "LABEL")]
    safety: Option<String>,
    /// Use the other invariants of the file as lemmas
    #[arg(long)]
    lemmas: bool,
}

impl PropertyChoice {
    /// The same as options.
    pub(crate) fn command_line(&self) -> Vec<std::ffi::OsString> {
        let safety = self.safety.iter().flat_map(|label| ["--safety".into(), label.into()]);
        safety.chain(self.lemmas.then(|| "--lemmas".into())).collect()
    }
}

/// Reads a protocol text, to be read as chosen.
pub(crate) fn read_protocol(
    path: &Path,
    choice: &PropertyChoice,
) -> Result<SourceFile, InputError> {
    let lemmas = if choice.lemmas { Lemmas::Used } else { Lemmas::Unused };
    let property = choice.safety.as_deref().map(Into::into);
    Ok(read(path)?.read_as(Reading { property, lemmas }))
}

/// Reads a text; `-` is the standard input.
pub(crate) fn read(path: &Path) -> Result<SourceFile, InputError> {
    let (name, bytes) = if is_standard_input(path) {
        ("<stdin>".to_owned(), read_limited(io::stdin().lock()))
    } else {
        (path.display().to_string(), File::open(path).and_then(read_limited))
    };
    let bytes = bytes.map_err(|reason| InputError::Unreadable { path: path.to_owned(), reason })?;
    if bytes.len() as u64 > LARGEST {
        return Err(InputError::TooLarge { name });
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(SourceFile::new(name, text)),
        Err(error) => Err(not_text(name, &error)),
    }
}

fn read_limited(reader: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(LARGEST + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn not_text(name: String, error: &std::string::FromUtf8Error) -> InputError {
    let valid = error.utf8_error().valid_up_to();
    let before = String::from_utf8_lossy(&error.as_bytes()[..valid]).into_owned();
    let position = SourceFile::new(name.as_str(), before).position(valid);
    let byte = error.as_bytes().get(valid).copied().unwrap_or_default();
    InputError::NotText { name, line: position.line, column: position.column, byte }
}
