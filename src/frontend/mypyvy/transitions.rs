//! Transitions: guarded updates where the formula has their shape, else the formula itself.
//!
//! All symbols change at once in mypyvy and one after the other here. A symbol that another one
//! reads before the step changes after it, one that is read after the step before it; where that
//! cannot be arranged the transition stays a formula.

use std::collections::{BTreeMap, BTreeSet};

use super::codes::FORMULA;
use super::conjuncts::{Parts, conjuncts, parts, reads};
use super::two_states::{after, in_place, mentions, mentions_state_after, unmark};
use super::update_clause::Becomes;
use super::updates::{UpdateTarget, joined};
use crate::diagnostic::Diagnostic;
use crate::frontend::lowering::build::require;
use crate::frontend::syntax::surface::{
    Expression, ExpressionKind, Identifier, Statement, StatementKind,
};
use crate::logic::Name;
use crate::source::{Span, Spanned};

/// The modified symbols with their numbers of arguments, in the order listed.
pub(super) type Modified = Vec<(Identifier, usize)>;

/// The statements that a marked formula stands for.
pub(super) fn statements(
    formula: &Expression,
    modified: &Modified,
    span: Span,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Statement> {
    let parts = parts(formula);
    let updates = updates(&parts, modified, span);
    let mut statements: Vec<Statement> =
        parts.guards.iter().map(|guard| require(in_place(guard))).collect();
    match updates {
        Some(updates) => statements.extend(updates),
        None => {
            let message = "this transition is kept as a formula over two states";
            diagnostics.push(Diagnostic::note(FORMULA, message, span));
            let rest = conjuncts(formula).into_iter().filter(mentions_state_after).collect();
            statements.push(relation(&Expression::all_of(rest, span), modified, span));
        }
    }
    statements
}

/// The formula with parameters for the new values of constants that only a condition between the two
/// states restricts, if the formula is a list of updates then; each parameter with its constant.
///
/// `c <= new(c)` is `c <= x & new(c) = x` for some `x`.
pub(super) fn with_choices(
    formula: &Expression,
    modified: &Modified,
    constants: &BTreeSet<Name>,
    mut invent: impl FnMut(&Name) -> Name,
) -> (Expression, Vec<(Name, Name)>) {
    let before = parts(formula);
    let unchanged = || (formula.clone(), Vec::new());
    if updates(&before, modified, formula.span).is_some() {
        return unchanged();
    }
    let mut conjuncts = conjuncts(formula);
    let mut choices = Vec::new();
    for (name, _) in modified {
        let symbol = &name.value;
        let spoken_of = before.rest.iter().any(|part| mentions(part, &after(symbol)));
        if constants.contains(symbol) && spoken_of && !before.becomes.contains_key(symbol) {
            let choice = invent(symbol);
            conjuncts =
                conjuncts.iter().map(|part| renamed(part, &after(symbol), &choice)).collect();
            let [left, right] =
                [after(symbol), choice.clone()].map(|name| Expression::name(name, formula.span));
            conjuncts.push(Expression::equal(left, right, formula.span));
            choices.push((choice, symbol.clone()));
        }
    }
    let chosen = Expression::all_of(conjuncts, formula.span);
    if choices.is_empty() || updates(&parts(&chosen), modified, formula.span).is_none() {
        return unchanged();
    }
    (chosen, choices)
}

/// The same expression with a name for another; neither is bound in it.
fn renamed(expression: &Expression, from: &Name, to: &Name) -> Expression {
    match &*expression.kind {
        ExpressionKind::Name(name) if name == from => Expression::name(to.clone(), expression.span),
        _ => expression.map_children(|child| renamed(child, from, to)),
    }
}

/// The part of a formula that relates both states.
fn relation(formula: &Expression, modified: &Modified, span: Span) -> Statement {
    let names = modified.iter().map(|(name, _)| name.clone()).collect();
    Spanned::new(StatementKind::Relate(names, unmark(formula)), span)
}

/// The assignments of one symbol, with what they read before and after the step.
struct Unit {
    symbol: Name,
    before: BTreeSet<Name>,
    after: BTreeSet<Name>,
    statements: Vec<Statement>,
}

fn updates(parts: &Parts, modified: &Modified, span: Span) -> Option<Vec<Statement>> {
    let names: BTreeSet<Name> = modified.iter().map(|(name, _)| name.value.clone()).collect();
    let mut units = Vec::new();
    for (name, arity) in modified {
        let becomes = parts.becomes.get(&name.value).unwrap_or(&Becomes::Open);
        let preferred_names = parts.preferred_names.get(&name.value).map_or(&[][..], Vec::as_slice);
        let target = UpdateTarget { name: &name.value, arity: *arity, preferred_names, span };
        let statements = target.assignments(becomes)?;
        let (mut before, mut after) = (BTreeSet::new(), BTreeSet::new());
        for expression in becomes.expressions() {
            let (old, new) = reads(expression);
            before.extend(old.into_iter().filter(|read| names.contains(read)));
            after.extend(new);
        }
        before.remove(&name.value);
        units.push(Unit { symbol: name.value.clone(), before, after, statements });
    }
    let mut statements = joined(ordered(units)?);
    for conjunct in &parts.rest {
        let (old, _) = reads(conjunct);
        if old.iter().any(|read| names.contains(read)) {
            return None;
        }
        statements.push(require(in_place(conjunct)));
    }
    Some(statements)
}

/// The units in an order in which each reads what it should.
fn ordered(units: Vec<Unit>) -> Option<Vec<Statement>> {
    let mut waiting: BTreeMap<usize, Unit> = units.into_iter().enumerate().collect();
    let mut statements = Vec::new();
    while !waiting.is_empty() {
        let ready = waiting.iter().find(|(index, unit)| {
            waiting.iter().filter(|(other, _)| other != index).all(|(_, other)| {
                // The other still needs what this one changes, or this one needs its result.
                !other.before.contains(&unit.symbol) && !unit.after.contains(&other.symbol)
            })
        });
        let index = *ready?.0;
        let unit = waiting.remove(&index)?;
        statements.extend(unit.statements);
    }
    Some(statements)
}
