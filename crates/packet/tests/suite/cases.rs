//! Cases of CASES.md at packet level.

use collectives::{Flow, flows};
use packet::{Frame, Routing, Settings};
use topology::{Domain, LinkId, Node, Tier, mix};

use crate::common::{flow, run_and_look};
use crate::fabrics::fat_tree;

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
