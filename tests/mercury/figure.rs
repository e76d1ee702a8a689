//! Fig. 6 of the paper: the edits that are shown lead from its first version to its last.

use std::fs;
use std::path::Path;

use rmlcut::analysis::phases::{EditKind, analyse_phases, independence, suggestions};
use rmlcut::certificate::digest;
use rmlcut::pipeline::read_process;
use rmlcut::process::Process;
use rmlcut::source::SourceFile;

use super::protocol;

fn version(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("protocols/agreement");
    fs::read_to_string(folder.join(name)).expect("a model is text")
}

fn process(text: &str) -> Process {
    read_process(&SourceFile::new("figure.mer", text)).expect("a process")
}

/// The text with a line at the end of a location.
fn with_handler(text: &str, process: &Process, at: rmlcut::process::PointId, line: &str) -> String {
    let start = process.point(at).span.end;
    let end = text[start..].find("\nlocation ").map_or(text.len(), |end| start + end);
    format!("{}  {line}\n{}", &text[..end], &text[end..])
}

#[test]
fn the_edits_of_the_figure_lead_to_its_last_version() {
    let first = version("serializer_first.mer");
    let own = process(&first);
    let analysis = analyse_phases(&own).expect("few local states");
    let edit = suggestions(&own, &analysis)[0].edits[0];
    assert_eq!((edit.safe, edit.compatible), (Some(true), true));
    let EditKind::Reaction { at, event, to } = edit.kind else { panic!("{edit:?}") };
    let name = |point| &own.point(point).name;
    let line = format!("on recv({}) do goto {}", own.event(event).name, name(to));
    assert_eq!((&**name(at), &*line), ("Selected", "on recv(get_ready) do goto Prepare"));
    let second = with_handler(&first, &own, at, &line);
    let stated = protocol("second.mer", &version("serializer_second.mer"));
    assert_eq!(digest(&protocol("second.mer", &second)), digest(&stated));

    let own = process(&second);
    let analysis = analyse_phases(&own).expect("few local states");
    assert!(analysis.findings.is_empty(), "phase-compatible after the first edit");
    let way = &analysis.grants[0].dependent;
    let edit = independence(&own, way)[0];
    assert_eq!((edit.safe, edit.compatible), (Some(true), true));
    let EditKind::Start { leaf } = edit.kind else { panic!("{edit:?}") };
    let path = &own.leaves[leaf];
    let event = &own.event(path.event).name;
    let (at, to) = (&own.point(path.source).name, &own.point(path.target).name);
    let waiting = format!("on recv({event}) do goto {to}");
    let starting = format!("on _ do\n    sendbr({event})\n    goto {to}\n");
    let starting = format!("{starting}  on recv({event}) do goto {at}");
    let last = second.replace(&waiting, &starting);
    let stated = protocol("last.mer", &version("serializer.mer"));
    assert_eq!(digest(&protocol("last.mer", &last)), digest(&stated));
}
