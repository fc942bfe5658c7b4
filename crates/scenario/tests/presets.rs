//! The shipped presets: every value has its source, and what they build has the published counts.

use report::Record;
use scenario::{PresetValue, RunOptions, Source, presets, read, read_with};

/// A scenario of one fabric whose parts are given.
fn scenario(parts: &str) -> String {
    format!(
        "(schema: 1, title: \"preset\", fabrics: [(name: \"it\", {parts})], \
         workloads: [flows(list: [(from: 0, to: 1, size: \"1 MB\")])])"
    )
}

/// The echo of the only point of a scenario.
fn run(parts: &str, own: &[Source<'_>]) -> Record {
    let text = scenario(parts);
    let scenario = read_with(Source { name: "preset.ron", text: &text }, &[], own);
    let scenario = scenario.unwrap_or_else(|refusal| panic!("{refusal}"));
    scenario.points()[0].run(&RunOptions::default())
}

/// Supernodes of a preset under one large switch.
fn inside(name: &str, cards: u32) -> Vec<String> {
    let parts = format!(
        "cards: {cards}, supernode: preset(\"{name}\"), nics: preset(\"{name}\"), \
         outside: leaf_spine(leaf_ports: 65536, ratio: \"1:1\", uplink: \"400 Gb/s\", \
         latency: \"1 us\", spine_ports: 64)"
    );
    run(&parts, &[]).fabric_echo
}

/// Cards on an outer fabric of a preset.
fn outside(name: &str, (cards, supernode): (u32, u32)) -> Vec<String> {
    let parts = format!(
        "cards: {cards}, supernode: preset(name: \"hgx_h100\", cards: {supernode}), \
         nics: preset(\"{name}\"), outside: preset(\"{name}\")"
    );
    run(&parts, &[]).fabric_echo
}

fn has(echo: &[String], line: &str) {
    assert!(echo.iter().any(|found| found.contains(line)), "{line} is not in {echo:#?}");
}

#[test]
fn every_value_has_its_source() {
    let list = presets(&[]).unwrap_or_else(|refusal| panic!("{refusal}"));
    assert_eq!(list.len(), 7 + 7 + 8);
    for preset in &list {
        let without = |value: &&PresetValue| value.source.is_none();
        let bare: Vec<&PresetValue> = preset.values.iter().filter(without).collect();
        assert!(bare.is_empty(), "{}: {bare:#?}", preset.name);
        assert!(!preset.text.is_empty() && !preset.values.is_empty());
    }
}

#[test]
fn supernodes_have_the_published_counts() {
    // NVL72: 9 trays of 2 chips of 72 ports; 72 × 18 links of 50 GB/s.
    let echo = inside("gb200_nvl72", 72);
    has(&echo, "inside: 18 × plane switch (72 ports)");
    has(&echo, "72 ports), 1,296 links");
    // CloudMatrix384: 336 + 112 chips; 384 × 392 GB/s = 1.204224 Pb/s at both levels.
    let echo = inside("cloudmatrix384", 384);
    has(&echo, "inside: 336 × plane switch (24 ports), 112 × upper plane switch (48 ports)");
    has(&echo, "2,688 links, 1.204224 Pb/s each way");
    has(&echo, "upper: 5,376 links, 1.204224 Pb/s each way");
    // Atlas 950: 8,192 cards, 16.3 PB/s both ways = 65.2 Pb/s each way, within 1 %.
    has(&inside("atlas950", 8_192), " 8,192 links, 65.536 Pb/s each way");
    // 1,024 cards: 1.72 PB/s both ways = 6.88 Pb/s each way.
    has(&inside("atlas950_1024", 1_024), " 1,024 links, 6.88128 Pb/s each way");
    // Atlas 960: 15,488 cards, 34 PB/s both ways = 136 Pb/s each way.
    has(&inside("atlas960", 15_488), " 15,488 links, 135.922688 Pb/s each way");
    // UB-Mesh: 1,024 cards × (3 + 3 + 7 + 7) / 2.
    has(&inside("ub_mesh_pod", 1_024), " 10,240 links");
    // Beyond a pod: 8 × 10,240 links in the meshes, 4 for each of 8,192 cards to 128 × 4 rack switches, and
    // these to 4 × 16 upper ones; 512 lanes of those: 128 racks × 4 lanes.
    let echo = inside("ub_mesh_superpod", 8_192);
    has(&echo, "512 × plane switch (80 ports), 64 × upper plane switch (128 ports)");
    has(&echo, " 114,688 links");
    for (name, links) in [("mi300x", 28), ("ascend_910b", 28), ("hgx_a100", 8), ("hgx_b200", 8)] {
        has(&inside(name, 8), &format!(" {links} links"));
    }
}

#[test]
fn outer_fabrics_have_the_published_counts() {
    let echo = outside("fat_tree_64x2", (2_048, 8));
    has(&echo, "outside: 64 × leaf (32 down + 32 up), 32 × spine (64 ports)");
    let echo = outside("fat_tree_64x3", (65_536, 8));
    has(
        &echo,
        "2,048 × leaf (32 down + 32 up), 2,048 × aggregation switch (32 down + 32 up), 1,024 × core",
    );
    let echo = outside("fat_tree_64x2_planes8", (16_384, 8));
    has(&echo, "512 × leaf (32 down + 32 up), 256 × spine (64 ports)");
    // Llama 3: 24,576 cards, 1,536 racks in 8 pods of 16 switches.
    let echo = outside("llama3_like", (24_576, 8));
    has(&echo, "1,536 × leaf (16 down + 16 up), 128 × aggregation switch (192 down + 28 up)");
    has(&echo, "ratio 48:7 as asked");
    // HPN: 15 segments of 8 rails in 2 planes, 60 aggregation switches each.
    let echo = outside("hpn_like", (15_360, 8));
    has(&echo, "240 × leaf (128 down + 60 up), 120 × aggregation switch");
    for name in ["ethernet_25g", "ethernet_100g", "lan"] {
        has(&outside(name, (96, 1)), "96 cards");
    }
}

#[test]
fn own_fields_and_own_files_come_first() {
    let own = Source {
        name: "own.ron",
        text: "(presets: [(name: \"mine\", supernode: (cards: 4, inside: ring, bandwidth: \"10 GB/s\", \
               latency: \"1 us\"), hardware: [(field: \"supernode.bandwidth\", label: measured, \
               source: \"here\")])])",
    };
    let rest = "nics: preset(\"lan\"), outside: preset(\"lan\")";
    let parts = format!("cards: 8, supernode: preset(\"mine\"), {rest}");
    let echo = run(&parts, &[own]).fabric_echo;
    has(&echo, "8 cards in 2 supernodes of 4");
    has(&echo, "supernode.bandwidth: measured (here)");
    let parts =
        format!("cards: 8, supernode: preset(name: \"mine\", bandwidth: \"20 GB/s\"), {rest}");
    let echo = run(&parts, &[own]).fabric_echo;
    has(&echo, "inside: 8 links, 640 Gb/s each way");
    assert!(!echo.iter().any(|line| line.contains("measured (here)")), "{echo:#?}");
}

#[test]
fn what_no_preset_is_called_is_refused_with_a_hint() {
    let parts = "cards: 8, supernode: preset(\"hgx_h10\"), nics: preset(\"lan\"), \
                 outside: preset(\"mi300x\")";
    let text = scenario(parts);
    let refusal =
        read(Source { name: "preset.ron", text: &text }, &[]).expect_err("no such preset");
    let told = refusal.to_string();
    assert!(told.contains("no preset for `supernode` is called \"hgx_h10\""), "{told}");
    assert!(told.contains("no preset for `outside` is called \"mi300x\""), "{told}");
    assert!(told.contains("did you mean"), "{told}");
    let own = Source { name: "own.ron", text: "(presets: [(name: \"lan\", nics: 7)])" };
    let refusal = presets(&[own]).expect_err("wrong").to_string();
    assert!(refusal.contains("own.ron:1:"), "{refusal}");
}

#[test]
fn a_source_goes_with_its_value() {
    // The ratio is overridden, the outer fabric swept: what told of their values is dropped.
    let parts = "cards: 96, supernode: preset(\"hgx_h100\"), nics: preset(\"ethernet_100g\"), \
                 outside: preset(\"ethernet_100g\")";
    let text = scenario(parts);
    let source = Source { name: "preset.ron", text: &text };
    let run = |field: &str, value: &str| {
        let set = scenario::Override { field: field.to_owned(), value: value.to_owned() };
        let scenario = read(source, &[set]).unwrap_or_else(|refusal| panic!("{refusal}"));
        scenario.points()[0].run(&RunOptions::default()).fabric_echo
    };
    let told = |echo: &[String], field: &str| {
        echo.iter().filter(|line| line.starts_with(&format!("source: {field}: "))).count()
    };
    let echo = run("fabric.outside.ratio", "2:1");
    assert_eq!((told(&echo, "outside.ratio"), told(&echo, "outside.uplink")), (0, 1));
    let echo = run("fabric.outside", "preset(\"fat_tree_64x2\")");
    assert_eq!((told(&echo, "outside.ratio"), told(&echo, "outside.layers")), (0, 1));
    let swept = text.replace(
        "workloads:",
        "sweep: [(field: \"fabric.outside\", values: [preset(\"fat_tree_64x2\"), \
         preset(\"fat_tree_64x3\")])], workloads:",
    );
    let scenario = read(Source { name: "preset.ron", text: &swept }, &[]);
    let scenario = scenario.unwrap_or_else(|refusal| panic!("{refusal}"));
    assert_eq!(scenario.points().len(), 2);
    let echo = scenario.points()[1].run(&RunOptions::default()).fabric_echo;
    assert_eq!((told(&echo, "outside.ratio"), told(&echo, "nics.latency")), (0, 1));
}
