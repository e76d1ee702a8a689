//! A certificate as JSON, after `grammar/certificate.schema.json`: the same parts as the text, with
//! every expression as text.

use serde::Serialize;

use super::{Data, data};
use crate::certificate::{FORMAT, Outline};

#[derive(Serialize)]
struct CertificateReport<'a> {
    format: i64,
    #[serde(flatten)]
    outline: &'a Outline,
}

/// A certificate.
pub fn certificate(outline: &Outline) -> Data {
    data(&CertificateReport { format: FORMAT, outline })
}
