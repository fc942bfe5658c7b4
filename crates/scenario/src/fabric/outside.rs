//! What joins the supernodes.

use topology::{
    Attach, ClosSpec, ClosTier, DragonflySpec, GridEnds, NicOrder, NicSpec, RouterSpec,
};

use super::inside::{counts, switches};
use super::{efficiency, refused};
use crate::faults::FabricRefusal;
use crate::problem::Problems;
use crate::value::{Fields, Value};

/// A Clos, or routers linked to each other.
pub(super) enum Outside {
    Clos(ClosSpec),
    Direct(RouterSpec),
}

/// The outer fabric that the `outside` of `fabric` describes for `supernodes` supernodes.
pub(super) fn outside(
    fabric: (&Value, &str),
    (nics, supernodes): (&NicSpec, u32),
    problems: &mut Problems,
) -> Option<Outside> {
    let value = fabric.0.fields().get("outside");
    let (form, _) = value.form();
    let fields = value.fields();
    let grid = |sizes, ends| {
        let cables = fields.count32("cables");
        Some(Outside::Direct(RouterSpec::Grid { sizes, ends, cables }))
    };
    match form {
        "ring" => grid(vec![supernodes], GridEnds::Joined),
        "mesh" => grid(counts(fields, "sizes"), GridEnds::Open),
        "torus" => grid(counts(fields, "sizes"), GridEnds::Joined),
        "dragonfly" => Some(Outside::Direct(RouterSpec::Dragonfly(DragonflySpec {
            router_ports: fields.count32("router_ports"),
            group_routers: fields.count32("group_routers"),
            global_links: fields.count32("global_links"),
        }))),
        "fat_tree" => {
            let shape = (fields.count32("ports"), fields.count32("layers"));
            let latency = fields.duration("latency");
            match ClosSpec::fat_tree(shape, nics.bandwidth, latency, efficiency(fields)) {
                Ok(spec) => {
                    let (attach, switches) = (attach(fields), switches(fields));
                    Some(Outside::Clos(ClosSpec { attach, switches, ..spec }))
                }
                Err(error) => {
                    problems.add(refused(fabric.0, fabric.1, &FabricRefusal::Build(error)));
                    None
                }
            }
        }
        _ => Some(Outside::Clos(clos(form, fields))),
    }
}

/// A Clos with a ratio at each tier.
fn clos(form: &str, fields: &Fields) -> ClosSpec {
    let leaf = |pod| ClosTier { ratio: fields.ratio("ratio"), pod };
    let (tiers, ports, tops) = match form {
        "three_tier" => {
            let core = ClosTier { ratio: fields.ratio("core_ratio"), pod: u32::MAX };
            (vec![leaf(fields.count32("pod_leaves")), core], "core_ports", "cores")
        }
        _ => (vec![leaf(u32::MAX)], "spine_ports", "spines"),
    };
    ClosSpec {
        leaf_ports: fields.count32("leaf_ports"),
        tiers,
        top_ports: fields.count32(ports),
        top_switches: fields.count32_if_given(tops),
        uplink: fields.bandwidth("uplink"),
        latency: fields.duration("latency"),
        efficiency: efficiency(fields),
        attach: attach(fields),
        switches: switches(fields),
    }
}

/// Where the NICs are plugged in.
fn attach(fields: &Fields) -> Attach {
    let order = match fields.form("nic_order").0 {
        "rails" => NicOrder::Rails,
        _ => NicOrder::InOrder,
    };
    Attach { order, homes: fields.count32("homes"), planes: fields.count32("planes") }
}
