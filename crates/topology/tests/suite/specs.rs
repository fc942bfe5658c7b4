//! Parameters of the fabrics under test.

use topology::{
    Attach, ClosSpec, ClosTier, ClusterSpec, DirectSpec, Efficiency, ExplicitLink, ExplicitSpec,
    Fabric, FabricSpec, InsideSpec, NicCount, NicSpec, RouterSpec, StarSpec, SupernodeSpec,
    SwitchKind,
};
use units::{Bandwidth, Duration, Ratio};

/// `rate` Gb/s.
pub(crate) fn gbps(rate: u64) -> Bandwidth {
    Bandwidth::from_gigabits_per_second(rate)
}

/// `over : under`.
pub(crate) fn ratio(over: u64, under: u64) -> Ratio {
    Ratio::new(over, under).expect("both sides are positive")
}

/// Servers of 8 cards on one plane, a 400 Gb/s NIC per card, leaves of 64 under a 1:1 Clos of
/// 256-port spines; latencies 500, 600 and 700 ns.
pub(crate) fn cluster(cards: u32) -> ClusterSpec {
    ClusterSpec {
        cards,
        supernode: SupernodeSpec {
            cards: 8,
            inside: InsideSpec::Planes { planes: 1 },
            bandwidth: gbps(3_600),
            latency: Duration::from_nanos(500),
            efficiency: Efficiency::ONE,
        },
        nics: NicSpec {
            count: NicCount::PerCard(1),
            bandwidth: gbps(400),
            latency: Duration::from_nanos(600),
            efficiency: Efficiency::ONE,
        },
        outside: ClosSpec {
            leaf_ports: 64,
            tiers: vec![ClosTier { ratio: Ratio::ONE, pod: 1 }],
            top_ports: 256,
            top_switches: None,
            uplink: gbps(400),
            latency: Duration::from_nanos(700),
            efficiency: Efficiency::ONE,
            attach: Attach::IN_ORDER,
            switches: SwitchKind::Forward,
        },
    }
}

/// The supernodes and NICs of a cluster on routers with 800 Gb/s and 700 ns between them.
pub(crate) fn direct(spec: ClusterSpec, routers: RouterSpec) -> FabricSpec {
    let ClusterSpec { cards, supernode, nics, .. } = spec;
    FabricSpec::Direct(DirectSpec {
        cards,
        supernode,
        nics,
        routers,
        uplink: gbps(800),
        latency: Duration::from_nanos(700),
        efficiency: Efficiency::ONE,
    })
}

/// A k-ary fat-tree of one-card servers: k³/4 hosts, k pods of k/2 leaves and k/2 aggregation
/// switches, k²/4 cores.
pub(crate) fn fat_tree(ports: u32) -> ClusterSpec {
    let half = ports / 2;
    let mut spec = cluster(ports * half * half);
    spec.supernode.cards = 1;
    spec.outside.leaf_ports = half;
    spec.outside.top_ports = ports;
    let tier = ClosTier { ratio: Ratio::ONE, pod: half };
    spec.outside.tiers = vec![tier, tier];
    spec
}

/// `cards` cards of 400 Gb/s on one switch, 1,001 ps from card to card.
pub(crate) fn star(cards: u32) -> FabricSpec {
    FabricSpec::Star(StarSpec {
        cards,
        bandwidth: gbps(400),
        latency: Duration::from_picos(1_001),
        efficiency: Efficiency::ONE,
    })
}

/// `count` cables of `rate` between two named nodes, 1 µs each.
pub(crate) fn link(from: &str, to: &str, rate: u64, count: u32) -> ExplicitLink {
    ExplicitLink {
        from: from.to_owned(),
        to: to.to_owned(),
        bandwidth: gbps(rate),
        latency: Duration::from_micros(1),
        count,
    }
}

/// A fabric listed by names; `cards` and `switches` are separated by spaces.
pub(crate) fn explicit(cards: &str, switches: &str, links: Vec<ExplicitLink>) -> FabricSpec {
    let list = |names: &str| names.split_whitespace().map(str::to_owned).collect();
    FabricSpec::Explicit(ExplicitSpec { cards: list(cards), switches: list(switches), links })
}

/// The fabric of `spec`, which can be built.
pub(crate) fn build(spec: &FabricSpec) -> Fabric {
    Fabric::build(spec).expect("the fabric can be built")
}

/// The fabric of a cluster, which can be built.
pub(crate) fn build_cluster(spec: &ClusterSpec) -> Fabric {
    build(&FabricSpec::Cluster(spec.clone()))
}
