//! The simulation relation of Algorithm 5: a clause of γ for every clause of `S`.

use crate::analysis;
use crate::analysis::AtomValue;
use crate::certificate::{
    Clause, ProductFormula, ProductNames, ProductSymbol, ProductTerm, ProductVar, large_sort, sim,
};
use crate::logic::{Formula, Term, Var};
use crate::source::Span;

use super::Construction;
use crate::synthesis::clause_names::number_equal_names;

impl Construction<'_> {
    /// γ: what `S` speaks of is the same in `C`, at the images.
    pub(super) fn gamma(&self, names: &ProductNames) -> Vec<Clause> {
        let state = self.of_property().relevance.state();
        number_equal_names(state.map(|clause| self.clause(names, clause)).collect())
    }

    fn clause(&self, names: &ProductNames, clause: &analysis::NeededClause) -> Clause {
        let symbol = self.protocol.signature.symbol(clause.symbol);
        let mut vars: Vec<ProductVar> = Vec::new();
        let mut large: Vec<ProductTerm> = Vec::new();
        for (entry, sort) in clause.args.iter().zip(&symbol.params) {
            large.push(self.entry(entry, *sort).unwrap_or_else(|| {
                let var = Var::new(format!("X{}", vars.len() + 1), large_sort(*sort));
                vars.push(var.clone());
                Term::var(var)
            }));
        }
        let images = symbol.params.iter().zip(&large);
        let images = images.map(|(sort, term)| sim(names, *sort, term.clone())).collect();
        let body = self.related(names, clause, large, images);
        let name = match clause.output {
            AtomValue::Truth(false) => format!("not_{}", symbol.name).into(),
            AtomValue::Any | AtomValue::Truth(true) | AtomValue::Is(_) => symbol.name.clone(),
        };
        Clause { name, formula: Formula::forall(vars, body), span: Span::default() }
    }

    fn related(
        &self,
        names: &ProductNames,
        clause: &analysis::NeededClause,
        large: Vec<ProductTerm>,
        images: Vec<ProductTerm>,
    ) -> ProductFormula {
        let in_large = ProductSymbol::Large(clause.symbol);
        let in_cutoff = ProductSymbol::Cutoff(clause.symbol);
        let Some(sort) = self.protocol.signature.symbol(clause.symbol).result else {
            let (one, two) = (Formula::holds(in_large, large), Formula::holds(in_cutoff, images));
            return match clause.output {
                AtomValue::Any | AtomValue::Is(_) => Formula::iff(one, two),
                AtomValue::Truth(true) => Formula::implies(one, two),
                AtomValue::Truth(false) => Formula::implies(one.negate(), two.negate()),
            };
        };
        let value = Term::apply(in_large, large, large_sort(sort));
        let image = Term::apply(in_cutoff, images, names.cutoff_sort(sort));
        let wanted = match &clause.output {
            AtomValue::Is(entry) => self.entry(entry, sort),
            AtomValue::Any | AtomValue::Truth(_) => None,
        };
        match wanted {
            None => Formula::equal(sim(names, sort, value), image),
            Some(wanted) => {
                let premise = Formula::equal(value, wanted.clone());
                Formula::implies(premise, Formula::equal(image, sim(names, sort, wanted)))
            }
        }
    }
}
