//! Obligations as text: what is assumed once for each group, what must follow for each of them.

use std::sync::Arc;

use crate::certificate::Obligation;
use crate::logic::print_formula;
use crate::report::text::counts::line;

/// All obligations; neighbours with the same assumptions are grouped.
pub fn text(obligations: &[Obligation]) -> String {
    let mut out = String::new();
    let same = |left: &Obligation, right: &Obligation| {
        Arc::ptr_eq(&left.hypotheses, &right.hypotheses) && left.case == right.case
    };
    for group in obligations.chunk_by(same) {
        let Some(first) = group.first() else { continue };
        line!(out, 0, "assume");
        for hypothesis in first.hypotheses.iter() {
            let formula = print_formula(&*first.names, &hypothesis.formula);
            line!(out, 1, "[{}] {formula}", hypothesis.name);
        }
        for obligation in group {
            let goal = print_formula(&*obligation.names, &obligation.goal);
            line!(out, 0, "show {}", obligation.title());
            line!(out, 1, "{goal}");
        }
        out.push('\n');
    }
    out
}
