//! Polarity: which truth value of a part helps the whole to hold.

use super::traverse::Node;
use super::{FormulaKind, Vocabulary};

/// What a subformula contributes to the truth of the formula around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Polarity {
    /// Making it true can only help.
    Positive,
    /// Making it false can only help.
    Negative,
    /// Either may help: it stands under `<->`, in a condition or inside a term.
    Both,
}

impl Polarity {
    /// The polarity under a negation.
    pub fn flip(self) -> Self {
        match self {
            Polarity::Positive => Polarity::Negative,
            Polarity::Negative => Polarity::Positive,
            Polarity::Both => Polarity::Both,
        }
    }
}

impl<'a, V: Vocabulary> Node<'a, V> {
    /// The direct children with their polarities, given the polarity of this node.
    pub fn children_by_polarity(self, polarity: Polarity) -> Vec<(Node<'a, V>, Polarity)> {
        let polarities: &[Polarity] = match self {
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
        self.children().into_iter().zip(padded).collect()
    }

    /// Visits this node and everything below it, parents first, with polarities.
    pub fn visit_by_polarity(
        self,
        polarity: Polarity,
        visitor: &mut impl FnMut(Node<'a, V>, Polarity),
    ) {
        visitor(self, polarity);
        for (child, polarity) in self.children_by_polarity(polarity) {
            child.visit_by_polarity(polarity, visitor);
        }
    }
}
