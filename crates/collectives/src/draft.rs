//! Lanes in the making: where the algorithms of a group put what they build.

use std::ops::Range;

use units::{Duration, Time};

use crate::{
    Action, Lane, LaneId, LaneName, Pace, Pattern, Payload, RankId, Rounds, Schedule, Seats, Stage,
    Start, Wait,
};

/// The lanes of all groups so far, and the group that builds now.
#[derive(Debug)]
pub(crate) struct Draft {
    lanes: Vec<Lane>,
    group: u32,
    start: Time,
}

/// A part of a collective: some seats work on some bytes.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    /// The ranks by seat.
    pub(crate) seats: Seats,
    /// The bytes of the vector.
    pub(crate) range: Range<u64>,
    /// The channel, or piece, for names.
    pub(crate) channel: u32,
    /// What the seats wait for before their first step.
    pub(crate) after: Vec<Wait>,
}

impl Task {
    /// The number of seats.
    pub(crate) fn size(&self) -> u32 {
        self.seats.len() as u32
    }

    /// The same with the seats turned so that `rank` sits first.
    pub(crate) fn from(self, rank: RankId) -> Self {
        self.turned(rank, 0)
    }

    /// The same with the seats turned so that `rank` sits last.
    pub(crate) fn to(self, rank: RankId) -> Self {
        self.turned(rank, 1)
    }

    /// The same with the seats turned to begin `further` seats after `rank`.
    fn turned(self, rank: RankId, further: usize) -> Self {
        let mut seats = self.seats.to_vec();
        let seat = seats.iter().position(|&other| other == rank).expect("the root has a seat");
        let size = seats.len();
        seats.rotate_left((seat + further) % size);
        Self { seats: seats.into(), ..self }
    }
}

impl Draft {
    /// An empty draft whose lanes start at `start`.
    pub(crate) const fn new(start: Time) -> Self {
        Self { lanes: Vec::new(), group: 0, start }
    }

    /// Lanes from now on belong to `group`.
    pub(crate) const fn enter_group(&mut self, group: u32) {
        self.group = group;
    }

    /// The group that builds now.
    pub(crate) const fn group(&self) -> u32 {
        self.group
    }

    /// Adds the lane of a task.
    pub(crate) fn lane(&mut self, part: &'static str, task: &Task, stages: Vec<Stage>) -> LaneId {
        let waits = task.after.clone();
        self.lane_with_waits(part, task, stages, waits)
    }

    /// Adds the lane of a task with other waits than those of the task.
    pub(crate) fn lane_with_waits(
        &mut self,
        part: &'static str,
        task: &Task,
        stages: Vec<Stage>,
        waits: Vec<Wait>,
    ) -> LaneId {
        self.lanes.push(Lane {
            name: LaneName { job: 0, group: self.group, channel: task.channel, part },
            seats: task.seats.clone(),
            start: self.start,
            rounds: Rounds::ONCE,
            stages,
            waits,
        });
        LaneId(self.lanes.len() as u32 - 1)
    }

    /// That `seat` waits with its first step until its rank has done all of `lane`.
    pub(crate) fn after_all_of(&self, lane: LaneId, seat: u32) -> Wait {
        let completed = self.lanes[lane.0 as usize].steps();
        Wait { seat, step: 0, lane, completed, pace: Pace::Once }
    }

    /// Puts `compute` in front of everything: of all lanes, and of a lane of its own for the ranks
    /// of groups that have none.
    pub(crate) fn compute_first(&mut self, compute: Duration, groups: &[&[RankId]]) {
        for lane in &mut self.lanes {
            lane.stages.insert(0, computation(compute));
            for wait in &mut lane.waits {
                wait.step += 1;
                wait.completed += 1;
            }
        }
        for (group, ranks) in groups.iter().enumerate().filter(|(_, ranks)| ranks.len() == 1) {
            self.enter_group(group as u32);
            let task = Task { seats: (*ranks).into(), range: 0..0, channel: 0, after: Vec::new() };
            self.lane("compute", &task, vec![computation(compute)]);
        }
    }

    /// The schedule of all lanes.
    pub(crate) fn finish(self, ranks: u32) -> Schedule {
        Schedule { ranks, lanes: self.lanes }
    }
}

/// A stage without computation.
pub(crate) const fn stage(pattern: Pattern, payload: Payload, action: Action, steps: u64) -> Stage {
    Stage { pattern, payload, action, start: Start::Eager, steps, compute: Duration::ZERO }
}

/// A step of nothing but computation.
pub(crate) const fn computation(compute: Duration) -> Stage {
    Stage {
        pattern: Pattern::Idle,
        payload: Payload::Empty,
        action: Action::Store,
        start: Start::Eager,
        steps: 1,
        compute,
    }
}
