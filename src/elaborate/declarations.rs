//! The declared names of a file: sorts, symbols and actions, each declared once.

use std::collections::BTreeMap;

use crate::diagnostic::{Diagnostic, refuse};
use crate::frontend::syntax::surface::{
    EnumerationItem, Identifier, Item, Module, StructureItem, StructureWord, SymbolItem,
};
use crate::logic::Name;
use crate::protocol::{NamedDefinition, Rigidity, Signature, Sort, SortId, Symbol, SymbolId};
use crate::source::Span;

use super::codes;
use super::messages::{
    ONE_SPACE, capitalised_name, element_named_twice, given_twice, named_membership, no_elements,
    too_many_elements,
};
use super::resolve::is_capitalised;
use super::sorts::infer::HINTS;
use super::sorts::messages::unknown_sort;
use super::structures;
use crate::diagnostic::near_names::nearest;

/// The most elements of an enumeration.
const MAX_ELEMENTS: usize = 1000;

/// What a declared name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DeclaredMeaning {
    Sort(Sort),
    /// An element of an enumeration, by its position.
    Element(SortId, u32),
    Symbol(SymbolId),
    Action,
    /// A definition, by its position in the signature.
    Definition(usize),
    /// A symbol or a definition whose declaration is wrong.
    Mistaken,
}

/// A declared name and its place.
#[derive(Clone, Copy)]
pub(super) struct Declared {
    pub(super) meaning: DeclaredMeaning,
    pub(super) span: Span,
}

/// Every declared name: sorts, symbols and actions share one space of names.
pub(super) struct DeclaredNames {
    pub(super) signature: Signature,
    pub(super) names: BTreeMap<Name, Declared>,
}

/// Collects the declarations of a file, in whatever order they are written.
pub(super) fn declare(module: &Module, diagnostics: &mut Vec<Diagnostic>) -> DeclaredNames {
    let declarations = DeclaredNames { signature: Signature::default(), names: BTreeMap::new() };
    let mut declarer = Declarer { declarations, diagnostics };
    for item in &module.items {
        match &item.value {
            Item::Sorts(sorts) => sorts.iter().for_each(|sort| declarer.sort(sort)),
            Item::Enumeration(item) => declarer.enumeration(item),
            _ => {}
        }
        if let Item::Structure(structure) = &item.value {
            structure.sorts.iter().for_each(|sort| declarer.sort(sort));
        }
    }
    for item in &module.items {
        match &item.value {
            Item::Enumeration(item) => declarer.elements(item),
            Item::Symbol(symbol) => declarer.symbol(symbol, item.span),
            Item::Action(action) => {
                refuse_capital(declarer.diagnostics, &action.name, "an action");
                declarer.name(&action.name, |_| DeclaredMeaning::Action);
            }
            Item::Structure(structure) => declarer.structure(structure, item.span),
            // Its meaning is found when all symbols are known.
            Item::Define(definition) => {
                refuse_capital(declarer.diagnostics, &definition.name, "a definition");
                declarer.name(&definition.name, |_| DeclaredMeaning::Mistaken);
            }
            Item::Sorts(_)
            | Item::Axiom(_)
            | Item::Init(_)
            | Item::Safety(_)
            | Item::Lemma(_)
            | Item::Owed(_)
            | Item::Candidate(_)
            | Item::Run(_) => {}
        }
    }
    declarer.declarations
}

/// A signature with one more symbol, unless its declaration is wrong.
pub(super) fn declare_symbol(
    signature: &Signature,
    item: &SymbolItem,
    span: Span,
    diagnostics: &mut Vec<Diagnostic>,
) -> Signature {
    let mut declarer = Declarer { declarations: DeclaredNames::of(signature), diagnostics };
    declarer.symbol(item, span);
    let mut extended = signature.clone();
    let added = declarer.declarations.signature.symbols().skip(signature.symbols().count());
    for (_, symbol) in added {
        extended.add_symbol(symbol.clone());
    }
    extended
}

impl DeclaredNames {
    /// The names of a signature that comes from another text: they have no places in this one.
    pub(super) fn of(signature: &Signature) -> Self {
        let nowhere = Span::default();
        let mut placeless = Signature::default();
        let mut names = BTreeMap::new();
        for sort in signature.sorts() {
            let name = signature.sort_name(sort).clone();
            let elements = signature.elements(sort).map(<[Name]>::to_vec);
            for (element, index) in elements.iter().flatten().zip(0..) {
                let meaning = DeclaredMeaning::Element(sort, index);
                names.insert(element.clone(), Declared { meaning, span: nowhere });
            }
            let id = match elements {
                Some(elements) => placeless.add_enumeration(name.clone(), elements),
                None => placeless.add_sort(name.clone()),
            };
            let meaning = DeclaredMeaning::Sort(Sort::Declared(id));
            names.insert(name, Declared { meaning, span: nowhere });
        }
        for (_, symbol) in signature.symbols() {
            let id = placeless.add_symbol(Symbol { span: nowhere, ..symbol.clone() });
            let declared = Declared { meaning: DeclaredMeaning::Symbol(id), span: nowhere };
            names.insert(symbol.name.clone(), declared);
        }
        for definition in signature.definitions() {
            let copy = NamedDefinition { span: nowhere, ..definition.clone() };
            let meaning = DeclaredMeaning::Definition(placeless.add_definition(copy));
            names.insert(definition.name.clone(), Declared { meaning, span: nowhere });
        }
        DeclaredNames { signature: placeless, names }
    }

    /// The sort of that name.
    pub(super) fn sort(&self, name: &str) -> Option<Sort> {
        if name == "int" {
            return Some(Sort::Int);
        }
        match self.names.get(name)?.meaning {
            DeclaredMeaning::Sort(sort) => Some(sort),
            DeclaredMeaning::Element(..)
            | DeclaredMeaning::Symbol(_)
            | DeclaredMeaning::Action
            | DeclaredMeaning::Definition(_)
            | DeclaredMeaning::Mistaken => None,
        }
    }

    /// The names of all sorts.
    pub(super) fn sort_names(&self) -> Vec<Name> {
        let sorts = self.signature.sorts().map(|sort| self.signature.sort_name(sort).clone());
        sorts.chain([Name::from("int")]).collect()
    }
}

struct Declarer<'a> {
    declarations: DeclaredNames,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Declarer<'_> {
    fn sort(&mut self, name: &Identifier) {
        self.new_sort(name, |signature| signature.add_sort(name.value.clone()));
    }

    /// A sort with its elements, which are declared later: names like any other.
    fn enumeration(&mut self, item: &EnumerationItem) {
        let name = &item.name;
        if item.elements.is_empty() {
            refuse(self.diagnostics, no_elements(name));
            return self.name(name, |_| DeclaredMeaning::Mistaken);
        }
        if item.elements.len() > MAX_ELEMENTS {
            refuse(self.diagnostics, too_many_elements(name, item.elements.len(), MAX_ELEMENTS));
            return self.name(name, |_| DeclaredMeaning::Mistaken);
        }
        let elements: Vec<Name> = item.elements.iter().map(|own| own.value.clone()).collect();
        self.new_sort(name, |signature| signature.add_enumeration(name.value.clone(), elements));
    }

    /// The elements of an enumeration that was declared here.
    fn elements(&mut self, item: &EnumerationItem) {
        let declared = self.declarations.names.get(&item.name.value);
        let sort = match declared.filter(|declared| declared.span == item.name.span) {
            Some(Declared { meaning: DeclaredMeaning::Sort(Sort::Declared(sort)), .. }) => {
                Some(*sort)
            }
            _ => None,
        };
        for (element, index) in item.elements.iter().zip(0..) {
            refuse_capital(self.diagnostics, element, "an element");
            let first = self.declarations.names.get(&element.value).map(|first| first.span);
            match (first, sort) {
                (Some(first), Some(_)) => {
                    refuse(self.diagnostics, element_named_twice(element, first));
                }
                (Some(_), None) => {}
                (None, Some(sort)) => {
                    self.name(element, |_| DeclaredMeaning::Element(sort, index));
                }
                (None, None) => self.name(element, |_| DeclaredMeaning::Mistaken),
            }
        }
    }

    /// Declares a sort, unless its name means something already.
    fn new_sort(&mut self, name: &Identifier, add: impl FnOnce(&mut Signature) -> SortId) {
        if matches!(&*name.value, "int" | "bool") {
            let message = format!("`{}` is built in", name.value);
            refuse(self.diagnostics, Diagnostic::error(codes::BUILT_IN, message, name.span));
            return;
        }
        self.name(name, |signature| DeclaredMeaning::Sort(Sort::Declared(add(signature))));
    }

    fn symbol(&mut self, item: &SymbolItem, span: Span) {
        refuse_capital(self.diagnostics, &item.name, "a symbol");
        let params: Vec<Option<Sort>> =
            item.params.iter().map(|sort| self.sort_called(sort)).collect();
        // A truth value is a relation's: there are no terms of sort `bool`.
        let result = item.result.as_ref().filter(|sort| &*sort.value != "bool");
        let result = result.map(|sort| self.sort_called(sort));
        let params: Option<Vec<Sort>> = params.into_iter().collect();
        let (Some(params), Some(result)) = (params, result.map_or(Some(None), |r| r.map(Some)))
        else {
            return self.name(&item.name, |_| DeclaredMeaning::Mistaken);
        };
        let rigidity = if item.rigid { Rigidity::Rigid } else { Rigidity::Mutable };
        let name = item.name.value.clone();
        let symbol = Symbol { name, params, result, rigidity, span };
        self.name(&item.name, |signature| DeclaredMeaning::Symbol(signature.add_symbol(symbol)));
    }

    /// The relations of a structure. One that is not named in the line may have the name of another.
    fn structure(&mut self, item: &StructureItem, span: Span) {
        for relation in structures::relations(item) {
            let before = self.diagnostics.len();
            self.symbol(&relation, span);
            let is_written = item.names.iter().any(|name| name.span == relation.name.span);
            if let (Some(refusal), false) = (self.diagnostics.get_mut(before), is_written)
                && refusal.code == codes::DECLARED_TWICE
            {
                refusal.hint = Some(named_membership(item));
            }
        }
        if item.word == StructureWord::Successor {
            self.successor(item);
        }
    }

    /// A definition whose meaning is found when all structures are known.
    fn successor(&mut self, item: &StructureItem) {
        self.sort_called(&item.on);
        for name in &item.names {
            refuse_capital(self.diagnostics, name, "a definition");
            self.name(name, |_| DeclaredMeaning::Mistaken);
        }
    }

    fn sort_called(&mut self, name: &Identifier) -> Option<Sort> {
        let sort = self.declarations.sort(&name.value);
        let declared = self.declarations.names.get(&name.value);
        let mistaken = declared.is_some_and(|own| own.meaning == DeclaredMeaning::Mistaken);
        if sort.is_none() && !mistaken {
            let many = self.diagnostics.len() >= HINTS;
            let near = (!many).then(|| nearest(&name.value, &self.declarations.sort_names()));
            refuse(self.diagnostics, unknown_sort(&name.value, name.span, near.flatten()));
        }
        sort
    }

    /// Declares a name, unless it is declared already.
    fn name(&mut self, name: &Identifier, meaning: impl FnOnce(&mut Signature) -> DeclaredMeaning) {
        if let Some(first) = self.declarations.names.get(&name.value) {
            let message = match first.span == Span::default() {
                true => format!("the protocol already has a `{}`", name.value),
                false => format!("`{}` is declared twice", name.value),
            };
            let mut twice = given_twice(codes::DECLARED_TWICE, message, name.span, first.span);
            if matches!(first.meaning, DeclaredMeaning::Element(..)) {
                twice = twice.hint(ONE_SPACE);
            }
            return refuse(self.diagnostics, twice);
        }
        let meaning = meaning(&mut self.declarations.signature);
        let declared = Declared { meaning, span: name.span };
        self.declarations.names.insert(name.value.clone(), declared);
    }
}

/// Refuses a declared name that looks like a variable.
fn refuse_capital(diagnostics: &mut Vec<Diagnostic>, name: &Identifier, what: &str) {
    if is_capitalised(&name.value) {
        refuse(diagnostics, capitalised_name(name, what, None));
    }
}
