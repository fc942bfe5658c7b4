//! Small worlds for tests.

use collectives::{
    Algorithm, Collective, Group, Grouping, Request, Schedule, Sizing, group_ranks, plan,
};
use proptest::test_runner::Config as ProptestConfig;
use topology::{
    Attach, CardId, ClosSpec, ClosTier, ClusterSpec, Efficiency, ExplicitLink, ExplicitSpec,
    Fabric, FabricSpec, InsideSpec, NicCount, NicSpec, StarSpec, SupernodeSpec, SwitchKind,
};
use units::{Bandwidth, Bytes, Duration, Ratio, Time};

/// At least so many cases; more when `PROPTEST_CASES` asks for them. Failures are kept as tests, not in
/// files.
pub(crate) fn at_least(cases: u32) -> ProptestConfig {
    let default = ProptestConfig::default();
    ProptestConfig { cases: default.cases.max(cases), failure_persistence: None, ..default }
}

/// A star of `cards` cards with ports of `gigabytes` GB/s and a path latency.
pub(crate) fn star(cards: u32, gigabytes: u64, latency: Duration) -> Fabric {
    star_of(cards, Bandwidth::from_gigabytes_per_second(gigabytes), latency)
}

/// A star with ports of any rate.
pub(crate) fn star_of(cards: u32, bandwidth: Bandwidth, latency: Duration) -> Fabric {
    let spec = StarSpec { cards, bandwidth, latency, efficiency: Efficiency::ONE };
    Fabric::build(&FabricSpec::Star(spec)).expect("a star can be built")
}

/// `supernodes` full supernodes of `cards` cards under one leaf: 450 GB/s and 500 ns inside, one NIC of
/// 100 Gb/s and 700 ns a card.
pub(crate) fn cluster(cards: u32, supernodes: u32) -> Fabric {
    let gigabytes = Bandwidth::from_gigabytes_per_second;
    one_leaf(cards, supernodes, (gigabytes(450), Bandwidth::from_gigabits_per_second(100)))
}

/// Two nodes of 8 cards: 4,500 GB/s inside, one NIC of 50 GB/s a card.
pub(crate) fn two_nodes() -> Fabric {
    let gigabytes = Bandwidth::from_gigabytes_per_second;
    one_leaf(8, 2, (gigabytes(4_500), gigabytes(50)))
}

fn one_leaf(cards: u32, supernodes: u32, (inside, nic): (Bandwidth, Bandwidth)) -> Fabric {
    let all = cards * supernodes;
    let leaf = clos(all, &[ClosTier { ratio: Ratio::ONE, pod: 1 }], (nic, 700));
    clustered((all, cards), (1, inside), leaf)
}

/// Leaves with so many ports for cards, whose switches forward, under such tiers of 64 ports, over links of
/// a rate and so many nanoseconds.
pub(crate) fn clos(
    leaf_ports: u32,
    tiers: &[ClosTier],
    (uplink, nanos): (Bandwidth, u64),
) -> ClosSpec {
    ClosSpec {
        leaf_ports,
        tiers: tiers.to_vec(),
        top_ports: 64,
        top_switches: None,
        uplink,
        latency: Duration::from_nanos(nanos),
        efficiency: Efficiency::ONE,
        attach: Attach::IN_ORDER,
        switches: SwitchKind::Forward,
    }
}

/// So many cards in supernodes of so many, over so many planes of a rate and 500 ns; a card has a NIC as
/// quick as the links outside, of 700 ns.
pub(crate) fn clustered(
    (cards, of): (u32, u32),
    (planes, inside): (u32, Bandwidth),
    outside: ClosSpec,
) -> Fabric {
    let supernode = SupernodeSpec {
        cards: of,
        inside: InsideSpec::Planes { planes },
        bandwidth: inside,
        latency: Duration::from_nanos(500),
        efficiency: Efficiency::ONE,
    };
    let nics = NicSpec {
        count: NicCount::PerCard(1),
        bandwidth: outside.uplink,
        latency: Duration::from_nanos(700),
        efficiency: Efficiency::ONE,
    };
    Fabric::build(&FabricSpec::Cluster(ClusterSpec { cards, supernode, nics, outside }))
        .expect("the cluster can be built")
}

/// Two leaves of four one-card servers with NICs of 100 Gb/s, and so many uplinks of 10 Gb/s each to a
/// spine of its own; no latency.
pub(crate) fn two_leaves(uplinks: u64) -> Fabric {
    let gigabits = Bandwidth::from_gigabits_per_second;
    let supernode = SupernodeSpec {
        cards: 1,
        inside: InsideSpec::Planes { planes: 1 },
        bandwidth: gigabits(100),
        latency: Duration::ZERO,
        efficiency: Efficiency::ONE,
    };
    let nics = NicSpec {
        count: NicCount::PerCard(1),
        bandwidth: gigabits(100),
        latency: Duration::ZERO,
        efficiency: Efficiency::ONE,
    };
    let outside = ClosSpec {
        attach: Attach::IN_ORDER,
        leaf_ports: 4,
        tiers: vec![ClosTier {
            ratio: Ratio::new(400, 10 * uplinks).expect("positive"),
            pod: u32::MAX,
        }],
        top_ports: 2,
        top_switches: None,
        uplink: gigabits(10),
        latency: Duration::ZERO,
        efficiency: Efficiency::ONE,
        switches: SwitchKind::Forward,
    };
    Fabric::build(&FabricSpec::Cluster(ClusterSpec { cards: 8, supernode, nics, outside }))
        .expect("the leaves can be built")
}

/// Names and links of 2 leaves of 19 hosts at 10 Gb/s and 4 spines at 40 Gb/s.
pub(crate) fn nineteen_hosts() -> (Vec<String>, Vec<(String, String, u64)>) {
    let names: Vec<String> = (0..38).map(|host| format!("h{host}")).collect();
    let mut links: Vec<(String, String, u64)> = names
        .iter()
        .enumerate()
        .map(|(host, name)| (name.clone(), format!("l{}", host / 19), 10))
        .collect();
    for leaf in 0..2 {
        links.extend((0..4).map(|spine| (format!("l{leaf}"), format!("s{spine}"), 40)));
    }
    (names, links)
}

/// `hosts` hosts on one switch, two on another, 100 Gb/s and 3.33 µs a link.
pub(crate) fn dumbbell(hosts: u32) -> Fabric {
    let link = |from: String, to: &str| ExplicitLink {
        from,
        to: to.to_owned(),
        bandwidth: Bandwidth::from_gigabits_per_second(100),
        latency: Duration::from_nanos(3_330),
        count: 1,
    };
    let cards: Vec<String> = (0..hosts + 2).map(|host| format!("h{host}")).collect();
    let on_switch = |host: u32| if host < hosts { "left" } else { "right" };
    let mut links: Vec<ExplicitLink> =
        (0..hosts + 2).map(|host| link(format!("h{host}"), on_switch(host))).collect();
    links.push(link("left".to_owned(), "right"));
    let switches = vec!["left".to_owned(), "right".to_owned()];
    Fabric::build(&FabricSpec::Explicit(ExplicitSpec { cards, switches, links }))
        .expect("the dumbbell can be built")
}

/// All ranks of a fabric as one group, one on each card.
pub(crate) fn everyone(fabric: &Fabric) -> (Vec<CardId>, Vec<Group>) {
    let cards: Vec<CardId> = (0..fabric.cards()).map(CardId).collect();
    let groups = group_ranks(Grouping::Consecutive, fabric.cards(), &cards, fabric);
    (cards, groups.expect("all ranks form a group"))
}

/// The schedule of a collective of exact size.
pub(crate) fn schedule(
    groups: &[Group],
    collective: Collective,
    algorithm: Algorithm,
    size: u64,
) -> Schedule {
    try_schedule(groups, collective, algorithm, size).expect("the request is possible")
}

/// The same, if the request is possible.
pub(crate) fn try_schedule(
    groups: &[Group],
    collective: Collective,
    algorithm: Algorithm,
    size: u64,
) -> Option<Schedule> {
    let ranks = groups.iter().map(Group::size).sum();
    let request = Request {
        ranks,
        groups,
        collective,
        algorithm,
        size: Bytes::new(size),
        sizing: Sizing::Exact,
        start: Time::ZERO,
        compute: Duration::ZERO,
    };
    plan(&request).ok().map(|plan| plan.schedule)
}
