//! From the checked fields of what is broken to what topology takes.

use topology::{BuildError, Fabric, Fault, FaultError, Part, SupernodeId};

use crate::fabric::FabricCase;
use crate::value::Value;

/// Why the fabric of a case cannot be had.
pub(crate) enum FabricRefusal {
    /// It cannot be built, or falls apart.
    Build(BuildError),
    /// A fault cannot be put on it.
    Fault {
        /// Its place in the list.
        index: usize,
        /// Why.
        error: FaultError,
    },
    /// A part that should lose packets is not there.
    Loss {
        /// Its place in the list.
        index: usize,
        /// Why.
        error: FaultError,
    },
}

impl FabricCase {
    /// Builds the fabric, makes sure that every card is reached, and breaks what is broken. Who cannot
    /// be reached after that is found by the transfers that want to go there.
    pub(crate) fn build(&self) -> Result<Fabric, FabricRefusal> {
        let mut fabric = Fabric::build(&self.spec).map_err(FabricRefusal::Build)?;
        fabric.check_connected().map_err(FabricRefusal::Build)?;
        if !self.losses.rules.is_empty() {
            let refused = |(index, error)| FabricRefusal::Loss { index, error };
            fabric = fabric.with_losses(&self.losses.rules).map_err(refused)?;
        }
        for (index, fault) in self.faults.iter().enumerate() {
            fabric = fabric
                .with_faults(std::slice::from_ref(fault))
                .map_err(|error| FabricRefusal::Fault { index, error })?;
        }
        Ok(fabric)
    }
}

/// The fault that `value` describes.
pub(crate) fn fault(value: &Value) -> Fault {
    let (form, _) = value.form();
    let fields = value.fields();
    let link = || Part::Link {
        from: fields.text("from"),
        to: fields.text("to"),
        count: fields.count32("count"),
    };
    let speed = || u32::try_from(fields.percent("speed")).expect("at most a million");
    let (part, speed_ppm) = match form {
        "dead_link" => (link(), 0),
        "slow_link" => (link(), speed()),
        "dead_switch" => (Part::Node(fields.text("name")), 0),
        "slow_node" => (Part::Node(fields.text("name")), speed()),
        _ => (Part::Uplinks(SupernodeId(fields.count32("supernode"))), 0),
    };
    Fault { part, speed_ppm }
}

/// A part in words.
pub(crate) fn part_words(part: &Part) -> String {
    match part {
        Part::Link { from, to, count: 1 } => format!("link {from} – {to}"),
        Part::Link { from, to, count } => format!("{count} links {from} – {to}"),
        Part::Node(name) => name.clone(),
        Part::Uplinks(supernode) => format!("uplinks of supernode {}", supernode.0),
        Part::Tier(name) => format!("tier {name}"),
    }
}

/// A fault in words, for the lines that tell what was built.
pub(crate) fn line(fault: &Fault) -> String {
    let part = part_words(&fault.part);
    match fault.speed_ppm {
        0 => format!("broken: {part} carries nothing"),
        ppm => {
            let percent = format!("{}.{:04}", ppm / 10_000, ppm % 10_000);
            let percent = percent.trim_end_matches('0').trim_end_matches('.');
            format!("broken: {part} at {percent} % of its bandwidth")
        }
    }
}
