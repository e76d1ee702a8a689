//! Expands modules, objects and isolates: the result is flat, with qualified names.

use std::collections::{BTreeMap, BTreeSet};

use super::scope::{IvyScope, Leading, ScopeFrame, declared_names};
use crate::diagnostic::Diagnostic;
use crate::frontend::ivy::parse::tree::{
    ActionDeclaration, IvyCopies, IvyDeclaration, IvyDeclarationKind, IvyInstance, IvyStep,
    IvySymbol, Trust,
};
use crate::frontend::ivy::parse::unsupported::MODULES;
use crate::frontend::lowering::rewrite::RewriteObstacle;
use crate::frontend::lowering::variables::is_variable;
use crate::frontend::syntax::surface::{Binder, Expression, Identifier, LabelledFormula};
use crate::logic::{Name, fresh_name};
use crate::source::{Span, Spanned};

/// The deepest nesting of instances: more means that a module contains itself.
const DEEPEST: usize = 32;

/// The most declarations of a file after expanding modules.
const MOST: usize = 20_000;

/// A module: its parameters and what it declares.
pub(crate) type IvyModule = (Vec<Identifier>, Vec<IvyDeclaration>);

/// Writes out every module, object and isolate.
pub(crate) fn expand(
    declarations: &[IvyDeclaration],
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<IvyDeclaration> {
    let mut modules = BTreeMap::new();
    collect_modules(declarations, &mut modules, diagnostics);
    let mut expander = Expander {
        modules,
        scope: IvyScope::default(),
        trust: Trust::Proved,
        depth: 0,
        output: Vec::new(),
        diagnostics,
    };
    let declared = declared_names(declarations, &expander.modules, 0);
    expander.within(ScopeFrame { declared, ..ScopeFrame::default() }, |expander| {
        expander.declarations(declarations);
    });
    expander.output
}

/// Modules are known by their own name, wherever they are declared.
fn collect_modules(
    declarations: &[IvyDeclaration],
    modules: &mut BTreeMap<Name, IvyModule>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    for declaration in declarations {
        match &declaration.value {
            IvyDeclarationKind::Module(name, params, body) => {
                let module = (params.clone(), body.clone());
                if modules.insert(name.value.clone(), module).is_some() {
                    let message = format!("the module `{}` is declared twice", name.value);
                    diagnostics.push(Diagnostic::error(MODULES, message, name.span));
                }
                collect_modules(body, modules, diagnostics);
            }
            IvyDeclarationKind::Object(_, _, body) | IvyDeclarationKind::Group(body) => {
                collect_modules(body, modules, diagnostics);
            }
            _ => {}
        }
    }
}

struct Expander<'a> {
    modules: BTreeMap<Name, IvyModule>,
    scope: IvyScope,
    trust: Trust,
    depth: usize,
    output: Vec<IvyDeclaration>,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Expander<'_> {
    fn within(&mut self, frame: ScopeFrame, run: impl FnOnce(&mut Self)) {
        self.scope.frames.push(frame);
        run(self);
        self.scope.frames.pop();
    }

    fn declarations(&mut self, declarations: &[IvyDeclaration]) {
        for declaration in declarations {
            if self.output.len() > MOST {
                return;
            }
            self.declaration(declaration);
        }
    }

    fn emit(&mut self, kind: IvyDeclarationKind, span: Span) {
        self.output.push(Spanned::new(kind, span));
        if self.output.len() == MOST + 1 {
            let message = format!("more than {MOST} declarations after expanding modules");
            self.diagnostics.push(Diagnostic::error(MODULES, message, span));
        }
    }

    fn declaration(&mut self, declaration: &IvyDeclaration) {
        let span = declaration.span;
        let flat = match &declaration.value {
            IvyDeclarationKind::Module(..) => return,
            IvyDeclarationKind::Group(body) => return self.declarations(body),
            IvyDeclarationKind::Object(name, trust, body) => {
                return self.object(name, *trust, body);
            }
            IvyDeclarationKind::Instance(instance) => return self.instance(instance, span),
            IvyDeclarationKind::Type(name, values) => {
                let values = values.iter().map(|value| self.scope.declared(value)).collect();
                IvyDeclarationKind::Type(self.scope.declared(name), values)
            }
            IvyDeclarationKind::Integers(name) => {
                IvyDeclarationKind::Integers(self.scope.sort(name))
            }
            IvyDeclarationKind::Symbol(symbol) => IvyDeclarationKind::Symbol(self.symbol(symbol)),
            IvyDeclarationKind::Axiom(line) => IvyDeclarationKind::Axiom(self.line(line)),
            IvyDeclarationKind::Init(line) => IvyDeclarationKind::Init(self.line(line)),
            IvyDeclarationKind::Invariant(line) => IvyDeclarationKind::Invariant(self.line(line)),
            IvyDeclarationKind::Export(name) => IvyDeclarationKind::Export(self.scope.sort(name)),
            IvyDeclarationKind::AfterInit(steps, _) => self.after_init(steps),
            IvyDeclarationKind::Action(action) => IvyDeclarationKind::Action(self.action(action)),
        };
        self.emit(flat, span);
    }

    fn failed<T: Default>(&mut self, obstacle: &RewriteObstacle) -> T {
        self.diagnostics.push(obstacle.refused(MODULES));
        T::default()
    }

    /// A formula with whole names, except those that are `bound`.
    fn formula(&mut self, formula: &Expression, bound: &[Name]) -> Expression {
        let whole = self.scope.expression(formula, Leading::Variables, bound);
        whole.unwrap_or_else(|obstacle| {
            self.diagnostics.push(obstacle.refused(MODULES));
            formula.clone()
        })
    }

    fn line(&mut self, line: &LabelledFormula) -> LabelledFormula {
        let label = line.label.as_ref().map(|label| self.scope.declared(label));
        LabelledFormula { label, formula: self.formula(&line.formula, &[]) }
    }

    fn symbol(&mut self, symbol: &IvySymbol) -> IvySymbol {
        let mut params = self.scope.leading(Leading::Variables);
        params.extend(self.scope.binders(&symbol.params));
        let bound: Vec<Name> = symbol.params.iter().map(|param| param.name.value.clone()).collect();
        let definition = symbol.definition.as_ref();
        let definition = definition.map(|definition| self.formula(definition, &bound));
        IvySymbol {
            name: self.scope.declared(&symbol.name),
            params,
            result: symbol.result.as_ref().map(|sort| self.scope.sort(sort)),
            definition,
            only_defined: symbol.only_defined,
        }
    }

    fn action(&mut self, action: &ActionDeclaration) -> ActionDeclaration {
        let mut params = self.scope.leading(Leading::Parameters);
        params.extend(self.scope.binders(&action.params));
        let returns = self.scope.binders(&action.returns);
        let locals = action.params.iter().chain(&action.returns);
        let mut locals: Vec<Name> = locals.map(|local| local.name.value.clone()).collect();
        let body = action.body.as_ref().map(|body| {
            let steps = self.scope.steps(body, Leading::Parameters, self.trust, &mut locals);
            steps.unwrap_or_else(|obstacle| self.failed(&obstacle))
        });
        let name = self.scope.declared(&action.name);
        ActionDeclaration { name, params, returns, body, exported: action.exported }
    }

    fn after_init(&mut self, steps: &[IvyStep]) -> IvyDeclarationKind {
        let locals = &mut Vec::new();
        let steps = self.scope.steps(steps, Leading::Variables, self.trust, locals);
        let once = self.scope.leading(Leading::Variables).is_empty();
        let copies = if once { IvyCopies::One } else { IvyCopies::Many };
        IvyDeclarationKind::AfterInit(steps.unwrap_or_else(|found| self.failed(&found)), copies)
    }

    fn object(&mut self, name: &Identifier, trust: Trust, body: &[IvyDeclaration]) {
        let prefix = self.scope.declared(name).value;
        let declared = declared_names(body, &self.modules, 0);
        let outside = self.trust;
        if trust == Trust::Assumed {
            self.trust = trust;
        }
        self.within(ScopeFrame { prefix, declared, ..ScopeFrame::default() }, |expander| {
            expander.declarations(body);
        });
        self.trust = outside;
    }

    fn instance(&mut self, instance: &IvyInstance, span: Span) {
        let module = self.modules.get(&instance.module.value).cloned();
        let Some((params, body)) = module else {
            let message = format!("no module is named `{}`", instance.module.value);
            let hint = "modules of Ivy's library are not supported: copy the module into this file";
            let diagnostic = Diagnostic::error(MODULES, message, instance.module.span);
            return self.diagnostics.push(diagnostic.hint(hint));
        };
        if params.len() != instance.actuals.len() || self.depth >= DEEPEST {
            let (wanted, found) = (params.len(), instance.actuals.len());
            let message = if wanted == found {
                format!("instances are nested more than {DEEPEST} deep: a module contains itself")
            } else {
                format!("`{}` takes {wanted} parameters, not {found}", instance.module.value)
            };
            return self.diagnostics.push(Diagnostic::error(MODULES, message, span));
        }
        if let Some(variable) = instance.actuals.iter().find(|actual| is_variable(&actual.value)) {
            let message = format!("`{}` is a variable", variable.value);
            let hint = "a module takes names of types, symbols and actions";
            let diagnostic = Diagnostic::error(MODULES, message, variable.span);
            return self.diagnostics.push(diagnostic.hint(hint));
        }
        let leading = self.leading_params(&instance.params);
        let actuals = instance.actuals.iter().map(|actual| self.scope.sort(actual).value);
        let actuals = params.iter().map(|param| param.value.clone()).zip(actuals).collect();
        let frame = ScopeFrame {
            prefix: match &instance.name {
                Some(name) => self.scope.declared(name).value,
                None => self.scope.prefix(),
            },
            declared: declared_names(&body, &self.modules, 0),
            actuals,
            leading,
        };
        self.depth += 1;
        self.within(frame, |expander| expander.declarations(&body));
        self.depth -= 1;
    }

    /// The parameters of an instance; instances inside each other may use the same names.
    fn leading_params(&mut self, params: &[Binder]) -> Vec<Binder> {
        let around = self.scope.leading(Leading::Variables);
        let mut taken: BTreeSet<String> =
            around.iter().map(|binder| distinguishing_name(&binder.name.value)).collect();
        let mut leading = Vec::new();
        for param in params {
            let Identifier { value: name, span } = &param.name;
            if param.sort.is_none() {
                let message = format!("the type of `{name}` is missing");
                self.diagnostics.push(Diagnostic::error(MODULES, message, *span));
            }
            let name = fresh_name(name, |name| taken.contains(&distinguishing_name(name)));
            taken.insert(distinguishing_name(&name));
            let sort = param.sort.as_ref().map(|sort| self.scope.sort(sort));
            leading.push(Binder { name: Identifier::new(name, *span), sort });
        }
        leading
    }
}

/// What distinguishes copies, whether variables or parameters.
fn distinguishing_name(name: &str) -> String {
    name.trim_end_matches('\'').to_lowercase()
}
