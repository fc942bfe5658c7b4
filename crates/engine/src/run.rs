//! The loop: instant after instant, until nothing is left to happen.

use std::sync::atomic::AtomicBool;

use crate::Costs;
use crate::completion::{Completion, Error, Limits};
use crate::drive::{Drive, STOP_INTERVAL};
use crate::network::{Network, Recurrent};
use crate::plan::Plan;
use crate::recurrence::Switch;

/// Runs `plan` on `network` to its end, skipping whole periods of a recurring state.
pub fn run<N: Recurrent>(
    plan: &Plan,
    costs: Costs,
    network: &mut N,
    limits: Limits<'_>,
) -> Result<Completion, Error> {
    let mut drive = Drive::new(plan, costs, network, limits);
    drive.enter_all();
    while let Some(now) = drive.next_time() {
        drive.close_instant(now)?;
        drive.skip_periods()?;
    }
    Ok(drive.completion())
}

/// Runs `plan` on `network` to its end, event by event.
pub fn run_straight<N: Network>(
    plan: &Plan,
    costs: Costs,
    network: &mut N,
    stop: Option<&AtomicBool>,
) -> Result<Completion, Error> {
    let limits = Limits { stop, recurrence: Switch::Off };
    let mut drive = Drive::new(plan, costs, network, limits);
    drive.enter_all();
    let mut instants = 0_u64;
    while let Some(now) = drive.next_time() {
        // A network may pass many instants without news.
        instants += 1;
        if instants.is_multiple_of(STOP_INTERVAL) {
            drive.check_stop()?;
        }
        drive.close_instant(now)?;
    }
    Ok(drive.completion())
}
