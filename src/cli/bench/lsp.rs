//! `rmlcut bench --stage lsp`: how long an editor waits after a key stroke.

use super::generated;
use crate::cli::Format;
use crate::cli::command_output::CommandAnswer;
use crate::cli::lsp::measure;

/// Actions of the generated text, so that it has about 500 lines.
const ACTIONS: usize = 62;

/// Key strokes for each repetition.
const STROKES: u32 = 40;

/// Measures key strokes in a generated text.
pub(crate) fn run(repeat: u32, format: Format) -> CommandAnswer {
    super::answer(format, &measure(&generated::rml(ACTIONS), STROKES * repeat))
}
