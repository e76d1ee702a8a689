//! `rmlcut check` and `rmlcut synth` on single files and on folders, in every output format.

pub(crate) mod cache;
mod folder;

use std::path::Path;

use folder::{FolderEntry, Trouble};

use super::command_output::{CommandAnswer, CommandResult, ExitStatus, read_protocol};
use super::terminal::input::PropertyChoice;
use super::terminal::interrupt;
use super::{Format, OutputFormat};
use crate::report::ci::findings::{self, Level};
use crate::report::ci::{CiFormat, FileResult, FileResults, Finding, Outcome, shown};
use crate::{pipeline, report};

/// What a command may write while it works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Voice {
    /// The first line as soon as it is known, and colours on a terminal.
    Terminal,
    /// Nothing: the result is part of another one.
    Quiet,
}

/// A command that runs on a file, and on every file of a folder.
pub(crate) trait FileCommand: Sized {
    /// Its name.
    const NAME: &'static str;

    /// The file or the folder.
    fn subject(&self) -> &Path;

    /// The same command on one file of a folder; without one, if the file has no certificate.
    fn on(&self, protocol: &Path, certificate: Option<&Path>) -> Option<Self>;

    /// Whether protocols without a certificate are passed over.
    fn skips_missing(&self) -> bool;

    /// What is proved of a protocol.
    fn choice(&self) -> &PropertyChoice;

    /// An option that makes no sense for a folder.
    fn option_of_one_file(&self) -> Option<&'static str>;

    /// Runs on one file.
    fn run_one(&self, format: Format, voice: Voice) -> CommandResult;
}

/// Runs a command on its file or folder.
pub(crate) fn run<C: FileCommand>(command: &C, output: OutputFormat) -> CommandResult {
    if command.subject().is_dir() {
        return in_folder(command, output);
    }
    match output.ci() {
        None => command.run_one(output.internal(), Voice::Terminal),
        Some(ci) => {
            let answer = command.run_one(Format::Text, Voice::Quiet).unwrap_or_else(|ended| ended);
            Ok(alone(C::NAME, command.subject(), answer, ci))
        }
    }
}

/// The answer about one file in a format that other programs read.
pub(crate) fn alone(
    command: &str,
    subject: &Path,
    answer: CommandAnswer,
    ci: CiFormat,
) -> CommandAnswer {
    let remarks = harmless(&answer.remarks, ci);
    let status = answer.status;
    let subject = subject.display().to_string();
    let files = [result(subject.clone(), answer)];
    let results =
        FileResults { command, subject: &subject, files: &files, exit_code: status as u8 };
    CommandAnswer { remarks, status, ..CommandAnswer::success(report::ci::render(&results, ci)) }
}

/// A folder in which there is nothing to do.
#[derive(Debug, thiserror::Error)]
#[error("{0}: there is no protocol (.{1}) in this folder or below it")]
struct NoProtocol(String, String);

/// An option that is for one file.
#[derive(Debug, thiserror::Error)]
#[error("{0} is for one file, and {1} is a folder")]
struct ForOneFile(&'static str, String);

fn in_folder<C: FileCommand>(command: &C, output: OutputFormat) -> CommandResult {
    let subject = shown(command.subject());
    let failure = |status, error: &dyn std::fmt::Display| {
        let answer = CommandAnswer::failure(output.internal(), status, error);
        match output.ci() {
            Some(ci) => alone(C::NAME, command.subject(), answer, ci),
            None => answer,
        }
    };
    if let Some(option) = command.option_of_one_file() {
        return Err(failure(ExitStatus::WrongInput, &ForOneFile(option, subject)));
    }
    let entries = folder::entries(command.subject());
    if entries.is_empty() {
        let extensions: Vec<&str> = crate::pipeline::protocol_extensions().collect();
        let error = NoProtocol(subject, extensions.join(", ."));
        return Err(failure(ExitStatus::WrongInput, &error));
    }
    let (mut files, mut remarks, mut status) = (Vec::new(), String::new(), ExitStatus::Success);
    for entry in entries {
        let Some(answer) = answer_for(command, &entry) else { continue };
        if answer.status.is_failure() {
            remarks.push_str(&answer.remarks);
        }
        status = status.worse(answer.status);
        files.push(result(entry.path.display().to_string(), answer));
    }
    let subject = command.subject().display().to_string();
    let results =
        FileResults { command: C::NAME, subject: &subject, files: &files, exit_code: status as u8 };
    let text = match (output.ci(), output.internal()) {
        (Some(ci), _) => {
            remarks = harmless(&remarks, ci);
            report::ci::render(&results, ci)
        }
        (None, Format::Text | Format::Itf) => report::ci::text(&results),
        (None, Format::Json) => report::ci::document(&results),
    };
    Ok(CommandAnswer { remarks, status, ..CommandAnswer::success(text) })
}

/// The answer for one file of a folder; none if it is passed over.
fn answer_for<C: FileCommand>(command: &C, entry: &FolderEntry) -> Option<CommandAnswer> {
    let stop = interrupt::on_ctrl_c();
    let (status, rule, words) = match &entry.trouble {
        Some(Trouble::Unreadable(reason)) => {
            let words = format!("cannot read {}: {reason}", shown(&entry.path));
            (ExitStatus::EnvironmentError, findings::INPUT, words)
        }
        Some(Trouble::WithoutProtocol) => {
            let words = "no protocol of this name beside the certificate".to_owned();
            (ExitStatus::WrongInput, findings::PAIRING, words)
        }
        None if stop.is_set() => {
            return Some(not_run("not run: interrupted before this file"));
        }
        None => match command.on(&entry.path, entry.certificate.as_deref()) {
            Some(command) => {
                let work =
                    || command.run_one(Format::Text, Voice::Quiet).unwrap_or_else(|ended| ended);
                let answer = super::catching_panics(work);
                let is_cut_short = answer.status == ExitStatus::Unproved && stop.is_set();
                return Some(if is_cut_short { not_run("not run: interrupted") } else { answer });
            }
            None if command.skips_missing() => return None,
            None => {
                return Some(super::catching_panics(|| without_certificate(command, &entry.path)));
            }
        },
    };
    Some(about_file(&entry.path, status, rule, &words))
}

/// The answer for a protocol without a certificate. What is wrong with the protocol comes first.
fn without_certificate<C: FileCommand>(command: &C, protocol: &Path) -> CommandAnswer {
    let text = match read_protocol(Format::Text, protocol, command.choice()) {
        Ok(text) => text,
        Err(unreadable) => return unreadable,
    };
    if let Err(messages) = pipeline::read_provable(&text) {
        return CommandAnswer::refused(Format::Text, &text, &messages);
    }
    let words = "unproved: no certificate beside the protocol";
    about_file(protocol, ExitStatus::Unproved, findings::PAIRING, words)
}

/// An answer that is about a file and not about what it says.
fn about_file(path: &Path, status: ExitStatus, rule: &str, words: &str) -> CommandAnswer {
    let found = Finding::new(Level::Error, rule, words);
    let remarks = format!("error: {}: {words}\n", shown(path));
    let output = format!("{words}\n");
    CommandAnswer { findings: vec![found], remarks, status, ..CommandAnswer::success(output) }
}

fn not_run(words: &str) -> CommandAnswer {
    let found = Finding::new(Level::Warning, findings::NOT_RUN, words);
    CommandAnswer {
        findings: vec![found],
        status: ExitStatus::Unproved,
        ..CommandAnswer::success(format!("{words}\n"))
    }
}

/// What an answer says about a file.
fn result(file: String, answer: CommandAnswer) -> FileResult {
    let is_not_run = answer.findings.iter().any(|own| own.rule == findings::NOT_RUN);
    let outcome = match answer.status {
        ExitStatus::Success => Outcome::Safe,
        ExitStatus::Unproved if is_not_run => Outcome::NotRun,
        ExitStatus::Unproved => Outcome::Unproved,
        ExitStatus::No => Outcome::Unsafe,
        ExitStatus::EnvironmentError => Outcome::Failed,
        ExitStatus::WrongInput => Outcome::Refused,
        ExitStatus::InternalError => Outcome::Defect,
    };
    let mut findings = answer.findings;
    let headline = match answer.output.lines().next() {
        Some(line) => line.to_owned(),
        None => complaint(outcome, &findings),
    };
    if findings.is_empty() && outcome != Outcome::Safe {
        let rule = if outcome == Outcome::Defect { findings::DEFECT } else { findings::UNPROVED };
        findings.push(Finding::new(Level::Error, rule, headline.as_str()));
    }
    let report = if answer.output.is_empty() { headline.clone() } else { answer.output };
    FileResult { file, outcome, headline, report, findings, origin: answer.origin }
}

/// The first error in one line, and how many there are.
fn complaint(outcome: Outcome, findings: &[Finding]) -> String {
    let mut errors = findings.iter().filter(|own| own.level == Level::Error);
    let Some(first) = errors.next() else { return outcome.word().to_owned() };
    let place = first.region.map(|own| format!("{}:{}: ", own.line, own.column));
    let more = match errors.count() {
        0 => String::new(),
        more => format!(" (and {more} more)"),
    };
    format!("{}: {}{}{more}", outcome.word(), place.unwrap_or_default(), first.message)
}

/// Remarks in which no line is a command to GitHub.
fn harmless(remarks: &str, ci: CiFormat) -> String {
    if ci != CiFormat::Github {
        return remarks.to_owned();
    }
    let quoted = |line: &str| {
        let start = line.trim_start();
        let is_command = start.starts_with("::") || start.starts_with("##[");
        format!("{}{line}\n", if is_command { "| " } else { "" })
    };
    // Some programs end a line at a carriage return too.
    remarks.split(['\n', '\r']).filter(|line| !line.is_empty()).map(quoted).collect()
}
