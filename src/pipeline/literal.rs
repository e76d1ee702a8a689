//! The stage `literal`: the paper's own algorithm on several protocols, side by side.

use std::time::Duration;

use super::stages::{Detail, Shown, Unshown};
use crate::budget::Budget;
use crate::prove::compare_literal;
use crate::report::text::literal::{LiteralDepth, LiteralRow, json, text};
use crate::source::SourceFile;

/// What one obligation may cost: an effort, so that every machine says the same.
const PATIENCE: Duration = Duration::from_secs(20);
const EFFORT: u32 = 4_000_000;

/// Compares what the printed and what the sound conditions say of the paper's certificates.
pub(super) fn literal(sources: &[SourceFile], detail: Detail) -> Result<Shown, Unshown> {
    let budget = Budget { resources: Some(EFFORT), ..Budget::of_time(PATIENCE) };
    let mut rows = Vec::new();
    for (index, source) in sources.iter().enumerate() {
        let read = super::read_provable(source);
        let (protocol, _) = read.map_err(|messages| Unshown::Protocol(index, messages))?;
        let result = compare_literal(&protocol, &budget).map_err(Unshown::Judge)?;
        rows.push(LiteralRow { protocol, result });
    }
    let depth = match detail {
        Detail::Results => LiteralDepth::Results,
        Detail::Steps => LiteralDepth::Certificates,
    };
    Ok(Shown { text: text(&rows, depth), data: Some(json(&rows)), warnings: Vec::new() })
}
