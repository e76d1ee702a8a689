//! Laws of reading and writing: what is printed reads back as the same tree, and formatting keeps
//! meaning and comments and has nothing to do the second time.

use std::sync::LazyLock;

use crate::support::corpus::{self, Entry};
use crate::support::surface;
use proptest::prelude::*;
use proptest::test_runner::Config;
use rmlcut::frontend::syntax::surface::Module;
use rmlcut::frontend::{Parsed, dump, format, parse, print_module};
use rmlcut::source::SourceFile;

static CORPUS: LazyLock<Vec<Entry>> = LazyLock::new(corpus::entries);

/// The same cases on every run.
fn config(cases: u32) -> Config {
    Config {
        cases,
        failure_persistence: None,
        rng_seed: proptest::test_runner::RngSeed::Fixed(20_240_611),
        ..Config::default()
    }
}

fn read(text: &str) -> Parsed {
    let parsed = parse(&SourceFile::new("test.rml", text));
    assert!(parsed.diagnostics.is_empty(), "{text}\n{:#?}", parsed.diagnostics);
    parsed
}

/// The tree without the places in the text.
fn shape(module: &Module) -> String {
    let listing = dump(module, &SourceFile::new("", ""));
    listing.lines().filter_map(|line| Some(line.split_once("  @ ")?.0.to_owned() + "\n")).collect()
}

fn formatted(text: &str) -> String {
    format(&read(text), &SourceFile::new("test.rml", text))
}

fn comments(text: &str) -> Vec<String> {
    let comments = read(text).comments;
    let mut texts: Vec<String> = comments
        .iter()
        .map(|comment| text[comment.span.start..comment.span.end].trim_end().to_owned())
        .collect();
    texts.sort();
    texts
}

proptest! {
    #![proptest_config(config(2000))]

    #[test]
    fn printed_trees_read_back_as_themselves(module in surface::module()) {
        let text = print_module(&module);
        prop_assert_eq!(shape(&read(&text).module), shape(&module), "{}", text);
        prop_assert_eq!(formatted(&text), text);
    }
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn formatting_keeps_meaning_and_comments(
        file in 0_usize..1000,
        places in prop::collection::vec((0_usize..10_000, prop::bool::ANY), 0..12),
    ) {
        let text = with_comments(&CORPUS[file % CORPUS.len()].text, &places);
        let once = formatted(&text);
        prop_assert_eq!(shape(&read(&once).module), shape(&read(&text).module), "{}", once);
        prop_assert_eq!(comments(&once), comments(&text), "{}", once);
        let twice = formatted(&once);
        prop_assert_eq!(&twice, &once, "{}", text);
    }
}

const PIECES: &[&str] = &[
    "sort ",
    "relation ",
    "constant ",
    "action ",
    "init ",
    "safety ",
    "rigid ",
    "require ",
    "if ",
    "else ",
    "forall ",
    "∃",
    "true",
    "a",
    "B",
    "n₁",
    "x'",
    "7",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ",",
    ".",
    ":",
    ":=",
    "<-",
    "<->",
    "->",
    "=>",
    "⟹",
    "&",
    "∨",
    "~",
    "¬",
    "=",
    "!=",
    "<",
    "≥",
    "+",
    "-",
    "*",
    ";",
    "\n",
    "\r\n",
    " ",
    "\t",
    "# c",
    "é",
    "\u{feff}",
    "\0",
    "\"",
    "99999999999999999999",
];

/// Reading ends, and every message is about a place in the text.
fn survives(text: &str) {
    let source = SourceFile::new("test.rml", text);
    let parsed = parse(&source);
    for diagnostic in &parsed.diagnostics {
        let span = diagnostic.primary.span;
        assert!(text.get(span.start..span.end).is_some(), "{text:?}\n{diagnostic:?}");
    }
    if parsed.diagnostics.is_empty() {
        let once = format(&parsed, &source);
        assert_eq!(formatted(&once), once, "{text:?}");
        assert_eq!(shape(&read(&once).module), shape(&parsed.module), "{text:?}");
    }
}

proptest! {
    #![proptest_config(config(3000))]

    #[test]
    fn any_sequence_of_words_is_read_or_refused(
        pieces in prop::collection::vec(prop::sample::select(PIECES), 0..40),
    ) {
        survives(&pieces.concat());
    }

    #[test]
    fn any_text_is_read_or_refused(text in ".{0,80}") {
        survives(&text);
    }

    #[test]
    fn a_damaged_protocol_is_read_or_refused(
        file in 0_usize..1000,
        place in 0_usize..100_000,
        length in 0_usize..30,
        piece in prop::sample::select(PIECES),
    ) {
        let mut characters: Vec<char> = CORPUS[file % CORPUS.len()].text.chars().collect();
        let start = place % characters.len();
        let end = (start + length).min(characters.len());
        characters.splice(start..end, piece.chars());
        survives(&characters.into_iter().collect::<String>());
    }
}

/// The text with comments after some of its tokens; those that would split a statement only where
/// it may be split.
fn with_comments(text: &str, places: &[(usize, bool)]) -> String {
    let mut text = text.to_owned();
    for (index, (place, own_line)) in places.iter().enumerate() {
        let ends: Vec<usize> = text
            .match_indices([',', '&', '{', '}', '\n', '.'])
            .map(|(offset, _)| offset)
            .filter(|offset| !in_comment(&text, *offset) && may_break_after(&text, *offset))
            .collect();
        let after = ends[place % ends.len()] + 1;
        let comment = format!("{}# comment {index}\n", if *own_line { "\n\n  " } else { " " });
        text.insert_str(after, &comment);
    }
    text
}

fn in_comment(text: &str, offset: usize) -> bool {
    let line = text[..offset].rfind('\n').map_or(0, |newline| newline + 1);
    text[line..offset].contains('#')
}

/// Commas outside parentheses may not be followed by a line end.
fn may_break_after(text: &str, offset: usize) -> bool {
    let line = text[..offset].rfind('\n').map_or(0, |newline| newline + 1);
    let before = &text[line..offset];
    let open = before.matches('(').count() > before.matches(')').count();
    !text[offset..].starts_with(',') || open
}

#[test]
fn the_corpus_reads_back_as_itself() {
    assert!(!CORPUS.is_empty());
    for Entry { path, text } in CORPUS.iter() {
        let printed = print_module(&read(text).module);
        // A property that is owed by other declarations is printed as the `safety` line it means.
        let written = shape(&read(text).module).replace("\nowed [", "\nsafety [");
        assert_eq!(shape(&read(&printed).module), written, "{path}");
        assert_eq!(comments(&formatted(text)), comments(text), "{path}");
    }
}

#[test]
fn the_corpus_is_in_canonical_form() {
    for Entry { path, text } in CORPUS.iter() {
        assert_eq!(&formatted(text), text, "{path}: run `rmlcut fmt --write`");
    }
}

#[test]
fn parentheses_are_kept_where_needed() {
    let tree = |text: &str| shape(&read(&format!("axiom {text}\n")).module);
    let different = [
        ("p & (q | r)", "p & q | r"),
        ("(p -> q) -> r", "p -> q -> r"),
        ("(forall X. p) & q", "forall X. p & q"),
        ("~(forall X. p) & q", "~forall X. p & q"),
        ("a - (b - c) = d", "a - b - c = d"),
        ("(a if p else b) if q else c", "a if p else b if q else c"),
        ("(p & q) & r", "p & q & r"),
    ];
    for (left, right) in different {
        assert_ne!(tree(left), tree(right), "{left} / {right}");
    }
    let same = [
        ("~a = b", "~(a = b)"),
        ("p -> q -> r", "p -> (q -> r)"),
        ("p & q | r & s", "(p & q) | (r & s)"),
        ("p | q -> r <-> s", "((p | q) -> r) <-> s"),
        ("-a + b < c", "((-a) + b) < c"),
        ("a if p else b if q else c", "a if p else (b if q else c)"),
        ("p & forall X. q -> r", "p & (forall X. (q -> r))"),
        ("∀ x. p ∧ ¬q ⟹ r ∨ a ≠ b", "forall x. p & ~q -> r | a != b"),
        ("p => q ⇔ r", "p -> q <-> r"),
        ("!p & a ~= b", "~p & a != b"),
    ];
    for (left, right) in same {
        assert_eq!(tree(left), tree(right), "{left} / {right}");
    }
}
