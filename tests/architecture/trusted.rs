//! Counts what must be right for `safe` from `rmlcut check FILE.rml FILE.cut` to be true, and guards
//! that nothing else can bring that verdict about.
//!
//! Every file of the folders below is trusted unless it is listed as outside, with the reason.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use super::scan::{Literals, paths, shipped, without_comments};
use super::{SourceFile, every_file};

/// The folders and files that the verdict rests on.
const TRUSTED: &[&str] = &[
    "certificate/",
    "diagnostic/",
    "elaborate/",
    "finite/",
    "frontend/mod.rs",
    "frontend/rml/",
    "frontend/syntax/",
    "judge/",
    "keywords.rs",
    "logic/",
    "protocol/",
    "smt/",
    "source/",
];

/// The grammars of protocols, which are counted as well.
const GRAMMARS: &[&str] = &["grammar/expression.pest", "grammar/rml.pest"];

/// Why a file need not be right.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outside {
    /// It chooses words, notes and counts; no answer depends on it.
    Words,
    /// It can only refuse or end the work, and what is refused or ended is never `safe`.
    Refuses,
    /// It can only make counterexamples: runs that are replayed, models that refute, or proofs
    /// that trusted code checks.
    Proposes,
    /// This command does not reach it: only the files in `SWITCHES` may name it.
    Elsewhere,
}

/// What is not trusted, although a trusted file may name it.
const OUTSIDE: &[(&str, Outside)] = &[
    // Words.
    ("certificate/named_definitions.rs", Outside::Words),
    ("certificate/obligation_title.rs", Outside::Words),
    ("certificate/print/", Outside::Words),
    ("certificate/provenance.rs", Outside::Words),
    ("diagnostic/deduplicate.rs", Outside::Words),
    ("effort.rs", Outside::Words),
    ("elaborate/codes.rs", Outside::Words),
    ("elaborate/fragment.rs", Outside::Words),
    ("elaborate/messages.rs", Outside::Words),
    ("diagnostic/fix.rs", Outside::Words),
    ("diagnostic/near_names.rs", Outside::Words),
    ("elaborate/sorts/messages.rs", Outside::Words),
    ("elaborate/sorts/mismatch.rs", Outside::Words),
    ("elaborate/usage.rs", Outside::Words),
    ("finite/question/coverage.rs", Outside::Words),
    ("finite/question/natural.rs", Outside::Words),
    ("finite/symbolic/state_count.rs", Outside::Words),
    ("finite/symbolic/tests.rs", Outside::Words),
    ("finite/tests.rs", Outside::Words),
    ("frontend/errors/", Outside::Words),
    ("frontend/syntax/codes.rs", Outside::Words),
    ("frontend/syntax/dump.rs", Outside::Words),
    ("judge/every_obligation.rs", Outside::Words),
    ("judge/size_relations.rs", Outside::Words),
    ("logic/fragment.rs", Outside::Words),
    ("logic/instance_of.rs", Outside::Words),
    ("logic/print.rs", Outside::Words),
    ("elaborate/expected_runs.rs", Outside::Words),
    ("protocol/element_names.rs", Outside::Words),
    ("process/", Outside::Words),
    ("protocol/expected_run.rs", Outside::Words),
    ("protocol/premise.rs", Outside::Words),
    ("protocol/print.rs", Outside::Words),
    ("source/position.rs", Outside::Words),
    // A stop, a limit, a reason for no answer, a header of another protocol; the names of the
    // functions of Z3, of which a wrong one does not link or does not load.
    ("budget/", Outside::Refuses),
    ("certificate/digest.rs", Outside::Refuses),
    ("elaborate/certificate/header.rs", Outside::Refuses),
    ("finite/error.rs", Outside::Refuses),
    ("finite/question/reason.rs", Outside::Refuses),
    ("finite/question/size_estimate.rs", Outside::Refuses),
    ("judge/error.rs", Outside::Refuses),
    // Of a protocol without runs, `safe` would be true: this only keeps it from being said.
    ("judge/vacuity.rs", Outside::Refuses),
    ("protocol/formula_size.rs", Outside::Refuses),
    ("smt/error.rs", Outside::Refuses),
    ("smt/z3/library/functions.rs", Outside::Refuses),
    // Certificates: every value that `certificate/validate.rs` and the judge accept is a proof.
    ("certificate/default_image.rs", Outside::Proposes),
    ("elaborate/certificate/", Outside::Proposes),
    ("frontend/certificate/", Outside::Proposes),
    // Runs, models, and the invariants of IC3, which `finite/sat/invariant.rs` checks.
    ("finite/explicit/shortest_run.rs", Outside::Proposes),
    ("finite/replay/", Outside::Proposes),
    ("finite/sat/bmc.rs", Outside::Proposes),
    ("finite/sat/ic3.rs", Outside::Proposes),
    ("finite/sat/runs.rs", Outside::Proposes),
    // Sets of states, which `finite/symbolic/closure.rs` checks.
    ("finite/symbolic/bit_orders.rs", Outside::Proposes),
    ("finite/symbolic/saturation.rs", Outside::Proposes),
    ("finite/symbolic/shortest_run.rs", Outside::Proposes),
    ("finite/symbolic/variable_order.rs", Outside::Proposes),
    ("judge/cutoff_violation.rs", Outside::Proposes),
    ("logic/evaluate.rs", Outside::Proposes),
    ("protocol/execute.rs", Outside::Proposes),
    ("protocol/replay/", Outside::Proposes),
    ("smt/z3/model.rs", Outside::Proposes),
    ("smt/z3/small_models.rs", Outside::Proposes),
    // Other languages, traces and formatting; a selection of properties; `explore` and its ranges of
    // integers; samples and sets of states for the search; cvc5, SMT-LIB and the cache of `--watch`.
    ("elaborate/trace/", Outside::Elsewhere),
    ("finite/frozen/", Outside::Elsewhere),
    ("finite/question/default_sizes.rs", Outside::Elsewhere),
    ("finite/question/int_range.rs", Outside::Elsewhere),
    ("finite/question/request.rs", Outside::Elsewhere),
    ("finite/question/sweep.rs", Outside::Elsewhere),
    ("finite/symbolic/summary.rs", Outside::Elsewhere),
    ("finite/symbolic/value_combinations.rs", Outside::Elsewhere),
    ("finite/sample/", Outside::Elsewhere),
    ("finite/symbolic/reachable_set.rs", Outside::Elsewhere),
    ("frontend/ivy/", Outside::Elsewhere),
    ("frontend/machines/", Outside::Elsewhere),
    ("frontend/mercury/", Outside::Elsewhere),
    ("frontend/mypyvy/", Outside::Elsewhere),
    ("frontend/rml/selection.rs", Outside::Elsewhere),
    ("frontend/syntax/traverse.rs", Outside::Elsewhere),
    ("frontend/trace/", Outside::Elsewhere),
    ("protocol/step_formula.rs", Outside::Elsewhere),
    ("smt/solver_agreement.rs", Outside::Elsewhere),
    ("smt/cvc5.rs", Outside::Elsewhere),
    ("smt/answer_cache.rs", Outside::Elsewhere),
    ("smt/process.rs", Outside::Elsewhere),
    ("smt/proof.rs", Outside::Elsewhere),
    ("smt/smtlib.rs", Outside::Elsewhere),
    ("smt/sparse_models.rs", Outside::Elsewhere),
    ("smt/z3/script.rs", Outside::Elsewhere),
];

/// Where this command and others part: by the name of the file, because it declares machines, by an
/// option, or because a range of integers was given, which `check` never does.
const SWITCHES: &[&str] =
    &["finite/mod.rs", "frontend/mod.rs", "frontend/rml/mod.rs", "judge/request.rs"];

/// The most lines that the verdict may rest on.
const MAX_LINES: usize = 20_000;

#[test]
fn trusted_files_import_trusted_files() {
    let sources = Sources::read();
    let breaches: Vec<String> =
        sources.trusted().flat_map(|file| sources.breaches(&file.path)).collect();
    assert!(breaches.is_empty(), "\n{}\n", breaches.join("\n"));
}

#[test]
fn the_trusted_base_is_small_and_the_map_says_how_small() {
    let sources = Sources::read();
    let code: usize = sources.trusted().map(|file| shipped(&file.text).lines().count()).sum();
    let text = |path: &&str| fs::read_to_string(path).expect("a readable file");
    let grammars: usize = GRAMMARS.iter().map(|path| text(path).lines().count()).sum();
    let lines = code + grammars;
    assert!(lines <= MAX_LINES, "{lines} lines are trusted; {MAX_LINES} is the limit");
    let figure = format!("rests on about {},000 lines", (lines + 500) / 1000);
    assert!(text(&"src/README.md").contains(&figure), "src/README.md must say: {figure}");
}

#[test]
fn every_row_of_the_lists_is_a_file() {
    let sources = Sources::read();
    let rows = TRUSTED.iter().chain(OUTSIDE.iter().map(|(row, _)| row)).chain(SWITCHES);
    let gone: Vec<_> =
        rows.filter(|row| !sources.files.iter().any(|file| covers(row, &file.path))).collect();
    assert!(gone.is_empty(), "not in src: {gone:?}");
}

#[test]
fn the_trusted_rule_bites() {
    let sources = Sources::read();
    let breaks = |file: &str, path: &str| {
        let target = sources.target(file, path).expect("a path inside the crate");
        !sources.may_import(file, &target)
    };
    assert!(!breaks("judge/mod.rs", "crate::finite::Question"));
    assert!(!breaks("judge/mod.rs", "crate::certificate::validate"));
    assert!(breaks("judge/mod.rs", "crate::finite::Walks"), "re-exports are followed");
    assert!(breaks("judge/mod.rs", "crate::smt::Agreement"));
    assert!(breaks("finite/explicit/mod.rs", "super::sample::random::Random"));
    assert!(breaks("elaborate/mod.rs", "crate::analysis::analyse"));
    assert!(!breaks("judge/request.rs", "crate::smt::Agreement"), "a switch");
    let target = sources.target("finite/mod.rs", "question::slice::slice");
    assert_eq!(target.as_deref(), Some("finite/question/slice.rs"), "children are followed");
}

/// Whether a row of a list is this file or a folder around it.
fn covers(row: &str, path: &str) -> bool {
    path == row || (row.ends_with('/') && path.starts_with(row))
}

fn outside(path: &str) -> Option<Outside> {
    OUTSIDE.iter().find(|(row, _)| covers(row, path)).map(|(_, why)| *why)
}

fn is_trusted(path: &str) -> bool {
    TRUSTED.iter().any(|row| covers(row, path)) && outside(path).is_none()
}

/// The sources, and what each module imports.
struct Sources {
    files: Vec<SourceFile>,
    /// The file of each module.
    modules: BTreeMap<Vec<String>, String>,
    /// What a file imports or re-exports, by its last name.
    imports: BTreeMap<String, BTreeMap<String, Vec<String>>>,
}

impl Sources {
    fn read() -> Self {
        let files = every_file("src");
        let modules = files.iter().map(|file| (module(&file.path), file.path.clone())).collect();
        let imports = files.iter().map(|file| {
            let code = without_comments(shipped(&file.text), Literals::Blank);
            let named = paths(&statements(&code, |_| true).concat()).into_iter().map(|path| {
                let path: Vec<String> = segments(path.trim_end_matches("::self"));
                (path[path.len() - 1].clone(), path)
            });
            (file.path.clone(), named.collect())
        });
        let imports = imports.collect();
        Sources { modules, imports, files }
    }

    fn trusted(&self) -> impl Iterator<Item = &SourceFile> {
        self.files.iter().filter(|file| is_trusted(&file.path))
    }

    fn may_import(&self, path: &str, target: &str) -> bool {
        match outside(target) {
            Some(Outside::Elsewhere) => SWITCHES.contains(&path),
            Some(_) => true,
            None => is_trusted(target),
        }
    }

    /// What a trusted file names and must not.
    fn breaches(&self, path: &str) -> Vec<String> {
        let file = self.files.iter().find(|file| file.path == path).expect("a source");
        let mut code = without_comments(shipped(&file.text), Literals::Blank);
        // What a module only passes on, it does not use.
        for passed_on in statements(&code, |line| line.starts_with("pub")) {
            code = code.replace(&passed_on, "");
        }
        let used = paths(&code);
        let targets: BTreeSet<String> =
            used.iter().filter_map(|used| self.target(path, used)).collect();
        let forbidden = targets.iter().filter(|target| !self.may_import(path, target));
        forbidden.map(|target| format!("{path} is trusted and uses {target}")).collect()
    }

    /// The file in which what a path names is defined, if it is in this crate.
    fn target(&self, file: &str, path: &str) -> Option<String> {
        self.defined(&self.absolute(file, &segments(path), 0)?, 0)
    }

    /// A path from the root of the crate.
    fn absolute(&self, file: &str, path: &[String], depth: usize) -> Option<Vec<String>> {
        let mut own = module(file);
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => return Some(rest.to_vec()),
            "self" => {}
            "super" => {
                own.pop();
            }
            name => {
                own.push(name.to_owned());
                if !self.modules.contains_key(&own) {
                    let import = self.imports.get(file)?.get(name)?;
                    let import = (depth < 8 && *import != path).then_some(import)?;
                    own = self.absolute(file, import, depth + 1)?;
                }
            }
        }
        Some([&own, rest].concat())
    }

    /// The file that defines what an absolute path names: re-exports are followed.
    fn defined(&self, path: &[String], depth: usize) -> Option<String> {
        let length = (0..=path.len()).rev().find(|end| self.modules.contains_key(&path[..*end]))?;
        let file = &self.modules[&path[..length]];
        let import = path.get(length).and_then(|name| self.imports[file].get(name));
        match import.filter(|_| depth < 8).and_then(|import| self.absolute(file, import, 0)) {
            Some(inner) => self.defined(&[&inner, &path[length + 1..]].concat(), depth + 1),
            None => (length > 0).then(|| file.clone()),
        }
    }
}

/// The `use` statements of a text whose first line is as wanted.
fn statements(code: &str, wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = code;
    while !rest.is_empty() {
        let line = rest.lines().next().unwrap_or_default();
        let words = line.split_once("use ").map(|(before, _)| before.trim_end());
        let is_use = words.is_some_and(|before| {
            before.is_empty() || before == "pub" || before.starts_with("pub(")
        });
        let length = match rest.find(';').filter(|_| is_use && wanted(line)) {
            Some(end) => {
                found.push(rest[..=end].to_owned());
                end + 1
            }
            None => line.len(),
        };
        rest = rest[length..].strip_prefix('\n').unwrap_or(&rest[length..]);
    }
    found
}

fn segments(path: &str) -> Vec<String> {
    path.split("::").map(str::to_owned).collect()
}

/// The path of the module that a file holds.
fn module(path: &str) -> Vec<String> {
    let mut path: Vec<String> =
        path.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    path.pop_if(|last| matches!(last.as_str(), "mod" | "lib"));
    path
}
