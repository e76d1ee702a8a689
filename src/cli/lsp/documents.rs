//! The texts that an editor has open, and the messages about them.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use lsp_types::{
    Diagnostic as Message, DiagnosticRelatedInformation, DiagnosticSeverity, Location,
    NumberOrString, Range, Uri,
};

use super::positions::{Encoding, Lines};
use crate::diagnostic::{Diagnostic, Severity};
use crate::index::{Index, IndexedText};
use crate::pipeline;
use crate::pipeline::{Formatted, Origin};
use crate::source::SourceFile;

/// The codes of holes outside `rmlcut complete`.
const SKETCH: [&str; 2] = ["RML0801", "MER0801"];

/// The ends of the names of protocols, in the order in which they are looked for.
const PROTOCOLS: &[&str] = &["rml", "ivy", "pyv", "mer", "ch"];

/// The open texts, by their addresses.
#[derive(Default)]
pub(super) struct Documents {
    texts: BTreeMap<String, (Uri, String)>,
    /// The last index of each text: an editor asks several things between two key strokes.
    indices: RefCell<BTreeMap<String, Rc<Index>>>,
}

impl Documents {
    /// Opens a text, or replaces it.
    pub(super) fn put(&mut self, uri: Uri, text: String) {
        self.texts.insert(uri.as_str().to_owned(), (uri, text));
    }

    /// Closes a text.
    pub(super) fn close(&mut self, uri: &Uri) {
        self.texts.remove(uri.as_str());
        self.indices.borrow_mut().remove(uri.as_str());
    }

    /// An open text.
    pub(super) fn text(&self, uri: &Uri) -> Option<&str> {
        self.texts.get(uri.as_str()).map(|(_, text)| text.as_str())
    }

    /// The open certificates beside a protocol: what is wrong with them may have changed.
    pub(super) fn beside(&self, uri: &Uri) -> Vec<Uri> {
        let stem = path(uri).with_extension("");
        let others = self.texts.values().map(|(other, _)| other).filter(|other| {
            is_certificate(other) && *other != uri && path(other).with_extension("") == stem
        });
        others.cloned().collect()
    }

    /// Everything that is wrong or suspicious in an open text, for an editor.
    pub(super) fn messages(&self, uri: &Uri, encoding: Encoding) -> Vec<Message> {
        let Some(text) = self.text(uri) else { return Vec::new() };
        let lines = Lines::new(text, encoding);
        match self.diagnostics(uri) {
            Ok(found) => found.iter().map(|own| message(own, uri, &lines)).collect(),
            Err(remarked) => vec![remark(remarked)],
        }
    }

    /// Everything that is wrong or suspicious in an open text.
    ///
    /// # Errors
    /// Why it cannot be known: a certificate needs its protocol.
    pub(super) fn diagnostics(&self, uri: &Uri) -> Result<Vec<Diagnostic>, String> {
        let Some(source) = self.source(uri) else { return Ok(Vec::new()) };
        if is_certificate(uri) {
            let missing = "the protocol is not beside this certificate: the protocol declares its \
                           names";
            let protocol = self.protocol_beside(uri).ok_or(missing)?;
            return of_certificate(&protocol, &source);
        }
        match pipeline::read_with_every_message(&source) {
            Ok((_, messages)) | Err(messages) => Ok(messages),
        }
    }

    /// An open text, under the name of its file.
    pub(super) fn source(&self, uri: &Uri) -> Option<SourceFile> {
        Some(SourceFile::new(path(uri).display().to_string(), self.text(uri)?))
    }

    /// A protocol in its canonical form; nothing where it cannot be read.
    pub(super) fn formatted(&self, uri: &Uri) -> Option<String> {
        let source = self.source(uri)?;
        if is_certificate(uri) {
            return None;
        }
        match pipeline::format(&source) {
            Ok(Formatted::Canonical(text)) => Some(text),
            Ok(Formatted::Translated { .. }) | Err(_) => None,
        }
    }

    /// The names of an open text in RML or of an open certificate, with those of the text beside it.
    pub(super) fn indexed(&self, uri: &Uri) -> Option<(Rc<Index>, IndexedText)> {
        let source = self.source(uri)?;
        if is_certificate(uri) {
            let index = self.index_of(uri, self.protocol_beside(uri), Some(source));
            return Some((index, IndexedText::Certificate));
        }
        if path(uri).extension().is_none_or(|extension| extension != PROTOCOLS[0]) {
            return None;
        }
        let beside = self.beside(uri).into_iter().next();
        let certificate = beside.and_then(|beside| self.source(&beside));
        Some((self.index_of(uri, Some(source), certificate), IndexedText::Protocol))
    }

    /// The index of two texts; the last one of the first text, if they are the same as then.
    fn index_of(
        &self,
        uri: &Uri,
        protocol: Option<SourceFile>,
        certificate: Option<SourceFile>,
    ) -> Rc<Index> {
        let mut indices = self.indices.borrow_mut();
        if let Some(known) = indices.get(uri.as_str())
            && known.source(IndexedText::Protocol) == protocol.as_ref()
            && known.source(IndexedText::Certificate) == certificate.as_ref()
        {
            return Rc::clone(known);
        }
        let index = Rc::new(Index::new(protocol.as_ref(), certificate.as_ref()));
        indices.insert(uri.as_str().to_owned(), Rc::clone(&index));
        index
    }

    /// The address of a file, as its editor writes it if it is open, else as that of its neighbour.
    pub(super) fn address(&self, file: &SourceFile, neighbour: &Uri) -> Uri {
        let wanted = Path::new(file.name());
        let open = self.texts.values().find(|(other, _)| path(other) == wanted);
        if let Some((uri, _)) = open {
            return uri.clone();
        }
        let end = wanted.extension().and_then(|end| end.to_str()).unwrap_or_default();
        let stem = neighbour.as_str().rsplit_once('.').map_or("", |(stem, _)| stem);
        format!("{stem}.{end}").parse().unwrap_or_else(|_| neighbour.clone())
    }

    /// The protocol of a certificate: an open text, or a file, of the same name.
    pub(super) fn protocol_beside(&self, uri: &Uri) -> Option<SourceFile> {
        PROTOCOLS.iter().find_map(|extension| {
            let beside: PathBuf = path(uri).with_extension(extension);
            let open = self.texts.values().find(|(other, _)| path(other) == beside);
            let text = match open {
                Some((_, text)) => Some(text.clone()),
                None => fs::read_to_string(&beside).ok(),
            };
            Some(SourceFile::new(beside.display().to_string(), text?))
        })
    }
}

/// What is wrong with a certificate; a remark if its protocol has errors.
fn of_certificate(protocol: &SourceFile, source: &SourceFile) -> Result<Vec<Diagnostic>, String> {
    let Ok((protocol, _)) = pipeline::read_protocol(protocol) else {
        return Err(format!("{} has errors: this certificate is not checked", protocol.name()));
    };
    match pipeline::read_certificate(&protocol, source, Origin::ThisText) {
        Ok(read) => Ok(read.warnings),
        Err(messages) => Ok(messages),
    }
}

/// A message without a place in the text.
fn remark(message: String) -> Message {
    Message {
        range: Range::default(),
        severity: Some(DiagnosticSeverity::INFORMATION),
        source: Some("rmlcut".to_owned()),
        message,
        ..Message::default()
    }
}

fn message(own: &Diagnostic, uri: &Uri, lines: &Lines<'_>) -> Message {
    let mut words = vec![own.message.clone()];
    words.extend(Some(&own.primary.message).filter(|label| !label.is_empty()).cloned());
    words.extend(own.hint.as_ref().map(|hint| format!("hint: {hint}")));
    let related = own.secondary.iter().map(|label| DiagnosticRelatedInformation {
        location: Location::new(uri.clone(), lines.range(label.span)),
        message: label.message.clone(),
    });
    let related: Vec<_> = related.collect();
    Message {
        range: lines.range(own.primary.span),
        severity: Some(match own.severity {
            // Holes are open on purpose.
            Severity::Error if SKETCH.contains(&own.code.0) => DiagnosticSeverity::INFORMATION,
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
            Severity::Note => DiagnosticSeverity::INFORMATION,
        }),
        code: Some(NumberOrString::String(own.code.0.to_owned())),
        source: Some("rmlcut".to_owned()),
        message: words.join("\n"),
        related_information: (!related.is_empty()).then_some(related),
        ..Message::default()
    }
}

pub(super) fn is_certificate(uri: &Uri) -> bool {
    path(uri).extension().is_some_and(|extension| extension == "cut")
}

/// The file that an address names.
fn path(uri: &Uri) -> PathBuf {
    let decoded = uri.path().as_estr().decode().into_string_lossy().into_owned();
    Path::new(&decoded).to_owned()
}
