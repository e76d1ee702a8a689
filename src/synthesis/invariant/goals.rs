//! What an invariant has to imply, in parts: a property that states several things at once is one
//! clause for each of them.
//!
//! Together the variables of such a property are more than any clause can have, and a step that
//! breaks one part says nothing about the others.

use crate::certificate::InvariantSystem;
use crate::logic::{Formula, FormulaKind, Name, Quantifier};
use crate::protocol::StateFormula;

/// The parts of all properties of a system, each with the name of its property.
pub(crate) fn goals(system: InvariantSystem<'_>) -> Vec<(Name, StateFormula)> {
    let properties = system.required_properties();
    properties
        .flat_map(|(name, formula)| {
            parts(&formula).into_iter().map(move |part| (name.clone(), part))
        })
        .collect()
}

/// The conjuncts of a formula, also of one that is about all elements of some sorts.
fn parts(formula: &StateFormula) -> Vec<StateFormula> {
    match formula.kind() {
        FormulaKind::And(conjuncts) => conjuncts.iter().flat_map(parts).collect(),
        FormulaKind::Quantified(Quantifier::Forall, vars, body) => {
            let about = |part: StateFormula| {
                let free = part.free_vars();
                let vars = vars.iter().filter(|var| free.contains(*var)).cloned().collect();
                Formula::forall(vars, part)
            };
            parts(body).into_iter().map(about).collect()
        }
        _ => vec![formula.clone()],
    }
}

#[cfg(test)]
mod tests {
    use super::parts;
    use crate::pipeline::read_protocol;
    use crate::source::SourceFile;

    #[test]
    fn a_conjunction_has_parts_with_their_own_variables() {
        let text = "sort node\nrelation r(node)\nrelation s\ninit ~r(N)\ninit ~s\n\
                    safety ~s & (~r(N) & ~(s & r(M)))\nsafety r(N) -> ~s & r(N)\n";
        let source = SourceFile::new("p.rml", text);
        let protocol = read_protocol(&source).expect("it is a protocol").0;
        let counts = protocol.properties.iter().map(|own| {
            let parts = parts(&own.formula());
            let bound = parts.iter().map(|part| match part.kind() {
                crate::logic::FormulaKind::Quantified(_, vars, _) => vars.len(),
                _ => 0,
            });
            bound.collect::<Vec<_>>()
        });
        assert_eq!(counts.collect::<Vec<_>>(), [vec![0, 1, 1], vec![1]]);
    }
}
