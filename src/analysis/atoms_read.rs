//! From formulas and terms to the mutable atoms they read, each with the value that is wanted.
//!
//! A relation is wanted true or false by its polarity, `*` where both may be needed. A function is
//! wanted at a constant where an equation of positive polarity says so, else `*`.

use std::collections::BTreeSet;

use crate::analysis::polarity::Polarity;
use crate::logic::{Formula, FormulaKind, Node, Quantifier, Term, TermKind, Var, Vocabulary};
use crate::protocol::{Rigidity, Signature, Sort, SymbolId};

use super::atom::{AtomEntry, AtomValue, NeededAtom};

/// How to read the names and symbols of a vocabulary.
pub(super) trait AtomReader<V: Vocabulary, N> {
    /// The protocol's symbols.
    fn signature(&self) -> &Signature;
    /// The protocol's symbol, if its value in the state before is what is read.
    fn symbol(&self, symbol: V::Symbol) -> Option<SymbolId>;
    /// What a free variable is called, if it has a name here.
    fn name(&self, var: &Var<V>) -> Option<N>;
    /// Whether a name is one fixed element, so that an equation with it fixes a value.
    fn is_fixed(&self, name: &N) -> bool;
}

/// The mutable atoms that a formula reads when it must hold (`Positive`), must fail (`Negative`)
/// or must be known (`Both`), without repetitions.
pub(super) fn read_by_formula<V, N>(
    reader: &impl AtomReader<V, N>,
    formula: &Formula<V>,
    polarity: Polarity,
) -> Vec<NeededAtom<N>>
where
    V: Vocabulary<Sort = Sort>,
    N: Clone + PartialEq,
{
    let node = Node::Formula(formula);
    read_by_node(reader, node, polarity)
}

/// The mutable atoms that a term reads, without repetitions.
pub(super) fn read_by_term<V, N>(
    reader: &impl AtomReader<V, N>,
    term: &Term<V>,
) -> Vec<NeededAtom<N>>
where
    V: Vocabulary<Sort = Sort>,
    N: Clone + PartialEq,
{
    read_by_node(reader, Node::Term(term), Polarity::Both)
}

/// The entry that a term is: a name, a rigid constant, an integer, or `*`.
pub(super) fn entry<V, N>(
    reader: &impl AtomReader<V, N>,
    bound: &BTreeSet<Var<V>>,
    term: &Term<V>,
) -> AtomEntry<N>
where
    V: Vocabulary<Sort = Sort>,
{
    match term.kind() {
        TermKind::Var(var) if bound.contains(var) => AtomEntry::Any,
        TermKind::Var(var) => reader.name(var).map_or(AtomEntry::Any, AtomEntry::Named),
        TermKind::Integer(value, _) => AtomEntry::Integer(*value),
        TermKind::Element(index, Sort::Declared(sort)) => AtomEntry::Element(*sort, *index),
        TermKind::Apply(symbol, args, _) if args.is_empty() => match reader.symbol(*symbol) {
            Some(symbol) if is_rigid(reader.signature(), symbol) => AtomEntry::Constant(symbol),
            _ => AtomEntry::Any,
        },
        TermKind::Apply(..)
        | TermKind::Element(..)
        | TermKind::Add(..)
        | TermKind::Subtract(..)
        | TermKind::If(..) => AtomEntry::Any,
    }
}

/// A quantifier by its force, with what it binds.
pub(super) type Binding<V> = (Quantifier, Vec<Var<V>>);

/// The quantifiers of a formula of a polarity, by force: one of polarity `Both` counts twice.
pub(super) fn quantifiers<V: Vocabulary>(
    formula: &Formula<V>,
    polarity: Polarity,
) -> Vec<Binding<V>> {
    let mut found = Vec::new();
    visit_by_polarity(Node::Formula(formula), polarity, &mut |node, polarity| {
        if let Node::Formula(inner) = node
            && let FormulaKind::Quantified(quantifier, vars, _) = inner.kind()
        {
            match polarity {
                Polarity::Positive => found.push((*quantifier, vars.clone())),
                Polarity::Negative => found.push((quantifier.dual(), vars.clone())),
                Polarity::Both => {
                    found.push((*quantifier, vars.clone()));
                    found.push((quantifier.dual(), vars.clone()));
                }
            }
        }
    });
    found
}

fn is_rigid(signature: &Signature, symbol: SymbolId) -> bool {
    signature.symbol(symbol).rigidity == Rigidity::Rigid
}

fn read_by_node<V, N>(
    reader: &impl AtomReader<V, N>,
    node: Node<'_, V>,
    polarity: Polarity,
) -> Vec<NeededAtom<N>>
where
    V: Vocabulary<Sort = Sort>,
    N: Clone + PartialEq,
{
    let mut collector =
        AtomCollector { reader, bound: bound_vars(node), pinned: None, atoms: vec![] };
    visit_by_polarity(node, polarity, &mut |node, polarity| collector.node(node, polarity));
    collector.atoms
}

/// Every variable that some quantifier binds: conservatively `*` everywhere.
fn bound_vars<V: Vocabulary>(node: Node<'_, V>) -> BTreeSet<Var<V>> {
    let mut bound = BTreeSet::new();
    node.visit(&mut |node| {
        if let Node::Formula(formula) = node
            && let FormulaKind::Quantified(_, vars, _) = formula.kind()
        {
            bound.extend(vars.iter().cloned());
        }
    });
    bound
}

struct AtomCollector<'a, R, V: Vocabulary, N> {
    reader: &'a R,
    bound: BTreeSet<Var<V>>,
    /// The side of an equation whose value the equation fixes; it is visited right after.
    pinned: Option<(Term<V>, AtomEntry<N>)>,
    atoms: Vec<NeededAtom<N>>,
}

impl<R, V, N> AtomCollector<'_, R, V, N>
where
    R: AtomReader<V, N>,
    V: Vocabulary<Sort = Sort>,
    N: Clone + PartialEq,
{
    fn node(&mut self, node: Node<'_, V>, polarity: Polarity) {
        match node {
            Node::Formula(formula) => self.formula(formula, polarity),
            Node::Term(term) => {
                if let TermKind::Apply(symbol, args, _) = term.kind() {
                    let pinned = self.pinned.take_if(|(pinned, _)| pinned == term);
                    let output = pinned.map_or(AtomValue::Any, |(_, value)| AtomValue::Is(value));
                    self.atom(*symbol, args, output);
                }
            }
        }
    }

    fn formula(&mut self, formula: &Formula<V>, polarity: Polarity) {
        match formula.kind() {
            FormulaKind::Holds(symbol, args) => {
                let output = match polarity {
                    Polarity::Positive => AtomValue::Truth(true),
                    Polarity::Negative => AtomValue::Truth(false),
                    Polarity::Both => AtomValue::Any,
                };
                self.atom(*symbol, args, output);
            }
            FormulaKind::Equal(left, right) if polarity == Polarity::Positive => {
                self.pinned = self.fixed_by(left, right).or_else(|| self.fixed_by(right, left));
            }
            _ => {}
        }
    }

    /// `function(…) = value`, if that is what the two sides are and the value is known.
    fn fixed_by(&self, function: &Term<V>, value: &Term<V>) -> Option<(Term<V>, AtomEntry<N>)> {
        let is_function = matches!(function.kind(), TermKind::Apply(symbol, _, _)
            if self.mutable(*symbol).is_some());
        let value = entry(self.reader, &self.bound, value);
        let known = match value {
            AtomEntry::Any => false,
            AtomEntry::Named(ref name) => self.reader.is_fixed(name),
            AtomEntry::Constant(_) | AtomEntry::Integer(_) | AtomEntry::Element(..) => true,
        };
        (is_function && known).then(|| (function.clone(), value))
    }

    fn atom(&mut self, symbol: V::Symbol, args: &[Term<V>], output: AtomValue<N>) {
        let Some(symbol) = self.mutable(symbol) else { return };
        let args = args.iter().map(|arg| entry(self.reader, &self.bound, arg)).collect();
        let atom = NeededAtom { symbol, args, output };
        if !self.atoms.contains(&atom) {
            self.atoms.push(atom);
        }
    }

    fn mutable(&self, symbol: V::Symbol) -> Option<SymbolId> {
        let symbol = self.reader.symbol(symbol)?;
        (!is_rigid(self.reader.signature(), symbol)).then_some(symbol)
    }
}

/// Visits a node and everything below it, parents first, with polarities.
fn visit_by_polarity<'a, V: Vocabulary>(
    node: Node<'a, V>,
    polarity: Polarity,
    visitor: &mut impl FnMut(Node<'a, V>, Polarity),
) {
    visitor(node, polarity);
    let polarities: &[Polarity] = match node {
        Node::Term(_) => &[],
        Node::Formula(formula) => match formula.kind() {
            FormulaKind::Not(_) => &[polarity.flip()],
            FormulaKind::Implies(..) => &[polarity.flip(), polarity],
            FormulaKind::If(..) => &[Polarity::Both, polarity, polarity],
            FormulaKind::Quantified(..) => &[polarity],
            FormulaKind::And(parts) | FormulaKind::Or(parts) => &vec![polarity; parts.len()],
            FormulaKind::Truth(_)
            | FormulaKind::Holds(..)
            | FormulaKind::Equal(..)
            | FormulaKind::Compare(..)
            | FormulaKind::Iff(..) => &[],
        },
    };
    let padded = polarities.iter().copied().chain(std::iter::repeat(Polarity::Both));
    for (child, polarity) in node.children().into_iter().zip(padded) {
        visit_by_polarity(child, polarity, visitor);
    }
}
