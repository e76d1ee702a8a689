//! The whole tool on one screen: what each command does with a text, stage after stage.

use crate::diagnostic::Diagnostic;
use crate::frontend;
use crate::source::SourceFile;

/// A stage whose result can be looked at.
pub struct Stage {
    /// The word by which users ask for it; also the name of its folder of snapshots.
    pub name: &'static str,
    /// What it shows, in a few words.
    pub summary: &'static str,
    /// Its result for a protocol text.
    pub show: fn(&SourceFile) -> Result<Shown, Vec<Diagnostic>>,
}

/// What a stage has to show.
pub struct Shown {
    /// The result as text.
    pub text: String,
    /// What is legal and suspicious.
    pub warnings: Vec<Diagnostic>,
}

/// All stages, in the order in which they run. `rmlcut show`, the tests of the corpus and the
/// folders of snapshots follow this table.
pub const STAGES: &[Stage] = &[Stage {
    name: "surface",
    summary: "the text as a tree, every node with its line and columns",
    show: surface,
}];

fn surface(source: &SourceFile) -> Result<Shown, Vec<Diagnostic>> {
    let (module, warnings) = frontend::parse(source).accept()?;
    Ok(Shown { text: frontend::dump(&module, source), warnings })
}
