//! How many tiers, switches, links and optics a Clos of equal switches takes.

use units::Ratio;

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizingRequest {
    /// The cards, at least 1; each has one port in every plane.
    pub cards: u64,
    /// The ports of every switch, at least 2.
    pub radix: u64,
    /// Downlink : uplink capacity of a leaf.
    pub leaf_ratio: Ratio,
    /// The same of an aggregation switch, in three tiers.
    pub core_ratio: Ratio,
    /// Clos side by side that do not touch, at least 1.
    pub planes: u64,
}

/// The smallest Clos that holds the cards, all planes together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizing {
    /// Tiers of switches: 1 … 3.
    pub tiers: u64,
    /// The switches of each tier from the leaves up, 0 where there is none.
    pub switches: [u64; 3],
    /// The links from cards to leaves.
    pub card_links: u64,
    /// The links between switches.
    pub switch_links: u64,
    /// The ports of a full leaf: down and up.
    pub leaf_ports: (u64, u64),
    /// The leaves that share aggregation switches, in three tiers.
    pub pod_leaves: u64,
    /// The most cards that so many tiers hold.
    pub most_cards: u128,
}

impl Sizing {
    /// All switches.
    pub fn all_switches(&self) -> u64 {
        self.switches.iter().sum()
    }

    /// Optical modules when links between switches are optical: one at each end.
    pub fn optics_between_switches(&self) -> u64 {
        2 * self.switch_links
    }

    /// Optical modules when links to cards are optical as well.
    pub fn optics_in_all(&self) -> u64 {
        2 * (self.switch_links + self.card_links)
    }
}

impl SizingRequest {
    /// The fewest tiers that hold the cards; all links have one rate.
    ///
    /// A leaf has the most ports that keep the ratio within the radix; so has an aggregation switch,
    /// and its ports down are the leaves of a pod. At the top there are the fewest switches that hold
    /// all uplinks and divide the uplinks of a switch below, as the builder of a Clos takes them.
    /// `None` if a ratio does not fit the radix or three tiers do not hold the cards.
    pub fn size(&self) -> Option<Sizing> {
        let Self { cards, radix, planes, .. } = *self;
        if cards == 0 || radix < 2 || planes == 0 {
            return None;
        }
        let card_links = cards.checked_mul(planes)?;
        if cards <= radix {
            let switches = [planes, 0, 0];
            let leaf_ports = (radix, 0);
            let most_cards = u128::from(radix);
            let (tiers, switch_links, pod_leaves) = (1, 0, 0);
            return Some(Sizing {
                tiers,
                switches,
                card_links,
                switch_links,
                leaf_ports,
                pod_leaves,
                most_cards,
            });
        }
        let (down, up) = split(radix, self.leaf_ratio)?;
        let leaves = cards.div_ceil(down);
        let sized = |tiers, [above, top]: [u64; 2], links: u64, pod_leaves, most_cards| {
            Some(Sizing {
                tiers,
                switches: [
                    leaves.checked_mul(planes)?,
                    above.checked_mul(planes)?,
                    top.checked_mul(planes)?,
                ],
                card_links,
                switch_links: links.checked_mul(planes)?,
                leaf_ports: (down, up),
                pod_leaves,
                most_cards,
            })
        };
        if let Some(spines) = tops(leaves, up, radix) {
            let most = u128::from(down) * u128::from(radix);
            return sized(2, [spines, 0], leaves.checked_mul(up)?, 0, most);
        }
        let (pod_leaves, core_up) = split(radix, self.core_ratio)?;
        let pods = leaves.div_ceil(pod_leaves);
        let aggregations = pods.checked_mul(up)?;
        let cores = tops(pods, core_up, radix)?.checked_mul(up)?;
        let links = leaves.checked_mul(up)?.checked_add(aggregations.checked_mul(core_up)?)?;
        let most = u128::from(down) * u128::from(pod_leaves) * u128::from(radix);
        sized(3, [aggregations, cores], links, pod_leaves, most)
    }
}

/// The most ports down and up in `ratio` within `radix`.
fn split(radix: u64, ratio: Ratio) -> Option<(u64, u64)> {
    let parts = ratio.over().checked_add(ratio.under())?;
    let times = radix / parts;
    (times > 0).then(|| (times * ratio.over(), times * ratio.under()))
}

/// The fewest switches that hold `uplinks` of each of `below` and divide them; `None` if even one
/// for each uplink has too few ports.
fn tops(below: u64, uplinks: u64, radix: u64) -> Option<u64> {
    let fewest = below.checked_mul(uplinks)?.div_ceil(radix);
    (fewest..=uplinks).find(|count| uplinks.is_multiple_of(*count))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 64-port switches at 1:1.
    fn full(cards: u64, planes: u64) -> Sizing {
        let (leaf_ratio, core_ratio) = (Ratio::ONE, Ratio::ONE);
        let request = SizingRequest { cards, radix: 64, leaf_ratio, core_ratio, planes };
        request.size().expect("it fits")
    }

    #[test]
    fn fat_trees_have_the_published_counts() {
        // Source: DeepSeek-AI: Insights into DeepSeek-V3, arXiv 2505.09343, table 3.
        let two = full(2_048, 1);
        assert_eq!((two.tiers, two.all_switches(), two.switch_links), (2, 96, 2_048));
        let three = full(65_536, 1);
        assert_eq!((three.tiers, three.all_switches(), three.switch_links), (3, 5_120, 131_072));
        // 8 planes of 2,048 cards are 16,384 endpoints.
        let planes = full(2_048, 8);
        assert_eq!((planes.card_links, planes.all_switches()), (16_384, 768));
        assert_eq!(planes.optics_between_switches(), 2 * 16_384);
    }

    #[test]
    fn small_and_uneven_sizes_are_told() {
        assert_eq!((full(64, 1).tiers, full(64, 1).all_switches()), (1, 1));
        // 65 cards: 3 leaves of 32 up, 96 uplinks need 2 spines, 2 divides 32.
        assert_eq!(full(65, 1).switches, [3, 2, 0]);
        // 2,049: 65 leaves in 3 pods of 32; 3 × 32 uplinks a group need 2 cores.
        assert_eq!(full(2_049, 1).switches, [65, 3 * 32, 32 * 2]);
        // 3:1 in 64 ports: 48 down, 16 up; 2 × 48 cards: 2 leaves, 32 uplinks on one spine.
        let ratio = Ratio::new(3, 1).expect("positive");
        let mut request = SizingRequest {
            cards: 96,
            radix: 64,
            leaf_ratio: ratio,
            core_ratio: Ratio::ONE,
            planes: 1,
        };
        let thin = request.size().expect("it fits");
        assert_eq!((thin.leaf_ports, thin.switches), ((48, 16), [2, 1, 0]));
        // Three tiers of 4 ports hold 16 cards at 1:1; 5:1 does not fit 4 ports.
        request = SizingRequest { cards: 17, radix: 4, leaf_ratio: Ratio::ONE, ..request };
        assert_eq!(request.size(), None);
        request.cards = 16;
        assert_eq!(request.size().map(|sizing| sizing.all_switches()), Some(20));
        request.leaf_ratio = Ratio::new(5, 1).expect("positive");
        assert_eq!(request.size(), None);
    }
}
