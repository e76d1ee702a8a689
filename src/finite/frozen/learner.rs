//! The values of the frozen flags that are still possible: a SAT solver with the conditions so far.
//!
//! Cheaper values come first: the cost is counted in the solver, and its bound is raised only when
//! nothing below it is left.

use std::ops::Range;

use super::single_changes::SingleChanges;
use super::smallest::smallest;
use super::unary::{chosen, code, sum};
use super::{Exits, FrozenCondition, FrozenInstance, FrozenSize};
use crate::budget::Budget;
use crate::finite::Random;
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

/// Which values come first.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CandidateOrder {
    /// At most so many choices differ from their first code.
    pub(crate) most_changes: Option<u32>,
    /// Which of equally cheap values come first; 0 for flags that are false.
    pub(crate) seed: u64,
}

/// What the learner answers.
pub(crate) enum Learnt {
    /// Values of all flags.
    Values(Vec<bool>),
    /// There are none left; requirements, by their numbers, that no values meet together.
    Nothing(Vec<usize>),
}

/// Costs from here on are not distinguished.
const MOST_COST: u32 = 64;

/// What each change but the first costs beyond its own cost.
const ANOTHER_CHANGE: u32 = 8;

/// The conditions so far.
pub(crate) struct Learner {
    solver: SatSolver,
    flags: Vec<SatLiteral>,
    /// The positions of the flags of each group.
    groups: Vec<Range<usize>>,
    circuit: Circuit,
    copy: Copy,
    /// At each position, whether the cost is greater than that.
    cost: Vec<Wire>,
    /// The bound on the cost.
    bound: usize,
    /// One for each requirement: whether it counts.
    selectors: Vec<SatLiteral>,
    dropped: Vec<bool>,
    /// If changes are counted: the candidates with one, which come first, and where there are more.
    singles: Option<(SingleChanges, SatLiteral)>,
}

impl Learner {
    /// A learner that knows nothing but which codes there are, and how many may be chosen.
    pub(crate) fn new(
        flags: usize,
        groups: &[FlagGroup],
        order: CandidateOrder,
        budget: &Budget,
    ) -> Self {
        let most = order.most_changes;
        let mut solver = SatSolver::new(budget);
        let mut random = Random(order.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        // The solver tries false first.
        let mut flag = || match order.seed != 0 && random.below(2) == 1 {
            true => !solver.fresh(),
            false => solver.fresh(),
        };
        let literals: Vec<SatLiteral> = (0..flags).map(|_| flag()).collect();
        let inputs = (0..).zip(literals.iter().copied());
        let copy = Copy::with_inputs(inputs);
        let mut learner = Learner {
            solver,
            flags: literals,
            groups: groups.iter().map(|own| own.first..own.first + own.bits).collect(),
            circuit: Circuit::default(),
            copy,
            cost: Vec::new(),
            bound: 0,
            selectors: Vec::new(),
            dropped: Vec::new(),
            singles: None,
        };
        let several = learner.count_costs(groups, most);
        if most.is_some() {
            let several = learner.copy.wire(&mut learner.solver, &learner.circuit, several);
            let singles = SingleChanges::new(groups, flags, order.seed);
            learner.singles = Some((singles, several));
        }
        learner
    }

    /// Counts what the choices cost, and allows no other codes and no more changes than these; where
    /// there are several changes.
    fn count_costs(&mut self, groups: &[FlagGroup], most: Option<u32>) -> Wire {
        let mut greatest: Vec<u32> =
            groups.iter().filter_map(|group| group.costs.iter().max().copied()).collect();
        greatest.sort_unstable_by(|one, two| two.cmp(one));
        greatest.truncate(most.map_or(usize::MAX, |most| most as usize));
        let further = most.map_or(0, |most| most.saturating_sub(1) * ANOTHER_CHANGE);
        let greatest = (greatest.iter().sum::<u32>() + further).min(MOST_COST) as usize;
        let mut edits = Vec::new();
        for group in groups {
            let codes: Vec<Wire> =
                (0..group.costs.len()).map(|own| code(&mut self.circuit, group, own)).collect();
            let known = self.circuit.any(codes.iter().copied());
            self.assert(known);
            let cost = chosen(&mut self.circuit, (&codes, &group.costs), greatest);
            self.cost = sum(&mut self.circuit, (&self.cost, &cost), greatest);
            if let (Some(most), [first, _, ..]) = (most, &codes[..]) {
                edits = sum(&mut self.circuit, (&edits, &[!*first]), most as usize + 1);
            }
        }
        for another in
            edits.iter().skip(1).copied().take((most.unwrap_or(0) as usize).saturating_sub(1))
        {
            let cost = [another; ANOTHER_CHANGE as usize];
            self.cost = sum(&mut self.circuit, (&self.cost, &cost), greatest);
        }
        if let Some(too_many) = most.and_then(|most| edits.get(most as usize)) {
            self.assert(!*too_many);
        }
        edits.get(1).copied().unwrap_or(Wire::FALSE)
    }

    /// Values that meet every requirement, at the least cost.
    ///
    /// # Errors
    /// When the budget ends first.
    pub(crate) fn next(&mut self) -> Result<Learnt, FiniteReason> {
        if let Some(values) = self.next_single()? {
            return Ok(Learnt::Values(values));
        }
        loop {
            let mut assumptions = self.active();
            assumptions.extend(self.singles.as_ref().map(|(_, several)| *several));
            if let Some(more) = self.cost.get(self.bound) {
                let cheap = self.copy.wire(&mut self.solver, &self.circuit, !*more);
                assumptions.push(cheap);
            }
            if self.solver.solve(&assumptions)? == SatAnswer::Satisfiable {
                let values = self.flags.iter().map(|flag| self.solver.value(*flag));
                return Ok(Learnt::Values(values.collect()));
            }
            if self.bound >= self.cost.len() {
                return Ok(Learnt::Nothing(self.core()?));
            }
            self.bound += 1;
        }
    }

    /// The next candidate with at most one change that meets every requirement.
    fn next_single(&mut self) -> Result<Option<Vec<bool>>, FiniteReason> {
        loop {
            let Some((singles, _)) = &mut self.singles else { return Ok(None) };
            let Some((flags, cost)) = singles.next(&self.dropped) else {
                // The bound is about those with more changes from now on.
                self.bound = if singles.ends_now() { 0 } else { self.bound };
                return Ok(None);
            };
            let is_inexact = singles.is_inexact();
            let mut values = vec![false; self.flags.len()];
            flags.into_iter().for_each(|flag| values[flag] = true);
            if is_inexact && !self.may_be(&values)? {
                continue;
            }
            self.bound = cost;
            return Ok(Some(values));
        }
    }

    /// What the values found last cost, up to the greatest cost that is distinguished.
    pub(crate) fn cost(&self) -> usize {
        self.bound
    }

    /// One of these conditions has to hold; returns the number of the requirement.
    pub(crate) fn require_any(
        &mut self,
        conditions: &[(&FrozenSize, &[FrozenCondition])],
    ) -> usize {
        if let Some((singles, _)) = &mut self.singles {
            let mut mask = singles.none();
            for (size, conditions) in conditions {
                singles.add_where_any_holds(&mut mask, size, conditions);
            }
            singles.require(mask);
        }
        let mut literals = Vec::new();
        for (size, conditions) in conditions {
            // Havocs of another requirement may pick otherwise: every requirement has copies.
            literals.extend(self.literals(&mut self.copies(size), size, conditions));
        }
        self.add(literals)
    }

    /// For each of several things wanted, a requirement: one of its own conditions has to hold, or
    /// one of those that are the same for all, or one of its `excuses`, which are flags.
    pub(crate) fn require_each(&mut self, parts: &[(&FrozenSize, &Exits)], excuses: &[Vec<usize>]) {
        self.require_each_single(parts, excuses);
        let has_choices = parts.iter().any(|(size, _)| size.has_choices());
        let mut copies: Vec<Vec<Copy>> = parts.iter().map(|(size, _)| self.copies(size)).collect();
        let left = self.solver.fresh();
        let mut ways = vec![!left];
        for ((size, exits), copies) in parts.iter().zip(&mut copies) {
            ways.extend(self.literals(copies, size, &exits.leaves));
        }
        self.solver.clause(ways);
        for (number, excuses) in excuses.iter().enumerate() {
            let mut literals: Vec<SatLiteral> =
                excuses.iter().map(|own| self.flags[*own]).collect();
            literals.push(left);
            for ((size, exits), shared) in parts.iter().zip(&mut copies) {
                // What one of them picks, another need not.
                let mut own = if has_choices { self.copies(size) } else { Vec::new() };
                let copies = if has_choices { &mut own } else { shared };
                literals.extend(self.literals(copies, size, &exits.serves[number]));
            }
            self.add(literals);
        }
    }

    /// The same for candidates with one change.
    fn require_each_single(&mut self, parts: &[(&FrozenSize, &Exits)], excuses: &[Vec<usize>]) {
        let Some((singles, _)) = &mut self.singles else { return };
        let mut leaves = singles.none();
        for (size, exits) in parts {
            singles.add_where_any_holds(&mut leaves, size, &exits.leaves);
        }
        for (number, excuses) in excuses.iter().enumerate() {
            let mut mask = leaves.clone();
            excuses.iter().for_each(|flag| singles.add_with_flag(&mut mask, *flag, true));
            for (size, exits) in parts {
                singles.add_where_any_holds(&mut mask, size, &exits.serves[number]);
            }
            singles.require(mask);
        }
    }

    /// A copy of the circuit of each instance of a size.
    fn copies(&self, size: &FrozenSize) -> Vec<Copy> {
        let copy = |instance: &FrozenInstance| {
            let inputs = instance.frozen.inputs().zip(self.flags.iter().copied());
            Copy::with_inputs(inputs)
        };
        size.instances.iter().map(copy).collect()
    }

    fn literals(
        &mut self,
        copies: &mut [Copy],
        size: &FrozenSize,
        conditions: &[FrozenCondition],
    ) -> Vec<SatLiteral> {
        let literals = conditions.iter().map(|condition| {
            let circuit = &size.instances[condition.instance].system.circuit;
            copies[condition.instance].wire(&mut self.solver, circuit, condition.wire)
        });
        literals.collect()
    }

    /// A condition must not hold; returns the number of the requirement.
    pub(crate) fn exclude(&mut self, size: &FrozenSize, condition: &FrozenCondition) -> usize {
        let negated = FrozenCondition { wire: !condition.wire, ..*condition };
        self.require_any(&[(size, &[negated])])
    }

    /// These values are not wanted; returns the number of the requirement.
    pub(crate) fn exclude_values(&mut self, values: &[bool]) -> usize {
        let other: Vec<_> = values.iter().map(|value| !*value).enumerate().collect();
        self.require_flag(&other)
    }

    /// These changes are not wanted, alone or with others; returns the number of the requirement.
    pub(crate) fn exclude_changes(&mut self, values: &[bool]) -> usize {
        let changed = self.groups.iter().filter(|group| values[(*group).clone()].contains(&true));
        let flags = changed.flat_map(|group| group.clone());
        let other: Vec<_> = flags.map(|flag| (flag, !values[flag])).collect();
        self.require_flag(&other)
    }

    /// A requirement no longer counts.
    pub(crate) fn drop_requirement(&mut self, number: usize) {
        self.dropped[number] = true;
        self.bound = 0;
        if let Some((singles, _)) = &mut self.singles {
            singles.restart();
        }
    }

    /// Whether a condition that mentions no havoc holds for these values.
    pub(crate) fn holds(size: &FrozenSize, condition: &FrozenCondition, values: &[bool]) -> bool {
        let instance = &size.instances[condition.instance];
        instance
            .system
            .circuit
            .evaluate(condition.wire, |input| instance.frozen.value(input, values).unwrap_or(false))
    }

    /// Whether some values of the flags are not excluded.
    #[cfg(test)]
    pub(crate) fn allows(&mut self, values: &[bool]) -> bool {
        self.may_be(values).unwrap_or(false)
    }

    /// Whether some values of the flags meet every requirement.
    fn may_be(&mut self, values: &[bool]) -> Result<bool, FiniteReason> {
        let mut assumptions = self.active();
        let flags = self.flags.iter().zip(values);
        assumptions.extend(flags.map(|(flag, value)| if *value { *flag } else { !*flag }));
        Ok(self.solver.solve(&assumptions)? == SatAnswer::Satisfiable)
    }

    /// One of these flags has to have its value.
    fn require_flag(&mut self, wanted: &[(usize, bool)]) -> usize {
        if let Some((singles, _)) = &mut self.singles {
            let mut mask = singles.none();
            for (flag, value) in wanted {
                singles.add_with_flag(&mut mask, *flag, *value);
            }
            singles.require(mask);
        }
        let literal = |(flag, value): &(usize, bool)| {
            if *value { self.flags[*flag] } else { !self.flags[*flag] }
        };
        let literals = wanted.iter().map(literal).collect();
        self.add(literals)
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
}
