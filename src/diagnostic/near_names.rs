//! Names that may be meant where another one is written.

/// The truth value that was meant by a name that other languages write in capitals.
pub fn truth_in_capitals(name: &str) -> Option<&'static str> {
    match name {
        "TRUE" | "True" => Some("true"),
        "FALSE" | "False" => Some("false"),
        _ => None,
    }
}

/// The candidate that is nearest to `name`, if one is near; the first of equally near ones.
pub fn nearest<N: AsRef<str> + Clone>(name: &str, candidates: &[N]) -> Option<N> {
    let name: Vec<char> = name.chars().collect();
    let limit = ((name.len() + 1) / 3).min(3);
    let mut best: Option<(usize, &N)> = None;
    for candidate in candidates {
        let limit = best.map_or(limit, |(distance, _)| distance - 1);
        if let Some(distance) = edit_distance(&name, candidate.as_ref(), limit) {
            best = Some((distance, candidate));
            if distance == 0 {
                break;
            }
        }
    }
    best.map(|(_, candidate)| candidate.clone())
}

/// The number of insertions, deletions, replacements and swaps of neighbours, up to a limit.
fn edit_distance(left: &[char], right: &str, limit: usize) -> Option<usize> {
    let right: Vec<char> = right.chars().collect();
    if left.len().abs_diff(right.len()) > limit {
        return None;
    }
    let mut before_last = vec![0; right.len() + 1];
    let mut last: Vec<usize> = (0..=right.len()).collect();
    for (row, &l) in left.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, &r) in right.iter().enumerate() {
            let replace = last[column] + usize::from(l != r);
            let mut cost = replace.min(last[column + 1] + 1).min(current[column] + 1);
            if row > 0 && column > 0 && l == right[column - 1] && left[row - 1] == r {
                cost = cost.min(before_last[column - 1] + 1);
            }
            current.push(cost);
        }
        if current.iter().all(|cost| *cost > limit) {
            return None;
        }
        before_last = std::mem::replace(&mut last, current);
    }
    last.last().copied().filter(|distance| *distance <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nearest_of(name: &str, candidates: &[&str]) -> Option<String> {
        nearest(name, candidates).map(str::to_owned)
    }

    #[test]
    fn a_near_name_is_found() {
        let names = ["seqnum_sent", "seqnum_recvd", "table"];
        assert_eq!(nearest_of("seqnum_set", &names), Some("seqnum_sent".to_owned()));
        assert_eq!(nearest_of("tabel", &names), Some("table".to_owned()));
        assert_eq!(nearest_of("table", &names), Some("table".to_owned()));
    }

    #[test]
    fn a_far_name_is_not() {
        assert_eq!(nearest_of("ack", &["table", "owner"]), None);
        assert_eq!(nearest_of("q", &["r"]), None);
        assert_eq!(nearest_of("", &["r"]), None);
    }
}
