//! cvc5 as a second opinion: run as a program of its own, asked in SMT-LIB.
//!
//! Its `sat` carries no counter-model that we read, so on its own it can confirm and doubt, but not
//! refute.

use std::ffi::OsString;
use std::fmt::{self, Write as _};
use std::time::Duration;

use thiserror::Error;

use super::process::{Ended, Finished};
use super::smtlib::ScriptStatus;
use super::{Discharge, Prover, ProverError, Query, UnknownReason, process, smtlib};
use crate::budget::{Budget, Stop};
use crate::logic::Vocabulary;

/// The first release of cvc5.
const OLDEST: (u32, u32) = (1, 0);

/// Ways to ask, each for its share of the time: the second finds finite models.
const ATTEMPTS: [&[&str]; 2] = [&[], &["finite-model-find"]];

/// Lets the Python module read a script from standard input; its arguments are options to set.
const PYTHON_DRIVER: &str = "\
import sys, cvc5
if sys.argv[1:] == ['version']:
    print('version', cvc5.__version__)
    sys.exit(0)
solver = cvc5.Solver()
for option in sys.argv[1:]:
    solver.setOption(option, 'true')
parser = cvc5.InputParser(solver)
parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, sys.stdin.read(), 'query')
symbols = parser.getSymbolManager()
while True:
    command = parser.nextCommand()
    if command.isNull():
        break
    sys.stdout.write(command.invoke(solver, symbols))
";

/// cvc5 must answer with its version within this time: a Python module is slow to load.
const INTRODUCTION: Duration = Duration::from_secs(20);

/// Why the second solver could not be asked.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ExternalError {
    /// It is not there.
    #[error(
        "cvc5 was not found: put the program `cvc5` on the PATH, or install the Python package \
         `cvc5` for python3 ({0})"
    )]
    Missing(String),
    /// The program that was named is not there.
    #[error("cvc5 was not found: `{program}` cannot be started ({said})")]
    NotThere {
        /// What was named.
        program: String,
        /// The system's words.
        said: String,
    },
    /// It is too old, or something else altogether.
    #[error("`{program}` is not cvc5 {}.{} or later: {said}", OLDEST.0, OLDEST.1)]
    WrongVersion {
        /// What was started.
        program: String,
        /// How it introduced itself.
        said: String,
    },
    /// It could not be run to its end.
    #[error("`{program}` failed: {said}")]
    Failed {
        /// What was started.
        program: String,
        /// Its own words, or the system's.
        said: String,
    },
}

/// What the second solver says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opinion {
    /// The script has no model: the goal follows.
    Unsat,
    /// The script has a model: the goal does not follow.
    Sat,
    /// It does not know.
    Unknown(UnknownReason),
}

/// An installed cvc5.
#[derive(Clone, Debug)]
pub struct Cvc5 {
    program: Program,
    version: String,
}

#[derive(Clone, Debug)]
enum Program {
    /// The stand-alone program.
    Binary(OsString),
    /// The module of this Python.
    Python(OsString),
}

impl Cvc5 {
    /// The program that was named, or the module of a Python interpreter that was named, or else
    /// `cvc5` on the PATH, or else python3's module.
    ///
    /// # Errors
    /// When none of them is there, or what is there is not cvc5.
    pub fn find(named: Option<OsString>, stop: &Stop) -> Result<Self, ExternalError> {
        let stop = &stop.within(INTRODUCTION);
        if let Some(name) = named {
            let program = name.to_string_lossy().into_owned();
            if program.rsplit(['/', '\\']).next().is_some_and(|file| file.starts_with("python")) {
                return Self::start(Program::Python(name), stop);
            }
            return match Self::start(Program::Binary(name), stop) {
                Err(ExternalError::Missing(said)) => Err(ExternalError::NotThere { program, said }),
                found => found,
            };
        }
        match Self::start(Program::Binary("cvc5".into()), stop) {
            Err(ExternalError::Missing(_)) => Self::start(Program::Python("python3".into()), stop),
            found => found,
        }
    }

    fn start(program: Program, stop: &Stop) -> Result<Self, ExternalError> {
        let arguments: &[&str] = match &program {
            Program::Binary(_) => &["--version"],
            Program::Python(_) => &["version"],
        };
        let ended = program.run(arguments, "", stop);
        let ended = ended.map_err(|error| ExternalError::Missing(error.to_string()))?;
        let Ended::Finished(finished) = ended else {
            let said = "it does not say its version in time".to_owned();
            return Err(ExternalError::Failed { program: program.to_string(), said });
        };
        if !finished.success && matches!(program, Program::Python(_)) {
            return Err(ExternalError::Missing(last_line(&finished.stderr)));
        }
        match version(&finished.stdout) {
            Some(version) => Ok(Cvc5 { program, version }),
            None => Err(ExternalError::WrongVersion {
                program: program.to_string(),
                said: first_line(&finished.stdout),
            }),
        }
    }

    /// Its version, such as `1.0.3`.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// What it says to a script.
    ///
    /// # Errors
    /// When it fails or says something that is not an answer.
    pub fn ask(&self, script: &str, budget: &Budget) -> Result<Opinion, ExternalError> {
        let stop = budget.one_question().stop;
        let mut opinion = Opinion::Unknown(UnknownReason::Timeout);
        for (index, options) in ATTEMPTS.iter().enumerate() {
            let attempts_left = u32::try_from(ATTEMPTS.len() - index).expect("few attempts");
            opinion = self.attempt(options, script, &stop.share(1, attempts_left))?;
            if matches!(opinion, Opinion::Unsat | Opinion::Sat) {
                break;
            }
        }
        Ok(opinion)
    }

    fn attempt(
        &self,
        options: &[&str],
        script: &str,
        stop: &Stop,
    ) -> Result<Opinion, ExternalError> {
        Ok(match self.converse(options, script, stop)? {
            Ended::Stopped(why) => Opinion::Unknown(UnknownReason::from(why)),
            Ended::Finished(finished) => {
                opinion(&finished).ok_or_else(|| self.failed(complaint(&finished)))?
            }
        })
    }

    /// Lets it read a script to the end.
    pub(super) fn converse(
        &self,
        options: &[&str],
        script: &str,
        stop: &Stop,
    ) -> Result<Ended, ExternalError> {
        let arguments = self.program.options(options);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let ended = self.program.run(&arguments, script, stop);
        ended.map_err(|error| self.failed(error.to_string()))
    }

    fn failed(&self, said: String) -> ExternalError {
        ExternalError::Failed { program: self.program.to_string(), said }
    }
}

impl Program {
    fn run(&self, arguments: &[&str], input: &str, stop: &Stop) -> std::io::Result<Ended> {
        match self {
            Program::Binary(name) => process::run(name, arguments, input, stop),
            Program::Python(name) => {
                let driver = ["-c", PYTHON_DRIVER];
                process::run(name, &[&driver[..], arguments].concat(), input, stop)
            }
        }
    }

    fn options(&self, options: &[&str]) -> Vec<String> {
        match self {
            Program::Binary(_) => std::iter::once("--lang=smt2.6".to_owned())
                .chain(options.iter().map(|option| format!("--{option}")))
                .collect(),
            Program::Python(_) => options.iter().map(|&option| option.to_owned()).collect(),
        }
    }
}

impl fmt::Display for Program {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Program::Binary(name) => formatter.write_str(&name.to_string_lossy()),
            Program::Python(name) => {
                write!(formatter, "{} with module cvc5", name.to_string_lossy())
            }
        }
    }
}

impl<V: Vocabulary> Prover<V> for Cvc5 {
    fn discharge_group(
        &self,
        queries: &[Query<'_, V>],
        budget: &Budget,
    ) -> Result<Vec<Discharge<V>>, ProverError> {
        let answer = |query| {
            let script = smtlib::script(query, ScriptStatus::Unknown)?;
            Ok(match self.ask(&script, budget)? {
                Opinion::Unsat => Discharge::Valid,
                Opinion::Sat => {
                    let why = format!("cvc5 {} refutes the goal and shows no model", self.version);
                    Discharge::Unknown(UnknownReason::Unreadable(why))
                }
                Opinion::Unknown(reason) => Discharge::Unknown(reason),
            })
        };
        queries.iter().map(answer).collect()
    }
}

/// The version after the word `version`, unless it is too old.
fn version(output: &str) -> Option<String> {
    let after = output.split_whitespace().skip_while(|word| *word != "version").nth(1)?;
    let mut numbers = after.split('.').map(|part| part.parse::<u32>().ok());
    let release = (numbers.next()??, numbers.next()??);
    (release >= OLDEST).then(|| after.to_owned())
}

/// The answer; anything but a lone status is none. `unknown` may be followed by an explanation.
fn opinion(finished: &Finished) -> Option<Opinion> {
    match finished.stdout.trim() {
        "unsat" => Some(Opinion::Unsat),
        "sat" => Some(Opinion::Sat),
        text if text.lines().count() == 1 && text.starts_with("unknown") => {
            Some(Opinion::Unknown(UnknownReason::Incomplete(text.to_owned())))
        }
        _ => None,
    }
}

fn complaint(finished: &Finished) -> String {
    let mut said = first_line(&finished.stdout);
    if !finished.stderr.trim().is_empty() {
        write!(said, " {}", last_line(&finished.stderr)).expect("writing to a string succeeds");
    }
    said
}

fn first_line(text: &str) -> String {
    text.trim().lines().next().unwrap_or("it said nothing").to_owned()
}

fn last_line(text: &str) -> String {
    text.trim().lines().last().unwrap_or("it said nothing").to_owned()
}
