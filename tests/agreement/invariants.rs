//! The obligations of invariants against what they stand for, in random states of instances some of
//! whose sorts have named elements.

use rmlcut::certificate::{
    Case, Invariant, InvariantSystem, Obligation, ObligationKind, ProductSort, ProductSymbol,
    ProductVar, StateClause, TwoSystems, element_var, invariant_obligations, large_sort,
};
use rmlcut::logic::{Extent, Table, Value, VariableAssignment, evaluate_formula};
use rmlcut::protocol::{
    ChoiceId, Invocation, OneState, Protocol, Sort, State, StateVar, SuccessorState, execute,
    print_protocol,
};
use rmlcut::source::Span;

use crate::agreement::cases::case;
use crate::agreement::dice::Dice;
use crate::agreement::pairs::{Both, add, holds, is_true};
use crate::agreement::protocols::{self, Statements};

/// Cases that are compared.
const CASES: usize = 300;

#[test]
fn obligations_of_invariants_agree_with_execution() {
    let mut dice = Dice::new(31);
    let (mut kept, mut lost) = (0, 0);
    for _ in 0..CASES {
        let protocol = protocols::protocol(&mut dice, Statements::AllKinds);
        let case = case(&mut dice, &protocol);
        let mut extents = protocols::state(&mut dice, &protocol.signature).extents;
        for cut in &case.cut {
            let count = u32::try_from(cut.elements.len()).expect("a small number");
            extents.insert(Sort::Declared(cut.sort), Extent::Elements(count));
        }
        let state = protocols::filled(&mut dice, &protocol.signature, &extents);
        let moment = Moment::random(&mut dice, &protocol, &case, &state);
        let (more, fewer) = moment.compare(&mut dice);
        kept += more;
        lost += fewer;
    }
    assert!(kept > CASES / 2 && lost > CASES / 2, "{kept} {lost}");
}

/// A state and a step from it, if there is one.
struct Moment<'a> {
    protocol: &'a Protocol,
    case: &'a Case,
    state: &'a State,
    args: VariableAssignment<TwoSystems>,
    successor: Option<SuccessorState>,
}

impl<'a> Moment<'a> {
    fn random(dice: &mut Dice, protocol: &'a Protocol, case: &'a Case, state: &'a State) -> Self {
        let params = &protocol.actions[0].params;
        let args = params.iter().map(|param| protocols::value(dice, state, Some(param.sort)));
        let invocation = Invocation { action: 0, args: args.collect() };
        let successors = execute(protocol, state, &invocation).unwrap_or_default();
        let successor = (!successors.is_empty()).then(|| dice.pick(&successors).clone());
        let var = |param: &StateVar| ProductVar::new(param.name.clone(), sort(case, param.sort));
        let args = params.iter().map(var).zip(invocation.args).collect();
        Moment { protocol, case, state, args, successor }
    }

    fn obligations(&self) -> Vec<Obligation> {
        let only = &self.case.only[0];
        let clause =
            |name: &str, formula| StateClause { name: name.into(), formula, span: Span::default() };
        let property = self.protocol.properties[0].formula();
        let clauses = vec![clause("c0", only.formula.clone()), clause("c1", property)];
        let system = InvariantSystem {
            protocol: self.protocol,
            cut: &self.case.cut,
            actions: &[0],
            case_properties: std::slice::from_ref(only),
            case: Some(&self.case.name),
        };
        invariant_obligations(system, &Invariant { clauses })
    }

    /// Both a clause and a property by its name, in a state.
    fn truth(&self, state: &State, name: &str) -> bool {
        match name {
            "c0" | "o0" => {
                let formula = &self.case.only[0].formula;
                evaluate_formula(state, &elements(self.case), formula).expect("a value")
            }
            "c1" => is_true(state, &self.protocol.properties[0].formula()),
            name => {
                let property = self.protocol.property(name);
                is_true(state, &property.expect("a property").1.formula())
            }
        }
    }

    /// The state with its elements and the choices; those that were not made are blank.
    fn both(&self, dice: &mut Dice) -> Both {
        let mut both = alone(self.case, self.state);
        for (index, choice) in (0..).zip(&self.protocol.actions[0].choices) {
            let id = ChoiceId(index);
            let ranges = choice.params.iter().map(|sort| self.state.extents[sort]).collect();
            let blank = protocols::value(dice, self.state, choice.result);
            let picked = self.successor.as_ref().and_then(|own| own.choices.get(&id).cloned());
            let table = picked.unwrap_or_else(|| Table::constant(ranges, blank));
            both.tables.insert(ProductSymbol::CutoffChoice(id), table);
        }
        both
    }

    /// Compares every obligation; how many clauses hold after the step, and how many do not.
    fn compare(&self, dice: &mut Dice) -> (usize, usize) {
        let both = self.both(dice);
        let (mut kept, mut lost) = (0, 0);
        for obligation in self.obligations() {
            let context = || format!("{}\n{}", obligation.title(), print_protocol(self.protocol));
            let goal = holds(&both, &self.args, &obligation.goal);
            match &obligation.kind {
                ObligationKind::Initiation { clause: name }
                | ObligationKind::Implication { property: name } => {
                    assert_eq!(goal, self.truth(self.state, name), "{}", context());
                }
                ObligationKind::Consecution { clause, .. } => {
                    let Some(successor) = &self.successor else { continue };
                    assert_eq!(goal, self.truth(&successor.state, clause), "{}", context());
                    kept += usize::from(goal);
                    lost += usize::from(!goal);
                }
                _ => panic!("{}", context()),
            }
            for hypothesis in obligation.hypotheses.iter() {
                let expected = match &*hypothesis.name {
                    "init" => is_true(self.state, &self.protocol.initial()),
                    "guard of act" => true,
                    name if name.starts_with("axiom ") => {
                        is_true(self.state, &self.protocol.axiom())
                    }
                    name => self.truth(self.state, name),
                };
                let found = holds(&both, &self.args, &hypothesis.formula);
                assert_eq!(found, expected, "{}: {}", hypothesis.name, context());
            }
        }
        (kept, lost)
    }
}

fn elements(case: &Case) -> VariableAssignment<OneState> {
    let elements = case.cut.iter().flat_map(|cut| {
        let numbered = (0..).zip(&cut.elements);
        numbered.map(|(index, _)| (element_var(cut, index as usize), Value::Element(index)))
    });
    elements.collect()
}

/// A sort of the instance.
fn sort(case: &Case, sort: Sort) -> ProductSort {
    match sort {
        Sort::Declared(id) if case.cut.iter().any(|cut| cut.sort == id) => ProductSort::Cutoff(id),
        _ => large_sort(sort),
    }
}

/// The instance, with its named elements.
fn alone(case: &Case, state: &State) -> Both {
    let extents = state.extents.iter().map(|(own, extent)| (sort(case, *own), *extent));
    let mut both = Both::new(extents.collect());
    add(&mut both, state, ProductSymbol::Cutoff);
    for cut in &case.cut {
        for (index, _) in (0..).zip(&cut.elements) {
            let table = Table::constant(Vec::new(), Value::Element(index));
            both.tables.insert(ProductSymbol::Element(cut.sort, index), table);
        }
    }
    both
}
