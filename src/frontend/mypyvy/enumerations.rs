//! Sorts whose elements the axioms list become enumerations: mypyvy has no word for them.

use std::collections::{BTreeMap, BTreeSet};

use crate::frontend::syntax::surface::{
    EnumerationItem, Expression, ExpressionKind, Identifier, Item, Module,
};
use crate::logic::{Name, Quantifier};
use crate::source::Spanned;

/// What a part of an axiom says about constants.
enum ConstantFact {
    /// Two are different.
    Distinct(Name, Name),
    /// Everything is one of these.
    Exhaustive(BTreeSet<Name>),
    /// Something else.
    Other,
}

/// The immutable constants of a file, each with its sort.
type Constants = BTreeMap<Name, Name>;

/// The same file, in which a sort is an enumeration if axioms say that certain constants are all
/// its elements, and distinct.
pub(super) fn with_enumerations(module: Module) -> Module {
    let constants = constants(&module);
    let facts: Vec<Vec<ConstantFact>> =
        module.items.iter().map(|item| facts(&item.value, &constants)).collect();
    let enumerations = enumerations(&constants, &facts);
    if enumerations.is_empty() {
        return module;
    }
    let of = |name: &Name| enumerations.iter().find(|(_, elements)| elements.contains(name));
    let is_said = |fact: &ConstantFact| match fact {
        ConstantFact::Distinct(one, other) => of(one).is_some() && of(one) == of(other),
        ConstantFact::Exhaustive(all) => enumerations.values().any(|elements| elements == all),
        ConstantFact::Other => false,
    };
    let listed = |sort: &Name| -> Option<Vec<Identifier>> {
        let elements = enumerations.get(sort)?;
        let symbols = module.items.iter().filter_map(|item| match &item.value {
            Item::Symbol(symbol) => Some(&symbol.name),
            _ => None,
        });
        Some(symbols.filter(|name| elements.contains(&name.value)).cloned().collect())
    };
    let mut items = Vec::new();
    for (item, facts) in module.items.iter().zip(&facts) {
        match &item.value {
            Item::Sorts(names) => items.extend(names.iter().map(|name| {
                let item_of_sort = match listed(&name.value) {
                    Some(elements) => {
                        Item::Enumeration(EnumerationItem { name: name.clone(), elements })
                    }
                    None => Item::Sorts(vec![name.clone()]),
                };
                Spanned::new(item_of_sort, item.span)
            })),
            Item::Symbol(symbol) if of(&symbol.name.value).is_some() => {}
            Item::Axiom(_) if facts.iter().all(is_said) => {}
            _ => items.push(item.clone()),
        }
    }
    Module { items }
}

fn constants(module: &Module) -> Constants {
    let symbols = module.items.iter().filter_map(|item| match &item.value {
        Item::Symbol(symbol) if symbol.rigid && symbol.params.is_empty() => Some(symbol),
        _ => None,
    });
    let sorted =
        symbols.filter_map(|symbol| Some((symbol.name.value.clone(), symbol.result.as_ref()?)));
    sorted.map(|(name, sort)| (name, sort.value.clone())).collect()
}

/// The sorts with their elements, where they are all listed and distinct.
fn enumerations(
    constants: &Constants,
    facts: &[Vec<ConstantFact>],
) -> BTreeMap<Name, BTreeSet<Name>> {
    let mut distinct = BTreeSet::new();
    for fact in facts.iter().flatten() {
        if let ConstantFact::Distinct(one, other) = fact {
            distinct.insert((one, other));
            distinct.insert((other, one));
        }
    }
    let mut found = BTreeMap::new();
    for fact in facts.iter().flatten() {
        let ConstantFact::Exhaustive(elements) = fact else { continue };
        let all_distinct = elements.iter().all(|one| {
            elements.iter().all(|other| one == other || distinct.contains(&(one, other)))
        });
        let sorts: BTreeSet<&Name> = elements.iter().map(|element| &constants[element]).collect();
        if let Some(sort) = sorts.first()
            && sorts.len() == 1
            && all_distinct
        {
            found.entry((*sort).clone()).or_insert_with(|| elements.clone());
        }
    }
    found
}

/// What an axiom says about constants, part by part; nothing for other items.
fn facts(item: &Item, constants: &Constants) -> Vec<ConstantFact> {
    let Item::Axiom(line) = item else { return Vec::new() };
    match &*line.formula.kind {
        ExpressionKind::And(parts) => parts.iter().map(|part| fact(part, constants)).collect(),
        _ => vec![fact(&line.formula, constants)],
    }
}

fn fact(part: &Expression, constants: &Constants) -> ConstantFact {
    let distinct = match &*part.kind {
        ExpressionKind::Equal { left, right, negated: true } => pair(left, right),
        ExpressionKind::Not(inner) => match &*inner.kind {
            ExpressionKind::Equal { left, right, negated: false } => pair(left, right),
            _ => None,
        },
        _ => None,
    };
    if let Some((one, other)) = distinct
        && constants.contains_key(one)
        && constants.contains_key(other)
        && one != other
    {
        return ConstantFact::Distinct(one.clone(), other.clone());
    }
    exhaustive(part, constants).map_or(ConstantFact::Other, ConstantFact::Exhaustive)
}

/// `forall X. X = a | X = b`, with or without its quantifier: the constants.
fn exhaustive(part: &Expression, constants: &Constants) -> Option<BTreeSet<Name>> {
    let (bound, body) = match &*part.kind {
        ExpressionKind::Quantified(Quantifier::Forall, binders, body) => match binders.as_slice() {
            [binder] => (Some(&binder.name.value), body),
            _ => return None,
        },
        _ => (None, part),
    };
    let cases = match &*body.kind {
        ExpressionKind::Or(cases) => cases.as_slice(),
        _ => std::slice::from_ref(body),
    };
    let mut variables = BTreeSet::from_iter(bound);
    let mut elements = BTreeSet::new();
    for case in cases {
        let ExpressionKind::Equal { left, right, negated: false } = &*case.kind else {
            return None;
        };
        let (one, other) = pair(left, right)?;
        let (variable, constant) =
            if constants.contains_key(one) { (other, one) } else { (one, other) };
        if constants.contains_key(variable) || !constants.contains_key(constant) {
            return None;
        }
        variables.insert(variable);
        elements.insert(constant.clone());
    }
    // One variable, which no constant is: without a quantifier it is universal.
    let is_variable = |name: &&Name| bound == Some(*name) || starts_upper(name);
    (variables.len() == 1 && variables.iter().all(is_variable)).then_some(elements)
}

fn starts_upper(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase())
}

fn pair<'a>(left: &'a Expression, right: &'a Expression) -> Option<(&'a Name, &'a Name)> {
    match (&*left.kind, &*right.kind) {
        (ExpressionKind::Name(left), ExpressionKind::Name(right)) => Some((left, right)),
        _ => None,
    }
}
