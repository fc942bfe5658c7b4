//! Switches that behave alike, merged.

use crate::refinement::LabelledGraph;

/// Capacity from one switch (or class) to another, in milli-bit/s.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Trunk {
    /// The sender.
    pub(super) from: u32,
    /// The receiver.
    pub(super) to: u32,
    /// The capacity.
    pub(super) rate: u128,
}

/// Classes of switches, with the capacity of all members together.
#[derive(Debug)]
pub(super) struct Merged {
    /// By class: the capacity from sending cards and to receiving cards.
    pub(super) ends: Vec<(u128, u128)>,
    /// The capacity between classes, each ordered pair of different classes once.
    pub(super) trunks: Vec<Trunk>,
}

impl Merged {
    /// Merges the switches that an equitable partition holds for alike: equal capacity from cards
    /// and to cards, and as many trunks of each capacity to and from every class.
    pub(super) fn new(ends: &[(u128, u128)], trunks: Vec<Trunk>) -> Self {
        let trunks = merge(trunks);
        let mut kinds = ends.to_vec();
        kinds.sort_unstable();
        kinds.dedup();
        let mut rates: Vec<u128> = trunks.iter().map(|trunk| trunk.rate).collect();
        rates.sort_unstable();
        rates.dedup();
        let mut graph = LabelledGraph::default();
        for end in ends {
            graph.vertex(kinds.binary_search(end).expect("every kind was collected") as u64);
        }
        for Trunk { from, to, rate } in &trunks {
            let rate = rates.binary_search(rate).expect("every rate was collected");
            graph.edge(*from, *to, rate as u32);
        }
        let classes = graph.refine();
        let mut sums = vec![(0, 0); classes.count];
        for (&class, &(from_cards, to_cards)) in classes.of.iter().zip(ends) {
            sums[class as usize].0 += from_cards;
            sums[class as usize].1 += to_cards;
        }
        let of = |switch: u32| classes.of[switch as usize];
        let between = trunks
            .iter()
            .map(|trunk| Trunk { from: of(trunk.from), to: of(trunk.to), ..*trunk })
            // What a class sends to itself moves nothing on.
            .filter(|trunk| trunk.from != trunk.to);
        Self { ends: sums, trunks: merge(between.collect()) }
    }
}

/// Adds up the trunks of each ordered pair, in order of the pairs.
fn merge(mut trunks: Vec<Trunk>) -> Vec<Trunk> {
    trunks.sort_unstable();
    trunks.dedup_by(|next, kept| {
        let same = (next.from, next.to) == (kept.from, kept.to);
        if same {
            kept.rate += next.rate;
        }
        same
    });
    trunks
}
