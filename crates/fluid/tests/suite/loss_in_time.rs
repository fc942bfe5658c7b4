//! Lost packets on a fabric that changes, by hand: what has been sent keeps its losses, what is left gets
//! those of its new path.

use collectives::flows;
use engine::Costs;
use fluid::{Conducts, Draw, Options, Outcome, Recovery, Scheme, Status, Switch, World, simulate};
use topology::{CardId, Fabric, LossRule, Mishap, Part, Routing, Tier};
use units::{Bandwidth, Bytes, Duration, Probability, Time};

use crate::common;
use crate::mishaps::{MICRO, MILLI, bytes, flow, leaves, link, mishap, ms, node};
use crate::worlds::told;

/// The whole flow, in bytes, and its time for each of them.
const ALL: u64 = 1_250_000_000;
const BYTE: u64 = 80;
/// What is sent in 20 ms at 100 Gb/s.
const SENT: u64 = 250_000_000;

/// Packets of 1,000 bytes that the link which loses one repeats.
fn on_the_link(draw: Draw) -> Recovery {
    let (mtu, timeout) = (Bytes::new(1_000), Duration::from_micros(1_000));
    Recovery { scheme: Scheme::LinkRetry, mtu, timeout, retries: 7, draw }
}

/// The links lose packets with these probabilities in parts per million.
fn losing(fabric: &Fabric, rules: &[(Part, u32)]) -> Fabric {
    let rule = |(part, ppm): &(Part, u32)| LossRule {
        part: part.clone(),
        loss: Probability::from_ppm(*ppm).expect("at most 1"),
        from: Time::ZERO,
        until: None,
    };
    let rules: Vec<LossRule> = rules.iter().map(rule).collect();
    fabric.with_losses(&rules).expect("the parts are there")
}

/// The flow from card 0 to card 1, all ways alike.
fn run(fabric: &Fabric, mishaps: &[Mishap], recovery: Recovery) -> Outcome {
    let (start, timeline) = fabric.in_time(mishaps, Duration::ZERO).expect("all of it is there");
    let schedule = flows(fabric.cards(), &[flow(0, 1)]).expect("the flow is possible");
    let cards: Vec<CardId> = (0..fabric.cards()).map(CardId).collect();
    let world = World {
        fabric: &start,
        timeline: Some(&timeline),
        cards: &cards,
        schedule: &schedule,
        routing: Routing::Spray,
        conducts: &Conducts::alike(Costs::default()),
        recovery,
    };
    let outcome = simulate(&world, &Options::default()).expect("both are reached at first");
    let plain = Options { symmetry: Switch::Off, recurrence: Switch::Off, ..Options::default() };
    let plain = simulate(&world, &plain).expect("as before");
    assert_eq!(told(outcome.clone()), told(plain));
    outcome
}

/// Two leaves with two spines, one of which carries all until 20 ms and the other after that.
fn moved(from: u32, losses: &[(Part, u32)]) -> (Fabric, [Mishap; 2]) {
    let fabric = losing(&leaves(2), losses);
    let [before, after] = ["spine0", "spine1"].map(|spine| link("leaf0", spine));
    let [before, after] = if from == 0 { [before, after] } else { [after, before] };
    let dead_at_first = Mishap { at: None, ..mishap(after, 0, 0, Some(20)) };
    (fabric, [dead_at_first, mishap(before, 0, 20, None)])
}

fn finished(outcome: &Outcome) -> (u64, u128) {
    assert_eq!(outcome.status, Status::Finished);
    let lost = outcome.lost.expect("packets can be lost");
    assert_eq!(lost.payload_bytes, u128::from(ALL));
    // Traffic is that of the payload, over both links of a spine.
    assert_eq!(bytes(outcome, Tier::Trunk), 2 * u128::from(ALL));
    (outcome.makespan.as_picos(), lost.repeated_bytes)
}

#[test]
fn a_link_at_half_speed_changes_no_loss() {
    // 1,250,000 packets at P = 0.001 are repeated 1,251.251… times: 1,251,252 bytes and as many round trips
    // of the link, 1 µs. At 20 ms the card falls to half speed.
    let star =
        common::star_of(2, Bandwidth::from_gigabits_per_second(100), Duration::from_micros(1));
    let lossy = losing(&star, &[(node("card 1"), 1_000)]);
    let slow = [mishap(node("card 0"), 50, 20, None)];
    let outcome = run(&lossy, &slow, on_the_link(Draw::Expected));
    assert_eq!(outcome.lost.expect("packets can be lost").repeated_bytes, 1_251_252);
    let work = (ALL + 1_251_252) * BYTE;
    let delay = 1_251_251_252;
    let picos = 20 * MILLI + 2 * (work - 20 * MILLI) + delay + MICRO;
    assert_eq!(outcome.makespan.as_picos(), picos);
}

#[test]
fn on_a_better_path_nothing_more_is_lost() {
    // As above, W = 1,251,251,252 bytes with the repeats, a round trip of 2 µs each: 2,502,502,503 ps. In
    // 20 ms 250,000,000 of W have been sent, and that share of all costs has been paid.
    let (fabric, mishaps) = moved(0, &[(link("leaf0", "spine0"), 1_000)]);
    let outcome = run(&fabric, &mishaps, on_the_link(Draw::Expected));
    let whole = u128::from(ALL) + 1_251_252;
    let left = (u128::from(ALL) * (whole - u128::from(SENT))).div_ceil(whole);
    let paid = (2_502_502_503 * u128::from(SENT)).div_ceil(whole);
    // Of 250,000,000 bytes 249,749,999.85 are payload, 250,000,000 · (1 − P) but for roundings.
    assert_eq!((left, paid), (u128::from(ALL) - 249_749_999, 500_000_000));
    let picos = 20 * MILLI + left as u64 * BYTE + paid as u64 + 4 * MICRO;
    assert_eq!(finished(&outcome), (picos, 250_001));
}

#[test]
fn on_a_worse_path_what_is_left_loses() {
    // 10⁹ bytes are left at 20 ms: 10⁶ · P/S = 1,001.001… packets, 1,001,002 bytes, 2,002,002,003 ps.
    let (fabric, mishaps) = moved(1, &[(link("leaf0", "spine0"), 1_000)]);
    let outcome = run(&fabric, &mishaps, on_the_link(Draw::Expected));
    let picos = 20 * MILLI + (ALL - SENT + 1_001_002) * BYTE + 2_002_002_003 + 4 * MICRO;
    assert_eq!(finished(&outcome), (picos, 1_001_002));
}

#[test]
fn a_path_that_loses_alike_keeps_what_was_drawn() {
    let links = ["spine0", "spine1"].map(|spine| (link("leaf0", spine), 1_000));
    for draw in [Draw::Expected, Draw::Sampled { key: 3 }] {
        let (fabric, mishaps) = moved(0, &links);
        let stays = finished(&run(&fabric, &mishaps[..1], on_the_link(draw)));
        assert_eq!(finished(&run(&fabric, &mishaps, on_the_link(draw))), stays);
        assert!(stays.1 > 0);
    }
}

#[test]
fn the_mean_over_seeds_is_the_expectation_on_the_way() {
    let links = [(link("leaf0", "spine0"), 100), (link("leaf0", "spine1"), 1_000)];
    let (fabric, mishaps) = moved(0, &links);
    let (expected, _) = finished(&run(&fabric, &mishaps, on_the_link(Draw::Expected)));
    let mut times = Vec::new();
    for key in 0..300 {
        let (picos, _) = finished(&run(&fabric, &mishaps, on_the_link(Draw::Sampled { key })));
        times.push(Duration::from_picos(picos).as_secs_f64());
    }
    let mean = times.iter().sum::<f64>() / 300.0;
    let squares = times.iter().map(|time| (time - mean).powi(2)).sum::<f64>();
    let error = (squares / 299.0 / 300.0).sqrt();
    let off = (Duration::from_picos(expected).as_secs_f64() - mean) / error;
    assert!(off.abs() < 3.0, "{off} standard errors");
}

#[test]
fn a_sender_gives_up_on_its_new_path() {
    let (fabric, mishaps) = moved(0, &[(link("leaf0", "spine1"), 1_000_000)]);
    for draw in [Draw::Expected, Draw::Sampled { key: 1 }] {
        let outcome = run(&fabric, &mishaps, on_the_link(draw));
        let Status::RetryLimit(why) = &outcome.status else { panic!("{outcome:?}") };
        for told in
            ["rank 0", "rank 1", "a part left, on other routes at 20 ms", "leaf0 → spine1", "100 %"]
        {
            assert!(why.contains(told), "no {told}: {why}");
        }
        assert_eq!(outcome.makespan.as_picos(), 20 * MILLI);
        // What had moved by then, over two links.
        assert_eq!(bytes(&outcome, Tier::Trunk), 2 * u128::from(SENT));
    }
}

#[test]
fn who_is_cut_off_has_delivered_payload() {
    // Of 250,000,000 bytes sent 249,749,999 were payload, as above.
    let fabric = losing(&leaves(1), &[(link("leaf0", "spine0"), 1_000)]);
    let dead = [mishap(link("leaf0", "spine0"), 0, 20, None)];
    let outcome = run(&fabric, &dead, on_the_link(Draw::Expected));
    let Status::Unreachable { transfers, .. } = &outcome.status else { panic!("{outcome:?}") };
    let lost = transfers[0];
    assert_eq!((lost.at, lost.asked), (ms(20), Bytes::new(ALL)));
    assert_eq!(lost.delivered, Bytes::new(249_749_999));
    assert_eq!(bytes(&outcome, Tier::Trunk), 2 * 249_749_999);
}
