//! `--watch`: waits until one of the watched files changes.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

/// The polling interval.
const LOOK_EVERY: Duration = Duration::from_millis(150);

/// A file that is missing this many times in a row is reported.
const MISSING_LOOKS: u32 = 7;

/// A file's time of change, length and identity; `None` while it is missing.
type Look = Option<(SystemTime, u64, u64)>;

/// Some files, as they were when last read.
pub(crate) struct Watched {
    files: Vec<(PathBuf, Look)>,
}

impl Watched {
    /// Files as they are now.
    pub(crate) fn new(paths: impl IntoIterator<Item = PathBuf>) -> Self {
        let files = paths.into_iter();
        Watched { files: files.map(|path| (path.clone(), look(&path))).collect() }
    }

    /// Waits until a file has changed, all are present and none is still being written, or until
    /// `is_over`. Returns the files that changed; calls `report_missing` for a file that stays away.
    pub(crate) fn wait(
        &mut self,
        is_over: &dyn Fn() -> bool,
        report_missing: &mut dyn FnMut(&Path),
    ) -> Vec<PathBuf> {
        let mut last: Option<Vec<Look>> = None;
        let mut absent = 0;
        while !is_over() {
            // Editors take a file away before they replace it: not there is not yet saved.
            let now: Vec<Look> = self.files.iter().map(|(path, _)| look(path)).collect();
            let gone = now.iter().position(Option::is_none);
            let differs = |(index, now): (usize, &Look)| self.files[index].1 != *now;
            if gone.is_none() && last.as_ref() == Some(&now) && now.iter().enumerate().any(differs)
            {
                return self.replace(now);
            }
            absent = if gone.is_some() { absent + 1 } else { 0 };
            if let Some(gone) = gone.filter(|_| absent == MISSING_LOOKS) {
                report_missing(&self.files[gone].0);
            }
            last = Some(now);
            thread::sleep(LOOK_EVERY);
        }
        Vec::new()
    }

    fn replace(&mut self, looks: Vec<Look>) -> Vec<PathBuf> {
        let mut changed = Vec::new();
        for ((path, before), now) in self.files.iter_mut().zip(looks) {
            if *before != now {
                *before = now;
                changed.push(path.clone());
            }
        }
        changed
    }
}

fn look(path: &Path) -> Look {
    let metadata = fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len(), identity(&metadata)))
}

/// Distinguishes a file from one that was moved to its place.
#[cfg(unix)]
fn identity(metadata: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(metadata)
}

#[cfg(not(unix))]
fn identity(_metadata: &fs::Metadata) -> u64 {
    0
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::{Cell, RefCell};

    /// Waits while `event` happens at each look; the files that changed, and those reported missing.
    fn wait(watched: &mut Watched, event: &dyn Fn(u32)) -> (Vec<PathBuf>, Vec<PathBuf>) {
        let (looks, away) = (Cell::new(0), RefCell::new(Vec::new()));
        let is_over = || {
            looks.set(looks.get() + 1);
            event(looks.get());
            looks.get() > 30
        };
        let changed = watched.wait(&is_over, &mut |path| away.borrow_mut().push(path.to_owned()));
        (changed, away.into_inner())
    }

    #[test]
    fn a_saved_file_is_noticed_and_an_absent_one_awaited() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let write = |name: &str, text: &str| fs::write(path(name), text).expect("a file");
        write("a.rml", "one");
        write("a.cut", "one");
        let mut watched = Watched::new([path("a.rml"), path("a.cut")]);
        assert_eq!(wait(&mut watched, &|_| {}), (vec![], vec![]));
        // Away for a moment, then back: an editor.
        let event = |look: u32| match look {
            1 => fs::remove_file(path("a.cut")).expect("the file is there"),
            3 => write("a.cut", "three"),
            _ => {}
        };
        assert_eq!(wait(&mut watched, &event), (vec![path("a.cut")], vec![]));
        // Replaced by another file of the same length.
        let event = |look: u32| {
            if look == 2 {
                write("new", "eerht");
                fs::rename(path("new"), path("a.cut")).expect("there is room");
            }
        };
        assert_eq!(wait(&mut watched, &event), (vec![path("a.cut")], vec![]));
        // Away for long.
        let event = |look: u32| match look {
            1 => fs::remove_file(path("a.rml")).expect("the file is there"),
            12 => write("a.rml", "four"),
            _ => {}
        };
        assert_eq!(wait(&mut watched, &event), (vec![path("a.rml")], vec![path("a.rml")]));
    }
}
