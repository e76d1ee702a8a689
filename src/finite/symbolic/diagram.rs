//! Reduced ordered binary decision diagrams: Boolean functions as shared graphs.
//!
//! A small store of our own instead of a crate: saturation interleaves its own recursion with node
//! construction, and needs explicit levels, skipped levels and a budget inside every operation.

use rustc_hash::FxHashMap;

use crate::budget::{Budget, Stop};
use crate::finite::question::reason::{FiniteReason, interruption};

/// A Boolean function; equal functions of one store are equal values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Diagram(u32);

impl Diagram {
    /// False everywhere.
    pub(super) const FALSE: Diagram = Diagram(0);
    /// True everywhere.
    pub(super) const TRUE: Diagram = Diagram(1);
}

/// The variable of a constant: below all others.
pub(super) const BOTTOM: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Node {
    variable: u32,
    low: Diagram,
    high: Diagram,
}

/// The operations whose results are remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Operation {
    And,
    Or,
    Not,
    Exists,
}

/// Asking the clock in every step would cost more than the step.
const STEPS_BETWEEN_QUESTIONS: usize = 1 << 12;

/// The bytes of a node with its entry in the table of nodes.
const BYTES_PER_NODE: u64 = 40;

/// The bytes of a remembered result.
pub(super) const BYTES_PER_RESULT: u64 = 40;

/// Holds diagrams, each node once.
pub(super) struct Diagrams {
    nodes: Vec<Node>,
    known: FxHashMap<Node, Diagram>,
    results: FxHashMap<(Operation, Diagram, u32), Diagram>,
    /// Results that the callers remember, counted as memory here.
    pub(super) remembered: u64,
    /// How many nodes were asked for: operations take time even where every node exists.
    steps: usize,
    budget: Budget,
}

impl Diagrams {
    /// A store without any node but the constants.
    pub(super) fn new(budget: &Budget) -> Self {
        let constant = |diagram| Node { variable: BOTTOM, low: diagram, high: diagram };
        Diagrams {
            nodes: vec![constant(Diagram::FALSE), constant(Diagram::TRUE)],
            known: FxHashMap::default(),
            results: FxHashMap::default(),
            remembered: 0,
            steps: 0,
            budget: budget.clone(),
        }
    }

    /// How many nodes were asked for: what the work so far has cost.
    pub(super) fn steps(&self) -> u64 {
        self.steps as u64
    }

    /// Stops with something else from now on.
    pub(super) fn stop_at(&mut self, stop: &Stop) {
        self.budget.stop = stop.clone();
    }

    /// Frees the memory of all results; functions stay what they are.
    pub(super) fn forget_results(&mut self) {
        self.results = FxHashMap::default();
        self.remembered = 0;
    }

    /// The bytes in use, roughly.
    pub(super) fn memory(&self) -> u64 {
        let results = self.results.len() as u64 + self.remembered;
        self.nodes.len() as u64 * BYTES_PER_NODE + results * BYTES_PER_RESULT
    }

    /// The first variable that a function depends on.
    pub(super) fn variable(&self, diagram: Diagram) -> u32 {
        self.nodes[diagram.0 as usize].variable
    }

    /// What is left of a function when a variable, not below its first one, is false or true.
    pub(super) fn cofactors(&self, diagram: Diagram, variable: u32) -> (Diagram, Diagram) {
        let node = self.nodes[diagram.0 as usize];
        if node.variable == variable { (node.low, node.high) } else { (diagram, diagram) }
    }

    /// `high` where the variable is true, else `low`; both must depend on later variables only.
    pub(super) fn node(
        &mut self,
        variable: u32,
        low: Diagram,
        high: Diagram,
    ) -> Result<Diagram, FiniteReason> {
        self.steps += 1;
        self.check_budget_after(self.steps)?;
        if low == high {
            return Ok(low);
        }
        let node = Node { variable, low, high };
        if let Some(known) = self.known.get(&node) {
            return Ok(*known);
        }
        let Ok(number) = u32::try_from(self.nodes.len()) else {
            return Err(FiniteReason::MaxMemory(self.budget.max_memory));
        };
        self.nodes.push(node);
        self.known.insert(node, Diagram(number));
        Ok(Diagram(number))
    }

    /// Fails when the time is up or the memory used; asks now and then in a loop of many steps.
    pub(super) fn check_budget_after(&self, steps: usize) -> Result<(), FiniteReason> {
        if !steps.is_multiple_of(STEPS_BETWEEN_QUESTIONS) {
            return Ok(());
        }
        if self.memory() > self.budget.max_memory {
            return Err(FiniteReason::MaxMemory(self.budget.max_memory));
        }
        interruption(&self.budget.stop).map_or(Ok(()), Err)
    }

    /// The function that is one variable.
    pub(super) fn literal(&mut self, variable: u32) -> Result<Diagram, FiniteReason> {
        self.node(variable, Diagram::FALSE, Diagram::TRUE)
    }

    /// The complement.
    pub(super) fn not(&mut self, diagram: Diagram) -> Result<Diagram, FiniteReason> {
        match diagram {
            Diagram::FALSE => return Ok(Diagram::TRUE),
            Diagram::TRUE => return Ok(Diagram::FALSE),
            _ => {}
        }
        let key = (Operation::Not, diagram, 0);
        if let Some(known) = self.results.get(&key) {
            return Ok(*known);
        }
        let Node { variable, low, high } = self.nodes[diagram.0 as usize];
        let (low, high) = (self.not(low)?, self.not(high)?);
        let result = self.node(variable, low, high)?;
        self.results.insert(key, result);
        Ok(result)
    }

    /// The conjunction.
    pub(super) fn and(&mut self, left: Diagram, right: Diagram) -> Result<Diagram, FiniteReason> {
        let (left, right) = (left.min(right), left.max(right));
        match left {
            Diagram::FALSE => Ok(Diagram::FALSE),
            Diagram::TRUE => Ok(right),
            _ if left == right => Ok(left),
            _ => self.apply(Operation::And, left, right),
        }
    }

    /// The disjunction.
    pub(super) fn or(&mut self, left: Diagram, right: Diagram) -> Result<Diagram, FiniteReason> {
        let (left, right) = (left.min(right), left.max(right));
        match left {
            Diagram::FALSE => Ok(right),
            Diagram::TRUE => Ok(Diagram::TRUE),
            _ if left == right => Ok(left),
            _ => self.apply(Operation::Or, left, right),
        }
    }

    fn apply(
        &mut self,
        operation: Operation,
        left: Diagram,
        right: Diagram,
    ) -> Result<Diagram, FiniteReason> {
        let key = (operation, left, right.0);
        if let Some(known) = self.results.get(&key) {
            return Ok(*known);
        }
        let variable = self.variable(left).min(self.variable(right));
        let (left_low, left_high) = self.cofactors(left, variable);
        let (right_low, right_high) = self.cofactors(right, variable);
        let (low, high) = match operation {
            Operation::And => (self.and(left_low, right_low)?, self.and(left_high, right_high)?),
            _ => (self.or(left_low, right_low)?, self.or(left_high, right_high)?),
        };
        let result = self.node(variable, low, high)?;
        self.results.insert(key, result);
        Ok(result)
    }

    /// Where both functions have the same value.
    pub(super) fn iff(&mut self, left: Diagram, right: Diagram) -> Result<Diagram, FiniteReason> {
        let both = self.and(left, right)?;
        let (left, right) = (self.not(left)?, self.not(right)?);
        let neither = self.and(left, right)?;
        self.or(both, neither)
    }

    /// Where some value of the variable makes the function true.
    pub(super) fn exists(
        &mut self,
        diagram: Diagram,
        variable: u32,
    ) -> Result<Diagram, FiniteReason> {
        let node = self.nodes[diagram.0 as usize];
        if node.variable > variable {
            return Ok(diagram);
        }
        if node.variable == variable {
            return self.or(node.low, node.high);
        }
        let key = (Operation::Exists, diagram, variable);
        if let Some(known) = self.results.get(&key) {
            return Ok(*known);
        }
        let low = self.exists(node.low, variable)?;
        let high = self.exists(node.high, variable)?;
        let result = self.node(node.variable, low, high)?;
        self.results.insert(key, result);
        Ok(result)
    }

    /// The variables that a function depends on, sorted.
    pub(super) fn support(&self, diagram: Diagram) -> Result<Vec<u32>, FiniteReason> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut variables = std::collections::BTreeSet::new();
        let mut pending = vec![diagram];
        while let Some(next) = pending.pop() {
            let node = self.nodes[next.0 as usize];
            if node.variable != BOTTOM && seen.insert(next) {
                self.check_budget_after(seen.len())?;
                variables.insert(node.variable);
                pending.extend([node.low, node.high]);
            }
        }
        Ok(variables.into_iter().collect())
    }

    /// Values of variables that make a function true, preferring false; others do not matter.
    pub(super) fn solution(&self, diagram: Diagram) -> Option<Vec<(u32, bool)>> {
        if diagram == Diagram::FALSE {
            return None;
        }
        let (mut values, mut next) = (Vec::new(), diagram);
        while next != Diagram::TRUE {
            let node = self.nodes[next.0 as usize];
            let value = node.low == Diagram::FALSE;
            values.push((node.variable, value));
            next = if value { node.high } else { node.low };
        }
        Some(values)
    }

    /// Values of variables that make both functions true, preferring false; others do not matter.
    /// Makes no nodes.
    pub(super) fn common_solution(
        &mut self,
        left: Diagram,
        right: Diagram,
    ) -> Result<Option<Vec<(u32, bool)>>, FiniteReason> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut values = Vec::new();
        // What is left to try, each with the number of values that are known by then.
        let mut pending = vec![(left, right, 0, None)];
        while let Some((left, right, known, last)) = pending.pop() {
            if left == Diagram::FALSE || right == Diagram::FALSE || !seen.insert((left, right)) {
                continue;
            }
            self.steps += 1;
            self.check_budget_after(self.steps)?;
            values.truncate(known);
            values.extend(last);
            let variable = self.variable(left).min(self.variable(right));
            if variable == BOTTOM {
                return Ok(Some(values));
            }
            let (left_low, left_high) = self.cofactors(left, variable);
            let (right_low, right_high) = self.cofactors(right, variable);
            let known = values.len();
            pending.push((left_high, right_high, known, Some((variable, true))));
            pending.push((left_low, right_low, known, Some((variable, false))));
        }
        Ok(None)
    }

    /// The conjunction of literals.
    pub(super) fn cube(
        &mut self,
        literals: impl IntoIterator<Item = (u32, bool)>,
    ) -> Result<Diagram, FiniteReason> {
        let mut literals: Vec<(u32, bool)> = literals.into_iter().collect();
        literals.sort_unstable();
        let mut cube = Diagram::TRUE;
        for (variable, value) in literals.into_iter().rev() {
            let (low, high) = if value { (Diagram::FALSE, cube) } else { (cube, Diagram::FALSE) };
            cube = self.node(variable, low, high)?;
        }
        Ok(cube)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finite::symbolic::state_count::count;

    /// The number of variables, and of rows of a truth table.
    const WIDTH: u32 = 4;
    const ROWS: u32 = 1 << WIDTH;

    /// The function that is true in the rows whose bit is set.
    fn of_table(diagrams: &mut Diagrams, table: u32) -> Diagram {
        (0..ROWS).filter(|row| table >> row & 1 == 1).fold(Diagram::FALSE, |sum, row| {
            let literals = (0..WIDTH).map(|level| (2 * level, row >> level & 1 == 1));
            let cube = diagrams.cube(literals).expect("it is small");
            diagrams.or(sum, cube).expect("it is small")
        })
    }

    #[test]
    fn operations_do_what_truth_tables_do() {
        let budget = Budget::until(Stop::never());
        let mut diagrams = Diagrams::new(&budget);
        let all = (1 << ROWS) - 1;
        let mut table = 0x9e37_u32;
        for _ in 0..200 {
            table = table.wrapping_mul(0x9e37_79b1).rotate_left(13) ^ 0x5bd1;
            let (left, right) = (table & all, table >> 7 & all);
            let (one, other) = (of_table(&mut diagrams, left), of_table(&mut diagrams, right));
            let both = diagrams.and(one, other).expect("it is small");
            assert_eq!(both, of_table(&mut diagrams, left & right));
            let either = diagrams.or(one, other).expect("it is small");
            assert_eq!(either, of_table(&mut diagrams, left | right));
            let not = diagrams.not(one).expect("it is small");
            assert_eq!(not, of_table(&mut diagrams, !left & all));
            let same = diagrams.iff(one, other).expect("it is small");
            assert_eq!(same, of_table(&mut diagrams, !(left ^ right) & all));
            let some = diagrams.exists(one, 2).expect("it is small");
            let moved = (0..ROWS).filter(|row| (left >> row | left >> (row ^ 2)) & 1 == 1);
            assert_eq!(some, of_table(&mut diagrams, moved.fold(0, |sum, row| sum | 1 << row)));
            let common = diagrams.common_solution(one, other).expect("it is small");
            assert_eq!(common.is_none(), left & right == 0);
            if let Some(common) = common {
                let cube = diagrams.cube(common).expect("it is small");
                assert_eq!(diagrams.and(cube, both), Ok(cube));
            }
            let counted = count(&diagrams, one, WIDTH).expect("it is small");
            assert_eq!(counted.to_string(), left.count_ones().to_string());
        }
    }

    #[test]
    fn a_solution_makes_the_function_true() {
        let budget = Budget::until(Stop::never());
        let mut diagrams = Diagrams::new(&budget);
        assert_eq!(diagrams.solution(Diagram::FALSE), None);
        let one = of_table(&mut diagrams, 0b0100_0000_0000_1000);
        let solution = diagrams.solution(one).expect("there is one");
        let cube = diagrams.cube(solution).expect("it is small");
        assert_eq!(diagrams.and(cube, one), Ok(cube));
    }

    #[test]
    fn a_spent_budget_ends_the_work() {
        let stop = Stop::never();
        stop.cancel();
        let budget = Budget::until(stop);
        let mut diagrams = Diagrams::new(&budget);
        let mut results = (0..STEPS_BETWEEN_QUESTIONS).map(|_| diagrams.literal(0));
        // Also where the only node that is asked for exists.
        assert!(results.any(|result| result == Err(FiniteReason::Interrupted)));
    }
}
