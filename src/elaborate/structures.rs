//! `order`, `ring`, `tree`, `quorums` and `successor` lines: the symbols that they declare, and the
//! structures that these are.

use crate::diagnostic::{Diagnostic, refuse};
use crate::frontend::syntax::surface::{
    Identifier, Item, Module, StructureItem, StructureWord, SymbolItem,
};
use crate::logic::Name;
use crate::protocol::{
    Family, NamedDefinition, OnSort, Sort, SortId, Structure, StructureKind, SymbolId, successor_in,
};
use crate::source::{Span, Spanned};

use super::declarations::{DeclaredMeaning, DeclaredNames};
use super::messages::{
    no_order, own_quorum, structure_on_integers, structure_twice, wrong_memberships,
};

/// The relations that a line declares; a successor is a definition and declares none.
pub(crate) fn relations(item: &StructureItem) -> Vec<SymbolItem> {
    let StructureItem { names, sorts, on, .. } = item;
    let relation = |name: Identifier, params: Vec<Identifier>| SymbolItem {
        name,
        params,
        result: None,
        rigid: true,
    };
    match item.word {
        StructureWord::Successor => Vec::new(),
        StructureWord::Order | StructureWord::Tree => {
            let on = || vec![on.clone(), on.clone()];
            names.iter().map(|name| relation(name.clone(), on())).collect()
        }
        StructureWord::Ring => {
            let on = || vec![on.clone(), on.clone(), on.clone()];
            names.iter().map(|name| relation(name.clone(), on())).collect()
        }
        StructureWord::Quorums => {
            let names = memberships(item);
            let families = sorts.iter().zip(names);
            families.map(|(sets, name)| relation(name, vec![on.clone(), sets.clone()])).collect()
        }
    }
}

/// The names of the memberships of families of quorums: as written, or `member`, or for two
/// families `member_` and the name of each.
fn memberships(item: &StructureItem) -> Vec<Identifier> {
    let default = |sets: &Identifier| {
        let name: Name = match item.sorts.len() {
            1 => "member".into(),
            _ => format!("member_{}", sets.value).into(),
        };
        Spanned::new(name, sets.span)
    };
    if item.names.is_empty() {
        item.sorts.iter().map(default).collect()
    } else {
        item.names.clone()
    }
}

/// Records every structure; successors become definitions.
pub(super) fn record(
    module: &Module,
    declarations: &mut DeclaredNames,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut successors: Vec<(SortId, Span)> = Vec::new();
    // A successor may be written before the order it belongs to.
    for successor in [false, true] {
        for item in &module.items {
            let Item::Structure(line) = &item.value else { continue };
            if (line.word == StructureWord::Successor) != successor {
                continue;
            }
            if successor {
                self::successor(line, declarations, &mut successors, diagnostics);
            } else if let Some(kind) = kind(line, declarations, diagnostics) {
                let structure = Structure { kind, span: item.span };
                match earlier(declarations, &structure) {
                    Some((sort, first)) => {
                        let mut names = line.sorts.iter().chain([&line.on]);
                        let own =
                            names.find(|name| declared_sort(declarations, name) == Some(sort));
                        let own = own.unwrap_or(&line.on);
                        refuse(diagnostics, structure_twice(word(&first.kind), own, first.span));
                    }
                    None => declarations.signature.add_structure(structure),
                }
            }
        }
    }
}

/// A sort that a structure arranges and an earlier one has arranged, and that one.
fn earlier<'a>(
    declarations: &'a DeclaredNames,
    structure: &Structure,
) -> Option<(SortId, &'a Structure)> {
    let arranged = structure.arranged();
    declarations.signature.structures().iter().find_map(|other| {
        let both = other.arranged().into_iter().find(|sort| arranged.contains(sort))?;
        Some((both, other))
    })
}

/// The word that declares a structure.
fn word(kind: &StructureKind) -> StructureWord {
    match kind {
        StructureKind::Order(_) => StructureWord::Order,
        StructureKind::Ring(_) => StructureWord::Ring,
        StructureKind::Tree(_) => StructureWord::Tree,
        StructureKind::Quorums { .. } => StructureWord::Quorums,
    }
}

/// What a line declares; `None` if a part of it is wrong.
fn kind(
    line: &StructureItem,
    declarations: &DeclaredNames,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<StructureKind> {
    if declarations.sort(&line.on.value) == Some(Sort::Int) {
        refuse(diagnostics, structure_on_integers(line));
        return None;
    }
    let sort = declared_sort(declarations, &line.on);
    if line.word == StructureWord::Quorums {
        if !line.names.is_empty() && line.names.len() != line.sorts.len() {
            refuse(diagnostics, wrong_memberships(line));
            return None;
        }
        let members = sort?;
        let mut families = Vec::new();
        for (sets, name) in line.sorts.iter().zip(memberships(line)) {
            let own = declared_sort(declarations, sets)?;
            if own == members {
                refuse(diagnostics, own_quorum(sets));
                return None;
            }
            families.push(Family { sets: own, member: own_symbol(declarations, &name)? });
        }
        return Some(StructureKind::Quorums { members, families });
    }
    let on = OnSort { relation: own_symbol(declarations, line.names.first()?)?, sort: sort? };
    match line.word {
        StructureWord::Order => Some(StructureKind::Order(on)),
        StructureWord::Ring => Some(StructureKind::Ring(on)),
        StructureWord::Tree => Some(StructureKind::Tree(on)),
        StructureWord::Successor | StructureWord::Quorums => None,
    }
}

/// A sort that was declared; others were reported with the relations.
fn declared_sort(declarations: &DeclaredNames, name: &Identifier) -> Option<SortId> {
    match declarations.sort(&name.value)? {
        Sort::Declared(sort) => Some(sort),
        Sort::Int => None,
    }
}

/// The symbol that was declared at this very place.
fn own_symbol(declarations: &DeclaredNames, name: &Identifier) -> Option<SymbolId> {
    let declared = declarations.names.get(&name.value)?;
    match declared.meaning {
        DeclaredMeaning::Symbol(symbol) if declared.span == name.span => Some(symbol),
        _ => None,
    }
}

/// The successor in the order of its sort, as a definition.
fn successor(
    line: &StructureItem,
    declarations: &mut DeclaredNames,
    earlier: &mut Vec<(SortId, Span)>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let Some(name) = line.names.first() else { return };
    if declarations.sort(&line.on.value) == Some(Sort::Int) {
        return refuse(diagnostics, structure_on_integers(line));
    }
    let Some(sort) = declared_sort(declarations, &line.on) else { return };
    if let Some((_, first)) = earlier.iter().find(|(other, _)| *other == sort) {
        return refuse(diagnostics, structure_twice(line.word, &line.on, *first));
    }
    earlier.push((sort, name.span));
    let order = declarations.signature.structures().iter().find_map(|own| match own.kind {
        StructureKind::Order(on) if on.sort == sort => Some(on),
        _ => None,
    });
    let Some(order) = order else { return refuse(diagnostics, no_order(line)) };
    if declarations.names.get(&name.value).is_none_or(|own| own.span != name.span) {
        return;
    }
    let (params, body) = successor_in(order);
    let definition = NamedDefinition { name: name.value.clone(), params, body, span: name.span };
    let position = declarations.signature.add_definition(definition);
    if let Some(declared) = declarations.names.get_mut(&name.value) {
        declared.meaning = DeclaredMeaning::Definition(position);
    }
}
