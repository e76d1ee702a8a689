//! The lines of the Mercury reader that decide what a construct means.

use super::list::{Sabotage, line};

const ACTIONS: &str = "frontend/mercury/lower/actions.rs";
const AGREEMENTS: &str = "frontend/mercury/lower/agreements.rs";
const UPDATE: &str = "frontend/mercury/lower/update.rs";
const RUN: &str = "frontend/mercury/run.rs";
const MODELS: &str = "mercury::meaning::the_models_mean_what_the_reference_says";
const EFFECTS: &str = "frontend/mercury/effects.rs";
const HOSTILE: &str = "mercury::hostile::hostile_processes_mean_what_the_reference_says";
const STATED: &str = "mercury::hostile::hostile_processes_are_as_safe_as_worked_out_by_hand";
const ENVIRONMENT: &str =
    "mercury::meaning::random_processes_with_an_environment_mean_what_the_reference_says";
const RANDOM: &str = "mercury::meaning::random_processes_mean_what_the_reference_says";

/// Every such line.
pub(crate) const MERCURY: &[Sabotage] = &[
    line(
        "a broadcast waits until everyone can receive it",
        ACTIONS,
        "Some(require(«writer.any(parts)»))",
        "{ let _ = parts; Expression::truth(true, span) }",
        MODELS,
    ),
    line(
        "losers do not win",
        AGREEMENTS,
        "side(«LeafRole::Lose»).collect()",
        "LeafRole::Win",
        MODELS,
    ),
    line(
        "a crashed process leaves every set",
        ACTIONS,
        "parts.push(put(link, «vec![other.clone(), me.clone()]», false));",
        "vec![me.clone(), me.clone()]",
        MODELS,
    ),
    line(
        "every participant is where it can take part",
        AGREEMENTS,
        "let mut guards = vec![require(«writer.any(parts)»)];",
        "{ let _ = parts; Expression::truth(true, writer.span) }",
        MODELS,
    ),
    line(
        "participants mean the same set",
        AGREEMENTS,
        "guards.push(require(«writer.any(vec![negation(members.has(&every)), same])»));",
        "{ let _ = same; Expression::truth(true, writer.span) }",
        RANDOM,
    ),
    line(
        "a decided value was proposed",
        AGREEMENTS,
        "guards.push(require(«writer.any(proposes)»));",
        "{ let _ = proposes; Expression::truth(true, writer.span) }",
        MODELS,
    ),
    line(
        "nobody sends to itself",
        ACTIONS,
        "vec![require(«writer.same(&p, &q).negated()»)]",
        "Expression::truth(true, span)",
        RANDOM,
    ),
    line(
        "an answer goes to the one who asked",
        ACTIONS,
        "guards.push(require(«writer.holds(link, &[&p, &q])»));",
        "{ let _ = link; Expression::truth(true, span) }",
        HOSTILE,
    ),
    line(
        "so many win as there should",
        AGREEMENTS,
        "let mut parts = vec![«writer.all(different)», negation(members.has(&every))];",
        "{ let _ = different; Expression::truth(true, writer.span) }",
        MODELS,
    ),
    line(
        "a process that leaves a point is not there",
        UPDATE,
        "changes.push((own.points[leaf.source].clone(), «false»));",
        "true",
        MODELS,
    ),
    line(
        "a process rests before a send that is not part of the step",
        RUN,
        "StepKind::Send(send) if «sends»",
        "sends || send.to.is_none()",
        MODELS,
    ),
    line(
        "a receiver of a rendezvous can receive",
        ACTIONS,
        "guards.extend([sending.requires(), «receiving.requires()»]);",
        "sending.requires()",
        RANDOM,
    ),
    line(
        "a written environment takes part in a rendezvous",
        ACTIONS,
        "let guards = vec![mover.requires(), «environment.requires()»];",
        "mover.requires()",
        ENVIRONMENT,
    ),
    line(
        "a written environment sends its broadcasts",
        ACTIONS,
        "guards.push(«sending.requires()»);",
        "require(Expression::truth(true, span))",
        ENVIRONMENT,
    ),
    line(
        "no process hears a broadcast when all have crashed",
        ACTIONS,
        ".map(|live| require(«writer.quantified(Quantifier::Exists, &[EVERY], live)»));",
        "{ let _ = live; Expression::truth(true, span) }",
        HOSTILE,
    ),
    line(
        "processes crash only where they may",
        ACTIONS,
        "guards.push(require(«writer.any(at.collect())»));",
        "{ let _ = at; Expression::truth(true, span) }",
        HOSTILE,
    ),
    line(
        "a receiver takes one of its handlers",
        "frontend/mercury/lower/choices.rs",
        "before.push(require(«writer.all(both.to_vec()).negated()»));",
        "{ let _ = both; Expression::truth(true, span) }",
        HOSTILE,
    ),
    line(
        "a value that is assigned stays in its range, or is owed",
        "frontend/mercury/lower/specs.rs",
        "let formula = writer.quantified(Quantifier::Forall, &[\"P\"], «flag»);",
        "{ let _ = flag; Expression::truth(true, variable.span) }",
        STATED,
    ),
    line(
        "a sender that is counted twice is owed",
        EFFECTS,
        "if «run.known.atom(LinkAtom::In(sender.clone(), old.clone()))?» {",
        "run.known.atom(LinkAtom::In(sender.clone(), old.clone()))? && false",
        STATED,
    ),
    line(
        "a value that is sent stays in the range of its message, or is owed",
        EFFECTS,
        "if «carried.is_none()» {",
        "false",
        STATED,
    ),
];
