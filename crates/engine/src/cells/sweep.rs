//! Sweeps over the cells until none has anything left to do.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use units::{Duration, Time};

use crate::barrier::Barrier;
use crate::cells::Cells;
use crate::cells::part::CellRun;
use crate::cells::partition::Cell;
use crate::completion::{Completion, Counters, Error, Limits, Standstill};
use crate::plan::FlowId;

/// Fewer cells than this are not given to another thread.
const LEAST_BLOCK: usize = 4;

/// A cell that waits for no other would run to its end at its first turn, and its messages would take
/// memory as long as the run; so no turn is longer than this.
const MOST_EVENTS: u64 = 1 << 16;

/// Takes the `runs` of all cells to their ends; before `now` nothing happens any more.
///
/// The completion is the one that the whole would have come to, whatever the number of threads. What the
/// runs leave is returned as well.
pub(crate) fn sweep<R: CellRun>(
    cells: &Cells,
    mut runs: Vec<R>,
    (now, limits): (Time, Limits<'_>),
) -> Result<(Completion, Vec<R::Rest>), Error> {
    let size = cells.len().div_ceil(limits.threads.max(1)).max(LEAST_BLOCK);
    let count = cells.len().div_ceil(size);
    let sweep = Sweep {
        cells: &cells.parts,
        inputs: cells.parts.iter().flat_map(|cell| cell.inputs.iter().copied()).collect(),
        first_input: first_inputs(&cells.parts),
        size,
        reached: cells.parts.iter().map(|_| AtomicU64::new(now.as_picos())).collect(),
        floors: (0..count).map(|_| AtomicU64::new(0)).collect(),
        mail: (0..count * count).map(|_| Mutex::default()).collect(),
        barrier: Barrier::new(count),
        failure: Mutex::default(),
        limits,
    };
    std::thread::scope(|scope| {
        let mut blocks = runs.chunks_mut(size).enumerate();
        let own = blocks.next();
        for (block, runs) in blocks {
            let sweep = &sweep;
            scope.spawn(move || sweep.run(block, runs));
        }
        if let Some((block, runs)) = own {
            sweep.run(block, runs);
        }
    });
    match sweep.failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(Failure::Error(error)) => {
            limits.watch.tell_delivered(|| delivered(cells, &runs));
            Err(error)
        }
        Some(Failure::Panic(panic)) => resume_unwind(panic),
        None => Ok(join(cells, runs)),
    }
}

/// Why the rounds ended early.
enum Failure {
    Error(Error),
    Panic(Box<dyn Any + Send>),
}

/// A delivery on its way to a cell of another block: the cell, the flow's index there, the instant.
type Letter = (u32, FlowId, Time);

/// What the blocks of cells, one for each thread, share.
///
/// A round has three parts, which all blocks take together: find the first event anywhere; sweep over
/// the block; take in what the other blocks have sent. So what a block sees of the others is always
/// the end of their last round.
struct Sweep<'a> {
    cells: &'a [Cell],
    /// What sends to each cell, cell by cell: the cell and the least latency.
    inputs: Vec<(u32, Duration)>,
    /// Where the inputs of each cell begin, and where the last ones end.
    first_input: Vec<usize>,
    /// The number of cells of a block.
    size: usize,
    /// Up to which instant each cell has run, as of the last round.
    reached: Vec<AtomicU64>,
    /// The first event of each block.
    floors: Vec<AtomicU64>,
    /// What each block sends to each other one in this round: from × number of blocks + to.
    mail: Vec<Mutex<Vec<Letter>>>,
    barrier: Barrier,
    failure: Mutex<Option<Failure>>,
    limits: Limits<'a>,
}

/// The cells of one thread.
struct Block<'d, R> {
    number: usize,
    /// The first of its cells.
    first: usize,
    runs: &'d mut [R],
    /// The next event of each of its cells.
    next: Vec<Time>,
    /// Up to which instant each of its cells has run.
    reached: Vec<Time>,
    /// What each of its cells is to hear of: a flow of the cell, and when it is delivered. Telling it at once
    /// would fetch its state for every message.
    letters: Vec<Vec<(FlowId, Time)>>,
    /// What it sends to each block in this round.
    leaving: Vec<Vec<Letter>>,
    /// Events that who looks on has not been told of yet.
    events: u64,
}

impl<R> Block<'_, R> {
    /// A cell of the block is to hear of a delivery, before which nothing follows from it.
    fn keep(&mut self, cell: usize, flow: FlowId, at: Time) {
        self.letters[cell].push((flow, at));
        self.next[cell] = self.next[cell].min(at);
    }
}

/// Where the inputs of each cell begin in a list of all, and where the last ones end.
fn first_inputs(cells: &[Cell]) -> Vec<usize> {
    let lengths = cells.iter().map(|cell| cell.inputs.len());
    let ends = lengths.scan(0, |end, length| {
        *end += length;
        Some(*end)
    });
    std::iter::once(0).chain(ends).collect()
}

impl Sweep<'_> {
    /// What sends to a cell.
    fn inputs_of(&self, cell: usize) -> &[(u32, Duration)] {
        &self.inputs[self.first_input[cell]..self.first_input[cell + 1]]
    }

    /// One thread's share of all rounds.
    fn run<R: CellRun>(&self, number: usize, runs: &mut [R]) {
        let first = number * self.size;
        let reached = (first..first + runs.len()).map(|cell| self.reached_before(cell)).collect();
        let leaving = vec![Vec::new(); self.floors.len()];
        let next = runs.iter().map(CellRun::next_time).collect();
        let letters = vec![Vec::new(); runs.len()];
        let mut block = Block { number, first, runs, next, reached, letters, leaving, events: 0 };
        loop {
            let next = block.next.iter().copied().min().unwrap_or(Time::MAX);
            self.floors[number].store(next.as_picos(), Ordering::Relaxed);
            self.barrier.wait();
            let floor = self.floors.iter().map(|floor| floor.load(Ordering::Relaxed)).min();
            let floor = Time::from_picos(floor.unwrap_or(u64::MAX));
            if floor == Time::MAX {
                break;
            }
            // A thread that panicked would leave the others waiting for it.
            match catch_unwind(AssertUnwindSafe(|| self.round(floor, &mut block))) {
                Ok(Ok(())) => {}
                Ok(Err(error)) => self.fail(Failure::Error(error)),
                Err(panic) => self.fail(Failure::Panic(panic)),
            }
            self.post(&mut block);
            self.barrier.wait();
            if locked(&self.failure).is_some() {
                break;
            }
            self.fetch(&mut block);
        }
    }

    fn fail(&self, failure: Failure) {
        locked(&self.failure).get_or_insert(failure);
    }

    fn reached_before(&self, cell: usize) -> Time {
        Time::from_picos(self.reached[cell].load(Ordering::Relaxed))
    }

    /// Puts what leaves the block where the other blocks find it.
    fn post<R>(&self, block: &mut Block<'_, R>) {
        for (to, letters) in block.leaving.iter_mut().enumerate() {
            locked(&self.mail[block.number * self.floors.len() + to]).append(letters);
        }
    }

    /// Takes in what the other blocks have sent, and tells them how far the block has run.
    fn fetch<R>(&self, block: &mut Block<'_, R>) {
        for from in 0..self.floors.len() {
            let mut letters = locked(&self.mail[from * self.floors.len() + block.number]);
            for (cell, flow, at) in letters.drain(..) {
                block.keep(cell as usize - block.first, flow, at);
            }
        }
        for (index, reached) in block.reached.iter().enumerate() {
            self.reached[block.first + index].store(reached.as_picos(), Ordering::Relaxed);
        }
    }

    /// Takes every cell of the block to its horizon, in order. Before `floor` nothing happens
    /// anywhere.
    fn round<R: CellRun>(&self, floor: Time, block: &mut Block<'_, R>) -> Result<(), Error> {
        self.limits.watch.tell(floor, std::mem::take(&mut block.events))?;
        let first = block.first;
        for index in 0..block.runs.len() {
            let reach = |&(from, latency): &(u32, Duration)| {
                let from = from as usize;
                let inside = from.checked_sub(first).and_then(|from| block.reached.get(from));
                let run_to = inside.copied().unwrap_or_else(|| self.reached_before(from));
                run_to.max(floor).checked_add(latency).unwrap_or(Time::MAX)
            };
            let horizon = self.inputs_of(first + index).iter().map(reach).min();
            let horizon = horizon.unwrap_or(Time::MAX);
            block.reached[index] = horizon;
            if block.next[index] >= horizon {
                continue;
            }
            block.runs[index].go_on(&mut block.letters[index], horizon, MOST_EVENTS)?;
            block.events += block.runs[index].tell_events();
            block.next[index] = block.runs[index].next_time();
            block.reached[index] = block.next[index].min(horizon);
            let mut sent = std::mem::take(block.runs[index].sent());
            for (flow, at) in sent.drain(..) {
                let place = self.cells[first + index].destinations[flow.index()];
                let (to, flow) = place.expect("what is sent goes to another cell");
                match (to as usize).checked_sub(first) {
                    Some(inside) if inside < block.runs.len() => block.keep(inside, flow, at),
                    _ => block.leaving[to as usize / self.size].push((to, flow, at)),
                }
            }
            *block.runs[index].sent() = sent;
        }
        Ok(())
    }
}

/// What a mutex holds, though a thread may have panicked with it.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How much of each flow has been delivered; the cell of its receiver knows.
fn delivered<R: CellRun>(cells: &Cells, runs: &[R]) -> Vec<u64> {
    let mut delivered = vec![0; cells.flow_place.len()];
    for (cell, run) in cells.parts.iter().zip(runs) {
        for (index, flow) in cell.flows.iter().enumerate() {
            if cell.destinations.get(index).copied().flatten().is_none() {
                delivered[flow.index()] = run.delivered(FlowId(index as u32));
            }
        }
    }
    delivered
}

/// The completion of the whole, and what the runs leave.
fn join<R: CellRun>(cells: &Cells, runs: Vec<R>) -> (Completion, Vec<R::Rest>) {
    let mut rests = Vec::with_capacity(runs.len());
    let mut finished = vec![None; cells.agent_place.len()];
    let mut ended = Time::ZERO;
    let mut standstill = Vec::new();
    let mut counters = Counters::default();
    for (cell, run) in cells.parts.iter().zip(runs) {
        let (part, rest) = run.end();
        rests.push(rest);
        for (&agent, at) in cell.agents.iter().zip(part.finished) {
            finished[agent.index()] = at;
        }
        ended = ended.max(part.ended);
        standstill.extend(part.standstill.into_iter().map(|wait| in_whole(cell, wait)));
        counters.events += part.counters.events;
        counters.skipped_steps += part.counters.skipped_steps;
    }
    standstill.sort_by_key(|wait: &Standstill| wait.agent());
    (Completion { finished, ended, standstill, counters }, rests)
}

/// A wait with the agents and flows of the whole plan.
fn in_whole(cell: &Cell, wait: Standstill) -> Standstill {
    match wait {
        Standstill::Behind { agent, step, on } => Standstill::Behind {
            agent: cell.agents[agent.index()],
            step,
            on: cell.agents[on.index()],
        },
        Standstill::Receiving { agent, step, flow } => Standstill::Receiving {
            agent: cell.agents[agent.index()],
            step,
            flow: cell.flows[flow.index()],
        },
        Standstill::Sending { agent, step, flow } => Standstill::Sending {
            agent: cell.agents[agent.index()],
            step,
            flow: cell.flows[flow.index()],
        },
    }
}
