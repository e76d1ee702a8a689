//! The history rule: what a certificate may add to the protocol that `L` runs.

use std::collections::BTreeSet;

use crate::logic::{FormulaKind, Term, TermKind};
use crate::protocol::{
    Action, Command, PropertyKind, Protocol, RightSide, Rigidity, StateFormula, Statement,
    SymbolId, is_declared, symbols_read,
};

/// What keeps `large` from being `user`'s protocol with history symbols and lemmas.
pub(super) fn problems(user: &Protocol, large: &Protocol) -> Vec<String> {
    let mut problems = Vec::new();
    let mut require = |holds: bool, problem: &str| {
        if !holds {
            problems.push(problem.to_owned());
        }
    };
    let count = user.signature.symbols().count();
    let same_sorts = user.signature.sort_declarations() == large.signature.sort_declarations();
    let same_symbols = user.signature.symbols().eq(large.signature.symbols().take(count));
    require(same_sorts && same_symbols, "L has other sorts or symbols than the protocol");
    let history: BTreeSet<SymbolId> =
        large.signature.symbols().skip(count).map(|(symbol, _)| symbol).collect();
    let fresh =
        history.iter().all(|symbol| large.signature.symbol(*symbol).rigidity == Rigidity::Mutable);
    require(fresh, "a history symbol must be mutable");
    let ranked = history.iter().all(|symbol| {
        let declared = large.signature.symbol(*symbol);
        let mut sorts = declared.params.iter().chain(&declared.result);
        sorts.all(|sort| is_declared(&large.signature, *sort))
    });
    require(ranked, "a history symbol has a sort that is not declared");
    require(user.axioms == large.axioms, "a certificate adds no axioms to L");
    let added = large.init.iter().skip(user.init.len());
    let kept = large.init.iter().take(user.init.len()).eq(user.init.iter());
    let mut defined = BTreeSet::new();
    let explicit = added.map(|init| defines(init, &history)).collect::<Vec<_>>();
    let good = explicit.iter().all(|symbol| symbol.is_some_and(|symbol| defined.insert(symbol)));
    require(kept && good, "a certificate adds no initial condition but definitions of history");
    let erased = large.actions.iter().map(|action| erase(action, &history));
    let same = erased.eq(user.actions.iter().cloned().map(Some));
    require(same, "a certificate adds no statements to L but assignments to history");
    let safety = |protocol: &Protocol| {
        let mut kept: Vec<_> = protocol.properties.clone();
        kept.retain(|property| property.kind == PropertyKind::Safety);
        kept.sort_by(|left, right| left.name.cmp(&right.name));
        kept
    };
    require(safety(user) == safety(large), "the certificate is about other safety properties");
    let lemmas = user.properties.iter().all(|property| large.properties.contains(property));
    require(lemmas, "the certificate drops a lemma of the protocol");
    problems
}

/// The history symbol that a statement defines explicitly: `∀x. h(x) <-> F(x)` or
/// `∀x. h(x) = t(x)`, with distinct variables and no history symbol on the right.
fn defines(statement: &Statement, history: &BTreeSet<SymbolId>) -> Option<SymbolId> {
    if !statement.formula.free_vars().is_empty() {
        return None;
    }
    let (vars, body) = match statement.formula.kind() {
        FormulaKind::Quantified(crate::logic::Quantifier::Forall, vars, body) => {
            (vars.clone(), body.clone())
        }
        _ => (Vec::new(), statement.formula.clone()),
    };
    let distinct: BTreeSet<_> = vars.iter().collect();
    let plain = |args: &[Term<_>]| {
        distinct.len() == vars.len() && args.iter().cloned().eq(vars.iter().cloned().map(Term::var))
    };
    let free_of_history = |symbols: BTreeSet<SymbolId>| symbols.is_disjoint(history);
    let relation = |formula: &StateFormula| match formula.kind() {
        FormulaKind::Holds(symbol, args) if history.contains(symbol) && plain(args) => {
            Some(*symbol)
        }
        _ => None,
    };
    match body.kind() {
        FormulaKind::Iff(left, right) if free_of_history(right.symbols()) => relation(left),
        FormulaKind::Holds(..) => relation(&body),
        FormulaKind::Not(inner) => relation(inner),
        FormulaKind::Equal(left, right) if free_of_history(right.symbols()) => match left.kind() {
            TermKind::Apply(symbol, args, _) if history.contains(symbol) && plain(args) => {
                Some(*symbol)
            }
            _ => None,
        },
        _ => None,
    }
}

/// The action without its assignments to history; `None` if history is read anywhere else.
fn erase(action: &Action, history: &BTreeSet<SymbolId>) -> Option<Action> {
    let body = erase_block(&action.body, history)?;
    Some(Action { body, ..action.clone() })
}

fn erase_block(commands: &[Command], history: &BTreeSet<SymbolId>) -> Option<Vec<Command>> {
    let mut kept = Vec::new();
    for command in commands {
        let clean = match command {
            Command::Require(formula, _) => formula.symbols().is_disjoint(history),
            Command::Assign(assignment) if history.contains(&assignment.target) => {
                if matches!(assignment.value, RightSide::Havoc(_)) {
                    return None;
                }
                continue;
            }
            Command::Assign(_) => symbols_read(std::slice::from_ref(command)).is_disjoint(history),
            Command::Together(assignments, _) => {
                assignments.iter().all(|assignment| !history.contains(&assignment.target))
                    && symbols_read(std::slice::from_ref(command)).is_disjoint(history)
            }
            Command::If(condition, then, otherwise, span) => {
                let (then, otherwise) =
                    (erase_block(then, history)?, erase_block(otherwise, history)?);
                if !condition.symbols().is_disjoint(history) {
                    return None;
                }
                kept.push(Command::If(condition.clone(), then, otherwise, *span));
                continue;
            }
            Command::Relate(targets, formula, _) => {
                targets.iter().all(|(symbol, _)| !history.contains(symbol))
                    && formula.symbols().iter().all(|symbol| match symbol {
                        crate::protocol::StepSymbol::Pre(id)
                        | crate::protocol::StepSymbol::Post(id) => !history.contains(id),
                        crate::protocol::StepSymbol::Choice(_) => true,
                    })
            }
        };
        if !clean {
            return None;
        }
        kept.push(command.clone());
    }
    Some(kept)
}
