//! The protocols of a folder, each with the certificate beside it.
//!
//! `lock.cut` is the certificate of `lock.rml`. Where protocols in several languages share a name,
//! it belongs to the first in the order of `protocol_extensions`; the others have none. Entries that
//! begin with a dot, and links to folders, are passed over, so that no walk is endless.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::pipeline::protocol_extensions;

/// The extension of certificates.
const CERTIFICATE: &str = "cut";

/// A protocol of a folder, or what stands in the way.
pub(super) struct FolderEntry {
    /// The protocol; for a trouble, the file or folder that causes it.
    pub(super) path: PathBuf,
    /// The certificate beside the protocol.
    pub(super) certificate: Option<PathBuf>,
    /// Why it cannot be run.
    pub(super) trouble: Option<Trouble>,
}

/// Why an entry cannot be run.
pub(super) enum Trouble {
    /// The system reports an error.
    Unreadable(io::Error),
    /// It is a certificate, and there is no protocol.
    WithoutProtocol,
}

/// Every protocol in a folder and below it, in the order of the paths.
pub(super) fn entries(folder: &Path) -> Vec<FolderEntry> {
    let mut entries = Vec::new();
    collect(folder, &mut entries);
    entries.sort_by(|one, other| one.path.cmp(&other.path));
    entries
}

fn collect(folder: &Path, into: &mut Vec<FolderEntry>) {
    let listed = fs::read_dir(folder)
        .and_then(|listed| listed.map(|entry| entry.map(|own| own.path())).collect());
    let mut listed: Vec<PathBuf> = match listed {
        Ok(listed) => listed,
        Err(reason) => {
            into.push(FolderEntry {
                path: folder.to_owned(),
                certificate: None,
                trouble: Some(Trouble::Unreadable(reason)),
            });
            return;
        }
    };
    listed.sort();
    let is_hidden = |path: &Path| {
        path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
    };
    listed.retain(|path| !is_hidden(path));
    for path in &listed {
        // What cannot be looked at is left to the reader, which says why.
        let is_folder = fs::symlink_metadata(path).is_ok_and(|own| own.is_dir());
        let is_linked = !is_folder && path.is_dir();
        if is_folder {
            collect(path, into);
        } else if !is_linked && rank(path).is_some() {
            let certificate = certificate_of(path, &listed);
            into.push(FolderEntry { path: path.clone(), certificate, trouble: None });
        } else if !is_linked && is_certificate(path) && !has_protocol(path, &listed) {
            into.push(FolderEntry {
                path: path.clone(),
                certificate: None,
                trouble: Some(Trouble::WithoutProtocol),
            });
        }
    }
}

/// The place of a protocol's language among all; none for other files.
fn rank(path: &Path) -> Option<usize> {
    let extension = path.extension()?.to_str()?;
    protocol_extensions().position(|own| own == extension)
}

fn is_certificate(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == CERTIFICATE)
}

fn certificate_of(protocol: &Path, listed: &[PathBuf]) -> Option<PathBuf> {
    let beside = protocol.with_extension(CERTIFICATE);
    let namesakes = listed.iter().filter(|other| other.file_stem() == protocol.file_stem());
    let first = namesakes.filter_map(|other| rank(other)).min();
    (listed.contains(&beside) && first == rank(protocol)).then_some(beside)
}

fn has_protocol(certificate: &Path, listed: &[PathBuf]) -> bool {
    let is_namesake = |other: &&PathBuf| other.file_stem() == certificate.file_stem();
    listed.iter().filter(is_namesake).any(|other| rank(other).is_some())
}
