//! A window on several threads: each works through its part of the switches, then posts what came for
//! them.
//!
//! What a link carries is sent by one thread and posted by one, in the order in which it was sent; so the
//! number of threads changes nothing.

use engine::Error as RunError;

use super::backpressure::Signal;
use super::device::Device;
use super::shared::Shared;
use crate::bundle::Spare;
use crate::packet::Packet;

/// Switches in parts, one for each thread.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    /// The switches of a part.
    size: usize,
    /// How many parts there are.
    count: usize,
}

impl Parts {
    /// Parts of about the same size.
    pub(super) fn new(switches: &[Device], threads: usize) -> Self {
        let size = switches.len().div_ceil(threads).max(1);
        Self { size, count: switches.len().div_ceil(size) }
    }

    /// The part of a device: 0 are the cards, the first switches have 1.
    #[inline]
    pub(super) const fn of(self, device: u32) -> usize {
        match (device, self.count) {
            (0, _) => 0,
            (_, 1) => 1,
            (device, _) => (device as usize - 1) / self.size + 1,
        }
    }
}

/// What is to be done in a window.
#[derive(Clone, Copy)]
pub(super) struct Work<'a, 'f> {
    pub(super) shared: &'a Shared<'f>,
    /// All events before this instant.
    pub(super) until: u64,
    /// Each on a thread of its own, the first on this one.
    pub(super) parts: Parts,
}

/// What some devices have sent to some others.
#[derive(Clone, Debug, Default)]
pub(super) struct Batch {
    packets: Vec<Packet>,
    signals: Vec<Signal>,
}

impl Work<'_, '_> {
    /// Works through all switches, and posts what they have sent; returns how many packets that were. `sent` and
    /// `spares` are room that is used again.
    pub(super) fn together(
        self,
        host: &mut Device,
        switches: &mut [Device],
        (spares, sent): (&mut [Spare], &mut Vec<Vec<Batch>>),
    ) -> Result<usize, RunError> {
        let Parts { size, count } = self.parts;
        sent.resize(count, vec![Batch::default(); count + 1]);
        let work = sent.iter_mut().zip(&mut spares[1..]).zip(switches.chunks_mut(size));
        let results = on_threads(work, &|((sent, spare), part)| self.run(part, spare, sent));
        results.into_iter().collect::<Result<(), RunError>>()?;
        let handed = sent.iter().flatten().map(|batch| batch.packets.len()).sum();
        {
            let sent = &*sent;
            let devices =
                std::iter::once(std::slice::from_mut(host)).chain(switches.chunks_mut(size));
            let posting = devices.zip(spares).enumerate();
            on_threads(posting, &|(number, (devices, spare))| {
                let first = if number == 0 { 0 } else { (number - 1) * size + 1 };
                for batches in sent {
                    self.post(&batches[number], (devices, first), spare);
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
    fn run(
        self,
        part: &mut [Device],
        spare: &mut Spare,
        sent: &mut [Batch],
    ) -> Result<(), RunError> {
        for device in part {
            device.run(self.shared, spare, self.until)?;
            for packet in device.outbox.drain(..) {
                let into = self.shared.ends[packet.link as usize].into;
                sent[self.parts.of(into)].packets.push(packet);
            }
            for signal in device.signals.drain(..) {
                let from = self.shared.ends[signal.link as usize].from;
                sent[self.parts.of(from)].signals.push(signal);
            }
        }
        Ok(())
    }

    /// Posts a batch for some devices, the first of which has that number.
    fn post(self, batch: &Batch, (devices, first): (&mut [Device], usize), spare: &mut Spare) {
        for packet in &batch.packets {
            let into = self.shared.ends[packet.link as usize].into as usize;
            devices[into - first].post(spare, packet);
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
