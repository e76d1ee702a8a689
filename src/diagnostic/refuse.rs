//! Refusals.

use super::{Diagnostic, Severity};

/// Refuses the input with a message: an error, whatever severity the message was given. What only
/// chooses words cannot let anything pass.
pub fn refuse(diagnostics: &mut Vec<Diagnostic>, message: Diagnostic) {
    diagnostics.push(Diagnostic { severity: Severity::Error, ..message });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Code;
    use crate::source::Span;

    #[test]
    fn a_refusal_is_an_error_whatever_its_message_says() {
        let mut diagnostics = Vec::new();
        refuse(&mut diagnostics, Diagnostic::note(Code("RML0000"), "a note", Span::default()));
        assert!(diagnostics.iter().all(Diagnostic::is_error));
    }
}
