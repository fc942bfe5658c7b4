//! Scenario text to experiments to outcomes.
//!
//! [`read()`] turns the text of a scenario into a [`Scenario`] or a [`Refusal`] that shows everything
//! that is wrong with it, each at its place. A [`Point`] is one fabric with one workload;
//! [`Point::run`] simulates it and gives its record. [`missed`] judges records by what the scenario
//! expects. One table of fields drives the checks, the hints, the sweeps and
//! [`fields_markdown`], the text of `docs/scenario.md`.
//!
//! This crate opens no files and knows no terminal, and it does not know how rates are shared.

mod algorithm;
mod check;
mod document;
mod drops;
mod engine;
mod estimate;
mod expect;
mod explain;
mod fabric;
mod faults;
mod fields;
mod job;
mod keys;
mod losses;
mod overrides;
mod packet_record;
mod packet_run;
mod packets;
mod path;
mod placed;
mod points;
mod presets;
mod problem;
mod read;
mod refusal;
mod run;
mod scenario;
mod shared;
mod slowdown;
mod stopped;
mod stragglers;
mod sweep;
mod task;
mod template;
mod unfit;
mod value;
mod workload;

pub use estimate::Estimate;
pub use expect::missed;
pub use fields::{field_paths, fields_markdown};
pub use keys::{Keys, Purpose};
pub use overrides::Override;
pub use presets::{Preset, PresetValue, presets};
pub use problem::Problem;
pub use read::{Source, read, read_bytes, read_with};
pub use refusal::{Colour, Refusal};
pub use run::RunOptions;
pub use scenario::{Point, Scenario};
pub use template::template;
