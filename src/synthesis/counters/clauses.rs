//! Statements about local states as clauses over the relations of the lowered protocol.

use std::collections::BTreeSet;

use itertools::Itertools as _;

use super::boxes::boxes;
use crate::logic::{Formula, FormulaKind, Name, Term, Var};
use crate::process::counters::Configuration;
use crate::process::local::{LocalStates, StateIndex};
use crate::process::{Encoding, LocalState, PointId, Process, VariableId};
use crate::protocol::{Protocol, Sort, StateFormula, StateVar, SymbolId};

/// The most valuations of the variables whose occurrence at a point is recorded.
const MOST_VALUATIONS: usize = 2_000;

/// That every process is in one local state, and which combinations of them do not occur. `None` if
/// the protocol lacks a relation.
pub(super) fn invariant(
    protocol: &Protocol,
    process: &Process,
    locals: &LocalStates,
    minimal: &[Configuration],
) -> Option<Vec<StateFormula>> {
    let atoms = Atoms::of(protocol, process)?;
    let mut clauses = atoms.structure();
    clauses.extend(atoms.occurring(process, locals));
    for sides in boxes(locals.states.len(), minimal) {
        clauses.push(atoms.excluded(locals, &sides));
    }
    Some(clauses)
}

/// That every process is in one local state. `None` if the protocol lacks a relation.
pub(super) fn structure(protocol: &Protocol, process: &Process) -> Option<Vec<StateFormula>> {
    Some(Atoms::of(protocol, process)?.structure())
}

/// The relations of the lowered protocol that say what a local state is.
struct Atoms {
    sort: Sort,
    crashed: Option<SymbolId>,
    points: Vec<SymbolId>,
    variables: Vec<Values>,
}

enum Values {
    OneHot(i64, Vec<SymbolId>),
    Bit(SymbolId),
}

/// For the point and every variable, the values that a local state may have.
type Cube = Vec<BTreeSet<usize>>;

impl Atoms {
    fn of(protocol: &Protocol, process: &Process) -> Option<Self> {
        let symbol = |name: &Name| protocol.signature.find_symbol(name);
        let variables = process.variables.iter().map(|variable| match &variable.encoding {
            Encoding::OneHot(names) => {
                let symbols = names.iter().map(symbol).collect::<Option<_>>()?;
                Some(Values::OneHot(variable.lowest, symbols))
            }
            Encoding::Bit(name) => Some(Values::Bit(symbol(name)?)),
        });
        let crashed = match &process.crashed {
            Some(name) => Some(symbol(name)?),
            None => None,
        };
        Some(Atoms {
            sort: Sort::Declared(protocol.signature.find_sort(&process.sort)?),
            crashed,
            points: process
                .points
                .iter()
                .map(|point| symbol(&point.relation))
                .collect::<Option<_>>()?,
            variables: variables.collect::<Option<_>>()?,
        })
    }

    /// A process is at one point or has crashed, and has one value for every variable.
    fn structure(&self) -> Vec<StateFormula> {
        let process = self.process(0);
        let holds = |symbol: &SymbolId| Formula::holds(*symbol, vec![Term::var(process.clone())]);
        let crashed = self.crashed.as_ref().map_or(Formula::truth(false), holds);
        let one_of = |symbols: &[SymbolId], or: &StateFormula| {
            let some = symbols.iter().map(holds).chain([or.clone()]);
            let pairs = symbols.iter().map(holds).chain([or.clone()]).array_combinations();
            let not_two = pairs.map(|[one, other]| Formula::and([one, other]).negate());
            [Formula::or(some), Formula::and(not_two)]
        };
        let mut clauses = one_of(&self.points, &crashed).to_vec();
        for variable in &self.variables {
            match variable {
                Values::OneHot(_, symbols) => clauses.extend(one_of(symbols, &crashed)),
                Values::Bit(bit) => {
                    clauses.push(Formula::implies(crashed.clone(), holds(bit).negate()));
                }
            }
        }
        let closed =
            clauses.into_iter().map(|clause| Formula::forall(vec![process.clone()], clause));
        closed.filter(|clause| *clause != Formula::truth(true)).collect()
    }

    /// At every point, which values do not occur.
    fn occurring(&self, process: &Process, locals: &LocalStates) -> Vec<StateFormula> {
        let valuations = process.variables.iter().map(|variable| variable.values().count());
        if valuations.product::<usize>() > MOST_VALUATIONS {
            return Vec::new();
        }
        let known: BTreeSet<&LocalState> = locals.states.iter().collect();
        let values = process.variables.iter().map(|variable| variable.values());
        let valuations: Vec<Vec<i64>> = values.multi_cartesian_product().collect();
        let mut clauses = Vec::new();
        for point in (0..process.points.len()).map(PointId) {
            let universe: Vec<LocalState> = valuations
                .iter()
                .map(|values| LocalState { point, values: values.clone() })
                .collect();
            let absent: BTreeSet<StateIndex> =
                (0..universe.len()).filter(|at| !known.contains(&universe[*at])).collect();
            let var = self.process(0);
            let at = Formula::holds(self.points[point.0], vec![Term::var(var.clone())]);
            for cube in self.cubes(&universe, &absent) {
                let values = self.cube(&cube, &var);
                let never = Formula::and([at.clone(), values]).negate();
                clauses.push(Formula::forall(vec![var.clone()], never));
            }
        }
        clauses
    }

    /// No distinct processes are in the states of the sides of a box.
    fn excluded(&self, locals: &LocalStates, sides: &[BTreeSet<StateIndex>]) -> StateFormula {
        let vars: Vec<StateVar> = (0..sides.len()).map(|index| self.process(index)).collect();
        let inside = sides.iter().zip(&vars).map(|(side, var)| {
            Formula::or(self.cubes(&locals.states, side).iter().map(|cube| self.cube(cube, var)))
        });
        let pairs = vars.iter().cloned().map(Term::var).array_combinations();
        let same = Formula::or(pairs.map(|[one, other]| Formula::equal(one, other)));
        Formula::forall(vars.clone(), Formula::implies(Formula::and(inside), same))
    }

    fn process(&self, index: usize) -> StateVar {
        let name =
            ["P", "Q", "R"].get(index).map_or_else(|| format!("P{index}"), |&name| name.into());
        Var::new(name, self.sort)
    }

    /// Cubes that contain these states and no other state of the universe.
    fn cubes(&self, universe: &[LocalState], wanted: &BTreeSet<StateIndex>) -> Vec<Cube> {
        let coordinates: Vec<Vec<usize>> =
            universe.iter().map(|state| self.coordinates(state)).collect();
        let inside = |cube: &Cube, at: StateIndex| {
            cube.iter().zip(&coordinates[at]).all(|(side, value)| side.contains(value))
        };
        let mut cubes: Vec<Cube> = Vec::new();
        for state in wanted {
            if cubes.iter().any(|cube| inside(cube, *state)) {
                continue;
            }
            let mut cube: Cube =
                coordinates[*state].iter().map(|value| BTreeSet::from([*value])).collect();
            // Variables first: a point says more to the reader than a value.
            for side in (0..cube.len()).rev() {
                for value in 0..self.range(side) {
                    let mut wider = cube.clone();
                    wider[side].insert(value);
                    if (0..universe.len()).all(|at| !inside(&wider, at) || wanted.contains(&at)) {
                        cube = wider;
                    }
                }
            }
            cubes.push(cube);
        }
        cubes
    }

    /// The point and the values, each counted from zero.
    fn coordinates(&self, state: &LocalState) -> Vec<usize> {
        let values = state.values.iter().zip(&self.variables).map(|(value, variable)| {
            let lowest = match variable {
                Values::OneHot(lowest, _) => *lowest,
                Values::Bit(_) => 0,
            };
            usize::try_from(value - lowest).unwrap_or_default()
        });
        [state.point.0].into_iter().chain(values).collect()
    }

    /// How many values a side of a cube can have.
    fn range(&self, side: usize) -> usize {
        match side.checked_sub(1).map(|variable| &self.variables[variable]) {
            None => self.points.len(),
            Some(Values::OneHot(_, symbols)) => symbols.len(),
            Some(Values::Bit(_)) => 2,
        }
    }

    /// That a process is in a cube; sides that allow everything are left out.
    fn cube(&self, cube: &Cube, var: &StateVar) -> StateFormula {
        let holds = |symbol: SymbolId| Formula::holds(symbol, vec![Term::var(var.clone())]);
        let sides =
            cube.iter().enumerate().filter(|(side, values)| values.len() < self.range(*side));
        let sides: Vec<StateFormula> = sides
            .map(|(side, values)| match side.checked_sub(1).map(VariableId) {
                None => Formula::or(values.iter().map(|point| holds(self.points[*point]))),
                Some(VariableId(variable)) => match &self.variables[variable] {
                    Values::OneHot(_, symbols) => {
                        Formula::or(values.iter().map(|value| holds(symbols[*value])))
                    }
                    Values::Bit(bit) if values.contains(&1) => holds(*bit),
                    Values::Bit(bit) => holds(*bit).negate(),
                },
            })
            .collect();
        // What a crashed process lacks as well says nothing about being live.
        let is_negative = |side: &StateFormula| matches!(side.kind(), FormulaKind::Not(_));
        let live = match self.crashed {
            Some(crashed) if sides.iter().all(is_negative) => holds(crashed).negate(),
            _ => Formula::truth(true),
        };
        Formula::and([live].into_iter().chain(sides))
    }
}
