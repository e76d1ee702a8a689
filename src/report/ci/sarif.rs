//! SARIF 2.1.0, the format of static analysis results.

use serde::Serialize;

use super::findings::{Level, explanation};
use super::{FileResults, Finding, ResultOrigin, below};
use crate::report::json::print;

/// The whole document.
pub(super) fn document(results: &FileResults<'_>) -> String {
    let mut ids: Vec<&str> = each_finding(results).map(|(_, own)| own.rule.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    let rules = ids.iter().map(|id| Rule { id, short_description: words(explanation(id)) });
    let found = each_finding(results).map(|(file, own)| found(&ids, file, own));
    print(&SarifLog {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: [Run {
            tool: Tool {
                driver: Driver {
                    name: "rmlcut",
                    version: env!("CARGO_PKG_VERSION"),
                    rules: rules.collect(),
                },
            },
            invocations: [Invocation {
                execution_successful: results.is_complete(),
                exit_code: results.exit_code,
            }],
            column_kind: "unicodeCodePoints",
            results: found.collect(),
            properties: Properties { command: results.command, files: verdicts(results) },
        }],
    })
}

/// Every finding, with the file that it belongs to if it names none.
fn each_finding<'a>(results: &FileResults<'a>) -> impl Iterator<Item = (&'a str, &'a Finding)> {
    let files = results.files.iter();
    files.flat_map(|file| file.findings.iter().map(|finding| (file.file.as_str(), finding)))
}

fn found<'a>(rules: &[&str], file: &'a str, finding: &'a Finding) -> Found<'a> {
    let region = finding.region.map(|own| SarifRegion {
        start_line: own.line,
        start_column: own.column,
        end_line: own.end_line,
        end_column: own.end_column,
    });
    let path = finding.file.as_deref().unwrap_or(file);
    let artifact_location = Artifact { uri: uri(path) };
    Found {
        rule_id: &finding.rule,
        rule_index: rules.iter().position(|rule| *rule == finding.rule).unwrap_or_default(),
        level: match finding.level {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Note => "note",
        },
        message: words(&finding.message),
        locations: [Location { physical_location: Physical { artifact_location, region } }],
    }
}

fn verdicts<'a>(results: &FileResults<'a>) -> Vec<FileVerdict<'a>> {
    let files = results.files.iter().map(|file| FileVerdict {
        file: uri(&file.file),
        verdict: file.outcome.word(),
        summary: &file.headline,
        cached: file.origin == ResultOrigin::Cached,
    });
    files.collect()
}

/// A path as a relative or absolute reference; everything unusual is percent-encoded.
fn uri(path: &str) -> String {
    let path = below(path);
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let mut out = String::from(if path.starts_with('/') { "file://" } else { "" });
    for byte in path.bytes() {
        if plain(byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

fn words(text: &str) -> Words<'_> {
    Words { text }
}

#[derive(Serialize)]
struct SarifLog<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Tool<'a>,
    invocations: [Invocation; 1],
    column_kind: &'static str,
    results: Vec<Found<'a>>,
    properties: Properties<'a>,
}

#[derive(Serialize)]
struct Tool<'a> {
    driver: Driver<'a>,
}

#[derive(Serialize)]
struct Driver<'a> {
    name: &'static str,
    version: &'static str,
    rules: Vec<Rule<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule<'a> {
    id: &'a str,
    short_description: Words<'a>,
}

#[derive(Serialize)]
struct Words<'a> {
    text: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    exit_code: u8,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Found<'a> {
    rule_id: &'a str,
    rule_index: usize,
    level: &'static str,
    message: Words<'a>,
    locations: [Location; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: Physical,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Artifact,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<SarifRegion>,
}

#[derive(Serialize)]
struct Artifact {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifRegion {
    start_line: usize,
    start_column: usize,
    end_line: usize,
    end_column: usize,
}

/// What SARIF has no place for: the verdict of every file, the good ones included.
#[derive(Serialize)]
struct Properties<'a> {
    command: &'a str,
    files: Vec<FileVerdict<'a>>,
}

#[derive(Serialize)]
struct FileVerdict<'a> {
    file: String,
    verdict: &'static str,
    summary: &'a str,
    cached: bool,
}
