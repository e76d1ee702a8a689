//! A run that is made by hand, as a page: a picture of the state, and a button for each step.

use std::collections::BTreeSet;

use super::page::STYLE;
use crate::analysis::rigid_structure;
use crate::finite::replay::Refused;
use crate::picture::{Filming, Frame, Markup, Stage, own_names};
use crate::pipeline;
use crate::play::{Options, Session};
use crate::process::Process;
use crate::protocol::{Protocol, Rigidity};
use crate::report::text::counts::count;
use crate::report::text::trace::blocked_action;
use crate::report::text::trace::process_words::{state_in_words, symbol_words};
use crate::report::text::{play, trace};
use crate::source::SourceFile;

/// Nothing is loaded, no script runs, and forms go back to where the page came from.
pub const POLICY_OF_PLAY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; \
     form-action 'self'; frame-ancestors 'none'";

/// No more steps are offered on a page.
const MAX_BUTTONS: usize = 300;

/// The page of a session.
pub fn play_page(
    protocol: &Protocol,
    source: &SourceFile,
    session: &Session,
    options: &Options,
    blocked: &dyn Fn(usize) -> Vec<Refused>,
    message: Option<&str>,
) -> String {
    let process = pipeline::read_process(source);
    let subject = (protocol, process.as_ref());
    let mut out = Markup::new();
    out.element("html", &[("lang", &"en")], |html| {
        html.element("head", &[], |head| {
            head.empty("meta", &[("charset", &"utf-8")]);
            let view = "width=device-width, initial-scale=1";
            head.empty("meta", &[("name", &"viewport"), ("content", &view)]);
            head.empty("meta", &[("name", &"color-scheme"), ("content", &"light dark")]);
            head.leaf("title", &[], format!("{}: play", protocol.name));
            head.verbatim("style", STYLE);
        });
        html.element("body", &[], |body| {
            body.leaf("h1", &[], &protocol.name);
            if let Some(message) = message {
                body.leaf("p", &[("class", &"failure")], message);
            }
            for failed in play::failures(protocol, session) {
                body.element("p", &[("class", &"verdict bad")], |line| {
                    line.leaf("span", &[("class", &"mark")], "✗");
                    line.leaf("code", &[], failed.what);
                });
                for sentence in failed.missing {
                    body.leaf("p", &[("class", &"note")], sentence);
                }
            }
            controls(body, session);
            body.element("div", &[("class", &"player")], |player| {
                player.element("div", &[], |main| picture(main, subject, session));
                player.element("div", &[("class", &"side")], |side| {
                    steps(side, subject, session, options);
                });
            });
            impossible(body, protocol, source, options, blocked);
        });
    });
    format!("<!DOCTYPE html>\n{}\n", out.into_string())
}

fn button(out: &mut Markup, value: &str, label: &str, hint: &str) {
    let attributes: &[(&'static str, &dyn std::fmt::Display)] =
        &[("name", &"do"), ("value", &value), ("title", &hint)];
    out.leaf("button", attributes, label);
}

fn controls(body: &mut Markup, session: &Session) {
    body.element("form", &[("method", &"post"), ("class", &"controls on")], |form| {
        button(form, "back", "◀ back", "undo the last step");
        button(form, "restart", "restart", "begin again");
        if session.starts.len() > 1 && session.run.steps.is_empty() {
            let own = session.starts.iter().position(|start| *start == session.run.initial);
            let next = own.map_or(1, |own| (own + 1) % session.starts.len() + 1);
            let label = format!("other initial state ({next} of {})", session.starts.len());
            button(form, &format!("restart {next}"), &label, "begin elsewhere");
        }
        button(form, "random", "random step", "take any step");
        button(form, "random 10", "10 random steps", "take ten steps");
        form.leaf("a", &[("href", &"run.itf.json")], "save as ITF");
    });
}

fn picture(
    main: &mut Markup,
    (protocol, process): (&Protocol, Option<&Process>),
    session: &Session,
) {
    let structure = rigid_structure(protocol);
    let name = own_names(protocol);
    let words = process.map(symbol_words).unwrap_or_default();
    let filming = Filming { protocol, structure: &structure, name: &name, words: &words };
    let (now, before) = (session.state(), session.before());
    let title = match session.run.steps.last() {
        None => "initial state".to_owned(),
        Some(step) => {
            format!(
                "{}. {}",
                session.run.steps.len(),
                trace::invocation(protocol, &step.invocation)
            )
        }
    };
    let film = filming.film(before.unwrap_or(now), before.map(|_| now));
    main.element("figure", &[], |figure| {
        figure.leaf("figcaption", &[("class", &"title mono")], title);
        match film {
            Ok(film) if film.too_large.is_none() => {
                let frame = Frame::of(&film, film.changes.len(), BTreeSet::new());
                let stage = Stage::new(&film, protocol, &structure, now);
                figure.append(&stage.picture("state", &frame));
            }
            Ok(_) | Err(_) => {
                figure.leaf("p", &[("class", &"note")], "The state is too large to draw.");
                let facts = trace::atoms(protocol, now, Rigidity::Mutable);
                figure.leaf("pre", &[("class", &"text")], facts.join("\n"));
            }
        }
    });
    if let Some(process) = process {
        let places = state_in_words(process, protocol, now);
        main.leaf("pre", &[("class", &"text")], places.join("\n"));
    }
    if !session.run.steps.is_empty() {
        main.element("details", &[], |details| {
            details.leaf(
                "summary",
                &[],
                format!("the run: {}", count(session.run.steps.len(), "step")),
            );
            let steps = (1..).zip(&session.run.steps).map(|(number, step)| {
                format!("{number}. {}", trace::invocation(protocol, &step.invocation))
            });
            let steps: Vec<String> = steps.collect();
            let skipped = steps.len().saturating_sub(MAX_BUTTONS);
            details.leaf("pre", &[("class", &"text")], steps[skipped..].join("\n"));
        });
    }
}

fn steps(
    side: &mut Markup,
    (protocol, process): (&Protocol, Option<&Process>),
    session: &Session,
    options: &Options,
) {
    side.leaf("h4", &[], "possible steps");
    if options.steps.is_empty() {
        side.leaf("p", &[("class", &"note")], "none");
    }
    side.element("form", &[("method", &"post"), ("class", &"offers")], |form| {
        for (number, step) in (1..).zip(&options.steps).take(MAX_BUTTONS) {
            let attributes: &[(&'static str, &dyn std::fmt::Display)] =
                &[("name", &"do"), ("value", &number)];
            form.element("button", attributes, |button| {
                button.leaf("b", &[], trace::invocation(protocol, &step.invocation));
                let changes = play::changed((protocol, process), session.state(), &step.state);
                let changes = match changes.is_empty() {
                    true => "changes nothing".to_owned(),
                    false => changes.join(", "),
                };
                button.leaf("span", &[("class", &"note")], changes);
            });
        }
    });
    if options.steps.len() > MAX_BUTTONS {
        let more = count(options.steps.len() - MAX_BUTTONS, "more step");
        side.leaf("p", &[("class", &"note")], format!("and {more}"));
    }
}

fn impossible(
    body: &mut Markup,
    protocol: &Protocol,
    source: &SourceFile,
    options: &Options,
    blocked: &dyn Fn(usize) -> Vec<Refused>,
) {
    let idle = play::idle(protocol, options);
    if idle.is_empty() && options.unlisted.is_empty() {
        return;
    }
    body.leaf("h4", &[], "not possible now");
    for name in idle {
        let Some((action, _)) = protocol.action(name) else { continue };
        body.element("details", &[("class", &"idle")], |details| {
            details.leaf("summary", &[], name);
            let reasons = blocked_action::reasons(protocol, source, &blocked(action));
            details.leaf("pre", &[("class", &"wrap")], reasons);
        });
    }
    for (action, why) in &options.unlisted {
        let text = format!("{}: {why}", protocol.actions[*action].name);
        body.leaf("p", &[("class", &"note")], text);
    }
}
