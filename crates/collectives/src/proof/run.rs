//! The executor: events in an order of the caller's choice.

use std::collections::BTreeMap;
use std::ops::Range;

use super::buffer::{Buffer, Copied};
use super::table::{LaneTable, Place, required};
use super::{Contributors, Fault, Holdings, Receipt, Start, Stuck};
use crate::{Action, LaneId, RankId, Schedule, Transfer};

/// Executes `schedule` from `start` to its end.
///
/// As long as something can happen, `choose` is told the number of possible events and names one of
/// them (0 … number − 1): a seat enters a step, or a transfer arrives.
///
/// # Errors
/// A [`Fault`] when nothing can happen before all is done, or a contribution is added twice.
pub fn execute(
    schedule: &Schedule,
    start: &Start,
    choose: &mut dyn FnMut(usize) -> usize,
) -> Result<Holdings, Fault> {
    let mut run = Run::new(schedule, start);
    for (lane, seats) in schedule.lanes.iter().enumerate() {
        for seat in 0..seats.seats.len() as u32 {
            run.try_enter(Place { lane: LaneId(lane as u32), seat });
        }
    }
    while !run.possible.is_empty() {
        let index = choose(run.possible.len());
        match run.possible.swap_remove(index) {
            Event::Enter(place) => run.enter(place),
            Event::Arrive(arrival) => run.arrive(arrival)?,
        }
    }
    run.finish()
}

enum Event {
    Enter(Place),
    Arrive(Arrival),
}

struct Arrival {
    lane: LaneId,
    transfer: Transfer,
    /// Counted through all stages of the lane.
    step: u64,
    action: Action,
    ranges: Vec<(Range<u64>, Copied)>,
}

/// How far a seat is.
#[derive(Clone, Default)]
struct Progress {
    entered: u64,
    completed: u64,
    about_to_enter: bool,
    /// Sends and receives of the step entered that are not done.
    outstanding: usize,
    /// Transfers that arrived before their step was entered.
    early: BTreeMap<u64, usize>,
}

struct Run<'a> {
    schedule: &'a Schedule,
    blocks: bool,
    tables: Vec<LaneTable>,
    progress: Vec<Vec<Progress>>,
    /// Who waits for something at a seat.
    dependants: BTreeMap<(LaneId, u32), Vec<Place>>,
    possible: Vec<Event>,
    holdings: Holdings,
}

impl<'a> Run<'a> {
    fn new(schedule: &'a Schedule, start: &Start) -> Self {
        let tables: Vec<LaneTable> = schedule.lanes.iter().map(LaneTable::new).collect();
        let mut dependants: BTreeMap<(LaneId, u32), Vec<Place>> = BTreeMap::new();
        for (index, lane) in schedule.lanes.iter().enumerate() {
            for wait in &lane.waits {
                let there = tables[wait.lane.0 as usize].seat(lane.seats[wait.seat as usize]);
                let place = Place { lane: LaneId(index as u32), seat: wait.seat };
                dependants.entry((wait.lane, there)).or_default().push(place);
            }
        }
        Self {
            schedule,
            blocks: matches!(start, Start::Blocks),
            progress: tables
                .iter()
                .map(|table| vec![Progress::default(); table.waits.len()])
                .collect(),
            tables,
            dependants,
            possible: Vec::new(),
            holdings: Holdings { buffers: initial(schedule, start), ..Holdings::default() },
        }
    }

    fn rank(&self, lane: LaneId, seat: u32) -> RankId {
        self.schedule.lanes[lane.0 as usize].seats[seat as usize]
    }

    fn buffer(&mut self, lane: LaneId, seat: u32) -> &mut Buffer {
        let group = self.schedule.lanes[lane.0 as usize].name.group;
        let rank = self.rank(lane, seat);
        self.holdings.buffers.entry((group, rank)).or_default()
    }

    /// Lets the seat enter its next step if it has completed the last one and need not wait.
    fn try_enter(&mut self, place: Place) {
        let Place { lane, seat } = place;
        let table = &self.tables[lane.0 as usize];
        let progress = &self.progress[lane.0 as usize][seat as usize];
        let step = progress.entered;
        if progress.about_to_enter || progress.completed < step || step == table.steps {
            return;
        }
        let rank = self.rank(lane, seat);
        let ready = table.waits[seat as usize].iter().all(|wait| {
            let there = &self.tables[wait.lane.0 as usize];
            let done = &self.progress[wait.lane.0 as usize][there.seat(rank) as usize];
            done.completed >= required(wait, step, there.steps)
        });
        if ready {
            self.progress[lane.0 as usize][seat as usize].about_to_enter = true;
            self.possible.push(Event::Enter(place));
        }
    }

    /// The seat enters its next step: what it sends is read now.
    fn enter(&mut self, place: Place) {
        let Place { lane, seat } = place;
        let step = self.progress[lane.0 as usize][seat as usize].entered;
        let (stage, local) = self.tables[lane.0 as usize].stage(step);
        let sent: Vec<Transfer> = self.tables[lane.0 as usize].sent(stage, local, seat).collect();
        let expected = self.tables[lane.0 as usize].received(stage, local, seat);
        let described = &self.schedule.lanes[lane.0 as usize];
        let (seats, stage) = (described.seats.len() as u32, &described.stages[stage]);
        for &transfer in &sent {
            let ranges = stage.payload.ranges(seats, transfer, local);
            let bytes: u64 = ranges.iter().map(|range| range.end - range.start).sum();
            let sizes = stage.payload.sizes(seats, transfer);
            assert_eq!(sizes.at(local).as_u64(), bytes, "sizes tell the bytes");
            let mut copy = |range: &Range<u64>| {
                if self.blocks { Vec::new() } else { self.buffer(lane, seat).read(range) }
            };
            let ranges = ranges.into_iter().map(|range| (range.clone(), copy(&range))).collect();
            self.holdings.bytes += u128::from(bytes);
            self.holdings.transfers += 1;
            let action = stage.action;
            self.possible.push(Event::Arrive(Arrival { lane, transfer, step, action, ranges }));
        }
        let progress = &mut self.progress[lane.0 as usize][seat as usize];
        let early = progress.early.remove(&step).unwrap_or(0);
        progress.about_to_enter = false;
        progress.entered = step + 1;
        progress.outstanding = sent.len() + expected - early;
        self.complete_if_done(place);
    }

    /// The bytes of a transfer reach the receiver.
    fn arrive(&mut self, arrival: Arrival) -> Result<(), Fault> {
        let Arrival { lane, transfer, step, action, ranges } = arrival;
        for (range, copied) in ranges {
            self.keep((lane, transfer), action, range, copied)?;
        }
        let src = Place { lane, seat: transfer.src };
        self.progress[lane.0 as usize][transfer.src as usize].outstanding -= 1;
        self.complete_if_done(src);
        let receiver = &mut self.progress[lane.0 as usize][transfer.dst as usize];
        if receiver.entered > step {
            receiver.outstanding -= 1;
            self.complete_if_done(Place { lane, seat: transfer.dst });
        } else {
            *receiver.early.entry(step).or_default() += 1;
        }
        Ok(())
    }

    /// The receiver does what it should with a part of what has arrived.
    fn keep(
        &mut self,
        (lane, transfer): (LaneId, Transfer),
        action: Action,
        range: Range<u64>,
        copied: Copied,
    ) -> Result<(), Fault> {
        let rank = self.rank(lane, transfer.dst);
        if self.blocks {
            let group = self.schedule.lanes[lane.0 as usize].name.group;
            let src = self.rank(lane, transfer.src);
            let bytes = (range.start, range.end);
            self.holdings.received.push(Receipt { group, dst: rank, src, bytes });
            return Ok(());
        }
        let buffer = self.buffer(lane, transfer.dst);
        match action {
            Action::Store => buffer.store(&range, copied),
            Action::Reduce => buffer.reduce(&copied).map_err(|contributor| Fault::AddedTwice {
                contributor,
                rank,
                bytes: range,
            })?,
        }
        Ok(())
    }

    fn complete_if_done(&mut self, place: Place) {
        let progress = &mut self.progress[place.lane.0 as usize][place.seat as usize];
        if progress.outstanding > 0 || progress.completed == progress.entered {
            return;
        }
        progress.completed = progress.entered;
        self.try_enter(place);
        let dependants = self.dependants.get(&(place.lane, place.seat)).cloned();
        for dependant in dependants.unwrap_or_default() {
            self.try_enter(dependant);
        }
    }

    fn finish(self) -> Result<Holdings, Fault> {
        let mut stuck = Vec::new();
        for (index, (seats, table)) in self.progress.iter().zip(&self.tables).enumerate() {
            let lane = LaneId(index as u32);
            for (seat, progress) in seats.iter().enumerate() {
                if progress.completed < table.steps {
                    stuck.push(Stuck {
                        lane,
                        seat: seat as u32,
                        rank: self.rank(lane, seat as u32),
                        entered: progress.entered,
                        completed: progress.completed,
                    });
                }
            }
        }
        if stuck.is_empty() { Ok(self.holdings) } else { Err(Fault::Deadlock(stuck)) }
    }
}

/// The vectors before anything happens.
fn initial(schedule: &Schedule, start: &Start) -> BTreeMap<(u32, RankId), Buffer> {
    let mut buffers: BTreeMap<(u32, RankId), Buffer> = BTreeMap::new();
    let mut hold = |group, rank, range: Range<u64>| {
        let whose = Contributors::of(schedule.ranks, &[rank]);
        let buffer = buffers.entry((group, rank)).or_default();
        if range.start < range.end {
            buffer.store(&range, vec![(range.clone(), whose)]);
        }
    };
    match start {
        Start::Vectors(size) => {
            for lane in &schedule.lanes {
                let ranks = lane.seats.iter().filter(|rank| rank.switches().is_none());
                ranks.for_each(|&rank| hold(lane.name.group, rank, 0..*size));
            }
        }
        Start::Parts(parts) => {
            for part in parts {
                hold(part.group, part.rank, part.bytes.0..part.bytes.1);
            }
        }
        Start::Blocks => {}
    }
    buffers
}
