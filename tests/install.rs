//! What is installed runs: without the source tree, without the build folder, from any folder, for
//! any user; and the Z3 library is loaded only where the solver is needed.

use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

const PROTOCOL: &str = "\
sort node
relation held(node)
relation free
init ~held(N)
init free
action take(n: node) { require free; free := false; held(n) := true }
action give(n: node) { require held(n); held(n) := false; free := true }
safety [one] held(N1) & held(N2) -> N1 = N2
";

/// What needs no solver, and a word of the answer.
const WITHOUT_SOLVER: &[(&[&str], &str)] = &[
    (&["--help"], "Usage"),
    (&["fmt", "lock.rml"], "sort node"),
    (&["explore", "lock.rml", "--size", "node=2"], "safe at node=2"),
    (&["show", "protocol", "lock.rml"], "action take"),
    (&["show", "analysis", "lock.rml"], "take"),
    (&["export", "--to", "tla", "lock.rml"], "MODULE"),
    (&["completions", "bash"], "rmlcut"),
];

/// What needs it.
const WITH_SOLVER: &[(&[&str], &str)] = &[
    (&["--version"], "(Z3 5.3.2"),
    (&["synth", "lock.rml", "-o", "/dev/null"], "safe"),
    (&["check", "lock.rml", "lock.cut"], "safe"),
    (&["show", "lint", "lock.rml"], "suspicious"),
];

/// A folder with a protocol and a certificate for it, which other users may read.
fn workplace() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).expect("our own folder");
    fs::write(folder.path().join("lock.rml"), PROTOCOL).expect("our own folder");
    let proved = run(&mut program(folder.path()), &["synth", "lock.rml", "-o", "lock.cut"]);
    assert!(proved.status.success(), "{}", said(&proved));
    folder
}

/// The program of this build, in a folder.
fn program(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rmlcut"));
    command.current_dir(folder).env_remove("LD_LIBRARY_PATH").env_remove("RMLCUT_Z3_LIBRARY");
    command
}

fn run(command: &mut Command, arguments: &[&str]) -> Output {
    command.args(arguments).output().expect("the program starts")
}

fn said(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    format!("{:?}\n{}{}", output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// Every command gives its answer when started in this way.
fn everything_runs(start: &dyn Fn() -> Command) {
    for (arguments, expected) in WITHOUT_SOLVER.iter().chain(WITH_SOLVER) {
        let output = run(&mut start(), arguments);
        let said = said(&output);
        assert!(output.status.success() && said.contains(expected), "{arguments:?}: {said}");
    }
}

/// One line on standard error that names the file, and exit code 3.
fn is_refused(folder: &Path, library: &OsStr) {
    let name = Path::new(library).file_name().expect("a file").to_string_lossy().into_owned();
    for (arguments, _) in WITH_SOLVER {
        let output = run(program(folder).env("RMLCUT_Z3_LIBRARY", library), arguments);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{arguments:?}: {}", said(&output));
        assert_eq!(stderr.lines().count(), 1, "{arguments:?}: {stderr}");
        assert!(stderr.contains(&name) && stderr.contains("Z3"), "{arguments:?}: {stderr}");
    }
}

/// The library that the build used, unless Z3 is linked into the program.
fn library() -> Option<&'static Path> {
    option_env!("RMLCUT_Z3_BUILT").map(Path::new)
}

#[test]
fn only_the_solver_needs_the_library() {
    let Some(_) = library() else { return };
    let folder = workplace();
    let missing = folder.path().join("missing.so");
    is_refused(folder.path(), missing.as_os_str());
    for (arguments, expected) in WITHOUT_SOLVER {
        let output = run(program(folder.path()).env("RMLCUT_Z3_LIBRARY", &missing), arguments);
        let said = said(&output);
        assert!(output.status.success() && said.contains(expected), "{arguments:?}: {said}");
    }
}

#[test]
fn a_named_library_is_used_if_it_is_the_right_one() {
    let Some(library) = library() else { return };
    let folder = workplace();
    everything_runs(&|| {
        let mut command = program(folder.path());
        command.env("RMLCUT_Z3_LIBRARY", library);
        command
    });
    let text = folder.path().join("text.so");
    fs::write(&text, PROTOCOL).expect("our own folder");
    is_refused(folder.path(), text.as_os_str());
    let cut_short = folder.path().join("half.so");
    let whole = fs::read(library).expect("the library of the build");
    fs::write(&cut_short, &whole[..whole.len() / 2]).expect("our own folder");
    is_refused(folder.path(), cut_short.as_os_str());
    for other in loaded_libraries() {
        is_refused(folder.path(), other.as_os_str());
    }
    // A bare name is a file in the current folder, never a library of the system.
    is_refused(folder.path(), OsStr::new("libz3.so"));
    is_refused(folder.path(), OsStr::new("libc.so.6"));
}

/// Libraries that this test itself has loaded: certainly libraries. Z3 may be among them, because
/// other tests ask the solver.
fn loaded_libraries() -> Vec<PathBuf> {
    let maps = fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let files = maps.lines().filter_map(|line| line.find('/').map(|start| &line[start..]));
    let mut libraries: Vec<PathBuf> = files
        .filter(|file| file.contains(".so") && !file.contains("z3"))
        .map(PathBuf::from)
        .collect();
    libraries.dedup();
    libraries
}

#[test]
fn no_system_z3_is_used() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    // The loader of Linux lists what it would load, and runs nothing.
    let listed = run(program(folder.path()).env("LD_TRACE_LOADED_OBJECTS", "1"), &["--help"]);
    let listed = said(&listed);
    assert!(!listed.contains("libz3"), "{listed}");
    if cfg!(all(target_os = "linux", target_env = "gnu")) {
        assert!(listed.contains("libc.so"), "nothing is listed: {listed}");
    }
}

#[test]
fn no_home_and_no_environment_is_needed() {
    let folder = workplace();
    everything_runs(&|| {
        let mut command = program(folder.path());
        command.env_clear();
        command
    });
}

#[test]
#[ignore = "builds the project from scratch; run with `cargo test --test all install:: -- --ignored`"]
fn what_is_installed_outlives_its_build() {
    let place = tempfile::tempdir().expect("a temporary folder");
    fs::set_permissions(place.path(), Permissions::from_mode(0o755)).expect("our own folder");
    let installed = install(place.path());
    let folder = workplace();
    let start = |program: &Path| {
        let mut command = Command::new(program);
        command.current_dir(folder.path()).env_remove("LD_LIBRARY_PATH");
        command
    };
    everything_runs(&|| start(&installed));
    let alone = place.path().join("alone");
    fs::copy(&installed, &alone).expect("our own folder");
    fs::remove_file(&installed).expect("our own folder");
    everything_runs(&|| start(&alone));
    let nowhere = place.path().join("unwritable");
    fs::create_dir(&nowhere).expect("our own folder");
    fs::set_permissions(&nowhere, Permissions::from_mode(0o555)).expect("our own folder");
    everything_runs(&|| {
        let mut command = start(&alone);
        command.env("HOME", &nowhere).env("TMPDIR", &nowhere).env("XDG_RUNTIME_DIR", &nowhere);
        command
    });
    as_another_user(&alone, folder.path());
}

/// Installs a copy of the project as the README says, from another folder, and removes the copy
/// with all that was built in it.
fn install(place: &Path) -> PathBuf {
    const COPIED: &[&str] =
        &[".cargo", "Cargo.lock", "Cargo.toml", "build.rs", "grammar", "protocols", "src"];
    let source = place.join("source");
    for name in COPIED {
        copy_all(&Path::new(env!("CARGO_MANIFEST_DIR")).join(name), &source.join(name));
    }
    let root = place.join("root");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(place).args(["install", "--locked", "--path"]).arg(&source);
    cargo.arg("--root").arg(&root).env_remove("CARGO_TARGET_DIR");
    let output = cargo.output().expect("cargo is there");
    assert!(output.status.success(), "{}", said(&output));
    fs::remove_dir_all(&source).expect("our own folder");
    root.join("bin/rmlcut")
}

fn copy_all(from: &Path, to: &Path) {
    if from.is_dir() {
        fs::create_dir_all(to).expect("the copy is writable");
        for entry in fs::read_dir(from).expect("the project is readable") {
            let entry = entry.expect("the project is readable");
            copy_all(&entry.path(), &to.join(entry.file_name()));
        }
    } else if from.exists() {
        fs::copy(from, to).expect("the copy is writable");
    }
}

/// Only the superuser can become another one.
fn as_another_user(program: &Path, folder: &Path) {
    const NOBODY: &str = "65534";
    let is_superuser = fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0);
    let has_tool = Command::new("setpriv").arg("--version").output().is_ok();
    if !is_superuser || !has_tool {
        let note = "not tried as another user: that needs the superuser and `setpriv`";
        let _ = writeln!(std::io::stderr(), "{note}");
        return;
    }
    everything_runs(&|| {
        let mut command = Command::new("setpriv");
        command.args(["--reuid", NOBODY, "--regid", NOBODY, "--clear-groups"]).arg(program);
        command.current_dir(folder).env("HOME", "/nonexistent");
        command
    });
}
