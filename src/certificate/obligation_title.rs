//! What obligations are called in reports.

use std::fmt;

use crate::logic::Name;

use super::{Obligation, ObligationKind};

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

impl ObligationKind {
    /// The kind alone, as reports for programs name it.
    pub fn name(&self) -> &'static str {
        match self {
            ObligationKind::Cover { .. } => "cover",
            ObligationKind::Rigid { .. } => "rigid",
            ObligationKind::StartInit { .. } => "start init",
            ObligationKind::StartGamma { .. } => "start gamma",
            ObligationKind::Enabled { .. } => "enabled",
            ObligationKind::Keeps { .. } => "keeps",
            ObligationKind::Safety { .. } => "safety",
            ObligationKind::Initiation { .. } => "initiation",
            ObligationKind::Consecution { .. } => "consecution",
            ObligationKind::Implication { .. } => "implication",
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

/// The whole name of an obligation: `case: step reshard / enabled 1`.
pub fn title(case: Option<&Name>, kind: &ObligationKind) -> String {
    match case {
        Some(case) => format!("{case}: {kind}"),
        None => kind.to_string(),
    }
}

impl Obligation {
    /// Its whole name, unique in the certificate.
    pub fn title(&self) -> String {
        title(self.case.as_ref(), &self.kind)
    }
}
