//! Shared buffers with dynamic thresholds.

use collectives::flows;
use packet::{Buffer, ClassOfService, Recovery, Settings, Status, Transport, Window};
use topology::NodeId;
use units::{Bytes, Duration, Ratio};

use crate::common::{flow, run_and_look};
use crate::fabrics::star;

/// The longest queues before the cards `into`, each of which eight others send to, 1 MB each, with windows far
/// beyond the shared buffer of 600 packets.
fn longest(into: &[u32], (over, under): (u64, u64)) -> Vec<u64> {
    let alpha = Ratio::new(over, under).expect("positive");
    let recovery = Recovery { timeout: Duration::from_micros(1_000), back_off: 1, retries: 100 };
    let window = Window::Packets(10_000);
    let settings = Settings {
        transport: Transport::Selective { window, recovery, reordering: 1 },
        acknowledge_every: 1,
        buffer: Buffer::Shared { size: Bytes::new(600 * 4_160), alpha },
        ..Settings::IDEAL
    };
    let fabric = star(20, Duration::from_micros(2));
    let list: Vec<_> = (0..8 * into.len() as u32)
        .map(|src| flow(src, into[src as usize % into.len()], 1_000_000))
        .collect();
    let schedule = flows(20, &list).expect("valid flows");
    run_and_look(&fabric, &schedule, &settings, |outcome, network| {
        assert_eq!(outcome.status, Status::Finished);
        assert!(outcome.ledger.overflowed > 0);
        let queue = |&card: &u32| {
            let link = fabric.links_into(NodeId(card))[0];
            network.link_use(link).longest_queue.as_u64() / 4_160
        };
        into.iter().map(queue).collect()
    })
}

#[test]
fn queues_take_their_share_of_what_is_free() {
    // Choudhury, Hahne 1998, section III: n full queues hold α/(1 + nα) of the buffer each, and the rest
    // stays free. Of 600 packets: 300 with α = 1 and one queue, 200 with two, 400 with α = 2, 67 with 1/8.
    // The packet that is leaving counts as queue and takes no room: one less, up to one more.
    let near = |found: &[u64], expected: u64| {
        assert!(found.iter().all(|queue| queue.abs_diff(expected) <= 2), "{found:?}, {expected}");
    };
    near(&longest(&[19], (1, 1)), 300);
    near(&longest(&[19], (2, 1)), 400);
    near(&longest(&[19], (1, 8)), 67);
    near(&longest(&[18, 19], (1, 1)), 200);
}

#[test]
fn lossless_classes_have_room_of_their_own() {
    // Class 1 has credits: it drops nothing however full the shared buffer is.
    let credits = packet::Backpressure::Credits { buffer: Bytes::new(100 * 4_160) };
    let class = |backpressure| ClassOfService { backpressure, ..ClassOfService::PLAIN };
    let settings = Settings {
        transport: Transport::Selective {
            window: Window::Packets(1_000),
            recovery: Recovery { timeout: Duration::from_micros(500), back_off: 2, retries: 50 },
            reordering: 1,
        },
        buffer: Buffer::Shared { size: Bytes::new(8 * 4_160), alpha: Ratio::ONE },
        classes: vec![class(credits), class(packet::Backpressure::None)],
        ..Settings::IDEAL
    };
    let fabric = star(9, Duration::from_micros(2));
    let list: Vec<_> = (0..8).map(|src| flow(src, 8, 1_000_000)).collect();
    let schedule = flows(9, &list).expect("valid flows");
    run_and_look(&fabric, &schedule, &settings, |outcome, _| {
        assert_eq!((&outcome.status, outcome.ledger.dropped()), (&Status::Finished, 0));
    });
}
