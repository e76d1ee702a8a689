//! Text to surface tree; the only place that names the parser generator.

mod errors;
mod lowering;
mod rml;
pub mod syntax;
pub mod trace;

pub mod certificate;

mod ivy;

mod machines;

mod mercury;

mod mypyvy;

mod format;

pub use certificate::{ParsedCertificate, parse_certificate};
pub use format::expressions::print_expression;
pub use format::{format, print_module};
pub use machines::{ReadMachines, tree as machine_tree};
pub use syntax::dump::dump;
pub use trace::itf::{ParsedTrace, parse_trace};

use std::ptr;

use crate::diagnostic::Diagnostic;
use crate::process::Process;
use crate::source::SourceFile;
use syntax::brackets::Comment;
use syntax::surface::Module;

/// A language that protocols are written in.
pub struct Frontend {
    /// The end of the names of its files, after the last dot.
    pub extension: &'static str,
    /// What it is called.
    pub language: &'static str,
    /// Reads a text.
    pub parse: fn(&SourceFile) -> Parsed,
}

/// Every language; the first is RML, the default for unknown file names.
pub const FRONTENDS: &[Frontend] = &[
    Frontend { extension: "rml", language: "RML", parse: rml::parse },
    Frontend { extension: "ivy", language: "Ivy", parse: ivy::parse },
    Frontend { extension: "pyv", language: "mypyvy", parse: mypyvy::parse },
    Frontend { extension: "mer", language: "Mercury", parse: mercury::parse },
    Frontend { extension: "ch", language: "Mercury", parse: mercury::parse },
];

/// The language of a text, by the name of its file.
pub fn frontend(source: &SourceFile) -> &'static Frontend {
    let extension = source.name().rsplit_once('.').map(|(_, extension)| extension);
    let named = FRONTENDS.iter().find(|frontend| Some(frontend.extension) == extension);
    named.unwrap_or(&FRONTENDS[0])
}

/// Reads a protocol text in the language of its file name, and applies the selection.
pub fn parse(source: &SourceFile) -> Parsed {
    let frontend = frontend(source);
    let mut parsed = (frontend.parse)(source);
    // An RML text says itself what its properties are, unless the user selects another one.
    let selects = source.reading().property.is_some() || !ptr::eq(frontend, &FRONTENDS[0]);
    if selects && !parsed.diagnostics.iter().any(Diagnostic::is_error) {
        parsed.diagnostics.extend(rml::selection::select(&mut parsed.module, source));
        parsed.diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span);
    }
    parsed
}

/// The result of reading a text; there is always one, whatever errors the text has.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    /// The declarations that could be read.
    pub module: Module,
    /// The process, in a language that describes one process of a system of equals.
    pub process: Option<Process>,
    /// The machines, in a text that has some; the declarations are then what they stand for.
    pub machines: Option<ReadMachines>,
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
