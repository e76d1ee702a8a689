//! The declarations of a flat file, with their names in RML.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::Diagnostic;
use crate::frontend::ivy::parse::tree::{
    ActionDeclaration, IvyDeclaration, IvyDeclarationKind, IvySymbol,
};
use crate::frontend::ivy::parse::unsupported::{
    CALLS, DEFINITIONS, MODULES, reserved_by_ivy, reserved_local,
};
use crate::frontend::lowering::definitions::Definitions;
use crate::frontend::lowering::name_set::NameSet;
use crate::frontend::lowering::naming::LoweredNames;
use crate::frontend::lowering::rewrite::{
    MacroDefinition, NameLookup, RewriteObstacle, with_equivalences,
};
use crate::frontend::lowering::variables::{free_names, is_variable};
use crate::frontend::syntax::surface::{Binder, Expression, Identifier};
use crate::logic::Name;

/// The declared things of a file, by their whole names.
#[derive(Default)]
pub(crate) struct IvyTable {
    /// The names of sorts, symbols and actions.
    pub(crate) names: LoweredNames,
    /// Sorts that stand for the integers.
    integers: BTreeSet<Name>,
    /// Symbols that are declared and not defined.
    symbols: BTreeMap<Name, IvySymbol>,
    /// The definitions.
    pub(crate) definitions: Definitions,
    /// Their names, in the order written.
    pub(crate) defined: Vec<Name>,
    /// Relations and definitions that are formulas, by their RML names.
    formulas: BTreeSet<Name>,
    /// The actions.
    pub(crate) actions: BTreeMap<Name, ActionDeclaration>,
    /// The actions that the environment may call, in the order exported.
    pub(crate) exported: Vec<Identifier>,
    /// Their names.
    exported_names: BTreeSet<Name>,
}

impl IvyTable {
    /// Collects the declarations of a flat file.
    pub(crate) fn new(declarations: &[IvyDeclaration], diagnostics: &mut Vec<Diagnostic>) -> Self {
        let mut table = IvyTable::default();
        for declaration in declarations {
            if let IvyDeclarationKind::Integers(sort) = &declaration.value {
                table.integers.insert(sort.value.clone());
            }
        }
        for declaration in declarations {
            match &declaration.value {
                IvyDeclarationKind::Type(name, values) => {
                    table.claim(name, diagnostics);
                    values.iter().for_each(|value| table.claim(value, diagnostics));
                }
                IvyDeclarationKind::Symbol(symbol) => table.symbol(symbol, diagnostics),
                IvyDeclarationKind::Action(action) => table.action(action, diagnostics),
                IvyDeclarationKind::Export(name) => table.export(name),
                _ => {}
            }
        }
        table.check_names(declarations, diagnostics);
        table.definitions.refuse_circular(DEFINITIONS, diagnostics);
        table.names.share();
        table
    }

    /// Refuses names that mean something else to Ivy.
    fn check_names(&self, declarations: &[IvyDeclaration], diagnostics: &mut Vec<Diagnostic>) {
        let is_symbol =
            |name: &str| self.symbols.contains_key(name) || self.definitions.contains(name);
        for declaration in declarations {
            match &declaration.value {
                IvyDeclarationKind::Symbol(symbol) => {
                    diagnostics.extend(reserved_by_ivy(&symbol.name, &is_symbol));
                }
                IvyDeclarationKind::Action(action) => {
                    let locals = action.params.iter().chain(&action.returns);
                    diagnostics.extend(locals.filter_map(|local| reserved_local(&local.name)));
                }
                _ => {}
            }
        }
    }

    fn export(&mut self, name: &Identifier) {
        self.exported.push(name.clone());
        self.exported_names.insert(name.value.clone());
    }

    /// Whether the environment may call an action.
    pub(crate) fn is_exported(&self, action: &Name) -> bool {
        self.exported_names.contains(action)
    }

    fn claim(&mut self, name: &Identifier, diagnostics: &mut Vec<Diagnostic>) {
        self.names.declare(name, MODULES, diagnostics);
    }

    fn symbol(&mut self, symbol: &IvySymbol, diagnostics: &mut Vec<Diagnostic>) {
        let name = &symbol.name;
        let known = self.symbols.remove(&name.value);
        let is_formula =
            known.as_ref().map_or(symbol.result.is_none(), |known| known.result.is_none());
        match &symbol.definition {
            Some(body) => {
                if known.is_none() {
                    self.claim(name, diagnostics);
                }
                self.define(symbol, body, diagnostics);
            }
            None => {
                self.claim(name, diagnostics);
                check_params(symbol, diagnostics);
                self.symbols.insert(name.value.clone(), symbol.clone());
            }
        }
        if is_formula && let Some(given) = self.names.get(&name.value) {
            self.formulas.insert(given.clone());
        }
    }

    fn define(&mut self, symbol: &IvySymbol, body: &Expression, diagnostics: &mut Vec<Diagnostic>) {
        let name = &symbol.name;
        let params: Vec<Name> =
            symbol.params.iter().map(|param| param.name.value.clone()).collect();
        let open =
            free_names(body).into_iter().find(|name| is_variable(name) && !params.contains(name));
        if let Some(open) = open {
            let message = format!("`{open}` is not a parameter of `{}`", name.value);
            let hint = "bind it with `forall` or `exists`";
            diagnostics.push(Diagnostic::error(DEFINITIONS, message, body.span).hint(hint));
        }
        let definition = MacroDefinition { params, body: body.clone() };
        self.definitions.insert(&name.value, definition);
        self.defined.push(name.value.clone());
    }

    fn action(&mut self, action: &ActionDeclaration, diagnostics: &mut Vec<Diagnostic>) {
        self.claim(&action.name, diagnostics);
        if action.exported {
            self.export(&action.name);
        }
        for binder in action.params.iter().chain(&action.returns) {
            if binder.sort.is_none() {
                let message = format!("the type of `{}` is missing", binder.name.value);
                diagnostics.push(Diagnostic::error(CALLS, message, binder.name.span));
            }
        }
        self.actions.insert(action.name.value.clone(), action.clone());
    }

    /// The RML name of a sort.
    pub(crate) fn sort(&self, sort: &Identifier) -> Identifier {
        let name = self.sort_name(&sort.value).unwrap_or_else(|| sort.value.clone());
        Identifier::new(name, sort.span)
    }

    fn sort_name(&self, sort: &str) -> Option<Name> {
        if self.integers.contains(sort) {
            Some("int".into())
        } else {
            self.names.get(sort).cloned()
        }
    }

    /// An expression in RML: definitions are expanded, and `first` says what local
    /// names stand for.
    pub(crate) fn expression(
        &self,
        expression: &Expression,
        reserved: &NameSet,
        first: NameLookup<'_>,
    ) -> Result<Expression, RewriteObstacle> {
        let sorts = |sort: &str| self.sort_name(sort);
        self.definitions.expand(expression, (&self.names, reserved), first, &sorts)
    }

    /// Relations and other formulas, by their RML names.
    pub(crate) fn formulas(&self) -> &BTreeSet<Name> {
        &self.formulas
    }

    /// Whether a sort stands for the integers.
    pub(crate) fn is_integers(&self, sort: &Name) -> bool {
        self.integers.contains(sort)
    }

    /// Whether a symbol stands for a formula that is expanded.
    pub(crate) fn is_defined(&self, name: &str) -> bool {
        self.definitions.contains(name)
    }

    /// The same expression with `<->` for `=` between formulas; `truths` are formulas as well.
    pub(crate) fn with_equivalences(&self, expression: &Expression, truths: &[Name]) -> Expression {
        let is_formula = |name: &Name| self.formulas.contains(name) || truths.contains(name);
        with_equivalences(expression, &is_formula)
    }
}

/// Every argument of a symbol needs a type, and none can be a truth value.
fn check_params(symbol: &IvySymbol, diagnostics: &mut Vec<Diagnostic>) {
    for Binder { name, sort } in &symbol.params {
        let message = match sort {
            None => format!("the type of `{}` is missing", name.value),
            Some(sort) if &*sort.value == "bool" => {
                format!("`{}` takes a Boolean argument, which is not supported", symbol.name.value)
            }
            Some(_) => continue,
        };
        diagnostics.push(Diagnostic::error(MODULES, message, name.span));
    }
}
