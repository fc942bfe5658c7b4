//! Links that lose packets: which rules reach which paths, by hand, and alike on merged links.

use topology::{CardId, Fabric, FaultError, LossId, LossRule, Part, Path, Router, Spread};
use units::{Duration, Probability, Time};

use crate::specs::{build_cluster, cluster, fat_tree};

fn rule(part: Part, ppm: u32, from: u64, until: Option<u64>) -> LossRule {
    LossRule {
        part,
        loss: Probability::from_ppm(ppm).expect("at most 1"),
        from: Time::from_picos(from),
        until: until.map(Time::from_picos),
    }
}

fn link(from: &str, to: &str) -> Part {
    Part::Link { from: from.to_owned(), to: to.to_owned(), count: 1 }
}

/// That a packet arrives, in parts of 10¹², by epoch.
fn survivals(fabric: &Fabric, src: u32, path: &Path, dst: u32) -> Vec<u64> {
    let loss = fabric.path_loss(CardId(src), CardId(dst), &path.hops);
    loss.survivals.iter().map(|it| it.parts()).collect()
}

#[test]
fn a_packet_of_a_spray_takes_one_way() {
    // 8-port fat-tree: of four uplinks of leaf 0 one loses 4 % of its packets, 1 % of all; the NIC of
    // card 0 loses 10 %: 0.9 × 0.99 = 0.891 from card 0, 0.99 from card 1 and back.
    let fabric = build_cluster(&fat_tree(8));
    let rules = [
        rule(link("leaf 0", "aggregation switch 0"), 40_000, 0, None),
        rule(link("card 0", "leaf 0"), 100_000, 0, None),
    ];
    let fabric = fabric.with_losses(&rules).expect("both links are there");
    let mut router = Router::new(&fabric);
    let mut survive = |src: u32, dst: u32| {
        let path = router.spray(CardId(src), CardId(dst)).expect("connected");
        survivals(&fabric, src, &path, dst)
    };
    assert_eq!(survive(0, 127), [891_000_000_000]);
    assert_eq!(survive(1, 127), [990_000_000_000]);
    assert_eq!(survive(127, 0), [891_000_000_000]);
    assert_eq!(survive(1, 2), [0_u64; 0], "they meet at their leaf");
}

#[test]
fn a_hashed_path_multiplies_its_links() {
    // All links above the leaves lose 1 %: four of them between two pods, 0.99⁴ = 0.960 596 01.
    let fabric = build_cluster(&fat_tree(8));
    let rules =
        ["leaf-agg", "agg-core"].map(|tier| rule(Part::Tier(tier.to_owned()), 10_000, 0, None));
    let fabric = fabric.with_losses(&rules).expect("the tiers are there");
    let mut router = Router::new(&fabric);
    for key in 0..20 {
        let path = router.hashed(CardId(0), CardId(127), key).expect("connected");
        assert_eq!(survivals(&fabric, 0, &path, 127), [960_596_010_000]);
    }
    // A spray crosses as many links whichever way a packet takes.
    let path = router.spray(CardId(0), CardId(127)).expect("connected");
    assert_eq!(survivals(&fabric, 0, &path, 127), [960_596_010_000]);
    let loss = fabric.path_loss(CardId(0), CardId(127), &path.hops);
    assert_eq!(loss.link_latency, Duration::from_nanos(700));
}

#[test]
fn merged_links_lose_what_listed_ones_lose() {
    for spec in [fat_tree(8), cluster(200)] {
        let whole = build_cluster(&spec);
        let tier = if spec.outside.tiers.len() > 1 { "leaf-agg" } else { "leaf-spine" };
        let rules = [
            rule(Part::Tier(tier.to_owned()), 12_345, 0, Some(700)),
            rule(Part::Tier("nic".to_owned()), 77, 100, None),
            rule(Part::Node("leaf 1".to_owned()), 333_333, 0, None),
            rule(Part::Node("card 9".to_owned()), 999_999, 50, Some(60)),
        ];
        let fabric = whole.with_losses(&rules).expect("the parts are there");
        assert_eq!(fabric.losses().changes().len(), 4, "50, 60, 100 and 700 ps");
        let (mut router, spread) = (Router::new(&fabric), Spread::new(&fabric));
        let cards = [0, 1, 9, 17, 63, 64, 100, 127].map(CardId);
        for src in cards {
            for dst in cards {
                if src == dst {
                    continue;
                }
                let path = router.spray(src, dst).expect("connected");
                let listed = fabric.path_loss(src, dst, &path.hops);
                let path = spread.path(src, dst).expect("connected");
                assert_eq!(listed, spread.path_loss(src, dst, &path), "{src:?} to {dst:?}");
            }
        }
    }
}

#[test]
fn rules_hold_for_their_time() {
    let fabric = build_cluster(&cluster(16));
    let ages = [
        rule(Part::Node("card 3".to_owned()), 10, 0, Some(1_000)),
        rule(Part::Node("card 3".to_owned()), 100, 1_000, Some(2_000)),
    ];
    let fabric = fabric.with_losses(&ages).expect("the card is there");
    let port = fabric.links_from(CardId(3).node())[0];
    let survivals = fabric.losses().survivals(fabric.link(port).loss);
    let lost: Vec<u64> = survivals.iter().map(|it| it.complement().parts()).collect();
    assert_eq!(lost, [10_000_000, 100_000_000, 0]);
    let at = |picos| fabric.losses().epoch(Time::from_picos(picos));
    assert_eq!([0, 999, 1_000, 1_999, 2_000].map(at), [0, 0, 1, 1, 2]);
    let other = fabric.links_from(CardId(4).node())[0];
    assert_eq!(fabric.link(other).loss, LossId::NEVER);
}

#[test]
fn rules_without_effect_leave_the_fabric_lossless() {
    let fabric = build_cluster(&cluster(16));
    let rules = [
        rule(Part::Node("card 3".to_owned()), 0, 5, None),
        rule(Part::Node("card 3".to_owned()), 10, 5, Some(5)),
    ];
    let same = fabric.with_losses(&rules).expect("the card is there");
    assert!(same.losses().is_lossless() && same.losses().changes().is_empty());
    assert_eq!(same.links(), fabric.links());
}

#[test]
fn what_is_not_there_cannot_lose_packets() {
    let fabric = build_cluster(&cluster(16));
    let known = rule(Part::Tier("nic".to_owned()), 10, 0, None);
    let unknown = rule(Part::Tier("agg-core".to_owned()), 10, 0, None);
    let (index, error) = fabric.with_losses(&[known, unknown]).expect_err("two tiers only");
    assert_eq!(index, 1);
    assert!(
        matches!(&error, FaultError::NoSuchTier { offered, .. } if offered.contains("\"nic\""))
    );
}
