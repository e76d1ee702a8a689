//! The generated parser: one set of rules for protocols and certificates.
//!
//! Generated items carry no documentation, hence the exception to our lints.
#![allow(missing_docs, unreachable_pub)]

/// Recognises the rules of `grammar/*.pest`.
#[derive(pest_derive::Parser)]
#[grammar = "grammar/expression.pest"]
#[grammar = "grammar/rml.pest"]
#[grammar = "grammar/machines.pest"]
#[grammar = "grammar/certificate.pest"]
pub(crate) struct Grammar;
