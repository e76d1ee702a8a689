//! Protocols in the languages of other tools, so that these can confirm our results.
//!
//! `syntax` writes formulas in any language, `names` finds legal names, and there is one file for
//! each language. What a language cannot say is refused, never bent.

mod ivy;
mod mypyvy;
mod names;
mod reserved;
mod statement_text;
mod syntax;
mod tla;
mod two_state_copies;

pub use two_state_copies::without_relations;

use crate::protocol::{Protocol, Size};

/// A language that protocols are written in for other tools.
pub struct ExportLanguage {
    /// The word by which users ask for it; also the end of the names of its files.
    pub word: &'static str,
    /// What it is for, in a few words.
    pub summary: &'static str,
    /// Writes a protocol.
    pub write: fn(&Protocol, &ExportInstance) -> Result<Exported, ExportError>,
}

/// Every language.
pub const LANGUAGES: &[ExportLanguage] = &[
    ExportLanguage { word: "ivy", summary: "Ivy 1.7, for `ivy_check`", write: ivy::write },
    ExportLanguage { word: "pyv", summary: "mypyvy, for `mypyvy verify`", write: mypyvy::write },
    ExportLanguage {
        word: "tla",
        summary: "TLA+ with a configuration, for TLC",
        write: tla::write,
    },
];

/// The instance that a finite-state tool should look at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExportInstance {
    /// How many elements sorts have; 2 where it is not given.
    pub size: Size,
    /// The integers to look at.
    pub integers: Option<(i64, i64)>,
}

/// A protocol in another language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// The text.
    pub text: String,
    /// The configuration that goes with it, for languages that need one.
    pub configuration: Option<String>,
}

/// Why a protocol cannot be written in a language.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExportError {
    /// The language has no way to say it.
    #[error("{language} cannot say {what}")]
    Unsayable {
        /// The language.
        language: &'static str,
        /// What it cannot say.
        what: String,
    },
}
