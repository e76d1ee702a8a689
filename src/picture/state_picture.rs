//! A film as SVG: cards for elements, badges and arrows for facts.

use std::collections::{BTreeMap, BTreeSet};

use super::arrange::{Arrangement, BADGE, Card, HEAD, arrange, width};
use super::film::{ElementId, Film, ItemPlace};
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

/// The places of everything in a film: the same in all of its pictures.
pub struct Stage<'a> {
    film: &'a Film,
    arrangement: Arrangement,
    globals: BTreeMap<usize, (f64, f64)>,
    sorts: BTreeMap<u32, String>,
}

/// Where an arrow begins, bends and ends.
struct Curve {
    from: (f64, f64),
    bend: (f64, f64),
    to: (f64, f64),
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
        let (mut globals, mut x, mut y) = (BTreeMap::new(), 24.0, 24.0);
        for (position, item) in global {
            let wide = width(&item.label) + 22.0;
            if x + wide > 760.0 && x > 24.0 {
                (x, y) = (24.0, y + BADGE + 6.0);
            }
            globals.insert(position, (x, y));
            x += wide;
        }
        let top = if globals.is_empty() { 34.0 } else { y + BADGE + 34.0 };
        let mut arrangement = arrange(film, structure, state, top);
        let right = globals.iter().map(|(item, place)| place.0 + width(&film.items[*item].label));
        arrangement.width = right.map(|end| end + 40.0).fold(arrangement.width, f64::max);
        let sorts = protocol.signature.sorts();
        let sorts = sorts.map(|sort| (sort.0, protocol.signature.sort_name(sort).to_string()));
        Stage { film, arrangement, globals, sorts: sorts.collect() }
    }

    /// One picture. `id` is unique on the page.
    pub fn picture(&self, id: &str, frame: &Frame) -> Markup {
        let mut out = Markup::new();
        let (wide, high) = (round(self.arrangement.width), round(self.arrangement.height));
        let attributes: super::markup::Attributes<'_> = &[
            ("class", &"state"),
            ("id", &id),
            ("viewBox", &format!("0 0 {wide} {high}")),
            ("width", &wide),
            ("height", &high),
            ("role", &"img"),
        ];
        out.element("svg", attributes, |svg| {
            let seen = frame.seen.iter().map(|item| self.film.items[*item].fact.as_str());
            svg.leaf("title", &[], seen.collect::<Vec<_>>().join(", "));
            self.background(svg);
            let bends = self.bends();
            for (position, item) in self.film.items.iter().enumerate() {
                if let ItemPlace::Between(from, to) = item.place {
                    let bend = bends.get(&position).copied().unwrap_or_default();
                    self.arrow(svg, position, (from, to), bend, frame);
                }
            }
            self.cards(svg, frame);
            for (position, place) in &self.globals {
                self.badge(svg, *position, (place.0, place.1), None, frame);
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
        rectangle(svg, (left, top), (card.width, card.height), 8.0);
        let middle = round(card.x);
        svg.leaf("text", &[("class", &"name"), ("x", &middle), ("y", &round(top + 17.0))], name);
        let own = self.film.items.iter().enumerate();
        let own = own.filter(|(_, item)| item.place == ItemPlace::On(element));
        let mut y = top + HEAD;
        for (position, _) in own {
            self.badge(svg, position, (left + 6.0, y), Some(card.width - 12.0), frame);
            y += BADGE;
        }
    }

    fn badge(
        &self,
        svg: &mut Markup,
        position: usize,
        (x, y): (f64, f64),
        wide: Option<f64>,
        frame: &Frame,
    ) {
        let item = &self.film.items[position];
        let wide = wide.unwrap_or_else(|| width(&item.label) + 14.0);
        let class = self.class(position, "badge", frame);
        svg.element("g", &[("class", &class), ("data-f", &position)], |group| {
            rectangle(group, (x, y), (wide, BADGE - 3.0), 6.0);
            let middle = round(x + wide / 2.0);
            group.leaf("text", &[("x", &middle), ("y", &round(y + 11.5))], &item.label);
        });
    }

    fn class(&self, position: usize, kind: &str, frame: &Frame) -> String {
        let item = &self.film.items[position];
        let fixed = if item.rigidity == Rigidity::Rigid { " rigid" } else { "" };
        let change = if frame.added.contains(&position) {
            " new"
        } else if frame.removed.contains(&position) {
            " old"
        } else if frame.seen.contains(&position) {
            ""
        } else {
            " off"
        };
        format!("fact {kind} c{}{fixed}{change}", item.colour % COLOURS)
    }

    /// How far each arrow bends: those between the same elements are kept apart.
    fn bends(&self) -> BTreeMap<usize, f64> {
        let mut count: BTreeMap<(ElementId, ElementId), f64> = BTreeMap::new();
        let mut bends = BTreeMap::new();
        for (position, item) in self.film.items.iter().enumerate() {
            if let ItemPlace::Between(from, to) = item.place {
                let known = count.entry((from, to)).or_insert(0.0);
                bends.insert(position, *known);
                *known += 1.0;
            }
        }
        bends
    }

    fn arrow(
        &self,
        svg: &mut Markup,
        position: usize,
        (from, to): (ElementId, ElementId),
        bend: f64,
        frame: &Frame,
    ) {
        let cards = &self.arrangement.cards;
        let (Some(from), Some(to)) = (cards.get(&from), cards.get(&to)) else { return };
        let curve = curve(from, to, bend);
        // Labels of neighbours stand at different heights.
        let place = 0.32 + 0.18 * (bend % 4.0);
        let class = self.class(position, "arrow", frame);
        let item = &self.film.items[position];
        svg.element("g", &[("class", &class), ("data-f", &position)], |group| {
            let Curve { from, bend, to } = &curve;
            let path = format!(
                "M{:.1} {:.1}Q{:.1} {:.1} {:.1} {:.1}",
                from.0, from.1, bend.0, bend.1, to.0, to.1
            );
            group.empty("path", &[("d", &path)]);
            group.empty("path", &[("class", &"head"), ("d", &head(&curve))]);
            let middle = along(&curve, place);
            group.leaf(
                "text",
                &[("x", &round(middle.0)), ("y", &round(middle.1 + 4.0))],
                &item.label,
            );
        });
    }
}

fn rectangle(svg: &mut Markup, (x, y): (f64, f64), (wide, high): (f64, f64), corner: f64) {
    svg.empty(
        "rect",
        &[
            ("x", &round(x)),
            ("y", &round(y)),
            ("width", &round(wide)),
            ("height", &round(high)),
            ("rx", &corner),
        ],
    );
}

/// A number with one digit after the point: the same on every machine.
pub(super) fn round(number: f64) -> String {
    format!("{number:.1}")
}

/// From card to card, bent to the left of its direction.
fn curve(from: &Card, to: &Card, bend: f64) -> Curve {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let length = dx.hypot(dy).max(1.0);
    let aside = 16.0 + 24.0 * bend;
    let middle = (f64::midpoint(from.x, to.x), f64::midpoint(from.y, to.y));
    let bend = (middle.0 + dy / length * aside * 1.6, middle.1 - dx / length * aside * 1.6);
    Curve { from: border(from, bend, 2.0), bend, to: border(to, bend, 4.0) }
}

/// Where a line from the centre of a card towards a point leaves the card.
fn border(card: &Card, towards: (f64, f64), gap: f64) -> (f64, f64) {
    let (dx, dy) = (towards.0 - card.x, towards.1 - card.y);
    let (half_width, half_height) = (card.width / 2.0 + gap, card.height / 2.0 + gap);
    let scale_x = if dx.abs() > 0.01 { half_width / dx.abs() } else { f64::MAX };
    let scale_y = if dy.abs() > 0.01 { half_height / dy.abs() } else { f64::MAX };
    let scale = scale_x.min(scale_y).min(1.0);
    (card.x + dx * scale, card.y + dy * scale)
}

fn along(curve: &Curve, t: f64) -> (f64, f64) {
    let Curve { from, bend, to } = curve;
    let mix =
        |a: f64, b: f64, c: f64| (1.0 - t) * (1.0 - t) * a + 2.0 * (1.0 - t) * t * b + t * t * c;
    (mix(from.0, bend.0, to.0), mix(from.1, bend.1, to.1))
}

/// The head of an arrow, in the direction in which the curve ends.
fn head(curve: &Curve) -> String {
    let Curve { bend, to, .. } = curve;
    arrow_head(*bend, *to)
}

/// A small triangle at the end of a line.
pub(super) fn arrow_head(from: (f64, f64), to: (f64, f64)) -> String {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy).max(0.1);
    let (ux, uy) = (dx / length, dy / length);
    let base = (to.0 - 8.0 * ux, to.1 - 8.0 * uy);
    format!(
        "M{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}Z",
        to.0,
        to.1,
        base.0 + 4.0 * uy,
        base.1 - 4.0 * ux,
        base.0 - 4.0 * uy,
        base.1 + 4.0 * ux
    )
}
