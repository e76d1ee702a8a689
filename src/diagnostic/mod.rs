//! Diagnostics as plain data: what is wrong, where, and what to do; rendering is the report's.

mod deduplicate;
pub mod near_names;
mod refuse;

pub use deduplicate::once;
pub use refuse::refuse;

use crate::source::Span;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The input is refused.
    Error,
    /// Legal and suspicious.
    Warning,
    /// Worth knowing.
    Note,
}

/// A stable code such as `RML0203`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(pub &'static str);

/// A place with a few words about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What is there; may be empty.
    pub message: String,
}

/// One message about a source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The stable code.
    pub code: Code,
    /// One line, lower case, no full stop.
    pub message: String,
    /// The offending place.
    pub primary: Label,
    /// Related places ("declared here with 2 arguments").
    pub secondary: Vec<Label>,
    /// What to do about it.
    pub hint: Option<String>,
    /// Texts that follow the hint, each in the place of the offending one: edits that an editor
    /// offers.
    pub replacements: Vec<String>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(code: Code, message: impl Into<String>, span: Span) -> Self {
        Self::new(Severity::Error, code, message, span)
    }

    /// A warning at a place.
    pub fn warning(code: Code, message: impl Into<String>, span: Span) -> Self {
        Self::new(Severity::Warning, code, message, span)
    }

    /// A note at a place.
    pub fn note(code: Code, message: impl Into<String>, span: Span) -> Self {
        Self::new(Severity::Note, code, message, span)
    }

    fn new(severity: Severity, code: Code, message: impl Into<String>, span: Span) -> Self {
        Diagnostic {
            severity,
            code,
            message: message.into(),
            primary: Label { span, message: String::new() },
            secondary: Vec::new(),
            hint: None,
            replacements: Vec::new(),
        }
    }

    /// The same, with words under the offending place.
    pub fn labelled(mut self, message: impl Into<String>) -> Self {
        self.primary.message = message.into();
        self
    }

    /// The same, pointing at a related place as well.
    pub fn also(mut self, span: Span, message: impl Into<String>) -> Self {
        self.secondary.push(Label { span, message: message.into() });
        self
    }

    /// The same, with advice.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same, with a text that may be written instead of the offending one.
    pub fn instead(mut self, text: impl Into<String>) -> Self {
        self.replacements.push(text.into());
        self
    }

    /// Whether the input must be refused.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
