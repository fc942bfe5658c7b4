//! Small fabrics of every shape.

use topology::{
    Attach, ClosSpec, ClosTier, ClusterSpec, DirectSpec, Efficiency, ExplicitLink, ExplicitSpec,
    Fabric, FabricSpec, GridEnds, InsideSpec, NicCount, NicOrder, NicSpec, RouterSpec, StarSpec,
    SupernodeSpec, SwitchKind, TwoLevelSpec,
};
use units::{Bandwidth, Duration, Ratio};

/// A rate in Gb/s.
pub(crate) const fn gigabits(rate: u64) -> Bandwidth {
    Bandwidth::from_gigabits_per_second(rate)
}

/// A star of 100 Gb/s with a latency from card to card.
pub(crate) fn star(cards: u32, latency: Duration) -> Fabric {
    let spec = StarSpec { cards, bandwidth: gigabits(100), latency, efficiency: Efficiency::ONE };
    Fabric::build(&FabricSpec::Star(spec)).expect("a star can be built")
}

/// Nodes and links as listed, each link with its rate in Gb/s and latency in ns; cards are called
/// "c…", switches otherwise.
pub(crate) fn explicit(links: &[(&str, &str, u64, u64)]) -> Fabric {
    let mut names: Vec<&str> = links.iter().flat_map(|link| [link.0, link.1]).collect();
    names.sort_unstable();
    names.dedup();
    let (cards, switches): (Vec<&str>, Vec<&str>) =
        names.into_iter().partition(|name| name.starts_with('c'));
    let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
    let links = links.iter().map(|&(from, to, rate, nanos)| ExplicitLink {
        from: from.to_owned(),
        to: to.to_owned(),
        bandwidth: gigabits(rate),
        latency: Duration::from_nanos(nanos),
        count: 1,
    });
    let spec =
        ExplicitSpec { cards: owned(cards), switches: owned(switches), links: links.collect() };
    Fabric::build(&FabricSpec::Explicit(spec)).expect("the list can be built")
}

/// Hosts on one switch, two on another, 100 Gb/s and 3.33 µs a link (CASES O20).
pub(crate) fn dumbbell(hosts: u32) -> Fabric {
    let link = |from: String, to: &str| ExplicitLink {
        from,
        to: to.to_owned(),
        bandwidth: gigabits(100),
        latency: Duration::from_nanos(3_330),
        count: 1,
    };
    let side = |host: u32| if host < hosts { "left" } else { "right" };
    let mut links: Vec<ExplicitLink> =
        (0..hosts + 2).map(|host| link(format!("h{host}"), side(host))).collect();
    links.push(link("left".to_owned(), "right"));
    let spec = ExplicitSpec {
        cards: (0..hosts + 2).map(|host| format!("h{host}")).collect(),
        switches: vec!["left".to_owned(), "right".to_owned()],
        links,
    };
    Fabric::build(&FabricSpec::Explicit(spec)).expect("the dumbbell can be built")
}

/// Servers of one card under a k-ary fat-tree of three layers: 400 Gb/s and 1 µs a link.
pub(crate) fn fat_tree(ports: u32, cards: u32) -> Fabric {
    let latency = Duration::from_micros(1);
    let outside = ClosSpec::fat_tree((ports, 3), gigabits(400), latency, Efficiency::ONE)
        .expect("an even number of ports");
    let (supernode, nics) = (supernode(1, InsideSpec::Planes { planes: 1 }), nics(1, 400, latency));
    Fabric::build(&FabricSpec::Cluster(ClusterSpec { cards, supernode, nics, outside }))
        .expect("the fat-tree can be built")
}

fn supernode(cards: u32, inside: InsideSpec) -> SupernodeSpec {
    SupernodeSpec {
        cards,
        inside,
        bandwidth: gigabits(3_200),
        latency: Duration::from_nanos(500),
        efficiency: Efficiency::ONE,
    }
}

fn nics(each: u32, rate: u64, latency: Duration) -> NicSpec {
    let bandwidth = gigabits(rate);
    NicSpec { count: NicCount::PerCard(each), bandwidth, latency, efficiency: Efficiency::ONE }
}

/// A cluster of 16 cards in supernodes of 4 under a leaf–spine of 2:1.
fn cluster(inside: InsideSpec, count: NicCount, attach: Attach) -> Fabric {
    let ratio = Ratio::new(2, 1).expect("positive");
    let mut nics = nics(1, 100, Duration::from_nanos(700));
    nics.count = count;
    let outside = ClosSpec {
        leaf_ports: 4,
        tiers: vec![ClosTier { ratio, pod: u32::MAX }],
        top_ports: 64,
        top_switches: None,
        uplink: gigabits(100),
        latency: Duration::from_nanos(700),
        efficiency: Efficiency::ONE,
        attach,
        switches: SwitchKind::Forward,
    };
    let supernode = supernode(4, inside);
    Fabric::build(&FabricSpec::Cluster(ClusterSpec { cards: 16, supernode, nics, outside }))
        .expect("the cluster can be built")
}

/// Cards on leaves of so many under so many spines, 400 Gb/s and 600 ns a link.
pub(crate) fn leaf_spine(cards: u32, leaf_ports: u32, spines: u32) -> Fabric {
    let latency = Duration::from_nanos(600);
    let outside = ClosSpec {
        leaf_ports,
        tiers: vec![ClosTier { ratio: Ratio::ONE, pod: u32::MAX }],
        top_ports: 512,
        top_switches: Some(spines),
        uplink: gigabits(400),
        latency,
        efficiency: Efficiency::ONE,
        attach: Attach::IN_ORDER,
        switches: SwitchKind::Forward,
    };
    let (supernode, nics) = (supernode(1, InsideSpec::Planes { planes: 1 }), nics(1, 400, latency));
    Fabric::build(&FabricSpec::Cluster(ClusterSpec { cards, supernode, nics, outside }))
        .expect("the leaf-spine can be built")
}

/// 128 hosts on 8 leaves under 4 spines, 4:1: 400 Gb/s and 1 µs a link (`ls128_os4` of csg-htsim's runs).
pub(crate) fn oversubscribed() -> Fabric {
    let latency = Duration::from_micros(1);
    let ratio = Ratio::new(4, 1).expect("positive");
    let outside = ClosSpec {
        leaf_ports: 16,
        tiers: vec![ClosTier { ratio, pod: u32::MAX }],
        top_ports: 8,
        top_switches: Some(4),
        uplink: gigabits(400),
        latency,
        efficiency: Efficiency::ONE,
        attach: Attach::IN_ORDER,
        switches: SwitchKind::Forward,
    };
    let (supernode, nics) = (supernode(1, InsideSpec::Planes { planes: 1 }), nics(1, 400, latency));
    let spec = ClusterSpec { cards: 128, supernode, nics, outside };
    Fabric::build(&FabricSpec::Cluster(spec)).expect("the leaf-spine can be built")
}

/// Supernodes of 4 cards on routers in a grid.
fn grid(ends: GridEnds) -> Fabric {
    let spec = DirectSpec {
        cards: 24,
        supernode: supernode(4, InsideSpec::Planes { planes: 2 }),
        nics: nics(1, 100, Duration::from_nanos(700)),
        routers: RouterSpec::Grid { sizes: vec![2, 3], ends, cables: 2 },
        uplink: gigabits(100),
        latency: Duration::from_nanos(700),
        efficiency: Efficiency::ONE,
    };
    Fabric::build(&FabricSpec::Direct(spec)).expect("the grid can be built")
}

fn half_mesh() -> InsideSpec {
    InsideSpec::HalfMesh { offsets: vec![1] }
}

fn torus() -> InsideSpec {
    InsideSpec::Grid { sizes: vec![2, 2], ends: GridEnds::Joined }
}

fn two_levels() -> InsideSpec {
    InsideSpec::TwoLevel(TwoLevelSpec {
        node_cards: 2,
        planes: 2,
        upper_switches: 2,
        ratio: Ratio::ONE,
        latency: Duration::from_nanos(300),
    })
}

/// Fabrics of every shape, with names.
pub(crate) fn all() -> Vec<(&'static str, Fabric)> {
    let planes = || InsideSpec::Planes { planes: 2 };
    let one = NicCount::PerCard(1);
    let attach = |order, homes, planes| Attach { order, homes, planes };
    vec![
        ("star", star(9, Duration::from_micros(2))),
        ("fat-tree", fat_tree(4, 16)),
        ("leaf-spine", cluster(planes(), one, Attach::IN_ORDER)),
        ("rails", cluster(planes(), one, attach(NicOrder::Rails, 1, 1))),
        ("planes", cluster(planes(), NicCount::PerCard(2), attach(NicOrder::InOrder, 1, 2))),
        ("homes", cluster(planes(), NicCount::PerCard(2), attach(NicOrder::InOrder, 2, 1))),
        ("pools", cluster(planes(), NicCount::PerSupernode(2), Attach::IN_ORDER)),
        ("full mesh", cluster(InsideSpec::FullMesh, one, Attach::IN_ORDER)),
        ("ring inside", cluster(half_mesh(), one, Attach::IN_ORDER)),
        ("torus inside", cluster(torus(), one, Attach::IN_ORDER)),
        ("two levels", cluster(two_levels(), one, Attach::IN_ORDER)),
        ("grid", grid(GridEnds::Open)),
        ("torus", grid(GridEnds::Joined)),
    ]
}
