//! Fuzzes the whole pipeline with protocols that make sense: the bytes choose what is generated,
//! and then how it is changed.

#![no_main]

#[path = "../dice.rs"]
mod dice;
#[path = "../../tests/campaign/edits.rs"]
mod edits;
#[allow(dead_code)]
#[path = "../entry.rs"]
mod entry;
#[path = "../../tests/campaign/generate.rs"]
mod generate;
#[allow(dead_code)]
#[path = "../../tests/campaign/mutate.rs"]
mod mutate;
#[path = "../../tests/campaign/phrases.rs"]
mod phrases;

use rmlcut::pipeline::read_protocol;
use rmlcut::protocol::{Protocol, print_protocol};
use rmlcut::source::SourceFile;

/// The most changes of one protocol.
const CHANGES: usize = 3;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut dice = dice::Dice::new(bytes);
    let mut text = generate::protocol(&mut dice);
    for _ in 0..CHANGES {
        if dice.is_fresh() {
            text = changed(&text, &mut dice);
        }
    }
    entry::rml(&text);
    entry::proved(&text);
});

/// The text with one change, if it still makes sense.
fn changed(text: &str, dice: &mut dice::Dice) -> String {
    let Some(protocol) = read(text) else { return text.to_owned() };
    let changes = mutate::changes(&protocol);
    if changes.is_empty() {
        return text.to_owned();
    }
    let choice = (dice.below(256) * 256 + dice.below(256)) % changes.len();
    let changed = print_protocol(&changes[choice].1);
    if read(&changed).is_some() { changed } else { text.to_owned() }
}

fn read(text: &str) -> Option<Protocol> {
    read_protocol(&SourceFile::new("fuzz.rml", text)).ok().map(|(protocol, _)| protocol)
}
