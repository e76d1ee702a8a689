//! The initial conditions: what `init` lines and `after init` blocks leave behind.

use std::collections::BTreeSet;

use super::after_init;
use crate::diagnostic::Diagnostic;
use crate::frontend::ivy::actions::locals::collect_assigned;
use crate::frontend::ivy::actions::statement_lowering::{Caller, Flow, Lowering};
use crate::frontend::ivy::lower_file::IvyLowerer;
use crate::frontend::ivy::parse::tree::{
    IvyCopies, IvyDeclaration, IvyDeclarationKind, IvyStep, StepKind,
};
use crate::frontend::ivy::parse::unsupported::INITIAL;
use crate::frontend::lowering::rewrite::rename_binders;
use crate::frontend::lowering::statement_bodies::assigned;
use crate::frontend::lowering::variables::{close, free_names};
use crate::frontend::syntax::surface::{Binder, Expression, ExpressionKind};
use crate::logic::{Name, Quantifier};
use crate::source::{Span, Spanned};

impl IvyLowerer<'_> {
    /// The initial conditions, and the symbols that are assigned.
    pub(crate) fn start(
        &mut self,
        declarations: &[IvyDeclaration],
    ) -> (Vec<Expression>, BTreeSet<Name>) {
        let (blocks, copies): (Vec<IvyStep>, Vec<IvyCopies>) = declarations
            .iter()
            .filter_map(|declaration| match &declaration.value {
                IvyDeclarationKind::AfterInit(block, copies) => {
                    Some((Spanned::new(StepKind::Block(block.clone()), declaration.span), *copies))
                }
                _ => None,
            })
            .unzip();
        let mut steps = self.before(declarations, &blocks);
        let copies = steps.iter().map(|_| IvyCopies::One).chain(copies).collect::<Vec<_>>();
        steps.extend(blocks);
        let mut assigns = BTreeSet::new();
        collect_assigned(&steps, self.table, &mut BTreeSet::new(), &mut assigns);
        let mut lowering = Lowering::new(self.table, Caller::Start, &assigns, self.diagnostics);
        let mut flow = Flow::default();
        for (step, copies) in steps.iter().zip(copies) {
            let before = lowering.parameters.len();
            lowering.block(std::slice::from_ref(step), &mut flow);
            let choice = lowering.parameters.get(before).map(|choice| choice.span);
            if let Some(span) = choice.filter(|_| copies == IvyCopies::Many) {
                lowering.diagnostics.push(chosen_by_every_copy(span));
            }
        }
        let (parameters, checks, names) = (lowering.parameters, lowering.checks, lowering.names);
        if let Some(check) = checks.first() {
            let message = "assertions about the start are not supported";
            let hint = "write it as an `invariant`";
            self.diagnostics.push(Diagnostic::error(INITIAL, message, check.span).hint(hint));
        }
        let mut mutable = BTreeSet::new();
        assigned(&flow.out, &mut mutable);
        let relations = self.table.formulas();
        let formulas =
            after_init::formulas(&flow.out, relations, names.reserved(), self.diagnostics);
        let binders = parameters.iter().map(|param| param.binder(self.table)).collect();
        (self.chosen(formulas, binders), mutable)
    }

    /// The `init` lines, wherever they are written: the blocks start from states that satisfy them.
    fn before(&mut self, declarations: &[IvyDeclaration], blocks: &[IvyStep]) -> Vec<IvyStep> {
        let mut overwritten = BTreeSet::new();
        collect_assigned(blocks, self.table, &mut BTreeSet::new(), &mut overwritten);
        let mut steps = Vec::new();
        for declaration in declarations {
            let IvyDeclarationKind::Init(line) = &declaration.value else { continue };
            let free = free_names(&line.formula);
            if let Some(name) = free.iter().find(|name| overwritten.contains(*name)) {
                let message = format!("an `after init` block overwrites `{name}`");
                let hint = "an `init` line holds before all blocks; for the state after them, \
                            write `assume` at the end of the last one";
                let diagnostic = Diagnostic::error(INITIAL, message, line.formula.span);
                self.diagnostics.push(diagnostic.hint(hint));
                continue;
            }
            let assume = StepKind::Assume(line.formula.clone());
            steps.push(Spanned::new(assume, declaration.span));
        }
        steps
    }

    /// Formulas that mention locals hold for some values of them.
    fn chosen(&mut self, formulas: Vec<Expression>, binders: Vec<Binder>) -> Vec<Expression> {
        let mut all: Vec<Expression> = Vec::new();
        let mut open = Vec::new();
        let speaks = |formula: &Expression, binder: &Binder| {
            free_names(formula).contains(&binder.name.value)
        };
        for formula in formulas {
            if binders.iter().any(|binder| speaks(&formula, binder)) {
                open.push(close(&formula, &[]));
            } else {
                all.push(formula);
            }
        }
        if let Some(first) = open.first() {
            let span = first.span;
            let binders: Vec<Binder> = binders
                .into_iter()
                .filter(|binder| open.iter().any(|formula| speaks(formula, binder)))
                .collect();
            if let Some(truth) = binders
                .iter()
                .find(|binder| binder.sort.as_ref().is_some_and(|sort| &*sort.value == "bool"))
            {
                let message = "choosing a truth value at the start is not supported";
                self.diagnostics.push(Diagnostic::error(INITIAL, message, truth.name.span));
            }
            let body = Expression::all_of(open, span);
            let kind = ExpressionKind::Quantified(Quantifier::Exists, binders, body);
            all.push(Expression::new(kind, span));
        }
        let reserved = self.table.names.reserved();
        all.iter()
            .map(|formula| rename_binders(formula, reserved).unwrap_or_else(|_| formula.clone()))
            .collect()
    }
}

/// The refusal of a choice that every copy of an instance makes for itself.
fn chosen_by_every_copy(span: Span) -> Diagnostic {
    let message = "a choice by every copy of an instance is not supported";
    let hint = "assign `*`, or constrain the start by an `init` line";
    Diagnostic::error(INITIAL, message, span).hint(hint)
}
