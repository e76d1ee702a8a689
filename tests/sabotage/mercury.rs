//! The lines of the Mercury reader that decide what a construct means.

use super::list::{Sabotage, line};

const ACTIONS: &str = "frontend/mercury/lower/actions.rs";
const AGREEMENTS: &str = "frontend/mercury/lower/agreements.rs";
const UPDATE: &str = "frontend/mercury/lower/update.rs";
const RUN: &str = "frontend/mercury/run.rs";
const MODELS: &str = "mercury::meaning::the_models_mean_what_the_reference_says";
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
        "mercury::corpus::the_counts_are_found",
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
];
