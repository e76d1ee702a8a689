//! What there is, and how it begins.

use super::{Lowerer, ME};
use crate::frontend::lowering::variables::free_names;
use crate::frontend::machines::table::{EXCEEDED, Order, PLACE, place};
use crate::frontend::machines::tree::Part;
use crate::frontend::syntax::surface::{
    Binder, EnumerationItem, Expression, ExpressionKind, Identifier, Item, LabelledFormula,
    SymbolItem,
};
use crate::logic::{Name, Quantifier};
use crate::source::{Span, Spanned};

impl Lowerer<'_, '_> {
    fn declare(&mut self, item: Item, span: Span) {
        self.items.push(Spanned::new(item, span));
    }

    /// A relation, or a function if there is a result.
    fn symbol(&mut self, name: Identifier, params: Vec<Identifier>, result: Option<Identifier>) {
        let span = name.span;
        self.declare(Item::Symbol(SymbolItem { name, params, result, rigid: false }), span);
    }

    /// A condition on the first state.
    fn begin(&mut self, formula: Expression) {
        let span = formula.span;
        self.declare(Item::Init(LabelledFormula { label: None, formula }), span);
    }

    /// Every sort and symbol that machines, messages and the network stand for.
    pub(super) fn symbols(&mut self) {
        let table = self.table;
        for kind in &table.kinds {
            let name = kind.name();
            let sort = match &kind.machine.instances {
                None => Item::Sorts(vec![name.clone()]),
                Some(elements) => {
                    let elements = elements.clone();
                    Item::Enumeration(EnumerationItem { name: name.clone(), elements })
                }
            };
            self.declare(sort, name.span);
            if let Some(first) = kind.states.first() {
                let states = Identifier::new(kind.state_sort(), first.span);
                let elements = kind.states.to_vec();
                let item = EnumerationItem { name: states.clone(), elements };
                self.declare(Item::Enumeration(item), first.span);
                let state = Identifier::new(kind.state_function(), first.span);
                self.symbol(state, vec![name.clone()], Some(states));
            }
            for symbol in kind.variables() {
                let params = std::iter::once(name).chain(&symbol.params).cloned().collect();
                self.symbol(symbol.name.clone(), params, symbol.result.clone());
            }
            if kind.crashes {
                let crashed = Identifier::new(kind.crashed_relation(), name.span);
                self.symbol(crashed, vec![name.clone()], None);
            }
        }
        self.network_symbols();
    }

    fn network_symbols(&mut self) {
        let table = self.table;
        let Some(first) = table.messages.first() else { return };
        let span = first.name.span;
        let place_sort = match table.network.order {
            Order::Fifo(places, _) => {
                let sort = Identifier::new(PLACE.into(), span);
                let elements = (1..=places).map(|number| Identifier::new(place(number), span));
                let item = EnumerationItem { name: sort.clone(), elements: elements.collect() };
                self.declare(Item::Enumeration(item), span);
                Some(sort)
            }
            Order::Bag | Order::Set => None,
        };
        for message in &table.messages {
            let fields = message.fields.iter().filter_map(|field| field.sort.clone());
            let ends = [message.from.clone(), message.to.clone()];
            let params = ends.into_iter().chain(place_sort.clone()).chain(fields);
            self.symbol(message.name.clone(), params.collect(), None);
        }
        for (queue, mut key, span) in self.queues() {
            key.extend(place_sort.clone());
            self.symbol(Identifier::new(queue, span), key, None);
        }
        if table.can_exceed() {
            self.symbol(Identifier::new(EXCEEDED.into(), span), Vec::new(), None);
        }
    }

    /// The first state: no message is on its way, and every machine is in its first state.
    pub(super) fn start(&mut self) {
        let table = self.table;
        for kind in &table.kinds {
            let span = kind.name().span;
            let machine = Expression::name(self.variable("P"), span);
            let of = |name: Name| {
                Expression::applied(Identifier::new(name, span), vec![machine.clone()], span)
            };
            if let Some(first) = kind.states.first() {
                let first = Expression::name(first.value.clone(), span);
                self.begin(Expression::equal(of(kind.state_function()), first, span));
            }
            if kind.crashes {
                self.begin(of(kind.crashed_relation()).negated());
            }
            for part in &kind.symbols {
                let Part::Init(line) = &part.value else { continue };
                let formula = self.own(kind, &line.formula);
                let formula = about_every_machine(formula, kind.name());
                let line = LabelledFormula { label: line.label.clone(), formula };
                self.declare(Item::Init(line), part.span);
            }
        }
        let arities = table.messages.iter().map(|message| {
            let places = usize::from(matches!(table.network.order, Order::Fifo(..)));
            (message.name.clone(), 2 + places + message.fields.len())
        });
        let queues = self.queues().into_iter();
        let queues = queues.map(|(name, key, span)| (Identifier::new(name, span), key.len() + 1));
        let all: Vec<(Identifier, usize)> = arities.chain(queues).collect();
        for (relation, arity) in all {
            let span = relation.span;
            let variables = (1..=arity).map(|number| self.variable(&format!("V{number}")));
            let variables = variables.map(|name| Expression::name(name, span)).collect();
            self.begin(Expression::applied(relation, variables, span).negated());
        }
        if table.can_exceed() {
            let span = table.messages.first().map_or(Span::default(), |own| own.name.span);
            self.begin(self.exceeded(span).negated());
        }
    }
}

/// `forall me: kind. formula`, if the formula is about a machine.
fn about_every_machine(formula: Expression, kind: &Identifier) -> Expression {
    if !free_names(&formula).contains(ME) {
        return formula;
    }
    let name = Identifier::new(ME.into(), formula.span.start_only());
    let binder = Binder { name, sort: Some(kind.clone()) };
    let span = formula.span;
    let kind = ExpressionKind::Quantified(Quantifier::Forall, vec![binder], formula);
    Expression::new(kind, span)
}
