//! What is simulated.

use collectives::Schedule;
use engine::Conducts;
use topology::{CardId, Fabric, Timeline};

use crate::Settings;

/// A schedule on a fabric, packet by packet.
#[derive(Clone, Copy, Debug)]
pub struct World<'a> {
    /// The fabric at the start.
    pub fabric: &'a Fabric,
    /// What happens to it then, if anything does.
    pub timeline: Option<&'a Timeline>,
    /// The card of each rank.
    pub cards: &'a [CardId],
    /// What the ranks do.
    pub schedule: &'a Schedule,
    /// The class of service of each lane's data; lanes beyond its end have class 0, the most urgent, as
    /// control packets have.
    pub class_of_lane: &'a [u8],
    /// Who starts late, who is slow, and what steps cost.
    pub conducts: &'a Conducts,
    /// How packets are cut, queued, routed and lost.
    pub settings: &'a Settings,
}
