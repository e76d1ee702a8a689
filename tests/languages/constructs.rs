//! Every construct means what its twin says: each file of `tests/ivy` and `tests/mypyvy` reads as
//! the very protocol of the `.rml` file of the same name.

use rmlcut::protocol::print_protocol;

use super::{files, read, source};

/// Compares every file of a language with its twin.
fn compare(below: &str, extension: &str) {
    for path in files(below, extension) {
        let meant = print_protocol(&read(&source(&path.with_extension("rml"))));
        let found = print_protocol(&read(&source(&path)));
        assert!(meant == found, "{}\nmeans\n{found}\nand not\n{meant}", path.display());
    }
}

#[test]
fn ivy_means_what_its_twins_say() {
    compare("tests/ivy", "ivy");
}

#[test]
fn mypyvy_means_what_its_twins_say() {
    compare("tests/mypyvy", "pyv");
}
