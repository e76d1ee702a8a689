//! Partition and Consensus in the interpreter of Mercury.

use std::collections::BTreeSet;

use super::interpreter::{Given, Global, World};
use super::reading::{Event, Handler};

impl World<'_> {
    /// The handler of an agreement at a process.
    fn taking_part(&self, process: usize, name: &str) -> Option<&Handler> {
        self.handlers(process).iter().find(|handler| match &handler.event {
            Event::Partition(own, ..) | Event::Consensus(own, ..) => own == name,
            _ => false,
        })
    }

    fn participants(&self, process: usize, handler: &Handler) -> BTreeSet<usize> {
        let local = self.state[process].as_ref().expect("a live process");
        match &handler.event {
            Event::Partition(_, set, _) | Event::Consensus(_, set, _, _) => {
                self.set(process, local, set)
            }
            _ => BTreeSet::new(),
        }
    }

    pub(super) fn agreements(&self) -> Vec<Global> {
        let mut found = Vec::new();
        let mut tried = BTreeSet::new();
        for process in self.live() {
            for handler in self.handlers(process) {
                let (Event::Partition(name, _, count) | Event::Consensus(name, _, count, _)) =
                    &handler.event
                else {
                    continue;
                };
                let members = self.participants(process, handler);
                if members.is_empty() || !tried.insert((name.clone(), members.clone())) {
                    continue;
                }
                let agree = |member: &usize| {
                    self.taking_part(*member, name)
                        .is_some_and(|handler| self.participants(*member, handler) == members)
                };
                if members.iter().all(agree) {
                    found.extend(match &handler.event {
                        Event::Partition(..) => self.partition(name, *count, &members),
                        _ => self.consensus(name, *count, &members),
                    });
                }
            }
        }
        found
    }

    fn partition(&self, name: &str, count: usize, members: &BTreeSet<usize>) -> Vec<Global> {
        let wanted = count.min(members.len());
        let listed: Vec<usize> = members.iter().copied().collect();
        let mut found = Vec::new();
        for mask in 0_u32..1 << listed.len() {
            if mask.count_ones() as usize != wanted {
                continue;
            }
            let winners: BTreeSet<usize> = listed
                .iter()
                .enumerate()
                .filter(|(bit, _)| mask >> bit & 1 == 1)
                .map(|(_, p)| *p)
                .collect();
            let losers: BTreeSet<usize> = members.difference(&winners).copied().collect();
            let moved = listed.iter().map(|member| {
                let handler = self.taking_part(*member, name).expect("a member takes part");
                let mut local = self.state[*member].clone().expect("a live process");
                local.outcomes.insert(name.to_owned(), [winners.clone(), losers.clone()]);
                let body = handler.bodies[usize::from(!winners.contains(member))].clone();
                let (after, _) =
                    self.run(*member, local, body, Given::default(), false).expect("no send");
                (*member, after)
            });
            found.push(self.with(moved.collect::<Vec<_>>()));
        }
        found
    }

    fn consensus(&self, name: &str, count: usize, members: &BTreeSet<usize>) -> Vec<Global> {
        let mut values = BTreeSet::new();
        for member in members {
            let handler = self.taking_part(*member, name).expect("a member takes part");
            if let Event::Consensus(_, _, _, Some(variable)) = &handler.event {
                values.insert(self.state[*member].as_ref().expect("live").integers[variable]);
            }
        }
        let mut tuples: Vec<Vec<i64>> = vec![Vec::new()];
        for _ in 0..count {
            let longer = tuples.iter().flat_map(|tuple| {
                values.iter().map(move |value| {
                    let mut tuple = tuple.clone();
                    tuple.push(*value);
                    tuple
                })
            });
            tuples = longer.collect();
        }
        let mut found = Vec::new();
        for decided in tuples {
            let moved = members.iter().map(|member| {
                let handler = self.taking_part(*member, name).expect("a member takes part");
                let local = self.state[*member].clone().expect("a live process");
                let given = Given { decided: decided.clone(), ..Given::default() };
                let body = handler.bodies[0].clone();
                let (after, _) = self.run(*member, local, body, given, false).expect("no send");
                (*member, after)
            });
            found.push(self.with(moved.collect::<Vec<_>>()));
        }
        found
    }
}
