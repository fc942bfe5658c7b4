//! A network whose medium changes: capacities, routes, and transfers that have no way any more.
//!
//! A change acts on what is under way at its instant, before anything starts then. A transfer whose
//! path has a dead link stands still until the link or its routes change; one without a path waits
//! while a later set of routes has one for it, and has ended otherwise.

use engine::{Digest, Error, FlowId};
use units::{Bytes, Duration, Time};

use crate::loss::Onward;
use crate::moves::whole_bytes;
use crate::{FluidNetwork, Medium};

/// A transfer that ended because no way is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stranded {
    pub(crate) flow: FlowId,
    pub(crate) at: Time,
    pub(crate) asked: Bytes,
    /// What of it had left its sender, repeats not counted.
    pub(crate) delivered: Bytes,
}

/// Where a run stands among the turns of its medium.
#[derive(Clone, Debug)]
pub(crate) struct Turning {
    /// The turns that have happened.
    passed: usize,
    /// The set of routes that holds.
    routes: u32,
    /// Transfers that stand still.
    waiting: Vec<u32>,
    /// Transfers that have ended on the way.
    pub(crate) ended: Vec<Stranded>,
    /// The size of the last transfer of each flow; empty where routes do not change: none ends there.
    asked: Vec<Bytes>,
    /// When the last transfer of each flow arrives; empty where no path becomes shorter.
    arrives: Vec<Time>,
}

impl Turning {
    pub(crate) fn new(medium: &Medium) -> Self {
        let rerouted = if medium.routes() > 1 { medium.flows() } else { 0 };
        Self {
            passed: 0,
            routes: 0,
            waiting: Vec::new(),
            ended: Vec::new(),
            asked: vec![Bytes::ZERO; rerouted],
            arrives: vec![Time::ZERO; rerouted],
        }
    }

    /// The set of routes that holds.
    pub(crate) const fn routes(&self) -> u32 {
        self.routes
    }

    /// Hears of a transfer of `bytes`.
    pub(crate) fn on_start(&mut self, flow: u32, bytes: Bytes) {
        if let Some(asked) = self.asked.get_mut(flow as usize) {
            *asked = bytes;
        }
    }

    /// The arrival of a transfer that would come at `at`: not before the one that its flow sent before
    /// it, though that may have taken a longer path.
    pub(crate) fn in_order(&mut self, flow: u32, at: Time) -> Time {
        let Some(last) = self.arrives.get_mut(flow as usize) else { return at };
        *last = at.max(*last);
        *last
    }

    /// Moves arrivals that are still to come; `None` beyond the range of time.
    pub(crate) fn shift(&mut self, now: Time, by: Duration) -> Option<()> {
        for at in self.arrives.iter_mut().filter(|at| **at > now) {
            *at = at.checked_add(by)?;
        }
        Some(())
    }
}

impl FluidNetwork<'_> {
    /// The next turn that has not happened.
    pub(crate) fn next_turn(&self) -> Option<Time> {
        self.medium.turns().get(self.turning.passed).map(|turn| turn.at)
    }

    /// Whether a turn could make a difference: something moves, or would.
    pub(crate) fn is_busy(&self) -> bool {
        self.draining.next_time().is_some() || !self.turning.waiting.is_empty()
    }

    /// Lets everything turn that has turned by now. What ends at that instant has taken the old path.
    pub(crate) fn catch_up(&mut self, now: Time) -> Result<(), Error> {
        while self.next_turn().is_some_and(|at| at <= now) {
            self.drain_due(now);
            self.turn(now)?;
        }
        Ok(())
    }

    fn turn(&mut self, now: Time) -> Result<(), Error> {
        let turn = &self.medium.turns()[self.turning.passed];
        self.turning.passed += 1;
        let mut touched: Vec<u32> = Vec::new();
        for &(resource, _) in &turn.capacities {
            touched.extend(self.draining.allocation.flows_on(resource));
        }
        if turn.routes.is_some() {
            // Those that an earlier turn of this instant has touched have no end yet.
            let flows = 0..self.medium.flows();
            let active = flows.filter(|&flow| self.draining.allocation.is_active(flow));
            touched.extend(active.map(|flow| flow as u32));
        }
        touched.sort_unstable();
        touched.dedup();
        for &flow in &touched {
            self.draining.stop(now, flow);
        }
        for &(resource, capacity) in &turn.capacities {
            self.draining.allocation.set_capacity(resource, capacity);
        }
        if let Some(routes) = turn.routes {
            self.turning.routes = routes;
            self.count_moves();
        }
        let waiting = std::mem::take(&mut self.turning.waiting);
        for flow in touched.into_iter().chain(waiting) {
            self.admit(now, flow)?;
        }
        Ok(())
    }

    /// What has moved by now has taken the routes that held.
    pub(crate) fn count_moves(&mut self) {
        let (losses, left) = (&self.losses, &self.draining.left);
        self.draining.moves.turn(&|flow| {
            let left = whole_bytes(left[flow].work());
            losses.as_ref().map_or(0, |losses| losses.repeated(flow, left))
        });
    }

    /// Decides what is lost of a transfer that has a path: whether its sender goes on.
    fn goes_on(&mut self, now: Time, flow: u32) -> Result<bool, Error> {
        let Some(losses) = &mut self.losses else { return Ok(true) };
        let place = (flow, self.turning.routes);
        let left = whole_bytes(self.draining.left(flow));
        match losses.reroute(now, place, left)? {
            Onward::AsBefore => {}
            Onward::GivesUp => {
                self.draining.set_left(now, flow, 0);
                return Ok(false);
            }
            Onward::Sends(bytes) => {
                self.draining.set_left(now, flow, bytes.as_work());
                self.draining.moves.drop_part(flow);
            }
        }
        Ok(true)
    }

    /// Lets a transfer onto its path, if it has one on which it can move.
    pub(crate) fn admit(&mut self, now: Time, flow: u32) -> Result<(), Error> {
        let path = self.medium.path(flow as usize, self.turning.routes);
        if path.is_some() && !self.goes_on(now, flow)? {
            return Ok(());
        }
        let left = self.draining.left(flow);
        self.draining.set_left(now, flow, left);
        let allocation = &mut self.draining.allocation;
        match path {
            Some(path) if allocation.is_cut(path) => self.turning.waiting.push(flow),
            Some(path) if left == 0 => self.gone.push((flow, self.medium.latency(path))),
            Some(path) => allocation.insert_on(flow as usize, path),
            None if self.may_return(flow) => self.turning.waiting.push(flow),
            None => {
                let asked = self.turning.asked[flow as usize];
                let left = whole_bytes(left);
                let losses = self.losses.as_ref();
                let left = losses.map_or(left, |losses| losses.payload_left(flow, left));
                let (flow, delivered) = (FlowId(flow), asked - left);
                self.turning.ended.push(Stranded { flow, at: now, asked, delivered });
            }
        }
        Ok(())
    }

    /// Whether a set of routes that is still to come has a path for a flow.
    fn may_return(&self, flow: u32) -> bool {
        let ahead = &self.medium.turns()[self.turning.passed..];
        let mut routes = ahead.iter().filter_map(|turn| turn.routes);
        routes.any(|routes| self.medium.path(flow as usize, routes).is_some())
    }

    /// Adds what the turns have left behind.
    pub(crate) fn digest_turning(&self, digest: &mut Digest) {
        for &flow in &self.turning.waiting {
            let left = self.draining.left(flow);
            digest.add(0x46, [u64::from(flow), left as u64, (left >> 64) as u64]);
        }
        digest.add(0x47, [self.turning.passed as u64, self.turning.ended.len() as u64, 0]);
    }
}
