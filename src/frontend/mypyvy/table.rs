//! The declarations of a mypyvy file, with their names in RML.

use std::collections::{BTreeMap, BTreeSet};

use super::codes::{DECLARED, DEFINITIONS, MOMENTS};
use super::tree::{MypyvyDeclaration, MypyvyDeclarationKind};
use crate::diagnostic::Diagnostic;
use crate::frontend::lowering::definitions::Definitions;
use crate::frontend::lowering::naming::LoweredNames;
use crate::frontend::lowering::rewrite::{
    MacroDefinition, Replacement, RewriteObstacle, rename_binders, with_equivalences,
};
use crate::frontend::lowering::variables::{close, free_names, is_variable};
use crate::frontend::syntax::surface::{
    Binder, Connective, Expression, ExpressionKind, Identifier, SymbolItem,
};
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
    definitions: Definitions,
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
                    let message = format!("`{}` is declared twice", name.value);
                    diagnostics.push(Diagnostic::error(DECLARED, message, name.span));
                }
            }
        }
        for declaration in declarations {
            match &declaration.value {
                MypyvyDeclarationKind::Symbol(symbol) => {
                    table.names.declare(&symbol.name, DECLARED, diagnostics);
                    table.symbols.insert(symbol.name.value.clone(), symbol.clone());
                    if symbol.result.is_none() {
                        let given = table.names.get(&symbol.name.value).cloned();
                        table.formulas.extend(given);
                    }
                }
                MypyvyDeclarationKind::Transition(transition) => {
                    table.names.declare(&transition.name, DECLARED, diagnostics);
                }
                MypyvyDeclarationKind::Definition(name, ..)
                | MypyvyDeclarationKind::Derived(name, _) => {
                    table.names.declare(name, DECLARED, diagnostics);
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
        table.definitions.refuse_circular(DEFINITIONS, diagnostics);
        table.names.share();
        table
    }

    fn define(&mut self, name: &Identifier, params: &[Binder], body: &Expression) {
        let params: Vec<Name> = params.iter().map(|param| param.name.value.clone()).collect();
        let mut known = params.clone();
        known.extend(free_names(body).into_iter().filter(|name| self.names.get(name).is_some()));
        let body = close(body, &known);
        self.definitions.insert(&name.value, MacroDefinition { params, body });
    }

    /// `derived relation d(s): d(X) <-> F` defines `d`.
    fn derive(&mut self, name: &Identifier, axiom: &Expression, diagnostics: &mut Vec<Diagnostic>) {
        let is_declared = |name: &Name| self.names.get(name).is_some();
        match equivalence(name, axiom, &is_declared) {
            Some(definition) => self.definitions.insert(&name.value, definition),
            None => {
                let message = format!("this does not define `{}`", name.value);
                let hint = format!("write `{}(X) <-> …`, with variables on the left", name.value);
                let diagnostic = Diagnostic::error(DEFINITIONS, message, axiom.span);
                diagnostics.push(diagnostic.hint(hint));
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
        self.definitions.contains(name)
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
        let param = |name: &str| Some(Replacement::Name(params.get(name)?.clone(), Vec::new()));
        let sorts = |sort: &str| self.sorts.get(sort).cloned();
        let names = (&self.names, &reserved);
        let written = self.definitions.expand(expression, names, &param, &sorts)?;
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
