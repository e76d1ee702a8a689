//! JUnit XML: one test case for each file.

use super::{FileResult, FileResults, Outcome, ResultOrigin};

/// The whole document.
pub(super) fn document(results: &FileResults<'_>) -> String {
    let FileResults { command, files, .. } = results;
    let errors = [Outcome::Failed, Outcome::Refused, Outcome::Defect];
    let errors: usize = errors.iter().map(|outcome| results.count(*outcome)).sum();
    let failures = results.count(Outcome::Unsafe) + results.count(Outcome::Unproved);
    let counts = format!("tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\"", files.len());
    let (command_name, skipped) = (escaped(command), results.count(Outcome::NotRun));
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    // The schema of Jenkins allows `skipped` for a suite only.
    out.push_str(&format!("<testsuites name=\"rmlcut\" {counts}>\n"));
    out.push_str(&format!(
        "  <testsuite name=\"rmlcut {command_name}\" {counts} skipped=\"{skipped}\">\n"
    ));
    for file in *files {
        case(&mut out, command, file);
    }
    out.push_str("  </testsuite>\n</testsuites>\n");
    out
}

fn case(out: &mut String, command: &str, file: &FileResult) {
    let name = escaped(&file.file);
    let class = escaped(command);
    out.push_str(&format!(
        "    <testcase classname=\"rmlcut.{class}\" name=\"{name}\" file=\"{name}\">\n"
    ));
    let headline = escaped(&file.headline);
    let kind = escaped(file.outcome.word());
    match file.outcome {
        Outcome::Safe => {}
        Outcome::NotRun => out.push_str(&format!("      <skipped message=\"{headline}\"/>\n")),
        Outcome::Unsafe | Outcome::Unproved => ended(out, "failure", &headline, &kind, file),
        Outcome::Failed | Outcome::Refused | Outcome::Defect => {
            ended(out, "error", &headline, &kind, file);
        }
    }
    let mut notes = vec![file.headline.clone()];
    notes.extend((file.origin == ResultOrigin::Cached).then(|| "cached".to_owned()));
    notes.extend(file.findings.iter().map(|finding| in_words(file, finding)));
    out.push_str(&format!("      <system-out>{}</system-out>\n", escaped(&notes.join("\n"))));
    out.push_str("    </testcase>\n");
}

fn ended(out: &mut String, element: &str, headline: &str, kind: &str, file: &FileResult) {
    let details = escaped(file.report.trim_end());
    out.push_str(&format!(
        "      <{element} message=\"{headline}\" type=\"{kind}\">{details}</{element}>\n"
    ));
}

fn in_words(file: &FileResult, finding: &super::Finding) -> String {
    let path = finding.file.as_ref().unwrap_or(&file.file);
    let place = finding.region.map(|own| format!(":{}:{}", own.line, own.column));
    format!("{path}{}: {}", place.unwrap_or_default(), finding.message)
}

/// Text that means nothing to XML. Characters that XML does not allow, even escaped, are spelt out.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            '\t' | '\n' | '\r' => out.push_str(&format!("&#{};", u32::from(c))),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {
                out.extend(c.escape_default());
            }
            c => out.push(c),
        }
    }
    out
}
