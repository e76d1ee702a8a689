//! The names that a file declares and the definitions that are expanded where they are used.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::name_set::NameSet;
use super::naming::LoweredNames;
use super::rewrite::{
    MacroDefinition, NameLookup, NameMeaning, Replacement, RewriteObstacle, rewrite_as,
};
use crate::diagnostic::{Code, Diagnostic};
use crate::frontend::lowering::variables::free_names;
use crate::frontend::syntax::surface::{Expression, Identifier};
use crate::logic::Name;

/// The longest chain of definitions that is followed: a longer one is too large to be expanded.
const LONGEST_CHAIN: usize = 200;

/// Definitions by the names that they define.
#[derive(Default)]
pub(crate) struct Definitions(BTreeMap<Name, Rc<MacroDefinition>>);

impl Definitions {
    /// What a name is defined to be.
    pub(crate) fn get(&self, name: &str) -> Option<&Rc<MacroDefinition>> {
        self.0.get(name)
    }

    /// Whether a name is defined.
    pub(crate) fn contains(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Adds a definition.
    pub(crate) fn insert(&mut self, name: &Name, definition: MacroDefinition) {
        self.0.insert(name.clone(), Rc::new(definition));
    }

    /// The names that the definition of a name mentions.
    pub(crate) fn used(&self, name: &Name) -> BTreeSet<Name> {
        self.0.get(name).map_or_else(BTreeSet::new, |definition| {
            let free = free_names(&definition.body).into_iter();
            free.filter(|used| !definition.params.contains(used)).collect()
        })
    }

    /// Removes and refuses definitions that lead back to themselves.
    pub(crate) fn refuse_circular(&mut self, code: Code, diagnostics: &mut Vec<Diagnostic>) {
        let (mut finished, mut circular) = (BTreeSet::new(), BTreeSet::new());
        for name in self.0.keys() {
            self.follow(name, &mut Vec::new(), &mut finished, &mut circular);
        }
        for name in circular {
            let Some(definition) = self.0.remove(&name) else { continue };
            let message = format!("the definition of `{name}` is circular");
            diagnostics.push(Diagnostic::error(code, message, definition.body.span));
        }
    }

    fn follow(
        &self,
        name: &Name,
        path: &mut Vec<Name>,
        finished: &mut BTreeSet<Name>,
        circular: &mut BTreeSet<Name>,
    ) {
        if path.contains(name) {
            circular.insert(name.clone());
        }
        if !finished.insert(name.clone()) || path.len() > LONGEST_CHAIN {
            return;
        }
        path.push(name.clone());
        for used in self.used(name).iter().filter(|used| self.contains(used)) {
            self.follow(used, path, finished, circular);
        }
        path.pop();
    }

    /// An expression in RML: names of the file are replaced, and definitions expanded; `first`
    /// gives the meaning of local names.
    pub(crate) fn expand(
        &self,
        expression: &Expression,
        (names, reserved): (&LoweredNames, &NameSet),
        first: NameLookup<'_>,
        sorts: &dyn Fn(&str) -> Option<Name>,
    ) -> Result<Expression, RewriteObstacle> {
        let everywhere = |name: &str| match self.get(name) {
            Some(definition) => Some(Replacement::Definition(definition.clone())),
            None => names.get(name).map(|name| Replacement::Name(name.clone(), Vec::new())),
        };
        let here = |name: &str| first(name).or_else(|| everywhere(name));
        let meaning = NameMeaning { here: &here, everywhere: &everywhere, sorts };
        rewrite_as(expression, reserved, meaning)
    }
}

impl LoweredNames {
    /// Claims the name of a declaration, and refuses a second one.
    pub(crate) fn declare(
        &mut self,
        name: &Identifier,
        code: Code,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        if self.get(&name.value).is_some() {
            let message = format!("`{}` is declared twice", name.value);
            diagnostics.push(Diagnostic::error(code, message, name.span));
        }
        self.claim(&name.value);
    }
}
