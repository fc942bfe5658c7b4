//! The proof finds what is wrong: planted faults, one at a time.

use collectives::proof::{Fault, Start};
use collectives::{
    Action, Algorithm, Channels, Collective, HalvingOrder, Inner, LaneId, Outer, Pace, Pattern,
    Payload, Plan, Request, Wait, plan,
};
use units::Bytes;

use crate::promises::ends_right;
use crate::support::{Order, SERVERS, group, request, run};

/// Whether any of a few orders shows that a plan is wrong.
fn is_found(request: &Request<'_>, plan: &Plan) -> bool {
    (0..20)
        .map(Order::Random)
        .chain([Order::Newest, Order::First])
        .any(|order| ends_right(request, plan, order).is_err())
}

/// Plants a fault in an all-reduce of 1,001 bytes among 24 ranks in servers of 8 and expects it found.
fn plant(algorithm: Algorithm, fault: impl Fn(&mut Plan)) {
    let groups = [group(24, &SERVERS)];
    let request = request(&groups, Collective::AllReduce, algorithm, 1_001);
    let mut plan = plan(&request).expect("a valid request");
    assert!(!is_found(&request, &plan), "without the fault all is well");
    fault(&mut plan);
    assert!(is_found(&request, &plan), "{algorithm:?}");
}

const ONE: Channels = Channels::Count(1);

#[test]
fn a_missing_wait_is_found() {
    let chunk = Bytes::new(100);
    for algorithm in [
        Algorithm::Tree { channels: ONE, chunk },
        Algorithm::Hierarchical { inner: Inner::Direct, outer: Outer::Ring },
        Algorithm::Hierarchical { inner: Inner::Ring, outer: Outer::Tree { chunk } },
    ] {
        let groups = [group(24, &SERVERS)];
        let sound =
            plan(&request(&groups, Collective::AllReduce, algorithm, 1_001)).expect("valid");
        let waiting = sound.schedule.lanes.iter().enumerate().filter(|(_, l)| !l.waits.is_empty());
        for (lane, _) in waiting {
            plant(algorithm, |plan| plan.schedule.lanes[lane].waits.clear());
        }
    }
}

#[test]
fn a_wait_that_is_one_step_short_is_found() {
    plant(Algorithm::Tree { channels: ONE, chunk: Bytes::new(100) }, |plan| {
        plan.schedule.lanes[1].waits[0].completed -= 1;
    });
}

#[test]
fn a_step_too_few_or_too_many_is_found() {
    for steps in [22, 24] {
        plant(Algorithm::Ring { channels: ONE }, |plan| {
            plan.schedule.lanes[0].stages[0].steps = steps;
        });
    }
}

#[test]
fn wrong_chunks_are_found() {
    plant(Algorithm::Ring { channels: ONE }, |plan| {
        plan.schedule.lanes[0].stages[0].payload = Payload::Rotating(0..1_001);
    });
    plant(Algorithm::Ring { channels: ONE }, |plan| {
        plan.schedule.lanes[0].stages[1].payload = Payload::Rotating(0..1_000);
    });
}

#[test]
fn a_wrong_partner_or_action_is_found() {
    let order = HalvingOrder::DistanceDoubling;
    plant(Algorithm::HalvingDoubling { order }, |plan| {
        plan.schedule.lanes[0].stages[1].pattern = Pattern::Exchange { mask: 2 };
    });
    plant(Algorithm::HalvingDoubling { order }, |plan| {
        plan.schedule.lanes[0].stages[6].action = Action::Reduce;
    });
    plant(Algorithm::Direct, |plan| {
        plan.schedule.lanes[0].stages[0].action = Action::Store;
    });
}

#[test]
fn lanes_that_wait_for_each_other_are_a_deadlock() {
    let groups = [group(4, &SERVERS)];
    let algorithm = Algorithm::Ring { channels: Channels::Count(2) };
    let request = request(&groups, Collective::AllReduce, algorithm, 100);
    let mut plan = plan(&request).expect("a valid request");
    // Rank 0 sits on seat 0 of channel 0 and, with blocks of 4 rotated by 2, on seat 2 of channel 1.
    let wait =
        |seat, lane| Wait { seat, step: 1, lane: LaneId(lane), completed: 2, pace: Pace::Once };
    plan.schedule.lanes[0].waits.push(wait(0, 1));
    plan.schedule.lanes[1].waits.push(wait(2, 0));
    let Err(Fault::Deadlock(stuck)) = run(&plan.schedule, &Start::Vectors(100), Order::First)
    else {
        panic!("rank 0 waits for itself");
    };
    assert!(stuck.iter().any(|s| s.rank.0 == 0 && s.entered == 1 && s.completed == 1));
    // The ring stops everywhere, in both lanes.
    assert_eq!(stuck.len(), 8);
}
