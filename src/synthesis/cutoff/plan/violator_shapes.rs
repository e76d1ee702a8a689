//! Shapes of a violation: which violators coincide, and what they are called.

use std::collections::BTreeSet;

use crate::certificate::{Param, ProductFormula, ProductSymbol, ProductTerm, large_sort};
use crate::keywords::is_poor_name;
use crate::logic::{Formula, Name, Term, fresh_name, substitute_formula};
use crate::protocol::{Property, Protocol, Sort};

/// A shape of the violations of one property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ViolatorShape {
    /// The position of the property.
    pub(crate) property: usize,
    /// The elements that take part.
    pub(crate) params: Vec<Param>,
    /// For each variable of the property, the position of its parameter.
    pub(crate) violators: Vec<usize>,
    /// What is known of the parameters.
    pub(crate) select: ProductFormula,
}

impl ViolatorShape {
    /// A parameter as a term.
    pub(crate) fn param(&self, index: usize) -> ProductTerm {
        let symbol = ProductSymbol::Param(u32::try_from(index).expect("few parameters"));
        Term::apply(symbol, Vec::new(), large_sort(self.params[index].sort))
    }

    /// The parameters of a sort, as terms.
    pub(crate) fn of_sort(&self, sort: Sort) -> Vec<ProductTerm> {
        let own = (0..self.params.len()).filter(|index| self.params[*index].sort == sort);
        own.map(|index| self.param(index)).collect()
    }
}

/// With more variables of one sort than this, only the open shape is tried: four variables coincide
/// in 15 ways, five in 52, and each way is a case with its own proof.
const MAX_OF_ONE_SORT: usize = 4;

/// The shape that leaves open which violators coincide.
pub(crate) fn open_shape(protocol: &Protocol, property: usize) -> ViolatorShape {
    let vars = &protocol.properties[property].vars;
    shape(protocol, property, &(0..vars.len()).collect::<Vec<_>>(), Formula::truth(true))
}

/// One shape for every way in which violators of one sort can coincide.
pub(crate) fn closed_shapes(protocol: &Protocol, property: usize) -> Vec<ViolatorShape> {
    let vars = &protocol.properties[property].vars;
    let most = vars.iter().map(|var| vars.iter().filter(|v| v.sort == var.sort).count()).max();
    if most.unwrap_or(0) > MAX_OF_ONE_SORT {
        return Vec::new();
    }
    let mut partitions: Vec<Vec<usize>> = vec![Vec::new()];
    for (index, var) in vars.iter().enumerate() {
        let mut longer = Vec::new();
        for partition in partitions {
            let blocks: BTreeSet<usize> = partition
                .iter()
                .enumerate()
                .filter(|(earlier, _)| vars[*earlier].sort == var.sort)
                .map(|(_, block)| *block)
                .collect();
            let fresh = partition.iter().max().map_or(0, |block| block + 1);
            for block in [fresh].into_iter().chain(blocks) {
                let mut next = partition.clone();
                next.push(block);
                longer.push(next);
            }
        }
        partitions = longer;
        debug_assert!(partitions.iter().all(|partition| partition.len() == index + 1));
    }
    partitions.retain(|blocks| can_fail(&protocol.properties[property], blocks));
    partitions.iter().map(|blocks| distinct_shape(protocol, property, blocks)).collect()
}

/// Whether a property says anything about violators that coincide in this way.
fn can_fail(property: &Property, blocks: &[usize]) -> bool {
    let same = |block: &usize| blocks.iter().position(|other| other == block);
    let first = blocks.iter().map(|block| &property.vars[same(block).unwrap_or(0)]);
    let bindings = property.vars.iter().cloned().zip(first.cloned().map(Term::var)).collect();
    substitute_formula(&property.matrix, &bindings) != Formula::truth(true)
}

fn distinct_shape(protocol: &Protocol, property: usize, blocks: &[usize]) -> ViolatorShape {
    let open = shape(protocol, property, blocks, Formula::truth(true));
    let mut different = Vec::new();
    for right in 0..open.params.len() {
        for left in 0..right {
            if open.params[left].sort == open.params[right].sort {
                different.push(Formula::equal(open.param(left), open.param(right)).negate());
            }
        }
    }
    ViolatorShape { select: Formula::and(different), ..open }
}

/// The shape in which variables of one block share a parameter; blocks are numbered in order.
fn shape(
    protocol: &Protocol,
    property: usize,
    blocks: &[usize],
    select: ProductFormula,
) -> ViolatorShape {
    let of_protocol: &Property = &protocol.properties[property];
    let mut params: Vec<Param> = Vec::new();
    let mut violators = Vec::new();
    for (var, block) in of_protocol.vars.iter().zip(blocks) {
        if *block == params.len() {
            let lower: Name = var.name.to_lowercase().into();
            let name = fresh_name(&lower, |name| is_taken(protocol, &params, name));
            params.push(Param { name, sort: var.sort });
        }
        violators.push(*block);
    }
    ViolatorShape { property, params, violators, select }
}

/// Whether a name means something in the protocol or in the case.
fn is_taken(protocol: &Protocol, params: &[Param], name: &str) -> bool {
    let known = |name: &str| protocol.signature.declares(name);
    let stem = ["_L'", "_L", "_C"].iter().find_map(|suffix| name.strip_suffix(suffix));
    known(name)
        || stem.is_some_and(known)
        || name == "sim"
        || name == "int"
        || is_poor_name(name)
        || params.iter().any(|param| &*param.name == name)
}

/// A name that means nothing yet in a protocol and a shape.
pub(crate) fn fresh(
    protocol: &Protocol,
    shape: &ViolatorShape,
    taken: &[Name],
    name: &str,
) -> Name {
    fresh_name(&name.into(), |candidate| {
        is_taken(protocol, &shape.params, candidate) || taken.contains(candidate)
    })
}
