//! What `C` does, and where it may be, when a step of `L` depends on two values that `C` merges.

use std::collections::BTreeSet;

use crate::certificate::{
    Alternative, Case, Clause, ProductFormula, ProductNames, ProductSymbol, ProductTerm,
    ProductVar, large_sort, read_in_large, sim,
};
use crate::logic::{Formula, FormulaKind, Node, Term, Var, substitute_formula};
use crate::protocol::{
    ActionSummary, Protocol, Sort, StateFormula, StepFormula, Symbol, SymbolId, summarize,
};
use crate::source::Span;

use super::named_values::NamedValues;
use crate::synthesis::clause_names::number_equal_names;
use crate::synthesis::cutoff::plan::before_step::one_state;
use crate::synthesis::cutoff::plan::lockstep::{LockstepCandidates, alternative, large_param};
use crate::synthesis::cutoff::plan::product_names;
use crate::synthesis::cutoff::task::CutoffTask;

/// The most clauses that are added: a proof costs about as much as its pool is large.
const MAX_ADDED: usize = 1_000;

/// The steps of a protocol that depend on values that are merged.
pub(super) struct Merging<'a> {
    task: CutoffTask<'a>,
    protocol: &'a Protocol,
    values: &'a NamedValues,
    names: ProductNames,
    summaries: Vec<ActionSummary>,
}

impl<'a> Merging<'a> {
    pub(super) fn new(task: CutoffTask<'a>, values: &'a NamedValues) -> Self {
        let protocol = task.protocol;
        let cut = values.maps.iter().map(|map| map.cut_sort()).collect();
        let names = product_names(protocol, &values.shape.params, cut);
        let summarized =
            protocol.actions.iter().map(|action| summarize(&protocol.signature, action));
        Merging { task, protocol, values, names, summaries: summarized.collect() }
    }

    /// The case with other answers and more clauses where steps compare values.
    pub(super) fn adapt(&self, case: Case) -> Case {
        let comparing: Vec<usize> =
            (0..self.protocol.actions.len()).filter(|action| self.compares(*action)).collect();
        if comparing.is_empty() {
            return case;
        }
        let mut written: BTreeSet<SymbolId> = BTreeSet::new();
        let (mut gamma, mut lockstep) = (case.gamma.clone(), case.lockstep.clone());
        for action in comparing {
            written.extend(self.relations_written(action));
            let Some((condition, other)) = self.other_branch(action) else { continue };
            written.extend(self.relations_written(other));
            lockstep[action] =
                self.branching(std::mem::take(&mut lockstep[action]), condition, (action, other));
        }
        let mut added: Vec<Clause> = self.where_named(&written);
        added.extend(self.either(&written));
        added.extend(self.exclusive(&written));
        added.truncate(MAX_ADDED);
        gamma.extend(number_equal_names(added));
        Case { gamma, lockstep, ..case }
    }

    fn is_cut(&self, sort: Sort) -> bool {
        self.values.maps.iter().any(|map| Sort::Declared(map.sort) == sort)
    }

    /// Whether a step depends on two values that are merged: it needs them to differ, or what it
    /// changes depends on whether they do.
    fn compares(&self, action: usize) -> bool {
        let summary = &self.summaries[action];
        let mut found = self.needs_difference(&summary.guard, true);
        for definition in summary.updates.values() {
            definition.body.node().visit(&mut |node| {
                if let Node::Formula(formula) = node
                    && let FormulaKind::Equal(left, _) = formula.kind()
                {
                    found |= self.is_cut(left.sort());
                }
            });
        }
        found
    }

    /// Whether an equation of values in a formula has to fail, as far as polarity says.
    fn needs_difference(&self, formula: &StepFormula, positive: bool) -> bool {
        let part = |part: &StepFormula, positive| self.needs_difference(part, positive);
        match formula.kind() {
            FormulaKind::Equal(left, _) => !positive && self.is_cut(left.sort()),
            FormulaKind::Not(inner) => part(inner, !positive),
            FormulaKind::And(parts) | FormulaKind::Or(parts) => {
                parts.iter().any(|own| part(own, positive))
            }
            FormulaKind::Implies(premise, conclusion) => {
                part(premise, !positive) || part(conclusion, positive)
            }
            FormulaKind::Iff(left, right) => {
                [left, right].iter().any(|own| part(own, true) || part(own, false))
            }
            FormulaKind::If(condition, then, otherwise) => {
                part(condition, true)
                    || part(condition, false)
                    || part(then, positive)
                    || part(otherwise, positive)
            }
            FormulaKind::Quantified(_, _, body) => part(body, positive),
            FormulaKind::Truth(_) | FormulaKind::Holds(..) | FormulaKind::Compare(..) => false,
        }
    }

    /// The relations that an action changes and that say nothing of values.
    fn relations_written(&self, action: usize) -> impl Iterator<Item = SymbolId> {
        let signature = &self.protocol.signature;
        self.summaries[action].updates.keys().copied().filter(|id| {
            let symbol = signature.symbol(*id);
            symbol.result.is_none() && !symbol.params.iter().any(|sort| self.is_cut(*sort))
        })
    }

    /// An action that happens where this one cannot, because two values are equal; and when the
    /// images of these values differ.
    fn other_branch(&self, action: usize) -> Option<(ProductFormula, usize)> {
        let own = self.conjuncts(action, action)?;
        let denied = |part: &StateFormula| match part.kind() {
            FormulaKind::Not(inner) => Some(inner.clone()),
            _ => None,
        };
        for part in &own {
            let Some(equal) = denied(part) else { continue };
            let FormulaKind::Equal(left, _) = equal.kind() else { continue };
            if !self.is_cut(left.sort()) {
                continue;
            }
            let mut wanted: BTreeSet<StateFormula> = own.clone();
            wanted.remove(part);
            wanted.insert(equal.clone());
            let others = (0..self.protocol.actions.len()).filter(|other| *other != action);
            let found = others
                .into_iter()
                .find(|other| self.conjuncts(*other, action).as_ref() == Some(&wanted));
            if let Some(other) = found {
                return Some((self.images_differ(action, &equal)?, other));
            }
        }
        None
    }

    /// What an action needs, for the parameters of another one; `None` if these are not alike.
    fn conjuncts(&self, action: usize, of: usize) -> Option<BTreeSet<StateFormula>> {
        let (own, other) =
            (&self.protocol.actions[action].params, &self.protocol.actions[of].params);
        let alike = own.len() == other.len()
            && own.iter().zip(other).all(|(left, right)| left.sort == right.sort);
        let guard = one_state(&self.summaries[action].guard).filter(|_| alike)?;
        let bindings = own.iter().cloned().zip(other.iter().cloned().map(Term::var)).collect();
        Some(substitute_formula(&guard, &bindings).conjuncts().into_iter().collect())
    }

    /// That the two sides of an equation have different images.
    fn images_differ(&self, action: usize, equal: &StateFormula) -> Option<ProductFormula> {
        let params = &self.protocol.actions[action].params;
        let bindings = params.iter().map(|param| (param.clone(), large_param(param))).collect();
        let read = read_in_large(equal, bindings);
        let FormulaKind::Equal(left, right) = read.kind() else { return None };
        let FormulaKind::Equal(sorted, _) = equal.kind() else { return None };
        let image = |side: &ProductTerm| sim(&self.names, sorted.sort(), side.clone());
        Some(Formula::equal(image(left), image(right)).negate())
    }

    /// The answers to an action, where the images of two values are equal those of another one.
    fn branching(
        &self,
        answers: Vec<Alternative>,
        condition: ProductFormula,
        (action, other): (usize, usize),
    ) -> Vec<Alternative> {
        let [plain] = answers.as_slice() else { return answers };
        let candidates = LockstepCandidates {
            protocol: self.protocol,
            facts: self.task.facts,
            names: &self.names,
            maps: &self.values.maps,
        };
        let params = self.protocol.actions[action].params.iter();
        let args = params.map(|param| sim(&self.names, param.sort, large_param(param))).collect();
        let Some(instead) = candidates.attempt(other, args, action) else { return answers };
        let unless = alternative(Formula::truth(true), vec![instead]);
        vec![Alternative { condition, ..plain.clone() }, unless]
    }

    /// What holds of a violator in `L` while it has the value that is named holds of it in `C`.
    fn where_named(&self, written: &BTreeSet<SymbolId>) -> Vec<Clause> {
        let mut all = Vec::new();
        for (symbol, declared) in self.of(written) {
            let [sort] = declared.params.as_slice() else { continue };
            for violator in self.values.shape.of_sort(*sort) {
                for (term, value) in &self.values.named {
                    let has = Formula::equal(term.clone(), value.clone());
                    let large =
                        Formula::holds(ProductSymbol::Large(symbol), vec![violator.clone()]);
                    let cutoff =
                        Formula::holds(ProductSymbol::Cutoff(symbol), vec![violator.clone()]);
                    let formula = Formula::implies(Formula::and([large, has]), cutoff);
                    all.push(clause(format!("{}_named", declared.name), formula));
                }
            }
        }
        all
    }

    /// What holds in one system holds in the other, or something else does that the other branch
    /// of a step makes true.
    fn either(&self, written: &BTreeSet<SymbolId>) -> Vec<Clause> {
        let mut all = Vec::new();
        for (one, declared) in self.of(written) {
            for (other, second) in self.of(written) {
                if one == other || declared.params != second.params {
                    continue;
                }
                let vars = self.vars(&declared.params);
                let large = |symbol| holds(ProductSymbol::Large(symbol), &vars);
                let cutoff = |symbol| holds(ProductSymbol::Cutoff(symbol), &vars);
                let forth = Formula::implies(large(one), Formula::or([cutoff(one), cutoff(other)]));
                let back = Formula::implies(cutoff(one), Formula::or([large(one), large(other)]));
                let name = format!("{}_or_{}", declared.name, second.name);
                all.push(clause(name.clone(), Formula::forall(vars.clone(), forth)));
                all.push(clause(format!("not_{name}"), Formula::forall(vars, back)));
            }
        }
        all
    }

    /// That an element is in one place at a time, as far as relations are places.
    fn exclusive(&self, written: &BTreeSet<SymbolId>) -> Vec<Clause> {
        let places: BTreeSet<Vec<Sort>> =
            self.of(written).map(|(_, declared)| declared.params.clone()).collect();
        let relations: Vec<_> = self
            .protocol
            .signature
            .mutable()
            .filter(|(_, symbol)| symbol.result.is_none() && places.contains(&symbol.params))
            .collect();
        let mut all = Vec::new();
        for (index, (one, declared)) in relations.iter().enumerate() {
            for (other, second) in &relations[index + 1..] {
                if declared.params != second.params {
                    continue;
                }
                let vars = self.vars(&declared.params);
                let both = [one, other].map(|id| holds(ProductSymbol::Large(*id), &vars));
                let formula = Formula::forall(vars, Formula::and(both).negate());
                all.push(clause(format!("one_{}_{}", declared.name, second.name), formula));
            }
        }
        all
    }

    fn of(&self, written: &BTreeSet<SymbolId>) -> impl Iterator<Item = (SymbolId, &Symbol)> {
        let signature = &self.protocol.signature;
        written.clone().into_iter().map(|id| (id, signature.symbol(id)))
    }

    fn vars(&self, sorts: &[Sort]) -> Vec<ProductVar> {
        let numbered = sorts.iter().enumerate();
        numbered
            .map(|(index, sort)| Var::new(format!("X{}", index + 1), large_sort(*sort)))
            .collect()
    }
}

fn holds(symbol: ProductSymbol, vars: &[ProductVar]) -> ProductFormula {
    Formula::holds(symbol, vars.iter().cloned().map(Term::var).collect())
}

fn clause(name: String, formula: ProductFormula) -> Clause {
    Clause { name: name.into(), formula, span: Span::default() }
}
