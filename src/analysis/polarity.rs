//! Polarity: which truth value of a part helps the whole to hold.

/// What a subformula contributes to the truth of the formula around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Polarity {
    /// Making it true can only help.
    Positive,
    /// Making it false can only help.
    Negative,
    /// Either may help: it stands under `<->`, in a condition or inside a term.
    Both,
}

impl Polarity {
    /// The polarity under a negation.
    pub(super) fn flip(self) -> Self {
        match self {
            Polarity::Positive => Polarity::Negative,
            Polarity::Negative => Polarity::Positive,
            Polarity::Both => Polarity::Both,
        }
    }
}
