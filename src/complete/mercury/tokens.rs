//! The words and signs of a Mercury text.

/// A word or a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) text: &'a str,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Signs of two characters.
const PAIRS: &[&str] = &["??", ":=", "&&", "||", "<=", ">=", "==", "!="];

/// All words and signs, without comments.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let length = if first.is_whitespace() {
            first.len_utf8()
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            let length = if is_word(first) {
                rest.find(|c| !is_word(c)).unwrap_or(rest.len())
            } else if PAIRS.iter().any(|pair| rest.starts_with(pair)) {
                2
            } else {
                first.len_utf8()
            };
            found.push(Token { text: &rest[..length], start: at, end: at + length });
            length
        };
        at += length;
    }
    found
}
