//! Every field makes a difference: two values of it give two results.

use report::Record;
use scenario::{Override, RunOptions, Source, field_paths, read};

/// 24 cards on 4 supernodes, 24 of a star and 3 listed, with workloads of every form.
const BASE: &str = include_str!("sensitivity.ron");

/// Six cards whose switches add up, and a workload that needs them.
const SWITCHES: &str = include_str!("sensitivity_switches.ron");

/// A field, the fabric and workload that show it, and two values.
type Row = (&'static str, &'static str, [&'static str; 2]);

const ONE_LINK_EACH: &str = "[(from: \"a\", to: \"s\", bandwidth: \"1 Gb/s\", latency: \"1 us\"), \
    (from: \"b\", to: \"s\", bandwidth: \"1 Gb/s\", latency: \"1 us\"), \
    (from: \"c\", to: \"s\", bandwidth: \"1 Gb/s\", latency: \"1 us\"), \
    (from: \"d\", to: \"s\", bandwidth: \"1 Gb/s\", latency: \"1 us\")]";

const TWO_LINKS_EACH: &str = "[(from: \"a\", to: \"s\", bandwidth: \"1 Gb/s\", latency: \"1 us\", \
    count: 2), (from: \"b\", to: \"s\", bandwidth: \"1 Gb/s\", latency: \"1 us\", count: 2), \
    (from: \"c\", to: \"s\", bandwidth: \"1 Gb/s\", latency: \"1 us\"), \
    (from: \"d\", to: \"s\", bandwidth: \"1 Gb/s\", latency: \"1 us\")]";

/// The points that a row looks at: fabric and workload by name.
const ROWS: [Row; 123] = [
    ("engine", "two ring", ["fluid", "packet"]),
    ("fabric.packets", "two a2a", ["ideal", "infiniband"]),
    ("fabric.packets.payload", "two ring", ["4 KiB", "1 KiB"]),
    ("fabric.packets.header", "two ring", ["0 B", "64 B"]),
    ("fabric.packets.control", "two ring", ["0 B", "1 KiB"]),
    ("fabric.packets.acknowledge_every", "two ring", ["1", "16"]),
    ("fabric.packets.window", "two ring", ["1", "200"]),
    ("fabric.packets.forwarding", "two ring", ["store_and_forward", "cut_through"]),
    ("fabric.packets.spray", "two a2a", ["in_turn", "at_random"]),
    ("fabric.packets.credits", "two a2a", ["4 KiB", "1 MiB"]),
    ("fabric.name", "two ring", ["two", "deux"]),
    ("fabric.cards", "two ring", ["24", "20"]),
    (
        "fabric.supernode",
        "two ring",
        [
            "(cards: 6, inside: full_mesh, bandwidth: \"50 GB/s\", latency: \"1 us\")",
            "(cards: 6, inside: full_mesh, bandwidth: \"25 GB/s\", latency: \"1 us\")",
        ],
    ),
    ("fabric.supernode.cards", "two ring", ["6", "12"]),
    ("fabric.supernode.inside", "two ring", ["planes()", "full_mesh"]),
    ("fabric.supernode.inside.count", "two ring", ["1", "2"]),
    ("fabric.supernode.inside.switches", "adding summed", ["forward", "reduce"]),
    ("fabric.supernode.inside.upper_lanes", "pods a2a", ["1", "9"]),
    ("fabric.supernode.inside.node_cards", "levels a2a", ["2", "3"]),
    ("fabric.supernode.inside.planes", "levels a2a", ["1", "3"]),
    ("fabric.supernode.inside.upper_switches", "levels a2a", ["1", "2"]),
    ("fabric.supernode.inside.ratio", "levels a2a", ["1:1", "9:1"]),
    ("fabric.supernode.inside.latency", "levels a2a", ["1 us", "900 us"]),
    ("fabric.supernode.inside.sizes", "cube a2a", ["[2, 3]", "[1, 6]"]),
    ("fabric.supernode.inside.lanes", "cube a2a", ["[1, 1]", "[1, 20]"]),
    ("fabric.supernode.inside.offsets", "half a2a", ["[1]", "[1, 2]"]),
    ("fabric.supernode.bandwidth", "two ring", ["50 GB/s", "20 GB/s"]),
    ("fabric.supernode.latency", "two ring", ["1 us", "9 us"]),
    ("fabric.supernode.efficiency", "two ring", ["1:1", "0.5:1"]),
    (
        "fabric.nics",
        "two ring",
        [
            "(per_card: 1, bandwidth: \"400 Gb/s\", latency: \"1 us\")",
            "(per_card: 2, bandwidth: \"200 Gb/s\", latency: \"1 us\")",
        ],
    ),
    ("fabric.nics.per_card", "two a2a", ["1", "2"]),
    ("fabric.nics.per_supernode", "three a2a", ["2", "3"]),
    ("fabric.nics.bandwidth", "two a2a", ["400 Gb/s", "200 Gb/s"]),
    ("fabric.nics.latency", "two a2a", ["1 us", "2 us"]),
    ("fabric.nics.efficiency", "two a2a", ["1:1", "0.9:1"]),
    (
        "fabric.outside",
        "two a2a",
        [
            "leaf_spine(leaf_ports: 12, ratio: \"1:1\", uplink: \"400 Gb/s\", latency: \"1 us\", spine_ports: 64)",
            "leaf_spine(leaf_ports: 12, ratio: \"4:1\", uplink: \"400 Gb/s\", latency: \"1 us\", spine_ports: 64)",
        ],
    ),
    ("fabric.outside.leaf_ports", "two a2a", ["12", "24"]),
    ("fabric.outside.ratio", "two a2a", ["1:1", "4:1"]),
    ("fabric.outside.uplink", "two a2a", ["400 Gb/s", "200 Gb/s"]),
    ("fabric.outside.latency", "two a2a", ["1 us", "2 us"]),
    ("fabric.outside.efficiency", "two a2a", ["1:1", "0.2:1"]),
    ("fabric.outside.spine_ports", "two a2a", ["64", "6"]),
    ("fabric.outside.spines", "two a2a", ["1", "2"]),
    ("fabric.outside.pod_leaves", "three a2a", ["2", "1"]),
    ("fabric.outside.core_ratio", "three a2a", ["1:1", "2:1"]),
    ("fabric.outside.core_ports", "three a2a", ["64", "2"]),
    ("fabric.outside.cores", "three a2a", ["2", "4"]),
    ("fabric.outside.nic_order", "homed ring", ["in_order", "rails"]),
    ("fabric.outside.homes", "homed a2a", ["1", "2"]),
    ("fabric.outside.planes", "homed a2a", ["1", "2"]),
    ("fabric.outside.ports", "tree a2a", ["16", "64"]),
    ("fabric.outside.layers", "tree a2a", ["2", "3"]),
    ("fabric.outside.sizes", "grid a2a", ["[1, 4]", "[2, 2]"]),
    ("fabric.outside.cables", "grid a2a", ["1", "2"]),
    ("fabric.outside.router_ports", "groups a2a", ["4", "6"]),
    ("fabric.outside.group_routers", "groups a2a", ["2", "3"]),
    ("fabric.outside.global_links", "groups a2a", ["2", "4"]),
    ("fabric.routing", "two a2a", ["spray", "ecmp(flows: 1)"]),
    ("fabric.routing.flows", "three a2a", ["1", "7"]),
    ("fabric.faults", "two ring", ["[]", "[slow_node(name: \"card 3\", speed: \"10 %\")]"]),
    ("fabric.losses", "two a2a", ["[]", "[node(name: \"card 3\", loss: \"1 %\")]"]),
    (
        "fabric.losses",
        "two a2a",
        ["[tier(name: \"nic\", loss: \"0.1 %\")]", "[tier(name: \"nic\", loss: \"1 %\")]"],
    ),
    (
        "fabric.losses",
        "two a2a",
        ["[tier(name: \"nic\", loss: \"1 %\")]", "[tier(name: \"inside\", loss: \"1 %\")]"],
    ),
    (
        "fabric.losses",
        "lossy a2a",
        [
            "[uplinks(supernode: 0, loss: \"1 %\")]",
            "[uplinks(supernode: 0, loss: \"1 %\", at: \"1 us\")]",
        ],
    ),
    (
        "fabric.losses",
        "lossy halving",
        [
            "[uplinks(supernode: 0, loss: \"1 %\")]",
            "[uplinks(supernode: 0, loss: \"1 %\", until: \"30 us\")]",
        ],
    ),
    (
        "fabric.losses",
        "lossy a2a",
        [
            "[link(from: \"card 3\", to: \"leaf 0\", loss: \"5 %\")]",
            "[link(from: \"card 4\", to: \"leaf 0\", loss: \"5 %\")]",
        ],
    ),
    (
        "fabric.losses",
        "lossy a2a",
        [
            "[link(from: \"leaf 0\", to: \"spine 0\", loss: \"5 %\")]",
            "[link(from: \"leaf 0\", to: \"spine 0\", count: 2, loss: \"5 %\")]",
        ],
    ),
    ("fabric.recovery", "lossy a2a", ["go_back_n()", "selective_repeat()"]),
    ("fabric.recovery", "lossy a2a", ["selective_repeat()", "link_retry()"]),
    ("fabric.recovery.mtu", "lossy a2a", ["4 KiB", "1 KiB"]),
    ("fabric.recovery.window", "lossy a2a", ["4 KiB", "16 KiB"]),
    ("fabric.recovery.timeout", "lossy a2a", ["1 ms", "2 ms"]),
    ("fabric.recovery.retries", "lossy halving", ["7", "1"]),
    ("fabric.loss_as", "lossy a2a", ["sampled", "expected"]),
    ("fabric.hardware", "two ring", ["[]", "[(field: \"cards\", label: roadmap, source: \"s\")]"]),
    ("fabric.bandwidth", "star ring", ["50 GB/s", "25 GB/s"]),
    ("fabric.latency", "star ring", ["1 us", "2 us"]),
    ("fabric.efficiency", "star ring", ["1:1", "0.5:1"]),
    ("fabric.switches", "listed list", ["[\"s\"]", "[\"s\", \"t\"]"]),
    ("fabric.links", "listed list", [ONE_LINK_EACH, TWO_LINKS_EACH]),
    ("workload.name", "star ring", ["ring", "round"]),
    ("workload.collective", "star ring", ["all_reduce", "all_gather"]),
    ("workload.collective.root", "two spread", ["0", "1"]),
    ("workload.collective.from", "two pair", ["0", "2"]),
    ("workload.collective.to", "two pair", ["1", "2"]),
    ("workload.collective.imbalance", "star uneven", ["20 %", "30 %"]),
    ("workload.algorithm", "star ring", ["ring()", "direct"]),
    ("workload.algorithm.channels", "two ring", ["1", "2"]),
    ("workload.algorithm.chunk", "star tree", ["1 KiB", "2 KiB"]),
    ("workload.algorithm.chunk", "adding summed", ["1 KiB", "2 KiB"]),
    ("workload.algorithm.order", "two halving", ["distance_doubling", "distance_halving"]),
    ("workload.algorithm.inner", "two levels", ["direct", "ring"]),
    ("workload.algorithm.outer", "two levels", ["ring", "direct"]),
    (
        "workload.algorithm.outer.order",
        "two outer halving",
        ["distance_doubling", "distance_halving"],
    ),
    ("workload.algorithm.outer.chunk", "two outer tree", ["1 KiB", "2 KiB"]),
    ("workload.size", "star ring", ["1 MiB", "2 MiB"]),
    ("workload.sizes", "star a2a", ["exact", "aligned"]),
    ("workload.ranks", "star ring", ["2", "1"]),
    ("workload.groups", "star ring", ["1", "2"]),
    ("workload.grouping", "two grouped", ["consecutive", "strided"]),
    ("workload.placement", "two ring", ["linear", "by_supernode"]),
    ("workload.placement.stride", "two stride", ["1", "6"]),
    ("workload.placement.run", "two runs", ["1", "6"]),
    ("workload.placement.cards", "two chosen", ["[0, 1]", "[1, 2]"]),
    ("workload.placement.busy", "two busy", ["1 %", "50 %"]),
    ("workload.per_step", "star ring", ["0 s", "1 us"]),
    ("workload.per_message", "star ring", ["0 s", "1 us"]),
    ("workload.reduce_bandwidth", "star ring", ["1 TB/s", "10 GB/s"]),
    ("workload.compute", "star ring", ["0 s", "1 us"]),
    (
        "workload.table",
        "star table",
        [
            "[[\"0 B\", \"1 MB\"], [\"2 MB\", \"0 B\"]]",
            "[[\"0 B\", \"3 MB\"], [\"2 MB\", \"0 B\"]]",
        ],
    ),
    (
        "workload.list",
        "star list",
        [
            "[(from: 0, to: 1, size: \"1 MB\")]",
            "[(from: 0, to: 1, size: \"1 MB\", start: \"1 us\")]",
        ],
    ),
    (
        "workload.list",
        "star list",
        [
            "[(from: 0, to: 1, size: \"1 MB\")]",
            "[(from: 0, to: 1, size: \"1 MB\", compute: \"1 us\")]",
        ],
    ),
    (
        "workload.list",
        "star list",
        [
            "[(from: 0, to: 1, size: \"1 MB\"), (from: 2, to: 1, size: \"1 MB\")]",
            "[(from: 0, to: 1, size: \"1 MB\"), (from: 2, to: 3, size: \"1 MB\")]",
        ],
    ),
    (
        "workload.list",
        "star list",
        [
            "[(from: 0, to: 1, size: \"1 MB\"), (from: 2, to: 3, size: \"1 MB\")]",
            "[(from: 0, to: 1, size: \"1 MB\"), (from: 0, to: 3, size: \"1 MB\")]",
        ],
    ),
    (
        "workload.list",
        "star list",
        ["[(from: 0, to: 1, size: \"1 MB\")]", "[(from: 0, to: 1, size: \"2 MB\")]"],
    ),
    (
        "workload.stragglers",
        "star ring",
        ["(late: [(ranks: [1], by: \"1 us\")])", "(late: [(ranks: [1], by: \"2 us\")])"],
    ),
    (
        "workload.stragglers.late",
        "star late",
        ["[(ranks: [1], by: \"2 us\")]", "[(ranks: [0, 1], by: \"3 us\")]"],
    ),
    ("workload.stragglers.jitter", "star late", ["0 s", "9 us"]),
    (
        "workload.stragglers.slow",
        "star late",
        ["[(ranks: [1], factor: \"3:2\")]", "[(ranks: [1], factor: \"2:1\")]"],
    ),
    (
        "workload.stragglers.clocks",
        "star late",
        ["[(ranks: [1], ahead: \"1 us\")]", "[(ranks: [0], ahead: \"1 us\")]"],
    ),
    (
        "workload.jobs",
        "two jobs",
        [
            "[(name: \"a\", ranks: 2, collective: all_to_all, algorithm: direct, size: \"1 MiB\")]",
            "[(name: \"a\", ranks: 3, collective: all_to_all, algorithm: direct, size: \"1 MiB\")]",
        ],
    ),
    ("seed", "two scattered", ["1", "2"]),
    ("seed", "three a2a", ["1", "2"]),
];

/// The result of a fabric and a workload with a field at a value, without what merely repeats it; or
/// the refusal.
fn result(
    path: &str,
    (fabric, workload): (&str, &str),
    value: &str,
) -> Result<(Record, String), String> {
    let (name, text) =
        if fabric == "adding" { ("switches.ron", SWITCHES) } else { ("sensitivity.ron", BASE) };
    let path = match path.split_once('.') {
        Some((root, rest)) => {
            let name = if root == "fabric" { fabric } else { workload };
            format!("{root}[{name}].{rest}")
        }
        None => path.to_owned(),
    };
    let set = Override { field: path, value: value.to_owned() };
    // Only the packet engine looks at packets; it does not know all that the flow level knows.
    let is_packet = set.field.contains(".packets") || set.field == "engine";
    let engine = if set.field.contains(".packets") { "packet" } else { "fluid" };
    let engine = Override { field: "engine".to_owned(), value: engine.to_owned() };
    let text: String = text
        .split_inclusive('\n')
        .filter(|line| !(is_packet && line.contains("// flow level only")))
        .collect();
    let scenario = match read(Source { name, text: &text }, &[engine, set]) {
        Ok(scenario) => scenario,
        // Switches that only forward cannot do what this workload asks for: that is the difference.
        Err(refusal) if fabric == "adding" => return Err(refusal.to_string()),
        Err(refusal) => panic!("{refusal}"),
    };
    // A new name is the difference itself: the point keeps its place.
    let base = read(Source { name, text: &text }, &[]);
    let base = base.unwrap_or_else(|refusal| panic!("{refusal}"));
    let index = base
        .points()
        .iter()
        .position(|point| point.fabric() == fabric && point.workload() == workload)
        .expect("the row names a point of the base");
    let point = &scenario.points()[index];
    let mut record = point.run(&RunOptions::default());
    let gave_up = matches!(record.status, report::Status::RetryLimit { .. });
    assert!(record.is_complete() || gave_up, "{record:?}");
    record.counters = report::Counters::default();
    // Notes repeat how losses are recovered.
    record.notes.retain(|note| {
        !["lossy:", "recovery:", "losses are"].iter().any(|it| note.starts_with(it))
    });
    Ok((record, point.workload().to_owned()))
}

#[test]
fn every_field_makes_a_difference() {
    let mut idle = Vec::new();
    for (path, point, [left, right]) in ROWS {
        let point = point.split_once(' ').expect("fabric and workload");
        if result(path, point, left) == result(path, point, right) {
            idle.push(format!("{path} at {left} and {right}"));
        }
    }
    assert!(idle.is_empty(), "these make no difference: {idle:#?}");
}

#[test]
fn no_field_is_left_out() {
    // They say what the results are about, and are copied to them.
    let told = ["title", "question"];
    for path in field_paths() {
        let known = told.contains(&path.as_str()) || ROWS.iter().any(|(row, ..)| *row == path);
        assert!(known, "no row shows that {path} makes a difference");
    }
}
