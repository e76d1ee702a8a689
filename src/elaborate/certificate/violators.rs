//! Which parameters of a case stand for the variables of its property.

use crate::certificate::Param;
use crate::diagnostic::Diagnostic;
use crate::elaborate::codes;
use crate::frontend::certificate::surface::Section;
use crate::frontend::syntax::surface::Identifier;
use crate::protocol::{Property, StateVar};
use crate::source::Span;

use super::case::CaseBuilder;

impl CaseBuilder<'_> {
    /// One parameter for each variable of the property, or none at all.
    pub(super) fn violators(&mut self, property: &Property, params: &[Param]) -> Vec<usize> {
        let written = self.item.sections.iter().find_map(|section| match &section.value {
            Section::Violators(pairs) => Some((pairs, section.span)),
            _ => None,
        });
        let Some((pairs, span)) = written else {
            let vars = crate::logic::print_vars(&self.names.signature, &property.vars);
            let message = format!("missing violators for {vars}");
            let error = Diagnostic::error(codes::CERTIFICATE_FORM, message, self.item.name.span)
                .hint("write `violators N1 = a, N2 = b`, or `violators none`");
            self.diagnostics.push(error);
            return Vec::new();
        };
        if pairs.is_empty() {
            return Vec::new();
        }
        for (variable, _) in pairs {
            if property.vars.iter().all(|var| var.name != variable.value) {
                let message = format!("`{}` is not a variable of the property", variable.value);
                self.error(message, variable.span);
            }
        }
        property.vars.iter().filter_map(|var| self.violator(var, pairs, params, span)).collect()
    }

    /// The position of the parameter that stands for a variable.
    fn violator(
        &mut self,
        var: &StateVar,
        pairs: &[(Identifier, Identifier)],
        params: &[Param],
        span: Span,
    ) -> Option<usize> {
        let mut named = pairs.iter().filter(|(variable, _)| variable.value == var.name);
        let (Some((_, param)), None) = (named.next(), named.next()) else {
            self.error(format!("`{}` needs exactly one violator", var.name), span);
            return None;
        };
        let position = params.iter().position(|known| known.name == param.value);
        match position {
            None => self.error(format!("`{}` is not a parameter", param.value), param.span),
            Some(position) if params[position].sort != var.sort => {
                let sort = crate::logic::Declarations::sort(&self.names.signature, var.sort).name;
                self.error(format!("`{}` must be of sort {sort}", param.value), param.span);
            }
            Some(_) => {}
        }
        position
    }
}
