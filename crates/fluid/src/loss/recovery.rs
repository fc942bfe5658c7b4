//! How lost packets are recovered.

use units::{Bytes, Duration};

/// How the senders of a world recover what is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Recovery {
    /// What is sent again after a loss.
    pub scheme: Scheme,
    /// The payload of a packet, at least 1 byte.
    pub mtu: Bytes,
    /// How long a sender waits for an answer before it repeats on its own.
    pub timeout: Duration,
    /// How often one packet may be repeated before the sender gives up, at least 1.
    pub retries: u32,
    /// Whether losses are drawn or averaged.
    pub draw: Draw,
}

/// What is sent again after a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// The lost packet and all that were in flight behind it: at most this window, or the bandwidth of
    /// the path times its round trip if that is less.
    GoBackN {
        /// The most bytes in flight.
        window: Bytes,
    },
    /// The lost packet only, by its sender.
    SelectiveRepeat {
        /// The most bytes in flight.
        window: Bytes,
    },
    /// The lost packet only, on the link that lost it.
    LinkRetry,
}

/// Whether losses are drawn or averaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Draw {
    /// Every transfer costs what it costs on average.
    Expected,
    /// Losses are drawn with this key, the identity of the transfer and the number of the draw.
    Sampled {
        /// The key of the scenario's losses.
        key: u64,
    },
}

impl Default for Recovery {
    /// Go-back-N on average: packets of 4 KiB, the largest of `InfiniBand` and RoCE; 2¹⁴ × 4.096 µs and
    /// 7 repeats, as Gloo sets the fields of a queue pair; no window.
    ///
    /// Source: `InfiniBand` Architecture Specification, volume 1, chapter 9: a timeout field of t is
    /// 4.096 µs × 2ᵗ, three bits count the repeats.
    fn default() -> Self {
        Self {
            scheme: Scheme::GoBackN { window: Bytes::new(u64::MAX) },
            mtu: Bytes::new(4096),
            timeout: Duration::from_nanos(4096 << 14),
            retries: 7,
            draw: Draw::Expected,
        }
    }
}

impl Recovery {
    /// Whether losses are drawn one by one.
    pub(crate) const fn is_sampled(&self) -> bool {
        matches!(self.draw, Draw::Sampled { .. })
    }

    /// The packets of a transfer, at least one, and the payload of a full one.
    pub(crate) fn packets(&self, bytes: Bytes) -> (u64, u64) {
        let mtu = self.mtu.as_u64();
        (bytes.as_u64().div_ceil(mtu).max(1), mtu.min(bytes.as_u64()))
    }
}
