//! The language as `grammar/README.md` describes it: its examples are read or refused, lines end
//! where they should, and the paper's notation is understood.

use std::fs;
use std::path::Path;

use rmlcut::diagnostic::Diagnostic;
use rmlcut::frontend::syntax::surface::{Item, Module};
use rmlcut::frontend::{Parsed, parse, print_module};
use rmlcut::pipeline::read_protocol;
use rmlcut::report::text::diagnostics::{Colour, render};
use rmlcut::source::SourceFile;

fn source(text: &str) -> SourceFile {
    SourceFile::new("test.rml", text)
}

fn read(text: &str) -> Parsed {
    parse(&source(text))
}

fn tree(text: &str) -> Module {
    let parsed = read(text);
    assert!(parsed.diagnostics.is_empty(), "{}", messages(text, &parsed.diagnostics));
    parsed.module
}

fn messages(text: &str, diagnostics: &[Diagnostic]) -> String {
    render(&source(text), diagnostics, Colour::Never)
}

/// The fenced blocks of a document, each with its first line.
fn blocks(document: &str) -> Vec<(&str, &str)> {
    let parts = document.split("\n```");
    parts.skip(1).step_by(2).filter_map(|block| block.split_once('\n')).collect()
}

#[test]
fn the_examples_of_the_reference_are_read_or_refused() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("grammar/README.md");
    let document = fs::read_to_string(path).expect("the reference is readable");
    let mut seen = (0, 0);
    for (kind, text) in blocks(&document) {
        match (kind, read_protocol(&source(text))) {
            ("rml", Ok(_)) => seen.0 += 1,
            ("rml", Err(diagnostics)) => panic!("{text}\n{}", messages(text, &diagnostics)),
            ("rml wrong", Err(_)) => seen.1 += 1,
            ("rml wrong", Ok(_)) => panic!("this should be wrong:\n{text}"),
            _ => {}
        }
    }
    assert!(seen.0 >= 5 && seen.1 >= 3, "{seen:?}");
}

#[test]
fn the_reference_lists_every_code() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| fs::read_to_string(folder.join(path)).expect("it is readable");
    let (document, codes) = (read("grammar/README.md"), read("src/frontend/syntax/codes.rs"));
    let codes: Vec<&str> =
        codes.split("Code(\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert!(codes.len() > 5);
    for code in codes {
        assert!(document.contains(&format!("| `{code}` |")), "{code}");
    }
}

#[test]
fn the_reference_names_every_keyword() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("grammar/README.md");
    let document = fs::read_to_string(path).expect("the reference is readable");
    let (_, list) = document.split_once("These words are reserved: ").expect("the list is there");
    let (list, _) = list.split_once(". ").expect("the list ends");
    let words: Vec<&str> = list.split([',', '\n', ' ']).filter(|word| !word.is_empty()).collect();
    assert_eq!(words.len(), 23);
    for word in words {
        let word = word.trim_matches('`');
        let parsed = read(&format!("sort {word}\n"));
        let message = format!("`{word}` is a keyword and cannot be a name");
        assert_eq!(parsed.diagnostics.first().map(|first| &first.message), Some(&message));
        assert!(read(&format!("sort {word}s, {word}', {word}_1\n")).diagnostics.is_empty());
    }
}

/// Both texts are one formula, and the same.
fn same(broken: &str, whole: &str) {
    let print = |text: &str| print_module(&tree(&format!("axiom {text}\nsort last\n")));
    assert_eq!(print(broken), print(whole));
}

/// The text is not one formula.
fn ends(broken: &str) {
    assert!(!read(&format!("axiom {broken}\nsort last\n")).diagnostics.is_empty(), "{broken}");
}

#[test]
fn lines_go_on_where_they_must() {
    for operator in
        ["&", "|", "->", "<->", "=", "!=", "<", "<=", ">", ">=", "+", "-", "∧", "⟹", "≠"]
    {
        same(&format!("p {operator}\n  q"), &format!("p {operator} q"));
        same(&format!("p {operator} # why\n\n # and\n  q"), &format!("p {operator} q"));
    }
    for operator in ["&", "|", "->", "<->", "=", "!=", "~=", "<", "<=", ">", ">=", "+", "∨", "→"]
    {
        same(&format!("p\n  {operator} q"), &format!("p {operator} q"));
        same(&format!("p # why\n\n# and\n{operator} q"), &format!("p {operator} q"));
    }
    same("forall X,Y.\n p(X)\n & q(Y)", "forall X, Y. p(X) & q(Y)");
    same("p(\n X\n,\n Y\n)", "p(X, Y)");
    same("(\n p\n)", "p");
}

#[test]
fn lines_end_where_they_must() {
    ends("p(X)\n  - 1 = 2");
    ends("p\n  q");
    ends("~\n  p");
    ends("forall\n  X. p(X)");
    ends("forall X,\n  Y. p(X)");
    ends("p if q\n  else r");
    ends("[label]\n  p");
    ends("p q");
    same("p; sort other", "p\nsort other");
    same("p;;\n;", "p");
}

#[test]
fn statements_end_like_lines() {
    let action = |body: &str| print_module(&tree(&format!("action a(n: s) {body}\n")));
    let canonical = action("{\n  x := 1\n  y := 2\n}");
    assert_eq!(action("{ x := 1; y := 2 }"), canonical);
    assert_eq!(action("{ x := 1; ; y := 2; }"), canonical);
    assert_eq!(action("\n{\n\n x := 1 # one\n\n y := 2 }"), canonical);
    assert_eq!(action("\n  x := 1\n  y <- 2"), canonical);
    assert_eq!(action("\n  x ← 1; y := 2"), canonical);
    let branch = action("{ if p { x := 1 } else { y := 2 } }");
    assert_eq!(action("{\n if p\n {\n x := 1\n }\n\n else\n {\n y := 2\n }\n}"), branch);
    let chain = action("{ if p { x := 1 } else { if q { y := 2 } else { z := 3 } } }");
    assert_eq!(action("{ if p { x := 1 } else if q { y := 2 } else { z := 3 } }"), chain);
    for wrong in ["{ x := 1 y := 2 }", "{ x\n := 1 }", "{ x :=\n 1 }", "{ if p x := 1 }", "x := 1"]
    {
        assert!(!read(&format!("action a(n: s) {wrong}\n")).diagnostics.is_empty(), "{wrong}");
    }
}

#[test]
fn declarations_have_other_spellings() {
    let print = |text: &str| print_module(&tree(text));
    for (written, canonical) in [
        ("type a, b", "sort a, b\n"),
        ("relation r : a, b", "relation r(a, b)\n"),
        ("mutable relation r", "relation r\n"),
        ("immutable relation r(a)", "rigid relation r(a)\n"),
        ("mutable function f(a): b", "function f(a): b\n"),
        ("owner : value", "constant owner: value\n"),
    ] {
        assert_eq!(print(written), canonical);
    }
    assert!(!read("rigid constant c: a\n").diagnostics.is_empty());
    assert!(!read("relation r()\n").diagnostics.is_empty());
}

#[test]
fn the_deepest_nesting_fits_on_the_stack_of_a_thread() {
    let around = |open: &str, inner: &str, close: &str| {
        let formula = format!("{}{inner}{}", open.repeat(99), close.repeat(99));
        let text =
            format!("sort node\nfunction f(node): node\nrelation p(node)\nsafety {formula}\n");
        let printed = print_module(&tree(&text));
        assert_eq!(print_module(&tree(&printed)), printed);
        let result = read_protocol(&source(&text));
        assert!(result.is_ok(), "{}", messages(&text, &result.unwrap_err()));
    };
    around("~(", "p(N)", ")");
    around("(p(N) -> ", "p(N)", ")");
    around("(p(f(N)) & p(N) | p(N) & (f(N) = N <-> p(N)) & ", "p(N)", ")");
}

/// Fig. 1 of the paper as printed.
const FIGURE: &str = "\
type key, value, node, seqnum

relation table : node, key, value
relation transfer_msg : node, node, key, value, seqnum
relation ack_msg : node, node, seqnum
relation seqnum_sent : node, seqnum
relation unacked : node, node, key, value, seqnum
relation seqnum_recvd : node, node, seqnum

owner : value
init ∀ n₁, n₂, k. table(n₁, k, owner) ∧ table(n₂, k, owner) ⟹ n₁ = n₂

action reshard(n_old : node, n_new : node, k : key, v : value, s : seqnum)
  require table(n_old, k, v) ∧ ¬seqnum_sent(s)
  seqnum_sent(s) ← true
  table(n_old, k, v) ← false
  transfer_msg(n_old, n_new, k, v, s) ← true
  unacked(n_old, n_new, k, v, s) ← true

action drop_transfer_msg(src : node, dst : node, k : key, v : value, s : seqnum)
  require transfer_msg(src, dst, k, v, s)
  transfer_msg(src, dst, k, v, s) ← false

action retransmit(src : node, dst : node, k : key, v : value, s : seqnum)
  require unacked(src, dst, k, v, s)
  transfer_msg(src, dst, k, v, s) ← true

action recv_transfer_msg(src : node, dst : node, k : key, v : value, s : seqnum)
  require transfer_msg(src, dst, k, v, s) ∧ ¬seqnum_recvd(s)
  seqnum_recvd(s) ← true
  table(dst, k, v) ← true

action send_ack(src : node, dst : node, k : key, v : value, s : seqnum)
  require transfer_msg(src, dst, k, v, s) ∧ seqnum_recvd(s)
  ack_msg(s) ← true

action drop_ack_msg(src : node, dst : node, k : key, v : value, s : seqnum)
  require ack_msg(s)
  ack_msg(s) ← false

action recv_ack_msg(src : node, dst : node, k : key, v : value, s : seqnum)
  require ack_msg(s)
  unacked(src, dst, k, v, s) ← false

action put(n : node, k : key, v : value)
  require ∃ v'. table(n, k, v')
  table(n, k, *) ← false
  table(n, k, v) ← true

safety ∀ k, n₁, n₂, v₁, v₂, k. table(n₁, k, v₁) ∧ table(n₂, k, v₂) ⟹ n₁ = n₂ ∧ v₁ = v₂
";

#[test]
fn the_paper_reads_as_printed_apart_from_its_arities() {
    let items = tree(FIGURE).items;
    let count = |wanted: fn(&Item) -> bool| items.iter().filter(|item| wanted(&item.value)).count();
    assert_eq!(count(|item| matches!(item, Item::Symbol(_))), 7);
    assert_eq!(count(|item| matches!(item, Item::Action(_))), 8);
    let diagnostics = read_protocol(&source(FIGURE)).expect_err("the arities are wrong");
    let wrong: Vec<&str> = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.is_error())
        .map(|diagnostic| {
            assert_eq!(diagnostic.code.0, "RML0203", "{}", diagnostic.message);
            let span = diagnostic.primary.span;
            &FIGURE[span.start..span.end]
        })
        .collect();
    assert_eq!(wrong.len(), 9, "{wrong:?}");
    let repaired = FIGURE
        .replace("ack_msg : node, node, seqnum", "ack_msg : seqnum")
        .replace("seqnum_sent : node, seqnum", "seqnum_sent : seqnum")
        .replace("seqnum_recvd : node, node, seqnum", "seqnum_recvd : seqnum");
    let repaired = read_protocol(&source(&repaired));
    assert!(repaired.is_ok(), "{}", messages(FIGURE, &repaired.unwrap_err()));
}
