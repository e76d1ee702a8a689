//! What an action asks of all members of a quorum and some member will never give: atoms that stay
//! true once they are.
//!
//! A decision needs the vote of every member of a quorum; a member that has not voted in a round and
//! has left it never will. Which premises such an atom follows from is learnt from states.

use crate::logic::{Formula, FormulaKind, Term, TermKind};
use crate::protocol::{
    Action, Argument, Assignment, Command, Protocol, RightSide, Rigidity, Sort, StateFormula,
    StateTerm, StateVar, SymbolId,
};

use super::atoms::{AtomOperand, MinedAtom};
use super::guard_atoms::{GuardAtom, Literal, collect_literals, existence, mined, quantified};

/// The most variables beside the member, and the most atoms.
const MAX_PARAMS: usize = 4;
const MAX_ATOMS: usize = 8;

/// The lasting atoms of a protocol.
pub(super) fn lasting_atoms(protocol: &Protocol) -> Vec<GuardAtom> {
    let changes = Changes::of(protocol);
    let mut found = Vec::new();
    for action in &protocol.actions {
        for guard in required(action) {
            if let FormulaKind::Quantified(..) = guard.kind()
                && let Some((refusal, false)) = existence(&guard)
            {
                found.extend(changes.lasting(&refusal));
            }
        }
    }
    found.sort();
    found.dedup();
    found.truncate(MAX_ATOMS);
    found
}

/// What an action requires in any case, in parts.
fn required(action: &Action) -> Vec<StateFormula> {
    let guards = action.body.iter().filter_map(|command| match command {
        Command::Require(guard, _) => Some(guard.conjuncts()),
        _ => None,
    });
    guards.flatten().collect()
}

/// What the actions of a protocol do to its symbols.
struct Changes<'a> {
    protocol: &'a Protocol,
    assignments: Vec<(usize, &'a Assignment)>,
    /// What changes in other ways than by an assignment.
    related: Vec<SymbolId>,
}

impl<'a> Changes<'a> {
    fn of(protocol: &'a Protocol) -> Self {
        let mut changes = Changes { protocol, assignments: Vec::new(), related: Vec::new() };
        for (index, action) in protocol.actions.iter().enumerate() {
            let mut pending: Vec<&Command> = action.body.iter().collect();
            while let Some(command) = pending.pop() {
                match command {
                    Command::Assign(assignment) => changes.assignments.push((index, assignment)),
                    Command::Together(all, _) => {
                        changes.assignments.extend(all.iter().map(|own| (index, own)));
                    }
                    Command::If(_, yes, no, _) => pending.extend(yes.iter().chain(no)),
                    Command::Relate(targets, ..) => {
                        changes.related.extend(targets.iter().map(|(symbol, _)| *symbol));
                    }
                    Command::Require(..) => {}
                }
            }
        }
        changes
    }

    /// A refusal, that is one more literal than those that never change, together with what keeps
    /// it from being undone, in every way that the actions suggest.
    fn lasting(&self, refusal: &GuardAtom) -> Vec<GuardAtom> {
        let (fixed, changing): (Vec<_>, Vec<_>) =
            refusal.literals.iter().cloned().partition(|literal| self.is_fixed(literal));
        let own = refusal.params.len();
        let [(MinedAtom::Holds(fact, args), false)] = changing.as_slice() else {
            return Vec::new();
        };
        let is_tied = fixed
            .iter()
            .any(|(atom, holds)| *holds && atom.vars().contains(&own) && atom.vars().len() > 1);
        if own > MAX_PARAMS || !is_tied || self.related.contains(&fact.symbol) {
            return Vec::new();
        }
        let mut ways: Vec<Vec<Literal>> = vec![Vec::new()];
        for (action, assignment) in self.assignments_of(fact.symbol) {
            if self.never_sets(assignment, true) {
                continue;
            }
            let blockers = self.blockers(&self.protocol.actions[action], assignment, args, own);
            let longer = ways.iter().flat_map(|way| {
                blockers.iter().map(|blocker| {
                    let further = blocker.iter().filter(|own| !way.contains(own));
                    way.iter().chain(further).cloned().collect()
                })
            });
            ways = longer.collect();
            ways.sort();
            ways.dedup();
            ways.truncate(MAX_ATOMS);
        }
        let whole = |way: Vec<Literal>| {
            let literals = fixed.iter().chain(&way).chain(&changing).cloned().collect();
            GuardAtom { literals, ..refusal.clone() }
        };
        ways.into_iter().filter(|way| !way.is_empty()).map(whole).collect()
    }

    /// What keeps an action from making a fact true about these arguments, and lasts.
    fn blockers(
        &self,
        action: &Action,
        assignment: &Assignment,
        args: &[AtomOperand],
        own: usize,
    ) -> Vec<Vec<Literal>> {
        let unused = |index: usize| StateVar::new(format!("?{index}"), Sort::Int);
        let mut vars: Vec<StateVar> = (0..=own).map(unused).collect();
        for (argument, operand) in assignment.arguments.iter().zip(args) {
            let (Argument::At(term), AtomOperand::Var(index)) = (argument, operand) else {
                continue;
            };
            if let TermKind::Var(var) = term.kind()
                && action.params.contains(var)
            {
                vars[*index] = var.clone();
            }
        }
        let mut found = Vec::new();
        for guard in required(action) {
            let blocker = denied(&guard, &vars);
            found.extend(blocker.filter(|all| all.iter().all(|literal| self.lasts(literal))));
        }
        found
    }

    fn assignments_of(&self, symbol: SymbolId) -> impl Iterator<Item = (usize, &'a Assignment)> {
        self.assignments.iter().copied().filter(move |(_, own)| own.target == symbol)
    }

    fn is_fixed(&self, (atom, _): &Literal) -> bool {
        match atom {
            MinedAtom::Holds(own, _) => {
                self.protocol.signature.symbol(own.symbol).rigidity == Rigidity::Rigid
            }
            MinedAtom::Equal(..) => true,
            MinedAtom::AtMost(..) | MinedAtom::Exists(..) => false,
        }
    }

    /// Whether a literal stays true once it is.
    fn lasts(&self, literal: &Literal) -> bool {
        if self.is_fixed(literal) {
            return true;
        }
        match literal {
            (MinedAtom::Holds(own, _), holds) => {
                !self.related.contains(&own.symbol)
                    && self.assignments_of(own.symbol).all(|(_, own)| self.never_sets(own, !holds))
            }
            (MinedAtom::Exists(_, _, inner), true) => inner.iter().all(|own| self.lasts(own)),
            _ => false,
        }
    }

    /// Whether an assignment leaves a relation as it is wherever it does not have a truth value
    /// already.
    fn never_sets(&self, assignment: &Assignment, truth: bool) -> bool {
        let RightSide::Formula(value) = &assignment.value else { return false };
        let args = assignment.arguments.iter().map(|argument| match argument {
            Argument::At(term) => StateTerm::clone(term),
            Argument::Every(var) => Term::var(var.clone()),
        });
        let old = Formula::holds(assignment.target, args.collect());
        match (value.kind(), truth) {
            (FormulaKind::Truth(value), _) => *value != truth,
            (FormulaKind::Or(parts), false) | (FormulaKind::And(parts), true) => {
                parts.contains(&old)
            }
            _ => false,
        }
    }
}

/// The literals that together say that a formula is false.
fn denied(formula: &StateFormula, vars: &[StateVar]) -> Option<Vec<Literal>> {
    if let Some((sort, literals, exists)) = quantified(formula, vars) {
        return Some(vec![(MinedAtom::Exists(vars.len(), sort, literals), !exists)]);
    }
    let mut literals = Vec::new();
    collect_literals(formula, false, &mut literals)?;
    let atoms = literals.iter().map(|(atom, holds)| Some((mined(atom, vars)?, *holds)));
    atoms.collect()
}

#[cfg(test)]
mod tests {
    use super::lasting_atoms;
    use crate::pipeline::read_protocol;
    use crate::source::SourceFile;

    const DECLARATIONS: &str = "sort node\nquorums quorum of node\nsort round\norder le on round\n\
        relation left(node, round)\nrelation joined(node, round)\nrelation vote(node, round)\n\
        relation decision(round)\ninit ~left(N, R)\ninit ~joined(N, R)\ninit ~vote(N, R)\n\
        init ~decision(R)\naction decide(q: quorum, r: round) {\n\
        require member(N, q) -> vote(N, r)\ndecision(r) := true\n}\n\
        safety decision(R) -> decision(R)\n";

    fn count(actions: &str) -> usize {
        let source = SourceFile::new("p.rml", format!("{DECLARATIONS}{actions}"));
        let protocol = read_protocol(&source).expect("it is a protocol").0;
        lasting_atoms(&protocol).len()
    }

    const LEAVE: &str =
        "action leave(n: node, r: round) {\nleft(n, R) := left(n, R) | ~le(r, R)\n}\n";
    const CAST: &str =
        "action cast(n: node, r: round) {\nrequire ~left(n, r)\nvote(n, r) := true\n}\n";

    #[test]
    fn who_has_left_without_a_vote_never_votes() {
        assert_eq!(count(&format!("{LEAVE}{CAST}")), 1);
    }

    #[test]
    fn who_may_come_back_or_vote_in_another_way_may_still_vote() {
        let back = "action back(n: node, r: round) {\nleft(n, r) := false\n}\n";
        assert_eq!(count(&format!("{LEAVE}{CAST}{back}")), 0);
        let other = "action force(n: node, r: round) {\nvote(n, r) := true\n}\n";
        assert_eq!(count(&format!("{LEAVE}{CAST}{other}")), 0);
        let any = "action any(n: node) {\nvote(n, *) := *\n}\n";
        assert_eq!(count(&format!("{LEAVE}{CAST}{any}")), 0);
    }

    #[test]
    fn a_later_round_that_was_joined_keeps_a_node_from_voting() {
        let join = "action join(n: node, r: round) {\njoined(n, r) := true\n}\n";
        let cast = "action cast(n: node, r: round) {\n\
                    require joined(n, R) -> le(R, r)\nvote(n, r) := true\n}\n";
        assert_eq!(count(&format!("{join}{cast}")), 1);
    }
}
