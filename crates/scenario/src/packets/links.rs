//! What follows from the links of a fabric: headroom, marks and the presets that need them.

use packet::{Backpressure, Buffer, Dcqcn, Frame, Marking, Pacing, Settings, Transport, Window};
use topology::Fabric;
use units::{Bandwidth, Bytes};

use super::{RECOVERY, class, full, reordering};

/// The size of a pause frame, and what a link's buffer holds beside what is on its way.
const PAUSE_FRAME: u64 = 64;
const SPARE_PACKETS: u64 = 31;

/// The fastest and the longest links of a fabric.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Links {
    /// What payload may use of the fastest, in milli-bit/s.
    rate: u64,
    /// The longest latency in ps.
    latency: u64,
}

impl Links {
    /// Links of 8 b/s: where settings do not fit these, they fit no fabric.
    pub(super) const SLOWEST: Self = Self { rate: 8_000, latency: 0 };

    /// Those of `fabric`.
    pub(crate) fn of(fabric: &Fabric) -> Self {
        let links = fabric.links().iter();
        let rate = links.clone().map(|link| link.goodput.as_milli_bits_per_second()).max();
        let latency = links.map(|link| link.latency.as_picos()).max();
        Self { rate: rate.unwrap_or(8_000).max(8_000), latency: latency.unwrap_or_default() }
    }

    /// Bytes that arrive in so many ps, rounded up.
    fn bytes(self, picos: u64) -> u64 {
        let work = u128::from(picos) * u128::from(self.rate);
        u64::try_from(work.div_ceil(Bytes::new(1).as_work())).unwrap_or(u64::MAX / 4)
    }

    /// What is on its way until a pause takes effect: twice the delay and a pause frame, and three packets.
    pub(super) fn headroom(self, frame: Frame) -> u64 {
        let rate = Bandwidth::from_milli_bits_per_second(self.rate);
        let pause = rate.time_for(Bytes::new(PAUSE_FRAME)).unwrap_or_default();
        let picos = (2 * self.latency).saturating_add(pause.as_picos());
        self.bytes(picos) + 3 * full(frame)
    }

    /// The room that keeps a link busy.
    pub(super) fn room(self, frame: Frame) -> Bytes {
        Bytes::new(self.headroom(frame) + SPARE_PACKETS * full(frame))
    }

    /// Marks from 4 kB for each Gb/s on, all of them from 16 kB on, 20 % just below.
    ///
    /// Source: `simulation/mix/config.txt` of High-Precision-Congestion-Control: 100, 200 and 400 KB
    /// at 25, 50 and 100 Gb/s, four times that for the most, `PMAX` 0.2.
    fn marking(self, frame: Frame) -> Marking {
        let gigabits = self.rate / 1_000_000_000_000;
        let least = (4_000 * gigabits).max(8 * full(frame));
        Marking { least: Bytes::new(least), most: Bytes::new(4 * least), most_ppm: 200_000 }
    }

    pub(super) fn pfc_dcqcn(self, settings: Settings) -> Settings {
        let marking = self.marking(settings.frame);
        // Pauses are the last resort, where all packets are marked already: an assumption.
        let stop = marking.most;
        let go = Bytes::new(stop.as_u64() - 2 * full(settings.frame));
        let headroom = Bytes::new(self.headroom(settings.frame));
        let window = Window::BandwidthDelay { times: 2 };
        Settings {
            transport: Transport::GoBackN { window, recovery: RECOVERY },
            classes: class(Backpressure::Pause { stop, go, headroom }),
            marking: Some(marking),
            pacing: Pacing::Dcqcn(Dcqcn::PAPER),
            ..settings
        }
    }

    pub(super) fn lossy(self, settings: Settings) -> Settings {
        let marking = self.marking(settings.frame);
        let reordering = reordering(settings.routing);
        let window = Window::BandwidthDelay { times: 2 };
        Settings {
            transport: Transport::Selective { window, recovery: RECOVERY, reordering },
            // A queue holds twice what marks every packet: an assumption.
            buffer: Buffer::PerQueue(Bytes::new(2 * marking.most.as_u64())),
            marking: Some(marking),
            pacing: Pacing::Dcqcn(Dcqcn::PAPER),
            ..settings
        }
    }
}
