//! Where elements stand: a band for each sort, in it an order from left to right, a ring as a ring.

use std::collections::BTreeMap;

use itertools::Itertools;

use super::film::{ElementId, Film, Item, ItemPlace};
use crate::analysis::RigidStructure;
use crate::logic::Value;
use crate::protocol::{SortId, State};

/// The width of a character of the fixed-width font, and the heights of lines, in pixels.
pub(super) const CHARACTER: f64 = 7.2;
/// The height of a badge.
pub(super) const BADGE: f64 = 18.0;
/// The height of an element's name.
pub(super) const HEAD: f64 = 24.0;

/// The space between bands, where nothing joins them, and where something does: the more, the
/// larger.
const BAND_GAP: f64 = 56.0;
const JOINED_GAP: f64 = 92.0;
const GAP_OF_ARROW: f64 = 10.0;
const WIDEST_GAP: f64 = 230.0;

/// No more sorts are tried in every order.
const MAX_SORTED: usize = 6;

/// The space between neighbours is never smaller or larger.
const NARROWEST: f64 = 36.0;
const WIDEST: f64 = 250.0;

/// The width of a text.
pub(super) fn width(text: &str) -> f64 {
    let characters = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
    f64::from(characters) * CHARACTER
}

/// A rectangle, by its centre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Card {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// A place for every element, and the size of the whole.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Arrangement {
    pub(super) cards: BTreeMap<ElementId, Card>,
    /// The sorts that stand in a ring, each with its centre and radii.
    pub(super) circles: Vec<(f64, f64, f64, f64)>,
    /// Bands that are orders: from where to where, and at which height.
    pub(super) axes: Vec<(f64, f64, f64)>,
    /// The name of each band, where it is written.
    pub(super) bands: Vec<(SortId, f64)>,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// How the elements of a sort stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// Side by side.
    Row,
    /// Side by side, in their order.
    Ordered,
    /// In a circle, because facts join many of them.
    Around,
    /// In their ring.
    Cyclic,
}

/// Arranges the elements of a film whose first state is given, below a margin.
pub(super) fn arrange(
    film: &Film,
    structure: &RigidStructure,
    state: &State,
    top: f64,
) -> Arrangement {
    let cards = film.elements.iter().flat_map(|(sort, names)| {
        (0..).zip(names).map(|(index, name)| ((*sort, index), card(film, (*sort, index), name)))
    });
    let mut all = Arrangement {
        cards: cards.collect(),
        circles: Vec::new(),
        axes: Vec::new(),
        bands: Vec::new(),
        width: 0.0,
        height: top,
    };
    let mut gap_below = 0.0;
    let bands = bands(film);
    for (row, sort) in bands.iter().enumerate() {
        gap_below = gap_between(film, bands.split_at(row + 1));
        let (standing, order) = standing(film, structure, state, *sort);
        all.bands.push((*sort, all.height));
        match standing {
            Standing::Row | Standing::Ordered => all.row(film, &order, standing),
            Standing::Around | Standing::Cyclic => all.circle(film, &order, standing),
        }
        all.height += gap_below;
    }
    all.height -= gap_below;
    all.centre(film);
    all
}

fn card(film: &Film, element: ElementId, name: &str) -> Card {
    let (mut widest, mut height) = (width(name), HEAD);
    for (badge, row) in film.rows(element) {
        widest = widest.max(width(&film.items[badge].label) + 8.0);
        height = height.max(HEAD + BADGE * f64::from(u32::try_from(row + 1).unwrap_or(u32::MAX)));
    }
    let padding = if height > HEAD { 6.0 } else { 2.0 };
    Card { x: 0.0, y: 0.0, width: (widest + 16.0).max(48.0), height: height + padding }
}

fn standing(
    film: &Film,
    structure: &RigidStructure,
    state: &State,
    sort: SortId,
) -> (Standing, Vec<ElementId>) {
    let count = film.elements.get(&sort).map_or(0, Vec::len);
    let mut elements: Vec<u32> = (0..u32::try_from(count).unwrap_or(u32::MAX)).collect();
    let holds = |symbol, args: &[u32]| {
        let args: Vec<Value> = args.iter().map(|index| Value::Element(*index)).collect();
        let table = state.tables.get(&symbol);
        table.and_then(|table| table.get(&args)) == Some(Value::Bool(true))
    };
    let cyclic = structure.cyclic_orders.iter().find(|order| order.sort == sort);
    let order = structure.orders.iter().find(|order| order.sort == sort);
    let standing = if let Some(cyclic) = cyclic.filter(|_| count > 2) {
        let before = |one: u32| {
            let others = elements.iter().filter(|other| **other != one);
            others.filter(|other| holds(cyclic.relation, &[0, **other, one])).count()
        };
        let place = |one: u32| if one == 0 { 0 } else { 1 + before(one) };
        elements = sorted(&elements, place);
        Standing::Cyclic
    } else if let Some(order) = order {
        let below = |one: u32| {
            let others = elements.iter().filter(|other| **other != one);
            others.filter(|other| holds(order.relation, &[**other, one])).count()
        };
        elements = sorted(&elements, below);
        Standing::Ordered
    } else if count > 2 && film.items.iter().any(|item| joins(item.place, sort)) {
        Standing::Around
    } else {
        Standing::Row
    };
    (standing, elements.into_iter().map(|index| (sort, index)).collect())
}

fn sorted(elements: &[u32], place: impl Fn(u32) -> usize) -> Vec<u32> {
    let mut placed: Vec<(usize, u32)> = elements.iter().map(|one| (place(*one), *one)).collect();
    placed.sort_unstable();
    placed.into_iter().map(|(_, one)| one).collect()
}

/// The sorts in the order in which arrows between them are shortest; the first such order.
fn bands(film: &Film) -> Vec<SortId> {
    let sorts: Vec<SortId> = film.elements.keys().copied().collect();
    if sorts.len() > MAX_SORTED {
        return sorts;
    }
    let length = |order: &Vec<SortId>| -> usize {
        let place = |sort| order.iter().position(|own| *own == sort).unwrap_or(0);
        let lengths = film.items.iter().map(|item| match item.place {
            ItemPlace::Between(from, to) => place(from.0).abs_diff(place(to.0)),
            ItemPlace::Global | ItemPlace::On(_) => 0,
        });
        lengths.sum()
    };
    sorts.iter().copied().permutations(sorts.len()).min_by_key(length).unwrap_or(sorts)
}

/// The space between bands that are above and others that are below.
fn gap_between(film: &Film, (above, below): (&[SortId], &[SortId])) -> f64 {
    let crosses = |one: SortId, other: SortId| above.contains(&one) && below.contains(&other);
    let crossing = film.items.iter().filter(|item| {
        matches!(item.place, ItemPlace::Between(from, to)
            if crosses(from.0, to.0) || crosses(to.0, from.0))
    });
    let space: f64 = crossing.map(|_| GAP_OF_ARROW).sum();
    if space > 0.0 { (JOINED_GAP + space).min(WIDEST_GAP) } else { BAND_GAP }
}

fn joins(place: ItemPlace, sort: SortId) -> bool {
    matches!(place, ItemPlace::Between(from, to) if from.0 == sort && to.0 == sort)
}

impl Arrangement {
    /// The space between neighbours: enough for the labels of what joins them.
    fn gap(film: &Film, sort: Option<SortId>) -> f64 {
        let label = |item: &Item| match item.place {
            ItemPlace::Between(from, to) if from.0 == to.0 && Some(from.0) == sort => {
                width(&item.label) + 34.0
            }
            ItemPlace::Between(from, to) if Some(from.0) == sort || Some(to.0) == sort => {
                width(&item.label) * 0.8
            }
            _ => 0.0,
        };
        film.items.iter().map(label).fold(NARROWEST, f64::max).min(WIDEST)
    }

    fn size(&self, order: &[ElementId]) -> (f64, f64) {
        let cards = order.iter().filter_map(|element| self.cards.get(element));
        cards.fold((0.0, 0.0), |(w, h), card| (card.width.max(w), card.height.max(h)))
    }

    fn row(&mut self, film: &Film, order: &[ElementId], standing: Standing) {
        let gap = Self::gap(film, order.first().map(|element| element.0));
        let (_, tallest) = self.size(order);
        let mut x = 0.0;
        for element in order {
            if let Some(card) = self.cards.get_mut(element) {
                card.x = x + card.width / 2.0;
                card.y = self.height + tallest / 2.0;
                x += card.width + gap;
            }
        }
        if standing == Standing::Ordered && order.len() > 1 {
            self.axes.push((0.0, x - gap, self.height + tallest + 8.0));
            self.height += 12.0;
        }
        self.height += tallest;
        self.width = self.width.max(x - gap);
    }

    fn circle(&mut self, film: &Film, order: &[ElementId], standing: Standing) {
        let gap = Self::gap(film, order.first().map(|element| element.0));
        let (widest, tallest) = self.size(order);
        let count = f64::from(u32::try_from(order.len()).unwrap_or(u32::MAX));
        let across = ((widest + gap) * count / std::f64::consts::TAU).max((widest + gap) / 1.8);
        let down = (across * 0.62).max((tallest + 46.0) * count / 5.0);
        let (centre_x, centre_y) = (across + widest / 2.0, self.height + down + tallest / 2.0);
        for (position, element) in order.iter().enumerate() {
            let turn = f64::from(u32::try_from(position).unwrap_or(u32::MAX)) / count;
            let angle = std::f64::consts::TAU * turn - std::f64::consts::FRAC_PI_2;
            if let Some(card) = self.cards.get_mut(element) {
                card.x = centre_x + across * angle.cos();
                card.y = centre_y + down * angle.sin();
            }
        }
        let cards = order.iter().filter_map(|element| self.cards.get(element));
        self.height = cards.map(|card| card.y + card.height / 2.0).fold(0.0, f64::max);
        if standing == Standing::Cyclic {
            self.circles.push((centre_x, centre_y, across, down));
            self.height = self.height.max(centre_y + down + 4.0);
        }
        self.width = self.width.max(2.0 * across + widest);
    }

    /// Moves every band to the middle, with a margin.
    fn centre(&mut self, film: &Film) {
        let is_label = |item: &&Item| matches!(item.place, ItemPlace::Between(..));
        let labels = film.items.iter().filter(is_label).map(|item| width(&item.label) / 2.0);
        let margin = 24.0 + labels.fold(0.0, f64::max).min(WIDEST / 2.0);
        for sort in film.elements.keys() {
            let own = self.cards.iter().filter(|((of, _), _)| of == sort);
            let ends = own.map(|(_, card)| (card.x - card.width / 2.0, card.x + card.width / 2.0));
            let (low, high) = ends.fold((f64::MAX, f64::MIN), |(low, high), (left, right)| {
                (low.min(left), high.max(right))
            });
            let shift = margin + (self.width - (high - low)) / 2.0 - low;
            for (_, card) in self.cards.iter_mut().filter(|((of, _), _)| of == sort) {
                card.x += shift;
            }
            let (top, bottom) = self.extent_of(*sort);
            for circle in self.circles.iter_mut().filter(|own| top < own.1 && own.1 < bottom) {
                circle.0 += shift;
            }
            for axis in self.axes.iter_mut().filter(|own| top < own.2 && own.2 < bottom + 20.0) {
                axis.0 += shift;
                axis.1 += shift;
            }
        }
        self.width += 2.0 * margin;
        self.height += 24.0;
    }

    fn extent_of(&self, sort: SortId) -> (f64, f64) {
        let own = self.cards.iter().filter(|((of, _), _)| *of == sort);
        own.fold((f64::MAX, f64::MIN), |(top, bottom), (_, card)| {
            (top.min(card.y - card.height / 2.0), bottom.max(card.y + card.height / 2.0))
        })
    }
}
