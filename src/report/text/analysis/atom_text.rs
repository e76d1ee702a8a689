//! Clauses, invocations and what an action reads, as text.

use std::fmt::Display;

use crate::analysis::{
    ActionAtom, ActionInvocation, ActionLocal, AtomEntry, AtomValue, BackwardNeed, Footprint,
    GuardSource, NeededClause, NegatedProperty, UpdateSource, Violator,
};
use crate::logic::{Declarations, Value, print_formula};
use crate::protocol::{
    Action, OneState, Protocol, Signature, Sort, StepFormula, StepNames, SymbolId, element_name,
    print_assignment,
};

/// A clause about a violation: `~seqnum_sent(*)`, `table(*, K, *)`, `head = *`.
pub(crate) fn clause(
    signature: &Signature,
    violation: &NegatedProperty,
    clause: &NeededClause,
) -> String {
    clauses(signature, violation, [clause]).concat()
}

/// Clauses about a violation; those that differ only in violators become one text, as in the paper:
/// `table(N1<N2>, K, V1<V2>)` is `table(N1, K, V1)` and `table(N2, K, V2)`.
pub(crate) fn clauses<'a>(
    signature: &Signature,
    violation: &NegatedProperty,
    clauses: impl IntoIterator<Item = &'a NeededClause>,
) -> Vec<String> {
    let rows = clauses.into_iter().map(|clause| {
        let (form, value) = form(&clause.output);
        let entries = value.into_iter().chain(clause.args.iter().copied()).collect();
        ((clause.symbol, form), entries)
    });
    merge_rows(signature, violation, rows)
        .into_iter()
        .map(|((symbol, form), entries)| atom(signature, symbol, form, entries))
        .collect()
}

/// An invocation about a violation: `put(*, K, *)`.
pub(crate) fn invocation(
    protocol: &Protocol,
    violation: &NegatedProperty,
    invocation: &ActionInvocation,
) -> String {
    invocations(protocol, violation, [invocation]).concat()
}

/// Invocations about a violation; those that differ only in violators become one text.
pub(crate) fn invocations<'a>(
    protocol: &Protocol,
    violation: &NegatedProperty,
    invocations: impl IntoIterator<Item = &'a ActionInvocation>,
) -> Vec<String> {
    let rows = invocations.into_iter().map(|it| (it.action, it.args.clone()));
    merge_rows(&protocol.signature, violation, rows)
        .into_iter()
        .map(|(action, args)| application(&protocol.actions[action].name, &args))
        .collect()
}

/// An atom that an action reads, with the names of its parameters.
pub(crate) fn action_atom(signature: &Signature, action: &Action, read: &ActionAtom) -> String {
    let (form, value) = form(&read.output);
    let entries = value.iter().chain(&read.args);
    let entries = entries.map(|entry| local(signature, action, entry)).collect();
    atom(signature, read.symbol, form, entries)
}

/// What an update does, as far as the analysis knows: `table(n, k, *) := false`.
pub(crate) fn update(signature: &Signature, action: &Action, update: &ActionAtom) -> String {
    let args: Vec<String> =
        update.args.iter().map(|entry| local(signature, action, entry)).collect();
    let place = application(&signature.symbol(update.symbol).name, &args);
    let value = match &update.output {
        AtomValue::Any => "*".to_owned(),
        AtomValue::Truth(value) => value.to_string(),
        AtomValue::Is(value) => local(signature, action, value),
    };
    format!("{place} := {value}")
}

/// The part of an action that needs something, as it was written.
pub(crate) fn need(
    protocol: &Protocol,
    action: usize,
    footprint: &Footprint,
    need: BackwardNeed,
) -> String {
    let (signature, declared) = (&protocol.signature, &protocol.actions[action]);
    let names: &dyn Declarations<OneState> = signature;
    match need {
        BackwardNeed::Guard(index) => match &footprint.guards[index].source {
            GuardSource::Require(formula) => format!("require {}", print_formula(names, formula)),
            GuardSource::Condition(formula) => format!("if {}", print_formula(names, formula)),
            GuardSource::Relation(formula) => relation(signature, declared, formula),
        },
        BackwardNeed::Update(index) => match &footprint.updates[index].source {
            UpdateSource::Assignment(assignment) => print_assignment(signature, assignment),
            UpdateSource::Relation(formula) => relation(signature, declared, formula),
        },
    }
}

fn relation(signature: &Signature, action: &Action, formula: &StepFormula) -> String {
    print_formula(&StepNames { signature, action }, formula)
}

/// How an atom is written around its entries.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Holds,
    Fails,
    /// Its value can be anything.
    Open,
    /// Its value is the first entry.
    Equals,
}

fn form<N: Copy>(output: &AtomValue<N>) -> (Form, Option<AtomEntry<N>>) {
    match output {
        AtomValue::Any => (Form::Open, None),
        AtomValue::Truth(true) => (Form::Holds, None),
        AtomValue::Truth(false) => (Form::Fails, None),
        AtomValue::Is(value) => (Form::Equals, Some(*value)),
    }
}

/// Merges neighbours and others that have the same head and differ in violators only.
fn merge_rows<H: PartialEq>(
    signature: &Signature,
    violation: &NegatedProperty,
    rows: impl Iterator<Item = (H, Vec<AtomEntry<Violator>>)>,
) -> Vec<(H, Vec<String>)> {
    let mut groups: Vec<(H, Vec<Vec<AtomEntry<Violator>>>)> = Vec::new();
    for (head, row) in rows {
        let alike = groups.iter_mut().find(|(other, rows)| *other == head && alike(&rows[0], &row));
        match alike {
            Some((_, rows)) => rows.push(row),
            None => groups.push((head, vec![row])),
        }
    }
    let column = |rows: &[Vec<AtomEntry<Violator>>], at: usize| {
        let texts: Vec<String> =
            rows.iter().map(|row| violating(signature, violation, &row[at])).collect();
        if texts.iter().all(|text| *text == texts[0]) {
            return texts[0].clone();
        }
        let others: Vec<String> = texts[1..].iter().map(|text| format!("<{text}>")).collect();
        format!("{}{}", texts[0], others.concat())
    };
    let merged = |(head, rows): (H, Vec<Vec<AtomEntry<Violator>>>)| {
        let columns = (0..rows[0].len()).map(|at| column(&rows, at)).collect();
        (head, columns)
    };
    groups.into_iter().map(merged).collect()
}

/// Whether two rows are equal but for which violators they name.
fn alike(one: &[AtomEntry<Violator>], two: &[AtomEntry<Violator>]) -> bool {
    let is_violator = |entry: &AtomEntry<Violator>| matches!(entry, AtomEntry::Named(_));
    let pairs = one.iter().zip(two);
    one.len() == two.len()
        && pairs.clone().all(|(one, two)| one == two || (is_violator(one) && is_violator(two)))
}

fn violating(
    signature: &Signature,
    violation: &NegatedProperty,
    it: &AtomEntry<Violator>,
) -> String {
    entry(signature, it, |violator| violation.violators[violator.0].name.to_string())
}

fn local(signature: &Signature, action: &Action, it: &AtomEntry<ActionLocal>) -> String {
    entry(signature, it, |local| match local {
        ActionLocal::Param(index) => action.params[*index].name.to_string(),
        ActionLocal::Pattern(_) => "*".to_owned(),
    })
}

fn entry<N>(signature: &Signature, entry: &AtomEntry<N>, name: impl Fn(&N) -> String) -> String {
    match entry {
        AtomEntry::Any => "*".to_owned(),
        AtomEntry::Named(named) => name(named),
        AtomEntry::Constant(symbol) => signature.symbol(*symbol).name.to_string(),
        AtomEntry::Integer(value) => value.to_string(),
        AtomEntry::Element(sort, index) => {
            element_name(signature, Sort::Declared(*sort), Value::Element(*index)).to_string()
        }
    }
}

fn atom(signature: &Signature, symbol: SymbolId, form: Form, mut entries: Vec<String>) -> String {
    let value = if form == Form::Equals { entries.remove(0) } else { "*".to_owned() };
    let place = application(&signature.symbol(symbol).name, &entries);
    match form {
        Form::Holds => place,
        Form::Fails => format!("~{place}"),
        Form::Open | Form::Equals => format!("{place} = {value}"),
    }
}

fn application(symbol: &impl Display, args: &[String]) -> String {
    if args.is_empty() { symbol.to_string() } else { format!("{symbol}({})", args.join(", ")) }
}
