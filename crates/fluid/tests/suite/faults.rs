//! Dead and slow links from the start of a run, by hand.

use collectives::{Flow, RankId, flows};
use engine::Costs;
use fluid::{Conducts, Error, Options, Outcome, Recovery, World, simulate};
use topology::{CardId, Fabric, FabricSpec, Fault, Part, RouteError, Routing, StarSpec};
use topology::{Efficiency, ExplicitLink, ExplicitSpec, SupernodeId};
use units::{Bandwidth, Bytes, Duration, Time};

use crate::common;

fn fault(part: Part, speed_ppm: u32) -> Fault {
    Fault { part, speed_ppm }
}

fn link(from: &str, to: &str) -> Part {
    Part::Link { from: from.to_owned(), to: to.to_owned(), count: 1 }
}

fn star() -> Fabric {
    let spec = StarSpec {
        cards: 4,
        bandwidth: Bandwidth::from_gigabits_per_second(100),
        latency: Duration::from_micros(2),
        efficiency: Efficiency::ONE,
    };
    Fabric::build(&FabricSpec::Star(spec)).expect("a star can be built")
}

fn flow(src: u32, dst: u32) -> Flow {
    Flow {
        src: RankId(src),
        dst: RankId(dst),
        bytes: Bytes::new(1_250_000_000),
        start: Time::ZERO,
        compute: Duration::ZERO,
    }
}

fn run(fabric: &Fabric, src: u32, dst: u32) -> Result<Outcome, Error> {
    run_all(fabric, &[flow(src, dst)])
}

fn run_all(fabric: &Fabric, list: &[Flow]) -> Result<Outcome, Error> {
    let schedule = flows(fabric.cards(), list).expect("the flows are possible");
    let cards: Vec<CardId> = (0..fabric.cards()).map(CardId).collect();
    let (routing, conducts) = (Routing::Spray, Conducts::alike(Costs::default()));
    let world = World {
        fabric,
        timeline: None,
        cards: &cards,
        schedule: &schedule,
        routing,
        conducts: &conducts,
        recovery: Recovery::default(),
    };
    simulate(&world, &Options::default())
}

#[test]
fn a_slow_card_slows_what_it_sends_and_receives() {
    // 1.25 GB at 25 Gb/s is 0.4 s instead of 0.1 s; others are as before.
    let fabric = star().with_faults(&[fault(Part::Node("card 1".to_owned()), 250_000)]);
    let fabric = fabric.expect("card 1 is there");
    let time = |src, dst| run(&fabric, src, dst).expect("all are reached").makespan.as_picos();
    assert_eq!(time(1, 2), 400_000_000_000 + 2_000_000);
    assert_eq!(time(2, 1), 400_000_000_000 + 2_000_000);
    assert_eq!(time(2, 3), 100_000_000_000 + 2_000_000);
}

#[test]
fn faults_of_one_link_multiply() {
    let half = fault(link("card 0", "switch 0"), 500_000);
    let fabric = star().with_faults(&[half.clone(), half]).expect("the link is there");
    let outcome = run(&fabric, 0, 1).expect("it is reached");
    assert_eq!(outcome.makespan.as_picos(), 400_000_000_000 + 2_000_000);
}

#[test]
fn routes_avoid_a_dead_spine_and_spray_over_the_rest() {
    // Four uplinks of 10 Gb/s carry 40; with one spine dead 30 are left: 1.25 GB from a NIC of
    // 100 Gb/s take 1/3 s, and ⌊10¹³/ … ⌋ shares cost at most 1 ps.
    let fabric = common::two_leaves(4);
    let whole = run(&fabric, 0, 4).expect("it is reached").makespan.as_picos();
    assert_eq!(whole, 250_000_000_000);
    let broken = fabric.with_faults(&[fault(Part::Node("spine 2".to_owned()), 0)]);
    let broken = broken.expect("the spine is there");
    let time = run(&broken, 0, 4).expect("it is reached").makespan.as_picos();
    assert_eq!(time, 333_333_333_334);
    // A spine at half speed takes half of what a whole one takes: 35 Gb/s in all.
    let slow = fabric.with_faults(&[fault(Part::Node("spine 2".to_owned()), 500_000)]);
    let slow = slow.expect("the spine is there");
    let time = run(&slow, 0, 4).expect("it is reached").makespan.as_picos();
    assert_eq!(time, 10_000_000_000_000_u64.div_ceil(35));
}

#[test]
fn who_cannot_be_reached_is_named() {
    let fabric = common::cluster(2, 2);
    let cut = fabric.with_faults(&[fault(Part::Uplinks(SupernodeId(1)), 0)]).expect("it is there");
    // Inside the supernode all is well: 1.25 GB at 450 GB/s and 500 ns.
    let inside = run(&cut, 2, 3).expect("it is reached").makespan.as_picos();
    assert_eq!(inside, 1_250_000_000_u64 * 1_000 * 8 / 3_600 + 1 + 500_000);
    let refused = run(&cut, 0, 2);
    let unreachable = RouteError::Unreachable { src: CardId(0), dst: CardId(2) };
    assert_eq!(refused, Err(Error::Route(unreachable)));
}

#[test]
fn cards_with_equal_neighbours_keep_their_own_links() {
    // a and b are both linked to c and to nothing else; each link carries its own flow only: with a
    // slow link to b, 1.25 GB take 0.1 s to a and 0.2 s to b.
    let link = |from: &str| ExplicitLink {
        from: from.to_owned(),
        to: "c".to_owned(),
        bandwidth: Bandwidth::from_gigabits_per_second(100),
        latency: Duration::ZERO,
        count: 1,
    };
    let cards = ["a", "b", "c"].map(str::to_owned).to_vec();
    let spec = ExplicitSpec { cards, switches: Vec::new(), links: vec![link("a"), link("b")] };
    let fabric = Fabric::build(&FabricSpec::Explicit(spec)).expect("the links can be built");
    let both: Vec<Flow> = (0..2).map(|dst| flow(2, dst)).collect();
    let finishes = |fabric: &Fabric| {
        let outcome = run_all(fabric, &both).expect("both are reached");
        outcome.lanes.iter().map(|lane| lane.expect("done").as_picos()).collect::<Vec<_>>()
    };
    assert_eq!(finishes(&fabric), [100_000_000_000; 2]);
    let slow = Part::Link { from: "c".to_owned(), to: "b".to_owned(), count: 1 };
    let slow = fabric.with_faults(&[fault(slow, 500_000)]).expect("the link is there");
    assert_eq!(finishes(&slow), [100_000_000_000, 200_000_000_000]);
}

#[test]
fn what_is_not_there_cannot_be_broken() {
    let fabric = star();
    for part in [
        Part::Node("card 4".to_owned()),
        link("card 0", "card 1"),
        Part::Link { from: "card 0".to_owned(), to: "switch 0".to_owned(), count: 2 },
        Part::Uplinks(SupernodeId(4)),
    ] {
        assert!(fabric.with_faults(&[fault(part.clone(), 0)]).is_err(), "{part:?}");
    }
}
