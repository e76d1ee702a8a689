//! The nodes of decision diagrams, each once, and the results of operations on them.
//!
//! Both tables are flat arrays: nearly all time of a symbolic search is spent in them, and general
//! hash maps made it two to three times as long.

/// A test of one variable, with the numbers of the nodes where it leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) variable: u32,
    pub(super) low: u32,
    pub(super) high: u32,
}

/// The number of no node.
const FREE: u32 = u32::MAX;

/// The first number of slots: small, because many instances need few nodes.
const FIRST_SLOTS: usize = 1 << 10;

/// All nodes, found by their contents with linear probing.
pub(super) struct NodeTable {
    nodes: Vec<Node>,
    slots: Vec<u32>,
}

impl NodeTable {
    /// A table of some nodes that are never looked for.
    pub(super) fn new(constants: Vec<Node>) -> Self {
        NodeTable { nodes: constants, slots: vec![FREE; FIRST_SLOTS] }
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn get(&self, number: u32) -> Node {
        self.nodes[number as usize]
    }

    /// The bytes in use.
    pub(super) fn memory(&self) -> u64 {
        (self.nodes.capacity() * size_of::<Node>() + self.slots.len() * size_of::<u32>()) as u64
    }

    /// The bytes that so many more nodes may take beside those in use: tables grow by doubling, and
    /// the old one is there until the new one is filled.
    pub(super) fn growth(&self, more: usize) -> u64 {
        let count = self.nodes.len() + more;
        let mut bytes = 0;
        if count > self.nodes.capacity() {
            bytes += 2 * self.nodes.capacity() * size_of::<Node>();
        }
        if count * 2 > self.slots.len() {
            bytes += 2 * self.slots.len() * size_of::<u32>();
        }
        bytes as u64
    }

    /// The number of a node, new if there is none like it; `None` when there are too many.
    pub(super) fn number(&mut self, node: Node) -> Option<u32> {
        let mut slot = hash(node.variable, node.low, node.high) & (self.slots.len() - 1);
        while self.slots[slot] != FREE {
            if self.nodes[self.slots[slot] as usize] == node {
                return Some(self.slots[slot]);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        let number = u32::try_from(self.nodes.len()).ok().filter(|number| *number != FREE)?;
        self.nodes.push(node);
        self.slots[slot] = number;
        if self.nodes.len() * 2 > self.slots.len() {
            self.grow();
        }
        Some(number)
    }

    fn grow(&mut self) {
        let mut slots = vec![FREE; self.slots.len() * 2];
        for number in self.slots.iter().copied().filter(|number| *number != FREE) {
            let node = self.nodes[number as usize];
            let mut slot = hash(node.variable, node.low, node.high) & (slots.len() - 1);
            while slots[slot] != FREE {
                slot = (slot + 1) & (slots.len() - 1);
            }
            slots[slot] = number;
        }
        self.slots = slots;
    }
}

/// The result of an operation on two numbers.
#[derive(Clone, Copy, Debug)]
struct Entry {
    operation: u32,
    left: u32,
    right: u32,
    result: u32,
}

/// Results of operations; a later one may take the place of an earlier one, which is then computed
/// again when it is needed.
pub(super) struct ResultCache {
    entries: Vec<Entry>,
}

impl ResultCache {
    pub(super) fn new() -> Self {
        ResultCache { entries: vec![ResultCache::EMPTY; FIRST_SLOTS] }
    }

    const EMPTY: Entry = Entry { operation: FREE, left: 0, right: 0, result: 0 };

    /// The bytes in use.
    pub(super) fn memory(&self) -> u64 {
        (self.entries.len() * size_of::<Entry>()) as u64
    }

    pub(super) fn get(&self, operation: u32, left: u32, right: u32) -> Option<u32> {
        let entry = self.entries[hash(operation, left, right) & (self.entries.len() - 1)];
        let is_same = entry.operation == operation && entry.left == left && entry.right == right;
        is_same.then_some(entry.result)
    }

    pub(super) fn insert(&mut self, operation: u32, left: u32, right: u32, result: u32) {
        let slot = hash(operation, left, right) & (self.entries.len() - 1);
        self.entries[slot] = Entry { operation, left, right, result };
    }

    /// Makes room in proportion to the number of nodes if no more than so many bytes are needed for
    /// it, and keeps what is known.
    pub(super) fn fit(&mut self, nodes: usize, most: u64) {
        let size = self.entries.len() * 4;
        if nodes <= self.entries.len() || (size * size_of::<Entry>()) as u64 > most {
            return;
        }
        let known = std::mem::replace(&mut self.entries, vec![ResultCache::EMPTY; size]);
        for entry in known.into_iter().filter(|entry| entry.operation != FREE) {
            self.insert(entry.operation, entry.left, entry.right, entry.result);
        }
    }
}

/// Mixes three numbers; the low bits depend on all of them.
fn hash(one: u32, two: u32, three: u32) -> usize {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let mixed = (u64::from(one) << 32 | u64::from(two)).wrapping_mul(ODD);
    let mixed = (mixed ^ mixed >> 29 ^ u64::from(three)).wrapping_mul(ODD);
    (mixed >> 24) as usize
}
