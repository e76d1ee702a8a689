//! Candidate clauses for γ, from small pools to large ones.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::{OrderKind, RigidStructure};
use crate::certificate::{
    Clause, ProductFormula, ProductNames, ProductSymbol, ProductTerm, ProductVar, element,
    large_sort, read_in_cutoff, read_in_large, sim,
};
use crate::logic::{Formula, Term, Var};
use crate::protocol::{Protocol, Sort, StateFormula, SymbolId, summarize};
use crate::source::Span;

use super::before_step::one_state;
use super::maps::{Others, SortMap};
use crate::synthesis::clause_names::number_equal_names;
use crate::synthesis::combinations::extended;
use crate::synthesis::predicate::Predicate;

/// What clauses are made from.
pub(crate) struct Pool<'a> {
    pub(crate) protocol: &'a Protocol,
    pub(crate) structure: &'a RigidStructure,
    pub(crate) names: &'a ProductNames,
    pub(crate) maps: &'a [SortMap],
    /// Clauses that may be invariants, to be tried in both systems.
    pub(crate) candidates: &'a [StateFormula],
}

/// How many kinds of clauses the pool has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PoolStage {
    /// Each symbol against its image.
    Symbols,
    /// Also guards and what maps to one image.
    Guards,
    /// Also candidates for invariants of each system alone.
    Invariants,
}

/// The most clauses about one symbol: a proof costs about as much as its pool is large.
const MAX_OF_SYMBOL: usize = 48;

impl Pool<'_> {
    /// The clauses of a stage, named and in a fixed order.
    pub(crate) fn clauses(&self, stage: PoolStage) -> Vec<Clause> {
        let mut all = Vec::new();
        for (symbol, _) in self.protocol.signature.mutable() {
            let mut own = self.about(symbol);
            own.truncate(MAX_OF_SYMBOL);
            all.extend(own);
        }
        for map in self.maps {
            all.extend(map.spare().into_iter().flat_map(|index| self.idle(map, index)));
        }
        if stage >= PoolStage::Guards {
            for action in 0..self.protocol.actions.len() {
                all.extend(self.enabled(action));
            }
            for (symbol, _) in self.protocol.signature.mutable() {
                let predicates = Predicate::of(&self.protocol.signature, symbol).into_iter();
                all.extend(predicates.filter_map(|predicate| self.injective(predicate)));
            }
        }
        if stage >= PoolStage::Invariants {
            for (index, formula) in (1..).zip(self.candidates) {
                let large = read_in_large(formula, BTreeMap::new());
                let cutoff = read_in_cutoff(self.names, formula, BTreeMap::new());
                all.push(clause(format!("known_{index}_in_L"), large));
                all.push(clause(format!("known_{index}_in_C"), cutoff));
            }
        }
        let mut known: BTreeSet<ProductFormula> = BTreeSet::new();
        all.retain(|clause| known.insert(clause.formula.clone()));
        number_equal_names(all)
    }

    /// A symbol against its image, at kept elements and at all of them.
    fn about(&self, symbol: SymbolId) -> Vec<Clause> {
        let declared = self.protocol.signature.symbol(symbol);
        let mut all = Vec::new();
        for places in self.places(&declared.params) {
            let (large, cutoff): (Vec<_>, Vec<_>) =
                places.iter().map(|place| (place.large.clone(), place.cutoff.clone())).unzip();
            let vars: Vec<ProductVar> =
                places.iter().filter_map(|place| place.var.clone()).collect();
            let close = |formula| Formula::forall(vars.clone(), formula);
            let name = &declared.name;
            let (at_large, at_cutoff) =
                (ProductSymbol::Large(symbol), ProductSymbol::Cutoff(symbol));
            if let Some(sort) = declared.result {
                let value = Term::apply(at_large, large.clone(), large_sort(sort));
                let image = Term::apply(at_cutoff, cutoff.clone(), self.names.cutoff_sort(sort));
                let same = Formula::equal(image.clone(), sim(self.names, sort, value.clone()));
                all.push(clause(name.to_string(), close(same)));
                for (suffix, ordered) in self.ordered(sort, &value, &image) {
                    all.push(clause(format!("{name}_{suffix}"), close(ordered)));
                }
            }
            for predicate in Predicate::of(&self.protocol.signature, symbol) {
                let name = predicate.name(&self.protocol.signature);
                let in_large = self.in_large(predicate, large.clone());
                let in_cutoff = self.in_cutoff(predicate, cutoff.clone());
                let forth = Formula::implies(in_large.clone(), in_cutoff.clone());
                all.push(clause(name.to_string(), close(forth)));
                let back = Formula::implies(in_cutoff, in_large);
                all.push(clause(format!("not_{name}"), close(back)));
            }
        }
        all
    }

    /// A predicate of `L` at arguments.
    fn in_large(&self, predicate: Predicate, args: Vec<ProductTerm>) -> ProductFormula {
        let result = self.protocol.signature.symbol(predicate.symbol).result;
        predicate.at(ProductSymbol::Large(predicate.symbol), args, || result.map(large_sort))
    }

    /// A predicate of `C` at arguments.
    fn in_cutoff(&self, predicate: Predicate, args: Vec<ProductTerm>) -> ProductFormula {
        let result = self.protocol.signature.symbol(predicate.symbol).result;
        let sort = || result.map(|sort| self.names.cutoff_sort(sort));
        predicate.at(ProductSymbol::Cutoff(predicate.symbol), args, sort)
    }

    /// The value and its image in a total order, if the sort is residual and has one.
    fn ordered(
        &self,
        sort: Sort,
        value: &ProductTerm,
        image: &ProductTerm,
    ) -> Vec<(&'static str, ProductFormula)> {
        let Sort::Declared(id) = sort else { return Vec::new() };
        if value.sort() != image.sort() {
            return Vec::new();
        }
        let order = self.structure.orders.iter();
        let order = order.filter(|order| order.kind == OrderKind::Reflexive && order.sort == id);
        order
            .flat_map(|order| {
                let at = |left: &ProductTerm, right: &ProductTerm| {
                    let relation = ProductSymbol::Large(order.relation);
                    Formula::holds(relation, vec![left.clone(), right.clone()])
                };
                [("at_most", at(image, value)), ("at_least", at(value, image))]
            })
            .collect()
    }

    /// Every way to fill argument positions: with a variable, or with a kept element.
    fn places(&self, sorts: &[Sort]) -> Vec<Vec<PoolPlace>> {
        let mut ways: Vec<Vec<PoolPlace>> = vec![Vec::new()];
        for (index, sort) in sorts.iter().enumerate() {
            let options = self.place_options(index, *sort);
            ways = extended(&ways, &options);
            // Each way gives a clause at least; the first ones come from the first ways.
            ways.truncate(MAX_OF_SYMBOL);
        }
        ways
    }

    fn place_options(&self, index: usize, sort: Sort) -> Vec<PoolPlace> {
        let var: ProductVar = Var::new(format!("X{}", index + 1), large_sort(sort));
        let at = Term::var(var.clone());
        let all =
            PoolPlace { cutoff: sim(self.names, sort, at.clone()), large: at, var: Some(var) };
        let map = self.map(sort);
        let Some(map) = map else { return vec![all] };
        let kept = map.kept.iter().map(|kept| PoolPlace {
            large: kept.clone(),
            // Kept elements may coincide: the image is by the map, not by position.
            cutoff: sim(self.names, sort, kept.clone()),
            var: None,
        });
        match map.others {
            Others::Merged => [all].into_iter().chain(kept).collect(),
            Others::Ignored => kept.collect(),
        }
    }

    fn map(&self, sort: Sort) -> Option<&SortMap> {
        let Sort::Declared(id) = sort else { return None };
        self.maps.iter().find(|map| map.sort == id)
    }

    /// Facts about the spare element until a relation without arguments holds: it has not moved
    /// yet.
    fn idle(&self, map: &SortMap, index: usize) -> Vec<Clause> {
        let sort = Sort::Declared(map.sort);
        let flags: Vec<ProductFormula> = self
            .protocol
            .signature
            .mutable()
            .filter(|(_, symbol)| symbol.result.is_none() && symbol.params.is_empty())
            .map(|(id, _)| Formula::holds(ProductSymbol::Cutoff(id), Vec::new()))
            .collect();
        let mut unless: Vec<ProductFormula> = vec![Formula::truth(false)];
        unless.extend(flags.iter().cloned());
        if flags.len() == 2 {
            unless.push(Formula::or(flags));
        }
        let mut all = Vec::new();
        let signature = &self.protocol.signature;
        let own = signature.mutable().filter(|(_, symbol)| symbol.params == [sort]);
        for predicate in own.flat_map(|(id, _)| Predicate::of(signature, id)) {
            let at = self.in_cutoff(predicate, vec![element(map.sort, index)]);
            let name = predicate.name(signature);
            for unless in &unless {
                for fact in [at.clone(), at.negate()] {
                    let formula = Formula::or([unless.clone(), fact]);
                    all.push(clause(format!("idle_{name}"), formula));
                }
            }
        }
        all
    }

    /// What can be done in `L` can be done in `C`.
    fn enabled(&self, action: usize) -> Option<Clause> {
        let declared = &self.protocol.actions[action];
        let summary = summarize(&self.protocol.signature, declared);
        let guard = one_state(&summary.guard)?;
        let mut vars = Vec::new();
        let mut conditions = Vec::new();
        let (mut large, mut cutoff) = (BTreeMap::new(), BTreeMap::new());
        for (index, param) in declared.params.iter().enumerate() {
            let var: ProductVar = Var::new(format!("X{}", index + 1), large_sort(param.sort));
            let kept = self.map(param.sort).filter(|map| map.others == Others::Ignored);
            let at = match kept.map(|map| map.kept.as_slice()) {
                Some([only]) => only.clone(),
                _ => Term::var(var.clone()),
            };
            if let Some(map) = kept.filter(|map| map.kept.len() > 1) {
                conditions.push(map.is_kept(&at));
            }
            large.insert(param.clone(), at.clone());
            cutoff.insert(param.clone(), sim(self.names, param.sort, at));
            vars.push(var);
        }
        conditions.push(read_in_large(&guard, large));
        let in_cutoff = read_in_cutoff(self.names, &guard, cutoff);
        let formula = Formula::implies(Formula::and(conditions), in_cutoff);
        let free = formula.free_vars();
        vars.retain(|var| free.contains(var));
        Some(clause(format!("can_{}", declared.name), Formula::forall(vars, formula)))
    }

    /// No two facts of `L` have one image.
    fn injective(&self, predicate: Predicate) -> Option<Clause> {
        let declared = self.protocol.signature.symbol(predicate.symbol);
        let merged = |sort: &Sort| self.map(*sort).is_some();
        if !declared.params.iter().any(merged) {
            return None;
        }
        let vars = |letter: &str| -> Vec<ProductVar> {
            let sorts = declared.params.iter().enumerate();
            let named = sorts
                .map(|(index, sort)| Var::new(format!("{letter}{}", index + 1), large_sort(*sort)));
            named.collect()
        };
        let (left, right) = (vars("X"), vars("Y"));
        let terms = |vars: &[ProductVar]| vars.iter().cloned().map(Term::var).collect::<Vec<_>>();
        let same_image = declared.params.iter().zip(terms(&left).into_iter().zip(terms(&right)));
        let mut facts: Vec<ProductFormula> = same_image
            .map(|(sort, (left, right))| {
                Formula::equal(sim(self.names, *sort, left), sim(self.names, *sort, right))
            })
            .collect();
        facts.push(self.in_large(predicate, terms(&left)));
        facts.push(self.in_large(predicate, terms(&right)));
        let equal = terms(&left).into_iter().zip(terms(&right));
        let equal = Formula::and(equal.map(|(left, right)| Formula::equal(left, right)));
        let formula = Formula::implies(Formula::and(facts), equal);
        let all = left.into_iter().chain(right).collect();
        Some(clause(
            format!("one_{}", predicate.name(&self.protocol.signature)),
            Formula::forall(all, formula),
        ))
    }
}

/// An argument in `L` and its image in `C`.
#[derive(Clone)]
struct PoolPlace {
    large: ProductTerm,
    cutoff: ProductTerm,
    /// The variable, if it is any element.
    var: Option<ProductVar>,
}

fn clause(name: String, formula: ProductFormula) -> Clause {
    Clause { name: name.into(), formula, span: Span::default() }
}
