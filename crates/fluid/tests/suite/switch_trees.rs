//! Trees of switches that add up and copy, over the outer fabric and over two levels of planes: closed
//! forms, and what cannot be.

use collectives::{Algorithm, Collective, Grouping, group_ranks};
use engine::Costs;
use fluid::{Conducts, Locality, Outcome, Recovery, Status, Switch, World, simulate};
use topology::{
    Attach, CardId, ClosSpec, ClosTier, ClusterSpec, Efficiency, Fabric, FabricSpec, Fault,
    InsideSpec, LossRule, NicCount, NicOrder, NicSpec, Part, RouteError, Routing, SupernodeSpec,
    SwitchKind, Tier, TwoLevelSpec,
};
use units::{Bandwidth, Bytes, Duration, Probability, Ratio, Time};

use crate::common::schedule;
use crate::reductions::options;

/// Cards in supernodes whose switches forward, NICs and uplinks of 100 Gb/s, 700 ns a link.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub(crate) cards: u32,
    pub(crate) supernode: u32,
    pub(crate) inside: InsideSpec,
    pub(crate) nics: u32,
    pub(crate) leaf_ports: u32,
    pub(crate) tiers: Vec<(u64, u64)>,
    pub(crate) tops: Option<u32>,
    pub(crate) attach: Attach,
    pub(crate) switches: SwitchKind,
}

impl Shape {
    /// 16 cards in supernodes of 4, on leaves of 4, whose switches add up.
    pub(crate) fn leaf_spine(ratio: (u64, u64), tops: Option<u32>) -> Self {
        Self {
            cards: 16,
            supernode: 4,
            inside: InsideSpec::Planes { planes: 1 },
            nics: 1,
            leaf_ports: 4,
            tiers: vec![ratio],
            tops,
            attach: Attach::IN_ORDER,
            switches: SwitchKind::Reduce,
        }
    }

    pub(crate) fn build(&self) -> Option<Fabric> {
        let (bandwidth, latency) =
            (Bandwidth::from_gigabits_per_second(100), Duration::from_nanos(700));
        let ratio = |&(over, under): &(u64, u64)| Ratio::new(over, under).expect("positive");
        let tier = |it| ClosTier { ratio: ratio(it), pod: 2 };
        let spec = ClusterSpec {
            cards: self.cards,
            supernode: SupernodeSpec {
                cards: self.supernode,
                inside: self.inside.clone(),
                bandwidth: Bandwidth::from_gigabytes_per_second(400),
                latency: Duration::from_nanos(500),
                efficiency: Efficiency::ONE,
            },
            nics: NicSpec {
                count: NicCount::PerCard(self.nics),
                bandwidth,
                latency,
                efficiency: Efficiency::ONE,
            },
            outside: ClosSpec {
                leaf_ports: self.leaf_ports,
                tiers: self.tiers.iter().map(tier).collect(),
                top_ports: 64,
                top_switches: self.tops,
                uplink: bandwidth,
                latency,
                efficiency: Efficiency::ONE,
                attach: self.attach,
                switches: self.switches,
            },
        };
        Fabric::build(&FabricSpec::Cluster(spec)).ok()
    }
}

pub(crate) fn in_network(chunk: u64) -> Algorithm {
    Algorithm::InNetwork { chunk: Bytes::new(chunk) }
}

/// Groups of `size` neighbouring cards that do the same at once.
fn run(
    fabric: &Fabric,
    size: u32,
    (collective, algorithm): (Collective, Algorithm),
    bytes: u64,
) -> Result<Outcome, fluid::Error> {
    let cards: Vec<CardId> = (0..fabric.cards()).map(CardId).collect();
    let groups = group_ranks(Grouping::Consecutive, size, &cards, fabric).expect("even groups");
    let schedule = &schedule(&groups, collective, algorithm, bytes);
    let world = World {
        fabric,
        cards: &cards,
        schedule,
        routing: Routing::Spray,
        conducts: &Conducts::alike(Costs::default()),
        recovery: Recovery::default(),
        timeline: None,
    };
    simulate(&world, &options(Switch::On, Switch::On, Locality::On))
}

pub(crate) const FIVE: [Collective; 5] = [
    Collective::AllReduce,
    Collective::ReduceScatter,
    Collective::AllGather,
    Collective::Broadcast { root: 1 },
    Collective::Reduce { root: 1 },
];

const MEGA: u64 = 1_000_000;

/// The time of all five collectives of 16 MB in pieces of 1 MB, which is the same, in ns.
fn nanos(shape: &Shape, size: u32) -> u64 {
    let fabric = shape.build().expect("it can be built");
    let time = |collective| {
        let outcome = run(&fabric, size, (collective, in_network(MEGA)), 16 * MEGA);
        let outcome = outcome.expect("possible");
        assert_eq!(outcome.status, Status::Finished);
        outcome.makespan.as_picos()
    };
    let times = FIVE.map(time);
    assert_eq!(times, [times[0]; 5]);
    assert_eq!(times[0] % 1_000, 0);
    times[0] / 1_000
}

#[test]
fn pieces_climb_and_descend_hop_by_hop() {
    // A piece of 1 MB takes 80 us at 100 Gb/s. At 4:1 a leaf has one uplink, so each of four hops takes
    // that long: 16 pieces end in (16 + 4 − 1) · 80 us, and four links of 700 ns.
    assert_eq!(nanos(&Shape::leaf_spine((4, 1), None), 16), 19 * 80_000 + 2_800);
    // At 1:1 a leaf has four, to one spine or four, and a piece takes 20 us there: only the ports
    // count, (16 + 1) · 80 us, and what fills the pipeline, 2 · 20 us.
    for tops in [None, Some(4)] {
        assert_eq!(nanos(&Shape::leaf_spine((1, 1), tops), 16), 17 * 80_000 + 40_000 + 2_800);
    }
    // At 8:1 and with eight cards a leaf there is one uplink as well: more cards take no longer.
    let wide = Shape { leaf_ports: 8, ..Shape::leaf_spine((8, 1), None) };
    assert_eq!(nanos(&wide, 16), 19 * 80_000 + 2_800);
}

#[test]
fn trees_are_no_higher_than_their_group() {
    // Leaves of 2, pods of 2 leaves, 1:1: a piece takes 80 us at a port, 40 us over the two uplinks of a
    // leaf, 20 us over the four of a pod. Six hops over all, four in a pod, two on a leaf.
    let tiers = vec![(1, 1), (1, 1)];
    let three = Shape { leaf_ports: 2, tiers, ..Shape::leaf_spine((1, 1), None) };
    assert_eq!(nanos(&three, 16), 17 * 80_000 + 2 * (40_000 + 20_000) + 4_200);
    assert_eq!(nanos(&three, 4), 17 * 80_000 + 2 * 40_000 + 2_800);
    assert_eq!(nanos(&three, 2), 17 * 80_000 + 1_400);
}

#[test]
fn the_links_of_a_card_share_the_vector() {
    // Two NICs a card, in two planes, on two leaves of one plane, or on one leaf: 8 MB each, in 8 pieces.
    let attach = |homes, planes| Attach { order: NicOrder::InOrder, homes, planes };
    for attach in [attach(1, 2), attach(2, 1)] {
        let two = Shape { nics: 2, attach, ..Shape::leaf_spine((4, 1), None) };
        let fabric = two.build().expect("it can be built");
        let reduce = (Collective::AllReduce, in_network(MEGA));
        let outcome = run(&fabric, 16, reduce, 16 * MEGA).expect("possible");
        assert_eq!(outcome.makespan, Duration::from_nanos(11 * 80_000 + 2_800), "{attach:?}");
    }
}

#[test]
fn two_levels_of_planes_add_up() {
    // 8 cards in nodes of 4, two planes, 400 GB/s: a piece of 1 MB takes 2.5 us at a card and 625 ns
    // between the levels. Card to card over a switch 500 ns, and 300 ns for each link between the levels.
    let levels = TwoLevelSpec {
        node_cards: 4,
        planes: 2,
        upper_switches: 2,
        ratio: Ratio::ONE,
        latency: Duration::from_nanos(300),
    };
    let shape = Shape {
        supernode: 8,
        inside: InsideSpec::ReducingTwoLevel(levels),
        switches: SwitchKind::Forward,
        ..Shape::leaf_spine((1, 1), None)
    };
    assert_eq!(nanos(&shape, 8), 17 * 2_500 + 2 * 625 + 500 + 600);
    // Within a node the first level suffices.
    assert_eq!(nanos(&shape, 4), 17 * 2_500 + 500);
}

fn bytes_of(outcome: &Outcome, tier: Tier) -> u128 {
    outcome.traffic.tiers.iter().find(|it| it.tier == tier).expect("the tier is there").bytes
}

#[test]
fn one_flow_climbs_each_uplink_instead_of_one_for_each_card() {
    let fabric = Shape::leaf_spine((4, 1), None).build().expect("it can be built");
    let time = |algorithm| {
        run(&fabric, 16, (Collective::AllReduce, algorithm), 16 * MEGA).expect("possible")
    };
    let outcome = time(in_network(MEGA));
    let (nic, trunk) = (Tier::Nic, Tier::Clos { level: 1, levels: 1 });
    // 16 cards send and receive 16 MB; so do four leaves.
    assert_eq!(bytes_of(&outcome, nic), 2 * 16 * 16_000_000);
    assert_eq!(bytes_of(&outcome, trunk), 2 * 4 * 16_000_000);
    // The bound: 16 MB over a port, 1,280 us, and the quickest hop.
    assert_eq!(outcome.bound.time, Duration::from_nanos(1_280_700));
    // Halving–doubling sends 4 + 2 MB of every card across its leaf, and back: 4 cards, 6 MB, 12 MB at
    // 100 Gb/s a leaf are 3.84 ms, twice what the tree takes in all.
    let order = collectives::HalvingOrder::DistanceHalving;
    let halving = time(Algorithm::HalvingDoubling { order });
    assert!(halving.makespan > Duration::from_nanos(3_840_000), "{:?}", halving.makespan);
}

#[test]
fn a_slow_uplink_holds_all_parts_back() {
    // Of four spines one is behind a link of 50 Gb/s: its quarter of a piece takes 40 us instead of 20,
    // up and down.
    let whole = Shape::leaf_spine((1, 1), Some(4)).build().expect("it can be built");
    let part = Part::Link { from: "leaf 0".to_owned(), to: "spine 2".to_owned(), count: 1 };
    let slow = Fault { part, speed_ppm: 500_000 };
    let fabric = whole.with_faults(&[slow]).expect("the link is there");
    let outcome = run(&fabric, 16, (Collective::AllReduce, in_network(MEGA)), 16 * MEGA);
    let nanos = 17 * 80_000 + 2 * 40_000 + 2_800;
    assert_eq!(outcome.expect("possible").makespan, Duration::from_nanos(nanos));
}

#[test]
fn a_tree_without_one_of_its_links_is_told() {
    let whole = Shape::leaf_spine((1, 1), Some(4)).build().expect("it can be built");
    let reduce = |fabric: &Fabric| {
        let outcome = run(fabric, 16, (Collective::AllReduce, in_network(MEGA)), MEGA);
        outcome.map(|_| ()).expect_err("it cannot be")
    };
    let part = Part::Link { from: "leaf 0".to_owned(), to: "spine 2".to_owned(), count: 1 };
    let dead = Fault { part: part.clone(), speed_ppm: 0 };
    let broken = whole.with_faults(&[dead]).expect("the link is there");
    let lost = RouteError::SwitchLost { below: "leaf 0".to_owned(), found: 3, switches: 4 };
    assert_eq!(reduce(&broken), fluid::Error::Route(lost));
    let loss = Probability::from_ppm(1).expect("at most 1");
    let rule = LossRule { part, loss, from: Time::ZERO, until: None };
    let lossy = whole.with_losses(&[rule]).expect("the link is there");
    let loses = RouteError::LossyReduction { below: "leaf 0".to_owned() };
    assert_eq!(reduce(&lossy), fluid::Error::Route(loses));
}
