//! Running points: some at once, their records in the order of the points.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use fluid::{Locality, Memo, Switch};
use report::{Record, Status};
use scenario::{Point, RunOptions};

use crate::ending::Trouble;
use crate::options::Engine;
use crate::progress::Progress;

/// A pool of threads, the options of the engine, and the flag that stops it.
pub(crate) struct Runner {
    pool: rayon::ThreadPool,
    symmetry: Switch,
    recurrence: Switch,
    locality: Locality,
    /// Problems solved so far, unless every point is to be simulated.
    memo: Option<Memo>,
    stop: &'static AtomicBool,
}

/// What became of a list of points.
pub(crate) struct Run {
    /// The points that ended, in their order.
    pub(crate) records: Vec<Record>,
    /// Points that the program could not bring to an end, through a fault of its own.
    pub(crate) faults: Vec<String>,
    /// Whether every point ended.
    pub(crate) complete: bool,
}

/// How a point ended.
enum PointEnd {
    Ended(Box<Record>),
    Stopped,
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
        })
    }

    /// Whether the user asked to stop.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }

    /// Runs `points`; each thread takes the next one in order. A point that panics is a fault and
    /// leaves the others as they are.
    pub(crate) fn run(&self, points: &[&Point], progress: &Progress) -> Run {
        let next = AtomicUsize::new(0);
        let threads_each = self.pool.current_num_threads() / points.len().max(1);
        let ends = self.pool.broadcast(|_| {
            let mut ends = Vec::new();
            while !self.is_stopped() {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(point) = points.get(index) else { break };
                tracing::info!(point = point.name(), "point in work");
                progress.on_start(index, point.name());
                ends.push((index, self.point(point, threads_each)));
                progress.on_end(index);
            }
            ends
        });
        let mut ends: Vec<(usize, PointEnd)> = ends.into_iter().flatten().collect();
        ends.sort_by_key(|(index, _)| *index);
        let mut run = Run { records: Vec::new(), faults: Vec::new(), complete: false };
        for (_, end) in ends {
            match end {
                PointEnd::Ended(record) => run.records.push(*record),
                PointEnd::Stopped => {}
                PointEnd::Fault(what) => run.faults.push(what),
            }
        }
        run.complete = run.records.len() == points.len();
        run
    }

    fn point(&self, point: &Point, threads: usize) -> PointEnd {
        let options = RunOptions {
            symmetry: self.symmetry,
            recurrence: self.recurrence,
            locality: self.locality,
            threads,
            memo: self.memo.as_ref(),
            stop: Some(self.stop),
        };
        match catch_unwind(AssertUnwindSafe(|| point.run(&options))) {
            Ok(record) if record.status == Status::Stopped => PointEnd::Stopped,
            Ok(record) => PointEnd::Ended(Box::new(record)),
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
