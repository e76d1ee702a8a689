//! Z3 against cvc5 on every obligation of a certificate that Z3 has proved.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use rmlcut::judge::{Judged, Judgement, query};
use rmlcut::smt::smtlib;
use rmlcut::smt::smtlib::ScriptStatus;

/// What cvc5 may take for one obligation, in milliseconds.
const LIMIT: u32 = 2_000;

/// Where cvc5 is, if `RMLCUT_CVC5` says so.
pub(crate) fn second_solver() -> Option<OsString> {
    std::env::var_os("RMLCUT_CVC5")
}

/// Puts every proved obligation to cvc5, all of them in one conversation; returns how many there
/// were, and how many cvc5 proves too.
pub(crate) fn solvers_agree(
    judgement: &Judgement,
    cvc5: OsString,
) -> Result<(usize, usize), String> {
    let proved: Vec<&Judged> = judgement.obligations().filter(|own| own.is_valid()).collect();
    let mut text = String::new();
    for own in &proved {
        let script = smtlib::script(&query(&own.obligation), ScriptStatus::Unknown);
        let script = script.map_err(|error| format!("{}: {error}", own.obligation.title()))?;
        let script = script.strip_suffix("(exit)\n").ok_or("a script that does not end")?;
        writeln!(text, "{script}(reset)").expect("writing to a string succeeds");
    }
    let answers = answers(&text, &cvc5)?;
    if answers.len() != proved.len() {
        return Err(format!("cvc5 answers {} of {} scripts", answers.len(), proved.len()));
    }
    let mut both = 0;
    for (own, answer) in proved.iter().zip(&answers) {
        match answer.as_str() {
            "unsat" => both += 1,
            "unknown" => {}
            said => {
                let title = own.obligation.title();
                return Err(format!("{title}: Z3 proves it, cvc5 says `{said}`"));
            }
        }
    }
    Ok((proved.len(), both))
}

/// What cvc5 says to each script of a text.
fn answers(text: &str, cvc5: &OsString) -> Result<Vec<String>, String> {
    let mut child = Command::new(cvc5)
        .args(["--lang=smt2.6", &format!("--tlimit-per={LIMIT}")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("cvc5: {error}"))?;
    let mut input = child.stdin.take().expect("it is piped");
    let text = text.to_owned();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().map_err(|error| format!("cvc5: {error}"))?;
    // A solver that stops reading has said why.
    let _ = writer.join();
    let said = String::from_utf8_lossy(&output.stdout);
    Ok(said.lines().map(|line| line.trim().to_owned()).collect())
}
