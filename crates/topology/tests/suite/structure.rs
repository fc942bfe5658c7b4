//! Structure of random clusters, counted on the graph itself (TESTING I28).

use std::collections::BTreeMap;

use proptest::prelude::*;
use topology::{
    BuildError, CardId, Domain, Fabric, FabricSpec, InsideSpec, LinkId, NicCount, Node, NodeId,
    SupernodeId, Tier,
};

use crate::random::{Shape, shapes};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn clusters_of_any_size_are_wired_right(shape in shapes()) {
        match Fabric::build(&FabricSpec::Cluster(shape.spec.clone())) {
            Ok(fabric) => check(&shape, &fabric),
            // Too few top ports for so many switches is the only reason to refuse these.
            Err(error) => {
                let refused = matches!(error, BuildError::NoCommonTop { .. });
                prop_assert!(refused, "{}", error);
            }
        }
    }
}

/// All that must hold of a cluster.
fn check(shape: &Shape, fabric: &Fabric) {
    check_cards(shape, fabric);
    check_links(fabric);
    check_leaves(shape, fabric);
    check_upper(shape, fabric);
    fabric.check_connected().expect("a cluster hangs together");
}

/// Cards come first, in order, each in its supernode; switches are not counted as cards (O09).
fn check_cards(shape: &Shape, fabric: &Fabric) {
    let spec = &shape.spec;
    assert_eq!(fabric.cards(), spec.cards);
    let size = spec.supernode.cards;
    assert_eq!(fabric.supernodes(), spec.cards.div_ceil(size));
    let mut seen = 0;
    for supernode in (0..fabric.supernodes()).map(SupernodeId) {
        for card in fabric.cards_of(supernode) {
            assert_eq!(card, seen);
            let node = Node::Card { card: CardId(card), supernode };
            assert_eq!(fabric.nodes()[card as usize], node);
            assert_eq!(fabric.supernode(CardId(card)), supernode);
            seen += 1;
        }
    }
    assert_eq!(seen, spec.cards);
    let switches = &fabric.nodes()[spec.cards as usize..];
    assert!(switches.iter().all(|node| matches!(node, Node::Switch { .. })));
    let told: u32 = fabric.echo().switches.iter().map(|switches| switches.count).sum();
    assert_eq!(told as usize, switches.len());
}

/// Both ends agree, both directions are alike, degrees add up, no switch is dark.
fn check_links(fabric: &Fabric) {
    let mut degrees = 0;
    for node in (0..fabric.nodes().len() as u32).map(NodeId) {
        let (from, into) = (fabric.links_from(node), fabric.links_into(node));
        assert!(from.iter().all(|&link| fabric.link(link).src == node));
        assert!(into.iter().all(|&link| fabric.link(link).dst == node));
        assert!(from.is_sorted() && into.is_sorted());
        assert_eq!(from.len(), into.len());
        assert!(!from.is_empty() || node.0 < fabric.cards(), "a dark switch");
        degrees += from.len();
    }
    assert_eq!(degrees, fabric.links().len());
    for id in (0..fabric.links().len() as u32).map(LinkId) {
        let (link, back) = (fabric.link(id), fabric.link(id.reverse()));
        assert_eq!((link.src, link.dst, link.tier), (back.dst, back.src, back.tier));
        assert_eq!((link.bandwidth, link.goodput), (back.bandwidth, back.goodput));
    }
    let cables: u64 = fabric.echo().tiers.iter().map(|tier| tier.cables).sum();
    assert_eq!(2 * cables, fabric.links().len() as u64);
}

/// The cables of `node` per tier.
fn ports(fabric: &Fabric, node: NodeId) -> BTreeMap<Tier, u32> {
    let mut ports = BTreeMap::new();
    for &link in fabric.links_from(node) {
        *ports.entry(fabric.link(link).tier).or_insert(0) += 1;
    }
    ports
}

/// The outer switches of one tier, by number.
fn switches(fabric: &Fabric, wanted: u8) -> Vec<NodeId> {
    let is_wanted = |node: &NodeId| {
        matches!(
            fabric.node(*node),
            Node::Switch { domain: Domain::Outside, tier, .. } if tier == wanted
        )
    };
    (0..fabric.nodes().len() as u32).map(NodeId).filter(is_wanted).collect()
}

/// NICs fill the leaves in order; every leaf has all its uplinks, unless it is the only one.
fn check_leaves(shape: &Shape, fabric: &Fabric) {
    let spec = &shape.spec;
    let nics = match spec.nics.count {
        NicCount::PerCard(each) => spec.cards * each,
        NicCount::PerSupernode(each) => fabric.supernodes() * each,
    };
    let leaves = switches(fabric, 1);
    assert_eq!(leaves.len() as u32, nics.div_ceil(spec.outside.leaf_ports));
    let levels = spec.outside.tiers.len() as u8;
    let mut left = nics;
    for &leaf in &leaves {
        let ports = ports(fabric, leaf);
        let down = left.min(spec.outside.leaf_ports);
        assert_eq!(ports[&Tier::Nic], down);
        left -= down;
        let uplinks = ports.get(&Tier::Clos { level: 1, levels }).copied().unwrap_or(0);
        assert_eq!(uplinks, if leaves.len() > 1 { shape.uplinks[0] } else { 0 });
    }
    assert_eq!(left, 0);
    if let (&InsideSpec::Planes { planes }, size) = (&spec.supernode.inside, spec.supernode.cards) {
        // Every supernode of two cards or more has its planes.
        let ragged = u32::from(spec.cards % size > 1);
        let full = if size > 1 { spec.cards / size } else { 0 };
        let is_plane = |node: &&Node| matches!(node, Node::Switch { domain: Domain::Inside, .. });
        let found = fabric.nodes().iter().filter(is_plane).count();
        assert_eq!(found as u32, planes * (full + ragged));
    }
}

/// Upper switches: even port use at the top within the radix, uplinks and ratio as asked.
fn check_upper(shape: &Shape, fabric: &Fabric) {
    let spec = &shape.spec.outside;
    let levels = spec.tiers.len() as u8;
    let mut blocks = switches(fabric, 1).len() as u32;
    for (level, (tier, &uplinks)) in (1..=levels).zip(spec.tiers.iter().zip(&shape.uplinks)) {
        let above = switches(fabric, level + 1);
        if blocks < 2 {
            assert!(above.is_empty(), "nothing above a single block");
            continue;
        }
        let clos = Tier::Clos { level, levels };
        for below in switches(fabric, level) {
            assert_eq!(ports(fabric, below)[&clos], uplinks);
        }
        check_ratio(fabric, (level, clos), tier.ratio);
        let down: Vec<u32> = above.iter().map(|&node| ports(fabric, node)[&clos]).collect();
        if level == levels {
            let (least, most) = (down.iter().min(), down.iter().max().expect("not empty"));
            assert!(most - least.expect("not empty") <= 1, "uneven top ports {down:?}");
            assert!(*most <= spec.top_ports);
        } else {
            assert!(down.iter().all(|&ports| ports <= tier.pod), "one link to each of the pod");
            blocks = blocks.div_ceil(tier.pod);
        }
    }
}

/// Down : up capacity of the first switch of a tier, cross-multiplied.
fn check_ratio(fabric: &Fabric, (level, clos): (u8, Tier), asked: units::Ratio) {
    let first = switches(fabric, level)[0];
    let (mut down, mut up) = (0u128, 0u128);
    for &link in fabric.links_from(first) {
        let link = fabric.link(link);
        let side = if link.tier == clos { &mut up } else { &mut down };
        *side += u128::from(link.bandwidth.as_milli_bits_per_second());
    }
    assert_eq!(down * u128::from(asked.under()), up * u128::from(asked.over()));
}
