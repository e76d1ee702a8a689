//! From mypyvy's declarations to the surface tree that every front end produces.

use std::collections::{BTreeMap, BTreeSet};

use super::codes::{DECLARED, MOMENTS, UNSUPPORTED};
use super::sorts::infer_sorts;
use super::table::{MypyvyTable, refused};
use super::transitions::{Modified, statements, with_choices};
use super::tree::{MypyvyDeclaration, MypyvyDeclarationKind, MypyvyTransition};
use super::two_states::{Dialect, mark};
use crate::diagnostic::Diagnostic;
use crate::frontend::lowering::naming::LoweredNames;
use crate::frontend::lowering::statement_bodies::rename_binders_in_bodies;
use crate::frontend::lowering::variables::{close, free_names};
use crate::frontend::syntax::surface::{
    ActionItem, Binder, Expression, ExpressionKind, Identifier, Item, LabelledFormula, Module,
    Moment, SymbolItem,
};
use crate::logic::Name;
use crate::source::{Span, Spanned};

/// Makes the surface tree of a file.
pub(super) struct MypyvyLowerer<'a> {
    pub(super) table: &'a MypyvyTable,
    pub(super) dialect: Dialect,
    /// The places of the arguments of primed symbols.
    pub(super) primed: BTreeSet<Span>,
    pub(super) labels: LoweredNames,
    pub(super) diagnostics: &'a mut Vec<Diagnostic>,
}

impl MypyvyLowerer<'_> {
    /// The items of a file: declarations, then transitions, then properties.
    pub(super) fn module(&mut self, declarations: &[MypyvyDeclaration]) -> Module {
        let mut items = Vec::new();
        let (mut transitions, mut properties) = (Vec::new(), Vec::new());
        for declaration in declarations {
            let span = declaration.span;
            let put = |item| Spanned::new(item, span);
            match &declaration.value {
                MypyvyDeclarationKind::Sort(name) => {
                    items.push(put(Item::Sorts(vec![self.table.sort(name)])));
                }
                MypyvyDeclarationKind::Symbol(symbol) => items.push(put(self.symbol(symbol))),
                MypyvyDeclarationKind::Axiom(line) => items.push(put(Item::Axiom(self.line(line)))),
                MypyvyDeclarationKind::Init(line) => items.push(put(Item::Init(self.line(line)))),
                MypyvyDeclarationKind::Safety(line) => {
                    properties.push(put(Item::Safety(self.line(line))));
                }
                MypyvyDeclarationKind::Invariant(line) => {
                    properties.push(put(Item::Candidate(self.line(line))));
                }
                MypyvyDeclarationKind::Transition(transition) => {
                    transitions.push(put(Item::Action(self.transition(transition))));
                }
                MypyvyDeclarationKind::Derived(..)
                | MypyvyDeclarationKind::Definition(..)
                | MypyvyDeclarationKind::Trace(_) => {}
            }
        }
        items.extend(transitions);
        items.extend(properties);
        Module { items }
    }

    fn symbol(&self, symbol: &SymbolItem) -> Item {
        Item::Symbol(SymbolItem {
            name: self.table.name(&symbol.name),
            params: symbol.params.iter().map(|sort| self.table.sort(sort)).collect(),
            result: symbol.result.as_ref().map(|sort| self.table.sort(sort)),
            rigid: symbol.rigid,
        })
    }

    fn line(&mut self, line: &LabelledFormula) -> LabelledFormula {
        let label = self.labels.label(line);
        LabelledFormula { label, formula: self.formula(&line.formula, &BTreeMap::new()) }
    }

    /// A formula about one state, in RML.
    pub(super) fn formula(
        &mut self,
        formula: &Expression,
        params: &BTreeMap<Name, Name>,
    ) -> Expression {
        self.table.expression(formula, params).unwrap_or_else(|obstacle| {
            self.diagnostics.push(refused(&obstacle));
            Expression::truth(true, formula.span)
        })
    }

    fn transition(&mut self, transition: &MypyvyTransition) -> ActionItem {
        let span = transition.name.span;
        let mut names = self.table.names.clone();
        let mut params = BTreeMap::new();
        let mut binders = Vec::new();
        for param in &transition.params {
            let name = names.invent(&param.name.value);
            params.insert(param.name.value.clone(), name.clone());
            let sort = param.sort.as_ref().map(|sort| self.table.sort(sort));
            binders.push(Binder { name: Identifier::new(name, param.name.span), sort });
        }
        let modified = self.modified(transition);
        let changing: BTreeSet<Name> =
            modified.iter().map(|(name, _)| name.value.clone()).collect();
        let formula = self.formula(&transition.formula, &params);
        infer_sorts(&mut binders, &formula, self.table);
        self.check_primed(&formula, &changing);
        let formula = close(&formula, &[]);
        let moment = match self.dialect {
            Dialect::Old => Moment::New,
            Dialect::New => Moment::Old,
            Dialect::Neither => self.only_moment(&formula, &changing, transition.formula.span),
        };
        let formula = mark(&formula, moment, &changing);
        let results = self.results(transition);
        let constants = results.keys().cloned().collect();
        let (formula, choices) =
            with_choices(&formula, &modified, &constants, |symbol| names.invent(symbol));
        for (choice, symbol) in choices {
            let sort = results.get(&symbol).cloned();
            binders.push(Binder { name: Identifier::new(choice, span), sort });
        }
        let body = statements(&formula, &modified, span, self.diagnostics);
        let reserved = names.reserved();
        let body = rename_binders_in_bodies(&body, reserved).unwrap_or_else(|obstacle| {
            self.diagnostics.push(refused(&obstacle));
            Vec::new()
        });
        ActionItem { name: self.table.name(&transition.name), params: binders, body }
    }

    /// Under a prime, the state of the arguments is ambiguous: they must be the same before and
    /// after, or be marked themselves.
    fn check_primed(&mut self, formula: &Expression, changing: &BTreeSet<Name>) {
        if self.dialect != Dialect::New {
            return;
        }
        if let ExpressionKind::At(Moment::Old, inner) = &*formula.kind
            && self.primed.contains(&formula.span)
            && let Some(name) =
                free_names(&bare(inner)).into_iter().find(|name| changing.contains(name))
        {
            let message = format!("ambiguous: `{name}` before or after the step?");
            let hint = "under a prime, name the value by a variable: `exists X. X = … & r'(X)`";
            self.diagnostics.push(Diagnostic::error(MOMENTS, message, inner.span).hint(hint));
        }
        for child in formula.children() {
            self.check_primed(child, changing);
        }
    }

    /// Without `old` and `new` the state of a formula is ambiguous.
    fn only_moment(
        &mut self,
        formula: &Expression,
        changing: &BTreeSet<Name>,
        span: Span,
    ) -> Moment {
        if let Some(name) = free_names(formula).into_iter().find(|name| changing.contains(name)) {
            let message = format!("ambiguous: `{name}` before or after the step?");
            let hint = "write `new(…)` for the state after, somewhere in the file";
            self.diagnostics.push(Diagnostic::error(MOMENTS, message, span).hint(hint));
        }
        Moment::Old
    }

    /// The sorts of the constants that a transition may change, by their RML names.
    fn results(&self, transition: &MypyvyTransition) -> BTreeMap<Name, Identifier> {
        let constants = transition.modifies.iter().filter_map(|target| {
            let symbol = self.table.symbols.get(&target.value)?;
            let sort = symbol.result.as_ref().filter(|_| symbol.params.is_empty())?;
            Some((self.table.name(target).value, self.table.sort(sort)))
        });
        constants.collect()
    }

    fn modified(&mut self, transition: &MypyvyTransition) -> Modified {
        let mut modified: Modified = Vec::new();
        for target in &transition.modifies {
            let symbol = self.table.symbols.get(&target.value);
            let refusal = match symbol {
                _ if self.table.is_defined(&target.value) => Some((
                    UNSUPPORTED,
                    format!("`{}` is derived: it cannot be modified", target.value),
                )),
                None => Some((DECLARED, format!("unknown name `{}`", target.value))),
                Some(symbol) if symbol.rigid => Some((
                    UNSUPPORTED,
                    format!("`{}` is immutable: it cannot be modified", target.value),
                )),
                Some(_) => None,
            };
            if let Some((code, message)) = refusal {
                self.diagnostics.push(Diagnostic::error(code, message, target.span));
            } else if let Some(symbol) = symbol {
                let name = self.table.name(target);
                if !modified.iter().any(|(known, _)| known.value == name.value) {
                    modified.push((name, symbol.params.len()));
                }
            }
        }
        modified
    }
}

/// The expression without the parts that are marked with their state.
fn bare(expression: &Expression) -> Expression {
    match &*expression.kind {
        ExpressionKind::At(..) => Expression::truth(true, expression.span),
        _ => expression.map_children(bare),
    }
}
