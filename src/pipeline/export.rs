//! Writing a protocol for another tool, with what a certificate knows about it.

use crate::certificate::{Certificate, ProofArgument};
use crate::diagnostic::Diagnostic;
use crate::export::{ExportError, ExportInstance, ExportLanguage, Exported};
use crate::protocol::{Property, PropertyKind, Protocol};
use crate::source::SourceFile;

use super::{Origin, ReadCertificate, read_certificate, read_protocol};

/// What to write, beside the protocol.
#[derive(Clone, Debug, Default)]
pub struct ExportRequest {
    /// What to call the protocol, if not by its own name.
    pub name: Option<String>,
    /// How many elements sorts have, by name.
    pub sizes: Vec<(String, u32)>,
    /// The integers that a finite-state tool should look at.
    pub integers: Option<(i64, i64)>,
}

/// Why nothing was written.
pub enum ExportFailure {
    /// The protocol is wrong.
    Protocol(Vec<Diagnostic>),
    /// The certificate is wrong.
    Certificate(Vec<Diagnostic>),
    /// No sort has this name.
    UnknownSort(String),
    /// The language cannot say it.
    Unsayable(ExportError),
}

/// Writes a protocol in another language; a certificate adds its lemmas, its invariant and the
/// size of its cutoff.
///
/// # Errors
/// When a text or the request is wrong, or the language cannot say what the protocol does.
pub fn export(
    source: &SourceFile,
    certificate: Option<&SourceFile>,
    language: &ExportLanguage,
    request: &ExportRequest,
) -> Result<(Exported, Vec<Diagnostic>), ExportFailure> {
    let (mut protocol, warnings) = read_protocol(source).map_err(ExportFailure::Protocol)?;
    let mut instance = ExportInstance { integers: request.integers, ..ExportInstance::default() };
    if let Some(text) = certificate {
        let read = read_certificate(&protocol, text, Origin::AnyText);
        let ReadCertificate { certificate, .. } = read.map_err(ExportFailure::Certificate)?;
        instance.size = cutoff(&certificate);
        protocol = strengthened(&certificate);
    }
    if let Some(name) = &request.name {
        protocol.name = name.as_str().into();
    }
    for (name, count) in &request.sizes {
        let sort = protocol.signature.find_sort(name);
        let sort = sort.ok_or_else(|| ExportFailure::UnknownSort(name.clone()))?;
        instance.size.insert(sort, *count);
    }
    let exported = (language.write)(&protocol, &instance).map_err(ExportFailure::Unsayable)?;
    Ok((exported, warnings))
}

/// The greatest number of elements that any case gives to a sort.
fn cutoff(certificate: &Certificate) -> crate::protocol::Size {
    let mut size = crate::protocol::Size::new();
    if let ProofArgument::Cutoff(cases) = &certificate.argument {
        for cut in cases.iter().flat_map(|case| &case.cut) {
            let count = u32::try_from(cut.elements.len()).unwrap_or(u32::MAX);
            let known = size.entry(cut.sort).or_insert(count);
            *known = count.max(*known);
        }
    }
    size
}

/// The protocol with everything that the certificate shows of it.
fn strengthened(certificate: &Certificate) -> Protocol {
    let mut protocol = certificate.large.clone();
    if let ProofArgument::Invariant(invariant) = &certificate.argument {
        for clause in &invariant.clauses {
            let known = protocol.property(&clause.name).is_some();
            if !known {
                let named = (clause.name.clone(), PropertyKind::Lemma);
                let symbols = protocol.signature.symbols();
                let reserved = symbols.map(|(_, symbol)| symbol.name.clone()).collect();
                let lemma = Property::new(named, &clause.formula, &reserved, clause.span);
                protocol.properties.push(lemma);
            }
        }
    }
    protocol
}
