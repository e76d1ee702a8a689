//! The default language of holes: literals over what is in scope, equations, one quantifier.
//!
//! Cheap things come first: a symbol that the action does not mention costs one more, because a node
//! may not see it, and a quantifier costs two more.

use std::collections::{BTreeMap, BTreeSet};

use crate::frontend::print_expression;
use crate::frontend::syntax::surface::{
    ActionItem, AssignStatement, Binder, Connective, Expression, ExpressionKind, Identifier,
    LeftArgument, RightValue, Statement, StatementKind,
};
use crate::logic::{Name, Quantifier};
use crate::source::Span;

use super::SymbolTable;

/// An expression and its cost.
#[derive(Clone, Debug)]
pub(crate) struct Weighed {
    /// The expression.
    pub(crate) expression: Expression,
    /// The cost.
    pub(crate) cost: u32,
}

/// The most alternatives of one hole.
const MOST: usize = 1000;

/// The most argument tuples of one symbol.
const TUPLES: usize = 128;

/// The names that a hole may use beside the declared symbols, with their sorts.
pub(crate) type LanguageScope = BTreeMap<Name, Name>;

/// Everything that may stand in a hole.
pub(crate) struct Language<'a> {
    /// The declared symbols.
    pub(crate) symbols: &'a SymbolTable,
    /// Parameters and variables in scope.
    pub(crate) scope: &'a LanguageScope,
    /// The symbols that the action mentions.
    pub(crate) mentioned: &'a BTreeSet<Name>,
    /// What costs more.
    pub(crate) costs: LanguageCosts,
    /// The place of what is made.
    pub(crate) span: Span,
}

/// What expressions cost beyond the simplest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LanguageCosts {
    /// A symbol that the action does not mention.
    pub(crate) away: u32,
    /// A quantifier.
    pub(crate) quantifier: u32,
}

impl Default for LanguageCosts {
    fn default() -> Self {
        LanguageCosts { away: 1, quantifier: 2 }
    }
}

impl Language<'_> {
    /// The formulas, cheapest first; `true` costs nothing.
    pub(crate) fn formulas(&self) -> Vec<Weighed> {
        let mut found = vec![self.weighed(ExpressionKind::Truth(true), 0)];
        for (name, symbol) in self.symbols.iter().filter(|(_, symbol)| symbol.result.is_none()) {
            let away = self.away(name);
            for args in self.nested_tuples(&symbol.params) {
                let atom = self.applied(name, args);
                found.push(Weighed { expression: atom.clone(), cost: 1 + away });
                found.push(Weighed { expression: self.not(atom), cost: 1 + away });
            }
            for position in 0..symbol.params.len() {
                let cost = 1 + self.costs.quantifier + away;
                self.quantified(name, &symbol.params, position, cost, &mut found);
            }
        }
        self.equations(&mut found);
        self.values(&mut found);
        finished(found)
    }

    /// The terms of a sort, cheapest first.
    pub(crate) fn terms(&self, sort: &Name) -> Vec<Weighed> {
        let mut found: Vec<Weighed> = self
            .simple(sort)
            .into_iter()
            .map(|(expression, cost)| Weighed { expression, cost })
            .collect();
        for (name, symbol) in self.symbols.iter() {
            if symbol.result.as_ref() == Some(sort) && !symbol.params.is_empty() {
                let away = self.away(name);
                for args in self.tuples(&symbol.params) {
                    found.push(Weighed { expression: self.applied(name, args), cost: 2 + away });
                }
            }
        }
        finished(found)
    }

    /// Every tuple of simple terms of these sorts.
    pub(crate) fn tuples(&self, sorts: &[Name]) -> Vec<Vec<Expression>> {
        let terms = |sort| self.simple(sort).into_iter().map(|(term, _)| term).collect();
        combined(&sorts.iter().map(terms).collect::<Vec<_>>())
    }

    /// Every tuple of simple terms of these sorts, and of functions of the action at what is in
    /// scope.
    fn nested_tuples(&self, sorts: &[Name]) -> Vec<Vec<Expression>> {
        let terms = |sort: &Name| {
            let simple = self.simple(sort).into_iter().map(|(term, _)| term);
            simple.chain(self.nested(sort)).collect::<Vec<_>>()
        };
        combined(&sorts.iter().map(terms).collect::<Vec<_>>())
    }

    /// The functions that the action mentions, at what is in scope.
    fn nested(&self, sort: &Name) -> Vec<Expression> {
        let symbols = self.symbols.iter().filter(|(name, symbol)| {
            symbol.result.as_ref() == Some(sort)
                && symbol.params.len() == 1
                && self.mentioned.contains(*name)
        });
        let terms = symbols.flat_map(|(name, symbol)| {
            let own = self.scope.iter().filter(|(_, own)| **own == symbol.params[0]);
            own.map(|(own, _)| self.applied(name, vec![self.applied(own, Vec::new())]))
        });
        terms.collect()
    }

    /// A symbol at its arguments.
    pub(crate) fn applied(&self, name: &Name, args: Vec<Expression>) -> Expression {
        let kind = match args.is_empty() {
            true => ExpressionKind::Name(name.clone()),
            false => ExpressionKind::Apply(Identifier::new(name.clone(), self.span), args),
        };
        Expression::new(kind, self.span)
    }

    /// What a symbol costs beyond others.
    pub(crate) fn away(&self, name: &Name) -> u32 {
        if self.mentioned.contains(name) { 0 } else { self.costs.away }
    }

    /// Parameters, variables, constants: the parameters first.
    fn simple(&self, sort: &Name) -> Vec<(Expression, u32)> {
        let own = self.scope.iter().filter(|(_, own)| *own == sort);
        let own = own.map(|(name, _)| (self.applied(name, Vec::new()), 0));
        let values = self
            .symbols
            .iter()
            .filter(|(_, symbol)| symbol.params.is_empty() && symbol.result.as_ref() == Some(sort));
        let values = values.map(|(name, _)| (self.applied(name, Vec::new()), 1 + self.away(name)));
        own.chain(values).collect()
    }

    fn equations(&self, found: &mut Vec<Weighed>) {
        let sorts: BTreeSet<&Name> = self.scope.values().collect();
        for sort in sorts {
            let terms = self.simple(sort);
            for (index, (left, _)) in terms.iter().enumerate() {
                for (right, _) in &terms[index + 1..] {
                    for negated in [true, false] {
                        let (left, right) = (left.clone(), right.clone());
                        let kind = ExpressionKind::Equal { left, right, negated };
                        found.push(self.weighed(kind, 1));
                    }
                }
            }
        }
    }

    /// Functions and variables with each of their values that can be named.
    fn values(&self, found: &mut Vec<Weighed>) {
        for (name, symbol) in self.symbols.iter().filter(|(_, own)| !own.rigid) {
            let Some(sort) = symbol.result.as_ref().filter(|own| &***own != "int") else {
                continue;
            };
            for args in self.tuples(&symbol.params) {
                let left = self.applied(name, args);
                for (right, cost) in self.simple(sort) {
                    if print_expression(&left) == print_expression(&right) {
                        continue;
                    }
                    for negated in [false, true] {
                        let (left, right) = (left.clone(), right.clone());
                        let kind = ExpressionKind::Equal { left, right, negated };
                        found
                            .push(self.weighed(kind, 1 + cost.saturating_sub(1) + self.away(name)));
                    }
                }
            }
        }
    }

    /// `forall X. ~r(..X..)`, `forall X. r(..X..)`, also with `X != p ->`, and `exists X. r(..X..)`.
    fn quantified(
        &self,
        name: &Name,
        params: &[Name],
        position: usize,
        cost: u32,
        found: &mut Vec<Weighed>,
    ) {
        let sort = &params[position];
        if &**sort == "int" {
            return;
        }
        let mut others = params.to_vec();
        others.remove(position);
        for mut args in self.nested_tuples(&others) {
            args.insert(position, self.applied(&"X".into(), Vec::new()));
            let atom = self.applied(name, args);
            let none = self.not(atom.clone());
            let some = self.bound(Quantifier::Exists, sort, atom.clone());
            found.push(Weighed { expression: some, cost });
            for every in [none, atom] {
                let own = self.scope.iter().filter(|(_, own)| *own == sort);
                for (name, _) in own {
                    let (left, right) =
                        (self.applied(&"X".into(), Vec::new()), self.applied(name, Vec::new()));
                    let other = ExpressionKind::Equal { left, right, negated: true };
                    let other = Expression::new(other, self.span);
                    let kind =
                        ExpressionKind::Connective(Connective::Implies, other, every.clone());
                    let inner = Expression::new(kind, self.span);
                    let expression = self.bound(Quantifier::Forall, sort, inner);
                    found.push(Weighed { expression, cost: cost + 1 });
                }
                let expression = self.bound(Quantifier::Forall, sort, every);
                found.push(Weighed { expression, cost });
            }
        }
    }

    fn bound(&self, quantifier: Quantifier, sort: &Name, body: Expression) -> Expression {
        let name = Identifier::new("X".into(), self.span);
        let sort = Some(Identifier::new(sort.clone(), self.span));
        let kind = ExpressionKind::Quantified(quantifier, vec![Binder { name, sort }], body);
        Expression::new(kind, self.span)
    }

    fn not(&self, formula: Expression) -> Expression {
        Expression::new(ExpressionKind::Not(formula), self.span)
    }

    fn weighed(&self, kind: ExpressionKind, cost: u32) -> Weighed {
        Weighed { expression: Expression::new(kind, self.span), cost }
    }
}

/// Every way to take one term of each list.
fn combined(lists: &[Vec<Expression>]) -> Vec<Vec<Expression>> {
    let mut tuples: Vec<Vec<Expression>> = vec![Vec::new()];
    for terms in lists {
        let longer = tuples.into_iter().flat_map(|tuple| {
            terms.iter().map(move |term| tuple.iter().cloned().chain([term.clone()]).collect())
        });
        tuples = longer.take(TUPLES).collect();
    }
    tuples
}

fn finished(mut found: Vec<Weighed>) -> Vec<Weighed> {
    found.sort_by_key(|own| own.cost);
    let mut seen = BTreeSet::new();
    found.retain(|own| seen.insert(print_expression(&own.expression)));
    found.truncate(MOST);
    found
}

/// Every name that an action mentions.
pub(crate) fn mentioned(action: &ActionItem) -> BTreeSet<Name> {
    fn expression(own: &Expression, found: &mut BTreeSet<Name>) {
        match &*own.kind {
            ExpressionKind::Name(name) => {
                found.insert(name.clone());
            }
            ExpressionKind::Apply(name, _) => {
                found.insert(name.value.clone());
            }
            _ => {}
        }
        own.children().into_iter().for_each(|child| expression(child, found));
    }
    fn assignment(own: &AssignStatement, found: &mut BTreeSet<Name>) {
        found.insert(own.target.value.clone());
        for argument in &own.arguments {
            if let LeftArgument::Expression(own) = &argument.value {
                expression(own, found);
            }
        }
        if let RightValue::Expression(own) = &own.value.value {
            expression(own, found);
        }
    }
    fn statement(own: &Statement, found: &mut BTreeSet<Name>) {
        match &own.value {
            StatementKind::Require(formula) | StatementKind::Relate(_, formula) => {
                expression(formula, found);
            }
            StatementKind::If(condition, then, otherwise) => {
                expression(condition, found);
                then.iter().chain(otherwise).for_each(|own| statement(own, found));
            }
            StatementKind::Assign(own) => assignment(own, found),
            StatementKind::Together(all) => all.iter().for_each(|own| assignment(own, found)),
        }
    }
    let mut found = BTreeSet::new();
    action.body.iter().for_each(|own| statement(own, &mut found));
    found
}
