//! Whether the solver decides an obligation: the graph of its sorts, and the cycle that may keep
//! the solver from an answer.

use std::collections::BTreeMap;

use crate::certificate::{Obligation, ProductSort, ProductSymbol, TwoSystems};
use crate::logic::{Alternation, Declarations as _, Domain, SortGraph, alternations};

/// The sort graphs of some obligations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fragment {
    /// How many obligations there are.
    pub obligations: usize,
    /// Every edge of any of them.
    pub edges: Vec<SortEdge>,
    /// The obligations whose graph has a cycle.
    pub cyclic: Vec<CyclicObligation>,
}

/// Elements of one sort give rise to elements of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortEdge {
    /// The sort of a universal variable, or of an argument.
    pub from: String,
    /// The sort of an existential variable in its scope, or of the value.
    pub to: String,
    /// What makes it: hypotheses, goals and functions.
    pub because: Vec<String>,
}

/// An obligation outside the fragment that the solver decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CyclicObligation {
    /// Its title.
    pub title: String,
    /// The sorts along a cycle; the first is repeated at the end.
    pub cycle: Vec<String>,
    /// What makes each edge of the cycle.
    pub because: Vec<String>,
}

/// The sort graphs of obligations.
pub fn fragment(obligations: &[Obligation]) -> Fragment {
    let mut all: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for obligation in obligations {
        for ((from, to), because) in graph(obligation).edges() {
            let edge = (name(obligation, *from), name(obligation, *to));
            let known = all.entry(edge).or_default();
            if !known.contains(because) {
                known.push(because.clone());
            }
        }
    }
    let edges = all.into_iter().map(|((from, to), because)| SortEdge { from, to, because });
    let (edges, cyclic) = (edges.collect(), obligations.iter().filter_map(cycle).collect());
    Fragment { obligations: obligations.len(), edges, cyclic }
}

/// The cycle of an obligation's graph, if it has one.
pub fn cycle(obligation: &Obligation) -> Option<CyclicObligation> {
    let graph = graph(obligation);
    let cycle = graph.cycle()?;
    let edges = cycle.windows(2).filter_map(|pair| graph.place(&(pair[0], pair[1])));
    Some(CyclicObligation {
        title: obligation.title(),
        because: edges.cloned().collect(),
        cycle: cycle.into_iter().map(|sort| name(obligation, sort)).collect(),
    })
}

/// The edges of the hypotheses, of the negated goal and of the functions in them.
fn graph(obligation: &Obligation) -> SortGraph<TwoSystems, String> {
    let mut graph = SortGraph::default();
    let negated = obligation.goal.negate();
    let hypotheses = obligation.hypotheses.iter();
    let named = hypotheses.map(|own| (own.name.to_string(), &own.formula));
    let is_open = |edge: &Alternation<TwoSystems>| is_open(obligation, edge);
    for (because, formula) in named.chain([("the goal".to_owned(), &negated)]) {
        graph.add(alternations(formula).into_iter().filter(is_open), &because);
        for symbol in formula.symbols() {
            let declared = obligation.names.symbol(symbol);
            // What a case defines was expanded, and its parameters are constants.
            let (Some(result), false) =
                (declared.rank.result, matches!(symbol, ProductSymbol::Sim(_)))
            else {
                continue;
            };
            let edges = declared.rank.params.iter().map(|param| (*param, result)).filter(is_open);
            graph.add(edges, &format!("the function {}", declared.name));
        }
    }
    graph
}

/// An enumeration has no further elements: what alternates with it is a finite conjunction.
fn is_open(obligation: &Obligation, (from, to): &Alternation<TwoSystems>) -> bool {
    let is_fixed = |sort| matches!(obligation.names.sort(sort).domain, Domain::Enumeration(_));
    !is_fixed(*from) && !is_fixed(*to)
}

fn name(obligation: &Obligation, sort: ProductSort) -> String {
    obligation.names.sort(sort).name.to_string()
}

impl CyclicObligation {
    /// The cycle in words.
    pub fn words(&self) -> String {
        format!(
            "quantifiers and functions alternate in a cycle, {} (by {})",
            self.cycle.join(" -> "),
            self.because.join(", ")
        )
    }
}
