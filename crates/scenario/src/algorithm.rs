//! From the checked fields of a collective and an algorithm to what `collectives` runs.

use collectives::{Algorithm, Channels, Collective, HalvingOrder, Inner, Outer};

use crate::value::{Fields, Value};

/// The collective that `value` names.
pub(crate) fn collective(value: &Value) -> Collective {
    let root = |fields: &Fields| fields.count32("root");
    match value.form() {
        ("all_reduce", _) => Collective::AllReduce,
        ("all_gather", _) => Collective::AllGather,
        ("reduce_scatter", _) => Collective::ReduceScatter,
        ("all_to_all_v", Some(uneven)) => {
            let ppm = u32::try_from(uneven.percent("imbalance"));
            Collective::AllToAllV { imbalance_ppm: ppm.unwrap_or(u32::MAX) }
        }
        ("broadcast", Some(fields)) => Collective::Broadcast { root: root(fields) },
        ("reduce", Some(fields)) => Collective::Reduce { root: root(fields) },
        ("gather", Some(fields)) => Collective::Gather { root: root(fields) },
        ("scatter", Some(fields)) => Collective::Scatter { root: root(fields) },
        ("barrier", _) => Collective::Barrier,
        ("send_receive", Some(pair)) => {
            Collective::SendReceive { from: pair.count32("from"), to: pair.count32("to") }
        }
        _ => Collective::AllToAll,
    }
}

/// The algorithm that `value` names.
pub(crate) fn algorithm(value: &Value) -> Algorithm {
    match value.form() {
        ("ring", Some(ring)) => Algorithm::Ring { channels: channels(ring) },
        ("tree", Some(tree)) => {
            Algorithm::Tree { channels: channels(tree), chunk: tree.size("chunk") }
        }
        ("halving_doubling", Some(halving)) => Algorithm::HalvingDoubling { order: order(halving) },
        ("hierarchical", Some(both)) => Algorithm::Hierarchical {
            inner: match both.form("inner").0 {
                "ring" => Inner::Ring,
                "nhr" => Inner::Nhr,
                _ => Inner::Direct,
            },
            outer: match both.form("outer") {
                ("direct", _) => Outer::Direct,
                ("halving_doubling", Some(halving)) => {
                    Outer::HalvingDoubling { order: order(halving) }
                }
                ("tree", Some(tree)) => Outer::Tree { chunk: tree.size("chunk") },
                _ => Outer::Ring,
            },
        },
        ("chain", Some(chain)) => {
            Algorithm::Chain { channels: channels(chain), chunk: chain.size("chunk") }
        }
        ("pairwise", _) => Algorithm::Pairwise,
        ("recursive", _) => Algorithm::Recursive,
        ("nhr", _) => Algorithm::Nhr,
        ("bruck", _) => Algorithm::Bruck,
        ("two_level", _) => Algorithm::TwoLevel,
        ("binomial", _) => Algorithm::Binomial,
        ("dissemination", _) => Algorithm::Dissemination,
        ("auto", _) => Algorithm::Auto,
        _ => Algorithm::Direct,
    }
}

fn channels(fields: &Fields) -> Channels {
    fields.count32_if_given("channels").map_or(Channels::PerCard, Channels::Count)
}

fn order(fields: &Fields) -> HalvingOrder {
    match fields.form("order").0 {
        "distance_halving" => HalvingOrder::DistanceHalving,
        _ => HalvingOrder::DistanceDoubling,
    }
}
