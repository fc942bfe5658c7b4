//! The loop that drives a schedule through a network model.
//!
//! The engine knows agents, flows and time; it does not know links, rates or packets. A
//! [`Plan`] says who sends what to whom in which step, a [`Network`] says when a transfer has
//! drained and when it is delivered, and [`run()`] lets every agent walk through its steps.

mod agents;
mod barrier;
mod cells;
mod completion;
mod conduct;
mod costs;
mod dependency;
mod digest;
mod disjoint;
mod drive;
mod flow;
mod names;
mod network;
mod order;
pub mod parts;
mod plan;
mod program;
mod progress;
mod recurrence;
mod run;
mod standstill;
mod steps;
mod timers;
mod totals;
mod tournament;
mod waits;
mod watch;

pub use cells::{CellNetwork, Cells, Inbox};
pub use completion::{Completion, Counters, Error, Limits, Standstill};
pub use conduct::{Conduct, Conducts};
pub use costs::Costs;
pub use dependency::Dependency;
pub use digest::{Digest, DigestPart, mix};
pub use disjoint::DisjointSets;
pub use drive::Drive;
pub use flow::{Flow, Terms};
pub use names::{Names, name_of};
pub use network::{Network, News, Recurrent};
pub use plan::{AgentId, FlowId, Plan, PlanBuilder};
pub use program::{Program, ProgramStage};
pub use progress::Progress;
pub use recurrence::Switch;
pub use run::{Until, run, run_straight};
pub use steps::{OwnWay, SharedWay, run_mixed_steps, run_shared_steps, run_steps};
pub use tournament::Tournament;
pub use waits::{Chain, Root};
pub use watch::{Gauge, Watch};
