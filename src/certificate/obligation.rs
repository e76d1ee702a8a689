//! Obligations: named formulas that must be valid, each with the place it comes from.

use std::fmt;
use std::sync::Arc;

use crate::logic::{Formula, Name};
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

impl fmt::Display for ObligationKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ObligationKind::Cover { property } => write!(f, "cover {property}"),
            ObligationKind::Rigid { axiom } => write!(f, "rigid {axiom}"),
            ObligationKind::StartInit { init } => write!(f, "start / init {init}"),
            ObligationKind::StartGamma { clause } => write!(f, "start / gamma {clause}"),
            ObligationKind::Enabled { action, alternative, position } => {
                write!(f, "step {action}{} / enabled {position}", Ordinal(*alternative))
            }
            ObligationKind::Keeps { action, alternative, clause } => {
                write!(f, "step {action}{} / keeps {clause}", Ordinal(*alternative))
            }
            ObligationKind::Safety { property } => write!(f, "safety {property}"),
            ObligationKind::Initiation { clause } => write!(f, "initiation / {clause}"),
            ObligationKind::Consecution { action, clause } => {
                write!(f, "consecution {action} / {clause}")
            }
            ObligationKind::Implication { property } => write!(f, "implication / {property}"),
        }
    }
}

/// The number of an alternative, silent for the first.
struct Ordinal(usize);

impl fmt::Display for Ordinal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 > 1 { write!(f, " #{}", self.0) } else { Ok(()) }
    }
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

/// The whole name of an obligation: `case: step reshard / enabled 1`.
pub fn title(case: Option<&Name>, kind: &ObligationKind) -> String {
    match case {
        Some(case) => format!("{case}: {kind}"),
        None => kind.to_string(),
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

impl Obligation {
    /// Its whole name, unique in the certificate.
    pub fn title(&self) -> String {
        title(self.case.as_ref(), &self.kind)
    }

    /// The formula that must be unsatisfiable.
    pub fn negation(&self) -> ProductFormula {
        let hypotheses = self.hypotheses.iter().map(|hypothesis| hypothesis.formula.clone());
        Formula::and(hypotheses.chain([self.goal.negate()]))
    }
}
