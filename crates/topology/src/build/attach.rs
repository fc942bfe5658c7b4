//! Which leaf a NIC is plugged into: in order, by rail, to leaf pairs, in planes.

use crate::BuildError;

/// How the NICs of cards or supernodes are dealt to the leaves.
///
/// NIC link k of its owner goes to plane k mod planes, there to home ⌊k / planes⌋ mod homes, and is
/// otherwise the NIC ⌊k / (planes × homes)⌋ of that owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Attach {
    /// Which NICs share a leaf.
    pub order: NicOrder,
    /// To so many leaves a NIC has a link each, at least 1: 2 is a dual-homed leaf pair.
    pub homes: u32,
    /// So many Clos that do not touch each other, at least 1; a NIC has a port in each.
    pub planes: u32,
}

/// Which NICs share a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NicOrder {
    /// Those of cards in a row fill one leaf after the other.
    InOrder,
    /// Those of the same number in their supernode: a leaf, or group of leaves, for each rail.
    Rails,
}

impl Attach {
    /// One plane, one home, in order.
    pub const IN_ORDER: Self = Self { order: NicOrder::InOrder, homes: 1, planes: 1 };

    /// The dealing of `each` NIC links of each of `owners` cards or pools, `group` of them in a
    /// supernode, to leaves of `leaf_ports`, at least 1.
    pub(super) fn deal(
        self,
        each: u32,
        (owners, group): (u32, u32),
        leaf_ports: u32,
    ) -> Result<Deal, BuildError> {
        let Self { order, homes, planes } = self;
        for (what, count) in
            [("the number of homes", homes), ("the number of outer planes", planes)]
        {
            if count == 0 {
                return Err(BuildError::Zero { what });
            }
        }
        let links = u64::from(homes) * u64::from(planes);
        if u64::from(each) % links != 0 {
            return Err(BuildError::Homes { nics: each, homes, planes });
        }
        let nics = (u64::from(each) / links) as u32;
        let (rails, ports) = match order {
            NicOrder::InOrder => (1, u64::from(owners) * u64::from(nics)),
            NicOrder::Rails => {
                let rails = u64::from(group.min(owners)) * u64::from(nics);
                (rails, u64::from(owners.div_ceil(group)))
            }
        };
        let rows = ports.div_ceil(u64::from(leaf_ports));
        let fullest = ports.min(u64::from(leaf_ports));
        let leaves = rails * u64::from(homes) * rows;
        let leaves = u32::try_from(leaves).expect("leaves are fewer than NIC links");
        Ok(Deal {
            attach: self,
            nics,
            group,
            leaf_ports,
            row: leaves / rows as u32,
            leaves,
            fullest,
        })
    }
}

/// The leaves of one plane, and who is plugged in where.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deal {
    attach: Attach,
    /// The NICs of one owner, each with a link to every home of every plane.
    nics: u32,
    /// The owners in a supernode.
    group: u32,
    leaf_ports: u32,
    /// The leaves that fill side by side: rails × homes.
    row: u32,
    /// The leaves of one plane.
    pub(super) leaves: u32,
    /// The NIC links of the fullest leaf.
    fullest: u64,
}

impl Deal {
    /// The plane of link `link` of owner `owner`, and the leaf in it.
    pub(super) fn place(self, owner: u32, link: u32) -> (u32, u32) {
        let Attach { order, homes, planes } = self.attach;
        let (plane, home, nic) = (link % planes, link / planes % homes, link / planes / homes);
        let (port, rail) = match order {
            NicOrder::InOrder => (u64::from(owner) * u64::from(self.nics) + u64::from(nic), 0),
            NicOrder::Rails => {
                (u64::from(owner / self.group), owner % self.group * self.nics + nic)
            }
        };
        let row = (port / u64::from(self.leaf_ports)) as u32;
        (plane, row * self.row + rail * homes + home)
    }

    /// What a reader must know when no leaf is full.
    pub(super) fn note(self) -> Option<String> {
        let Self { leaf_ports, fullest, .. } = self;
        (self.leaves > 1 && fullest < u64::from(leaf_ports)).then(|| {
            format!("no leaf is full ({fullest} of {leaf_ports} ports): its ratio is below the one asked for")
        })
    }

    /// Whether NICs of `owner` lie on more than one leaf of a row.
    pub(super) fn straddles(self, owner: u32) -> bool {
        let Attach { order, homes, planes } = self.attach;
        let last = (self.nics - 1) * planes * homes;
        order == NicOrder::InOrder && self.place(owner, 0) != self.place(owner, last)
    }
}
