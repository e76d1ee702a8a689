//! An action as one formula over two states, and names for the symbols of a step: for exports and
//! reports. The step of an obligation is substituted instead.

use crate::logic::{Body, Declarations, Formula, Rank, SortDeclaration, SymbolDeclaration, Term};

use super::transition::{TransitionRunner, summarize};
use super::{
    Action, ChoiceId, OneState, Protocol, Signature, Sort, StepFormula, StepSymbol, StepTerm,
    TwoStates,
};

/// The action as one formula over pre- and post-state; its parameters are free variables and its
/// choices free symbols.
pub fn transition(protocol: &Protocol, action: &Action) -> StepFormula {
    let signature = &protocol.signature;
    let runner = TransitionRunner::new(signature, action);
    let summary = summarize(signature, action);
    let mut parts = vec![summary.guard.clone()];
    for (symbol, _) in signature.mutable() {
        let params = runner.params(symbol);
        let args: Vec<StepTerm> = params.iter().cloned().map(Term::var).collect();
        let post = runner.symbol_at(StepSymbol::Post(symbol), symbol, args.clone());
        let equation = match (post, runner.value(&summary, symbol, args)) {
            (Body::Formula(left), Body::Formula(right)) => Formula::iff(left, right),
            (Body::Term(left), Body::Term(right)) => Formula::equal(left, right),
            _ => unreachable!("both sides have the rank of one symbol"),
        };
        parts.push(Formula::forall(params, equation));
    }
    Formula::and(parts)
}

/// Names for the symbols of a step of one action: `r`, `r'` and the choices.
pub struct StepNames<'a> {
    /// The protocol's symbols.
    pub signature: &'a Signature,
    /// The action whose choices are meant.
    pub action: &'a Action,
}

impl Declarations<TwoStates> for StepNames<'_> {
    fn sort(&self, sort: Sort) -> SortDeclaration {
        Declarations::<OneState>::sort(self.signature, sort)
    }

    fn symbol(&self, symbol: StepSymbol) -> SymbolDeclaration<TwoStates> {
        let declare = |name: String, params: &[Sort], result| SymbolDeclaration {
            name: name.into(),
            rank: Rank { params: params.to_vec(), result },
        };
        match symbol {
            StepSymbol::Pre(id) => {
                let symbol = self.signature.symbol(id);
                declare(symbol.name.to_string(), &symbol.params, symbol.result)
            }
            StepSymbol::Post(id) => {
                let symbol = self.signature.symbol(id);
                declare(format!("new({})", symbol.name), &symbol.params, symbol.result)
            }
            StepSymbol::Choice(ChoiceId(index)) => {
                let choice = &self.action.choices[index as usize];
                declare(format!("any({})", choice.name), &choice.params, choice.result)
            }
        }
    }
}
