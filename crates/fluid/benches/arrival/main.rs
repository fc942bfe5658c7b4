//! What one arrival takes, alone: a flow that comes, and the rates of all brought up to date.
//!
//! As many flows are active as a fat-tree has hosts, about, between hosts chosen by hash. The oldest leaves
//! and the rates are solved, which is not timed; then another comes, which is. It then leaves and comes again
//! at once, which tells what of its time is work: all it asks for lies in the near caches then.

#![expect(clippy::disallowed_types, reason = "what is measured is time")]

#[expect(dead_code, reason = "the example runs whole cases")]
#[path = "../../examples/peers/fat_tree.rs"]
mod fat_tree;

use std::io::{Error, Write as _, stdout};
use std::time::Instant;

use fat_tree::FatTree;
use fluid::Medium;
use fluid::allocation::Allocation;
use topology::mix;

/// Fabrics with as many active flows.
const WORLDS: [(FatTree, u32); 2] = [(FatTree::SMALL, 1_000), (FatTree::LARGE, 10_000)];

/// So often each world is measured, in turn with the others; its quietest time counts.
const ROUNDS: usize = 9;

/// So many arrivals a time.
const ARRIVALS: usize = 40_000;

/// Flows that come and go in a ring.
struct Arrivals<'m> {
    allocation: Allocation<'m>,
    /// Active are those from the oldest on.
    oldest: u32,
    active: u32,
    changed: Vec<(u32, u64)>,
}

/// The medians of many arrivals in nanoseconds: when a flow first comes, and when it comes again at once.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Medians {
    first: u128,
    again: u128,
}

impl<'m> Arrivals<'m> {
    /// So many of the flows are active, which are twice as many.
    fn new(medium: &'m Medium, active: u32) -> Self {
        let mut allocation = Allocation::new(medium);
        (0..active).for_each(|flow| allocation.insert(flow as usize));
        let mut changed = Vec::new();
        allocation.solve(&mut changed);
        Self { allocation, oldest: 0, active, changed }
    }

    fn depart(&mut self, flow: u32) {
        self.allocation.remove(flow as usize);
        self.changed.clear();
        self.allocation.solve(&mut self.changed);
    }

    /// Takes a flow and tells how long that took, in nanoseconds.
    fn arrive(&mut self, flow: u32) -> u128 {
        self.changed.clear();
        let start = Instant::now();
        self.allocation.insert(flow as usize);
        self.allocation.solve(&mut self.changed);
        start.elapsed().as_nanos()
    }

    fn medians(&mut self) -> Medians {
        let (mut first, mut again) = (Vec::new(), Vec::new());
        for _ in 0..ARRIVALS {
            let coming = (self.oldest + self.active) % (2 * self.active);
            self.depart(self.oldest);
            first.push(self.arrive(coming));
            self.depart(coming);
            again.push(self.arrive(coming));
            self.oldest = (self.oldest + 1) % (2 * self.active);
        }
        Medians { first: median(first), again: median(again) }
    }
}

/// What asking for the time takes, which is part of what was measured.
fn clock() -> u128 {
    median((0..ARRIVALS).map(|_| Instant::now().elapsed().as_nanos()).collect())
}

fn median(mut times: Vec<u128>) -> u128 {
    times.sort_unstable();
    times[times.len() / 2]
}

fn medium(tree: FatTree, active: u32) -> Medium {
    let host = |key: u64, flow: u32| (mix(key, u64::from(flow)) % u64::from(tree.hosts())) as u32;
    tree.medium((0..2 * active).map(|flow| (host(3, flow), host(4, flow))))
}

fn main() -> Result<(), Error> {
    let media = WORLDS.map(|(tree, active)| medium(tree, active));
    let mut worlds: Vec<Arrivals<'_>> = media
        .iter()
        .zip(WORLDS)
        .map(|(medium, (_, active))| Arrivals::new(medium, active))
        .collect();
    let clock = clock();
    let mut least = [Medians { first: u128::MAX, again: u128::MAX }; WORLDS.len()];
    for _ in 0..ROUNDS {
        for (world, least) in worlds.iter_mut().zip(&mut least) {
            let Medians { first, again } = world.medians();
            least.first = least.first.min(first - clock);
            least.again = least.again.min(again - clock);
        }
    }
    let [few, many] = least;
    let mut out = stdout();
    writeln!(out, "clock {clock} ns")?;
    for (least, (_, active)) in least.iter().zip(WORLDS) {
        writeln!(out, "{active:>6} active: {} ns, again {} ns", least.first, least.again)?;
    }
    let times = |many: u128, few: u128| many as f64 / few as f64;
    writeln!(
        out,
        "ratio {:.2}, again {:.2}",
        times(many.first, few.first),
        times(many.again, few.again)
    )
}
