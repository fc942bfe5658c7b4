//! What flows have carried on each set of routes.

use units::Bytes;

/// Milli-bit/s × ps in a byte.
pub(crate) const WORK_PER_BYTE: u128 = 8_000_000_000_000_000;

/// Whole bytes carried, counted only where routes change: elsewhere the schedule tells them.
#[derive(Clone, Debug)]
pub(crate) struct Moves {
    /// Work done by each flow since the start; empty where routes do not change.
    done: Vec<u128>,
    /// Bytes of each flow until the routes changed last.
    told: Vec<u128>,
    by_routes: Vec<Vec<u128>>,
}

impl Moves {
    /// Nothing has moved yet.
    pub(crate) fn new(flows: usize, routes: u32) -> Self {
        let flows = if routes > 1 { flows } else { 0 };
        Self { done: vec![0; flows], told: vec![0; flows], by_routes: Vec::new() }
    }

    /// A flow has done some work.
    pub(crate) fn add(&mut self, flow: u32, work: u128) {
        if let Some(done) = self.done.get_mut(flow as usize) {
            *done += work;
        }
    }

    /// A flow has carried whole bytes in periods that were skipped.
    pub(crate) fn add_bytes(&mut self, flow: u32, bytes: u128) {
        self.add(flow, bytes * WORK_PER_BYTE);
    }

    /// The routes change: what has moved has taken the old ones. Parts of bytes go to the new ones.
    pub(crate) fn turn(&mut self) {
        let bytes = self.done.iter().map(|work| work / WORK_PER_BYTE);
        let moved = bytes.zip(&mut self.told).map(|(bytes, told)| {
            let moved = bytes - *told;
            *told = bytes;
            moved
        });
        self.by_routes.push(moved.collect());
    }

    /// The bytes of each flow by set of routes; nothing where routes do not change.
    pub(crate) fn finish(mut self) -> Vec<Vec<u128>> {
        self.turn();
        if self.done.is_empty() { Vec::new() } else { self.by_routes }
    }
}

/// What of `asked` has moved when `left` is still to be done, in whole bytes.
pub(crate) fn delivered(asked: Bytes, left: u128) -> Bytes {
    let left = u64::try_from(left.div_ceil(WORK_PER_BYTE)).expect("less than was asked for");
    Bytes::new(asked.as_u64() - left)
}
