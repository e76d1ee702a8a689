//! What fails in a counter-model: the clause, guard, axiom or property, and where.

use crate::certificate::{
    Closing, ObligationKind, ProductFormula, ProductSymbol, ProductVar, ProofArgument,
    cutoff_signature, large_sort,
};
use crate::logic::{Name, print_formula};
use crate::protocol::{Property, Sort, StateFormula, StateVar};

use super::blocking_guard::{GuardObstacle, obstacle};
use super::completed_model::Scene;
use super::explanation::{Story, StoryEnding};
use super::failing_atoms::{failing, failing_instance};
use super::system_formulas::{in_cutoff, in_large, statement};
use super::{Failing, MoveOutcome, NamedElement, failing_atoms};

impl<'a> Story<'a> {
    /// What fails, and where.
    pub(super) fn failing(&self, ending: &StoryEnding<'_>) -> Failing {
        let found = match &self.obligation.kind {
            ObligationKind::Enabled { .. } => self.disabled(ending),
            ObligationKind::Cover { property } | ObligationKind::Safety { property } => {
                self.violated(property)
            }
            _ => self
                .claim()
                .map(|(what, formula)| failing(&ending.after, &self.elements, what, &formula)),
        };
        found.unwrap_or_else(|| self.whole_goal())
    }

    /// What the obligation claims, as it was written.
    pub(super) fn claim(&self) -> Option<(String, ProductFormula)> {
        let in_cutoff = |formula: &StateFormula| in_cutoff(self.names(), formula);
        Some(match &self.obligation.kind {
            ObligationKind::StartGamma { clause } | ObligationKind::Keeps { clause, .. } => {
                (format!("gamma {clause}"), self.gamma(clause)?.clone())
            }
            ObligationKind::Rigid { axiom } => {
                let formula = statement(&self.case?.small.axioms, axiom)?;
                (format!("axiom {axiom} in C"), in_cutoff(formula))
            }
            ObligationKind::StartInit { init } => {
                let formula = statement(&self.case?.small.init, init)?;
                (format!("init {init} in C"), in_cutoff(formula))
            }
            ObligationKind::Initiation { clause } | ObligationKind::Consecution { clause, .. } => {
                (format!("clause {clause}"), in_cutoff(self.clause(clause)?))
            }
            ObligationKind::Implication { property } => {
                (format!("property {property}"), self.obligation.goal.clone())
            }
            ObligationKind::Enabled { .. }
            | ObligationKind::Cover { .. }
            | ObligationKind::Safety { .. } => return None,
        })
    }

    fn gamma(&self, name: &Name) -> Option<&'a ProductFormula> {
        let clauses = self.case?.gamma.iter();
        clauses.into_iter().find(|clause| clause.name == *name).map(|clause| &clause.formula)
    }

    fn clause(&self, name: &Name) -> Option<&'a StateFormula> {
        let invariant = match (self.case, &self.certificate.argument) {
            (Some(case), _) => match &case.closing {
                Closing::Invariant(invariant) => invariant,
                Closing::Search | Closing::Certificate(_) => return None,
            },
            (None, ProofArgument::Invariant(invariant)) => invariant,
            (None, ProofArgument::Cutoff(_)) => return None,
        };
        let clauses = invariant.clauses.iter();
        clauses.into_iter().find(|clause| clause.name == *name).map(|clause| &clause.formula)
    }

    /// The guard that keeps the last move of `C` from happening.
    fn disabled(&self, ending: &StoryEnding<'_>) -> Option<Failing> {
        let case = self.case?;
        let last = ending.moves.last()?;
        let found = self.obstacle(ending)?;
        let mut scene = self.before.after(None, Some(&found.state));
        for (var, value) in &found.assignment {
            let sort = self.names().cutoff_sort(var.sort);
            scene.assignment.insert(ProductVar::new(var.name.clone(), sort), *value);
        }
        let name = &case.small.actions[last.invocation.action].name;
        let what = format!("the guard of {name} in C");
        let formula = in_cutoff(self.names(), &found.guard);
        let mut failing = failing(&scene, &self.elements, what, &formula);
        failing.formula = print_formula(&cutoff_signature(case), &found.guard);
        Some(failing)
    }

    /// The property that `L` violates, where it does.
    fn violated(&self, name: &str) -> Option<Failing> {
        let (_, property) = self.certificate.large.property(name)?;
        let what = match self.obligation.kind {
            ObligationKind::Cover { .. } => {
                format!("no case covers this violation of {name} in L")
            }
            _ => format!("C violates nothing, although L violates {name}"),
        };
        let scene = self.violators(property)?;
        let matrix = in_large(&property.matrix);
        let mut failing = failing(&scene, &self.elements, what, &matrix);
        failing.formula = print_formula(&self.certificate.large.signature, &property.matrix);
        failing.at = property
            .vars
            .iter()
            .filter_map(|var| {
                let own = ProductVar::new(var.name.clone(), large_sort(var.sort));
                let value = scene.assignment.get(&own)?;
                let value = self.elements.name(own.sort, *value);
                Some(NamedElement { name: var.name.to_string(), value })
            })
            .collect();
        Some(failing)
    }

    /// A scene in which the property's variables are the violators.
    pub(super) fn violators(&self, property: &Property) -> Option<Scene<'a>> {
        let mut scene = self.before.after(None, None);
        let own = |name: &Name, sort: Sort| ProductVar::new(name.clone(), large_sort(sort));
        let designated = self.case.map(|case| case.violators.as_slice()).unwrap_or_default();
        for (var, param) in property.vars.iter().zip(designated) {
            let symbol = ProductSymbol::Param(u32::try_from(*param).ok()?);
            let value = scene.structure.tables.get(&symbol)?.get(&[])?;
            scene.assignment.insert(own(&var.name, var.sort), value);
        }
        let is_open = |var: &&StateVar| !scene.assignment.contains_key(&own(&var.name, var.sort));
        if property.vars.iter().any(|var| is_open(&var)) {
            let closed = in_large(&property.formula());
            let found = failing_instance(&scene.structure, &scene.assignment, &closed)?;
            scene.assignment = found.assignment;
        }
        Some(scene)
    }

    fn whole_goal(&self) -> Failing {
        Failing {
            what: "the goal".to_owned(),
            formula: print_formula(self.names(), &self.obligation.goal),
            at: Vec::new(),
            facts: Vec::new(),
            missing: Vec::new(),
        }
    }

    /// The atoms of γ's clause before and after the step.
    pub(super) fn clause_atoms(
        &self,
        ending: &StoryEnding<'_>,
        clause: &Name,
    ) -> Option<(Vec<failing_atoms::FactAtom>, Vec<failing_atoms::FactAtom>)> {
        let formula = self.gamma(clause)?;
        let scene = &ending.after;
        let instance = failing_instance(&scene.structure, &scene.assignment, formula)?;
        Some((
            failing_atoms::atoms(&self.before, &instance),
            failing_atoms::atoms(scene, &instance),
        ))
    }

    /// The guard that stands in the way of the last move of `C`.
    pub(super) fn obstacle(&self, ending: &StoryEnding<'_>) -> Option<GuardObstacle> {
        let last = ending.moves.last().filter(|next| next.outcome == MoveOutcome::Impossible)?;
        obstacle(&self.case?.small, &last.before, &last.invocation, &last.choices)
    }
}
