//! The symbols of the lowered protocol.

use crate::frontend::lowering::naming::LoweredNames;
use crate::frontend::mercury::local::LocalModel;
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
}

impl Symbols {
    /// Names for everything in two machines.
    pub(in crate::frontend::mercury) fn new(
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
        let process = machine(process, "", &mut names);
        let environment =
            environment.map(|model| machine(model, "env_", &mut names)).unwrap_or_default();
        Symbols { sort, crashed, process, environment, names, params }
    }

    /// The declarations.
    pub(in crate::frontend::mercury) fn items(
        &self,
        process: &LocalModel,
        environment: Option<&LocalModel>,
    ) -> Vec<Spanned<Item>> {
        let nowhere = Span::default();
        let sort = Identifier::new(self.sort.clone(), nowhere);
        let mut items = vec![Spanned::new(Item::Sorts(vec![sort.clone()]), nowhere)];
        let mut declare = |name: &Name, arity: usize, span: Span| {
            let name = Identifier::new(name.clone(), span);
            let params = vec![sort.clone(); arity];
            let symbol = SymbolItem { name, params, result: None, rigid: false };
            items.push(Spanned::new(Item::Symbol(symbol), span));
        };
        let machines = [(&self.process, Some(process), 1), (&self.environment, environment, 0)];
        for (symbols, model, arity) in machines {
            let Some(model) = model else { continue };
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
            declare(crashed, 1, nowhere);
        }
        items
    }
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
    MachineSymbols { points, values, links: links.collect() }
}
