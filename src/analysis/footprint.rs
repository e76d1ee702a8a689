//! What each action reads and writes: the guard atoms and body updates of the paper (§5.1).
//!
//! Both branches of an `if` count, and so does every `require` wherever it stands; what cannot be
//! determined from the text is `*`. Beyond the paper, an update also knows what its own text reads, so
//! that `r(x) := s(x)` makes `s` relevant. Nothing here is trusted.

use std::collections::BTreeSet;

use crate::analysis::polarity::Polarity;
use crate::logic::FormulaKind;
use crate::protocol::{
    Action, Argument, Assignment, Command, Protocol, RightSide, Rigidity, Signature, StateFormula,
    StateVar, StepFormula, StepSymbol, SymbolId,
};

use super::atom::{ActionAtom, ActionLocal, AtomEntry, AtomValue, NeededAtom};
use super::atoms_read::{entry, read_by_formula, read_by_term};
use super::scoped_names::{Locals, RelatedNames};

/// What one action reads and writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Footprint {
    /// What its guards and conditions read, in the order of the text.
    pub guards: Vec<Guard>,
    /// What its assignments change, in the order of the text.
    pub updates: Vec<FootprintUpdate>,
    /// The rigid symbols that occur anywhere; they are never set, so they are not followed.
    pub rigid: BTreeSet<SymbolId>,
}

/// An atom that an action's guard needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guard {
    /// What is read, and the value that is wanted.
    pub atom: ActionAtom,
    /// The first guard that reads it.
    pub source: GuardSource,
}

/// Where a guard atom comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GuardSource {
    /// A conjunct of a `require`.
    Require(StateFormula),
    /// The condition of an `if`: either truth value may be needed.
    Condition(StateFormula),
    /// A formula that relates the state before and after.
    Relation(StepFormula),
}

/// A change of one symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FootprintUpdate {
    /// What changes, where, and to what; `*` in the value for anything but a constant.
    pub atom: ActionAtom,
    /// What is read to find the place: the arguments on the left.
    pub place: Vec<ActionAtom>,
    /// What is read to find the value.
    pub value: ValueReads,
    /// The statement that does it.
    pub source: UpdateSource,
}

/// Where an update comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UpdateSource {
    /// An assignment.
    Assignment(Assignment),
    /// A formula that relates the state before and after.
    Relation(StepFormula),
}

/// What the right side of an assignment reads, by the value that is wanted of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValueReads {
    /// For a relation to become true.
    pub to_hold: Vec<ActionAtom>,
    /// For a relation to become false.
    pub to_fail: Vec<ActionAtom>,
    /// For the value to be known, whatever it is.
    pub to_know: Vec<ActionAtom>,
}

impl FootprintUpdate {
    /// What is read when this update gives its symbol the wanted value.
    pub fn reads<N>(&self, wanted: &AtomValue<N>) -> impl Iterator<Item = &ActionAtom> {
        let value = match wanted {
            AtomValue::Truth(true) => &self.value.to_hold,
            AtomValue::Truth(false) => &self.value.to_fail,
            AtomValue::Any | AtomValue::Is(_) => &self.value.to_know,
        };
        self.place.iter().chain(value)
    }
}

impl Footprint {
    /// The mutable symbols that are read anywhere.
    pub fn reads(&self) -> BTreeSet<SymbolId> {
        let guards = self.guards.iter().map(|guard| &guard.atom);
        let bodies =
            self.updates.iter().flat_map(|update| update.reads(&AtomValue::<ActionLocal>::Any));
        guards.chain(bodies).map(|atom| atom.symbol).collect()
    }

    /// The symbols that are written.
    pub fn writes(&self) -> BTreeSet<SymbolId> {
        self.updates.iter().map(|update| update.atom.symbol).collect()
    }
}

/// The footprint of every action, in order.
pub fn footprints(protocol: &Protocol) -> Vec<Footprint> {
    protocol.actions.iter().map(|action| footprint(&protocol.signature, action)).collect()
}

/// The footprint of one action.
pub fn footprint(signature: &Signature, action: &Action) -> Footprint {
    let footprint = Footprint { guards: vec![], updates: vec![], rigid: BTreeSet::new() };
    let mut builder = FootprintBuilder { signature, action, footprint };
    builder.block(&action.body);
    builder.footprint
}

struct FootprintBuilder<'a> {
    signature: &'a Signature,
    action: &'a Action,
    footprint: Footprint,
}

impl FootprintBuilder<'_> {
    fn block(&mut self, commands: &[Command]) {
        for command in commands {
            self.command(command);
        }
    }

    fn command(&mut self, command: &Command) {
        match command {
            Command::Require(formula, _) => {
                for conjunct in formula.conjuncts() {
                    self.guard(&conjunct, Polarity::Positive, GuardSource::Require);
                }
            }
            Command::Assign(assignment) => self.assign(assignment),
            Command::Together(assignments, _) => {
                for assignment in assignments {
                    self.assign(assignment);
                }
            }
            Command::If(condition, then, otherwise, _) => {
                self.guard(condition, Polarity::Both, GuardSource::Condition);
                self.block(then);
                self.block(otherwise);
            }
            Command::Relate(targets, formula, _) => {
                let targets: Vec<SymbolId> = targets.iter().map(|(target, _)| *target).collect();
                self.relate(&targets, formula);
            }
        }
    }

    fn guard(
        &mut self,
        formula: &StateFormula,
        polarity: Polarity,
        source: fn(StateFormula) -> GuardSource,
    ) {
        self.note_rigid(formula.symbols());
        let locals = self.locals(&[]);
        for atom in read_by_formula(&locals, formula, polarity) {
            self.add_guard(atom, source(formula.clone()));
        }
    }

    fn assign(&mut self, assignment: &Assignment) {
        let patterns = assignment.pattern_vars();
        let locals = self.locals(&patterns);
        let nothing = BTreeSet::new();
        let mut args = Vec::new();
        let mut place = Vec::new();
        let mut rigid = BTreeSet::new();
        for argument in &assignment.arguments {
            match argument {
                Argument::At(term) => {
                    args.push(entry(&locals, &nothing, term));
                    place.extend(read_by_term(&locals, term));
                    rigid.extend(term.symbols());
                }
                Argument::Every(var) => args.push(locals.entry_of(var)),
            }
        }
        let (output, value) = match &assignment.value {
            RightSide::Formula(formula) => {
                rigid.extend(formula.symbols());
                (truth_of(formula), reads_of_formula(&locals, formula))
            }
            RightSide::Term(term) => {
                rigid.extend(term.symbols());
                let output = constant(entry(&locals, &nothing, term));
                let to_know = read_by_term(&locals, term);
                (output, ValueReads { to_know, ..ValueReads::default() })
            }
            RightSide::Havoc(_) => (AtomValue::Any, ValueReads::default()),
        };
        self.note_rigid(rigid);
        let atom = NeededAtom { symbol: assignment.target, args, output };
        let source = UpdateSource::Assignment(assignment.clone());
        self.footprint.updates.push(FootprintUpdate { atom, place, value, source });
    }

    /// The targets become anything anywhere; what the formula reads before is wanted as it is.
    fn relate(&mut self, targets: &[SymbolId], formula: &StepFormula) {
        let related = RelatedNames { locals: self.locals(&[]), targets };
        let read = read_by_formula(&related, formula, Polarity::Both);
        let mentioned = formula.symbols().into_iter().filter_map(|symbol| match symbol {
            StepSymbol::Pre(symbol) | StepSymbol::Post(symbol) => Some(symbol),
            StepSymbol::Choice(_) => None,
        });
        self.note_rigid(mentioned.collect());
        for atom in read {
            self.add_guard(atom, GuardSource::Relation(formula.clone()));
        }
        for target in targets {
            let args = vec![AtomEntry::Any; self.signature.symbol(*target).params.len()];
            let atom = NeededAtom { symbol: *target, args, output: AtomValue::Any };
            let source = UpdateSource::Relation(formula.clone());
            let (place, value) = (Vec::new(), ValueReads::default());
            self.footprint.updates.push(FootprintUpdate { atom, place, value, source });
        }
    }

    fn add_guard(&mut self, atom: ActionAtom, source: GuardSource) {
        if !self.footprint.guards.iter().any(|guard| guard.atom == atom) {
            self.footprint.guards.push(Guard { atom, source });
        }
    }

    fn note_rigid(&mut self, symbols: BTreeSet<SymbolId>) {
        let signature = self.signature;
        let is_rigid = |id: &SymbolId| signature.symbol(*id).rigidity == Rigidity::Rigid;
        self.footprint.rigid.extend(symbols.into_iter().filter(is_rigid));
    }

    fn locals<'b>(&'b self, patterns: &'b [StateVar]) -> Locals<'b> {
        Locals { signature: self.signature, params: &self.action.params, patterns }
    }
}

/// `true` and `false` are known; any other right side may be either.
fn truth_of(formula: &StateFormula) -> AtomValue<ActionLocal> {
    if let FormulaKind::Truth(value) = formula.kind() {
        AtomValue::Truth(*value)
    } else {
        AtomValue::Any
    }
}

fn reads_of_formula(locals: &Locals<'_>, formula: &StateFormula) -> ValueReads {
    ValueReads {
        to_hold: read_by_formula(locals, formula, Polarity::Positive),
        to_fail: read_by_formula(locals, formula, Polarity::Negative),
        to_know: read_by_formula(locals, formula, Polarity::Both),
    }
}

/// A constant is a known value, a parameter is not.
fn constant(entry: AtomEntry<ActionLocal>) -> AtomValue<ActionLocal> {
    match entry {
        AtomEntry::Any | AtomEntry::Named(_) => AtomValue::Any,
        AtomEntry::Constant(_) | AtomEntry::Integer(_) | AtomEntry::Element(..) => {
            AtomValue::Is(entry)
        }
    }
}
