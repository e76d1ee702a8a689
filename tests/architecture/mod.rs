//! Guards the shape of the source: who may import whom, which file may name which package, how
//! long a file is and how it begins.
//!
//! Test modules at the end of a file are exempt from the import rules: tests speak the language of
//! the user, whatever layer they test.

mod cycles;
mod layers;
mod scan;
mod trusted;

use std::fs;
use std::path::{Path, PathBuf};

use layers::LAYERS;
use scan::{Literals, shipped, without_comments};

/// Names that only some files may use, each with the places that may.
const QUARANTINE: &[(&str, &[&str])] = &[
    ("z3", &["smt/z3"]),
    ("z3_sys", &[]),
    ("pest", &["frontend/"]),
    ("pest_derive", &["frontend/"]),
    ("clap", &["cli/"]),
    ("clap_complete", &["cli/"]),
    ("ctrlc", &["cli/"]),
    ("libloading", &["smt/z3/library/binding.rs"]),
    ("lz4_flex", &["smt/z3/library/unpack.rs"]),
    (
        "nix",
        &[
            "smt/z3/library/unpack.rs",
            "cli/terminal/interrupt.rs",
            "cli/terminal/memory.rs",
            "cli/bench/stop.rs",
        ],
    ),
    ("sha2", &["certificate/digest.rs"]),
    ("serde", &["cli/lsp/", "report/", "explain/mod.rs", "certificate/print/outline.rs"]),
    ("serde_json", &["report/", "cli/"]),
    ("annotate_snippets", &["report/"]),
    ("rust_sugiyama", &["picture/layered.rs"]),
    ("lsp_server", &["cli/lsp/"]),
    ("lsp_types", &["cli/lsp/"]),
    ("rustyline", &["cli/play/line_editor.rs"]),
    ("getrandom", &["cli/play/serve.rs"]),
    ("batsat", &["finite/"]),
    // A protocol decides nothing about the library: it is the one inside the program, or the one
    // that the environment names.
    ("std::fs", &["cli/", "smt/z3/library/"]),
    ("std::env", &["cli/", "main.rs", "smt/z3/library/"]),
    ("std::io::stdout", &["cli/"]),
    ("std::io::stderr", &["cli/", "smt/z3/library/binding.rs"]),
    ("std::process::exit", &[]),
];

/// The one file in which unsafe code is allowed: what binds the Z3 library.
const UNSAFE: &str = "smt/z3/library/binding.rs";

const LONGEST_FILE: usize = 500;

#[test]
fn modules_import_only_lower_layers() {
    report(every_file("src"), |file| layer_breaches(&file.path, shipped(&file.text)));
}

#[test]
fn files_of_the_search_import_one_another_in_one_direction() {
    for folder in ["synthesis/", "prove/", "analysis/"] {
        let files: Vec<SourceFile> = every_file("src");
        let own = files.iter().filter(|file| file.path.starts_with(folder));
        let cycles = cycles::cycles(own.map(|file| (file.path.as_str(), file.text.as_str())));
        assert!(cycles.is_empty(), "\n{}\n", cycles.join("\n"));
    }
}

#[test]
fn packages_stay_where_they_are_needed() {
    report(every_file("src"), |file| quarantine_breaches(&file.path, shipped(&file.text)));
}

#[test]
fn unsafe_code_stays_in_one_file() {
    report(every_file("src"), |file| unsafe_breaches(&file.path, &file.text));
}

#[test]
fn files_are_short_and_say_what_they_are() {
    let files = every_file("src").into_iter().chain(every_file("tests"));
    report(files, |file| shape_breaches(&file.text));
}

#[test]
fn nothing_in_the_tool_recognises_a_protocol() {
    let protocols: Vec<String> = files_under(Path::new("protocols"), "rml")
        .iter()
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        // A word of the language.
        .filter(|name| name != "ring")
        .collect();
    report(every_file("src"), |file| mentions(shipped(&file.text), &protocols));
}

#[test]
fn every_module_has_a_layer() {
    let unknown: Vec<String> = every_file("src")
        .iter()
        .map(|file| top_module(&file.path))
        .filter(|module| !is_root(module) && allowed(module).is_none())
        .collect();
    assert!(unknown.is_empty(), "modules without a row in LAYERS: {unknown:?}");
}

#[test]
fn the_layer_rule_bites() {
    let breaches = |path: &str, code: &str| layer_breaches(path, code).len();
    assert_eq!(breaches("logic/formula.rs", "use crate::logic::term::Term;"), 0);
    assert_eq!(breaches("logic/formula.rs", "use crate::protocol::Action;"), 1);
    assert_eq!(breaches("logic/formula.rs", "fn f() { crate :: smt :: z3 :: version(); }"), 1);
    assert_eq!(breaches("logic/formula.rs", "use crate::{logic::Term, protocol, cli};"), 2);
    assert_eq!(breaches("logic/formula.rs", "// use crate::protocol::Action;"), 0);
    assert_eq!(breaches("logic/formula.rs", "const S: &str = \"crate::protocol\";"), 0);
    assert_eq!(breaches("logic/mod.rs", "use super::protocol::Action;"), 1);
    assert_eq!(breaches("logic/formula.rs", "use super::super::protocol::Action;"), 1);
    assert_eq!(breaches("elaborate/mod.rs", "use crate::frontend::{syntax::surface::Tree};"), 0);
    assert_eq!(breaches("elaborate/mod.rs", "use crate::frontend::{syntax::surface, rml};"), 1);
    assert_eq!(breaches("cli/mod.rs", "use crate::nowhere;"), 1);
    assert_eq!(breaches("judge/mod.rs", "use crate::synthesis::Guess;"), 1);
}

#[test]
fn the_direction_rule_bites() {
    let cycles = |one: &str, other: &str, facade: &str| {
        let files = [("a/one.rs", one), ("a/other.rs", other), ("a/mod.rs", facade)];
        cycles::cycles(files.into_iter()).len()
    };
    let facade = "mod one;\nmod other;\npub use other::Other;";
    assert_eq!(cycles("use super::other::Other;", "use crate::b::Thing;", facade), 0);
    assert_eq!(cycles("use super::other::Other;", "use super::{one::One, two};", facade), 2);
    assert_eq!(cycles("use super::Other;", "fn f() { crate::a::one::g() }", facade), 2);
    assert_eq!(cycles("use super::Shared;", "use super::Shared;", facade), 0);
    assert_eq!(cycles("use super::Shared;", "", &format!("{facade}\nfn f() {{ one::g() }}")), 2);
    assert_eq!(cycles("use super::other::Other;", "// use super::one::One;", facade), 0);
}

#[test]
fn the_quarantine_bites() {
    let breaches = |path: &str, code: &str| quarantine_breaches(path, code).len();
    assert_eq!(breaches("smt/z3.rs", "use z3::Solver;"), 0);
    assert_eq!(breaches("smt/mod.rs", "use z3::Solver;"), 1);
    assert_eq!(breaches("smt/mod.rs", "fn f(x: ::z3::Solver) {}"), 1);
    assert_eq!(breaches("smt/mod.rs", "use z3 as solver;"), 1);
    assert_eq!(breaches("smt/mod.rs", "use self::z3::Session; use crate::smt::z3::version;"), 0);
    assert_eq!(breaches("report/text.rs", "use std::{fmt, fs::File};"), 1);
    assert_eq!(breaches("report/text.rs", "fn f() { std::process::exit(1) }"), 1);
    assert_eq!(breaches("report/text.rs", "use std::process::{ExitCode, exit};"), 1);
    assert_eq!(breaches("report/text.rs", "fn clap(z3: u8) -> u8 { z3 } // pest::Parser"), 0);
}

#[test]
fn the_unsafe_rule_bites() {
    let breaches = |path: &str, code: &str| unsafe_breaches(path, code).len();
    assert_eq!(breaches(UNSAFE, "#![allow(unsafe_code)]\nfn f() { unsafe { g() } }"), 0);
    assert_eq!(breaches("smt/mod.rs", "#[allow(unsafe_code)]\nfn f() {}"), 1);
    assert_eq!(breaches("smt/mod.rs", "#[expect(dead_code, unsafe_code)]\nfn f() {}"), 1);
    assert_eq!(breaches("smt/mod.rs", "fn f() { unsafe { g() } }"), 1);
    assert_eq!(breaches("smt/mod.rs", "// unsafe\nconst S: &str = \"unsafe at\";"), 0);
    assert_eq!(breaches("smt/mod.rs", "fn is_unsafe(unsafe_states: u8) {}"), 0);
}

#[test]
fn the_shape_rule_bites() {
    assert!(shape_breaches("//! Says what it is.\n").is_empty());
    assert_eq!(shape_breaches("fn main() {}\n").len(), 1);
    assert_eq!(shape_breaches(&"//! Long.\n".repeat(LONGEST_FILE)).len(), 0);
    assert_eq!(shape_breaches(&"//! Long.\n".repeat(LONGEST_FILE + 1)).len(), 1);
}

#[test]
fn the_protocol_rule_bites() {
    let names = ["ring".to_owned()];
    assert_eq!(mentions("if name == \"ring\" {}", &names).len(), 1);
    assert_eq!(mentions("let ring = 1;", &names).len(), 1);
    assert_eq!(mentions("// the ring\nlet string = \"a string\";", &names).len(), 0);
}

/// One file of the project, with its path below the folder that was asked for.
struct SourceFile {
    path: String,
    text: String,
}

fn every_file(folder: &str) -> Vec<SourceFile> {
    let folder = Path::new(folder);
    let files: Vec<SourceFile> = files_under(folder, "rs")
        .into_iter()
        .map(|path| SourceFile {
            text: fs::read_to_string(&path).expect("the sources are readable text"),
            path: path.strip_prefix(folder).expect("found there").display().to_string(),
        })
        .collect();
    assert!(!files.is_empty(), "no sources under {}", folder.display());
    files
}

/// Every file with the extension, in a fixed order; tests run in the package's own folder.
fn files_under(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.expect("a readable entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn report(
    files: impl IntoIterator<Item = SourceFile>,
    breaches: impl Fn(&SourceFile) -> Vec<String>,
) {
    let mut found = Vec::new();
    for file in files {
        found.extend(breaches(&file).iter().map(|breach| format!("{}: {breach}", file.path)));
    }
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

fn layer_breaches(path: &str, code: &str) -> Vec<String> {
    let module = top_module(path);
    if is_root(&module) || path.ends_with("tests.rs") {
        return Vec::new();
    }
    let code = without_comments(code, Literals::Blank);
    let used = scan::paths(&code);
    let mut breaches: Vec<String> = used
        .iter()
        .filter_map(|used| from_the_root(path, used))
        .filter(|inner| !may_import(&module, inner))
        .map(|inner| format!("`{module}` may not import `{inner}`"))
        .collect();
    if used.iter().any(|used| used.contains("super::super")) {
        breaches.push("`super::super` hides the layer: write the path from `crate`".to_owned());
    }
    breaches
}

fn may_import(module: &str, path: &str) -> bool {
    let mut open = allowed(module).unwrap_or_default().iter();
    is_within(path, module) || open.any(|prefix| is_within(path, prefix))
}

fn is_within(path: &str, prefix: &str) -> bool {
    path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// The path below the root of the crate, when that is where a path leads.
fn from_the_root<'a>(file: &str, used: &'a str) -> Option<&'a str> {
    let is_child_of_root = matches!(file.split('/').collect::<Vec<_>>()[..], [_] | [_, "mod.rs"]);
    let sibling = || {
        let inner = used.strip_prefix("super::").filter(|_| is_child_of_root)?;
        allowed(inner.split("::").next()?).map(|_| inner)
    };
    used.strip_prefix("crate::").or_else(sibling)
}

fn quarantine_breaches(path: &str, code: &str) -> Vec<String> {
    let code = without_comments(code, Literals::Blank);
    let used = scan::paths(&code);
    let is_named = |name: &str| {
        let whole = [format!("use {name} as "), format!("use {name};")];
        used.iter().any(|used| is_within(used.trim_start_matches("::"), name))
            || whole.iter().any(|import| code.contains(import))
    };
    QUARANTINE
        .iter()
        .filter(|(_, places)| !places.iter().any(|place| path.starts_with(place)))
        .filter(|(name, _)| is_named(name))
        .map(|(name, places)| format!("`{name}` belongs in {places:?} only"))
        .collect()
}

fn unsafe_breaches(path: &str, code: &str) -> Vec<String> {
    let code = without_comments(code, Literals::Blank);
    let is_named = scan::words(&code).any(|word| word == "unsafe" || word == "unsafe_code");
    if path == UNSAFE || !is_named {
        return Vec::new();
    }
    vec![format!("unsafe code belongs in {UNSAFE} only")]
}

fn shape_breaches(text: &str) -> Vec<String> {
    let mut breaches = Vec::new();
    if !text.starts_with("//! ") {
        breaches.push("does not open with a `//!` sentence".to_owned());
    }
    let lines = text.lines().count();
    if lines > LONGEST_FILE {
        breaches.push(format!("has {lines} lines; {LONGEST_FILE} is the limit"));
    }
    breaches
}

fn mentions(code: &str, names: &[String]) -> Vec<String> {
    scan::words(&without_comments(code, Literals::Keep))
        .filter(|word| names.iter().any(|name| name == word))
        .map(|word| format!("names the protocol `{word}`"))
        .collect()
}

fn top_module(path: &str) -> String {
    path.split('/').next().unwrap_or(path).trim_end_matches(".rs").to_owned()
}

fn is_root(module: &str) -> bool {
    matches!(module, "lib" | "main")
}

fn allowed(module: &str) -> Option<&'static [&'static str]> {
    LAYERS.iter().find(|(name, _)| *name == module).map(|(_, allowed)| *allowed)
}
