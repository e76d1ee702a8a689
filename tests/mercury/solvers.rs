//! What counters prove, a second solver proves as well.

use std::path::Path;
use std::process::Command;

use rmlcut::budget::Stop;
use rmlcut::smt::cvc5::{Cvc5, ExternalError};

/// The six systems without sets.
const COUNTED: [&str; 6] = [
    "consortium",
    "distributed_register",
    "distributed_store",
    "lock_service",
    "object_tracker",
    "robot_flocking",
];

fn first_line(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_rmlcut")).args(arguments).output();
    let text = String::from_utf8(output.expect("the program runs").stdout).expect("text");
    text.lines().next().unwrap_or_default().to_owned()
}

/// Where cvc5 is installed it must agree with us; where it is not, nothing can be compared.
#[test]
fn both_solvers_prove_the_systems_without_sets() {
    if let Err(error) = Cvc5::find(None, &Stop::never()) {
        assert!(matches!(error, ExternalError::Missing(_)), "{error:?}");
        println!("skipped: cvc5 is not installed");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("protocols/agreement");
    for name in COUNTED {
        let file = root.join(format!("{name}.mer")).display().to_string();
        let certificate = folder.path().join(format!("{name}.cut")).display().to_string();
        assert_eq!(first_line(&["synth", &file, "-o", &certificate]), "safe", "{name}");
        let both = ["check", &file, &certificate, "--solver", "both"];
        assert_eq!(first_line(&both), "safe", "{name}");
    }
}
