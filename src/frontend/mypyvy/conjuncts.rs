//! Splits a formula: conditions on each state alone, and the new value of each symbol.

use std::collections::{BTreeMap, BTreeSet};

use super::two_states::{is_after, mentions_state_after};
use super::update_clause::{Becomes, UpdateClause, clause};
use crate::frontend::lowering::variables::free_names;
use crate::frontend::syntax::surface::{Binder, Connective, Expression, ExpressionKind};
use crate::logic::{Name, Quantifier};

/// The parts of a formula.
#[derive(Default)]
pub(super) struct Parts {
    /// Conditions on the state before.
    pub(super) guards: Vec<Expression>,
    /// What symbols become.
    pub(super) becomes: BTreeMap<Name, Becomes>,
    /// The names that the text gives to arguments, by symbol and position.
    pub(super) preferred_names: BTreeMap<Name, Vec<Option<Name>>>,
    /// Everything else.
    pub(super) rest: Vec<Expression>,
}

/// Takes a marked formula apart.
pub(super) fn parts(formula: &Expression) -> Parts {
    let mut parts = Parts::default();
    for conjunct in conjuncts(formula) {
        parts.add(conjunct);
    }
    parts
}

impl Parts {
    fn add(&mut self, conjunct: Expression) {
        if !mentions_state_after(&conjunct) {
            return self.guards.push(conjunct);
        }
        if let Some(clause) = clause(&conjunct) {
            return self.define(clause, conjunct);
        }
        match branches(&conjunct) {
            Some((condition, then, otherwise)) if !mentions_state_after(&condition) => {
                self.branch(&condition, &then, &otherwise, conjunct);
            }
            _ => self.rest.push(conjunct),
        }
    }

    fn define(&mut self, clause: UpdateClause, conjunct: Expression) {
        let known = self.becomes.remove(&clause.symbol).unwrap_or(Becomes::Open);
        match known.clone().and(clause.becomes) {
            Some(both) => {
                self.becomes.insert(clause.symbol.clone(), both);
                let preferred_names = self.preferred_names.entry(clause.symbol).or_default();
                remember(preferred_names, &clause.vars);
            }
            None => {
                if !matches!(known, Becomes::Open) {
                    self.becomes.insert(clause.symbol, known);
                }
                self.rest.push(conjunct);
            }
        }
    }

    /// `if condition then … else …`: each symbol gets the value of its branch.
    fn branch(
        &mut self,
        condition: &Expression,
        then: &Expression,
        otherwise: &Expression,
        conjunct: Expression,
    ) {
        let (mut yes, mut no) = (parts(then), parts(otherwise));
        if !yes.rest.is_empty() || !no.rest.is_empty() {
            return self.rest.push(conjunct);
        }
        let symbols: BTreeSet<Name> =
            yes.becomes.keys().chain(no.becomes.keys()).cloned().collect();
        let mut joined = BTreeMap::new();
        for symbol in symbols {
            let first = yes.becomes.remove(&symbol).unwrap_or(Becomes::Open);
            let second = no.becomes.remove(&symbol).unwrap_or(Becomes::Open);
            let split = Becomes::split(condition.clone(), first, second);
            let known = self.becomes.get(&symbol).cloned().unwrap_or(Becomes::Open);
            match known.and(split) {
                Some(both) => joined.insert(symbol, both),
                None => return self.rest.push(conjunct),
            };
        }
        self.becomes.extend(joined);
        for (premise, branch) in [(condition.clone(), &yes), (condition.clone().negated(), &no)] {
            for guard in &branch.guards {
                self.guards.push(implies(premise.clone(), guard.clone()));
            }
            for (symbol, vars) in &branch.preferred_names {
                remember(self.preferred_names.entry(symbol.clone()).or_default(), vars);
            }
        }
    }
}

fn remember(preferred_names: &mut Vec<Option<Name>>, vars: &[Option<Name>]) {
    preferred_names.resize(vars.len().max(preferred_names.len()), None);
    for (preferred, var) in preferred_names.iter_mut().zip(vars) {
        if preferred.is_none() {
            preferred.clone_from(var);
        }
    }
}

/// The conjuncts of a formula; quantifiers go with the parts that need them.
pub(super) fn conjuncts(formula: &Expression) -> Vec<Expression> {
    match &*formula.kind {
        ExpressionKind::Truth(true) => Vec::new(),
        ExpressionKind::And(parts) => parts.iter().flat_map(conjuncts).collect(),
        ExpressionKind::Quantified(Quantifier::Forall, binders, body) => {
            let parts = conjuncts(body);
            parts.into_iter().map(|part| for_all(binders, part)).collect()
        }
        ExpressionKind::Connective(Connective::Implies, premise, conclusion) => {
            let parts = conjuncts(conclusion);
            parts.into_iter().map(|part| implies(premise.clone(), part)).collect()
        }
        _ => vec![formula.clone()],
    }
}

/// `forall binders. body`, without the binders that the body does not mention.
pub(super) fn for_all(binders: &[Binder], body: Expression) -> Expression {
    let free = free_names(&body);
    let mut binders: Vec<Binder> =
        binders.iter().filter(|binder| free.contains(&binder.name.value)).cloned().collect();
    if binders.is_empty() {
        return body;
    }
    let span = body.span;
    let body = match &*body.kind {
        ExpressionKind::Quantified(Quantifier::Forall, more, inner) => {
            binders.extend(more.iter().cloned());
            inner.clone()
        }
        _ => body,
    };
    Expression::new(ExpressionKind::Quantified(Quantifier::Forall, binders, body), span)
}

/// A formula as `if condition then … else …`, quantifiers inside.
fn branches(formula: &Expression) -> Option<(Expression, Expression, Expression)> {
    let truth = Expression::truth(true, formula.span);
    match &*formula.kind {
        ExpressionKind::If { then, condition, otherwise } => {
            Some((condition.clone(), then.clone(), otherwise.clone()))
        }
        ExpressionKind::Connective(Connective::Implies, premise, conclusion) => {
            Some((premise.clone(), conclusion.clone(), truth))
        }
        ExpressionKind::Quantified(Quantifier::Forall, binders, body) => {
            let (condition, then, otherwise) = branches(body)?;
            let bound = free_names(&condition);
            if binders.iter().any(|binder| bound.contains(&binder.name.value)) {
                // Each branch is a conjunct of its own, under its own premise.
                let not = condition.clone().negated();
                let parts = [implies(condition, then), implies(not, otherwise)];
                let parts = parts.map(|part| for_all(binders, part));
                let is_update = |part| !mentions_state_after(part) || clause(part).is_some();
                if !parts.iter().all(is_update) {
                    return None;
                }
                let all = Expression::new(ExpressionKind::And(parts.to_vec()), formula.span);
                return Some((truth.clone(), all, truth));
            }
            Some((condition, for_all(binders, then), for_all(binders, otherwise)))
        }
        _ => None,
    }
}

/// `premise -> conclusion`, or the conclusion alone if the premise is `true`.
pub(super) fn implies(premise: Expression, conclusion: Expression) -> Expression {
    if matches!(&*premise.kind, ExpressionKind::Truth(true)) {
        return conclusion;
    }
    Expression::implies(premise, conclusion)
}

/// The symbols that an expression reads before the step and after it.
pub(super) fn reads(expression: &Expression) -> (BTreeSet<Name>, BTreeSet<Name>) {
    let (mut before, mut later) = (BTreeSet::new(), BTreeSet::new());
    for name in free_names(expression) {
        match is_after(&name) {
            Some(symbol) => later.insert(symbol.into()),
            None => before.insert(name),
        };
    }
    (before, later)
}
