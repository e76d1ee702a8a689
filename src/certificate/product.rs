//! The vocabulary of two systems side by side: the large instance `L` and the cutoff instance `C`.

use crate::logic::{
    Declarations, Definition, Domain, Formula, Name, Rank, SortDeclaration, SymbolDeclaration,
    Term, Var, Vocabulary,
};
use crate::protocol::{Action, ChoiceId, Signature, Sort, SortId, SymbolId};

use super::{CutSort, SystemState};

/// The vocabulary of obligations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TwoSystems {}

/// A sort of the product. A residual sort of `C` is the sort of `L`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProductSort {
    /// A sort of `L`.
    Large(SortId),
    /// A cut sort of `C`: an enumeration distinct from `L`'s sort.
    Cutoff(SortId),
    /// ℤ.
    Int,
}

/// A symbol of the product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProductSymbol {
    /// In the state of `L` before the step.
    Large(SymbolId),
    /// In the state of `L` after the step; only in lockstep conditions and arguments.
    LargePost(SymbolId),
    /// What a havoc of `L`'s action picked.
    LargeChoice(ChoiceId),
    /// In the state of `C` before the step.
    Cutoff(SymbolId),
    /// What a havoc of `C`'s action picked; only where `C` runs alone.
    CutoffChoice(ChoiceId),
    /// A parameter of the case: an element of `L`.
    Param(u32),
    /// A named element of a cut sort.
    Element(SortId, u32),
    /// The simulation map of a cut sort.
    Sim(SortId),
}

impl Vocabulary for TwoSystems {
    type Sort = ProductSort;
    type Symbol = ProductSymbol;
}

/// A variable of the product.
pub type ProductVar = Var<TwoSystems>;
/// A term of the product.
pub type ProductTerm = Term<TwoSystems>;
/// A formula of the product.
pub type ProductFormula = Formula<TwoSystems>;
/// An explicit definition in the product.
pub type ProductDefinition = Definition<TwoSystems>;

/// A sort of the protocol, in `L`.
pub fn large_sort(sort: Sort) -> ProductSort {
    match sort {
        Sort::Declared(id) => ProductSort::Large(id),
        Sort::Int => ProductSort::Int,
    }
}

/// Which systems an obligation speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Systems {
    /// `L` and `C` side by side: a symbol `r` is `r_L` in `L`, `r_L'` after the step, `r_C` in `C`.
    Both,
    /// One system alone, expressed by the symbols of `C`: they keep their own names.
    One,
}

/// Names of everything an obligation can mention.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProductNames {
    /// Which systems are spoken of.
    pub systems: Systems,
    /// The symbols of `L`; those of `C` are among them.
    pub signature: Signature,
    /// The cut sorts.
    pub cut: Vec<CutSort>,
    /// The case's parameters with their sorts.
    pub params: Vec<(Name, Sort)>,
    /// The action whose choices are meant, if any.
    pub action: Option<Action>,
}

impl ProductNames {
    /// The names of a signature alone: nothing is cut, and there are neither parameters nor choices.
    pub fn new(systems: Systems, signature: &Signature) -> Self {
        let signature = signature.clone();
        ProductNames { systems, signature, cut: Vec::new(), params: Vec::new(), action: None }
    }

    /// The position of a sort among the cut sorts.
    pub fn cut_sort(&self, sort: SortId) -> Option<&CutSort> {
        self.cut.iter().find(|cut| cut.sort == sort)
    }

    /// A sort of the protocol, in `C`.
    pub fn cutoff_sort(&self, sort: Sort) -> ProductSort {
        match sort {
            Sort::Declared(id) if self.cut_sort(id).is_some() => ProductSort::Cutoff(id),
            _ => large_sort(sort),
        }
    }

    fn large(&self, symbol: SymbolId, suffix: &str) -> SymbolDeclaration<TwoSystems> {
        let declared = self.signature.symbol(symbol);
        let params = declared.params.iter().map(|sort| large_sort(*sort)).collect();
        let result = declared.result.map(large_sort);
        declaration(format!("{}{suffix}", declared.name), params, result)
    }

    fn cutoff(&self, symbol: SymbolId) -> SymbolDeclaration<TwoSystems> {
        let declared = self.signature.symbol(symbol);
        let params = declared.params.iter().map(|sort| self.cutoff_sort(*sort)).collect();
        let result = declared.result.map(|sort| self.cutoff_sort(sort));
        let suffix = match self.systems {
            Systems::Both => "_C",
            Systems::One => "",
        };
        declaration(format!("{}{suffix}", declared.name), params, result)
    }

    fn choice(
        &self,
        choice: ChoiceId,
        sort: impl Fn(Sort) -> ProductSort,
    ) -> SymbolDeclaration<TwoSystems> {
        let choice = self.action.as_ref().and_then(|action| action.choices.get(choice.0 as usize));
        let choice = choice.expect("a choice is mentioned together with its action");
        let params = choice.params.iter().map(|param| sort(*param)).collect();
        declaration(format!("any_{}", choice.name), params, choice.result.map(sort))
    }
}

fn declaration(
    name: String,
    params: Vec<ProductSort>,
    result: Option<ProductSort>,
) -> SymbolDeclaration<TwoSystems> {
    SymbolDeclaration { name: name.into(), rank: Rank { params, result } }
}

impl Declarations<TwoSystems> for ProductNames {
    fn sort(&self, sort: ProductSort) -> SortDeclaration {
        match sort {
            ProductSort::Large(id) => self.signature.sort(Sort::Declared(id)),
            ProductSort::Cutoff(id) => {
                let elements = self.cut_sort(id).map_or(Vec::new(), |cut| cut.elements.clone());
                let name = format!("{}_C", self.signature.sort_name(id)).into();
                SortDeclaration { name, domain: Domain::Enumeration(elements) }
            }
            ProductSort::Int => SortDeclaration { name: "int".into(), domain: Domain::Int },
        }
    }

    fn symbol(&self, symbol: ProductSymbol) -> SymbolDeclaration<TwoSystems> {
        match symbol {
            ProductSymbol::Large(id) => self.large(id, "_L"),
            ProductSymbol::LargePost(id) => self.large(id, "_L'"),
            ProductSymbol::LargeChoice(id) => self.choice(id, large_sort),
            ProductSymbol::CutoffChoice(id) => self.choice(id, |sort| self.cutoff_sort(sort)),
            ProductSymbol::Cutoff(id) => self.cutoff(id),
            ProductSymbol::Param(index) => {
                let (name, sort) = &self.params[index as usize];
                declaration(name.to_string(), Vec::new(), Some(large_sort(*sort)))
            }
            ProductSymbol::Element(sort, index) => {
                let cut = self.cut_sort(sort).expect("elements are of cut sorts");
                let name = cut.elements[index as usize].to_string();
                declaration(name, Vec::new(), Some(ProductSort::Cutoff(sort)))
            }
            ProductSymbol::Sim(sort) => {
                let params = vec![ProductSort::Large(sort)];
                declaration("sim".to_owned(), params, Some(ProductSort::Cutoff(sort)))
            }
        }
    }

    fn enumerated(&self, symbol: ProductSymbol) -> Option<(ProductSort, usize)> {
        match symbol {
            ProductSymbol::Element(sort, index) => {
                Some((ProductSort::Cutoff(sort), index as usize))
            }
            _ => None,
        }
    }

    fn abbreviation(&self, formula: &ProductFormula) -> Option<(Name, Vec<ProductTerm>)> {
        let (name, state, args) = self.defined(formula)?;
        let suffix = match (self.systems, state) {
            (Systems::One, _) => "",
            (Systems::Both, SystemState::Large) => "_L",
            (Systems::Both, SystemState::LargePost) => "_L'",
            (Systems::Both, SystemState::Cutoff) => "_C",
        };
        Some((format!("{name}{suffix}").into(), args))
    }
}
