//! The rigid symbols and the first state of `C`: as written, or the default image.

use std::collections::BTreeMap;

use crate::certificate::{ProductDefinition, ProductSymbol, TwoSystems, default_image};
use crate::elaborate::codes;
use crate::elaborate::expression::Unbound;
use crate::frontend::certificate::surface::{CaseItem, Section};
use crate::frontend::syntax::surface::DefinitionItem;
use crate::logic::{Declarations as _, Definition, Rank, Var};
use crate::protocol::{Protocol, Rigidity, SymbolId};

use super::case::CaseBuilder;
use super::names::ReadableSystems;

/// Explicit definitions of the symbols of `C`.
pub(super) struct WrittenDefinitions {
    pub(super) rigid: BTreeMap<SymbolId, ProductDefinition>,
    pub(super) start: BTreeMap<SymbolId, ProductDefinition>,
}

/// Every symbol of the protocol gets a definition in `C`.
pub(super) fn definitions(builder: &mut CaseBuilder<'_>, user: &Protocol) -> WrittenDefinitions {
    let mut all = WrittenDefinitions { rigid: BTreeMap::new(), start: BTreeMap::new() };
    for section in &builder.item.sections {
        let (item, rigidity) = match &section.value {
            Section::Rigid(item) => (item, Rigidity::Rigid),
            Section::Start(item) => (item, Rigidity::Mutable),
            _ => continue,
        };
        builder.explicit_definition(user, item, rigidity, &mut all);
    }
    for (symbol, declared) in user.signature.symbols() {
        let into = match declared.rigidity {
            Rigidity::Rigid => &mut all.rigid,
            Rigidity::Mutable => &mut all.start,
        };
        if into.contains_key(&symbol) {
            continue;
        }
        match default_image(&builder.names, symbol) {
            Some(image) => {
                into.insert(symbol, image);
            }
            None if is_attempted(builder.item, &declared.name) => {}
            None => builder.missing(&declared.name, declared.rigidity),
        }
    }
    all
}

/// Whether there is a definition, however wrong it may be.
fn is_attempted(item: &CaseItem, name: &str) -> bool {
    item.sections.iter().any(|section| match &section.value {
        Section::Rigid(own) | Section::Start(own) => *own.name.value == *name,
        _ => false,
    })
}

impl CaseBuilder<'_> {
    fn missing(&mut self, name: &str, rigidity: Rigidity) {
        let word = match rigidity {
            Rigidity::Rigid => "rigid",
            Rigidity::Mutable => "start",
        };
        let message = format!("`{name}` has an argument of a cut sort and needs a definition in C");
        let hint = format!("add `{word} {name}(x) := …`");
        self.error_with_hint(message, self.item.name.span, hint);
    }

    fn explicit_definition(
        &mut self,
        user: &Protocol,
        item: &DefinitionItem,
        rigidity: Rigidity,
        into: &mut WrittenDefinitions,
    ) {
        let name = &item.name;
        let Some(symbol) = user.signature.find_symbol(&name.value) else {
            return self.nothing_named(codes::UNKNOWN_NAME, "there is no symbol", name);
        };
        let declared = user.signature.symbol(symbol);
        let (definitions, reads) = match rigidity {
            Rigidity::Rigid => (&mut into.rigid, ReadableSystems::Rigid),
            Rigidity::Mutable => (&mut into.start, ReadableSystems::Large),
        };
        if declared.rigidity != rigidity {
            let word = match rigidity {
                Rigidity::Rigid => "can change: define it under `start`",
                Rigidity::Mutable => "is rigid: define it under `rigid`",
            };
            return self.error(format!("`{}` {word}", name.value), name.span);
        }
        let rank = self.names.symbol(ProductSymbol::Cutoff(symbol)).rank;
        let definition = self.definition(item, &rank, reads, &[]);
        if let Some(definition) = definition
            && definitions.insert(symbol, definition).is_some()
        {
            self.error(format!("`{}` is defined twice", name.value), name.span);
        }
    }

    /// A definition of the given rank; `variables` are in scope as well.
    pub(super) fn definition(
        &mut self,
        item: &DefinitionItem,
        rank: &Rank<TwoSystems>,
        reads: ReadableSystems,
        variables: &[Var<TwoSystems>],
    ) -> Option<ProductDefinition> {
        if item.params.len() != rank.params.len() {
            self.wrong_count(&item.name, "arguments", rank.params.len(), item.params.len());
            return None;
        }
        let mut params: Vec<Var<TwoSystems>> = Vec::new();
        for (binder, sort) in item.params.iter().zip(&rank.params) {
            self.fresh(&binder.name);
            let name = &binder.name.value;
            let clash = params.iter().chain(variables).any(|var| var.name == *name);
            if clash {
                self.error(format!("`{name}` already means something here"), binder.name.span);
            }
            params.push(Var::new(name.clone(), *sort));
        }
        let scope: Vec<_> = params.iter().chain(variables).cloned().collect();
        match rank.result {
            None => {
                let body = self.formula(&item.value, reads, &scope, Unbound::NEEDS_BINDER)?;
                Some(Definition::relation(params, body))
            }
            Some(sort) => {
                let body = self.term(&item.value, sort, reads, &scope)?;
                Some(Definition::function(params, body))
            }
        }
    }
}
