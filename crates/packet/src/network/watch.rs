//! What is seen of the queues over time, at a bounded number of instants.

use engine::Error as RunError;
use topology::LinkId;
use units::{Bytes, Time};

use super::PacketNetwork;
use super::device::Device;
use crate::event::Class;

/// The most instants that are kept; when there are more, every other one is forgotten.
const MOST: usize = 256;
/// How far apart they are at first, in ps.
const FIRST_INTERVAL: u64 = 1_000_000;
/// The entity of looks of this watch; others look on as 0.
const WATCH: u32 = 1;

/// The queues at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueSample {
    /// The instant.
    pub at: Time,
    /// The longest queue of a link, the rest of the packet that is leaving included.
    pub longest: Bytes,
    /// Its link, the first among equals.
    pub link: LinkId,
    /// All queues together.
    pub waiting: Bytes,
}

/// A watch over the queues.
#[derive(Clone, Debug)]
pub(super) struct Watch {
    interval: u64,
    is_pending: bool,
    samples: Vec<QueueSample>,
}

impl PacketNetwork<'_> {
    /// Looks at the queues from now on, at up to 256 instants: whole multiples of a microsecond, or of that
    /// times a power of two in longer runs. Nothing else becomes another by it.
    pub fn watch(&mut self) {
        self.watch =
            Some(Watch { interval: FIRST_INTERVAL, is_pending: false, samples: Vec::new() });
    }

    /// What was seen of the queues, by instant.
    pub fn queue_samples(&self) -> &[QueueSample] {
        self.watch.as_ref().map_or(&[], |watch| &watch.samples)
    }

    /// Lets the watch go on, if it rests.
    pub(super) fn keep_watch(&mut self, now: u64) {
        let Some(watch) = &mut self.watch else { return };
        if !watch.is_pending {
            watch.is_pending = true;
            let at = (now / watch.interval + 1) * watch.interval;
            self.schedule(at, Class::Look, WATCH);
        }
    }

    /// Somebody looks on.
    pub(super) fn look(&mut self, now: u64, entity: u32) -> Result<(), RunError> {
        if entity != WATCH {
            return Ok(());
        }
        // Whoever looks sees all that happens at this instant.
        self.work(now + 1)?;
        let sample = self.sample(now);
        let is_idle = self.devices().all(Device::is_idle);
        let Some(watch) = &mut self.watch else { return Ok(()) };
        watch.samples.push(sample);
        if watch.samples.len() > MOST {
            watch.interval *= 2;
            let interval = watch.interval;
            watch.samples.retain(|sample| sample.at.as_picos().is_multiple_of(interval));
        }
        watch.is_pending = false;
        if !is_idle {
            self.keep_watch(now);
        }
        Ok(())
    }

    fn sample(&self, now: u64) -> QueueSample {
        let (mut longest, mut link, mut waiting) = (0, 0, 0);
        for (next, ends) in (0..).zip(&self.shared.ends) {
            let depth = self.device(ends.from).depth(&self.shared, now, ends.port);
            waiting += depth;
            if depth > longest {
                (longest, link) = (depth, next);
            }
        }
        QueueSample {
            at: Time::from_picos(now),
            longest: Bytes::new(longest),
            link: LinkId(link),
            waiting: Bytes::new(waiting),
        }
    }
}
