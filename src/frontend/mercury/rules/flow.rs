//! Whether a set of winners or losers is the last one, wherever it is used.
//!
//! One mark for each process says whether it won or lost the last run of an agreement. That is the
//! set `winS` of every participant, as long as no other process has taken part since: always if the
//! participants are all processes, and otherwise where the agreement has run since its own
//! participants were last chosen.

use std::collections::{BTreeMap, VecDeque};

use crate::diagnostic::Diagnostic;
use crate::frontend::mercury::codes;
use crate::frontend::mercury::local::{LeafEvent, LocalLeaf, LocalModel};
use crate::frontend::mercury::parse::tree::{
    Formula, FormulaKind, HandledEvent, Handler, Reaction, Step, StepKind,
};
use crate::frontend::mercury::table::{ParticipantSet, Table};
use crate::frontend::syntax::surface::Identifier;
use crate::logic::Name;

/// The agreements among winners or losers of another one, and among theirs.
pub(crate) fn descendants(table: &Table<'_>, name: &Name) -> Vec<Name> {
    let mut found: Vec<Name> = Vec::new();
    loop {
        let next = table.agreements.iter().find(|agreement| {
            let below = match &agreement.participants {
                ParticipantSet::Winners(of) | ParticipantSet::Losers(of) => {
                    of == name || found.contains(of)
                }
                _ => false,
            };
            below && !found.contains(&agreement.name.value)
        });
        match next {
            Some(agreement) => found.push(agreement.name.value.clone()),
            None => return found,
        }
    }
}

/// Refuses the uses of sets that may be stale.
pub(crate) fn check_freshness(
    table: &Table<'_>,
    model: &LocalModel,
    diagnostics: &mut Vec<Diagnostic>,
) {
    for (location, part) in table.file.process.locations.iter().enumerate() {
        for handler in &part.handlers {
            let own = match &handler.event {
                HandledEvent::Partition(name, ..) | HandledEvent::Consensus(name, ..) => {
                    Some(&name.value)
                }
                HandledEvent::Empty | HandledEvent::Receive(_) => None,
            };
            for used in uses_before(handler) {
                check_use(table, model, location, (&used, None), diagnostics);
            }
            for used in uses_inside(handler) {
                check_use(table, model, location, (&used, own), diagnostics);
            }
        }
    }
}

/// The agreements whose sets are the participants of a handler.
fn uses_before(handler: &Handler) -> Vec<Identifier> {
    let mut found = Vec::new();
    match &handler.event {
        HandledEvent::Partition(_, set, _) | HandledEvent::Consensus(_, set, _, _) => {
            in_formula(set, &mut found);
        }
        HandledEvent::Empty | HandledEvent::Receive(_) => {}
    }
    if let Some(guard) = &handler.guard {
        in_formula(guard, &mut found);
    }
    found
}

fn uses_inside(handler: &Handler) -> Vec<Identifier> {
    let mut found = Vec::new();
    match &handler.reaction {
        Reaction::Do(steps) => in_steps(steps, &mut found),
        Reaction::Reply(step) => in_steps(std::slice::from_ref(&**step), &mut found),
        Reaction::Split(win, lose) => {
            in_steps(win, &mut found);
            in_steps(lose, &mut found);
        }
    }
    found
}

fn in_steps(steps: &[Step], found: &mut Vec<Identifier>) {
    for step in steps {
        match &step.value {
            StepKind::Assign(_, value) | StepKind::Update(_, _, value) => in_formula(value, found),
            StepKind::Send(_) | StepKind::Goto(_) => {}
            StepKind::If(condition, then, otherwise) => {
                in_formula(condition, found);
                in_steps(then, found);
                in_steps(otherwise, found);
            }
        }
    }
}

/// The agreements whose winners or losers an expression mentions.
pub(crate) fn in_formula(formula: &Formula, found: &mut Vec<Identifier>) {
    match &formula.value {
        FormulaKind::Field(of, field, _) if matches!(&*field.value, "winS" | "loseS") => {
            found.push(of.clone());
        }
        FormulaKind::Not(inner) => in_formula(inner, found),
        FormulaKind::Binary(_, left, right) => {
            in_formula(left, found);
            in_formula(right, found);
        }
        _ => {}
    }
}

/// Checks one use at a location, after the event `own` if that is an agreement.
fn check_use(
    table: &Table<'_>,
    model: &LocalModel,
    location: usize,
    (used, own): (&Identifier, Option<&Name>),
    diagnostics: &mut Vec<Diagnostic>,
) {
    let Some(agreement) = table.agreement(&used.value) else { return };
    match &agreement.participants {
        ParticipantSet::All | ParticipantSet::Empty => return,
        ParticipantSet::Variable(set) => {
            let message = format!(
                "the winners and losers of `{}` are not known to all: `{set}` is a set of its own in every process",
                used.value
            );
            let refusal = Diagnostic::error(codes::STALE, message, used.span);
            let hint = "use `winS` and `loseS` of agreements among `All`, or among their winners or losers";
            diagnostics.push(refusal.also(agreement.span, "it runs among these").hint(hint));
            return;
        }
        ParticipantSet::Winners(_) | ParticipantSet::Losers(_) => {}
    }
    if own == Some(&used.value) {
        return;
    }
    let choosing: Vec<&Name> = table
        .agreements
        .iter()
        .map(|other| &other.name.value)
        .filter(|other| descendants(table, other).contains(&used.value))
        .collect();
    let stale_now = own.is_some_and(|own| choosing.contains(&own));
    let path = match stale_now {
        true => Some(Vec::new()),
        false => stale_path(table, model, location, &used.value, &choosing),
    };
    let Some(path) = path else { return };
    let message =
        format!("the winners and losers of `{}` may be those of an earlier round", used.value);
    let at = &model.points[location].name;
    let path = match path.is_empty() {
        true => format!("at `{at}` it need not have run yet"),
        false => format!("it need not run on the path {}", path.join(" → ")),
    };
    let refusal = Diagnostic::error(codes::STALE, message, used.span);
    diagnostics.push(refusal.also(agreement.span, "chosen here").hint(path));
}

/// A shortest path to a location on which an agreement has not run since its participants were
/// chosen.
fn stale_path(
    table: &Table<'_>,
    model: &LocalModel,
    location: usize,
    used: &Name,
    choosing: &[&Name],
) -> Option<Vec<String>> {
    type Place = (usize, bool);
    let start: Place = (model.start, false);
    let mut came: BTreeMap<Place, Option<(Place, &LocalLeaf)>> = BTreeMap::from([(start, None)]);
    let mut queue = VecDeque::from([start]);
    while let Some(place) = queue.pop_front() {
        if place == (location, false) {
            let mut path = vec![model.points[location].name.to_string()];
            let mut at = place;
            while let Some(Some((before, leaf))) = came.get(&at) {
                let event = match leaf.event {
                    LeafEvent::Agreement(index) => table.agreements[index].name.value.to_string(),
                    LeafEvent::Message(index) => table.file.actions[index].name.value.to_string(),
                    LeafEvent::Internal => "_".to_owned(),
                };
                path.push(format!("{} ({event})", model.points[before.0].name));
                at = *before;
            }
            path.reverse();
            return Some(path);
        }
        for leaf in model.leaves.iter().filter(|leaf| leaf.source == place.0) {
            let fresh = match &leaf.event {
                LeafEvent::Agreement(index) => {
                    let name = &table.agreements[*index].name.value;
                    if name == used { true } else { place.1 && !choosing.contains(&name) }
                }
                LeafEvent::Message(_) | LeafEvent::Internal => place.1,
            };
            let next = (leaf.target, fresh);
            came.entry(next).or_insert_with(|| {
                queue.push_back(next);
                Some((place, leaf))
            });
        }
    }
    None
}
