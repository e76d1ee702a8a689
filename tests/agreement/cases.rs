//! Random cases of certificates: any map, any definition, any clause, any answer.

use std::collections::BTreeMap;

use rmlcut::certificate::{
    Alternative, Case, Clause, Closing, CutSort, Mode, Move, ProductDefinition, ProductFormula,
    ProductNames, ProductSort, ProductSymbol, ProductTerm, ProductVar, StateClause, Systems,
    TwoSystems, element_var, is_about_large, large_sort,
};
use rmlcut::logic::{Declarations as _, Definition, Formula, Rank, Term, Translation};
use rmlcut::protocol::{
    ChoiceId, OneState, Protocol, Rigidity, Signature, Sort, SortId, StateVar, Symbol, SymbolId,
};
use rmlcut::source::Span;

use crate::agreement::dice::Dice;
use crate::agreement::expressions::Expressions;

/// What an expression may read, as in a certificate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Reads {
    Rigid,
    Large,
    Both,
    Step,
}

/// The symbols of both systems as those of one state, so that expressions can be made of them.
struct Product {
    names: ProductNames,
    alone: Signature,
    sorts: Vec<ProductSort>,
    symbols: Vec<ProductSymbol>,
}

impl Product {
    fn new(names: ProductNames, large: &Protocol) -> Self {
        let mut product =
            Product { names, alone: Signature::default(), sorts: Vec::new(), symbols: Vec::new() };
        let sorts: Vec<SortId> = large.signature.sorts().collect();
        let cut: Vec<SortId> = product.names.cut.iter().map(|cut| cut.sort).collect();
        product.sorts.extend(sorts.into_iter().map(ProductSort::Large));
        product.sorts.extend(cut.iter().copied().map(ProductSort::Cutoff));
        for (index, sort) in product.sorts.clone().into_iter().enumerate() {
            let name = format!("sort{index}").into();
            let elements = match sort {
                ProductSort::Large(id) => large.signature.elements(id),
                ProductSort::Cutoff(_) | ProductSort::Int => None,
            };
            match elements {
                Some(elements) => product.alone.add_enumeration(name, elements.to_vec()),
                None => product.alone.add_sort(name),
            };
        }
        for (id, _) in large.signature.symbols() {
            product.add(ProductSymbol::Large(id));
            product.add(ProductSymbol::LargePost(id));
            product.add(ProductSymbol::Cutoff(id));
        }
        for (index, _) in (0..).zip(&large.actions[0].choices) {
            product.add(ProductSymbol::LargeChoice(ChoiceId(index)));
        }
        for index in 0..product.names.params.len() {
            product.add(ProductSymbol::Param(u32::try_from(index).expect("a small number")));
        }
        for cut in product.names.cut.clone() {
            product.add(ProductSymbol::Sim(cut.sort));
            for (index, _) in (0..).zip(&cut.elements) {
                product.add(ProductSymbol::Element(cut.sort, index));
            }
        }
        product
    }

    fn add(&mut self, symbol: ProductSymbol) {
        let Rank { params, result } = self.names.symbol(symbol).rank;
        let name = format!("symbol{}", self.symbols.len()).into();
        let params = params.into_iter().map(|sort| self.alone(sort)).collect();
        let result = result.map(|sort| self.alone(sort));
        let (rigidity, span) = (Rigidity::Rigid, Span::default());
        self.alone.add_symbol(Symbol { name, params, result, rigidity, span });
        self.symbols.push(symbol);
    }

    fn alone(&self, sort: ProductSort) -> Sort {
        let position = self.sorts.iter().position(|own| *own == sort);
        position.map_or(Sort::Int, |index| {
            Sort::Declared(SortId(u32::try_from(index).expect("a small number")))
        })
    }

    fn readable(&self, reads: Reads, maps: bool) -> Vec<SymbolId> {
        let is_readable = |symbol: &ProductSymbol| match symbol {
            ProductSymbol::Large(id) => {
                let rigidity = self.names.signature.symbol(*id).rigidity;
                reads >= Reads::Large || rigidity == Rigidity::Rigid
            }
            ProductSymbol::LargePost(_) | ProductSymbol::LargeChoice(_) => reads >= Reads::Step,
            ProductSymbol::Cutoff(_) => reads >= Reads::Both,
            ProductSymbol::Sim(_) => maps,
            ProductSymbol::CutoffChoice(_) => false,
            ProductSymbol::Param(_) | ProductSymbol::Element(..) => true,
        };
        let readable = (0..).zip(&self.symbols).filter(|(_, symbol)| is_readable(symbol));
        readable.map(|(index, _)| SymbolId(index)).collect()
    }
}

impl Translation<OneState, TwoSystems> for &Product {
    fn sort(&self, sort: Sort) -> ProductSort {
        match sort {
            Sort::Declared(id) => self.sorts[id.0 as usize],
            Sort::Int => ProductSort::Int,
        }
    }

    fn apply(&self, symbol: SymbolId, args: Vec<ProductTerm>, sort: ProductSort) -> ProductTerm {
        Term::apply(self.symbols[symbol.0 as usize], args, sort)
    }

    fn holds(&self, symbol: SymbolId, args: Vec<ProductTerm>) -> ProductFormula {
        Formula::holds(self.symbols[symbol.0 as usize], args)
    }
}

/// Makes the parts of a case.
struct Maker<'a> {
    product: &'a Product,
    dice: &'a mut Dice,
    /// The parameters of the action.
    params: Vec<ProductVar>,
}

/// Binders may be called like parameters, argument variables and each other.
const PREFIXES: &[&str] = &["B", "p", "x", "c", "v"];

impl Maker<'_> {
    fn scope(&self, vars: &[ProductVar]) -> Vec<StateVar> {
        let own = |var: &ProductVar| StateVar::new(var.name.clone(), self.product.alone(var.sort));
        vars.iter().map(own).collect()
    }

    fn expressions(&mut self, reads: Reads, maps: bool) -> Expressions<'_> {
        let symbols = self.product.readable(reads, maps);
        let prefix = self.dice.pick(PREFIXES);
        Expressions { signature: &self.product.alone, dice: self.dice, symbols, bound: 0, prefix }
    }

    fn formula(&mut self, reads: Reads, vars: &[ProductVar], depth: usize) -> ProductFormula {
        let scope = self.scope(vars);
        let formula = self.expressions(reads, true).formula(&scope, depth);
        rmlcut::logic::translate_formula(&formula, BTreeMap::new(), self.product)
    }

    fn term(
        &mut self,
        sort: ProductSort,
        (reads, maps): (Reads, bool),
        vars: &[ProductVar],
    ) -> ProductTerm {
        let (scope, sort) = (self.scope(vars), self.product.alone(sort));
        let term = self.expressions(reads, maps).term(sort, &scope, 2);
        rmlcut::logic::translate_term(&term, BTreeMap::new(), self.product)
    }

    fn definition(
        &mut self,
        rank: Rank<TwoSystems>,
        (reads, maps): (Reads, bool),
        vars: &[ProductVar],
    ) -> ProductDefinition {
        let params = rank.params.into_iter().enumerate();
        let params: Vec<ProductVar> =
            params.map(|(index, sort)| ProductVar::new(format!("v{index}"), sort)).collect();
        let scope: Vec<ProductVar> = params.iter().chain(vars).cloned().collect();
        match rank.result {
            None => Definition::relation(params, self.formula(reads, &scope, 2)),
            Some(sort) => Definition::function(params, self.term(sort, (reads, maps), &scope)),
        }
    }

    fn answer(&mut self, small: &Protocol, last: bool) -> Alternative {
        let params = self.params.clone();
        let condition =
            if last { Formula::truth(true) } else { self.formula(Reads::Step, &params, 2) };
        let moves = (0..self.dice.below(4)).map(|_| self.next(small)).collect();
        Alternative { condition, moves, span: Span::default() }
    }

    /// An argument of a move: often what an earlier move may have changed.
    fn argument(
        &mut self,
        small: &Protocol,
        sort: ProductSort,
        params: &[ProductVar],
    ) -> ProductTerm {
        let step = (Reads::Step, true);
        let rank = |id| self.product.names.symbol(ProductSymbol::Cutoff(id)).rank;
        let changing = small.signature.mutable().map(|(id, _)| (id, rank(id)));
        let changing: Vec<_> = changing.filter(|(_, own)| own.result == Some(sort)).collect();
        if changing.is_empty() || self.dice.chance(30) {
            return self.term(sort, step, params);
        }
        let (id, rank) = self.dice.pick(&changing).clone();
        let args = rank.params.into_iter().map(|sort| self.term(sort, step, params)).collect();
        Term::apply(ProductSymbol::Cutoff(id), args, sort)
    }

    fn next(&mut self, small: &Protocol) -> Move {
        let params = self.params.clone();
        let names = &self.product.names;
        let action = &small.actions[0];
        let sorts: Vec<ProductSort> =
            action.params.iter().map(|param| names.cutoff_sort(param.sort)).collect();
        let ranks: Vec<Rank<TwoSystems>> = action
            .choices
            .iter()
            .map(|choice| Rank {
                params: choice.params.iter().map(|sort| names.cutoff_sort(*sort)).collect(),
                result: choice.result.map(|sort| names.cutoff_sort(sort)),
            })
            .collect();
        let step = (Reads::Step, true);
        let args = sorts.into_iter().map(|sort| self.argument(small, sort, &params)).collect();
        let choices = (0..).zip(ranks);
        let choices = choices
            .map(|(index, rank)| (ChoiceId(index), self.definition(rank, step, &params)))
            .collect();
        let mode = if self.dice.chance(50) { Mode::Fire } else { Mode::Try };
        Move { mode, action: 0, args, choices, span: Span::default() }
    }
}

/// A random case of a protocol with one action.
pub(crate) fn case(dice: &mut Dice, large: &Protocol) -> Case {
    let property = &large.properties[0];
    let mut sorts: Vec<Sort> = property.vars.iter().map(|var| var.sort).collect();
    sorts.extend(large.signature.sorts().map(Sort::Declared).take(dice.below(3)));
    let designated = !property.vars.is_empty() && dice.chance(60);
    let violators = if designated { (0..property.vars.len()).collect() } else { Vec::new() };
    let params: Vec<rmlcut::certificate::Param> = sorts
        .into_iter()
        .enumerate()
        .map(|(index, sort)| rmlcut::certificate::Param { name: format!("a{index}").into(), sort })
        .collect();
    let is_cut: Vec<SortId> = large.signature.sized_sorts().filter(|_| dice.chance(60)).collect();
    let cut = is_cut.into_iter().enumerate().map(|(number, sort)| {
        let elements = (0..=dice.below(2)).map(|index| format!("e{number}{index}").into());
        let zero = rmlcut::certificate::element(sort, 0);
        let var = ProductVar::new("n", ProductSort::Large(sort));
        let sim = Definition::function(vec![var], zero);
        CutSort { sort, elements: elements.collect(), sim }
    });
    let names = ProductNames {
        systems: Systems::Both,
        signature: large.signature.clone(),
        cut: cut.collect(),
        params: params.iter().map(|param| (param.name.clone(), param.sort)).collect(),
        action: Some(large.actions[0].clone()),
    };
    let product = Product::new(names, large);
    let own = large.actions[0].params.iter();
    let own = own.map(|param| ProductVar::new(param.name.clone(), large_sort(param.sort)));
    let maker = Maker { product: &product, dice, params: own.collect() };
    assemble(maker, large, params, violators)
}

fn assemble(
    mut maker: Maker<'_>,
    large: &Protocol,
    params: Vec<rmlcut::certificate::Param>,
    violators: Vec<usize>,
) -> Case {
    let product = maker.product;
    let mut cut = product.names.cut.clone();
    for cut in &mut cut {
        let rank = product.names.symbol(ProductSymbol::Sim(cut.sort)).rank;
        cut.sim = loop {
            let sim = maker.definition(rank.clone(), (Reads::Rigid, false), &[]);
            let rmlcut::logic::Body::Term(term) = &sim.body else { continue };
            if !term.symbols().iter().any(|symbol| matches!(symbol, ProductSymbol::Sim(_))) {
                break sim;
            }
        };
    }
    let (mut rigid, mut start) = (BTreeMap::new(), BTreeMap::new());
    for (id, symbol) in large.signature.symbols() {
        let rank = product.names.symbol(ProductSymbol::Cutoff(id)).rank;
        match symbol.rigidity {
            Rigidity::Rigid => {
                rigid.insert(id, maker.definition(rank, (Reads::Rigid, true), &[]));
            }
            Rigidity::Mutable => {
                start.insert(id, maker.definition(rank, (Reads::Large, true), &[]));
            }
        }
    }
    let clause =
        |name: String, formula| Clause { name: name.into(), formula, span: Span::default() };
    let about_large = (0..20).map(|_| maker.formula(Reads::Large, &[], 2)).find(is_about_large);
    let select = clause("select".to_owned(), about_large.unwrap_or(Formula::truth(true)));
    let gamma = (0..2).map(|index| clause(format!("g{index}"), maker.formula(Reads::Both, &[], 3)));
    let gamma = gamma.collect();
    let elements: Vec<StateVar> = cut
        .iter()
        .flat_map(|cut| (0..cut.elements.len()).map(|index| element_var(cut, index)))
        .collect();
    let symbols = large.signature.symbols().map(|(id, _)| id).collect();
    let dice = &mut *maker.dice;
    let mut alone =
        Expressions { signature: &large.signature, dice, symbols, bound: 0, prefix: "e0" };
    let formula = alone.formula(&elements, 2);
    let only = vec![StateClause { name: "o0".into(), formula, span: Span::default() }];
    let count = 1 + maker.dice.below(2);
    let answers = (1..=count).map(|index| maker.answer(large, index == count)).collect();
    Case {
        name: "random".into(),
        property: 0,
        params,
        violators,
        select,
        cut,
        rigid,
        start,
        only,
        gamma,
        lockstep: vec![answers],
        small: large.clone(),
        relaxed: false,
        closing: Closing::Search,
        span: Span::default(),
    }
}
