//! Names of nodes for people.

use units::Ratio;

use crate::{Domain, Node, NodeId};

/// How the nodes of a fabric are called.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    /// By node, where the user named them.
    given: Option<Vec<String>>,
    /// The link tiers of the Clos asked for, 0 without one.
    levels: usize,
}

impl Names {
    /// Names as `given`, or after the tiers of a Clos with these ratios.
    pub(crate) fn new(given: Option<Vec<String>>, asked: &[Ratio]) -> Self {
        Self { given, levels: asked.len() }
    }

    /// The name of `node`.
    pub(crate) fn of(&self, id: NodeId, node: Node) -> String {
        if let Some(names) = &self.given {
            return names[id.index()].clone();
        }
        match node {
            Node::Card { card, .. } => format!("card {}", card.0),
            Node::Switch { domain, tier, index } => {
                format!("{} {index}", self.switch(domain, tier))
            }
        }
    }

    /// What switches of one tier are called, in the singular.
    pub(crate) fn switch(&self, domain: Domain, tier: u8) -> String {
        let name = match (domain, tier, self.levels) {
            (Domain::Inside, 2.., _) => "upper plane switch",
            (Domain::Inside, _, _) => "plane switch",
            (Domain::Outside, 0, _) => "border switch",
            (Domain::Outside, 1, 1..) => "leaf",
            (Domain::Outside, 2, 1) => "spine",
            (Domain::Outside, 2, 2) => "aggregation switch",
            (Domain::Outside, 3, 2) => "core",
            (Domain::Outside, _, 0) => "switch",
            (Domain::Outside, _, _) => return format!("tier-{tier} switch"),
        };
        name.to_owned()
    }
}
