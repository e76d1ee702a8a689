//! The symbols of the lowered protocol.

use crate::frontend::lowering::naming::LoweredNames;
use crate::frontend::mercury::local::LocalModel;
use crate::frontend::mercury::table::Table;
use crate::frontend::syntax::surface::{Identifier, Item, SymbolItem};
use crate::logic::Name;
use crate::source::{Span, Spanned};

/// The relations of one machine.
#[derive(Clone, Debug, Default)]
pub(in crate::frontend::mercury) struct MachineSymbols {
    /// One for each point.
    pub(in crate::frontend::mercury) points: Vec<Name>,
    /// For each variable, one for each value in order; a mark has one alone.
    pub(in crate::frontend::mercury) values: Vec<Vec<Name>>,
    /// One for each link.
    pub(in crate::frontend::mercury) links: Vec<Name>,
    /// A function for each data variable.
    pub(in crate::frontend::mercury) data: Vec<Name>,
}

/// The symbols of a data domain.
#[derive(Clone, Debug)]
pub(in crate::frontend::mercury) struct DomainSymbols {
    /// Its sort.
    pub(in crate::frontend::mercury) sort: Name,
    /// The first value of its variables.
    pub(in crate::frontend::mercury) default: Name,
    /// Parameters of actions: what is received or decided.
    pub(in crate::frontend::mercury) params: Vec<Name>,
}

/// Every symbol, and the names that actions may still take.
#[derive(Clone, Debug)]
pub(in crate::frontend::mercury) struct Symbols {
    /// The sort of processes.
    pub(in crate::frontend::mercury) sort: Name,
    /// Who has crashed, if anyone can.
    pub(in crate::frontend::mercury) crashed: Option<Name>,
    /// The relations about processes.
    pub(in crate::frontend::mercury) process: MachineSymbols,
    /// The relations about the environment.
    pub(in crate::frontend::mercury) environment: MachineSymbols,
    /// Names that are taken.
    pub(in crate::frontend::mercury) names: LoweredNames,
    /// The parameters of actions: `p`, `q`, then winners and proposers.
    pub(in crate::frontend::mercury) params: Vec<Name>,
    /// The data domains.
    pub(in crate::frontend::mercury) domains: Vec<DomainSymbols>,
}

impl Symbols {
    /// Names for everything in two machines.
    pub(in crate::frontend::mercury) fn new(
        table: &Table<'_>,
        process: &LocalModel,
        environment: Option<&LocalModel>,
        crashes: bool,
        most_params: usize,
    ) -> Self {
        let mut names = LoweredNames::default();
        let mut params = vec![names.invent("p"), names.invent("q")];
        params.extend((1..=most_params).map(|number| names.invent(&format!("w{number}"))));
        let sort = names.invent("process");
        let crashed = crashes.then(|| names.invent("crashed"));
        let domains = domains(table, most_params, &mut names);
        let process = machine(process, "", &mut names);
        let environment =
            environment.map(|model| machine(model, "env_", &mut names)).unwrap_or_default();
        Symbols { sort, crashed, process, environment, names, params, domains }
    }

    /// The sort of a parameter.
    pub(in crate::frontend::mercury) fn sort_of(&self, param: &Name) -> &Name {
        let domain = self.domains.iter().find(|domain| domain.params.contains(param));
        domain.map_or(&self.sort, |domain| &domain.sort)
    }

    /// The declarations.
    pub(in crate::frontend::mercury) fn items(
        &self,
        process: &LocalModel,
        environment: Option<&LocalModel>,
    ) -> Vec<Spanned<Item>> {
        let nowhere = Span::default();
        let sort = Identifier::new(self.sort.clone(), nowhere);
        let value_sort =
            |domain: usize| Identifier::new(self.domains[domain].sort.clone(), nowhere);
        let sorts = (0..self.domains.len()).map(value_sort);
        let sorts = std::iter::once(sort.clone()).chain(sorts).collect();
        let mut items = vec![Spanned::new(Item::Sorts(sorts), nowhere)];
        for (index, domain) in self.domains.iter().enumerate() {
            let name = Identifier::new(domain.default.clone(), nowhere);
            let result = Some(value_sort(index));
            let symbol = SymbolItem { name, params: Vec::new(), result, rigid: true };
            items.push(Spanned::new(Item::Symbol(symbol), nowhere));
        }
        let mut symbol = |name: &Name, arity: usize, result: Option<Identifier>, span: Span| {
            let name = Identifier::new(name.clone(), span);
            let params = vec![sort.clone(); arity];
            let symbol = SymbolItem { name, params, result, rigid: false };
            items.push(Spanned::new(Item::Symbol(symbol), span));
        };
        let machines = [(&self.process, Some(process), 1), (&self.environment, environment, 0)];
        for (symbols, model, arity) in machines {
            let Some(model) = model else { continue };
            for (name, data) in symbols.data.iter().zip(&model.data) {
                symbol(name, arity, Some(value_sort(data.domain)), data.span);
            }
            let mut declare =
                |name: &Name, arity: usize, span: Span| symbol(name, arity, None, span);
            for (name, point) in symbols.points.iter().zip(&model.points) {
                declare(name, arity, point.span);
            }
            for (names, variable) in symbols.values.iter().zip(&model.variables) {
                names.iter().for_each(|name| declare(name, arity, variable.span));
            }
            for (name, link) in symbols.links.iter().zip(&model.links) {
                declare(name, arity + 1, link.span);
            }
        }
        if let Some(crashed) = &self.crashed {
            symbol(crashed, 1, None, nowhere);
        }
        items
    }
}

fn domains(table: &Table<'_>, most: usize, names: &mut LoweredNames) -> Vec<DomainSymbols> {
    let list = &table.domains.list;
    let symbols = list.iter().map(|domain| {
        let wish = |word: &str| match list.len() {
            1 => word.to_owned(),
            _ => format!("{word}_{}", domain.first),
        };
        let sort = names.invent(&wish("value"));
        let default = names.invent(&wish("default"));
        let param = |number: usize| if number == 1 { "v".to_owned() } else { format!("v{number}") };
        let params = (1..=most.max(1)).map(|number| names.invent(&param(number))).collect();
        DomainSymbols { sort, default, params }
    });
    symbols.collect()
}

fn machine(model: &LocalModel, prefix: &str, names: &mut LoweredNames) -> MachineSymbols {
    let mut invent = |wish: String| names.invent(&wish);
    let points = model.points.iter().map(|point| {
        let name = point.name.replace('.', "__");
        invent(format!("{prefix}at_{name}"))
    });
    let points = points.collect();
    let mut values = Vec::new();
    for variable in &model.variables {
        let name = variable.name.replace(".winS", "_won").replace(".loseS", "_lost");
        let of_value = |value: i64| match value {
            0.. => format!("{prefix}{name}_{value}"),
            _ => format!("{prefix}{name}_minus_{}", value.unsigned_abs()),
        };
        values.push(match variable.is_bit() {
            true => vec![invent(format!("{prefix}{name}"))],
            false => variable.values().map(|value| invent(of_value(value))).collect(),
        });
    }
    let links = model.links.iter().map(|link| {
        let name = link.name.replace(".sID", "_from");
        invent(format!("{prefix}{name}"))
    });
    let links = links.collect();
    let data = model.data.iter().map(|data| {
        let name = data.name.replace(".payld", "_received").replace(".decVar", "_decided");
        invent(format!("{prefix}{name}"))
    });
    MachineSymbols { points, values, links, data: data.collect() }
}
