//! A refuted obligation as pictures: `L` and `C` side by side, before and after the step.

use std::collections::BTreeSet;

use super::Story;
use crate::certificate::{Certificate, Obligation, TwoSystems};
use crate::explain::{Scene, explain, scenes};
use crate::logic::Value;
use crate::picture::{ElementId, Filming, Frame, Markup, Stage, TooLarge};
use crate::protocol::{Protocol, Sort, element_name};
use crate::report::text::check::counterexample;
use crate::smt::CounterModel;

/// Pictures and the same in words.
pub(super) fn part(
    story: &Story<'_>,
    certificate: &Certificate,
    number: usize,
    obligation: &Obligation,
    model: &CounterModel<TwoSystems>,
) -> Markup {
    let mut out = Markup::new();
    let explanation = explain(certificate, obligation, model);
    let found = scenes(certificate, obligation, model);
    let culprits: BTreeSet<&str> =
        explanation.failing.at.iter().map(|own| own.value.as_str()).collect();
    let large = ("large", if found.cutoff.is_some() { "L" } else { "state" }, &found.large);
    let cutoff = found.cutoff.as_ref().map(|cutoff| ("cutoff", "C", cutoff));
    let systems = [large].into_iter().chain(cutoff).map(|(id, title, scene)| {
        let protocol = &certificate.large;
        let drawing = Drawing { story, protocol, scene, culprits: &culprits };
        drawing.pictures(&format!("o{number}-{id}"), title).unwrap_or_else(|note| vec![note])
    });
    let systems: Vec<Vec<Markup>> = systems.collect();
    out.element("div", &[("class", &"pair")], |pair| match systems.as_slice() {
        // Before and after below each other, and the two systems side by side.
        [large, cutoff] => {
            let nothing = Markup::new();
            for row in 0..large.len().max(cutoff.len()) {
                for system in [large, cutoff] {
                    pair.element("div", &[], |cell| {
                        cell.append(system.get(row).unwrap_or(&nothing));
                    });
                }
            }
        }
        others => others.iter().flatten().for_each(|picture| pair.append(picture)),
    });
    out.leaf("pre", &[("class", &"wrap")], counterexample::text(&explanation));
    out
}

struct Drawing<'a> {
    story: &'a Story<'a>,
    protocol: &'a Protocol,
    scene: &'a Scene,
    culprits: &'a BTreeSet<&'a str>,
}

impl Drawing<'_> {
    /// One picture for each state, or else why there is none.
    fn pictures(&self, id: &str, title: &str) -> Result<Vec<Markup>, Markup> {
        let note = |error: TooLarge| {
            let mut note = Markup::new();
            note.leaf("p", &[("class", &"note")], format!("{title}: {error}."));
            note
        };
        let Scene { before, after, names } = self.scene;
        let name = |sort: Sort, value: Value| {
            let own = || element_name(&self.protocol.signature, sort, value).to_string();
            names.get(&(sort, value)).cloned().unwrap_or_else(own)
        };
        let structure = &self.story.facts.structure;
        let filming =
            Filming { protocol: self.protocol, structure, name: &name, words: &self.story.words };
        let film = filming.film(before, after).map_err(note)?;
        if let Some(error) = film.too_large {
            return Err(note(error));
        }
        let marked: BTreeSet<ElementId> = film
            .elements
            .iter()
            .flat_map(|(sort, names)| (0..).zip(names).map(|(index, name)| ((*sort, index), name)))
            .filter(|(_, name)| self.culprits.contains(name.as_str()))
            .map(|(element, _)| element)
            .collect();
        let stage = Stage::new(&film, self.protocol, structure, before);
        let count = film.changes.len();
        let picture = |number: usize| {
            let marked = if number == count { marked.clone() } else { BTreeSet::new() };
            let frame = Frame::of(&film, number, marked);
            let when = match (number, count) {
                (_, 0) => "",
                (0, _) => " before",
                _ => " after",
            };
            let mut out = Markup::new();
            out.element("figure", &[("class", &"keep")], |figure| {
                figure.leaf("figcaption", &[], format!("{title}{when}"));
                figure.append(&stage.picture(&format!("{id}-{number}"), &frame));
            });
            out
        };
        Ok((0..=count).map(picture).collect())
    }
}
