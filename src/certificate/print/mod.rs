//! A certificate as `.cut` text: pleasant to read and edit, and read back to the same certificate.
//!
//! Bound variables are renamed where their names would hide something. History that is assigned
//! elsewhere than at the end of an action, and a relaxation of anything but actions, have no
//! concrete syntax.

mod case;
mod cut_text;
mod definition_names;
mod line_breaks;
mod outline;
mod readable_names;
mod symbol_spelling;

use outline::{AfterOutline, HistoryOutline, InitOutline};
pub use outline::{CaseOutline, Labelled, Outline};

use crate::logic::{Name, print_formula};
use crate::protocol::{
    Command, Property, Protocol, StateFormula, SymbolId, print_assignment, print_symbol_declaration,
};

use super::{Certificate, Invariant, ProductFormula, ProductNames, ProofArgument, digest};
use readable_names::print_clause;

/// The version of the certificate format that this program reads and writes.
pub const FORMAT: i64 = 1;

/// The name under which a certificate's header knows a protocol.
pub fn header_name(protocol: &Protocol) -> Name {
    symbol_spelling::identifier(&protocol.name)
}

/// A certificate for `user`'s protocol as text. The lines of `comment` come first, as comments.
pub fn print_certificate(user: &Protocol, certificate: &Certificate, comment: &str) -> String {
    cut_text::text(&outline_certificate(user, certificate), comment)
}

/// A certificate for `user`'s protocol, part by part, with every expression as text.
pub fn outline_certificate(user: &Protocol, certificate: &Certificate) -> Outline {
    let large = &certificate.large;
    let (cases, invariant) = match &certificate.argument {
        ProofArgument::Cutoff(cases) => {
            (cases.iter().map(|own| case::outline(user, large, own)).collect(), None)
        }
        ProofArgument::Invariant(own) => (Vec::new(), Some(invariant(large, &|_| false, own))),
    };
    Outline {
        protocol: header_name(user).to_string(),
        digest: digest(user),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        history: history(user, large),
        lemmas: lemmas(user, large),
        rank: rank(user, large),
        cases,
        invariant,
    }
}

/// A clause about two systems as text, as it is written in a certificate.
pub fn print_product_clause(names: &ProductNames, clause: &ProductFormula) -> String {
    symbol_spelling::SymbolSpelling { names, place: symbol_spelling::SpellingPlace::Both }
        .clause(clause)
}

/// Symbols, initial values and assignments that the certificate adds to `L`.
fn history(user: &Protocol, large: &Protocol) -> HistoryOutline {
    let count = user.signature.symbols().count();
    let is_history = |symbol: SymbolId| symbol.0 as usize >= count;
    let added = large.signature.symbols().skip(count);
    let init = large.init.iter().skip(user.init.len()).map(|init| {
        let name = init.label.as_ref().map(ToString::to_string);
        InitOutline { name, formula: print_formula(&large.signature, &init.formula) }
    });
    let after = large.actions.iter().map(|action| {
        let added = action.body.iter().filter_map(|command| match command {
            Command::Assign(assignment) if is_history(assignment.target) => {
                Some(print_assignment(&large.signature, assignment))
            }
            _ => None,
        });
        AfterOutline { action: action.name.to_string(), assignments: added.collect() }
    });
    HistoryOutline {
        symbols: added
            .map(|(_, symbol)| print_symbol_declaration(&large.signature, symbol))
            .collect(),
        init: init.collect(),
        after: after.filter(|own| !own.assignments.is_empty()).collect(),
    }
}

fn added_lemmas<'a>(user: &'a Protocol, large: &'a Protocol) -> impl Iterator<Item = &'a Property> {
    large.properties.iter().filter(|property| user.property(&property.name).is_none())
}

fn lemmas(user: &Protocol, large: &Protocol) -> Vec<Labelled> {
    let lemmas = added_lemmas(user, large).map(|lemma| Labelled {
        name: lemma.name.to_string(),
        formula: state_clause(large, &|_| false, &lemma.formula()),
    });
    lemmas.collect()
}

/// The order of all properties, if it is not as written.
fn rank(user: &Protocol, large: &Protocol) -> Option<Vec<String>> {
    let written = user.properties.iter().chain(added_lemmas(user, large));
    let ranked = large.properties.iter().map(|property| &property.name);
    let as_written = written.map(|property| &property.name).eq(ranked.clone());
    (!as_written).then(|| ranked.map(ToString::to_string).collect())
}

/// A clause about one system; `is_element` says which names are those of elements.
fn state_clause(
    system: &Protocol,
    is_element: &dyn Fn(&str) -> bool,
    clause: &StateFormula,
) -> String {
    let signature = &system.signature;
    let taken = |name: &str| signature.declares(name) || is_element(name);
    print_clause(signature, clause, &taken, &|_| true)
}

fn invariant(
    system: &Protocol,
    is_element: &dyn Fn(&str) -> bool,
    invariant: &Invariant,
) -> Vec<Labelled> {
    let clauses = invariant.clauses.iter().map(|clause| Labelled {
        name: clause.name.to_string(),
        formula: state_clause(system, is_element, &clause.formula),
    });
    clauses.collect()
}
