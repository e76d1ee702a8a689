//! The surface tree as an indented listing, one node a line, with its place in the text.

use std::fmt::Write;

use super::surface::{
    ActionItem, AssignStatement, Binder, Expression, ExpressionKind, Identifier, Item,
    LabelledFormula, LeftArgument, Module, RightValue, RunForm, RunItem, RunPart, Statement,
    StatementKind, SymbolItem,
};
use crate::source::{LineIndex, SourceFile, Span, Spanned};

/// Lists a tree that was read from `source`.
pub fn dump(module: &Module, source: &SourceFile) -> String {
    let mut listing =
        Listing { lines: LineIndex::new(source), indentation: 0, output: String::new() };
    for item in &module.items {
        listing.item(item);
    }
    listing.output
}

struct Listing<'a> {
    lines: LineIndex<'a>,
    indentation: usize,
    output: String,
}

impl Listing<'_> {
    /// One node, and whatever `children` writes below it.
    fn node(&mut self, label: &str, span: Span, children: impl FnOnce(&mut Self)) {
        let place = self.place(span);
        let blanks = 2 * self.indentation;
        // Writing to a string cannot fail.
        let _ = writeln!(self.output, "{:blanks$}{label}  @ {place}", "");
        self.indentation += 1;
        children(self);
        self.indentation -= 1;
    }

    fn leaf(&mut self, label: &str, span: Span) {
        self.node(label, span, |_| {});
    }

    /// `line:column-column`, or `line:column-line:column` over several lines.
    fn place(&self, span: Span) -> String {
        let (start, end) = (self.lines.position(span.start), self.lines.position(span.end));
        if start.line == end.line {
            format!("{start}-{}", end.column)
        } else {
            format!("{start}-{end}")
        }
    }

    fn item(&mut self, item: &Spanned<Item>) {
        let span = item.span;
        match &item.value {
            Item::Sorts(names) => self.node("sorts", span, |listing| {
                names.iter().for_each(|name| listing.leaf(&name.value, name.span));
            }),
            Item::Enumeration(item) => {
                self.node(&format!("enumeration {}", item.name.value), span, |listing| {
                    listing.named("element", &item.elements);
                });
            }
            Item::Symbol(symbol) => self.symbol(symbol, span),
            Item::Structure(structure) => self.node(structure.word.text(), span, |listing| {
                listing.named("relation", &structure.names);
                listing.named("sets", &structure.sorts);
                listing.named("on", std::slice::from_ref(&structure.on));
            }),
            Item::Define(definition) => {
                self.node(&format!("define {}", definition.name.value), span, |listing| {
                    definition.params.iter().for_each(|param| listing.binder("parameter", param));
                    listing.expression(&definition.value);
                });
            }
            Item::Axiom(formula) => self.labelled("axiom", formula, span),
            Item::Init(formula) => self.labelled("init", formula, span),
            Item::Safety(formula) => self.labelled("safety", formula, span),
            Item::Lemma(formula) => self.labelled("lemma", formula, span),
            Item::Owed(formula) => self.labelled("owed", formula, span),
            Item::Candidate(formula) => self.labelled("candidate", formula, span),
            Item::Action(action) => self.action(action, span),
            Item::Run(run) => self.run(run, span),
        }
    }

    fn symbol(&mut self, symbol: &SymbolItem, span: Span) {
        let kind = if symbol.result.is_some() { "function" } else { "relation" };
        let change = if symbol.rigid { "rigid" } else { "mutable" };
        self.node(&format!("{change} {kind} {}", symbol.name.value), span, |listing| {
            listing.named("argument", &symbol.params);
            listing.named("result", symbol.result.as_slice());
        });
    }

    fn named(&mut self, role: &str, names: &[Identifier]) {
        for name in names {
            self.leaf(&format!("{role} {}", name.value), name.span);
        }
    }

    fn labelled(&mut self, keyword: &str, formula: &LabelledFormula, span: Span) {
        let label = match &formula.label {
            Some(label) => format!("{keyword} [{}]", label.value),
            None => keyword.to_owned(),
        };
        self.node(&label, span, |listing| listing.expression(&formula.formula));
    }

    fn action(&mut self, action: &ActionItem, span: Span) {
        self.node(&format!("action {}", action.name.value), span, |listing| {
            action.params.iter().for_each(|param| listing.binder("parameter", param));
            listing.statements(&action.body);
        });
    }

    fn run(&mut self, run: &RunItem, span: Span) {
        let form = match run.form {
            RunForm::Reach => "reach",
            RunForm::Sat => "sat trace",
            RunForm::Unsat => "unsat trace",
        };
        let label = run.label.as_ref().map_or(String::new(), |label| format!(" [{}]", label.value));
        self.node(&format!("{form}{label}"), span, |listing| {
            for part in &run.parts {
                match part {
                    RunPart::Holds(formula) => listing.expression(formula),
                    RunPart::Initially => listing.leaf("initially", span),
                    RunPart::Any => listing.leaf("any step", span),
                    RunPart::OneOf(calls) => {
                        let actions: Vec<_> =
                            calls.iter().map(|call| &*call.action.value).collect();
                        listing.leaf(&format!("step by {}", actions.join(" or ")), span);
                    }
                }
            }
        });
    }

    fn binder(&mut self, role: &str, binder: &Binder) {
        let span =
            binder.sort.as_ref().map_or(binder.name.span, |sort| binder.name.span.to(sort.span));
        let sort = binder.sort.as_ref().map_or(String::new(), |sort| format!(": {}", sort.value));
        self.leaf(&format!("{role} {}{sort}", binder.name.value), span);
    }

    fn statements(&mut self, statements: &[Statement]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        let span = statement.span;
        match &statement.value {
            StatementKind::Require(formula) => {
                self.node("require", span, |listing| listing.expression(formula));
            }
            StatementKind::Assign(assignment) => self.assignment(assignment, span),
            StatementKind::Together(assignments) => self.node("together", span, |listing| {
                for assignment in assignments {
                    let span = assignment.target.span.to(assignment.value.span);
                    listing.assignment(assignment, span);
                }
            }),
            StatementKind::If(condition, then, otherwise) => {
                self.node("if", span, |listing| {
                    listing.expression(condition);
                    listing.block("then", then);
                    listing.block("else", otherwise);
                });
            }
            StatementKind::Relate(names, formula) => self.node("relate", span, |listing| {
                listing.named("changes", names);
                listing.expression(formula);
            }),
        }
    }

    fn block(&mut self, label: &str, statements: &[Statement]) {
        let span = statements.iter().map(|statement| statement.span).reduce(Span::to);
        if let Some(span) = span {
            self.node(label, span, |listing| listing.statements(statements));
        }
    }

    fn assignment(&mut self, assignment: &AssignStatement, span: Span) {
        self.node(&format!("assign {}", assignment.target.value), span, |listing| {
            for argument in &assignment.arguments {
                listing.node("at", argument.span, |listing| match &argument.value {
                    LeftArgument::Expression(expression) => listing.expression(expression),
                    LeftArgument::Star => listing.leaf("*", argument.span),
                });
            }
            let value = &assignment.value;
            match &value.value {
                RightValue::Expression(expression) => listing.expression(expression),
                RightValue::Star => listing.leaf("*", value.span),
            }
        });
    }

    fn expression(&mut self, expression: &Expression) {
        let label = label(&expression.kind);
        self.node(&label, expression.span, |listing| {
            if let ExpressionKind::Quantified(_, binders, _) = &*expression.kind {
                binders.iter().for_each(|binder| listing.binder("variable", binder));
            }
            expression.children().into_iter().for_each(|child| listing.expression(child));
        });
    }
}

fn label(kind: &ExpressionKind) -> String {
    match kind {
        ExpressionKind::Integer(value) => format!("integer {value}"),
        ExpressionKind::Name(name) => format!("name {name}"),
        ExpressionKind::Apply(name, _) => format!("apply {}", name.value),
        ExpressionKind::Negative(_) => "negative".to_owned(),
        operator => operator.sign().unwrap_or("if else").to_owned(),
    }
}
