//! One case as text, part after part.

use crate::logic::{Declarations as _, FormulaKind};
use crate::protocol::{Action, Protocol, Rigidity, SymbolId, print_action};

use super::speech::{Place, Speech, spelled, wrapped};
use super::{invariant, push, state_clause};
use crate::certificate::lockstep::names_for;
use crate::certificate::{
    Alternative, Case, CaseContext, Closing, Mode, Move, ProductVar, default_image, large_sort,
};

/// Adds a case.
pub(super) fn case(out: &mut String, user: &Protocol, large: &Protocol, case: &Case) {
    let context = CaseContext::new(large, case);
    let writer = Writer { user, large, case, context: &context };
    push(out, format_args!("case {} for {} {{", case.name, large.properties[case.property].name));
    let parts = [
        writer.params(),
        writer.maps(),
        writer.definitions(),
        writer.relaxation(),
        writer.only(),
        writer.gamma(),
        writer.lockstep(),
        writer.closing(),
    ];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    out.push_str(&parts.join("\n"));
    out.push_str("}\n");
}

struct Writer<'a> {
    user: &'a Protocol,
    large: &'a Protocol,
    case: &'a Case,
    context: &'a CaseContext<'a>,
}

impl Writer<'_> {
    fn speech(&self, place: Place) -> Speech<'_> {
        Speech { names: &self.context.names, place }
    }

    fn is_element(&self, name: &str) -> bool {
        self.case.cut.iter().any(|cut| cut.elements.iter().any(|element| &**element == name))
    }

    fn params(&self) -> String {
        let mut out = String::new();
        let names = &self.context.names;
        let params: Vec<String> = self
            .case
            .params
            .iter()
            .map(|param| format!("{}: {}", param.name, names.sort(large_sort(param.sort)).name))
            .collect();
        if !params.is_empty() {
            push(&mut out, format_args!("  params {}", params.join(", ")));
        }
        let vars = &self.large.properties[self.case.property].vars;
        let violators: Vec<String> = vars
            .iter()
            .zip(&self.case.violators)
            .map(|(var, param)| format!("{} = {}", var.name, self.case.params[*param].name))
            .collect();
        let violators = if violators.is_empty() { "none".into() } else { violators.join(", ") };
        push(&mut out, format_args!("  violators {violators}"));
        for conjunct in self.case.select.formula.conjuncts() {
            let formula = self.speech(Place::Large).formula(&[], &conjunct);
            out.push_str(&wrapped(2, &format!("select {formula}")));
        }
        out
    }

    fn maps(&self) -> String {
        let mut out = String::new();
        for cut in &self.case.cut {
            let sort = self.large.signature.sort_name(cut.sort);
            push(&mut out, format_args!("  cut {sort} = {{ {} }}", cut.elements.join(", ")));
            let map = self.speech(Place::Large).definition(sort, &[], &cut.sim);
            out.push_str(&wrapped(2, &format!("sim {map}")));
        }
        out
    }

    /// Definitions that are not the default image; the defaults as comments.
    fn definitions(&self) -> String {
        let mut written = String::new();
        let mut defaults = String::new();
        let both = [
            ("rigid", Rigidity::Rigid, &self.case.rigid),
            ("start", Rigidity::Mutable, &self.case.start),
        ];
        for (word, rigidity, definitions) in both {
            let own = self.user.signature.symbols();
            for (symbol, declared) in own.filter(|(_, declared)| declared.rigidity == rigidity) {
                let Some(definition) = definitions.get(&symbol) else { continue };
                let text = self.speech(Place::Large).definition(&declared.name, &[], definition);
                if self.is_default(symbol) {
                    push(&mut defaults, format_args!("  # by default: {word} {text}"));
                } else {
                    written.push_str(&wrapped(2, &format!("{word} {text}")));
                }
            }
        }
        written + &defaults
    }

    fn is_default(&self, symbol: SymbolId) -> bool {
        let definition = self.case.rigid.get(&symbol).or_else(|| self.case.start.get(&symbol));
        definition == default_image(&self.context.names, symbol).as_ref()
    }

    /// The actions that `C` does otherwise.
    fn relaxation(&self) -> String {
        if !self.case.relaxed {
            return String::new();
        }
        let text = |action: &Action| print_action(&self.user.signature, action);
        let known: Vec<String> = self.user.actions.iter().map(text).collect();
        let own: Vec<String> = self.case.small.actions.iter().map(text).collect();
        let mut changed: Vec<&String> = own.iter().filter(|text| !known.contains(text)).collect();
        if changed.is_empty() {
            // A relaxation that changes nothing still is one.
            changed.extend(own.first());
        }
        let mut out = "  relax {\n".to_owned();
        for line in changed.into_iter().flat_map(|text| text.lines()) {
            push(&mut out, format_args!("    {line}"));
        }
        out.push_str("  }\n");
        out
    }

    fn only(&self) -> String {
        let mut out = String::new();
        for only in &self.case.only {
            let is_element = |name: &str| self.is_element(name);
            let formula = state_clause(&self.case.small, &is_element, &only.formula);
            out.push_str(&wrapped(2, &format!("only [{}] {formula}", only.name)));
        }
        out
    }

    fn gamma(&self) -> String {
        let mut out = String::new();
        for clause in &self.case.gamma {
            let formula = self.speech(Place::Both).clause(&clause.formula);
            out.push_str(&wrapped(2, &format!("gamma [{}] {formula}", clause.name)));
        }
        out
    }

    fn closing(&self) -> String {
        match &self.case.closing {
            Closing::Search => String::new(),
            Closing::Invariant(own) => {
                let mut out = "  close by invariant {\n".to_owned();
                let is_element = |name: &str| self.is_element(name);
                invariant(&mut out, 4, &self.case.small, &is_element, own);
                out.push_str("  }\n");
                out
            }
        }
    }

    fn lockstep(&self) -> String {
        let answers = self.case.lockstep.iter().enumerate();
        answers.map(|(action, alternatives)| self.answers(action, alternatives)).collect()
    }

    fn answers(&self, action: usize, alternatives: &[Alternative]) -> String {
        let names = names_for(self.context, self.large, action);
        let speech = Speech { names: &names, place: Place::Both };
        let own = &self.large.actions[action];
        let params = own.params.iter();
        let params: Vec<ProductVar> = params
            .map(|param| ProductVar::new(param.name.clone(), large_sort(param.sort)))
            .collect();
        let answer = Answer { writer: self, scope: speech.scope(&params), speech };
        if let [only] = alternatives
            && only.moves.is_empty()
        {
            return format!("  lockstep {} stutter\n", own.name);
        }
        let params: Vec<&str> = answer.scope.iter().map(|(_, now)| &*now.name).collect();
        let head = match params.as_slice() {
            [] => format!("lockstep {}", own.name),
            params => format!("lockstep {}({})", own.name, params.join(", ")),
        };
        if let [only] = alternatives {
            return wrapped(2, &format!("{head} {}", answer.reply(&only.moves)));
        }
        let lines = alternatives.iter().map(|alternative| answer.alternative(alternative));
        let lines: String = lines.map(|line| wrapped(4, &line)).collect();
        format!("  {head} {{\n{lines}  }}\n")
    }
}

/// How one action of `L` is answered.
struct Answer<'a> {
    writer: &'a Writer<'a>,
    speech: Speech<'a>,
    /// The action's parameters and what they are called here.
    scope: Vec<(ProductVar, ProductVar)>,
}

impl Answer<'_> {
    fn alternative(&self, alternative: &Alternative) -> String {
        let reply = self.reply(&alternative.moves);
        match alternative.condition.kind() {
            FormulaKind::Truth(true) => format!("otherwise {reply}"),
            _ => {
                let condition = self.speech.formula(&self.scope, &alternative.condition);
                format!("when {condition} {reply}")
            }
        }
    }

    fn reply(&self, moves: &[Move]) -> String {
        if moves.is_empty() {
            return "stutter".to_owned();
        }
        let moves: Vec<String> = moves.iter().map(|next| self.one_move(next)).collect();
        format!("do {}", moves.join(" then "))
    }

    fn one_move(&self, next: &Move) -> String {
        let action = &self.writer.case.small.actions[next.action];
        let word = match next.mode {
            Mode::Fire => "",
            Mode::Try => "try ",
        };
        let args: Vec<String> =
            next.args.iter().map(|arg| self.speech.term(&self.scope, arg)).collect();
        let args = if args.is_empty() { String::new() } else { format!("({})", args.join(", ")) };
        let choices: Vec<String> = next
            .choices
            .iter()
            .map(|(choice, definition)| {
                let name = spelled(&action.choices[choice.0 as usize].name);
                self.speech.definition(&name, &self.scope, definition)
            })
            .collect();
        let with = match choices.as_slice() {
            [] => String::new(),
            choices => format!(" with {}", choices.join(", ")),
        };
        format!("{word}{}{args}{with}", action.name)
    }
}
