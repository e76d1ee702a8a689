//! The stage `literal`: the paper's own algorithm on several protocols, side by side.

use std::time::Duration;

use super::stages::{StageError, StageOutput, StageResult};
use crate::budget::{Budget, cores};
use crate::protocol::Protocol;
use crate::prove::{LiteralComparison, LiteralError, compare_literal};
use crate::source::SourceFile;

/// The limits of one obligation. The effort decides, so that every machine gives the same answer.
const TIME: Duration = Duration::from_secs(20);
const EFFORT: u32 = 4_000_000;

/// One protocol and the result of the paper's algorithm for it.
pub struct LiteralRow {
    /// The protocol.
    pub protocol: Protocol,
    /// The result.
    pub result: Result<LiteralComparison, LiteralError>,
}

/// Compares the printed and the sound conditions on the paper's certificates.
pub(super) fn literal(sources: &[SourceFile]) -> Result<StageOutput, StageError> {
    let budget = Budget { resources: Some(EFFORT), threads: cores(), ..Budget::of_time(TIME) };
    let mut rows = Vec::new();
    for (index, source) in sources.iter().enumerate() {
        let read = super::read_provable(source);
        let (protocol, _) = read.map_err(|messages| StageError::Protocol(index, messages))?;
        let result = compare_literal(&protocol, &budget).map_err(StageError::Judge)?;
        rows.push(LiteralRow { protocol, result });
    }
    Ok(StageResult::Literal(rows).into())
}
