//! Packets take the paths of the router, and spray evenly.

use collectives::flows;
use engine::parts::flow_key;
use packet::{Frame, Routing, Settings};
use topology::{CardId, Fabric, LinkId, Router};

use crate::common::{flow, run_and_look};
use crate::fabrics::all;

/// Some pairs of different cards.
fn pairs(fabric: &Fabric) -> Vec<(u32, u32)> {
    let cards = fabric.cards();
    let strides = [1, 2, 3, cards / 2, cards - 1];
    let pairs =
        strides.iter().flat_map(|&by| (0..cards).step_by(3).map(move |c| (c, (c + by) % cards)));
    pairs.filter(|pair| pair.0 != pair.1).collect()
}

/// How many packets of a lone flow each link carried; those of its one acknowledgement are 1 more.
fn carried(fabric: &Fabric, pair: (u32, u32), packets: u64, settings: &Settings) -> Vec<u64> {
    let list = [flow(pair.0, pair.1, packets * u64::from(settings.frame.payload))];
    let schedule = flows(fabric.cards(), &list).expect("a valid flow");
    run_and_look(fabric, &schedule, settings, |_, network| {
        let links = 0..fabric.links().len() as u32;
        links.map(|link| network.link_use(LinkId(link)).packets).collect()
    })
}

fn settings(routing: Routing) -> Settings {
    let frame = Frame { payload: 1_000, header: 0, control: 0 };
    Settings { frame, routing, acknowledge_every: 1_000_000, ..Settings::IDEAL }
}

#[test]
fn one_path_per_flow_is_the_one_that_the_router_picks() {
    const KEY: u64 = 77;
    let settings = settings(Routing::PerFlow { flows: 1, key: KEY });
    for (name, fabric) in all() {
        let mut router = Router::new(&fabric);
        for (src, dst) in pairs(&fabric) {
            let carried = carried(&fabric, (src, dst), 10, &settings);
            let used: Vec<u32> =
                (0..).zip(&carried).filter(|&(_, &packets)| packets >= 10).map(|it| it.0).collect();
            let schedule = flows(fabric.cards(), &[flow(src, dst, 1)]).expect("a valid flow");
            let (src, dst) = (CardId(src), CardId(dst));
            let key = flow_key(KEY, &schedule.lanes[0], (src, dst), 0);
            let path = router.hashed(src, dst, key).expect("a path");
            let picked: Vec<u32> = path.hops.iter().map(|hop| hop.link.0).collect();
            assert_eq!(used, picked, "{name}: {src:?} to {dst:?}");
        }
    }
}

#[test]
fn spray_in_turn_loads_every_link_with_its_share() {
    // Each node hands a flow's packets to its next hops in turn, so a link differs from its share by
    // less than one packet for every node with a choice on the way, and the acknowledgement.
    let settings = settings(Routing::InTurn);
    for (name, fabric) in all() {
        let mut router = Router::new(&fabric);
        for (src, dst) in pairs(&fabric) {
            let packets = 96;
            let carried = carried(&fabric, (src, dst), packets, &settings);
            let path = router.spray(CardId(src), CardId(dst)).expect("a path");
            let mut expected = vec![0; carried.len()];
            for hop in &path.hops {
                expected[hop.link.index()] = packets * hop.weight / path.denominator;
            }
            for (link, (&found, &share)) in carried.iter().zip(&expected).enumerate() {
                let off = found.abs_diff(share);
                assert!(off <= 3, "{name}: link {link} carried {found}, its share is {share}");
            }
        }
    }
}

#[test]
fn random_and_adaptive_packets_stay_on_shortest_paths() {
    for routing in [Routing::AtRandom, Routing::ShortestQueue] {
        let settings = settings(routing);
        for (name, fabric) in all() {
            let mut router = Router::new(&fabric);
            for (src, dst) in pairs(&fabric) {
                let carried = carried(&fabric, (src, dst), 40, &settings);
                let path = router.spray(CardId(src), CardId(dst)).expect("a path");
                let hops: Vec<usize> = path.hops.iter().map(|hop| hop.link.index()).collect();
                for (link, &packets) in carried.iter().enumerate() {
                    let is_on_path = hops.contains(&link);
                    assert!(is_on_path || packets <= 1, "{name}: link {link} carried {packets}");
                }
            }
        }
    }
}
