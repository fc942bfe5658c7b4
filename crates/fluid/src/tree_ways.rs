//! Ways to and from switches that add up, on each set of routes.
//!
//! A tree keeps its switches whatever happens. On the routes of a state its ways cross the links that are
//! alive there, and there is no way while all links to one of the switches are dead.

use topology::{Path, RouteError};

use crate::course::Course;
use crate::parts::{Ends, way_of};

/// The ways of a transfer of which one end are switches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TreeWays {
    /// Each once.
    pub(crate) different: Vec<Path>,
    /// Which of them is taken on each set of routes; `None` where a switch is out of reach.
    pub(crate) by_routes: Vec<Option<u32>>,
}

impl TreeWays {
    /// The ways between two ends on all routes of a course.
    ///
    /// # Errors
    /// A link that loses packets; a switch out of reach on every set of routes, as at the start.
    pub(crate) fn new(course: &Course<'_>, ends: Ends) -> Result<Self, RouteError> {
        let mut ways = Self { different: Vec::new(), by_routes: Vec::new() };
        let mut refusal = None;
        for fabric in course.routed() {
            let way = match way_of(fabric, ends) {
                Ok(path) => Some(ways.number(path)),
                Err(lost @ RouteError::SwitchLost { .. }) => {
                    refusal.get_or_insert(lost);
                    None
                }
                Err(refused) => return Err(refused),
            };
            ways.by_routes.push(way);
        }
        match refusal {
            Some(refused) if ways.different.is_empty() => Err(refused),
            _ => Ok(ways),
        }
    }

    /// The place of a path among those that differ.
    fn number(&mut self, path: Path) -> u32 {
        let known = self.different.iter().position(|known| *known == path);
        let place = known.unwrap_or_else(|| {
            self.different.push(path);
            self.different.len() - 1
        });
        place as u32
    }
}
