//! The scripts of `--smt2`: read by Z3's own parser, each gets the answer that it declares.

use rmlcut::elaborate::certificate::Origin;
use rmlcut::evidence::{Exhibit, exhibits};
use rmlcut::smt::smtlib::ScriptStatus;
use z3::{Config, SatResult, Solver, with_z3_config};

use super::{certificate, judged, path, protocol};

/// The scripts of every obligation of a certificate.
fn scripts(protocol_file: &str, certificate_file: &str) -> Vec<Exhibit> {
    let user = protocol(&path(protocol_file));
    let read = certificate(&user, &path(certificate_file), Origin::AnyText);
    let read = read.unwrap_or_else(|messages| panic!("{}", messages.join("; ")));
    let judgement = judged(&user, &read, &|title| !title.ends_with(": finite"));
    exhibits(&judgement).expect("obligations make sense")
}

/// What Z3 says about a script, read by its own parser.
fn read_by_z3(script: &str) -> SatResult {
    rmlcut::smt::z3::load().expect("the library of the build");
    with_z3_config(&Config::new(), || {
        let solver = Solver::new();
        solver.from_string(script.to_owned());
        let asserted = script.lines().filter(|line| line.starts_with("(assert ")).count();
        assert_eq!(solver.get_assertions().len(), asserted, "all of it is read: {script}");
        solver.check()
    })
}

/// Every script says what Z3 says about it; how many of them are refuted.
fn agreed(protocol_file: &str, certificate_file: &str) -> usize {
    let all = scripts(protocol_file, certificate_file);
    assert!(all.len() > 10, "{certificate_file}");
    for Exhibit { title, status, script, .. } in &all {
        let said = script.matches(&format!("(set-info :status {status})\n")).count();
        assert_eq!(said, 1, "{title}: its status is in the file");
        let expected = match status {
            ScriptStatus::Unsat => SatResult::Unsat,
            ScriptStatus::Sat => SatResult::Sat,
            ScriptStatus::Unknown => panic!("{title}: undecided"),
        };
        assert_eq!(read_by_z3(script), expected, "{title}");
    }
    all.iter().filter(|own| own.status == ScriptStatus::Sat).count()
}

#[test]
fn scripts_of_accepted_certificates_are_unsatisfiable() {
    for name in ["mutual-exclusion/lock_server", "storage/basic_kv", "commit/two_phase_commit"] {
        let refuted = agreed(&format!("protocols/{name}.rml"), &format!("protocols/{name}.cut"));
        assert_eq!(refuted, 0, "{name}");
    }
}

#[test]
fn scripts_of_refused_certificates_state_what_is_refuted() {
    let kept = ("protocols/storage/basic_kv.rml", "tests/refused/basic_kv_keeps_message.cut");
    let lost = (
        "protocols/mutual-exclusion/lock_server.rml",
        "tests/refused/lock_server_loses_unlock.cut",
    );
    for (protocol_file, certificate_file) in [kept, lost] {
        assert!(agreed(protocol_file, certificate_file) > 0, "{certificate_file}");
    }
}

#[test]
fn the_goal_is_what_makes_a_script_unsatisfiable() {
    let name = "storage/basic_kv";
    let all = scripts(&format!("protocols/{name}.rml"), &format!("protocols/{name}.cut"));
    let step = all.iter().find(|own| own.title.contains(": step ")).expect("it has steps");
    let (before, goal) = step.script.split_once("\n; show ").expect("it shows something");
    let goal_end = goal.find("(check-sat)").expect("it asks");
    assert_eq!(read_by_z3(&format!("{before}\n{}", &goal[goal_end..])), SatResult::Sat);
}
