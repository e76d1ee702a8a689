//! What counts as a proof: certificates and the obligations that make them one.
//!
//! "What a certificate is" in `src/README.md` defines both.
//! Nothing here knows how certificates are found.

mod composition;
mod cutoff_obligations;
mod default_image;
mod digest;
mod expand_definitions;
mod history;
mod invariant_obligations;
mod lockstep;
mod named_definitions;
mod obligation;
mod obligation_title;
mod print;
mod product;
mod provenance;
mod validate;
mod vocabulary_rules;

pub use composition::{cutoff_signature, cutoff_system, labelled_system};
pub use cutoff_obligations::{Assume, case_obligations, cover_obligations};
pub use default_image::{default_image, sim};
pub use digest::{digest, digest_of};
pub use expand_definitions::{CaseContext, element, read_in_cutoff, read_in_large, statement_name};
pub use invariant_obligations::{InvariantSystem, invariant_obligations};
pub use named_definitions::SystemState;
pub use obligation::{Hypothesis, HypothesisOrigin, Obligation, ObligationKind};
pub use obligation_title::title;
pub use print::{
    CaseOutline, FORMAT, Labelled, Outline, header_name, outline_certificate, print_certificate,
    print_product_clause,
};
pub use product::{
    ProductDefinition, ProductFormula, ProductNames, ProductSort, ProductSymbol, ProductTerm,
    ProductVar, Systems, TwoSystems, large_sort,
};
pub use provenance::{Changes, Provenance, changes};
pub use validate::{answer_weight, validate};
pub use vocabulary_rules::is_about_large;

use std::collections::{BTreeMap, BTreeSet};

use crate::logic::{Formula, Name, Vocabulary};
use crate::protocol::{ChoiceId, OneState, Protocol, Sort, SortId, StateVar, SymbolId};
use crate::source::Span;

/// A certificate for one protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The protocol that `L` runs: the user's, with the certificate's history symbols, and with
    /// all properties (safety, then lemmas) in the order of their rank.
    pub large: Protocol,
    /// How it is proved.
    pub argument: ProofArgument,
}

/// A way to prove every property at every size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProofArgument {
    /// Every violation is replayed in a small instance, which is safe.
    Cutoff(Vec<Case>),
    /// The properties follow from clauses that hold initially and are kept by every action.
    Invariant(Invariant),
}

/// Clauses that together are inductive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant {
    /// The clauses, about one state; named elements of cut sorts are the free variables.
    pub clauses: Vec<StateClause>,
}

/// The simulation of the violations of one property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Its name, unique in the certificate.
    pub name: Name,
    /// The position of its property in the rank.
    pub property: usize,
    /// Elements of `L` picked by looking at the violating state.
    pub params: Vec<Param>,
    /// For each variable of the property the parameter that stands for it; empty if none do.
    pub violators: Vec<usize>,
    /// What is known of the parameters in the violating state: reads `L` only.
    pub select: Clause,
    /// The cut sorts; all others are residual.
    pub cut: Vec<CutSort>,
    /// The rigid symbols of `C`.
    pub rigid: BTreeMap<SymbolId, ProductDefinition>,
    /// The first state of `C`.
    pub start: BTreeMap<SymbolId, ProductDefinition>,
    /// Further properties of `C`; named elements are the free variables.
    pub only: Vec<StateClause>,
    /// How the states of `L` and `C` are related.
    pub gamma: Vec<Clause>,
    /// How `C` answers each action of `L`, in the order of the actions.
    pub lockstep: Vec<Vec<Alternative>>,
    /// The protocol that `C` runs: the user's or a relaxed one, with the properties that
    /// *finite* checks.
    pub small: Protocol,
    /// Whether `small` differs from the user's protocol.
    pub relaxed: bool,
    /// How the cutoff instance is shown to be safe.
    pub closing: Closing,
    /// Where it was written.
    pub span: Span,
}

impl Case {
    /// The sorts of which `C` has the elements of `L`, however many these are.
    ///
    /// Not those whose number the axioms of `C` fix: once *rigid* is proved, `C` has that many.
    pub fn residual(&self) -> Vec<SortId> {
        self.uncut().into_iter().filter(|sort| self.small.fixed_size(*sort).is_none()).collect()
    }

    /// The positions of the actions that `C` can take.
    pub fn answering_actions(&self) -> Vec<usize> {
        let alternatives = self.lockstep.iter().flatten();
        let moves = alternatives.flat_map(|alternative| &alternative.moves);
        let actions: BTreeSet<usize> = moves.map(|next| next.action).collect();
        actions.into_iter().collect()
    }

    /// The sorts that are not cut.
    pub fn uncut(&self) -> Vec<SortId> {
        let is_cut = |sort: &SortId| self.cut.iter().any(|cut| cut.sort == *sort);
        self.small.signature.sorts().filter(|sort| !is_cut(sort)).collect()
    }
}

/// An element of `L` that a case speaks of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// Its name.
    pub name: Name,
    /// Its sort.
    pub sort: Sort,
}

/// A formula with a name and the place where it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedFormula<V: Vocabulary> {
    /// Its name.
    pub name: Name,
    /// The formula.
    pub formula: Formula<V>,
    /// Where it was written.
    pub span: Span,
}

/// A closed formula about both systems.
pub type Clause = NamedFormula<TwoSystems>;

/// A formula about one state; only named elements of cut sorts are free.
pub type StateClause = NamedFormula<OneState>;

/// A sort with a fixed list of elements in `C`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CutSort {
    /// The sort.
    pub sort: SortId,
    /// The names of `C`'s elements: at least one.
    pub elements: Vec<Name>,
    /// The simulation map: one parameter of `L`'s sort, total; reads rigid symbols and
    /// parameters only.
    pub sim: ProductDefinition,
}

/// One way for `C` to answer an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// When it applies, unless an earlier one does; the last one is `true`.
    pub condition: ProductFormula,
    /// What `C` does; nothing is a stutter.
    pub moves: Vec<Move>,
    /// Where it was written.
    pub span: Span,
}

/// Whether a move must be possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// It must be shown to be possible.
    Fire,
    /// It happens if it is possible, otherwise nothing does.
    Try,
}

/// One action of `C`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Whether it must be possible.
    pub mode: Mode,
    /// The position of the action in `small`.
    pub action: usize,
    /// Its arguments, read in the state of `C` before the first move.
    pub args: Vec<ProductTerm>,
    /// What its havocs pick.
    pub choices: BTreeMap<ChoiceId, ProductDefinition>,
    /// Where it was written.
    pub span: Span,
}

/// How a cutoff instance is shown to be safe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Closing {
    /// Exhaustive search; residual sorts up to the bounds that the run is given.
    Search,
    /// An inductive invariant of `C`.
    Invariant(Invariant),
    /// Another certificate, about `C` itself as [`cutoff_system`] has it.
    Certificate(Box<Certificate>),
}

/// The variable that stands for a named element of a cut sort in one-state formulas.
pub fn element_var(cut: &CutSort, index: usize) -> StateVar {
    StateVar::new(cut.elements[index].clone(), Sort::Declared(cut.sort))
}
