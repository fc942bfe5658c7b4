//! A network that watches how much flows ask of what they do not cross in its medium.
//!
//! Let the flows over a resource L of capacity C be under way at rates r that were found without L, each
//! w times. At level s of the water-filling let F be what is free on L, and A the weight of its flows not
//! yet fixed, each of which ends at s or above.
//!
//! If C ≥ Σ w × (r + 1), then F ≥ Σ w × (r + 1) over these ≥ (s + 1) × A, and the share of L is above s:
//! it never decides. If C ≥ Σ w × r only, then F ≥ Σ w × r over these. At the highest of the rates this
//! is s × A: L may fix its last flows together with others, at the rate that they have. Below it the
//! fastest flow adds at least the gap to the next rate to s × A, so if the gap is at least Σ w ≥ A, or
//! there is no other rate, the share is again above s. Where one of the two holds at every moment, the
//! run without L is the run with it.

use engine::{Digest, Error, FlowId, Network, News, Recurrent};
use units::{Bytes, Time};

use crate::{FluidNetwork, Medium};

/// Which flows cross what is watched, and how often.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watch {
    /// Where the entries of each flow begin; one more at the end.
    start: Vec<u32>,
    /// (what is watched, how often the flow crosses it).
    entries: Vec<(u32, u64)>,
    /// The flows over each thing watched, with how often they cross it.
    watched: Vec<Vec<(u32, u64)>>,
}

impl Watch {
    /// A watch over things given by the flows that cross them, each with how often, out of so many flows.
    pub(crate) fn new(flows: usize, watched: Vec<Vec<(u32, u64)>>) -> Self {
        let mut by_flow = vec![Vec::new(); flows];
        for (index, crossing) in (0..).zip(&watched) {
            for &(flow, times) in crossing {
                by_flow[flow as usize].push((index, times));
            }
        }
        let mut watch = Self { start: vec![0], entries: Vec::new(), watched };
        for entries in by_flow {
            watch.entries.extend(entries);
            watch.start.push(watch.entries.len() as u32);
        }
        watch
    }

    fn of(&self, flow: u32) -> &[(u32, u64)] {
        let flow = flow as usize;
        &self.entries[self.start[flow] as usize..self.start[flow + 1] as usize]
    }
}

/// A fluid network under a watch.
#[derive(Debug)]
pub(crate) struct Watched<'m> {
    network: FluidNetwork<'m>,
    watch: &'m Watch,
    /// One more than the rate of each flow under way, else 0.
    asked: Vec<u128>,
    /// Σ times × (rate + 1) over what is under way, by what is watched.
    load: Vec<u128>,
    peak: Vec<u128>,
    /// What has changed since the rates were last solved.
    touched: Vec<u32>,
}

impl<'m> Watched<'m> {
    /// Nothing moves yet.
    pub(crate) fn new(medium: &'m Medium, watch: &'m Watch) -> Self {
        Self {
            network: FluidNetwork::new(medium),
            watch,
            asked: vec![0; medium.flows()],
            load: vec![0; watch.watched.len()],
            peak: vec![0; watch.watched.len()],
            touched: Vec::new(),
        }
    }

    /// The capacity with which each thing watched would never have decided, at any moment.
    pub(crate) fn into_peaks(self) -> Vec<u128> {
        self.peak
    }

    /// The capacity with which something watched does not decide at this moment.
    fn needed(&self, index: usize) -> u128 {
        let (mut weight, mut highest, mut next) = (0, 0, 0);
        for &(flow, times) in &self.watch.watched[index] {
            let asked = self.asked[flow as usize];
            if asked == 0 {
                continue;
            }
            weight += u128::from(times);
            if asked > highest {
                (highest, next) = (asked, highest);
            } else if asked < highest {
                next = asked.max(next);
            }
        }
        let is_gap_wide = next == 0 || highest - next >= weight;
        self.load[index] - if is_gap_wide { weight } else { 0 }
    }

    fn ask(&mut self, flow: u32, asked: u128) {
        let before = std::mem::replace(&mut self.asked[flow as usize], asked);
        for &(index, times) in self.watch.of(flow) {
            let load = &mut self.load[index as usize];
            *load = *load + u128::from(times) * asked - u128::from(times) * before;
            self.touched.push(index);
        }
    }
}

impl Network for Watched<'_> {
    fn start(&mut self, now: Time, flow: FlowId, bytes: Bytes) -> Result<(), Error> {
        self.network.start(now, flow, bytes)?;
        self.ask(flow.0, 1);
        Ok(())
    }

    fn next_time(&self) -> Option<Time> {
        self.network.next_time()
    }

    fn poll(&mut self, now: Time) -> Result<Option<News>, Error> {
        let news = self.network.poll(now)?;
        if let Some(News::Drained(flow)) = news {
            self.ask(flow.0, 0);
        }
        Ok(news)
    }

    fn settle(&mut self, now: Time) -> Result<(), Error> {
        self.network.settle(now)?;
        for index in 0..self.network.draining.changed.len() {
            let (flow, _) = self.network.draining.changed[index];
            let rate = self.network.draining.allocation.rate(flow as usize);
            self.ask(flow, u128::from(rate) + 1);
        }
        let mut touched = std::mem::take(&mut self.touched);
        for index in touched.drain(..) {
            if self.load[index as usize] > self.peak[index as usize] {
                let needed = self.needed(index as usize);
                let peak = &mut self.peak[index as usize];
                *peak = needed.max(*peak);
            }
        }
        self.touched = touched;
        Ok(())
    }
}

impl Recurrent for Watched<'_> {
    fn digest(&self, now: Time, digest: &mut Digest) {
        self.network.digest(now, digest);
    }

    fn next_change(&self, now: Time) -> Option<Time> {
        self.network.next_change(now)
    }

    fn skip(&mut self, flow: FlowId, bytes: u128) {
        self.network.skip(flow, bytes);
    }

    fn shift(&mut self, now: Time, then: Time) -> Result<(), Error> {
        self.network.shift(now, then)
    }
}
