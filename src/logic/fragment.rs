//! Which decidable fragment a formula is in: the sorts' quantifier-alternation graph.

use std::collections::{BTreeMap, BTreeSet};

use super::{Formula, FormulaKind, Node, Quantifier, Vocabulary};

/// An edge of the alternation graph: a universal over `from` has an existential over `to` below.
pub type Alternation<V> = (<V as Vocabulary>::Sort, <V as Vocabulary>::Sort);

/// The quantifier alternations `∀ from … ∃ to` of a formula that is asserted.
///
/// A set of formulas whose alternations and function ranks together form no cycle is in the
/// extended EPR fragment, for which the solver decides validity.
pub fn alternations<V: Vocabulary>(formula: &Formula<V>) -> BTreeSet<Alternation<V>> {
    let mut edges = BTreeSet::new();
    walk(Node::Formula(formula), &[true], &mut Vec::new(), &mut edges);
    edges
}

/// `signs` holds the polarities this node can have.
fn walk<V: Vocabulary>(
    node: Node<'_, V>,
    signs: &[bool],
    universals: &mut Vec<V::Sort>,
    edges: &mut BTreeSet<Alternation<V>>,
) {
    let both: &[bool] = &[true, false];
    let flipped: Vec<bool> = signs.iter().map(|sign| !sign).collect();
    if let Node::Formula(formula) = node {
        match formula.kind() {
            FormulaKind::Not(inner) => {
                return walk(Node::Formula(inner), &flipped, universals, edges);
            }
            FormulaKind::Implies(premise, conclusion) => {
                walk(Node::Formula(premise), &flipped, universals, edges);
                return walk(Node::Formula(conclusion), signs, universals, edges);
            }
            FormulaKind::If(condition, then, otherwise) => {
                walk(Node::Formula(condition), both, universals, edges);
                walk(Node::Formula(then), signs, universals, edges);
                return walk(Node::Formula(otherwise), signs, universals, edges);
            }
            FormulaKind::Quantified(quantifier, vars, body) => {
                let depth = universals.len();
                for sign in signs {
                    let universal = (*quantifier == Quantifier::Forall) == *sign;
                    for var in vars {
                        if !universal {
                            edges.extend(universals[..depth].iter().map(|from| (*from, var.sort)));
                        } else {
                            universals.push(var.sort);
                        }
                    }
                }
                walk(Node::Formula(body), signs, universals, edges);
                universals.truncate(depth);
                return;
            }
            _ => {}
        }
    }
    let signs = match node {
        Node::Formula(formula) => match formula.kind() {
            FormulaKind::And(_) | FormulaKind::Or(_) => signs,
            _ => both,
        },
        Node::Term(_) => both,
    };
    for child in node.children() {
        walk(child, signs, universals, edges);
    }
}

/// Sorts, with an edge wherever elements of one give rise to elements of another, and the place
/// that made each edge first.
#[derive(Clone, Debug)]
pub struct SortGraph<V: Vocabulary, P> {
    edges: BTreeMap<Alternation<V>, P>,
}

impl<V: Vocabulary, P> Default for SortGraph<V, P> {
    fn default() -> Self {
        SortGraph { edges: BTreeMap::new() }
    }
}

impl<V: Vocabulary, P: Clone> SortGraph<V, P> {
    /// Adds edges that a place makes.
    pub fn add(&mut self, edges: impl IntoIterator<Item = Alternation<V>>, place: &P) {
        for edge in edges {
            self.edges.entry(edge).or_insert_with(|| place.clone());
        }
    }

    /// The edges in order, each with its place.
    pub fn edges(&self) -> impl Iterator<Item = (&Alternation<V>, &P)> {
        self.edges.iter()
    }

    /// The place that made an edge.
    pub fn place(&self, edge: &Alternation<V>) -> Option<&P> {
        self.edges.get(edge)
    }

    /// The sorts along a cycle; the first is repeated at the end.
    pub fn cycle(&self) -> Option<Vec<V::Sort>> {
        let mut finished = BTreeSet::new();
        for (start, _) in self.edges.keys() {
            if finished.contains(start) {
                continue;
            }
            let mut path = vec![(*start, self.successors(*start))];
            while let Some((sort, successors)) = path.last_mut() {
                let sort = *sort;
                match successors.pop() {
                    None => {
                        finished.insert(sort);
                        path.pop();
                    }
                    Some(next) if finished.contains(&next) => {}
                    Some(next) => {
                        if let Some(from) = path.iter().position(|(sort, _)| *sort == next) {
                            let on_cycle = path[from..].iter().map(|(sort, _)| *sort);
                            return Some(on_cycle.chain([next]).collect());
                        }
                        path.push((next, self.successors(next)));
                    }
                }
            }
        }
        None
    }

    fn successors(&self, sort: V::Sort) -> Vec<V::Sort> {
        let own = self.edges.keys().filter(|(from, _)| *from == sort);
        own.map(|(_, to)| *to).collect()
    }
}
