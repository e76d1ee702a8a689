//! What no `init` line mentions: legal, sometimes meant, and often forgotten.

use std::collections::BTreeSet;

use crate::diagnostic::{Code, Diagnostic};
use crate::protocol::{Protocol, Symbol, SymbolId, symbols_read};

/// A symbol whose first value nothing constrains.
pub const FREE_AT_THE_START: Code = Code("RML0705");

/// The symbols that may start in any way, one message each.
///
/// A relation that starts in any way is a warning. A function needs some value and often has no
/// sensible one to start with, so an arbitrary one is only worth a note.
pub fn free_at_the_start(protocol: &Protocol) -> Vec<Diagnostic> {
    let mentioned: BTreeSet<SymbolId> =
        protocol.init.iter().flat_map(|line| line.formula.symbols()).collect();
    let read = read(protocol);
    let free = protocol.signature.mutable().filter(|(id, _)| !mentioned.contains(id));
    free.filter(|(id, _)| read.contains(id)).map(|(_, symbol)| message(symbol)).collect()
}

/// How a symbol starts that nothing reads makes no difference.
fn read(protocol: &Protocol) -> BTreeSet<SymbolId> {
    let by_actions = protocol.actions.iter().flat_map(|action| symbols_read(&action.body));
    let by_properties = protocol.properties.iter().flat_map(|own| own.matrix.symbols());
    by_actions.chain(by_properties).collect()
}

fn message(symbol: &Symbol) -> Diagnostic {
    let name = &symbol.name;
    let what = format!("nothing constrains `{name}` at the start");
    match symbol.result {
        Some(_) => Diagnostic::note(FREE_AT_THE_START, what, symbol.span)
            .labelled("any value is possible in the first state"),
        None => Diagnostic::warning(FREE_AT_THE_START, what, symbol.span)
            .labelled("it may be true or false in the first state")
            .hint(format!(
                "write what it is in `init`; if any start is meant, say so: `init {}`",
                either(symbol)
            )),
    }
}

/// `r(X1, X2) | ~r(X1, X2)`: true of every state, and a mention.
fn either(symbol: &Symbol) -> String {
    let arguments: Vec<String> =
        (1..=symbol.params.len()).map(|position| format!("X{position}")).collect();
    let atom = match arguments.len() {
        0 => symbol.name.to_string(),
        _ => format!("{}({})", symbol.name, arguments.join(", ")),
    };
    format!("{atom} | ~{atom}")
}
