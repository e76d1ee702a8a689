//! Which symbols a question is about, by the slicing rule: what the allowed actions' guards,
//! conditions, right sides and left arguments read, and every symbol of the claims.
//!
//! A symbol that is left out is never given a value: initial states and instances are projected.

use std::collections::BTreeSet;

use super::{Question, Slicing};
use crate::protocol::{Rigidity, SymbolId, symbols_read};

/// The symbols of a protocol, sorted by their part in a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Slice {
    /// The mutable symbols that make up the state.
    pub(crate) state: BTreeSet<SymbolId>,
    /// The rigid symbols that make up the instance.
    pub(crate) rigid: BTreeSet<SymbolId>,
    /// The symbols that are left out.
    pub(crate) left_out: BTreeSet<SymbolId>,
}

/// The slice that a question asks for.
pub(crate) fn slice(question: &Question<'_>) -> Slice {
    let kept = match question.slicing {
        Slicing::Sliced => read_symbols(question),
        Slicing::Whole => question.protocol.signature.symbols().map(|(id, _)| id).collect(),
    };
    let mut slice =
        Slice { state: BTreeSet::new(), rigid: BTreeSet::new(), left_out: BTreeSet::new() };
    for (id, symbol) in question.protocol.signature.symbols() {
        let part = match symbol.rigidity {
            _ if !kept.contains(&id) => &mut slice.left_out,
            Rigidity::Rigid => &mut slice.rigid,
            Rigidity::Mutable => &mut slice.state,
        };
        part.insert(id);
    }
    slice
}

fn read_symbols(question: &Question<'_>) -> BTreeSet<SymbolId> {
    let mut read = BTreeSet::new();
    for claim in &question.claims {
        read.extend(claim.matrix.symbols());
    }
    for action in &question.actions {
        read.extend(symbols_read(&question.protocol.actions[*action].body));
    }
    read
}
