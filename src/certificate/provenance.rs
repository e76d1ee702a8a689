//! What is different about a protocol since a certificate was made, as far as the certificate records it.

use std::collections::BTreeSet;

use crate::logic::Name;
use crate::protocol::{Protocol, Rigidity, Symbol};

use super::{digest, header_name};

/// What the header of a certificate says about the text it was made for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provenance {
    /// The name of the protocol.
    pub protocol: Name,
    /// The digest of its text.
    pub digest: Name,
}

/// How a protocol differs from the one that a certificate was made for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changes {
    /// What the certificate says it was made for; `None` if it says nothing.
    pub made_for: Option<Provenance>,
    /// What it is read for now.
    pub read_for: Provenance,
    /// What the protocol declares and the certificate never mentions: perhaps it is new.
    pub unmentioned: Vec<String>,
}

/// The differences that show in a certificate's text; `None` if it was made for this protocol.
pub fn changes(user: &Protocol, made_for: Option<Provenance>, text: &str) -> Option<Changes> {
    let read_for = Provenance { protocol: header_name(user), digest: digest(user).into() };
    if made_for.as_ref() == Some(&read_for) {
        return None;
    }
    let words: BTreeSet<&str> = words(text).collect();
    let mentioned = |name: &str| {
        let spellings = ["", "_L", "_L'", "_C"].map(|suffix| format!("{name}{suffix}"));
        spellings.iter().any(|spelling| words.contains(spelling.as_str()))
    };
    let symbols = user.signature.symbols().map(|(_, symbol)| (kind(symbol), &symbol.name));
    let actions = user.actions.iter().map(|action| ("action", &action.name));
    let properties = user.properties.iter().map(|property| ("property", &property.name));
    let declared = symbols.chain(actions).chain(properties);
    let unmentioned = declared.filter(|(_, name)| !mentioned(name));
    let unmentioned = unmentioned.map(|(kind, name)| format!("{kind} {name}")).collect();
    Some(Changes { made_for, read_for, unmentioned })
}

/// The words of a text, comments left out.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
    let separates =
        |character: char| !(character.is_alphanumeric() || matches!(character, '_' | '\'' | '′'));
    lines.flat_map(move |line| line.split(separates)).filter(|word| !word.is_empty())
}

fn kind(symbol: &Symbol) -> &'static str {
    match (symbol.result, symbol.rigidity, symbol.params.is_empty()) {
        (None, _, _) => "relation",
        (Some(_), Rigidity::Rigid, true) => "constant",
        (Some(_), Rigidity::Mutable, true) => "variable",
        (Some(_), _, false) => "function",
    }
}
