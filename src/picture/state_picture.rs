//! A film as SVG: cards for elements, badges and arrows for facts.

use std::collections::{BTreeMap, BTreeSet};

use super::arrange::{Arrangement, BADGE, Card, HEAD, arrange, width};
use super::arrows::{Arrow, Curve, arrow_head, arrows, extent};
use super::film::{ElementId, Film, Item, ItemPlace};
use super::markup::Markup;
use crate::analysis::RigidStructure;
use crate::protocol::{Protocol, Rigidity, State};

/// How many colours the style of a page has.
pub const COLOURS: usize = 8;

/// What is seen of a film in one picture.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// The items that hold.
    pub seen: BTreeSet<usize>,
    /// Those that have just become true.
    pub added: BTreeSet<usize>,
    /// Those that have just become false.
    pub removed: BTreeSet<usize>,
    /// Elements to mark: those for which a property fails.
    pub marked: BTreeSet<ElementId>,
}

impl Frame {
    /// A state of a film, with what the step before it changed.
    pub fn of(film: &Film, number: usize, marked: BTreeSet<ElementId>) -> Self {
        let changes = number.checked_sub(1).map(|step| &film.changes[step]);
        let set = |items: &[usize]| items.iter().copied().collect();
        Frame {
            seen: film.frame(number).into_iter().collect(),
            added: changes.map_or_else(BTreeSet::new, |own| set(&own.added)),
            removed: changes.map_or_else(BTreeSet::new, |own| set(&own.removed)),
            marked,
        }
    }
}

/// The places of everything in a film: the same in all of its pictures.
pub struct Stage<'a> {
    film: &'a Film,
    arrangement: Arrangement,
    arrows: BTreeMap<usize, Arrow>,
    /// Left, top, right and bottom.
    extent: (f64, f64, f64, f64),
    globals: BTreeMap<usize, (f64, f64)>,
    sorts: BTreeMap<u32, String>,
}

impl<'a> Stage<'a> {
    /// Finds a place for everything; `state` is any state of the film.
    pub fn new(
        film: &'a Film,
        protocol: &Protocol,
        structure: &RigidStructure,
        state: &State,
    ) -> Self {
        let global = film.items.iter().enumerate().filter(|(_, it)| it.place == ItemPlace::Global);
        let mut slots: BTreeMap<usize, (f64, Vec<usize>)> = BTreeMap::new();
        for (position, item) in global {
            let slot = slots.entry(item.slot).or_default();
            slot.0 = slot.0.max(width(&item.label) + 22.0);
            slot.1.push(position);
        }
        let (mut globals, mut x, mut y) = (BTreeMap::new(), 24.0, 24.0);
        for (wide, items) in slots.into_values() {
            if x + wide > 760.0 && x > 24.0 {
                (x, y) = (24.0, y + BADGE + 6.0);
            }
            globals.extend(items.into_iter().map(|position| (position, (x, y))));
            x += wide;
        }
        let top = if globals.is_empty() { 34.0 } else { y + BADGE + 34.0 };
        let mut arrangement = arrange(film, structure, state, top);
        let right = globals.iter().map(|(item, place)| place.0 + width(&film.items[*item].label));
        arrangement.width = right.map(|end| end + 40.0).fold(arrangement.width, f64::max);
        let sorts = protocol.signature.sorts();
        let sorts = sorts.map(|sort| (sort.0, protocol.signature.sort_name(sort).to_string()));
        let arrows = arrows(film, &arrangement);
        let (left, top, right, bottom) = extent(film, &arrows);
        let extent = (
            left.min(0.0),
            top.min(0.0),
            right.max(arrangement.width),
            bottom.max(arrangement.height),
        );
        Stage { film, arrangement, arrows, extent, globals, sorts: sorts.collect() }
    }

    /// One picture. `id` is unique on the page.
    pub fn picture(&self, id: &str, frame: &Frame) -> Markup {
        let mut out = Markup::new();
        let (left, top, right, bottom) = self.extent;
        let (wide, high) = (round(right - left), round(bottom - top));
        let attributes: super::markup::Attributes<'_> = &[
            ("class", &"state"),
            ("id", &id),
            ("viewBox", &format!("{left:.1} {top:.1} {wide} {high}")),
            ("width", &wide),
            ("height", &high),
            ("role", &"img"),
        ];
        out.element("svg", attributes, |svg| {
            let seen = frame.seen.iter().map(|item| self.film.items[*item].fact.as_str());
            svg.leaf("title", &[], seen.collect::<Vec<_>>().join(", "));
            self.background(svg);
            for (position, arrow) in &self.arrows {
                self.arrow(svg, *position, arrow, frame);
            }
            self.cards(svg, frame);
            for (position, place) in &self.globals {
                let wide = width(&self.film.items[*position].label) + 14.0;
                self.badge(svg, *position, *place, wide, frame);
            }
        });
        out
    }

    fn background(&self, svg: &mut Markup) {
        for (x, y, across, down) in &self.arrangement.circles {
            svg.empty(
                "ellipse",
                &[
                    ("class", &"around"),
                    ("cx", &round(*x)),
                    ("cy", &round(*y)),
                    ("rx", &round(*across)),
                    ("ry", &round(*down)),
                ],
            );
        }
        for (from, to, y) in &self.arrangement.axes {
            let (from, to, y) = (round(*from), *to, *y);
            let path = format!(
                "M{from} {y:.1}L{to:.1} {y:.1}M{:.1} {:.1}L{to:.1} {y:.1}L{:.1} {:.1}",
                to - 7.0,
                y - 4.0,
                to - 7.0,
                y + 4.0
            );
            svg.empty("path", &[("class", &"axis"), ("d", &path)]);
        }
        for (sort, y) in &self.arrangement.bands {
            let name = self.sorts.get(&sort.0).map_or("", String::as_str);
            svg.leaf("text", &[("class", &"band"), ("x", &8), ("y", &round(*y - 12.0))], name);
        }
    }

    fn cards(&self, svg: &mut Markup, frame: &Frame) {
        for (sort, names) in &self.film.elements {
            for (index, name) in (0..).zip(names) {
                let element = (*sort, index);
                let Some(card) = self.arrangement.cards.get(&element) else { continue };
                let marked = if frame.marked.contains(&element) { " culprit" } else { "" };
                let class = format!("element s{}{marked}", sort.0 as usize % COLOURS);
                svg.element("g", &[("class", &class), ("data-e", &name)], |group| {
                    self.card(group, element, card, name, frame);
                });
            }
        }
    }

    fn card(&self, svg: &mut Markup, element: ElementId, card: &Card, name: &str, frame: &Frame) {
        let (left, top) = (card.x - card.width / 2.0, card.y - card.height / 2.0);
        rectangle(svg, None, (left, top), (card.width, card.height), 8.0);
        let middle = round(card.x);
        svg.leaf("text", &[("class", &"name"), ("x", &middle), ("y", &round(top + 17.0))], name);
        let rows = self.film.rows(element);
        let last = rows.iter().map(|(_, row)| row + 1).max().unwrap_or(0);
        for row in 0..u32::try_from(last).unwrap_or(u32::MAX) {
            let y = top + HEAD + BADGE * f64::from(row);
            let size = (card.width - 12.0, BADGE - 3.0);
            rectangle(svg, Some("slot"), (left + 6.0, y), size, 6.0);
        }
        for (position, row) in rows {
            let y = top + HEAD + BADGE * f64::from(u32::try_from(row).unwrap_or(u32::MAX));
            self.badge(svg, position, (left + 6.0, y), card.width - 12.0, frame);
        }
    }

    fn badge(
        &self,
        svg: &mut Markup,
        position: usize,
        (x, y): (f64, f64),
        wide: f64,
        frame: &Frame,
    ) {
        let item = &self.film.items[position];
        let class = self.class(position, "badge", frame);
        let attributes: super::markup::Attributes<'_> =
            &[("class", &class), ("data-f", &position), ("data-s", &item.slot)];
        svg.element("g", attributes, |group| {
            rectangle(group, None, (x, y), (wide, BADGE - 3.0), 6.0);
            let middle = round(x + wide / 2.0);
            group.leaf("text", &[("x", &middle), ("y", &round(y + 11.5))], &item.label);
        });
    }

    fn class(&self, position: usize, kind: &str, frame: &Frame) -> String {
        let item = &self.film.items[position];
        let fixed = if item.rigidity == Rigidity::Rigid { " rigid" } else { "" };
        let change = if frame.added.contains(&position) {
            " new"
        } else if frame.removed.contains(&position) && !self.is_replaced(item, frame) {
            " old"
        } else if frame.seen.contains(&position) {
            ""
        } else {
            " off"
        };
        format!("fact {kind} c{}{fixed}{change}", item.colour % COLOURS)
    }

    /// Whether another fact is written where this one was.
    fn is_replaced(&self, item: &Item, frame: &Frame) -> bool {
        let other = |position: &usize| self.film.items[*position].slot == item.slot;
        !matches!(item.place, ItemPlace::Between(..)) && frame.seen.iter().any(other)
    }

    fn arrow(&self, svg: &mut Markup, position: usize, arrow: &Arrow, frame: &Frame) {
        let class = self.class(position, "arrow", frame);
        let item = &self.film.items[position];
        svg.element("g", &[("class", &class), ("data-f", &position)], |group| {
            let Curve { from, bend, to } = &arrow.curve;
            let path = format!(
                "M{:.1} {:.1}Q{:.1} {:.1} {:.1} {:.1}",
                from.0, from.1, bend.0, bend.1, to.0, to.1
            );
            group.empty("path", &[("d", &path)]);
            group.empty("path", &[("class", &"head"), ("d", &arrow_head(*bend, *to))]);
            let (x, y) = (round(arrow.label.0), round(arrow.label.1 + 4.0));
            group.leaf("text", &[("x", &x), ("y", &y)], &item.label);
        });
    }
}

fn rectangle(
    svg: &mut Markup,
    class: Option<&str>,
    (x, y): (f64, f64),
    (wide, high): (f64, f64),
    corner: f64,
) {
    let (x, y, wide, high) = (round(x), round(y), round(wide), round(high));
    let mut attributes: Vec<(&'static str, &dyn std::fmt::Display)> =
        vec![("x", &x), ("y", &y), ("width", &wide), ("height", &high), ("rx", &corner)];
    attributes.extend(class.as_ref().map(|class| ("class", class as &dyn std::fmt::Display)));
    svg.empty("rect", &attributes);
}

/// A number with one digit after the point: the same on every machine.
pub(super) fn round(number: f64) -> String {
    format!("{number:.1}")
}
