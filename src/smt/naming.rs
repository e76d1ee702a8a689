//! Names for solvers: different things get different names, whatever they are called.

use std::collections::{BTreeMap, BTreeSet};

use crate::logic::{Declarations, Var, Vocabulary};

/// The names given so far.
///
/// A solver tells things apart by name where we tell them apart by identity: two sorts both called
/// `node` would become one. The first thing of a name keeps it, the next is called `node!2`.
pub(super) struct Naming<V: Vocabulary> {
    sorts: BTreeMap<V::Sort, String>,
    symbols: BTreeMap<V::Symbol, String>,
    vars: BTreeMap<Var<V>, String>,
    taken: BTreeSet<String>,
}

impl<V: Vocabulary> Naming<V> {
    /// Nothing is named yet, and the reserved names never will be given.
    pub(super) fn new(reserved: &[&str]) -> Self {
        Naming {
            sorts: BTreeMap::new(),
            symbols: BTreeMap::new(),
            vars: BTreeMap::new(),
            taken: reserved.iter().map(|&name| name.to_owned()).collect(),
        }
    }

    /// The name of a sort.
    pub(super) fn sort(&mut self, declarations: &dyn Declarations<V>, sort: V::Sort) -> String {
        let taken = &mut self.taken;
        self.sorts
            .entry(sort)
            .or_insert_with(|| claim(taken, &declarations.sort(sort).name))
            .clone()
    }

    /// The name of a symbol.
    pub(super) fn symbol(
        &mut self,
        declarations: &dyn Declarations<V>,
        symbol: V::Symbol,
    ) -> String {
        let taken = &mut self.taken;
        let entry = self.symbols.entry(symbol);
        entry.or_insert_with(|| claim(taken, &declarations.symbol(symbol).name)).clone()
    }

    /// The name of a variable, free or bound.
    pub(super) fn var(&mut self, var: &Var<V>) -> String {
        let taken = &mut self.taken;
        self.vars.entry(var.clone()).or_insert_with(|| claim(taken, &var.name)).clone()
    }

    /// A name for something that has none of its own, such as an element of an enumeration.
    pub(super) fn fresh(&mut self, base: &str) -> String {
        claim(&mut self.taken, base)
    }
}

/// The name itself or the first free variant; `|`, `\` and NUL cannot be quoted and are replaced.
fn claim(taken: &mut BTreeSet<String>, name: &str) -> String {
    let plain = name.replace(['|', '\\', '\0'], "_");
    let variants = (2..).map(|number: usize| format!("{plain}!{number}"));
    let free = std::iter::once(plain.clone()).chain(variants).find(|name| !taken.contains(name));
    let free = free.expect("there are more variants than names");
    taken.insert(free.clone());
    free
}
