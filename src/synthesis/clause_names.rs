//! Names of clauses: made from the symbols of premise and conclusion, and kept apart by numbers.

use std::collections::{BTreeMap, BTreeSet};

use crate::certificate::Clause;
use crate::logic::{FormulaKind, Name, fresh_name};
use crate::protocol::{Signature, StateFormula};

/// More symbols than these are counted in a name.
const MOST_WORDS: usize = 6;

/// One name for each clause; those that are properties keep theirs, the further parts of a property
/// with a number.
pub(crate) fn clause_names<'a>(
    signature: &Signature,
    clauses: impl Iterator<Item = (Option<Name>, &'a StateFormula)> + Clone,
) -> Vec<Name> {
    let mut used: BTreeSet<Name> = clauses.clone().filter_map(|(name, _)| name).collect();
    let mut names: Vec<Name> = Vec::new();
    for (name, formula) in clauses {
        let own = name.clone().filter(|name| !names.contains(name));
        names.push(own.unwrap_or_else(|| {
            let wish = name.unwrap_or_else(|| describe(signature, formula).into());
            let name = fresh_name(&wish, |name| used.contains(name));
            used.insert(name.clone());
            name
        }));
    }
    names
}

/// `p_needs_q`, `no_p_and_q`, `one_p`.
fn describe(signature: &Signature, formula: &StateFormula) -> String {
    let matrix = match formula.kind() {
        FormulaKind::Quantified(_, _, body) => body,
        _ => formula,
    };
    let (premise, conclusion) = match matrix.kind() {
        FormulaKind::Implies(premise, conclusion) => {
            (words(signature, premise), words(signature, conclusion))
        }
        FormulaKind::Not(inner) => (words(signature, inner), Vec::new()),
        _ => (Vec::new(), words(signature, matrix)),
    };
    match (premise.as_slice(), conclusion.as_slice()) {
        ([], []) => "clause".to_owned(),
        (premise, []) if equates(matrix) => match premise {
            [one] => format!("one_{one}"),
            _ => format!("same_{}", premise.join("_")),
        },
        (premise, []) => format!("no_{}", premise.join("_and_")),
        ([], conclusion) => format!("always_{}", conclusion.join("_or_")),
        (premise, conclusion) => {
            format!("{}_needs_{}", premise.join("_and_"), conclusion.join("_or_"))
        }
    }
}

fn equates(matrix: &StateFormula) -> bool {
    matches!(matrix.kind(), FormulaKind::Implies(..))
}

/// The distinct symbols of a formula, in the order of their declaration.
fn words(signature: &Signature, formula: &StateFormula) -> Vec<String> {
    let symbols: BTreeSet<_> = formula.symbols().into_iter().collect();
    let mut words: Vec<String> =
        symbols.into_iter().map(|id| signature.symbol(id).name.replace('\'', "_")).collect();
    if words.len() > MOST_WORDS {
        let more = format!("{}_more", words.len() - 1);
        words.truncate(1);
        words.push(more);
    }
    words
}

/// Gives the second and later of equal names a number.
pub(crate) fn number_equal_names(mut clauses: Vec<Clause>) -> Vec<Clause> {
    let mut counts: BTreeMap<Name, usize> = BTreeMap::new();
    for clause in &mut clauses {
        let count = counts.entry(clause.name.clone()).or_default();
        *count += 1;
        if *count > 1 {
            clause.name = format!("{}_{count}", clause.name).into();
        }
    }
    clauses
}
