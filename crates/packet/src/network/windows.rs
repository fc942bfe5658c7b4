//! Windows: all devices are worked through up to an instant, each on its own, then hand over what they sent.
//!
//! What one device does reaches another no sooner than after the shortest latency between two. So within
//! a window no longer than that, each works through its own events while its state is in the cache, in any
//! order and on any thread, and finds what comes to it in later windows in its mail. The cards are one device:
//! their events come one at a time, since what they tell, a rank may answer at the same instant, also at
//! another card.
//!
//! Source: Chandy, Misra: *Distributed Simulation*, IEEE Transactions on Software Engineering 5 (5), 1979;
//! the windows are those of Nicol: *The Cost of Conservative Synchronization in Parallel Discrete Event
//! Simulations*, Journal of the ACM 40 (2), 1993, section 2.

use engine::Error as RunError;

use super::PacketNetwork;
use super::device::Device;
use super::together::{Parts, Work};
use crate::mail::Mail;

/// So many packets are too few to be worth another thread.
const FEW: usize = 2_048;

/// The windows of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Windows {
    /// How long they are, in ps.
    width: u64,
    /// The bits that name a link.
    link_bits: u32,
    /// The end of the present one.
    end: u64,
    /// On how many threads devices are worked through.
    threads: usize,
    /// The packets handed over since the last one was closed.
    handed: usize,
}

impl Windows {
    /// Windows that look ahead by at most `latency` ps over so many links; `None` if that is less than 2 ps.
    pub(super) fn new(latency: u64, links: u32, threads: usize) -> Option<Self> {
        let link_bits = bits(links);
        let width = latency.min(Mail::longest_window(link_bits));
        let windows = Self { width, link_bits, end: width, threads: threads.max(1), handed: 0 };
        (width > 1).then_some(windows)
    }

    /// On how many threads devices are worked through.
    pub(super) const fn threads(self) -> usize {
        self.threads
    }

    /// The mail of a device: that of the cards, which has most, in the finest slots.
    pub(super) fn mail(windows: Option<Self>, device: u32, cards: u32) -> Mail {
        let finer = if device == 0 { (cards / 32).max(1).ilog2().min(6) } else { 1 };
        match windows {
            Some(Self { width, link_bits, .. }) => Mail::new(width, finer, link_bits),
            None => Mail::new(2, 0, 0),
        }
    }

    /// The end of the window of an instant.
    const fn end_of(self, at: u64) -> u64 {
        if at < self.end && self.end - at <= self.width {
            return self.end;
        }
        (at / self.width + 1) * self.width
    }
}

impl PacketNetwork<'_> {
    /// When the present window has to be closed; `None` if the cards are all there is.
    pub(super) fn barrier(&self) -> Option<u64> {
        let windows = self.windows.as_ref()?;
        let is_quiet =
            !self.is_expecting && self.host.outbox.is_empty() && self.host.signals.is_empty();
        (!is_quiet).then_some(windows.end)
    }

    /// Something happens at a card: the window ends no later than the one of that instant.
    pub(super) fn enter(&mut self, now: u64) {
        let is_quiet = self.barrier().is_none();
        if let Some(windows) = &mut self.windows {
            let end = windows.end_of(now);
            windows.end = if is_quiet { end } else { windows.end.min(end) };
        }
    }

    /// Closes the windows that end by `now`.
    pub(super) fn close_windows(&mut self, now: u64) -> Result<(), RunError> {
        while let Some(end) = self.barrier().filter(|&end| end <= now) {
            self.work(end)?;
            self.hand_over();
            debug_assert_eq!(self.check_ledger(), Ok(()), "every packet is somewhere");
            let switches = self.switches.iter().filter_map(Device::due);
            let next = switches.chain(self.host.mail.not_before()).min();
            self.is_expecting = next.is_some();
            if let Some(windows) = &mut self.windows {
                windows.end = windows.end_of(next.unwrap_or(end).max(end));
            }
        }
        Ok(())
    }

    /// Lets all switches work through their events before an instant.
    pub(super) fn work(&mut self, until: u64) -> Result<(), RunError> {
        let Some(windows) = &mut self.windows else { return Ok(()) };
        let (threads, handed) = (windows.threads, std::mem::take(&mut windows.handed));
        if threads == 1 || handed < FEW {
            return self.work_alone(until);
        }
        let work = Work { shared: &self.shared, until, parts: Parts::new(&self.switches, threads) };
        let room = (&mut self.spares[..], &mut self.batches);
        windows.handed = work.together(&mut self.host, &mut self.switches, room)?;
        Ok(())
    }

    /// The switches in parts, one for each thread.
    fn parts(&self) -> Parts {
        Parts::new(&self.switches, self.windows.map_or(1, Windows::threads))
    }

    /// The same on this thread; what a switch has sent is posted while it is in the cache.
    fn work_alone(&mut self, until: u64) -> Result<(), RunError> {
        let parts = self.parts();
        for switch in 0..self.switches.len() {
            // All use the room of one outbox.
            std::mem::swap(&mut self.outbox, &mut self.switches[switch].outbox);
            let spare = &mut self.spares[parts.of(switch as u32 + 1)];
            self.switches[switch].run(&self.shared, spare, until)?;
            self.post(switch as u32 + 1);
            std::mem::swap(&mut self.outbox, &mut self.switches[switch].outbox);
        }
        Ok(())
    }

    /// Puts what devices have sent into the mail of those that it goes to.
    pub(super) fn hand_over(&mut self) {
        for device in 0..=self.switches.len() as u32 {
            self.post(device);
        }
    }

    /// Puts what a device has sent into the mail of those that it goes to.
    fn post(&mut self, device: u32) {
        let parts = self.parts();
        let Self { shared, host, switches, windows, spares, .. } = self;
        let sender = device_mut(host, switches, device);
        let mut outbox = std::mem::take(&mut sender.outbox);
        let mut signals = std::mem::take(&mut sender.signals);
        if let Some(windows) = windows {
            windows.handed += outbox.len();
        }
        for packet in &outbox {
            let into = shared.ends[packet.link as usize].into;
            let spare = &mut spares[parts.of(into)];
            device_mut(host, switches, into).post(spare, packet);
        }
        outbox.clear();
        for signal in signals.drain(..) {
            let from = shared.ends[signal.link as usize].from;
            device_mut(host, switches, from).expect(shared, signal);
        }
        let sender = device_mut(host, switches, device);
        (sender.outbox, sender.signals) = (outbox, signals);
    }
}

/// The bits of all numbers below one.
const fn bits(below: u32) -> u32 {
    u32::BITS - below.leading_zeros()
}

/// One of the devices: the cards are the first.
pub(super) fn device_mut<'d>(
    host: &'d mut Device,
    switches: &'d mut [Device],
    device: u32,
) -> &'d mut Device {
    match device.checked_sub(1) {
        None => host,
        Some(switch) => &mut switches[switch as usize],
    }
}
