//! A copy of the project in which any one line of the list can be made wrong.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

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
    /// The copy; it stays where it is, so that only what changed is compiled again.
    copy: PathBuf,
    /// Where this program was built: the copy uses the same dependencies.
    target: PathBuf,
    library: Option<PathBuf>,
}

/// How a test ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum TestEnd {
    Passed,
    Failed,
    /// It was ended because it took too long.
    OutOfTime,
}

impl Workshop {
    /// Copies the project and puts the switches in.
    pub(crate) fn new(project: &Path) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let copy = folder.join("sabotage_copy");
        let mut texts = BTreeMap::new();
        for name in COPIED {
            read_all(project, Path::new(name), &mut texts);
        }
        put_switches(&mut texts);
        remove_others(&copy, Path::new(""), &texts);
        for (name, text) in texts {
            write_if_new(&copy.join(name), &text);
        }
        let library = folder.with_file_name("z3-5.3.2").join("lib");
        let target = folder.parent().expect("the target folder").to_owned();
        Workshop { copy, target, library: library.exists().then_some(library) }
    }

    /// Checks that the copy compiles.
    pub(crate) fn check(&self) {
        let output = self.cargo("check").arg("--lib").output().expect("cargo is there");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    /// Builds the tests of the copy.
    pub(crate) fn build(&self) -> Programs<'_> {
        let suites: BTreeSet<&str> = SABOTAGE.iter().map(|own| own.suite_and_test().0).collect();
        let mut build = self.cargo("test");
        build.args(["--no-run", "--message-format=json"]);
        let programs: BTreeSet<_> = suites.into_iter().map(target).collect();
        for program in programs {
            build.args(program);
        }
        let output = build.output().expect("cargo is there");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let mut paths = BTreeMap::new();
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let message: serde_json::Value = serde_json::from_str(line).unwrap_or_default();
            if let Some(path) = message["executable"].as_str()
                && message["profile"]["test"] == true
            {
                paths.insert(message["target"]["kind"][0] == "test", PathBuf::from(path));
            }
        }
        assert_eq!(paths.len(), 2, "cargo names both programs");
        Programs { workshop: self, paths }
    }

    fn cargo(&self, subcommand: &str) -> Command {
        let mut command = Command::new(env!("CARGO"));
        command.current_dir(&self.copy).args([subcommand, "--quiet", "--offline"]);
        command.args(["--profile", if cfg!(debug_assertions) { "dev" } else { "release" }]);
        command.env("CARGO_TARGET_DIR", &self.target).env_remove(VARIABLE);
        if let Some(library) = &self.library {
            command.env("RMLCUT_Z3_LIB_DIR", library);
        }
        command
    }
}

/// The test programs of the copy.
pub(crate) struct Programs<'a> {
    workshop: &'a Workshop,
    /// Whether it has the integration tests, and where it is.
    paths: BTreeMap<bool, PathBuf>,
}

impl Programs<'_> {
    /// How a test ends with one line made wrong, or none.
    pub(crate) fn run(
        &self,
        suite: &str,
        test: &str,
        wrong: Option<usize>,
        limit: Duration,
    ) -> TestEnd {
        let mut run = Command::new(&self.paths[&(suite != OWN_TESTS)]);
        run.arg("--exact").arg(full_name(suite, test)).current_dir(&self.workshop.copy);
        run.env("CARGO", env!("CARGO")).env("INSTA_UPDATE", "no").env_remove(VARIABLE);
        if let Some(number) = wrong {
            run.env(VARIABLE, number.to_string());
        }
        let output = tempfile::NamedTempFile::new().expect("there is room for a file");
        let stdout = output.reopen().expect("the file is there");
        // What it starts ends with it.
        let child = run.process_group(0).stdout(stdout).stderr(Stdio::null()).spawn();
        let status = ended(child.expect("the program is there"), limit);
        let said = fs::read_to_string(output.path()).unwrap_or_default();
        assert!(said.contains("running 1 test\n"), "{test} is not run: {said}");
        match status {
            None => TestEnd::OutOfTime,
            Some(status) if status.success() => TestEnd::Passed,
            Some(_) => TestEnd::Failed,
        }
    }
}

/// The status of a process, or `None` if it had to be ended.
fn ended(mut child: Child, limit: Duration) -> Option<ExitStatus> {
    let start = Instant::now();
    while start.elapsed() < limit {
        if let Some(status) = child.try_wait().expect("it is our child") {
            return Some(status);
        }
        thread::sleep(Duration::from_millis(20));
    }
    let group = format!("-{}", child.id());
    let killed = Command::new("kill").args(["-KILL", "--", &group]).status();
    assert!(killed.is_ok_and(|status| status.success()), "the test can be ended");
    child.wait().expect("it is our child");
    None
}

/// The name of a test as its program lists it.
fn full_name(suite: &str, test: &str) -> String {
    if suite == OWN_TESTS { test.to_owned() } else { format!("{suite}::{test}") }
}

/// The arguments that select tests for cargo.
fn target(suite: &str) -> Vec<&str> {
    if suite == OWN_TESTS { vec!["--lib"] } else { vec!["--test", "all"] }
}

/// A file or a folder of the project, by the names of its files.
fn read_all(project: &Path, name: &Path, texts: &mut BTreeMap<PathBuf, Vec<u8>>) {
    let from = project.join(name);
    if from.is_dir() {
        for entry in fs::read_dir(from).expect("the project is readable") {
            let entry = entry.expect("the project is readable");
            read_all(project, &name.join(entry.file_name()), texts);
        }
    } else if from.exists() {
        texts.insert(name.to_owned(), fs::read(from).expect("the project is readable"));
    }
}

/// Removes what an earlier copy had and this one has not.
fn remove_others(copy: &Path, name: &Path, texts: &BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(copy.join(name)).into_iter().flatten() {
        let entry = entry.expect("the copy is readable");
        let name = name.join(entry.file_name());
        if entry.path().is_dir() {
            remove_others(copy, &name, texts);
        } else if !texts.contains_key(&name) {
            fs::remove_file(entry.path()).expect("the copy is writable");
        }
    }
}

/// A file that stays the same keeps its time, and need not be compiled again.
fn write_if_new(path: &Path, text: &[u8]) {
    if fs::read(path).is_ok_and(|old| old == text) {
        return;
    }
    fs::create_dir_all(path.parent().expect("a copy is in a folder")).expect("it is writable");
    fs::write(path, text).expect("the copy is writable");
}

/// `{ if on(7) { wrong } else { right } }` in the place of every line of the list.
fn put_switches(texts: &mut BTreeMap<PathBuf, Vec<u8>>) {
    let root = texts.get_mut(Path::new("src/lib.rs")).expect("the library has a root");
    root.extend(b"\n/// Which line is wrong.\npub mod sabotage;\n");
    texts.insert(PathBuf::from("src/sabotage.rs"), SWITCH.into());
    let mut places: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    for (number, own) in SABOTAGE.iter().enumerate() {
        places.entry((own.file, own.line)).or_default().push(number);
    }
    for ((file, line), numbers) in places {
        let name = Path::new("src").join(file);
        let text = texts.get_mut(&name).unwrap_or_else(|| panic!("{file} is not there"));
        let whole = String::from_utf8_lossy(text).into_owned();
        let own = SABOTAGE[numbers[0]];
        let (before, part, after) =
            parts(&whole, own).unwrap_or_else(|| panic!("{file}: `{line}` is not there once"));
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
        *text = format!("{before}{switch}{after}").into_bytes();
    }
}
