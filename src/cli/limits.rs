//! Numbers on the command line, and how large they may be: what no machine can do is refused at
//! once, with the limit.

use clap::builder::RangedI64ValueParser;

use crate::budget::cores;

/// More threads than this only get in each other's way.
const MAX_THREADS: i64 = 256;

/// No search of residual sorts gets this far.
const MAX_RESIDUAL: i64 = 100;

/// No search of an instance with more elements ends.
const MAX_ELEMENTS: u32 = 1000;

/// The threads that were asked for, or as many as there are cores.
pub(super) fn threads_or_cores(threads: Option<u16>) -> usize {
    threads.map_or_else(cores, usize::from)
}

/// How many threads may work.
pub(super) fn threads() -> RangedI64ValueParser<u16> {
    clap::value_parser!(u16).range(1..=MAX_THREADS)
}

/// The largest size of residual sorts.
pub(super) fn residual() -> RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=MAX_RESIDUAL)
}

/// A sort with its size, as in `node=3`.
pub(super) fn sized(text: &str) -> Result<(String, u32), String> {
    let (sort, count) = text.split_once('=').ok_or("write sort=count, as in node=3")?;
    let (sort, count) = (sort.trim(), count.trim());
    if count.is_empty() || !count.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(format!("`{count}` is not a number of elements"));
    }
    match count.parse() {
        Ok(count @ 1..=MAX_ELEMENTS) => Ok((sort.to_owned(), count)),
        _ => Err(format!("`{sort}` must have between 1 and {MAX_ELEMENTS} elements")),
    }
}

/// A range of integers, as in `0..4`.
pub(super) fn range(text: &str) -> Result<(i64, i64), String> {
    let (low, high) = text.split_once("..").ok_or("write low..high, as in 0..4")?;
    let number =
        |text: &str| text.trim().parse::<i64>().map_err(|_| format!("`{text}` is not an integer"));
    Ok((number(low)?, number(high)?))
}
