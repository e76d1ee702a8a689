//! Natural numbers of any size, for counting states without visiting them.

use std::fmt;

/// A natural number of any size, least significant digits first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Natural {
    digits: Vec<u32>,
}

impl Natural {
    /// One.
    pub(crate) fn one() -> Self {
        Natural { digits: vec![1] }
    }

    /// The number, or the greatest of its type if it is greater.
    pub(crate) fn saturated(&self) -> u64 {
        match self.digits[..] {
            [] => 0,
            [low] => u64::from(low),
            [low, high] => u64::from(high) << 32 | u64::from(low),
            _ => u64::MAX,
        }
    }

    /// The sum of two numbers.
    pub(crate) fn plus(&self, other: &Natural) -> Natural {
        let length = self.digits.len().max(other.digits.len());
        let digit = |number: &Natural, at| u64::from(*number.digits.get(at).unwrap_or(&0));
        let (mut digits, mut carry) = (Vec::with_capacity(length + 1), 0);
        for at in 0..length {
            let sum = digit(self, at) + digit(other, at) + carry;
            digits.push(low_half(sum));
            carry = sum >> 32;
        }
        if carry > 0 {
            digits.push(low_half(carry));
        }
        Natural { digits }
    }

    /// The number times a power of two.
    pub(crate) fn doubled(&self, times: u32) -> Natural {
        if self.digits.is_empty() {
            return Natural::default();
        }
        let mut digits = vec![0; (times / 32) as usize];
        let mut carry = 0;
        for digit in &self.digits {
            let moved = u64::from(*digit) << (times % 32) | carry;
            digits.push(low_half(moved));
            carry = moved >> 32;
        }
        if carry > 0 {
            digits.push(low_half(carry));
        }
        Natural { digits }
    }
}

fn low_half(number: u64) -> u32 {
    u32::try_from(number & u64::from(u32::MAX)).unwrap_or(u32::MAX)
}

impl fmt::Display for Natural {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const BASE: u64 = 1_000_000_000;
        let (mut digits, mut parts) = (self.digits.clone(), Vec::new());
        while digits.iter().any(|digit| *digit > 0) {
            let mut rest = 0;
            for digit in digits.iter_mut().rev() {
                let number = rest << 32 | u64::from(*digit);
                *digit = low_half(number / BASE);
                rest = number % BASE;
            }
            parts.push(rest);
        }
        match parts.split_last() {
            None => write!(f, "0"),
            Some((first, others)) => {
                write!(f, "{first}")?;
                others.iter().rev().try_for_each(|part| write!(f, "{part:09}"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_written_in_full() {
        let large = Natural::one().doubled(100);
        assert_eq!(large.to_string(), "1267650600228229401496703205376");
        assert_eq!(large.plus(&Natural::one()).to_string(), "1267650600228229401496703205377");
        assert_eq!(Natural::one().doubled(64).saturated(), u64::MAX);
        assert_eq!(Natural::one().doubled(63).saturated(), 1 << 63);
        assert_eq!(Natural::default().to_string(), "0");
    }
}
