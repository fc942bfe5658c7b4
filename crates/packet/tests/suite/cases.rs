//! Cases of CASES.md at packet level.

use collectives::{
    Algorithm, Collective, Flow, Group, RankId, Request, Sizing, SwitchTree, flows, plan,
};
use engine::{Conducts, Costs};
use packet::{Error, Frame, Routing, Settings, Simulation, World};
use topology::{AggregatorId, Domain, LinkId, Node, SupernodeId, Tier, mix};
use units::{Bytes, Duration, Time};

use crate::common::{everyone, flow, run_and_look};
use crate::fabrics::{fat_tree, star};

#[test]
fn hashed_flows_use_all_cores_of_a_fat_tree() {
    // CASES O08: k = 8, 4,096 flows between different pods: 256 ± 77 (5 sigma of a fair draw) at each of
    // 16 cores; a polarised build uses 4.
    let fabric = fat_tree(8, 128);
    let list: Vec<Flow> = (0..4_096_u64)
        .map(|index| {
            let word = mix(5, index);
            let (src, dst) = ((word % 128) as u32, (word >> 32) as u32 % 96);
            // A card of one of the three other pods of 16 cards … of 8 pods.
            let dst = (src / 16 * 16 + 16 + dst) % 128;
            flow(src, dst, 1_000)
        })
        .collect();
    let schedule = flows(fabric.cards(), &list).expect("valid flows");
    let frame = Frame { payload: 1_000, header: 0, control: 0 };
    let routing = Routing::PerFlow { flows: 1, key: 9 };
    let settings = Settings { frame, routing, ..Settings::IDEAL };
    let per_core: Vec<u64> = run_and_look(&fabric, &schedule, &settings, |_, network| {
        let cores = (0..).zip(fabric.nodes()).filter(|(_, node)| {
            matches!(node, Node::Switch { domain: Domain::Outside, tier: 3, .. })
        });
        let into = |core: u32| fabric.links_into(topology::NodeId(core)).iter();
        let data = |link: &LinkId| network.link_use(*link).bytes.as_u64() / 1_000;
        cores.map(|(core, _)| into(core).map(data).sum()).collect()
    });
    assert_eq!(per_core.len(), 16);
    assert_eq!(per_core.iter().sum::<u64>(), 4_096);
    assert!(per_core.iter().all(|&flows| flows.abs_diff(256) <= 77), "{per_core:?}");
    let up = fabric.links().iter().filter(|link| link.tier == Tier::Nic).count();
    assert_eq!(up, 256, "a cable per card");
}

#[test]
fn switches_that_add_up_are_refused() {
    let fabric = star(4, Duration::from_micros(1));
    let group = Group {
        ranks: (0..4).map(RankId).collect(),
        supernodes: vec![SupernodeId(0); 4],
        // One switch above all four.
        trees: vec![SwitchTree { levels: vec![vec![AggregatorId(0); 4]] }],
    };
    let request = Request {
        ranks: 4,
        groups: &[group],
        collective: Collective::AllReduce,
        algorithm: Algorithm::InNetwork { chunk: Bytes::new(1_000) },
        size: Bytes::new(4_000),
        sizing: Sizing::Exact,
        start: Time::ZERO,
        compute: Duration::ZERO,
    };
    let schedule = plan(&request).expect("a valid request").schedule;
    let world = World {
        fabric: &fabric,
        timeline: None,
        cards: &everyone(&fabric),
        schedule: &schedule,
        class_of_lane: &[],
        conducts: &Conducts::alike(Costs::default()),
        settings: &Settings::IDEAL,
    };
    assert_eq!(Simulation::new(&world).map(|_| ()), Err(Error::Reduction));
}
