//! A fabric of 8-card servers, and a collective among all its cards.

use collectives::{
    Algorithm, Collective, Group, Grouping, Request, Schedule, Sizing, group_ranks, plan,
};
use topology::{
    Attach, CardId, ClosSpec, ClosTier, ClusterSpec, Efficiency, Fabric, FabricSpec, InsideSpec,
    NicCount, NicSpec, SupernodeSpec, SwitchKind,
};
use units::{Bandwidth, Bytes, Duration, Ratio, Time};

/// `cards` cards in servers of 8 under leaves of 64 ports thinned out `over`:1, as the fabric of
/// `scenarios/scale.ron`.
pub(crate) fn servers(cards: u32, over: u64) -> Fabric {
    let supernode = SupernodeSpec {
        cards: 8,
        inside: InsideSpec::Planes { planes: 1 },
        bandwidth: Bandwidth::from_gigabytes_per_second(450),
        latency: Duration::from_nanos(3_330),
        efficiency: Efficiency::ONE,
    };
    let nics = NicSpec {
        count: NicCount::PerCard(1),
        bandwidth: Bandwidth::from_gigabits_per_second(400),
        latency: Duration::from_nanos(1_400),
        efficiency: Efficiency::ONE,
    };
    let ratio = Ratio::new(over, 1).expect("positive");
    let outside = ClosSpec {
        attach: Attach::IN_ORDER,
        leaf_ports: 64,
        tiers: vec![ClosTier { ratio, pod: 1 }],
        top_ports: 512,
        top_switches: None,
        uplink: Bandwidth::from_gigabits_per_second(400),
        latency: Duration::from_nanos(450),
        efficiency: Efficiency::ONE,
        switches: SwitchKind::Forward,
    };
    Fabric::build(&FabricSpec::Cluster(ClusterSpec { cards, supernode, nics, outside }))
        .expect("the cluster can be built")
}

/// The cards of all ranks and the schedule of a collective among all of them.
pub(crate) fn everyone(
    fabric: &Fabric,
    collective: Collective,
    algorithm: Algorithm,
    size: Bytes,
) -> (Vec<CardId>, Schedule) {
    let ranks = fabric.cards();
    let cards: Vec<CardId> = (0..ranks).map(CardId).collect();
    let groups: Vec<Group> =
        group_ranks(Grouping::Consecutive, ranks, &cards, fabric).expect("all ranks form a group");
    let request = Request {
        ranks,
        groups: &groups,
        collective,
        algorithm,
        size,
        sizing: Sizing::Aligned,
        start: Time::ZERO,
        compute: Duration::ZERO,
    };
    let schedule = plan(&request).expect("the request is possible").schedule;
    (cards, schedule)
}
