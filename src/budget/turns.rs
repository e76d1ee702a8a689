//! Two pieces of work that take turns, so that neither costs much more than the other.
//!
//! Turns are measured in effort and not in time: which of the two ends first is the same on every
//! machine.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// What both have spent; `None` once one has ended.
#[derive(Debug)]
struct Spent {
    efforts: Mutex<[Option<u64>; 2]>,
    changed: Condvar,
}

impl Spent {
    /// Numbers are whole at any moment, whatever happened to a thread that held the lock.
    fn lock(&self) -> MutexGuard<'_, [Option<u64>; 2]> {
        self.efforts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The side of one piece of work; all clones spend together.
#[derive(Clone, Debug)]
pub struct Turn {
    spent: Arc<Spent>,
    own: usize,
}

impl Turn {
    /// Both sides. The first may spend so much before the second begins.
    pub fn pair(head_start: u64) -> [Turn; 2] {
        let efforts = Mutex::new([Some(0), Some(head_start)]);
        let spent = Arc::new(Spent { efforts, changed: Condvar::new() });
        [0, 1].map(|own| Turn { spent: Arc::clone(&spent), own })
    }

    /// Spends effort, and waits while that is more than the other side has spent.
    pub fn spend(&self, effort: u64) {
        let mut efforts = self.spent.lock();
        if let Some(own) = &mut efforts[self.own] {
            *own = own.saturating_add(effort);
        }
        self.spent.changed.notify_all();
        while !self.is_next(*efforts) {
            let woken = self.spent.changed.wait(efforts);
            efforts = woken.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// This side has ended: the other one no longer waits for it.
    pub fn end(&self) {
        self.spent.lock()[self.own] = None;
        self.spent.changed.notify_all();
    }

    /// Exactly one side is next while both work: the first one if they have spent equally much.
    fn is_next(&self, efforts: [Option<u64>; 2]) -> bool {
        match (efforts[self.own], efforts[1 - self.own]) {
            (Some(own), Some(other)) => own < other || (own == other && self.own == 0),
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Who spends, in order: both sides spend one at a time, so many times each.
    fn order(head_start: u64, times: [usize; 2]) -> Vec<usize> {
        let log = Mutex::new(Vec::new());
        let turns = Turn::pair(head_start);
        std::thread::scope(|scope| {
            for (side, turn) in turns.into_iter().enumerate() {
                let log = &log;
                scope.spawn(move || {
                    turn.spend(0);
                    for _ in 0..times[side] {
                        log.lock().expect("nothing panics").push(side);
                        turn.spend(1);
                    }
                    turn.end();
                });
            }
        });
        log.into_inner().expect("nothing panics")
    }

    #[test]
    fn the_sides_alternate_after_the_head_start_and_the_survivor_goes_on_alone() {
        for _ in 0..20 {
            assert_eq!(order(2, [4, 6]), [0, 0, 0, 1, 0, 1, 1, 1, 1, 1]);
            assert_eq!(order(0, [0, 2]), [1, 1]);
            assert_eq!(order(9, [3, 0]), [0, 0, 0]);
        }
    }
}
