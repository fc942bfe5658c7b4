//! Lost packets, by hand: one transfer over one link, then many.

use collectives::{Algorithm, Channels, Collective, Flow, RankId, Schedule, flows};
use engine::Costs;
use fluid::{Conducts, Draw, Options, Outcome, Recovery, Scheme, Status, Tally, World, simulate};
use topology::{CardId, Fabric, LossRule, Part, Routing};
use units::{Bandwidth, Bytes, Duration, Probability, Time};

use crate::common;

/// Parts of a count of timeouts in one.
const ONE: u128 = 1_000_000_000_000;

/// Two cards on one switch, 100 Gb/s, 1 µs; packets to card 1 are lost with this probability.
fn pair(ppm: u32) -> Fabric {
    losing(&common::star_of(2, Bandwidth::from_gigabits_per_second(100), MICRO), &[(0, ppm, None)])
}

const MICRO: Duration = Duration::from_micros(1);

/// The link of card 1 loses packets from some picosecond on until another.
fn losing(fabric: &Fabric, rules: &[(u64, u32, Option<u64>)]) -> Fabric {
    let rule = |&(from, ppm, until): &(u64, u32, Option<u64>)| LossRule {
        part: Part::Node("card 1".to_owned()),
        loss: Probability::from_ppm(ppm).expect("at most 1"),
        from: Time::from_picos(from),
        until: until.map(Time::from_picos),
    };
    let rules: Vec<LossRule> = rules.iter().map(rule).collect();
    fabric.with_losses(&rules).expect("card 1 is there")
}

/// Packets of 1,000 bytes, a timeout of 1 ms and 7 repeats.
fn recovery(scheme: Scheme, draw: Draw) -> Recovery {
    let timeout = Duration::from_micros(1_000);
    Recovery { scheme, mtu: Bytes::new(1_000), timeout, retries: 7, draw }
}

const SELECTIVE: Scheme = Scheme::SelectiveRepeat { window: Bytes::new(u64::MAX) };
const GO_BACK: Scheme = Scheme::GoBackN { window: Bytes::new(u64::MAX) };

fn run(fabric: &Fabric, schedule: &Schedule, recovery: Recovery) -> Outcome {
    let cards: Vec<CardId> = (0..fabric.cards()).map(CardId).collect();
    let (routing, costs) = (Routing::Spray, Costs::default());
    let conducts = &Conducts::alike(costs);
    let world =
        World { fabric, timeline: None, cards: &cards, schedule, routing, conducts, recovery };
    simulate(&world, &Options::default()).expect("the world is possible")
}

/// Transfers from card 0 to card 1 that start at these picoseconds.
fn transfers(bytes: u64, starts: &[u64]) -> Schedule {
    let flow = |&start: &u64| Flow {
        src: RankId(0),
        dst: RankId(1),
        bytes: Bytes::new(bytes),
        start: Time::from_picos(start),
        compute: Duration::ZERO,
    };
    let list: Vec<Flow> = starts.iter().map(flow).collect();
    flows(2, &list).expect("the flows are possible")
}

fn one(fabric: &Fabric, bytes: u64, recovery: Recovery) -> Outcome {
    run(fabric, &transfers(bytes, &[0]), recovery)
}

/// What was lost in a run that finished.
fn lost(outcome: &Outcome) -> Tally {
    assert_eq!(outcome.status, Status::Finished);
    outcome.lost.expect("packets can be lost")
}

/// A packet of 1,000 bytes at 100 Gb/s.
const PACKET: u64 = 80_000;

#[test]
fn no_loss_is_no_loss_model() {
    // 8 MB at 100 Gb/s are 640 µs, and 1 µs later all of it is there.
    let plain = common::star_of(2, Bandwidth::from_gigabits_per_second(100), MICRO);
    for draw in [Draw::Expected, Draw::Sampled { key: 1 }] {
        for scheme in [SELECTIVE, GO_BACK, Scheme::LinkRetry] {
            let with = one(&pair(0), 8_000_000, recovery(scheme, draw));
            assert_eq!(with, one(&plain, 8_000_000, Recovery::default()));
            assert_eq!(with.makespan, Duration::from_micros(641));
            assert_eq!(with.lost, None);
        }
    }
}

#[test]
fn a_thousand_seeds_repeat_what_they_should() {
    // CASES O17 b: 8,000 packets at P = 0.001 take 8,000/0.999 = 8,008.008 transmissions on average,
    // ± 3 · √(8,000 · 0.001/0.999²/1,000) = 0.27; a single run takes at most 8,025.
    let fabric = pair(1_000);
    let mut sum = 0;
    for key in 0..1_000 {
        let outcome = one(&fabric, 8_000_000, recovery(SELECTIVE, Draw::Sampled { key }));
        let packets = lost(&outcome).repeated_bytes / 1_000;
        assert!(packets <= 25, "key {key}: {packets}");
        sum += packets;
    }
    assert!((8_008 - 270..=8_008 + 270).contains(&sum), "{sum}");
}

#[test]
fn a_lost_tail_costs_a_timeout() {
    // CASES O17 c: nothing follows the only packet of a transfer. Lost k times, it takes
    // 80 ns + 1 µs + k · (1 ms + 80 ns).
    let fabric = pair(300_000);
    let mut seen = [0_u32; 8];
    for key in 0..200 {
        let outcome = one(&fabric, 1_000, recovery(SELECTIVE, Draw::Sampled { key }));
        let Some(tally) = outcome.lost else {
            assert!(matches!(outcome.status, Status::RetryLimit(_)), "{outcome:?}");
            continue;
        };
        let times = u64::try_from(tally.timeouts / ONE).expect("a few");
        assert_eq!(u128::from(times) * 1_000, tally.repeated_bytes);
        let picos = PACKET + 1_000_000 + times * (1_000_000_000 + PACKET);
        assert_eq!(outcome.makespan, Duration::from_picos(picos));
        seen[times as usize] += 1;
    }
    // Of 200, 140 ± 19.4 (three deviations) are not lost, 42 ± 17.2 once, 12.6 ± 10.3 twice.
    assert!((121..=159).contains(&seen[0]), "{seen:?}");
    assert!((25..=59).contains(&seen[1]) && (3..=22).contains(&seen[2]), "{seen:?}");
}

#[test]
fn what_is_always_lost_ends_at_the_retry_limit() {
    for draw in [Draw::Expected, Draw::Sampled { key: 1 }] {
        for scheme in [SELECTIVE, GO_BACK, Scheme::LinkRetry] {
            let outcome = one(&pair(1_000_000), 8_000_000, recovery(scheme, draw));
            let Status::RetryLimit(why) = &outcome.status else { panic!("{outcome:?}") };
            for told in ["rank 0", "rank 1", "8 MB", "lost 8 times", "switch 0 → card 1", "100 %"]
            {
                assert!(why.contains(told), "no {told}: {why}");
            }
            assert_eq!(outcome.lost, None);
        }
    }
}

#[test]
fn go_back_n_repeats_the_flight() {
    // In flight: 100 Gb/s × 2 µs = 25,000 bytes = 25 packets. At P = 0.001 each loss repeats 25, but
    // 24, 23, …, 1 near the end: 25 · 8,000 − 300 = 199,700 · P/S = 199.8998… packets.
    let outcome = one(&pair(1_000), 8_000_000, recovery(GO_BACK, Draw::Expected));
    assert_eq!(lost(&outcome).repeated_bytes, 199_900);
    // Timeouts: (7,999 P² + P)/S, as in `src/loss/expected.rs`; waits for news near the end:
    // P · 2 µs/25 · (23 + 22 + … + 1 = 276) = 22.08 ns.
    let delay = 9_008_009 + 22_080;
    let picos = (8_000_000 + 199_900) * 80 + delay + 1_000_000;
    assert_eq!(outcome.makespan, Duration::from_picos(picos));
}

#[test]
fn a_link_repeats_in_its_own_round_trip() {
    // The link of card 1 takes 500 ns: a round trip of 1 µs for each of 8.008 losses.
    let outcome = one(&pair(1_000), 8_000_000, recovery(Scheme::LinkRetry, Draw::Expected));
    let picos = (8_000_000 + 8_009) * 80 + 8_008_009 + 1_000_000;
    assert_eq!(outcome.makespan, Duration::from_picos(picos));
    assert_eq!(lost(&outcome).timeouts, 0);
}

#[test]
fn the_mean_of_a_thousand_seeds_is_the_expectation() {
    for scheme in [SELECTIVE, GO_BACK, Scheme::LinkRetry] {
        for (bytes, ppm) in [(200_000, 1_000), (20_000, 10_000), (1_000, 50_000)] {
            let fabric = pair(ppm);
            let expected = one(&fabric, bytes, recovery(scheme, Draw::Expected)).makespan;
            let mut times = Vec::new();
            for key in 0..1_000 {
                let outcome = one(&fabric, bytes, recovery(scheme, Draw::Sampled { key }));
                assert_eq!(outcome.status, Status::Finished);
                times.push(outcome.makespan.as_secs_f64());
            }
            let mean = times.iter().sum::<f64>() / 1_000.0;
            let squares = times.iter().map(|time| (time - mean).powi(2)).sum::<f64>();
            let error = (squares / 999.0 / 1_000.0).sqrt();
            let off = (expected.as_secs_f64() - mean) / error;
            assert!(off.abs() < 3.0, "{scheme:?}, {bytes} B, {ppm} ppm: {off} standard errors");
        }
    }
}

#[test]
fn the_expectation_of_a_collective_is_optimistic() {
    // A ring waits for the slowest of its transfers, step by step: the mean of a maximum is not below
    // the maximum of means.
    let star = common::star_of(16, Bandwidth::from_gigabits_per_second(100), MICRO);
    let rule = LossRule {
        part: Part::Tier("nic".to_owned()),
        loss: Probability::from_ppm(100).expect("at most 1"),
        from: Time::ZERO,
        until: None,
    };
    let fabric = star.with_losses(&[rule]).expect("the star has NICs");
    let (_, groups) = common::everyone(&fabric);
    let ring = Algorithm::Ring { channels: Channels::Count(1) };
    let schedule = common::schedule(&groups, Collective::AllReduce, ring, 1_600_000);
    for scheme in [SELECTIVE, GO_BACK, Scheme::LinkRetry] {
        let expected = run(&fabric, &schedule, recovery(scheme, Draw::Expected)).makespan;
        let times = (0..100).map(|key| {
            let outcome = run(&fabric, &schedule, recovery(scheme, Draw::Sampled { key }));
            assert_eq!(outcome.status, Status::Finished);
            outcome.makespan.as_picos()
        });
        let mean = times.sum::<u64>() / 100;
        assert!(expected.as_picos() <= mean, "{scheme:?}: {expected:?} above {mean} ps");
    }
}

#[test]
fn a_transfer_has_the_loss_of_its_first_instant() {
    // Three transfers of 8 MB, one a millisecond: the link loses 1 in 1,000 from 1 ms on and is
    // repaired at 2 ms. Only the second pays, 641 µs + 8.009 packets + its delay.
    let star = common::star_of(2, Bandwidth::from_gigabits_per_second(100), MICRO);
    let ages = losing(&star, &[(1_000_000_000, 1_000, Some(2_000_000_000))]);
    let starts = [0, 1_000_000_000, 2_000_000_000];
    let outcome =
        run(&ages, &transfers(8_000_000, &starts), recovery(Scheme::LinkRetry, Draw::Expected));
    let took = |lane: usize| outcome.lanes[lane].expect("done").as_picos() - starts[lane];
    assert_eq!(took(0), 641_000_000);
    assert_eq!(took(1), 641_000_000 + 8_009 * 80 + 8_008_009);
    assert_eq!(took(2), 641_000_000);
    assert_eq!(lost(&outcome).repeated_bytes, 8_009);
    assert_eq!(lost(&outcome).payload_bytes, 24_000_000);
}

#[test]
fn losses_of_one_link_are_independent() {
    // 1 − (1 − 0.5)(1 − 0.2) = 0.6: a packet is repeated 1.5 times on average.
    let star = common::star_of(2, Bandwidth::from_gigabits_per_second(100), MICRO);
    let both = losing(&star, &[(0, 500_000, None), (0, 200_000, None)]);
    let patient = Recovery { retries: 255, ..recovery(Scheme::LinkRetry, Draw::Expected) };
    assert_eq!(lost(&one(&both, 8_000_000, patient)).repeated_bytes, 12_000_000);
}

#[test]
fn other_work_changes_no_draw() {
    // The first transfer of a list draws the same whatever follows it.
    let fabric = pair(10_000);
    let sampled = recovery(SELECTIVE, Draw::Sampled { key: 5 });
    let alone = run(&fabric, &transfers(8_000_000, &[0]), sampled);
    let followed = run(&fabric, &transfers(8_000_000, &[0, 900_000_000_000]), sampled);
    assert_eq!(alone.lanes[0], followed.lanes[0]);
    assert!(lost(&alone).repeated_bytes > 0);
}
