//! From the checked fields of an algorithm to what `collectives` runs.

use collectives::{Algorithm, Channels, HalvingOrder, Inner, Outer};

use crate::value::{Fields, Value};

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
        ("pairwise", _) => Algorithm::Pairwise,
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
