//! Statements of Ivy as statements of RML: locals get values or become parameters, calls are
//! expanded, failed assertions are recorded.
//!
//! A parameter of an action ranges over all elements, so a local of unknown value is one, and
//! `require p = e` gives it the value that `e` has at that place.

use std::collections::BTreeSet;

use crate::diagnostic::Diagnostic;
use crate::frontend::ivy::names::declared_names::IvyTable;
use crate::frontend::ivy::parse::tree::{IvyStep, StepKind};
use crate::frontend::lowering::build::require;
use crate::frontend::lowering::naming::LoweredNames;
use crate::frontend::lowering::statement_bodies::assigned;
use crate::frontend::lowering::variables::{close, free_names};
use crate::frontend::syntax::surface::{
    Binder, Connective, Expression, ExpressionKind, Identifier, Statement, StatementKind,
};
use crate::logic::Name;
use crate::source::{Span, Spanned};

/// A parameter of the action that is being made.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    /// Its RML name.
    pub(crate) name: Name,
    /// Its sort, as Ivy calls it.
    pub(crate) sort: Identifier,
    /// Whether it was written as one.
    pub(crate) written: bool,
    /// Where it comes from.
    pub(crate) span: Span,
}

impl Parameter {
    /// The parameter in RML.
    pub(crate) fn binder(&self, table: &IvyTable) -> Binder {
        let name = Identifier::new(self.name.clone(), self.span);
        Binder { name, sort: Some(table.sort(&self.sort)) }
    }
}

/// A local variable and what it stands for now.
#[derive(Clone, Debug)]
pub(crate) struct IvyLocal {
    /// Its name.
    pub(crate) name: Name,
    /// Its sort, if that was written.
    pub(crate) sort: Option<Identifier>,
    /// Its value, in RML.
    pub(crate) value: Expression,
}

/// What is known at one place of a body.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flow {
    /// The locals in scope, innermost last.
    pub(crate) locals: Vec<IvyLocal>,
    /// The statements of the block so far.
    pub(crate) out: Vec<Statement>,
    /// What led to the block: the statements before it, and the conditions on the way.
    path: Vec<Statement>,
}

/// What is there at the start of the first branch only.
#[derive(Default)]
pub(crate) struct Entering {
    /// Further locals.
    pub(crate) locals: Vec<IvyLocal>,
    /// Further statements.
    pub(crate) statements: Vec<Statement>,
}

/// Who runs a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Caller {
    /// The environment: what the body requires is assumed.
    Environment,
    /// The protocol, at the start: what the block itself requires is assumed, as Ivy does; what the
    /// actions that it calls require must be proved.
    Start,
}

/// A body that reaches an assertion which does not hold.
#[derive(Clone, Debug)]
pub(crate) struct Check {
    /// The statements up to the assertion, then its negation.
    pub(crate) body: Vec<Statement>,
    /// The assertion.
    pub(crate) span: Span,
}

/// Lowers one body.
pub(crate) struct Lowering<'a> {
    pub(crate) table: &'a IvyTable,
    pub(crate) diagnostics: &'a mut Vec<Diagnostic>,
    /// Names in use, to which the parameters are added.
    pub(crate) names: LoweredNames,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) checks: Vec<Check>,
    pub(crate) caller: Caller,
    /// The symbols that the body assigns somewhere.
    pub(crate) written: BTreeSet<Name>,
    /// The actions being expanded, outermost first.
    pub(crate) calls: Vec<Name>,
    /// How many statements there are, calls expanded.
    pub(crate) steps: usize,
}

impl<'a> Lowering<'a> {
    /// Starts on a body that assigns the symbols `written`, as Ivy calls them.
    pub(crate) fn new(
        table: &'a IvyTable,
        caller: Caller,
        written: &BTreeSet<Name>,
        diagnostics: &'a mut Vec<Diagnostic>,
    ) -> Self {
        let written = written.iter().filter_map(|name| table.names.get(name).cloned()).collect();
        Lowering {
            table,
            diagnostics,
            names: table.names.clone(),
            parameters: Vec::new(),
            checks: Vec::new(),
            caller,
            written,
            calls: Vec::new(),
            steps: 0,
        }
    }

    /// A new parameter, as an expression.
    pub(crate) fn parameter(
        &mut self,
        preferred: &str,
        sort: &Identifier,
        span: Span,
    ) -> Expression {
        let name = self.names.invent(preferred);
        let parameter = Parameter { name: name.clone(), sort: sort.clone(), written: false, span };
        self.parameters.push(parameter);
        Expression::name(name, span)
    }

    /// Runs the statements of a block; its locals end with it.
    pub(crate) fn block(&mut self, steps: &[IvyStep], flow: &mut Flow) {
        let outside = flow.locals.len();
        for step in steps {
            self.step(step, flow);
        }
        flow.locals.truncate(outside);
    }

    fn step(&mut self, step: &IvyStep, flow: &mut Flow) {
        let span = step.span;
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return self.refuse_long_body(span);
        }
        match &step.value {
            StepKind::Block(steps) => self.block(steps, flow),
            StepKind::Assume(formula) => self.assume(formula, span, flow),
            StepKind::Require(formula) => match (self.caller, self.calls.len()) {
                (Caller::Environment, 0 | 1) | (Caller::Start, 0) => {
                    self.assume(formula, span, flow);
                }
                (Caller::Environment | Caller::Start, _) => self.assert(formula, span, flow),
            },
            StepKind::Assert(formula) => self.assert(formula, span, flow),
            StepKind::Assign(places, value) => self.assign(places, value, span, flow),
            StepKind::Call(call) => {
                let call = self.hoist_calls(call, flow);
                if !matches!(&*call.kind, ExpressionKind::Name(name) if name.starts_with(' ')) {
                    self.not_an_action(&call);
                }
            }
            StepKind::If(condition, then, otherwise) => {
                let condition = self.expression(condition, flow);
                self.lower_branch(condition, Entering::default(), [then, otherwise], span, flow);
            }
            StepKind::Either(then, otherwise) => {
                let sort = Identifier::new("bool".into(), span);
                let condition = self.parameter("choice", &sort, span);
                self.lower_branch(condition, Entering::default(), [then, otherwise], span, flow);
            }
            StepKind::Some(binders, formula, then, otherwise) => {
                self.some(binders, formula, [then, otherwise], span, flow);
            }
            StepKind::Local(binders, steps) => {
                let outside = flow.locals.len();
                binders.iter().for_each(|binder| self.declare(binder, flow));
                self.block(steps, flow);
                flow.locals.truncate(outside);
            }
            StepKind::Var(binder, value) => self.variable(binder, value.as_ref(), flow),
        }
    }

    fn assume(&mut self, formula: &Expression, span: Span, flow: &mut Flow) {
        let formula = self.expression(formula, flow);
        flow.out.push(Spanned::new(StatementKind::Require(formula), span));
    }

    /// An action of its own fails where the assertion does; this one continues where it holds.
    fn assert(&mut self, formula: &Expression, span: Span, flow: &mut Flow) {
        let formula = self.expression(formula, flow);
        let mut body = flow.path.clone();
        body.extend(flow.out.iter().cloned());
        let fails = Expression::new(ExpressionKind::Not(close(&formula, &[])), span);
        body.push(Spanned::new(StatementKind::Require(fails), span));
        self.checks.push(Check { body, span });
        flow.out.push(Spanned::new(StatementKind::Require(formula), span));
    }

    /// Both branches run from here; locals that end up different are joined.
    pub(crate) fn lower_branch(
        &mut self,
        condition: Expression,
        entering: Entering,
        [then, otherwise]: [&[IvyStep]; 2],
        span: Span,
        flow: &mut Flow,
    ) {
        let mut yes = flow.branch_where(condition.clone());
        let mut no = flow.branch_where(condition.clone().negated());
        let outside = flow.locals.len();
        yes.locals.extend(entering.locals);
        yes.out.extend(entering.statements);
        self.block(then, &mut yes);
        self.block(otherwise, &mut no);
        yes.locals.truncate(outside);
        for index in 0..outside {
            let (first, second) = (&yes.locals[index].value, &no.locals[index].value);
            if first != second {
                let joined = self.join(&condition, index, &mut yes, &mut no);
                flow.locals[index].value = joined;
            } else {
                flow.locals[index].value = first.clone();
            }
        }
        flow.out.push(Spanned::new(StatementKind::If(condition, yes.out, no.out), span));
    }

    fn join(
        &mut self,
        condition: &Expression,
        index: usize,
        yes: &mut Flow,
        no: &mut Flow,
    ) -> Expression {
        let (then, otherwise) = (yes.locals[index].value.clone(), no.locals[index].value.clone());
        let local = yes.locals[index].clone();
        if [condition, &then, &otherwise].into_iter().all(|part| self.is_stable(part)) {
            let span = then.span;
            return Expression::conditional(condition.clone(), [then, otherwise], span);
        }
        let Some(sort) = local.sort else {
            self.needs_type(&local.name, local.value.span);
            return then;
        };
        let joined = self.parameter(&local.name, &sort, local.value.span);
        for (flow, value) in [(yes, then), (no, otherwise)] {
            flow.out.push(is_value(&joined, value, &sort));
        }
        joined
    }

    /// Whether an expression keeps its value to the end of the body.
    pub(crate) fn is_stable(&self, expression: &Expression) -> bool {
        let free = free_names(expression);
        free.iter().all(|name| !self.written.contains(name))
    }
}

/// The most statements of a body after expanding calls.
const MAX_STEPS: usize = 5_000;

impl Flow {
    /// The symbols that are assigned on the way, by their RML names.
    pub(crate) fn assigned(&self) -> BTreeSet<Name> {
        let mut found = BTreeSet::new();
        assigned(&self.path, &mut found);
        assigned(&self.out, &mut found);
        found
    }

    /// The start of a branch that is taken if the condition holds.
    fn branch_where(&self, condition: Expression) -> Flow {
        let mut path = self.path.clone();
        path.extend(self.out.iter().cloned());
        path.push(require(condition));
        Flow { locals: self.locals.clone(), out: Vec::new(), path }
    }
}

/// `require parameter = value`
pub(crate) fn is_value(parameter: &Expression, value: Expression, sort: &Identifier) -> Statement {
    let (span, parameter) = (value.span, parameter.clone());
    require(if &*sort.value == "bool" {
        Expression::new(ExpressionKind::Connective(Connective::Iff, parameter, value), span)
    } else {
        Expression::equal(parameter, value, span)
    })
}
