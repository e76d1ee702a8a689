//! Several answers, what tells them apart, what excludes everything, and the same bytes each time.

use rmlcut::complete::{CompleteEnding, CompleteRequest, Exclusion, Learning};
use rmlcut::pipeline::{complete, repair};
use rmlcut::report::text::complete as report;
use rmlcut::source::SourceFile;

use super::{completed, fillings, lock, request};

/// A run excludes what it depended on, a guard and a value, and nothing else.
#[test]
fn a_run_excludes_only_what_it_depended_on() {
    let text = "sort node\nrelation on\nrelation done(node)\ninit ~on & ~done(N)\n\
        action go(n: node) {\n  require ??{true, ~done(n)}\n  on := ??{true, on}\n  done(n) := true\n}\n\
        safety [off] ~on\nreach go, go\n";
    assert_eq!(fillings(&completed(text, 1)), ["true", "on"]);
    let text = "sort node\nrelation on\nrelation done(node)\ninit ~on & ~done(N)\n\
        action go(n: node) {\n  require ??{true, done(n), ~on}\n  on := true\n  done(n) := true\n}\n\
        safety [one] done(N) & done(M) -> N = M\nreach go\n";
    assert_eq!(fillings(&completed(text, 1)), ["~on"]);
}

/// Without `reach` lines every assignment must be effective, in a state that was reached before too.
#[test]
fn an_assignment_may_become_effective_without_a_new_state() {
    let text = "sort node\nrelation up(node)\ninit ~up(N)\n\
        action start(n: node) {\n  require ~up(n)\n  up(n) := true\n}\n\
        action stop(n: node) {\n  require ??{~up(n), up(n)}\n  up(n) := false\n}\n\
        safety [trivial] up(N) -> up(N)\n";
    assert_eq!(fillings(&completed(text, 1)), ["up(n)"]);
}

#[test]
fn another_value_may_lead_out_of_the_known_states() {
    let text = "sort node\nrelation up(node)\nrelation seen(node)\ninit ~up(N) & ~seen(N)\n\
        action set(n: node) {\n  require ~seen(n)\n  up(n) := ??{false, ~up(n) & seen(n), true}\n}\n\
        reach [goal] exists N. up(N)\nsafety [apart] ~(up(N) & seen(N))\n";
    assert_eq!(fillings(&completed(text, 1)), ["true"]);
}

#[test]
fn every_further_answer_has_a_run_that_tells_it_apart() {
    let text = lock("??g{free, free & (exists N. ~holds(N)), forall N. ~holds(N), free & n != n}")
        .replace("reach take, drop, take", "reach take");
    let answer = completed(&text, 4);
    assert!(matches!(answer.ending, CompleteEnding::NoMore(_)), "all behaviours are listed");
    for pair in answer.completions.windows(2) {
        let distinction = pair[1].distinction.as_ref().expect("they behave differently");
        let (has, lacks) = match distinction.is_new {
            true => (&pair[1], &pair[0]),
            false => (&pair[0], &pair[1]),
        };
        assert_eq!(distinction.run.replay(&has.protocol), Ok(()));
        assert!(distinction.run.replay(&lacks.protocol).is_err());
    }
    // Everyone takes the lock once, or as often as they like: two behaviours.
    let text = lock("free & ??{~seen(n), true}")
        .replace("init free", "relation seen(node)\ninit ~seen(N) & free")
        .replace("holds(n) := true", "holds(n) := true\n  seen(n) := true")
        .replace("reach take, drop, take", "reach take");
    let answer = completed(&text, 3);
    let second = answer.completions.get(1).expect("there are two behaviours");
    let distinction = second.distinction.as_ref().expect("they behave differently");
    assert!(distinction.is_new, "the second one may do more");
    assert_eq!(distinction.run.replay(&second.protocol), Ok(()));
    assert!(distinction.run.replay(&answer.completions[0].protocol).is_err());
    let words = report::complete(&answer);
    assert!(
        words.contains(
            "differs      this one has this run; the one before cannot take its last step:"
        ),
        "{words}"
    );
}

#[test]
fn a_certificate_is_carried_over() {
    let text = lock("free")
        .replace("require holds(n)", "require ??{holds(n), holds(n) & ~free, holds(n) & free}")
        .replace("reach take, drop, take", "reach take");
    let answer = completed(&text, 3);
    assert!(answer.completions.len() > 1);
    assert!(answer.completions.iter().all(rmlcut::complete::Completion::is_safe));
    let carried = answer.completions.iter().filter(|own| own.carried).count();
    assert_eq!(carried, answer.completions.len() - 1);
    assert!(report::complete(&answer).contains("clauses, as for another one\n"));
}

#[test]
fn as_few_reasons_as_possible_exclude_everything() {
    // One run excludes both: both let two nodes take a free lock.
    let text = lock("??{true, ~holds(n)}");
    let answer = completed(&text, 1);
    let CompleteEnding::NoMore(reasons) = &answer.ending else { panic!("all are excluded") };
    assert_eq!(reasons.len(), 1);
    assert!(matches!(reasons[0], Exclusion::Run(..)));
    // The run that excludes a later alternative is shown as well.
    let text = lock("??{~free, true}");
    let answer = completed(&text, 1);
    let CompleteEnding::NoMore(reasons) = &answer.ending else { panic!("all are excluded") };
    assert!(reasons.iter().any(|own| matches!(own, Exclusion::Run(..))));
    let text = lock("??{true, ~holds(n), ~free, false}");
    let answer = completed(&text, 1);
    let CompleteEnding::NoMore(reasons) = &answer.ending else { panic!("all are excluded") };
    assert_eq!(reasons.len(), 2, "a run, and that the goal is not reached");
}

/// Everything but the line about times.
fn without_times(words: &str) -> String {
    let lines = words.lines().filter(|line| !line.starts_with("time  "));
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn the_same_input_gives_the_same_bytes_with_any_number_of_threads() {
    let sketch = SourceFile::new("lock.rml", lock("??"));
    let broken = SourceFile::new("lock.rml", lock("true").replace("  require true\n", ""));
    let with = |threads| {
        let request = CompleteRequest { threads, most_edits: 1, ..request(2) };
        let completed = complete(&sketch, &request).unwrap_or_else(|_| panic!("a sketch"));
        let repaired = repair(&broken, &request).unwrap_or_else(|_| panic!("it is unsafe"));
        (without_times(&report::complete(&completed)), without_times(&report::repair(&repaired, 1)))
    };
    let first = with(1);
    assert_eq!(first, with(2));
    assert_eq!(first, with(1));
}

#[test]
fn enumeration_finds_the_same() {
    for guard in ["??{true, ~holds(n), free}", "??{true, ~holds(n)}", "??t[free, holds(n)]"] {
        let source = SourceFile::new("sketch.rml", lock(guard));
        let enumerate = CompleteRequest { learning: Learning::Nothing, ..request(1) };
        let enumerated = complete(&source, &enumerate).unwrap_or_else(|_| panic!("a sketch"));
        let learnt = completed(&lock(guard), 1);
        assert_eq!(learnt.completions.is_empty(), enumerated.completions.is_empty(), "{guard}");
        assert!(learnt.iterations.tried <= enumerated.iterations.tried, "{guard}");
    }
}
