//! k-ary fat-tree: a Clos in which every switch has k ports.

use units::{Bandwidth, Duration, Ratio};

use super::{Attach, ClosSpec, ClosTier, Efficiency, SwitchKind};
use crate::BuildError;

impl ClosSpec {
    /// The fat-tree of `layers` (2 or 3) layers of switches of `ports` ports, an even number: 2 has
    /// up to k leaves and k/2 spines, 3 up to k pods of k/2 leaves and k/2 aggregation switches, and
    /// k²/4 cores. All links have the bandwidth of a NIC.
    ///
    /// Source: Al-Fares, Loukissas, Vahdat: A Scalable, Commodity Data Center Network Architecture,
    /// SIGCOMM 2008, section 3.
    ///
    /// # Errors
    /// An odd number of ports, or other layers.
    pub fn fat_tree(
        (ports, layers): (u32, u32),
        nic: Bandwidth,
        latency: Duration,
        efficiency: Efficiency,
    ) -> Result<Self, BuildError> {
        if !ports.is_multiple_of(2) || ports == 0 {
            return Err(BuildError::OddPorts { ports });
        }
        let half = ports / 2;
        let tier = ClosTier { ratio: Ratio::ONE, pod: half };
        let (tiers, tops) = match layers {
            2 => (vec![tier], Some(half)),
            3 => (vec![tier; 2], half.checked_mul(half)),
            _ => return Err(BuildError::Layers { layers }),
        };
        Ok(Self {
            leaf_ports: half,
            tiers,
            top_ports: ports,
            top_switches: tops,
            uplink: nic,
            latency,
            efficiency,
            attach: Attach::IN_ORDER,
            switches: SwitchKind::Forward,
        })
    }
}
