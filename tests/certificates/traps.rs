//! The traps of the theory: protocols that are not safe, each with the certificate that a wrong
//! reading of one rule would accept.
//!
//! Everything that the rule does not forbid is right about them: there is no other gap. The one
//! exception assumes a contradiction only about some instances, and has nothing to say of others.

use rmlcut::elaborate::certificate::Origin;

use super::refused::must_fail;
use super::{certificate, files, judged, path, protocol, verdict_in_words};

const OPEN_COUNTER: &str = "unproved: jumping: finite: C uses int, which no search exhausts: \
    close the case by an invariant";
const CONSTRAINED: &str =
    "unproved: malformed: a certificate adds no initial condition but definitions of history";
const MERGED: &str = "unproved: two_holders: start / gamma buddies; \
    two_holders: safety mutual_exclusion";

/// Each trap with its protocol and its verdict.
const TRAPS: [(&str, &str, &str); 14] = [
    ("absence", "absence", "unproved: alone: step kill / keeps survivors"),
    ("both_forces", "both_forces", "unproved: consecution take / lamp"),
    ("bounded_int", "bounded_int", OPEN_COUNTER),
    ("definitions_as_hypotheses", "definitions_as_hypotheses", MERGED),
    ("dropped_init", "dropped_init", "unsafe: intact"),
    (
        "havoc_before_require",
        "havoc_before_require",
        "unproved: two_holders: step enter / enabled 1",
    ),
    ("history_constraint", "history_constraint", CONSTRAINED),
    ("no_violators", "no_violators", "unproved: cover survivor"),
    ("one_residual_size", "one_residual_size", "unsafe: intact"),
    (
        "selected_and_violating",
        "selected_not_violating",
        "unproved: equal: safety mutual_exclusion",
    ),
    ("selected_not_violating", "selected_not_violating", "unproved: cover mutual_exclusion"),
    (
        "symmetric_property",
        "symmetric_property",
        "unproved: breaking: finite: a run of C violates b_stays_out",
    ),
    ("witness_is_rigid", "witness_is_rigid", "unproved: lost: step lose / keeps owner"),
    ("written_only", "written_only", "unsafe: one_winner"),
];

#[test]
fn every_trap_is_seen() {
    for (name, user, verdict) in TRAPS {
        let user = protocol(&path(&format!("protocols/broken/trap_{user}.rml")));
        let file = path(&format!("tests/traps/{name}.cut"));
        let certificate = certificate(&user, &file, Origin::AnyText)
            .unwrap_or_else(|messages| panic!("{name}: {}", messages.join("; ")));
        let judgement = judged(&user, &certificate, &|_| true);
        assert_eq!(verdict_in_words(&user, &judgement.verdict), verdict, "{name}");
        let reason = must_fail(&file);
        assert!(verdict.contains(&reason), "{name}: {reason}");
    }
}

#[test]
fn every_trap_of_the_theory_has_a_certificate() {
    let stem = |file: &std::path::Path| {
        file.file_stem().expect("a file has a name").to_string_lossy().into_owned()
    };
    let found: Vec<String> =
        files(&path("tests/traps"), "cut").iter().map(|file| stem(file)).collect();
    assert_eq!(found, TRAPS.map(|(name, ..)| name));
    for file in files(&path("protocols/broken"), "rml") {
        if let Some(trap) = stem(&file).strip_prefix("trap_") {
            assert!(TRAPS.iter().any(|(_, user, _)| *user == trap), "{trap}");
        }
    }
}
