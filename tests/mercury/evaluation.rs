//! The values of expressions in the interpreter of Mercury.

use std::collections::BTreeSet;

use super::interpreter::{Given, Local, World};
use super::reading::Tree;

impl World<'_> {
    pub(super) fn integer(&self, local: &Local, tree: &Tree, given: &Given) -> i64 {
        match tree {
            Tree::Number(value) => *value,
            Tree::Name(name) => local.integers[name],
            Tree::Default(name) => self.model.integers[name].2,
            Tree::Field(_, field, index) => match &**field {
                "payld" => given.payload.expect("a payload"),
                _ => given.decided[index - 1],
            },
            Tree::Binary(operator, left, right) => {
                let (left, right) =
                    (self.integer(local, left, given), self.integer(local, right, given));
                match &**operator {
                    "+" => left + right,
                    "-" => left - right,
                    _ => left * right,
                }
            }
            Tree::Not(_) => panic!("no number"),
        }
    }

    pub(super) fn id(&self, me: usize, local: &Local, tree: &Tree) -> Option<usize> {
        match tree {
            Tree::Field(action, _, _) => local.senders.get(action).copied(),
            _ => Some(me),
        }
    }

    pub(super) fn set(&self, _me: usize, local: &Local, tree: &Tree) -> BTreeSet<usize> {
        match tree {
            Tree::Name(name) if name == "All" => self.live(),
            Tree::Name(name) if name == "Empty" => BTreeSet::new(),
            Tree::Name(name) => local.sets[name].clone(),
            Tree::Field(name, field, _) => {
                let side = usize::from(field == "loseS");
                local.outcomes.get(name).map(|outcome| outcome[side].clone()).unwrap_or_default()
            }
            other => panic!("no set: {other:?}"),
        }
    }

    pub(super) fn truth(&self, me: usize, local: &Local, tree: &Tree, given: &Given) -> bool {
        match tree {
            Tree::Name(name) => name == "True",
            Tree::Not(inner) => !self.truth(me, local, inner, given),
            Tree::Binary(operator, left, right) => match &**operator {
                "&&" => self.truth(me, local, left, given) && self.truth(me, local, right, given),
                "||" => self.truth(me, local, left, given) || self.truth(me, local, right, given),
                "in" => self
                    .id(me, local, left)
                    .is_some_and(|id| self.set(me, local, right).contains(&id)),
                operator => self.compared(me, local, operator, left, right, given),
            },
            other => panic!("no condition: {other:?}"),
        }
    }

    fn compared(
        &self,
        me: usize,
        local: &Local,
        operator: &str,
        left: &Tree,
        right: &Tree,
        given: &Given,
    ) -> bool {
        if let Tree::Name(name) = left
            && local.sets.contains_key(name)
        {
            let set = &local.sets[name];
            let equal = match right {
                Tree::Binary(..) => {
                    self.live().iter().all(|other| *other == me || set.contains(other))
                }
                right => *set == self.set(me, local, right),
            };
            return equal == (operator != "!=");
        }
        let (left, right) = (self.integer(local, left, given), self.integer(local, right, given));
        match operator {
            "=" | "==" => left == right,
            "!=" => left != right,
            "<" => left < right,
            "<=" => left <= right,
            ">" => left > right,
            _ => left >= right,
        }
    }
}
