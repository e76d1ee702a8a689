//! An open text with its names, and places in it and in the text beside it.

use std::rc::Rc;

use lsp_types::{Location, Position, Range, TextDocumentPositionParams, Uri};

use super::documents::Documents;
use super::positions::{Encoding, Lines};
use crate::index::{EntityId, Index, IndexedText, Place};
use crate::source::{SourceFile, Span};

/// An open text with its names.
pub(super) struct View<'a> {
    documents: &'a Documents,
    uri: &'a Uri,
    encoding: Encoding,
    pub(super) index: Rc<Index>,
    pub(super) side: IndexedText,
}

impl<'a> View<'a> {
    /// The view of an open text; none where its language has no index.
    pub(super) fn new(documents: &'a Documents, uri: &'a Uri, encoding: Encoding) -> Option<Self> {
        let (index, side) = documents.indexed(uri)?;
        Some(View { documents, uri, encoding, index, side })
    }

    fn text(&self, side: IndexedText) -> &str {
        self.index.source(side).map_or("", SourceFile::text)
    }

    /// The lines of the text itself.
    pub(super) fn lines(&self) -> Lines<'_> {
        Lines::new(self.text(self.side), self.encoding)
    }

    pub(super) fn offset(&self, position: Position) -> usize {
        self.lines().offset(position)
    }

    /// The name at a position.
    pub(super) fn place(&self, at: &TextDocumentPositionParams) -> Option<&Place> {
        self.index.at(self.side, self.offset(at.position))
    }

    /// The address of one of the two texts.
    pub(super) fn uri(&self, side: IndexedText) -> Uri {
        match self.index.source(side) {
            Some(source) if side != self.side => self.documents.address(source, self.uri),
            _ => self.uri.clone(),
        }
    }

    /// Whether the editor has a text open.
    pub(super) fn is_open(&self, side: IndexedText) -> bool {
        self.documents.text(&self.uri(side)).is_some()
    }

    pub(super) fn range(&self, side: IndexedText, span: Span) -> Range {
        Lines::new(self.text(side), self.encoding).range(span)
    }

    pub(super) fn location(&self, side: IndexedText, span: Span) -> Location {
        Location::new(self.uri(side), self.range(side, span))
    }

    /// Where a thing is declared, in words, if that is in the other text.
    pub(super) fn elsewhere(&self, id: EntityId) -> Option<String> {
        let entity = self.index.entity(id);
        let source = self.index.source(entity.text).filter(|_| entity.text != self.side)?;
        let file = source.name().rsplit(['/', '\\']).next().unwrap_or_default();
        Some(format!("Declared in {file}, line {}.", source.position(entity.span.start).line))
    }
}
