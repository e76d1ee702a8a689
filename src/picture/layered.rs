//! Layers of a directed graph, from left to right. The only user of the layout crate.

use std::collections::BTreeMap;

use rust_sugiyama::configure::{Config, CrossingMinimization, RankingType};

/// The layout crate takes seconds for larger graphs.
const MAX_NODES: usize = 80;
const MAX_EDGES: usize = 200;

/// A node to place: its size, and the column it belongs to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Box {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) column: usize,
}

/// The space between nodes of neighbouring columns is a multiple of this.
const SPACE: f64 = 26.0;

/// The space between nodes of one column.
const ROW: f64 = 14.0;

/// Centres of all nodes; edges are pairs of positions.
///
/// Columns mean something (the distance of a state, the round of the analysis), so nodes keep them;
/// the crate finds the rows, from the edges between neighbouring columns.
pub(super) fn layers(nodes: &[Box], edges: &[(usize, usize)]) -> Vec<(f64, f64)> {
    let mut near: Vec<(usize, usize)> =
        edges.iter().filter_map(|(from, to)| neighbours(nodes, *from, *to)).collect();
    near.sort_unstable();
    near.dedup();
    if nodes.len() > MAX_NODES || near.len() > MAX_EDGES {
        return columns(nodes, edges);
    }
    // The crate begins with what no edge leads to: the first column, or the last one.
    let backwards: Vec<(usize, usize)> = near.iter().map(|(from, to)| (*to, *from)).collect();
    let found = [near, backwards].iter().find_map(|edges| sugiyama(nodes, edges));
    found.unwrap_or_else(|| columns(nodes, edges))
}

/// An edge from a column to the next one, whichever way it leads.
fn neighbours(nodes: &[Box], from: usize, to: usize) -> Option<(usize, usize)> {
    let (one, other) = (nodes[from].column, nodes[to].column);
    (one.abs_diff(other) == 1).then_some(if one < other { (from, to) } else { (to, from) })
}

/// The middle of each column.
fn middles(nodes: &[Box]) -> Vec<f64> {
    let count = nodes.iter().map(|node| node.column + 1).max().unwrap_or(0);
    let mut widest = vec![0.0; count];
    for node in nodes {
        widest[node.column] = node.width.max(widest[node.column]);
    }
    let mut x = 0.0;
    let middle = |wide: f64| {
        let middle = x + wide / 2.0;
        x += if wide > 0.0 { wide + 2.0 * SPACE } else { 0.0 };
        middle
    };
    widest.into_iter().map(middle).collect()
}

/// The rows that the crate finds, unless its ranks are not the columns.
fn sugiyama(nodes: &[Box], edges: &[(usize, usize)]) -> Option<Vec<(f64, f64)>> {
    let config = Config {
        vertex_spacing: ROW,
        // The crate's median divides by how far the neighbours are apart, which may be zero, and
        // then panics while sorting.
        c_minimization: CrossingMinimization::Barycenter,
        // The crate's search for the shortest edges does not end for some graphs.
        ranking_type: RankingType::Up,
        ..Config::default()
    };
    let number = |index: usize| u32::try_from(index).unwrap_or(u32::MAX);
    // The crate lays out from top to bottom: sides are exchanged here and back below.
    let sizes: Vec<(u32, (f64, f64))> = (0..)
        .zip(nodes)
        .map(|(index, node)| (index, (node.height, node.width + 2.0 * SPACE)))
        .collect();
    let edges: Vec<(u32, u32)> =
        edges.iter().map(|(from, to)| (number(*from), number(*to))).collect();
    let mut parts = rust_sugiyama::from_vertices_and_edges(&sizes, &edges, &config);
    // The order in which the crate lists parts and nodes differs from run to run.
    parts.iter_mut().for_each(|(nodes, ..)| nodes.sort_by_key(|(node, _)| *node));
    parts.sort_by_key(|(nodes, ..)| nodes.first().map(|(node, _)| *node));
    let middles = middles(nodes);
    let mut centres = vec![(0.0, 0.0); nodes.len()];
    let mut top = 0.0;
    for (part, ..) in parts {
        let mut ranks: BTreeMap<usize, f64> = BTreeMap::new();
        for (node, (_, rank)) in &part {
            let own = *ranks.entry(nodes[*node].column).or_insert(*rank);
            if (own - rank).abs() > 0.5 {
                return None;
            }
        }
        let high = |(node, (x, _)): &(usize, (f64, f64))| {
            (x - nodes[*node].height / 2.0, x + nodes[*node].height / 2.0)
        };
        let ends = part.iter().map(high);
        let (low, end) =
            ends.fold((f64::MAX, f64::MIN), |(low, end), (from, to)| (low.min(from), end.max(to)));
        for (node, (x, _)) in &part {
            centres[*node] = (middles[nodes[*node].column], x - low + top);
        }
        top += end - low + ROW;
    }
    Some(centres)
}

/// Rows without the crate: in each column, nodes near what they are joined to.
fn columns(nodes: &[Box], edges: &[(usize, usize)]) -> Vec<(f64, f64)> {
    let count = nodes.iter().map(|node| node.column + 1).max().unwrap_or(0);
    let mut columns: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (index, node) in nodes.iter().enumerate() {
        columns[node.column].push(index);
    }
    let mut place: Vec<f64> = vec![0.0; nodes.len()];
    let spread = |column: &[usize], place: &mut [f64]| {
        let middle = f64::from(u32::try_from(column.len()).unwrap_or(u32::MAX)) / 2.0;
        for (row, node) in (0_u32..).zip(column) {
            place[*node] = f64::from(row) - middle;
        }
    };
    columns.iter().for_each(|column| spread(column, &mut place));
    for round in 0..6 {
        let mean = |node: usize, place: &[f64]| {
            let neighbours = edges.iter().filter_map(|(from, to)| match round % 2 {
                0 => (*to == node && nodes[*from].column < nodes[node].column).then_some(*from),
                _ => (*from == node && nodes[*to].column > nodes[node].column).then_some(*to),
            });
            let (sum, count) = neighbours
                .fold((0.0, 0.0), |(sum, count), other| (sum + place[other], count + 1.0));
            if count > 0.0 { sum / count } else { place[node] }
        };
        for column in &mut columns {
            let mut keyed: Vec<(f64, usize)> =
                column.iter().map(|node| (mean(*node, &place), *node)).collect();
            keyed.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
            *column = keyed.into_iter().map(|(_, node)| node).collect();
            spread(column, &mut place);
        }
    }
    let middles = middles(nodes);
    let placed = nodes.iter().zip(&place);
    placed.map(|(node, row)| (middles[node.column], row * (node.height + 10.0))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boxes(count: usize) -> Vec<Box> {
        (0..count).map(|index| Box { width: 40.0, height: 20.0, column: index / 10 }).collect()
    }

    #[test]
    fn the_same_graph_has_the_same_layout() {
        for count in [12, 200] {
            let edges: Vec<(usize, usize)> =
                (1..count).flat_map(|node| [(node / 2, node), (node, node / 3)]).collect();
            let first = layers(&boxes(count), &edges);
            for _ in 0..5 {
                assert_eq!(layers(&boxes(count), &edges), first);
            }
        }
    }

    #[test]
    fn columns_are_kept() {
        let column = [0, 1, 1, 2, 3, 0];
        let nodes: Vec<Box> =
            column.iter().map(|own| Box { column: *own, ..boxes(1)[0] }).collect();
        let forwards = [(0, 1), (0, 2), (1, 3), (3, 4), (4, 0), (0, 4), (2, 2)];
        let backwards = forwards.map(|(from, to)| (to, from));
        for edges in [&forwards[..], &backwards, &[]] {
            let centres = layers(&nodes, edges);
            for (one, own) in centres.iter().zip(&column) {
                for (other, its) in centres.iter().zip(&column) {
                    assert_eq!(one.0 < other.0, own < its, "{centres:?}");
                }
            }
        }
    }

    /// Graphs of every shape: trees, circles, dense and sparse ones, several parts.
    #[test]
    fn every_graph_has_a_layout() {
        let mut seed = 7_usize;
        let mut random = |below: usize| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for _ in 0..600 {
            let nodes = 1 + random(24);
            let edges: Vec<(usize, usize)> =
                (0..random(3 * nodes)).map(|_| (random(nodes), random(nodes))).collect();
            let centres = layers(&boxes(nodes), &edges);
            assert!(centres.iter().all(|(x, y)| x.is_finite() && y.is_finite()), "{edges:?}");
        }
    }

    #[test]
    fn nodes_do_not_overlap() {
        for count in [1, 12, 200] {
            let edges: Vec<(usize, usize)> = (1..count).map(|node| (node / 2, node)).collect();
            let centres = layers(&boxes(count), &edges);
            for (index, one) in centres.iter().enumerate() {
                for other in &centres[..index] {
                    let apart = (one.0 - other.0).abs() >= 40.0 || (one.1 - other.1).abs() >= 20.0;
                    assert!(apart, "{one:?} {other:?}");
                }
            }
        }
    }
}
