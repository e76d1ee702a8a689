//! What each fuzz target does with a text: everything that a text can be made to go through, with
//! tiny budgets. A panic is a crash; every answer is fine.
//!
//! The targets of cargo-fuzz and the tests on stable share this file.

use std::time::Duration;

use rmlcut::budget::{Budget, Stop};
use rmlcut::diagnostic::Diagnostic;
use rmlcut::elaborate::certificate::elaborate_certificate;
use rmlcut::export::{ExportInstance, LANGUAGES};
use rmlcut::finite::replay::{ReplayAnswer, replay};
use rmlcut::finite::{ENGINES, Question, Silent};
use rmlcut::frontend::parse_certificate;
use rmlcut::judge::{Verdict, every_obligation, query};
use rmlcut::pipeline::Origin;
use rmlcut::protocol::{ExternalStep, Protocol, print_protocol};
use rmlcut::prove::{Prefer, ProveConfig, prove};
use rmlcut::report::text::diagnostics::{Colour, render};
use rmlcut::smt::smtlib;
use rmlcut::source::SourceFile;
use rmlcut::{finite, pipeline, report};

/// The protocol that fuzzed certificates are read for.
pub(crate) const LOCK: &str = "sort node\nrelation free\nrelation held(node)\ninit free & ~held(N)\n\
    action take(n: node) { require free; free := false; held(n) := true }\n\
    action give(n: node) { require held(n); free := true; held(n) := false }\n\
    safety [one] held(N) & held(M) -> N = M\n";

/// The protocol that fuzzed traces are read for.
pub(crate) const TRACED_PROTOCOL: &str = "sort node\nrigid relation next(node, node)\nrelation held(node)\n\
    function at(node): node\nvariable count: int\nrelation seen(int)\n\
    axiom exists N, M. next(N, M)\ninit ~held(N)\ninit at(N) = N\ninit count = 0\n\
    action take(n: node) { require ~held(n); held(n) := true; count := count + 1 }\n\
    action see { seen(count) := true }\n\
    action send(n: node, m: node) { require held(n) & next(n, m); at(n) := *\n\
      require at(n) != n; at(n) := m }\n\
    action forget { at(N) := *; count := * }\n\
    safety [one] held(N) & held(M) -> N = M\n";

/// Reads a trace for a small protocol and replays it; what is a run is written and reads back as
/// the same run.
pub(crate) fn itf(text: &str) {
    let written = SourceFile::new("traced.rml", TRACED_PROTOCOL);
    let (protocol, _) = pipeline::read_protocol(&written).expect("right");
    let source = SourceFile::new("fuzz.itf.json", text);
    let trace = match pipeline::read_trace(&protocol, &source) {
        Ok((trace, messages)) => {
            render(&source, &messages, Colour::Never);
            trace
        }
        Err(messages) => return refused(&source, &messages),
    };
    let replayed = replay(&protocol, &trace, 1 << 18).expect("no two parts disagree");
    report::text::trace::replay::text((&protocol, None), &written, &trace, &replayed);
    let ReplayAnswer::Run(failures) = &replayed.answer else { return };
    let written = report::json::itf::document(&protocol, &replayed.run, "run", "");
    let again = SourceFile::new("again.itf.json", written.as_str());
    let again = pipeline::read_trace(&protocol, &again);
    let again = again.unwrap_or_else(|messages| panic!("{messages:?}\n{text}\n{written}")).0;
    assert!(again.guessed.is_empty() && again.renamed.is_empty(), "{text}\n{written}");
    assert_eq!(again.initial, trace.initial, "{text}\n{written}");
    let steps = replayed.run.steps.iter().map(|step| ExternalStep {
        action: Some(step.invocation.action),
        args: step.invocation.args.iter().copied().map(Some).collect(),
        state: step.state.clone(),
    });
    assert_eq!(again.steps, steps.collect::<Vec<_>>(), "{text}\n{written}");
    let again = replay(&protocol, &again, 1 << 18).expect("no two parts disagree");
    assert_eq!(again.answer, ReplayAnswer::Run(failures.clone()), "{text}\n{written}");
}

/// Reads an Ivy text.
pub(crate) fn ivy(text: &str) {
    protocol("fuzz.ivy", text);
}

/// Reads a Mercury text.
pub(crate) fn mercury(text: &str) {
    protocol("fuzz.mer", text);
}

/// Reads a Mercury text in the spelling of the artifact.
pub(crate) fn artifact(text: &str) {
    protocol("fuzz.ch", text);
}

/// Reads a mypyvy text.
pub(crate) fn mypyvy(text: &str) {
    protocol("fuzz.pyv", text);
}

/// Reads a certificate for a small protocol; what is printed of it reads back.
///
/// What the header says is passed over, so that what follows it is read.
pub(crate) fn cut(text: &str) {
    let (user, _) = pipeline::read_protocol(&SourceFile::new("lock.rml", LOCK)).expect("right");
    let source = SourceFile::new("fuzz.cut", text);
    let parsed = parse_certificate(&source);
    if parsed.diagnostics.iter().any(Diagnostic::is_error) {
        return refused(&source, &parsed.diagnostics);
    }
    let elaborated = elaborate_certificate(&user, &parsed.file);
    let Some(certificate) = elaborated.certificate else {
        return refused(&source, &elaborated.diagnostics);
    };
    // What cannot be judged is reported as such, and never built.
    if rmlcut::certificate::validate(&user, &certificate).is_empty() {
        for obligation in every_obligation(&certificate) {
            let script = smtlib::script(&query(&obligation), smtlib::ScriptStatus::Unsat);
            assert!(script.is_ok(), "{}: {script:?}\n{text}", obligation.title());
        }
    }
    let printed = rmlcut::certificate::print_certificate(&user, &certificate, "");
    let again = SourceFile::new("again.cut", printed.as_str());
    let again = pipeline::read_certificate(&user, &again, Origin::AnyText);
    assert!(again.is_ok(), "what is printed reads back:\n{text}\n{printed}");
}

/// Reads an RML text, and takes a protocol through the finite engines and the writers of other
/// languages.
pub(crate) fn rml(text: &str) {
    let Some(protocol) = protocol("fuzz.rml", text) else { return };
    for count in [1, 2] {
        let size = protocol.signature.sorts().map(|sort| (sort, count)).collect();
        let mut question = Question::new(&protocol, size);
        question.window = Some((-1, 2));
        for engine in ENGINES {
            if let Err(error) = finite::check(*engine, &question, &budget(), &Silent) {
                assert!(!error.is_bug(), "{error}\n{text}");
            }
        }
    }
    for language in LANGUAGES {
        // What a language cannot say is refused.
        let _ = (language.write)(&protocol, &ExportInstance::default());
    }
}

/// Lets the whole job answer, with little time: `safe` is never said where a small size is unsafe,
/// and `unsafe` only with a run that replays.
pub(crate) fn proved(text: &str) {
    let Some(protocol) = protocol("fuzz.rml", text) else { return };
    let config = ProveConfig {
        stop: Stop::never().within(Duration::from_millis(40)),
        prefer: Prefer::Cutoff,
        patience: 1,
        residual: 1,
        threads: 1,
        proved: &|| {},
        progress: &Silent,
    };
    match prove(&protocol, &config).map(|outcome| outcome.verdict) {
        Ok(Verdict::Unsafe(violated)) => {
            let replayed = violated.violation.trace.replay(&protocol);
            assert!(replayed.is_ok(), "{replayed:?}\n{text}");
        }
        Ok(Verdict::Safe) => {
            for count in [1, 2, 3] {
                assert!(!is_unsafe(&protocol, count), "safe, but not at {count}\n{text}");
            }
        }
        Ok(Verdict::SafeUpTo(_) | Verdict::Unproved(_)) => {}
        Err(error) => panic!("{error}\n{text}"),
    }
}

/// Whether an instance with so many elements of every sort is seen to violate a property.
fn is_unsafe(protocol: &Protocol, count: u32) -> bool {
    let size = protocol.signature.sorts().map(|sort| (sort, count)).collect();
    let question = Question::new(protocol, size);
    let outcome = finite::check(ENGINES[0], &question, &budget(), &Silent);
    matches!(outcome, Ok(finite::FiniteOutcome::Unsafe(..)))
}

fn budget() -> Budget {
    Budget {
        max_states: 500,
        max_memory: 1 << 24,
        threads: 1,
        ..Budget::until(Stop::never().within(Duration::from_millis(50)))
    }
}

/// Reads, formats and prints; what is printed reads back as the same protocol.
fn protocol(name: &str, text: &str) -> Option<Protocol> {
    let source = SourceFile::new(name, text);
    // Whether it can be formatted does not depend on whether it makes sense.
    let _ = pipeline::format(&source);
    match pipeline::read_protocol(&source) {
        Err(messages) => {
            refused(&source, &messages);
            None
        }
        Ok((protocol, messages)) => {
            render(&source, &messages, Colour::Never);
            let printed = print_protocol(&protocol);
            // Formulas about two states have no concrete syntax.
            if !printed.contains("so that") {
                let again = SourceFile::new("again.rml", printed.as_str());
                let again = pipeline::read_protocol(&again);
                let (again, _) = again.unwrap_or_else(|messages| {
                    let source = SourceFile::new("again.rml", printed.as_str());
                    panic!("{text}\n{printed}\n{}", render(&source, &messages, Colour::Never))
                });
                assert_eq!(print_protocol(&again), printed, "{text}");
            }
            Some(protocol)
        }
    }
}

/// A refusal has an error, and every message is about a place in the text.
fn refused(source: &SourceFile, messages: &[Diagnostic]) {
    assert!(messages.iter().any(Diagnostic::is_error), "{}", source.text());
    for message in messages {
        let span = message.primary.span;
        assert!(source.text().get(span.start..span.end).is_some(), "{message:?}");
    }
    render(source, messages, Colour::Never);
}
