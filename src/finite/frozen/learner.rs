//! The values of the frozen flags that are still possible: a SAT solver with the conditions so far.
//!
//! Cheaper values come first: the cost is a sum of bits in the solver, and its bound is raised only
//! when nothing below it is left.

use super::smallest::smallest;
use super::{FrozenCondition, FrozenSize};
use crate::budget::Budget;
use crate::finite::ground::circuit::{Circuit, Wire};
use crate::finite::question::reason::FiniteReason;
use crate::finite::sat::solver::{Copy, SatAnswer, SatLiteral, SatSolver};

/// Flags that hold the code of one choice.
#[derive(Clone, Debug)]
pub(crate) struct FlagGroup {
    /// The position of the first flag, the lowest bit of the code.
    pub(crate) first: usize,
    /// How many flags there are.
    pub(crate) bits: usize,
    /// What each code costs; there are no others.
    pub(crate) costs: Vec<u32>,
}

/// What the learner answers.
pub(crate) enum Learnt {
    /// Values of all flags.
    Values(Vec<bool>),
    /// There are none left; requirements, by their numbers, that no values meet together.
    Nothing(Vec<usize>),
}

/// The conditions so far.
pub(crate) struct Learner {
    solver: SatSolver,
    flags: Vec<SatLiteral>,
    circuit: Circuit,
    copy: Copy,
    cost: Vec<Wire>,
    /// The bound on the cost, and the greatest cost.
    bound: u32,
    greatest: u32,
    /// One for each requirement: whether it counts.
    selectors: Vec<SatLiteral>,
    dropped: Vec<bool>,
}

impl Learner {
    /// A learner that knows nothing but which codes there are, and that at most so many choices
    /// differ from their first code.
    pub(crate) fn new(
        flags: usize,
        groups: &[FlagGroup],
        most: Option<u32>,
        budget: &Budget,
    ) -> Self {
        let mut solver = SatSolver::new(budget);
        let literals: Vec<SatLiteral> = (0..flags).map(|_| solver.fresh()).collect();
        let inputs = (0..).zip(literals.iter().copied());
        let copy = Copy::with_inputs(inputs);
        let mut learner = Learner {
            solver,
            flags: literals,
            circuit: Circuit::default(),
            copy,
            cost: Vec::new(),
            bound: 0,
            greatest: groups.iter().filter_map(|group| group.costs.iter().max()).sum(),
            selectors: Vec::new(),
            dropped: Vec::new(),
        };
        let mut edits = Vec::new();
        for group in groups {
            let mut codes = Vec::new();
            for code in 0..group.costs.len() {
                codes.push(learner.code(group, code));
            }
            let known = learner.circuit.any(codes.iter().copied());
            learner.assert(known);
            let cost = learner.chosen(&codes, &group.costs);
            learner.cost = learner.sum(&learner.cost.clone(), &cost);
            if group.costs.len() > 1 {
                edits = learner.sum(&edits, &[!codes[0]]);
            }
        }
        if let Some(most) = most {
            let few = learner.at_most(&edits, most);
            learner.assert(few);
        }
        learner
    }

    /// Values that meet every requirement, at the least cost.
    ///
    /// # Errors
    /// When the budget ends first.
    pub(crate) fn next(&mut self) -> Result<Learnt, FiniteReason> {
        loop {
            let cheap = self.at_most(&self.cost.clone(), self.bound);
            let cheap = self.copy.wire(&mut self.solver, &self.circuit, cheap);
            let mut assumptions = self.active();
            assumptions.push(cheap);
            if self.solver.solve(&assumptions)? == SatAnswer::Satisfiable {
                let values = self.flags.iter().map(|flag| self.solver.value(*flag));
                return Ok(Learnt::Values(values.collect()));
            }
            if self.bound >= self.greatest {
                return Ok(Learnt::Nothing(self.core()?));
            }
            self.bound += 1;
        }
    }

    /// One of these conditions has to hold; returns the number of the requirement.
    pub(crate) fn require_any(
        &mut self,
        conditions: &[(&FrozenSize, &[FrozenCondition])],
    ) -> usize {
        let mut literals = Vec::new();
        for (size, conditions) in conditions {
            for (number, instance) in size.instances.iter().enumerate() {
                let inputs = instance.frozen.iter().copied().zip(self.flags.iter().copied());
                // Havocs of another requirement may pick otherwise: every requirement has a copy.
                let mut copy = Copy::with_inputs(inputs);
                let own = conditions.iter().filter(|condition| condition.instance == number);
                for condition in own {
                    let circuit = &instance.system.circuit;
                    literals.push(copy.wire(&mut self.solver, circuit, condition.wire));
                }
            }
        }
        self.add(literals)
    }

    /// A condition must not hold; returns the number of the requirement.
    pub(crate) fn exclude(&mut self, size: &FrozenSize, condition: &FrozenCondition) -> usize {
        let negated = FrozenCondition { wire: !condition.wire, ..*condition };
        self.require_any(&[(size, &[negated])])
    }

    /// These values are not wanted; returns the number of the requirement.
    pub(crate) fn exclude_values(&mut self, values: &[bool]) -> usize {
        let flags = self.flags.iter().zip(values);
        let other = flags.map(|(flag, value)| if *value { !*flag } else { *flag }).collect();
        self.add(other)
    }

    /// A requirement no longer counts.
    pub(crate) fn drop_requirement(&mut self, number: usize) {
        self.dropped[number] = true;
        self.bound = 0;
    }

    /// Whether a condition that mentions no havoc holds for these values.
    pub(crate) fn holds(size: &FrozenSize, condition: &FrozenCondition, values: &[bool]) -> bool {
        let instance = &size.instances[condition.instance];
        instance.system.circuit.evaluate(condition.wire, |input| {
            let position = instance.frozen.iter().position(|own| *own == input);
            position.is_some_and(|position| values[position])
        })
    }

    /// Whether some values of the flags are not excluded.
    #[cfg(test)]
    pub(crate) fn allows(&mut self, values: &[bool]) -> bool {
        let mut assumptions = self.active();
        let flags = self.flags.iter().zip(values);
        assumptions.extend(flags.map(|(flag, value)| if *value { *flag } else { !*flag }));
        matches!(self.solver.solve(&assumptions), Ok(SatAnswer::Satisfiable))
    }

    fn add(&mut self, mut literals: Vec<SatLiteral>) -> usize {
        let selector = self.solver.fresh();
        literals.push(!selector);
        self.solver.clause(literals);
        self.selectors.push(selector);
        self.dropped.push(false);
        self.selectors.len() - 1
    }

    fn active(&self) -> Vec<SatLiteral> {
        let selectors = self.selectors.iter().zip(&self.dropped);
        selectors.filter(|(_, dropped)| !**dropped).map(|(selector, _)| *selector).collect()
    }

    /// As few requirements as possible that contradict each other.
    fn core(&mut self) -> Result<Vec<usize>, FiniteReason> {
        let active: Vec<usize> =
            (0..self.selectors.len()).filter(|own| !self.dropped[*own]).collect();
        let assumed = |numbers: &[usize], selectors: &[SatLiteral]| {
            numbers.iter().map(|number| selectors[*number]).collect::<Vec<_>>()
        };
        let all = assumed(&active, &self.selectors);
        if self.solver.solve(&all)? == SatAnswer::Satisfiable {
            return Ok(Vec::new());
        }
        let needed = |own: &usize| self.solver.was_needed(self.selectors[*own]);
        let mut core: Vec<usize> = active.iter().copied().filter(needed).collect();
        let mut position = 0;
        while position < core.len() {
            let mut fewer = core.clone();
            fewer.remove(position);
            let literals = assumed(&fewer, &self.selectors);
            match self.solver.solve(&literals)? {
                SatAnswer::Unsatisfiable => core = fewer,
                SatAnswer::Satisfiable => position += 1,
            }
        }
        smallest(&active, core, &mut |some| {
            let literals = assumed(some, &self.selectors);
            Ok(self.solver.solve(&literals)? == SatAnswer::Unsatisfiable)
        })
    }

    fn assert(&mut self, wire: Wire) {
        let literal = self.copy.wire(&mut self.solver, &self.circuit, wire);
        self.solver.clause([literal]);
    }

    fn code(&mut self, group: &FlagGroup, code: usize) -> Wire {
        let mut all = Wire::TRUE;
        for bit in 0..group.bits {
            let input = u32::try_from(group.first + bit).unwrap_or(u32::MAX);
            let flag = self.circuit.input(input);
            let is_set = code >> bit & 1 == 1;
            all = self.circuit.and(all, if is_set { flag } else { !flag });
        }
        all
    }

    /// The cost of the code that is chosen, in binary, lowest bit first.
    fn chosen(&mut self, codes: &[Wire], costs: &[u32]) -> Vec<Wire> {
        let width = costs.iter().map(|cost| 32 - cost.leading_zeros()).max().unwrap_or(0);
        let bit = |bit: u32| {
            let set = codes.iter().zip(costs).filter(|(_, cost)| **cost >> bit & 1 == 1);
            set.map(|(code, _)| *code).collect::<Vec<_>>()
        };
        (0..width).map(|number| self.circuit.any(bit(number))).collect()
    }

    /// The sum of two binary numbers.
    fn sum(&mut self, left: &[Wire], right: &[Wire]) -> Vec<Wire> {
        let circuit = &mut self.circuit;
        let mut carry = Wire::FALSE;
        let mut sum = Vec::new();
        for bit in 0..left.len().max(right.len()) {
            let of = |number: &[Wire]| number.get(bit).copied().unwrap_or(Wire::FALSE);
            let (one, other) = (of(left), of(right));
            let half = !circuit.iff(one, other);
            sum.push(!circuit.iff(half, carry));
            let both = circuit.and(one, other);
            let carried = circuit.and(half, carry);
            carry = circuit.or(both, carried);
        }
        if carry != Wire::FALSE {
            sum.push(carry);
        }
        sum
    }

    /// Whether a binary number is at most `bound`.
    fn at_most(&mut self, number: &[Wire], bound: u32) -> Wire {
        let mut fits = Wire::TRUE;
        for (bit, wire) in number.iter().enumerate() {
            let allowed = bit < 32 && bound >> bit & 1 == 1;
            fits = match allowed {
                true => self.circuit.or(!*wire, fits),
                false => self.circuit.and(!*wire, fits),
            };
        }
        fits
    }
}
