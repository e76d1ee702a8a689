//! Traces that must stay runs, whatever is completed or edited.
//!
//! Every element of the trace becomes a constant, so that its states are formulas; the trace is then
//! a run that the text expects, at the one size that it has.

use super::search::{Found, Search, SizeAndWindow};
use super::sketch::Sketch;
use super::{CompleteError, codes};
use crate::budget::Budget;
use crate::coverage::woven_protocol;
use crate::diagnostic::Diagnostic;
use crate::elaborate::trace::elaborate_trace;
use crate::finite::{CandidateOrder, SMALL_INTEGERS};
use crate::frontend::parse_trace;
use crate::frontend::trace::surface::TraceFile;
use crate::logic::{Extent, Formula, Table, Term, Value};
use crate::protocol::{
    Beginning, Expectation, ExpectedRun, ExpectedStep, ExternalStep, ExternalTrace, Protocol,
    Rigidity, RunPart, Sort, State, StateFormula, StateTerm, Statement, Symbol, SymbolId,
};
use crate::source::{SourceFile, Span};

/// A goal: its words, the protocol that is violated at its end, and where it is looked for.
type KeptGoal = (String, Protocol, Option<SizeAndWindow>);

/// Adds every kept trace to what a search requires.
///
/// # Errors
/// When a trace cannot be read, or is a run of no completion.
pub(super) fn keep_traces(
    search: &mut Search<'_>,
    sketch: &Sketch,
    plain: &Protocol,
    (traces, order): (&[SourceFile], CandidateOrder),
    budget: &Budget,
) -> Result<(), CompleteError> {
    let flagged = search.protocol();
    for source in traces {
        let refuse = |messages| CompleteError::Trace(Box::new(source.clone()), messages);
        let (trace, file) = read(plain, source).map_err(refuse)?;
        let goal = |steps| kept_goal(flagged, plain, &trace, (source.name(), steps));
        let is_possible = |steps| {
            let mut alone = Search::for_goal((sketch, flagged), &[], order, goal(steps), budget);
            !matches!(alone.next(), Found::Nothing(_)) || alone.is_inexact
        };
        if let Some(steps) = (0..=trace.steps.len()).find(|steps| !is_possible(*steps)) {
            let place = file.states.get(steps).map_or(Span::default(), |state| state.span);
            return Err(refuse(vec![not_a_run(steps, place)]));
        }
        let (text, woven, at) = goal(trace.steps.len());
        search.add_goal(text, woven, at);
    }
    Ok(())
}

fn not_a_run(steps: usize, place: Span) -> Diagnostic {
    let (message, hint) = match steps {
        0 => (
            "no completion begins in the first state of this trace".to_owned(),
            "holes stand in actions only: the axioms and the initial condition are as written",
        ),
        _ => (
            format!("no completion has a run with step {steps} of this trace after those before"),
            "leave the step out, or give the holes further alternatives",
        ),
    };
    Diagnostic::error(codes::NOT_A_RUN, message, place).hint(hint)
}

fn read(
    protocol: &Protocol,
    source: &SourceFile,
) -> Result<(ExternalTrace, TraceFile), Vec<Diagnostic>> {
    let parsed = parse_trace(source);
    if parsed.diagnostics.iter().any(Diagnostic::is_error) {
        return Err(parsed.diagnostics);
    }
    let elaborated = elaborate_trace(protocol, &parsed.file);
    elaborated.trace.map(|trace| (trace, parsed.file)).ok_or(elaborated.diagnostics)
}

/// The first steps of a trace of the plain protocol, as a goal of the one with flags.
fn kept_goal(
    flagged: &Protocol,
    plain: &Protocol,
    trace: &ExternalTrace,
    (name, steps): (&str, usize),
) -> KeptGoal {
    let mut named = NamedElements::new(flagged, plain, &trace.initial);
    named.fix_rigid(&trace.initial);
    let mut parts = vec![RunPart::Holds(named.diagram(&trace.initial, Rigidity::Mutable))];
    for step in &trace.steps[..steps] {
        parts.push(named.step(step));
        parts.push(RunPart::Holds(named.diagram(&step.state, Rigidity::Mutable)));
    }
    let run = ExpectedRun {
        label: None,
        expectation: Expectation::Reachable,
        beginning: Beginning::Initial,
        parts,
        span: Span::default(),
    };
    let woven = woven_protocol(&named.protocol, &run);
    let extents = &trace.initial.extents;
    let size = flagged.signature.sized_sorts().filter_map(|sort| {
        let count = extents.get(&Sort::Declared(sort))?.len();
        Some((sort, u32::try_from(count).ok()?))
    });
    let window = flagged.signature.uses_int().then(|| match extents.get(&Sort::Int) {
        Some(Extent::Window { low, high }) => {
            (SMALL_INTEGERS.0.min(*low), SMALL_INTEGERS.1.max(*high))
        }
        _ => SMALL_INTEGERS,
    });
    (format!("`{name}` is a run"), woven, Some((size.collect(), window)))
}

/// A protocol with a constant for every element of an instance.
struct NamedElements<'a> {
    protocol: Protocol,
    plain: &'a Protocol,
    elements: Vec<(Sort, Vec<StateTerm>)>,
}

impl<'a> NamedElements<'a> {
    fn new(flagged: &Protocol, plain: &'a Protocol, state: &State) -> Self {
        let mut protocol = Protocol { expected_runs: Vec::new(), ..flagged.clone() };
        let mut elements = Vec::new();
        for sort in flagged.signature.sized_sorts() {
            let own = Sort::Declared(sort);
            let count = state.extent(own).map_or(0, Extent::len);
            let constants: Vec<StateTerm> = (0..count)
                .map(|index| {
                    let symbol = Symbol {
                        name: format!("element {} {index}", flagged.signature.sort_name(sort))
                            .into(),
                        params: Vec::new(),
                        result: Some(own),
                        rigidity: Rigidity::Rigid,
                        span: Span::default(),
                    };
                    Term::apply(protocol.signature.add_symbol(symbol), Vec::new(), own)
                })
                .collect();
            for (index, one) in constants.iter().enumerate() {
                let others = &constants[index + 1..];
                let differs = others.iter().map(|two| Formula::equal(one.clone(), two.clone()));
                protocol.axioms.extend(differs.map(|same| statement(same.negate())));
            }
            elements.push((own, constants));
        }
        NamedElements { protocol, plain, elements }
    }

    /// The rigid symbols are as in the trace.
    fn fix_rigid(&mut self, state: &State) {
        let rigid = self.diagram(state, Rigidity::Rigid);
        self.protocol.axioms.push(statement(rigid));
    }

    /// What holds of the symbols of a state.
    fn diagram(&self, state: &State, rigidity: Rigidity) -> StateFormula {
        let literals = state.tables.iter().flat_map(|(id, table)| {
            let symbol = self.plain.signature.symbol(*id);
            let own = self.protocol.signature.find_symbol(&symbol.name);
            let own = own.filter(|_| symbol.rigidity == rigidity);
            own.map(|own| self.literals(own, table)).unwrap_or_default()
        });
        Formula::and(literals)
    }

    fn literals(&self, id: SymbolId, table: &Table) -> Vec<StateFormula> {
        let symbol = self.protocol.signature.symbol(id);
        let literals = table.entries().map(|(args, value)| {
            let args = args.iter().zip(&symbol.params);
            let args: Vec<StateTerm> = args.map(|(own, sort)| self.term(*own, *sort)).collect();
            match (value, symbol.result) {
                (Value::Bool(true), None) => Formula::holds(id, args),
                (_, None) => Formula::holds(id, args).negate(),
                (value, Some(sort)) => {
                    Formula::equal(Term::apply(id, args, sort), self.term(value, sort))
                }
            }
        });
        literals.collect()
    }

    fn term(&self, value: Value, sort: Sort) -> StateTerm {
        match value {
            Value::Int(value) => Term::integer(value, sort),
            Value::Element(index) => {
                let known = self.elements.iter().find(|(own, _)| *own == sort);
                known
                    .and_then(|(_, constants)| constants.get(index as usize).cloned())
                    .unwrap_or_else(|| Term::element(index, sort))
            }
            Value::Bool(_) => Term::element(0, sort),
        }
    }

    fn step(&self, step: &ExternalStep) -> RunPart {
        let Some(action) = step.action else { return RunPart::AnyStep };
        let params = &self.protocol.actions[action].params;
        let given = step.args.iter().zip(params).filter_map(|(value, param)| {
            let value = self.term((*value)?, param.sort);
            Some(Formula::equal(Term::var(param.clone()), value))
        });
        RunPart::OneOf(vec![ExpectedStep { action, conditions: given.collect() }])
    }
}

fn statement(formula: StateFormula) -> Statement {
    Statement { label: None, formula, span: Span::default() }
}
