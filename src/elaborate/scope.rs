//! What names mean in a protocol: in one state, and in a step between two.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::Label;
use crate::frontend::syntax::surface::Moment;
use crate::logic::{Declarations as _, Name, Rank, Var, Vocabulary};
use crate::protocol::{OneState, Rigidity, Sort, StepSymbol, SymbolId, TwoStates};
use crate::source::Span;

use super::codes;
use super::declarations::{DeclaredMeaning, DeclaredNames};
use super::resolve::{Lookup, NameCandidate, NameRefusal, ReadableStates, Resolve};

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
    fn lookup<V: Vocabulary<Sort = Sort>>(
        &self,
        name: &str,
        symbol: impl FnOnce(SymbolId, Rigidity) -> V::Symbol,
    ) -> Lookup<V> {
        if let Some((name, param)) = self.params.get_key_value(name) {
            self.usage.params.borrow_mut().insert(name.clone());
            return match param.sort {
                Some(sort) => Lookup::Variable(Var::new(name.clone(), sort), Some(param.span)),
                None => Lookup::Mistaken,
            };
        }
        let Some(declared) = self.declarations.names.get(name) else { return Lookup::Unknown };
        match declared.meaning {
            DeclaredMeaning::Symbol(id) => self.symbol(id, symbol),
            DeclaredMeaning::Sort(_) => refused(name, "a sort", declared.span),
            DeclaredMeaning::Action => {
                let hint = "actions do not call each other, and formulas are about states";
                refused(name, "an action", declared.span).with_hint(hint)
            }
            DeclaredMeaning::Mistaken => Lookup::Mistaken,
        }
    }

    fn symbol<V: Vocabulary<Sort = Sort>>(
        &self,
        id: SymbolId,
        timed: impl FnOnce(SymbolId, Rigidity) -> V::Symbol,
    ) -> Lookup<V> {
        let symbol = self.declarations.signature.symbol(id);
        self.usage.read.borrow_mut().insert(id);
        match (self.reading, symbol.rigidity) {
            (NameReading::RigidOnly, Rigidity::Mutable) => Lookup::Refused(NameRefusal {
                code: codes::MUTABLE_IN_AXIOM,
                message: format!("`{}` can change: no axiom may speak of it", symbol.name),
                related: Some(Label {
                    span: symbol.span,
                    message: "declared here without `rigid`".to_owned(),
                }),
                hint: Some(format!(
                    "declare `{}` as `{}`, or say this in `init`, `safety` or `lemma`",
                    symbol.name,
                    if symbol.params.is_empty() && symbol.result.is_some() {
                        "constant"
                    } else {
                        "rigid"
                    }
                )),
            }),
            (NameReading::Everything, _) | (NameReading::RigidOnly, Rigidity::Rigid) => {
                Lookup::Symbol(NameCandidate {
                    symbol: timed(id, symbol.rigidity),
                    rank: Rank { params: symbol.params.clone(), result: symbol.result },
                    declared: Some(symbol.span),
                })
            }
        }
    }

    fn find_sort(&self, name: &str) -> Option<Sort> {
        let sort = self.declarations.sort(name)?;
        self.usage.sorts.borrow_mut().insert(sort);
        Some(sort)
    }

    fn known_names(&self) -> Vec<Name> {
        let symbols = self.declarations.signature.symbols().map(|(_, symbol)| symbol.name.clone());
        self.params.keys().cloned().chain(symbols).collect()
    }

    fn sort_called(&self, sort: Sort) -> Name {
        self.declarations.signature.sort(sort).name
    }
}

fn refused<V: Vocabulary>(name: &str, what: &str, span: Span) -> Lookup<V> {
    Lookup::Refused(NameRefusal {
        code: codes::UNKNOWN_NAME,
        message: format!("`{name}` is {what}, not a term or a formula"),
        related: Some(Label { span, message: "declared here".to_owned() }),
        hint: None,
    })
}

impl Resolve<OneState> for ProtocolScope<'_> {
    fn resolve(&self, name: &str, _moment: Moment) -> Lookup<OneState> {
        self.lookup(name, |id, _| id)
    }

    fn sort(&self, name: &str) -> Option<Sort> {
        self.find_sort(name)
    }

    fn integers(&self) -> Sort {
        Sort::Int
    }

    fn sort_name(&self, sort: Sort) -> Name {
        self.sort_called(sort)
    }

    fn names(&self) -> Vec<Name> {
        self.known_names()
    }

    fn sort_names(&self) -> Vec<Name> {
        self.declarations.sort_names()
    }
}

impl Resolve<TwoStates> for ProtocolScope<'_> {
    fn resolve(&self, name: &str, moment: Moment) -> Lookup<TwoStates> {
        self.lookup(name, |id, rigidity| match (moment, rigidity) {
            (Moment::New, Rigidity::Mutable) => StepSymbol::Post(id),
            (Moment::Old, _) | (Moment::New, Rigidity::Rigid) => StepSymbol::Pre(id),
        })
    }

    fn sort(&self, name: &str) -> Option<Sort> {
        self.find_sort(name)
    }

    fn integers(&self) -> Sort {
        Sort::Int
    }

    fn sort_name(&self, sort: Sort) -> Name {
        self.sort_called(sort)
    }

    fn names(&self) -> Vec<Name> {
        self.known_names()
    }

    fn sort_names(&self) -> Vec<Name> {
        self.declarations.sort_names()
    }

    fn states(&self) -> ReadableStates {
        ReadableStates::Two
    }
}
