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

    /// What a flow has done of a byte is done anew.
    pub(crate) fn drop_part(&mut self, flow: u32) {
        if let Some(done) = self.done.get_mut(flow as usize) {
            *done -= *done % WORK_PER_BYTE;
        }
    }

    /// The routes change: what has moved has taken the old ones, but for what each flow has `repeated`.
    /// Parts of bytes go to the new ones.
    pub(crate) fn turn(&mut self, repeated: &dyn Fn(usize) -> u128) {
        let done = self.done.iter().enumerate();
        let bytes = done.map(|(flow, work)| work / WORK_PER_BYTE - repeated(flow));
        let moved = bytes.zip(&mut self.told).map(|(bytes, told)| {
            let moved = bytes - *told;
            *told = bytes;
            moved
        });
        self.by_routes.push(moved.collect());
    }

    /// The bytes of each flow by set of routes, told by its last turn; nothing where routes do not change.
    pub(crate) fn finish(self) -> Vec<Vec<u128>> {
        if self.done.is_empty() { Vec::new() } else { self.by_routes }
    }
}

/// So much work in whole bytes, rounded up.
pub(crate) fn whole_bytes(work: u128) -> Bytes {
    let bytes = u64::try_from(work.div_ceil(WORK_PER_BYTE)).expect("what is sent has 64 bits");
    Bytes::new(bytes)
}
