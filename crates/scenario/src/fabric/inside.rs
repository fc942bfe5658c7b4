//! What joins the cards of a supernode.

use topology::{GridEnds, InsideSpec, MeshDimension, SwitchKind, SwitchedMeshSpec, TwoLevelSpec};

use crate::Problem;
use crate::problem::Problems;
use crate::value::{Data, Fields};

/// The inside of the supernode that `supernode` describes, whose path is `path`.
pub(super) fn inside(
    supernode: &Fields,
    path: &str,
    problems: &mut Problems,
) -> Option<InsideSpec> {
    let (form, fields) = supernode.form("inside");
    let Some(fields) = fields else {
        let ring = || InsideSpec::HalfMesh { offsets: offsets_of_ring(supernode) };
        return Some(if form == "ring" { ring() } else { InsideSpec::FullMesh });
    };
    Some(match form {
        "two_level" => match switches(fields) {
            SwitchKind::Forward => InsideSpec::TwoLevel(levels(fields)),
            SwitchKind::Reduce => InsideSpec::ReducingTwoLevel(levels(fields)),
        },
        "half_mesh" => InsideSpec::HalfMesh { offsets: counts(fields, "offsets") },
        "mesh" => InsideSpec::Grid { sizes: counts(fields, "sizes"), ends: GridEnds::Open },
        "torus" => InsideSpec::Grid { sizes: counts(fields, "sizes"), ends: GridEnds::Joined },
        "nd_full_mesh" => {
            InsideSpec::NdFullMesh { dimensions: dimensions(fields, path, problems)? }
        }
        "switched_mesh" => InsideSpec::SwitchedMesh(SwitchedMeshSpec {
            dimensions: dimensions(fields, path, problems)?,
            upper: levels(fields),
            upper_lanes: fields.count32("upper_lanes"),
        }),
        _ => {
            let planes = fields.count32("count");
            match switches(fields) {
                SwitchKind::Forward => InsideSpec::Planes { planes },
                SwitchKind::Reduce => InsideSpec::ReducingPlanes { planes },
            }
        }
    })
}

/// What switches can do.
pub(super) fn switches(fields: &Fields) -> SwitchKind {
    match fields.form("switches").0 {
        "reduce" => SwitchKind::Reduce,
        _ => SwitchKind::Forward,
    }
}

/// Two levels of switches.
fn levels(fields: &Fields) -> TwoLevelSpec {
    TwoLevelSpec {
        node_cards: fields.count32("node_cards"),
        planes: fields.count32("planes"),
        upper_switches: fields.count32("upper_switches"),
        ratio: fields.ratio("ratio"),
        latency: fields.duration("latency"),
    }
}

/// The dimensions of a mesh.
fn dimensions(fields: &Fields, path: &str, problems: &mut Problems) -> Option<Vec<MeshDimension>> {
    let sizes = counts(fields, "sizes");
    let lanes = match fields.get("lanes").data {
        Data::Absent => vec![1; sizes.len()],
        _ => counts(fields, "lanes"),
    };
    if lanes.len() != sizes.len() {
        let found = format!("{} lanes for {} sides", lanes.len(), sizes.len());
        let path = format!("{path}.inside.lanes");
        let problem = Problem::new(&fields.get("lanes").place, &path, found);
        problems.add(problem.allowed("one number of lanes for each side"));
        return None;
    }
    let dimension = |(size, lanes)| MeshDimension { size, lanes };
    Some(sizes.into_iter().zip(lanes).map(dimension).collect())
}

/// A ring has the offset 1; one card alone has no links.
fn offsets_of_ring(supernode: &Fields) -> Vec<u32> {
    if supernode.count32("cards") > 1 { vec![1] } else { Vec::new() }
}

/// A list of counts that fit 32 bits.
pub(super) fn counts(fields: &Fields, name: &str) -> Vec<u32> {
    let count = |value: &crate::value::Value| match value.data {
        Data::Count(count) => u32::try_from(count).expect("the table keeps counts small"),
        ref other => unreachable!("counts are numbers, not {other:?}"),
    };
    fields.list(name).iter().map(count).collect()
}
