//! Random well-sorted terms and formulas over one state.

use rmlcut::logic::{Comparison, Formula, Quantifier, Term, Var};
use rmlcut::protocol::{Signature, Sort, StateFormula, StateTerm, StateVar, Symbol, SymbolId};

use crate::agreement::dice::Dice;

/// Makes expressions over a signature; every declared sort has a constant or elements.
pub(crate) struct Expressions<'a> {
    pub(crate) signature: &'a Signature,
    pub(crate) dice: &'a mut Dice,
    /// Which symbols may occur.
    pub(crate) symbols: Vec<SymbolId>,
    /// How many variables were bound so far: no two share a name.
    pub(crate) bound: usize,
    /// How the names of bound variables begin.
    pub(crate) prefix: &'static str,
}

impl Expressions<'_> {
    fn with_result(&self, wanted: Option<Sort>) -> Vec<SymbolId> {
        let result = |id: &SymbolId| self.signature.symbol(*id).result == wanted;
        self.symbols.iter().copied().filter(result).collect()
    }

    /// A formula whose free variables are in scope.
    pub(crate) fn formula(&mut self, scope: &[StateVar], depth: usize) -> StateFormula {
        if depth == 0 {
            return self.atom(scope, depth);
        }
        let depth = depth - 1;
        match self.dice.below(10) {
            0 | 1 => self.atom(scope, depth),
            2 => self.formula(scope, depth).negate(),
            3 => {
                let parts = self.formulas(scope, depth);
                Formula::and(parts)
            }
            4 => {
                let parts = self.formulas(scope, depth);
                Formula::or(parts)
            }
            5 => {
                let premise = self.formula(scope, depth);
                Formula::implies(premise, self.formula(scope, depth))
            }
            6 => {
                let left = self.formula(scope, depth);
                Formula::iff(left, self.formula(scope, depth))
            }
            7 => {
                let condition = self.formula(scope, depth);
                let then = self.formula(scope, depth);
                Formula::if_then_else(condition, then, self.formula(scope, depth))
            }
            _ => self.quantified(scope, depth),
        }
    }

    fn formulas(&mut self, scope: &[StateVar], depth: usize) -> Vec<StateFormula> {
        let count = 2 + self.dice.below(2);
        (0..count).map(|_| self.formula(scope, depth)).collect()
    }

    fn quantified(&mut self, scope: &[StateVar], depth: usize) -> StateFormula {
        let sorts: Vec<Sort> = self.signature.sorts().map(Sort::Declared).collect();
        let mut vars = Vec::new();
        for _ in 0..=self.dice.below(2) {
            self.bound += 1;
            vars.push(Var::new(format!("{}{}", self.prefix, self.bound), *self.dice.pick(&sorts)));
        }
        let quantifier = if self.dice.chance(50) { Quantifier::Forall } else { Quantifier::Exists };
        let inner: Vec<StateVar> = scope.iter().chain(&vars).cloned().collect();
        let body = self.formula(&inner, depth);
        Formula::quantified(quantifier, vars, body)
    }

    fn atom(&mut self, scope: &[StateVar], depth: usize) -> StateFormula {
        let relations = self.with_result(None);
        match self.dice.below(8) {
            0 => Formula::truth(self.dice.chance(50)),
            1 | 2 => {
                let sorts: Vec<Sort> =
                    self.signature.sorts().map(Sort::Declared).chain([Sort::Int]).collect();
                let sort = *self.dice.pick(&sorts);
                let left = self.term(sort, scope, depth);
                Formula::equal(left, self.term(sort, scope, depth))
            }
            3 => {
                let strict = self.dice.chance(50);
                let comparison = if strict { Comparison::Less } else { Comparison::LessEqual };
                let left = self.term(Sort::Int, scope, depth);
                Formula::compare(comparison, left, self.term(Sort::Int, scope, depth))
            }
            _ if relations.is_empty() => Formula::truth(self.dice.chance(50)),
            _ => {
                let relation = *self.dice.pick(&relations);
                Formula::holds(relation, self.arguments(relation, scope, depth))
            }
        }
    }

    fn arguments(&mut self, symbol: SymbolId, scope: &[StateVar], depth: usize) -> Vec<StateTerm> {
        let Symbol { params, .. } = self.signature.symbol(symbol);
        params.iter().map(|sort| self.term(*sort, scope, depth)).collect()
    }

    /// A term of a sort whose free variables are in scope.
    pub(crate) fn term(&mut self, sort: Sort, scope: &[StateVar], depth: usize) -> StateTerm {
        let vars: Vec<&StateVar> = scope.iter().filter(|var| var.sort == sort).collect();
        if !vars.is_empty() && self.dice.chance(60) {
            return Term::var((*self.dice.pick(&vars)).clone());
        }
        if depth > 0 && self.dice.chance(15) {
            let condition = self.formula(scope, depth - 1);
            let then = self.term(sort, scope, depth - 1);
            return Term::if_then_else(condition, then, self.term(sort, scope, depth - 1));
        }
        if sort == Sort::Int && self.dice.chance(60) {
            return self.number(scope, depth);
        }
        let elements = match sort {
            Sort::Declared(id) => self.signature.elements(id).map_or(0, <[_]>::len),
            Sort::Int => 0,
        };
        let mut functions = self.with_result(Some(sort));
        if depth == 0 || functions.is_empty() {
            functions.retain(|id| self.signature.symbol(*id).params.is_empty());
        }
        if elements > 0 && (functions.is_empty() || self.dice.chance(50)) {
            let index = u32::try_from(self.dice.below(elements)).expect("a small number");
            return Term::element(index, sort);
        }
        if functions.is_empty() {
            return self.number(scope, depth);
        }
        let function = *self.dice.pick(&functions);
        Term::apply(function, self.arguments(function, scope, depth.saturating_sub(1)), sort)
    }

    fn number(&mut self, scope: &[StateVar], depth: usize) -> StateTerm {
        let small = i64::try_from(self.dice.below(5)).expect("a small number") - 2;
        if depth == 0 || self.dice.chance(50) {
            return Term::integer(small, Sort::Int);
        }
        let left = self.term(Sort::Int, scope, depth - 1);
        let right = self.term(Sort::Int, scope, depth - 1);
        if self.dice.chance(50) { Term::add(left, right) } else { Term::subtract(left, right) }
    }
}
