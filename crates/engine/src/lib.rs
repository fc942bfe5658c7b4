//! The loop that drives a schedule through a network model.
//!
//! The engine knows agents, flows and time; it does not know links, rates or packets. A
//! [`Plan`] says who sends what to whom in which step, a [`Network`] says when a transfer has
//! drained and when it is delivered, and [`run`] lets every agent walk through its steps.

mod agents;
mod completion;
mod costs;
mod digest;
mod drive;
mod network;
mod plan;
mod recurrence;
mod standstill;
mod timers;
mod totals;

pub use completion::{Completion, Counters, Error, Limits, Standstill};
pub use costs::Costs;
pub use digest::{Digest, mix};
pub use drive::run;
pub use network::{Network, News};
pub use plan::{AgentId, Dependency, Flow, FlowId, Plan, PlanBuilder, Program, ProgramStage};
pub use recurrence::Switch;
