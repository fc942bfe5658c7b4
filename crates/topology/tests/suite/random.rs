//! Random clusters of all shapes (ragged, straddling, above and below 1:1) and listed graphs.

use std::collections::BTreeSet;
use std::ops::Range;

use proptest::prelude::*;
use topology::{
    ClosTier, ClusterSpec, ExplicitLink, FabricSpec, GridEnds, InsideSpec, MeshDimension, NicCount,
    TwoLevelSpec,
};
use units::Duration;

use crate::specs::{cluster, explicit, gbps, link, ratio};

/// A cluster and what its parameters were made from.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    /// The parameters.
    pub(crate) spec: ClusterSpec,
    /// The uplinks of a switch of each tier, from the leaves up.
    pub(crate) uplinks: Vec<u32>,
}

/// The inside of a supernode of `cards` cards, by a kind and two small numbers.
fn inside(cards: u32, (kind, one, two): (u32, u32, u32)) -> InsideSpec {
    // The largest side of at most `one` that divides the cards.
    let side = (1..=one).rev().find(|side| cards.is_multiple_of(*side)).expect("1 divides");
    let sizes = vec![side, cards / side];
    match kind {
        0 | 1 => InsideSpec::Planes { planes: one },
        2 => InsideSpec::FullMesh,
        3 => InsideSpec::TwoLevel(TwoLevelSpec {
            node_cards: one + 1,
            planes: two,
            upper_switches: 1 + two % 3,
            ratio: ratio(1, 1),
            latency: Duration::from_nanos(u64::from(two)),
        }),
        4 => {
            let far = [1, one + 1].into_iter().filter(|&far| far <= cards / 2);
            let mut offsets: Vec<u32> = far.collect();
            offsets.dedup();
            InsideSpec::HalfMesh { offsets }
        }
        5 => InsideSpec::Grid { sizes, ends: GridEnds::Open },
        6 => InsideSpec::Grid { sizes, ends: GridEnds::Joined },
        _ => {
            let lanes = [1, two];
            let dimensions = sizes.into_iter().zip(lanes);
            let dimension = |(size, lanes)| MeshDimension { size, lanes };
            InsideSpec::NdFullMesh { dimensions: dimensions.map(dimension).collect() }
        }
    }
}

/// NICs per card or per supernode.
fn nics() -> impl Strategy<Value = NicCount> {
    prop_oneof![
        3 => (1u32..4).prop_map(NicCount::PerCard),
        1 => (1u32..9).prop_map(NicCount::PerSupernode)
    ]
}

/// Clusters of up to 150 cards; the ratios follow from the uplinks, so they can be built.
pub(crate) fn shapes() -> impl Strategy<Value = Shape> {
    let cards = (1u32..150, 1u32..30, (0u32..8, 1u32..5, 1u32..5), nics());
    let leaf = (1u32..14, 1u32..20, 1u64..3);
    let pods = prop::collection::vec((1u32..6, 1u32..8), 0..3);
    (cards, leaf, pods, 1u32..60).prop_map(
        |((cards, supernode, inside, nics), (ports, leaf_uplinks, speed), pods, top_ports)| {
            let mut spec = cluster(cards);
            spec.supernode.cards = supernode;
            spec.supernode.inside = self::inside(supernode, inside);
            spec.supernode.latency = Duration::from_picos(u64::from(cards) * 3 + 1);
            spec.nics.count = nics;
            spec.outside.leaf_ports = ports;
            spec.outside.top_ports = top_ports;
            spec.outside.uplink = gbps(400 * speed);
            let mut uplinks = vec![leaf_uplinks];
            uplinks.extend(pods.iter().map(|&(_, uplinks)| uplinks));
            let leaf_ratio = ratio(u64::from(ports), u64::from(leaf_uplinks) * speed);
            let mut tiers = vec![ClosTier { ratio: leaf_ratio, pod: 1 }];
            for (pod, uplinks) in pods {
                tiers.last_mut().expect("the leaves").pod = pod;
                let ratio = ratio(u64::from(pod), u64::from(uplinks));
                tiers.push(ClosTier { ratio, pod: 1 });
            }
            spec.outside.tiers = tiers;
            Shape { spec, uplinks }
        },
    )
}

/// Random listed graphs with unequal and parallel links and latencies of 0 … 6 ns.
pub(crate) fn graphs() -> impl Strategy<Value = FabricSpec> {
    (2u32..6, 1u32..9).prop_flat_map(|(cards, switches)| {
        let nodes = cards + switches;
        let ends = (0..nodes, 0..nodes, 1u64..7, 1u32..4);
        prop::collection::vec(ends, 0..30).prop_map(move |ends| {
            let mut seen = BTreeSet::new();
            let fresh = |&(from, to, _, _): &(u32, u32, u64, u32)| {
                from != to && seen.insert((from.min(to), from.max(to)))
            };
            let ends: Vec<_> = ends.into_iter().filter(fresh).collect();
            let name = |node: u32| format!("n{node}");
            let links = ends.into_iter().map(|(from, to, rate, count)| ExplicitLink {
                latency: Duration::from_nanos(u64::from(from * to % 7)),
                ..link(&name(from), &name(to), rate * 100, count)
            });
            let list = |range: Range<u32>| range.map(name).collect::<Vec<String>>().join(" ");
            explicit(&list(0..cards), &list(cards..nodes), links.collect())
        })
    })
}
