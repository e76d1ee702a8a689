//! `--watch`: does something again whenever one of some files is saved.

use std::fs;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, SystemTime};

/// How often the files are looked at.
const LOOK_EVERY: Duration = Duration::from_millis(150);

/// What a file looks like from outside; `None` while it is not there.
type Look = Option<(SystemTime, u64)>;

/// Some files, as they were when last looked at.
pub(super) struct Watched {
    files: Vec<(PathBuf, Look)>,
}

impl Watched {
    /// Files as they are now.
    pub(super) fn new(paths: impl IntoIterator<Item = PathBuf>) -> Self {
        let files = paths.into_iter();
        Watched { files: files.map(|path| (path.clone(), look(&path))).collect() }
    }

    /// Waits until a file is another one and all are there, or until told to stop.
    pub(super) fn wait(&mut self, is_over: &dyn Fn() -> bool) {
        while !is_over() {
            // Editors replace a file by taking it away first: not there is not yet saved.
            let now: Vec<Look> = self.files.iter().map(|(path, _)| look(path)).collect();
            let there = now.iter().all(Option::is_some);
            let changed = self.files.iter().zip(&now).any(|((_, before), now)| before != now);
            if there && changed {
                for ((_, before), now) in self.files.iter_mut().zip(now) {
                    *before = now;
                }
                return;
            }
            thread::sleep(LOOK_EVERY);
        }
    }
}

fn look(path: &PathBuf) -> Look {
    let metadata = fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_saved_file_is_noticed_and_an_absent_one_awaited() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.cut");
        fs::write(&path, "one").expect("a file");
        let mut watched = Watched::new([path.clone()]);
        fs::remove_file(&path).expect("the file is there");
        let looks = std::cell::Cell::new(0);
        watched.wait(&|| {
            looks.set(looks.get() + 1);
            if looks.get() == 3 {
                fs::write(&path, "three").expect("a file");
            }
            looks.get() > 50
        });
        assert!((3..50).contains(&looks.get()), "{}", looks.get());
    }
}
