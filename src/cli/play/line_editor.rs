//! Lines from a player: edited, recalled and completed in a terminal, and plain otherwise. The only
//! user of the line editor.

use std::io::{self, BufRead, IsTerminal};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use rustyline::completion::Completer;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{Config, Context, Editor, Helper};

use crate::budget::Stop;
use crate::play::WORDS;
use crate::protocol::{Protocol, Sort, State, element_name};

/// How often a plain input looks whether it is time to stop.
const PULSE: Duration = Duration::from_millis(50);

/// Lines, one after another.
pub(super) enum Lines {
    /// From a terminal.
    Edited(Box<Editor<Words, MemHistory>>),
    /// From anything else.
    Plain(Receiver<String>, Stop),
}

impl Lines {
    /// Lines of the standard input; commands, actions and elements are completed.
    pub(super) fn new(protocol: &Protocol, state: &State, stop: &Stop) -> Self {
        if io::stdin().is_terminal()
            && let Ok(mut editor) = Editor::with_history(Config::default(), MemHistory::new())
        {
            editor.set_helper(Some(Words::new(protocol, state)));
            return Lines::Edited(Box::new(editor));
        }
        let (sender, receiver) = mpsc::channel();
        // Reading cannot be interrupted; the thread ends with the program.
        std::thread::spawn(move || {
            for line in io::stdin().lock().lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Lines::Plain(receiver, stop.clone())
    }

    /// The next line; `None` at the end of the input and after Ctrl-C.
    pub(super) fn next(&mut self) -> Option<String> {
        match self {
            Lines::Edited(editor) => {
                let line = editor.readline("> ").ok()?;
                // A history that is full forgets.
                let _ = editor.add_history_entry(&line);
                Some(line)
            }
            Lines::Plain(lines, stop) => loop {
                if stop.is_set() {
                    return None;
                }
                match lines.recv_timeout(PULSE) {
                    Ok(line) => return Some(line),
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return None,
                }
            },
        }
    }
}

/// The words that Tab completes.
pub(super) struct Words(Vec<String>);

impl Words {
    fn new(protocol: &Protocol, state: &State) -> Self {
        let actions = protocol.actions.iter().map(|action| action.name.to_string());
        let sorts = protocol.signature.sorts().map(Sort::Declared);
        let elements = sorts.flat_map(|sort| {
            let values = state.extents[&sort].values();
            values.map(move |value| element_name(&protocol.signature, sort, value).to_string())
        });
        let words = WORDS.iter().map(ToString::to_string);
        Words(words.chain(actions).chain(elements).collect())
    }
}

impl Completer for Words {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let before = line.get(..position).unwrap_or(line);
        let start = before.rfind([' ', '(', ',']).map_or(0, |end| end + 1);
        let begun = &before[start..];
        let found = self.0.iter().filter(|word| word.starts_with(begun)).cloned();
        Ok((start, found.collect()))
    }
}

impl Hinter for Words {
    type Hint = String;
}
impl Highlighter for Words {}
impl Validator for Words {}
impl Helper for Words {}
