//! The second solver: found or missed, sound or broken, it never surprises.
#![cfg(unix)]

use std::os::unix::fs::symlink;
use std::time::{Duration, Instant};

use rmlcut::budget::Budget;
use rmlcut::logic::Formula;
use rmlcut::smt::cvc5::{Cvc5, ExternalError, Opinion};
use rmlcut::smt::smtlib::{ScriptStatus, script};
use rmlcut::smt::{Discharge, Prover, ProverError, UnknownReason};

use tempfile::TempDir;

use crate::smt::toy::{Sort, Symbol, ToyFormula, v, var};
use crate::smt::{budget, query};

/// A solver in a folder that lives as long as it does.
struct Fake {
    solver: Cvc5,
    _folder: TempDir,
}

fn found(behaviour: &str) -> Result<Fake, ExternalError> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let program = folder.path().join(behaviour);
    let fake = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/smt/fake-cvc5");
    symlink(fake, &program).expect("a link to the fake solver");
    let solver = Cvc5::find(Some(program.into_os_string()), &budget().stop)?;
    Ok(Fake { solver, _folder: folder })
}

fn ask(behaviour: &str) -> Result<Opinion, ExternalError> {
    found(behaviour)?.solver.ask("(check-sat)", &budget())
}

/// Follows from nothing.
fn tautology() -> ToyFormula {
    let holds = Formula::holds(Symbol::And, vec![v("X", Sort::Twin)]);
    Formula::forall(vec![var("X", Sort::Twin)], Formula::or([holds.clone(), holds.negate()]))
}

fn contingency() -> ToyFormula {
    let holds = Formula::holds(Symbol::And, vec![v("X", Sort::Twin)]);
    Formula::forall(vec![var("X", Sort::Twin)], holds)
}

#[test]
fn answers_are_understood() {
    assert_eq!(ask("unsat"), Ok(Opinion::Unsat));
    assert_eq!(ask("sat"), Ok(Opinion::Sat));
    assert_eq!(ask("finite"), Ok(Opinion::Sat));
    let incomplete = UnknownReason::Incomplete("unknown (INCOMPLETE)".to_owned());
    assert_eq!(ask("undecided"), Ok(Opinion::Unknown(incomplete)));
    assert_eq!(ask("deaf"), Ok(Opinion::Unsat));
}

#[test]
fn only_unsat_proves_anything() {
    let discharge = |behaviour| {
        let fake = found(behaviour).map_err(ProverError::from)?;
        fake.solver.discharge(&query(&[], &tautology()), &budget())
    };
    assert_eq!(discharge("unsat"), Ok(Discharge::Valid));
    for other in ["sat", "undecided"] {
        assert!(matches!(discharge(other), Ok(Discharge::Unknown(_))), "{other}");
    }
    assert!(matches!(discharge("garbled"), Err(ProverError::External(_))));
}

#[test]
fn broken_solvers_are_named() {
    for broken in ["garbled", "crashes"] {
        let error = ask(broken).expect_err("no lone answer");
        assert!(
            matches!(&error, ExternalError::Failed { program, .. } if program.ends_with(broken))
        );
    }
    assert!(ask("crashes").expect_err("a crash").to_string().contains("Segmentation fault"));
}

#[test]
fn other_programs_and_old_releases_are_refused() {
    for wrong in ["ancient", "other"] {
        let error = found(wrong).err().expect("not a cvc5 that we know");
        assert!(matches!(error, ExternalError::WrongVersion { .. }), "{error:?}");
    }
    assert_eq!(found("unsat").expect("a cvc5").solver.version(), "1.2.3");
    let missing = Cvc5::find(Some("/nowhere/cvc5".into()), &budget().stop).expect_err("not there");
    assert!(missing.to_string().contains("cvc5 was not found"), "{missing}");
    let missing =
        Cvc5::find(Some("/nowhere/python3".into()), &budget().stop).expect_err("not there");
    assert!(matches!(missing, ExternalError::Missing(_)), "{missing:?}");
}

#[test]
fn a_solver_that_hangs_is_stopped() {
    let start = Instant::now();
    let fake = found("hangs").expect("a cvc5");
    let short = Budget::of_time(Duration::from_millis(200));
    assert_eq!(fake.solver.ask("", &short), Ok(Opinion::Unknown(UnknownReason::Timeout)));
    let cancelled = Budget::of_time(Duration::from_secs(60));
    cancelled.stop.cancel();
    assert_eq!(fake.solver.ask("", &cancelled), Ok(Opinion::Unknown(UnknownReason::Cancelled)));
    assert!(start.elapsed() < Duration::from_secs(10));
}

/// Where cvc5 is installed it must agree with us; where it is not, we must say so.
#[test]
fn an_installed_cvc5_agrees() {
    match Cvc5::find(None, &budget().stop) {
        Ok(solver) => {
            let opinion = |goal: &ToyFormula| {
                let script = script(&query(&[], goal), ScriptStatus::Unknown).expect("well-sorted");
                solver.ask(&script, &budget())
            };
            assert_eq!(opinion(&tautology()), Ok(Opinion::Unsat));
            assert_eq!(opinion(&contingency()), Ok(Opinion::Sat));
        }
        Err(error) => assert!(matches!(error, ExternalError::Missing(_)), "{error:?}"),
    }
}
