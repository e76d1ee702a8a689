//! The set of states found: packed states in arenas, open-addressing tables of their numbers.
//!
//! The set is cut into shards by hash, so that threads can fill different shards at once; a state
//! gets the same number whatever the number of threads.

/// How many shards there are.
pub(crate) const SHARDS: usize = 64;

/// More than the states of one shard: numbers take 26 bits, the shard 6.
const SHARD_LIMIT: usize = 1 << 26;

/// The number of a state: shard and position in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct StateId(u32);

impl StateId {
    /// The state at a position of a shard.
    pub(crate) fn new(shard: usize, position: usize) -> Self {
        let number = shard * SHARD_LIMIT + position;
        StateId(u32::try_from(number).expect("64 shards of 2^26 states are numbered by 32 bits"))
    }

    fn shard_and_position(self) -> (usize, usize) {
        (self.0 as usize / SHARD_LIMIT, self.0 as usize % SHARD_LIMIT)
    }

    /// The number as a word, to be stored beside a packed state.
    pub(crate) fn to_word(self) -> u64 {
        u64::from(self.0)
    }

    /// The inverse of [`StateId::to_word`].
    pub(crate) fn from_word(word: u64) -> Self {
        StateId(u32::try_from(word).expect("a word made from a state's number"))
    }
}

/// All states found so far.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    words: usize,
    pub(crate) shards: Vec<Shard>,
}

impl Store {
    /// A store of states of `words` words.
    pub(crate) fn new(words: usize) -> Self {
        Store::with_limit(words, SHARD_LIMIT)
    }

    /// A store that holds less than so many states in a shard.
    pub(crate) fn with_limit(words: usize, limit: usize) -> Self {
        let limit = limit.min(SHARD_LIMIT);
        Store { words, shards: (0..SHARDS).map(|_| Shard::new(words, limit)).collect() }
    }

    /// How many states there are.
    pub(crate) fn len(&self) -> u64 {
        self.shards.iter().map(|shard| shard.len() as u64).sum()
    }

    /// A state.
    pub(crate) fn state(&self, id: StateId) -> &[u64] {
        let (shard, position) = id.shard_and_position();
        self.shards[shard].state(position)
    }

    /// The state that a state was found from; initial states are their own parents.
    pub(crate) fn parent(&self, id: StateId) -> StateId {
        let (shard, position) = id.shard_and_position();
        StateId(self.shards[shard].parents[position])
    }

    /// Every state, shard by shard.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u64]> {
        self.shards.iter().flat_map(|shard| shard.states.chunks_exact(self.words))
    }

    /// How many bytes are held.
    pub(crate) fn memory(&self) -> u64 {
        self.shards.iter().map(Shard::memory).sum()
    }
}

/// The states whose hash leads here.
#[derive(Clone, Debug)]
pub(crate) struct Shard {
    words: usize,
    limit: usize,
    states: Vec<u64>,
    parents: Vec<u32>,
    /// Zero for an empty slot, else the position plus one, and six bits of the hash above it.
    table: Vec<u32>,
    /// Where the states found last begin.
    pub(crate) fresh: usize,
}

const POSITION_BITS: u32 = 26;
const SMALLEST_TABLE: usize = 16;

/// The result of offering a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Offered {
    /// It is new, at this position.
    New(usize),
    /// It was known.
    Known,
    /// The shard is full.
    Full,
}

impl Shard {
    fn new(words: usize, limit: usize) -> Self {
        let table = vec![0; SMALLEST_TABLE];
        Shard { words, limit, states: Vec::new(), parents: Vec::new(), table, fresh: 0 }
    }

    /// How many states there are.
    pub(crate) fn len(&self) -> usize {
        self.parents.len()
    }

    /// How many words a state has.
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// The state at a position.
    #[inline]
    pub(crate) fn state(&self, position: usize) -> &[u64] {
        &self.states[position * self.words..(position + 1) * self.words]
    }

    /// Adds a state unless it is known; `parent` of `None` makes it its own parent.
    #[inline]
    pub(crate) fn offer(
        &mut self,
        state: &[u64],
        hash: u64,
        own: usize,
        parent: Option<StateId>,
    ) -> Offered {
        let mask = self.table.len() - 1;
        let tag = tag(hash);
        let mut slot = slot(hash, mask);
        loop {
            let entry = self.table[slot];
            if entry == 0 {
                break;
            }
            if entry >> POSITION_BITS == tag
                && self.state((entry & ((1 << POSITION_BITS) - 1)) as usize - 1) == state
            {
                return Offered::Known;
            }
            slot = (slot + 1) & mask;
        }
        self.add(state, slot, tag, own, parent)
    }

    fn add(
        &mut self,
        state: &[u64],
        slot: usize,
        tag: u32,
        own: usize,
        parent: Option<StateId>,
    ) -> Offered {
        let position = self.len();
        if position + 1 >= self.limit {
            return Offered::Full;
        }
        let number = u32::try_from(position + 1).expect("positions take 26 bits");
        self.table[slot] = number | tag << POSITION_BITS;
        reserve(&mut self.states, self.words);
        reserve(&mut self.parents, 1);
        self.states.extend_from_slice(state);
        self.parents.push(parent.unwrap_or(StateId::new(own, position)).0);
        if self.len() * 4 > self.table.len() * 3 {
            self.grow();
        }
        Offered::New(position)
    }

    fn grow(&mut self) {
        let mask = self.table.len() * 2 - 1;
        let mut table = vec![0; mask + 1];
        for (position, state) in (1..).zip(self.states.chunks_exact(self.words)) {
            let hash = hash(state);
            let mut slot = slot(hash, mask);
            while table[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            table[slot] = position | tag(hash) << POSITION_BITS;
        }
        self.table = table;
    }

    fn memory(&self) -> u64 {
        let states = self.states.capacity() * 8;
        let numbers = (self.parents.capacity() + self.table.capacity()) * 4;
        (states + numbers) as u64
    }
}

/// Grows by a quarter instead of doubling: memory is what ends a search.
fn reserve<T>(vec: &mut Vec<T>, additional: usize) {
    if vec.capacity() - vec.len() < additional {
        vec.reserve_exact(additional.max(vec.len() / 4).max(64));
    }
}

/// The hash of a packed state: all bits of all words reach all bits of it.
#[inline]
pub(crate) fn hash(state: &[u64]) -> u64 {
    let mut hash = 0x9e37_79b9_7f4a_7c15_u64;
    for word in state {
        hash = (hash ^ word).wrapping_mul(0xff51_afd7_ed55_8ccd);
        hash ^= hash >> 32;
        hash = hash.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        hash ^= hash >> 29;
    }
    hash
}

/// The shard of a hash: its six highest bits.
#[inline]
pub(crate) fn shard_of(hash: u64) -> usize {
    (hash >> 58) as usize
}

/// Six bits that neither the shard nor the slot uses.
#[inline]
fn tag(hash: u64) -> u32 {
    ((hash >> 52) & 0x3f) as u32
}

#[inline]
fn slot(hash: u64, mask: usize) -> usize {
    hash as usize & mask
}
