//! What each seat sends and receives, stage by stage.

use crate::{Lane, LaneId, Pace, RankId, Transfer, Wait};

/// The steps of a lane by seat.
#[derive(Debug)]
pub(super) struct LaneTable {
    pub(super) steps: u64,
    stages: Vec<StageTable>,
    /// Ranks and seats, by rank.
    seats: Vec<(RankId, u32)>,
    /// The waits of each seat.
    pub(super) waits: Vec<Vec<Wait>>,
}

#[derive(Debug)]
struct StageTable {
    /// Steps of the lane before the stage.
    start: u64,
    /// The transfers of each source.
    sent: Vec<Vec<Transfer>>,
    /// The windows of the transfers to each destination.
    received: Vec<Vec<(u64, u64)>>,
}

impl LaneTable {
    pub(super) fn new(lane: &Lane) -> Self {
        let size = lane.seats.len();
        let mut start = 0;
        let mut stages = Vec::with_capacity(lane.stages.len());
        for stage in &lane.stages {
            let mut table = StageTable {
                start,
                sent: vec![Vec::new(); size],
                received: vec![Vec::new(); size],
            };
            stage.pattern.for_each(size as u32, stage.steps, &mut |transfer| {
                assert!(transfer.src != transfer.dst, "a seat does not send to itself");
                assert!(transfer.end <= stage.steps, "a transfer ends with its stage");
                table.sent[transfer.src as usize].push(transfer);
                table.received[transfer.dst as usize].push((transfer.first, transfer.end));
            });
            stages.push(table);
            start += stage.steps;
        }
        let mut seats: Vec<(RankId, u32)> = lane.seats.iter().copied().zip(0..).collect();
        seats.sort_unstable();
        assert!(seats.windows(2).all(|pair| pair[0].0 != pair[1].0), "no rank sits twice");
        let mut waits = vec![Vec::new(); size];
        for wait in &lane.waits {
            waits[wait.seat as usize].push(*wait);
        }
        Self { steps: start, stages, seats, waits }
    }

    /// The stage of a step and the step within it.
    pub(super) fn stage(&self, step: u64) -> (usize, u64) {
        let stage = self.stages.partition_point(|stage| stage.start <= step) - 1;
        (stage, step - self.stages[stage].start)
    }

    /// What `seat` sends in a step of a stage.
    pub(super) fn sent(
        &self,
        stage: usize,
        step: u64,
        seat: u32,
    ) -> impl Iterator<Item = Transfer> {
        self.stages[stage].sent[seat as usize]
            .iter()
            .copied()
            .filter(move |transfer| (transfer.first..transfer.end).contains(&step))
    }

    /// How much `seat` receives in a step of a stage.
    pub(super) fn received(&self, stage: usize, step: u64, seat: u32) -> usize {
        self.stages[stage].received[seat as usize]
            .iter()
            .filter(|(first, end)| (*first..*end).contains(&step))
            .count()
    }

    /// The seat of a rank.
    ///
    /// # Panics
    /// If it has none: a wait names a lane of its own rank.
    pub(super) fn seat(&self, rank: RankId) -> u32 {
        let place = self.seats.binary_search_by_key(&rank, |&(rank, _)| rank);
        self.seats[place.expect("a rank waits for a lane in which it has a seat")].1
    }
}

/// How many steps must be completed in the lane waited for before `step` is entered.
pub(super) fn required(wait: &Wait, step: u64, steps_there: u64) -> u64 {
    match wait.pace {
        Pace::Once if step == wait.step => wait.completed,
        Pace::EachStep if step >= wait.step => {
            (wait.completed + (step - wait.step)).min(steps_there)
        }
        Pace::Once | Pace::EachStep => 0,
    }
}

/// A seat of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) lane: LaneId,
    pub(super) seat: u32,
}
