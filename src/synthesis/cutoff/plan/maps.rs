//! Simulation maps: how the elements of a sort of `L` become the named elements of `C`.

use crate::analysis::RigidStructure;
use crate::certificate::{
    CutSort, ProductFormula, ProductSort, ProductSymbol, ProductTerm, element, large_sort,
};
use crate::logic::{Definition, Formula, Name, Term, Var};
use crate::protocol::{Protocol, Sort, SortId, SymbolId};

use super::violator_shapes::{ViolatorShape, fresh};

/// How `C` answers actions on elements that are not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Others {
    /// Their images act for them.
    Merged,
    /// `C` does not answer.
    Ignored,
}

/// The map of one cut sort.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SortMap {
    /// The sort.
    pub(crate) sort: SortId,
    /// The elements of `L` that have an element of `C` to themselves (unless they coincide).
    pub(crate) kept: Vec<ProductTerm>,
    /// The elements of `C`: one for each kept element, then at most one for the rest.
    pub(crate) elements: Vec<Name>,
    /// The position of the element that all others map to.
    pub(crate) rest: usize,
    /// How `C` answers actions on the others.
    pub(crate) others: Others,
    /// The cyclic order whose arcs are collapsed, if that is how it maps.
    pub(crate) arcs: Option<SymbolId>,
}

impl SortMap {
    /// The position of the spare element of `C`, which represents no violator, if there is one.
    pub(crate) fn spare(&self) -> Option<usize> {
        (self.elements.len() > self.kept.len()).then(|| self.elements.len() - 1)
    }

    /// Whether actions on the others are answered by their images.
    pub(crate) fn is_merged(&self) -> bool {
        self.others == Others::Merged
    }

    /// The map as a certificate has it.
    pub(crate) fn cut_sort(&self) -> CutSort {
        let var = Var::new("x", ProductSort::Large(self.sort));
        let at = Term::var(var.clone());
        let body = match self.arcs {
            Some(relation) => self.by_arcs(relation, &at),
            None => self.by_equality(&at),
        };
        let sim = Definition::function(vec![var], body);
        CutSort { sort: self.sort, elements: self.elements.clone(), sim }
    }

    fn by_equality(&self, at: &ProductTerm) -> ProductTerm {
        let mut body = element(self.sort, self.rest);
        if self.elements.len() == 1 {
            return body;
        }
        for (index, kept) in self.kept.iter().enumerate().rev() {
            let is_kept = Formula::equal(at.clone(), kept.clone());
            body = Term::if_then_else(is_kept, element(self.sort, index), body);
        }
        body
    }

    /// Going round from the first kept element, everything up to the second maps to the second.
    fn by_arcs(&self, relation: SymbolId, at: &ProductTerm) -> ProductTerm {
        let (first, second) = (self.kept[0].clone(), self.kept[1].clone());
        let between =
            Formula::holds(ProductSymbol::Large(relation), vec![first, at.clone(), second.clone()]);
        let in_arc = Formula::or([Formula::equal(at.clone(), second), between]);
        Term::if_then_else(in_arc, element(self.sort, 1), element(self.sort, 0))
    }

    /// An element of `L` that stands for an element of `C`: total, exact on the kept ones.
    pub(crate) fn representative(&self, at: &ProductTerm) -> Option<ProductTerm> {
        let (last, init) = self.kept.split_last()?;
        let mut body = if self.spare().is_some() { self.kept[0].clone() } else { last.clone() };
        let exact: Vec<(usize, &ProductTerm)> = match self.spare() {
            Some(_) => self.kept.iter().enumerate().collect(),
            None => init.iter().enumerate().collect(),
        };
        for (index, kept) in exact.into_iter().rev() {
            let is_it = Formula::equal(at.clone(), element(self.sort, index));
            body = Term::if_then_else(is_it, kept.clone(), body);
        }
        Some(body)
    }

    /// That an element of `L` is one of the kept ones.
    pub(crate) fn is_kept(&self, at: &ProductTerm) -> ProductFormula {
        let kept = self.kept.iter().map(|kept| Formula::equal(at.clone(), kept.clone()));
        Formula::or(kept.collect::<Vec<_>>())
    }
}

/// Every map worth trying for a sort, the cheapest first; an enumeration is not cut.
pub(crate) fn maps(
    protocol: &Protocol,
    structure: &RigidStructure,
    shape: &ViolatorShape,
    sort: SortId,
) -> Vec<SortMap> {
    if protocol.signature.elements(sort).is_some() {
        return Vec::new();
    }
    let params = shape.of_sort(Sort::Declared(sort));
    let kept = if params.is_empty() { images(protocol, structure, shape, sort) } else { params };
    let mut all = Vec::new();
    if kept.is_empty() {
        let elements = vec![fresh(protocol, shape, &[], &letter(protocol, sort, 0))];
        let others = Others::Merged;
        all.push(SortMap { sort, kept, elements, rest: 0, others, arcs: None });
        return all;
    }
    let elements = names(protocol, shape, sort, kept.len());
    let plain = |rest, others| SortMap {
        sort,
        kept: kept.clone(),
        elements: elements.clone(),
        rest,
        others,
        arcs: None,
    };
    all.push(plain(kept.len() - 1, Others::Ignored));
    all.push(plain(kept.len() - 1, Others::Merged));
    if kept.len() > 1 {
        all.push(plain(0, Others::Merged));
    }
    for order in structure.cyclic_orders.iter().filter(|order| order.sort == sort) {
        if kept.len() == 2 {
            let mut map = plain(1, Others::Merged);
            map.arcs = Some(order.relation);
            all.push(map);
        }
    }
    for others in [Others::Ignored, Others::Merged] {
        let mut map = plain(kept.len(), others);
        map.elements = names(protocol, shape, sort, kept.len() + 1);
        all.push(map);
    }
    all
}

/// The values of injective rigid functions at the violators.
fn images(
    protocol: &Protocol,
    structure: &RigidStructure,
    shape: &ViolatorShape,
    sort: SortId,
) -> Vec<ProductTerm> {
    for injection in &structure.injections {
        let symbol = protocol.signature.symbol(*injection);
        if let ([param], Some(result)) = (symbol.params.as_slice(), symbol.result)
            && result == Sort::Declared(sort)
        {
            let violators = shape.of_sort(*param).into_iter();
            let at = |violator| {
                Term::apply(ProductSymbol::Large(*injection), vec![violator], large_sort(result))
            };
            let images: Vec<ProductTerm> = violators.map(at).collect();
            if !images.is_empty() {
                return images;
            }
        }
    }
    Vec::new()
}

/// Names for so many elements of `C`.
pub(crate) fn names(
    protocol: &Protocol,
    shape: &ViolatorShape,
    sort: SortId,
    count: usize,
) -> Vec<Name> {
    let mut all: Vec<Name> = Vec::new();
    for index in 0..count {
        let name = fresh(protocol, shape, &all, &letter(protocol, sort, index));
        all.push(name);
    }
    all
}

/// `node_a`, `node_b`, …
fn letter(protocol: &Protocol, sort: SortId, index: usize) -> String {
    let letter = char::from(b'a' + u8::try_from(index % 26).expect("below 26"));
    format!("{}_{letter}", protocol.signature.sort_name(sort))
}
