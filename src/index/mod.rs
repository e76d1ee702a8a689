//! The names of a protocol and its certificate: what each stands for, and every place of it.
//!
//! For editors: no verdict depends on it. It reads the surface trees, so that it works on texts with
//! mistakes as far as they can be read, and it never refuses anything: names that mean nothing have
//! no place.

mod builder;
mod calls;
mod certificate;
mod colours;
mod completion;
mod entity;
mod expressions;
mod outline;
mod protocol;
mod rename;
mod words;

pub use calls::Call;
pub use colours::{Colour, Coloured};
pub use completion::{Completions, Proposal};
pub use entity::{Entity, EntityId, EntityKind, IndexedText, Place, Role};
pub use outline::OutlineItem;
pub use rename::RenameRefusal;

use builder::Builder;

use crate::diagnostic::Diagnostic;
use crate::frontend::certificate::surface::CertificateFile;
use crate::frontend::syntax::surface::{Item, LabelledFormula, Module};
use crate::frontend::{FRONTENDS, ReadMachines, frontend, parse, parse_certificate};
use crate::logic::Name;
use crate::source::{SourceFile, Span};

/// The names of a protocol, of a certificate, or of both.
pub struct Index {
    protocol: Option<IndexedProtocol>,
    certificate: Option<IndexedCertificate>,
    entities: Vec<Entity>,
    /// In the order of the texts; no two of a text overlap.
    places: Vec<Place>,
}

struct IndexedProtocol {
    source: SourceFile,
    module: Module,
    machines: Option<ReadMachines>,
    /// Whether it is in our own language: the others are translated, and their places are not known.
    is_ours: bool,
    is_whole: bool,
}

struct IndexedCertificate {
    source: SourceFile,
    file: CertificateFile,
    is_whole: bool,
}

impl Index {
    /// The index of what can be read of two texts.
    pub fn new(protocol: Option<&SourceFile>, certificate: Option<&SourceFile>) -> Self {
        let is_whole = |messages: &[Diagnostic]| !messages.iter().any(Diagnostic::is_error);
        let protocol = protocol.map(|source| {
            let parsed = parse(source);
            let is_ours = frontend(source).extension == FRONTENDS[0].extension;
            let is_whole = is_whole(&parsed.diagnostics);
            let (source, module, machines) = (source.clone(), parsed.module, parsed.machines);
            IndexedProtocol { source, module, machines, is_ours, is_whole }
        });
        let certificate = certificate.map(|source| {
            let parsed = parse_certificate(source);
            let is_whole = is_whole(&parsed.diagnostics);
            IndexedCertificate { source: source.clone(), file: parsed.file, is_whole }
        });
        let mut builder = Builder::new();
        if let Some(read) = &protocol {
            builder.enter(IndexedText::Protocol, read.source.text());
            builder.protocol(&read.module);
            if let Some(machines) = &read.machines {
                builder.messages(&machines.written);
            }
            if !read.is_ours {
                builder.places.clear();
            }
        }
        if let Some(read) = &certificate {
            builder.enter(IndexedText::Certificate, read.source.text());
            builder.certificate(&read.file);
        }
        let (entities, mut places) = (builder.entities, builder.places);
        places.sort_by_key(|place| (place.text, place.word.start, place.role));
        places.dedup_by_key(|place| (place.text, place.word.start));
        Index { protocol, certificate, entities, places }
    }

    /// The source of a text, if it was given.
    pub fn source(&self, text: IndexedText) -> Option<&SourceFile> {
        match text {
            IndexedText::Protocol => self.protocol.as_ref().map(|read| &read.source),
            IndexedText::Certificate => self.certificate.as_ref().map(|read| &read.source),
        }
    }

    fn text(&self, text: IndexedText) -> &str {
        self.source(text).map_or("", SourceFile::text)
    }

    /// A named thing.
    pub fn entity(&self, id: EntityId) -> &Entity {
        &self.entities[id.0]
    }

    /// Every named thing, in the order in which they were found.
    pub fn entities(&self) -> impl Iterator<Item = (EntityId, &Entity)> {
        self.entities.iter().enumerate().map(|(position, entity)| (EntityId(position), entity))
    }

    /// Every place of a text, in order.
    pub fn places(&self, text: IndexedText) -> impl Iterator<Item = &Place> {
        self.places.iter().filter(move |place| place.text == text)
    }

    /// Every place of a thing, the protocol's first.
    pub fn places_of(&self, id: EntityId) -> impl Iterator<Item = &Place> {
        self.places.iter().filter(move |place| place.entity == id)
    }

    /// The name at a byte of a text, or that ends there.
    pub fn at(&self, text: IndexedText, offset: usize) -> Option<&Place> {
        let touches = |place: &&Place| place.word.start <= offset && offset <= place.word.end;
        let mut touching = self.places(text).filter(touches);
        let first = touching.next()?;
        // Between two names, the one that begins counts.
        Some(touching.next().unwrap_or(first))
    }

    /// The names and sorts of the arguments of a thing, as far as it has some.
    pub fn params(&self, id: EntityId) -> Vec<(Option<Name>, Option<Name>)> {
        let owned = self
            .entities
            .iter()
            .filter(|entity| entity.owner == Some(id) && entity.kind == EntityKind::Parameter);
        let named: Vec<_> =
            owned.map(|entity| (Some(entity.name.clone()), entity.sort.clone())).collect();
        match self.entity(id).kind {
            EntityKind::Case => Vec::new(),
            _ if named.is_empty() => {
                self.entity(id).sorts.iter().map(|sort| (None, Some(sort.clone()))).collect()
            }
            _ => named,
        }
    }

    /// The lines that state what must hold, with their labels.
    pub fn safety_lines(&self) -> Vec<(Option<Name>, Span)> {
        let items = self.protocol.iter().flat_map(|read| &read.module.items);
        let lines = items.filter_map(|item| match &item.value {
            Item::Safety(LabelledFormula { label, .. }) => {
                Some((label.as_ref().map(|label| label.value.clone()), item.span))
            }
            _ => None,
        });
        lines.collect()
    }
}
