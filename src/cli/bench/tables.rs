//! The tables of a document that name protocols, sizes and what was counted there.

/// A row that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("the row `{0}` is not a linked file, a size and a number of states")]
pub(crate) struct RowError(pub(crate) String);

/// One row of a table.
pub(crate) struct TableRow {
    /// The linked file, relative to the document.
    pub(crate) file: String,
    /// The size, as in `node=2 int=0..3`.
    pub(crate) size: String,
    /// What the third column says.
    pub(crate) states: String,
}

/// The rows of all tables with the columns `file`, `size` and the given one.
pub(crate) fn rows(document: &str, column: &str) -> Result<Vec<TableRow>, RowError> {
    let mut columns: Option<[usize; 3]> = None;
    let mut found = Vec::new();
    for line in document.lines() {
        let Some(cells) = line.strip_prefix("| ").and_then(|line| line.strip_suffix(" |")) else {
            columns = columns.filter(|_| line.starts_with("|-"));
            continue;
        };
        let cells: Vec<&str> = cells.split(" | ").collect();
        match columns {
            Some(columns) => found.push(row(&cells, columns, line)?),
            None => {
                let position = |name| cells.iter().position(|cell| *cell == name);
                let all = [position("file"), position("size"), position(column)];
                if let [Some(file), Some(size), Some(states)] = all {
                    columns = Some([file, size, states]);
                }
            }
        }
    }
    Ok(found)
}

fn row(cells: &[&str], [file, size, states]: [usize; 3], line: &str) -> Result<TableRow, RowError> {
    let wrong = || RowError(line.to_owned());
    let cell = |position: usize| cells.get(position).copied().ok_or_else(wrong);
    let link = cell(file)?.split_once("](").and_then(|(_, link)| link.strip_suffix(')'));
    Ok(TableRow {
        file: link.ok_or_else(wrong)?.to_owned(),
        size: cell(size)?.to_owned(),
        states: cell(states)?.to_owned(),
    })
}

/// Numbers of elements, by sort.
pub(crate) type Counts = Vec<(String, u32)>;

impl TableRow {
    /// The elements of each sort, and the range of integers.
    pub(crate) fn parts(&self) -> Result<(Counts, Option<(i64, i64)>), RowError> {
        let wrong = || RowError(self.size.clone());
        let (mut sizes, mut window) = (Counts::new(), None);
        for part in self.size.split(' ') {
            match part.split_once('=').ok_or_else(wrong)? {
                ("int", range) => {
                    let (low, high) = range.split_once("..").ok_or_else(wrong)?;
                    let number = |text: &str| text.parse().map_err(|_| wrong());
                    window = Some((number(low)?, number(high)?));
                }
                (sort, count) => sizes.push((sort.to_owned(), count.parse().map_err(|_| wrong())?)),
            }
        }
        Ok((sizes, window))
    }

    /// The same as options of the command line.
    pub(crate) fn options(&self) -> Vec<String> {
        let mut options = Vec::new();
        for part in self.size.split(' ') {
            match part.strip_prefix("int=") {
                Some(range) => options.extend(["--int".to_owned(), range.to_owned()]),
                None => options.extend(["--size".to_owned(), part.to_owned()]),
            }
        }
        options
    }
}
