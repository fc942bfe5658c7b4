//! What links of one kind have in common: how long packets take.

use rustc_hash::FxHashMap;
use topology::Link;
use units::{Bandwidth, Bytes, Duration};

use crate::{Error, Frame};

/// A time on the wire: whole picoseconds, and the rest over the link's rate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Serial {
    pub(crate) picos: u64,
    pub(crate) rest: u64,
}

/// The longest latency and the longest packet that are simulated: 2⁴⁸ ps, five minutes.
pub(crate) const LONGEST: u64 = 1 << 48;

/// Links of one rate and latency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// What payload may use of the wire, in milli-bit/s; nothing is sent where it is 0.
    pub(crate) rate: u64,
    /// The latency in ps.
    pub(crate) latency: u64,
    /// A full data packet, by far the most frequent.
    full: (u32, Serial),
    /// A control packet.
    control: (u32, Serial),
    /// What must have come before a switch that cuts through sends a packet on, in ps.
    pub(crate) head: u64,
}

impl Line {
    fn new(rate: u64, latency: u64, frame: Frame) -> Result<Self, Error> {
        let rate = rate.max(1);
        let serial = |bytes| serial(rate, bytes);
        let full = serial(frame.full());
        if latency > LONGEST || (full.picos > LONGEST && rate > 1) {
            return Err(Error::TooSlow {
                bandwidth: Bandwidth::from_milli_bits_per_second(rate),
                latency: Duration::from_picos(latency),
            });
        }
        let head = serial(frame.header.max(1));
        Ok(Self {
            rate,
            latency,
            full: (frame.full(), full),
            control: (frame.control, serial(frame.control)),
            head: head.picos + u64::from(head.rest > 0),
        })
    }

    /// The time of a packet of `bytes` on the wire.
    pub(crate) fn serial(&self, bytes: u32) -> Serial {
        if bytes == self.full.0 {
            self.full.1
        } else if bytes == self.control.0 {
            self.control.1
        } else {
            serial(self.rate, bytes)
        }
    }

    /// The time of a packet of `bytes` on the wire, rounded up to 1 ps.
    pub(crate) fn picos(&self, bytes: u32) -> u64 {
        let serial = self.serial(bytes);
        serial.picos + u64::from(serial.rest > 0)
    }

    /// The bytes that a queue of `picos` stands for, rounded up.
    pub(crate) fn bytes(&self, picos: u64) -> u64 {
        let work = u128::from(picos) * u128::from(self.rate);
        u64::try_from(work.div_ceil(Bytes::new(1).as_work())).unwrap_or(u64::MAX)
    }
}

fn serial(rate: u64, bytes: u32) -> Serial {
    let work = Bytes::new(u64::from(bytes)).as_work();
    let (picos, rest) = (work / u128::from(rate), work % u128::from(rate));
    Serial { picos: u64::try_from(picos).unwrap_or(u64::MAX), rest: rest as u64 }
}

/// The kinds of links of a fabric.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lines {
    lines: Vec<Line>,
    known: FxHashMap<(u64, u64), u32>,
}

impl Lines {
    /// The kind of `link`, known or new.
    pub(crate) fn of(&mut self, link: &Link, frame: Frame) -> Result<u32, Error> {
        let rate = link.goodput.as_milli_bits_per_second();
        let latency = link.latency.as_picos();
        let next = self.lines.len() as u32;
        if let Some(&known) = self.known.get(&(rate, latency)) {
            return Ok(known);
        }
        self.lines.push(Line::new(rate, latency, frame)?);
        self.known.insert((rate, latency), next);
        Ok(next)
    }
}

impl Lines {
    /// All kinds, in the order in which they were found.
    pub(crate) fn iter(&self) -> std::slice::Iter<'_, Line> {
        self.lines.iter()
    }
}

impl std::ops::Index<u32> for Lines {
    type Output = Line;

    fn index(&self, index: u32) -> &Line {
        &self.lines[index as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packet_of_4160_bytes_takes_83_200_ps_at_400_gigabits() {
        let rate = Bandwidth::from_gigabits_per_second(400).as_milli_bits_per_second();
        let line = Line::new(rate, 1_000_000, Frame::STANDARD).expect("an everyday link");
        // 4,160 × 8 bit / 400 Gb/s = 83.2 ns; 64 × 8 / 400 = 1.28 ns.
        assert_eq!(line.serial(4_160), Serial { picos: 83_200, rest: 0 });
        assert_eq!(line.picos(64), 1_280);
        // 1 byte takes 20 ps, and 20 ps in a queue are 1 byte; 21 ps are part of a second.
        assert_eq!(line.picos(1), 20);
        assert_eq!((line.bytes(20), line.bytes(21)), (1, 2));
    }
}
