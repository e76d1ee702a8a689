//! Structures whose cells are wires: what a symbol is at every tuple of arguments.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::bit_layout::{BitLayout, SymbolBits};
use super::circuit::{Circuit, Wire};
use crate::logic::{Extent, Table, Value, tuple_position};
use crate::protocol::SymbolId;

/// The values that a term can have, each with the wire that says so; at most one is true.
pub(crate) type Cases = Vec<(Value, Wire)>;

/// What a symbol is at one tuple of arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cell {
    /// Of a relation.
    Truth(Wire),
    /// Of a function.
    Cases(Cases),
}

/// What a symbol is at every tuple of arguments, in the order of `tuples`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CellTable {
    pub(crate) arguments: Vec<Extent>,
    pub(crate) cells: Vec<Cell>,
}

impl CellTable {
    /// The cells of a symbol that is known.
    pub(crate) fn known(table: &Table) -> Self {
        let cell = |value| match value {
            Value::Bool(truth) => Cell::Truth(Wire::constant(truth)),
            Value::Element(_) | Value::Int(_) => Cell::Cases(vec![(value, Wire::TRUE)]),
        };
        let cells = table.entries().map(|(_, value)| cell(value)).collect();
        CellTable { arguments: table.extents().to_vec(), cells }
    }

    /// The cells of a block of inputs; `first` is the number of the layout's first input.
    pub(crate) fn inputs(circuit: &mut Circuit, block: &SymbolBits, first: u32) -> Self {
        let cells = block.cells().iter().map(|start| input_cell(circuit, block, first + start));
        CellTable { arguments: block.arguments.clone(), cells: cells.collect() }
    }

    /// The position of a tuple; `None` outside the window.
    pub(crate) fn position(&self, args: &[Value]) -> Option<usize> {
        tuple_position(&self.arguments, args)
    }
}

fn input_cell(circuit: &mut Circuit, block: &SymbolBits, start: u32) -> Cell {
    if block.result.is_none() {
        return Cell::Truth(circuit.input(start));
    }
    let cases = block.values().into_iter().enumerate().map(|(code, value)| {
        let bits = (0..block.width).map(|bit| {
            let input = circuit.input(start + bit);
            if code >> bit & 1 == 1 { input } else { !input }
        });
        let bits: Vec<Wire> = bits.collect();
        (value, circuit.all(bits))
    });
    Cell::Cases(cases.collect())
}

/// A state whose cells are wires; copies share the tables they do not change.
#[derive(Clone, Debug, Default)]
pub(crate) struct SymbolicState {
    pub(crate) tables: BTreeMap<SymbolId, Rc<CellTable>>,
}

impl SymbolicState {
    /// Adds the symbols of a layout as inputs, numbered from `first`.
    pub(crate) fn add_inputs(&mut self, circuit: &mut Circuit, layout: &BitLayout, first: u32) {
        for (symbol, block) in layout.blocks() {
            self.tables.insert(symbol, Rc::new(CellTable::inputs(circuit, block, first)));
        }
    }

    /// Adds a symbol that is known.
    pub(crate) fn add_known(&mut self, symbol: SymbolId, table: &Table) {
        self.tables.insert(symbol, Rc::new(CellTable::known(table)));
    }
}

/// A sum of cases with equal values joined, in the order of the values.
#[derive(Default)]
pub(crate) struct CaseSum(BTreeMap<Value, Wire>);

impl CaseSum {
    /// Adds a case.
    pub(crate) fn add(&mut self, circuit: &mut Circuit, value: Value, wire: Wire) {
        if wire != Wire::FALSE {
            let sum = self.0.entry(value).or_insert(Wire::FALSE);
            *sum = circuit.or(*sum, wire);
        }
    }

    /// The cases.
    pub(crate) fn finish(self) -> Cases {
        self.0.into_iter().collect()
    }
}

/// `then` if `condition`, else `otherwise`: two cells of one symbol.
pub(crate) fn choose_cell(
    circuit: &mut Circuit,
    condition: Wire,
    then: &Cell,
    otherwise: &Cell,
) -> Cell {
    match (then, otherwise) {
        (Cell::Truth(then), Cell::Truth(otherwise)) => {
            Cell::Truth(circuit.choose(condition, *then, *otherwise))
        }
        (Cell::Cases(then), Cell::Cases(otherwise)) => {
            if then == otherwise {
                return Cell::Cases(then.clone());
            }
            let mut cases = CaseSum::default();
            for (side, wire) in [(then, condition), (otherwise, !condition)] {
                for (value, case) in side {
                    let case = circuit.and(wire, *case);
                    cases.add(circuit, *value, case);
                }
            }
            Cell::Cases(cases.finish())
        }
        _ => unreachable!("cells of one symbol are of one kind"),
    }
}
