//! Sketches of Mercury processes: holes of every kind, liveness, traps and messages.

use rmlcut::complete::{CompleteAnswer, CompleteError};
use rmlcut::pipeline::complete;
use rmlcut::report::text::diagnostics::{Colour, render};
use rmlcut::source::SourceFile;

use super::request;

fn completed(text: &str) -> Result<CompleteAnswer, String> {
    let source = SourceFile::new("sketch.mer", text);
    complete(&source, &request(1)).map_err(|error| match error {
        CompleteError::Text(messages) => render(&source, &messages, Colour::Never),
        CompleteError::Trace(text, messages) => render(&text, &messages, Colour::Never),
        CompleteError::Judge(error) => error.to_string(),
    })
}

fn fillings(text: &str) -> Vec<String> {
    let answer = completed(text).expect("it is a sketch");
    super::fillings(&answer)
}

fn safe(text: &str) -> Option<String> {
    let answer = completed(text).expect("it is a sketch");
    let first = answer.completions.into_iter().find(rmlcut::complete::Completion::is_safe)?;
    Some(first.text)
}

const LOCK: &str = "process Lock\n\nsafety [one] atmost(1, {Leader})\n\nactions\n  br step_down : unit\n  env rz timeout : unit\n\ncrash none\n\n\
    initial location Candidate\n  on Partition<elect>(All, WINNERS)\n    win: goto WIN\n    lose: goto LOSE\n\n\
    location Leader\n  on recv(timeout) do\n    sendbr(step_down)\n    goto Candidate\n\n\
    location Replica\n  on recv(step_down) do goto Candidate\n";

fn lock(winners: &str, win: &str, lose: &str) -> String {
    LOCK.replace("WINNERS", winners).replace("WIN", win).replace("LOSE", lose)
}

#[test]
fn targets_and_numbers_of_winners_are_found_and_proved() {
    let text = safe(&lock("??1", "??2", "??3")).expect("there is one");
    assert!(!text.contains("??"), "{text}");
    let winners: usize = text
        .split("All, ")
        .nth(1)
        .and_then(|rest| rest.split(')').next())
        .and_then(|own| own.parse().ok())
        .expect("a number of winners");
    assert!((1..=4).contains(&winners), "{text}");
    assert_eq!(fillings(&lock("??n", "Leader", "Replica")), ["1"]);
}

/// The alternatives of a condition belong together, whatever stands beside the hole.
#[test]
fn a_condition_stays_a_part_of_its_conjunction() {
    let text = "process A\ncrash none\nsafety [ok] atmost(0, {W: x == 1 || y == 0})\n\
        liveness AG {L} implies F {W, D}\nvariables\n  int[0,2] x\n  int[0,1] y\n\
        actions\n  env rz choose : int[0,2]\n\
        initial location S\n  on recv(choose) do\n    x := choose.payld\n    goto L\n\
        location L\n  on _ where (y == 1 && ??c[x]) do goto W\n  on _ where (y == 0) do y := 1\n\
        on _ where (x == 1) do goto D\nlocation W\nlocation D\n";
    let completed = safe(text).expect("W is for 0 and 2");
    assert!(completed.contains("where (y == 1 && (x = 0 || x = 2))"), "{completed}");
}

/// A hole reads the value of the moment: after the assignment, not before it.
#[test]
fn a_condition_reads_the_value_that_was_just_assigned() {
    let text = "process Store\nsafety [none] atmost(0, {Bad})\nvariables\n  int[1,3] cmd := 1\n\
        actions\n  env rz request : int[1,3]\ncrash none\n\
        initial location Wait\n  on recv(request) do\n    cmd := request.payld\n    if (cmd = 2) {\n      if (??c[cmd]) goto Good else goto Bad\n    }\n\
        location Good\n  on _ do goto Wait\nlocation Bad\n";
    let found = fillings(text);
    assert!(found[0].contains("cmd = 2") || found[0] == "0 = 0", "{found:?}");
}

#[test]
fn values_are_tables_over_the_variables_named() {
    let text = "process Toggle\nsafety [off] atmost(0, {Bad})\nvariables\n  int[1,2] stored := 1\n  int[1,2] old := 1\n\
        actions\n  env rz tick : unit\ncrash none\n\
        initial location Wait\n  on recv(tick) do\n    old := stored\n    stored := ??v[stored]\n    if (old = stored) goto Bad\n    else goto Wait\nlocation Bad\n";
    let text = safe(text).expect("there is one");
    assert!(text.contains("if (stored = 1) stored := 2 else stored := 1"), "{text}");
}

/// Two winners become replicas, the loser leads: safe with three processes, not with four.
#[test]
fn a_loser_that_leads_is_not_called_safe() {
    assert_eq!(safe(&lock("2", "Replica", "Leader").replace("goto Candidate", "goto ??x")), None);
    assert_eq!(safe(&lock("??n", "Replica", "Leader")), None);
}

/// Only losers become B, and no path to B is independent: the printed condition would grant two.
#[test]
fn a_vacuous_condition_grants_nothing() {
    let text = "process Vacuous\nsafety [one] atmost(1, {B})\nactions\n  env rz tick : unit\ncrash none\n\
        initial location Start\n  on Partition<split>(All, 1)\n    win: goto A\n    lose: goto ??l\n\
        location A\nlocation B\nlocation C\n";
    let text = safe(text).expect("another location is safe");
    assert!(!text.contains("lose: goto B"), "{text}");
}

#[test]
fn a_fair_run_that_never_gets_there_excludes_a_completion() {
    let text = "process Walk\nsafety [none] atmost(0, {Bad})\nliveness AF {Done}\nactions\n  env rz go : unit\n  env rz turn : unit\ncrash none\n\
        initial location Start\n  on recv(go) do goto ??t\n\
        location Round\n  on recv(turn) do goto Round\nlocation Stuck\nlocation Done\nlocation Bad\n";
    assert_eq!(fillings(text), ["Done"]);
    // Round and back to the start: fairness to `go` alone does not help, a choice of `turn` does.
    let text = "process Walk\nsafety [none] atmost(0, {Bad})\nliveness AG {Asked} implies F {Done}\nactions\n  env rz ask : unit\n  env rz give : unit\n  env rz wait : unit\ncrash none\n\
        initial location Start\n  on recv(ask) do goto Asked\n\
        location Asked\n  on recv(wait) do goto Asked\n  on recv(give) do goto ??t\n\
        location Done\n  on recv(ask) do goto Start\nlocation Bad\n";
    assert_eq!(fillings(text), ["Done"]);
}

#[test]
fn wrong_holes_of_processes_are_refused() {
    let said = |text: &str| completed(text).err().expect("it is refused");
    let process = "process P\nsafety [s] atmost(1, {A})\nvariables\n  int[1,2] x := 1\nactions\n  env rz go : unit\n\
        initial location A\n  on recv(go) do\n    BODY\nlocation B\n";
    let with = |body: &str| process.replace("BODY", body);
    for (body, wanted) in [
        ("x := x + ??", "a hole is not allowed here"),
        ("if (??[y]) goto B", "`y` is not a variable with a range"),
        ("if (??a) goto ??a", "`??a` is a different hole here"),
        ("goto B", "there is no `??` in this file"),
        ("goto ??\n    goto nowhere", "nowhere"),
    ] {
        let words = said(&with(body));
        assert!(words.contains(wanted), "{wanted} is not in\n{words}");
        assert!(words.contains("= help: ") || wanted == "nowhere", "{words}");
    }
    let used = lock("??n", "Leader", "Replica").replace("goto Candidate\n\nlocation Replica", "goto Candidate\n  on Partition<again>(elect.winS, 1)\n    win: goto Leader\n    lose: goto Leader\n\nlocation Replica");
    assert!(said(&used).contains("the winners or losers of `elect` are used here"));
    let vague = with("goto ??").replace("safety", "liveness eventually good\nsafety");
    assert!(said(&vague).contains("this line about liveness is not understood"));
    let nowhere = with("goto ??").replace("safety", "liveness AF {Nowhere}\nsafety");
    assert!(said(&nowhere).contains("there is no location `Nowhere`"));
}

#[test]
fn every_sketch_of_the_corpus_is_read() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("protocols/sketches");
    let mut count = 0;
    for item in std::fs::read_dir(folder).expect("the folder is there") {
        let path = item.expect("the folder is readable").path();
        let text = std::fs::read_to_string(&path).expect("a text");
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        let source = SourceFile::new(name.as_str(), text);
        let mut soon = request(1);
        soon.stop = rmlcut::budget::Stop::never().within(std::time::Duration::ZERO);
        if complete(&source, &soon).is_err() {
            panic!("{name}: {}", completed(source.text()).err().unwrap_or_default());
        }
        count += 1;
    }
    assert_eq!(count, 12);
}
