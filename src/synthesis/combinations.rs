//! Combinations of options.

/// Every way so far, continued with every option.
pub(crate) fn extended<T: Clone>(ways: &[Vec<T>], options: &[T]) -> Vec<Vec<T>> {
    let longer = |way: &Vec<T>, option: &T| {
        let mut way = way.clone();
        way.push(option.clone());
        way
    };
    ways.iter().flat_map(|way| options.iter().map(move |option| longer(way, option))).collect()
}
