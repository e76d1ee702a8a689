//! JSON values with their positions, for messages.
//!
//! Accepts standard JSON and nothing more; no value is nested more than a fixed depth, and a
//! key is given once.

use crate::diagnostic::Diagnostic;
use crate::frontend::syntax::codes;
use crate::source::Span;

/// No array or object is nested more deeply; a trace needs eight levels.
const NESTING_LIMIT: usize = 64;

/// A value and its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct JsonValue {
    pub(crate) span: Span,
    pub(crate) kind: Kind,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Null,
    Bool(bool),
    /// A number as it is written.
    Number(String),
    Text(Text),
    List(Vec<JsonValue>),
    Object(Vec<(Text, JsonValue)>),
}

/// A string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Text {
    /// Its text.
    pub(crate) value: String,
    /// What is between the quotes.
    pub(crate) span: Span,
    /// Whether every byte stands for itself.
    pub(crate) spelling: Spelling,
}

/// How a string is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spelling {
    /// Byte for byte.
    Plain,
    /// With escapes, so that places in it are not places in the file.
    Escaped,
}

/// Reads one value, and nothing after it.
pub(crate) fn read(source: &str) -> Read<JsonValue> {
    let mut reader = JsonReader { source, at: 0 };
    let value = reader.value(0)?;
    reader.blanks();
    if reader.at < source.len() {
        return Err(reader.unexpected("the end of the file"));
    }
    Ok(value)
}

struct JsonReader<'a> {
    source: &'a str,
    at: usize,
}

/// A message is much larger than most of what is read.
type Read<T> = Result<T, Box<Diagnostic>>;

impl JsonReader<'_> {
    fn rest(&self) -> &str {
        &self.source[self.at..]
    }

    fn peek(&self) -> Option<u8> {
        self.source.as_bytes().get(self.at).copied()
    }

    fn blanks(&mut self) {
        let blank = |byte: u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        while self.peek().is_some_and(blank) {
            self.at += 1;
        }
    }

    /// The character at hand is not what the standard wants there.
    fn unexpected(&self, wanted: &str) -> Box<Diagnostic> {
        let (found, end) = match self.rest().chars().next() {
            Some(next) => (format!("`{}`", next.escape_debug()), self.at + next.len_utf8()),
            None => ("the end of the file".to_owned(), self.at),
        };
        let message = format!("expected {wanted}, found {found}");
        Box::new(Diagnostic::error(codes::SYNTAX, message, Span::new(self.at, end)))
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn value(&mut self, depth: usize) -> Read<JsonValue> {
        self.blanks();
        let start = self.at;
        if depth > NESTING_LIMIT {
            let message = format!("nested more than {NESTING_LIMIT} levels deep");
            let place = Span::new(start, start);
            return Err(Box::new(Diagnostic::error(codes::TOO_DEEP, message, place)));
        }
        let kind = match self.peek() {
            Some(b'{') => Kind::Object(self.object(depth)?),
            Some(b'[') => Kind::List(self.list(depth)?),
            Some(b'"') => Kind::Text(self.text()?),
            Some(b'-' | b'0'..=b'9') => Kind::Number(self.number()?),
            _ => self.word()?,
        };
        Ok(JsonValue { span: Span::new(start, self.at), kind })
    }

    fn word(&mut self) -> Read<Kind> {
        let words =
            [("null", Kind::Null), ("true", Kind::Bool(true)), ("false", Kind::Bool(false))];
        let found = words.into_iter().find(|(word, _)| self.rest().starts_with(word));
        let (word, kind) = found.ok_or_else(|| self.unexpected("a value"))?;
        self.at += word.len();
        Ok(kind)
    }

    fn list(&mut self, depth: usize) -> Read<Vec<JsonValue>> {
        let mut all = Vec::new();
        self.at += 1;
        self.blanks();
        if self.take(b']') {
            return Ok(all);
        }
        loop {
            all.push(self.value(depth + 1)?);
            self.blanks();
            if self.take(b']') {
                return Ok(all);
            }
            if !self.take(b',') {
                return Err(self.unexpected("`,` or `]`"));
            }
        }
    }

    fn object(&mut self, depth: usize) -> Read<Vec<(Text, JsonValue)>> {
        let mut all: Vec<(Text, JsonValue)> = Vec::new();
        let mut keys = std::collections::BTreeSet::new();
        self.at += 1;
        self.blanks();
        if self.take(b'}') {
            return Ok(all);
        }
        loop {
            self.blanks();
            if self.peek() != Some(b'"') {
                return Err(self.unexpected("a key in quotes"));
            }
            let key = self.text()?;
            if !keys.insert(key.value.clone()) {
                let message = format!("`{}` is given twice", key.value.escape_debug());
                let twice = Diagnostic::error(codes::REPEATED, message, key.span);
                return Err(Box::new(twice));
            }
            self.blanks();
            if !self.take(b':') {
                return Err(self.unexpected("`:`"));
            }
            all.push((key, self.value(depth + 1)?));
            self.blanks();
            if self.take(b'}') {
                return Ok(all);
            }
            if !self.take(b',') {
                return Err(self.unexpected("`,` or `}`"));
            }
        }
    }

    /// `-`, digits, a fraction, an exponent; no number begins with a needless zero.
    fn number(&mut self) -> Read<String> {
        let start = self.at;
        self.take(b'-');
        if !self.take(b'0') {
            self.digits()?;
        }
        if self.take(b'.') {
            self.digits()?;
        }
        if self.take(b'e') || self.take(b'E') {
            let _sign = self.take(b'+') || self.take(b'-');
            self.digits()?;
        }
        Ok(self.source[start..self.at].to_owned())
    }

    fn digits(&mut self) -> Read<()> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at == start { Err(self.unexpected("a digit")) } else { Ok(()) }
    }

    fn text(&mut self) -> Read<Text> {
        self.at += 1;
        let start = self.at;
        let mut value = String::new();
        let mut spelling = Spelling::Plain;
        loop {
            let next = self.rest().chars().next();
            match next {
                Some('"') => {
                    let span = Span::new(start, self.at);
                    self.at += 1;
                    return Ok(Text { value, span, spelling });
                }
                Some('\\') => {
                    spelling = Spelling::Escaped;
                    self.at += 1;
                    value.push(self.escape()?);
                }
                Some(character) if character >= ' ' => {
                    value.push(character);
                    self.at += character.len_utf8();
                }
                Some(_) | None => return Err(self.unexpected("the closing quote")),
            }
        }
    }

    fn escape(&mut self) -> Read<char> {
        let Some(letter) = self.peek() else { return Err(self.unexpected("an escape")) };
        let plain = match letter {
            b'"' | b'\\' | b'/' => char::from(letter),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                self.at += 1;
                return self.unit_or_pair();
            }
            _ => return Err(self.unexpected("an escape")),
        };
        self.at += 1;
        Ok(plain)
    }

    /// Four hexadecimal digits, or twice that for a character beyond the basic plane.
    fn unit_or_pair(&mut self) -> Read<char> {
        let first = self.unit()?;
        if let Some(character) = char::from_u32(first) {
            return Ok(character);
        }
        let high = (0xD800..0xDC00).contains(&first);
        if !(high && self.take(b'\\') && self.take(b'u')) {
            return Err(self.unexpected("the other half of a character"));
        }
        let second = self.unit()?;
        let low = second.checked_sub(0xDC00).filter(|low| *low < 0x400);
        let pair = low.and_then(|low| char::from_u32(0x1_0000 + ((first - 0xD800) << 10) + low));
        pair.ok_or_else(|| self.unexpected("the other half of a character"))
    }

    fn unit(&mut self) -> Read<u32> {
        let digits = self.rest().get(..4);
        let hexadecimal = |digits: &&str| digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let digits = digits.filter(hexadecimal);
        let unit = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let unit = unit.ok_or_else(|| self.unexpected("four hexadecimal digits"))?;
        self.at += 4;
        Ok(unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value, as another reader would have it.
    fn plain(value: &JsonValue) -> serde_json::Value {
        match &value.kind {
            Kind::Null => serde_json::Value::Null,
            Kind::Bool(truth) => (*truth).into(),
            Kind::Number(number) => serde_json::from_str(number).expect("a number"),
            Kind::Text(text) => text.value.clone().into(),
            Kind::List(all) => all.iter().map(plain).collect(),
            Kind::Object(all) => {
                all.iter().map(|(key, value)| (key.value.clone(), plain(value))).collect()
            }
        }
    }

    #[test]
    fn reads_what_others_read() {
        for text in [
            "null",
            " [ true , false,null ] ",
            r#"{"a":{},"b":[],"":[{"c":"d"}]}"#,
            "[0,-0,12,-3.25,1e9,2.5E-3,-1E+2]",
            r#""plain ∀ \" \\ \/ \b\f\n\r\t \u0041 \u2200 \ud83d\ude00""#,
        ] {
            let read = read(text).expect(text);
            assert_eq!(plain(&read), serde_json::from_str::<serde_json::Value>(text).expect(text));
        }
    }

    #[test]
    fn refuses_what_others_refuse_and_keys_given_twice() {
        for text in [
            "",
            " ",
            "nul",
            "[",
            "[1,]",
            "[1 2]",
            "{",
            "{a:1}",
            r#"{"a"}"#,
            r#"{"a":1,}"#,
            "01",
            "1.",
            "-",
            "1e",
            "\"",
            "\"\n\"",
            r#""\x""#,
            r#""\u12""#,
            r#""\ud800""#,
            r#""\udc00""#,
            r#""\ud800\u0041""#,
            "[1]]",
            "'a'",
            "+1",
            "NaN",
            "\u{feff}1",
        ] {
            assert!(read(text).is_err(), "{text}");
            assert!(serde_json::from_str::<serde_json::Value>(text).is_err(), "{text}");
        }
        let twice = read(r#"{"a":1,"a":2}"#).expect_err("given twice");
        assert_eq!(
            (twice.message.as_str(), twice.primary.span),
            ("`a` is given twice", Span::new(8, 9))
        );
    }

    #[test]
    fn depth_is_limited() {
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(read(&nested(NESTING_LIMIT)).is_ok());
        for depth in [NESTING_LIMIT + 2, 1_000_000] {
            let refused = read(&nested(depth)).expect_err("too deep");
            assert_eq!(refused.code, codes::TOO_DEEP);
        }
    }
}
