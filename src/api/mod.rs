//! The library's own interface: protocols in, verdicts and certificates out, as values that print
//! themselves.

mod error;
mod verdict;

use std::fmt;
use std::time::Duration;

pub use error::Error;
pub use verdict::Verdict;

use crate::budget::{Budget, Stop, cores};
use crate::certificate::print_certificate;
use crate::finite::question::request::{FiniteRequest, PATIENCE};
use crate::finite::{Deadlocks, Silent, Slicing, Symmetry};
use crate::judge::request::JudgeRequest;
use crate::pipeline::{Origin, Strategy};
use crate::prove::{Prefer, ProveConfig};
use crate::report::text;
use crate::source::SourceFile;
use crate::{finite, pipeline, protocol, smt};

/// A protocol, read and checked for mistakes.
///
/// The front page of this crate shows a protocol being proved and its certificate being checked.
/// A small instance alone, with a counterexample:
///
/// ```
/// use rmlcut::{Options, Protocol, Verdict};
///
/// # fn main() -> Result<(), rmlcut::Error> {
/// let protocol = Protocol::parse(
///     "sort node\nrelation holds(node)\ninit ~holds(N)\n\
///      action take(n: node) { holds(n) := true }\n\
///      safety [one_holder] holds(N1) & holds(N2) -> N1 = N2\n",
/// )?;
/// let verdict = protocol.explore(&Options::default().size("node", 2))?;
/// assert!(matches!(verdict, Verdict::Unsafe { .. }));
/// assert!(verdict.to_string().starts_with("unsafe at node=2: [one_holder] fails after 2 steps"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Protocol {
    model: protocol::Protocol,
}

/// What a question may cost, and how large the instances are.
#[derive(Clone, Debug)]
pub struct Options {
    time: Duration,
    threads: usize,
    sizes: Vec<(String, u32)>,
    integers: Option<(i64, i64)>,
    residual: u32,
}

/// The result of [`Protocol::prove`].
#[derive(Clone, Debug)]
pub struct Proof {
    /// What was found out.
    pub verdict: Verdict,
    /// What proves it, where the verdict is that the protocol is safe.
    pub certificate: Option<Certificate>,
}

/// A certificate as text, to be kept beside the protocol and checked by anyone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    text: String,
}

impl Protocol {
    /// Reads a protocol in RML.
    ///
    /// # Errors
    /// Everything that is wrong with the text, with its places.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let source = SourceFile::new("protocol.rml", text);
        let read = pipeline::read_protocol(&source);
        let (model, _) = read.map_err(|messages| Error::invalid(&source, &messages))?;
        Ok(Protocol { model })
    }

    /// Proves the protocol safe at every size, or finds a run that violates a property.
    ///
    /// # Errors
    /// When nothing is to be proved, or when the solver cannot be used.
    pub fn prove(&self, options: &Options) -> Result<Proof, Error> {
        self.ensure_provable()?;
        smt::z3::load().map_err(|error| Error::Environment(error.to_string()))?;
        let config = ProveConfig {
            stop: Stop::never().within(options.time),
            prefer: Prefer::Cutoff,
            patience: 1,
            residual: options.residual,
            threads: options.threads,
            proved: &|| {},
            progress: &Silent,
        };
        let outcome = pipeline::prove_with(&self.model, Strategy::Search, &config)?;
        let summary = text::synth::verdict(&self.model, &outcome);
        let verdict = Verdict::new(&self.model, &outcome.verdict, summary);
        let is_proved = matches!(verdict, Verdict::Safe | Verdict::SafeUpTo(_));
        let certificate = outcome.judged.as_deref().filter(|_| is_proved).map(|(found, _)| {
            let comment = text::synth::comment(&self.model, &outcome);
            Certificate { text: print_certificate(&self.model, found, &comment) }
        });
        Ok(Proof { verdict, certificate })
    }

    /// Checks that a certificate proves the protocol safe. The time is for each obligation.
    ///
    /// The certificate must have been made for this text; the name in its header, which is that of
    /// a file, is ignored.
    ///
    /// # Errors
    /// When the certificate cannot be read or is for another protocol, or when the solver cannot
    /// be used.
    pub fn check(&self, certificate: &Certificate, options: &Options) -> Result<Verdict, Error> {
        self.ensure_provable()?;
        smt::z3::load().map_err(|error| Error::Environment(error.to_string()))?;
        let source = SourceFile::new("protocol.cut", certificate.text.as_str());
        let mut model = self.model.clone();
        if let Some(name) = pipeline::certified_name(&source) {
            model.name = name;
        }
        let read = pipeline::read_certificate(&model, &source, Origin::ThisText);
        let read = read.map_err(|messages| Error::invalid(&source, &messages))?;
        let budget = options.budget(Stop::never());
        let request = JudgeRequest { residual: options.residual, ..JudgeRequest::new(budget) };
        let judgement = pipeline::check(&model, &read.certificate, &request, None, &Silent)?;
        let summary = text::check::headline(&model, &judgement);
        Ok(Verdict::new(&model, &judgement.verdict, summary))
    }

    /// Searches all instances of one size for a violation.
    ///
    /// # Errors
    /// When there is nothing to check, or the size is wrong or too large.
    pub fn explore(&self, options: &Options) -> Result<Verdict, Error> {
        self.ensure_provable()?;
        let request = FiniteRequest {
            sizes: options.sizes.clone(),
            window: options.integers,
            properties: Vec::new(),
            engine: None,
            deadlocks: Deadlocks::Ignored,
            symmetry: Symmetry::Reduced,
            slicing: Slicing::Whole,
            budget: options.budget(Stop::never().within(options.time)),
            patience: PATIENCE,
        };
        let explored = finite::question::request::explore(&self.model, &request, &Silent)?;
        Ok(Verdict::of_exploration(&self.model, &explored))
    }

    fn ensure_provable(&self) -> Result<(), Error> {
        match self.model.states_safety() {
            true => Ok(()),
            false => Err(Error::Question("the protocol has no `safety` property".to_owned())),
        }
    }
}

impl Default for Options {
    /// A minute, all cores, two elements of every sort, and bounds of three where a proof leaves
    /// something unbounded.
    fn default() -> Self {
        Options {
            time: Duration::from_secs(60),
            threads: cores(),
            sizes: Vec::new(),
            integers: None,
            residual: 3,
        }
    }
}

impl Options {
    /// The defaults, with another limit of time.
    #[must_use]
    pub fn seconds(seconds: u64) -> Self {
        Options { time: Duration::from_secs(seconds), ..Options::default() }
    }

    /// With this many threads.
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        Options { threads: threads.max(1), ..self }
    }

    /// With this many elements of a sort, for [`Protocol::explore`].
    #[must_use]
    pub fn size(mut self, sort: &str, count: u32) -> Self {
        self.sizes.push((sort.to_owned(), count));
        self
    }

    /// With the integers from `low` to `high`, for [`Protocol::explore`].
    #[must_use]
    pub fn integers(self, low: i64, high: i64) -> Self {
        Options { integers: Some((low, high)), ..self }
    }

    /// With sizes up to `bound` where a proof leaves a sort unbounded.
    #[must_use]
    pub fn residual(self, bound: u32) -> Self {
        Options { residual: bound.max(1), ..self }
    }

    fn budget(&self, stop: Stop) -> Budget {
        Budget {
            time: self.time,
            max_memory: 4096 << 20,
            threads: self.threads,
            ..Budget::until(stop)
        }
    }
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.verdict.fmt(f)
    }
}

impl From<&str> for Certificate {
    fn from(text: &str) -> Self {
        Certificate { text: text.to_owned() }
    }
}

impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
