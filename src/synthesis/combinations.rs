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

/// All multisets of at most `most` items, the smaller ones first.
pub(crate) fn multisets<T: Copy>(items: &[T], most: usize) -> Vec<Vec<T>> {
    let mut all: Vec<(usize, Vec<T>)> = vec![(0, Vec::new())];
    let mut first = 0;
    for _ in 0..most {
        let last = all.len();
        for index in first..last {
            let (start, prefix) = all[index].clone();
            for (position, item) in items.iter().enumerate().skip(start) {
                let mut longer = prefix.clone();
                longer.push(*item);
                all.push((position, longer));
            }
        }
        first = last;
    }
    all.into_iter().map(|(_, set)| set).collect()
}
