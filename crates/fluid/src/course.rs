//! The fabrics that a world sees, and the instants at which capacities and routes become others.
//!
//! Capacities follow the timeline at once. Routes follow it a delay later, and only where links have
//! died or come back: those computed at an instant are the routes of the fabric as it was that delay
//! before. Between, transfers keep their paths, whatever has become of them.

use topology::{Fabric, Reach, Timeline};
use units::Time;

use crate::medium::Turn;
use crate::paths::link_capacities;
use crate::{Error, World};

/// What becomes another at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    /// Capacities are those of that state.
    State(usize),
    /// Routes are those of that set.
    Routes(usize),
}

/// A fabric over time.
pub(crate) struct Course<'a> {
    /// Its states in order, the first from the start.
    pub(crate) states: Vec<&'a Fabric>,
    /// Which state each set of routes belongs to; the first set follows the first state.
    pub(crate) routes: Vec<usize>,
    /// Ascending.
    events: Vec<(Time, What)>,
}

impl<'a> Course<'a> {
    /// The course of a world's fabric.
    ///
    /// # Errors
    /// An instant beyond the range of time.
    pub(crate) fn new(world: &World<'a>) -> Result<Self, Error> {
        let mut course = Self { states: vec![world.fabric], routes: vec![0], events: Vec::new() };
        let Some(timeline) = world.timeline else { return Ok(course) };
        for change in timeline.changes() {
            let state = course.states.len();
            course.states.push(&change.fabric);
            course.events.push((change.at, What::State(state)));
            if change.reach == Reach::Other {
                let at = change.at.checked_add(timeline.reroute_after());
                let at = at.ok_or(engine::Error::TimeRange)?;
                course.events.push((at, What::Routes(course.routes.len())));
                course.routes.push(state);
            }
        }
        course.events.sort_unstable();
        Ok(course)
    }

    /// Whether routes change.
    pub(crate) fn is_rerouted(&self) -> bool {
        self.routes.len() > 1
    }

    /// The fabrics that sets of routes belong to, in their order.
    pub(crate) fn routed(&self) -> impl Iterator<Item = &'a Fabric> {
        self.routes.iter().map(|&state| self.states[state])
    }

    /// The payload rate of every link in each state, in milli-bit/s.
    pub(crate) fn link_capacities(&self) -> Vec<Vec<u128>> {
        self.states.iter().map(|fabric| link_capacities(fabric)).collect()
    }

    /// What turns in a medium whose resources have these capacities in each state.
    pub(crate) fn turns(&self, by_state: &[Vec<u128>], common: u64) -> Result<Vec<Turn>, Error> {
        let mut turns = Vec::with_capacity(self.events.len());
        for &(at, what) in &self.events {
            let (mut capacities, mut routes) = (Vec::new(), None);
            match what {
                What::Routes(set) => routes = Some(set as u32),
                What::State(state) => {
                    let rates = by_state[state - 1].iter().zip(&by_state[state]).enumerate();
                    for (resource, (_, &rate)) in rates.filter(|(_, (old, new))| old != new) {
                        let scaled = rate.checked_mul(u128::from(common)).ok_or(Error::TooFine)?;
                        capacities.push((resource as u32, scaled));
                    }
                }
            }
            turns.push(Turn { at, capacities, routes });
        }
        Ok(turns)
    }
}

/// Whether links of a world's fabric die or come back during the run, so that routes change.
pub(crate) fn is_rerouted(world: &World<'_>) -> bool {
    let changes = world.timeline.map_or(&[][..], Timeline::changes);
    changes.iter().any(|change| change.reach == Reach::Other)
}

/// The most that each resource has in any state.
pub(crate) fn best(by_state: &[Vec<u128>]) -> Vec<u128> {
    let (first, later) = by_state.split_first().expect("a course has a first state");
    later.iter().fold(first.clone(), |best, state| {
        best.into_iter().zip(state).map(|(best, &rate)| best.max(rate)).collect()
    })
}
