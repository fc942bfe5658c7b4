//! Running points: some at once, their records in the order of the points.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

use fluid::{Gauge, Locality, Memo, Switch, Watch};
use report::{Record, Status};
use scenario::{Point, RunOptions};

use crate::ending::Trouble;
use crate::options::Engine;
use crate::progress::Progress;
use crate::queue::Queue;

/// A pool of threads, the options of the engine, and the flag that stops it.
pub(crate) struct Runner {
    pool: rayon::ThreadPool,
    symmetry: Switch,
    recurrence: Switch,
    locality: Locality,
    /// Problems solved so far, unless every point is to be simulated.
    memo: Option<Memo>,
    stop: &'static AtomicBool,
    telling: Telling,
}

/// Whether a runner tells how it ran its points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Telling {
    /// Records only.
    Records,
    /// Also which reductions applied, and what could not be merged.
    Explained,
}

/// What became of a list of points.
#[derive(Default)]
pub(crate) struct Run {
    /// The points that ended, in their order.
    pub(crate) records: Vec<Record>,
    /// Points that the program could not bring to an end, through a fault of its own.
    pub(crate) faults: Vec<String>,
    /// How each of the points that ended was run, by its name; empty unless asked for.
    pub(crate) explanations: Vec<(String, Vec<String>)>,
    /// Points that were in work when the run was asked to stop, each with the number of records before
    /// its own.
    pub(crate) stopped: Vec<(usize, Record)>,
    /// Whether every point ended.
    pub(crate) complete: bool,
}

impl Run {
    /// Puts the records of stopped points among the others.
    pub(crate) fn keep_stopped(&mut self) {
        for (place, record) in std::mem::take(&mut self.stopped).into_iter().rev() {
            self.records.insert(place, record);
        }
    }
}

/// How a point ended.
enum PointEnd {
    Ended(Box<Record>, Option<Vec<String>>),
    Stopped(Box<Record>),
    Fault(String),
}

impl Runner {
    /// A runner that stops its points once `stop` is set.
    pub(crate) fn new(engine: &Engine, stop: &'static AtomicBool) -> Result<Self, Trouble> {
        let threads = engine.threads.map_or(0, std::num::NonZeroUsize::get);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool =
            pool.map_err(|error| Trouble::Machine(format!("cannot start threads: {error}")))?;
        let on = |off: bool| if off { Switch::Off } else { Switch::On };
        Ok(Self {
            pool,
            symmetry: on(engine.no_symmetry),
            recurrence: on(engine.no_recurrence),
            locality: if engine.no_locality { Locality::Off } else { Locality::On },
            memo: (!engine.no_reuse).then(Memo::new),
            stop,
            telling: Telling::Records,
        })
    }

    /// The same runner, which tells more or less.
    pub(crate) fn telling(self, telling: Telling) -> Self {
        Self { telling, ..self }
    }

    /// Whether the user asked to stop.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }

    /// How many points are run at once.
    pub(crate) fn at_once(&self, points: usize) -> usize {
        self.pool.current_num_threads().min(points)
    }

    /// How a point is run, with so many threads of its own.
    pub(crate) fn options(&self, threads: usize) -> RunOptions<'_> {
        RunOptions {
            symmetry: self.symmetry,
            recurrence: self.recurrence,
            locality: self.locality,
            threads,
            memo: self.memo.as_ref(),
            watch: Watch { stop: Some(self.stop), gauge: None },
        }
    }

    /// Runs `points`; each thread takes one after the other. A point that panics is a fault and
    /// leaves the others as they are.
    pub(crate) fn run(&self, points: &[&Point], progress: &Progress) -> Run {
        let queue = Queue::new(points);
        let threads_each = self.pool.current_num_threads() / points.len().max(1);
        let ends = self.pool.broadcast(|_| {
            let (mut ends, mut family) = (Vec::new(), None);
            while !self.is_stopped() {
                let Some(index) = queue.next(&mut family) else { break };
                let point = points[index];
                tracing::info!(point = point.name(), "point in work");
                progress.on_start(index, point.name());
                ends.push((index, self.point(point, threads_each)));
                progress.on_end(index);
            }
            ends
        });
        let mut ends: Vec<(usize, PointEnd)> = ends.into_iter().flatten().collect();
        ends.sort_by_key(|(index, _)| *index);
        let mut run = Run::default();
        for (index, end) in ends {
            match end {
                PointEnd::Ended(record, told) => {
                    run.explanations.extend(told.map(|lines| (points[index].name(), lines)));
                    run.records.push(*record);
                }
                PointEnd::Stopped(record) => run.stopped.push((run.records.len(), *record)),
                PointEnd::Fault(what) => run.faults.push(what),
            }
        }
        run.complete = run.records.len() == points.len();
        run
    }

    fn point(&self, point: &Point, threads: usize) -> PointEnd {
        let gauge = Gauge::new();
        let watch = Watch { stop: Some(self.stop), gauge: Some(&gauge) };
        let options = RunOptions { watch, ..self.options(threads) };
        let run = || match self.telling {
            Telling::Records => (point.run(&options), None),
            Telling::Explained => {
                let (record, lines) = point.explain(&options);
                (record, Some(lines))
            }
        };
        match catch_unwind(AssertUnwindSafe(run)) {
            Ok((record, _)) if matches!(record.status, Status::Stopped { .. }) => {
                PointEnd::Stopped(Box::new(record))
            }
            Ok((record, told)) => PointEnd::Ended(Box::new(record), told),
            Err(panic) => PointEnd::Fault(format!("{}: {}", point.name(), message(&*panic))),
        }
    }
}

/// What a panic said.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    format!("a fault of this program: {}", text.unwrap_or_else(|| "it says nothing".to_owned()))
}
