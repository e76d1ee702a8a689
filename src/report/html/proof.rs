//! A proof: its tree, its cutoffs as pictures, its clauses, and every obligation.

use std::collections::BTreeMap;

use itertools::Itertools;

use super::tree::{link, mark_class, tree, worst};
use super::{Section, Story, counterexample};
use crate::certificate::{
    Case, CaseOutline, Certificate, Labelled, ProofArgument, outline_certificate,
};
use crate::judge::{CaseJudgement, Judged, Judgement};
use crate::logic::{Declarations, print_formula};
use crate::picture::{Markup, cutoff_picture};
use crate::report::text::check::closing;
use crate::report::text::check::obligation_table::{ENABLED, MarkPlace, mark, place};
use crate::report::text::counts::count;
use crate::smt::Discharge;

/// Longer formulas are cut off.
const MAX_FORMULA: usize = 4_000;

/// Longer names of clauses are cut off where they stand above a column.
const MAX_HEAD: usize = 40;

/// More obligations are listed in groups.
const MAX_FLAT: usize = 24;

/// Every obligation with its number on the page.
pub(super) type Numbered<'a> = Vec<(usize, &'a Judged)>;

/// The sections about a proof.
pub(super) fn sections(
    story: &Story<'_>,
    certificate: &Certificate,
    judgement: &Judgement,
) -> Vec<Section> {
    let all: Numbered<'_> = judgement.obligations().enumerate().collect();
    let outline = outline_certificate(story.protocol, certificate);
    let mut parts = vec![Section {
        id: "proof",
        title: "The proof",
        body: tree(story.protocol, certificate, judgement, &all),
    }];
    if let ProofArgument::Cutoff(cases) = &certificate.argument {
        let mut body = Markup::new();
        let cases = cases.iter().zip(&judgement.cases).zip(&outline.cases);
        for ((case, judged), outline) in cases {
            body.append(&case_part(story, case, judged, outline, &all));
        }
        parts.push(Section { id: "cutoffs", title: "The cutoffs", body });
    }
    if let Some(clauses) = &outline.invariant {
        let mut body = clauses_table("invariant", clauses);
        matrix(&mut body, all.iter().copied().filter(|(_, own)| own.obligation.case.is_none()));
        parts.push(Section { id: "invariant", title: "The invariant", body });
    }
    if !outline.lemmas.is_empty() {
        let body = clauses_table("lemma", &outline.lemmas);
        parts.push(Section { id: "lemmas", title: "Lemmas of the certificate", body });
    }
    parts
}

/// Every obligation, to be opened from the tree and the matrix.
pub(super) fn every_obligation(
    story: &Story<'_>,
    certificate: &Certificate,
    judgement: &Judgement,
) -> Section {
    let all: Numbered<'_> = judgement.obligations().enumerate().collect();
    let body = obligations(story, certificate, &all);
    Section { id: "obligations", title: "Every obligation", body }
}

fn case_part(
    story: &Story<'_>,
    case: &Case,
    judged: &CaseJudgement,
    outline: &CaseOutline,
    all: &Numbered<'_>,
) -> Markup {
    let mut out = Markup::new();
    out.element("h3", &[("id", &format!("case-{}", case.name))], |title| {
        title.text("case ");
        title.leaf("code", &[], &case.name);
        title.text(" for ");
        title.leaf("code", &[], &outline.property);
    });
    let own =
        || all.iter().copied().filter(|(_, it)| it.obligation.case.as_ref() == Some(&case.name));
    let names = own().next().map(|(_, it)| it.obligation.names.clone());
    out.element("div", &[("class", &"pictures")], |row| {
        if let Some(names) = &names {
            row.element("figure", &[("class", &"keep")], |figure| {
                let caption = "Elements of any large instance L, and what each becomes in C";
                figure.leaf("figcaption", &[], caption);
                figure.append(&cutoff_picture(case, names));
            });
        }
        row.element("div", &[("class", &"beside")], |beside| {
            beside.leaf("h4", &[], "the small instance C");
            beside.leaf("p", &[], closing(story.protocol, &judged.finite));
            if !outline.select.is_empty() {
                beside.leaf("h4", &[], "the violations of this case");
                beside.leaf("pre", &[("class", &"wrap")], outline.select.join("\n"));
            }
            beside.leaf("h4", &[], "gamma: how the states of L and C are related");
            beside.append(&clauses_table("gamma", &outline.gamma));
        });
    });
    out.leaf("h4", &[], "lockstep: what C does when L takes a step");
    out.append(&lockstep(outline));
    out.leaf("h4", &[], "action × clause");
    matrix(&mut out, own());
    if let Some(close) = &outline.close {
        out.leaf("h4", &[], "the invariant that closes C");
        out.append(&clauses_table("close", close));
    }
    out
}

fn clauses_table(kind: &str, clauses: &[Labelled]) -> Markup {
    let mut out = Markup::new();
    if clauses.is_empty() {
        out.leaf("p", &[("class", &"note")], "none");
        return out;
    }
    out.element("div", &[("class", &"scroll")], |scroll| {
        scroll.element("table", &[("class", &"plain"), ("data-kind", &kind)], |table| {
            for clause in clauses {
                table.element("tr", &[], |row| {
                    row.element("td", &[], |cell| {
                        cell.leaf("code", &[], format!("[{}]", clause.name))
                    });
                    row.element("td", &[], |cell| cell.leaf("code", &[], &clause.formula));
                });
            }
        });
    });
    out
}

fn lockstep(outline: &CaseOutline) -> Markup {
    let mut out = Markup::new();
    out.element("div", &[("class", &"scroll")], |scroll| {
        scroll.element("table", &[("class", &"plain")], |table| {
            table.element("tr", &[], |row| {
                ["L does", "when", "C does"].iter().for_each(|head| row.leaf("th", &[], head));
            });
            for answer in &outline.lockstep {
                for alternative in &answer.alternatives {
                    let moves = alternative.moves.iter().map(|own| {
                        let tried =
                            if own.mode == crate::certificate::Mode::Try { "try " } else { "" };
                        format!("{tried}{}", applied(&own.action, &own.args))
                    });
                    let moves = moves.collect::<Vec<_>>().join("; ");
                    let moves = if moves.is_empty() { "nothing".to_owned() } else { moves };
                    let only = answer.alternatives.len() == 1;
                    let rest = if only { "" } else { "otherwise" };
                    let when = alternative.when.as_deref().unwrap_or(rest);
                    table.element("tr", &[], |row| {
                        for text in [&applied(&answer.action, &answer.params), when, &moves] {
                            row.element("td", &[], |cell| cell.leaf("code", &[], text));
                        }
                    });
                }
            }
        });
    });
    out
}

fn applied(name: &str, args: &[String]) -> String {
    if args.is_empty() { name.to_owned() } else { format!("{name}({})", args.join(", ")) }
}

/// A row for each action and a column for each clause; each cell leads to its obligation.
fn matrix<'a>(out: &mut Markup, own: impl Iterator<Item = (usize, &'a Judged)>) {
    let mut columns: Vec<String> = Vec::new();
    let mut rows: Vec<String> = Vec::new();
    let mut cells: BTreeMap<(usize, usize), Vec<(usize, &Judged)>> = BTreeMap::new();
    let index =
        |names: &mut Vec<String>, name: String| match names.iter().position(|known| *known == name)
        {
            Some(known) => known,
            None => {
                names.push(name);
                names.len() - 1
            }
        };
    for (number, judged) in own {
        if let MarkPlace::Cell(row, column) = place(&judged.obligation.kind) {
            let at = (index(&mut rows, row), index(&mut columns, column));
            cells.entry(at).or_default().push((number, judged));
        }
    }
    // What must be possible stands before what must be kept.
    let mut order: Vec<usize> = (0..columns.len()).collect();
    order.sort_by_key(|column| columns[*column] != ENABLED);
    out.element("div", &[("class", &"scroll")], |scroll| {
        scroll.element("table", &[("class", &"matrix")], |table| {
            table.element("thead", &[], |head| {
                head.element("tr", &[], |row| {
                    row.leaf("th", &[], "");
                    for column in &order {
                        let name = &columns[*column];
                        row.leaf("th", &[("title", name)], shortened(name.clone(), MAX_HEAD));
                    }
                });
            });
            table.element("tbody", &[], |body| {
                for (row_index, name) in rows.iter().enumerate() {
                    body.element("tr", &[], |row| {
                        row.leaf("th", &[], name);
                        for column in &order {
                            row.element("td", &[], |cell| {
                                let own = cells.get(&(row_index, *column));
                                own.into_iter()
                                    .flatten()
                                    .for_each(|(number, judged)| link(cell, *number, judged));
                            });
                        }
                    });
                }
            });
        });
    });
}

fn obligations(story: &Story<'_>, certificate: &Certificate, all: &Numbered<'_>) -> Markup {
    let mut out = Markup::new();
    let valid = all.iter().filter(|(_, judged)| judged.is_valid()).count();
    let whose = match &certificate.argument {
        ProofArgument::Cutoff(_) => "in all pairs of instances of any size",
        ProofArgument::Invariant(_) => "in all instances of any size",
    };
    let number = count(all.len(), "obligation");
    let text = format!("{valid} of {number} valid. Each is a formula that must hold {whose}.");
    out.leaf("p", &[("class", &"legend")], text);
    if all.len() <= MAX_FLAT {
        all.iter().for_each(|(number, own)| {
            out.append(&one_obligation(story, certificate, *number, own));
        });
        return out;
    }
    for (name, own) in &all.iter().chunk_by(|(_, judged)| group_name(judged)) {
        let own: Vec<_> = own.collect();
        let valid = own.iter().filter(|(_, judged)| judged.is_valid()).count();
        let Some((_, worst)) = worst(own.iter().copied()) else { continue };
        let mut attributes: Vec<(&'static str, &dyn std::fmt::Display)> = vec![("class", &"group")];
        if own.iter().any(|(_, judged)| is_failed(judged)) {
            attributes.push(("open", &""));
        }
        out.element("details", &attributes, |group| {
            group.element("summary", &[], |summary| {
                let class = format!("sign {}", mark_class(worst));
                summary.leaf("span", &[("class", &class)], mark(worst));
                summary.text(format!(" {name}"));
                let text = format!("{valid} of {}", own.len());
                summary.leaf("span", &[("class", &"note")], text);
            });
            for (number, judged) in own {
                group.append(&one_obligation(story, certificate, *number, judged));
            }
        });
    }
    out
}

/// `two_nodes: step fail` for all clauses that this step keeps.
fn group_name(judged: &Judged) -> String {
    let title = judged.obligation.title();
    match title.split_once(" / ") {
        Some((step, _)) => step.to_owned(),
        None => title.rsplit_once(' ').map_or(title.as_str(), |(kind, _)| kind).to_owned(),
    }
}

fn is_failed(judged: &Judged) -> bool {
    !judged.is_valid() && !judged.is_unchecked()
}

fn one_obligation(
    story: &Story<'_>,
    certificate: &Certificate,
    number: usize,
    judged: &Judged,
) -> Markup {
    let mut out = Markup::new();
    let obligation = &judged.obligation;
    let (class, id) = (mark_class(judged), format!("o{number}"));
    let mut attributes: Vec<(&'static str, &dyn std::fmt::Display)> =
        vec![("id", &id), ("class", &class)];
    if is_failed(judged) {
        attributes.push(("open", &""));
    }
    out.element("details", &attributes, |details| {
        details.element("summary", &[], |summary| {
            summary.leaf("span", &[("class", &"sign")], mark(judged));
            summary.text(format!(" {}", obligation.title()));
        });
        if let Discharge::Unknown(reason) = &judged.discharge {
            details.leaf("p", &[("class", &"note")], reason);
        }
        if let Discharge::Refuted(model) = &judged.discharge {
            details.append(&counterexample::part(story, certificate, number, obligation, model));
        }
        let names: &dyn Declarations<_> = &*obligation.names;
        let hypotheses = obligation.hypotheses.iter().map(|own| &*own.name);
        let hypotheses = hypotheses.collect::<Vec<_>>().join(", ");
        let hypotheses = if hypotheses.is_empty() { "nothing" } else { &hypotheses };
        details.leaf("h4", &[], "assumed");
        details.leaf("p", &[("class", &"mono note")], hypotheses);
        details.leaf("h4", &[], "to be shown");
        let goal = shortened(print_formula(names, &obligation.goal), MAX_FORMULA);
        details.leaf("pre", &[("class", &"wrap")], goal);
    });
    out
}

fn shortened(text: String, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
