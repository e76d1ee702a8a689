//! Plain tables: columns as wide as their widest cell, two blanks apart.

/// A table with its heads; rows may be shorter than the heads.
pub(crate) fn table(heads: &[&str], rows: &[Vec<String>]) -> String {
    let heads: Vec<String> = heads.iter().map(|head| (*head).to_owned()).collect();
    let wide = |column: usize| {
        let cells = rows.iter().chain([&heads]).filter_map(|row| row.get(column));
        cells.map(|cell| width(cell)).max().unwrap_or_default()
    };
    let wide: Vec<usize> = (0..heads.len()).map(wide).collect();
    [&heads].into_iter().chain(rows).map(|row| line(row, &wide)).collect()
}

fn line(cells: &[String], wide: &[usize]) -> String {
    let padded = cells.iter().zip(wide).map(|(cell, wide)| {
        let blanks = wide.saturating_sub(width(cell));
        format!("{cell}{}", " ".repeat(blanks))
    });
    let line = padded.collect::<Vec<_>>().join("  ");
    format!("{}\n", line.trim_end())
}

fn width(text: &str) -> usize {
    text.chars().count()
}
