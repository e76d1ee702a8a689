//! Clauses that exclude what no view shows.

use super::collect::{View, Views};
use crate::logic::{Formula, Term, Var};
use crate::protocol::{StateFormula, StateVar};

use itertools::Itertools as _;

impl Views {
    /// A clause that excludes a combination of atoms of some elements and is true of every view.
    pub(super) fn clause(&self, width: usize, view: View) -> StateFormula {
        let mask = self.cube(width, view);
        let names = ["X", "Y", "Z"];
        let vars: Vec<StateVar> =
            names.iter().take(width).map(|name| Var::new(*name, self.sort)).collect();
        let atoms = self.atoms[width - 1].iter().enumerate();
        let (mut positive, mut negative) = (Vec::new(), Vec::new());
        for (bit, atom) in atoms.filter(|(bit, _)| mask >> bit & 1 == 1) {
            let args = atom.args.iter().map(|position| Term::var(vars[*position].clone()));
            let atom = Formula::holds(atom.symbol, args.collect());
            if view >> bit & 1 == 1 { positive.push(atom) } else { negative.push(atom) }
        }
        let pairs = vars.iter().cloned().map(Term::var).array_combinations();
        negative.extend(pairs.map(|[one, other]| Formula::equal(one, other)));
        let clause = Formula::implies(Formula::and(positive), Formula::or(negative));
        Formula::forall(vars, clause)
    }

    /// Few atoms whose values in this view are together in no view that was seen.
    fn cube(&self, width: usize, view: View) -> View {
        let atoms = self.atoms[width - 1].len();
        let mut left: Vec<View> = self.seen[width - 1].iter().map(|seen| seen ^ view).collect();
        let mut mask: View = 0;
        while !left.is_empty() {
            // The atom that tells it from most of what is left; one that holds before one that
            // does not.
            let differs = |bit: usize| left.iter().filter(|seen| *seen >> bit & 1 == 1).count();
            let best = (0..atoms).max_by_key(|bit| (differs(*bit), view >> bit & 1, atoms - bit));
            let Some(best) = best else { break };
            mask |= 1 << best;
            left.retain(|seen| seen >> best & 1 == 0);
        }
        // The first choices may have become superfluous.
        for bit in 0..atoms {
            let smaller = mask & !(1 << bit);
            if smaller != mask
                && self.seen[width - 1].iter().all(|seen| (seen ^ view) & smaller != 0)
            {
                mask = smaller;
            }
        }
        mask
    }
}
