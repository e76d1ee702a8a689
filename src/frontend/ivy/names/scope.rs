//! Resolves names inside modules, objects and instances to qualified names.

use std::collections::{BTreeMap, BTreeSet};

use super::expand_modules::IvyModule;
use crate::frontend::ivy::parse::tree::{
    IvyDeclaration, IvyDeclarationKind, IvyPlace, IvyStep, IvyValue, StepKind, Trust,
};
use crate::frontend::lowering::name_set::NameSet;
use crate::frontend::lowering::rewrite::{NameMeaning, Replacement, RewriteObstacle, rewrite_as};
use crate::frontend::syntax::surface::{Binder, Expression, Identifier};
use crate::logic::Name;
use crate::source::Spanned;

/// The names of one module, object or instance.
#[derive(Clone, Debug, Default)]
pub(crate) struct ScopeFrame {
    /// What stands before its names; empty outside everything.
    pub(crate) prefix: Name,
    /// The names that it declares.
    pub(crate) declared: BTreeSet<Name>,
    /// What the parameters of the module stand for.
    pub(crate) actuals: BTreeMap<Name, Name>,
    /// There is one copy for each tuple of these.
    pub(crate) leading: Vec<Binder>,
}

/// How the copies of an instance are distinguished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leading {
    /// By variables: in formulas.
    Variables,
    /// By parameters: in actions.
    Parameters,
}

/// The frames around a declaration, innermost last.
#[derive(Default)]
pub(crate) struct IvyScope {
    pub(crate) frames: Vec<ScopeFrame>,
}

impl IvyScope {
    /// What stands before the names declared here.
    pub(crate) fn prefix(&self) -> Name {
        self.frames.last().map_or_else(|| "".into(), |frame| frame.prefix.clone())
    }

    /// The whole name of something declared here.
    pub(crate) fn declared(&self, name: &Identifier) -> Identifier {
        let prefix = self.prefix();
        let whole =
            if &*name.value == "this" { prefix } else { qualified_name(&prefix, &name.value) };
        Identifier::new(whole, name.span)
    }

    /// The whole name of a sort, action or module parameter mentioned here.
    pub(crate) fn sort(&self, name: &Identifier) -> Identifier {
        let whole = self.resolve(&name.value).map(|(whole, _)| whole);
        Identifier::new(whole.unwrap_or_else(|| name.value.clone()), name.span)
    }

    /// The arguments that distinguish the copies of the innermost instance.
    pub(crate) fn leading(&self, style: Leading) -> Vec<Binder> {
        let frames = self.frames.iter().flat_map(|frame| &frame.leading);
        frames.map(|binder| styled(binder, style)).collect()
    }

    /// Binders with whole names for sorts.
    pub(crate) fn binders(&self, binders: &[Binder]) -> Vec<Binder> {
        let whole = |binder: &Binder| Binder {
            name: binder.name.clone(),
            sort: binder.sort.as_ref().map(|sort| self.sort(sort)),
        };
        binders.iter().map(whole).collect()
    }

    /// The whole name that a name stands for, and how many frames distinguish its copies.
    fn resolve(&self, name: &str) -> Option<(Name, usize)> {
        let (first, rest) = name.split_once('.').map_or((name, None), |(a, b)| (a, Some(b)));
        for (index, frame) in self.frames.iter().enumerate().rev() {
            if let Some(actual) = frame.actuals.get(first) {
                let whole =
                    rest.map_or_else(|| actual.clone(), |rest| qualified_name(actual, rest));
                return Some((whole, 0));
            }
            if first == "this" {
                let whole = rest.map_or_else(
                    || frame.prefix.clone(),
                    |rest| qualified_name(&frame.prefix, rest),
                );
                return Some((whole, index + 1));
            }
            if frame.declared.contains(first) {
                return Some((qualified_name(&frame.prefix, name), index + 1));
            }
        }
        None
    }

    fn replacement(&self, name: &str, style: Leading, locals: &[Name]) -> Option<Replacement> {
        if locals.iter().any(|local| &**local == name) {
            return None;
        }
        let (whole, frames) = self.resolve(name)?;
        let binders = self.frames[..frames].iter().flat_map(|frame| &frame.leading);
        let leading = binders.map(|binder| {
            let binder = styled(binder, style);
            Expression::name(binder.name.value, binder.name.span)
        });
        Some(Replacement::Name(whole, leading.collect()))
    }

    /// An expression with whole names; `locals` stand for themselves.
    pub(crate) fn expression(
        &self,
        expression: &Expression,
        style: Leading,
        locals: &[Name],
    ) -> Result<Expression, RewriteObstacle> {
        let nothing = NameSet::default();
        let replace = |name: &str| self.replacement(name, style, locals);
        let sorts = |sort: &str| self.resolve(sort).map(|(whole, _)| whole);
        let meaning = NameMeaning { here: &replace, everywhere: &|_| None, sorts: &sorts };
        rewrite_as(expression, &nothing, meaning)
    }

    /// Statements with whole names; `locals` grows by what they declare.
    pub(crate) fn steps(
        &self,
        steps: &[IvyStep],
        style: Leading,
        trust: Trust,
        locals: &mut Vec<Name>,
    ) -> Result<Vec<IvyStep>, RewriteObstacle> {
        let outside = locals.len();
        let renamed: Result<Vec<IvyStep>, RewriteObstacle> =
            steps.iter().map(|step| self.step(step, style, trust, locals)).collect();
        locals.truncate(outside);
        renamed
    }

    fn step(
        &self,
        step: &IvyStep,
        style: Leading,
        trust: Trust,
        locals: &mut Vec<Name>,
    ) -> Result<IvyStep, RewriteObstacle> {
        let mut block = |steps: &[IvyStep], more: &[Binder]| {
            let outside = locals.len();
            locals.extend(more.iter().map(|binder| binder.name.value.clone()));
            let steps = self.steps(steps, style, trust, locals);
            locals.truncate(outside);
            steps
        };
        let kind = match &step.value {
            StepKind::Block(steps) => StepKind::Block(block(steps, &[])?),
            StepKind::Either(then, otherwise) => {
                StepKind::Either(block(then, &[])?, block(otherwise, &[])?)
            }
            StepKind::Local(binders, steps) => {
                StepKind::Local(self.binders(binders), block(steps, binders)?)
            }
            StepKind::If(condition, then, otherwise) => {
                let (then, otherwise) = (block(then, &[])?, block(otherwise, &[])?);
                StepKind::If(self.expression(condition, style, locals)?, then, otherwise)
            }
            StepKind::Some(binders, formula, then, otherwise) => {
                let (then, otherwise) = (block(then, binders)?, block(otherwise, &[])?);
                let mut inside = locals.clone();
                inside.extend(binders.iter().map(|binder| binder.name.value.clone()));
                let formula = self.expression(formula, style, &inside)?;
                StepKind::Some(self.binders(binders), formula, then, otherwise)
            }
            StepKind::Assume(formula) => StepKind::Assume(self.expression(formula, style, locals)?),
            StepKind::Require(formula) => {
                StepKind::Require(self.expression(formula, style, locals)?)
            }
            StepKind::Assert(formula) => {
                let formula = self.expression(formula, style, locals)?;
                match trust {
                    Trust::Proved => StepKind::Assert(formula),
                    Trust::Assumed => StepKind::Assume(formula),
                }
            }
            StepKind::Call(call) => StepKind::Call(self.expression(call, style, locals)?),
            StepKind::Assign(places, value) => {
                let places = places.iter().map(|place| self.place(place, style, locals));
                let places = places.collect::<Result<Vec<_>, _>>()?;
                StepKind::Assign(places, self.value(value, style, locals)?)
            }
            StepKind::Var(binder, value) => {
                let value = value.as_ref().map(|value| self.value(value, style, locals));
                let value = value.transpose()?;
                locals.push(binder.name.value.clone());
                let mut binders = self.binders(std::slice::from_ref(binder));
                StepKind::Var(binders.remove(0), value)
            }
        };
        Ok(Spanned::new(kind, step.span))
    }

    fn value(
        &self,
        value: &IvyValue,
        style: Leading,
        locals: &[Name],
    ) -> Result<IvyValue, RewriteObstacle> {
        Ok(match value {
            IvyValue::Star => IvyValue::Star,
            IvyValue::Expression(value) => {
                IvyValue::Expression(self.expression(value, style, locals)?)
            }
        })
    }

    /// The target is renamed like the name in an expression, so that it gets leading arguments.
    fn place(
        &self,
        place: &IvyPlace,
        style: Leading,
        locals: &[Name],
    ) -> Result<IvyPlace, RewriteObstacle> {
        let arguments = place.arguments.iter();
        let arguments = arguments.map(|argument| self.expression(argument, style, locals));
        let mut arguments = arguments.collect::<Result<Vec<_>, _>>()?;
        let Identifier { value: name, span } = &place.target;
        let target = match self.replacement(name, style, locals) {
            Some(Replacement::Name(whole, mut leading)) => {
                leading.append(&mut arguments);
                arguments = leading;
                whole
            }
            _ => name.clone(),
        };
        Ok(IvyPlace { target: Identifier::new(target, *span), arguments })
    }
}

/// Copies are distinguished by names that no text can contain.
fn styled(binder: &Binder, style: Leading) -> Binder {
    let name = match style {
        Leading::Variables => format!("{}'", binder.name.value),
        Leading::Parameters => format!("{}'", binder.name.value.to_lowercase()),
    };
    Binder { name: Identifier::new(name.into(), binder.name.span), sort: binder.sort.clone() }
}

/// Whether a name distinguishes copies.
pub(crate) fn distinguishes_copies(name: &str) -> bool {
    name.ends_with('\'')
}

fn qualified_name(prefix: &str, name: &str) -> Name {
    if prefix.is_empty() { name.into() } else { format!("{prefix}.{name}").into() }
}

/// The names that some declarations make known around them.
pub(crate) fn declared_names(
    declarations: &[IvyDeclaration],
    modules: &BTreeMap<Name, IvyModule>,
    depth: usize,
) -> BTreeSet<Name> {
    let mut names = BTreeSet::new();
    let mut add = |name: &Identifier| {
        let first = name.value.split('.').next().unwrap_or_default();
        names.insert(Name::from(first));
    };
    let mut inner: Vec<&[IvyDeclaration]> = Vec::new();
    for declaration in declarations {
        match &declaration.value {
            IvyDeclarationKind::Type(name, values) => {
                add(name);
                values.iter().for_each(&mut add);
            }
            IvyDeclarationKind::Symbol(symbol) => add(&symbol.name),
            IvyDeclarationKind::Action(action) => add(&action.name),
            IvyDeclarationKind::Object(name, _, _) => add(name),
            IvyDeclarationKind::Group(body) => inner.push(body),
            IvyDeclarationKind::Instance(instance) => match (&instance.name, depth) {
                (Some(name), _) => add(name),
                (None, depth) if depth < 32 => {
                    inner.extend(modules.get(&instance.module.value).map(|(_, body)| &body[..]));
                }
                (None, _) => {}
            },
            IvyDeclarationKind::Module(..)
            | IvyDeclarationKind::Integers(_)
            | IvyDeclarationKind::Axiom(_)
            | IvyDeclarationKind::Init(_)
            | IvyDeclarationKind::Invariant(_)
            | IvyDeclarationKind::AfterInit(..)
            | IvyDeclarationKind::Export(_) => {}
        }
    }
    for body in inner {
        names.extend(declared_names(body, modules, depth + 1));
    }
    names
}
