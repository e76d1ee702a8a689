//! A Z3 model as a finite structure.
//!
//! Tables are read by evaluating every ground atom over the model's universes: Z3 may describe a
//! function by a formula rather than by entries.

use std::collections::BTreeMap;

use z3::ast::{Ast, Bool, Dynamic, Int};
use z3::{Model, Solver};

use super::translate::{SymbolMeaning, Z3Language};
use crate::logic::{
    Extent, Formula, FormulaKind, Node, Structure, Table, Value, VariableAssignment, Vocabulary,
    evaluate_formula, tuple_count, tuples,
};
use crate::smt::{CounterModel, Standing, UnknownReason};

/// Tables larger than this are not worth reading.
const LARGEST_TABLE: usize = 200_000;

/// The integer arguments at which symbols are read span at most this many values.
const WIDEST_WINDOW: i64 = 64;

/// A formula with more instances than this is not evaluated.
const MAX_INSTANCES: usize = 50_000;

/// The solver's model, if it can be read and makes all facts true as far as that can be evaluated.
pub(super) fn counter_model<V: Vocabulary>(
    language: &Z3Language<'_, V>,
    solver: &Solver,
    facts: &[Formula<V>],
) -> Result<CounterModel<V>, UnknownReason> {
    let model = solver.get_model();
    let model = model.ok_or_else(|| UnknownReason::Unreadable("there is none".to_owned()))?;
    let (structure, mut assignment) = read(language, &model).map_err(UnknownReason::Unreadable)?;
    assignment.retain(|var, _| facts.iter().any(|fact| fact.free_vars().contains(var)));
    let standing = evaluate(&structure, &assignment, facts)?;
    Ok(CounterModel { structure, assignment, standing })
}

/// Whether the facts hold, by our own evaluation.
fn evaluate<V: Vocabulary>(
    structure: &Structure<V>,
    assignment: &VariableAssignment<V>,
    facts: &[Formula<V>],
) -> Result<Standing, UnknownReason> {
    let mut standing = Standing::Evaluated;
    for fact in facts {
        if instances(structure, Node::Formula(fact)) > MAX_INSTANCES {
            standing = Standing::SolverOnly("too many instances to evaluate".to_owned());
            continue;
        }
        match evaluate_formula(structure, assignment, fact) {
            Ok(true) => {}
            Ok(false) => return Err(UnknownReason::BadModel),
            Err(error) => standing = Standing::SolverOnly(error.to_string()),
        }
    }
    Ok(standing)
}

/// How often the innermost parts of a formula would be evaluated.
fn instances<V: Vocabulary>(structure: &Structure<V>, node: Node<'_, V>) -> usize {
    let below = node.children().into_iter().map(|child| instances(structure, child));
    let below = below.fold(1, usize::saturating_add);
    match node {
        Node::Formula(formula) => match formula.kind() {
            FormulaKind::Quantified(_, vars, _) => {
                let sizes =
                    vars.iter().map(|var| structure.extent(var.sort).map_or(1, Extent::len));
                sizes.fold(below, usize::saturating_mul)
            }
            _ => below,
        },
        Node::Term(_) => below,
    }
}

/// The structure and the free variables' values, or why they cannot be written down.
fn read<V: Vocabulary>(
    language: &Z3Language<'_, V>,
    model: &Model,
) -> Result<(Structure<V>, VariableAssignment<V>), String> {
    let reader = ModelReader { language, model, universes: universes(language, model)? };
    let assignment = reader.assignment()?;
    let structure = reader.structure(&assignment)?;
    Ok((structure, assignment))
}

struct ModelReader<'a, V: Vocabulary> {
    language: &'a Z3Language<'a, V>,
    model: &'a Model,
    /// The elements of every sort but the integers.
    universes: BTreeMap<V::Sort, Vec<Dynamic>>,
}

/// The elements of every finite sort, in a fixed order.
fn universes<V: Vocabulary>(
    language: &Z3Language<'_, V>,
    model: &Model,
) -> Result<BTreeMap<V::Sort, Vec<Dynamic>>, String> {
    let mut universes = BTreeMap::new();
    for (id, meaning) in &language.sorts {
        let elements = match meaning {
            SymbolMeaning::Int(_) => continue,
            SymbolMeaning::Enumeration(_, elements) => elements.clone(),
            SymbolMeaning::Uninterpreted(sort) => match model.get_sort_universe(sort) {
                Some(universe) if !universe.is_empty() => {
                    let mut elements: Vec<Dynamic> =
                        (0..universe.len()).map(|index| universe.get(index)).collect();
                    elements.sort_by_cached_key(|element| {
                        let name = element.to_string();
                        (name.len(), name)
                    });
                    elements
                }
                // The model does not care about this sort: one element, whatever it is.
                _ => {
                    let any = Dynamic::fresh_const("any", sort);
                    vec![model.eval(&any, true).ok_or("a sort without elements")?]
                }
            },
        };
        universes.insert(*id, elements);
    }
    Ok(universes)
}

impl<V: Vocabulary> ModelReader<'_, V> {
    fn assignment(&self) -> Result<VariableAssignment<V>, String> {
        let free = self.language.free.iter();
        free.map(|(var, constant)| Ok((var.clone(), self.value(constant, Some(var.sort))?)))
            .collect()
    }

    fn structure(&self, assignment: &VariableAssignment<V>) -> Result<Structure<V>, String> {
        let mut structure = Structure::new(self.finite_extents());
        for (&element, &(index, _)) in &self.language.elements {
            let value = Value::Element(u32::try_from(index).map_err(|error| error.to_string())?);
            structure.tables.insert(element, Table::constant(Vec::new(), value));
        }
        // Symbols without integer arguments come first: their values say which integers matter.
        let mut integers: Vec<i64> = self.language.literals.clone();
        integers.extend(assignment.values().filter_map(integer));
        for &symbol in self.language.symbols.keys() {
            if !self.has_integer_argument(symbol) {
                let table = self.table(symbol, &structure.extents)?;
                integers.extend(table.entries().filter_map(|(_, value)| integer(&value)));
                structure.tables.insert(symbol, table);
            }
        }
        let window = window(&integers);
        for (&sort, meaning) in &self.language.sorts {
            if matches!(meaning, SymbolMeaning::Int(_)) {
                structure.extents.insert(sort, window);
            }
        }
        for &symbol in self.language.symbols.keys() {
            if self.has_integer_argument(symbol) {
                let table = self.table(symbol, &structure.extents)?;
                structure.tables.insert(symbol, table);
            }
        }
        Ok(structure)
    }

    fn finite_extents(&self) -> BTreeMap<V::Sort, Extent> {
        let extent = |elements: &Vec<Dynamic>| {
            Extent::Elements(u32::try_from(elements.len()).unwrap_or(u32::MAX))
        };
        self.universes.iter().map(|(sort, elements)| (*sort, extent(elements))).collect()
    }

    fn has_integer_argument(&self, symbol: V::Symbol) -> bool {
        let params = self.language.declarations().symbol(symbol).rank.params;
        params.iter().any(|sort| !self.universes.contains_key(sort))
    }

    fn table(
        &self,
        symbol: V::Symbol,
        extents: &BTreeMap<V::Sort, Extent>,
    ) -> Result<Table, String> {
        let rank = self.language.declarations().symbol(symbol).rank;
        let extents: Vec<Extent> = rank.params.iter().map(|sort| extents[sort]).collect();
        let entries = tuple_count(&extents);
        if entries > LARGEST_TABLE {
            return Err(format!("a table with {entries} entries"));
        }
        let mut table = Table::constant(extents.clone(), Value::Bool(false));
        for args in tuples(&extents) {
            let terms: Vec<Dynamic> = args
                .iter()
                .zip(&rank.params)
                .map(|(arg, sort)| self.literal(*arg, *sort))
                .collect();
            let terms: Vec<&dyn Ast> = terms.iter().map(|term| term as &dyn Ast).collect();
            let atom = self.language.symbols[&symbol].apply(&terms);
            table.set(&args, self.value(&atom, rank.result)?);
        }
        Ok(table)
    }

    fn literal(&self, value: Value, sort: V::Sort) -> Dynamic {
        match value {
            Value::Element(index) => self.universes[&sort][index as usize].clone(),
            Value::Int(int) => Int::from_i64(int).into(),
            Value::Bool(truth) => Bool::from_bool(truth).into(),
        }
    }

    /// The value of a ground term of the sort, or of a ground atom.
    fn value(&self, ground: &Dynamic, sort: Option<V::Sort>) -> Result<Value, String> {
        let result = self.model.eval(ground, true);
        let result = result.ok_or_else(|| format!("`{ground}` has no value"))?;
        let unreadable = || format!("`{ground}` has the value `{result}`");
        let Some(sort) = sort else {
            let truth = result.as_bool().and_then(|truth| truth.as_bool());
            return truth.map(Value::Bool).ok_or_else(unreadable);
        };
        let Some(universe) = self.universes.get(&sort) else {
            let int = result.as_int().and_then(|int| int.as_i64());
            return int.map(Value::Int).ok_or_else(unreadable);
        };
        let index = universe.iter().position(|element| element.ast_eq(&result));
        let index = index.and_then(|index| u32::try_from(index).ok());
        index.map(Value::Element).ok_or_else(unreadable)
    }
}

fn integer(value: &Value) -> Option<i64> {
    match value {
        Value::Int(int) => Some(*int),
        Value::Bool(_) | Value::Element(_) => None,
    }
}

/// The integers that matter and one more on either side, or as many as fit around the least.
fn window(integers: &[i64]) -> Extent {
    let low = integers.iter().copied().min().unwrap_or(0).saturating_sub(1);
    let high = integers.iter().copied().max().unwrap_or(0).saturating_add(1);
    Extent::Window { low, high: high.min(low.saturating_add(WIDEST_WINDOW - 1)) }
}
