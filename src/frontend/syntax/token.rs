//! A light scanner: where words, operators, comments and line ends are, without their meaning.
//!
//! It knows just enough for the layout rules and for describing an unexpected token; the
//! grammar is the judge of everything else.

use crate::source::Span;

/// What kind of token it is, as far as layout needs to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A name, keyword or number.
    Word,
    /// `forall`, `exists` and their symbols.
    Quantifier,
    /// `->`, `<->`
    Arrow,
    /// `&`, `|`
    Junction,
    /// `=`, `<` and their like.
    Comparison,
    /// `+`
    Plus,
    /// `-`, binary or unary.
    Minus,
    /// `~`
    Not,
    /// `:=`
    Assign,
    /// `.`
    Dot,
    /// `,`
    Comma,
    /// `:`
    Colon,
    /// `;`
    Semicolon,
    /// `(`
    OpenParenthesis,
    /// `)`
    CloseParenthesis,
    /// `{`
    OpenBrace,
    /// `}`
    CloseBrace,
    /// `# …`, without the line end.
    Comment,
    /// The end of a line.
    LineEnd,
    /// Blanks.
    Blank,
    /// Any other character.
    Other,
}

impl TokenKind {
    /// Whether it is a binary operator; `-` may be unary as well.
    pub(crate) fn is_binary(self) -> bool {
        matches!(
            self,
            TokenKind::Arrow
                | TokenKind::Junction
                | TokenKind::Comparison
                | TokenKind::Plus
                | TokenKind::Minus
        )
    }
}

/// A token and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    /// Its kind.
    pub(crate) kind: TokenKind,
    /// Its place.
    pub(crate) span: Span,
}

impl Token {
    /// The token's text.
    pub(crate) fn text<'a>(&self, source: &'a str) -> &'a str {
        &source[self.span.start..self.span.end]
    }

    /// The same token in a text with `offset` bytes more in front.
    pub(crate) fn moved(self, offset: usize) -> Token {
        Token { span: Span::new(self.span.start + offset, self.span.end + offset), ..self }
    }
}

/// Operators by spelling; where one begins another, the longer comes first.
const OPERATORS: &[(&str, TokenKind)] = &[
    ("<->", TokenKind::Arrow),
    ("<-", TokenKind::Assign),
    ("<=", TokenKind::Comparison),
    ("<", TokenKind::Comparison),
    ("->", TokenKind::Arrow),
    ("-", TokenKind::Minus),
    ("=>", TokenKind::Arrow),
    ("=", TokenKind::Comparison),
    ("!=", TokenKind::Comparison),
    ("!", TokenKind::Not),
    ("~=", TokenKind::Comparison),
    ("~", TokenKind::Not),
    (">=", TokenKind::Comparison),
    (">", TokenKind::Comparison),
    (":=", TokenKind::Assign),
    (":", TokenKind::Colon),
    ("&", TokenKind::Junction),
    ("|", TokenKind::Junction),
    ("+", TokenKind::Plus),
    (".", TokenKind::Dot),
    (",", TokenKind::Comma),
    (";", TokenKind::Semicolon),
    ("(", TokenKind::OpenParenthesis),
    (")", TokenKind::CloseParenthesis),
    ("{", TokenKind::OpenBrace),
    ("}", TokenKind::CloseBrace),
    ("∀", TokenKind::Quantifier),
    ("∃", TokenKind::Quantifier),
    ("∧", TokenKind::Junction),
    ("∨", TokenKind::Junction),
    ("¬", TokenKind::Not),
    ("→", TokenKind::Arrow),
    ("⇒", TokenKind::Arrow),
    ("⟹", TokenKind::Arrow),
    ("↔", TokenKind::Arrow),
    ("⇔", TokenKind::Arrow),
    ("⟺", TokenKind::Arrow),
    ("≠", TokenKind::Comparison),
    ("≤", TokenKind::Comparison),
    ("≥", TokenKind::Comparison),
    ("←", TokenKind::Assign),
];

/// The tokens of a text, which together cover it.
pub(crate) fn tokens(source: &str) -> impl Iterator<Item = Token> + '_ {
    let mut start = 0;
    std::iter::from_fn(move || {
        let token = token_at(source, start)?;
        start = token.span.end;
        Some(token)
    })
}

/// The token that begins at a byte offset.
pub(crate) fn token_at(source: &str, start: usize) -> Option<Token> {
    let rest = &source[start..];
    let first = rest.chars().next()?;
    let (kind, length) = match first {
        '\n' | '\r' => (TokenKind::LineEnd, if rest.starts_with("\r\n") { 2 } else { 1 }),
        '#' => (TokenKind::Comment, rest.find(['\n', '\r']).unwrap_or(rest.len())),
        _ if is_blank(first) => (TokenKind::Blank, first.len_utf8()),
        _ if is_word(first) => word(rest),
        _ => operator(rest).unwrap_or((TokenKind::Other, first.len_utf8())),
    };
    Some(Token { kind, span: Span::new(start, start + length) })
}

/// White space, and the byte order mark that some editors put in front.
fn is_blank(character: char) -> bool {
    character.is_whitespace() || character == '\u{feff}'
}

fn is_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_' || ('₀'..='₉').contains(&character)
}

fn word(rest: &str) -> (TokenKind, usize) {
    let length = rest.find(|c| !is_word(c) && c != '\'' && c != '′').unwrap_or(rest.len());
    let kind = match &rest[..length] {
        "forall" | "exists" => TokenKind::Quantifier,
        _ => TokenKind::Word,
    };
    (kind, length)
}

fn operator(rest: &str) -> Option<(TokenKind, usize)> {
    let first = rest.bytes().next();
    OPERATORS
        .iter()
        .filter(|(spelling, _)| spelling.bytes().next() == first)
        .find(|(spelling, _)| rest.starts_with(spelling))
        .map(|(spelling, kind)| (*kind, spelling.len()))
}
