//! Obligations: named formulas that must be valid, each with the place it comes from.

use std::sync::Arc;

use crate::logic::Name;
use crate::source::Span;

use super::{ProductFormula, ProductNames};

/// What an obligation is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ObligationKind {
    /// Every violation of the property falls under one of its cases.
    Cover {
        /// The property.
        property: Name,
    },
    /// An axiom holds of the rigid symbols of `C`.
    Rigid {
        /// The axiom.
        axiom: Name,
    },
    /// An initial condition holds of the first state of `C`.
    StartInit {
        /// The condition.
        init: Name,
    },
    /// A clause holds between the first states.
    StartGamma {
        /// The clause.
        clause: Name,
    },
    /// A move of `C` is possible.
    Enabled {
        /// The action of `L`.
        action: Name,
        /// The alternative, from 1.
        alternative: usize,
        /// The move, from 1.
        position: usize,
    },
    /// A clause is kept by a step.
    Keeps {
        /// The action of `L`.
        action: Name,
        /// The alternative, from 1.
        alternative: usize,
        /// The clause.
        clause: Name,
    },
    /// A violation in `L` is a violation in `C`.
    Safety {
        /// The property.
        property: Name,
    },
    /// An invariant clause holds initially.
    Initiation {
        /// The clause.
        clause: Name,
    },
    /// An invariant clause is kept by an action.
    Consecution {
        /// The action.
        action: Name,
        /// The clause.
        clause: Name,
    },
    /// The invariant implies a property.
    Implication {
        /// The property.
        property: Name,
    },
}

/// A formula assumed, and what it is called in reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hypothesis {
    /// Its name.
    pub name: Name,
    /// What is assumed.
    pub formula: ProductFormula,
    /// Where it comes from.
    pub origin: HypothesisOrigin,
}

/// Where a hypothesis comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HypothesisOrigin {
    /// The axioms, or one of them.
    Axiom,
    /// The clause of γ at this position.
    Gamma(usize),
    /// Anything else.
    Other,
}

impl Hypothesis {
    /// A named hypothesis.
    pub fn new(name: impl Into<Name>, formula: ProductFormula) -> Self {
        Hypothesis { name: name.into(), formula, origin: HypothesisOrigin::Other }
    }

    /// One axiom, or the conjunction of all.
    pub(super) fn axiom(name: impl Into<Name>, formula: ProductFormula) -> Self {
        Hypothesis { origin: HypothesisOrigin::Axiom, ..Hypothesis::new(name, formula) }
    }
}

/// A claim: the hypotheses imply the goal, for all values of the free variables, in all pairs of
/// instances.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obligation {
    /// The case it belongs to; `None` for those of the whole certificate.
    pub case: Option<Name>,
    /// What it is about.
    pub kind: ObligationKind,
    /// What is assumed; shared between the obligations of one step.
    pub hypotheses: Arc<Vec<Hypothesis>>,
    /// What must follow.
    pub goal: ProductFormula,
    /// The names of everything mentioned.
    pub names: Arc<ProductNames>,
    /// Where the clause, action or alternative was written.
    pub span: Span,
}
