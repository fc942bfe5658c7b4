//! Cells: parts of a plan that touch only through delivered messages.
//!
//! Agents that share something at the same instant (a resource of the network, a wait, a meeting)
//! belong to one cell. What one cell does reaches another only through a transfer that is delivered
//! one path latency after it drained. So a cell may run ahead alone up to its *horizon*, the first
//! instant at which a message could still come that it does not know of: the least, over the cells
//! that send to it, of the instant up to which that one has run plus the latency between them. A
//! cell that runs for a long stretch keeps its small state in the cache of the processor; in a ring
//! of cells, one sweep in the order of the ring takes every cell forward by the latency of the whole
//! ring. Cells that are swept at the same time do not see each other, and the events of each are the
//! same in any order of sweeping, so neither the number of threads nor the cells change a result.
//!
//! Source of the idea: Chandy, Misra: *Distributed simulation: a case study in design and
//! verification of distributed programs*, IEEE Transactions on Software Engineering SE-5 (1979).

mod handover;
mod inbox;
pub(crate) mod part;
mod partition;
pub(crate) mod sweep;

pub use inbox::Inbox;
pub use partition::Cells;
pub(crate) use partition::ELSEWHERE;

use crate::network::Recurrent;
use crate::plan::FlowId;
use units::Time;

/// The network of one cell, whose messages to other cells are carried by the sweep.
pub trait CellNetwork: Recurrent {
    /// The transfers to other cells that have drained and were not carried yet, with the instants
    /// of their delivery; flows by their index in the cell.
    fn sent(&mut self) -> &mut Vec<(FlowId, Time)>;

    /// Hears that a transfer from another cell will be delivered at that instant.
    fn receive(&mut self, flow: FlowId, at: Time);
}
