//! The flow level against oracles, closed forms, reported cases and its own plain way.

mod allocation;
mod cases;
mod choices;
mod closed_forms;
mod closed_forms_more;
mod collective_cases;
mod common;
mod costs;
mod faults;
mod in_network;
mod jobs;
mod locality;
mod loss;
mod loss_in_time;
mod mishaps;
mod naive;
mod named_worlds;
mod random_trees;
mod reductions;
mod simgrid;
mod stragglers;
mod switch_trees;
mod trees;
mod troubles;
mod unreachable;
mod worlds;
