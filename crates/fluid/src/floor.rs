//! The bound of a world alone, for engines that do not know it.

use engine::Switch;

use crate::bound::{Demand, bound};
use crate::course::Course;
use crate::{Bound, Error, Options, World, bounded, plain, symmetry};

/// What no run of the world's schedule on its fabric can be faster than.
pub fn floor(world: &World<'_>, options: &Options<'_>) -> Result<Bound, Error> {
    if bounded::is_beyond(world) {
        return Ok(bounded::outcome(world, options)?.bound);
    }
    let course = Course::new(world)?;
    let model = match options.symmetry {
        Switch::On => symmetry::model(world, &course, options)?,
        Switch::Off => plain::model(world, &course)?,
    };
    Ok(bound(world.fabric, &Demand::of(&model)))
}
