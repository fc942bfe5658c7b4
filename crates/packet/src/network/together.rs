//! A window on several threads: each works through its part of the switches, then posts what came for
//! them.
//!
//! What a link carries is sent by one thread and posted by one, in the order in which it was sent; so the
//! number of threads changes nothing.

use engine::Error as RunError;

use super::backpressure::Signal;
use super::device::Device;
use super::shared::Shared;
use crate::packet::Packet;

/// What is to be done in a window.
#[derive(Clone, Copy)]
pub(super) struct Work<'a, 'f> {
    pub(super) shared: &'a Shared<'f>,
    /// All events before this instant.
    pub(super) until: u64,
    /// On so many threads, this one among them.
    pub(super) threads: usize,
}

/// What some devices have sent to some others.
#[derive(Clone, Debug, Default)]
pub(super) struct Batch {
    packets: Vec<Packet>,
    signals: Vec<Signal>,
}

impl Work<'_, '_> {
    /// Works through all switches, and posts what they have sent; returns how many packets that were. `sent` is
    /// room that is used again in the next window.
    pub(super) fn together(
        self,
        host: &mut Device,
        switches: &mut [Device],
        sent: &mut Vec<Vec<Batch>>,
    ) -> Result<usize, RunError> {
        let size = switches.len().div_ceil(self.threads).max(1);
        let parts = switches.len().div_ceil(size);
        sent.resize(parts, vec![Batch::default(); parts + 1]);
        let work = sent.iter_mut().zip(switches.chunks_mut(size));
        let results = on_threads(work, &|(sent, part)| self.run(part, size, sent));
        results.into_iter().collect::<Result<(), RunError>>()?;
        let handed = sent.iter().flatten().map(|batch| batch.packets.len()).sum();
        {
            let sent = &*sent;
            let posting = std::iter::once((0, std::slice::from_mut(host)))
                .chain((1..).zip(switches.chunks_mut(size)));
            on_threads(posting, &|(number, devices)| {
                let first = if number == 0 { 0 } else { (number - 1) * size + 1 };
                for batches in sent {
                    self.post(&batches[number], devices, first);
                }
            });
        }
        for batch in sent.iter_mut().flatten() {
            batch.packets.clear();
            batch.signals.clear();
        }
        Ok(handed)
    }

    /// Works through some switches, and puts what they have sent with what goes to the same part.
    fn run(self, part: &mut [Device], size: usize, sent: &mut [Batch]) -> Result<(), RunError> {
        let part_of = |device: u32| match device as usize {
            0 => 0,
            switch => (switch - 1) / size + 1,
        };
        for device in part {
            device.run(self.shared, self.until)?;
            for packet in device.outbox.drain(..) {
                let into = self.shared.ends[packet.link as usize].into;
                sent[part_of(into)].packets.push(packet);
            }
            for signal in device.signals.drain(..) {
                let from = self.shared.ends[signal.link as usize].from;
                sent[part_of(from)].signals.push(signal);
            }
        }
        Ok(())
    }

    /// Posts a batch for some devices, the first of which has that number.
    fn post(self, batch: &Batch, devices: &mut [Device], first: usize) {
        for packet in &batch.packets {
            let into = self.shared.ends[packet.link as usize].into as usize;
            devices[into - first].post(packet);
        }
        for &signal in &batch.signals {
            let from = self.shared.ends[signal.link as usize].from as usize;
            devices[from - first].expect(self.shared, signal);
        }
    }
}

/// Does something with each item on a thread of its own, the first on this one; the results are in the order
/// of the items.
fn on_threads<I: Send, T: Send>(
    items: impl Iterator<Item = I>,
    work: &(impl Fn(I) -> T + Sync),
) -> Vec<T> {
    std::thread::scope(|scope| {
        let mut items = items;
        let own = items.next();
        let others: Vec<_> = items.map(|item| scope.spawn(move || work(item))).collect();
        let own = own.map(work);
        let join = |other: std::thread::ScopedJoinHandle<'_, T>| {
            other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        own.into_iter().chain(others.into_iter().map(join)).collect()
    })
}
