//! Three worlds of 1,024 cards, every reduction against the plain way; `cargo xtask worlds` runs them in
//! release.

use collectives::{Algorithm, Channels, Collective, Grouping, Inner, Outer, group_ranks};
use engine::Costs;
use fluid::{Conduct, Conducts, Outcome, Recovery, Status, World};
use topology::{
    Attach, CardId, ClosSpec, ClosTier, ClusterSpec, Efficiency, Fabric, FabricSpec, Fault,
    InsideSpec, NicCount, NicSpec, Part, Routing, SupernodeSpec, SwitchKind, mix,
};
use units::{Bandwidth, Duration, Ratio};

use crate::common;
use crate::reductions::run_all_ways;

/// All of them in release; an eighth in a debug build, which would take minutes for each world.
pub(crate) const CARDS: u32 = if cfg!(debug_assertions) { 128 } else { 1_024 };

/// All cards in supernodes of `supernode` under sixteen leaves; pods of eight leaves share aggregation
/// switches where there are three tiers.
pub(crate) fn fabric(supernode: u32, tiers: &[Ratio]) -> Fabric {
    clos((CARDS, supernode), (CARDS / 16, 16), tiers)
}

/// So many cards in supernodes of so many, the last one perhaps partly filled, under leaves and top switches
/// with so many ports; pods of eight leaves share aggregation switches where there are three tiers.
pub(crate) fn clos(
    (cards, supernode): (u32, u32),
    (leaf_ports, top_ports): (u32, u32),
    tiers: &[Ratio],
) -> Fabric {
    let supernode = SupernodeSpec {
        cards: supernode,
        inside: InsideSpec::Planes { planes: 1 },
        bandwidth: Bandwidth::from_gigabytes_per_second(450),
        latency: Duration::from_nanos(2_100),
        efficiency: Efficiency::ONE,
    };
    let link = Bandwidth::from_gigabits_per_second(400);
    let nics = NicSpec {
        count: NicCount::PerCard(1),
        bandwidth: link,
        latency: Duration::from_nanos(1_400),
        efficiency: Efficiency::ONE,
    };
    let pod = if tiers.len() > 1 { 8 } else { u32::MAX };
    let outside = ClosSpec {
        leaf_ports,
        tiers: tiers.iter().map(|&ratio| ClosTier { ratio, pod }).collect(),
        top_ports,
        top_switches: None,
        uplink: link,
        latency: Duration::from_nanos(450),
        efficiency: Efficiency::ONE,
        attach: Attach::IN_ORDER,
        switches: SwitchKind::Forward,
    };
    Fabric::build(&FabricSpec::Cluster(ClusterSpec { cards, supernode, nics, outside }))
        .expect("so many cards can be wired so")
}

pub(crate) fn ratio(over: u64) -> Ratio {
    Ratio::new(over, 1).expect("positive")
}

/// The ranks on cards in an order that a key decides.
pub(crate) fn shuffled(key: u64) -> Vec<CardId> {
    let mut cards: Vec<CardId> = (0..CARDS).map(CardId).collect();
    cards.sort_by_key(|card| (mix(key, u64::from(card.0)), *card));
    cards
}

struct Case<'a> {
    fabric: &'a Fabric,
    cards: Vec<CardId>,
    groups: u32,
    routing: Routing,
    conducts: Conducts,
}

impl Case<'_> {
    /// Runs a collective of `size` bytes all ways.
    fn run(&self, collective: Collective, algorithm: Algorithm, size: u64) -> Outcome {
        let each = CARDS / self.groups;
        let groups = group_ranks(Grouping::Consecutive, each, &self.cards, self.fabric);
        let groups = groups.expect("groups of equal size");
        let schedule = common::schedule(&groups, collective, algorithm, size);
        let world = World {
            fabric: self.fabric,
            timeline: None,
            cards: &self.cards,
            schedule: &schedule,
            routing: self.routing,
            conducts: &self.conducts,
            recovery: Recovery::default(),
        };
        let outcome = run_all_ways(&world).expect("all ways tell the same");
        let outcome = outcome.expect("the world is possible");
        assert_eq!(outcome.status, Status::Finished);
        assert!(outcome.bound.time <= outcome.makespan);
        outcome
    }
}

/// Servers of 8, hashed paths, ranks anywhere, one dead link to a spine and one card at half speed.
#[test]
fn a_bad_day() {
    let whole = fabric(8, &[ratio(1)]);
    let dead = Part::Link { from: "leaf 3".to_owned(), to: "spine 5".to_owned(), count: 1 };
    let slow = Part::Node("card 77".to_owned());
    let faults = [Fault { part: dead, speed_ppm: 0 }, Fault { part: slow, speed_ppm: 500_000 }];
    let fabric = whole.with_faults(&faults).expect("both are there");
    let mut case = Case {
        fabric: &fabric,
        cards: shuffled(7),
        groups: 1,
        routing: Routing::Ecmp { flows: 1, key: 11 },
        conducts: Conducts::alike(Costs::default()),
    };
    let order = collectives::HalvingOrder::DistanceDoubling;
    case.run(Collective::AllReduce, Algorithm::HalvingDoubling { order }, 64 << 20);
    case.groups = CARDS / 16;
    case.run(Collective::AllReduce, Algorithm::Ring { channels: Channels::Count(1) }, 16 << 20);
    case.run(Collective::AllToAll, Algorithm::Direct, 16 << 20);
}

/// Supernodes of 72, the last of 16, under leaves and pods that do not line up with them, 2:1 twice.
#[test]
fn ragged_ends() {
    let fabric = fabric(CARDS / 128 * 9, &[ratio(2), ratio(2)]);
    let case = Case {
        fabric: &fabric,
        cards: (0..CARDS).map(CardId).collect(),
        groups: 1,
        routing: Routing::Spray,
        conducts: Conducts::alike(Costs::default()),
    };
    let hierarchical = Algorithm::Hierarchical { inner: Inner::Direct, outer: Outer::Ring };
    case.run(Collective::AllReduce, hierarchical, 64 << 20);
    case.run(Collective::AllReduce, Algorithm::Nhr, 64 << 20);
}

/// Groups of 128 across supernodes of 384 at 4:1, some ranks late or slow, one supernode on half of its
/// uplinks' speed.
#[test]
fn late_ranks() {
    let whole = fabric(CARDS / 8 * 3, &[ratio(4)]);
    let slow = Part::Uplinks(topology::SupernodeId(1));
    let fabric = whole.with_faults(&[Fault { part: slow, speed_ppm: 500_000 }]);
    let fabric = fabric.expect("the supernode is there");
    let mut conducts = vec![Conduct::plain(Costs::default()); CARDS as usize];
    for rank in (3..CARDS as usize).step_by(131) {
        conducts[rank].late = Duration::from_nanos(10_000 + rank as u64);
    }
    let case = Case {
        fabric: &fabric,
        cards: (0..CARDS).map(CardId).collect(),
        groups: 8,
        routing: Routing::Spray,
        conducts: Conducts::new(&conducts),
    };
    case.run(Collective::AllReduce, Algorithm::Ring { channels: Channels::Count(2) }, 16 << 20);
    case.run(Collective::AllToAll, Algorithm::Direct, 16 << 20);
}
