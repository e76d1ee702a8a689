//! Places of the protocol of editors: lines and columns counted in UTF-16 units or bytes.

use lsp_types::{Position, PositionEncodingKind, Range, TextDocumentContentChangeEvent};

use crate::source::{Span, floor_char_boundary};

/// What a column counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// Bytes.
    Utf8,
    /// Units of UTF-16, which every client understands.
    Utf16,
}

impl Encoding {
    /// The one to use with a client that offers these.
    pub(super) fn negotiated(offered: &[PositionEncodingKind]) -> Self {
        match offered.contains(&PositionEncodingKind::UTF8) {
            true => Encoding::Utf8,
            false => Encoding::Utf16,
        }
    }

    /// Its name in the protocol.
    pub(super) fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        }
    }

    fn width(self, character: char) -> usize {
        match self {
            Encoding::Utf8 => character.len_utf8(),
            Encoding::Utf16 => character.len_utf16(),
        }
    }

    /// A text after an edit.
    pub(super) fn edited(self, text: &str, change: &TextDocumentContentChangeEvent) -> String {
        let Some(range) = change.range else { return change.text.clone() };
        let lines = Lines::new(text, self);
        let (one, other) = (lines.offset(range.start), lines.offset(range.end));
        let (start, end) = (one.min(other), one.max(other));
        [&text[..start], &change.text, &text[end..]].concat()
    }
}

/// The lines of a text, for places in it.
pub(super) struct Lines<'a> {
    text: &'a str,
    encoding: Encoding,
    /// Every line end: where it is, and where the next line begins.
    ends: Vec<(usize, usize)>,
}

impl<'a> Lines<'a> {
    pub(super) fn new(text: &'a str, encoding: Encoding) -> Self {
        Lines { text, encoding, ends: line_ends(text).collect() }
    }

    /// The place of a byte.
    pub(super) fn position(&self, offset: usize) -> Position {
        let offset = floor_char_boundary(self.text, offset);
        let line = self.ends.partition_point(|(_, next)| *next <= offset);
        let start = self.start(line).unwrap_or(0);
        Position { line: number(line), character: self.width(Span::new(start, offset)) }
    }

    /// The place of a range of bytes.
    pub(super) fn range(&self, span: Span) -> Range {
        Range { start: self.position(span.start), end: self.position(span.end) }
    }

    /// How many columns a part of a line has.
    pub(super) fn width(&self, span: Span) -> u32 {
        let part = self.text.get(span.start..span.end).unwrap_or_default();
        number(part.chars().map(|character| self.encoding.width(character)).sum())
    }

    fn start(&self, line: usize) -> Option<usize> {
        match line {
            0 => Some(0),
            _ => self.ends.get(line - 1).map(|(_, next)| *next),
        }
    }

    /// The byte at a place; a column behind the end of its line is that end, and a line behind the
    /// last one the end of the text.
    pub(super) fn offset(&self, position: Position) -> usize {
        let line = position.line as usize;
        let Some(start) = self.start(line) else { return self.text.len() };
        let end = self.ends.get(line).map_or(self.text.len(), |(end, _)| *end);
        let mut column = 0;
        for (offset, character) in self.text[start..end].char_indices() {
            column += self.encoding.width(character);
            if column > position.character as usize {
                return start + offset;
            }
        }
        end
    }
}

/// Every line end: where it is, and where the next line begins.
fn line_ends(text: &str) -> impl Iterator<Item = (usize, usize)> {
    text.char_indices().filter_map(|(offset, character)| match character {
        '\n' if text[..offset].ends_with('\r') => Some((offset - 1, offset + 1)),
        '\n' => Some((offset, offset + 1)),
        '\r' if !text[offset + 1..].starts_with('\n') => Some((offset, offset + 1)),
        _ => None,
    })
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "sort né\r\n∀ 😀 x\rlast\n";

    #[test]
    fn places_and_bytes_are_inverse() {
        for encoding in [Encoding::Utf8, Encoding::Utf16] {
            let lines = Lines::new(TEXT, encoding);
            for (offset, character) in TEXT.char_indices() {
                // Between the two characters of one line end there is no place.
                if character == '\n' && TEXT[..offset].ends_with('\r') {
                    continue;
                }
                let position = lines.position(offset);
                assert_eq!(lines.offset(position), offset, "{encoding:?} {offset}");
            }
        }
    }

    #[test]
    fn columns_count_what_was_agreed_on() {
        let x = TEXT.find('x').expect("the text has it");
        assert_eq!(Lines::new(TEXT, Encoding::Utf16).position(x), Position::new(1, 5));
        assert_eq!(Lines::new(TEXT, Encoding::Utf8).position(x), Position::new(1, 9));
    }

    #[test]
    fn places_behind_the_end_are_the_end() {
        let lines = Lines::new(TEXT, Encoding::Utf16);
        assert_eq!(lines.offset(Position::new(0, 99)), "sort né".len());
        assert_eq!(lines.offset(Position::new(99, 0)), TEXT.len());
    }
}
