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
            let name = self.label(labelled, &mut names);
            let formula =
                self.formula(&labelled.formula, ReadableSystems::Both, &[], Unbound::Universal);
            let span = labelled.formula.span;
            clauses.extend(formula.map(|formula| Clause { name, formula, span }));
        }
        clauses
    }

    fn label(&mut self, labelled: &LabelledFormula, earlier: &mut BTreeSet<Name>) -> Name {
        let Some(label) = &labelled.label else { return "".into() };
        if !earlier.insert(label.value.clone()) {
            let message = format!("two clauses are named `{}`", label.value);
            self.diagnostics.push(Diagnostic::error(codes::LABEL_TWICE, message, label.span));
        }
        label.value.clone()
    }

    pub(super) fn only(&mut self, small: &Protocol) -> Vec<StateClause> {
        let mut all: Vec<StateClause> = Vec::new();
        let mut names = BTreeSet::new();
        for section in &self.item.sections {
            let Section::Only(labelled) = &section.value else { continue };
            let name = self.label(labelled, &mut names);
            let cut = self.names.cut.clone();
            let formula = state_formula(small, &cut, &labelled.formula, self.diagnostics);
            let span = labelled.formula.span;
            all.extend(formula.map(|formula| StateClause { name, formula, span }));
        }
        all
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
    let mut all: Vec<StateClause> = Vec::new();
    let mut names = BTreeSet::new();
    for labelled in clauses {
        let label = labelled.label.as_ref();
        let name: Name = label.map_or_else(|| "".into(), |label| label.value.clone());
        if !names.insert(name.clone()) {
            let message = format!("two clauses are named `{name}`");
            let span = label.map_or(labelled.formula.span, |label| label.span);
            diagnostics.push(Diagnostic::error(codes::LABEL_TWICE, message, span));
        }
        let formula = state_formula(system, cut, &labelled.formula, diagnostics);
        let span = labelled.formula.span;
        all.extend(formula.map(|formula| StateClause { name, formula, span }));
    }
    all
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
