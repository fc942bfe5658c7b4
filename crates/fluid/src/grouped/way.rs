//! The network of groups for runs that need to know only when transfers have drained.

use std::hint::black_box;

use engine::{Error, FlowId, Network, SharedWay};
use units::{Bytes, Duration, Time};

use super::network::GroupedNetwork;

impl SharedWay for GroupedNetwork<'_> {
    fn start(&mut self, now: Time, flow: FlowId, bytes: Bytes) -> Result<(), Error> {
        self.begin(now, flow, bytes)
    }

    fn next_time(&self) -> Time {
        self.next_end()
    }

    fn pop_drained(&mut self, now: Time) -> Result<Option<FlowId>, Error> {
        let due = if self.nothing_is_due(now) { None } else { self.pop_due(now) };
        Ok(due.map(FlowId))
    }

    fn settle(&mut self, now: Time) -> Result<(), Error> {
        Network::settle(self, now)
    }

    fn latency(&self, flow: FlowId) -> Duration {
        self.places[flow.index()].latency
    }

    fn look_through(&self) {
        for place in self.places.iter() {
            black_box(place.latency);
        }
        self.parties.look_through();
    }
}
