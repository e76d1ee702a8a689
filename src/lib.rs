//! Safety of distributed protocols at any size, by checking one small instance.
//!
//! A user of this library meets five types:
//!
//! - [`Protocol`]: sorts, relations, actions and safety properties, read from RML text;
//! - [`Options`]: how long to work, on how many threads, at which sizes;
//! - [`Proof`]: the result of a search, a verdict and the certificate that proves it;
//! - [`Verdict`]: safe, safe within bounds, unsafe with a run, or unproved; it prints itself;
//! - [`Certificate`]: the proof as text, which [`Protocol::check`] checks without the search.
//!
//! Whatever goes wrong is an [`Error`], which prints every message with its place in the text.
//!
//! ```
//! use rmlcut::{Options, Protocol, Verdict};
//!
//! # fn main() -> Result<(), rmlcut::Error> {
//! let protocol = Protocol::parse(
//!     "sort node\nrelation holds(node)\nrelation free\ninit ~holds(N)\ninit free\n\
//!      action take(n: node) { require free; free := false; holds(n) := true }\n\
//!      action give(n: node) { require holds(n); holds(n) := false; free := true }\n\
//!      safety [one_holder] holds(N1) & holds(N2) -> N1 = N2\n",
//! )?;
//! let proof = protocol.prove(&Options::default())?;
//! println!("{proof}");
//! let certificate = proof.certificate.expect("the lock is safe");
//! assert_eq!(protocol.check(&certificate, &Options::seconds(30))?, Verdict::Safe);
//! # Ok(())
//! # }
//! ```
//!
//! The modules are the internals of the program `rmlcut`. They are public for its tests and fuzz
//! targets, are not part of the documented interface and may change in any release.

mod api;

pub use crate::api::{Certificate, Error, Options, Proof, Protocol, Verdict};

#[doc(hidden)]
pub mod analysis;
#[doc(hidden)]
pub mod budget;
#[doc(hidden)]
pub mod certificate;
#[doc(hidden)]
pub mod cli;
#[doc(hidden)]
pub mod complete;
#[doc(hidden)]
pub mod coverage;
#[doc(hidden)]
pub mod diagnostic;
#[doc(hidden)]
pub mod effort;
#[doc(hidden)]
pub mod elaborate;
#[doc(hidden)]
pub mod evidence;
#[doc(hidden)]
pub mod explain;
#[doc(hidden)]
pub mod export;
#[doc(hidden)]
pub mod finite;
#[doc(hidden)]
pub mod frontend;
#[doc(hidden)]
pub mod index;
#[doc(hidden)]
pub mod judge;
#[doc(hidden)]
pub mod keywords;
#[doc(hidden)]
pub mod lint;
#[doc(hidden)]
pub mod logic;
#[doc(hidden)]
pub mod picture;
#[doc(hidden)]
pub mod pipeline;
#[doc(hidden)]
pub mod play;
#[doc(hidden)]
pub mod process;
#[doc(hidden)]
pub mod protocol;
#[doc(hidden)]
pub mod prove;
#[doc(hidden)]
pub mod report;
#[doc(hidden)]
pub mod smt;
#[doc(hidden)]
pub mod source;
#[doc(hidden)]
pub mod synthesis;
