//! Proofs by cvc5 in the Alethe format, which independent checkers read.

use super::UnknownReason;
use super::cvc5::{Cvc5, ExternalError};
use super::process::Ended;
use crate::budget::Budget;

/// What makes cvc5 write every step of a proof in terms that a checker knows.
const OPTIONS: &str = "\
(set-option :produce-proofs true)
(set-option :proof-format-mode alethe)
(set-option :proof-granularity dsl-rewrite)
";

/// The result of asking for a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// A proof that the script has no model.
    Alethe(String),
    /// There is none.
    Missing(UnknownReason),
}

impl Cvc5 {
    /// A proof that a script has no model.
    ///
    /// The script must end in `(check-sat)` and `(exit)`, and use no datatypes: Alethe has none.
    ///
    /// # Errors
    /// When the solver cannot be run.
    pub fn prove(&self, script: &str, budget: &Budget) -> Result<Proof, ExternalError> {
        let asking = script.replace("\n(exit)\n", "\n(get-proof)\n(exit)\n");
        let asking = format!("{OPTIONS}{asking}");
        Ok(match self.converse(&[], &asking, &budget.one_question().stop)? {
            Ended::Stopped(why) => Proof::Missing(UnknownReason::from(why)),
            Ended::Finished(finished) => read(&finished.stdout),
        })
    }
}

/// `unsat`, then the proof in parentheses.
fn read(output: &str) -> Proof {
    let proof = output.strip_prefix("unsat").map(str::trim);
    match proof {
        Some(proof) if proof.starts_with('(') && !proof.contains("(error ") => {
            Proof::Alethe(format!("{proof}\n"))
        }
        _ => {
            let said = output.lines().find(|line| line.contains("(error "));
            let said = said.or(output.lines().next()).unwrap_or("it said nothing");
            Proof::Missing(UnknownReason::Incomplete(said.to_owned()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_whole_proof_is_one() {
        let whole = "unsat\n(\n(assume a0 false)\n(step t1 (cl) :rule resolution)\n)\n";
        assert!(matches!(read(whole), Proof::Alethe(proof) if proof.starts_with("(\n(assume")));
        for other in
            ["", "sat\n", "unknown\n", "unsat\n(\n(error \"unsupported\"))\n", "unsat\nnothing\n"]
        {
            assert!(matches!(read(other), Proof::Missing(_)), "{other}");
        }
    }
}
