//! Results of earlier runs, by a digest of everything that decides them.
//!
//! An entry is found only by the same program, byte for byte, with the same command, options, names
//! and texts. Only complete verdicts are kept: a proof, a violation, or a bound that `check` reached.
//! Whoever can write to the folder can make a verdict: it has to be trusted like the program itself.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::certificate::digest_of;
use crate::cli::Format;
use crate::cli::command_output::{CommandAnswer, ExitStatus};
use crate::cli::terminal::output;
use crate::report;
use crate::report::ci::{Entry, ResultOrigin, shown};
use crate::source::SourceFile;

/// The first line of an entry, before the digest of the rest.
const MAGIC: &str = "rmlcut result 1";

/// Another library than the one inside the program: it could be replaced unnoticed.
const OTHER_LIBRARY: &str = "RMLCUT_Z3_LIBRARY";

/// A folder with results.
#[derive(Clone, Debug)]
pub(crate) struct Cache {
    folder: PathBuf,
    /// The digest of the running program.
    program: &'static str,
}

/// Why a folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CacheError {
    /// The folder cannot be made or is none.
    #[error("--cache {}: {reason}", shown(folder))]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// What the system says.
        reason: io::Error,
    },
    /// The program cannot read itself.
    #[error("--cache: the program cannot read its own file: {0}")]
    Program(String),
    /// The solver is not the one inside the program.
    #[error("--cache: {0} names another solver, which the digest of the program does not cover")]
    Solver(&'static str),
}

impl Cache {
    /// Opens a folder, or makes it.
    ///
    /// # Errors
    /// When results could not be kept there, or the program cannot be identified.
    pub(crate) fn open(folder: &Path) -> Result<Self, CacheError> {
        if std::env::var_os(OTHER_LIBRARY).is_some() {
            return Err(CacheError::Solver(OTHER_LIBRARY));
        }
        let made = fs::create_dir_all(folder);
        made.map_err(|reason| CacheError::Folder { folder: folder.to_owned(), reason })?;
        let program = program().as_ref().map_err(|reason| CacheError::Program(reason.clone()))?;
        Ok(Cache { folder: folder.to_owned(), program })
    }

    /// The folder that was asked for, opened.
    ///
    /// # Errors
    /// As for [`Cache::open`], as an answer.
    pub(crate) fn of(folder: Option<&Path>, format: Format) -> Result<Option<Self>, CommandAnswer> {
        folder
            .map(Cache::open)
            .transpose()
            .map_err(|error| CommandAnswer::failure(format, ExitStatus::EnvironmentError, &error))
    }

    /// The place of the result of a run: a digest of all that decides it.
    pub(crate) fn place(
        self,
        (command, options): &(&str, String),
        format: Format,
        texts: &[&SourceFile],
    ) -> CachePlace {
        let mut parts = vec![MAGIC.to_owned(), self.program.to_owned()];
        parts.extend([(*command).to_owned(), options.clone(), format!("{format:?}")]);
        for text in texts {
            parts.extend([text.name().to_owned(), text.text().to_owned()]);
        }
        // With the length before each part, no two lists of parts are the same text.
        let whole: String = parts.iter().map(|part| format!("{}:{part}\n", part.len())).collect();
        CachePlace { key: digest_of(whole.as_bytes()), folder: self.folder, format }
    }
}

/// The place of one result.
pub(crate) struct CachePlace {
    key: String,
    folder: PathBuf,
    format: Format,
}

impl CachePlace {
    /// The result of an earlier run; nothing if there is none, or none that can be relied on.
    pub(crate) fn find(&self) -> Option<CommandAnswer> {
        let text = fs::read_to_string(self.path()).ok()?;
        let (first, body) = text.split_once('\n')?;
        if first != format!("{MAGIC} {}", digest_of(body.as_bytes())) {
            return None;
        }
        let entry = Entry::read(body)?;
        let status = [ExitStatus::Success, ExitStatus::No, ExitStatus::Unproved];
        let status = status.into_iter().find(|status| *status as u8 == entry.status)?;
        let answer = CommandAnswer {
            status,
            findings: entry.findings,
            origin: ResultOrigin::Cached,
            remarks: format!(
                "cached: the result of an earlier run, in {}\n",
                self.folder.display()
            ),
            ..CommandAnswer::success(entry.output)
        };
        (entry.key == self.key).then(|| self.marked(answer))
    }

    /// Keeps a result, if it is a complete verdict. That it cannot be kept is a remark: the result
    /// itself is as good as before.
    pub(crate) fn keep(&self, answer: CommandAnswer, is_complete: bool) -> CommandAnswer {
        let entry = Entry {
            key: self.key.clone(),
            status: answer.status as u8,
            output: answer.output.clone(),
            findings: answer.findings.clone(),
        };
        let answer = self.marked(answer);
        if !is_complete {
            return answer;
        }
        let body = entry.text();
        let text = format!("{MAGIC} {}\n{body}", digest_of(body.as_bytes()));
        match output::replace(&self.path(), &text) {
            Ok(()) => answer,
            Err(error) => {
                let remarks = format!("{}warning: not cached: {error}\n", answer.remarks);
                CommandAnswer { remarks, ..answer }
            }
        }
    }

    /// In JSON, a field says where the result comes from.
    fn marked(&self, answer: CommandAnswer) -> CommandAnswer {
        if self.format != Format::Json {
            return answer;
        }
        let output = report::ci::with_origin(&answer.output, answer.origin);
        CommandAnswer { output, ..answer }
    }

    fn path(&self) -> PathBuf {
        self.folder.join(format!("{}.result", self.key))
    }
}

/// The digest of the program: of its code, and of the solver inside it.
fn program() -> &'static Result<String, String> {
    static PROGRAM: OnceLock<Result<String, String>> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        // The file that runs, even if another one has taken its place meanwhile.
        let own = Path::new("/proc/self/exe");
        let bytes =
            if own.exists() { fs::read(own) } else { std::env::current_exe().and_then(fs::read) };
        bytes.map(|bytes| digest_of(&bytes)).map_err(|error| error.to_string())
    })
}
