//! Formulas about two states with the state after marked in the names: `new r` is `r` after.
//!
//! No text has names with blanks, so marked names cannot collide.

use std::collections::BTreeSet;

use crate::frontend::lowering::variables::free_names;
use crate::frontend::syntax::surface::{Expression, ExpressionKind, Moment};
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
        _ => with_name(expression.map_children(|child| mark(child, moment, modified)), |name| {
            marked(name)
        }),
    }
}

/// The same expression with marks turned into `new(…)` and `old(…)`.
pub(super) fn unmark(expression: &Expression) -> Expression {
    let at = |moment, inner: Expression| {
        let span = inner.span;
        Expression::new(ExpressionKind::At(moment, inner), span)
    };
    match expression.as_applied().and_then(|(name, _)| is_after(name)) {
        Some(symbol) => {
            // The word reaches into the arguments; each of its names is marked by itself.
            let marked = expression.map_children(|argument| at(Moment::Old, unmark(argument)));
            at(Moment::New, with_name(marked, |_| symbol.into()))
        }
        None => expression.map_children(unmark),
    }
}

/// The same expression without marks: it is read where the marked symbols have changed already.
pub(super) fn in_place(expression: &Expression) -> Expression {
    with_name(expression.map_children(in_place), |name| {
        is_after(name).map_or_else(|| name.clone(), Name::from)
    })
}

/// The same expression with another name, if it is a name, applied or alone.
fn with_name(mut expression: Expression, rename: impl Fn(&Name) -> Name) -> Expression {
    match &mut *expression.kind {
        ExpressionKind::Name(name) => *name = rename(name),
        ExpressionKind::Apply(name, _) => name.value = rename(&name.value),
        _ => {}
    }
    expression
}

/// Whether an expression refers to the state after.
pub(super) fn mentions_state_after(expression: &Expression) -> bool {
    free_names(expression).iter().any(|name| is_after(name).is_some())
}

/// Whether an expression mentions a name, marked or not.
pub(super) fn mentions(expression: &Expression, name: &str) -> bool {
    free_names(expression).iter().any(|found| &**found == name)
}
