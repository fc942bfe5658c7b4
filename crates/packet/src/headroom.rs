//! What still comes by a link until its sender heeds a pause.

use topology::Fabric;
use units::{Bandwidth, Bytes, Duration};

use crate::line::Lines;
use crate::{Backpressure, Error, Settings};

/// The size of a pause frame. Source: IEEE 802.1Qbb-2011, section 36.
pub(crate) const PAUSE_FRAME: u32 = 64;

impl Settings {
    /// Refuses lossless classes whose headroom does not take what still comes by some link of `fabric`:
    /// the packet that is one too many, what leaves within twice the latency and a pause frame, and the
    /// packets that both ends are sending: the pause waits for one, the sender ends the other.
    ///
    /// # Errors
    /// [`Error::Headroom`] with the headroom that the link needs, and [`Error::TooSlow`].
    pub fn check_headroom(&self, fabric: &Fabric) -> Result<(), Error> {
        let mut lines = Lines::default();
        for link in fabric.links() {
            lines.of(link, self.frame)?;
        }
        check(self, &lines)
    }
}

/// The same on links of these kinds.
pub(crate) fn check(settings: &Settings, lines: &Lines) -> Result<(), Error> {
    let full = u64::from(settings.frame.full().max(settings.frame.control));
    for class in &settings.classes {
        let Backpressure::Pause { headroom, .. } = class.backpressure else { continue };
        for line in lines.iter() {
            let delay = 2 * line.latency + line.picos(PAUSE_FRAME);
            let needed = line.bytes(delay) + 3 * full;
            if headroom.as_u64() < needed {
                return Err(Error::Headroom {
                    given: headroom,
                    needed: Bytes::new(needed),
                    bandwidth: Bandwidth::from_milli_bits_per_second(line.rate),
                    latency: Duration::from_picos(line.latency),
                });
            }
        }
    }
    Ok(())
}
