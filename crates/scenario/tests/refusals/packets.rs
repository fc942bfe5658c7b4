//! Packets whose parts do not fit each other, or the links.

use super::{Case, case, check_all};

const ROWS: [[&str; 5]; 11] = [
    [
        "name: \"pods\",",
        "name: \"pods\", packets: rocev2_pfc_dcqcn,",
        "fabrics[1].packets",
        "go-back-N takes packets that overtake each other for lost",
        "rocev2_pfc_dcqcn",
    ],
    [
        "name: \"servers\",",
        "name: \"servers\", packets: custom(payload: \"1 MiB\"),",
        "fabrics[0].packets",
        "out of range",
        "custom(payload: \"1 MiB\")",
    ],
    [
        "name: \"servers\",",
        "name: \"servers\", packets: custom(classes: [(backpressure: credits(room: \"1 KiB\"))]),",
        "fabrics[0].packets",
        "the credits of a link cover a full packet",
        "custom(classes: [(backpressure: credits(room: \"1 KiB\"))])",
    ],
    // 225 GB/s × 4096/4160 × 2 × 500 ns = 221,538.5 B, a pause frame of 64 B and three packets of 4,096 B
    [
        "name: \"servers\",",
        "name: \"servers\", packets: custom(classes: [(backpressure: pauses(stop: \"1 MB\", headroom: \"9 KB\"))]),",
        "fabrics[0].packets",
        "needs 233.891 kB of headroom on a link",
        "custom(classes: [(backpressure: pauses(stop: \"1 MB\", headroom: \"9 KB\"))])",
    ],
    [
        "name: \"servers\",",
        "name: \"servers\", packets: custom(classes: [(backpressure: pauses(stop: \"1 MB\", go: \"2 MB\"))]),",
        "fabrics[0].packets",
        "resumes at no more than where it pauses",
        "custom(classes: [(backpressure: pauses(stop: \"1 MB\", go: \"2 MB\"))])",
    ],
    [
        "name: \"servers\",",
        "name: \"servers\", packets: custom(marking: queue(least: \"2 KB\", most: \"1 KB\")),",
        "fabrics[0].packets",
        "marking begins at a queue no longer",
        "custom(marking: queue(least: \"2 KB\", most: \"1 KB\"))",
    ],
    [
        "name: \"servers\",",
        "name: \"servers\", packets: custom(classes: [(marking: queue(least: \"2 KB\", most: \"1 KB\"))]),",
        "fabrics[0].packets",
        "marking begins at a queue no longer",
        "custom(classes: [(marking: queue(least: \"2 KB\", most: \"1 KB\"))])",
    ],
    [
        "name: \"servers\",",
        "name: \"servers\", packets: custom(buffer: shared(size: \"1 MB\")),",
        "fabrics[0].packets",
        "the ideal window repeats nothing",
        "custom(buffer: shared(size: \"1 MB\"))",
    ],
    [
        "name: \"servers\",",
        "name: \"servers\", packets: custom(transport: go_back_n(timeout: \"0 s\")),",
        "fabrics[0].packets",
        "a timeout takes longer than nothing",
        "custom(transport: go_back_n(timeout: \"0 s\"))",
    ],
    [
        "name: \"servers\",",
        "name: \"servers\", packets: custom(pacing: dcqcn(rate_timer: \"0 s\")),",
        "fabrics[0].packets",
        "the timers of DCQCN",
        "custom(pacing: dcqcn(rate_timer: \"0 s\"))",
    ],
    [
        "sizes: aligned,",
        "sizes: aligned, class: 1,",
        "workloads[0].class",
        "its packets have class 0 only",
        "1",
    ],
];

/// All of them.
pub(crate) fn cases() -> Vec<Case> {
    ROWS.into_iter().map(case).collect()
}

#[test]
fn packets_that_do_not_fit_are_refused_with_their_place() {
    check_all(&cases());
}
