//! Reserved words of RML and certificates, and words that make confusing names.

/// They begin declarations.
pub(crate) const DECLARING: &[&str] = &[
    "sort",
    "type",
    "rigid",
    "immutable",
    "mutable",
    "relation",
    "function",
    "constant",
    "variable",
    "define",
    "axiom",
    "init",
    "action",
    "safety",
    "lemma",
    "reach",
];

/// They stand in statements and expressions.
const INNER: &[&str] = &["require", "if", "else", "forall", "exists", "true", "false"];

/// They begin the declaration of a structure, of machines, of messages or of the network where
/// another word follows; they are not reserved.
pub(crate) const STRUCTURES: &[&str] =
    &["order", "ring", "tree", "successor", "quorums", "machine", "message", "network"];

/// They stand inside the declaration of a structure.
const IN_STRUCTURES: &[&str] = &["on", "of", "by"];

/// They begin declarations, and parts of machines.
pub(crate) const OF_MACHINES: &[&str] = &["action", "init", "variable", "relation", "function"];

/// They stand inside machines, messages and networks; they are not reserved.
const IN_MACHINES: &[&str] = &[
    "states",
    "in",
    "from",
    "to",
    "send",
    "goto",
    "all",
    "others",
    "crash",
    "restart",
    "lossy",
    "duplicating",
    "bag",
    "set",
    "fifo",
    "per",
    "pair",
    "sender",
    "receiver",
];

/// They begin the parts of a certificate.
pub(crate) const CERTIFICATE_PARTS: &[&str] =
    &["certificate", "lemma", "history", "rank", "case", "invariant"];

/// They begin the lines of a case.
pub(crate) const CASE_LINES: &[&str] = &[
    "params",
    "violators",
    "select",
    "cut",
    "sim",
    "rigid",
    "start",
    "only",
    "gamma",
    "lockstep",
    "relax",
    "close",
];

/// They mean something in some places of certificates only, and could be names elsewhere.
const OF_CERTIFICATES: &[&str] =
    &["when", "do", "then", "otherwise", "stutter", "try", "with", "none"];

/// They join other words of certificates.
const JOINING: &[&str] = &["for", "sha256", "rmlcut", "after", "by"];

/// Whether a word is reserved: the same as `keyword` in `grammar/expression.pest`.
pub(crate) fn is_keyword(word: &str) -> bool {
    DECLARING.contains(&word) || INNER.contains(&word)
}

/// Whether a word stands in the declaration of a structure, of machines or of messages.
pub(crate) fn is_word_of_structures(word: &str) -> bool {
    [STRUCTURES, IN_STRUCTURES, IN_MACHINES].iter().any(|list| list.contains(&word))
}

/// Whether a word has a meaning in certificates, beside those that are reserved.
pub(crate) fn is_word_of_certificates(word: &str) -> bool {
    [CERTIFICATE_PARTS, CASE_LINES, OF_CERTIFICATES, JOINING]
        .iter()
        .any(|list| list.contains(&word))
}

/// Every word that means something in RML, in alphabetical order.
pub fn of_rml() -> Vec<&'static str> {
    sorted(&[DECLARING, INNER, STRUCTURES, IN_STRUCTURES, IN_MACHINES])
}

/// Every word that means something in certificates, in alphabetical order.
pub fn of_certificates() -> Vec<&'static str> {
    let own = [CERTIFICATE_PARTS, CASE_LINES, OF_CERTIFICATES, JOINING];
    sorted(&[&own[..], &[DECLARING, INNER]].concat())
}

fn sorted(lists: &[&[&'static str]]) -> Vec<&'static str> {
    let mut words: Vec<&str> = lists.concat();
    words.sort_unstable();
    words.dedup();
    words
}

/// Whether a word is reserved, or would be confusing in a certificate.
pub(crate) fn is_poor_name(word: &str) -> bool {
    is_keyword(word) || OF_CERTIFICATES.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of a rule that is a list of alternatives.
    fn of_grammar(grammar: &str) -> Vec<&str> {
        let rule = grammar.split("keyword = _{").nth(1).and_then(|rest| rest.split('}').next());
        rule.expect("the grammar has the rule").split('"').skip(1).step_by(2).collect()
    }

    #[test]
    fn the_words_are_those_of_the_grammar() {
        let mut ours: Vec<&str> = DECLARING.iter().chain(INNER).copied().collect();
        ours.sort_unstable();
        assert_eq!(ours, of_grammar(include_str!("../grammar/expression.pest")));
    }
}
