//! What expressions are elaborated against: written names to typed symbols of some vocabulary.
//!
//! The elaboration of expressions does not depend on protocols: any implementation of `Resolve` (a
//! protocol, a step of one, a certificate) gets sorted formulas in its own vocabulary.

use crate::diagnostic::{Code, Diagnostic, Label};
use crate::frontend::syntax::surface::Moment;
use crate::logic::{Name, Rank, Var, Vocabulary};
use crate::source::Span;

/// Resolves the names in an expression.
pub trait Resolve<V: Vocabulary> {
    /// What `name` stands for when it is read at `moment` (`Old` unless written otherwise).
    fn resolve(&self, name: &str, moment: Moment) -> Lookup<V>;
    /// The sort called `name`.
    fn sort(&self, name: &str) -> Option<V::Sort>;
    /// The sort that stands for the integers.
    fn integers(&self) -> V::Sort;
    /// What a sort is called.
    fn sort_name(&self, sort: V::Sort) -> Name;
    /// Every name that `resolve` knows: the nearest one becomes a hint.
    fn names(&self) -> Vec<Name>;
    /// Every name that `sort` knows.
    fn sort_names(&self) -> Vec<Name>;
    /// How many states the text may refer to.
    fn states(&self) -> ReadableStates {
        ReadableStates::One
    }
}

/// How many states a text may refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadableStates {
    /// `old` and `new` are refused.
    One,
    /// `old(e)` and `new(e)` select the state.
    Two,
}

/// The answer for a name.
#[derive(Clone, Debug)]
pub enum Lookup<V: Vocabulary> {
    /// It is a symbol.
    Symbol(NameCandidate<V>),
    /// It is one of several symbols, distinguished by their sorts; at least one, all of one arity
    /// and either all relations or all functions.
    Overloaded(Vec<NameCandidate<V>>),
    /// It is a variable of the context, and where that was declared.
    Variable(Var<V>, Option<Span>),
    /// It is known and may not be used here.
    Refused(NameRefusal),
    /// Its own declaration is wrong, which was reported there: no further message here.
    Mistaken,
    /// Nothing has that name.
    Unknown,
}

impl<V: Vocabulary> Lookup<V> {
    /// The same; if it is a refusal, with advice.
    pub(super) fn with_hint(mut self, hint: &str) -> Self {
        if let Lookup::Refused(refusal) = &mut self {
            refusal.hint = Some(hint.to_owned());
        }
        self
    }
}

/// A symbol that a name may stand for.
#[derive(Clone, Debug)]
pub struct NameCandidate<V: Vocabulary> {
    /// The symbol.
    pub symbol: V::Symbol,
    /// Its rank.
    pub rank: Rank<V>,
    /// Where it was declared, if that is in the same text.
    pub declared: Option<Span>,
}

/// Why a known name may not be used somewhere.
#[derive(Clone, Debug)]
pub struct NameRefusal {
    /// The code of the message.
    pub code: Code,
    /// The message.
    pub message: String,
    /// A related place in the same text.
    pub related: Option<Label>,
    /// What to do about it.
    pub hint: Option<String>,
}

impl NameRefusal {
    /// The refusal of what is written at `span`.
    pub(super) fn at(self, span: Span) -> Diagnostic {
        let mut diagnostic = Diagnostic::error(self.code, self.message, span);
        diagnostic.secondary.extend(self.related);
        diagnostic.hint = self.hint;
        diagnostic
    }
}

/// Whether a name is written like a variable.
pub fn is_capitalised(name: &str) -> bool {
    name.chars().next().is_some_and(char::is_uppercase)
}

/// The truth value that was meant by a name that other languages write in capitals.
pub(super) fn truth_in_capitals(name: &str) -> Option<&'static str> {
    match name {
        "TRUE" | "True" => Some("true"),
        "FALSE" | "False" => Some("false"),
        _ => None,
    }
}

/// The candidate that is nearest to `name`, if one is near; the first of equally near ones.
pub fn nearest(name: &str, candidates: &[Name]) -> Option<Name> {
    let name: Vec<char> = name.chars().collect();
    let limit = ((name.len() + 1) / 3).min(3);
    let mut best: Option<(usize, &Name)> = None;
    for candidate in candidates {
        let limit = best.map_or(limit, |(distance, _)| distance - 1);
        if let Some(distance) = edit_distance(&name, candidate, limit) {
            best = Some((distance, candidate));
            if distance == 0 {
                break;
            }
        }
    }
    best.map(|(_, candidate)| candidate.clone())
}

/// The number of insertions, deletions, replacements and swaps of neighbours, up to a limit.
fn edit_distance(left: &[char], right: &str, limit: usize) -> Option<usize> {
    let right: Vec<char> = right.chars().collect();
    if left.len().abs_diff(right.len()) > limit {
        return None;
    }
    let mut before_last = vec![0; right.len() + 1];
    let mut last: Vec<usize> = (0..=right.len()).collect();
    for (row, &l) in left.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, &r) in right.iter().enumerate() {
            let replace = last[column] + usize::from(l != r);
            let mut cost = replace.min(last[column + 1] + 1).min(current[column] + 1);
            if row > 0 && column > 0 && l == right[column - 1] && left[row - 1] == r {
                cost = cost.min(before_last[column - 1] + 1);
            }
            current.push(cost);
        }
        if current.iter().all(|cost| *cost > limit) {
            return None;
        }
        before_last = std::mem::replace(&mut last, current);
    }
    last.last().copied().filter(|distance| *distance <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nearest_of(name: &str, candidates: &[&str]) -> Option<String> {
        let candidates: Vec<Name> = candidates.iter().map(|name| Name::from(*name)).collect();
        nearest(name, &candidates).map(|name| name.to_string())
    }

    #[test]
    fn a_near_name_is_found() {
        let names = ["seqnum_sent", "seqnum_recvd", "table"];
        assert_eq!(nearest_of("seqnum_set", &names), Some("seqnum_sent".to_owned()));
        assert_eq!(nearest_of("tabel", &names), Some("table".to_owned()));
        assert_eq!(nearest_of("table", &names), Some("table".to_owned()));
    }

    #[test]
    fn a_far_name_is_not() {
        assert_eq!(nearest_of("ack", &["table", "owner"]), None);
        assert_eq!(nearest_of("q", &["r"]), None);
        assert_eq!(nearest_of("", &["r"]), None);
    }
}
