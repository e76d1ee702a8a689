//! Where something was looked for and not seen, in words.

use super::Looked;
use crate::protocol::{Protocol, print_size as size};

/// `never possible at any size up to node=3`
pub fn idle(protocol: &Protocol, looked: &Looked) -> String {
    match looked.is_complete() {
        true => format!("never possible {}", everywhere(protocol, looked)),
        false => format!("possible in no state that was seen, {}", in_part(protocol, looked)),
    }
}

/// `never holds at any size up to node=3`, of a premise
pub fn unmet(protocol: &Protocol, looked: &Looked) -> String {
    match looked.is_complete() {
        true => format!("never holds {}", everywhere(protocol, looked)),
        false => format!("holds in no state that was seen, {}", in_part(protocol, looked)),
    }
}

/// `not reached at any size up to node=3`, of an expected run
pub fn unreached(protocol: &Protocol, looked: &Looked) -> String {
    match looked.is_complete() {
        true => format!("not reached {}", everywhere(protocol, looked)),
        false => format!("not reached in what was seen, {}", in_part(protocol, looked)),
    }
}

fn everywhere(protocol: &Protocol, looked: &Looked) -> String {
    match looked.up_to.is_empty() {
        true => format!("at {}{}", size(protocol, &looked.up_to), integers(looked)),
        false => format!("at any size {}", up_to(protocol, looked)),
    }
}

fn in_part(protocol: &Protocol, looked: &Looked) -> String {
    let Looked { sizes, exhausted, .. } = looked;
    match looked.up_to.is_empty() {
        true => format!("not searched to the end{}", integers(looked)),
        false => {
            let up_to = up_to(protocol, looked);
            format!("with {exhausted} of {sizes} sizes {up_to} searched to the end")
        }
    }
}

fn up_to(protocol: &Protocol, looked: &Looked) -> String {
    let cutoff_sizes =
        looked.cutoff_sizes.iter().map(|own| format!(" and at {}", size(protocol, own)));
    let (largest, cutoff_sizes) = (size(protocol, &looked.up_to), cutoff_sizes.collect::<String>());
    format!("up to {largest}{cutoff_sizes}{}", integers(looked))
}

fn integers(looked: &Looked) -> String {
    looked.window.map_or_else(String::new, |(low, high)| format!(" (int {low}..{high})"))
}
