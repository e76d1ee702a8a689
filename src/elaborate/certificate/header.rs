//! Whether a certificate is for this protocol: format, name, digest.

use crate::certificate::{FORMAT, digest, header_name};
use crate::diagnostic::Diagnostic;
use crate::elaborate::codes;
use crate::frontend::certificate::surface::{CertificateFile, Header};
use crate::frontend::syntax::surface::Identifier;
use crate::logic::Name;
use crate::protocol::Protocol;
use crate::source::Span;

/// How to treat a certificate that was made for another text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It is refused.
    ThisText,
    /// It is read as if it had been made for this one.
    AnyText,
}

/// Everything that is wrong with a certificate's header.
///
/// Another format is refused in any case: its words may mean something else.
pub fn check_header(user: &Protocol, file: &CertificateFile, origin: Origin) -> Vec<Diagnostic> {
    let Some(header) = &file.header else {
        let message = "missing certificate header";
        return match origin {
            Origin::ThisText => {
                let header = format!("{}\n\n", expected(user).join("\n"));
                vec![error(message, Span::default()).hint(how_to_begin(user)).instead(header)]
            }
            Origin::AnyText => Vec::new(),
        };
    };
    let mut problems = Vec::new();
    if header.format.value != FORMAT {
        let message = format!(
            "unsupported format {}: this program reads format {FORMAT}",
            header.format.value
        );
        problems.push(error(message, header.format.span));
    }
    if origin == Origin::ThisText {
        problems.extend(other_text(user, header));
    }
    problems
}

fn other_text(user: &Protocol, header: &Header) -> Option<Diagnostic> {
    let name = header_name(user);
    if header.protocol.value != name {
        let message = format!("this certificate is for `{}`", header.protocol.value);
        let label = format!("the protocol is `{name}`");
        return Some(error(message, header.protocol.span).labelled(label).hint(REBASE));
    }
    let now = digest(user);
    if !header.digest.value.eq_ignore_ascii_case(&now) {
        let message = format!("this certificate is for another version of `{name}`");
        let hint = format!("this version has sha256 {now}; {REBASE}");
        return Some(error(message, header.digest.span).hint(hint).instead(now));
    }
    None
}

/// What is wrong with the digest of a certificate about the cutoff instance of a case.
pub(super) fn other_instance(system: &Protocol, written: &Identifier) -> Option<Diagnostic> {
    let now = digest(system);
    if written.value.eq_ignore_ascii_case(&now) {
        return None;
    }
    let case = &system.name;
    let message = format!("this certificate is not about the cutoff instance of `{case}`");
    let names = |all: Vec<&Name>| all.into_iter().map(|own| &**own).collect::<Vec<_>>().join(", ");
    let signature = &system.signature;
    let listed = signature.sorts().filter_map(|sort| {
        let elements = names(signature.elements(sort)?.iter().collect());
        Some(format!("{} = {{ {elements} }}", signature.sort_name(sort)))
    });
    let hint = format!(
        "that instance has {}, the actions {} and the properties {}: its sha256 is {now}",
        listed.collect::<Vec<_>>().join(", "),
        names(system.actions.iter().map(|own| &own.name).collect()),
        names(system.properties.iter().map(|own| &own.name).collect()),
    );
    Some(error(message, written.span).hint(hint).instead(now))
}

const REBASE: &str = "--rebase checks it anyway and lists what changed";

/// The two lines of the header.
fn expected(user: &Protocol) -> [String; 2] {
    [format!("certificate {FORMAT} for {}", header_name(user)), format!("sha256 {}", digest(user))]
}

fn how_to_begin(user: &Protocol) -> String {
    let [first, second] = expected(user);
    format!("begin with `{first}` and, in the next line, `{second}`")
}

fn error(message: impl Into<String>, span: Span) -> Diagnostic {
    Diagnostic::error(codes::OTHER_PROTOCOL, message, span)
}
