//! `--smt2 DIR` and `--proofs`: a folder of scripts and proofs, written wholly or not at all.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::CheckArguments;
use crate::cli::Format;
use crate::cli::command_output::{CommandAnswer, ExitStatus};
use crate::judge::request::JudgeRequest;
use crate::judge::{JudgeError, Judgement};
use crate::pipeline;
use crate::report;
use crate::report::ci::shown;
use crate::report::text::check::EvidenceWritten;
use crate::report::text::check::evidence::MARK;
use crate::smt::Proof;

/// Why there is no folder of evidence.
#[derive(Debug, thiserror::Error)]
pub(super) enum FolderError {
    /// Something else is there.
    #[error("{}: this folder has files that were not written by `--smt2`: choose another folder", shown(.0))]
    Occupied(PathBuf),
    /// The system reports an error.
    #[error("cannot write {}: {reason}", shown(path))]
    Unwritable {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        reason: io::Error,
    },
}

/// Refuses a folder that holds anything but evidence that rmlcut wrote, and one that cannot be written.
pub(super) fn ensure_only_evidence(folder: &Path) -> Result<(), FolderError> {
    let unwritable = |reason| FolderError::Unwritable { path: folder.to_owned(), reason };
    probe(folder).map_err(unwritable)?;
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(unwritable(error)),
    };
    let names = entries
        .map(|entry| entry.map(|entry| entry.file_name().to_string_lossy().into_owned()))
        .collect::<Result<Vec<String>, _>>()
        .map_err(unwritable)?;
    let readme = fs::read_to_string(folder.join(README)).unwrap_or_default();
    let known = |name: &String| name == README || is_exhibit(name);
    if names.is_empty() || (readme.starts_with(MARK) && names.iter().all(known)) {
        Ok(())
    } else {
        Err(FolderError::Occupied(folder.to_owned()))
    }
}

/// Whether something new can be put beside a folder, or where its first missing parent would be.
fn probe(folder: &Path) -> io::Result<()> {
    let parents = folder.ancestors().skip(1).map(|parent| match parent.as_os_str().is_empty() {
        true => Path::new("."),
        false => parent,
    });
    let mut existing = parents.filter(|parent| parent.exists());
    let Some(existing) = existing.next() else { return Ok(()) };
    let draft = beside(&existing.join("evidence"), "new");
    fs::create_dir(&draft).and_then(|()| fs::remove_dir(&draft))
}

/// Writes what `--smt2` and `--proofs` ask for.
pub(super) fn written(
    arguments: &CheckArguments,
    format: Format,
    request: &JudgeRequest,
    judgement: &Judgement,
    verdict: &str,
) -> Result<Option<EvidenceWritten>, CommandAnswer> {
    let Some(folder) = &arguments.smt2 else { return Ok(None) };
    let failed = |error: JudgeError| super::failed(format, &error);
    let evidence = pipeline::evidence(judgement, request, arguments.proofs_wanted());
    let evidence = evidence.map_err(failed)?;
    let mut files = vec![(
        README.to_owned(),
        report::text::check::evidence::readme(
            verdict,
            &evidence.exhibits,
            evidence.proofs.as_deref(),
        ),
    )];
    for exhibit in &evidence.exhibits {
        files.push((format!("{}.smt2", exhibit.stem), exhibit.script.clone()));
    }
    let mut stored = 0;
    for (exhibit, proof) in evidence.exhibits.iter().zip(evidence.proofs.iter().flatten()) {
        if let Some(Proof::Alethe(text)) = proof {
            stored += 1;
            files.push((format!("{}.alethe", exhibit.stem), text.clone()));
        }
    }
    write(folder, &files).map_err(|error| failure(format, &error))?;
    Ok(Some(EvidenceWritten {
        folder: folder.display().to_string(),
        scripts: evidence.exhibits.len(),
        proofs: evidence.proofs.map(|_| stored),
    }))
}

pub(super) fn failure(format: Format, error: &FolderError) -> CommandAnswer {
    let status = match error {
        FolderError::Occupied(_) => ExitStatus::WrongInput,
        FolderError::Unwritable { .. } => ExitStatus::EnvironmentError,
    };
    CommandAnswer::failure(format, status, error)
}

/// The name of the page that explains the folder.
pub(super) const README: &str = "README.md";

/// `017-two-safety-one.smt2`
fn is_exhibit(name: &str) -> bool {
    let ending = name.ends_with(".smt2") || name.ends_with(".alethe");
    ending && name.split('-').next().is_some_and(|number| number.parse::<u32>().is_ok())
}

/// Puts files in the place of a folder that rmlcut wrote, or a new one.
pub(super) fn write(folder: &Path, files: &[(String, String)]) -> Result<(), FolderError> {
    ensure_only_evidence(folder)?;
    let draft = beside(folder, "new");
    let written = write_draft(&draft, files).and_then(|()| put_in_place(&draft, folder));
    if written.is_err() {
        // There is nothing more to be done about it.
        let _ = fs::remove_dir_all(&draft);
    }
    written.map_err(|reason| FolderError::Unwritable { path: folder.to_owned(), reason })
}

fn write_draft(draft: &Path, files: &[(String, String)]) -> io::Result<()> {
    if let Some(parent) = draft.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::create_dir(draft)?;
    files.iter().try_for_each(|(name, text)| fs::write(draft.join(name), text))
}

fn put_in_place(draft: &Path, folder: &Path) -> io::Result<()> {
    if !folder.exists() {
        return fs::rename(draft, folder);
    }
    let old = beside(folder, "old");
    fs::rename(folder, &old)?;
    if let Err(error) = fs::rename(draft, folder) {
        fs::rename(&old, folder)?;
        return Err(error);
    }
    fs::remove_dir_all(&old)
}

fn beside(folder: &Path, what: &str) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(folder.file_name().unwrap_or_default());
    name.push(format!(".{what}.{}", std::process::id()));
    folder.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(numbers: &[u32]) -> Vec<(String, String)> {
        let scripts = numbers.iter().map(|n| (format!("{n:03}-a.smt2"), "(exit)".to_owned()));
        scripts.chain([(README.to_owned(), format!("{MARK}\n"))]).collect()
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn evidence_replaces_evidence_and_nothing_else() {
        let temporary = tempfile::tempdir().expect("a folder");
        let folder = temporary.path().join("deep/evidence");
        write(&folder, &files(&[1, 2, 3])).expect("a new folder");
        write(&folder, &files(&[1])).expect("our own folder");
        assert_eq!(names(&folder), ["001-a.smt2", "README.md"]);
        assert_eq!(names(folder.parent().expect("a parent")), ["evidence"]);
        fs::write(folder.join("thesis.tex"), "precious").expect("a file");
        let refused = write(&folder, &files(&[1, 2]));
        assert!(matches!(refused, Err(FolderError::Occupied(_))), "{refused:?}");
        assert_eq!(names(&folder), ["001-a.smt2", "README.md", "thesis.tex"]);
    }

    #[test]
    fn a_folder_without_our_page_is_not_ours() {
        let temporary = tempfile::tempdir().expect("a folder");
        fs::write(temporary.path().join("001-mine.smt2"), "(exit)").expect("a file");
        assert!(matches!(ensure_only_evidence(temporary.path()), Err(FolderError::Occupied(_))));
        let file = temporary.path().join("001-mine.smt2");
        assert!(matches!(ensure_only_evidence(&file), Err(FolderError::Unwritable { .. })));
        assert!(ensure_only_evidence(&temporary.path().join("none")).is_ok());
    }
}
