//! The elements of a trace: their names, numbers and the sizes of their sorts.
//!
//! `node2` is element 2 of the sort `node`; any other name is the next element that has no name
//! yet, in the order of the text.

use std::collections::{BTreeMap, BTreeSet};

use super::Messages;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::near_names::nearest;
use crate::elaborate::codes;
use crate::frontend::syntax::surface::Identifier;
use crate::frontend::trace::surface::TraceFile;
use crate::logic::Name;
use crate::protocol::{Protocol, Size, SortId, SymbolId};
use crate::source::Span;

/// The most elements of a sort, and the most integers of a range.
const LARGEST: u32 = 1 << 16;

/// The elements that are mentioned.
pub(super) struct TraceElements<'a> {
    protocol: &'a Protocol,
    names: BTreeMap<SortId, MentionedElements>,
    /// The least and the greatest integer that is an argument, and where they stand.
    arguments: Option<[(i64, Span); 2]>,
}

#[derive(Default)]
struct MentionedElements {
    /// Every name once, with the first place where it stands.
    order: Vec<Identifier>,
    positions: BTreeMap<Name, usize>,
}

/// What the names stand for.
pub(super) struct Numbered {
    /// The numbers of the elements, in the order of the names.
    pub(super) numbers: BTreeMap<SortId, Vec<u32>>,
    /// How many there are.
    pub(super) size: Size,
    /// The integers that stand for all of them.
    pub(super) window: Option<(i64, i64)>,
    /// The sorts without a given size.
    pub(super) guessed: Vec<SortId>,
    /// The elements with other names than the canonical ones.
    pub(super) renamed: Vec<(SortId, u32, Name)>,
}

impl<'a> TraceElements<'a> {
    pub(super) fn new(protocol: &'a Protocol) -> Self {
        let names = protocol.signature.sorts().map(|sort| (sort, MentionedElements::default()));
        TraceElements { protocol, names: names.collect(), arguments: None }
    }

    /// The position of a name among those of its sort.
    pub(super) fn mention(&mut self, sort: SortId, name: &Identifier) -> usize {
        let mentioned = self.names.entry(sort).or_default();
        if let Some(position) = mentioned.positions.get(&name.value) {
            return *position;
        }
        mentioned.order.push(name.clone());
        mentioned.positions.insert(name.value.clone(), mentioned.order.len() - 1);
        mentioned.order.len() - 1
    }

    /// An integer that is an argument of a symbol.
    pub(super) fn argument(&mut self, int: i64, span: Span) {
        let [low, high] = self.arguments.get_or_insert([(int, span); 2]);
        if int < low.0 {
            *low = (int, span);
        }
        if int > high.0 {
            *high = (int, span);
        }
    }

    /// Gives every name a number, and every sort a size.
    pub(super) fn numbered(
        &self,
        protocol: &Protocol,
        file: &TraceFile,
        messages: &mut Messages,
    ) -> Option<Numbered> {
        let given = given_sizes(protocol, file, messages);
        let mut numbered = Numbered {
            numbers: BTreeMap::new(),
            size: Size::new(),
            window: self.window(file, messages),
            guessed: Vec::new(),
            renamed: Vec::new(),
        };
        for (sort, mentioned) in &self.names {
            self.number(*sort, mentioned, given.get(sort).copied(), &mut numbered, messages);
        }
        (!messages.has_errors()).then_some(numbered)
    }

    fn number(
        &self,
        sort: SortId,
        mentioned: &MentionedElements,
        given: Option<u32>,
        numbered: &mut Numbered,
        messages: &mut Messages,
    ) {
        if let Some(elements) = self.protocol.signature.elements(sort) {
            return enumerated(sort, elements, mentioned, numbered, messages);
        }
        let sort_name = self.protocol.signature.sort_name(sort);
        let values = self.protocol.enumeration(sort).unwrap_or_default();
        let value_number = |name: &Name| {
            let is_value = |value: &SymbolId| self.protocol.signature.symbol(*value).name == *name;
            values.iter().position(is_value).and_then(|position| u64::try_from(position).ok())
        };
        let number = |name: &Name| value_number(name).or_else(|| own_number(sort_name, name));
        let own: Vec<Option<u64>> =
            mentioned.order.iter().map(|name| number(&name.value)).collect();
        let taken: BTreeSet<u64> = own.iter().copied().flatten().collect();
        let mut free = (0_u64..).filter(|number| !taken.contains(number));
        let mut numbers = Vec::new();
        let fixed = self.protocol.fixed_size(sort);
        let given = given.or(fixed);
        let mut size = given.unwrap_or(1);
        for (name, own) in mentioned.order.iter().zip(own) {
            let number = own.or_else(|| free.next()).unwrap_or(u64::MAX);
            let limit = given.unwrap_or(LARGEST);
            let Some(number) = u32::try_from(number).ok().filter(|number| *number < limit) else {
                messages.push(outside(sort_name, name, given));
                return;
            };
            size = size.max(number + 1);
            if own.is_none() {
                numbered.renamed.push((sort, number, name.value.clone()));
            }
            numbers.push(number);
        }
        if given.is_none() {
            numbered.guessed.push(sort);
        }
        numbered.size.insert(sort, size);
        numbered.numbers.insert(sort, numbers);
    }

    /// The range that the file states, or the one that is mentioned.
    fn window(&self, file: &TraceFile, messages: &mut Messages) -> Option<(i64, i64)> {
        let [low, high] = match (&file.range, self.arguments) {
            (Some(range), _) => [(range.value.0, range.span), (range.value.1, range.span)],
            (None, arguments) => arguments?,
        };
        let length = i128::from(high.0) - i128::from(low.0) + 1;
        if length < 1 {
            messages.error(codes::TRACE_SIZE, format!("{}..{} is empty", low.0, high.0), high.1);
            return None;
        }
        if length > i128::from(LARGEST) {
            let message = format!("{length} integers exceed the limit of {LARGEST}");
            messages.error(codes::TRACE_SIZE, message, high.1);
            return None;
        }
        for (int, span) in self.arguments.into_iter().flatten() {
            if int < low.0 || int > high.0 {
                let message = format!("{int} is outside {}..{}", low.0, high.0);
                messages.push(
                    Diagnostic::error(codes::TRACE_SIZE, message, span)
                        .hint("`int` in `#meta` states the range of all integer arguments"),
                );
            }
        }
        Some((low.0, high.0))
    }
}

/// Numbers the elements of an enumeration: they have no names but their own.
fn enumerated(
    sort: SortId,
    elements: &[Name],
    mentioned: &MentionedElements,
    numbered: &mut Numbered,
    messages: &mut Messages,
) {
    let mut numbers = Vec::new();
    for name in &mentioned.order {
        let position = elements.iter().position(|element| *element == name.value);
        let Some(number) = position.and_then(|position| u32::try_from(position).ok()) else {
            let message = format!("there is no element `{}`", name.value.escape_debug());
            let hint = format!("the elements are {}", elements.join(", "));
            messages.push(Diagnostic::error(codes::TRACE_SIZE, message, name.span).hint(hint));
            continue;
        };
        numbers.push(number);
    }
    numbered.numbers.insert(sort, numbers);
}

fn outside(sort: &Name, name: &Identifier, given: Option<u32>) -> Diagnostic {
    let shown = name.value.escape_debug();
    let message = match given {
        Some(1) => format!("there is no `{shown}`: `{sort}` has 1 element"),
        Some(size) => format!("there is no `{shown}`: `{sort}` has {size} elements"),
        None => format!("`{shown}`: `{sort}` may have at most {LARGEST} elements"),
    };
    Diagnostic::error(codes::TRACE_SIZE, message, name.span)
}

/// The number in a name of the form that we write: the sort, then digits.
fn own_number(sort: &str, name: &str) -> Option<u64> {
    let digits = name.strip_prefix(sort)?;
    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    let is_canonical = digits == "0" || !digits.starts_with('0');
    (is_number && is_canonical).then(|| digits.parse().unwrap_or(u64::MAX))
}

/// The sizes that the file states.
fn given_sizes(
    protocol: &Protocol,
    file: &TraceFile,
    messages: &mut Messages,
) -> BTreeMap<SortId, u32> {
    let signature = &protocol.signature;
    let mut sizes = BTreeMap::new();
    for (name, count) in &file.size {
        let Some(sort) = signature.find_sort(&name.value) else {
            let message = format!("unknown sort `{}`", name.value.escape_debug());
            let known: Vec<Name> =
                signature.sorts().map(|sort| signature.sort_name(sort).clone()).collect();
            let mut error = Diagnostic::error(codes::UNKNOWN_SORT, message, name.span);
            error.hint = nearest(&name.value, &known).map(|near| format!("did you mean `{near}`?"));
            messages.push(error);
            continue;
        };
        let size = u32::try_from(count.value).ok().filter(|size| (1..=LARGEST).contains(size));
        let fixed = signature.elements(sort).map(<[Name]>::len);
        match size {
            Some(size) if fixed.is_some_and(|fixed| fixed != size as usize) => {
                let message = format!("`{}` is an enumeration of another size", name.value);
                messages.error(codes::TRACE_SIZE, message, count.span);
            }
            Some(size) => {
                sizes.insert(sort, size);
            }
            None => {
                let message = format!("a sort has between 1 and {LARGEST} elements");
                messages.error(codes::TRACE_SIZE, message, count.span);
            }
        }
    }
    sizes
}
