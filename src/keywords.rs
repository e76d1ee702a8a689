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

/// They mean something in some places of certificates only, and could be names elsewhere.
const OF_CERTIFICATES: &[&str] =
    &["when", "do", "then", "otherwise", "stutter", "try", "with", "none"];

/// Whether a word is reserved: the same as `keyword` in `grammar/expression.pest`.
pub(crate) fn is_keyword(word: &str) -> bool {
    DECLARING.contains(&word) || INNER.contains(&word)
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
