//! A step between two given states as a question for the solver: every element has a name.

use std::collections::BTreeMap;
use std::time::Duration;

use rmlcut::budget::Budget;
use rmlcut::logic::{
    Declarations, Domain, Formula, Name, Rank, SortDeclaration, SymbolDeclaration, Table, Term,
    Translation, Value, Var, Vocabulary, translate_formula,
};
use rmlcut::protocol::{
    Action, Invocation, Protocol, Signature, Sort, State, StepFormula, StepNames, StepSymbol,
    SymbolId, TwoStates,
};
use rmlcut::smt::z3::{ModelSize, Z3};
use rmlcut::smt::{Discharge, Prover, Query, UnknownReason};

/// The vocabulary of a step of one instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Pinned {}

/// A symbol of the step, or an element of the instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum PinnedSymbol {
    Step(StepSymbol),
    Element(Sort, u32),
}

impl Vocabulary for Pinned {
    type Sort = Sort;
    type Symbol = PinnedSymbol;
}

type PinnedFormula = Formula<Pinned>;

/// One invocation of an action in one state.
pub(crate) struct Situation<'a> {
    pub(crate) protocol: &'a Protocol,
    pub(crate) state: &'a State,
    pub(crate) invocation: &'a Invocation,
}

impl Situation<'_> {
    fn signature(&self) -> &Signature {
        &self.protocol.signature
    }

    fn action(&self) -> &Action {
        &self.protocol.actions[self.invocation.action]
    }

    /// The step's formula with the invocation's arguments for the parameters.
    pub(crate) fn step(&self, transition: &StepFormula) -> PinnedFormula {
        let params = self.action().params.iter();
        let bindings: BTreeMap<Var<TwoStates>, Term<Pinned>> = params
            .zip(&self.invocation.args)
            .map(|(param, value)| {
                (Var::new(param.name.clone(), param.sort), element(param.sort, *value))
            })
            .collect();
        translate_formula(transition, bindings, Named)
    }

    /// That the state before is this one.
    pub(crate) fn before(&self) -> PinnedFormula {
        let tables = &self.state.tables;
        Formula::and(
            tables.iter().flat_map(|(id, table)| self.facts(*id, StepSymbol::Pre(*id), table)),
        )
    }

    /// That the state after is that one.
    pub(crate) fn after(&self, state: &State) -> PinnedFormula {
        let mutable = self.signature().mutable();
        Formula::and(
            mutable.flat_map(|(id, _)| self.facts(id, StepSymbol::Post(id), &state.tables[&id])),
        )
    }

    fn facts(&self, id: SymbolId, symbol: StepSymbol, table: &Table) -> Vec<PinnedFormula> {
        let declared = self.signature().symbol(id);
        let fact = |(args, value): (Vec<Value>, Value)| {
            let args = declared.params.iter().zip(args).map(|(sort, arg)| element(*sort, arg));
            let symbol = PinnedSymbol::Step(symbol);
            match declared.result {
                None if value == Value::Bool(true) => Formula::holds(symbol, args.collect()),
                None => Formula::holds(symbol, args.collect()).negate(),
                Some(sort) => {
                    Formula::equal(Term::apply(symbol, args.collect(), sort), element(sort, value))
                }
            }
        };
        table.entries().map(fact).collect()
    }

    /// Whether the facts are possible together, by asking Z3.
    pub(crate) fn possible(&self, facts: Vec<PinnedFormula>) -> Result<bool, UnknownReason> {
        let names = Names { situation: self };
        let query = Query {
            declarations: &names,
            hypotheses: facts,
            goal: Formula::truth(false),
            observed: Vec::new(),
        };
        let prover = Z3 { models: ModelSize::Any };
        let budget = Budget::of_time(Duration::from_secs(20));
        match prover.discharge(&query, &budget).expect("the query is well-sorted") {
            Discharge::Valid => Ok(false),
            Discharge::Refuted(_) => Ok(true),
            Discharge::Unknown(reason) => Err(reason),
        }
    }
}

fn element(sort: Sort, value: Value) -> Term<Pinned> {
    match value {
        Value::Int(int) => Term::integer(int, sort),
        Value::Element(index) => Term::apply(PinnedSymbol::Element(sort, index), Vec::new(), sort),
        Value::Bool(_) => unreachable!("terms are not truth values"),
    }
}

struct Named;

impl Translation<TwoStates, Pinned> for Named {
    fn sort(&self, sort: Sort) -> Sort {
        sort
    }

    fn apply(&self, symbol: StepSymbol, args: Vec<Term<Pinned>>, sort: Sort) -> Term<Pinned> {
        Term::apply(PinnedSymbol::Step(symbol), args, sort)
    }

    fn holds(&self, symbol: StepSymbol, args: Vec<Term<Pinned>>) -> PinnedFormula {
        Formula::holds(PinnedSymbol::Step(symbol), args)
    }
}

struct Names<'a> {
    situation: &'a Situation<'a>,
}

impl Names<'_> {
    fn element_name(&self, sort: Sort, index: u32) -> Name {
        let sort = Declarations::sort(self.situation.signature(), sort).name;
        format!("{sort}{index}").into()
    }
}

impl Declarations<Pinned> for Names<'_> {
    fn sort(&self, sort: Sort) -> SortDeclaration {
        let name = Declarations::sort(self.situation.signature(), sort).name;
        let size = self.situation.state.extents[&sort].len();
        let elements = (0..u32::try_from(size).expect("a small number"))
            .map(|index| self.element_name(sort, index));
        let domain = match sort {
            Sort::Int => Domain::Int,
            Sort::Declared(_) => Domain::Enumeration(elements.collect()),
        };
        SortDeclaration { name, domain }
    }

    fn symbol(&self, symbol: PinnedSymbol) -> SymbolDeclaration<Pinned> {
        match symbol {
            PinnedSymbol::Element(sort, index) => SymbolDeclaration {
                name: self.element_name(sort, index),
                rank: Rank { params: Vec::new(), result: Some(sort) },
            },
            PinnedSymbol::Step(symbol) => {
                let (signature, action) = (self.situation.signature(), self.situation.action());
                let declared = Declarations::symbol(&StepNames { signature, action }, symbol);
                let Rank { params, result } = declared.rank;
                SymbolDeclaration { name: declared.name, rank: Rank { params, result } }
            }
        }
    }

    fn enumerated(&self, symbol: PinnedSymbol) -> Option<(Sort, usize)> {
        match symbol {
            PinnedSymbol::Element(sort, index) => Some((sort, index as usize)),
            PinnedSymbol::Step(_) => None,
        }
    }
}
