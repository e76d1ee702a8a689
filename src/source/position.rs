//! Lines and columns of a text, for messages.

use std::fmt;

use super::SourceFile;

impl SourceFile {
    /// One-based line and column (in characters) of a byte offset.
    pub fn position(&self, offset: usize) -> Position {
        let offset = floor_char_boundary(&self.text, offset);
        let before = &self.text[..offset];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Position {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}

/// The last boundary between characters up to an offset.
pub(crate) fn floor_char_boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// An index of positions, for many lookups in one text.
#[derive(Clone, Debug)]
pub struct LineIndex<'a> {
    text: &'a str,
    /// Known positions in ascending order: line starts, and one every few hundred bytes.
    known: Vec<(usize, Position)>,
}

/// Between two known positions lie at most about so many bytes.
const STRIDE: usize = 256;

impl<'a> LineIndex<'a> {
    /// An index of a source text.
    pub fn new(source: &'a SourceFile) -> Self {
        let text = source.text();
        let mut position = Position { line: 1, column: 1 };
        let mut known = vec![(0, position)];
        let mut last = 0;
        for (offset, character) in text.char_indices() {
            if offset - last >= STRIDE {
                known.push((offset, position));
                last = offset;
            }
            position = position.after(character);
            if character == '\n' {
                known.push((offset + 1, position));
                last = offset + 1;
            }
        }
        LineIndex { text, known }
    }

    /// One-based line and column of a byte offset.
    pub fn position(&self, offset: usize) -> Position {
        let offset = floor_char_boundary(self.text, offset);
        let after = self.known.partition_point(|(start, _)| *start <= offset);
        let (start, position) = self.known[after.saturating_sub(1)];
        self.text[start..offset].chars().fold(position, Position::after)
    }
}

/// One-based line and column, counted in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
}

impl Position {
    /// The position after a character that stands here.
    fn after(self, character: char) -> Position {
        if character == '\n' {
            Position { line: self.line + 1, column: 1 }
        } else {
            Position { column: self.column + 1, ..self }
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_agrees_with_counting() {
        let text = format!("sort ∀\n\n{}\r\n{}", "é ".repeat(500), "x".repeat(700));
        let source = SourceFile::new("test.rml", text);
        let index = LineIndex::new(&source);
        for offset in 0..source.text().len() + 2 {
            assert_eq!(index.position(offset), source.position(offset), "at byte {offset}");
        }
    }
}
