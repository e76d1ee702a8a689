//! What names mean in a protocol: in one state, and in a step between two.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use crate::frontend::syntax::surface::Moment;
use crate::logic::{
    Declarations as _, Formula, Name, Rank, Term, Translation, Var, Vocabulary, translate_formula,
};
use crate::protocol::{OneState, Rigidity, Signature, Sort, StepSymbol, SymbolId, TwoStates};
use crate::source::Span;

use super::declarations::{DeclaredMeaning, DeclaredNames};
use super::messages::{is_a_sort, is_an_action, mutable_definition_in_axiom, mutable_in_axiom};
use super::resolve::{Lookup, NameCandidate, NamedFormula, ReadableStates, Resolve};

/// A parameter of an action; `None` if its sort is unknown.
#[derive(Clone, Copy)]
pub(super) struct ScopeParam {
    pub(super) sort: Option<Sort>,
    pub(super) span: Span,
}

/// Which symbols may be read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NameReading {
    /// All of them.
    Everything,
    /// Those that never change.
    RigidOnly,
}

/// What was mentioned so far.
#[derive(Default)]
pub(super) struct Usage {
    pub(super) read: RefCell<BTreeSet<SymbolId>>,
    pub(super) written: RefCell<BTreeSet<SymbolId>>,
    pub(super) sorts: RefCell<BTreeSet<Sort>>,
    /// Positions of definitions.
    pub(super) definitions: RefCell<BTreeSet<usize>>,
    /// Parameters of the action at hand.
    pub(super) params: RefCell<BTreeSet<Name>>,
}

/// The names that an expression of a protocol may use.
#[derive(Clone, Copy)]
pub(super) struct ProtocolScope<'a> {
    pub(super) declarations: &'a DeclaredNames,
    pub(super) params: &'a BTreeMap<Name, ScopeParam>,
    pub(super) usage: &'a Usage,
    pub(super) reading: NameReading,
}

impl ProtocolScope<'_> {
    fn lookup<V: ProtocolVocabulary>(&self, name: &str, moment: Moment) -> Lookup<V> {
        if let Some((name, param)) = self.params.get_key_value(name) {
            self.usage.params.borrow_mut().insert(name.clone());
            return match param.sort {
                Some(sort) => Lookup::Variable(Var::new(name.clone(), sort), Some(param.span)),
                None => Lookup::Mistaken,
            };
        }
        let Some(declared) = self.declarations.names.get(name) else { return Lookup::Unknown };
        match declared.meaning {
            DeclaredMeaning::Symbol(id) => self.symbol(id, moment),
            DeclaredMeaning::Definition(position) => self.definition(position, moment),
            DeclaredMeaning::Element(sort, index) => {
                let sort = Sort::Declared(sort);
                self.usage.sorts.borrow_mut().insert(sort);
                Lookup::Element(index, sort, Some(declared.span))
            }
            DeclaredMeaning::Sort(_) => Lookup::Refused(is_a_sort(name, declared.span)),
            DeclaredMeaning::Action => Lookup::Refused(is_an_action(name, declared.span)),
            DeclaredMeaning::Mistaken => Lookup::Mistaken,
        }
    }

    fn definition<V: ProtocolVocabulary>(&self, position: usize, moment: Moment) -> Lookup<V> {
        let signature = &self.declarations.signature;
        let definition = &signature.definitions()[position];
        self.usage.definitions.borrow_mut().insert(position);
        if self.reading == NameReading::RigidOnly && !signature.is_rigid(definition) {
            return Lookup::Refused(mutable_definition_in_axiom(signature, definition));
        }
        let params = definition.params.iter();
        let params = params.map(|param| Var::new(param.name.clone(), param.sort)).collect();
        let read = ReadAt { signature, moment };
        let formula = translate_formula(&definition.body, BTreeMap::new(), read);
        Lookup::Definition(NamedFormula { params, formula, declared: Some(definition.span) })
    }

    fn symbol<V: ProtocolVocabulary>(&self, id: SymbolId, moment: Moment) -> Lookup<V> {
        let symbol = self.declarations.signature.symbol(id);
        self.usage.read.borrow_mut().insert(id);
        match (self.reading, symbol.rigidity) {
            (NameReading::RigidOnly, Rigidity::Mutable) => {
                Lookup::Refused(mutable_in_axiom(symbol))
            }
            (NameReading::Everything, _) | (NameReading::RigidOnly, Rigidity::Rigid) => {
                Lookup::Symbol(NameCandidate {
                    symbol: V::symbol_at(id, symbol.rigidity, moment),
                    rank: Rank { params: symbol.params.clone(), result: symbol.result },
                    declared: Some(symbol.span),
                })
            }
        }
    }
}

/// A vocabulary in which the formulas of a protocol are written.
pub(super) trait ProtocolVocabulary: Vocabulary<Sort = Sort> {
    /// How many states its formulas may read.
    const STATES: ReadableStates;
    /// A symbol of the protocol, read at a moment.
    fn symbol_at(id: SymbolId, rigidity: Rigidity, moment: Moment) -> Self::Symbol;
}

/// Reads a formula about one state at one moment of a step.
struct ReadAt<'a> {
    signature: &'a Signature,
    moment: Moment,
}

impl ReadAt<'_> {
    fn read<V: ProtocolVocabulary>(&self, symbol: SymbolId) -> V::Symbol {
        V::symbol_at(symbol, self.signature.symbol(symbol).rigidity, self.moment)
    }
}

impl<V: ProtocolVocabulary> Translation<OneState, V> for ReadAt<'_> {
    fn sort(&self, sort: Sort) -> Sort {
        sort
    }

    fn apply(&self, symbol: SymbolId, args: Vec<Term<V>>, sort: Sort) -> Term<V> {
        Term::apply(self.read::<V>(symbol), args, sort)
    }

    fn holds(&self, symbol: SymbolId, args: Vec<Term<V>>) -> Formula<V> {
        Formula::holds(self.read::<V>(symbol), args)
    }
}

impl ProtocolVocabulary for OneState {
    const STATES: ReadableStates = ReadableStates::One;

    fn symbol_at(id: SymbolId, _rigidity: Rigidity, _moment: Moment) -> SymbolId {
        id
    }
}

impl ProtocolVocabulary for TwoStates {
    const STATES: ReadableStates = ReadableStates::Two;

    fn symbol_at(id: SymbolId, rigidity: Rigidity, moment: Moment) -> StepSymbol {
        match (moment, rigidity) {
            (Moment::New, Rigidity::Mutable) => StepSymbol::Post(id),
            (Moment::Old, _) | (Moment::New, Rigidity::Rigid) => StepSymbol::Pre(id),
        }
    }
}

impl<V: ProtocolVocabulary> Resolve<V> for ProtocolScope<'_> {
    fn resolve(&self, name: &str, moment: Moment) -> Lookup<V> {
        self.lookup(name, moment)
    }

    fn sort(&self, name: &str) -> Option<Sort> {
        let sort = self.declarations.sort(name)?;
        self.usage.sorts.borrow_mut().insert(sort);
        Some(sort)
    }

    fn integers(&self) -> Sort {
        Sort::Int
    }

    fn sort_name(&self, sort: Sort) -> Name {
        self.declarations.signature.sort(sort).name
    }

    fn names(&self) -> Vec<Name> {
        let signature = &self.declarations.signature;
        let symbols = signature.symbols().map(|(_, symbol)| symbol.name.clone());
        let elements = signature.sorts().filter_map(|sort| signature.elements(sort)).flatten();
        let definitions = signature.definitions().iter();
        let definitions = definitions.map(|definition| definition.name.clone());
        self.params
            .keys()
            .cloned()
            .chain(symbols)
            .chain(definitions)
            .chain(elements.cloned())
            .collect()
    }

    fn sort_names(&self) -> Vec<Name> {
        self.declarations.sort_names()
    }

    fn states(&self) -> ReadableStates {
        V::STATES
    }
}
