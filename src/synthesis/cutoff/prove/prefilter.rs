//! Refutes clauses on runs before the solver sees them: `C` answers the steps of `L` along walks
//! through small instances.
//!
//! A clause that fails between reachable states cannot be part of any proof; that it does not fail
//! here proves nothing.

use std::collections::{BTreeMap, BTreeSet};

use crate::budget::Stop;
use crate::certificate::{
    Case, CaseContext, Mode, Obligation, ObligationKind, ProductDefinition, ProductFormula,
    ProductSort, ProductSymbol, ProductTerm, TwoSystems, large_sort,
};
use crate::logic::{
    Body, Expand, Extent, FormulaKind, Structure, Table, Value, Var, VariableAssignment,
    evaluate_formula, evaluate_term, translate_term, tuple_count, tuples,
};
use crate::protocol::{Invocation, Protocol, Sort, State, SymbolId, blank_state, execute_with};

use super::walks::LargeWalk;

/// How many choices of the parameters are tried in one instance. Walks only have to refute most of
/// the wrong clauses cheaply: what they miss, the solver refutes.
const MAX_CHOICES: usize = 6;

/// How many choices of the parameters are looked at, evenly spread where there are more.
const MAX_LISTED: usize = 4_096;

/// How many instances of clauses are evaluated altogether, so that the filter stays cheaper than
/// the questions it saves.
const MAX_EVALUATIONS: usize = 12_000;

/// The clauses of γ that fail nowhere along the walks.
pub(crate) fn not_refuted(
    context: &CaseContext<'_>,
    obligations: &[Obligation],
    walks: &[LargeWalk],
    stop: &Stop,
) -> BTreeSet<usize> {
    let fixed = fixed_facts(obligations);
    let mut trial = Trial::new(context);
    for walk in walks {
        for params in choices(context.case, &fixed, &walk.start, stop) {
            if stop.is_set() || trial.spent >= MAX_EVALUATIONS || trial.open.is_empty() {
                return trial.open;
            }
            trial.along(walk, &params);
        }
    }
    trial.open
}

/// What is known of the parameters of a case from the start.
fn fixed_facts(obligations: &[Obligation]) -> Vec<ProductFormula> {
    let is_start =
        |obligation: &&Obligation| matches!(obligation.kind, ObligationKind::StartGamma { .. });
    let is_param = |symbol: ProductSymbol| matches!(symbol, ProductSymbol::Param(_));
    let start = obligations.iter().find(is_start).into_iter();
    start
        .flat_map(|obligation| obligation.hypotheses.iter())
        .filter(|known| known.formula.symbols().into_iter().any(is_param))
        .map(|known| known.formula.clone())
        .collect()
}

/// Some values of the parameters of which the fixed facts of a violation hold.
fn choices(case: &Case, fixed: &[ProductFormula], start: &State, stop: &Stop) -> Vec<Vec<Value>> {
    let extents: Vec<Extent> = case.params.iter().map(|param| start.extents[&param.sort]).collect();
    let holds = |params: &Vec<Value>| {
        let product = product(case, start, None, params);
        let is_true =
            |fact| evaluate_formula(&product, &VariableAssignment::new(), fact) != Ok(false);
        fixed.iter().all(is_true)
    };
    let count = tuple_count(&extents);
    let listed = (0..count).step_by(count.div_ceil(MAX_LISTED).max(1));
    let listed = listed.take_while(|_| !stop.is_set()).map(|position| tuple_at(&extents, position));
    let all: Vec<Vec<Value>> = listed.filter(holds).collect();
    let stride = all.len().div_ceil(MAX_CHOICES).max(1);
    all.into_iter().step_by(stride).collect()
}

/// The tuple at a position among those that `tuples` lists.
fn tuple_at(extents: &[Extent], position: usize) -> Vec<Value> {
    let mut rest = position;
    let mut tuple: Vec<Value> = Vec::with_capacity(extents.len());
    for extent in extents.iter().rev() {
        let length = extent.len().max(1);
        tuple.push(extent.value(rest % length));
        rest /= length;
    }
    tuple.reverse();
    tuple
}

/// Two states side by side.
fn product(
    case: &Case,
    large: &State,
    cutoff: Option<&State>,
    params: &[Value],
) -> Structure<TwoSystems> {
    let mut extents = BTreeMap::new();
    for (sort, extent) in &large.extents {
        extents.insert(large_sort(*sort), *extent);
    }
    for cut in &case.cut {
        let size = u32::try_from(cut.elements.len()).expect("few named elements");
        extents.insert(ProductSort::Cutoff(cut.sort), Extent::Elements(size));
    }
    let mut product = Structure::new(extents);
    let constant = |value| Table::constant(Vec::new(), value);
    for cut in &case.cut {
        for index in 0..u32::try_from(cut.elements.len()).expect("few named elements") {
            let symbol = ProductSymbol::Element(cut.sort, index);
            product.tables.insert(symbol, constant(Value::Element(index)));
        }
    }
    for (index, value) in (0..).zip(params) {
        product.tables.insert(ProductSymbol::Param(index), constant(*value));
    }
    for (symbol, table) in &large.tables {
        product.tables.insert(ProductSymbol::Large(*symbol), table.clone());
    }
    for (symbol, table) in cutoff.into_iter().flat_map(|state| &state.tables) {
        product.tables.insert(ProductSymbol::Cutoff(*symbol), table.clone());
    }
    product
}

/// One alternative with all definitions in place.
struct PrefilterAnswer {
    condition: ProductFormula,
    /// The mode, the action and its arguments; `None` if it picks something arbitrary.
    moves: Vec<Option<(Mode, usize, Vec<ProductTerm>)>>,
}

struct Trial<'a> {
    large: &'a Protocol,
    case: &'a Case,
    /// What the symbols of `C` are at first, the rigid ones included.
    start: Vec<(SymbolId, ProductDefinition)>,
    answers: Vec<Vec<PrefilterAnswer>>,
    clauses: Vec<ProductFormula>,
    /// The clauses that have not failed.
    open: BTreeSet<usize>,
    spent: usize,
}

impl<'a> Trial<'a> {
    fn new(context: &CaseContext<'a>) -> Self {
        let case = context.case;
        let definitions = definitions(case);
        let term = |term: &ProductTerm| translate_term(term, BTreeMap::new(), Expand(&definitions));
        let alternative = |alternative: &crate::certificate::Alternative| PrefilterAnswer {
            condition: context.expand(&alternative.condition),
            moves: alternative
                .moves
                .iter()
                .map(|next| {
                    let args = next.args.iter().map(term).collect();
                    next.choices.is_empty().then_some((next.mode, next.action, args))
                })
                .collect(),
        };
        let answers = case.lockstep.iter();
        let answers = answers.map(|all| all.iter().map(alternative).collect()).collect();
        let symbols = case.rigid.iter().chain(&case.start);
        let start = symbols.map(|(id, definition)| (*id, expanded(definition, &definitions)));
        Trial {
            large: context.large,
            case,
            start: start.collect(),
            answers,
            clauses: case.gamma.iter().map(|clause| context.expand(&clause.formula)).collect(),
            open: (0..case.gamma.len()).collect(),
            spent: 0,
        }
    }

    /// Looks at all pairs of states along a walk.
    fn along(&mut self, walk: &LargeWalk, params: &[Value]) {
        let Some(first) = self.first(&walk.start, params) else { return };
        self.look(&product(self.case, &walk.start, Some(&first), params));
        let mut cutoff = vec![Some(first)];
        for step in &walk.steps {
            if self.spent >= MAX_EVALUATIONS {
                return;
            }
            let before = cutoff[step.from].as_ref();
            let after = before.and_then(|small| {
                let pair = product(self.case, walk.state(step.from), Some(small), params);
                self.answer(&pair, small, &step.invocation)
            });
            if let Some(small) = &after {
                self.look(&product(self.case, &step.state, Some(small), params));
            }
            cutoff.push(after);
        }
    }

    /// Drops the clauses that fail between two states.
    fn look(&mut self, pair: &Structure<TwoSystems>) {
        let (clauses, spent) = (&self.clauses, &mut self.spent);
        self.open.retain(|clause| {
            let own = instances(&clauses[*clause], pair);
            *spent = spent.saturating_add(own);
            // One clause that is too much for all trials together is left to the solver.
            let fails = own <= MAX_EVALUATIONS
                && evaluate_formula(pair, &VariableAssignment::new(), &clauses[*clause])
                    == Ok(false);
            !fails
        });
    }

    /// The first state of `C`.
    fn first(&self, large: &State, params: &[Value]) -> Option<State> {
        let pair = product(self.case, large, None, params);
        let mut extents = large.extents.clone();
        for cut in &self.case.cut {
            let extent = pair.extent(ProductSort::Cutoff(cut.sort))?;
            extents.insert(Sort::Declared(cut.sort), extent);
        }
        let mut state = blank_state(&self.case.small.signature, &extents);
        for (symbol, definition) in &self.start {
            defined_table(&pair, definition, state.tables.get_mut(symbol)?)?;
        }
        Some(state)
    }

    /// What `C` becomes; `None` if that is not known.
    fn answer(
        &self,
        pair: &Structure<TwoSystems>,
        before: &State,
        invocation: &Invocation,
    ) -> Option<State> {
        let params = self.large.actions[invocation.action].params.iter();
        let scope: VariableAssignment<TwoSystems> = params
            .map(|param| Var::new(param.name.clone(), large_sort(param.sort)))
            .zip(invocation.args.iter().copied())
            .collect();
        for answer in &self.answers[invocation.action] {
            if !evaluate_formula(pair, &scope, &answer.condition).ok()? {
                continue;
            }
            let mut state = before.clone();
            for next in &answer.moves {
                let (mode, action, args) = next.as_ref()?;
                let args = args.iter().map(|arg| evaluate_term(pair, &scope, arg).ok());
                let next = Invocation { action: *action, args: args.collect::<Option<_>>()? };
                match execute_with(&self.case.small, &state, &next, &BTreeMap::new()).ok()? {
                    Some(after) => state = after,
                    None if *mode == Mode::Try => {}
                    None => return None,
                }
            }
            return Some(state);
        }
        None
    }
}

/// Fills a table with what a definition says in a structure; `None` where that has no value.
pub(crate) fn defined_table(
    structure: &Structure<TwoSystems>,
    definition: &ProductDefinition,
    table: &mut Table,
) -> Option<()> {
    for args in tuples(table.extents()) {
        let scope: VariableAssignment<TwoSystems> =
            definition.params.iter().cloned().zip(args.iter().copied()).collect();
        let value = match &definition.body {
            Body::Formula(body) => Value::Bool(evaluate_formula(structure, &scope, body).ok()?),
            Body::Term(body) => evaluate_term(structure, &scope, body).ok()?,
        };
        table.set(&args, value);
    }
    Some(())
}

/// The rigid symbols of `C`, with the simulation maps in place.
pub(crate) fn rigid_of_cutoff(case: &Case) -> Vec<(SymbolId, ProductDefinition)> {
    let sims = definitions(case);
    case.rigid.iter().map(|(id, definition)| (*id, expanded(definition, &sims))).collect()
}

/// The simulation maps and the rigid symbols of `C`.
fn definitions(case: &Case) -> BTreeMap<ProductSymbol, ProductDefinition> {
    let sims: BTreeMap<ProductSymbol, ProductDefinition> =
        case.cut.iter().map(|cut| (ProductSymbol::Sim(cut.sort), cut.sim.clone())).collect();
    let rigid = case.rigid.iter();
    let rigid: Vec<_> = rigid
        .map(|(id, definition)| (ProductSymbol::Cutoff(*id), expanded(definition, &sims)))
        .collect();
    sims.into_iter().chain(rigid).collect()
}

fn expanded(
    definition: &ProductDefinition,
    with: &BTreeMap<ProductSymbol, ProductDefinition>,
) -> ProductDefinition {
    let body = definition.body.translate(BTreeMap::new(), Expand(with));
    ProductDefinition { params: definition.params.clone(), body }
}

/// How many ways there are to choose the outermost variables of a clause.
fn instances(clause: &ProductFormula, pair: &Structure<TwoSystems>) -> usize {
    match clause.kind() {
        FormulaKind::Quantified(_, vars, _) => {
            let extent = |sort| pair.extent(sort).map_or(1, Extent::len);
            vars.iter().map(|var| extent(var.sort)).fold(1, usize::saturating_mul)
        }
        _ => 1,
    }
}
