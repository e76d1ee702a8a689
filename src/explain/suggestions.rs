//! Suggestions where the reason is a known one; silence where it is not.

use crate::certificate::{ObligationKind, ProductSort, ProductSymbol, ProofArgument, large_sort};
use crate::logic::{Declarations as _, FormulaKind, Name, Value};
use crate::protocol::{Rigidity, SymbolId};

use super::explanation::{Story, StoryEnding};
use super::failing_atoms::{FactAtom, atoms, failing_instance};
use super::system_formulas::in_large;

/// What could be done about a failing obligation.
pub(super) fn suggestions(story: &Story<'_>, ending: &StoryEnding<'_>) -> Vec<String> {
    let found = match &story.obligation.kind {
        ObligationKind::Keeps { clause, .. } => suggest_for_keeps(story, ending, clause),
        ObligationKind::StartGamma { clause } => suggest_for_start(story, ending, clause),
        ObligationKind::Enabled { .. } => suggest_for_enabled(story, ending),
        ObligationKind::Safety { property } => suggest_for_safety(story, property),
        ObligationKind::Cover { property } => suggest_for_cover(story, property),
        ObligationKind::Rigid { .. } => suggest_for_definition(story, "rigid"),
        ObligationKind::StartInit { .. } => suggest_for_definition(story, "start"),
        ObligationKind::Initiation { .. } => {
            Some("the clause does not hold at the start: weaken it".to_owned())
        }
        ObligationKind::Consecution { .. } | ObligationKind::Implication { .. } => Some(
            "if this state is unreachable, add a clause that excludes it; if it is reachable, the \
             clause is wrong"
                .to_owned(),
        ),
    };
    found.into_iter().collect()
}

/// How the truth of an atom changes over a step.
fn gained(before: &FactAtom, after: &FactAtom) -> bool {
    !before.holds && after.holds
}

fn lost(before: &FactAtom, after: &FactAtom) -> bool {
    before.holds && !after.holds
}

fn is_large(atom: &FactAtom) -> bool {
    matches!(atom.symbol, ProductSymbol::Large(_))
}

fn is_cutoff(atom: &FactAtom) -> bool {
    matches!(atom.symbol, ProductSymbol::Cutoff(_))
}

fn suggest_for_keeps(story: &Story<'_>, ending: &StoryEnding<'_>, clause: &Name) -> Option<String> {
    let (before, after) = story.clause_atoms(ending, clause)?;
    let pairs: Vec<(&FactAtom, &FactAtom)> = after
        .iter()
        .filter_map(|now| {
            let then = before.iter();
            let mut then = then.filter(|then| then.symbol == now.symbol && then.args == now.args);
            Some((then.next()?, now))
        })
        .collect();
    let text = |atom: &FactAtom| story.elements.applied(atom.symbol, &atom.args);
    let find = |test: &dyn Fn(&FactAtom, &FactAtom) -> bool| {
        pairs.iter().find(|(then, now)| test(then, now)).map(|(_, now)| text(now))
    };
    let stutters = ending.moves.is_empty();
    if let (Some(given_up), Some(kept)) = (
        find(&|then, now| is_cutoff(now) && lost(then, now)),
        find(&|then, now| is_large(now) && then.holds && now.holds),
    ) {
        return Some(format!(
            "C gives up `{given_up}` while L keeps `{kept}`: add a refill step to the answer, or a \
             lemma that there is only one"
        ));
    }
    if let Some(fresh) = find(&|then, now| is_large(now) && gained(then, now)) {
        let missing = find(&|_, now| is_cutoff(now) && !now.holds);
        return Some(match missing {
            _ if stutters => format!("C stutters while L gains `{fresh}`: let C answer"),
            Some(missing) => format!(
                "L gains `{fresh}`, and C's answer does not bring about `{missing}`: look at the \
                 arguments of the answer"
            ),
            None => format!("L gains `{fresh}`, which the clause forbids: weaken the clause"),
        });
    }
    let given_up = find(&|then, now| is_large(now) && lost(then, now));
    let kept = find(&|_, now| is_cutoff(now) && now.holds);
    if let (Some(given_up), Some(kept)) = (given_up, kept) {
        let how = if stutters { "let C answer" } else { "let C give it up as well" };
        return Some(format!("L gives up `{given_up}` while C keeps `{kept}`: {how}"));
    }
    let fresh = find(&|then, now| is_cutoff(now) && gained(then, now))?;
    Some(format!("C gains `{fresh}` while L does not: answer under a condition, or not at all"))
}

fn suggest_for_start(story: &Story<'_>, ending: &StoryEnding<'_>, clause: &Name) -> Option<String> {
    let (_, atoms) = story.clause_atoms(ending, clause)?;
    let in_large = atoms.iter().find(|atom| is_large(atom) && atom.holds)?;
    let missing = atoms.iter().find(|atom| is_cutoff(atom) && !atom.holds)?;
    let text = |atom: &FactAtom| story.elements.applied(atom.symbol, &atom.args);
    Some(format!(
        "L starts with `{}` and C without `{}`: look at its definition under `start`",
        text(in_large),
        text(missing)
    ))
}

fn suggest_for_enabled(story: &Story<'_>, ending: &StoryEnding<'_>) -> Option<String> {
    let guard = story.obstacle(ending)?.guard;
    let signature = &story.obligation.names.signature;
    let is_mutable = |symbol: &SymbolId| signature.symbol(*symbol).rigidity == Rigidity::Mutable;
    let named =
        |symbol: SymbolId| story.obligation.names.symbol(ProductSymbol::Cutoff(symbol)).name;
    let Some(changing) = guard.symbols().into_iter().find(is_mutable) else {
        return Some(
            "the guard reads nothing that changes, so no clause helps: let C answer with other \
             arguments, under a condition, or not at all, or change `sim` or `rigid`"
                .to_owned(),
        );
    };
    let (atom, holds) = match guard.kind() {
        FormulaKind::Not(inner) => (inner, false),
        _ => (&guard, true),
    };
    match (atom.kind(), holds) {
        (FormulaKind::Holds(symbol, _), true) if is_mutable(symbol) => Some(format!(
            "nothing says that C has `{}` here: add a clause that carries it from L to C, let C \
             bring it about first, or `try` the move",
            named(*symbol)
        )),
        (FormulaKind::Holds(symbol, _), false) if is_mutable(symbol) => Some(format!(
            "nothing says that C is without `{}` here: add a clause that only what L has is in C, \
             or `try` the move",
            named(*symbol)
        )),
        (FormulaKind::Holds(..) | FormulaKind::Equal(..) | FormulaKind::Compare(..), _) => {
            Some(format!(
                "nothing says enough about `{}` here: add a clause that ties it to L, or `try` the \
                 move",
                named(changing)
            ))
        }
        _ => None,
    }
}

/// The definitions that a statement about `C` depends on.
fn suggest_for_definition(story: &Story<'_>, section: &str) -> Option<String> {
    let (_, claim) = story.claim()?;
    let names = claim.symbols().into_iter().filter_map(|symbol| match symbol {
        ProductSymbol::Cutoff(id) => {
            let name = &story.obligation.names.signature.symbol(id).name;
            Some(format!("`{section} {name}`"))
        }
        _ => None,
    });
    let names = names.collect::<Vec<_>>().join(" and ");
    (!names.is_empty()).then(|| format!("this is about definitions: look at {names}"))
}

/// The first fact of the violation whose image is missing in `C`.
fn suggest_for_safety(story: &Story<'_>, property: &str) -> Option<String> {
    let (_, property) = story.certificate.large.property(property)?;
    let scene = story.violators(property)?;
    let matrix = in_large(&property.matrix);
    let instance = failing_instance(&scene.structure, &scene.assignment, &matrix)?;
    let facts = atoms(&scene, &instance);
    for fact in facts.iter().filter(|fact| fact.holds) {
        let ProductSymbol::Large(id) = fact.symbol else { continue };
        let image = ProductSymbol::Cutoff(id);
        let params = story.obligation.names.symbol(fact.symbol).rank.params;
        let args = params.iter().zip(&fact.args).map(|(sort, arg)| simulated(story, *sort, *arg));
        let args = args.collect::<Option<Vec<Value>>>()?;
        let there = scene.structure.tables.get(&image)?.get(&args)?;
        if there != Value::Bool(true) {
            return Some(format!(
                "L has `{}` and C is without `{}`: add a clause that carries it from L to C",
                story.elements.applied(fact.symbol, &fact.args),
                story.elements.applied(image, &args),
            ));
        }
    }
    None
}

fn simulated(story: &Story<'_>, sort: ProductSort, value: Value) -> Option<Value> {
    match sort {
        ProductSort::Large(id) if story.obligation.names.cut_sort(id).is_some() => {
            story.before.structure.tables.get(&ProductSymbol::Sim(id))?.get(&[value])
        }
        ProductSort::Large(_) | ProductSort::Cutoff(_) | ProductSort::Int => Some(value),
    }
}

/// Violators that coincide are the usual reason why no case covers a violation.
fn suggest_for_cover(story: &Story<'_>, property: &str) -> Option<String> {
    let (rank, property) = story.certificate.large.property(property)?;
    if let ProofArgument::Cutoff(cases) = &story.certificate.argument
        && cases.iter().all(|case| case.property != rank)
    {
        return Some(format!(
            "`{}` has no case: add one, or rank lemmas before it from which it follows",
            property.name
        ));
    }
    let scene = story.violators(property)?;
    let value = |index: usize| {
        let var = &property.vars[index];
        let own = crate::certificate::ProductVar::new(var.name.clone(), large_sort(var.sort));
        scene.assignment.get(&own).map(|value| (var, *value))
    };
    for left in 0..property.vars.len() {
        for right in left + 1..property.vars.len() {
            let (Some((one, here)), Some((other, there))) = (value(left), value(right)) else {
                continue;
            };
            if one.sort == other.sort && here == there {
                return Some(format!(
                    "here {} = {}: add a case for it, or a weaker `select`",
                    one.name, other.name
                ));
            }
        }
    }
    None
}
