//! Which of the facts of a counter-model are worth telling.

use std::collections::BTreeSet;

use crate::certificate::{HypothesisOrigin, ObligationKind, ProductSymbol, Systems};
use crate::logic::Value;
use crate::protocol::SymbolId;

use super::explanation::Story;
use super::failing_atoms::state;
use super::implied_facts::forced;

/// An entry of a relation of the product.
pub(super) type RelevantEntry = (ProductSymbol, Vec<Value>);

impl Story<'_> {
    /// What holds in `L` and in `C`, as far as it matters.
    pub(super) fn states(&self) -> (Vec<String>, Option<Vec<String>>) {
        let relevant_symbols = self.relevant_symbols();
        let symbols = |wrap: fn(SymbolId) -> ProductSymbol| {
            let all = self.names().signature.symbols().map(move |(id, _)| wrap(id));
            all.filter(|symbol| {
                self.mentioned.contains(symbol) && relevant_symbols.contains(symbol)
            })
            .collect::<Vec<_>>()
        };
        let forced = self.forced();
        let facts = |symbols: Vec<ProductSymbol>| {
            state(&self.before, &self.elements, symbols.into_iter(), &forced)
        };
        let large = facts(symbols(ProductSymbol::Large));
        let cutoff = if self.is_about_definitions() {
            // No model lists what C is by definition: what fails says which part of it matters.
            let claim = self.claim().map(|(_, formula)| formula.symbols()).unwrap_or_default();
            let own = claim.into_iter().filter(|symbol| matches!(symbol, ProductSymbol::Cutoff(_)));
            facts(own.collect())
        } else {
            facts(symbols(ProductSymbol::Cutoff))
        };
        match self.names().systems {
            Systems::Both if self.case.is_some() => (large, Some(cutoff)),
            Systems::Both => (large, None),
            Systems::One => (cutoff, None),
        }
    }

    /// Whether `C` is what the case defines, and not some state.
    fn is_about_definitions(&self) -> bool {
        matches!(
            self.obligation.kind,
            ObligationKind::StartInit { .. }
                | ObligationKind::StartGamma { .. }
                | ObligationKind::Rigid { .. }
        )
    }

    /// The symbols that the obligation is about: axioms hold whatever happens, so that a symbol
    /// which nothing else mentions has no part in it.
    fn relevant_symbols(&self) -> BTreeSet<ProductSymbol> {
        let mut symbols = self.obligation.goal.symbols();
        if !self.is_about_definitions() {
            let assumed = self
                .obligation
                .hypotheses
                .iter()
                .filter(|own| own.origin != HypothesisOrigin::Axiom);
            symbols.extend(assumed.flat_map(|own| own.formula.symbols()));
        }
        symbols
    }

    /// The facts that follow from the others by the axioms.
    fn forced(&self) -> BTreeSet<RelevantEntry> {
        let of = |facts: BTreeSet<(SymbolId, Vec<Value>)>, wrap: fn(SymbolId) -> ProductSymbol| {
            facts.into_iter().map(move |(symbol, args)| (wrap(symbol), args))
        };
        match self.names().systems {
            Systems::Both => {
                let large = forced(&self.certificate.large, &self.before.large());
                of(large, ProductSymbol::Large).collect()
            }
            Systems::One => {
                let alone = forced(self.alone(), &self.before.cutoff());
                of(alone, ProductSymbol::Cutoff).collect()
            }
        }
    }
}
