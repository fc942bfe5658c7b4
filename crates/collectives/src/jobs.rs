//! Schedules repeated, and several of them side by side.

use std::sync::Arc;

use units::{Duration, Time};

use crate::draft::computation;
use crate::{Lane, LaneId, LaneName, Pace, RankId, Rounds, Schedule, Seats, Wait};

/// The same schedule, done in rounds.
///
/// A rank begins round k when it has done round k − 1 in all its lanes, and no earlier than k periods
/// after the start; there is no barrier between ranks. Ranks of several lanes get a seat in one more
/// lane, at the end, in which they wait for all of theirs.
///
/// # Panics
/// If there is not at least one round, or the schedule is repeated already.
pub fn repeated(mut schedule: Schedule, rounds: Rounds) -> Schedule {
    assert!(rounds.count > 0, "a schedule is done at least once");
    if rounds.count == 1 {
        return schedule;
    }
    for lane in &mut schedule.lanes {
        assert_eq!(lane.rounds, Rounds::ONCE, "a schedule is repeated once");
        lane.rounds = rounds;
    }
    join_rounds(&mut schedule, rounds);
    schedule
}

/// Lets the ranks of several lanes wait for all their lanes between two rounds.
fn join_rounds(schedule: &mut Schedule, rounds: Rounds) {
    let mut lanes_of = vec![0_u32; schedule.ranks as usize];
    for rank in schedule.lanes.iter().flat_map(|lane| lane.seats.iter()) {
        // Switches have nothing to do between rounds.
        if let Some(lanes) = lanes_of.get_mut(rank.0 as usize) {
            *lanes += 1;
        }
    }
    let seats: Seats =
        (0..schedule.ranks).map(RankId).filter(|rank| lanes_of[rank.0 as usize] > 1).collect();
    if seats.is_empty() {
        return;
    }
    let mut seat_of = vec![None; schedule.ranks as usize];
    for (seat, rank) in seats.iter().enumerate() {
        seat_of[rank.0 as usize] = Some(seat as u32);
    }
    let joint = LaneId(schedule.lanes.len() as u32);
    let mut waits = Vec::new();
    for (index, lane) in schedule.lanes.iter_mut().enumerate() {
        let completed = lane.steps();
        for (seat, rank) in lane.seats.iter().enumerate() {
            let Some(&Some(joined)) = seat_of.get(rank.0 as usize) else { continue };
            let seat = seat as u32;
            // The first step of the joint lane opens the round, the second one ends it.
            lane.waits.push(Wait { seat, step: 0, lane: joint, completed: 1, pace: Pace::Once });
            let lane = LaneId(index as u32);
            waits.push(Wait { seat: joined, step: 1, lane, completed, pace: Pace::Once });
        }
    }
    let start = schedule.lanes.iter().map(|lane| lane.start).min().unwrap_or(Time::ZERO);
    schedule.lanes.push(Lane {
        name: LaneName { job: 0, group: 0, channel: 0, part: "rounds" },
        seats,
        start,
        rounds,
        stages: vec![computation(Duration::ZERO); 2],
        waits,
    });
}

/// All schedules at once, each with ranks of its own: those of the first one come first.
///
/// # Panics
/// If there are 2³² ranks or more.
pub fn together(schedules: &[Schedule]) -> Schedule {
    let mut all = Schedule::default();
    for (job, schedule) in schedules.iter().enumerate() {
        let (ranks, lanes) = (all.ranks, all.lanes.len() as u32);
        let mut known: Vec<(&Seats, Seats)> = Vec::new();
        for lane in &schedule.lanes {
            let shared = known.iter().find(|(seats, _)| Arc::ptr_eq(seats, &lane.seats));
            let seats = match shared {
                Some((_, moved)) => Arc::clone(moved),
                None => lane.seats.iter().map(|&rank| moved_by(rank, ranks)).collect(),
            };
            known.push((&lane.seats, Arc::clone(&seats)));
            let moved = |wait: &Wait| Wait { lane: LaneId(wait.lane.0 + lanes), ..*wait };
            all.lanes.push(Lane {
                name: LaneName { job: job as u32, ..lane.name },
                seats,
                waits: lane.waits.iter().map(moved).collect(),
                ..lane.clone()
            });
        }
        all.ranks = ranks.checked_add(schedule.ranks).expect("ranks are counted in 32 bits");
    }
    all
}

/// The rank that is `rank` of a schedule whose ranks come after `ranks` others; switches stay what they
/// are.
fn moved_by(rank: RankId, ranks: u32) -> RankId {
    if rank.switches().is_some() { rank } else { RankId(rank.0 + ranks) }
}

#[cfg(test)]
mod tests {
    use units::Bytes;

    use super::*;
    use crate::{Algorithm, Channels, Collective, Group, Request, Sizing, plan};

    /// A ring of four ranks over so many channels.
    fn ring(channels: u32) -> Schedule {
        let group = Group {
            ranks: (0..4).map(RankId).collect(),
            supernodes: vec![topology::SupernodeId(0); 4],
            trees: Vec::new(),
        };
        let request = Request {
            ranks: 4,
            groups: &[group],
            collective: Collective::AllReduce,
            algorithm: Algorithm::Ring { channels: Channels::Count(channels) },
            size: Bytes::new(4_096),
            sizing: Sizing::Exact,
            start: Time::from_picos(9),
            compute: Duration::ZERO,
        };
        plan(&request).expect("a ring of four").schedule
    }

    const THRICE: Rounds = Rounds { count: 3, period: Duration::from_nanos(1) };

    #[test]
    fn ranks_of_several_lanes_meet_between_rounds() {
        let once = ring(2);
        let (lanes, steps) = (once.lanes.len(), once.lanes[0].steps());
        let thrice = repeated(once, THRICE);
        assert_eq!(thrice.lanes.len(), lanes + 1);
        assert!(thrice.lanes.iter().all(|lane| lane.rounds == THRICE));
        let joint = &thrice.lanes[lanes];
        assert_eq!((joint.seats.len(), joint.steps()), (4, 2));
        assert_eq!(joint.start, Time::from_picos(9));
        // Each of four ranks waits for both channels, and in both for the joint lane.
        assert_eq!(joint.waits.len(), 8);
        assert!(joint.waits.iter().all(|wait| (wait.step, wait.completed) == (1, steps)));
        assert_eq!(thrice.lanes[1].waits.len(), 4);
    }

    #[test]
    fn ranks_of_one_lane_need_no_other() {
        assert_eq!(repeated(ring(1), THRICE).lanes.len(), ring(1).lanes.len());
    }

    #[test]
    fn jobs_have_ranks_and_lanes_of_their_own() {
        let both = together(&[ring(1), repeated(ring(2), THRICE)]);
        assert_eq!((both.ranks, both.lanes.len()), (8, 1 + 3));
        assert_eq!(both.lanes[0].seats[0], RankId(0));
        assert_eq!(both.lanes[1].seats[0], RankId(4));
        assert_eq!(both.lanes[1].name.job, 1);
        let joint = &both.lanes[3];
        assert!(joint.waits.iter().all(|wait| (1..3).contains(&wait.lane.0)));
        assert!(both.lanes[2].waits.iter().all(|wait| wait.lane == LaneId(3)));
    }
}
