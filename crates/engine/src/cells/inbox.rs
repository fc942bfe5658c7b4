//! Messages from other cells that are still to be delivered.

use std::collections::VecDeque;

use units::Time;

use crate::plan::FlowId;
use crate::tournament::Tournament;

/// The known deliveries of each flow that comes from another cell.
///
/// A flow delivers in the order of its steps, so each has a queue, and only the first of each queue
/// takes part in the search for the earliest.
#[derive(Clone, Debug)]
pub struct Inbox {
    /// The flow of the first queue; those of the others follow it.
    first_flow: u32,
    queues: Vec<VecDeque<Time>>,
    heads: Tournament,
}

impl Inbox {
    /// An inbox for `count` flows from `first_flow` on, empty.
    pub fn new(first_flow: u32, count: usize) -> Self {
        Self { first_flow, queues: vec![VecDeque::new(); count], heads: Tournament::new(count) }
    }

    /// A message of `flow` will be delivered at that instant, not before those told earlier.
    pub fn push(&mut self, flow: FlowId, at: Time) {
        let slot = (flow.0 - self.first_flow) as usize;
        if self.queues[slot].is_empty() {
            self.heads.set(slot, at);
        }
        self.queues[slot].push_back(at);
    }

    /// The instant of the first delivery; [`Time::MAX`] if none is known.
    pub fn next_time(&self) -> Time {
        self.heads.earliest()
    }

    /// Takes out a message that is due.
    pub fn pop_due(&mut self, now: Time) -> Option<FlowId> {
        if self.heads.earliest() > now {
            return None;
        }
        let slot = self.heads.winner();
        let queue = self.queues.get_mut(slot)?;
        queue.pop_front()?;
        self.heads.set(slot, queue.front().copied().unwrap_or(Time::MAX));
        Some(FlowId(self.first_flow + slot as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_come_out_in_order_of_time_then_of_flow() {
        let at = Time::from_picos;
        let mut inbox = Inbox::new(10, 3);
        inbox.push(FlowId(12), at(5));
        inbox.push(FlowId(10), at(7));
        inbox.push(FlowId(12), at(7));
        inbox.push(FlowId(11), at(5));
        assert_eq!(inbox.next_time(), at(5));
        assert_eq!(inbox.pop_due(at(4)), None);
        let order: Vec<u32> =
            std::iter::from_fn(|| inbox.pop_due(at(9)).map(|flow| flow.0)).collect();
        assert_eq!(order, [11, 12, 10, 12]);
        assert_eq!(inbox.next_time(), Time::MAX);
    }
}
