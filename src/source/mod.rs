//! Source texts and places in them: plain data, no files are read here.

mod position;

pub(crate) use position::floor_char_boundary;
pub use position::{LineIndex, Position};

use std::sync::Arc;

/// A source text with the name it is shown under.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    name: Arc<str>,
    text: Arc<str>,
    reading: Reading,
}

/// What is to be taken from a protocol text, where the text alone does not say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// The label of the line that is the property; what the text says if none is given.
    pub property: Option<Arc<str>>,
    /// What further invariants are for.
    pub lemmas: Lemmas,
}

/// What the invariants of a text are for, beyond the property.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lemmas {
    /// Nothing.
    #[default]
    Unused,
    /// They are lemmas, where they can be.
    Used,
}

impl SourceFile {
    /// A source text shown under `name`.
    pub fn new(name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Self {
        SourceFile { name: name.into(), text: text.into(), reading: Reading::default() }
    }

    /// The same text, read in another way.
    pub fn read_as(self, reading: Reading) -> Self {
        SourceFile { reading, ..self }
    }

    /// What is to be taken from the text.
    pub fn reading(&self) -> &Reading {
        &self.reading
    }

    /// The name this text is shown under.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// A byte range of a source text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The range `start..end`.
    pub fn new(start: usize, end: usize) -> Self {
        Span { start, end }
    }

    /// The empty range at the start.
    pub fn start_only(self) -> Span {
        Span { start: self.start, end: self.start }
    }

    /// The smallest range that covers both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A value and the place it was written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Where it was written.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// `value`, written at `span`.
    pub fn new(value: T, span: Span) -> Self {
        Spanned { value, span }
    }
}
