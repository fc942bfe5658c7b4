//! Worlds of more hashed transfers than can be simulated: their bound, and what binds.
//!
//! Where every transfer is hashed to a path of its own nothing can be merged, and each would have to be
//! kept in memory until it has arrived. But what it puts on the links of its path can be counted at once,
//! transfer by transfer, exactly as it is hashed; so the bound is that of [`bound`](crate::bound), in
//! memory that grows with the links alone. How far above it a run would end is not known.

use collectives::{Lane, Transfer};
use engine::Watch;
use topology::{Domain, Router, Routing};
use units::{Duration, Time};

use crate::bound::{Demand, bound};
use crate::chain::Chain;
use crate::course::{Course, best, is_rerouted};
use crate::parts::{Ends, ends_of, flow_key, listed_transfers, parts, way_of};
use crate::paths::{Share, least_time};
use crate::plain::MOST_LISTED;
use crate::traffic::{Loads, flow_total, least_bytes, terms_of};
use crate::{Counters, Error, Options, Outcome, Status, World, symmetry};

/// How many transfers are counted between two looks at the stop flag.
const STOP_INTERVAL: u64 = 65_536;

/// Whether a world has more hashed transfers than can be simulated.
pub(crate) fn is_beyond(world: &World<'_>) -> bool {
    if world.routing == Routing::Spray || is_rerouted(world) {
        return false;
    }
    let most = u128::from(MOST_LISTED);
    let all: u128 = world.schedule.lanes.iter().map(listed_transfers).sum();
    // Lanes that stay inside a supernode are merged.
    all * u128::from(parts(world.routing)) > most && symmetry::listed_transfers(world) > most
}

/// The bound of a world as an outcome whose status is [`Status::Bounded`], by counting what each transfer
/// puts on the links of its path, on the routes at the start; memory grows with the links alone.
///
/// # Errors
/// [`Error::Route`] for a transfer without a path, [`Error::TooFine`] if the shares of sprayed paths have
/// no common denominator, [`Error::Run`] when asked to stop.
pub fn outcome(world: &World<'_>, options: &Options<'_>) -> Result<Outcome, Error> {
    let course = Course::new(world)?;
    let best = best(&course.link_capacities());
    let mut count = Count {
        world,
        watch: options.watch,
        router: Router::new(world.fabric),
        best: &best,
        loads: Loads::new(world.fabric, 1),
        transfers: 0,
        counted: 0,
    };
    let mut longest = Duration::ZERO;
    for lane in &world.schedule.lanes {
        longest = longest.max(count.lane(lane)?);
    }
    let Count { loads, transfers, counted, .. } = count;
    let demand =
        Demand { loads: &loads, best: &best, chain: longest, is_rerouted: is_rerouted(world) };
    let bound = bound(world.fabric, &demand);
    let why = format!(
        "{counted} transfers, each hashed to its own path, are more than the {MOST_LISTED} that can be \
         simulated: what they put on each link was counted, and no run can be faster"
    );
    Ok(Outcome {
        status: Status::Bounded(why),
        makespan: bound.time,
        lanes: vec![None; world.schedule.lanes.len()],
        ranks: vec![None; world.schedule.ranks as usize],
        traffic: loads.traffic(world.fabric, &best, Time::ZERO + bound.time),
        lost: None,
        bound,
        counters: Counters { transfers, ..Counters::default() },
    })
}

/// What has been counted.
struct Count<'a> {
    world: &'a World<'a>,
    watch: Watch<'a>,
    router: Router<'a>,
    best: &'a [u128],
    loads: Loads,
    /// Over all steps and rounds.
    transfers: u128,
    /// Of one step, each part counted.
    counted: u64,
}

impl Count<'_> {
    /// Counts the transfers of a lane, and tells the time of its chain of steps.
    fn lane(&mut self, lane: &Lane) -> Result<Duration, Error> {
        let mut chain = Chain::new(lane);
        for (index, stage) in lane.stages.iter().enumerate() {
            let mut refused = None;
            stage.pattern.for_each(lane.seats.len() as u32, stage.steps, &mut |transfer| {
                if refused.is_none() {
                    match self.transfer((lane, index), transfer) {
                        Ok(least) => chain.message(index, least),
                        Err(error) => refused = Some(error),
                    }
                }
            });
            refused.map_or(Ok(()), Err)?;
        }
        Ok(chain.time(lane))
    }

    /// Counts a transfer of a stage, and tells the least time of a message of it.
    fn transfer(
        &mut self,
        (lane, stage): (&Lane, usize),
        transfer: Transfer,
    ) -> Result<Duration, Error> {
        let ends = ends_of(self.world.cards, lane, transfer);
        let is_outer = matches!(ends, Ends::Cards(src, dst)
            if self.router.domain(src, dst) == Domain::Outside);
        let mut terms = terms_of(lane, stage, transfer);
        terms.parts = if is_outer { parts(self.world.routing) } else { 1 };
        self.transfers += u128::from(terms.steps()) * u128::from(lane.rounds.count);
        let mut least = Duration::MAX;
        for part in 0..terms.parts {
            terms.part = part;
            self.counted += 1;
            if self.counted.is_multiple_of(STOP_INTERVAL) {
                self.watch.tell(Time::ZERO, STOP_INTERVAL)?;
            }
            let path = match (ends, self.world.routing) {
                (Ends::Cards(src, dst), Routing::Ecmp { key, .. }) if is_outer => {
                    self.router.hashed(src, dst, flow_key(key, lane, (src, dst), part))?
                }
                (Ends::Cards(src, dst), _) => self.router.spray(src, dst)?,
                _ => way_of(self.world.fabric, ends)?,
            };
            let bytes = flow_total(&terms) * u128::from(lane.rounds.count);
            self.loads.add_path(&path, bytes)?;
            if let Ends::Cards(src, dst) = ends
                && is_outer
            {
                self.loads.add_pair(src, dst, bytes);
            }
            let alone = Share::of(path).alone(self.best);
            least = least.min(least_time(std::iter::once(alone), least_bytes(&terms)));
        }
        Ok(least)
    }
}
