//! The outline of one case.

use crate::logic::{Declarations as _, FormulaKind};
use crate::protocol::{Action, Protocol, Rigidity, SymbolId, print_action};

use super::outline::{
    AlternativeOutline, CaseOutline, CutOutline, DefinitionOrigin, DefinitionOutline, Labelled,
    LockstepOutline, MoveOutline, ParamOutline, ViolatorOutline,
};
use super::symbol_spelling::{SpellingPlace, SymbolSpelling, spelled};
use super::{invariant, outline_certificate, state_clause};
use crate::certificate::lockstep::names_for;
use crate::certificate::{
    Alternative, Case, CaseContext, Closing, Move, ProductVar, cutoff_signature, cutoff_system,
    default_image, large_sort,
};

/// The outline of a case.
pub(super) fn outline(user: &Protocol, large: &Protocol, case: &Case) -> CaseOutline {
    let context = CaseContext::new(large, case);
    let writer = CaseWriter { user, large, case, context: &context };
    CaseOutline {
        name: case.name.to_string(),
        property: large.properties[case.property].name.to_string(),
        params: writer.params(),
        violators: writer.violators(),
        select: writer.select(),
        cut: writer.cut(),
        rigid: writer.definitions(Rigidity::Rigid),
        start: writer.definitions(Rigidity::Mutable),
        relax: case.relaxed.then(|| writer.relaxation()),
        only: writer.only(),
        gamma: writer.gamma(),
        lockstep: writer.lockstep(),
        close: writer.closing(),
        certificate: match &case.closing {
            Closing::Certificate(own) => {
                Some(Box::new(outline_certificate(&cutoff_system(case), own)))
            }
            Closing::Search | Closing::Invariant(_) => None,
        },
    }
}

struct CaseWriter<'a> {
    user: &'a Protocol,
    large: &'a Protocol,
    case: &'a Case,
    context: &'a CaseContext<'a>,
}

impl CaseWriter<'_> {
    fn spelling(&self, place: SpellingPlace) -> SymbolSpelling<'_> {
        SymbolSpelling { names: &self.context.names, place }
    }

    fn is_element(&self, name: &str) -> bool {
        self.case.cut.iter().any(|cut| cut.elements.iter().any(|element| &**element == name))
    }

    fn params(&self) -> Vec<ParamOutline> {
        let sort = |sort| self.context.names.sort(large_sort(sort)).name.to_string();
        let params = self.case.params.iter();
        params
            .map(|param| ParamOutline { name: param.name.to_string(), sort: sort(param.sort) })
            .collect()
    }

    fn violators(&self) -> Vec<ViolatorOutline> {
        let vars = &self.large.properties[self.case.property].vars;
        let pairs = vars.iter().zip(&self.case.violators);
        pairs
            .map(|(var, param)| ViolatorOutline {
                variable: var.name.to_string(),
                param: self.case.params[*param].name.to_string(),
            })
            .collect()
    }

    fn select(&self) -> Vec<String> {
        let spelling = self.spelling(SpellingPlace::Large);
        let conjuncts = self.case.select.formula.conjuncts();
        conjuncts.iter().map(|conjunct| spelling.formula(&[], conjunct)).collect()
    }

    fn cut(&self) -> Vec<CutOutline> {
        let cut = self.case.cut.iter().map(|cut| {
            let sort = self.large.signature.sort_name(cut.sort);
            CutOutline {
                sort: sort.to_string(),
                elements: cut.elements.iter().map(ToString::to_string).collect(),
                sim: self.spelling(SpellingPlace::Large).definition(sort, &[], &cut.sim),
            }
        });
        cut.collect()
    }

    fn definitions(&self, rigidity: Rigidity) -> Vec<DefinitionOutline> {
        let definitions = match rigidity {
            Rigidity::Rigid => &self.case.rigid,
            Rigidity::Mutable => &self.case.start,
        };
        let own = self.user.signature.symbols();
        let own = own.filter(|(_, declared)| declared.rigidity == rigidity);
        own.filter_map(|(symbol, declared)| {
            let definition = definitions.get(&symbol)?;
            let spelling = self.spelling(SpellingPlace::Large);
            let written = spelling.definition(&declared.name, &[], definition);
            let origin = self.origin(symbol);
            Some(DefinitionOutline { origin, ..written })
        })
        .collect()
    }

    fn origin(&self, symbol: SymbolId) -> DefinitionOrigin {
        let definition = self.case.rigid.get(&symbol).or_else(|| self.case.start.get(&symbol));
        if definition == default_image(&self.context.names, symbol).as_ref() {
            DefinitionOrigin::Default
        } else {
            DefinitionOrigin::Written
        }
    }

    /// The actions that `C` does otherwise.
    fn relaxation(&self) -> Vec<String> {
        let signature = cutoff_signature(self.case);
        let text = |action: &Action| print_action(&signature, action);
        let known: Vec<String> = self.user.actions.iter().map(text).collect();
        let own: Vec<String> = self.case.small.actions.iter().map(text).collect();
        let changed: Vec<String> =
            own.iter().filter(|text| !known.contains(text)).cloned().collect();
        // A relaxation that changes nothing still is one.
        if changed.is_empty() { own.into_iter().take(1).collect() } else { changed }
    }

    fn only(&self) -> Vec<Labelled> {
        let is_element = |name: &str| self.is_element(name);
        let only = self.case.only.iter().map(|only| Labelled {
            name: only.name.to_string(),
            formula: state_clause(&self.case.small, &is_element, &only.formula),
        });
        only.collect()
    }

    fn gamma(&self) -> Vec<Labelled> {
        let spelling = self.spelling(SpellingPlace::Both);
        let clauses = self.case.gamma.iter().map(|clause| Labelled {
            name: clause.name.to_string(),
            formula: spelling.clause(&clause.formula),
        });
        clauses.collect()
    }

    fn closing(&self) -> Option<Vec<Labelled>> {
        match &self.case.closing {
            Closing::Search | Closing::Certificate(_) => None,
            Closing::Invariant(own) => {
                Some(invariant(&self.case.small, &|name| self.is_element(name), own))
            }
        }
    }

    fn lockstep(&self) -> Vec<LockstepOutline> {
        let answers = self.case.lockstep.iter().enumerate();
        answers.map(|(action, alternatives)| self.answers(action, alternatives)).collect()
    }

    fn answers(&self, action: usize, alternatives: &[Alternative]) -> LockstepOutline {
        let names = names_for(self.context, self.large, action);
        let spelling = SymbolSpelling { names: &names, place: SpellingPlace::Both };
        let own = &self.large.actions[action];
        let params = own.params.iter();
        let params: Vec<ProductVar> = params
            .map(|param| ProductVar::new(param.name.clone(), large_sort(param.sort)))
            .collect();
        let answer = PrintedAnswer { writer: self, scope: spelling.scope(&params), spelling };
        LockstepOutline {
            action: own.name.to_string(),
            params: answer.scope.iter().map(|(_, now)| now.name.to_string()).collect(),
            alternatives: alternatives.iter().map(|one| answer.alternative(one)).collect(),
        }
    }
}

/// How one action of `L` is answered.
struct PrintedAnswer<'a> {
    writer: &'a CaseWriter<'a>,
    spelling: SymbolSpelling<'a>,
    /// The action's parameters and what they are called here.
    scope: Vec<(ProductVar, ProductVar)>,
}

impl PrintedAnswer<'_> {
    fn alternative(&self, alternative: &Alternative) -> AlternativeOutline {
        let when = match alternative.condition.kind() {
            FormulaKind::Truth(true) => None,
            _ => Some(self.spelling.formula(&self.scope, &alternative.condition)),
        };
        let moves = alternative.moves.iter().map(|next| self.one_move(next)).collect();
        AlternativeOutline { when, moves }
    }

    fn one_move(&self, next: &Move) -> MoveOutline {
        let action = &self.writer.case.small.actions[next.action];
        let choices = next.choices.iter().map(|(choice, definition)| {
            let name = spelled(&action.choices[choice.0 as usize].name);
            self.spelling.definition(&name, &self.scope, definition)
        });
        MoveOutline {
            mode: next.mode,
            action: action.name.to_string(),
            args: next.args.iter().map(|arg| self.spelling.term(&self.scope, arg)).collect(),
            choices: choices.collect(),
        }
    }
}
