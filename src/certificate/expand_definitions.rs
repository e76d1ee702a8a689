//! A case with its explicit definitions in place: the simulation maps and the rigid symbols of `C`
//! are substituted everywhere, never assumed as equations.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::logic::{Definition, Expand, Formula, Name, Term, Translation, Var, translate_formula};
use crate::protocol::{OneState, Property, Protocol, Sort, StateFormula, SymbolId};

use super::product::large_sort;
use super::{
    Case, ProductDefinition, ProductFormula, ProductNames, ProductSort, ProductSymbol, ProductTerm,
    Systems, TwoSystems, element_var,
};

/// Explicit definitions of product symbols.
pub(super) type CaseDefinitions = BTreeMap<ProductSymbol, ProductDefinition>;

/// A case together with what its formulas mean.
pub struct CaseContext<'a> {
    /// What `L` runs.
    pub large: &'a Protocol,
    /// The case.
    pub case: &'a Case,
    /// Names, without the choices of any action.
    pub names: Arc<ProductNames>,
    /// The simulation maps and the rigid symbols of `C`.
    fixed: CaseDefinitions,
}

impl<'a> CaseContext<'a> {
    /// Prepares a case.
    pub fn new(large: &'a Protocol, case: &'a Case) -> Self {
        let names = Arc::new(ProductNames {
            cut: case.cut.clone(),
            params: case.params.iter().map(|param| (param.name.clone(), param.sort)).collect(),
            ..ProductNames::new(Systems::Both, &large.signature)
        });
        let sims: CaseDefinitions =
            case.cut.iter().map(|cut| (ProductSymbol::Sim(cut.sort), cut.sim.clone())).collect();
        let mut fixed = sims.clone();
        for (symbol, definition) in &case.rigid {
            fixed.insert(ProductSymbol::Cutoff(*symbol), expand_with(definition, &sims));
        }
        CaseContext { large, case, names, fixed }
    }

    /// A formula with all definitions in place.
    pub fn expand(&self, formula: &ProductFormula) -> ProductFormula {
        translate_formula(formula, BTreeMap::new(), Expand(&self.fixed))
    }

    /// A term with all definitions in place.
    pub(super) fn expand_term(&self, term: &ProductTerm) -> ProductTerm {
        crate::logic::translate_term(term, BTreeMap::new(), Expand(&self.fixed))
    }

    /// A definition with all definitions in place.
    pub(super) fn expand_definition(&self, definition: &ProductDefinition) -> ProductDefinition {
        expand_with(definition, &self.fixed)
    }

    /// The first state of `C`, with all definitions in place.
    pub(super) fn start(&self) -> CaseDefinitions {
        let definitions = self.case.start.iter().map(|(symbol, definition)| {
            (ProductSymbol::Cutoff(*symbol), self.expand_definition(definition))
        });
        definitions.collect()
    }

    /// A one-state formula, about `L`.
    pub fn in_large(&self, formula: &StateFormula) -> ProductFormula {
        translate_formula(formula, BTreeMap::new(), InLarge)
    }

    /// A one-state formula, about `C`, with all definitions in place. Variables called like named
    /// elements are these elements.
    pub fn in_cutoff(&self, formula: &StateFormula) -> ProductFormula {
        let mut elements = BTreeMap::new();
        for cut in &self.case.cut {
            for index in 0..cut.elements.len() {
                elements.insert(element_var(cut, index), element(cut.sort, index));
            }
        }
        let translated = translate_formula(formula, elements, InCutoff { names: &self.names });
        self.expand(&translated)
    }

    /// `¬φ(v)` of the case's property, about `L`; `∃x. ¬φ(x)` if there are no designated violators.
    pub(super) fn violation(&self) -> ProductFormula {
        let property = self.property();
        if self.case.violators.is_empty() {
            return self.in_large(&property.formula()).negate();
        }
        let violators = self.case.violators.iter().map(|param| self.param(*param));
        let bindings = property.vars.iter().cloned().zip(violators).collect();
        translate_formula(&property.matrix, bindings, InLarge).negate()
    }

    /// The property whose violations the case simulates.
    pub(super) fn property(&self) -> &'a Property {
        &self.large.properties[self.case.property]
    }

    /// A parameter as a term.
    pub(super) fn param(&self, index: usize) -> ProductTerm {
        let symbol = ProductSymbol::Param(u32::try_from(index).expect("few parameters"));
        Term::apply(symbol, Vec::new(), large_sort(self.case.params[index].sort))
    }
}

/// A named element of a cut sort as a term.
pub fn element(sort: crate::protocol::SortId, index: usize) -> ProductTerm {
    let symbol = ProductSymbol::Element(sort, u32::try_from(index).expect("few elements"));
    Term::apply(symbol, Vec::new(), ProductSort::Cutoff(sort))
}

/// A definition whose body has other definitions in place.
pub(super) fn expand_with(
    definition: &ProductDefinition,
    with: &CaseDefinitions,
) -> ProductDefinition {
    // Parameters are bound by the definition; the inserted bodies are closed but for theirs.
    let body = definition.body.translate(BTreeMap::new(), Expand(with));
    Definition { params: definition.params.clone(), body }
}

/// Reads a one-state formula in `L`.
pub(super) struct InLarge;

impl Translation<OneState, TwoSystems> for InLarge {
    fn sort(&self, sort: Sort) -> ProductSort {
        large_sort(sort)
    }

    fn apply(&self, symbol: SymbolId, args: Vec<ProductTerm>, sort: ProductSort) -> ProductTerm {
        Term::apply(ProductSymbol::Large(symbol), args, sort)
    }

    fn holds(&self, symbol: SymbolId, args: Vec<ProductTerm>) -> ProductFormula {
        Formula::holds(ProductSymbol::Large(symbol), args)
    }
}

/// Reads a one-state formula in `C`.
pub(super) struct InCutoff<'a> {
    pub(super) names: &'a ProductNames,
}

impl Translation<OneState, TwoSystems> for InCutoff<'_> {
    fn sort(&self, sort: Sort) -> ProductSort {
        self.names.cutoff_sort(sort)
    }

    fn apply(&self, symbol: SymbolId, args: Vec<ProductTerm>, sort: ProductSort) -> ProductTerm {
        Term::apply(ProductSymbol::Cutoff(symbol), args, sort)
    }

    fn holds(&self, symbol: SymbolId, args: Vec<ProductTerm>) -> ProductFormula {
        Formula::holds(ProductSymbol::Cutoff(symbol), args)
    }
}

/// A one-state formula about `L`; free variables are replaced by `bindings`.
pub fn read_in_large(
    formula: &StateFormula,
    bindings: BTreeMap<Var<OneState>, ProductTerm>,
) -> ProductFormula {
    translate_formula(formula, bindings, InLarge)
}

/// A one-state formula about `C`; free variables are replaced by `bindings`.
pub fn read_in_cutoff(
    names: &ProductNames,
    formula: &StateFormula,
    bindings: BTreeMap<Var<OneState>, ProductTerm>,
) -> ProductFormula {
    translate_formula(formula, bindings, InCutoff { names })
}

/// A name for an unlabelled statement: the keyword and its number.
pub fn statement_name(label: Option<&Name>, index: usize) -> Name {
    label.cloned().unwrap_or_else(|| (index + 1).to_string().into())
}
