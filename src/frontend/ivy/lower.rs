//! From flat Ivy to the surface tree that every front end produces.

use std::collections::BTreeSet;

use super::actions::Maker;
use super::flow::{Flow, Lowering};
use super::init;
use super::locals::written;
use super::table::Table;
use super::tree::{Declaration, DeclarationKind, Step, StepKind, Symbol};
use super::unsupported::{CALLS, INITIAL, MODULES, ignored};
use crate::diagnostic::Diagnostic;
use crate::frontend::bodies::assigned;
use crate::frontend::naming::Names;
use crate::frontend::rewrite::{apart, close, free_names};
use crate::frontend::surface::{
    ActionItem, Binder, Expression, ExpressionKind, Identifier, Item, LabelledFormula, Module,
    SymbolItem,
};
use crate::logic::{Name, Quantifier};
use crate::source::{Span, Spanned};

/// The surface tree of a flat file.
pub(super) fn lower(declarations: &[Declaration], diagnostics: &mut Vec<Diagnostic>) -> Module {
    let table = Table::new(declarations, diagnostics);
    let mut lowerer = Lowerer { table: &table, labels: Names::default(), diagnostics };
    let mut items = lowerer.types(declarations);
    let mut statements = lowerer.lines(declarations);
    let (init, mut mutable) = lowerer.init(declarations);
    let (actions, failed) = lowerer.actions(declarations);
    for action in &actions {
        assigned(&action.value.body, &mut mutable);
    }
    items.extend(lowerer.symbols(declarations, &mutable));
    if let Some(failed) = failed {
        let (declaration, property) = lowerer.assertions(&failed);
        items.push(declaration);
        let not = Expression::new(
            ExpressionKind::Not(name_expression(&failed.value, failed.span)),
            failed.span,
        );
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

struct Lowerer<'a> {
    table: &'a Table,
    labels: Names,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Lowerer<'_> {
    fn types(&mut self, declarations: &[Declaration]) -> Vec<Spanned<Item>> {
        let mut items = Vec::new();
        for declaration in declarations {
            let DeclarationKind::Type(name, values) = &declaration.value else { continue };
            if self.table.is_integers(&name.value) {
                continue;
            }
            let span = declaration.span;
            let sort = self.table.sort(name);
            items.push(Spanned::new(Item::Sorts(vec![sort.clone()]), span));
            if !values.is_empty() {
                items.extend(self.enumeration(&sort, values, span));
            }
        }
        items
    }

    /// Constants for the values, distinct and nothing else.
    fn enumeration(
        &mut self,
        sort: &Identifier,
        values: &[Identifier],
        span: Span,
    ) -> Vec<Spanned<Item>> {
        let mut items = Vec::new();
        let constants: Vec<Identifier> =
            values.iter().map(|value| self.table.sort(value)).collect();
        for name in &constants {
            let symbol = SymbolItem {
                name: name.clone(),
                params: Vec::new(),
                result: Some(sort.clone()),
                rigid: true,
            };
            items.push(Spanned::new(Item::Symbol(symbol), name.span));
        }
        let constants: Vec<Expression> =
            constants.iter().map(|name| name_expression(&name.value, name.span)).collect();
        for (index, left) in constants.iter().enumerate() {
            for right in &constants[index + 1..] {
                items.push(axiom(equal(left.clone(), right.clone(), true), span));
            }
        }
        let variable = name_expression(&"X".into(), span);
        let mut choices: Vec<Expression> =
            constants.into_iter().map(|value| equal(variable.clone(), value, false)).collect();
        let body = match choices.len() {
            1 => choices.remove(0),
            _ => Expression::new(ExpressionKind::Or(choices), span),
        };
        let binder = Binder { name: Identifier::new("X".into(), span), sort: Some(sort.clone()) };
        let all = ExpressionKind::Quantified(Quantifier::Forall, vec![binder], body);
        items.push(axiom(Expression::new(all, span), span));
        items
    }

    fn symbols(
        &mut self,
        declarations: &[Declaration],
        mutable: &BTreeSet<Name>,
    ) -> Vec<Spanned<Item>> {
        let mut items = Vec::new();
        for declaration in declarations {
            let DeclarationKind::Symbol(symbol) = &declaration.value else { continue };
            if self.table.is_defined(&symbol.name.value) {
                continue;
            }
            let item = self.symbol(symbol, mutable);
            items.push(Spanned::new(Item::Symbol(item), declaration.span));
        }
        items
    }

    fn symbol(&self, symbol: &Symbol, mutable: &BTreeSet<Name>) -> SymbolItem {
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
    fn lines(&mut self, declarations: &[Declaration]) -> Vec<Spanned<Item>> {
        let mut items = Vec::new();
        for declaration in declarations {
            let item = match &declaration.value {
                DeclarationKind::Axiom(line) => Item::Axiom(self.line(line)),
                DeclarationKind::Invariant(line) => Item::Safety(self.line(line)),
                _ => continue,
            };
            items.push(Spanned::new(item, declaration.span));
        }
        items
    }

    fn line(&mut self, line: &LabelledFormula) -> LabelledFormula {
        let label = line
            .label
            .as_ref()
            .map(|label| Identifier::new(self.labels.label(&label.value), label.span));
        LabelledFormula { label, formula: self.formula(&line.formula) }
    }

    fn formula(&mut self, formula: &Expression) -> Expression {
        let reserved = self.table.names.taken();
        let rewritten = self
            .table
            .expression(formula, reserved, &|_| None)
            .map(|formula| self.table.with_equivalences(&formula, &[]))
            .and_then(|formula| apart(&formula, reserved));
        rewritten.unwrap_or_else(|obstacle| {
            self.diagnostics.push(obstacle.refused(MODULES));
            Expression::new(ExpressionKind::Truth(true), formula.span)
        })
    }

    /// The initial conditions, and the symbols that are assigned.
    fn init(&mut self, declarations: &[Declaration]) -> (Vec<Expression>, BTreeSet<Name>) {
        let mut steps: Vec<Step> = Vec::new();
        for declaration in declarations {
            match &declaration.value {
                DeclarationKind::Init(line) => {
                    let assume = StepKind::Assume(line.formula.clone());
                    steps.push(Spanned::new(assume, declaration.span));
                }
                DeclarationKind::AfterInit(block) => {
                    steps.push(Spanned::new(StepKind::Block(block.clone()), declaration.span));
                }
                _ => {}
            }
        }
        let mut assigns = BTreeSet::new();
        written(&steps, self.table, &mut BTreeSet::new(), &mut assigns);
        let mut lowering = Lowering::new(self.table, &assigns, self.diagnostics);
        let mut flow = Flow::default();
        lowering.block(&steps, &mut flow);
        let (parameters, checks, names) = (lowering.parameters, lowering.checks, lowering.names);
        if let Some(check) = checks.first() {
            let message = "an assertion about the start is not read here";
            let hint = "write it as an `invariant`";
            self.diagnostics.push(Diagnostic::error(INITIAL, message, check.span).hint(hint));
        }
        let mut mutable = BTreeSet::new();
        assigned(&flow.out, &mut mutable);
        let relations = self.table.formulas();
        let formulas = init::formulas(&flow.out, relations, names.taken(), self.diagnostics);
        let binders = parameters.iter().map(|param| Binder {
            name: Identifier::new(param.name.clone(), param.span),
            sort: Some(self.table.sort(&param.sort)),
        });
        let binders: Vec<Binder> = binders.collect();
        (self.chosen(formulas, binders), mutable)
    }

    /// Formulas that speak of locals hold for some values of them.
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
                let message = "a truth value chosen at the start is not read here";
                self.diagnostics.push(Diagnostic::error(INITIAL, message, truth.name.span));
            }
            let body = match open.len() {
                1 => open.remove(0),
                _ => Expression::new(ExpressionKind::And(open), span),
            };
            let kind = ExpressionKind::Quantified(Quantifier::Exists, binders, body);
            all.push(Expression::new(kind, span));
        }
        let reserved = self.table.names.taken();
        all.iter()
            .map(|formula| apart(formula, reserved).unwrap_or_else(|_| formula.clone()))
            .collect()
    }

    fn actions(
        &mut self,
        declarations: &[Declaration],
    ) -> (Vec<Spanned<ActionItem>>, Option<Identifier>) {
        self.check_exports();
        let names = self.table.names.clone();
        let mut maker =
            Maker { table: self.table, names, failed: None, diagnostics: self.diagnostics };
        let mut actions = Vec::new();
        for declaration in declarations {
            let DeclarationKind::Action(action) = &declaration.value else { continue };
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
                let message = format!("no action is called `{}`", name.value);
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

    /// Actions that nothing exports or calls are left out.
    fn note_unused(&mut self, declarations: &[Declaration]) {
        let mut reached: BTreeSet<Name> = BTreeSet::new();
        let mut steps: Vec<Step> = Vec::new();
        for declaration in declarations {
            match &declaration.value {
                DeclarationKind::AfterInit(block) => steps.extend(block.iter().cloned()),
                DeclarationKind::Action(action) if self.table.is_exported(&action.name.value) => {
                    reached.insert(action.name.value.clone());
                    steps.extend(action.body.iter().flatten().cloned());
                }
                _ => {}
            }
        }
        written(&steps, self.table, &mut reached, &mut BTreeSet::new());
        if self.table.exported.is_empty() {
            return;
        }
        for (name, action) in &self.table.actions {
            if !reached.contains(name) {
                let message = format!("`{name}` is neither exported nor called: it is left out");
                self.diagnostics.push(ignored(message, action.name.span));
            }
        }
    }

    /// The relation that says that an assertion failed, and the property that none does.
    fn assertions(&mut self, failed: &Identifier) -> (Spanned<Item>, Spanned<Item>) {
        let span = failed.span;
        let symbol =
            SymbolItem { name: failed.clone(), params: Vec::new(), result: None, rigid: false };
        let label = Identifier::new(self.labels.invent("assertions"), span);
        let not = ExpressionKind::Not(name_expression(&failed.value, span));
        let line = LabelledFormula { label: Some(label), formula: Expression::new(not, span) };
        (Spanned::new(Item::Symbol(symbol), span), Spanned::new(Item::Owed(line), span))
    }
}

fn name_expression(name: &Name, span: Span) -> Expression {
    Expression::new(ExpressionKind::Name(name.clone()), span)
}

fn equal(left: Expression, right: Expression, negated: bool) -> Expression {
    let span = left.span;
    Expression::new(ExpressionKind::Equal { left, right, negated }, span)
}

fn axiom(formula: Expression, span: Span) -> Spanned<Item> {
    Spanned::new(Item::Axiom(unlabelled(formula)), span)
}

fn unlabelled(formula: Expression) -> LabelledFormula {
    LabelledFormula { label: None, formula }
}
