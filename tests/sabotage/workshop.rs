//! A copy of the project in which any one line of the list can be made wrong.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use super::list::{OWN_TESTS, SABOTAGE};
use super::parts;

/// What the copy needs of the project.
const COPIED: &[&str] = &[
    ".cargo",
    "Cargo.lock",
    "Cargo.toml",
    "build.rs",
    "fuzz/entry.rs",
    "grammar",
    "protocols",
    "src",
    "tests",
];

/// The number of the line that is to be wrong.
const VARIABLE: &str = "RMLCUT_SABOTAGE";

/// The module that the copy has in addition.
const SWITCH: &str = "//! Which line is wrong.\n\n\
    /// Whether it is this one.\n\
    pub fn on(number: usize) -> bool {\n    \
        static CHOSEN: std::sync::OnceLock<Option<usize>> = std::sync::OnceLock::new();\n    \
        *CHOSEN.get_or_init(|| std::env::var(\"RMLCUT_SABOTAGE\").ok()?.parse().ok()) == Some(number)\n\
    }\n";

pub(crate) struct Workshop {
    copy: TempDir,
    /// Where the copy is built; kept from one run to the next.
    target: PathBuf,
    library: Option<PathBuf>,
}

impl Workshop {
    /// Copies the project and puts the switches in.
    pub(crate) fn new(project: &Path) -> Self {
        let copy = tempfile::tempdir().expect("there is room for a copy");
        for name in COPIED {
            copy_all(&project.join(name), &copy.path().join(name));
        }
        put_switches(&copy.path().join("src"));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let library = folder.with_file_name("z3-5.3.2").join("lib");
        let target = folder.join("sabotage");
        Workshop { copy, target, library: library.exists().then_some(library) }
    }

    /// Checks that the copy compiles, with the dependencies that this program was built with.
    pub(crate) fn check(&self) {
        let mut check = self.cargo("check");
        check.args(["--lib", "--profile", if cfg!(debug_assertions) { "dev" } else { "release" }]);
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target folder");
        check.env("CARGO_TARGET_DIR", target);
        let output = check.output().expect("cargo is there");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    /// Builds the tests of the copy.
    pub(crate) fn build(&self) {
        let suites: BTreeSet<&str> = SABOTAGE.iter().map(|own| own.suite_and_test().0).collect();
        let mut build = self.cargo("test");
        build.arg("--no-run");
        let programs: BTreeSet<_> = suites.into_iter().map(target).collect();
        for program in programs {
            build.args(program);
        }
        let output = build.output().expect("cargo is there");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    /// Whether a test passes with one line made wrong, or none.
    pub(crate) fn passes(&self, suite: &str, test: &str, wrong: Option<usize>) -> bool {
        let mut run = self.cargo("test");
        run.args(target(suite)).arg("--").arg("--exact").arg(full_name(suite, test));
        if let Some(number) = wrong {
            run.env(VARIABLE, number.to_string());
        }
        let output = run.output().expect("cargo is there");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.contains("running 1 test\n"), "{test} is not run: {said}");
        output.status.success()
    }

    fn cargo(&self, subcommand: &str) -> Command {
        let mut command = Command::new(env!("CARGO"));
        command.current_dir(self.copy.path()).args([subcommand, "--quiet", "--offline"]);
        command.env("CARGO_TARGET_DIR", &self.target).env_remove(VARIABLE);
        if let Some(library) = &self.library {
            command.env("RMLCUT_Z3_LIB_DIR", library);
        }
        command
    }
}

/// The name of a test as its program lists it.
fn full_name(suite: &str, test: &str) -> String {
    if suite == OWN_TESTS { test.to_owned() } else { format!("{suite}::{test}") }
}

/// The arguments that select tests for cargo.
fn target(suite: &str) -> Vec<&str> {
    if suite == OWN_TESTS { vec!["--lib"] } else { vec!["--test", "all"] }
}

fn copy_all(from: &Path, to: &Path) {
    if from.is_dir() {
        fs::create_dir_all(to).expect("the copy is writable");
        for entry in fs::read_dir(from).expect("the project is readable") {
            let entry = entry.expect("the project is readable");
            copy_all(&entry.path(), &to.join(entry.file_name()));
        }
    } else if from.exists() {
        let folder = to.parent().expect("a copy is in a folder");
        fs::create_dir_all(folder).expect("the copy is writable");
        fs::copy(from, to).expect("the copy is writable");
    }
}

/// `{ if on(7) { wrong } else { right } }` in the place of every line of the list.
fn put_switches(src: &Path) {
    let root = src.join("lib.rs");
    let library = fs::read_to_string(&root).expect("the library has a root");
    fs::write(&root, format!("{library}\n/// Which line is wrong.\npub mod sabotage;\n"))
        .expect("the copy is writable");
    fs::write(src.join("sabotage.rs"), SWITCH).expect("the copy is writable");
    let mut places: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    for (number, own) in SABOTAGE.iter().enumerate() {
        places.entry((own.file, own.line)).or_default().push(number);
    }
    for ((file, line), numbers) in places {
        let path = src.join(file);
        let text = fs::read_to_string(&path).expect("the copy is readable");
        let own = SABOTAGE[numbers[0]];
        let (before, part, after) =
            parts(&text, own).unwrap_or_else(|| panic!("{file}: `{line}` is not there once"));
        let wrong: String = numbers
            .iter()
            .map(|number| {
                let instead = SABOTAGE[*number].instead;
                format!("if crate::sabotage::on({number}) {{ {instead} }} else ")
            })
            .collect();
        let switch = format!("{{ {wrong}{{ {part} }} }}");
        // An expression that begins with a brace would be read as a statement.
        let switch = if part.ends_with(';') { switch } else { format!("({switch})") };
        fs::write(&path, format!("{before}{switch}{after}")).expect("the copy is writable");
    }
}
