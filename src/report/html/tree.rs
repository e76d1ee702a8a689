//! The tree of a proof: what the verdict follows from, down to the obligations.

use super::proof::Numbered;
use crate::certificate::{Case, Certificate, ObligationKind, ProofArgument};
use crate::judge::{CaseJudgement, FiniteResult, Judged, Judgement, Verdict};
use crate::picture::Markup;
use crate::protocol::{PropertyKind, Protocol};
use crate::report::text::check::closing;
use crate::report::text::check::obligation_table::mark;
use crate::smt::Discharge;

/// The class of an obligation, which colours it.
pub(super) fn mark_class(judged: &Judged) -> &'static str {
    match &judged.discharge {
        Discharge::Valid => "good",
        Discharge::Refuted(_) => "bad",
        Discharge::Unknown(_) if judged.is_unchecked() => "idle",
        Discharge::Unknown(_) => "open",
    }
}

/// A mark that leads to its obligation.
pub(super) fn link(out: &mut Markup, number: usize, judged: &Judged) {
    let (target, class, title) =
        (format!("#o{number}"), mark_class(judged), judged.obligation.title());
    out.leaf("a", &[("href", &target), ("class", &class), ("title", &title)], mark(judged));
}

/// The whole tree.
pub(super) fn tree(
    protocol: &Protocol,
    certificate: &Certificate,
    judgement: &Judgement,
    all: &Numbered<'_>,
) -> Markup {
    let mut out = Markup::new();
    for problem in &judgement.problems {
        out.leaf("p", &[("class", &"failure")], problem);
    }
    out.element("ul", &[("class", &"tree")], |tree| {
        for (position, property) in certificate.large.properties.iter().enumerate() {
            tree.element("li", &[], |item| {
                let kind = match property.kind {
                    PropertyKind::Safety => "safety ",
                    PropertyKind::Lemma => "lemma ",
                };
                item.text(kind);
                item.leaf("code", &[], &property.name);
                item.element("ul", &[], |inner| match &certificate.argument {
                    ProofArgument::Cutoff(cases) => {
                        let about = |kind: &ObligationKind| matches!(kind, ObligationKind::Cover { property: own } if *own == property.name);
                        group(inner, "every violation falls under one of the cases", all, None, &about);
                        let cases = cases.iter().zip(&judgement.cases);
                        for (case, judged) in cases.filter(|(case, _)| case.property == position) {
                            of_case(inner, protocol, case, judged, all);
                        }
                    }
                    ProofArgument::Invariant(_) => {
                        let about = |kind: &ObligationKind| matches!(kind, ObligationKind::Implication { property: own } if *own == property.name);
                        group(inner, "follows from the invariant", all, None, &about);
                    }
                });
            });
        }
        if let ProofArgument::Invariant(_) = &certificate.argument {
            tree.element("li", &[], |item| {
                item.text("the invariant");
                item.element("ul", &[], |inner| invariant(inner, all, None));
            });
        }
    });
    out
}

fn of_case(
    out: &mut Markup,
    protocol: &Protocol,
    case: &Case,
    judged: &CaseJudgement,
    all: &Numbered<'_>,
) {
    out.element("li", &[], |item| {
        item.text("cutoff ");
        let sizes = case.cut.iter().map(|cut| {
            format!("{}={}", protocol.signature.sort_name(cut.sort), cut.elements.len())
        });
        let sizes = sizes.collect::<Vec<_>>().join(", ");
        item.leaf("a", &[("href", &format!("#case-{}", case.name))], &case.name);
        item.text(if sizes.is_empty() { String::new() } else { format!(": {sizes}") });
        item.element("ul", &[], |inner| {
            let name = Some(&*case.name);
            let mut part = |title: &str, about: &dyn Fn(&ObligationKind) -> bool| {
                group(inner, title, all, name, about);
            };
            part("the axioms hold in C", &|kind| matches!(kind, ObligationKind::Rigid { .. }));
            part("C starts in an initial state", &|kind| {
                matches!(kind, ObligationKind::StartInit { .. })
            });
            part("gamma holds at the start", &|kind| {
                matches!(kind, ObligationKind::StartGamma { .. })
            });
            part("C can make its moves", &|kind| matches!(kind, ObligationKind::Enabled { .. }));
            part("every step keeps gamma", &|kind| matches!(kind, ObligationKind::Keeps { .. }));
            part("a violation in L is one in C", &|kind| {
                matches!(kind, ObligationKind::Safety { .. })
            });
            inner.element("li", &[], |finite| {
                let (class, sign) = match &judged.finite {
                    closed if closed.is_closed() => ("good", '✓'),
                    FiniteResult::Searched(_, Verdict::Unsafe(_)) => ("bad", '✗'),
                    FiniteResult::NotAsked => ("idle", '·'),
                    _ => ("open", '?'),
                };
                finite.leaf("span", &[("class", &format!("sign {class}"))], sign);
                finite.text(format!(" C is safe: {}", closing(protocol, &judged.finite)));
                if !judged.finite.obligations().is_empty() {
                    finite.element("ul", &[], |inner| invariant(inner, all, name));
                }
            });
        });
    });
}

fn invariant(out: &mut Markup, all: &Numbered<'_>, case: Option<&str>) {
    group(out, "holds initially", all, case, &|kind| {
        matches!(kind, ObligationKind::Initiation { .. })
    });
    group(out, "is kept by every action", all, case, &|kind| {
        matches!(kind, ObligationKind::Consecution { .. })
    });
    if case.is_some() {
        group(out, "implies what is claimed of C", all, case, &|kind| {
            matches!(kind, ObligationKind::Implication { .. })
        });
    }
}

/// The obligation with the worst mark; the first of several.
pub(super) fn worst<'a, 'b>(
    own: impl Iterator<Item = &'b (usize, &'a Judged)>,
) -> Option<&'b (usize, &'a Judged)>
where
    'a: 'b,
{
    let order = ["bad", "open", "idle", "good"];
    own.min_by_key(|(_, judged)| order.iter().position(|class| *class == mark_class(judged)))
}

/// Obligations of one kind: a line with the worst mark and their number.
fn group(
    out: &mut Markup,
    title: &str,
    all: &Numbered<'_>,
    case: Option<&str>,
    about: &dyn Fn(&ObligationKind) -> bool,
) {
    let own: Vec<_> = all
        .iter()
        .filter(|(_, judged)| {
            judged.obligation.case.as_deref() == case && about(&judged.obligation.kind)
        })
        .collect();
    if own.is_empty() {
        return;
    }
    out.element("li", &[], |item| {
        if let Some((number, judged)) = worst(own.iter().copied()) {
            let class = format!("sign {}", mark_class(judged));
            item.leaf("span", &[("class", &class)], mark(judged));
            item.text(format!(" {title}: "));
            let failed: Vec<_> = own.iter().filter(|(_, own)| !own.is_valid()).collect();
            let valid = own.len() - failed.len();
            let text = format!("{valid} of {}", own.len());
            item.leaf("a", &[("href", &format!("#o{number}"))], text);
        }
    });
}
