//! What names mean in a certificate: `r_L`, `r_L'`, `r_C`, parameters, elements, `sim`, choices.

use crate::certificate::{
    ProductNames, ProductSort, ProductSymbol, SystemState, TwoSystems, large_sort,
};
use crate::elaborate::codes;
use crate::elaborate::resolve::{Lookup, NameCandidate, NameRefusal, NamedFormula, Resolve};
use crate::frontend::syntax::surface::Moment;
use crate::logic::{Declarations as _, Name, Rank};
use crate::protocol::{ChoiceId, NamedDefinition, Rigidity, Sort, SymbolId};

/// Which symbols a part of a certificate may read; each reads all that the ones before it read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ReadableSystems {
    /// Rigid symbols of `L`, parameters and elements: a map or a rigid definition.
    Rigid,
    /// Any symbol of `L` as well: `select` or the first state.
    Large,
    /// Both states: a clause.
    Both,
    /// Also the state after, and the choices: a lockstep answer.
    Step,
}

/// The names that an expression of a case may use.
pub(super) struct CaseScope<'a> {
    pub(super) names: &'a ProductNames,
    pub(super) reads: ReadableSystems,
}

/// A written name split into its parts.
enum Written<'a> {
    Large(&'a str),
    LargePost(&'a str),
    Cutoff(&'a str),
    Plain(&'a str),
}

fn take_apart(name: &str) -> Written<'_> {
    if let Some(stem) = name.strip_suffix("_L'") {
        Written::LargePost(stem)
    } else if let Some(stem) = name.strip_suffix("_L") {
        Written::Large(stem)
    } else if let Some(stem) = name.strip_suffix("_C") {
        Written::Cutoff(stem)
    } else {
        Written::Plain(name)
    }
}

impl CaseScope<'_> {
    fn symbol(&self, symbol: ProductSymbol) -> Lookup<TwoSystems> {
        let rank = self.names.symbol(symbol).rank;
        Lookup::Symbol(NameCandidate { symbol, rank, declared: None })
    }

    /// A parameter or an element of that very name.
    fn own(&self, name: &str) -> Option<ProductSymbol> {
        let params = self.names.params.iter();
        let param = params.enumerate().find(|(_, (param, _))| &**param == name);
        if let Some((index, _)) = param {
            return Some(ProductSymbol::Param(u32::try_from(index).ok()?));
        }
        self.names.cut.iter().find_map(|cut| {
            let position = cut.elements.iter().position(|element| &**element == name)?;
            Some(ProductSymbol::Element(cut.sort, u32::try_from(position).ok()?))
        })
    }

    fn large(&self, id: SymbolId, name: &str) -> Lookup<TwoSystems> {
        let rigid = self.names.signature.symbol(id).rigidity == Rigidity::Rigid;
        if self.reads >= ReadableSystems::Large || rigid {
            return self.symbol(ProductSymbol::Large(id));
        }
        refused(
            format!("`{name}` can change: only rigid symbols and parameters may be read here"),
            Some("a simulation map is fixed for the whole run".to_owned()),
        )
    }

    fn state_symbol(&self, written: Written<'_>, name: &str) -> Lookup<TwoSystems> {
        let (stem, needs) = match written {
            Written::Large(stem) => (stem, ReadableSystems::Rigid),
            Written::LargePost(stem) => (stem, ReadableSystems::Step),
            Written::Cutoff(stem) => (stem, ReadableSystems::Both),
            Written::Plain(stem) => (stem, ReadableSystems::Rigid),
        };
        if let Some(definition) = self.names.signature.find_definition(stem) {
            return self.definition(definition, &written, needs, name);
        }
        let Some(id) = self.names.signature.find_symbol(stem) else {
            // The protocol's own name may end like this; it is plain where only L is read.
            if let Some(definition) = self.names.signature.find_definition(name)
                && self.reads <= ReadableSystems::Large
            {
                let plain = Written::Plain(name);
                return self.definition(definition, &plain, ReadableSystems::Rigid, name);
            }
            return match self.names.signature.find_symbol(name) {
                Some(id) if self.reads <= ReadableSystems::Large => self.large(id, name),
                _ => Lookup::Unknown,
            };
        };
        if self.reads < needs {
            return refused(format!("`{name}` may not be read here"), Some(self.readable()));
        }
        match written {
            Written::Large(_) => self.large(id, name),
            Written::LargePost(_) => self.symbol(ProductSymbol::LargePost(id)),
            Written::Cutoff(_) => self.symbol(ProductSymbol::Cutoff(id)),
            Written::Plain(_) if self.reads <= ReadableSystems::Large => self.large(id, name),
            Written::Plain(_) => ambiguous(name),
        }
    }

    /// A definition, read in one of the systems.
    fn definition(
        &self,
        definition: &NamedDefinition,
        written: &Written<'_>,
        needs: ReadableSystems,
        name: &str,
    ) -> Lookup<TwoSystems> {
        let rigid = self.names.signature.is_rigid(definition);
        if self.reads < needs || (self.reads < ReadableSystems::Large && !rigid) {
            return refused(format!("`{name}` may not be read here"), Some(self.readable()));
        }
        let system = match written {
            Written::Large(_) => SystemState::Large,
            Written::LargePost(_) => SystemState::LargePost,
            Written::Cutoff(_) => SystemState::Cutoff,
            Written::Plain(_) if self.reads <= ReadableSystems::Large => SystemState::Large,
            Written::Plain(_) => return ambiguous(name),
        };
        let (params, formula) = self.names.definition_in(system, definition);
        Lookup::Definition(NamedFormula { params, formula, declared: None })
    }

    fn readable(&self) -> String {
        match self.reads {
            ReadableSystems::Rigid => "only rigid symbols of L and parameters may be read here",
            ReadableSystems::Large => "only L and parameters may be read here",
            ReadableSystems::Both => {
                "only the states `_L` and `_C` and parameters may be read here"
            }
            ReadableSystems::Step => "everything may be read here",
        }
        .to_owned()
    }

    /// `any_w`: what `L`'s havoc of `w` picked.
    fn choice(&self, name: &str) -> Option<Lookup<TwoSystems>> {
        let stem = name.strip_prefix("any_")?;
        let choices = &self.names.action.as_ref()?.choices;
        let position = choices.iter().position(|choice| choice_name(&choice.name) == stem)?;
        let id = ChoiceId(u32::try_from(position).ok()?);
        Some(self.symbol(ProductSymbol::LargeChoice(id)))
    }

    fn sim(&self) -> Lookup<TwoSystems> {
        let candidates = self.names.signature.sorts().map(|sort| NameCandidate {
            symbol: ProductSymbol::Sim(sort),
            rank: Rank {
                params: vec![ProductSort::Large(sort)],
                result: Some(self.names.cutoff_sort(Sort::Declared(sort))),
            },
            declared: None,
        });
        Lookup::Overloaded(candidates.collect())
    }
}

/// How a choice is written in a certificate: the second havoc of `w` is `w_2`.
pub(super) fn choice_name(name: &str) -> String {
    name.replace('#', "_")
}

fn ambiguous(name: &str) -> Lookup<TwoSystems> {
    Lookup::Refused(NameRefusal {
        code: codes::UNREADABLE,
        message: format!("`{name}` is ambiguous: `L` or `C`?"),
        related: None,
        hint: Some(format!("write `{name}_L` or `{name}_C`")),
        instead: vec![format!("{name}_L"), format!("{name}_C")],
    })
}

fn refused(message: String, hint: Option<String>) -> Lookup<TwoSystems> {
    let instead = Vec::new();
    Lookup::Refused(NameRefusal { code: codes::UNREADABLE, message, related: None, hint, instead })
}

impl Resolve<TwoSystems> for CaseScope<'_> {
    fn resolve(&self, name: &str, _moment: Moment) -> Lookup<TwoSystems> {
        if let Some(symbol) = self.own(name) {
            return self.symbol(symbol);
        }
        if name == "sim" && !self.names.cut.is_empty() {
            return self.sim();
        }
        if self.reads == ReadableSystems::Step
            && let Some(choice) = self.choice(name)
        {
            return choice;
        }
        match self.state_symbol(take_apart(name), name) {
            Lookup::Unknown => {
                self.names.signature.find_element(name).map_or(Lookup::Unknown, |(sort, index)| {
                    Lookup::Element(index, ProductSort::Large(sort), None)
                })
            }
            found => found,
        }
    }

    fn sort(&self, name: &str) -> Option<ProductSort> {
        if name == "int" {
            return Some(ProductSort::Int);
        }
        match take_apart(name) {
            Written::Cutoff(stem) => {
                let sort = self.names.signature.find_sort(stem)?;
                Some(self.names.cutoff_sort(Sort::Declared(sort)))
            }
            Written::Large(stem) | Written::Plain(stem) => {
                self.names.signature.find_sort(stem).map(ProductSort::Large)
            }
            Written::LargePost(_) => None,
        }
    }

    fn integers(&self) -> ProductSort {
        ProductSort::Int
    }

    fn sort_name(&self, sort: ProductSort) -> Name {
        self.names.sort(sort).name
    }

    fn names(&self) -> Vec<Name> {
        let mut all: Vec<Name> = self.names.params.iter().map(|(name, _)| name.clone()).collect();
        all.extend(self.names.cut.iter().flat_map(|cut| cut.elements.iter().cloned()));
        let signature = &self.names.signature;
        let elements = signature.sorts().filter_map(|sort| signature.elements(sort));
        all.extend(elements.flatten().cloned());
        let symbols = signature.symbols().map(|(_, symbol)| &symbol.name);
        let definitions = signature.definitions().iter().map(|definition| &definition.name);
        for name in symbols.chain(definitions) {
            if self.reads <= ReadableSystems::Large {
                all.push(name.clone());
            } else {
                all.push(format!("{name}_L").into());
                all.push(format!("{name}_C").into());
            }
        }
        all
    }

    fn sort_names(&self) -> Vec<Name> {
        let signature = &self.names.signature;
        signature
            .sorts()
            .map(|sort| self.names.sort(large_sort(Sort::Declared(sort))).name)
            .collect()
    }
}
