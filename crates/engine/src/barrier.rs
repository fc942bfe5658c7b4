//! A barrier for threads that meet every few microseconds.

use std::hint::spin_loop;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread::available_parallelism;

/// A look takes some tens of nanoseconds: those who meet in time do not call the operating system, which
/// would take tens of microseconds to wake them.
const LOOKS: u32 = 16_384;

/// Where threads wait for each other, time and again.
///
/// Who waits looks some ten thousand times whether all have come, and sleeps then; at once where there are more
/// threads than processors, so that looking would keep others from coming.
#[derive(Debug)]
pub(crate) struct Barrier {
    threads: usize,
    looks: u32,
    arrived: AtomicUsize,
    /// How many times all have met. It changes while `asleep` is locked.
    meetings: AtomicUsize,
    asleep: Mutex<()>,
    wake: Condvar,
}

impl Barrier {
    /// A barrier for so many threads.
    pub(crate) fn new(threads: usize) -> Self {
        let processors = available_parallelism().map_or(1, usize::from);
        Self {
            threads,
            looks: if threads <= processors { LOOKS } else { 0 },
            arrived: AtomicUsize::new(0),
            meetings: AtomicUsize::new(0),
            asleep: Mutex::new(()),
            wake: Condvar::new(),
        }
    }

    /// Waits until all have come here. What each did before, all see after.
    pub(crate) fn wait(&self) {
        let meetings = self.meetings.load(Ordering::Acquire);
        if self.arrived.fetch_add(1, Ordering::AcqRel) + 1 == self.threads {
            // The next ones arrive only after they have seen that these have met.
            self.arrived.store(0, Ordering::Relaxed);
            let asleep = self.asleep.lock().unwrap_or_else(PoisonError::into_inner);
            self.meetings.store(meetings.wrapping_add(1), Ordering::Release);
            drop(asleep);
            self.wake.notify_all();
            return;
        }
        for _ in 0..self.looks {
            if self.meetings.load(Ordering::Acquire) != meetings {
                return;
            }
            spin_loop();
        }
        let mut asleep = self.asleep.lock().unwrap_or_else(PoisonError::into_inner);
        while self.meetings.load(Ordering::Acquire) == meetings {
            asleep = self.wake.wait(asleep).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_goes_on_before_all_have_come() {
        // With looks and without.
        for threads in [2, 5] {
            meet(threads);
        }
    }

    fn meet(threads: usize) {
        let (barrier, count) = (Barrier::new(threads), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    for round in 1..=500 {
                        count.fetch_add(1, Ordering::Relaxed);
                        barrier.wait();
                        assert_eq!(count.load(Ordering::Relaxed), round * threads);
                        barrier.wait();
                    }
                });
            }
        });
    }
}
