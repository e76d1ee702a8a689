//! Both systems in one structure, built without the obligations.

use rmlcut::certificate::{
    Case, ProductDefinition, ProductFormula, ProductSort, ProductSymbol, TwoSystems, large_sort,
};
use rmlcut::logic::{
    Body, Extent, Structure, Table, Value, VariableAssignment, evaluate_formula, evaluate_term,
    tuples,
};
use rmlcut::protocol::{State, StateFormula, SymbolId};

/// `L` and `C` side by side.
pub(crate) type Both = Structure<TwoSystems>;

/// `L` with the parameters, the elements of `C` and the maps.
pub(crate) fn without_cutoff(case: &Case, large: &State, params: &[Value]) -> Both {
    let extents = large.extents.iter().map(|(sort, extent)| (large_sort(*sort), *extent));
    let mut both = Both::new(extents.collect());
    add(&mut both, large, ProductSymbol::Large);
    for (index, value) in (0..).zip(params) {
        both.tables.insert(ProductSymbol::Param(index), Table::constant(Vec::new(), *value));
    }
    for cut in &case.cut {
        let count = u32::try_from(cut.elements.len()).expect("a small number");
        both.extents.insert(ProductSort::Cutoff(cut.sort), Extent::Elements(count));
        for index in 0..count {
            let table = Table::constant(Vec::new(), Value::Element(index));
            both.tables.insert(ProductSymbol::Element(cut.sort, index), table);
        }
    }
    for cut in &case.cut {
        let table = tabulated(&both, &cut.sim, &VariableAssignment::new());
        both.tables.insert(ProductSymbol::Sim(cut.sort), table);
    }
    both
}

/// Adds the symbols of one of the states.
pub(crate) fn add(both: &mut Both, state: &State, named: impl Fn(SymbolId) -> ProductSymbol) {
    let tables = state.tables.iter().map(|(symbol, table)| (named(*symbol), table.clone()));
    both.tables.extend(tables);
}

/// Whether a formula holds in a state.
pub(crate) fn is_true(state: &State, formula: &StateFormula) -> bool {
    evaluate_formula(state, &VariableAssignment::new(), formula).expect("a value")
}

/// Whether a formula holds in both systems.
pub(crate) fn holds(
    both: &Both,
    args: &VariableAssignment<TwoSystems>,
    formula: &ProductFormula,
) -> bool {
    evaluate_formula(both, args, formula).expect("a value")
}

/// A definition as a table.
pub(crate) fn tabulated(
    both: &Both,
    definition: &ProductDefinition,
    args: &VariableAssignment<TwoSystems>,
) -> Table {
    let extents: Vec<Extent> =
        definition.params.iter().map(|param| both.extents[&param.sort]).collect();
    let mut table = Table::constant(extents.clone(), Value::Bool(false));
    for tuple in tuples(&extents) {
        let mut inner = args.clone();
        inner.extend(definition.params.iter().cloned().zip(tuple.iter().copied()));
        let value = match &definition.body {
            Body::Formula(formula) => evaluate_formula(both, &inner, formula).map(Value::Bool),
            Body::Term(term) => evaluate_term(both, &inner, term),
        };
        table.set(&tuple, value.expect("a value"));
    }
    table
}
