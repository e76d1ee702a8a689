//! The image of `L` in `C`: what a certificate says of a symbol for which it says nothing. Readers and
//! searches write it into certificates, where it is checked like everything else.

use crate::logic::{Definition, Formula, Term, Var};
use crate::protocol::{Sort, SymbolId};

use super::{
    ProductDefinition, ProductNames, ProductSort, ProductSymbol, ProductTerm, ProductVar,
    large_sort,
};

/// The image of a symbol of `L` in `C`: `R_C(c) := ∃n. sim(n) = c ∧ R_L(n)`, the identity on
/// residual arguments; `f_C(x) := sim(f_L(x))`.
///
/// `None` for a function that has an argument of a cut sort: its image need not be a function.
pub fn default_image(names: &ProductNames, symbol: SymbolId) -> Option<ProductDefinition> {
    let declared = names.signature.symbol(symbol);
    let mut params = Vec::new();
    let mut witnesses = Vec::new();
    let mut related = Vec::new();
    let mut args = Vec::new();
    for (index, sort) in declared.params.iter().enumerate() {
        let param: ProductVar = Var::new(format!("x{}", index + 1), names.cutoff_sort(*sort));
        params.push(param.clone());
        match (param.sort, sort) {
            (ProductSort::Cutoff(id), _) => {
                let witness: ProductVar =
                    Var::new(format!("n{}", index + 1), ProductSort::Large(id));
                let image = sim(names, *sort, Term::var(witness.clone()));
                related.push(Formula::equal(image, Term::var(param)));
                args.push(Term::var(witness.clone()));
                witnesses.push(witness);
            }
            (ProductSort::Large(_) | ProductSort::Int, _) => args.push(Term::var(param)),
        }
    }
    match declared.result {
        None => {
            related.push(Formula::holds(ProductSymbol::Large(symbol), args));
            let body = Formula::exists(witnesses, Formula::and(related));
            Some(Definition::relation(params, body))
        }
        Some(_) if !witnesses.is_empty() => None,
        Some(sort) => {
            let value = Term::apply(ProductSymbol::Large(symbol), args, large_sort(sort));
            Some(Definition::function(params, sim(names, sort, value)))
        }
    }
}

/// `sim(term)`, the identity on residual sorts.
pub fn sim(names: &ProductNames, sort: Sort, term: ProductTerm) -> ProductTerm {
    match names.cutoff_sort(sort) {
        ProductSort::Cutoff(id) => {
            Term::apply(ProductSymbol::Sim(id), vec![term], ProductSort::Cutoff(id))
        }
        ProductSort::Large(_) | ProductSort::Int => term,
    }
}
