//! A run that stands still says who waits for whom, to what nobody will undo.

use collectives::{LaneId, Pace, Schedule, Wait, flows};
use packet::{
    Backpressure, ClassOfService, Held, HeldBy, Loss, LossRate, Outcome, Recovery, Settings,
    Status, Transport, Window,
};
use topology::{Fabric, Fault, LinkId, Mishap, Part};
use units::{Bytes, Duration, Time};

use crate::common::{flow, run, run_and_look, run_in_time};
use crate::fabrics::explicit;

/// One class with room for so many bytes at the end of each link, and windows that never hold back.
fn credits(room: u64) -> Settings {
    let backpressure = Backpressure::Credits { buffer: Bytes::new(room) };
    Settings {
        classes: vec![ClassOfService { backpressure, ..ClassOfService::PLAIN }],
        transport: Transport::Ideal { window: Window::Packets(10_000) },
        ..Settings::IDEAL
    }
}

/// Twice a timeout of 10 µs and then no more: 10 + 20 + 40 µs after the last that was acknowledged.
fn impatient() -> Transport {
    let recovery = Recovery { timeout: Duration::from_micros(10), back_off: 2, retries: 2 };
    Transport::Selective { window: Window::Packets(10_000), recovery, reordering: 64 }
}

/// Five switches in a ring, a card on each, 100 ns a link.
fn ring() -> Fabric {
    let names: Vec<[String; 3]> = (0..5)
        .map(|at| [format!("c{at}"), format!("s{at}"), format!("s{}", (at + 1) % 5)])
        .collect();
    let links = names.iter().flat_map(|[card, switch, next]| {
        [(&card[..], &switch[..], 100, 100), (&switch[..], &next[..], 100, 100)]
    });
    explicit(&links.collect::<Vec<_>>())
}

/// Every card sends two switches on, beyond all room.
fn around() -> Schedule {
    let list: Vec<_> = (0..5).map(|src| flow(src, (src + 2) % 5, 1_000_000)).collect();
    flows(5, &list).expect("valid flows")
}

/// The first of two flows 0 → 1 and 1 → 0 waits until the second is done, and it until the first is.
fn crossed() -> Schedule {
    let mut schedule =
        flows(3, &[flow(0, 1, 1_000), flow(1, 0, 1_000), flow(0, 2, 1_000)]).expect("valid flows");
    let wait = |seat: u32, lane: u32| Wait {
        seat,
        lane: LaneId(lane),
        step: 0,
        completed: 1,
        pace: Pace::Once,
    };
    // Rank 0 sits first in lanes 0 and 2 and second in lane 1; rank 1 first in lane 1.
    schedule.lanes[0].waits.push(wait(0, 1));
    schedule.lanes[1].waits.push(wait(0, 0));
    schedule.lanes[2].waits.push(wait(0, 0));
    schedule
}

#[test]
fn ranks_that_wait_for_each_other_are_told() {
    // Nothing is ever sent: rank 0 does not begin flow 0 before flow 1 has come to it, which rank 1 does not begin
    // before flow 0 has come to it. Rank 1 and rank 2, who were to receive flows 0 and 2, and rank 0 before flow 2
    // are three more.
    let fabric = explicit(&[("c0", "s", 100, 100), ("c1", "s", 100, 100), ("c2", "s", 100, 100)]);
    run_and_look(&fabric, &crossed(), &Settings::IDEAL, |outcome, _| {
        assert_eq!(outcome.status, Status::Stalled);
        let told = [
            "rank 0 (flow, group 0, channel 0) waits before step 0 for rank 0 (flow, group 0, channel 1)",
            "rank 0 (flow, group 0, channel 1) waits in step 0 for a message from rank 1 (flow, group 0, channel 1)",
            "rank 1 (flow, group 0, channel 1) waits before step 0 for rank 1 (flow, group 0, channel 0)",
            "rank 1 (flow, group 0, channel 0) waits in step 0 for a message from rank 0 (flow, group 0, channel 0)",
            "so they wait for each other in a circle",
            "2 more wait",
        ];
        assert_eq!(outcome.waits, told);
    });
}

#[test]
fn messages_in_a_circle_of_credits_are_followed_to_it() {
    // Each flow fills the room of its first two links: the card's own link waits for the switch, that for the next,
    // and so around the five.
    run_and_look(&ring(), &around(), &credits(8_320), |outcome, network| {
        assert!(matches!(&outcome.status, Status::Deadlock(circle) if circle.len() == 5));
        let Held { links, by } = network.held(engine::FlowId(0)).expect("it stands");
        assert_eq!((links.len(), by), (6, HeldBy::Circle { from: 1 }));
        let told = [
            "rank 0 (flow, group 0, channel 0) waits in step 0 for its message to rank 2 (flow, group 0, channel 0) \
             to leave",
            "the message from rank 0 (c0) to rank 2 (c2) stands: c0 → s0 has no credits in class 0 until s0 → s1 \
             sends, s0 → s1 has no credits in class 0 until s1 → s2 sends, s1 → s2 has no credits in class 0 until \
             s2 → s3 sends, 2 more links wait in between, s4 → s0 has no credits in class 0 until s0 → s1 sends, \
             which closes a circle",
            "9 more wait",
        ];
        assert_eq!(outcome.waits, told);
    });
}

#[test]
fn pauses_are_told_as_such() {
    // Headroom for 100 Gb/s and 100 ns: 2,500 B, a pause frame of 64 B and three packets of 4,160 B.
    let packets = |packets: u64| Bytes::new(packets * 4_160);
    let headroom = Bytes::new(2_500 + 64 + 3 * 4_160);
    let backpressure = Backpressure::Pause { stop: packets(4), go: packets(2), headroom };
    let classes = vec![ClassOfService { backpressure, ..ClassOfService::PLAIN }];
    run_and_look(&ring(), &around(), &Settings { classes, ..credits(0) }, |outcome, _| {
        assert!(matches!(outcome.status, Status::Deadlock(_)));
        let told = &outcome.waits[1];
        let begins = "the message from rank 0 (c0) to rank 2 (c2) stands: c0 → s0 is paused in class 0 until s0 → s1 sends, ";
        assert!(told.starts_with(begins), "{told}");
    });
}

#[test]
fn senders_that_repeat_stand_in_a_circle_too() {
    // What is to be sent again waits before the same links: nobody gives up, since nobody gets to try.
    let settings = Settings { transport: impatient(), ..credits(8_320) };
    run_and_look(&ring(), &around(), &settings, |outcome, _| {
        assert!(matches!(&outcome.status, Status::Deadlock(circle) if circle.len() == 5));
        let told = &outcome.waits[1];
        assert!(told.ends_with("which closes a circle"), "{told}");
    });
}

/// The second of two links dies at 1 µs for good, and routes follow after a delay.
fn cut(delay: Duration, settings: &Settings) -> Outcome {
    let fabric = explicit(&[("c0", "s", 100, 100), ("c1", "s", 100, 100)]);
    let part = Part::Link { from: "c1".to_owned(), to: "s".to_owned(), count: 1 };
    let fault = Fault { part, speed_ppm: 0 };
    let mishap = Mishap { fault, at: Some(Time::from_picos(1_000_000)), until: None };
    run_in_time(&fabric, (&[mishap], delay), &[flow(0, 1, 1_000_000)], settings)
}

#[test]
fn a_message_without_a_way_is_told_with_who_waits_for_it() {
    let settings = Settings { transport: impatient(), ..Settings::IDEAL };
    let outcome = cut(Duration::from_micros(5), &settings);
    assert!(matches!(outcome.status, Status::Unreachable(_)), "{:?}", outcome.status);
    let told = [
        "rank 0 (flow, group 0, channel 0) waits in step 0 for its message to rank 1 (flow, group 0, channel 0) to \
         leave",
        "the message from rank 0 (c0) to rank 1 (c1) has had no way since 6 us",
        "1 more waits",
    ];
    assert_eq!(outcome.waits, told);
}

#[test]
fn a_link_that_stays_down_is_what_all_before_it_wait_for() {
    // Routes that follow in 35 days never do: no run lasts so long. Nothing is acknowledged; packets of 332.8 ns go
    // on leaving the card. The timeout of 10 µs ends while the 31st leaves, so the first goes again at 10.3168 µs;
    // that of 20 µs after it while the 92nd does, so it goes at 30.6176 µs; 40 µs later it is given up.
    let settings = Settings { transport: impatient(), ..credits(1_000_000_000) };
    let outcome = cut(Duration::from_micros(3_000_000_000_000), &settings);
    assert!(matches!(outcome.status, Status::GaveUp(_)), "{:?}", outcome.status);
    let told = [
        "rank 0 (flow, group 0, channel 0) waits in step 0 for its message to rank 1 (flow, group 0, channel 0) to \
         leave",
        "the message from rank 0 (c0) to rank 1 (c1) was given up at 70.6176 us with 0 of 245 packets acknowledged, \
         and stands: s → c1 is down",
        "1 more waits",
    ];
    assert_eq!(outcome.waits, told);
}

#[test]
fn a_message_that_links_lose_is_told_with_when_it_was_given_up() {
    // Both repetitions are lost too: 10 + 20 + 40 µs after the first packet was sent.
    let fabric = explicit(&[("c0", "s", 100, 100), ("c1", "s", 100, 100)]);
    let rates = vec![LossRate { link: LinkId(0), per_billion: 1_000_000_000 }];
    let loss = Loss { rates, listed: Vec::new() };
    let settings = Settings { transport: impatient(), loss, ..Settings::IDEAL };
    let outcome = run(&fabric, &[flow(0, 1, 4_096)], &settings);
    let told = [
        "rank 1 (flow, group 0, channel 0) waits in step 0 for a message from rank 0 (flow, group 0, channel 0)",
        "the message from rank 0 (c0) to rank 1 (c1) was given up at 70 us with 0 of 1 packets acknowledged",
    ];
    assert_eq!(outcome.waits, told);
}
