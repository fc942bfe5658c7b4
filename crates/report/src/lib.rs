//! Results as tables, files and words.
//!
//! A [`Record`] is one point, [`Results`] are all of a scenario; everything else here shows them
//! or compares them. Stored numbers are exact integers; what is shown is rounded half up in
//! integer arithmetic, so the same results give the same bytes on every machine. This crate knows
//! no scenario, no fabric and no engine, and it opens no files.

pub mod baseline;
mod columns;
pub mod csv;
pub mod diff;
#[cfg(test)]
mod example;
pub mod fabrics;
mod fraction;
pub mod groups;
mod job;
pub mod jobs;
pub mod json;
mod losses;
pub mod nccl;
mod packets;
pub mod page;
pub mod rates;
mod record;
mod results;
pub mod show;
pub mod table;
pub mod words;
mod wrap;

pub use job::JobRecord;
pub use packets::{
    CircleRecord, ClassRecord, LinkRecord, MessageRecord, PacketRecord, QueueRecord, QueueSample,
};
pub use record::{Counters, LossRecord, Record, Status, TierRecord};
pub use results::{Missed, Results, SCHEMA, Tally};
pub use table::Colour;
pub use wrap::COLUMNS;
