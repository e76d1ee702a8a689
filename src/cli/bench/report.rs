//! `rmlcut bench --stage report`: what pages cost beyond the proofs they show.

use std::path::Path;

use super::check::{BenchError, Texts, certificates, request};
use super::shortest;
use crate::cli::Format;
use crate::cli::command_output::{CommandAnswer, CommandResult, ExitStatus};
use crate::cli::terminal::interrupt;
use crate::finite::Silent;
use crate::judge::request::{Cutoffs, JudgeRequest};
use crate::report::bench::report::{ReportBench, ReportRow};
use crate::{pipeline, report};

/// Measures the page of every certificate below a folder.
pub(crate) fn run(folder: &Path, repeat: u32, format: Format) -> CommandResult {
    let measured = measure(folder, repeat)
        .map_err(|error| CommandAnswer::failure(format, ExitStatus::WrongInput, &error))?;
    Ok(super::answer(format, &measured))
}

fn measure(folder: &Path, repeat: u32) -> Result<ReportBench, BenchError> {
    let stop = interrupt::on_ctrl_c();
    let found = certificates(folder);
    if found.is_empty() {
        return Err(BenchError::NoCertificate(folder.to_owned()));
    }
    let mut rows = Vec::new();
    for path in found {
        let texts = Texts::read(&path)?;
        let (protocol, certificate) = texts.parse()?;
        let request = JudgeRequest { cutoffs: Cutoffs::Searched, residual: 2, ..request() };
        let (judgement, seconds_check) = shortest(1, || {
            pipeline::check(&protocol, &certificate, &request, None, &Silent)
                .map_err(|error| texts.failed(error))
        })?;
        let (bytes, seconds_report) = shortest(repeat, || {
            let drawn = pipeline::illustrate_proof(&protocol, &certificate, &judgement, &stop);
            let own = (&certificate, Some(texts.certificate.text()));
            let page = report::html::proved(&protocol, &texts.protocol, own, &judgement, &drawn);
            Ok(page.len())
        })?;
        // What was interrupted counts for nothing; the rows before it do.
        if stop.is_set() {
            break;
        }
        let file = texts.certificate.name().to_owned();
        rows.push(ReportRow { file, seconds_check, seconds_report, bytes });
    }
    Ok(ReportBench { rows })
}
