//! An outline as `.cut` text.

use std::fmt::Write as _;

use super::FORMAT;
use super::line_breaks::wrapped;
use super::outline::{
    AfterOutline, AlternativeOutline, CaseOutline, DefinitionOrigin, DefinitionOutline,
    HistoryOutline, InitOutline, Labelled, LockstepOutline, MoveOutline, Outline,
};
use crate::certificate::Mode;
use crate::logic::print_application;

/// The text of an outline. The lines of `comment` come first, as comments.
pub(super) fn text(outline: &Outline, comment: &str) -> String {
    let mut out = String::new();
    for line in comment.lines() {
        let blank = if line.is_empty() { "" } else { " " };
        push(&mut out, format_args!("#{blank}{line}"));
    }
    push(&mut out, format_args!("certificate {FORMAT} for {}", outline.protocol));
    push(&mut out, format_args!("sha256 {}", outline.digest));
    push(&mut out, format_args!("rmlcut {}", outline.version));
    parts(&mut out, outline);
    out
}

/// Everything but the header.
fn parts(out: &mut String, outline: &Outline) {
    history(out, &outline.history);
    if !outline.lemmas.is_empty() {
        out.push('\n');
    }
    labelled(out, 0, "lemma ", &outline.lemmas);
    if let Some(rank) = &outline.rank {
        push(out, format_args!("rank {}", rank.join(", ")));
    }
    for own in &outline.cases {
        out.push('\n');
        case(out, own);
    }
    if let Some(clauses) = &outline.invariant {
        out.push_str("\ninvariant {\n");
        labelled(out, 2, "", clauses);
        out.push_str("}\n");
    }
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    writeln!(out, "{text}").expect("writing to a string succeeds");
}

/// Lines `word [name] formula`.
fn labelled(out: &mut String, indent: usize, word: &str, all: &[Labelled]) {
    for Labelled { name, formula } in all {
        out.push_str(&wrapped(indent, &format!("{word}[{name}] {formula}")));
    }
}

fn history(out: &mut String, history: &HistoryOutline) {
    if history.symbols.is_empty() {
        return;
    }
    out.push('\n');
    for declaration in &history.symbols {
        push(out, format_args!("history {declaration}"));
    }
    for InitOutline { name, formula } in &history.init {
        let label = name.as_ref().map_or(String::new(), |label| format!("[{label}] "));
        out.push_str(&wrapped(0, &format!("history init {label}{formula}")));
    }
    for AfterOutline { action, assignments } in &history.after {
        push(out, format_args!("history after {action} {{"));
        assignments.iter().for_each(|line| out.push_str(&wrapped(2, line)));
        out.push_str("}\n");
    }
}

fn case(out: &mut String, case: &CaseOutline) {
    push(out, format_args!("case {} for {} {{", case.name, case.property));
    let parts = [
        parameters(case),
        maps(case),
        definitions(case),
        relaxation(case),
        clauses("only ", &case.only),
        clauses("gamma ", &case.gamma),
        case.lockstep.iter().map(answers).collect(),
        closing(case),
    ];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    out.push_str(&parts.join("\n"));
    out.push_str("}\n");
}

fn clauses(word: &str, all: &[Labelled]) -> String {
    let mut out = String::new();
    labelled(&mut out, 2, word, all);
    out
}

fn parameters(case: &CaseOutline) -> String {
    let mut out = String::new();
    if !case.params.is_empty() {
        let params = case.params.iter().map(|param| format!("{}: {}", param.name, param.sort));
        push(&mut out, format_args!("  params {}", params.collect::<Vec<_>>().join(", ")));
    }
    let violators = case.violators.iter().map(|own| format!("{} = {}", own.variable, own.param));
    let violators = violators.collect::<Vec<_>>().join(", ");
    let violators = if violators.is_empty() { "none".to_owned() } else { violators };
    push(&mut out, format_args!("  violators {violators}"));
    for conjunct in &case.select {
        out.push_str(&wrapped(2, &format!("select {conjunct}")));
    }
    out
}

fn maps(case: &CaseOutline) -> String {
    let mut out = String::new();
    for cut in &case.cut {
        push(&mut out, format_args!("  cut {} = {{ {} }}", cut.sort, cut.elements.join(", ")));
        out.push_str(&wrapped(2, &format!("sim {}", cut.sim.text())));
    }
    out
}

/// Definitions that are not the default image; the defaults as comments.
fn definitions(case: &CaseOutline) -> String {
    let rigid = case.rigid.iter().map(|own| ("rigid", own));
    let start = case.start.iter().map(|own| ("start", own));
    let both: Vec<(&str, &DefinitionOutline)> = rigid.chain(start).collect();
    let mut out = String::new();
    for (word, own) in both.iter().filter(|(_, own)| own.origin == DefinitionOrigin::Written) {
        out.push_str(&wrapped(2, &format!("{word} {}", own.text())));
    }
    for (word, own) in both.iter().filter(|(_, own)| own.origin == DefinitionOrigin::Default) {
        push(&mut out, format_args!("  # by default: {word} {}", own.text()));
    }
    out
}

fn relaxation(case: &CaseOutline) -> String {
    let Some(actions) = &case.relax else { return String::new() };
    let mut out = "  relax {\n".to_owned();
    for line in actions.iter().flat_map(|text| text.lines()) {
        push(&mut out, format_args!("    {line}"));
    }
    out.push_str("  }\n");
    out
}

fn closing(case: &CaseOutline) -> String {
    if let Some(own) = &case.certificate {
        let mut inner = format!("sha256 {}\n", own.digest);
        parts(&mut inner, own);
        let mut out = "  close by certificate {\n".to_owned();
        for line in inner.lines() {
            let indent = if line.is_empty() { "" } else { "    " };
            push(&mut out, format_args!("{indent}{line}"));
        }
        out.push_str("  }\n");
        return out;
    }
    let Some(clauses) = &case.close else { return String::new() };
    let mut out = "  close by invariant {\n".to_owned();
    labelled(&mut out, 4, "", clauses);
    out.push_str("  }\n");
    out
}

fn answers(own: &LockstepOutline) -> String {
    if let [only] = own.alternatives.as_slice()
        && only.moves.is_empty()
    {
        return format!("  lockstep {} stutter\n", own.action);
    }
    let head = format!("lockstep {}", print_application(&own.action, &own.params));
    if let [only] = own.alternatives.as_slice() {
        return wrapped(2, &format!("{head} {}", reply(&only.moves)));
    }
    let lines: String = own.alternatives.iter().map(|one| wrapped(4, &alternative(one))).collect();
    format!("  {head} {{\n{lines}  }}\n")
}

fn alternative(own: &AlternativeOutline) -> String {
    let reply = reply(&own.moves);
    match &own.when {
        None => format!("otherwise {reply}"),
        Some(condition) => format!("when {condition} {reply}"),
    }
}

fn reply(moves: &[MoveOutline]) -> String {
    if moves.is_empty() {
        return "stutter".to_owned();
    }
    let moves: Vec<String> = moves.iter().map(one_move).collect();
    format!("do {}", moves.join(" then "))
}

fn one_move(next: &MoveOutline) -> String {
    let word = match next.mode {
        Mode::Fire => "",
        Mode::Try => "try ",
    };
    let choices: Vec<String> = next.choices.iter().map(DefinitionOutline::text).collect();
    let with = match choices.as_slice() {
        [] => String::new(),
        choices => format!(" with {}", choices.join(", ")),
    };
    format!("{word}{}{with}", print_application(&next.action, &next.args))
}
