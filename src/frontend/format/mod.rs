//! A whole protocol as canonical text, with its comments.
//!
//! One statement a line, two blanks a level, an empty line around actions; elsewhere the author's
//! empty lines stay, at most one at a time. A comment stays in front of what it stood in front of,
//! or behind what it stood behind; a comment inside an expression moves in front of the statement.

pub(crate) mod braces;
pub(crate) mod expressions;
pub(crate) mod lines;
mod machines;

use itertools::Itertools;

use super::Parsed;
use super::syntax::surface::{
    ActionItem, AssignStatement, DefinitionItem, EnumerationItem, Expression, Identifier, Item,
    LabelledFormula, LeftArgument, Module, RightValue, RunForm, RunItem, RunPart, StatementKind,
    StructureItem, StructureWord, SymbolItem,
};
use crate::source::{SourceFile, Span, Spanned};
use braces::{Blocks, BraceSpan};
use expressions::{WIDTH, print_binder, print_broken};
use lines::OutputLines;

/// The canonical text of what was read from `source`.
pub fn format(parsed: &Parsed, source: &SourceFile) -> String {
    let mut formatter = Formatter {
        page: OutputLines::new(source, &parsed.comments),
        blocks: Blocks::new(source.text()),
    };
    let written = parsed.machines.as_ref().map(|read| &read.written);
    match written {
        Some(written) => formatter.file(written),
        None => formatter.items(&parsed.module.items),
    }
    formatter.page.finish()
}

/// The canonical text of a tree that was not read from a text.
pub fn print_module(module: &Module) -> String {
    let parsed = Parsed { module: module.clone(), ..Parsed::default() };
    format(&parsed, &SourceFile::new("", ""))
}

/// Where something begins; nothing begins at the very end.
fn start_of<T>(node: Option<&Spanned<T>>) -> usize {
    node.map_or(usize::MAX, |node| node.span.start)
}

struct Formatter<'a> {
    page: OutputLines<'a>,
    blocks: Blocks<'a>,
}

/// In all of these, `next` is where the next thing in the same block begins.
impl Formatter<'_> {
    fn items(&mut self, items: &[Spanned<Item>]) {
        for (index, item) in items.iter().enumerate() {
            self.item(item, start_of(items.get(index + 1)));
        }
    }

    fn item(&mut self, item: &Spanned<Item>, next: usize) {
        let span = item.span;
        let text = match &item.value {
            Item::Sorts(names) => {
                format!("sort {}", names.iter().map(|name| &name.value).join(", "))
            }
            Item::Enumeration(item) => enumeration_text(item),
            Item::Symbol(symbol) => symbol_text(symbol),
            Item::Structure(structure) => structure_text(structure),
            Item::Define(definition) => definition_text(definition),
            Item::Axiom(formula) => labelled("axiom", formula, 0),
            Item::Init(formula) => labelled("init", formula, 0),
            Item::Safety(formula) | Item::Owed(formula) => labelled("safety", formula, 0),
            Item::Lemma(formula) | Item::Candidate(formula) => labelled("lemma", formula, 0),
            Item::Run(run) => match reach_text(run) {
                Some(text) => text,
                None => return,
            },
            Item::Action(action) => return self.action(action, span, next),
        };
        self.page.node(&text, span, next);
    }

    fn action(&mut self, action: &ActionItem, span: Span, next: usize) {
        let params = action.params.iter().map(print_binder).join(", ");
        let params = if params.is_empty() { params } else { format!("({params})") };
        let header = format!("action {}{params} {{", action.name.value);
        let block = self.blocks.of_action(action, span);
        self.page.gap();
        self.page.open(&header, span.start, block);
        self.block(&action.body, block);
        self.page.close("}", span, next);
        self.page.gap();
    }

    fn block<T: Written>(&mut self, statements: &[Spanned<T>], block: BraceSpan) {
        self.page.indent(block.end);
        for (index, statement) in statements.iter().enumerate() {
            self.statement(statement, start_of(statements.get(index + 1)));
        }
        self.page.dedent();
    }

    fn statement<T: Written>(&mut self, statement: &Spanned<T>, next: usize) {
        let span = statement.span;
        let indentation = self.page.indentation();
        match statement.value.shape(indentation) {
            Shape::Line(text) => self.page.node(&text, span, next),
            Shape::If(condition, then, otherwise) => {
                let header = continued("if ".to_owned(), condition, indentation) + " {";
                let block = self.blocks.after(condition.span.end, then);
                self.page.open(&header, span.start, block);
                self.block(then, block);
                self.otherwise(otherwise, block, span, next);
            }
        }
    }

    /// What follows the first block of an `if`; `span` is the whole statement.
    fn otherwise<T: Written>(
        &mut self,
        statements: &[Spanned<T>],
        first: BraceSpan,
        span: Span,
        next: usize,
    ) {
        let indentation = self.page.indentation();
        match statements {
            [] => return self.page.close("}", span, next),
            [only] => {
                if let Shape::If(condition, then, otherwise) = only.value.shape(indentation) {
                    let start = "} else if ".to_owned();
                    let header = continued(start, condition, indentation) + " {";
                    let block = self.blocks.after(condition.span.end, then);
                    self.page.reopen(&header, block);
                    self.block(then, block);
                    return self.otherwise(otherwise, block, span, next);
                }
            }
            _ => {}
        }
        let block = self.blocks.after(first.end + 1, statements);
        self.page.reopen("} else {", block);
        self.block(statements, block);
        self.page.close("}", span, next);
    }
}

/// A statement as it is written.
enum Shape<'s, T> {
    /// Without blocks.
    Line(String),
    /// With a condition and two blocks.
    If(&'s Expression, &'s [Spanned<T>], &'s [Spanned<T>]),
}

/// What a statement consists of.
trait Written: Sized {
    /// Its text, or its blocks.
    fn shape(&self, indentation: usize) -> Shape<'_, Self>;
}

impl Written for StatementKind {
    fn shape(&self, indentation: usize) -> Shape<'_, Self> {
        Shape::Line(match self {
            StatementKind::Require(formula) => {
                continued("require ".to_owned(), formula, indentation)
            }
            StatementKind::Assign(assignment) => assignment_text(assignment, indentation),
            StatementKind::Together(assignments) => together_text(assignments, indentation),
            StatementKind::If(condition, then, otherwise) => {
                return Shape::If(condition, then, otherwise);
            }
            StatementKind::Relate(names, formula) => {
                let names = names.iter().map(|name| &name.value).join(", ");
                continued(format!("modify {names} so that "), formula, indentation)
            }
        })
    }
}

/// An enumeration on one line, or with one element a line if that is too long.
fn enumeration_text(item: &EnumerationItem) -> String {
    let elements = || item.elements.iter().map(|element| &element.value);
    let line = format!("sort {} = {{ {} }}", item.name.value, elements().join(", "));
    if line.chars().count() <= WIDTH {
        return line;
    }
    format!("sort {} = {{\n  {}\n}}", item.name.value, elements().join(",\n  "))
}

fn symbol_text(symbol: &SymbolItem) -> String {
    let name = &symbol.name.value;
    let params = symbol.params.iter().map(|sort| &sort.value).join(", ");
    let params = if params.is_empty() { params } else { format!("({params})") };
    let rigid = if symbol.rigid { "rigid " } else { "" };
    match (&symbol.result, symbol.rigid) {
        (None, _) => format!("{rigid}relation {name}{params}"),
        (Some(sort), true) if params.is_empty() => format!("constant {name}: {}", sort.value),
        (Some(sort), false) if params.is_empty() => format!("variable {name}: {}", sort.value),
        (Some(sort), _) => format!("{rigid}function {name}{params}: {}", sort.value),
    }
}

fn structure_text(structure: &StructureItem) -> String {
    let StructureItem { word, names, sorts, on } = structure;
    let list = |names: &[Identifier]| names.iter().map(|name| &name.value).join(", ");
    match word {
        StructureWord::Quorums => {
            let by = if names.is_empty() { String::new() } else { format!(" by {}", list(names)) };
            format!("quorums {} of {}{by}", list(sorts), on.value)
        }
        _ => format!("{} {} on {}", word.text(), list(names), on.value),
    }
}

fn definition_text(definition: &DefinitionItem) -> String {
    let params = definition.params.iter().map(print_binder).join(", ");
    let params = if params.is_empty() { params } else { format!("({params})") };
    continued(format!("define {}{params} := ", definition.name.value), &definition.value, 0)
}

fn labelled(keyword: &str, formula: &LabelledFormula, indentation: usize) -> String {
    let start = match &formula.label {
        Some(label) => format!("{keyword} [{}] ", label.value),
        None => format!("{keyword} "),
    };
    continued(start, &formula.formula, indentation)
}

/// A `reach` line; for a trace of another language the weaker one that follows from it, if any.
fn reach_text(run: &RunItem) -> Option<String> {
    let begins_anywhere = matches!(run.parts.first(), Some(RunPart::Holds(_)));
    let parts: Vec<&RunPart> = match run.form {
        RunForm::Unsat => return None,
        RunForm::Sat if begins_anywhere => return None,
        RunForm::Reach => run.parts.iter().collect(),
        RunForm::Sat => run.parts.iter().filter(|part| is_goal(part)).collect(),
    };
    let (last, before) = parts.split_last()?;
    let label = run.label.as_ref().map_or(String::new(), |label| format!("[{}] ", label.value));
    let before: String = before.iter().map(|part| part_text(part) + ", ").collect();
    let start = format!("reach {label}{before}");
    Some(match last {
        RunPart::Holds(formula) => continued(start, formula, 0),
        other => start + &part_text(other),
    })
}

/// Whether a `reach` line can say the same.
fn is_goal(part: &RunPart) -> bool {
    match part {
        RunPart::Holds(formula) => !formula.has_unbound_variables(),
        RunPart::OneOf(calls) => calls.len() == 1,
        RunPart::Initially | RunPart::Any => false,
    }
}

fn part_text(part: &RunPart) -> String {
    match part {
        RunPart::Holds(formula) => super::print_expression(formula),
        RunPart::OneOf(calls) => calls.iter().map(|call| &call.action.value).join(", "),
        RunPart::Initially | RunPart::Any => String::new(),
    }
}

/// Several targets and their values, on one line if it is not too long.
fn together_text(assignments: &[AssignStatement], indentation: usize) -> String {
    let targets = || assignments.iter().map(target_text);
    let values = assignments.iter().map(|assignment| match &assignment.value.value {
        RightValue::Expression(value) => super::print_expression(value),
        RightValue::Star => "*".to_owned(),
    });
    let line = format!("{} := {}", targets().join(", "), { values }.join(", "));
    if indentation + line.chars().count() <= WIDTH {
        return line;
    }
    let further = format!(",\n{}", " ".repeat(indentation + 4));
    let mut text = targets().join(&further) + " := ";
    for (index, assignment) in assignments.iter().enumerate() {
        if index > 0 {
            text += &further;
        }
        let column = text.lines().last().map_or(0, |line| line.chars().count());
        let column = if text.contains('\n') { column } else { indentation + column };
        text += &match &assignment.value.value {
            RightValue::Expression(value) => print_broken(value, column, indentation + 8),
            RightValue::Star => "*".to_owned(),
        };
    }
    text
}

fn target_text(assignment: &AssignStatement) -> String {
    let target = assignment.target.value.to_string();
    if assignment.arguments.is_empty() {
        return target;
    }
    let arguments = assignment.arguments.iter().map(|argument| match &argument.value {
        LeftArgument::Expression(expression) => super::print_expression(expression),
        LeftArgument::Star => "*".to_owned(),
    });
    format!("{target}({})", { arguments }.join(", "))
}

fn assignment_text(assignment: &AssignStatement, indentation: usize) -> String {
    let start = target_text(assignment);
    match &assignment.value.value {
        RightValue::Expression(value) => continued(format!("{start} := "), value, indentation),
        RightValue::Star => format!("{start} := *"),
    }
}

/// The start of a statement and an expression that may need further lines.
fn continued(start: String, expression: &Expression, indentation: usize) -> String {
    let column = indentation + start.chars().count();
    start + &print_broken(expression, column, indentation + 4)
}
