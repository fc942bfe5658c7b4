//! Flows that have their way to themselves.

use engine::{FlowId, OwnWay, Plan};
use units::{Bytes, Duration};

use super::groups::{Groups, Seat};

/// Who shares with nobody, and at what rate it goes.
#[derive(Clone, Debug)]
pub(crate) struct OwnWays<'g> {
    groups: &'g Groups<'g>,
    /// The rate of each track that is alone in its group; 0: not alone, or it never moves.
    rates: Vec<u64>,
}

impl<'g> OwnWays<'g> {
    pub(crate) fn new(groups: &'g Groups<'g>) -> Self {
        let mut rates = Vec::new();
        for small in groups.small() {
            let is_alone = small.tracks() == 1;
            let rate = if is_alone { small.own_rate(0) } else { 0 };
            rates.extend(std::iter::repeat_n(rate, small.tracks()));
        }
        Self { groups, rates }
    }

    /// For each agent of a plan whether all that it sends shares with nobody and moves.
    pub(crate) fn senders(&self, plan: &Plan) -> Vec<bool> {
        let mut senders = vec![true; plan.agents()];
        for (index, flow) in (0..).zip(plan.flows()) {
            senders[flow.src.index()] &= self.rate(FlowId(index)) > 0;
        }
        senders
    }

    /// The rate of a flow that shares with nobody; 0: it does share, or never moves.
    fn rate(&self, flow: FlowId) -> u64 {
        match self.groups.places[flow.index()].seat {
            Seat::Track(track) => self.rates[track as usize],
            Seat::Clock { .. } | Seat::Mixed { .. } => 0,
        }
    }
}

impl OwnWay for OwnWays<'_> {
    fn draining(&self, flow: FlowId, bytes: Bytes) -> Duration {
        let picos = bytes.as_work().div_ceil(u128::from(self.rate(flow)));
        Duration::from_picos(u64::try_from(picos).unwrap_or(u64::MAX))
    }

    fn latency(&self, flow: FlowId) -> Duration {
        self.groups.latency(flow)
    }
}
