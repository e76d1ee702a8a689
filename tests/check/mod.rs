//! What `check` promises: certificates read and printed, obligations judged, verdicts earned.

// A helper that cannot do its part fails the test.
#![allow(clippy::panic)]

mod counterexamples;
mod hostile;
mod json;
mod program;
pub(crate) mod schema;
mod texts;
mod verdicts;

use rmlcut::certificate::Certificate;
use rmlcut::elaborate::certificate::elaborate_certificate;
use rmlcut::frontend::parse_certificate;
use rmlcut::pipeline::read_protocol;
use rmlcut::protocol::Protocol;
use rmlcut::report::text::diagnostics::{Colour, render};
use rmlcut::source::SourceFile;

/// The protocol of a text that must be right.
fn protocol(text: &str) -> Protocol {
    let source = SourceFile::new("example.rml", text);
    match read_protocol(&source) {
        Ok((protocol, _)) => protocol,
        Err(messages) => panic!("{}", render(&source, &messages, Colour::Never)),
    }
}

/// The certificate of a text that must be right.
fn certificate(user: &Protocol, text: &str) -> Certificate {
    let source = SourceFile::new("example.cut", text);
    let parsed = parse_certificate(&source);
    let elaborated = elaborate_certificate(user, &parsed.file);
    let messages = [parsed.diagnostics, elaborated.diagnostics].concat();
    let shown = render(&source, &messages, Colour::Never);
    assert!(messages.iter().all(|message| !message.is_error()), "{shown}\n{text}");
    elaborated.certificate.unwrap_or_else(|| panic!("{shown}"))
}
