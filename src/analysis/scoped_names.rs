//! Which variables and symbols have a name where a formula stands: inside an action, between its two
//! states, and in a violated property.

use crate::logic::Var;
use crate::protocol::{OneState, Signature, StateVar, StepSymbol, SymbolId, TwoStates};

use super::atom::{ActionLocal, AtomEntry, Violator};
use super::atoms_read::AtomReader;

/// The names inside an action: its parameters, and an assignment's pattern variables.
pub(super) struct Locals<'a> {
    /// The protocol's symbols.
    pub(super) signature: &'a Signature,
    /// The action's parameters.
    pub(super) params: &'a [StateVar],
    /// The pattern variables of the assignment at hand.
    pub(super) patterns: &'a [StateVar],
}

impl Locals<'_> {
    /// A variable as an entry.
    pub(super) fn entry_of(&self, var: &StateVar) -> AtomEntry<ActionLocal> {
        self.name(var).map_or(AtomEntry::Any, AtomEntry::Named)
    }
}

impl AtomReader<OneState, ActionLocal> for Locals<'_> {
    fn signature(&self) -> &Signature {
        self.signature
    }

    fn symbol(&self, symbol: SymbolId) -> Option<SymbolId> {
        Some(symbol)
    }

    fn name(&self, var: &StateVar) -> Option<ActionLocal> {
        let pattern = self.patterns.iter().position(|pattern| pattern == var);
        let param = || self.params.iter().position(|param| param == var);
        pattern.map(ActionLocal::Pattern).or_else(|| param().map(ActionLocal::Param))
    }

    fn is_fixed(&self, _name: &ActionLocal) -> bool {
        false
    }
}

/// The names inside a formula over two states.
pub(super) struct RelatedNames<'a> {
    /// The names of the action.
    pub(super) locals: Locals<'a>,
    /// The symbols that change.
    pub(super) targets: &'a [SymbolId],
}

impl AtomReader<TwoStates, ActionLocal> for RelatedNames<'_> {
    fn signature(&self) -> &Signature {
        self.locals.signature
    }

    /// The new value of a target is not read; of any other symbol it is the old value.
    fn symbol(&self, symbol: StepSymbol) -> Option<SymbolId> {
        match symbol {
            StepSymbol::Pre(symbol) => Some(symbol),
            StepSymbol::Post(symbol) => (!self.targets.contains(&symbol)).then_some(symbol),
            StepSymbol::Choice(_) => None,
        }
    }

    fn name(&self, var: &Var<TwoStates>) -> Option<ActionLocal> {
        self.locals.name(&Var::new(var.name.clone(), var.sort))
    }

    fn is_fixed(&self, _name: &ActionLocal) -> bool {
        false
    }
}

/// The names inside a property: its variables, up to which of them coincide.
pub(super) struct Violators<'a> {
    /// The protocol's symbols.
    pub(super) signature: &'a Signature,
    /// The property's variables with the violator that each is.
    pub(super) vars: &'a [(StateVar, Violator)],
}

impl AtomReader<OneState, Violator> for Violators<'_> {
    fn signature(&self) -> &Signature {
        self.signature
    }

    fn symbol(&self, symbol: SymbolId) -> Option<SymbolId> {
        Some(symbol)
    }

    fn name(&self, var: &StateVar) -> Option<Violator> {
        self.vars.iter().find(|(own, _)| own == var).map(|(_, violator)| *violator)
    }

    fn is_fixed(&self, _name: &Violator) -> bool {
        true
    }
}
