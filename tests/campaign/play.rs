//! A certificate played out: every run of a small `L` with the answers of `C` beside it, state by
//! state, by executing both. Shares nothing with the obligations but the certificate.

use std::collections::BTreeMap;

use rmlcut::certificate::{
    Alternative, Case, Certificate, Mode, ProductDefinition, ProductFormula, ProductSort,
    ProductSymbol, ProductVar, TwoSystems, large_sort,
};
use rmlcut::finite::reachable;
use rmlcut::logic::{
    Body, Extent, FormulaKind, Structure, Table, Value, VariableAssignment, evaluate_formula,
    evaluate_term, tuples,
};
use rmlcut::protocol::{
    ChoiceValues, Invocation, OneState, Property, Protocol, Rigidity, Size, Sort, SortId, State,
    StateFormula, SuccessorState, SymbolId, execute_with, successors,
};

use crate::campaign::truth::{Limits, question};

/// The most pairs of states of one instance and one choice of parameters.
const PAIRS: usize = 400;

type Both = Structure<TwoSystems>;
type Played<T> = Result<T, String>;

/// Plays every case in small `L`'s; returns how many pairs of states were seen.
pub(crate) fn play(certificate: &Certificate, cases: &[Case], limits: Limits) -> Played<usize> {
    let large = &certificate.large;
    let mut pairs = 0;
    for case in cases {
        // The first size that is small enough.
        let found = sizes(large, case).into_iter().find_map(|size| {
            reachable(&question(large, size), &limits.budget(1)).ok().and_then(Result::ok)
        });
        for instance in found.iter().flat_map(|found| &found.instances).take(4) {
            let Some(state) = instance.states().next() else { continue };
            let initial = instance.states().filter(|state| is_initial(large, state)).take(4);
            let initial: Vec<State> = initial.collect();
            let ranges: Vec<Extent> =
                case.params.iter().map(|param| state.extents[&param.sort]).collect();
            for params in tuples(&ranges) {
                let play = Play { large, case, params };
                if play.may_violate(&state)? {
                    pairs += play.from(&initial)?;
                }
            }
        }
    }
    Ok(pairs)
}

/// Sizes to try, the largest first. With one element more than `C` has, two must share an
/// image.
fn sizes(large: &Protocol, case: &Case) -> Vec<Size> {
    let elements = |sort| {
        let cut = case.cut.iter().find(|cut| cut.sort == sort);
        cut.map_or(1, |cut| u32::try_from(cut.elements.len()).expect("a small size"))
    };
    let sorts: Vec<SortId> = large.signature.sized_sorts().collect();
    let size = |more: &dyn Fn(SortId) -> u32| {
        sorts.iter().map(|sort| (*sort, (elements(*sort) + more(*sort)).min(4))).collect()
    };
    let alone = |one: SortId| size(&|sort| u32::from(sort == one));
    let singles = case.cut.iter().map(|cut| alone(cut.sort));
    [vec![size(&|_| 1)], singles.collect(), vec![size(&|_| 0)]].concat()
}

fn is_initial(protocol: &Protocol, state: &State) -> bool {
    evaluate_formula(state, &VariableAssignment::new(), &protocol.initial()) == Ok(true)
}

struct Play<'a> {
    large: &'a Protocol,
    case: &'a Case,
    params: Vec<Value>,
}

impl Play<'_> {
    /// Whether what never changes lets these parameters be picked in a violating state.
    fn may_violate(&self, state: &State) -> Played<bool> {
        let both = self.both(state);
        let rigid = |formula: &ProductFormula| {
            formula.symbols().iter().all(|symbol| match symbol {
                ProductSymbol::Large(id) => {
                    self.large.signature.symbol(*id).rigidity == Rigidity::Rigid
                }
                _ => matches!(symbol, ProductSymbol::Param(_)),
            })
        };
        for conjunct in self.case.select.formula.conjuncts().iter().filter(|part| rigid(part)) {
            if !holds(&both, &VariableAssignment::new(), conjunct)? {
                return Ok(false);
            }
        }
        if self.case.violators.is_empty() {
            return Ok(true);
        }
        let property = &self.large.properties[self.case.property];
        let values = self.case.violators.iter().map(|param| self.params[*param]);
        let assignment = property.vars.iter().cloned().zip(values).collect();
        static_part_fails(self.large, property, state, &assignment)
    }

    /// Follows `L` from its initial states.
    fn from(&self, initial: &[State]) -> Played<usize> {
        let mut pending = Vec::new();
        for state in initial {
            let both = self.both(state);
            let mut small = self.blank(state);
            for (symbol, definition) in self.case.rigid.iter().chain(&self.case.start) {
                small
                    .tables
                    .insert(*symbol, tabulated(&both, definition, &VariableAssignment::new())?);
            }
            if !is_initial(&self.case.small, &small) {
                return Err("C does not start in an initial state".to_owned());
            }
            self.related(state, &small)?;
            pending.push((state.clone(), small));
        }
        let mut known: Vec<(State, State)> = pending.clone();
        while let Some((large, small)) = pending.pop() {
            for action in 0..self.large.actions.len() {
                let Ok(next) = successors(self.large, &large, action) else { continue };
                for (invocation, successor) in next {
                    let answer = self.answer(&large, &small, &invocation, &successor)?;
                    self.related(&successor.state, &answer)?;
                    let pair = (successor.state, answer);
                    if known.len() < PAIRS && !known.contains(&pair) {
                        known.push(pair.clone());
                        pending.push(pair);
                    }
                }
            }
        }
        Ok(known.len())
    }

    /// The state of `C` after its answer to a step of `L`.
    fn answer(
        &self,
        large: &State,
        small: &State,
        invocation: &Invocation,
        successor: &SuccessorState,
    ) -> Played<State> {
        let mut both = self.both(large);
        add(&mut both, small, ProductSymbol::Cutoff);
        add(&mut both, &successor.state, ProductSymbol::LargePost);
        for (choice, table) in &successor.choices {
            both.tables.insert(ProductSymbol::LargeChoice(*choice), table.clone());
        }
        let params = self.large.actions[invocation.action].params.iter();
        let args: VariableAssignment<TwoSystems> = params
            .zip(&invocation.args)
            .map(|(param, value)| {
                (ProductVar::new(param.name.clone(), large_sort(param.sort)), *value)
            })
            .collect();
        for alternative in &self.case.lockstep[invocation.action] {
            if holds(&both, &args, &alternative.condition)? {
                return self.moved(&both, &args, alternative, small);
            }
        }
        Err("no answer applies".to_owned())
    }

    fn moved(
        &self,
        both: &Both,
        args: &VariableAssignment<TwoSystems>,
        alternative: &Alternative,
        small: &State,
    ) -> Played<State> {
        let mut current = small.clone();
        for next in &alternative.moves {
            let values = next.args.iter().map(|arg| evaluate_term(both, args, arg));
            let values = values.collect::<Result<Vec<_>, _>>().map_err(|why| why.to_string())?;
            let mut choices = ChoiceValues::new();
            for (choice, definition) in &next.choices {
                choices.insert(*choice, tabulated(both, definition, args)?);
            }
            let invocation = Invocation { action: next.action, args: values };
            let after = execute_with(&self.case.small, &current, &invocation, &choices);
            match (after.map_err(|why| why.to_string())?, next.mode) {
                (Some(after), _) => current = after,
                (None, Mode::Try) => {}
                (None, Mode::Fire) => return Err("C cannot make a move of its answer".to_owned()),
            }
        }
        Ok(current)
    }

    /// Every clause of gamma holds.
    fn related(&self, large: &State, small: &State) -> Played<()> {
        let mut both = self.both(large);
        add(&mut both, small, ProductSymbol::Cutoff);
        for clause in &self.case.gamma {
            if !holds(&both, &VariableAssignment::new(), &clause.formula)? {
                return Err(format!("the clause {} does not hold", clause.name));
            }
        }
        Ok(())
    }

    /// The state of `L` with the parameters, the elements of `C` and the maps.
    fn both(&self, large: &State) -> Both {
        let mut extents = BTreeMap::new();
        for (sort, extent) in &large.extents {
            extents.insert(large_sort(*sort), *extent);
        }
        for cut in &self.case.cut {
            let count = u32::try_from(cut.elements.len()).expect("a small size");
            extents.insert(ProductSort::Cutoff(cut.sort), Extent::Elements(count));
        }
        let mut both = Both::new(extents);
        add(&mut both, large, ProductSymbol::Large);
        for (index, value) in (0..).zip(&self.params) {
            both.tables.insert(ProductSymbol::Param(index), Table::constant(Vec::new(), *value));
        }
        for cut in &self.case.cut {
            for (index, _) in (0..).zip(&cut.elements) {
                let table = Table::constant(Vec::new(), Value::Element(index));
                both.tables.insert(ProductSymbol::Element(cut.sort, index), table);
            }
        }
        for cut in &self.case.cut {
            let table = tabulated(&both, &cut.sim, &VariableAssignment::new());
            both.tables.insert(ProductSymbol::Sim(cut.sort), table.expect("a map has values"));
        }
        both
    }

    fn blank(&self, large: &State) -> State {
        let mut extents = large.extents.clone();
        for cut in &self.case.cut {
            let count = u32::try_from(cut.elements.len()).expect("a small size");
            extents.insert(Sort::Declared(cut.sort), Extent::Elements(count));
        }
        State::new(extents)
    }
}

fn add(both: &mut Both, state: &State, named: impl Fn(SymbolId) -> ProductSymbol) {
    for (symbol, table) in &state.tables {
        both.tables.insert(named(*symbol), table.clone());
    }
}

fn holds(
    both: &Both,
    args: &VariableAssignment<TwoSystems>,
    formula: &ProductFormula,
) -> Played<bool> {
    evaluate_formula(both, args, formula).map_err(|error| error.to_string())
}

/// A definition as a table.
fn tabulated(
    both: &Both,
    definition: &ProductDefinition,
    args: &VariableAssignment<TwoSystems>,
) -> Played<Table> {
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
        table.set(&tuple, value.map_err(|error| error.to_string())?);
    }
    Ok(table)
}

/// Whether the rigid conjuncts of the property's negation hold of these elements.
fn static_part_fails(
    protocol: &Protocol,
    property: &Property,
    state: &State,
    elements: &VariableAssignment<OneState>,
) -> Played<bool> {
    let negation: Vec<StateFormula> = match property.matrix.kind() {
        FormulaKind::Implies(premise, conclusion) => {
            [premise.conjuncts(), vec![conclusion.negate()]].concat()
        }
        _ => vec![property.matrix.negate()],
    };
    for part in negation {
        let symbol = |id| protocol.signature.symbol(id).rigidity == Rigidity::Rigid;
        if part.symbols().into_iter().all(symbol) {
            let truth = evaluate_formula(state, elements, &part);
            if !truth.map_err(|error| error.to_string())? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}
