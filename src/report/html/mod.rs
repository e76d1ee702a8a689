//! Results as one self-contained page: what was proved and why, with pictures.

mod backward;
mod counterexample;
mod page;
mod play;
mod proof;
mod run;
mod states;
mod story;
mod tree;

use crate::analysis::Facts;
use crate::certificate::Certificate;
use crate::finite::{Claim, ClaimViolation};
use crate::judge::Judgement;
use crate::picture::{Markup, SymbolWords};
use crate::play::StateGraph;
use crate::process::Described;
use crate::protocol::Protocol;
use crate::report::text::trace::own_words;
use crate::source::SourceFile;

pub use page::POLICY;
pub use play::{POLICY_OF_PLAY, play_page};
pub use story::{explored, proved, synthesized};

/// How good the news is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Proved.
    Safe,
    /// Neither proved nor refuted, or only within a bound.
    Open,
    /// Refuted.
    Unsafe,
}

/// Everything that a page shows.
pub struct Story<'a> {
    /// The user's protocol.
    pub protocol: &'a Protocol,
    /// Its text.
    pub source: &'a SourceFile,
    /// How good the news is.
    pub tone: Tone,
    /// The verdict, in a line.
    pub verdict: String,
    /// What the verdict rests on, and what is worth knowing, one paragraph each.
    pub basis: Vec<String>,
    /// A certificate and what was found out about it.
    pub proof: Option<(&'a Certificate, &'a Judgement)>,
    /// The text of the certificate.
    pub certificate: Option<&'a str>,
    /// Where nothing was proved, what was tried and what stood in the way, as text.
    pub tried: Option<String>,
    /// A run that violates something, with what was claimed.
    pub run: Option<(&'a [Claim], &'a ClaimViolation)>,
    /// The states of a small instance, with its protocol.
    pub graph: Option<(&'a Protocol, &'a StateGraph)>,
    /// What the analysis found out.
    pub facts: &'a Facts,
    /// What was written, if not relations and actions.
    pub described: Option<Described>,
    /// What its symbols are called.
    pub words: SymbolWords,
}

/// A part of the page.
struct Section {
    /// Its anchor.
    id: &'static str,
    /// Its title.
    title: &'static str,
    /// What it shows.
    body: Markup,
}

/// The whole page.
pub fn page(story: &Story<'_>) -> String {
    let mut sections = Vec::new();
    if let Some((claims, violation)) = story.run {
        let structure = &story.facts.structure;
        let mut body = run::violation(story.protocol, structure, &story.words, claims, violation);
        if let Some(described) = &story.described {
            let words = own_words::violation(described, story.protocol, claims, violation);
            let title = match described {
                Described::Process(_) => "The same in the words of a process",
                Described::Machines(_) => "The same in the words of the machines",
            };
            body.leaf("h3", &[], title);
            body.leaf("pre", &[("class", &"text")], run::shortened(&words));
        }
        sections.push(Section { id: "run", title: "The violation, step by step", body });
    }
    if let Some((certificate, judgement)) = story.proof {
        sections.extend(proof::sections(story, certificate, judgement));
    }
    if let Some(tried) = &story.tried {
        let mut body = Markup::new();
        body.leaf("pre", &[("class", &"text")], run::shortened(tried));
        sections.push(Section { id: "tried", title: "What was tried", body });
    }
    if let Some((protocol, graph)) = story.graph {
        let body = states::section(protocol, &story.facts.structure, &story.words, graph);
        sections.push(Section { id: "states", title: "The states of the small instance", body });
    }
    let body = backward::section(story.protocol, story.facts, &story.words);
    sections.push(Section { id: "analysis", title: "What a violation needs", body });
    if let Some((certificate, judgement)) = story.proof {
        sections.push(proof::every_obligation(story, certificate, judgement));
    }
    sections.push(Section { id: "texts", title: "The texts", body: texts(story) });
    page::document(story, &sections)
}

fn texts(story: &Story<'_>) -> Markup {
    let mut out = Markup::new();
    let mut text = |title: &str, text: &str| {
        out.element("details", &[], |inner| {
            inner.leaf("summary", &[], title);
            inner.leaf("pre", &[("class", &"text")], text);
        });
    };
    text(story.source.name(), story.source.text());
    if let Some(certificate) = story.certificate {
        text(
            if story.tried.is_some() { "the best attempt" } else { "the certificate" },
            certificate,
        );
    }
    out
}
