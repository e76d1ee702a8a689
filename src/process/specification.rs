//! What is to be proved about the processes: how many of them may be in certain local states.

use super::{DataId, LocalState, PointId, VariableId};
use crate::logic::Name;
use crate::source::Span;

/// A specification with the property it became.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Specification {
    /// The name of the property of the lowered protocol.
    pub property: Name,
    /// What is required.
    pub requirement: Requirement,
    /// Whether it is owed by what the handlers do, and not written.
    pub is_owed: bool,
    /// Where it was written, or what owes it.
    pub span: Span,
}

/// A bound on processes in certain local states, or a combination of bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Requirement {
    /// No more than so many live processes fit one of the patterns.
    AtMost(usize, Vec<Pattern>),
    /// No more than so many different values of a variable, at processes that fit a pattern.
    FewValues(usize, Vec<Pattern>, DataId),
    /// All of these.
    And(Vec<Requirement>),
    /// One of these.
    Or(Vec<Requirement>),
}

/// Local states: a point, and the values of some variables.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pattern {
    /// The point.
    pub point: PointId,
    /// The values that count; the other variables have any value.
    pub values: Vec<(VariableId, i64)>,
}

impl Pattern {
    /// Whether a local state fits.
    pub fn fits(&self, state: &LocalState) -> bool {
        let has = |(variable, value): &(VariableId, i64)| state.values[variable.0] == *value;
        self.point == state.point && self.values.iter().all(has)
    }
}

impl Requirement {
    /// Whether a process in this local state counts in some bound.
    pub fn speaks_of(&self, state: &LocalState) -> bool {
        match self {
            Requirement::AtMost(_, patterns) | Requirement::FewValues(_, patterns, _) => {
                patterns.iter().any(|own| own.fits(state))
            }
            Requirement::And(parts) | Requirement::Or(parts) => {
                parts.iter().any(|part| part.speaks_of(state))
            }
        }
    }

    /// The most processes that a smallest violation of it takes.
    pub fn width(&self) -> usize {
        match self {
            Requirement::AtMost(bound, _) | Requirement::FewValues(bound, _, _) => bound + 1,
            Requirement::And(parts) => parts.iter().map(Requirement::width).max().unwrap_or(0),
            Requirement::Or(parts) => parts.iter().map(Requirement::width).sum(),
        }
    }

    /// Whether it does nothing but forbid local states.
    pub fn is_prohibition(&self) -> bool {
        match self {
            Requirement::AtMost(bound, _) => *bound == 0,
            Requirement::And(parts) => parts.iter().all(Requirement::is_prohibition),
            Requirement::FewValues(..) | Requirement::Or(_) => false,
        }
    }

    /// Whether live processes in these local states satisfy it, whatever their data is.
    pub fn holds<'a>(&self, states: impl Iterator<Item = &'a LocalState> + Clone) -> bool {
        match self {
            // So few processes have so few values, whatever they are.
            Requirement::AtMost(bound, patterns) | Requirement::FewValues(bound, patterns, _) => {
                let fits = |state: &&LocalState| patterns.iter().any(|own| own.fits(state));
                states.filter(fits).count() <= *bound
            }
            Requirement::And(parts) => parts.iter().all(|part| part.holds(states.clone())),
            Requirement::Or(parts) => parts.iter().any(|part| part.holds(states.clone())),
        }
    }

    /// The data variables that it compares, and where.
    pub fn data_read(&self) -> Vec<(PointId, DataId)> {
        match self {
            Requirement::AtMost(..) => Vec::new(),
            Requirement::FewValues(_, patterns, data) => {
                patterns.iter().map(|own| (own.point, *data)).collect()
            }
            Requirement::And(parts) | Requirement::Or(parts) => {
                parts.iter().flat_map(Requirement::data_read).collect()
            }
        }
    }
}
