//! Why an invocation is not possible: the condition that fails, where it is written, and the values
//! that make it fail.

use std::fmt::Write as _;

use serde::Serialize;

use crate::finite::replay::Refused;
use crate::logic::{
    Declarations, Formula, FormulaKind, Quantifier, Structure, Term, TermKind, Value, Var,
    VariableAssignment, Vocabulary, evaluate_formula, evaluate_term, print_formula, tuples,
};
use crate::protocol::{
    Blocked, OneState, Protocol, Signature, Sort, StepNames, StepVar, element_name,
};
use crate::report::text::counts::{count, line};
use crate::report::text::trace;
use crate::source::SourceFile;

/// An invocation that is not possible, and the condition that fails.
#[derive(Serialize)]
pub(crate) struct BlockedReport<'a> {
    invocation: String,
    invocations: u64,
    choices: u64,
    condition: Option<Condition<'a>>,
}

/// A condition that fails.
#[derive(Serialize)]
struct Condition<'a> {
    text: String,
    file: &'a str,
    line: usize,
    column: usize,
    values: Vec<Fact>,
}

/// A part of a condition and its value.
#[derive(PartialEq, Eq, Serialize)]
struct Fact {
    part: String,
    value: String,
}

/// Everything that is not possible in a step, as text.
pub(crate) fn text(
    protocol: &Protocol,
    source: &SourceFile,
    step: usize,
    refused: &[Refused],
) -> String {
    let mut out = String::new();
    let tried: u64 = refused.iter().map(|refused| refused.invocations).sum();
    let [only] = refused else {
        line!(out, 0, "{step}. none of {tried} invocations that fit the trace is possible");
        for refused in refused {
            BlockedReport::new(protocol, source, refused).write(&mut out, "   ");
        }
        return out;
    };
    BlockedReport::new(protocol, source, only).write(&mut out, &format!("{step}. "));
    out
}

/// Everything that makes an action impossible, as text.
pub(crate) fn reasons(protocol: &Protocol, source: &SourceFile, refused: &[Refused]) -> String {
    let mut out = String::new();
    for refused in refused {
        BlockedReport::new(protocol, source, refused).write(&mut out, "");
    }
    out
}

impl<'a> BlockedReport<'a> {
    pub(crate) fn new(protocol: &Protocol, source: &'a SourceFile, refused: &Refused) -> Self {
        BlockedReport {
            invocation: trace::invocation(protocol, &refused.invocation),
            invocations: refused.invocations,
            choices: refused.choices,
            condition: condition(protocol, source, refused),
        }
    }

    /// ``take(node1) is not possible: `require free` fails (lock.rml:9:3)``, and values.
    fn write(&self, out: &mut String, margin: &str) {
        let _ = write!(out, "{margin}{} is not possible", self.invocation);
        if let Some(Condition { text, file, line, column, values }) = &self.condition {
            let _ = write!(out, ": `{text}` fails ({file}:{line}:{column})");
            for Fact { part, value } in values {
                let _ = write!(out, "\n      {part} is {value}");
            }
        }
        out.push('\n');
        if self.choices > 1 {
            let choices = self.choices;
            line!(out, 3, "{choices} choices of its havocs were tried; this is the first");
        }
        if self.invocations > 1 {
            let others = count(self.invocations - 1, "other invocation");
            line!(out, 3, "it fails for {others} as well");
        }
    }
}

fn condition<'a>(
    protocol: &Protocol,
    source: &'a SourceFile,
    refused: &Refused,
) -> Option<Condition<'a>> {
    let blocked = refused.blocked.as_ref()?;
    let position = source.position(blocked.span().start);
    let action = &protocol.actions[refused.invocation.action];
    let arguments = || action.params.iter().cloned().zip(refused.invocation.args.iter().copied());
    let signature = &protocol.signature;
    let (text, values) = match blocked {
        Blocked::Require(formula, _, state) => {
            let names: &dyn Declarations<OneState> = signature;
            let reading = Reading { structure: state, names, signature, facts: Vec::new() };
            (format!("require {}", print_formula(names, formula)), reading.of(formula, arguments()))
        }
        Blocked::Relation(formula, _, both) => {
            let names = StepNames { signature, action };
            let arguments =
                arguments().map(|(var, value)| (StepVar::new(var.name, var.sort), value));
            let reading = Reading { structure: both, names: &names, signature, facts: Vec::new() };
            (print_formula(&names, formula), reading.of(formula, arguments))
        }
    };
    let (line, column) = (position.line, position.column);
    Some(Condition { text, file: source.name(), line, column, values })
}

/// Collects the values that decide a formula.
struct Reading<'a, V: Vocabulary<Sort = Sort>> {
    structure: &'a Structure<V>,
    names: &'a dyn Declarations<V>,
    signature: &'a Signature,
    facts: Vec<Fact>,
}

impl<V: Vocabulary<Sort = Sort>> Reading<'_, V> {
    /// The values that decide a formula about these arguments.
    fn of(
        mut self,
        formula: &Formula<V>,
        arguments: impl Iterator<Item = (Var<V>, Value)>,
    ) -> Vec<Fact> {
        self.formula(formula, &arguments.collect());
        self.facts
    }

    /// Descends only where the truth of the formula is decided; a formula without a value decides
    /// nothing.
    fn formula(&mut self, formula: &Formula<V>, at: &VariableAssignment<V>) {
        let Ok(truth) = evaluate_formula(self.structure, at, formula) else { return };
        match formula.kind() {
            FormulaKind::Truth(_) => {}
            FormulaKind::Not(inner) => self.formula(inner, at),
            FormulaKind::And(parts) => self.deciding(parts, false, truth, at),
            FormulaKind::Or(parts) => self.deciding(parts, true, truth, at),
            FormulaKind::Implies(left, right) | FormulaKind::Iff(left, right) => {
                self.formula(left, at);
                self.formula(right, at);
            }
            FormulaKind::If(condition, then, otherwise) => {
                self.formula(condition, at);
                let taken = evaluate_formula(self.structure, at, condition);
                self.formula(if taken == Ok(true) { then } else { otherwise }, at);
            }
            FormulaKind::Holds(symbol, args) => {
                args.iter().for_each(|arg| self.applications(arg, at));
                let place = self.place(*symbol, args, at);
                self.add(place, Some(truth.to_string()));
            }
            FormulaKind::Equal(left, right) | FormulaKind::Compare(_, left, right) => {
                for side in [left, right] {
                    if let TermKind::Var(var) = side.kind() {
                        let value = self.value(side, at);
                        self.add(Some(var.name.to_string()), value);
                    }
                    self.applications(side, at);
                }
            }
            FormulaKind::Quantified(quantifier, vars, body) => {
                let witnessed = truth == (*quantifier == Quantifier::Exists);
                let extents = vars.iter().map(|var| self.structure.extent(var.sort));
                let tuples = extents.collect::<Option<Vec<_>>>().map(|extents| tuples(&extents));
                let inner = tuples.into_iter().flatten().filter(|_| witnessed).find_map(|tuple| {
                    let mut inner = at.clone();
                    inner.extend(vars.iter().cloned().zip(tuple));
                    let found = evaluate_formula(self.structure, &inner, body) == Ok(truth);
                    found.then_some(inner)
                });
                let Some(inner) = inner else {
                    return self
                        .add(Some(print_formula(self.names, formula)), Some(truth.to_string()));
                };
                for var in vars {
                    let value = self.value(&Term::var(var.clone()), &inner);
                    self.add(Some(var.name.to_string()), value);
                }
                self.formula(body, &inner);
            }
        }
    }

    /// The parts that make a formula what it is: those with the dominating truth, or all.
    fn deciding(
        &mut self,
        parts: &[Formula<V>],
        dominating: bool,
        truth: bool,
        at: &VariableAssignment<V>,
    ) {
        for part in parts {
            let holds = evaluate_formula(self.structure, at, part);
            if truth != dominating || holds == Ok(dominating) {
                self.formula(part, at);
            }
        }
    }

    /// The values of every function that a term applies.
    fn applications(&mut self, term: &Term<V>, at: &VariableAssignment<V>) {
        match term.kind() {
            TermKind::Var(_) | TermKind::Integer(..) | TermKind::Element(..) => {}
            TermKind::Apply(symbol, args, _) => {
                args.iter().for_each(|arg| self.applications(arg, at));
                let place = self.place(*symbol, args, at);
                let value = self.value(term, at);
                self.add(place, value);
            }
            TermKind::Add(left, right) | TermKind::Subtract(left, right) => {
                self.applications(left, at);
                self.applications(right, at);
            }
            TermKind::If(condition, then, otherwise) => {
                self.formula(condition, at);
                let taken = evaluate_formula(self.structure, at, condition);
                self.applications(if taken == Ok(true) { then } else { otherwise }, at);
            }
        }
    }

    /// A symbol at the values of its arguments.
    fn place(
        &self,
        symbol: V::Symbol,
        args: &[Term<V>],
        at: &VariableAssignment<V>,
    ) -> Option<String> {
        let args = args.iter().map(|arg| self.value(arg, at)).collect::<Option<Vec<_>>>()?;
        let name = self.names.symbol(symbol).name;
        Some(match args.is_empty() {
            true => name.to_string(),
            false => format!("{name}({})", args.join(", ")),
        })
    }

    fn value(&self, term: &Term<V>, at: &VariableAssignment<V>) -> Option<String> {
        let value = evaluate_term(self.structure, at, term).ok()?;
        Some(element_name(self.signature, term.sort(), value).to_string())
    }

    /// A fact, once; one without a value is none.
    fn add(&mut self, part: Option<String>, value: Option<String>) {
        let fact = part.zip(value).map(|(part, value)| Fact { part, value });
        self.facts.extend(fact.filter(|fact| !self.facts.contains(fact)));
    }
}
