//! DCQCN: the rate of a sender, cut by congestion notifications and raised by time and bytes.
//!
//! Source: Zhu et al.: *Congestion Control for Large-Scale RDMA Deployments*, SIGCOMM 2015, section 3.1
//! and figure 7. All in integers: α in units of 2⁻³², rates in milli-bit/s rounded down. What timers do is
//! caught up with when the sender next sends or hears, which is when it matters.

use units::{Bandwidth, Bytes, Duration, Time};

/// The parameters of DCQCN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dcqcn {
    /// 1/g: α moves by 1/`gain` of the way at each update, at least 2.
    pub gain: u32,
    /// How long without a notification until α decays, and again.
    pub alpha_timer: Duration,
    /// How long until the rate is raised, and again (T).
    pub rate_timer: Duration,
    /// How many bytes sent raise the rate as well (B).
    pub byte_counter: Bytes,
    /// How often the rate is raised half-way to where it was, before the target rises too (F).
    pub fast_recoveries: u32,
    /// By what the target rises then.
    pub additive: Bandwidth,
    /// By what it rises when time and bytes are both past fast recovery.
    pub hyper: Bandwidth,
    /// The rate never falls below.
    pub least: Bandwidth,
    /// A receiver notifies a sender at most once in so long.
    pub notification_interval: Duration,
}

impl Dcqcn {
    /// The values of the paper; `hyper` and `least` as in the HPCC authors' ns-3 configuration.
    ///
    /// Source: Zhu et al., SIGCOMM 2015, section 5 and figure 14 (g = 1/256, T = 55 µs, B = 10 MB, F = 5,
    /// `R_AI` = 40 Mb/s, one CNP in 50 µs); `simulation/mix/config.txt` of
    /// High-Precision-Congestion-Control (`RATE_HAI` and `MIN_RATE` 100 Mb/s).
    pub const PAPER: Self = Self {
        gain: 256,
        alpha_timer: Duration::from_micros(55),
        rate_timer: Duration::from_micros(55),
        byte_counter: Bytes::new(10_000_000),
        fast_recoveries: 5,
        additive: Bandwidth::from_milli_bits_per_second(40_000_000_000),
        hyper: Bandwidth::from_milli_bits_per_second(100_000_000_000),
        least: Bandwidth::from_milli_bits_per_second(100_000_000_000),
        notification_interval: Duration::from_micros(50),
    };
}

/// α = 1.
const ONE: u64 = 1 << 32;

/// The rate of one sender.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    parameters: Dcqcn,
    line: u64,
    current: u64,
    target: u64,
    alpha: u64,
    alpha_since: Time,
    rate_since: Time,
    /// Raises since the last cut, by the timer and by bytes.
    raises: [u32; 2],
    bytes: u64,
    /// Not before then may the next packet leave.
    next: Time,
}

impl Pace {
    /// A sender at the rate of its link.
    pub(crate) fn new(parameters: Dcqcn, line: u64) -> Self {
        Self {
            parameters,
            line,
            current: line,
            target: line,
            alpha: ONE,
            alpha_since: Time::ZERO,
            rate_since: Time::ZERO,
            raises: [0; 2],
            bytes: 0,
            next: Time::ZERO,
        }
    }

    /// When the next packet may leave.
    pub(crate) const fn ready(&self) -> Time {
        self.next
    }

    /// The rate in milli-bit/s.
    #[cfg(test)]
    const fn rate(&self) -> u64 {
        self.current
    }

    /// A packet of `bytes` is sent.
    pub(crate) fn on_sent(&mut self, now: Time, bytes: u64) {
        self.catch_up(now);
        if self.current == self.line {
            self.next = now;
            return;
        }
        let picos = Bytes::new(bytes).as_work().div_ceil(u128::from(self.current));
        let picos = u64::try_from(picos).unwrap_or(u64::MAX).min(1 << 56);
        self.next = self.next.max(now) + Duration::from_picos(picos);
        self.bytes += bytes;
        if self.bytes >= self.parameters.byte_counter.as_u64() {
            self.bytes = 0;
            self.raise(1);
        }
    }

    /// The receiver tells of marked packets.
    pub(crate) fn on_congestion(&mut self, now: Time) {
        self.catch_up(now);
        self.target = self.current;
        let cut = (u128::from(self.current) * u128::from(self.alpha)) >> 33;
        self.current = (self.current - cut as u64).max(self.least());
        let gain = u64::from(self.parameters.gain.max(2));
        self.alpha = self.alpha - self.alpha / gain + ONE / gain;
        self.alpha_since = now;
        self.rate_since = now;
        self.raises = [0; 2];
        self.bytes = 0;
    }

    fn least(&self) -> u64 {
        self.parameters.least.as_milli_bits_per_second().clamp(1, self.line)
    }

    /// Does what the timers have done since.
    fn catch_up(&mut self, now: Time) {
        let gain = u64::from(self.parameters.gain.max(2));
        let alpha_timer = self.parameters.alpha_timer;
        while self.alpha >= gain && self.alpha_since + alpha_timer <= now {
            self.alpha -= self.alpha / gain;
            self.alpha_since = self.alpha_since + alpha_timer;
        }
        let rate_timer = self.parameters.rate_timer;
        while self.current < self.line && self.rate_since + rate_timer <= now {
            self.rate_since = self.rate_since + rate_timer;
            self.raise(0);
        }
    }

    /// Raises the rate: by the timer (0) or by bytes (1).
    fn raise(&mut self, cause: usize) {
        self.raises[cause] += 1;
        let [by_time, by_bytes] = self.raises;
        let recoveries = self.parameters.fast_recoveries;
        if by_time.max(by_bytes) > recoveries {
            let by = if by_time.min(by_bytes) > recoveries {
                self.parameters.hyper
            } else {
                self.parameters.additive
            };
            let by = by.as_milli_bits_per_second();
            self.target = self.target.saturating_add(by).min(self.line);
        }
        // Rounded up, so that it arrives.
        self.current = (self.current + self.target).div_ceil(2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: u64 = 40_000_000_000_000;

    #[test]
    fn a_notification_halves_the_rate_and_five_timers_bring_it_almost_back() {
        let mut pace = Pace::new(Dcqcn::PAPER, LINE);
        let at = |micros| Time::ZERO + Duration::from_micros(micros);
        pace.on_sent(at(1), 1_000);
        assert_eq!(pace.ready(), at(1), "at the rate of the line nothing is held back");
        // α is 1 at first, so the rate is halved: 40 Gb/s to 20.
        pace.on_congestion(at(2));
        assert_eq!(pace.rate(), LINE / 2);
        // 1,000 B at 20 Gb/s are 400 ns.
        pace.on_sent(at(2), 1_000);
        assert_eq!(pace.ready(), at(2) + Duration::from_nanos(400));
        // Each 55 µs it comes half-way back: 30, 35, 37.5, 38.75 and 39.375 Gb/s.
        for (timers, rate) in [(1, 30_000), (2, 35_000), (3, 37_500), (4, 38_750), (5, 39_375)] {
            pace.on_sent(at(2 + 55 * timers), 1);
            assert_eq!(pace.rate(), rate * 1_000_000_000);
        }
    }

    #[test]
    fn later_notifications_cut_less_and_none_cuts_below_the_least() {
        let mut pace = Pace::new(Dcqcn::PAPER, LINE);
        let at = |micros| Time::ZERO + Duration::from_micros(micros);
        pace.on_congestion(at(50));
        // α stayed 1 = 1 − 1/256 + 1/256; a second notification halves again.
        pace.on_congestion(at(51));
        assert_eq!(pace.rate(), LINE / 4);
        // After a long rest α has decayed and the line is free again.
        pace.on_sent(at(10_000_000), 1);
        assert_eq!(pace.rate(), LINE);
        pace.on_congestion(at(10_000_001));
        assert!(pace.rate() > LINE - LINE / 1_000, "{}", pace.rate());
        for micros in 0..5_000 {
            pace.on_congestion(at(10_000_002 + micros));
        }
        assert_eq!(pace.rate(), 100_000_000_000);
    }
}
