//! An instance as a ground transition system: wires over the bits of a packed state.
//!
//! What engines search. Knows no search and no solver.

pub(crate) mod actions;
pub(crate) mod bit_layout;
pub(crate) mod cells;
pub(crate) mod circuit;
pub(crate) mod formulas;

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;

use super::question::reason::{FiniteReason, interruption};
use super::question::slice::Slice;
use super::question::{Claim, Question};
use super::symmetry::Symmetries;
use crate::budget::Stop;
use crate::logic::{Extent, Table, Value, tuples};
use crate::protocol::{Action, ChoiceId, Invocation, OneState, Sort, StateFormula, SymbolId};
use actions::{Effect, Invoked};
use bit_layout::{BitLayout, SymbolBits};
use cells::{Cell, CellTable, SymbolicState};
use circuit::{Circuit, Wire};
use formulas::{GroundError, GroundScope, Grounder, Truth};

/// The ground transition system of one instance.
#[derive(Clone, Debug)]
pub struct GroundSystem {
    /// The bits of a state.
    pub(super) layout: BitLayout,
    /// All gates.
    pub(super) circuit: Circuit,
    /// The rigid symbols that are kept.
    pub(super) rigid: BTreeMap<SymbolId, Table>,
    /// What every sort ranges over.
    pub(super) extents: BTreeMap<Sort, Extent>,
    /// The symbols that were left out, as far as the initial condition constrains them.
    pub(super) hidden: BitLayout,
    /// The number of the first input that belongs to a symbol that was left out.
    pub(super) first_hidden: u32,
    /// The renamings that keep the system as it is.
    pub(super) symmetries: Symmetries,
    /// True of the initial states; may read further inputs, which are existentially quantified.
    pub(super) initial: Wire,
    /// True where every cell holds the code of a value.
    pub(super) valid: Wire,
    /// What can happen.
    pub(super) transitions: Vec<GroundTransition>,
    /// What must hold.
    pub(super) claims: Vec<GroundClaim>,
    /// For every claim, where its premise holds of some elements; everywhere, if it has none.
    pub(super) premises: Vec<Wire>,
    /// Whether some symbol was left out.
    pub(super) is_slice: bool,
    /// Whether an integer may start outside the window, or be passed from outside it.
    pub(super) truncated: bool,
}

/// One invocation, or several that have the same guard and the same effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GroundTransition {
    /// The first such invocation.
    pub(super) invocation: Invocation,
    /// How many there are.
    pub(super) multiplicity: u32,
    /// The actions that they are invocations of.
    pub(super) actions: BTreeSet<usize>,
    /// When it is possible.
    pub(super) guard: Wire,
    /// When it leaves the integer window.
    pub(super) bound: Wire,
    /// The bits that change, and what they become.
    pub(super) writes: Vec<(u32, Wire)>,
    /// What its havocs pick: blocks of inputs, numbered after those of the state.
    pub(super) choices: BTreeMap<ChoiceId, SymbolBits>,
    /// Where these inputs hold the codes of values.
    pub(super) valid_choices: Wire,
}

/// A claim as wires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GroundClaim {
    /// Where it holds, if defined.
    pub(super) holds: Wire,
    /// Where its value depends on integers outside the window.
    pub(super) undefined: Wire,
}

impl GroundSystem {
    /// The number of the first input that belongs to a choice.
    pub(super) fn first_choice(&self) -> u32 {
        self.layout.bits()
    }

    /// The wires of a claim over this system's states.
    pub(super) fn claim(&mut self, claim: &Claim) -> Result<GroundClaim, GroundError> {
        let truth = self.truth(claim, &claim.formula())?;
        Ok(GroundClaim { holds: truth.value, undefined: truth.undefined })
    }

    /// Where the premise of a claim holds of some elements.
    fn premise(&mut self, claim: &Claim) -> Result<Wire, GroundError> {
        let Some(premise) = claim.premise() else { return Ok(Wire::TRUE) };
        let truth = self.truth(claim, &premise)?;
        Ok(self.circuit.and(truth.value, !truth.undefined))
    }

    /// The wires of a formula about the elements that a claim names.
    fn truth(&mut self, claim: &Claim, formula: &StateFormula) -> Result<Truth, GroundError> {
        let state = state_inputs(&mut self.circuit, &self.layout, &self.rigid);
        let scope = claim.pinned.iter().map(|(var, at)| (var.clone(), Value::Element(*at)));
        let mut grounder = Grounder {
            circuit: &mut self.circuit,
            extents: &self.extents,
            interpretation: &state,
            scope: scope.collect(),
        };
        grounder.formula(formula)
    }
}

fn state_inputs(
    circuit: &mut Circuit,
    layout: &BitLayout,
    rigid: &BTreeMap<SymbolId, Table>,
) -> SymbolicState {
    let mut state = SymbolicState::default();
    state.add_inputs(circuit, layout, 0);
    for (symbol, table) in rigid {
        state.add_known(*symbol, table);
    }
    state
}

/// Builds the ground system for one interpretation of the kept rigid symbols; or why that was not
/// finished.
pub(super) fn ground(
    question: &Question<'_>,
    (slice, extents): (&Slice, &BTreeMap<Sort, Extent>),
    rigid: BTreeMap<SymbolId, Table>,
    stop: &Stop,
) -> Result<Result<GroundSystem, FiniteReason>, GroundError> {
    let signature = &question.protocol.signature;
    let layout = BitLayout::new(signature, extents, slice.state.iter().copied());
    let mut system = GroundSystem {
        layout,
        circuit: Circuit::default(),
        rigid,
        extents: extents.clone(),
        hidden: BitLayout::default(),
        first_hidden: 0,
        symmetries: Symmetries::default(),
        initial: Wire::TRUE,
        valid: Wire::TRUE,
        transitions: Vec::new(),
        claims: Vec::new(),
        premises: Vec::new(),
        is_slice: !slice.left_out.is_empty(),
        truncated: false,
    };
    let blocks = system.layout.blocks().map(|(_, block)| block);
    system.valid = valid_codes(&mut system.circuit, blocks, 0);
    if question.may_rename_states() {
        system.symmetries = Symmetries::of(signature, extents, &system.rigid, &system.layout);
    }
    system.first_hidden = system.first_choice();
    let mut builder = GroundBuilder { question, system, found: IndexMap::new() };
    for action in &question.actions {
        if let Err(reason) = builder.action(*action, stop)? {
            return Ok(Err(reason));
        }
    }
    builder.system.transitions = std::mem::take(&mut builder.found).into_values().collect();
    builder.initial(slice)?;
    for claim in &question.claims {
        if let Some(reason) = interruption(stop) {
            return Ok(Err(reason));
        }
        let (ground, premise) = (builder.system.claim(claim)?, builder.system.premise(claim)?);
        builder.system.claims.push(ground);
        builder.system.premises.push(premise);
    }
    Ok(Ok(builder.system))
}

/// True where every cell of some blocks holds the code of a value.
///
/// A block without values holds integers and there is no window: what was left out is picked, which
/// is always possible.
pub(super) fn valid_codes<'a>(
    circuit: &mut Circuit,
    blocks: impl IntoIterator<Item = &'a SymbolBits>,
    first: u32,
) -> Wire {
    let mut valid = Wire::TRUE;
    for block in blocks {
        let values = block.values().len();
        if values == 0 || values == 1 << block.width {
            continue;
        }
        for cell in CellTable::inputs(circuit, block, first).cells {
            if let Cell::Cases(cases) = cell {
                let known = circuit.any(cases.into_iter().map(|(_, wire)| wire));
                valid = circuit.and(valid, known);
            }
        }
    }
    valid
}

/// What makes two invocations the same: guard, bound and writes; and the action, if it makes
/// choices, since the inputs for choices are numbered anew for every action.
type GroundMeaning = (Wire, Wire, Vec<(u32, Wire)>, Option<usize>);

struct GroundBuilder<'a> {
    question: &'a Question<'a>,
    system: GroundSystem,
    found: IndexMap<GroundMeaning, GroundTransition>,
}

impl GroundBuilder<'_> {
    /// Every invocation of an action; or why that was not finished.
    fn action(
        &mut self,
        index: usize,
        stop: &Stop,
    ) -> Result<Result<(), FiniteReason>, GroundError> {
        let action = &self.question.protocol.actions[index];
        let blocks = self.choice_blocks(action);
        let first = self.system.first_choice();
        let circuit = &mut self.system.circuit;
        let choices = blocks
            .iter()
            .map(|(choice, block)| (*choice, CellTable::inputs(circuit, block, first)))
            .collect();
        let extents: Vec<Extent> =
            action.params.iter().map(|param| self.system.extents[&param.sort]).collect();
        self.system.truncated |= action.params.iter().any(|param| param.sort == Sort::Int);
        let start = state_inputs(circuit, &self.system.layout, &self.system.rigid);
        for args in tuples(&extents) {
            if let Some(reason) = interruption(stop) {
                return Ok(Err(reason));
            }
            let scope = action.params.iter().cloned().zip(args.iter().copied()).collect();
            let invoked = Invoked { extents: &self.system.extents, scope, choices: &choices };
            let effect = Effect::start(start.clone());
            let paths = actions::run(&mut self.system.circuit, &invoked, &action.body, effect)?;
            for effect in paths.iter().filter(|effect| effect.has_effect()) {
                let invocation = Invocation { action: index, args: args.clone() };
                self.record(invocation, effect, &start, &blocks);
            }
        }
        Ok(Ok(()))
    }

    fn choice_blocks(&mut self, action: &Action) -> BTreeMap<ChoiceId, SymbolBits> {
        let mut layout = BitLayout::default();
        let mut blocks = BTreeMap::new();
        for (index, choice) in (0..).zip(&action.choices) {
            let extents = &self.system.extents;
            let arguments = choice.params.iter().map(|sort| extents[sort]).collect();
            let result = choice.result.map(|sort| extents[&sort]);
            blocks.insert(ChoiceId(index), layout.allocate(arguments, result));
        }
        let after = self.system.first_choice() + layout.bits();
        self.system.first_hidden = self.system.first_hidden.max(after);
        blocks
    }

    fn record(
        &mut self,
        invocation: Invocation,
        effect: &Effect,
        start: &SymbolicState,
        blocks: &BTreeMap<ChoiceId, SymbolBits>,
    ) {
        let writes = self.writes(effect, start);
        let chosen = blocks.iter().filter(|(choice, _)| effect.chosen.contains(choice));
        let choices: BTreeMap<ChoiceId, SymbolBits> =
            chosen.map(|(choice, block)| (*choice, block.clone())).collect();
        let first = self.system.first_choice();
        let blocks = choices.values();
        let valid_choices = valid_codes(&mut self.system.circuit, blocks, first);
        let chooser = (!choices.is_empty()).then_some(invocation.action);
        let action = invocation.action;
        let meaning = (effect.alive, effect.bound, writes.clone(), chooser);
        let new = GroundTransition {
            invocation,
            multiplicity: 0,
            actions: BTreeSet::new(),
            guard: effect.alive,
            bound: effect.bound,
            writes,
            choices,
            valid_choices,
        };
        let transition = self.found.entry(meaning).or_insert(new);
        transition.multiplicity += 1;
        transition.actions.insert(action);
    }

    /// The bits that an effect changes.
    fn writes(&mut self, effect: &Effect, start: &SymbolicState) -> Vec<(u32, Wire)> {
        let circuit = &mut self.system.circuit;
        let mut writes = Vec::new();
        for (symbol, block) in self.system.layout.blocks() {
            let (before, after) = (&start.tables[&symbol], &effect.state.tables[&symbol]);
            for (index, start) in block.cells().iter().enumerate() {
                let cell = &after.cells[index];
                if *cell != before.cells[index] {
                    write_cell(circuit, block, *start, cell, &mut writes);
                }
            }
        }
        writes
    }

    /// The initial condition, and with it the axioms: they tie what was left out to what is kept.
    fn initial(&mut self, slice: &Slice) -> Result<(), GroundError> {
        let protocol = self.question.protocol;
        let system = &mut self.system;
        let hidden = BitLayout::new(
            &protocol.signature,
            &system.extents,
            slice.left_out.iter().copied().filter(|id| !has_int(self.question, *id)),
        );
        let first = system.first_hidden;
        let mut state = state_inputs(&mut system.circuit, &system.layout, &system.rigid);
        state.add_inputs(&mut system.circuit, &hidden, first);
        let blocks = hidden.blocks().map(|(_, block)| block);
        let hidden_codes = valid_codes(&mut system.circuit, blocks, first);
        let mut initial = system.circuit.and(system.valid, hidden_codes);
        for statement in protocol.axioms.iter().chain(&protocol.init) {
            if !is_about(&statement.formula, &state) {
                continue;
            }
            let mut grounder = Grounder {
                circuit: &mut system.circuit,
                extents: &system.extents,
                interpretation: &state,
                scope: GroundScope::<OneState>::new(),
            };
            let truth = grounder.formula(&statement.formula)?;
            let here = system.circuit.and(truth.value, !truth.undefined);
            system.truncated |= truth.undefined != Wire::FALSE;
            initial = system.circuit.and(initial, here);
        }
        system.initial = initial;
        system.hidden = hidden;
        Ok(())
    }
}

/// Whether every symbol of a statement is there; a statement about an integer that was left out is
/// dropped, which only adds initial states.
pub(super) fn is_about(formula: &StateFormula, state: &SymbolicState) -> bool {
    formula.symbols().iter().all(|symbol| state.tables.contains_key(symbol))
}

/// Whether a symbol has arguments or values in ℤ.
pub(super) fn has_int(question: &Question<'_>, id: SymbolId) -> bool {
    let symbol = question.protocol.signature.symbol(id);
    symbol.params.contains(&Sort::Int) || symbol.result == Some(Sort::Int)
}

fn write_cell(
    circuit: &mut Circuit,
    block: &SymbolBits,
    start: u32,
    cell: &Cell,
    writes: &mut Vec<(u32, Wire)>,
) {
    match cell {
        Cell::Truth(wire) => writes.push((start, *wire)),
        Cell::Cases(cases) => {
            let codes: BTreeMap<Value, usize> =
                block.values().into_iter().enumerate().map(|(code, value)| (value, code)).collect();
            for bit in 0..block.width {
                let set = cases.iter().filter(|(value, _)| codes[value] >> bit & 1 == 1);
                let wires: Vec<Wire> = set.map(|(_, wire)| *wire).collect();
                let wire = circuit.any(wires);
                if wire != circuit.input(start + bit) {
                    writes.push((start + bit, wire));
                }
            }
        }
    }
}
