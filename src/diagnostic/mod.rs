//! Diagnostics as plain data: what is wrong, where, and what to do; rendering is the report's.

mod deduplicate;
mod fix;
pub mod near_names;
mod refuse;

pub use deduplicate::once;
pub use fix::{Edit, Fix};
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
    /// Changes that follow the hint, for an editor to offer: one for each way to follow it.
    pub fixes: Vec<Fix>,
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
            fixes: Vec::new(),
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
    pub fn instead(self, text: impl Into<String>) -> Self {
        self.instead_any([text])
    }

    /// The same, with several texts of which one may be written instead.
    pub fn instead_any(mut self, texts: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let place = self.primary.span;
        self.fixes.extend(texts.into_iter().map(|text| Fix::Edits(vec![Edit::new(place, text)])));
        self
    }

    /// The same, with changes of other places, to be made together.
    pub fn mended(mut self, edits: impl IntoIterator<Item = Edit>) -> Self {
        self.fixes.push(Fix::Edits(edits.into_iter().collect()));
        self
    }

    /// The same, with another name for what it is about.
    pub fn renamed(mut self, to: impl Into<String>, within: Option<Span>) -> Self {
        self.fixes.push(Fix::Rename { to: to.into(), within });
        self
    }

    /// Whether the input must be refused.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
