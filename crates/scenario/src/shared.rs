//! A fabric that several points use: built once, dropped when the last of them is done.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::fabric::FabricCase;
use crate::faults::BuiltFabric;

/// A fabric of one combination of values.
#[derive(Debug)]
pub(crate) struct SharedFabric {
    pub(crate) case: FabricCase,
    built: Mutex<Option<Arc<BuiltFabric>>>,
    /// The points that have not run yet.
    waiting: AtomicUsize,
}

impl SharedFabric {
    /// A fabric that is not built yet.
    pub(crate) fn new(case: FabricCase) -> Self {
        Self { case, built: Mutex::new(None), waiting: AtomicUsize::new(0) }
    }

    /// Keeps the fabric, which the check has built, for the first point that uses it.
    pub(crate) fn keep(&self, fabric: BuiltFabric) {
        *self.built.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(fabric));
    }

    /// Counts one more point that will use it.
    pub(crate) fn expect_use(&self) {
        self.waiting.fetch_add(1, Ordering::Relaxed);
    }

    /// The fabric; who comes first builds it, the others wait.
    pub(crate) fn get(&self) -> Arc<BuiltFabric> {
        let mut built = self.built.lock().unwrap_or_else(PoisonError::into_inner);
        let fabric = built.get_or_insert_with(|| {
            let Ok(fabric) = self.case.build() else {
                unreachable!("the check has built this fabric before")
            };
            Arc::new(fabric)
        });
        Arc::clone(fabric)
    }

    /// Counts one point as done; the last one lets go of the fabric.
    pub(crate) fn used(&self) {
        let before = self
            .waiting
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, |waiting| waiting.checked_sub(1));
        if before == Ok(1) {
            *self.built.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
    }
}
