//! A pair of values for every field, and where their results differ.

/// A field, the fabric and workload that show it, and two values.
pub(crate) type Row = (&'static str, &'static str, [&'static str; 2]);

const ONE_LINK_EACH: &str = "[(from: \"a\", to: \"s\", bandwidth: \"1 Gb/s\", latency: \"1 us\"), \
    (from: \"b\", to: \"s\", bandwidth: \"1 Gb/s\", latency: \"1 us\"), \
    (from: \"c\", to: \"s\", bandwidth: \"1 Gb/s\", latency: \"1 us\"), \
    (from: \"d\", to: \"s\", bandwidth: \"1 Gb/s\", latency: \"1 us\")]";

const TWO_LINKS_EACH: &str = "[(from: \"a\", to: \"s\", bandwidth: \"1 Gb/s\", latency: \"1 us\", \
    count: 2), (from: \"b\", to: \"s\", bandwidth: \"1 Gb/s\", latency: \"1 us\", count: 2), \
    (from: \"c\", to: \"s\", bandwidth: \"1 Gb/s\", latency: \"1 us\"), \
    (from: \"d\", to: \"s\", bandwidth: \"1 Gb/s\", latency: \"1 us\")]";

/// The points that a row looks at: fabric and workload by name.
pub(crate) const ROWS: [Row; 119] = [
    ("engine", "two ring", ["fluid", "packet"]),
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
    ("fabric.outside.switches", "climbing summed", ["forward", "reduce"]),
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
    ("fabric.faults", "two ring", ["[]", "[slow_node(name: \"card 1\", speed: \"10 %\")]"]),
    (
        "fabric.faults",
        "star ring",
        [
            "[slow_node(name: \"card 0\", speed: \"10 %\", at: \"5 us\")]",
            "[slow_node(name: \"card 0\", speed: \"10 %\", at: \"6 us\")]",
        ],
    ),
    (
        "fabric.faults",
        "star ring",
        [
            "[slow_node(name: \"card 0\", speed: \"10 %\", until: \"5 us\")]",
            "[slow_node(name: \"card 0\", speed: \"10 %\", until: \"6 us\")]",
        ],
    ),
    ("fabric.reroute_after", "breaking a2a", ["1 us", "90 us"]),
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
    ("workload.placement", "two railed", ["linear", "rail"]),
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
