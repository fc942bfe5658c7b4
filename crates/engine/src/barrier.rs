//! A barrier for threads that meet every few microseconds.

use std::hint::spin_loop;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::yield_now;

/// A look takes some nanoseconds: those who meet in time do not call the operating system, which would
/// take tens of microseconds to wake them.
const LOOKS: u32 = 4_096;

/// Where threads wait for each other, time and again.
///
/// Who waits keeps looking, and after some thousand looks lets others have its processor between two, so
/// that it ends also with more threads than processors.
#[derive(Debug)]
pub(crate) struct Barrier {
    threads: usize,
    arrived: AtomicUsize,
    /// How many times all have met.
    meetings: AtomicUsize,
}

impl Barrier {
    /// A barrier for so many threads.
    pub(crate) const fn new(threads: usize) -> Self {
        Self { threads, arrived: AtomicUsize::new(0), meetings: AtomicUsize::new(0) }
    }

    /// Waits until all have come here. What each did before, all see after.
    pub(crate) fn wait(&self) {
        let meetings = self.meetings.load(Ordering::Acquire);
        if self.arrived.fetch_add(1, Ordering::AcqRel) + 1 == self.threads {
            // The next ones arrive only after they have seen that these have met.
            self.arrived.store(0, Ordering::Relaxed);
            self.meetings.store(meetings.wrapping_add(1), Ordering::Release);
            return;
        }
        let mut looks = 0;
        while self.meetings.load(Ordering::Acquire) == meetings {
            looks += 1;
            if looks < LOOKS { spin_loop() } else { yield_now() }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_goes_on_before_all_have_come() {
        const THREADS: usize = 5;
        let (barrier, count) = (Barrier::new(THREADS), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| {
                    for round in 1..=500 {
                        count.fetch_add(1, Ordering::Relaxed);
                        barrier.wait();
                        assert_eq!(count.load(Ordering::Relaxed), round * THREADS);
                        barrier.wait();
                    }
                });
            }
        });
    }
}
