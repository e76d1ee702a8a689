//! One invocation on a symbolic state: the guard and what every cell becomes, as wires.
//!
//! Statements run one after the other, each on the cells that the ones before left; both branches
//! of an `if` run and are joined, unless they make different choices. Tests hold this against
//! `protocol::execute`.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::cells::{Cell, CellTable, SymbolicState, choose_cell};
use super::circuit::{Circuit, Wire};
use super::formulas::{Denotation, GroundError, GroundScope, Grounder, Interpretation};
use crate::logic::{Extent, Value, Vocabulary, tuples};
use crate::protocol::{
    Argument, Assignment, ChoiceId, Command, OneState, RightSide, Sort, StateFormula, StepFormula,
    StepSymbol, StepVar, SymbolId, TwoStates,
};

/// What an invocation does on one path.
#[derive(Clone)]
pub(crate) struct Effect {
    /// When every `require` on the path holds and no bound is hit.
    pub(crate) alive: Wire,
    /// When the invocation leaves the integer window.
    pub(crate) bound: Wire,
    /// The cells afterwards.
    pub(crate) state: SymbolicState,
    /// The havocs on the path.
    pub(crate) chosen: BTreeSet<ChoiceId>,
}

impl Effect {
    /// Nothing has happened yet.
    pub(crate) fn start(state: SymbolicState) -> Self {
        Effect { alive: Wire::TRUE, bound: Wire::FALSE, state, chosen: BTreeSet::new() }
    }

    /// Whether this path can be taken or leaves the window somewhere.
    pub(crate) fn has_effect(&self) -> bool {
        self.alive != Wire::FALSE || self.bound != Wire::FALSE
    }
}

/// The setting of one invocation.
pub(crate) struct Invoked<'a> {
    pub(crate) extents: &'a BTreeMap<Sort, Extent>,
    /// The values of the parameters.
    pub(crate) scope: GroundScope<OneState>,
    /// What each havoc picks, as inputs.
    pub(crate) choices: &'a BTreeMap<ChoiceId, CellTable>,
}

/// Runs a block of statements; the paths that come out exclude each other.
pub(crate) fn run(
    circuit: &mut Circuit,
    invoked: &Invoked<'_>,
    commands: &[Command],
    start: Effect,
) -> Result<Vec<Effect>, GroundError> {
    let mut paths = vec![start];
    for command in commands {
        let mut next = Vec::new();
        for path in paths {
            if path.alive == Wire::FALSE {
                next.push(path);
            } else {
                next.extend(SymbolicRunner { circuit, invoked }.command(command, path)?);
            }
        }
        paths = next;
    }
    Ok(paths)
}

struct SymbolicRunner<'a, 'b> {
    circuit: &'a mut Circuit,
    invoked: &'a Invoked<'b>,
}

impl SymbolicRunner<'_, '_> {
    fn command(&mut self, command: &Command, path: Effect) -> Result<Vec<Effect>, GroundError> {
        match command {
            Command::Require(formula, _) => Ok(vec![self.require(formula, path)?]),
            Command::Assign(assignment) => {
                let before = path.state.clone();
                Ok(vec![self.assign(assignment, &before, path)?])
            }
            Command::Together(assignments, _) => {
                let before = path.state.clone();
                let mut path = path;
                for assignment in assignments {
                    path = self.assign(assignment, &before, path)?;
                }
                Ok(vec![path])
            }
            Command::If(condition, then, otherwise, _) => {
                self.branch(condition, then, otherwise, path)
            }
            Command::Relate(targets, formula, _) => Ok(vec![self.relate(targets, formula, path)?]),
        }
    }

    fn require(&mut self, formula: &StateFormula, effect: Effect) -> Result<Effect, GroundError> {
        let truth = self.grounder(&effect.state).formula(formula)?;
        let mut effect = self.hit(effect, truth.undefined);
        effect.alive = self.circuit.and(effect.alive, truth.value);
        Ok(effect)
    }

    fn branch(
        &mut self,
        condition: &StateFormula,
        then: &[Command],
        otherwise: &[Command],
        effect: Effect,
    ) -> Result<Vec<Effect>, GroundError> {
        let truth = self.grounder(&effect.state).formula(condition)?;
        let effect = self.hit(effect, truth.undefined);
        let mut side = |commands, condition| {
            let alive = self.circuit.and(effect.alive, condition);
            run(self.circuit, self.invoked, commands, Effect { alive, ..effect.clone() })
        };
        let mut paths = side(then, truth.value)?;
        paths.extend(side(otherwise, !truth.value)?);
        match &paths[..] {
            [yes, no] if yes.chosen == no.chosen => Ok(vec![Effect {
                alive: self.circuit.or(yes.alive, no.alive),
                bound: self.circuit.or(yes.bound, no.bound),
                state: self.join(truth.value, &yes.state, &no.state),
                chosen: yes.chosen.clone(),
            }]),
            _ => Ok(paths),
        }
    }

    fn join(&mut self, condition: Wire, yes: &SymbolicState, no: &SymbolicState) -> SymbolicState {
        let mut joined = no.clone();
        for (symbol, table) in &mut joined.tables {
            let then = &yes.tables[symbol];
            if Rc::ptr_eq(then, table) {
                continue;
            }
            for (cell, then) in Rc::make_mut(table).cells.iter_mut().zip(&then.cells) {
                *cell = choose_cell(self.circuit, condition, then, cell);
            }
        }
        joined
    }

    /// Writes what an assignment reads in the state `before`.
    fn assign(
        &mut self,
        assignment: &Assignment,
        before: &SymbolicState,
        mut effect: Effect,
    ) -> Result<Effect, GroundError> {
        // A symbol that was sliced away is read by nothing: its value does not matter.
        if let RightSide::Havoc(choice) = &assignment.value {
            effect.chosen.insert(*choice);
        }
        let Some(table) = effect.state.tables.get(&assignment.target).cloned() else {
            return Ok(effect);
        };
        let vars = assignment.pattern_vars();
        let extents: Vec<Extent> = vars.iter().map(|var| self.invoked.extents[&var.sort]).collect();
        let mut fixed = Vec::new();
        for argument in &assignment.arguments {
            fixed.push(match argument {
                Argument::At(term) => Some(self.grounder(before).term(term)?),
                Argument::Every(_) => None,
            });
        }
        let mut after = (*table).clone();
        for tuple in tuples(&extents) {
            let pattern: GroundScope<OneState> = vars.iter().cloned().zip(tuple).collect();
            let (value, undefined) = self.right_side(assignment, before, &pattern)?;
            effect = self.hit(effect, undefined);
            effect.bound = self.truncated(assignment, &value, &effect);
            for (location, wire) in self.locations(assignment, &fixed, &pattern, &mut effect) {
                match table.position(&location) {
                    Some(at) => {
                        after.cells[at] = choose_cell(self.circuit, wire, &value, &after.cells[at]);
                    }
                    // Something changes that the window does not show.
                    None => effect = self.hit(effect, wire),
                }
            }
        }
        effect.state.tables.insert(assignment.target, Rc::new(after));
        Ok(effect)
    }

    /// The value to assign for one match, and when it has none.
    fn right_side(
        &mut self,
        assignment: &Assignment,
        state: &SymbolicState,
        pattern: &GroundScope<OneState>,
    ) -> Result<(Cell, Wire), GroundError> {
        let mut grounder = self.grounder(state);
        grounder.scope.extend(pattern.iter().cloned());
        match &assignment.value {
            RightSide::Formula(formula) => {
                let truth = grounder.formula(formula)?;
                Ok((Cell::Truth(truth.value), truth.undefined))
            }
            RightSide::Term(term) => {
                let denotation = grounder.term(term)?;
                Ok(self.inside_window(denotation))
            }
            RightSide::Havoc(choice) => {
                let args: Vec<Value> = pattern.iter().map(|(_, value)| *value).collect();
                Ok((self.chosen(*choice, &args)?, Wire::FALSE))
            }
        }
    }

    /// The bound, also hit where a havoc could pick an integer outside the window.
    fn truncated(&mut self, assignment: &Assignment, value: &Cell, effect: &Effect) -> Wire {
        match &assignment.value {
            RightSide::Havoc(_) if holds_integers(value) => {
                self.circuit.or(effect.bound, effect.alive)
            }
            RightSide::Havoc(_) | RightSide::Formula(_) | RightSide::Term(_) => effect.bound,
        }
    }

    fn chosen(&self, choice: ChoiceId, args: &[Value]) -> Result<Cell, GroundError> {
        let table = self.invoked.choices.get(&choice);
        let cell = table.and_then(|table| table.cells.get(table.position(args)?));
        cell.cloned().ok_or_else(|| GroundError::Missing("a choice".to_owned()))
    }

    /// A cell holds integers of the window only; others count as undefined.
    fn inside_window(&mut self, denotation: Denotation) -> (Cell, Wire) {
        let window = self.invoked.extents[&Sort::Int];
        let mut undefined = denotation.undefined;
        let mut cases = Vec::new();
        for (value, wire) in denotation.cases {
            if matches!(value, Value::Int(_)) && window.index(value).is_none() {
                undefined = self.circuit.or(undefined, wire);
            } else {
                cases.push((value, wire));
            }
        }
        (Cell::Cases(cases), undefined)
    }

    /// The locations that one match can mean, each with its condition.
    fn locations(
        &mut self,
        assignment: &Assignment,
        fixed: &[Option<Denotation>],
        pattern: &GroundScope<OneState>,
        effect: &mut Effect,
    ) -> Vec<(Vec<Value>, Wire)> {
        let mut locations = vec![(Vec::new(), Wire::TRUE)];
        for (argument, fixed) in assignment.arguments.iter().zip(fixed) {
            let (cases, undefined) = match (argument, fixed) {
                (Argument::At(_), Some(term)) => (term.cases.clone(), term.undefined),
                (Argument::Every(_) | Argument::At(_), _) => {
                    (matched(argument, pattern), Wire::FALSE)
                }
            };
            let reached = self.circuit.and(effect.alive, undefined);
            effect.bound = self.circuit.or(effect.bound, reached);
            effect.alive = self.circuit.and(effect.alive, !undefined);
            let mut longer = Vec::new();
            for (prefix, wire) in &locations {
                for (value, case) in &cases {
                    let wire = self.circuit.and(*wire, *case);
                    if wire != Wire::FALSE {
                        let mut location: Vec<Value> = prefix.clone();
                        location.push(*value);
                        longer.push((location, wire));
                    }
                }
            }
            locations = longer;
        }
        locations
    }

    fn relate(
        &mut self,
        targets: &[(SymbolId, ChoiceId)],
        formula: &StepFormula,
        effect: Effect,
    ) -> Result<Effect, GroundError> {
        let mut effect = effect;
        let mut after = effect.state.clone();
        for (symbol, choice) in targets {
            effect.chosen.insert(*choice);
            if let (Some(table), Some(chosen)) =
                (after.tables.get_mut(symbol), self.invoked.choices.get(choice))
            {
                if chosen.cells.first().is_some_and(holds_integers) {
                    effect.bound = self.circuit.or(effect.bound, effect.alive);
                }
                *table = Rc::new(chosen.clone());
            }
        }
        let both =
            BothSides { before: &effect.state, after: &after, choices: self.invoked.choices };
        let scope = self
            .invoked
            .scope
            .iter()
            .map(|(var, value)| (StepVar::new(var.name.clone(), var.sort), *value));
        let truth = Grounder {
            circuit: self.circuit,
            extents: self.invoked.extents,
            interpretation: &both,
            scope: scope.collect(),
        }
        .formula(formula)?;
        let mut effect = self.hit(effect, truth.undefined);
        effect.alive = self.circuit.and(effect.alive, truth.value);
        Ok(Effect { state: after, ..effect })
    }

    /// Stops where `wire` is true, and remembers that a bound was hit there.
    fn hit(&mut self, effect: Effect, wire: Wire) -> Effect {
        let reached = self.circuit.and(effect.alive, wire);
        Effect {
            alive: self.circuit.and(effect.alive, !wire),
            bound: self.circuit.or(effect.bound, reached),
            ..effect
        }
    }

    fn grounder<'c>(
        &'c mut self,
        state: &'c SymbolicState,
    ) -> Grounder<'c, OneState, SymbolicState> {
        Grounder {
            circuit: self.circuit,
            extents: self.invoked.extents,
            interpretation: state,
            scope: self.invoked.scope.clone(),
        }
    }
}

fn holds_integers(cell: &Cell) -> bool {
    matches!(cell, Cell::Cases(cases) if matches!(cases.first(), Some((Value::Int(_), _))))
}

/// The element that a pattern variable stands for.
fn matched(argument: &Argument, pattern: &GroundScope<OneState>) -> Vec<(Value, Wire)> {
    let value = match argument {
        Argument::Every(var) => pattern.iter().find(|(bound, _)| bound == var),
        Argument::At(_) => None,
    };
    value.map(|(_, value)| (*value, Wire::TRUE)).into_iter().collect()
}

/// The cells before and after a statement.
struct BothSides<'a> {
    before: &'a SymbolicState,
    after: &'a SymbolicState,
    choices: &'a BTreeMap<ChoiceId, CellTable>,
}

impl Interpretation<TwoStates> for BothSides<'_> {
    fn table(&self, symbol: <TwoStates as Vocabulary>::Symbol) -> Option<&CellTable> {
        match symbol {
            StepSymbol::Pre(symbol) => self.before.table(symbol),
            StepSymbol::Post(symbol) => self.after.table(symbol),
            StepSymbol::Choice(choice) => self.choices.get(&choice),
        }
    }
}
