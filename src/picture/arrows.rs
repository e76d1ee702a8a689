//! Arrows between cards: each bends so that it passes beside other cards, and its label stands
//! where no other does.

use std::collections::BTreeMap;

use super::arrange::{Arrangement, Card, width};
use super::film::{ElementId, Film, ItemPlace};

/// Where an arrow begins, bends and ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Curve {
    pub(super) from: (f64, f64),
    pub(super) bend: (f64, f64),
    pub(super) to: (f64, f64),
}

/// An arrow with the middle of its label.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrow {
    pub(super) curve: Curve,
    pub(super) label: (f64, f64),
}

/// A rectangle, by its middle and half its size.
#[derive(Clone, Copy)]
struct Area {
    middle: (f64, f64),
    half: (f64, f64),
}

/// How far from its usual bend an arrow may be.
const DETOURS: [f64; 9] = [0.0, 24.0, -48.0, 52.0, -76.0, 84.0, -108.0, 120.0, -150.0];

/// Where on its arrow a label may stand.
const PLACES: [f64; 9] = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82];

/// What a point inside a card costs, and what it costs to run along another arrow.
const HIDDEN: f64 = 400.0;
const BESIDE: f64 = 60.0;

/// Half the height of a label.
const HALF_LABEL: f64 = 8.0;

/// A place for every item that joins two elements, by the positions of the items.
pub(super) fn arrows(film: &Film, arrangement: &Arrangement) -> BTreeMap<usize, Arrow> {
    let mut placed: BTreeMap<usize, Arrow> = BTreeMap::new();
    let mut labels: Vec<Area> = Vec::new();
    let mut parallel: BTreeMap<(ElementId, ElementId), f64> = BTreeMap::new();
    for (position, item) in film.items.iter().enumerate() {
        let ItemPlace::Between(from, to) = item.place else { continue };
        let cards = &arrangement.cards;
        let (Some(start), Some(end)) = (cards.get(&from), cards.get(&to)) else { continue };
        let rank = parallel.entry((from, to)).or_insert(0.0);
        let usual = 16.0 + 24.0 * *rank;
        *rank += 1.0;
        let others: Vec<Area> = cards
            .iter()
            .filter(|(element, _)| **element != from && **element != to)
            .map(|(_, card)| area(card))
            .collect();
        let half = (width(&item.label) / 2.0 + 3.0, HALF_LABEL);
        let best = DETOURS.iter().map(|detour| {
            let curve = curve(start, end, usual + detour);
            let (label, crowd) = label(&curve, half, &labels, cards.values());
            let cost = detour.abs() / 4.0
                + HIDDEN * hidden(&curve, &others)
                + BESIDE * beside(&curve, placed.values())
                + crowd;
            (cost, Arrow { curve, label })
        });
        let best = best.min_by(|one, other| one.0.total_cmp(&other.0));
        let Some((_, arrow)) = best else { continue };
        labels.push(Area { middle: arrow.label, half });
        placed.insert(position, arrow);
    }
    placed
}

/// The extent of all arrows and labels: left, top, right and bottom.
pub(super) fn extent(film: &Film, arrows: &BTreeMap<usize, Arrow>) -> (f64, f64, f64, f64) {
    let mut all = (f64::MAX, f64::MAX, f64::MIN, f64::MIN);
    let mut include = |(x, y): (f64, f64), (wide, high): (f64, f64)| {
        all = (all.0.min(x - wide), all.1.min(y - high), all.2.max(x + wide), all.3.max(y + high));
    };
    for (position, arrow) in arrows {
        points(&arrow.curve).for_each(|point| include(point, (4.0, 4.0)));
        include(arrow.label, (width(&film.items[*position].label) / 2.0 + 3.0, HALF_LABEL));
    }
    all
}

fn area(card: &Card) -> Area {
    Area { middle: (card.x, card.y), half: (card.width / 2.0 + 5.0, card.height / 2.0 + 5.0) }
}

fn points(curve: &Curve) -> impl Iterator<Item = (f64, f64)> {
    (1..24).map(|step| along(curve, f64::from(step) / 24.0))
}

/// How many points of a curve are behind cards that it does not join.
fn hidden(curve: &Curve, others: &[Area]) -> f64 {
    let behind = |(x, y): (f64, f64)| {
        others.iter().any(|own| {
            (x - own.middle.0).abs() < own.half.0 && (y - own.middle.1).abs() < own.half.1
        })
    };
    points(curve).filter(|point| behind(*point)).map(|_| 1.0).sum()
}

/// How many other arrows have nearly the same middle.
fn beside<'a>(curve: &Curve, others: impl Iterator<Item = &'a Arrow>) -> f64 {
    let middle = along(curve, 0.5);
    let near = others.filter(|other| {
        let its = along(&other.curve, 0.5);
        (its.0 - middle.0).hypot(its.1 - middle.1) < 12.0
    });
    near.map(|_| 1.0).sum()
}

/// The best place of a label, and how much it has in common with others and with cards.
fn label<'a>(
    curve: &Curve,
    half: (f64, f64),
    labels: &[Area],
    cards: impl Iterator<Item = &'a Card>,
) -> ((f64, f64), f64) {
    let taken: Vec<Area> = labels.iter().copied().chain(cards.map(area)).collect();
    let found = PLACES.iter().map(|place| {
        let own = Area { middle: along(curve, *place), half };
        let crowd: f64 = taken.iter().map(|other| common(&own, other)).sum();
        (own.middle, crowd + (place - 0.5).abs() * 20.0)
    });
    let best = found.min_by(|one, other| one.1.total_cmp(&other.1));
    best.unwrap_or(((0.0, 0.0), 0.0))
}

/// How much of one area is in another, in pixels.
fn common(one: &Area, other: &Area) -> f64 {
    let across = one.half.0 + other.half.0 - (one.middle.0 - other.middle.0).abs();
    let down = one.half.1 + other.half.1 - (one.middle.1 - other.middle.1).abs();
    across.max(0.0) * down.max(0.0)
}

/// From card to card, bent to the left of its direction.
fn curve(from: &Card, to: &Card, aside: f64) -> Curve {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let length = dx.hypot(dy).max(1.0);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn card(x: f64, y: f64) -> Card {
        Card { x, y, width: 60.0, height: 30.0 }
    }

    #[test]
    fn an_arrow_passes_beside_a_card_that_is_in_its_way() {
        let (start, end, between) = (card(0.0, 0.0), card(0.0, 300.0), area(&card(4.0, 150.0)));
        let straight = curve(&start, &end, 16.0);
        assert!(hidden(&straight, &[between]) > 0.0);
        let free = DETOURS
            .iter()
            .find(|detour| hidden(&curve(&start, &end, 16.0 + **detour), &[between]) < 0.5);
        assert!(free.is_some());
    }

    #[test]
    fn a_label_avoids_another_one() {
        let path = curve(&card(0.0, 0.0), &card(0.0, 300.0), 16.0);
        let half = (30.0, HALF_LABEL);
        let (first, _) = label(&path, half, &[], [].iter());
        let taken = Area { middle: first, half };
        let (second, _) = label(&path, half, &[taken], [].iter());
        assert!(common(&Area { middle: second, half }, &taken) < 1.0, "{first:?} {second:?}");
    }
}
