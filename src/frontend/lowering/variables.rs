//! Free names of expressions, and variables: capitalised names without a binder.

use std::collections::BTreeSet;

use crate::frontend::syntax::surface::{Binder, Expression, ExpressionKind, Identifier};
use crate::logic::{Name, Quantifier};

/// Every name that occurs free, applied or alone.
pub(crate) fn free_names(expression: &Expression) -> BTreeSet<Name> {
    let mut free = BTreeSet::new();
    collect_free(expression, &mut Vec::new(), &mut free);
    free
}

/// The formula with its free capitalised names bound, except those that stand for something.
pub(crate) fn close(formula: &Expression, except: &[Name]) -> Expression {
    let binders = open_variables(formula, except);
    if binders.is_empty() {
        return formula.clone();
    }
    let kind = ExpressionKind::Quantified(Quantifier::Forall, binders, formula.clone());
    Expression::new(kind, formula.span)
}

/// Free capitalised names except some, by first occurrence.
pub(crate) fn open_variables(expression: &Expression, except: &[Name]) -> Vec<Binder> {
    let mut found = Vec::new();
    collect_open(expression, &mut Vec::new(), except, &mut found);
    found
}

fn collect_open(
    expression: &Expression,
    bound: &mut Vec<Name>,
    except: &[Name],
    found: &mut Vec<Binder>,
) {
    let outside = bound.len();
    match &*expression.kind {
        ExpressionKind::Name(name)
            if is_variable(name)
                && !bound.contains(name)
                && !except.contains(name)
                && found.iter().all(|binder| binder.name.value != *name) =>
        {
            let name = Identifier::new(name.clone(), expression.span);
            found.push(Binder { name, sort: None });
        }
        ExpressionKind::Quantified(_, binders, _) => {
            bound.extend(binders.iter().map(|binder| binder.name.value.clone()));
        }
        _ => {}
    }
    for child in expression.children() {
        collect_open(child, bound, except, found);
    }
    bound.truncate(outside);
}

/// Whether a name is written like a variable.
pub(crate) fn is_variable(name: &str) -> bool {
    name.starts_with(|c: char| c.is_uppercase())
}

fn collect_free(expression: &Expression, bound: &mut Vec<Name>, free: &mut BTreeSet<Name>) {
    match &*expression.kind {
        ExpressionKind::Name(name) if !bound.contains(name) => {
            free.insert(name.clone());
        }
        ExpressionKind::Apply(name, _) if !bound.contains(&name.value) => {
            free.insert(name.value.clone());
        }
        _ => {}
    }
    let outside = bound.len();
    if let ExpressionKind::Quantified(_, binders, _) = &*expression.kind {
        bound.extend(binders.iter().map(|binder| binder.name.value.clone()));
    }
    for child in expression.children() {
        collect_free(child, bound, free);
    }
    bound.truncate(outside);
}
