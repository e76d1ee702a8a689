//! The page that explains a folder of evidence.

use std::fmt::Write as _;

use crate::evidence::Exhibit;
use crate::smt::Proof;

/// The first line of the page, by which a folder of evidence is known.
pub const MARK: &str = "# Evidence written by `rmlcut check --smt2`";

/// The page: what the files are, how to check them, and what is expected of each.
pub fn readme(verdict: &str, exhibits: &[Exhibit], proofs: Option<&[Option<Proof>]>) -> String {
    let mut out = format!("{MARK}\n\n");
    let _ = writeln!(out, "The verdict was: {verdict}\n");
    out.push_str(
        "Every `.smt2` file is one obligation, self-contained, in SMT-LIB 2.6. It asserts what may \
         be\nassumed and the opposite of what must follow: `unsat` means that the obligation is \
         valid. The\nstatus that `rmlcut` found is in the file (`set-info :status`) and below. \
         A sort with \
         named elements is declared by distinct\nconstants that are all there is, for solvers and \
         proof checkers that know no datatypes. Any solver\ncan say the same again, file by file:\n\n    z3 FILE.smt2\n    \
         cvc5 --lang=smt2.6 FILE.smt2\n\nThe finite instances, which are part of the proof as \
         well, are not among these files: `rmlcut explore`\nsearches them.\n",
    );
    if proofs.is_some() {
        out.push_str(
            "\nEvery `.alethe` file is cvc5's proof of the `.smt2` file of the same name, in the \
             Alethe format,\nwith `proof-granularity=dsl-rewrite`. A checker of that format needs \
             both:\n\n    carcara check FILE.alethe FILE.smt2\n",
        );
    }
    out.push_str("\n| file | obligation | status |");
    out.push_str(if proofs.is_some() {
        " proof |\n|---|---|---|---|\n"
    } else {
        "\n|---|---|---|\n"
    });
    for (index, exhibit) in exhibits.iter().enumerate() {
        let Exhibit { title, stem, status, .. } = exhibit;
        let _ = write!(out, "| {stem}.smt2 | {title} | {status} |");
        if let Some(proofs) = proofs {
            let proof = match proofs.get(index).and_then(Option::as_ref) {
                Some(Proof::Alethe(_)) => format!("{stem}.alethe"),
                Some(Proof::Missing(reason)) => format!("none: {reason}"),
                None => "none".to_owned(),
            };
            let _ = write!(out, " {proof} |");
        }
        out.push('\n');
    }
    out
}
