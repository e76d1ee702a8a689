//! The traces of mypyvy files are looked for, found where there are any, and are runs.

use rmlcut::budget::{Budget, Stop};
use rmlcut::coverage::CheckedRun;
use rmlcut::finite::question::request::FiniteRequest;
use rmlcut::finite::{Deadlocks, Silent, Slicing, Symmetry};
use rmlcut::pipeline::{ExploreError, run_traces};
use rmlcut::protocol::{Beginning, Protocol};
use rmlcut::report::text::diagnostics::{Colour, render};
use rmlcut::source::SourceFile;

use super::{files, refused, source};

const LOCK: &str = "sort node\nimmutable constant first: node\n\
    mutable relation asked(node)\nmutable relation held(node)\n\
    init !asked(N) & !held(N)\n\
    transition ask(n: node)\n  modifies asked\n\
      forall N. new(asked(N)) <-> asked(N) | N = n\n\
    transition take(n: node)\n  modifies held, asked\n\
      asked(n) & (forall N. !held(N)) &\n\
      (forall N. new(held(N)) <-> held(N) | N = n) &\n\
      (forall N. new(asked(N)) <-> asked(N) & N != n)\n\
    safety [one] held(N) & held(M) -> N = M\n";

fn run(text: &str, nodes: u32) -> Result<(Protocol, Vec<CheckedRun>), String> {
    let source = SourceFile::new("t.pyv", text);
    let request = FiniteRequest {
        sizes: vec![("node".to_owned(), nodes)],
        window: None,
        properties: Vec::new(),
        engine: None,
        deadlocks: Deadlocks::Ignored,
        symmetry: Symmetry::Reduced,
        slicing: Slicing::Whole,
        budget: Budget {
            max_states: 100_000,
            max_memory: 1 << 28,
            threads: 1,
            ..Budget::until(Stop::never())
        },
        patience: u64::MAX,
    };
    run_traces(&source, &request, std::slice::from_ref(&request.sizes), &Silent).map_err(|error| {
        match error {
            ExploreError::Text(messages) => render(&source, &messages, Colour::Never),
            ExploreError::Request(error) => error.to_string(),
        }
    })
}

/// The only trace of the lock with this trace added, at a size.
fn only(trace: &str, nodes: u32) -> CheckedRun {
    let (protocol, mut runs) = run(&format!("{LOCK}{trace}"), nodes).expect("it can be run");
    assert_eq!(runs.len(), 1);
    let asked = runs.remove(0);
    if let (Some(run), Beginning::Initial) = (&asked.run, asked.expected.beginning) {
        assert_eq!(run.replay(&protocol), Ok(()), "what is found is a run of the protocol");
    }
    asked
}

#[test]
fn a_run_of_named_steps_is_found() {
    let asked =
        only("sat trace {\n ask(first)\n assert asked(first)\n take(*)\n assert held(first)\n}", 2);
    assert_eq!(asked.is_as_expected(), Some(true));
    assert_eq!(asked.run.map(|run| run.steps.len()), Some(2));
}

#[test]
fn a_run_that_does_not_exist_is_not_found() {
    let asked = only("unsat trace {\n take\n}", 2);
    assert!(asked.run.is_none());
    assert_eq!(asked.is_as_expected(), Some(true));
    let asked = only("unsat trace {\n ask\n take\n}", 2);
    assert_eq!(asked.is_as_expected(), Some(false));
}

#[test]
fn a_trace_may_leave_the_step_open() {
    let any = "sat trace {\n any transition\n transition take(*) | ask(first)\n any transition\n assert exists N. held(N) & asked(N)\n}";
    assert_eq!(only(any, 1).run.map(|run| run.steps.len()), Some(3));
    let too_short = "sat trace {\n any transition\n assert exists N. held(N)\n}";
    assert!(only(too_short, 3).run.is_none());
}

#[test]
fn a_size_may_be_too_small_for_a_run() {
    let two = "sat trace {\n ask\n ask\n assert exists N, M. N != M & asked(N) & asked(M)\n}";
    assert_eq!(only(two, 1).is_as_expected(), None);
    assert_eq!(only(two, 2).is_as_expected(), Some(true));
}

#[test]
fn where_a_trace_begins_is_as_in_mypyvy() {
    let anywhere = "sat trace {\n assert exists N. held(N)\n ask\n}";
    let asked = only(anywhere, 1);
    assert_eq!((asked.expected.beginning, asked.run.is_some()), (Beginning::Anywhere, true));
    let initial = "sat trace {\n assert init\n assert exists N. held(N)\n ask\n}";
    let asked = only(initial, 1);
    assert_eq!((asked.expected.beginning, asked.run.is_some()), (Beginning::Initial, false));
    let nothing = only("sat trace {\n}", 1);
    assert_eq!(nothing.run.map(|run| run.steps.len()), Some(0));
}

#[test]
fn steps_that_are_formulas_can_be_run() {
    let text = "sort node\nmutable relation p(node)\ninit !p(N)\n\
                transition t()\n  modifies p\n\
                  (new(p(X)) -> !p(X)) & (new(p(X)) & new(p(Y)) -> X = Y) &\n\
                  (exists X. new(p(X)))\n\
                safety [s] p(X) & p(Y) -> X = Y\n\
                sat trace {\n t\n assert exists X. p(X)\n}\n\
                unsat trace {\n t\n assert forall X. p(X)\n}\n";
    let (_, runs) = run(text, 2).expect("it can be run");
    let verdicts: Vec<_> = runs.iter().map(CheckedRun::is_as_expected).collect();
    assert_eq!(verdicts, [Some(true), Some(true)]);
}

#[test]
fn the_twins_have_the_runs_they_ask_for() {
    let mut found = 0;
    for path in files("protocols", "pyv") {
        let text = source(&path);
        let (_, runs) = run(text.text(), 2).unwrap_or_else(|error| panic!("{error}"));
        for asked in &runs {
            assert_eq!(
                asked.is_as_expected(),
                Some(true),
                "{}: {:?}",
                path.display(),
                asked.expected
            );
        }
        found += runs.len();
    }
    assert!(found >= 4, "{found}");
}

#[test]
fn wrong_traces_are_refused() {
    for (trace, words) in [
        ("sat trace {\n asks\n}", "there is no transition `asks`"),
        ("sat trace {\n ask(first, *)\n}", "takes 1 arguments, not 2"),
        ("sat trace {\n ask\n assert init\n}", "must come first"),
    ] {
        let message = refused(&SourceFile::new("t.pyv", format!("{LOCK}{trace}")));
        assert!(message.contains(words), "{message}");
    }
    let unknown = run(&format!("{LOCK}sat trace {{\n ask\n assert helt(first)\n}}"), 1);
    assert!(unknown.is_err_and(|message| message.contains("helt")));
}
