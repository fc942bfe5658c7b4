//! What a fabric loses reaches its packets.

use report::{Record, Status};
use scenario::{RunOptions, Source, read};

/// 16 cards on 2 leaves, packet by packet, with fields of the fabric beside those.
fn run(fields: &str) -> Record {
    let text = format!(
        "(schema: 1, title: \"loss\", seed: 5, engine: packet, fabrics: [(name: \"f\", cards: 16, \
         supernode: (cards: 1, inside: planes(), bandwidth: \"50 GB/s\", latency: \"1 us\"), \
         nics: (per_card: 1, bandwidth: \"400 Gb/s\", latency: \"1 us\"), \
         outside: leaf_spine(leaf_ports: 8, ratio: \"1:1\", uplink: \"400 Gb/s\", latency: \"1 us\", \
         spine_ports: 64), {fields})], \
         workloads: [(collective: all_to_all, algorithm: direct, size: \"16 MiB\")])"
    );
    let scenario = read(Source { name: "loss.ron", text: &text }, &[]);
    let scenario = scenario.unwrap_or_else(|refusal| panic!("{refusal}"));
    scenario.points()[0].run(&RunOptions::default())
}

/// The packets lost.
fn lost(record: &Record) -> u64 {
    record.packets.as_ref().expect("packets are told").lost
}

#[test]
fn losses_of_the_fabric_reach_its_packets() {
    // 16 × 15 messages of 256 packets over two links of cards: 122,880 chances of 0.1 %, and those of
    // acknowledgements; about 123 are lost, with a standard deviation of 11.
    let losses = "losses: [tier(name: \"nic\", loss: \"0.1 %\")]";
    let repeat = "recovery: selective_repeat(timeout: \"1 ms\")";
    let clean = run(repeat);
    assert_eq!((&clean.status, lost(&clean)), (&Status::Complete, 0));
    for packets in ["ideal", "infiniband", "rocev2_lossy"] {
        let record = run(&format!("{losses}, {repeat}, packets: {packets}"));
        assert_eq!(record.status, Status::Complete, "{packets}");
        assert!((60..400).contains(&lost(&record)), "{packets}: {:?}", record.notes);
    }
    let record = run(&format!("{losses}, packets: supernode_llr"));
    assert_eq!((&record.status, lost(&record)), (&Status::Complete, 0), "links repeat themselves");
}

#[test]
fn a_link_that_loses_everything_ends_at_the_retry_limit() {
    let losses = "losses: [link(from: \"card 3\", to: \"leaf 0\", loss: \"100 %\")]";
    let record = run(&format!("{losses}, recovery: selective_repeat(timeout: \"1 ms\")"));
    assert!(matches!(record.status, Status::RetryLimit { .. }), "{:?}", record.status);
}

#[test]
fn losses_end_when_they_are_repaired() {
    // Repaired before the first packet has crossed a link, 1 µs after the start, nothing is lost.
    let losses = "losses: [tier(name: \"nic\", loss: \"100 %\", until: \"500 ns\")]";
    let record = run(&format!("{losses}, recovery: selective_repeat(timeout: \"1 ms\")"));
    assert_eq!((&record.status, lost(&record)), (&Status::Complete, 0));
}

#[test]
fn links_die_and_routes_follow() {
    // 16 × 15 messages of 1 MiB at 400 Gb/s: 315 µs alone. A leaf's uplink dies at 100 µs, and routes follow
    // 100 µs later.
    let dead = "faults: [dead_link(from: \"leaf 0\", to: \"spine 0\", at: \"100 us\")], \
                reroute_after: \"100 us\", recovery: selective_repeat(timeout: \"1 ms\")";
    let (alone, hurt) = (run(""), run(dead));
    assert_eq!((&alone.status, &hurt.status), (&Status::Complete, &Status::Complete));
    assert!(hurt.time_ps > alone.time_ps + 50_000_000, "{} {}", hurt.time_ps, alone.time_ps);
    assert!(hurt.notes.iter().any(|note| note.contains("routes follow")), "{:?}", hurt.notes);
    // Beside links that lose packets all the while.
    let lossy = run(&format!("{dead}, losses: [tier(name: \"nic\", loss: \"0.1 %\")]"));
    assert_eq!(lossy.status, Status::Complete);
    assert!(lost(&lossy) > 60 && lossy.packets.is_some_and(|packets| packets.cut > 0));
}

#[test]
fn who_cannot_be_reached_is_told() {
    let dead = "faults: [dead_node(name: \"card 3\", at: \"100 us\")], reroute_after: \"10 us\", \
                recovery: selective_repeat(timeout: \"1 ms\")";
    let record = run(dead);
    let Status::Unreachable { why } = &record.status else { panic!("{:?}", record.status) };
    assert!(why.starts_with("rank 0 cannot reach rank 3 from 110 us on: "), "{why}");
}

#[test]
fn recovery_that_sprayed_packets_cannot_have_is_refused() {
    let text = "(schema: 1, title: \"spray\", engine: packet, fabrics: [(name: \"f\", cards: 4, \
                supernode: (cards: 1, inside: planes(), bandwidth: \"50 GB/s\", latency: \"1 us\"), \
                nics: (per_card: 1, bandwidth: \"400 Gb/s\", latency: \"1 us\"), \
                outside: leaf_spine(leaf_ports: 2, ratio: \"1:1\", uplink: \"400 Gb/s\", \
                latency: \"1 us\", spine_ports: 64), \
                losses: [tier(name: \"nic\", loss: \"1 %\")], recovery: go_back_n())], \
                workloads: [(collective: all_to_all, algorithm: direct, size: \"1 MiB\")])";
    let refused = read(Source { name: "spray.ron", text }, &[]).expect_err("go-back-N by spray");
    let told = refused.to_string();
    assert!(told.contains("fabric \"f\" recovers losses does not fit: go-back-N"), "{told}");
    assert!(told.contains("spray.ron:1:"), "{told}");
}

/// Two jobs of one transfer each into card 0 of a star of 100 Gb/s, the second one of a class; the finish
/// times of both, in µs, and alone.
fn rivals(class: u32) -> [(u64, u64); 2] {
    let job = |name: &str, card: u32, class: u32| {
        format!(
            "flows(name: \"{name}\", list: [(from: 1, to: 0, size: \"12500 kB\")], \
             placement: shared(cards: [0, {card}]), class: {class})"
        )
    };
    let text = format!(
        "(schema: 1, title: \"rivals\", engine: packet, fabrics: [star(name: \"s\", cards: 4, \
         bandwidth: \"100 Gb/s\", latency: \"2 us\", packets: custom(classes: [(), ()]))], \
         workloads: [jobs(jobs: [{}, {}])])",
        job("first", 1, 0),
        job("second", 2, class)
    );
    let scenario = read(Source { name: "rivals.ron", text: &text }, &[]);
    let scenario = scenario.unwrap_or_else(|refusal| panic!("{refusal}"));
    let record = scenario.points()[0].run(&RunOptions::default());
    assert_eq!(record.status, Status::Complete);
    // 12.5 MB are 3,052 packets of 4 KiB, those of the second job in its class.
    let classes = &record.packets.as_ref().expect("packets are told").classes;
    let sent: Vec<u64> = classes.iter().map(|it| it.sent).collect();
    assert_eq!(sent, if class == 0 { [6_104, 0] } else { [3_052, 3_052] });
    let told = |index: usize| {
        let job = &record.jobs[index];
        (job.finish_ps / 1_000_000, job.alone_ps / 1_000_000)
    };
    [told(0), told(1)]
}

#[test]
fn jobs_share_links_by_their_classes() {
    // 12.5 MB take 1 ms at 100 Gb/s, 2 µs and a packet of 0.33 µs more. In one class both take twice as long;
    // a lower class waits until the other is done, which does not notice it but for one packet.
    assert_eq!(rivals(0).map(|(_, alone)| alone), [1_002, 1_002]);
    let [(first, _), (second, _)] = rivals(0);
    assert!((1_990..=2_004).contains(&first.min(second)), "{first} and {second} µs");
    let [(first, _), (second, _)] = rivals(1);
    assert!((1_002..=1_003).contains(&first), "{first} µs");
    assert!((2_001..=2_006).contains(&second), "{second} µs");
}

#[test]
fn circles_that_may_wait_are_told_beside_the_results() {
    // A ring of five switches with credits: every card sends two switches on. Room for all that is sent keeps
    // it from standing still; the routes could.
    let names: Vec<String> = (0..5).map(|node| format!("\"c{node}\"")).collect();
    let link = |from: String, to: String| {
        format!("(from: \"{from}\", to: \"{to}\", bandwidth: \"100 Gb/s\", latency: \"100 ns\")")
    };
    let links = (0..5).flat_map(|node| {
        let (card, switch) = (format!("c{node}"), format!("s{node}"));
        [link(card, switch.clone()), link(switch, format!("s{}", (node + 1) % 5))]
    });
    let links: Vec<String> = links.collect();
    let flows: Vec<String> = (0..5)
        .map(|src| format!("(from: {src}, to: {}, size: \"100 kB\")", (src + 2) % 5))
        .collect();
    let record = |packets: &str| {
        let text = format!(
            "(schema: 1, title: \"ring\", engine: packet, fabrics: [explicit(name: \"r\", cards: [{}], \
             switches: [{}], links: [{}], packets: {packets})], workloads: [flows(list: [{}])])",
            names.join(", "),
            names.join(", ").replace('c', "s"),
            links.join(", "),
            flows.join(", ")
        );
        let scenario = read(Source { name: "ring.ron", text: &text }, &[]);
        let scenario = scenario.unwrap_or_else(|refusal| panic!("{refusal}"));
        scenario.points()[0].run(&RunOptions::default())
    };
    let circle = |record: &Record| {
        let packets = record.packets.as_ref().expect("packets are told");
        packets.circle.as_ref().map_or(0, |circle| circle.links.len())
    };
    let roomy = record("custom(classes: [(backpressure: credits(room: \"1 MB\"))])");
    assert_eq!((&roomy.status, circle(&roomy)), (&Status::Complete, 5));
    let tight = record("custom(classes: [(backpressure: credits(room: \"4 KiB\"))])");
    let Status::Stalled { why } = &tight.status else { panic!("{:?}", tight.status) };
    assert!(why.starts_with("links wait for each other in a circle, in class 0: "), "{why}");
    assert_eq!(circle(&record("ideal")), 0, "endless queues wait for nobody");
}

#[test]
fn utilisation_is_what_a_link_carried_over_what_it_could() {
    // 100 Gb/s: 12.5 kB take 1 µs. Packets of 936 B of payload and 64 B of header are 80 ns;
    // acknowledgements take nothing. Ranks 0 and 1 send 500 packets each to rank 2 at once, 1,000,000 B
    // on its link with headers, and 100 more follow from rank 0 at 100 µs: 1,100,000 B. The two are done after the
    // first packet's first link, 80 ns, 1,000 packets of 80 ns and 200 ns of latency: 80.28 µs. The third lasts from
    // 100 µs to 100 µs + 101 × 80 ns + 200 ns = 108.28 µs, in which the link could carry 108.28 × 12.5 kB = 1,353,500 B:
    // 81.27 %, rounded down 812,707 parts in a million. Rank 0 sends
    // 600,000 B and rank 1 500,000 B: 443,295 and 369,412.
    let text = "(schema: 1, title: \"use\", engine: packet, fabrics: [star(name: \"s\", cards: 3, \
                bandwidth: \"100 Gb/s\", latency: \"200 ns\", packets: custom(payload: \"936 B\", \
                header: \"64 B\", control: \"0 B\"))], workloads: [flows(list: [\
                (from: 0, to: 2, size: \"468 kB\"), (from: 1, to: 2, size: \"468 kB\"), \
                (from: 0, to: 2, size: \"93600 B\", start: \"100 us\")])])";
    let scenario = read(Source { name: "use.ron", text }, &[]);
    let scenario = scenario.unwrap_or_else(|refusal| panic!("{refusal}"));
    let record = scenario.points()[0].run(&RunOptions::default());
    assert_eq!((&record.status, record.time_ps), (&Status::Complete, 108_280_000));
    let packets = record.packets.as_ref().expect("packets are told");
    let told = packets.links.iter().map(|it| (&it.link[..], it.bytes, it.utilisation_ppm));
    let told: Vec<_> = told.collect();
    let expected = [
        ("card 0 → switch 0", 600_000, 443_295),
        ("card 1 → switch 0", 500_000, 369_412),
        ("switch 0 → card 2", 1_100_000, 812_707),
    ];
    assert_eq!(told, expected);
    assert_eq!(record.tiers[0].utilisation_ppm, 812_707);
}
