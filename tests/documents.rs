//! The corpus says what it is: headers are complete, and the tables of `protocols/README.md` repeat
//! them word for word.

use std::collections::BTreeMap;

use crate::support::corpus::{self, Entry, Expectation};
use crate::support::tables::{COUNTS, INDEX, link, readme, rows, sizes};

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
fn every_protocol_says_what_to_expect() {
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
