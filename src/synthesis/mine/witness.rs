//! Atoms that say that something exists: some further element has a few literals.
//!
//! They begin where such clauses occur in practice: a member of a quorum, an element of an order,
//! a message that was sent.

use crate::protocol::{Rigidity, Sort};

use super::atoms::{AtomContext, AtomOperand, Existence, MAX_ATOMS, MinedAtom};
use super::language::{ClauseLanguage, positions, tuples, variables};

/// The literals about a witness.
type WitnessBody = Vec<(MinedAtom, bool)>;

impl ClauseLanguage<'_> {
    /// What may be said to exist, beside or instead of the last atoms.
    pub(super) fn add_existence(
        &self,
        context: &AtomContext,
        existence: Existence,
        atoms: &mut Vec<MinedAtom>,
    ) {
        let mut wanted = match existence {
            Existence::Nothing => return,
            Existence::Witness(sort) => {
                atoms.extend(self.witnessed(context, sort));
                self.promised(context, sort)
            }
            Existence::Lasting(index) => {
                let lasting = &self.lasting_atoms[index];
                let args: Vec<usize> = (0..context.vars.len()).collect();
                let args = &args[context.vars.len() - lasting.params.len()..];
                vec![lasting.at(args, context.vars.len())]
            }
        };
        wanted.retain(|atom| !atoms.contains(atom));
        atoms.truncate(MAX_ATOMS.saturating_sub(wanted.len()));
        atoms.extend(wanted);
    }

    /// The atoms that say that an element of a sort exists, the shorter ones first.
    fn witnessed(&self, context: &AtomContext, sort: Sort) -> Vec<MinedAtom> {
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

    /// What guards say, of an element and other variables: the element is the last variable of the
    /// context.
    fn guarded(&self, context: &AtomContext) -> Vec<MinedAtom> {
        let (vars, own) = (variables(context), context.vars.len() - 1);
        let mut atoms = Vec::new();
        for guard in &self.guard_atoms {
            for args in tuples(&vars, &guard.params) {
                let args = positions(args);
                if args.contains(&own) {
                    atoms.push(guard.at(&args, context.vars.len()));
                }
            }
        }
        atoms
    }

    /// What properties say that exists, of the variables of the context.
    fn promised(&self, context: &AtomContext, sort: Sort) -> Vec<MinedAtom> {
        let (vars, witness) = (variables(context), context.vars.len());
        let of_sort = self.promised_atoms.iter().filter(|atom| atom.sort == sort);
        let instances = of_sort.flat_map(|atom| {
            tuples(&vars, &atom.params).into_iter().map(|args| atom.at(&positions(args), witness))
        });
        instances.collect()
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
