//! What a player can ask for, read from a line.

use crate::logic::{Extent, Value};
use crate::protocol::{Protocol, Sort, State, element_name};

/// The arguments of an action that are given; the others may be anything.
pub type GivenArguments = Vec<Option<Value>>;

/// Something that a player asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayCommand {
    /// What holds and what is possible.
    Show,
    /// The step with this number, from 1.
    Take(usize),
    /// The step that an invocation makes.
    Invoke(usize, GivenArguments),
    /// Why an action is not possible.
    Why(usize, GivenArguments),
    /// So many steps back.
    Back(usize),
    /// Begin again, in the initial state with this number, from 1.
    Restart(usize),
    /// So many random steps.
    Random(usize),
    /// The run so far.
    Run,
    /// Write the run to a file.
    Save(String),
    /// Read a run from a file.
    Load(String),
    /// How to play.
    Help,
    /// Enough.
    Quit,
}

/// Every word that begins a command.
pub const WORDS: [&str; 10] =
    ["show", "why", "back", "restart", "random", "run", "save", "load", "help", "quit"];

/// Why a line is not a command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// Nothing is called like that.
    #[error("`{0}` is neither a number, a command nor an action; `help` lists the commands")]
    Unknown(String),
    /// Not a number.
    #[error("`{0}` is not a number")]
    NotANumber(String),
    /// Something is missing.
    #[error("write {0}")]
    Incomplete(&'static str),
    /// No such element.
    #[error("`{0}` is not an element of {1}")]
    NoElement(String, String),
    /// Too many arguments.
    #[error("too many arguments: {0} has {1}")]
    Arguments(String, usize),
}

/// Reads a line; names of elements are those of a state.
///
/// # Errors
/// When it is not a command.
pub fn parse(protocol: &Protocol, state: &State, line: &str) -> Result<PlayCommand, CommandError> {
    let line = line.trim();
    if let Ok(number) = line.parse() {
        return Ok(PlayCommand::Take(number));
    }
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let number = || match rest {
        "" => Ok(1),
        text => text.parse().map_err(|_| CommandError::NotANumber(text.to_owned())),
    };
    let file = |usage| match rest {
        "" => Err(CommandError::Incomplete(usage)),
        name => Ok(name.to_owned()),
    };
    // An action that is called like a command is meant where arguments follow in brackets.
    Ok(match word {
        "" | "show" => PlayCommand::Show,
        "why" => {
            let (action, args) = invocation(protocol, state, rest)?
                .ok_or(CommandError::Incomplete("why ACTION or why ACTION(ARGUMENTS)"))?;
            PlayCommand::Why(action, args)
        }
        "back" => PlayCommand::Back(number()?),
        "restart" => PlayCommand::Restart(number()?),
        "random" => PlayCommand::Random(number()?),
        "run" => PlayCommand::Run,
        "save" => PlayCommand::Save(file("save FILE.itf.json")?),
        "load" => PlayCommand::Load(file("load FILE.itf.json")?),
        "help" | "?" => PlayCommand::Help,
        "quit" | "exit" => PlayCommand::Quit,
        _ => match invocation(protocol, state, line)? {
            Some((action, args)) => PlayCommand::Invoke(action, args),
            None => return Err(CommandError::Unknown(word.to_owned())),
        },
    })
}

/// An action with the arguments that are given.
type Invoked = (usize, GivenArguments);

/// `action`, `action(a, b)` or `action a b`; `*` is any element.
fn invocation(
    protocol: &Protocol,
    state: &State,
    text: &str,
) -> Result<Option<Invoked>, CommandError> {
    let is_part = |character: char| !(character.is_whitespace() || "(),".contains(character));
    let mut words = text.split(|character| !is_part(character)).filter(|word| !word.is_empty());
    let Some((action, declared)) = words.next().and_then(|name| protocol.action(name)) else {
        return Ok(None);
    };
    let given: Vec<&str> = words.collect();
    if given.len() > declared.params.len() {
        return Err(CommandError::Arguments(declared.name.to_string(), declared.params.len()));
    }
    let args = given.iter().zip(&declared.params);
    let args = args.map(|(word, param)| match *word {
        "*" => Ok(None),
        word => element(protocol, state, param.sort, word).map(Some),
    });
    Ok(Some((action, args.collect::<Result<_, _>>()?)))
}

fn element(
    protocol: &Protocol,
    state: &State,
    sort: Sort,
    word: &str,
) -> Result<Value, CommandError> {
    let signature = &protocol.signature;
    let found = match state.extent(sort) {
        Some(extent @ Extent::Elements(_)) => {
            extent.values().find(|value| *element_name(signature, sort, *value) == *word)
        }
        Some(Extent::Window { .. }) | None => word.parse().ok().map(Value::Int),
    };
    let name = match sort {
        Sort::Declared(id) => signature.sort_name(id).to_string(),
        Sort::Int => "int".to_owned(),
    };
    found.ok_or_else(|| CommandError::NoElement(word.to_owned(), name))
}
