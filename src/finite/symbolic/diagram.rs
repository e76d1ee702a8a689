//! Reduced ordered binary decision diagrams: Boolean functions as shared graphs.
//!
//! A small store of our own instead of a crate: saturation interleaves its own recursion with node
//! construction, and needs explicit levels, skipped levels and a budget inside every operation.

use super::node_table::{Node, NodeTable, ResultCache};
use crate::budget::{Budget, Stop};
use crate::finite::question::coverage::StateCounts;
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

/// The operations whose results are remembered; those of callers come after them.
const AND: u32 = 0;
const OR: u32 = 1;
const NOT: u32 = 2;
const EXISTS: u32 = 3;
pub(super) const FIRST_OF_CALLERS: u32 = 4;

/// Asking the clock in every step would cost more than the step.
pub(super) const STEPS_BETWEEN_QUESTIONS: usize = 1 << 12;

/// The bytes of a result that a caller remembers.
const BYTES_PER_RESULT: u64 = 40;

/// Holds diagrams, each node once.
pub(super) struct Diagrams {
    nodes: NodeTable,
    results: ResultCache,
    /// Results that the callers remember, counted as memory here.
    pub(super) remembered: u64,
    /// How many nodes were asked for: operations take time even where every node exists.
    steps: usize,
    /// How many may be asked for.
    allowance: u64,
    budget: Budget,
}

impl Diagrams {
    /// A store without any node but the constants.
    pub(super) fn new(budget: &Budget) -> Self {
        let constant = |number| Node { variable: BOTTOM, low: number, high: number };
        Diagrams {
            nodes: NodeTable::new(vec![constant(0), constant(1)]),
            results: ResultCache::new(),
            remembered: 0,
            steps: 0,
            allowance: u64::MAX,
            budget: budget.clone(),
        }
    }

    /// The same, for no more than so many steps.
    pub(super) fn within(self, allowance: u64) -> Self {
        Diagrams { allowance, ..self }
    }

    /// Whether the steps are used up.
    pub(super) fn is_overdrawn(&self) -> bool {
        self.steps() > self.allowance
    }

    /// What there is to report while sets grow; how many states they have is not known.
    pub(super) fn counts(&self) -> StateCounts {
        let nodes = self.nodes.len() as u64;
        StateCounts { nodes, memory: self.memory(), ..StateCounts::default() }
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
        self.results = ResultCache::new();
        self.remembered = 0;
    }

    /// The bytes in use, roughly.
    pub(super) fn memory(&self) -> u64 {
        self.nodes.memory() + self.results.memory() + self.remembered * BYTES_PER_RESULT
    }

    /// The most bytes that may be used.
    pub(super) fn max_memory(&self) -> u64 {
        self.budget.max_memory
    }

    fn get(&self, diagram: Diagram) -> Node {
        self.nodes.get(diagram.0)
    }

    /// The result of an operation of a caller, if it is remembered.
    pub(super) fn known(&self, operation: u32, left: Diagram, right: Diagram) -> Option<Diagram> {
        self.results.get(operation, left.0, right.0).map(Diagram)
    }

    /// Remembers the result of an operation of a caller, for a while.
    pub(super) fn remember(&mut self, operation: u32, operands: [Diagram; 2], result: Diagram) {
        self.results.insert(operation, operands[0].0, operands[1].0, result.0);
    }

    /// The first variable that a function depends on.
    pub(super) fn variable(&self, diagram: Diagram) -> u32 {
        self.get(diagram).variable
    }

    /// What is left of a function when a variable, not below its first one, is false or true.
    pub(super) fn cofactors(&self, diagram: Diagram, variable: u32) -> (Diagram, Diagram) {
        let node = self.get(diagram);
        if node.variable != variable {
            return (diagram, diagram);
        }
        (Diagram(node.low), Diagram(node.high))
    }

    /// `high` where the variable is true, else `low`; both must depend on later variables only.
    pub(super) fn node(
        &mut self,
        variable: u32,
        low: Diagram,
        high: Diagram,
    ) -> Result<Diagram, FiniteReason> {
        self.steps += 1;
        if self.steps.is_multiple_of(STEPS_BETWEEN_QUESTIONS) {
            let most = self.budget.max_memory.saturating_sub(self.memory());
            self.results.fit(self.nodes.len(), most);
            self.budget.stop.charge(STEPS_BETWEEN_QUESTIONS as u64);
            self.check_budget_after(self.steps)?;
        }
        if low == high {
            return Ok(low);
        }
        let Some(number) = self.nodes.number(Node { variable, low: low.0, high: high.0 }) else {
            return Err(FiniteReason::MaxMemory(self.max_memory()));
        };
        Ok(Diagram(number))
    }

    /// Fails when the time is up or the memory used; asks now and then in a loop of many steps.
    pub(super) fn check_budget_after(&self, steps: usize) -> Result<(), FiniteReason> {
        if !steps.is_multiple_of(STEPS_BETWEEN_QUESTIONS) {
            return Ok(());
        }
        // Nothing stops a table from growing before the next question.
        let needed = self.memory() + self.nodes.growth(STEPS_BETWEEN_QUESTIONS);
        if needed > self.budget.max_memory {
            return Err(FiniteReason::MaxMemory(self.budget.max_memory));
        }
        if self.is_overdrawn() {
            return Err(FiniteReason::Interrupted);
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
        if let Some(known) = self.known(NOT, diagram, diagram) {
            return Ok(known);
        }
        let Node { variable, low, high } = self.get(diagram);
        let (low, high) = (self.not(Diagram(low))?, self.not(Diagram(high))?);
        let result = self.node(variable, low, high)?;
        self.remember(NOT, [diagram, diagram], result);
        Ok(result)
    }

    /// The conjunction.
    pub(super) fn and(&mut self, left: Diagram, right: Diagram) -> Result<Diagram, FiniteReason> {
        let (left, right) = (left.min(right), left.max(right));
        match left {
            Diagram::FALSE => Ok(Diagram::FALSE),
            Diagram::TRUE => Ok(right),
            _ if left == right => Ok(left),
            _ => self.apply(AND, left, right),
        }
    }

    /// The disjunction.
    pub(super) fn or(&mut self, left: Diagram, right: Diagram) -> Result<Diagram, FiniteReason> {
        let (left, right) = (left.min(right), left.max(right));
        match left {
            Diagram::FALSE => Ok(right),
            Diagram::TRUE => Ok(Diagram::TRUE),
            _ if left == right => Ok(left),
            _ => self.apply(OR, left, right),
        }
    }

    fn apply(
        &mut self,
        operation: u32,
        left: Diagram,
        right: Diagram,
    ) -> Result<Diagram, FiniteReason> {
        if let Some(known) = self.known(operation, left, right) {
            return Ok(known);
        }
        let variable = self.variable(left).min(self.variable(right));
        let (left_low, left_high) = self.cofactors(left, variable);
        let (right_low, right_high) = self.cofactors(right, variable);
        let (low, high) = match operation {
            AND => (self.and(left_low, right_low)?, self.and(left_high, right_high)?),
            _ => (self.or(left_low, right_low)?, self.or(left_high, right_high)?),
        };
        let result = self.node(variable, low, high)?;
        self.remember(operation, [left, right], result);
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
        let node = self.get(diagram);
        if node.variable > variable {
            return Ok(diagram);
        }
        let (low, high) = (Diagram(node.low), Diagram(node.high));
        if node.variable == variable {
            return self.or(low, high);
        }
        // The second operand is a variable, not a diagram.
        if let Some(known) = self.results.get(EXISTS, diagram.0, variable) {
            return Ok(Diagram(known));
        }
        let (low, high) = (self.exists(low, variable)?, self.exists(high, variable)?);
        let result = self.node(node.variable, low, high)?;
        self.results.insert(EXISTS, diagram.0, variable, result.0);
        Ok(result)
    }

    /// The variables that a function depends on, sorted.
    pub(super) fn support(&self, diagram: Diagram) -> Result<Vec<u32>, FiniteReason> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut variables = std::collections::BTreeSet::new();
        let mut pending = vec![diagram];
        while let Some(next) = pending.pop() {
            let node = self.get(next);
            if node.variable != BOTTOM && seen.insert(next) {
                self.check_budget_after(seen.len())?;
                variables.insert(node.variable);
                pending.extend([Diagram(node.low), Diagram(node.high)]);
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
            let node = self.get(next);
            let value = Diagram(node.low) == Diagram::FALSE;
            values.push((node.variable, value));
            next = Diagram(if value { node.high } else { node.low });
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
