//! Ivy as written: declarations and statements before modules are expanded and actions lowered.
//!
//! Expressions are surface expressions already; their names may have dots, and may be calls.

use std::collections::BTreeSet;

use crate::frontend::lowering::variables::free_names;
use crate::frontend::syntax::surface::{Binder, Expression, Identifier, LabelledFormula};
use crate::logic::Name;
use crate::source::Spanned;

/// A declaration and its place.
pub(crate) type IvyDeclaration = Spanned<IvyDeclarationKind>;

/// What is declared.
#[derive(Clone, Debug)]
pub(crate) enum IvyDeclarationKind {
    /// `type t`, `type t = {a, b}`
    Type(Identifier, Vec<Identifier>),
    /// `interpret t -> int`
    Integers(Identifier),
    /// A relation, function or individual.
    Symbol(IvySymbol),
    /// `axiom F`
    Axiom(LabelledFormula),
    /// `init F`
    Init(LabelledFormula),
    /// `invariant F`, `conjecture F`
    Invariant(LabelledFormula),
    /// `module m(p) = { … }`
    Module(Identifier, Vec<Identifier>, Vec<IvyDeclaration>),
    /// `instantiate name : m(p)`
    Instance(IvyInstance),
    /// An object or isolate: its names get its own before theirs.
    Object(Identifier, Trust, Vec<IvyDeclaration>),
    /// A group without a name.
    Group(Vec<IvyDeclaration>),
    /// `action a(x:t) returns (y:s) = { … }`
    Action(ActionDeclaration),
    /// `after init { … }`
    AfterInit(Vec<IvyStep>, IvyCopies),
    /// `export a`
    Export(Identifier),
}

/// Whether the assertions of an isolate are assumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trust {
    /// They are to be proved.
    Proved,
    /// `trusted isolate`: they are assumed.
    Assumed,
}

/// How often a block runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IvyCopies {
    /// Once.
    One,
    /// Once for each element of the parameters of the instances around it.
    Many,
}

/// A relation, function or individual.
#[derive(Clone, Debug)]
pub(crate) struct IvySymbol {
    /// Its name.
    pub(crate) name: Identifier,
    /// Its arguments.
    pub(crate) params: Vec<Binder>,
    /// Its value: `None` for relations and for what has type `bool`.
    pub(crate) result: Option<Identifier>,
    /// What it stands for, if it is defined.
    pub(crate) definition: Option<Expression>,
    /// Whether it was only defined, not declared.
    pub(crate) only_defined: bool,
}

/// An instance of a module.
#[derive(Clone, Debug)]
pub(crate) struct IvyInstance {
    /// Its name; without one, the module's names are not prefixed.
    pub(crate) name: Option<Identifier>,
    /// One copy for each tuple of these.
    pub(crate) params: Vec<Binder>,
    /// The module.
    pub(crate) module: Identifier,
    /// What its parameters stand for.
    pub(crate) actuals: Vec<Identifier>,
}

/// An action.
#[derive(Clone, Debug)]
pub(crate) struct ActionDeclaration {
    /// Its name.
    pub(crate) name: Identifier,
    /// Its parameters.
    pub(crate) params: Vec<Binder>,
    /// Its results.
    pub(crate) returns: Vec<Binder>,
    /// What it does; `None` if it has no definition.
    pub(crate) body: Option<Vec<IvyStep>>,
    /// Whether it was declared with `export`.
    pub(crate) exported: bool,
}

/// A statement and its place.
pub(crate) type IvyStep = Spanned<StepKind>;

/// What a statement does.
#[derive(Clone, Debug)]
pub(crate) enum StepKind {
    /// `assume F`
    Assume(Expression),
    /// `require F`: assumed of the environment, proved of a caller inside.
    Require(Expression),
    /// `assert F`, `ensure F`: to be proved.
    Assert(Expression),
    /// `x := e`, `r(X) := *`, `(x, y) := f(z)`
    Assign(Vec<IvyPlace>, IvyValue),
    /// `call a(x)`
    Call(Expression),
    /// `if c { } else { }`
    If(Expression, Vec<IvyStep>, Vec<IvyStep>),
    /// `if * { } else { }`
    Either(Vec<IvyStep>, Vec<IvyStep>),
    /// `if some x:t. F { } else { }`
    Some(Vec<Binder>, Expression, Vec<IvyStep>, Vec<IvyStep>),
    /// `local x:t { }`
    Local(Vec<Binder>, Vec<IvyStep>),
    /// `var x : t := e`; to the end of the block.
    Var(Binder, Option<IvyValue>),
    /// `{ }`
    Block(Vec<IvyStep>),
}

/// The left side of an assignment.
#[derive(Clone, Debug)]
pub(crate) struct IvyPlace {
    /// What is assigned.
    pub(crate) target: Identifier,
    /// Where.
    pub(crate) arguments: Vec<Expression>,
}

/// The right side of an assignment.
#[derive(Clone, Debug)]
pub(crate) enum IvyValue {
    /// An expression or a call.
    Expression(Expression),
    /// `*`
    Star,
}

impl StepKind {
    /// Collects the names that are assigned, and those in expressions.
    pub(crate) fn mentions(&self, assigned: &mut BTreeSet<Name>, mentioned: &mut BTreeSet<Name>) {
        let (expressions, blocks): (Vec<&Expression>, Vec<&[IvyStep]>) = match self {
            StepKind::Assume(formula) | StepKind::Require(formula) | StepKind::Assert(formula) => {
                (vec![formula], Vec::new())
            }
            StepKind::Call(call) => (vec![call], Vec::new()),
            StepKind::Assign(places, value) => {
                assigned.extend(places.iter().map(|place| place.target.value.clone()));
                let mut expressions: Vec<&Expression> = value.expression().into_iter().collect();
                expressions.extend(places.iter().flat_map(|place| &place.arguments));
                (expressions, Vec::new())
            }
            StepKind::If(condition, then, otherwise) => (vec![condition], vec![then, otherwise]),
            StepKind::Either(then, otherwise) => (Vec::new(), vec![then, otherwise]),
            StepKind::Some(_, formula, then, otherwise) => (vec![formula], vec![then, otherwise]),
            StepKind::Local(_, steps) | StepKind::Block(steps) => (Vec::new(), vec![steps]),
            StepKind::Var(_, value) => {
                (value.iter().filter_map(IvyValue::expression).collect(), Vec::new())
            }
        };
        mentioned.extend(expressions.into_iter().flat_map(free_names));
        for step in blocks.into_iter().flatten() {
            step.value.mentions(assigned, mentioned);
        }
    }
}

impl IvyValue {
    /// The expression, unless it is a star.
    pub(crate) fn expression(&self) -> Option<&Expression> {
        match self {
            IvyValue::Expression(expression) => Some(expression),
            IvyValue::Star => None,
        }
    }
}
