//! Laws that rigid symbols can obey, as formulas, and whether the axioms entail one.
//!
//! Entailment is tested on small models. Where the axioms are universal that is a proof, because a
//! counterexample can be shrunk to the elements that the law's variables, constants and functions
//! name, unless these are more than are tried; elsewhere it is a good guess. The certificate checker
//! judges what is made of it.

use std::collections::{BTreeMap, BTreeSet};

use crate::logic::{Formula, Term, Var};
use crate::protocol::{
    Protocol, Signature, Size, Sort, SortId, StateFormula, StateTerm, StateVar, SymbolId,
    sizes_up_to,
};

use super::rigid_models::{Constraint, ModelAnswer, ModelScope, find_model};

/// How many assignments one search may try.
const BUDGET: usize = 4_000;

/// The largest number of elements of a sort that is tried.
const LARGEST: u32 = 4;

/// A universal law: the matrix holds of all values of the variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Law {
    vars: Vec<StateVar>,
    matrix: StateFormula,
}

impl Law {
    /// A law over variables of the given sorts.
    pub(super) fn over(sorts: &[Sort], matrix: impl FnOnce(&[StateTerm]) -> StateFormula) -> Self {
        let named = sorts.iter().enumerate();
        let vars: Vec<StateVar> =
            named.map(|(index, sort)| Var::new(format!("law{index}"), *sort)).collect();
        let terms: Vec<StateTerm> = vars.iter().cloned().map(Term::var).collect();
        Law { matrix: matrix(&terms), vars }
    }
}

/// A relation at terms.
pub(super) fn holds(relation: SymbolId, args: &[&StateTerm]) -> StateFormula {
    Formula::holds(relation, args.iter().copied().cloned().collect())
}

/// `one != two`.
pub(super) fn differ(one: &StateTerm, two: &StateTerm) -> StateFormula {
    Formula::equal(one.clone(), two.clone()).negate()
}

/// Whether the axioms entail a law, as far as small models tell; `false` in doubt.
///
/// First with the axioms about the law's own symbols only, which is cheap and, for universal
/// axioms, exact; then with all axioms that share symbols with them.
pub(super) fn entailed(protocol: &Protocol, law: &Law) -> bool {
    let own = law.matrix.symbols();
    let narrow = axioms_about(protocol, |symbols| symbols.is_subset(&own));
    let connected = connected(protocol, own);
    let wide = axioms_about(protocol, |symbols| !symbols.is_disjoint(&connected));
    holds_in_small_models(protocol, &narrow, law)
        || (wide.len() > narrow.len() && holds_in_small_models(protocol, &wide, law))
}

fn axioms_about(
    protocol: &Protocol,
    wanted: impl Fn(&BTreeSet<SymbolId>) -> bool,
) -> Vec<StateFormula> {
    let formulas = protocol.axioms.iter().map(|axiom| &axiom.formula);
    formulas.filter(|formula| wanted(&formula.symbols())).cloned().collect()
}

/// The symbols that axioms link, directly or not, to the given ones.
fn connected(protocol: &Protocol, mut symbols: BTreeSet<SymbolId>) -> BTreeSet<SymbolId> {
    loop {
        let before = symbols.len();
        for axiom in &protocol.axioms {
            let mentioned = axiom.formula.symbols();
            if !mentioned.is_disjoint(&symbols) {
                symbols.extend(mentioned);
            }
        }
        if symbols.len() == before {
            return symbols;
        }
    }
}

fn holds_in_small_models(protocol: &Protocol, axioms: &[StateFormula], law: &Law) -> bool {
    let signature = &protocol.signature;
    let symbols = axioms.iter().chain([&law.matrix]).flat_map(Formula::symbols).collect();
    let Some(largest) = largest(signature, &symbols, law) else { return false };
    let closed =
        |formula: &StateFormula| Constraint { formula: formula.clone(), scope: ModelScope::new() };
    let mut possible = false;
    for sizes in sizes_up_to(Size::new(), largest) {
        let axioms: Vec<Constraint> = axioms.iter().map(closed).collect();
        for scope in choices(&law.vars, &sizes) {
            let mut constraints = vec![Constraint { formula: law.matrix.negate(), scope }];
            constraints.extend(axioms.iter().cloned());
            if find_model(signature, &sizes, constraints, BUDGET) != ModelAnswer::NoModel {
                return false;
            }
        }
        possible |= find_model(signature, &sizes, axioms, BUDGET) == ModelAnswer::Model;
    }
    possible
}

fn declared(sort: Sort) -> Option<SortId> {
    match sort {
        Sort::Declared(sort) => Some(sort),
        Sort::Int => None,
    }
}

/// For each sort, as many elements as the variables, constants and functions can name; at least 2,
/// so that there is room for an element that only a quantifier speaks of.
fn largest(signature: &Signature, symbols: &BTreeSet<SymbolId>, law: &Law) -> Option<Size> {
    // Its elements cannot be renamed, as the choice of values assumes.
    if law.vars.iter().any(|var| signature.is_enumeration(var.sort)) {
        return None;
    }
    let ranks = symbols.iter().flat_map(|symbol| {
        let symbol = signature.symbol(*symbol);
        symbol.params.iter().copied().chain(symbol.result)
    });
    let sorts = ranks.chain(law.vars.iter().map(|var| var.sort)).map(declared);
    let sorts = sorts.collect::<Option<BTreeSet<SortId>>>()?;
    let mut named = Size::new();
    // Names reach every sort after as many rounds as there are sorts, or they reach the cap.
    for _ in 0..=sorts.len() {
        let count = |sort: &SortId| (*sort, names_of_sort(signature, symbols, law, &named, *sort));
        named = sorts.iter().map(count).collect();
    }
    Some(named.into_iter().map(|(sort, count)| (sort, count.max(2))).collect())
}

/// How many elements of a sort can be named, given how many of the others, up to [`LARGEST`].
fn names_of_sort(
    signature: &Signature,
    symbols: &BTreeSet<SymbolId>,
    law: &Law,
    named: &Size,
    sort: SortId,
) -> u32 {
    let of_param = |param: &Sort| {
        let count = declared(*param).and_then(|param| named.get(&param));
        count.copied().unwrap_or(0)
    };
    let functions = symbols.iter().map(|symbol| signature.symbol(*symbol));
    let functions = functions.filter(|symbol| symbol.result == Some(Sort::Declared(sort)));
    let images = functions
        .map(|symbol| symbol.params.iter().map(of_param).fold(1, u32::saturating_mul))
        .fold(0, u32::saturating_add);
    let vars = law.vars.iter().filter(|var| var.sort == Sort::Declared(sort)).count();
    u32::try_from(vars).unwrap_or(LARGEST).saturating_add(images).min(LARGEST)
}

/// Values for the variables, up to renaming of elements: a new element is always the next one.
fn choices(vars: &[StateVar], sizes: &Size) -> Vec<ModelScope> {
    let mut all: Vec<(ModelScope, BTreeMap<Sort, u32>)> =
        vec![(ModelScope::new(), BTreeMap::new())];
    for var in vars {
        let size = declared(var.sort).and_then(|sort| sizes.get(&sort)).copied().unwrap_or(0);
        let extend = |(scope, used): (ModelScope, BTreeMap<Sort, u32>)| {
            let next = used.get(&var.sort).copied().unwrap_or(0);
            (0..size.min(next + 1)).map(move |value| {
                let (mut scope, mut used) = (scope.clone(), used.clone());
                scope.insert(var.clone(), value);
                used.insert(var.sort, next.max(value + 1));
                (scope, used)
            })
        };
        all = all.into_iter().flat_map(extend).collect();
    }
    all.into_iter().map(|(scope, _)| scope).collect()
}
