//! Hashed paths spread evenly and independently at every tier (CASES O08, TESTING I29).

use topology::{CardId, Domain, Fabric, Node, Path, Router, mix};

use crate::specs::{build_cluster, cluster, fat_tree};

/// The number of the first switch of outer tier `wanted` that the path enters.
fn passes(fabric: &Fabric, path: &Path, wanted: u8) -> Option<u32> {
    path.hops.iter().find_map(|hop| match fabric.node(fabric.link(hop.link).dst) {
        Node::Switch { domain: Domain::Outside, tier, index } if tier == wanted => Some(index),
        _ => None,
    })
}

/// Σ (found − expected)² / expected, times `expected`: integers only.
fn squares(counts: &[u64], expected: u64) -> u64 {
    counts.iter().map(|&count| count.abs_diff(expected).pow(2)).sum()
}

#[test]
fn a_fat_tree_is_not_polarised() {
    // O08: 128 hosts, 16 cores, 4,096 flows between different pods: 256 ± 77 on each core
    // (5 σ of a fair draw: 5 × √(4,096 × 1/16 × 15/16) = 77.5).
    let fabric = build_cluster(&fat_tree(8));
    let mut router = Router::new(&fabric);
    let mut cores = [0u64; 16];
    let mut joint = [0u64; 16];
    for flow in 0..4_096u64 {
        let word = mix(2_024, flow);
        // Pods of 16 hosts: any host, then one in another pod.
        let src = (word % 128) as u32;
        let dst = (src / 16 * 16 + 16 + ((word >> 32) % 112) as u32) % 128;
        let path = router.hashed(CardId(src), CardId(dst), flow).expect("connected");
        let core = passes(&fabric, &path, 3).expect("another pod") as usize;
        cores[core] += 1;
        // The aggregation position is the core's group; the core in its group the second choice.
        let aggregation = passes(&fabric, &path, 2).expect("over aggregation") as usize % 4;
        assert_eq!(aggregation, core / 4);
        joint[aggregation * 4 + core % 4] += 1;
    }
    assert!(cores.iter().all(|&flows| flows.abs_diff(256) <= 77), "{cores:?}");
    // Chi-square of the 4 × 4 table against 256 each, 15 degrees of freedom: p > 0.001 below
    // 37.70, that is squares below 37.70 × 256 = 9,651.
    assert!(squares(&joint, 256) < 9_651, "{joint:?}");
}

#[test]
fn keys_spread_over_all_spines() {
    // 160 leaves, 64 spines, 4,096 keys of one pair: 64 ± 5 × √(4,096 × 1/64 × 63/64) = 39.7.
    let fabric = build_cluster(&cluster(10_240));
    let mut router = Router::new(&fabric);
    for (src, dst) in [(0, 10_239), (5_000, 77)] {
        let mut spines = [0u64; 64];
        for key in 0..4_096 {
            let path = router.hashed(CardId(src), CardId(dst), key).expect("connected");
            spines[passes(&fabric, &path, 2).expect("another leaf") as usize] += 1;
        }
        assert!(spines.iter().all(|&flows| flows.abs_diff(64) <= 39), "{spines:?}");
        // 63 degrees of freedom: p > 0.001 below 103.4; 103.4 × 64 = 6,617.
        assert!(squares(&spines, 64) < 6_617, "{spines:?}");
    }
}

#[test]
fn choices_at_two_leaves_are_independent() {
    // The same key at two leaves: 4 × 4 table of (spine group of 16) pairs, 256 each.
    let fabric = build_cluster(&cluster(10_240));
    let mut router = Router::new(&fabric);
    let mut joint = [0u64; 16];
    for key in 0..4_096 {
        let mut group = |src| {
            let path = router.hashed(CardId(src), CardId(9_999), key).expect("connected");
            passes(&fabric, &path, 2).expect("another leaf") as usize / 16
        };
        joint[group(0) * 4 + group(64)] += 1;
    }
    assert!(squares(&joint, 256) < 9_651, "{joint:?}");
}

#[test]
fn the_same_key_picks_the_same_path() {
    let fabric = build_cluster(&fat_tree(8));
    let (mut one, mut other) = (Router::new(&fabric), Router::new(&fabric));
    for key in 0..100 {
        let first = one.hashed(CardId(3), CardId(100), key);
        assert_eq!(first, other.hashed(CardId(3), CardId(100), key));
    }
}
