//! Why a question has no answer.

use crate::diagnostic::Diagnostic;
use crate::finite::question::request::RequestError;
use crate::judge::JudgeError;
use crate::pipeline::SynthError;
use crate::report::text::diagnostics::{Colour, render};
use crate::source::SourceFile;

/// Why there is no verdict. It prints every message, with its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The protocol or the certificate is wrong.
    #[error("{0}")]
    Invalid(String),
    /// The question is wrong, or too large to be answered.
    #[error("{0}")]
    Question(String),
    /// The solver cannot be used.
    #[error("{0}")]
    Environment(String),
    /// A defect of this library: please report it.
    #[error("internal error: {0}")]
    Internal(String),
}

impl Error {
    pub(super) fn invalid(source: &SourceFile, messages: &[Diagnostic]) -> Self {
        Error::Invalid(render(source, messages, Colour::Never).trim_end().to_owned())
    }
}

impl From<JudgeError> for Error {
    fn from(error: JudgeError) -> Self {
        match error.is_bug() {
            true => Error::Internal(error.to_string()),
            false => Error::Environment(error.to_string()),
        }
    }
}

impl From<SynthError> for Error {
    fn from(error: SynthError) -> Self {
        match error {
            SynthError::Judge(error) => error.into(),
            SynthError::Literal(error) => Error::Question(error.to_string()),
        }
    }
}

impl From<RequestError> for Error {
    fn from(error: RequestError) -> Self {
        match &error {
            RequestError::Engine(engine) if engine.is_bug() => Error::Internal(error.to_string()),
            _ => Error::Question(error.to_string()),
        }
    }
}
