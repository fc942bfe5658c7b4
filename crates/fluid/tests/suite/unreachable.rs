//! Who cannot be reached any more: what has been delivered, and who runs on.

use collectives::{Flow, RankId};
use fluid::{Error, Status, Unreachable};
use topology::{CardId, Mishap, RouteError, Routing, Tier};
use units::{Bandwidth, Bytes, Duration, Time};

use crate::common;
use crate::mishaps::{
    MICRO, MILLI, bytes, flow, leaves, link, mishap, ms, node, run, run_routed, time,
};

/// Case O16d of the collected cases.
#[test]
fn o16d_without_another_spine_the_flow_ends_as_unreachable() {
    // 50 ms at 100 Gb/s are 625,000,000 bytes; the delay is over at 60 ms.
    let dead = [mishap(link("leaf0", "spine0"), 0, 50, None)];
    let outcome = run(&leaves(1), &dead, 10, &[flow(0, 1)]);
    let Status::Unreachable { transfers, waits } = &outcome.status else {
        panic!("{:?}", outcome.status)
    };
    let lost = Unreachable {
        src: RankId(0),
        dst: RankId(1),
        at: ms(60),
        asked: Bytes::new(1_250_000_000),
        delivered: Bytes::new(625_000_000),
    };
    assert_eq!(transfers[..], [lost]);
    assert_eq!(
        lost.tell(&leaves(1)),
        "rank 0 cannot reach rank 1 from 60 ms on: 625000000 of 1250000000 bytes delivered"
    );
    assert_eq!(
        waits[..],
        [
            "rank 0 (flow, group 0, channel 0) waits in step 0 for its message to rank 1 (flow, group 0, \
             channel 0) to leave",
            "the message from rank 0 to rank 1 has had no way since 60 ms",
            "1 more waits",
        ],
        "the sender, what it waits for, and the receiver"
    );
    assert_eq!(outcome.makespan.as_picos(), 60 * MILLI);
    assert_eq!(bytes(&outcome, Tier::Trunk), 2 * 625_000_000);
}

/// Case O17 of the collected cases, where nothing is lost and where everything is.
#[test]
fn o17_a_link_that_carries_nothing_ends_the_run() {
    // 8,000,000 B at 100 Gb/s are 640 µs, and 1 µs of latency.
    let star =
        common::star_of(2, Bandwidth::from_gigabits_per_second(100), Duration::from_micros(1));
    let small = [Flow { bytes: Bytes::new(8_000_000), ..flow(0, 1) }];
    assert_eq!(time(&star, &[], 0, &small), 641 * MICRO);
    let outcome = run(&star, &[mishap(node("card 1"), 0, 0, None)], 1, &small);
    let Status::Unreachable { transfers, .. } = &outcome.status else {
        panic!("{:?}", outcome.status)
    };
    assert_eq!((transfers.len(), transfers[0].delivered), (1, Bytes::ZERO));
    assert_eq!(outcome.makespan.as_picos(), MILLI);
}

#[test]
fn a_dead_card_ends_what_it_sends_and_receives_and_others_run_on() {
    // Card 1 dies at 50 ms, which is known at 60 ms; half of what comes and half of what goes has moved.
    let star =
        common::star_of(4, Bandwidth::from_gigabits_per_second(100), Duration::from_micros(2));
    let dead = [mishap(node("card 1"), 0, 50, None)];
    let outcome = run(&star, &dead, 10, &[flow(0, 1), flow(1, 0), flow(2, 3)]);
    let end = Some(Time::from_picos(100 * MILLI + 2 * MICRO));
    assert_eq!(outcome.lanes, [None, None, end]);
    let Status::Unreachable { transfers, .. } = &outcome.status else {
        panic!("{:?}", outcome.status)
    };
    let told: Vec<(u32, u32, u64)> =
        transfers.iter().map(|it| (it.src.0, it.dst.0, it.delivered.as_u64())).collect();
    assert_eq!(told, [(0, 1, 625_000_000), (1, 0, 625_000_000)]);
    assert_eq!(outcome.makespan.as_picos(), 100 * MILLI + 2 * MICRO, "the last to move");
}

#[test]
fn a_world_in_which_everything_is_cut_ends() {
    let star = common::star_of(3, Bandwidth::from_gigabits_per_second(100), Duration::ZERO);
    let dead = [mishap(node("switch 0"), 0, 0, None)];
    for delay in [0, 7] {
        let outcome = run(&star, &dead, delay, &[flow(0, 1), flow(1, 2), flow(2, 0)]);
        let Status::Unreachable { transfers, .. } = &outcome.status else {
            panic!("{:?}", outcome.status)
        };
        let told: Vec<(u64, u64)> =
            transfers.iter().map(|it| (it.at.as_picos(), it.delivered.as_u64())).collect();
        assert_eq!(told, [(delay * MILLI, 0); 3]);
    }
    // Who has never been reached and never will be is refused, as without mishaps in time.
    let lasting = [Mishap { at: None, ..dead[0].clone() }, mishap(node("card 0"), 50, 10, None)];
    let refused = run_routed(&star, &lasting, 0, (&[flow(0, 1)], Routing::Spray));
    let (src, dst) = (CardId(0), CardId(1));
    assert_eq!(refused, Err(Error::Route(RouteError::Unreachable { src, dst })));
}
