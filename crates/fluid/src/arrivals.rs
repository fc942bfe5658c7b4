//! Drained transfers on their way to the receiver.
//!
//! Transfers over paths of one latency arrive in the order in which they drained. So each latency has a
//! queue, and the calendar holds one entry for each queue, not one for each transfer.

use std::cmp::Reverse;
use std::collections::VecDeque;
use std::hash::BuildHasherDefault;

use priority_queue::PriorityQueue;
use rustc_hash::{FxHashMap, FxHasher};
use units::{Duration, Time};

/// Pending arrivals.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arrivals {
    queues: Vec<VecDeque<(Time, u32)>>,
    queue_of: FxHashMap<Duration, u32>,
    /// The first arrival of each queue that holds some; keys change as queues move up.
    first: PriorityQueue<u32, Reverse<(Time, u32)>, BuildHasherDefault<FxHasher>>,
}

impl Arrivals {
    /// A transfer of `flow`, whose path has this latency, arrives at `at`.
    pub(crate) fn push(&mut self, latency: Duration, at: Time, flow: u32) {
        let next = self.queues.len() as u32;
        let queue = *self.queue_of.entry(latency).or_insert(next);
        if queue == next {
            self.queues.push(VecDeque::new());
        }
        let waiting = &mut self.queues[queue as usize];
        if waiting.is_empty() {
            self.first.push(queue, Reverse((at, queue)));
        }
        waiting.push_back((at, flow));
    }

    pub(crate) fn next_time(&self) -> Option<Time> {
        self.first.peek().map(|(_, Reverse((at, _)))| *at)
    }

    pub(crate) fn pop_due(&mut self, now: Time) -> Option<u32> {
        let (_, &Reverse((at, queue))) = self.first.peek()?;
        if at > now {
            return None;
        }
        let waiting = &mut self.queues[queue as usize];
        let (_, flow) = waiting.pop_front().expect("a queue in the calendar holds an arrival");
        match waiting.front() {
            Some(&(next, _)) if next == at => {}
            Some(&(next, _)) => {
                self.first.change_priority(&queue, Reverse((next, queue)));
            }
            None => {
                self.first.pop();
            }
        }
        Some(flow)
    }

    /// Tells some of the flows that arrive next over paths of the latency of the next one.
    pub(crate) fn look_ahead(&self, most: usize, tell: &mut dyn FnMut(u32)) {
        if let Some((&queue, _)) = self.first.peek() {
            self.queues[queue as usize].iter().take(most).for_each(|&(_, flow)| tell(flow));
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (Time, u32)> {
        self.queues.iter().flatten().copied()
    }

    /// Moves all arrivals later; `None` beyond the range of time.
    pub(crate) fn shift(&mut self, by: Duration) -> Option<()> {
        for (at, _) in self.queues.iter_mut().flatten() {
            *at = at.checked_add(by)?;
        }
        for (_, Reverse((at, _))) in self.first.iter_mut() {
            *at = *at + by;
        }
        Some(())
    }
}
