//! The documents are true: headers of protocols are complete, tables repeat them word for word,
//! every file that is named exists, and the examples, the tutorial included, do what they show.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::corpus::{self, Entry, Expectation};
use crate::support::tables::{COUNTS, INDEX, link, readme, rows, sizes};
use crate::support::worked_example::{self, WorkedExample};

/// Where the index and the headers differ.
fn index_complaints(document: &str, entries: &[Entry]) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut listed = BTreeMap::new();
    for row in rows(document, &INDEX) {
        match link(&row[0]) {
            Some(path) if listed.insert(path.to_owned(), row.clone()).is_some() => {
                complaints.push(format!("{path} is listed twice"));
            }
            Some(_) => {}
            None => complaints.push(format!("`{}` is no link to a protocol", row[0])),
        }
    }
    for entry in entries {
        match listed.remove(&entry.path) {
            Some(row) => complaints.extend(row_complaint(entry, &row)),
            None => complaints.push(format!("{} is not listed", entry.path)),
        }
    }
    complaints.extend(listed.keys().map(|path| format!("{path} is listed and does not exist")));
    complaints
}

fn row_complaint(entry: &Entry, row: &[String]) -> Option<String> {
    let header = entry.header().ok()?;
    let folder = entry.path.split('/').next().unwrap_or_default();
    let family = if folder == "broken" { &row[1] } else { folder };
    let sorts = entry.sorts().join(", ");
    let expected = [family, &header.source, &sorts, &header.expectation.to_string()];
    (row[1..5] != expected)
        .then(|| format!("{}: the index says {:?}, the file {expected:?}", entry.path, &row[1..5]))
}

/// What is wrong with one row of the state counts.
fn count_complaint(entries: &[Entry], row: &[String]) -> Result<(), String> {
    let path = link(&row[0]).ok_or_else(|| format!("`{}` is no link to a protocol", row[0]))?;
    let entry = entries.iter().find(|entry| entry.path == path);
    let entry = entry.ok_or_else(|| format!("{path} does not exist"))?;
    let (size, integers) = sizes(&row[1])?;
    if entry.uses_integers() != integers.is_some() {
        return Err(format!("{path}: a range of integers, or none, in `{}`", row[1]));
    }
    names_every_sort(entry, &size)?;
    row[2..].iter().try_for_each(|cell| corpus::number(cell).map(|_| ()))
}

fn names_every_sort(entry: &Entry, size: &corpus::Size) -> Result<(), String> {
    let mut named: Vec<_> = size.iter().map(|(sort, _)| sort.clone()).collect();
    let mut declared = entry.sorts();
    named.sort();
    declared.sort();
    if named == declared {
        Ok(())
    } else {
        Err(format!("{}: sizes for {named:?}, sorts {declared:?}", entry.path))
    }
}

/// What is wrong with the sizes in a header.
fn expectation_complaint(entry: &Entry) -> Result<(), String> {
    let broken = entry.path.starts_with("broken/");
    match entry.header()?.expectation {
        Expectation::Unsafe { size, integers, .. } if broken => {
            if integers.is_some() != entry.uses_integers() {
                return Err(format!("{}: a range of integers, or none", entry.path));
            }
            names_every_sort(entry, &size)
        }
        Expectation::Safe { cutoff } if !broken => {
            let sorts = entry.sorts();
            match cutoff.iter().find(|(sort, _)| !sorts.contains(sort)) {
                Some((sort, _)) => Err(format!("{}: no sort `{sort}`", entry.path)),
                None => Ok(()),
            }
        }
        Expectation::Inductive | Expectation::Unproved if !broken => Ok(()),
        other => Err(format!("{}: `{other}` in this folder", entry.path)),
    }
}

#[test]
fn every_protocol_states_its_expectation() {
    let entries = corpus::entries();
    assert!(entries.len() >= 60, "the corpus was found: {}", entries.len());
    let complaints: Vec<_> =
        entries.iter().filter_map(|entry| expectation_complaint(entry).err()).collect();
    assert_eq!(complaints, Vec::<String>::new());
}

#[test]
fn expectations_are_printed_as_written() {
    for entry in corpus::entries() {
        let first = entry.text.lines().next().expect("a header");
        let expectation = entry.header().expect("a header").expectation;
        assert_eq!(first, format!("# expect: {expectation}"), "{}", entry.path);
    }
}

#[test]
fn every_safety_line_has_a_label() {
    for entry in corpus::entries() {
        let mut properties =
            entry.text.lines().filter(|line| line.starts_with("safety ")).peekable();
        assert!(properties.peek().is_some(), "{} has a property", entry.path);
        assert!(properties.all(|line| line.starts_with("safety [")), "{}", entry.path);
    }
}

#[test]
fn the_index_repeats_the_headers() {
    assert_eq!(index_complaints(&readme(), &corpus::entries()), Vec::<String>::new());
}

#[test]
fn the_counts_are_of_protocols_and_sizes_that_exist() {
    let entries = corpus::entries();
    let rows = rows(&readme(), &COUNTS);
    let complaints: Vec<_> =
        rows.iter().filter_map(|row| count_complaint(&entries, row).err()).collect();
    assert_eq!(complaints, Vec::<String>::new());
    let counted = |entry: &&Entry| rows.iter().any(|row| link(&row[0]) == Some(&entry.path));
    let uncounted: Vec<_> = entries
        .iter()
        .filter(|entry| !entry.path.starts_with("broken/") && !counted(entry))
        .map(|entry| &entry.path)
        .collect();
    assert_eq!(uncounted, Vec::<&String>::new());
}

#[test]
fn a_changed_index_is_noticed() {
    let entries = corpus::entries();
    let document = readme();
    for (written, instead, complaint) in [
        ("| [trip](broken/trip.rml) |", "| [trap](broken/trip.rml) |", "is no link"),
        ("| [trip](broken/trip.rml) |", "| [trip](broken/trip.rml) ", "is not listed"),
        ("(storage/basic_kv.rml)", "(stowage/basic_kv.rml)", "does not exist"),
        (
            "| safe, cutoff node=3 |",
            "| safe, cutoff node=2 |",
            "commit/two_phase_commit.rml: the index says",
        ),
        ("| node, epoch |", "| epoch |", "mutual-exclusion/distributed_lock.rml: the index says"),
        (
            "| unsafe at node=3, steps 8 |",
            "| unsafe at node=3, steps 7 |",
            "broken/tpc_bug.rml: the index says",
        ),
    ] {
        assert!(document.contains(written), "{written}");
        let complaints = index_complaints(&document.replacen(written, instead, 1), &entries);
        assert!(
            complaints.iter().any(|found| found.contains(complaint)),
            "{instead}: {complaints:?}"
        );
    }
}

#[test]
fn a_wrong_count_row_is_noticed() {
    let entries = corpus::entries();
    for (row, complaint) in [
        ("[ring](ring.rml)|node=2 id=2|1|8|4", "does not exist"),
        ("ring|node=2 id=2|1|8|4", "is no link"),
        ("[trip](broken/trip.rml)|node=2 id=2|1|1|0", "sizes for"),
        ("[trip](broken/trip.rml)|node=0|1|1|0", "never empty"),
        ("[trip](broken/trip.rml)|node=2 int=0..3|1|1|0", "a range of integers"),
        ("[trip](broken/trip.rml)|node=2|1|many|0", "is no number"),
    ] {
        let cells: Vec<String> = row.split('|').map(str::to_owned).collect();
        let found = count_complaint(&entries, &cells).expect_err(row);
        assert!(found.contains(complaint), "{row}: {found}");
    }
}

#[test]
fn an_incomplete_header_is_refused() {
    for (text, complaint) in [
        ("sort node\n", "`# expect: …` is missing"),
        ("# expect: fine\n# from: a\n#\n# b\n# c\n", "`fine` is no expectation"),
        ("# expect: safe\n# from: a\n#\n# b\n# c\n", "`safe` is no expectation"),
        ("# expect: safe, cutoff node\n# from: a\n#\n# b\n# c\n", "`node` is no size"),
        ("# expect: unsafe at node=0\n# from: a\n#\n# b\n# c\n", "a sort is never empty"),
        ("# expect: unsafe at node=2, steps few\n# from: a\n#\n# b\n# c\n", "`few` is no number"),
        ("# expect: unsafe at node=2 int=3..1\n# from: a\n#\n# b\n# c\n", "`3..1` is no range"),
        ("# expect: unproved\n#\n# b\n# c\n", "`# from: …` is missing"),
        ("# expect: unproved\n# from: a\n# b\n# c\n", "is not `#`"),
        ("# expect: unproved\n# from: a\n#\n# b\n", "fewer than two lines"),
    ] {
        assert_eq!(
            corpus::header(text).map(|_| ()).map_err(|found| found.contains(complaint)),
            Err(true),
            "{text}"
        );
    }
}

/// Every document, with the folders that its paths may be relative to.
const DOCUMENTS: [(&str, &[&str]); 12] = [
    ("README.md", &["."]),
    ("CHANGELOG.md", &["."]),
    ("SECURITY.md", &["."]),
    ("src/README.md", &["src", "."]),
    ("grammar/README.md", &["grammar", "."]),
    ("protocols/README.md", &["protocols", "."]),
    ("tests/README.md", &["tests", "."]),
    ("tests/campaign.md", &["tests", "."]),
    ("packaging/README.md", &["packaging", "."]),
    ("fuzz/README.md", &["fuzz", "."]),
    ("docs/ci.md", &["docs", "."]),
    ("docs/tutorial.md", &["docs", "."]),
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn document(path: &str) -> String {
    fs::read_to_string(root().join(path)).expect("the document is readable")
}

/// The paths that a document names: targets of links, and code that looks like a file or a folder.
fn named_paths(document: &str) -> Vec<&str> {
    let links = document.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
    let links = links.filter(|link| !link.is_empty() && !link.contains(':'));
    let is_path = |code: &&str| {
        let legal = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
        let is_file = [".rs", ".rml", ".cut", ".md", ".pest"].iter().any(|end| code.ends_with(end));
        let is_placed = code.contains('/') || code.ends_with(".rs");
        let is_local = !code.starts_with('/') && !code.starts_with("target/");
        code.chars().all(legal) && is_placed && is_local && (is_file || code.ends_with('/'))
    };
    let code = document.lines().flat_map(|line| line.split('`').skip(1).step_by(2));
    links.chain(code.filter(is_path)).collect()
}

fn missing_paths(document: &str, folders: &[&str]) -> Vec<String> {
    let exists = |path: &str| folders.iter().any(|folder| root().join(folder).join(path).exists());
    named_paths(document).into_iter().filter(|path| !exists(path)).map(str::to_owned).collect()
}

/// The folders below one, as the code map writes them.
fn folders_below(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a readable folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            let inner = path.strip_prefix(root().join("src")).expect("below src");
            found.push(format!("`{}/`", inner.display()));
            found.extend(folders_below(&path));
        }
    }
    found.sort();
    found
}

#[test]
fn every_path_in_a_document_exists() {
    for (path, folders) in DOCUMENTS {
        assert_eq!(missing_paths(&document(path), folders), Vec::<String>::new(), "in {path}");
    }
}

#[test]
fn a_path_that_does_not_exist_is_noticed() {
    let page = "`logic/formula.rs`, `logic/gone.rs`, `gone/`, `lock.rml`, [x](gone.md#y), `a / b`";
    assert_eq!(missing_paths(page, &["src"]), ["gone.md", "logic/gone.rs", "gone/"]);
}

#[test]
fn the_code_map_has_every_folder() {
    let map = document("src/README.md");
    let folders = folders_below(&root().join("src"));
    assert!(folders.len() > 30, "the folders were found: {folders:?}");
    let absent: Vec<_> = folders.iter().filter(|folder| !map.contains(folder.as_str())).collect();
    assert_eq!(absent, Vec::<&String>::new());
}

#[test]
fn the_example_does_what_it_shows() {
    let readme = document("README.md");
    let section = readme.split("\n## ").find(|section| section.starts_with("Five minutes"));
    let mut example = WorkedExample::new("lock.rml");
    assert!(example.follow(section.expect("the section")) >= 4);
}

#[test]
fn the_tutorial_does_what_it_shows() {
    let mut example = WorkedExample::new("lease.rml");
    assert!(example.follow(&document("docs/tutorial.md")) >= 12);
    let page = fs::read_to_string(example.path("lease.html")).expect("the report");
    assert!(page.contains("newest_wins"));
}

#[test]
fn the_page_about_integration_does_what_it_shows() {
    let page = document("docs/ci.md");
    let mut example = WorkedExample::new("protocols/lock.rml");
    let readme = document("README.md");
    let text = worked_example::blocks(&readme).into_iter().find(|(kind, _)| *kind == "rml");
    let text = text.expect("a protocol").1.replacen(
        "require free\n",
        "require free\n  free := false\n",
        1,
    );
    for name in ["lease", "lock"] {
        example.write(&format!("protocols/{name}.rml"), &text);
        let path = format!("protocols/{name}");
        let command = format!("$ rmlcut synth {path}.rml -o {path}.cut\nsafe\n…\n");
        example.follow(&format!("```console\n{command}```\n"));
    }
    assert!(example.follow(&page) >= 3);
    // Every command of the workflow is one that exists, with options that exist.
    let commands = page.lines().filter_map(|line| line.split("run: rmlcut ").nth(1));
    let commands: Vec<&str> = commands.filter_map(|line| line.split(" > ").next()).collect();
    assert_eq!(commands.len(), 2, "{commands:?}");
    for command in commands {
        assert_eq!(example.run(command).1, Some(0), "{command}");
    }
}
