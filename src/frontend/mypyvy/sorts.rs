//! Infers omitted sorts of parameters from their uses in the formula.

use std::collections::BTreeMap;

use super::table::MypyvyTable;
use crate::frontend::syntax::surface::{
    Binder, Expression, ExpressionKind, Identifier, SymbolItem,
};
use crate::logic::Name;

type Symbols<'a> = BTreeMap<Name, &'a SymbolItem>;

/// Gives every parameter without a sort the sort of the first place where it stands, or of the
/// first thing that it is compared with; one that stands nowhere keeps none.
pub(super) fn infer_sorts(params: &mut [Binder], formula: &Expression, table: &MypyvyTable) {
    let symbols = table.symbols.values().filter_map(|symbol| {
        let name = table.names.get(&symbol.name.value)?;
        Some((name.clone(), symbol))
    });
    let symbols: Symbols<'_> = symbols.collect();
    for param in params.iter_mut().filter(|param| param.sort.is_none()) {
        let name = &param.name.value;
        let sort = place(formula, name, &symbols).or_else(|| {
            let compared = compared(formula, name);
            compared.into_iter().find_map(|other| sort_of(other, formula, &symbols))
        });
        param.sort = sort.map(|sort| table.sort(sort));
    }
}

/// The sort of the first argument place where a name stands. A name that is bound twice is treated
/// as one: if that is wrong, the sorts do not fit, which is reported.
fn place<'a>(
    expression: &Expression,
    name: &Name,
    symbols: &Symbols<'a>,
) -> Option<&'a Identifier> {
    if let ExpressionKind::Apply(symbol, arguments) = &*expression.kind
        && let Some(symbol) = symbols.get(&symbol.value)
        && let Some(position) = arguments.iter().position(|argument| is_name(argument, name))
    {
        return symbol.params.get(position);
    }
    expression.children().into_iter().find_map(|child| place(child, name, symbols))
}

/// What a name is compared with.
fn compared<'e>(expression: &'e Expression, name: &Name) -> Vec<&'e Expression> {
    let mut found = Vec::new();
    if let ExpressionKind::Equal { left, right, .. } = &*expression.kind {
        for (one, other) in [(left, right), (right, left)] {
            if is_name(one, name) {
                found.push(other);
            }
        }
    }
    for child in expression.children() {
        found.extend(compared(child, name));
    }
    found
}

/// The sort of a term that begins with a declared symbol, or of a variable that stands somewhere.
fn sort_of<'a>(
    term: &Expression,
    formula: &Expression,
    symbols: &Symbols<'a>,
) -> Option<&'a Identifier> {
    let result = |name: &Name| symbols.get(name).and_then(|symbol| symbol.result.as_ref());
    match &*term.kind {
        ExpressionKind::Name(name) => result(name).or_else(|| place(formula, name, symbols)),
        ExpressionKind::Apply(name, _) => result(&name.value),
        ExpressionKind::At(_, inner) => sort_of(inner, formula, symbols),
        _ => None,
    }
}

fn is_name(expression: &Expression, name: &Name) -> bool {
    match &*expression.kind {
        ExpressionKind::Name(found) => found == name,
        ExpressionKind::At(_, inner) => is_name(inner, name),
        _ => false,
    }
}
