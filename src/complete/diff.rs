//! The lines in which two texts differ.

/// The lines of two texts that differ, with the line before each change.
pub(super) fn diff(old: &str, new: &str) -> Vec<String> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    // The length of the longest common subsequence of every two endings.
    let mut common = vec![vec![0_usize; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            common[i][j] = match old[i] == new[j] {
                true => common[i + 1][j + 1] + 1,
                false => common[i + 1][j].max(common[i][j + 1]),
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut lines: Vec<String> = Vec::new();
    let mut header = None;
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            if old[i].starts_with("action ") {
                header = Some(old[i]);
            }
            (i, j) = (i + 1, j + 1);
            continue;
        }
        lines.extend(header.take().map(|header| format!("  {header}")));
        if j < new.len() && (i == old.len() || common[i][j + 1] >= common[i + 1][j]) {
            lines.push(format!("+ {}", new[j]));
            j += 1;
        } else {
            lines.push(format!("- {}", old[i]));
            i += 1;
        }
    }
    lines
}
