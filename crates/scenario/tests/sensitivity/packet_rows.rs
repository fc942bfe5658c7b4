//! A pair of values for every field that only the packet engine looks at.

use crate::rows::Row;

/// The points that a row looks at: fabric and workload by name.
pub(crate) const ROWS: [Row; 44] = [
    ("fabric.packets", "two a2a", ["ideal", "infiniband"]),
    ("fabric.packets.payload", "two ring", ["4 KiB", "1 KiB"]),
    ("fabric.packets.header", "two ring", ["0 B", "64 B"]),
    ("fabric.packets.control", "two ring", ["0 B", "1 KiB"]),
    ("fabric.packets.acknowledge_every", "two ring", ["1", "16"]),
    ("fabric.packets.window", "two ring", ["packets(count: 1)", "packets(count: 200)"]),
    ("fabric.packets.window.times", "two incast", ["1", "2"]),
    ("fabric.packets.window.count", "queues incast", ["8", "64"]),
    ("fabric.packets.forwarding", "two ring", ["store_and_forward", "cut_through"]),
    ("fabric.packets.spray", "two a2a", ["in_turn", "at_random"]),
    ("fabric.packets.spray.count", "queues incast", ["1", "64"]),
    ("fabric.packets.transport", "two ring", ["ideal", "selective_repeat(timeout: \"1 us\")"]),
    ("fabric.packets.transport.timeout", "queues incast", ["50 us", "90 us"]),
    ("fabric.packets.transport.back_off", "queues incast", ["1", "8"]),
    ("fabric.packets.transport.retries", "queues incast", ["0", "9"]),
    ("fabric.packets.transport.reordering", "queues incast", ["1", "100"]),
    (
        "fabric.packets.pacing",
        "queues incast",
        ["line_rate", "dcqcn(notification_interval: \"1 us\")"],
    ),
    ("fabric.packets.pacing.gain", "queues incast", ["2", "256"]),
    ("fabric.packets.pacing.alpha_timer", "queues incast", ["1 us", "55 us"]),
    ("fabric.packets.pacing.rate_timer", "queues incast", ["5 us", "55 us"]),
    ("fabric.packets.pacing.byte_counter", "queues incast", ["20 KB", "10 MB"]),
    ("fabric.packets.pacing.fast_recoveries", "queues incast", ["0", "5"]),
    ("fabric.packets.pacing.additive", "queues incast", ["40 Mb/s", "40 Gb/s"]),
    ("fabric.packets.pacing.hyper", "queues incast", ["100 Mb/s", "100 Gb/s"]),
    ("fabric.packets.pacing.least", "queues incast", ["100 Mb/s", "40 Gb/s"]),
    ("fabric.packets.pacing.notification_interval", "queues incast", ["1 us", "50 us"]),
    (
        "fabric.packets.buffer",
        "queues incast",
        ["per_queue(size: \"64 KB\")", "shared(size: \"64 KB\")"],
    ),
    ("fabric.packets.buffer.size", "queues incast", ["64 KB", "1 MB"]),
    ("fabric.packets.buffer.alpha", "queues incast", ["1:8", "8:1"]),
    (
        "fabric.packets.marking",
        "queues incast",
        ["never", "queue(least: \"40 KB\", most: \"80 KB\")"],
    ),
    ("fabric.packets.marking.least", "queues incast", ["0 B", "60 KB"]),
    ("fabric.packets.marking.most", "queues incast", ["50 KB", "400 KB"]),
    ("fabric.packets.marking.probability", "queues incast", ["1 %", "100 %"]),
    ("fabric.packets.classes", "two a2a", ["[]", "[(backpressure: credits(room: \"4 KiB\"))]"]),
    (
        "fabric.packets.classes",
        "two a2a",
        ["[]", "[(backpressure: pauses(stop: \"8 KB\", headroom: \"1 MB\"))]"],
    ),
    (
        "fabric.packets.classes",
        "queues incast",
        [
            "[(backpressure: pauses(stop: \"20 KB\", go: \"0 B\")), (), ()]",
            "[(backpressure: pauses(stop: \"20 KB\", go: \"20 KB\")), (), ()]",
        ],
    ),
    (
        "fabric.packets.classes",
        "queues rivals",
        ["[(), (), (service: weighted(weight: 1))]", "[(), (service: weighted(weight: 1)), ()]"],
    ),
    (
        "fabric.packets.classes",
        "queues rivals",
        [
            "[(), (service: weighted(weight: 1)), (service: weighted(weight: 1))]",
            "[(), (service: weighted(weight: 9)), (service: weighted(weight: 1))]",
        ],
    ),
    (
        "fabric.packets.classes",
        "queues incast",
        [
            "[(marking: never), (), ()]",
            "[(marking: queue(least: \"0 B\", most: \"1 KB\")), (), ()]",
        ],
    ),
    ("fabric.packets.link_retries", "queues incast", ["0", "16"]),
    (
        "fabric.drops",
        "queues incast",
        [
            "[]",
            "[(from: \"card 23\", to: \"leaf 1\", sender: \"card 23\", receiver: \"card 0\", packets: [255])]",
        ],
    ),
    (
        "fabric.drops",
        "queues incast",
        [
            "[(from: \"card 23\", to: \"leaf 1\", sender: \"card 23\", receiver: \"card 0\", packets: [255])]",
            "[(from: \"card 23\", to: \"leaf 1\", sender: \"card 23\", receiver: \"card 0\", packets: [255], sending: 9)]",
        ],
    ),
    ("workload.class", "queues incast", ["0", "1"]),
    (
        "workload.jobs",
        "queues rivals",
        [
            "[flows(name: \"a\", list: [(from: 1, to: 0, size: \"9 MB\")])]",
            "[flows(name: \"a\", list: [(from: 1, to: 0, size: \"9 MB\")], repetitions: 2)]",
        ],
    ),
];
