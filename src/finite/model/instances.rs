//! All instances of a size: every interpretation of the rigid symbols that satisfies the axioms, one
//! for each class of renamings. Declared structures are made directly, the rest is found by solving.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use super::generated::generated;
use crate::budget::Budget;
use crate::finite::error::EngineError;
use crate::finite::ground::bit_layout::BitLayout;
use crate::finite::ground::cells::{Cell, CellTable, SymbolicState};
use crate::finite::ground::circuit::{Circuit, Wire};
use crate::finite::ground::formulas::{GroundScope, Grounder};
use crate::finite::ground::{has_int, is_about, valid_codes};
use crate::finite::question::Question;
use crate::finite::question::coverage::Counted;
use crate::finite::question::reason::FiniteReason;
use crate::finite::question::size_estimate::refuse_too_many_instances;
use crate::finite::question::slice::Slice;
use crate::finite::sat::solver::{Copy, SatSolver, solutions};
use crate::finite::symmetry::isomorphism::{RigidFact, RigidFacts};
use crate::logic::{Extent, Table, Value};
use crate::protocol::{OneState, Sort, SymbolId};

/// The most instances of one size that are looked at.
const MAX_INSTANCES: usize = 100_000;

/// The most structures that are compared to find them.
const MAX_STRUCTURES: usize = 1_000_000;

/// The rigid symbols of an instance.
pub(crate) type Rigid = BTreeMap<SymbolId, Table>;

/// What the enumeration found.
pub(crate) struct Instances {
    /// One interpretation for each class, or every one.
    pub(crate) rigid: Vec<Rigid>,
    /// Whether a rigid integer may lie outside the window.
    pub(crate) truncated: bool,
    /// Which structures are one instance.
    pub(crate) counted: Counted,
}

/// Every interpretation of the kept rigid symbols that extends to a model of the axioms.
pub(crate) fn instances(
    question: &Question<'_>,
    slice: &Slice,
    extents: &BTreeMap<Sort, Extent>,
    budget: &Budget,
) -> Result<Result<Instances, FiniteReason>, EngineError> {
    let made = match generated(question, slice, extents, MAX_INSTANCES, budget)? {
        Ok(made) => made,
        Err(reason) => return Ok(Err(reason)),
    };
    let mut collector = InstanceCollector::default();
    let mut truncated = false;
    for fixed in &made.tables {
        let part = FixedPart { tables: fixed, axioms: &made.axioms };
        match solve(question, slice, extents, &part, budget, &mut collector)? {
            Ok(outside) => truncated |= outside,
            Err(reason) => return Ok(Err(reason)),
        }
        if collector.is_too_much() {
            return Err(EngineError::TooManyInstances {
                limit: MAX_INSTANCES,
                estimate: MAX_INSTANCES as u128,
            });
        }
    }
    let counted = collector.counted();
    Ok(Ok(Instances { rigid: collector.finish(), truncated, counted }))
}

/// The rigid symbols that are known already.
struct FixedPart<'a> {
    tables: &'a Rigid,
    /// The positions of axioms that hold of them by construction.
    axioms: &'a BTreeSet<usize>,
}

/// Collects every interpretation with a fixed part; whether a rigid integer may lie outside the
/// window.
fn solve(
    question: &Question<'_>,
    slice: &Slice,
    extents: &BTreeMap<Sort, Extent>,
    fixed: &FixedPart<'_>,
    budget: &Budget,
    collector: &mut InstanceCollector,
) -> Result<Result<bool, FiniteReason>, EngineError> {
    let signature = &question.protocol.signature;
    let open = slice.rigid.iter().filter(|symbol| !fixed.tables.contains_key(symbol));
    let layout = BitLayout::new(signature, extents, open.copied());
    let mut circuit = Circuit::default();
    let (axioms, truncated) = axioms(question, slice, extents, fixed, &layout, &mut circuit)?;
    if axioms == Wire::FALSE {
        return Ok(Ok(truncated));
    }
    let constrained = circuit.support([axioms]);
    refuse_too_many_instances(question, extents, &layout, &constrained, MAX_INSTANCES)?;
    let mut wires = vec![axioms];
    if question.may_rename() {
        let greatest =
            greatest_under_exchanges(&mut circuit, &layout, question, extents, fixed.tables);
        wires.push(greatest);
    }
    let mut solver = SatSolver::new(budget);
    let mut copy = Copy::default();
    for wire in wires {
        let literal = copy.wire(&mut solver, &circuit, wire);
        solver.clause([literal]);
    }
    let used = layout.used_bits();
    let bits: Vec<_> = used.iter().map(|bit| copy.input(&mut solver, *bit)).collect();
    let walked = solutions(&mut solver, &bits, &mut |values| {
        let mut rigid = layout.unpack(&layout.pack_bits(&used, values));
        rigid.extend(fixed.tables.iter().map(|(symbol, table)| (*symbol, table.clone())));
        let facts = RigidFacts::new(signature, extents, &rigid);
        collector.add(rigid, question.may_rename().then_some(&facts))
    });
    Ok(walked.map(|()| truncated))
}

/// Keeps one structure of every class: the greatest that is offered.
#[derive(Default)]
struct InstanceCollector {
    classes: BTreeMap<Vec<RigidFact>, Rigid>,
    /// Structures whose class is not known: keeping one too many is sound.
    others: Vec<Rigid>,
    /// How many structures were looked at.
    seen: usize,
}

impl InstanceCollector {
    fn add(&mut self, rigid: Rigid, facts: Option<&RigidFacts>) -> ControlFlow<()> {
        match facts.and_then(RigidFacts::canonical) {
            Some(class) => {
                let kept = self.classes.entry(class).or_insert_with(|| rigid.clone());
                if *kept < rigid {
                    *kept = rigid;
                }
            }
            None => self.others.push(rigid),
        }
        self.seen += 1;
        if self.is_too_much() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Which structures are one instance.
    fn counted(&self) -> Counted {
        match self.others.is_empty() {
            true => Counted::UpToSymmetry,
            false => Counted::UpToSomeSymmetry,
        }
    }

    /// What was kept, the greatest first.
    fn finish(self) -> Vec<Rigid> {
        let mut rigid: Vec<Rigid> = self.classes.into_values().chain(self.others).collect();
        rigid.sort_by(|one, other| other.cmp(one));
        rigid
    }

    fn is_too_much(&self) -> bool {
        self.classes.len() + self.others.len() > MAX_INSTANCES || self.seen > MAX_STRUCTURES
    }
}

/// The axioms as a wire, and whether a rigid integer may lie outside the window.
fn axioms(
    question: &Question<'_>,
    slice: &Slice,
    extents: &BTreeMap<Sort, Extent>,
    fixed: &FixedPart<'_>,
    layout: &BitLayout,
    circuit: &mut Circuit,
) -> Result<(Wire, bool), EngineError> {
    let protocol = question.protocol;
    let left_out = protocol
        .signature
        .rigid()
        .map(|(id, _)| id)
        .filter(|id| slice.left_out.contains(id) && !has_int(question, *id));
    let hidden = BitLayout::new(&protocol.signature, extents, left_out);
    let mut state = SymbolicState::default();
    state.add_inputs(circuit, layout, 0);
    state.add_inputs(circuit, &hidden, layout.bits());
    for (symbol, table) in fixed.tables {
        state.add_known(*symbol, table);
    }
    let mut all = valid_codes(circuit, layout.blocks().map(|(_, block)| block), 0);
    let blocks = hidden.blocks().map(|(_, block)| block);
    let hidden_codes = valid_codes(circuit, blocks, layout.bits());
    all = circuit.and(all, hidden_codes);
    let mut truncated = false;
    for (position, axiom) in protocol.axioms.iter().enumerate() {
        if fixed.axioms.contains(&position) || !is_about(&axiom.formula, &state) {
            continue;
        }
        let scope = GroundScope::<OneState>::new();
        let mut grounder = Grounder { circuit, extents, interpretation: &state, scope };
        let truth = grounder.formula(&axiom.formula)?;
        truncated |= truth.undefined != Wire::FALSE;
        let holds = circuit.and(truth.value, !truth.undefined);
        all = circuit.and(all, holds);
    }
    Ok((all, truncated))
}

/// True of structures that no exchange of two elements makes lexicographically greater, among the
/// exchanges that keep the fixed part.
///
/// Every class has such a structure (its greatest), so nothing is lost; few have several.
fn greatest_under_exchanges(
    circuit: &mut Circuit,
    layout: &BitLayout,
    question: &Question<'_>,
    extents: &BTreeMap<Sort, Extent>,
    fixed: &Rigid,
) -> Wire {
    let signature = &question.protocol.signature;
    let mut all = Wire::TRUE;
    for (sort, extent) in extents {
        let Extent::Elements(size) = extent else { continue };
        if signature.is_enumeration(*sort) {
            continue;
        }
        let is_used = layout.blocks().any(|(id, _)| {
            let symbol = signature.symbol(id);
            symbol.params.contains(sort) || symbol.result == Some(*sort)
        });
        if !is_used {
            continue;
        }
        for one in 0..*size {
            for other in one + 1..*size {
                if !keeps(question, fixed, (*sort, one, other)) {
                    continue;
                }
                let pairs = exchanged(circuit, layout, question, (*sort, one, other));
                let greatest = not_less(circuit, &pairs);
                all = circuit.and(all, greatest);
            }
        }
    }
    all
}

/// Whether the exchange of two elements changes nothing in relations.
fn keeps(question: &Question<'_>, relations: &Rigid, (sort, one, other): (Sort, u32, u32)) -> bool {
    let signature = &question.protocol.signature;
    relations.iter().all(|(symbol, table)| {
        let params = &signature.symbol(*symbol).params;
        table.entries().all(|(args, value)| {
            let places = params.iter().zip(args);
            let image: Vec<Value> =
                places.map(|(place, arg)| exchange((sort, one, other), *place, arg)).collect();
            table.get(&image) == Some(value)
        })
    })
}

/// A value at a place of some sort, after the exchange of two elements of a sort.
fn exchange((sort, one, other): (Sort, u32, u32), place: Sort, value: Value) -> Value {
    match value {
        Value::Element(element) if place == sort && element == one => Value::Element(other),
        Value::Element(element) if place == sort && element == other => Value::Element(one),
        _ => value,
    }
}

/// Every case of every cell, paired with the same case after the exchange of two elements.
fn exchanged(
    circuit: &mut Circuit,
    layout: &BitLayout,
    question: &Question<'_>,
    elements: (Sort, u32, u32),
) -> Vec<(Wire, Wire)> {
    let exchange = |place: Sort, value: Value| exchange(elements, place, value);
    let signature = &question.protocol.signature;
    let mut blocks: Vec<_> = layout.blocks().collect();
    // Orders and the like first: they leave their sort no renaming, and then the functions into
    // it leave none to others.
    blocks.sort_by_key(|(id, _)| {
        let symbol = signature.symbol(*id);
        symbol.params.iter().chain(&symbol.result).collect::<BTreeSet<_>>().len()
    });
    let mut pairs = Vec::new();
    for (id, block) in blocks {
        let symbol = signature.symbol(id);
        let table = CellTable::inputs(circuit, block, 0);
        for (args, cell) in crate::logic::tuples(&block.arguments).zip(&table.cells) {
            let places = symbol.params.iter().zip(args);
            let image: Vec<Value> = places.map(|(sort, arg)| exchange(*sort, arg)).collect();
            let image = table.position(&image).map(|position| &table.cells[position]);
            match (cell, image) {
                (Cell::Truth(wire), Some(Cell::Truth(image))) => pairs.push((*wire, *image)),
                (Cell::Cases(cases), Some(Cell::Cases(images))) => {
                    let result = symbol.result.unwrap_or(Sort::Int);
                    for (value, wire) in cases {
                        let wanted = exchange(result, *value);
                        let image = images.iter().find(|(value, _)| *value == wanted);
                        pairs.extend(image.map(|(_, image)| (*wire, *image)));
                    }
                }
                _ => {}
            }
        }
    }
    pairs
}

/// Whether the first components are lexicographically at least the second ones.
fn not_less(circuit: &mut Circuit, pairs: &[(Wire, Wire)]) -> Wire {
    pairs.iter().rev().fold(Wire::TRUE, |rest, (left, right)| {
        let greater = circuit.and(*left, !*right);
        let equal = circuit.iff(*left, *right);
        let later = circuit.and(equal, rest);
        circuit.or(greater, later)
    })
}
