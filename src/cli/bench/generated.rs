//! Protocols of any size, in every language, for measuring.

use std::fmt::Write;

/// A protocol with so many actions of ordinary size.
pub(crate) fn rml(count: usize) -> String {
    let mut text = String::from(
        "sort node\nsort key\nrelation holds(node, key)\nrelation busy(node)\n\
         function last(node): key\nsafety holds(N, K) & holds(M, K) -> N = M\n",
    );
    for index in 0..count {
        // Writing to a string cannot fail, here and below.
        let _ = write!(
            text,
            "\naction step_{index}(n: node, k: key) {{\n  \
               require holds(n, k) & ~busy(n)\n  \
               require forall M. holds(M, k) -> M = n\n  \
               holds(n, k) := false\n  \
               busy(n) := true\n  \
               if last(n) = k {{ holds(n, *) := false }} else {{ last(n) := * }}\n}}\n"
        );
    }
    text
}

/// The same in Ivy.
pub(crate) fn ivy(count: usize) -> String {
    let mut text = String::from(
        "#lang ivy1.7\ntype node\ntype key\nrelation holds(N:node, K:key)\n\
         relation busy(N:node)\nfunction last(N:node) : key\n\
         after init {\n    busy(N) := false\n}\n\
         invariant [one] holds(N, K) & holds(M, K) -> N = M\n",
    );
    for index in 0..count {
        let _ = write!(
            text,
            "\naction step_{index}(n:node, k:key) = {{\n    \
               require holds(n, k) & ~busy(n);\n    \
               require forall M. holds(M, k) -> M = n;\n    \
               holds(n, k) := false;\n    \
               busy(n) := true;\n    \
               if last(n) = k {{ holds(n, K) := false }} else {{ last(n) := * }}\n}}\n\
             export step_{index}\n"
        );
    }
    text
}

/// The same in mypyvy.
pub(crate) fn mypyvy(count: usize) -> String {
    let mut text = String::from(
        "sort node\nsort key\nmutable relation holds(node, key)\n\
         mutable relation busy(node)\nmutable function last(node): key\ninit !busy(N)\n\
         safety [one] holds(N, K) & holds(M, K) -> N = M\n",
    );
    for index in 0..count {
        let _ = write!(
            text,
            "\ntransition step_{index}(n: node, k: key)\n  \
               modifies holds, busy\n  \
               holds(n, k) & !busy(n) & (forall M. holds(M, k) -> M = n) &\n  \
               (forall N, K. new(holds(N, K)) <-> holds(N, K) & !(N = n & K = k)) &\n  \
               (forall N. new(busy(N)) <-> busy(N) | N = n & last(n) = k)\n"
        );
    }
    text
}
