//! A certificate as `.cut` text: pleasant to read and edit, and read back to the same certificate.
//!
//! Bound variables are renamed where their names would hide something. History that is assigned
//! elsewhere than at the end of an action, and a relaxation of anything but actions, have no
//! concrete syntax.

mod case;
mod legible;
mod speech;

use std::fmt::Write as _;

use crate::logic::{Name, print_formula};
use crate::protocol::{
    Command, Property, Protocol, StateFormula, SymbolId, print_assignment, print_symbol_declaration,
};

use super::{Argument, Certificate, Invariant, ProductFormula, ProductNames, digest};
use legible::print_clause;
use speech::wrapped;

/// The version of the certificate format that this program reads and writes.
pub const FORMAT: i64 = 1;

/// The name under which a certificate's header knows a protocol.
pub fn header_name(protocol: &Protocol) -> Name {
    speech::identifier(&protocol.name)
}

/// A certificate for `user`'s protocol as text. The lines of `comment` come first, as comments.
pub fn print_certificate(user: &Protocol, certificate: &Certificate, comment: &str) -> String {
    let mut out = String::new();
    for line in comment.lines() {
        let blank = if line.is_empty() { "" } else { " " };
        push(&mut out, format_args!("#{blank}{line}"));
    }
    push(&mut out, format_args!("certificate {FORMAT} for {}", header_name(user)));
    push(&mut out, format_args!("sha256 {}", digest(user)));
    push(&mut out, format_args!("rmlcut {}", env!("CARGO_PKG_VERSION")));
    history(&mut out, user, &certificate.large);
    lemmas(&mut out, user, &certificate.large);
    match &certificate.argument {
        Argument::Cutoff(cases) => {
            for own in cases {
                out.push('\n');
                case::case(&mut out, user, &certificate.large, own);
            }
        }
        Argument::Invariant(own) => {
            out.push_str("\ninvariant {\n");
            invariant(&mut out, 2, &certificate.large, &|_| false, own);
            out.push_str("}\n");
        }
    }
    out
}

/// A clause about two systems as text, as it is written in a certificate.
pub fn print_product_clause(names: &ProductNames, clause: &ProductFormula) -> String {
    speech::Speech { names, place: speech::Place::Both }.clause(clause)
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    writeln!(out, "{text}").expect("writing to a string succeeds");
}

/// Symbols, initial values and assignments that the certificate adds to `L`.
fn history(out: &mut String, user: &Protocol, large: &Protocol) {
    let count = user.signature.symbols().count();
    if large.signature.symbols().count() == count {
        return;
    }
    out.push('\n');
    for (_, symbol) in large.signature.symbols().skip(count) {
        let declaration = print_symbol_declaration(&large.signature, symbol);
        push(out, format_args!("history {declaration}"));
    }
    for init in large.init.iter().skip(user.init.len()) {
        let label = init.label.as_ref().map_or(String::new(), |label| format!("[{label}] "));
        let formula = print_formula(&large.signature, &init.formula);
        out.push_str(&wrapped(0, &format!("history init {label}{formula}")));
    }
    let is_history = |symbol: SymbolId| symbol.0 as usize >= count;
    for action in &large.actions {
        let added = action.body.iter().filter_map(|command| match command {
            Command::Assign(assignment) if is_history(assignment.target) => Some(assignment),
            _ => None,
        });
        let added: Vec<String> =
            added.map(|assignment| print_assignment(&large.signature, assignment)).collect();
        if !added.is_empty() {
            push(out, format_args!("history after {} {{", action.name));
            added.iter().for_each(|line| out.push_str(&wrapped(2, line)));
            out.push_str("}\n");
        }
    }
}

/// The lemmas that the protocol does not have, and the rank if it is not as written.
fn lemmas(out: &mut String, user: &Protocol, large: &Protocol) {
    let is_added = |property: &&Property| user.property(&property.name).is_none();
    let added: Vec<&Property> = large.properties.iter().filter(is_added).collect();
    if !added.is_empty() {
        out.push('\n');
    }
    for lemma in &added {
        let formula = state_clause(large, &|_| false, &lemma.formula());
        out.push_str(&wrapped(0, &format!("lemma [{}] {formula}", lemma.name)));
    }
    let written = user.properties.iter().chain(added).map(|property| &property.name);
    let ranked: Vec<&Name> = large.properties.iter().map(|property| &property.name).collect();
    if !written.eq(ranked.iter().copied()) {
        let ranked: Vec<&str> = ranked.into_iter().map(|name| &**name).collect();
        push(out, format_args!("rank {}", ranked.join(", ")));
    }
}

/// A clause about one system; `is_element` says which names are those of elements.
fn state_clause(
    system: &Protocol,
    is_element: &dyn Fn(&str) -> bool,
    clause: &StateFormula,
) -> String {
    let signature = &system.signature;
    let taken = |name: &str| signature.find_symbol(name).is_some() || is_element(name);
    print_clause(signature, clause, &taken, &|_| true)
}

fn invariant(
    out: &mut String,
    indent: usize,
    system: &Protocol,
    is_element: &dyn Fn(&str) -> bool,
    invariant: &Invariant,
) {
    for clause in &invariant.clauses {
        let formula = state_clause(system, is_element, &clause.formula);
        out.push_str(&wrapped(indent, &format!("[{}] {formula}", clause.name)));
    }
}
