//! Candidates that choose otherwise in one place only. They are few, so each is looked at by
//! itself, 64 at a time: whether it meets a requirement is a walk through the circuit, where the
//! solver would have to refute one bound on the cost after another.

use std::collections::BTreeMap;

use super::{FlagGroup, FrozenCondition, FrozenInstance, FrozenSize};
use crate::finite::Random;
use crate::finite::ground::circuit::{Gate, Wire};

/// One bit for each candidate, 64 to a word.
pub(super) type Mask = Vec<u64>;

/// All candidates with at most one change, the cheapest first, and which requirements they meet.
pub(super) struct SingleChanges {
    candidates: Vec<SingleChange>,
    /// For each flag, the candidates in which it is true.
    with_flag: Vec<Mask>,
    /// For each requirement, the candidates that may meet it.
    allowed: Vec<Mask>,
    /// The candidates before this one are excluded.
    next: usize,
    is_done: bool,
    /// Whether some requirement is about picked values, which are not looked at.
    is_inexact: bool,
}

/// A choice with a code that is not its first.
struct SingleChange {
    cost: usize,
    first: usize,
    code: usize,
}

/// For 64 candidates at once: where a gate may be true, and where it may be false.
#[derive(Clone, Copy, Default)]
struct May {
    hold: u64,
    fail: u64,
}

impl SingleChanges {
    /// The candidates of some choices; a seed other than 0 shuffles those of the same cost.
    pub(super) fn new(groups: &[FlagGroup], flags: usize, seed: u64) -> Self {
        let mut random = Random(seed);
        let unchanged = SingleChange { cost: 0, first: 0, code: 0 };
        let mut changes: Vec<(usize, u64, SingleChange)> = Vec::new();
        for group in groups {
            // Of the same cost, the first alternatives of all choices come before the second ones.
            let mut ranks: BTreeMap<usize, u64> = BTreeMap::new();
            for (code, cost) in group.costs.iter().enumerate().skip(1) {
                let cost = *cost as usize;
                let rank = ranks.entry(cost).or_default();
                *rank += 1;
                let place = if seed == 0 { *rank } else { random.below(1 << 20) as u64 };
                changes.push((cost, place, SingleChange { cost, first: group.first, code }));
            }
        }
        changes.sort_by_key(|(cost, place, _)| (*cost, *place));
        let changes = changes.into_iter().map(|(_, _, change)| change);
        let candidates: Vec<SingleChange> = std::iter::once(unchanged).chain(changes).collect();
        let mut with_flag = vec![vec![0; candidates.len().div_ceil(64)]; flags];
        for (number, candidate) in candidates.iter().enumerate() {
            for flag in candidate.flags() {
                with_flag[flag][number / 64] |= 1 << (number % 64);
            }
        }
        SingleChanges {
            candidates,
            with_flag,
            allowed: Vec::new(),
            next: 0,
            is_done: false,
            is_inexact: false,
        }
    }

    /// A mask without a candidate.
    pub(super) fn none(&self) -> Mask {
        vec![0; self.candidates.len().div_ceil(64)]
    }

    /// Adds the candidates in which a flag has a value.
    pub(super) fn add_with_flag(&self, mask: &mut Mask, flag: usize, value: bool) {
        for (all, own) in mask.iter_mut().zip(&self.with_flag[flag]) {
            *all |= if value { *own } else { !*own };
        }
    }

    /// Adds the candidates for which one of these conditions may hold.
    pub(super) fn add_where_any_holds(
        &mut self,
        mask: &mut Mask,
        size: &FrozenSize,
        conditions: &[FrozenCondition],
    ) {
        for (number, instance) in size.instances.iter().enumerate() {
            let own = conditions.iter().filter(|own| own.instance == number);
            let wires: Vec<Wire> = own.map(|own| own.wire).collect();
            if !wires.is_empty() {
                self.add_where_any(mask, instance, &wires);
            }
        }
    }

    fn add_where_any(&mut self, mask: &mut Mask, instance: &FrozenInstance, wires: &[Wire]) {
        let circuit = &instance.system.circuit;
        let order = circuit.cone(wires.iter().copied());
        let mut may = vec![May::default(); order.last().map_or(0, |last| last + 1)];
        let side = |may: &[May], wire: Wire| match wire.is_negated() {
            false => may[wire.gate()],
            true => May { hold: may[wire.gate()].fail, fail: may[wire.gate()].hold },
        };
        for (word, all) in mask.iter_mut().enumerate() {
            for gate in &order {
                may[*gate] = match circuit.gate_at(*gate) {
                    Gate::False => May { hold: 0, fail: u64::MAX },
                    Gate::Input(input) => match instance.frozen.position(input) {
                        Some(flag) => {
                            let own = self.with_flag[flag][word];
                            May { hold: own, fail: !own }
                        }
                        None => {
                            self.is_inexact = true;
                            May { hold: u64::MAX, fail: u64::MAX }
                        }
                    },
                    Gate::And(left, right) => {
                        let (left, right) = (side(&may, left), side(&may, right));
                        May { hold: left.hold & right.hold, fail: left.fail | right.fail }
                    }
                };
            }
            *all |= wires.iter().fold(0, |any, wire| any | side(&may, *wire).hold);
        }
    }

    /// One more requirement, which these candidates may meet.
    pub(super) fn require(&mut self, allowed: Mask) {
        self.allowed.push(allowed);
    }

    /// Begins again with the first candidate: requirements were dropped.
    pub(super) fn restart(&mut self) {
        (self.next, self.is_done) = (0, false);
    }

    /// Whether this is the first time that no candidate is left.
    pub(super) fn ends_now(&mut self) -> bool {
        !std::mem::replace(&mut self.is_done, true)
    }

    /// Whether candidates that are not excluded may miss a requirement nevertheless.
    pub(super) fn is_inexact(&self) -> bool {
        self.is_inexact
    }

    /// The next candidate that may meet all requirements but the dropped ones: the flags that are
    /// true, and its cost. It is passed over from now on.
    pub(super) fn next(&mut self, dropped: &[bool]) -> Option<(Vec<usize>, usize)> {
        while let Some(candidate) = self.candidates.get(self.next) {
            let (word, bit) = (self.next / 64, self.next % 64);
            let mut active = self.allowed.iter().zip(dropped).filter(|(_, dropped)| !**dropped);
            self.next += 1;
            if active.all(|(mask, _)| mask[word] >> bit & 1 == 1) {
                return Some((candidate.flags().collect(), candidate.cost));
            }
        }
        None
    }
}

impl SingleChange {
    /// The flags that are true.
    fn flags(&self) -> impl Iterator<Item = usize> {
        let (first, code) = (self.first, self.code);
        (0..usize::BITS as usize)
            .filter(move |bit| code >> bit & 1 == 1)
            .map(move |bit| first + bit)
    }
}
