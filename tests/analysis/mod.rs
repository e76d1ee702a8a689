//! Results of the analysis of protocols: `S` and `A` of the paper, the reasons, and the facts
//! about actions and rigid symbols. Protocol text in, report text out.

mod actions;
mod corpus;
mod replay;
mod reports;
mod rules;
mod structure;

use rmlcut::analysis::{Facts, analyse};
use rmlcut::pipeline::read_protocol;
use rmlcut::protocol::Protocol;
use rmlcut::report::text::analysis::text;
use rmlcut::report::text::show::Detail;
use rmlcut::source::SourceFile;

fn analysed(source: &str) -> (Protocol, Facts) {
    let source = SourceFile::new("test.rml", source);
    let (protocol, _) = read_protocol(&source).expect("the text is a protocol");
    let facts = analyse(&protocol);
    (protocol, facts)
}

/// The report on a protocol, without reasons.
fn report(source: &str) -> String {
    let (protocol, facts) = analysed(source);
    text(&protocol, &facts, Detail::Results)
}

/// The sets of a report, each on one line: `S = {…}` and `A = {…}` for every property.
fn sets(source: &str) -> Vec<String> {
    let joined = report(source).replace(",\n       ", ", ");
    let lines = joined.lines().map(str::trim);
    lines
        .filter(|line| line.starts_with("S =") || line.starts_with("A ="))
        .map(str::to_owned)
        .collect()
}

#[track_caller]
fn check(source: &str, state: &str, actions: &str) {
    assert_eq!(sets(source), [format!("S = {{{state}}}"), format!("A = {{{actions}}}")]);
}
