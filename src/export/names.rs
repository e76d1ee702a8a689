//! Legal names in another language, one for each of ours and never two the same.

use std::collections::BTreeSet;

use crate::logic::fresh_name;
use crate::protocol::{Signature, Sort, SymbolId};

/// Which names a language allows.
#[derive(Clone, Copy)]
pub(super) struct Alphabet {
    /// Words that cannot be names.
    pub(super) reserved: &'static [&'static str],
    /// What the language puts before names of its own; with any, `__` stands in its own names.
    pub(super) marks: &'static [&'static str],
}

/// The names of sorts and symbols.
pub(super) struct ExportNames {
    alphabet: Alphabet,
    sorts: Vec<String>,
    symbols: Vec<String>,
    /// The elements of every sort that is an enumeration.
    elements: Vec<Vec<String>>,
    taken: BTreeSet<String>,
}

impl ExportNames {
    /// Names for everything in a signature.
    pub(super) fn new(signature: &Signature, alphabet: Alphabet) -> Self {
        ExportNames::beside("", signature, alphabet)
    }

    /// Names for everything in a signature, none of them this one.
    pub(super) fn beside(name: &str, signature: &Signature, alphabet: Alphabet) -> Self {
        let taken = BTreeSet::from([legal(name, alphabet)]);
        let (sorts, symbols, elements) = (Vec::new(), Vec::new(), Vec::new());
        let mut names = ExportNames { alphabet, sorts, symbols, elements, taken };
        for sort in signature.sorts() {
            let name = names.claim(signature.sort_name(sort));
            names.sorts.push(name);
        }
        for sort in signature.sorts() {
            let elements = signature.elements(sort).unwrap_or_default();
            let elements = elements.iter().map(|element| names.claim(element)).collect();
            names.elements.push(elements);
        }
        for (_, symbol) in signature.symbols() {
            let name = names.claim(&symbol.name);
            names.symbols.push(name);
        }
        names
    }

    /// A legal name like this one that nothing else has.
    pub(super) fn claim(&mut self, wish: &str) -> String {
        let name = self.free(wish, &[]);
        self.taken.insert(name.clone());
        name
    }

    /// A legal name like this one that neither a declared thing nor `others` have.
    pub(super) fn free(&self, wish: &str, others: &[String]) -> String {
        let legal = legal(wish, self.alphabet);
        let is_taken = |name: &crate::logic::Name| {
            self.taken.contains(&**name) || others.iter().any(|other| **other == **name)
        };
        fresh_name(&legal.into(), is_taken).to_string()
    }

    /// What a symbol is called.
    pub(super) fn symbol(&self, symbol: SymbolId) -> &str {
        &self.symbols[symbol.0 as usize]
    }

    /// What the elements of an enumeration are called; none for another sort.
    pub(super) fn elements(&self, sort: Sort) -> &[String] {
        match sort {
            Sort::Declared(sort) => &self.elements[sort.0 as usize],
            Sort::Int => &[],
        }
    }

    /// What a sort is called; nothing for the integers.
    pub(super) fn sort(&self, sort: Sort) -> Option<&str> {
        match sort {
            Sort::Declared(sort) => Some(&self.sorts[sort.0 as usize]),
            Sort::Int => None,
        }
    }
}

/// The name of something that no other name can be in the way of.
pub(super) fn alone(wish: &str, alphabet: Alphabet) -> String {
    legal(wish, alphabet)
}

/// Letters, digits and `_`, beginning with a letter, and no reserved word.
fn legal(wish: &str, alphabet: Alphabet) -> String {
    let plain = |c: char| match c {
        '₀'..='₉' => char::from_digit(c as u32 - '₀' as u32, 10),
        '\'' | '′' => Some('_'),
        c if c.is_ascii_alphanumeric() || c == '_' => Some(c),
        _ => None,
    };
    let mut name: String = wish.chars().filter_map(plain).collect();
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        name.insert(0, 'x');
    }
    if alphabet.marks.iter().any(|mark| name.starts_with(mark)) {
        name.insert_str(0, "the_");
    }
    while !alphabet.marks.is_empty() && name.contains("__") {
        name = name.replace("__", "_");
    }
    if alphabet.reserved.contains(&name.as_str()) {
        name.push('_');
    }
    name
}
