//! How the parts of a case are spelled: `r_L`, `r_C`, `any_w`, and plain `r` where only `L` is read.

use crate::logic::{
    Body, Declarations, Name, SortDeclaration, SymbolDeclaration, print_formula, print_term,
};
use crate::protocol::SymbolId;

use super::outline::{DefinitionOrigin, DefinitionOutline};
use super::readable_names::{Legible, legible_name, print_clause};
use crate::certificate::{
    ProductDefinition, ProductFormula, ProductNames, ProductSort, ProductSymbol, ProductTerm,
    ProductVar, SystemState, TwoSystems,
};

/// Words that begin an item of a certificate wherever a line begins with them.
pub(super) const DECLARING: &[&str] =
    &["certificate", "lemma", "history", "rank", "case", "invariant"];

/// What an expression may read, and therefore how its symbols are spelled.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SpellingPlace {
    /// `L` only: its symbols have their own names.
    Large,
    /// Both systems: every symbol says which.
    Both,
}

/// The spelling of expressions in one place of a case.
pub(super) struct SymbolSpelling<'a> {
    pub(super) names: &'a ProductNames,
    pub(super) place: SpellingPlace,
}

impl SymbolSpelling<'_> {
    /// Whether a name means something in the case.
    pub(super) fn is_taken(&self, name: &str) -> bool {
        let signature = &self.names.signature;
        let stem = ["_L'", "_L", "_C"].iter().find_map(|suffix| name.strip_suffix(suffix));
        let choice = |stem: &str| {
            let choices = self.names.action.iter().flat_map(|action| &action.choices);
            choices.into_iter().any(|choice| spelled(&choice.name) == stem)
        };
        let means = |name: &str| {
            signature.find_symbol(name).is_some() || signature.find_definition(name).is_some()
        };
        signature.declares(name)
            || stem.is_some_and(means)
            || matches!(name, "sim" | "int")
            || name.strip_prefix("any_").is_some_and(choice)
            || self.names.params.iter().any(|(param, _)| &**param == name)
            || self.names.cut.iter().any(|cut| cut.elements.iter().any(|own| &**own == name))
    }

    fn is_plain(&self, symbol: SymbolId) -> bool {
        self.is_plain_name(&self.names.signature.symbol(symbol).name)
    }

    fn is_plain_name(&self, name: &str) -> bool {
        let ending = ["_L'", "_L", "_C"].iter().any(|suffix| name.ends_with(suffix));
        self.place == SpellingPlace::Large && !ending && name != "sim" && !DECLARING.contains(&name)
    }

    /// Names for variables in scope.
    pub(super) fn scope(&self, vars: &[ProductVar]) -> Vec<(ProductVar, ProductVar)> {
        let taken = |name: &str| self.is_taken(name);
        let mut legible = Legible { taken: &taken, scope: Vec::new() };
        legible.enter(vars);
        legible.scope
    }

    /// A formula as text.
    pub(super) fn formula(
        &self,
        scope: &[(ProductVar, ProductVar)],
        formula: &ProductFormula,
    ) -> String {
        let taken = |name: &str| self.is_taken(name);
        let mut legible = Legible { taken: &taken, scope: scope.to_vec() };
        print_formula(self, &legible.formula(formula))
    }

    /// A term as text.
    pub(super) fn term(&self, scope: &[(ProductVar, ProductVar)], term: &ProductTerm) -> String {
        let taken = |name: &str| self.is_taken(name);
        let mut legible = Legible { taken: &taken, scope: scope.to_vec() };
        print_term(self, &legible.term(term))
    }

    /// A clause as text.
    pub(super) fn clause(&self, clause: &ProductFormula) -> String {
        let tells = |symbol: ProductSymbol| !matches!(symbol, ProductSymbol::Sim(_));
        print_clause(self, clause, &|name| self.is_taken(name), &tells)
    }

    /// `name(params) := value`; `outer` are variables in scope as well.
    pub(super) fn definition(
        &self,
        name: &str,
        outer: &[(ProductVar, ProductVar)],
        definition: &ProductDefinition,
    ) -> DefinitionOutline {
        let taken = |name: &str| self.is_taken(name);
        let mut legible = Legible { taken: &taken, scope: outer.to_vec() };
        let params = legible.enter(&definition.params);
        DefinitionOutline {
            name: name.to_owned(),
            params: params.iter().map(|param| param.name.to_string()).collect(),
            value: match &definition.body {
                Body::Formula(formula) => print_formula(self, &legible.formula(formula)),
                Body::Term(term) => print_term(self, &legible.term(term)),
            },
            origin: DefinitionOrigin::Written,
        }
    }
}

/// How a choice is written: the second havoc of `w` is `w_2`.
pub(super) fn spelled(choice: &str) -> String {
    choice.replace('#', "_")
}

/// A name that can be written where anything may stand.
pub(super) fn identifier(name: &Name) -> Name {
    legible_name(name, &|_| false)
}

impl Declarations<TwoSystems> for SymbolSpelling<'_> {
    fn sort(&self, sort: ProductSort) -> SortDeclaration {
        self.names.sort(sort)
    }

    fn symbol(&self, symbol: ProductSymbol) -> SymbolDeclaration<TwoSystems> {
        let mut declared = self.names.symbol(symbol);
        match symbol {
            ProductSymbol::Large(id) if self.is_plain(id) => {
                declared.name = self.names.signature.symbol(id).name.clone();
            }
            ProductSymbol::LargeChoice(_) | ProductSymbol::CutoffChoice(_) => {
                declared.name = spelled(&declared.name).into();
            }
            _ => {}
        }
        declared
    }

    fn enumerated(&self, symbol: ProductSymbol) -> Option<(ProductSort, usize)> {
        self.names.enumerated(symbol)
    }

    fn abbreviation(&self, formula: &ProductFormula) -> Option<(Name, Vec<ProductTerm>)> {
        match self.names.defined(formula)? {
            (name, SystemState::Large, args) if self.is_plain_name(name) => {
                Some((name.clone(), args))
            }
            _ => self.names.abbreviation(formula),
        }
    }
}
