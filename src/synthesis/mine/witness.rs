//! Atoms that say that something exists: some further element has a few literals.
//!
//! They begin where such clauses occur in practice: a member of a quorum, an element of an order,
//! a message that was sent.

use crate::protocol::{Rigidity, Sort};

use super::atoms::{AtomContext, AtomOperand, MinedAtom};
use super::language::ClauseLanguage;

/// The literals about a witness.
type WitnessBody = Vec<(MinedAtom, bool)>;

impl ClauseLanguage<'_> {
    /// The atoms that say that an element of a sort exists, the shorter ones first.
    pub(super) fn witnessed(&self, context: &AtomContext, sort: Sort) -> Vec<MinedAtom> {
        let witness = context.vars.len();
        let parts = self.parts(context, sort);
        let bodies = parts.bodies();
        bodies.into_iter().map(|body| MinedAtom::Exists(witness, sort, body)).collect()
    }

    fn parts(&self, context: &AtomContext, sort: Sort) -> WitnessParts {
        let witness = context.vars.len();
        let mut vars = context.vars.clone();
        vars.push(sort);
        let wider = AtomContext { vars, ..AtomContext::default() };
        let mut parts = WitnessParts::default();
        for atom in self.atoms(&wider) {
            let mentioned = atom.vars();
            if !mentioned.contains(&witness) {
                continue;
            }
            match &atom {
                MinedAtom::Holds(own, _) => match self.rigidity(own.symbol) {
                    Rigidity::Mutable => parts.facts.push(atom),
                    Rigidity::Rigid if mentioned.len() > 1 => parts.guards.push(atom),
                    Rigidity::Rigid => {}
                },
                MinedAtom::Equal(AtomOperand::Var(_), AtomOperand::Var(_)) => {
                    parts.equalities.push(atom);
                }
                MinedAtom::Equal(..) if !self.is_rigid(&atom) => parts.facts.push(atom),
                MinedAtom::Equal(..) | MinedAtom::AtMost(..) | MinedAtom::Exists(..) => {}
            }
        }
        parts.facts.extend(self.guarded(&wider));
        parts
    }
}

/// The literals that a witness can have.
#[derive(Default)]
struct WitnessParts {
    /// What actions change.
    facts: Vec<MinedAtom>,
    /// What ties the witness to another variable for ever.
    guards: Vec<MinedAtom>,
    /// That it is another variable.
    equalities: Vec<MinedAtom>,
}

impl WitnessParts {
    fn bodies(&self) -> Vec<WitnessBody> {
        let mut bodies: Vec<WitnessBody> = Vec::new();
        bodies.extend(self.facts.iter().map(|fact| vec![(fact.clone(), true)]));
        for guard in &self.guards {
            for fact in &self.facts {
                bodies.extend(
                    [true, false].map(|holds| vec![(guard.clone(), true), (fact.clone(), holds)]),
                );
            }
        }
        // Where something ties the witness to a variable, two facts alone are rarely what is meant.
        let facts = if self.guards.is_empty() { self.facts.as_slice() } else { &[] };
        for fact in &self.facts {
            let others = facts.iter().chain(&self.equalities).filter(|other| *other != fact);
            bodies.extend(others.map(|other| vec![(fact.clone(), true), (other.clone(), false)]));
        }
        for guard in &self.guards {
            for fact in &self.facts {
                let others = self.facts.iter().filter(|other| *other != fact);
                bodies.extend(others.map(|other| {
                    vec![(guard.clone(), true), (fact.clone(), true), (other.clone(), false)]
                }));
            }
        }
        bodies
    }
}
