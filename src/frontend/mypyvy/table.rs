//! The declarations of a mypyvy file, with their names in RML.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::codes::{DECLARED, DEFINITIONS, MOMENTS};
use super::tree::{MypyvyDeclaration, MypyvyDeclarationKind};
use crate::diagnostic::Diagnostic;
use crate::frontend::lowering::naming::LoweredNames;
use crate::frontend::lowering::rewrite::{
    MacroDefinition, NameMeaning, Replacement, RewriteObstacle, rename_binders, rewrite_as,
    with_equivalences,
};
use crate::frontend::syntax::surface::{
    Binder, Connective, Expression, ExpressionKind, Identifier, SymbolItem,
};
use crate::frontend::syntax::variables::{close, free_names, is_variable};
use crate::logic::{Name, Quantifier};

/// The declared things of a file, by their names in it.
#[derive(Default)]
pub(super) struct MypyvyTable {
    /// The names of sorts, which mypyvy keeps apart from the others.
    sorts: BTreeMap<Name, Name>,
    /// The names of symbols and transitions.
    pub(super) names: LoweredNames,
    /// The symbols.
    pub(super) symbols: BTreeMap<Name, SymbolItem>,
    definitions: BTreeMap<Name, Rc<MacroDefinition>>,
    /// Relations, by their RML names.
    formulas: BTreeSet<Name>,
}

impl MypyvyTable {
    /// Collects the declarations of a file.
    pub(super) fn new(
        declarations: &[MypyvyDeclaration],
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Self {
        let mut table = MypyvyTable::default();
        for declaration in declarations {
            if let MypyvyDeclarationKind::Sort(name) = &declaration.value {
                let given = table.names.invent(&name.value);
                if table.sorts.insert(name.value.clone(), given).is_some() {
                    diagnostics.push(declared_twice(name));
                }
            }
        }
        for declaration in declarations {
            match &declaration.value {
                MypyvyDeclarationKind::Symbol(symbol) => {
                    table.claim(&symbol.name, diagnostics);
                    table.symbols.insert(symbol.name.value.clone(), symbol.clone());
                    if symbol.result.is_none() {
                        let given = table.names.get(&symbol.name.value).cloned();
                        table.formulas.extend(given);
                    }
                }
                MypyvyDeclarationKind::Transition(transition) => {
                    table.claim(&transition.name, diagnostics);
                }
                MypyvyDeclarationKind::Definition(name, ..)
                | MypyvyDeclarationKind::Derived(name, _) => {
                    table.claim(name, diagnostics);
                }
                _ => {}
            }
        }
        // Which capitalised names are variables is known when all are declared.
        for declaration in declarations {
            match &declaration.value {
                MypyvyDeclarationKind::Definition(name, params, body) => {
                    table.define(name, params, body)
                }
                MypyvyDeclarationKind::Derived(name, axiom) => {
                    table.derive(name, axiom, diagnostics)
                }
                _ => {}
            }
        }
        table.check_definitions(diagnostics);
        table.names.share();
        table
    }

    fn claim(&mut self, name: &Identifier, diagnostics: &mut Vec<Diagnostic>) {
        if self.names.get(&name.value).is_some() {
            diagnostics.push(declared_twice(name));
        }
        self.names.claim(&name.value);
    }

    fn define(&mut self, name: &Identifier, params: &[Binder], body: &Expression) {
        let params: Vec<Name> = params.iter().map(|param| param.name.value.clone()).collect();
        let mut known = params.clone();
        known.extend(free_names(body).into_iter().filter(|name| self.names.get(name).is_some()));
        let body = close(body, &known);
        let definition = Rc::new(MacroDefinition { params, body });
        self.definitions.insert(name.value.clone(), definition);
    }

    /// `derived relation d(s): d(X) <-> F` defines `d`.
    fn derive(&mut self, name: &Identifier, axiom: &Expression, diagnostics: &mut Vec<Diagnostic>) {
        let is_declared = |name: &Name| self.names.get(name).is_some();
        match equivalence(name, axiom, &is_declared) {
            Some(definition) => {
                self.definitions.insert(name.value.clone(), Rc::new(definition));
            }
            None => {
                let message = format!("this does not define `{}`", name.value);
                let hint = format!("write `{}(X) <-> …`, with variables on the left", name.value);
                let diagnostic = Diagnostic::error(DEFINITIONS, message, axiom.span);
                diagnostics.push(diagnostic.hint(hint));
            }
        }
    }

    /// Refuses definitions that lead back to themselves.
    fn check_definitions(&mut self, diagnostics: &mut Vec<Diagnostic>) {
        let names: Vec<Name> = self.definitions.keys().cloned().collect();
        for name in names {
            let mut reached = BTreeSet::new();
            let mut waiting = vec![name.clone()];
            while let Some(next) = waiting.pop() {
                let Some(definition) = self.definitions.get(&next) else { continue };
                let used = free_names(&definition.body).into_iter();
                let used = used.filter(|used| !definition.params.contains(used));
                waiting.extend(used.filter(|used| reached.insert(used.clone())));
            }
            if reached.contains(&name)
                && let Some(definition) = self.definitions.remove(&name)
            {
                let message = format!("the definition of `{name}` is circular");
                let span = definition.body.span;
                diagnostics.push(Diagnostic::error(DEFINITIONS, message, span));
            }
        }
    }

    /// The RML name of a sort.
    pub(super) fn sort(&self, sort: &Identifier) -> Identifier {
        let name = self.sorts.get(&sort.value).unwrap_or(&sort.value).clone();
        Identifier::new(name, sort.span)
    }

    /// The RML name of a symbol or transition.
    pub(super) fn name(&self, name: &Identifier) -> Identifier {
        let given = self.names.get(&name.value).unwrap_or(&name.value).clone();
        Identifier::new(given, name.span)
    }

    /// Whether a symbol is given by a formula.
    pub(super) fn is_defined(&self, name: &str) -> bool {
        self.definitions.contains_key(name)
    }

    /// An expression with expanded definitions and RML names; `params` stand for
    /// themselves under new names.
    pub(super) fn expression(
        &self,
        expression: &Expression,
        params: &BTreeMap<Name, Name>,
    ) -> Result<Expression, RewriteObstacle> {
        let mut reserved = self.names.reserved().clone();
        reserved.extend(params.values().cloned());
        let everywhere = |name: &str| {
            if let Some(definition) = self.definitions.get(name) {
                return Some(Replacement::Definition(definition.clone()));
            }
            let given = self.names.get(name)?;
            Some(Replacement::Name(given.clone(), Vec::new()))
        };
        let here = |name: &str| match params.get(name) {
            Some(param) => Some(Replacement::Name(param.clone(), Vec::new())),
            None => everywhere(name),
        };
        let sorts = |sort: &str| self.sorts.get(sort).cloned();
        let meaning = NameMeaning { here: &here, everywhere: &everywhere, sorts: &sorts };
        let written = rewrite_as(expression, &reserved, meaning)?;
        let is_formula = |name: &Name| self.formulas.contains(name);
        rename_binders(&with_equivalences(&written, &is_formula), &reserved)
    }
}

/// The refusal of what could not be expanded.
pub(super) fn refused(obstacle: &RewriteObstacle) -> Diagnostic {
    obstacle.refused(match obstacle {
        RewriteObstacle::ThirdState(..) => MOMENTS,
        RewriteObstacle::TooLarge(_) | RewriteObstacle::Arity(..) => DEFINITIONS,
    })
}

fn declared_twice(name: &Identifier) -> Diagnostic {
    let message = format!("`{}` is declared twice", name.value);
    Diagnostic::error(DECLARED, message, name.span)
}

/// The definition that an equivalence gives: variables on the left, each once, and no others.
fn equivalence(
    name: &Identifier,
    axiom: &Expression,
    is_declared: &dyn Fn(&Name) -> bool,
) -> Option<MacroDefinition> {
    let (binders, body): (&[Binder], &Expression) = match &*axiom.kind {
        ExpressionKind::Quantified(Quantifier::Forall, binders, body) => (binders, body),
        _ => (&[], axiom),
    };
    let (ExpressionKind::Connective(Connective::Iff, left, right)
    | ExpressionKind::Equal { left, right, negated: false }) = &*body.kind
    else {
        return None;
    };
    let defined = |side: &Expression| {
        let (found, arguments) = side.as_applied()?;
        (*found == name.value).then(|| arguments.to_vec())
    };
    let (arguments, value) = match defined(left) {
        Some(arguments) => (arguments, right),
        None => (defined(right)?, left),
    };
    let is_bound = |name: &Name| {
        let bound = binders.iter().any(|binder| binder.name.value == *name);
        bound || is_variable(name) && !is_declared(name)
    };
    let mut params: Vec<Name> = Vec::new();
    for argument in &arguments {
        let param = argument.as_name()?;
        if params.contains(param) || !is_bound(param) {
            return None;
        }
        params.push(param.clone());
    }
    let open = free_names(value).into_iter().any(|name| is_bound(&name) && !params.contains(&name));
    (!open).then(|| MacroDefinition { params, body: value.clone() })
}
