//! Sets of reserved names: those of a whole file, shared by all copies, and a few more.
//!
//! Every action of a file has such a set; copying the names of the file for each of them would
//! make reading quadratic.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::logic::Name;

/// A set of names; a copy costs only what was added since the last `share`.
#[derive(Clone, Debug, Default)]
pub(crate) struct NameSet {
    shared: Rc<BTreeSet<Name>>,
    more: BTreeSet<Name>,
}

impl NameSet {
    /// Whether a name is reserved.
    pub(crate) fn contains(&self, name: &str) -> bool {
        self.more.contains(name) || self.shared.contains(name)
    }

    /// Takes a name.
    pub(crate) fn insert(&mut self, name: Name) {
        self.more.insert(name);
    }

    /// Makes all later copies share the names reserved so far.
    pub(crate) fn share(&mut self) {
        Rc::make_mut(&mut self.shared).append(&mut self.more);
    }
}

impl Extend<Name> for NameSet {
    fn extend<I: IntoIterator<Item = Name>>(&mut self, names: I) {
        self.more.extend(names);
    }
}

impl FromIterator<Name> for NameSet {
    fn from_iter<I: IntoIterator<Item = Name>>(names: I) -> Self {
        NameSet { shared: Rc::default(), more: names.into_iter().collect() }
    }
}
