//! Runs that a text expects, and the protocol whose violations are exactly these runs.
//!
//! A run of given length is built into the protocol: the run has stages, each step leads from one
//! stage to the next, and the property is that the last stage is never reached. Every engine
//! that searches for violations then searches for the run.

use crate::frontend::syntax::surface::{
    ActionItem, AssignStatement, Expression, ExpressionKind, Identifier, Item, LabelledFormula,
    Module, RightValue, Statement, StatementKind, SymbolItem,
};
use crate::logic::Name;
use crate::source::{Span, Spanned};

/// A run that a text expects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceItem {
    /// Whether the text expects it to exist.
    pub expected: ExpectedTrace,
    /// Where it begins.
    pub start: TraceStart,
    /// What happens and what holds, in order.
    pub parts: Vec<TracePart>,
    /// Where it was written.
    pub span: Span,
}

/// Whether a run is expected to exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpectedTrace {
    /// There is one.
    Possible,
    /// There is none.
    Impossible,
}

/// The states in which a run may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceStart {
    /// The initial ones.
    Initial,
    /// All.
    Anywhere,
}

/// A part of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TracePart {
    /// This holds in the state reached so far.
    Holds(Expression),
    /// Any action happens.
    Any,
    /// One of these happens.
    OneOf(Vec<TraceCall>),
}

/// An action that happens, with what is known of its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceCall {
    /// The action.
    pub action: Identifier,
    /// Its arguments, `None` for any; without a list, all may be anything.
    pub arguments: Option<Vec<Option<Expression>>>,
}

/// The action that an action of an instrumented protocol stands for.
pub fn original_action(action: &str) -> &str {
    action.split_once(' ').map_or(action, |(original, _)| original)
}

/// The protocol whose one property fails exactly at the end of the run.
///
/// Its symbols are those of the protocol and, after them, the stages. Their names and those of its
/// actions have a blank in them, which no text can write.
pub fn instrumented(module: &Module, trace: &TraceItem) -> Module {
    let kept = |item: &&Spanned<Item>| match &item.value {
        Item::Sorts(_) | Item::Symbol(_) | Item::Axiom(_) => true,
        Item::Init(_) => trace.start == TraceStart::Initial,
        Item::Safety(_) | Item::Lemma(_) | Item::Owed(_) | Item::Candidate(_) => false,
        Item::Action(_) => false,
    };
    let mut weaver = Weaver {
        module,
        span: trace.span,
        items: module.items.iter().filter(kept).cloned().collect(),
        stage: 0,
    };
    weaver.stage_begins(true);
    let mut pending: Option<Vec<TraceCall>> = None;
    let mut claims: Vec<Expression> = Vec::new();
    for part in &trace.parts {
        let calls = match part {
            TracePart::Holds(formula) => {
                claims.push(formula.clone());
                continue;
            }
            TracePart::Any => weaver.every_action(),
            TracePart::OneOf(calls) => calls.clone(),
        };
        weaver.close(pending.replace(calls), &mut claims);
    }
    weaver.close(pending, &mut claims);
    weaver.property();
    Module { items: weaver.items }
}

struct Weaver<'a> {
    module: &'a Module,
    span: Span,
    items: Vec<Spanned<Item>>,
    /// The stage that has begun last.
    stage: usize,
}

impl Weaver<'_> {
    fn put(&mut self, item: Item) {
        self.items.push(Spanned::new(item, self.span));
    }

    fn expression(&self, kind: ExpressionKind) -> Expression {
        Expression::new(kind, self.span)
    }

    fn identifier(&self, name: Name) -> Identifier {
        Identifier::new(name, self.span)
    }

    fn at(&self, stage: usize) -> Expression {
        self.expression(ExpressionKind::Name(stage_name(stage)))
    }

    fn every_action(&self) -> Vec<TraceCall> {
        let calls = self.actions().map(|action| action.name.clone());
        calls.map(|action| TraceCall { action, arguments: None }).collect()
    }

    fn actions(&self) -> impl Iterator<Item = &ActionItem> {
        self.module.items.iter().filter_map(|item| match &item.value {
            Item::Action(action) => Some(action),
            _ => None,
        })
    }

    /// Declares the current stage; returns whether the run begins there.
    fn stage_begins(&mut self, first: bool) {
        let name = self.identifier(stage_name(self.stage));
        self.put(Item::Symbol(SymbolItem { name, params: Vec::new(), result: None, rigid: false }));
        let at = self.at(self.stage);
        let formula = if first { at } else { self.expression(ExpressionKind::Not(at)) };
        self.put(Item::Init(LabelledFormula { label: None, formula }));
    }

    /// What led to the current state is known, and so is all that holds there.
    fn close(&mut self, calls: Option<Vec<TraceCall>>, claims: &mut Vec<Expression>) {
        let claims = std::mem::take(claims);
        let Some(calls) = calls else {
            for formula in claims {
                self.put(Item::Init(LabelledFormula { label: None, formula }));
            }
            return;
        };
        self.stage += 1;
        self.stage_begins(false);
        for (index, call) in calls.iter().enumerate() {
            let original = self.actions().find(|action| action.name.value == call.action.value);
            if let Some(original) = original.cloned() {
                let step = self.step(original, call, index, &claims);
                self.put(Item::Action(step));
            }
        }
    }

    /// An action that happens between the stage before and the current one.
    fn step(
        &self,
        action: ActionItem,
        call: &TraceCall,
        index: usize,
        claims: &[Expression],
    ) -> ActionItem {
        let mut body = vec![self.require(self.at(self.stage - 1))];
        let arguments = call.arguments.iter().flatten();
        for (param, argument) in action.params.iter().zip(arguments) {
            let Some(argument) = argument else { continue };
            let left = self.expression(ExpressionKind::Name(param.name.value.clone()));
            let right = argument.clone();
            let equal = ExpressionKind::Equal { left, right, negated: false };
            body.push(self.require(self.expression(equal)));
        }
        body.extend(action.body);
        body.extend(claims.iter().map(|claim| self.require(claim.clone())));
        body.push(self.set(self.stage - 1, false));
        body.push(self.set(self.stage, true));
        let name = format!("{} {} {index}", action.name.value, self.stage);
        ActionItem { name: self.identifier(name.into()), params: action.params, body }
    }

    fn require(&self, formula: Expression) -> Statement {
        Spanned::new(StatementKind::Require(formula), self.span)
    }

    fn set(&self, stage: usize, truth: bool) -> Statement {
        let value = RightValue::Expression(self.expression(ExpressionKind::Truth(truth)));
        let assignment = AssignStatement {
            target: self.identifier(stage_name(stage)),
            arguments: Vec::new(),
            value: Spanned::new(value, self.span),
        };
        Spanned::new(StatementKind::Assign(assignment), self.span)
    }

    fn property(&mut self) {
        let formula = self.expression(ExpressionKind::Not(self.at(self.stage)));
        let label = Some(self.identifier("trace".into()));
        self.put(Item::Safety(LabelledFormula { label, formula }));
    }
}

fn stage_name(stage: usize) -> Name {
    format!("stage {stage}").into()
}
