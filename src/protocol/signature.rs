//! Sorts and symbols of a protocol, and the vocabularies of one state and of a step.

use std::collections::BTreeMap;

use crate::logic::{
    Declarations, Domain, Formula, Name, Rank, SortDeclaration, SymbolDeclaration, Term, Var,
    Vocabulary, instance_of,
};
use crate::source::Span;

use super::Structure;

/// A declared sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SortId(pub u32);

/// A declared symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymbolId(pub u32);

/// A declared sort, or the integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sort {
    /// Finite and non-empty.
    Declared(SortId),
    /// ℤ.
    Int,
}

/// Whether a symbol can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rigidity {
    /// Never changes; part of the instance.
    Rigid,
    /// Part of the state.
    Mutable,
}

/// A relation, function, constant or variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Its name.
    pub name: Name,
    /// The sorts of its arguments.
    pub params: Vec<Sort>,
    /// The sort of its value; `None` for a relation.
    pub result: Option<Sort>,
    /// Whether it can change.
    pub rigidity: Rigidity,
    /// Where it was declared.
    pub span: Span,
}

/// A named formula about one state, expanded wherever it is used.
///
/// No formula of a protocol mentions it: it is kept for certificates, which may use the name, and
/// for reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedDefinition {
    /// Its name.
    pub name: Name,
    /// The parameters.
    pub params: Vec<StateVar>,
    /// What it stands for: only `params` are free, and other definitions are expanded.
    pub body: StateFormula,
    /// Where it was declared.
    pub span: Span,
}

/// The sorts and symbols of a protocol, in the order they were declared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signature {
    sorts: Vec<SortDeclaration>,
    symbols: Vec<Symbol>,
    definitions: Vec<NamedDefinition>,
    structures: Vec<Structure>,
    /// What reports call certain elements.
    element_names: BTreeMap<(SortId, u32), Name>,
}

impl Signature {
    /// Adds a sort of unspecified size.
    pub fn add_sort(&mut self, name: Name) -> SortId {
        self.declare_sort(SortDeclaration { name, domain: Domain::Finite })
    }

    /// Adds a sort that has exactly these elements.
    pub fn add_enumeration(&mut self, name: Name, elements: Vec<Name>) -> SortId {
        self.declare_sort(SortDeclaration { name, domain: Domain::Enumeration(elements) })
    }

    /// The same symbols, where these sorts have exactly these elements.
    ///
    /// What was declared about their structure is left to the axioms.
    pub fn with_elements(&self, listed: impl IntoIterator<Item = (SortId, Vec<Name>)>) -> Self {
        let mut signature = self.clone();
        for (sort, elements) in listed {
            signature.structures.retain(|own| !own.sorts().contains(&sort));
            if let Some(declared) = signature.sorts.get_mut(sort.0 as usize) {
                declared.domain = Domain::Enumeration(elements);
            }
        }
        signature
    }

    fn declare_sort(&mut self, sort: SortDeclaration) -> SortId {
        self.sorts.push(sort);
        SortId(u32::try_from(self.sorts.len() - 1).expect("fewer than 2^32 sorts"))
    }

    /// Adds a symbol.
    pub fn add_symbol(&mut self, symbol: Symbol) -> SymbolId {
        self.symbols.push(symbol);
        SymbolId(u32::try_from(self.symbols.len() - 1).expect("fewer than 2^32 symbols"))
    }

    /// Every declared sort.
    pub fn sorts(&self) -> impl Iterator<Item = SortId> + use<> {
        (0..u32::try_from(self.sorts.len()).expect("fewer than 2^32 sorts")).map(SortId)
    }

    /// The declared sorts of unspecified size: all but the enumerations.
    pub fn sized_sorts(&self) -> impl Iterator<Item = SortId> {
        self.sorts().filter(|sort| self.elements(*sort).is_none())
    }

    /// Every declared sort with its meaning.
    pub fn sort_declarations(&self) -> &[SortDeclaration] {
        &self.sorts
    }

    /// The name of a declared sort.
    pub fn sort_name(&self, sort: SortId) -> &Name {
        &self.sorts[sort.0 as usize].name
    }

    /// The elements of an enumeration; `None` for a sort of unspecified size.
    pub fn elements(&self, sort: SortId) -> Option<&[Name]> {
        match &self.sorts[sort.0 as usize].domain {
            Domain::Enumeration(elements) => Some(elements),
            Domain::Finite | Domain::Int => None,
        }
    }

    /// Whether a sort has the same elements in every instance, each with a name of its own.
    pub fn is_enumeration(&self, sort: Sort) -> bool {
        matches!(sort, Sort::Declared(id) if self.elements(id).is_some())
    }

    /// The element of an enumeration that has this name.
    pub fn find_element(&self, name: &str) -> Option<(SortId, u32)> {
        self.sorts().find_map(|sort| {
            let position = self.elements(sort)?.iter().position(|element| &**element == name)?;
            Some((sort, u32::try_from(position).ok()?))
        })
    }

    /// The declared sort of that name.
    pub fn find_sort(&self, name: &str) -> Option<SortId> {
        self.sorts().find(|sort| &**self.sort_name(*sort) == name)
    }

    /// Gives an element of a sort a name for reports.
    pub(super) fn name_element(&mut self, sort: SortId, index: u32, name: Name) {
        self.element_names.insert((sort, index), name);
    }

    /// The name that an element of a sort has in reports, if it has one of its own.
    pub(super) fn element(&self, sort: SortId, index: u32) -> Option<&Name> {
        match self.elements(sort) {
            Some(elements) => elements.get(index as usize),
            None => self.element_names.get(&(sort, index)),
        }
    }

    /// Every symbol with its declaration.
    pub fn symbols(&self) -> impl Iterator<Item = (SymbolId, &Symbol)> {
        self.symbols.iter().enumerate().map(|(index, symbol)| {
            (SymbolId(u32::try_from(index).expect("fewer than 2^32 symbols")), symbol)
        })
    }

    /// The symbols that never change.
    pub fn rigid(&self) -> impl Iterator<Item = (SymbolId, &Symbol)> {
        self.symbols().filter(|(_, symbol)| symbol.rigidity == Rigidity::Rigid)
    }

    /// The symbols that make up a state.
    pub fn mutable(&self) -> impl Iterator<Item = (SymbolId, &Symbol)> {
        self.symbols().filter(|(_, symbol)| symbol.rigidity == Rigidity::Mutable)
    }

    /// The declaration of a symbol.
    pub fn symbol(&self, symbol: SymbolId) -> &Symbol {
        &self.symbols[symbol.0 as usize]
    }

    /// The symbol of that name.
    pub fn find_symbol(&self, name: &str) -> Option<SymbolId> {
        self.symbols().find(|(_, symbol)| &*symbol.name == name).map(|(id, _)| id)
    }

    /// Adds a structure whose symbols are declared.
    pub fn add_structure(&mut self, structure: Structure) {
        self.structures.push(structure);
    }

    /// The declared structures.
    pub fn structures(&self) -> &[Structure] {
        &self.structures
    }

    /// Adds a definition; its position stands for it.
    pub fn add_definition(&mut self, definition: NamedDefinition) -> usize {
        self.definitions.push(definition);
        self.definitions.len() - 1
    }

    /// The definitions; each may be used by later ones only.
    pub fn definitions(&self) -> &[NamedDefinition] {
        &self.definitions
    }

    /// The same sorts and symbols, where nothing is printed by the name of a definition.
    pub(super) fn without_definitions(&self) -> Self {
        Signature { definitions: Vec::new(), ..self.clone() }
    }

    /// The definition of that name.
    pub fn find_definition(&self, name: &str) -> Option<&NamedDefinition> {
        self.definitions.iter().find(|definition| &*definition.name == name)
    }

    /// Whether everything that a definition reads never changes.
    pub fn is_rigid(&self, definition: &NamedDefinition) -> bool {
        let mut symbols = definition.body.symbols().into_iter();
        symbols.all(|symbol| self.symbol(symbol).rigidity == Rigidity::Rigid)
    }

    /// Whether a sort, an element of an enumeration, a symbol or a definition has this name.
    pub fn declares(&self, name: &str) -> bool {
        self.find_sort(name).is_some()
            || self.find_element(name).is_some()
            || self.find_symbol(name).is_some()
            || self.find_definition(name).is_some()
    }

    /// Whether a sort of values or arguments is ℤ somewhere.
    pub fn uses_int(&self) -> bool {
        self.symbols
            .iter()
            .any(|symbol| symbol.params.contains(&Sort::Int) || symbol.result == Some(Sort::Int))
    }
}

/// The vocabulary of one state of one instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OneState {}

impl Vocabulary for OneState {
    type Sort = Sort;
    type Symbol = SymbolId;
}

/// A variable over one instance.
pub type StateVar = Var<OneState>;
/// A term about one state.
pub type StateTerm = Term<OneState>;
/// A formula about one state: a property, a guard, an axiom.
pub type StateFormula = Formula<OneState>;

impl Declarations<OneState> for Signature {
    fn sort(&self, sort: Sort) -> SortDeclaration {
        match sort {
            Sort::Declared(id) => self.sorts[id.0 as usize].clone(),
            Sort::Int => SortDeclaration { name: "int".into(), domain: Domain::Int },
        }
    }

    fn symbol(&self, symbol: SymbolId) -> SymbolDeclaration<OneState> {
        let symbol = Signature::symbol(self, symbol);
        let rank = Rank { params: symbol.params.clone(), result: symbol.result };
        SymbolDeclaration { name: symbol.name.clone(), rank }
    }

    fn abbreviation(&self, formula: &StateFormula) -> Option<(Name, Vec<StateTerm>)> {
        self.definitions.iter().find_map(|definition| {
            let args = instance_of(&definition.params, &definition.body, formula)?;
            Some((definition.name.clone(), args))
        })
    }
}

/// The vocabulary of a step: the state before, the state after, the choices made between.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TwoStates {}

/// A symbol in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StepSymbol {
    /// Its value before.
    Pre(SymbolId),
    /// Its value after; never used for a rigid symbol.
    Post(SymbolId),
    /// The value that a havoc of the action picked.
    Choice(super::ChoiceId),
}

impl Vocabulary for TwoStates {
    type Sort = Sort;
    type Symbol = StepSymbol;
}

/// A variable over one instance, in a step.
pub type StepVar = Var<TwoStates>;
/// A term about a step.
pub type StepTerm = Term<TwoStates>;
/// A formula about a step.
pub type StepFormula = Formula<TwoStates>;
