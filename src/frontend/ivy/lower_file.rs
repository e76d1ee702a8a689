//! From flat Ivy to the surface tree that every front end produces.

use std::collections::BTreeSet;

use super::actions::ActionMaker;
use super::actions::locals::collect_assigned;
use super::names::declared_names::IvyTable;
use super::parse::tree::{IvyDeclaration, IvyDeclarationKind, IvyStep, IvySymbol};
use super::parse::unsupported::{CALLS, MODULES, ignored};
use crate::diagnostic::Diagnostic;
use crate::frontend::lowering::naming::LoweredNames;
use crate::frontend::lowering::rewrite::rename_binders;
use crate::frontend::lowering::statement_bodies::assigned;
use crate::frontend::syntax::surface::{
    ActionItem, EnumerationItem, Expression, Identifier, Item, LabelledFormula, Module, SymbolItem,
};
use crate::logic::Name;
use crate::source::Spanned;

/// The surface tree of a flat file.
pub(super) fn lower(declarations: &[IvyDeclaration], diagnostics: &mut Vec<Diagnostic>) -> Module {
    let table = IvyTable::new(declarations, diagnostics);
    let mut lowerer = IvyLowerer { table: &table, labels: LoweredNames::default(), diagnostics };
    let mut items = lowerer.types(declarations);
    let mut statements = lowerer.lines(declarations);
    let (init, mut mutable) = lowerer.start(declarations);
    let (actions, failed) = lowerer.actions(declarations);
    for action in &actions {
        assigned(&action.value.body, &mut mutable);
    }
    table.check_order(&mutable, lowerer.diagnostics);
    items.extend(lowerer.symbols(declarations, &mutable));
    if let Some(failed) = failed {
        let (declaration, property) = lowerer.assertions(&failed);
        items.push(declaration);
        let not = Expression::name(failed.value.clone(), failed.span).negated();
        statements.push(Spanned::new(Item::Init(unlabelled(not)), failed.span));
        statements.push(property);
    }
    statements.extend(init.into_iter().map(|formula| {
        let span = formula.span;
        Spanned::new(Item::Init(unlabelled(formula)), span)
    }));
    statements.sort_by_key(|item| rank(&item.value));
    let properties = statements.partition_point(|item| rank(&item.value) < 2);
    let properties = statements.split_off(properties);
    items.extend(statements);
    items.extend(
        actions.into_iter().map(|action| Spanned::new(Item::Action(action.value), action.span)),
    );
    items.extend(properties);
    Module { items }
}

/// Axioms, then initial conditions, then properties.
fn rank(item: &Item) -> usize {
    match item {
        Item::Axiom(_) => 0,
        Item::Init(_) => 1,
        _ => 2,
    }
}

pub(super) struct IvyLowerer<'a> {
    pub(super) table: &'a IvyTable,
    labels: LoweredNames,
    pub(super) diagnostics: &'a mut Vec<Diagnostic>,
}

impl IvyLowerer<'_> {
    fn types(&mut self, declarations: &[IvyDeclaration]) -> Vec<Spanned<Item>> {
        let mut items = Vec::new();
        for declaration in declarations {
            let IvyDeclarationKind::Type(name, values) = &declaration.value else { continue };
            if self.table.is_integers(&name.value) {
                continue;
            }
            let span = declaration.span;
            let sort = self.table.sort(name);
            let item = match values.as_slice() {
                [] => Item::Sorts(vec![sort]),
                values => {
                    let elements = values.iter().map(|value| self.table.sort(value)).collect();
                    Item::Enumeration(EnumerationItem { name: sort, elements })
                }
            };
            items.push(Spanned::new(item, span));
        }
        items
    }

    fn symbols(
        &mut self,
        declarations: &[IvyDeclaration],
        mutable: &BTreeSet<Name>,
    ) -> Vec<Spanned<Item>> {
        let mut items = Vec::new();
        for declaration in declarations {
            let IvyDeclarationKind::Symbol(symbol) = &declaration.value else { continue };
            if self.table.is_defined(&symbol.name.value) {
                continue;
            }
            let item = self.symbol(symbol, mutable);
            items.push(Spanned::new(Item::Symbol(item), declaration.span));
        }
        items
    }

    fn symbol(&self, symbol: &IvySymbol, mutable: &BTreeSet<Name>) -> SymbolItem {
        let name = self.table.sort(&symbol.name);
        let params = symbol.params.iter().filter_map(|param| param.sort.as_ref());
        SymbolItem {
            params: params.map(|sort| self.table.sort(sort)).collect(),
            result: symbol.result.as_ref().map(|sort| self.table.sort(sort)),
            rigid: !mutable.contains(&name.value),
            name,
        }
    }

    /// The axioms and invariants.
    fn lines(&mut self, declarations: &[IvyDeclaration]) -> Vec<Spanned<Item>> {
        let mut items = Vec::new();
        for declaration in declarations {
            let item = match &declaration.value {
                IvyDeclarationKind::Axiom(line) => Item::Axiom(self.line(line)),
                IvyDeclarationKind::Invariant(line) => Item::Safety(self.line(line)),
                _ => continue,
            };
            items.push(Spanned::new(item, declaration.span));
        }
        items
    }

    fn line(&mut self, line: &LabelledFormula) -> LabelledFormula {
        LabelledFormula { label: self.labels.label(line), formula: self.formula(&line.formula) }
    }

    fn formula(&mut self, formula: &Expression) -> Expression {
        let reserved = self.table.names.reserved();
        let rewritten = self
            .table
            .expression(formula, reserved, &|_| None)
            .map(|formula| self.table.with_equivalences(&formula, &[]))
            .and_then(|formula| rename_binders(&formula, reserved));
        rewritten.unwrap_or_else(|obstacle| {
            self.diagnostics.push(obstacle.refused(MODULES));
            Expression::truth(true, formula.span)
        })
    }

    fn actions(
        &mut self,
        declarations: &[IvyDeclaration],
    ) -> (Vec<Spanned<ActionItem>>, Option<Identifier>) {
        self.check_exports();
        let names = self.table.names.clone();
        let mut maker =
            ActionMaker { table: self.table, names, failed: None, diagnostics: self.diagnostics };
        let mut actions = Vec::new();
        for declaration in declarations {
            let IvyDeclarationKind::Action(action) = &declaration.value else { continue };
            if self.table.is_exported(&action.name.value) {
                actions.extend(maker.action(action));
            }
        }
        let failed = maker.failed;
        self.note_unused(declarations);
        (actions, failed)
    }

    fn check_exports(&mut self) {
        for name in &self.table.exported {
            if !self.table.actions.contains_key(&name.value) {
                let message = format!("no action is named `{}`", name.value);
                self.diagnostics.push(Diagnostic::error(CALLS, message, name.span));
            }
        }
        let first = self.table.actions.values().map(|action| action.name.span).min();
        if let Some(span) = first.filter(|_| self.table.exported.is_empty()) {
            let message = "no action is exported: nothing ever happens";
            let hint = "write `export a` for every action that the environment may call";
            self.diagnostics.push(Diagnostic::error(CALLS, message, span).hint(hint));
        }
    }

    /// Actions that are neither exported nor called are ignored.
    fn note_unused(&mut self, declarations: &[IvyDeclaration]) {
        let mut reached: BTreeSet<Name> = BTreeSet::new();
        let mut steps: Vec<IvyStep> = Vec::new();
        for declaration in declarations {
            match &declaration.value {
                IvyDeclarationKind::AfterInit(block, _) => steps.extend(block.iter().cloned()),
                IvyDeclarationKind::Action(action)
                    if self.table.is_exported(&action.name.value) =>
                {
                    reached.insert(action.name.value.clone());
                    steps.extend(action.body.iter().flatten().cloned());
                }
                _ => {}
            }
        }
        collect_assigned(&steps, self.table, &mut reached, &mut BTreeSet::new());
        if self.table.exported.is_empty() {
            return;
        }
        for (name, action) in &self.table.actions {
            if !reached.contains(name) {
                let message = format!("`{name}` is neither exported nor called: it is ignored");
                self.diagnostics.push(ignored(message, action.name.span));
            }
        }
    }

    /// The relation that records a failed assertion, and the property that none fails.
    fn assertions(&mut self, failed: &Identifier) -> (Spanned<Item>, Spanned<Item>) {
        let span = failed.span;
        let symbol =
            SymbolItem { name: failed.clone(), params: Vec::new(), result: None, rigid: false };
        let label = Identifier::new(self.labels.invent("assertions"), span);
        let not = Expression::name(failed.value.clone(), span).negated();
        let line = LabelledFormula { label: Some(label), formula: not };
        (Spanned::new(Item::Symbol(symbol), span), Spanned::new(Item::Owed(line), span))
    }
}

fn unlabelled(formula: Expression) -> LabelledFormula {
    LabelledFormula { label: None, formula }
}
