//! Formulas about two states with the state after marked in the names: `new r` is `r` after.
//!
//! No text has names with blanks, so marked names cannot collide.

use std::collections::BTreeSet;

use crate::frontend::lowering::variables::free_names;
use crate::frontend::syntax::surface::{Expression, ExpressionKind, Identifier, Moment};
use crate::logic::Name;

/// The state that a name without `old` or `new` around it refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// The state before; `new(…)` is after.
    New,
    /// The state after; `old(…)` is before.
    Old,
    /// No formula of the file uses `old` or `new`.
    Neither,
}

/// The name of a symbol in the state after.
pub(super) fn after(name: &Name) -> Name {
    format!("new {name}").into()
}

/// The symbol whose value after the step a name stands for.
pub(super) fn is_after(name: &str) -> Option<&str> {
    name.strip_prefix("new ")
}

/// Marks names that refer to the state after; unmodified symbols are the same in both.
pub(super) fn mark(
    expression: &Expression,
    moment: Moment,
    modified: &BTreeSet<Name>,
) -> Expression {
    let marked = |name: &Name| {
        let changes = moment == Moment::New && modified.contains(name);
        if changes { after(name) } else { name.clone() }
    };
    match &*expression.kind {
        ExpressionKind::At(moment, inner) => mark(inner, *moment, modified),
        ExpressionKind::Name(name) => {
            Expression::new(ExpressionKind::Name(marked(name)), expression.span)
        }
        ExpressionKind::Apply(name, arguments) => {
            let arguments =
                arguments.iter().map(|argument| mark(argument, moment, modified)).collect();
            let name = Identifier::new(marked(&name.value), name.span);
            Expression::new(ExpressionKind::Apply(name, arguments), expression.span)
        }
        _ => expression.map_children(|child| mark(child, moment, modified)),
    }
}

/// The same expression with marks turned into `new(…)` and `old(…)`.
pub(super) fn unmark(expression: &Expression) -> Expression {
    let span = expression.span;
    let wrap = |kind, moment| {
        let inner = Expression::new(kind, span);
        Expression::new(ExpressionKind::At(moment, inner), span)
    };
    match &*expression.kind {
        ExpressionKind::Name(name) => match is_after(name) {
            Some(symbol) => wrap(ExpressionKind::Name(symbol.into()), Moment::New),
            None => expression.clone(),
        },
        ExpressionKind::Apply(name, arguments) => match is_after(&name.value) {
            Some(symbol) => {
                // The word reaches into the arguments; each of its names is marked by itself.
                let before = |argument: &Expression| {
                    let inner = unmark(argument);
                    Expression::new(ExpressionKind::At(Moment::Old, inner), argument.span)
                };
                let arguments = arguments.iter().map(before).collect();
                let name = Identifier::new(symbol.into(), name.span);
                wrap(ExpressionKind::Apply(name, arguments), Moment::New)
            }
            None => expression.map_children(unmark),
        },
        _ => expression.map_children(unmark),
    }
}

/// The same expression without marks: it is read where the marked symbols have changed already.
pub(super) fn in_place(expression: &Expression) -> Expression {
    match &*expression.kind {
        ExpressionKind::Name(name) => {
            let name = is_after(name).map_or_else(|| name.clone(), Name::from);
            Expression::new(ExpressionKind::Name(name), expression.span)
        }
        ExpressionKind::Apply(name, arguments) => {
            let arguments = arguments.iter().map(in_place).collect();
            let symbol = is_after(&name.value).map_or_else(|| name.value.clone(), Name::from);
            let name = Identifier::new(symbol, name.span);
            Expression::new(ExpressionKind::Apply(name, arguments), expression.span)
        }
        _ => expression.map_children(in_place),
    }
}

/// Whether an expression refers to the state after.
pub(super) fn mentions_state_after(expression: &Expression) -> bool {
    free_names(expression).iter().any(|name| is_after(name).is_some())
}

/// Whether an expression mentions a name, marked or not.
pub(super) fn mentions(expression: &Expression, name: &str) -> bool {
    free_names(expression).iter().any(|found| &**found == name)
}
