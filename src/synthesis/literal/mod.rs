//! The paper's own synthesis (§5.3, Algorithm 5), to the letter: the baseline that the search is
//! compared with.
//!
//! Two slips are repaired, because without them there is nothing to write down: the image of a
//! node-valued function goes through `sim` (line 9 lacks it), and the answer to an invocation is
//! its image (line 25 names something else). Nothing else is: no projection, no lemma, no `try`.

mod printed;
mod relation;

pub use printed::as_printed;

use thiserror::Error;

use crate::analysis::{ActionInvocation, AtomEntry, Facts, PropertyFacts, Violator, analyse};
use crate::certificate::{
    Alternative, Case, Certificate, Mode, ProductFormula, ProductSymbol, ProductTerm,
    ProofArgument, large_sort, sim,
};
use crate::logic::{Formula, Name, Term};
use crate::protocol::{Protocol, Sort, SortId};

use super::cutoff::plan::case_of_maps;
use super::cutoff::plan::definitions::RigidStyle;
use super::cutoff::plan::lockstep::{LockstepCandidates, alternative, large_param};
use super::cutoff::plan::maps::{Others, SortMap, maps};
use super::cutoff::plan::order::primary_sorts;
use super::cutoff::plan::violator_shapes::{ViolatorShape, open_shape};

/// The sort that the paper cuts.
const NODE: &str = "node";

/// Why Algorithm 5 has nothing to offer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LiteralError {
    /// The size of the cutoff is the number of nodes in the property: there are none.
    #[error("{0} mentions no node")]
    NoNode(Name),
    /// Nothing says what a symbol of `C` is.
    #[error("{0}: a symbol has no image in the cutoff instance")]
    NoImage(Name),
    /// What an action of `L` picks has no image.
    #[error("{0} picks values that have no image in the cutoff instance")]
    NoChoice(Name),
}

/// The certificate that Algorithm 5 makes: a case for each property.
///
/// # Errors
/// When a property or a symbol is outside what the algorithm can treat.
pub fn literal(protocol: &Protocol) -> Result<Certificate, LiteralError> {
    let facts = analyse(protocol);
    let cases = (0..protocol.properties.len())
        .map(|property| {
            let shape = open_shape(protocol, property);
            Construction { protocol, facts: &facts, shape: &shape }.case()
        })
        .collect::<Result<Vec<Case>, LiteralError>>()?;
    Ok(Certificate { large: protocol.clone(), argument: ProofArgument::Cutoff(cases) })
}

/// One violation, and what is known of it.
struct Construction<'a> {
    protocol: &'a Protocol,
    facts: &'a Facts,
    shape: &'a ViolatorShape,
}

impl Construction<'_> {
    fn case(&self) -> Result<Case, LiteralError> {
        let protocol = self.protocol;
        let name = &protocol.properties[self.shape.property].name;
        let map = self.map().ok_or_else(|| LiteralError::NoNode(name.clone()))?;
        let maps = [map];
        let style = RigidStyle::Representatives;
        let case = case_of_maps(protocol, self.shape, name.clone(), &maps, style);
        let (names, case) = case.ok_or_else(|| LiteralError::NoImage(name.clone()))?;
        let answers =
            LockstepCandidates { protocol, facts: self.facts, names: &names, maps: &maps };
        let lockstep = self.lockstep(&answers)?;
        Ok(Case { gamma: self.gamma(&names), lockstep, ..case })
    }

    fn of_property(&self) -> &PropertyFacts {
        &self.facts.properties[self.shape.property]
    }

    /// The sort called `node`; where there is none, the one that most of the state is about.
    fn node(&self) -> Option<SortId> {
        let named = self.protocol.signature.find_sort(NODE);
        named.or_else(|| primary_sorts(self.protocol, self.shape).first().copied())
    }

    /// A node for each violator; all others are mapped to the last, or to nothing if none matters.
    fn map(&self) -> Option<SortMap> {
        let node = self.node()?;
        let others = if self.others_matter(node) { Others::Merged } else { Others::Ignored };
        let violators = self.shape.of_sort(Sort::Declared(node)).len();
        let last = violators.checked_sub(1)?;
        let offered = maps(self.protocol, &self.facts.structure, self.shape, node);
        offered.into_iter().find(|map| {
            map.arcs.is_none()
                && map.elements.len() == violators
                && map.rest == last
                && map.others == others
        })
    }

    /// Whether `S` or `A` has `*` in the place of a node.
    fn others_matter(&self, node: SortId) -> bool {
        self.of_property().sorts.iter().any(|need| need.sort == node && need.others)
    }

    /// The answers: the image of every invocation in `A`, and nothing otherwise.
    fn lockstep(
        &self,
        answers: &LockstepCandidates<'_>,
    ) -> Result<Vec<Vec<Alternative>>, LiteralError> {
        let actions = self.protocol.actions.iter().enumerate();
        actions
            .map(|(action, declared)| {
                let nothing = alternative(Formula::truth(true), Vec::new());
                let relevance = &self.of_property().relevance;
                let own = relevance.actions().filter(|invocation| invocation.action == action);
                let applies = Formula::or(own.map(|own| self.applies(own)).collect::<Vec<_>>());
                if applies == Formula::truth(false) {
                    return Ok(vec![nothing]);
                }
                let params = declared.params.iter();
                let args = params.map(|param| sim(answers.names, param.sort, large_param(param)));
                let image = answers.attempt(action, args.collect(), action);
                let mut image =
                    image.ok_or_else(|| LiteralError::NoChoice(declared.name.clone()))?;
                image.mode = Mode::Fire;
                let always = applies == Formula::truth(true);
                let mut all = vec![alternative(applies, vec![image])];
                if !always {
                    all.push(nothing);
                }
                Ok(all)
            })
            .collect()
    }

    /// When an invocation of `L` is one of those that an entry of `A` stands for.
    fn applies(&self, invocation: &ActionInvocation) -> ProductFormula {
        let params = &self.protocol.actions[invocation.action].params;
        let known = params.iter().zip(&invocation.args).filter_map(|(param, entry)| {
            Some(Formula::equal(large_param(param), self.entry(entry, param.sort)?))
        });
        Formula::and(known.collect::<Vec<_>>())
    }

    /// What an entry stands for in `L`; `None` for `*`.
    fn entry(&self, entry: &AtomEntry<Violator>, sort: Sort) -> Option<ProductTerm> {
        match entry {
            AtomEntry::Any => None,
            AtomEntry::Named(violator) => Some(self.violator(*violator)),
            AtomEntry::Constant(symbol) => {
                Some(Term::apply(ProductSymbol::Large(*symbol), Vec::new(), large_sort(sort)))
            }
            AtomEntry::Integer(value) => Some(Term::integer(*value, large_sort(sort))),
            AtomEntry::Element(_, index) => Some(Term::element(*index, large_sort(sort))),
        }
    }

    fn violator(&self, violator: Violator) -> ProductTerm {
        let of_vars = &self.of_property().violation.of_vars;
        let position = of_vars.iter().position(|(_, own)| *own == violator);
        let position = position.expect("every violator stands for a variable of the property");
        self.shape.param(self.shape.violators[position])
    }
}
