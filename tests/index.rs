//! The index of names against the texts of the corpus, and against the reader: every word has its
//! place, and a text in which a name was changed everywhere means the same.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use rmlcut::index::{EntityId, EntityKind, Index, IndexedText, RenameRefusal, Role};
use rmlcut::keywords;
use rmlcut::pipeline::{self, Origin};
use rmlcut::protocol::print_protocol;
use rmlcut::source::SourceFile;

/// Every protocol in RML below these folders, with the certificate beside it if there is one.
fn corpus() -> Vec<(SourceFile, Option<SourceFile>)> {
    let mut files = Vec::new();
    for folder in ["protocols", "tests/traps", "tests/refused"] {
        collect(Path::new(folder), &mut files);
    }
    files.sort();
    let read = |path: &Path| {
        let text = fs::read_to_string(path).ok()?;
        Some(SourceFile::new(path.display().to_string(), text))
    };
    let pairs = files
        .iter()
        .map(|path| (read(path).expect("a protocol is text"), read(&path.with_extension("cut"))));
    pairs.filter(|(protocol, _)| pipeline::read_protocol(protocol).is_ok()).collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rml") {
            files.push(path);
        }
    }
}

/// The words of a text outside comments, each with its place: found here without the scanner.
fn words(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let code = line.split('#').next().unwrap_or_default();
        let is_part =
            |c: char| c.is_alphanumeric() || "_'′".contains(c) || ('₀'..='₉').contains(&c);
        let mut rest = 0;
        while let Some(start) = code[rest..].find(is_part).map(|start| start + rest) {
            let end = code[start..].find(|c| !is_part(c)).map_or(code.len(), |end| end + start);
            found.push((offset + start, &code[start..end]));
            rest = end;
        }
        offset += line.len();
    }
    found
}

/// Words that mean something without being declared.
fn is_known(word: &str, side: IndexedText) -> bool {
    let words = match side {
        IndexedText::Protocol => keywords::of_rml(),
        IndexedText::Certificate => keywords::of_certificates(),
    };
    words.contains(&word)
        || ["int", "bool"].contains(&word)
        || word.starts_with(|first: char| first.is_ascii_digit())
}

#[test]
fn every_word_of_the_corpus_has_its_place() {
    let mut checked = 0;
    for (protocol, certificate) in corpus() {
        let index = Index::new(Some(&protocol), certificate.as_ref());
        for (side, source) in [
            (IndexedText::Protocol, Some(&protocol)),
            (IndexedText::Certificate, certificate.as_ref()),
        ] {
            let Some(source) = source else { continue };
            if side == IndexedText::Certificate && !is_read(&protocol, source) {
                continue;
            }
            let places: BTreeSet<usize> =
                index.places(side).map(|place| place.word.start).collect();
            // The header names the protocol, its digest and a version.
            let text = source.text();
            let header = match side {
                IndexedText::Protocol => 0,
                IndexedText::Certificate => end_of_header(text),
            };
            for (start, word) in words(text) {
                if start >= header && !is_known(word, side) {
                    let at = source.position(start);
                    assert!(places.contains(&start), "{}:{at}: `{word}`", source.name());
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 10_000, "{checked}");
}

fn end_of_header(text: &str) -> usize {
    let digest = text.find("sha256").unwrap_or(0);
    let line = text[digest..].find('\n').map_or(text.len(), |end| digest + end);
    let version = text[line..].trim_start();
    match version.starts_with("rmlcut") {
        true => text.len() - version.len() + version.find('\n').unwrap_or(version.len()),
        false => line,
    }
}

fn is_read(protocol: &SourceFile, certificate: &SourceFile) -> bool {
    let (protocol, _) = pipeline::read_protocol(protocol).expect("the corpus is right");
    pipeline::read_certificate(&protocol, certificate, Origin::AnyText).is_ok()
}

/// A text with a name at every place of a thing.
fn renamed(index: &Index, id: EntityId, name: &str, side: IndexedText) -> Option<SourceFile> {
    let source = index.source(side)?;
    let mut text = source.text().to_owned();
    let places = index.rename(id, name).expect("the name is free");
    for place in places.iter().rev().filter(|place| place.text == side) {
        text.replace_range(place.name.start..place.name.end, name);
    }
    Some(SourceFile::new(source.name(), text))
}

#[test]
fn renamed_texts_are_read_as_before() {
    let mut tried = 0;
    for (protocol, certificate) in corpus() {
        let certificate = certificate.filter(|certificate| is_read(&protocol, certificate));
        let index = Index::new(Some(&protocol), certificate.as_ref());
        let (before, _) = pipeline::read_protocol(&protocol).expect("the corpus is right");
        let before = print_protocol(&before);
        for (id, entity) in index.entities().step_by(5) {
            let capital = entity.name.starts_with(|first: char| first.is_uppercase());
            let fresh = if capital { "Renamed" } else { "renamed" };
            if let Err(why) = index.rename(id, fresh) {
                let is_machine = matches!(why, RenameRefusal::Machine(_));
                assert!(!entity.is_written || is_machine, "{}: {why}", protocol.name());
                continue;
            }
            let changed = renamed(&index, id, fresh, IndexedText::Protocol).expect("a protocol");
            let read = pipeline::read_protocol(&changed);
            let (read, _) = read.unwrap_or_else(|messages| {
                panic!("{}: `{}`: {messages:#?}", protocol.name(), entity.name)
            });
            let shown = print_protocol(&read).replace(fresh, &entity.name);
            assert_eq!(shown, before, "{}: `{}`", protocol.name(), entity.name);
            if let Some(certificate) = renamed(&index, id, fresh, IndexedText::Certificate) {
                let again = pipeline::read_certificate(&read, &certificate, Origin::AnyText);
                if let Err(messages) = again {
                    panic!("{}: `{}`: {messages:#?}", certificate.name(), entity.name);
                }
            }
            tried += 1;
        }
    }
    assert!(tried > 300, "{tried}");
}

const LOCK: &str = "\
sort node
sort status = { idle, busy }
# Who has the lock.
relation holds(node)
relation free   # the server has it
function state(node): status
quorums majority of node
define quiet(n) := ~holds(n) & state(n) = idle
init ~holds(N) & free
action take(n: node) {
  require free & quiet(n) & forall M. ~holds(M)
  free := false
  holds(n) := true
  state(N) := idle if ~holds(N) else busy
}
safety [one] holds(N1) & holds(N2) & (exists Q. member(N1, Q)) -> N1 = N2
";

fn index(text: &str) -> Index {
    Index::new(Some(&SourceFile::new("lock.rml", text)), None)
}

fn at(index: &Index, text: &str, words: &str, inner: &str) -> EntityId {
    let offset = text.find(words).expect("the text has it") + words.find(inner).expect("in it");
    let place = index.at(IndexedText::Protocol, offset);
    place.expect(words).entity
}

#[test]
fn sorts_of_variables_follow_from_their_uses() {
    let index = index(LOCK);
    let rank = |words, inner| index.rank(at(&index, LOCK, words, inner));
    assert_eq!(rank("holds(N) & free", "N"), "N: node");
    assert_eq!(rank("forall M", "M"), "M: node");
    assert_eq!(rank("exists Q", "Q"), "Q: majority");
    assert_eq!(rank("quiet(n) &", "quiet"), "quiet(n: node)");
    assert_eq!(rank("state(N) :=", "state"), "state(node): status");
    assert_eq!(rank("N1 = N2", "N2"), "N2: node");
    assert_eq!(rank("member(N1", "member"), "member(node, majority)");
}

#[test]
fn comments_above_and_behind_belong_to_a_declaration() {
    let index = index(LOCK);
    let comment = |words, inner| index.comment(at(&index, LOCK, words, inner));
    assert_eq!(comment("holds(n) := true", "holds").as_deref(), Some("Who has the lock."));
    assert_eq!(comment("free := false", "free").as_deref(), Some("the server has it"));
    assert_eq!(comment("state(N) :=", "state"), None);
    let place = index.at(IndexedText::Protocol, LOCK.find("free :=").expect("it is there"));
    let remark = index.remark(place.expect("a name"));
    assert_eq!(remark.as_deref(), Some("Assigned by `take`."));
}

#[test]
fn names_are_refused_with_the_reason() {
    let index = index(LOCK);
    let holds = at(&index, LOCK, "relation holds", "holds");
    let refusal = |id, name: &str| index.rename(id, name).expect_err(name);
    for (name, words) in [
        ("2x", "is not a name"),
        ("a b", "is not a name"),
        ("", "is not a name"),
        ("é", "is not a name"),
        ("require", "is a reserved word"),
        ("int", "meaning of its own"),
        ("then", "meaning of its own"),
        ("x_L", "one of the two systems"),
        ("Holds", "a relation must start in lower case"),
        ("free", "already a relation (line 5)"),
        ("take", "already an action"),
        ("busy", "already an element"),
        // It would be hidden by the parameter.
        ("n", "already a parameter"),
    ] {
        let said = refusal(holds, name).to_string();
        assert!(said.contains(words), "{name}: {said}");
    }
    let variable = at(&index, LOCK, "N1) & holds", "N1");
    assert_eq!(refusal(variable, "n"), RenameRefusal::NoCapital);
    assert!(refusal(variable, "N2").to_string().contains("already a variable"));
    assert!(index.rename(variable, "M").is_ok(), "another line has its own variables");
    let bound = at(&index, LOCK, "forall M", "M");
    assert!(index.rename(bound, "m").is_ok());
    assert!(refusal(bound, "n").to_string().contains("already a parameter"));
    let member = at(&index, LOCK, "member(N1", "member");
    assert!(refusal(member, "inside").to_string().contains("add `by`"));
    assert_eq!(index.rename(holds, "holds").map(|places| places.len()), Ok(0));
}

#[test]
fn a_text_with_mistakes_has_the_names_that_can_be_read() {
    let text = LOCK.replace("  free := false", "  free := := false");
    let index = index(&text);
    let holds = at(&index, &text, "holds(n) := true", "holds");
    assert_eq!(index.entity(holds).kind, EntityKind::Relation);
    assert!(matches!(index.rename(holds, "x"), Err(RenameRefusal::Unread(_))));
    let n = at(&index, &text, "holds(n) := true", "n)");
    assert_eq!(index.entity(n).kind, EntityKind::Parameter);
}

#[test]
fn damaged_texts_are_indexed() {
    // Every prefix, and every text with one character less.
    for end in (0..LOCK.len()).step_by(3) {
        let cut = index(&LOCK[..end]);
        let without = format!("{}{}", &LOCK[..end], &LOCK[end + 1..]);
        for index in [cut, index(&without)] {
            let text = index.source(IndexedText::Protocol).expect("a text").text();
            for place in index.places(IndexedText::Protocol) {
                let name = &text[place.name.start..place.name.end];
                assert_eq!(name, &*index.entity(place.entity).name);
            }
            for offset in [0, end / 2, end, text.len()] {
                let _ = index.completions(IndexedText::Protocol, offset);
                let _ = index.call(IndexedText::Protocol, offset);
            }
        }
    }
}

#[test]
fn reads_and_writes_are_told_apart() {
    let index = index(LOCK);
    let holds = at(&index, LOCK, "relation holds", "holds");
    let roles: Vec<Role> = index.places_of(holds).map(|place| place.role).collect();
    let count = |role| roles.iter().filter(|own| **own == role).count();
    assert_eq!((count(Role::Declares), count(Role::Writes), count(Role::Reads)), (1, 1, 6));
}

/// The proposals at `|` in a text.
fn proposed(text: &str) -> Vec<String> {
    let offset = text.find('|').expect("a place");
    let text = text.replacen('|', "", 1);
    let index = index(&text);
    let completions = index.completions(IndexedText::Protocol, offset);
    completions.proposals.into_iter().map(|proposal| proposal.text).collect()
}

#[test]
fn what_is_proposed_depends_on_the_place() {
    let has = |text: &str, wanted: &[&str], unwanted: &[&str]| {
        let text = format!("{LOCK}{text}");
        let found = proposed(&text);
        for word in wanted {
            assert!(found.iter().any(|own| own == word), "{word} in {found:?}");
        }
        for word in unwanted {
            assert!(!found.iter().any(|own| own == word), "{word} in {found:?}");
        }
    };
    has("|", &["sort", "action", "safety", "order"], &["holds", "forall", "node"]);
    has("relation r(|", &["node", "status", "int"], &["holds", "idle", "forall"]);
    has("action give(m: |", &["node", "majority"], &["holds", "take"]);
    has("safety hol|", &["holds", "free", "idle", "quiet", "forall"], &["node", "take", "sort"]);
    has("action give(m: node) {\n  |\n}\n", &["require", "holds", "free"], &["member", "sort"]);
    has(
        "action give(m: node) {\n  require ho|\n}\n",
        &["m", "holds", "exists"],
        &["n", "N1", "require"],
    );
    has("# ho|", &[], &["holds", "sort"]);
    has("relation |", &[], &["holds", "sort", "node"]);
}
