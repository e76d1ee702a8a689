//! The words that are taken; the same as `keyword` in `grammar/expression.pest`.

/// They begin declarations.
pub(super) const DECLARING: &[&str] = &[
    "sort",
    "type",
    "rigid",
    "immutable",
    "mutable",
    "relation",
    "function",
    "constant",
    "variable",
    "axiom",
    "init",
    "action",
    "safety",
    "lemma",
];

/// They stand in statements and expressions.
const INNER: &[&str] = &["require", "if", "else", "forall", "exists", "true", "false"];

/// Whether a word is taken.
pub(super) fn is_keyword(word: &str) -> bool {
    DECLARING.contains(&word) || INNER.contains(&word)
}
