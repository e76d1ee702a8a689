//! A cutoff as a picture: which elements of a large instance become which of the small one.

use super::arrange::width;
use super::arrows::arrow_head;
use super::graph::cubic;
use super::markup::Markup;
use super::state_picture::round;
use crate::certificate::{Case, CutSort, ProductNames, ProductSymbol, ProductTerm, TwoSystems};
use crate::logic::{Body, Declarations, Formula, FormulaKind, TermKind, print_formula, print_term};

/// Elements of `L` that become one element of `C`.
struct Branch {
    /// Which they are.
    elements: Source,
    /// What they become, as text.
    image: String,
    /// The position of that element, if it is a named one.
    target: Option<usize>,
}

/// Elements of `L`.
enum Source {
    /// One, which a parameter names.
    Named(String),
    /// All with a property.
    Such(String),
    /// All others.
    Others(String),
}

impl Source {
    fn text(&self) -> &str {
        match self {
            Source::Named(text) | Source::Such(text) | Source::Others(text) => text,
        }
    }
}

const ROW: f64 = 46.0;
const LEFT: f64 = 24.0;
const HEIGHT: f64 = 28.0;

/// The map of a case, sort by sort. `names` are those of one of its obligations.
pub fn cutoff_picture(case: &Case, names: &ProductNames) -> Markup {
    let signature = &names.signature;
    let mut body = Markup::new();
    let (mut y, mut wide) = (30.0, 420.0_f64);
    let of_cut = |cut| branches(cut, names, signature.sort_name(cut.sort));
    let all: Vec<(&CutSort, Vec<Branch>)> = case.cut.iter().map(|cut| (cut, of_cut(cut))).collect();
    let texts = all.iter().flat_map(|(_, branches)| branches);
    let left = texts.map(|branch| width(branch.elements.text()) + 24.0).fold(90.0, f64::max);
    for (cut, branches) in &all {
        let sort = signature.sort_name(cut.sort);
        wide = wide.max(sort_picture(&mut body, (sort, cut), branches, y, left));
        let rows = branches.len().max(cut.elements.len());
        y += ROW * f64::from(u32::try_from(rows).unwrap_or(u32::MAX)) + 30.0;
    }
    for sort in case.uncut() {
        let name = signature.sort_name(sort);
        let fixed = case.small.fixed_size(sort).is_some();
        let text = if fixed {
            "an enumeration: the same in L and C"
        } else {
            "not cut: C has the same elements as L"
        };
        body.leaf("text", &[("class", &"band"), ("x", &8), ("y", &round(y - 12.0))], name);
        body.leaf("text", &[("class", &"note"), ("x", &LEFT), ("y", &round(y + 8.0))], text);
        y += 46.0;
    }
    let mut out = Markup::new();
    let (wide, high) = (round(wide), round(y - 30.0));
    let attributes: super::markup::Attributes<'_> = &[
        ("class", &"cutoff"),
        ("viewBox", &format!("0 0 {wide} {high}")),
        ("width", &wide),
        ("height", &high),
        ("role", &"img"),
    ];
    out.element("svg", attributes, |svg| svg.append(&body));
    out
}

/// Draws one sort; how wide it is.
fn sort_picture(
    svg: &mut Markup,
    (sort, cut): (&str, &CutSort),
    branches: &[Branch],
    top: f64,
    left_width: f64,
) -> f64 {
    let images = cut.elements.iter().map(|element| width(element) + 24.0);
    let right_width = images.fold(60.0, f64::max);
    let right = LEFT + left_width + 130.0;
    let header = |svg: &mut Markup, x: f64, text: &str| {
        svg.leaf("text", &[("class", &"band"), ("x", &round(x)), ("y", &round(top - 12.0))], text);
    };
    header(svg, 8.0, &format!("{sort} in L, any number"));
    header(svg, right, &format!("{sort} in C, {}", cut.elements.len()));
    let rows = branches.len().max(cut.elements.len());
    let shift =
        |count: usize| f64::from(u32::try_from(rows - count).unwrap_or(u32::MAX)) * ROW / 2.0;
    let row = |index: usize, count: usize| {
        top + shift(count)
            + ROW * f64::from(u32::try_from(index).unwrap_or(u32::MAX))
            + HEIGHT / 2.0
    };
    let mut reach = right + right_width + 24.0;
    for (index, branch) in branches.iter().enumerate() {
        let y = row(index, branches.len());
        let (class, copies) = match branch.elements {
            Source::Named(_) => ("pin", 1),
            Source::Such(_) => ("such", 3),
            Source::Others(_) => ("others", 3),
        };
        svg.element("g", &[("class", &class)], |group| {
            for copy in (0..copies).rev() {
                let aside = f64::from(copy) * 4.0;
                rounded(group, (LEFT + aside, y - HEIGHT / 2.0 + aside), left_width);
            }
            let x = round(LEFT + left_width / 2.0);
            group.leaf("text", &[("x", &x), ("y", &round(y + 4.0))], branch.elements.text());
        });
        let begin = (LEFT + left_width + 12.0, y);
        let end = match branch.target {
            Some(target) => (right - 3.0, row(target, cut.elements.len())),
            None => {
                svg.leaf(
                    "text",
                    &[("class", &"note"), ("x", &round(right)), ("y", &round(y + 4.0))],
                    &branch.image,
                );
                reach = reach.max(right + width(&branch.image) + 24.0);
                (right - 6.0, y)
            }
        };
        arrow(svg, begin, end);
    }
    for (index, element) in cut.elements.iter().enumerate() {
        let y = row(index, cut.elements.len());
        svg.element("g", &[("class", &"image")], |group| {
            rounded(group, (right, y - HEIGHT / 2.0), right_width);
            let x = round(right + right_width / 2.0);
            group.leaf("text", &[("x", &x), ("y", &round(y + 4.0))], element);
        });
    }
    reach
}

fn arrow(svg: &mut Markup, from: (f64, f64), to: (f64, f64)) {
    let reach = (to.0 - from.0) / 2.0;
    let path = cubic([from, (from.0 + reach, from.1), (to.0 - reach, to.1), to]);
    svg.element("g", &[("class", &"edge")], |group| {
        group.empty("path", &[("d", &path)]);
        group.empty("path", &[("class", &"head"), ("d", &arrow_head((to.0 - 10.0, to.1), to))]);
    });
}

fn rounded(svg: &mut Markup, (x, y): (f64, f64), wide: f64) {
    svg.empty(
        "rect",
        &[
            ("x", &round(x)),
            ("y", &round(y)),
            ("width", &round(wide)),
            ("height", &HEIGHT),
            ("rx", &"9"),
        ],
    );
}

/// The branches of a simulation map, in the order in which they are tried.
fn branches(cut: &CutSort, names: &ProductNames, sort: &str) -> Vec<Branch> {
    let Body::Term(term) = &cut.sim.body else { return Vec::new() };
    let mut branches = Vec::new();
    let mut rest = term;
    while let TermKind::If(condition, then, otherwise) = rest.kind() {
        branches.push(branch(cut, names, source(cut, names, condition), then));
        rest = otherwise;
    }
    let others =
        if branches.is_empty() { format!("every {sort}") } else { format!("every other {sort}") };
    branches.push(branch(cut, names, Source::Others(others), rest));
    branches
}

fn branch(cut: &CutSort, names: &ProductNames, elements: Source, image: &ProductTerm) -> Branch {
    let target = match image.kind() {
        TermKind::Apply(ProductSymbol::Element(sort, index), args, _)
            if *sort == cut.sort && args.is_empty() =>
        {
            Some(*index as usize)
        }
        _ => None,
    };
    Branch { elements, image: print_term(names as &dyn Declarations<TwoSystems>, image), target }
}

/// `n = a` is the one element `a`; anything else describes many.
fn source(cut: &CutSort, names: &ProductNames, condition: &Formula<TwoSystems>) -> Source {
    let is_own = |term: &ProductTerm| matches!((term.kind(), cut.sim.params.first()), (TermKind::Var(var), Some(own)) if var == own);
    let named = |term: &ProductTerm| {
        let is_fixed = matches!(term.kind(), TermKind::Apply(_, args, _) if args.iter().all(|arg| !is_own(arg)));
        is_fixed.then(|| print_term(names as &dyn Declarations<TwoSystems>, term))
    };
    if let FormulaKind::Equal(left, right) = condition.kind() {
        let one = if is_own(left) { named(right) } else { None };
        if let Some(name) = one.or_else(|| if is_own(right) { named(left) } else { None }) {
            return Source::Named(name);
        }
    }
    let text = print_formula(names as &dyn Declarations<TwoSystems>, condition);
    let own = cut.sim.params.first().map_or("", |own| &*own.name);
    Source::Such(format!("{own} with {text}"))
}
