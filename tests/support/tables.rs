//! The tables of `protocols/README.md`, as rows of cells.

use super::corpus;

/// The columns of the index.
pub(crate) const INDEX: [&str; 6] = ["file", "family", "from", "sorts", "expect", "what it is"];

/// The columns of the state counts.
pub(crate) const COUNTS: [&str; 5] = ["file", "size", "instances", "states", "depth"];

/// The index of the corpus.
pub(crate) fn readme() -> String {
    std::fs::read_to_string(corpus::folder().join("README.md")).expect("the index is readable")
}

/// The rows of every table with these columns, each row as its cells.
pub(crate) fn rows(document: &str, columns: &[&str]) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut inside = false;
    for line in document.lines() {
        let cells = line.strip_prefix("| ").and_then(|line| line.strip_suffix(" |"));
        let Some(cells) = cells else {
            inside = inside && line.starts_with("|--");
            continue;
        };
        let cells: Vec<String> = cells.split(" | ").map(str::to_owned).collect();
        if cells == columns {
            inside = true;
        } else if inside {
            found.push(cells);
        }
    }
    found
}

/// The path that a cell like `[ring](leader-election/ring.rml)` links to.
pub(crate) fn link(cell: &str) -> Option<&str> {
    let (name, path) = cell.strip_prefix('[')?.strip_suffix(')')?.split_once("](")?;
    (path.strip_suffix(".rml")?.rsplit('/').next()? == name).then_some(path)
}

/// The sizes and the range of integers in a cell like `node=2 seqnum=3 int=0..2`.
pub(crate) fn sizes(cell: &str) -> Result<(corpus::Size, Option<(i64, i64)>), String> {
    match cell.split_once(" int=") {
        Some((sizes, range)) => Ok((corpus::size(sizes)?, Some(corpus::integers(range)?))),
        None => Ok((corpus::size(cell)?, None)),
    }
}
