//! Lone flows, whose instants are closed forms.

use collectives::{Flow, flows};
use engine::FlowId;
use packet::{Forwarding, Frame, Settings, Transport, Window};
use units::{Duration, Time};

use crate::common::{delivered, flow, run, run_and_look};
use crate::fabrics::{dumbbell, explicit, fat_tree, star};

/// The settings of csg-htsim's NDP: a window of 200 packets, each acknowledged.
fn ndp() -> Settings {
    let transport = Transport::Ideal { window: Window::Packets(200) };
    Settings { transport, acknowledge_every: 1, ..Settings::IDEAL }
}

/// Microseconds with six significant digits, as C++ prints a double.
fn six_digits(picos: u64) -> String {
    let micros = picos as f64 / 1e6;
    let whole = (picos / 1_000_000).to_string().len();
    let text = format!("{micros:.decimals$}", decimals = 6 - whole);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[test]
fn lone_flows_end_as_those_of_htsim() {
    let fabric = fat_tree(8, 128);
    let input = include_str!("../data/single_128.flows.csv");
    let list: Vec<Flow> = input
        .lines()
        .skip(1)
        .map(|line| {
            let fields: Vec<u64> =
                line.split(',').take(5).map(|field| field.parse().expect("a number")).collect();
            let start = Time::from_picos(fields[4]);
            Flow { start, ..flow(fields[1] as u32, fields[2] as u32, fields[3]) }
        })
        .collect();
    let schedule = flows(fabric.cards(), &list).expect("valid flows");
    let heard: Vec<u64> = run_and_look(&fabric, &schedule, &ndp(), |_, network| {
        let heard = |flow| network.transfer_times(FlowId(flow)).acknowledged;
        (0..9).map(|flow| heard(flow).expect("acknowledged").as_picos()).collect()
    });
    let printed = include_str!("../data/single_128.ndp.fct.csv");
    let printed: Vec<&str> =
        printed.lines().skip(1).map(|line| line.rsplit(',').next().expect("a field")).collect();
    for (index, it) in list.iter().enumerate() {
        // n packets of 4,160 B at 400 Gb/s take 83.2 ns each at the first link, the last one as long
        // at each further hop, 1 µs of latency a hop; back come 64 B, 1.28 ns a hop, and as much
        // latency.
        let hops = [2, 2, 2, 4, 4, 4, 6, 6, 6][index];
        let packets = it.bytes.as_u64() / 4_096;
        let there = packets * 83_200 + (hops - 1) * 83_200 + hops * 1_000_000;
        let back = hops * 1_280 + hops * 1_000_000;
        assert_eq!(heard[index], it.start.as_picos() + there + back);
        assert_eq!(six_digits(heard[index]), printed[index], "flow {}", index + 1);
    }
}

#[test]
fn a_lone_flow_has_the_whole_path() {
    // CASES O01 a: A–S1–S2–B, 3 links of 1 Gb/s and 10 µs, 125,000,000 B: 1.000030 s. In 125,000
    // packets of 1,000 B without headers the last one takes 8 µs at each of two more links.
    let fabric =
        explicit(&[("ca", "s1", 1, 10_000), ("s1", "s2", 1, 10_000), ("cb", "s2", 1, 10_000)]);
    let frame = Frame { payload: 1_000, header: 0, control: 0 };
    let settings = Settings { frame, ..Settings::IDEAL };
    let outcome = run(&fabric, &[flow(0, 1, 125_000_000)], &settings);
    assert_eq!(delivered(&outcome, 0), 1_000_030_000_000 + 2 * 8_000_000);
}

#[test]
fn both_directions_of_a_link_are_separate() {
    // CASES O01 c: one link of 100 Gb/s and 1 µs, 1.25 GB each way at once: both 0.100001 s, plus
    // nothing, since packets without headers fill the wire and acknowledgements take no time.
    let fabric = explicit(&[("ca", "cb", 100, 1_000)]);
    let frame = Frame { payload: 4_000, header: 0, control: 0 };
    let settings = Settings { frame, ..Settings::IDEAL };
    let outcome = run(&fabric, &[flow(0, 1, 1_250_000_000), flow(1, 0, 1_250_000_000)], &settings);
    assert_eq!(delivered(&outcome, 0), 100_001_000_000);
    assert_eq!(delivered(&outcome, 1), 100_001_000_000);
}

#[test]
fn thousands_of_hosts_on_one_switch_do_not_slow_a_flow() {
    // CASES O20: 1,000,000 B in packets of 1,000 B: 80 µs at the first link, two more packets of
    // 80 ns, 3 × 3.33 µs: 90.15 µs.
    let frame = Frame { payload: 1_000, header: 0, control: 0 };
    let settings = Settings { frame, ..Settings::IDEAL };
    for hosts in [4_000, 16_000, 64_000] {
        let fabric = dumbbell(hosts);
        let outcome = run(&fabric, &[flow(0, hosts, 1_000_000)], &settings);
        assert_eq!(delivered(&outcome, 0), 90_150_000);
    }
}

#[test]
fn links_too_fast_for_whole_picoseconds_keep_the_rest() {
    // CASES O18: 80 Tb/s are 10 B/ps. 1,000,000 B in packets of 4,096 B take 100 ns at the first
    // link, though a packet takes 409.6 ps: the rest is kept. The last packet of 576 B, 57.6 ps, then
    // follows the one before it, which takes 409.6 ps at the second link.
    let fabric = explicit(&[("ca", "s", 80_000, 0), ("cb", "s", 80_000, 0)]);
    let frame = Frame { payload: 4_096, header: 0, control: 0 };
    let settings = Settings { frame, ..Settings::IDEAL };
    let outcome = run(&fabric, &[flow(0, 1, 1_000_000)], &settings);
    // 244 full packets leave the first link at 99,942.4 ps and the second one 409.6 ps later, the
    // last packet 57.6 ps after that: at 100,409.6 ps; each link rounds an arrival up.
    let arrival = delivered(&outcome, 0);
    assert!((100_410..=100_411).contains(&arrival), "{arrival}");
    // A single byte takes at least 1 ps.
    let one = run(&fabric, &[flow(0, 1, 1)], &settings);
    assert_eq!(delivered(&one, 0), 2);
}

#[test]
fn a_message_without_bytes_is_one_header() {
    // CASES O02: 64 B at 100 Gb/s are 5.12 ns on each of two links, and 2 µs of latency.
    let fabric = star(2, Duration::from_micros(2));
    let outcome = run(&fabric, &[flow(0, 1, 0)], &Settings::IDEAL);
    assert_eq!(delivered(&outcome, 0), 2 * 5_120 + 2_000_000);
    assert_eq!(outcome.ledger.data, 1);
}

#[test]
fn a_switch_that_cuts_through_adds_a_header_a_hop() {
    // Three links of 400 Gb/s and 1 µs, one packet of 4,160 B: stored at each switch it takes
    // 3 × 83.2 ns; cut through, 83.2 ns and at each of two switches the 64 B of its header, 1.28 ns.
    let fabric =
        explicit(&[("ca", "s1", 400, 1_000), ("s1", "s2", 400, 1_000), ("cb", "s2", 400, 1_000)]);
    let stored = run(&fabric, &[flow(0, 1, 4_096)], &Settings::IDEAL);
    assert_eq!(delivered(&stored, 0), 3 * 83_200 + 3_000_000);
    let settings = Settings { forwarding: Forwarding::CutThrough, ..Settings::IDEAL };
    let cut = run(&fabric, &[flow(0, 1, 4_096)], &settings);
    assert_eq!(delivered(&cut, 0), 83_200 + 2 * 1_280 + 3_000_000);
    // A slow first link holds a fast second one until its last bit has come: 41.6 ns at 800 Gb/s
    // would be over before the 83.2 ns of the first link are.
    let fabric = explicit(&[("ca", "s", 400, 1_000), ("cb", "s", 800, 1_000)]);
    let held = run(&fabric, &[flow(0, 1, 4_096)], &settings);
    assert_eq!(delivered(&held, 0), 83_200 + 2_000_000);
}

#[test]
fn a_window_of_half_the_round_trip_halves_the_rate() {
    // One link of 400 Gb/s and 4,160 ns: the acknowledgement of a packet is back after 83.2 +
    // 4,160 + 1.28 + 4,160 ns = 8,404.48 ns, in which 101.02 packets leave. With a window of 50,
    // each 50 packets take a round trip: 1,000 packets take 19 round trips and one last flight.
    let fabric = explicit(&[("ca", "cb", 400, 4_160)]);
    let transport = Transport::Ideal { window: Window::Packets(50) };
    let settings = Settings { transport, acknowledge_every: 1, ..Settings::IDEAL };
    let outcome = run(&fabric, &[flow(0, 1, 4_096_000)], &settings);
    assert_eq!(delivered(&outcome, 0), 19 * 8_404_480 + 50 * 83_200 + 4_160_000);
    // The product of bandwidth and delay fills the link.
    let transport = Transport::Ideal { window: Window::BandwidthDelay { times: 1 } };
    let settings = Settings { transport, ..Settings::IDEAL };
    let outcome = run(&fabric, &[flow(0, 1, 4_096_000)], &settings);
    assert_eq!(delivered(&outcome, 0), 1_000 * 83_200 + 4_160_000);
}

#[test]
fn a_window_fills_links_that_are_fast_only_together() {
    // Cards of 1,600 Gb/s, and four ways of 400 Gb/s between their switches: 1,000 packets of 4,160 B leave 20.8 ns
    // apart. Once the product of bandwidth and delay is that of the four ways together: 4 µs of latency, and at
    // most 83.2 ns on each of two slow links and 20.8 ns on two fast ones for the last packet.
    let middle = ["m0", "m1", "m2", "m3"];
    let ways = middle.into_iter().flat_map(|m| [("s", m, 400, 1_000), (m, "t", 400, 1_000)]);
    let ends = [("ca", "s", 1_600, 1_000), ("cb", "t", 1_600, 1_000)];
    let fabric = explicit(&ends.into_iter().chain(ways).collect::<Vec<_>>());
    let transport = Transport::Ideal { window: Window::BandwidthDelay { times: 1 } };
    let settings = Settings { transport, acknowledge_every: 1, ..Settings::IDEAL };
    let took = delivered(&run(&fabric, &[flow(0, 1, 4_096_000)], &settings), 0);
    let least = 999 * 20_800 + 2 * 20_800 + 2 * 83_200 + 4_000_000;
    assert!((least..=least + 2 * 83_200).contains(&took), "{took}, at least {least}");
    // One path for all of them is a quarter as fast, and its window fits that.
    let routing = packet::Routing::PerFlow { flows: 1, key: 1 };
    let hashed = run(&fabric, &[flow(0, 1, 4_096_000)], &Settings { routing, ..settings });
    let apart = 999 * 83_200 + 2 * 20_800 + 2 * 83_200 + 4_000_000;
    assert_eq!(delivered(&hashed, 0), apart);
}
