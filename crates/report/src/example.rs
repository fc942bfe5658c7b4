//! Points for this crate's own tests.

use crate::{Counters, JobRecord, Record, Results, SCHEMA, Status, TierRecord};

/// An `AllReduce` of 1 GiB by ring over 16 ranks that took `time_ps`.
pub(crate) fn record(fabric: &str, ratio: &str, time_ps: u64) -> Record {
    Record {
        labels: vec![("fabric".into(), fabric.into()), ("ratio".into(), ratio.into())],
        fabric: fabric.into(),
        ratio: ratio.into(),
        collective: "AllReduce".into(),
        algorithm: "ring".into(),
        ranks: 16,
        size_asked: 1 << 30,
        size: 1 << 30,
        channels: 8,
        status: Status::Complete,
        time_ps,
        bus_factor: (30, 16),
        bound_ps: time_ps / 2,
        bound_cut: "nic out".into(),
        tiers: vec![
            tier("inside", 28_000_000_000, 120_000),
            tier("nic", 4_000_000_000, 980_000),
            tier("leaf-spine", 2_000_000_000, 500_000),
        ],
        lost: None,
        packets: None,
        fabric_echo: vec!["16 cards in 2 supernodes of 8".into(), format!("ratio built {ratio}")],
        notes: Vec::new(),
        jobs: Vec::new(),
        counters: Counters { events: 60, flow_classes: 2, transfers: 480, ..Counters::default() },
    }
}

/// One tier's traffic.
pub(crate) fn tier(name: &str, bytes: u128, utilisation_ppm: u32) -> TierRecord {
    TierRecord { tier: name.into(), bytes, utilisation_ppm, busiest: format!("{name} 0") }
}

/// The same point by another algorithm.
pub(crate) fn by(algorithm: &str, mut record: Record) -> Record {
    record.algorithm = algorithm.into();
    record
}

/// Complete results of `records`.
pub(crate) fn results(records: Vec<Record>) -> Results {
    Results {
        schema: SCHEMA,
        tool: "superclos 0.1.0".into(),
        scenario_hash: "00ff".into(),
        seed: 7,
        title: "Two fabrics".into(),
        question: "Which is faster?".into(),
        scenario: "(schema: 1)".into(),
        complete: true,
        points: records.len() as u64,
        records,
        missed: Vec::new(),
    }
}

/// A job of 8 ranks on two supernodes where one would do.
pub(crate) fn job(name: &str, start_ps: u64, finish_ps: u64, alone_ps: u64) -> JobRecord {
    JobRecord {
        name: name.into(),
        ranks: 8,
        placement: "linear".into(),
        start_ps,
        finish_ps,
        alone_ps,
        supernodes: 2,
        fewest_supernodes: 1,
    }
}
