//! The named formulas of a case: clauses of γ, properties of `C` alone, clauses of invariants.

use std::collections::BTreeSet;

use crate::certificate::{Clause, Closing, CutSort, Invariant, StateClause, element_var};
use crate::diagnostic::Diagnostic;
use crate::elaborate::codes;
use crate::elaborate::expression::Unbound;
use crate::frontend::certificate::surface::Section;
use crate::frontend::syntax::surface::{Expression, LabelledFormula};
use crate::logic::Name;
use crate::protocol::{Protocol, StateFormula, StateVar};

use super::case::CaseBuilder;
use super::extend;
use super::names::ReadableSystems;

impl CaseBuilder<'_> {
    pub(super) fn gamma(&mut self) -> Vec<Clause> {
        let mut clauses: Vec<Clause> = Vec::new();
        let mut names = BTreeSet::new();
        for section in &self.item.sections {
            let Section::Gamma(labelled) = &section.value else { continue };
            let name = label(labelled, &mut names, self.diagnostics);
            let formula =
                self.formula(&labelled.formula, ReadableSystems::Both, &[], Unbound::Universal);
            let span = labelled.formula.span;
            clauses.extend(formula.map(|formula| Clause { name, formula, span }));
        }
        clauses
    }

    pub(super) fn only(&mut self, small: &Protocol) -> Vec<StateClause> {
        let only = self.item.sections.iter().filter_map(|section| match &section.value {
            Section::Only(labelled) => Some(labelled),
            _ => None,
        });
        state_clauses(small, &self.names.cut, only, label, self.diagnostics)
    }

    pub(super) fn closing(&mut self, small: &Protocol) -> Closing {
        let cut = self.names.cut.clone();
        let invariant = self.item.sections.iter().find_map(|section| match &section.value {
            Section::CloseByInvariant(clauses) => Some(clauses),
            _ => None,
        });
        match invariant {
            Some(clauses) => Closing::Invariant(Invariant {
                clauses: invariant_clauses(small, &cut, clauses, self.diagnostics),
            }),
            None => Closing::Search,
        }
    }
}

/// The clauses of an invariant; named elements of cut sorts are free variables.
pub(super) fn invariant_clauses(
    system: &Protocol,
    cut: &[CutSort],
    clauses: &[LabelledFormula],
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<StateClause> {
    state_clauses(system, cut, clauses, distinct_label, diagnostics)
}

/// Named formulas about one system.
fn state_clauses<'a>(
    system: &Protocol,
    cut: &[CutSort],
    clauses: impl IntoIterator<Item = &'a LabelledFormula>,
    label: fn(&LabelledFormula, &mut BTreeSet<Name>, &mut Vec<Diagnostic>) -> Name,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<StateClause> {
    let mut all: Vec<StateClause> = Vec::new();
    let mut names = BTreeSet::new();
    for labelled in clauses {
        let name = label(labelled, &mut names, diagnostics);
        let formula = state_formula(system, cut, &labelled.formula, diagnostics);
        let span = labelled.formula.span;
        all.extend(formula.map(|formula| StateClause { name, formula, span }));
    }
    all
}

/// The label of a clause, if it has one, which no other may have.
fn label(
    labelled: &LabelledFormula,
    earlier: &mut BTreeSet<Name>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Name {
    match &labelled.label {
        Some(_) => distinct_label(labelled, earlier, diagnostics),
        None => "".into(),
    }
}

/// The label of a clause, which no other may have; only one may have none.
fn distinct_label(
    labelled: &LabelledFormula,
    earlier: &mut BTreeSet<Name>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Name {
    let label = labelled.label.as_ref();
    let name: Name = label.map_or_else(|| "".into(), |label| label.value.clone());
    if !earlier.insert(name.clone()) {
        let message = format!("two clauses are named `{name}`");
        let span = label.map_or(labelled.formula.span, |label| label.span);
        diagnostics.push(Diagnostic::error(codes::LABEL_TWICE, message, span));
    }
    name
}

/// A formula about one system whose named elements are free variables.
fn state_formula(
    system: &Protocol,
    cut: &[CutSort],
    expression: &Expression,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<StateFormula> {
    let elements: Vec<StateVar> = cut
        .iter()
        .flat_map(|cut| (0..cut.elements.len()).map(|index| element_var(cut, index)))
        .collect();
    extend::closed_formula(&system.signature, expression, &elements, diagnostics)
}
