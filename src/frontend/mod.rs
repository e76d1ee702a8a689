//! Text to surface tree; the only place that names the parser generator.

pub mod surface;

pub mod layout;

mod token;

mod rml;

pub mod certificate_surface;

mod certificate;

mod expression;

mod items;

mod syntax_error;

mod advice;

mod grammar;

mod dump;

pub use certificate::{ParsedCertificate, parse_certificate};
pub use dump::dump;
pub use rml::parse;

use crate::diagnostic::Diagnostic;
use layout::Comment;
use surface::Module;

/// What came of reading a text: never nothing, however wrong the text is.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The declarations that could be read.
    pub module: Module,
    /// The comments, in order.
    pub comments: Vec<Comment>,
    /// What is wrong or suspicious.
    pub diagnostics: Vec<Diagnostic>,
}

impl Parsed {
    /// The tree and the warnings.
    ///
    /// # Errors
    /// All messages, if one of them is an error.
    pub fn accept(self) -> Result<(Module, Vec<Diagnostic>), Vec<Diagnostic>> {
        if self.diagnostics.iter().any(Diagnostic::is_error) {
            Err(self.diagnostics)
        } else {
            Ok((self.module, self.diagnostics))
        }
    }
}
