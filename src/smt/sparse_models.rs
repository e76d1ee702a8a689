//! Counter-models with few facts: what is taken away changes nothing about the refutation.

use std::collections::BTreeSet;

use crate::logic::{Formula, Structure, Value, Vocabulary, evaluate_formula};

use super::{CounterModel, Query, Standing};

/// A model with more facts than this is left as it is.
const MAX_FACTS: usize = 400;

/// The same counter-model with as many facts made false as the refutation allows.
///
/// Every fact that remains matters: without it some hypothesis fails or the goal holds. A model
/// that could not be evaluated stays as it is.
pub fn sparse<V: Vocabulary>(query: &Query<'_, V>, model: &CounterModel<V>) -> CounterModel<V> {
    let mut model = model.clone();
    let facts = facts(&model.structure);
    if model.standing != Standing::Evaluated || facts.len() > MAX_FACTS {
        return model;
    }
    let negated = query.goal.negate();
    let stated = query.hypotheses.iter().chain([&negated]);
    let stated: Vec<(&Formula<V>, BTreeSet<V::Symbol>)> =
        stated.map(|formula| (formula, formula.symbols())).collect();
    let mut left = facts;
    loop {
        let before = left.len();
        left.retain(|(symbol, args)| {
            set(&mut model.structure, *symbol, args, false);
            let dispensable = stated.iter().all(|(formula, mentioned)| {
                !mentioned.contains(symbol)
                    || evaluate_formula(&model.structure, &model.assignment, formula) == Ok(true)
            });
            if !dispensable {
                set(&mut model.structure, *symbol, args, true);
            }
            !dispensable
        });
        // What was needed for a fact that is gone may go now.
        if left.len() == before {
            return model;
        }
    }
}

/// The true entries of all relations.
fn facts<V: Vocabulary>(structure: &Structure<V>) -> Vec<(V::Symbol, Vec<Value>)> {
    let mut facts = Vec::new();
    for (symbol, table) in &structure.tables {
        let holding = table.entries().filter(|(_, value)| *value == Value::Bool(true));
        facts.extend(holding.map(|(args, _)| (*symbol, args)));
    }
    facts
}

fn set<V: Vocabulary>(
    structure: &mut Structure<V>,
    symbol: V::Symbol,
    args: &[Value],
    truth: bool,
) {
    if let Some(table) = structure.tables.get_mut(&symbol) {
        table.set(args, Value::Bool(truth));
    }
}
