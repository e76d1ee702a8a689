//! Whether the formulas as written leave the decidable fragment: a note, never a refusal.

use crate::diagnostic::Diagnostic;
use crate::logic::{Alternation, Declarations as _, Formula, SortGraph, Term, alternations};
use crate::protocol::{
    Assignment, Command, OneState, Protocol, RightSide, StateFormula, Statement,
};
use crate::source::Span;

use super::codes;

/// A note if quantifiers and functions alternate in a cycle.
pub(super) fn alternation_note(protocol: &Protocol) -> Option<Diagnostic> {
    let mut graph = Graph::default();
    for (_, symbol) in protocol.signature.symbols() {
        if let Some(result) = symbol.result {
            graph.add(symbol.params.iter().map(|param| (*param, result)), symbol.span);
        }
    }
    for Statement { formula, span, .. } in protocol.axioms.iter().chain(&protocol.init) {
        graph.add(alternations(formula), *span);
    }
    for property in &protocol.properties {
        // Properties are assumed before a step and denied after it.
        let formula = property.formula();
        graph.add(alternations(&formula), property.span);
        graph.add(alternations(&formula.negate()), property.span);
    }
    for action in &protocol.actions {
        graph.block(protocol, &action.body);
    }
    let cycle = graph.0.cycle()?;
    let names: Vec<String> =
        cycle.iter().map(|sort| protocol.signature.sort(*sort).name.to_string()).collect();
    let message = format!("quantifiers and functions alternate in a cycle: {}", names.join(", "));
    let span = *graph.0.place(&(cycle[0], cycle[1]))?;
    let note = Diagnostic::note(codes::ALTERNATION_CYCLE, message, span);
    Some(note.hint("outside the decidable fragment the solver may answer `unknown`"))
}

/// The alternations of a protocol as it is written.
#[derive(Default)]
struct Graph(SortGraph<OneState, Span>);

impl Graph {
    fn add(&mut self, edges: impl IntoIterator<Item = Alternation<OneState>>, span: Span) {
        self.0.add(edges, &span);
    }

    fn block(&mut self, protocol: &Protocol, commands: &[Command]) {
        for command in commands {
            match command {
                Command::Require(formula, span) => self.add(alternations(formula), *span),
                Command::Assign(assignment) => self.assignment(protocol, assignment),
                Command::Together(assignments, _) => {
                    for assignment in assignments {
                        self.assignment(protocol, assignment);
                    }
                }
                Command::If(condition, then, otherwise, span) => {
                    self.add(alternations(condition), *span);
                    self.add(alternations(&condition.negate()), *span);
                    self.block(protocol, then);
                    self.block(protocol, otherwise);
                }
                Command::Relate(_, formula, span) => self.add(alternations(formula), *span),
            }
        }
    }

    fn assignment(&mut self, protocol: &Protocol, assignment: &Assignment) {
        let definition = definition(protocol, assignment);
        self.add(alternations(&definition), assignment.span);
    }
}

/// What an assignment states about the state after it, apart from its condition.
fn definition(protocol: &Protocol, assignment: &Assignment) -> StateFormula {
    let vars = protocol.argument_vars(assignment.target);
    let args: Vec<Term<OneState>> = vars.iter().cloned().map(Term::var).collect();
    let body = match &assignment.value {
        RightSide::Formula(value) => {
            Formula::iff(Formula::holds(assignment.target, args), value.clone())
        }
        RightSide::Term(value) => {
            Formula::equal(Term::apply(assignment.target, args, value.sort()), value.clone())
        }
        RightSide::Havoc(_) => Formula::truth(true),
    };
    Formula::forall(vars, body)
}
