//! The protocols of the corpus and what their headers promise, read as plain text.
//!
//! It knows nothing of the language beyond comments and `sort` lines, so that it can judge the tool.

use std::fmt;
use std::path::{Path, PathBuf};

/// A number of elements for each of some sorts, as written.
pub(crate) type Size = Vec<(String, usize)>;

/// A file of the corpus.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// Its path below `protocols/`, with `/` between the parts.
    pub(crate) path: String,
    /// Its text.
    pub(crate) text: String,
}

/// What the comment at the top of a protocol says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    /// What the tool is expected to say.
    pub(crate) expectation: Expectation,
    /// Where the protocol comes from.
    pub(crate) source: String,
    /// What it models, line by line.
    pub(crate) about: Vec<String>,
}

/// The verdict that a header promises.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expectation {
    /// Safe for all sizes, with a cutoff for the sorts named.
    Safe { cutoff: Size },
    /// Safe for all sizes, by an invariant of the protocol itself.
    Inductive,
    /// Believed safe, no proof known.
    Unproved,
    /// Unsafe at this size, with the range of integers and the length of the shortest trace.
    Unsafe { size: Size, integers: Option<(i64, i64)>, steps: Option<usize> },
}

/// The folder that holds the corpus.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("protocols")
}

/// Every protocol of the corpus, by path.
pub(crate) fn entries() -> Vec<Entry> {
    let root = folder();
    let mut found = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(next) = folders.pop() {
        for item in std::fs::read_dir(&next).expect("the folder is readable") {
            let path = item.expect("the folder is readable").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rml") {
                found.push(entry(&root, &path));
            }
        }
    }
    found.sort_by(|left, right| left.path.cmp(&right.path));
    found
}

fn entry(root: &Path, file: &Path) -> Entry {
    let below = file.strip_prefix(root).expect("the file is below the folder");
    let parts: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
    let text = std::fs::read_to_string(file).expect("a protocol is text");
    Entry { path: parts.join("/"), text }
}

impl Entry {
    /// The header, or what is wrong with it.
    pub(crate) fn header(&self) -> Result<Header, String> {
        header(&self.text).map_err(|complaint| format!("{}: {complaint}", self.path))
    }

    /// The declared sorts that have sizes, in order; an enumeration has none.
    pub(crate) fn sorts(&self) -> Vec<String> {
        let declarations = self.text.lines().filter_map(|line| {
            let quorums = || line.strip_prefix("quorums ")?.split(" of ").next();
            let machine = || Some(line.strip_prefix("machine ")?.trim_end_matches([' ', '{']));
            let named = line.strip_prefix("sort ").or_else(quorums).or_else(machine);
            named.filter(|names| !names.contains('='))
        });
        declarations.flat_map(|names| names.split(',')).map(|name| name.trim().into()).collect()
    }

    /// Whether the protocol computes with integers.
    pub(crate) fn uses_integers(&self) -> bool {
        let code = self.text.lines().map(|line| line.split('#').next().unwrap_or_default());
        code.into_iter().any(|line| line.contains(": int") || line.contains("(int"))
    }
}

/// Reads the header at the top of a protocol's text.
pub(crate) fn header(text: &str) -> Result<Header, String> {
    let mut lines = text.lines();
    let mut field = |name: &str| {
        let line = lines.next().and_then(|line| line.strip_prefix(&format!("# {name}: ")));
        line.map(str::to_owned).ok_or_else(|| format!("a line `# {name}: …` is missing"))
    };
    let expectation = expectation(&field("expect")?)?;
    let source = field("from")?;
    if lines.next() != Some("#") {
        return Err("the line after `# from:` is not `#`".into());
    }
    let comments = lines.map_while(|line| line.strip_prefix("# "));
    let about: Vec<String> = comments.map(str::to_owned).collect();
    if about.len() < 2 {
        return Err("fewer than two lines on what it models".into());
    }
    Ok(Header { expectation, source, about })
}

/// Reads what follows `# expect: `.
pub(crate) fn expectation(text: &str) -> Result<Expectation, String> {
    if text == "unproved" {
        return Ok(Expectation::Unproved);
    }
    if text == "safe, inductive" {
        return Ok(Expectation::Inductive);
    }
    if let Some(cutoff) = text.strip_prefix("safe, cutoff ") {
        return Ok(Expectation::Safe { cutoff: size(cutoff)? });
    }
    let Some(rest) = text.strip_prefix("unsafe at ") else {
        return Err(format!("`{text}` is no expectation"));
    };
    let (sizes, steps) = match rest.split_once(", steps ") {
        Some((sizes, steps)) => (sizes, Some(number(steps)?)),
        None => (rest, None),
    };
    let (size, integers) = super::tables::sizes(sizes)?;
    Ok(Expectation::Unsafe { size, integers, steps })
}

/// Reads `node=2 key=1`.
pub(crate) fn size(text: &str) -> Result<Size, String> {
    let part = |part: &str| {
        let (sort, count) = part.split_once('=').ok_or_else(|| format!("`{part}` is no size"))?;
        match number(count)? {
            0 => Err(format!("`{part}`: a sort is never empty")),
            count => Ok((sort.to_owned(), count)),
        }
    };
    text.split(' ').map(part).collect()
}

/// Reads `0..4`.
pub(crate) fn integers(text: &str) -> Result<(i64, i64), String> {
    let range =
        text.split_once("..").and_then(|(low, high)| Some((low.parse().ok()?, high.parse().ok()?)));
    range.filter(|(low, high)| low <= high).ok_or_else(|| format!("`{text}` is no range"))
}

/// Reads a number.
pub(crate) fn number(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| format!("`{text}` is no number"))
}

impl fmt::Display for Expectation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expectation::Safe { cutoff } => write!(out, "safe, cutoff {}", words(cutoff)),
            Expectation::Inductive => write!(out, "safe, inductive"),
            Expectation::Unproved => write!(out, "unproved"),
            Expectation::Unsafe { size, integers, steps } => {
                write!(out, "unsafe at {}", words(size))?;
                if let Some((low, high)) = integers {
                    write!(out, " int={low}..{high}")?;
                }
                steps.map_or(Ok(()), |steps| write!(out, ", steps {steps}"))
            }
        }
    }
}

fn words(size: &Size) -> String {
    let words: Vec<_> = size.iter().map(|(sort, count)| format!("{sort}={count}")).collect();
    words.join(" ")
}
