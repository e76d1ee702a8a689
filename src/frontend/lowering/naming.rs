//! Names of other languages as RML names: legal, readable, and distinct.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::name_set::NameSet;
use crate::frontend::syntax::surface::{Identifier, LabelledFormula};
use crate::keywords::is_keyword;
use crate::logic::{Name, fresh_name};

/// The names given so far in one space of names.
#[derive(Clone, Debug, Default)]
pub(crate) struct LoweredNames {
    given: Rc<BTreeMap<Name, Name>>,
    taken: NameSet,
}

impl LoweredNames {
    /// The name for something that is called `source` in its own language; the same every time.
    ///
    /// `le.max` becomes `le_max`; if that is reserved, `le_max_1`, and so on.
    pub(crate) fn claim(&mut self, source: &Name) -> Name {
        if let Some(given) = self.given.get(source) {
            return given.clone();
        }
        let name = self.invent(source);
        Rc::make_mut(&mut self.given).insert(source.clone(), name.clone());
        name
    }

    /// A name that does not occur in the source.
    pub(crate) fn invent(&mut self, preferred: &str) -> Name {
        let name = fresh_name(&legal(preferred), |name| self.taken.contains(name));
        self.taken.insert(name.clone());
        name
    }

    /// An unused label for a line that has one; a number gets a word before it.
    pub(crate) fn label(&mut self, line: &LabelledFormula) -> Option<Identifier> {
        let Identifier { value, span } = line.label.as_ref()?;
        let is_number = value.starts_with(|c: char| c.is_ascii_digit());
        let name = if is_number { &*format!("invariant_{value}") } else { value };
        Some(Identifier::new(self.invent(name), *span))
    }

    /// The name that was given to `source`.
    pub(crate) fn get(&self, source: &str) -> Option<&Name> {
        self.given.get(source)
    }

    /// Every name that was given.
    pub(crate) fn reserved(&self) -> &NameSet {
        &self.taken
    }

    /// All names of the source are given: copies are cheap from now on.
    pub(crate) fn share(&mut self) {
        self.taken.share();
    }
}

/// The nearest name that RML allows for a declared thing: it starts lower-case.
fn legal(source: &str) -> Name {
    let mut name: String =
        source.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    match name.chars().next() {
        Some(first) if first.is_ascii_uppercase() => name[..1].make_ascii_lowercase(),
        Some(first) if first.is_ascii_lowercase() => {}
        _ => name.insert(0, 'x'),
    }
    if is_keyword(&name) || name == "int" {
        name.push('_');
    }
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_legal_and_stay_apart() {
        let mut names = LoweredNames::default();
        let mut claim = |source: &str| names.claim(&source.into()).to_string();
        assert_eq!(claim("le_max"), "le_max");
        assert_eq!(claim("le.max"), "le_max_1");
        assert_eq!(claim("le.max"), "le_max_1");
        assert_eq!(claim("1000000"), "x1000000");
        assert_eq!(claim("lemma"), "lemma_");
        assert_eq!(claim("Done"), "done");
        assert_eq!(claim("done"), "done_1");
    }
}
