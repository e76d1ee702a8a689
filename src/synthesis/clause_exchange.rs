//! What a search for a cutoff has learnt of the protocol itself, as candidates for an invariant.
//!
//! A clause of gamma that speaks of `L` alone is a clause about every state, for all parameters of
//! the case; one that speaks of `C` alone is one about the elements that `C` names, whoever they
//! are. Whether such a clause is an invariant is for others to find out.

use std::collections::{BTreeMap, BTreeSet};

use crate::certificate::{
    Case, CaseContext, Certificate, ProductFormula, ProductSort, ProductSymbol, ProductTerm,
    ProofArgument, TwoSystems,
};
use crate::logic::{
    Formula, FormulaKind, Name, Term, TermKind, Translation, Var, translate_formula,
};
use crate::protocol::{
    OneState, PropertyKind, Protocol, Sort, StateFormula, StateTerm, StateVar, SymbolId,
};

/// What is worth trying: guesses, lemmas, and what the cases of an attempt say of one system.
pub(super) fn learnt(
    protocol: &Protocol,
    attempt: &Certificate,
    guessed: Vec<StateFormula>,
) -> Vec<StateFormula> {
    let lemmas = attempt.large.properties.iter();
    let lemmas = lemmas.filter(|property| property.kind == PropertyKind::Lemma);
    let mut all: Vec<StateFormula> = lemmas.map(|lemma| lemma.formula()).collect();
    all.extend(guessed);
    if let ProofArgument::Cutoff(cases) = &attempt.argument {
        all.extend(cases.iter().flat_map(|case| about_one_system(&attempt.large, case)));
    }
    let count = protocol.signature.symbols().count();
    let is_of_user = |symbol: &SymbolId| (symbol.0 as usize) < count;
    let known = protocol.properties.iter().map(crate::protocol::Property::formula);
    let mut seen: BTreeSet<StateFormula> = known.collect();
    all.retain(|clause| clause.symbols().iter().all(is_of_user) && seen.insert(clause.clone()));
    all
}

/// The clauses of gamma that speak of one system alone, as clauses about the protocol.
fn about_one_system(large: &Protocol, case: &Case) -> Vec<StateFormula> {
    let context = CaseContext::new(large, case);
    let clauses = case.gamma.iter().map(|clause| decided(&context.expand(&clause.formula)));
    clauses.filter_map(|clause| about_the_protocol(case, &clause)).collect()
}

fn about_the_protocol(case: &Case, clause: &ProductFormula) -> Option<StateFormula> {
    let symbols = clause.symbols();
    let speaks_of = |kind: fn(&ProductSymbol) -> bool| symbols.iter().any(kind);
    let of_large =
        speaks_of(|symbol| matches!(symbol, ProductSymbol::Large(_) | ProductSymbol::Param(_)));
    let of_cutoff =
        speaks_of(|symbol| matches!(symbol, ProductSymbol::Cutoff(_) | ProductSymbol::Element(..)));
    let of_others = symbols.iter().any(|symbol| {
        matches!(
            symbol,
            ProductSymbol::LargePost(_)
                | ProductSymbol::LargeChoice(_)
                | ProductSymbol::CutoffChoice(_)
                | ProductSymbol::Sim(_)
        )
    });
    if of_large == of_cutoff || of_others {
        return None;
    }
    let reading = Reading::of(case);
    let body = translate_formula(clause, BTreeMap::new(), &reading);
    let free = body.free_vars();
    let vars: Vec<StateVar> = reading.vars().filter(|var| free.contains(var)).collect();
    let distinct = if of_large { Vec::new() } else { distinct(&vars) };
    Some(Formula::forall(vars, Formula::implies(Formula::and(distinct), body)))
}

/// No two variables of one sort denote the same element.
fn distinct(vars: &[StateVar]) -> Vec<StateFormula> {
    let pairs = vars.iter().enumerate().flat_map(|(index, one)| {
        let others = vars[index + 1..].iter().filter(|other| other.sort == one.sort);
        others.map(move |other| (one.clone(), other.clone()))
    });
    pairs.map(|(one, other)| Formula::equal(Term::var(one), Term::var(other)).negate()).collect()
}

/// Reads the product as the protocol: parameters and named elements are variables.
struct Reading {
    params: Vec<StateVar>,
    elements: BTreeMap<ProductSymbol, StateVar>,
}

impl Reading {
    fn of(case: &Case) -> Self {
        let params = case.params.iter().enumerate();
        let params = params.map(|(index, own)| Var::new(format!("P{}", index + 1), own.sort));
        let elements = case.cut.iter().flat_map(|cut| {
            let count = u32::try_from(cut.elements.len()).unwrap_or(0);
            (0..count).map(|index| {
                let var = Var::new(format!("E{}_{index}", cut.sort.0), Sort::Declared(cut.sort));
                (ProductSymbol::Element(cut.sort, index), var)
            })
        });
        Reading { params: params.collect(), elements: elements.collect() }
    }

    fn vars(&self) -> impl Iterator<Item = StateVar> {
        self.params.iter().chain(self.elements.values()).cloned()
    }
}

impl Translation<TwoSystems, OneState> for &Reading {
    fn sort(&self, sort: ProductSort) -> Sort {
        match sort {
            ProductSort::Large(id) | ProductSort::Cutoff(id) => Sort::Declared(id),
            ProductSort::Int => Sort::Int,
        }
    }

    fn apply(&self, symbol: ProductSymbol, args: Vec<StateTerm>, sort: Sort) -> StateTerm {
        match symbol {
            ProductSymbol::Param(index) => Term::var(self.params[index as usize].clone()),
            ProductSymbol::Element(..) => Term::var(self.elements[&symbol].clone()),
            _ => Term::apply(protocol_symbol(symbol), args, sort),
        }
    }

    fn holds(&self, symbol: ProductSymbol, args: Vec<StateTerm>) -> StateFormula {
        Formula::holds(protocol_symbol(symbol), args)
    }

    fn inserted_names(&self) -> BTreeSet<Name> {
        self.vars().map(|var| var.name).collect()
    }
}

fn protocol_symbol(symbol: ProductSymbol) -> SymbolId {
    match symbol {
        ProductSymbol::Large(id) | ProductSymbol::Cutoff(id) => id,
        _ => unreachable!("these were excluded"),
    }
}

/// The same with equations between images decided: which elements of `L` have the same image.
fn decided(formula: &ProductFormula) -> ProductFormula {
    let all = |parts: &[ProductFormula]| parts.iter().map(decided).collect::<Vec<_>>();
    match formula.kind() {
        FormulaKind::Equal(left, right) => equal(left, right),
        FormulaKind::Not(inner) => decided(inner).negate(),
        FormulaKind::And(parts) => Formula::and(all(parts)),
        FormulaKind::Or(parts) => Formula::or(all(parts)),
        FormulaKind::Implies(one, other) => Formula::implies(decided(one), decided(other)),
        FormulaKind::Iff(one, other) => Formula::iff(decided(one), decided(other)),
        FormulaKind::If(condition, one, other) => {
            Formula::if_then_else(decided(condition), decided(one), decided(other))
        }
        FormulaKind::Quantified(quantifier, vars, body) => {
            Formula::quantified(*quantifier, vars.clone(), decided(body))
        }
        FormulaKind::Truth(_) | FormulaKind::Holds(..) | FormulaKind::Compare(..) => {
            formula.clone()
        }
    }
}

fn equal(left: &ProductTerm, right: &ProductTerm) -> ProductFormula {
    let is_image = |term: &ProductTerm| matches!(term.sort(), ProductSort::Cutoff(_));
    match (left.kind(), right.kind()) {
        (TermKind::If(condition, then, otherwise), _) if is_image(left) => {
            either(decided(condition), equal(then, right), equal(otherwise, right))
        }
        (_, TermKind::If(..)) if is_image(right) => equal(right, left),
        (TermKind::Apply(one, ..), TermKind::Apply(other, ..))
            if is_element(*one) && is_element(*other) =>
        {
            Formula::truth(one == other)
        }
        _ => Formula::equal(left.clone(), right.clone()),
    }
}

fn is_element(symbol: ProductSymbol) -> bool {
    matches!(symbol, ProductSymbol::Element(..))
}

/// One of two formulas, depending on a third, in fewer words where that is possible.
fn either(condition: ProductFormula, one: ProductFormula, other: ProductFormula) -> ProductFormula {
    match (one.kind(), other.kind()) {
        (FormulaKind::Truth(true), FormulaKind::Truth(false)) => condition,
        (FormulaKind::Truth(false), FormulaKind::Truth(true)) => condition.negate(),
        _ if one == other => one,
        _ if one == other.negate() || other == one.negate() => Formula::iff(condition, one),
        _ => Formula::if_then_else(condition, one, other),
    }
}
