//! A directed graph as SVG, in layers from left to right.

use super::arrange::width;
use super::arrows::arrow_head;
use super::layered::{Box, layers};
use super::markup::Markup;
use super::state_picture::round;

/// A node of a graph.
#[derive(Clone, Debug)]
pub struct GraphNode {
    /// What is written in it.
    pub label: String,
    /// What is shown when it is pointed at.
    pub hint: String,
    /// How it looks: classes of the page's style.
    pub class: &'static str,
    /// The column it belongs to.
    pub column: usize,
}

/// An arrow of a graph, by the positions of its nodes.
#[derive(Clone, Debug)]
pub struct GraphArrow {
    /// Where it begins.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// What is shown when it is pointed at.
    pub hint: String,
    /// How it looks: classes of the page's style.
    pub class: &'static str,
}

const HEIGHT: f64 = 24.0;
const MARGIN: f64 = 16.0;

/// The width of a page.
const ROOM: f64 = 1000.0;

/// A wider graph is not made smaller to fit the page: one scrolls.
const WIDEST: f64 = 1400.0;

/// With more arrows than that, lines are faint until a node is pointed at.
const CALM: usize = 40;

/// A graph. `id` is unique on the page.
pub fn graph(id: &str, nodes: &[GraphNode], arrows: &[GraphArrow]) -> Markup {
    let boxes: Vec<Box> = nodes
        .iter()
        .map(|node| Box {
            width: (width(&node.label) + 16.0).max(HEIGHT),
            height: HEIGHT,
            column: node.column,
        })
        .collect();
    let edges: Vec<(usize, usize)> = arrows.iter().map(|arrow| (arrow.from, arrow.to)).collect();
    let mut centres = layers(&boxes, &edges);
    let left = extreme(&centres, &boxes, f64::min, |centre, own| centre.0 - own.width / 2.0);
    let top = extreme(&centres, &boxes, f64::min, |centre, own| centre.1 - own.height / 2.0);
    // A high graph has room at its sides.
    let right = extreme(&centres, &boxes, f64::max, |centre, own| centre.0 + own.width / 2.0);
    let bottom = extreme(&centres, &boxes, f64::max, |centre, own| centre.1 + own.height / 2.0);
    let stretch = ((bottom - top) / (right - left).max(1.0)).min(ROOM / (right - left).max(1.0));
    let stretch = stretch.clamp(1.0, 3.0);
    for centre in &mut centres {
        *centre = ((centre.0 - left) * stretch + MARGIN, centre.1 - top + MARGIN + 8.0);
    }
    let wide = extreme(&centres, &boxes, f64::max, |centre, own| centre.0 + own.width / 2.0);
    let high = extreme(&centres, &boxes, f64::max, |centre, own| centre.1 + own.height / 2.0);
    // What goes back runs above the middle.
    let rises = arrows.iter().map(|arrow| {
        let (from, to) = (centres[arrow.from], centres[arrow.to]);
        from.1.min(to.1) - HEIGHT / 2.0 - rise((from.0 - to.0).max(0.0))
    });
    let roof = rises.fold(0.0, f64::min).floor();
    let mut class = String::from("graph");
    class.push_str(if wide > WIDEST { " wide" } else { "" });
    class.push_str(if arrows.len() > CALM { " busy" } else { "" });
    let (wide, high) = (round(wide + MARGIN + 8.0), round(high + MARGIN - roof));
    let mut out = Markup::new();
    let attributes: super::markup::Attributes<'_> = &[
        ("class", &class),
        ("id", &id),
        ("viewBox", &format!("0 {roof:.0} {wide} {high}")),
        ("width", &wide),
        ("height", &high),
        ("role", &"img"),
    ];
    out.element("svg", attributes, |svg| {
        for arrow in arrows {
            let (from, to) = (arrow.from, arrow.to);
            line(svg, arrow, (centres[from], &boxes[from]), (centres[to], &boxes[to]));
        }
        for (position, ((node, own), centre)) in nodes.iter().zip(&boxes).zip(&centres).enumerate()
        {
            draw(svg, position, node, own, *centre);
        }
    });
    out
}

fn extreme(
    centres: &[(f64, f64)],
    boxes: &[Box],
    pick: fn(f64, f64) -> f64,
    end: fn(&(f64, f64), &Box) -> f64,
) -> f64 {
    centres.iter().zip(boxes).map(|(centre, own)| end(centre, own)).reduce(pick).unwrap_or(0.0)
}

fn draw(svg: &mut Markup, position: usize, node: &GraphNode, own: &Box, centre: (f64, f64)) {
    let class = format!("node {}", node.class);
    svg.element("g", &[("class", &class), ("data-n", &position)], |group| {
        group.leaf("title", &[], &node.hint);
        group.empty(
            "rect",
            &[
                ("x", &round(centre.0 - own.width / 2.0)),
                ("y", &round(centre.1 - own.height / 2.0)),
                ("width", &round(own.width)),
                ("height", &round(own.height)),
                ("rx", &"8"),
            ],
        );
        let (x, y) = (round(centre.0), round(centre.1 + 4.0));
        group.leaf("text", &[("x", &x), ("y", &y)], &node.label);
    });
}

/// A curve as a path.
pub(super) fn cubic([begin, one, other, end]: [(f64, f64); 4]) -> String {
    format!(
        "M{:.1} {:.1}C{:.1} {:.1} {:.1} {:.1} {:.1} {:.1}",
        begin.0, begin.1, one.0, one.1, other.0, other.1, end.0, end.1
    )
}

/// How far an arrow that goes back bends upwards.
fn rise(across: f64) -> f64 {
    (across / 6.0).min(60.0)
}

/// A curve that leaves to the right and arrives from the left; one within a column stays at its
/// right, and one that goes back leaves to the left, above the middle.
fn line(
    svg: &mut Markup,
    arrow: &GraphArrow,
    (from, start): ((f64, f64), &Box),
    (to, end): ((f64, f64), &Box),
) {
    let (curve, before) = if arrow.from == arrow.to {
        let (x, y) = (from.0, from.1 - start.height / 2.0);
        let curve = [(x - 6.0, y), (x - 14.0, y - 16.0), (x + 14.0, y - 16.0), (x + 6.0, y)];
        (curve, (x + 9.0, y - 8.0))
    } else if to.0 > from.0 + 1.0 {
        let (begin, tip) =
            ((from.0 + start.width / 2.0, from.1), (to.0 - end.width / 2.0 - 1.0, to.1));
        let reach = ((tip.0 - begin.0) / 2.0).max(18.0);
        let curve = [begin, (begin.0 + reach, begin.1), (tip.0 - reach, tip.1), tip];
        (curve, (tip.0 - 10.0, tip.1))
    } else if to.0 > from.0 - 1.0 {
        let (begin, tip) =
            ((from.0 + start.width / 2.0, from.1), (to.0 + end.width / 2.0 + 1.0, to.1));
        let aside = begin.0.max(tip.0) + 20.0 + (tip.1 - begin.1).abs() / 6.0;
        ([begin, (aside, begin.1), (aside, tip.1), tip], (tip.0 + 10.0, tip.1))
    } else {
        let begin = (from.0 - start.width / 2.0, from.1 - 5.0);
        let tip = (to.0 + end.width / 2.0 + 1.0, to.1 - 5.0);
        let across = begin.0 - tip.0;
        let (reach, above) = ((across / 2.0).max(18.0), rise(across));
        let last = (tip.0 + reach, tip.1 - above);
        ([begin, (begin.0 - reach, begin.1 - above), last, tip], last)
    };
    let tip = curve[3];
    let path = cubic(curve);
    let class = format!("edge {}", arrow.class);
    let ends: super::markup::Attributes<'_> =
        &[("class", &class), ("data-a", &arrow.from), ("data-b", &arrow.to)];
    svg.element("g", ends, |group| {
        group.leaf("title", &[], &arrow.hint);
        group.empty("path", &[("d", &path)]);
        group.empty("path", &[("class", &"head"), ("d", &arrow_head(before, tip))]);
    });
}
