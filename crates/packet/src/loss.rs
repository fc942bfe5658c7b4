//! What wires lose: draws by key, and single packets by name.

use topology::{Fabric, LinkId, LossId, mix};
use units::Probability;

use crate::network::Call;
use crate::packet::{Kind, Packet};
use crate::{CardDrop, Drop, Settings};

/// The purposes of draws.
const LOSS: u64 = 1;
const MARK: u64 = 2;
const RETRY: u64 = 4;

/// What each link loses.
#[derive(Clone, Debug)]
pub(crate) struct Wires {
    key: u64,
    mark_key: u64,
    retry_key: u64,
    /// A packet is lost if its draw is below, by schedule of loss and epoch; the last schedules are those
    /// of the settings.
    schedules: Vec<Vec<u128>>,
    /// When epochs after the first begin, in ps.
    changes: Vec<u64>,
    /// The schedule of each link; empty if no link loses anything by chance.
    schedule_of: Vec<u32>,
    listed: Vec<Drop>,
}

impl Wires {
    /// The wires of a fabric that lose what it says, and beyond that what the settings say.
    ///
    /// `calls` are the flows, among which those with listed packets are looked up.
    pub(crate) fn new(settings: &Settings, fabric: &Fabric, calls: &[Call]) -> Self {
        let losses = fabric.losses();
        let changes: Vec<u64> = losses.changes().iter().map(|at| at.as_picos()).collect();
        let links = fabric.links().iter();
        let mut schedule_of: Vec<u32> = links.map(|link| link.loss.0).collect();
        let most = schedule_of.iter().copied().max().unwrap_or_default();
        let survivals = (0..=most).map(|id| losses.survivals(LossId(id)));
        let mut schedules: Vec<Vec<u128>> = survivals
            .map(|epochs| epochs.iter().map(|survival| threshold(survival.complement())).collect())
            .collect();
        for rate in &settings.loss.rates {
            let lost = share(u64::from(rate.per_billion.min(1_000_000_000)), 1_000_000_000);
            schedule_of[rate.link.index()] = schedules.len() as u32;
            schedules.push(vec![lost; changes.len() + 1]);
        }
        if schedules.iter().flatten().all(|&lost| lost == 0) {
            schedule_of.clear();
        }
        let mut listed = settings.loss.listed.clone();
        listed.extend(of_cards(&settings.dropped, calls));
        listed.sort_unstable();
        let key = |purpose| mix(settings.seed, purpose);
        Self {
            key: key(LOSS),
            mark_key: key(MARK),
            retry_key: key(RETRY),
            schedules,
            changes,
            schedule_of,
            listed,
        }
    }

    /// The threshold of a link at an instant.
    fn threshold(&self, now: u64, link: u32) -> u128 {
        let Some(&schedule) = self.schedule_of.get(link as usize) else { return 0 };
        let epoch = self.changes.partition_point(|&change| change <= now);
        self.schedules[schedule as usize].get(epoch).copied().unwrap_or_default()
    }

    /// Whether a link loses a packet of a connection with `name` by chance.
    ///
    /// The draw depends on seed, link, connection, packet and attempt: at a higher rate the same
    /// packets are lost, and more.
    pub(crate) fn loses(&self, (now, link): (u64, u32), name: u64, packet: &Packet) -> bool {
        let threshold = self.threshold(now, link);
        threshold > 0 && u128::from(draw(self.key, link, name, packet)) < threshold
    }

    /// Whether a link loses a packet because it is listed.
    pub(crate) fn is_listed(&self, link: u32, packet: &Packet) -> bool {
        !self.listed.is_empty() && packet.kind == Kind::Data && {
            let &Packet { flow, sequence, attempt, .. } = packet;
            self.listed.binary_search(&Drop { link: LinkId(link), flow, sequence, attempt }).is_ok()
        }
    }

    /// How often a link must send a packet of a connection until it comes, beyond the first time, at most
    /// `limit`; and whether it then came.
    pub(crate) fn retries(
        &self,
        (now, link, limit): (u64, u32, u32),
        name: u64,
        packet: &Packet,
    ) -> (u32, bool) {
        let threshold = self.threshold(now, link);
        if threshold == 0 {
            return (0, true);
        }
        let word = draw(self.retry_key, link, name, packet);
        let fails = |attempt: &u32| u128::from(mix(word, u64::from(*attempt))) < threshold;
        let failed = (0..=limit).take_while(fails).count() as u32;
        (failed.min(limit), failed <= limit)
    }

    /// Whether anything may be lost.
    pub(crate) fn lose_nothing(&self) -> bool {
        self.schedule_of.is_empty() && self.listed.is_empty()
    }

    /// A number below a million, for the marking of a packet at a link.
    pub(crate) fn mark_draw(&self, link: u32, name: u64, packet: &Packet) -> u64 {
        let word = draw(self.mark_key, link, name, packet);
        ((u128::from(word) * 1_000_000) >> 64) as u64
    }
}

/// The packets listed by their cards, of all flows between these.
fn of_cards(dropped: &[CardDrop], calls: &[Call]) -> Vec<Drop> {
    let mut dropped = dropped.to_vec();
    dropped.sort_unstable();
    let of_call = |(flow, call): (u32, &Call)| {
        let ends = (call.src, call.dst);
        let first = dropped.partition_point(|it| (it.src, it.dst) < ends);
        let of_ends = dropped[first..].iter().take_while(move |it| (it.src, it.dst) == ends);
        let drop = move |&CardDrop { link, sequence, attempt, .. }: &CardDrop| Drop {
            link,
            flow,
            sequence,
            attempt,
        };
        of_ends.map(drop).collect::<Vec<_>>()
    };
    if dropped.is_empty() { Vec::new() } else { (0..).zip(calls).flat_map(of_call).collect() }
}

/// The draws below which a packet is lost, of 2⁶⁴.
fn threshold(loss: Probability) -> u128 {
    share(loss.parts(), Probability::ONE.parts())
}

/// part / whole of 2⁶⁴, rounded down.
fn share(part: u64, whole: u64) -> u128 {
    (u128::from(part) << 64) / u128::from(whole)
}

/// The word of a packet at a link.
fn draw(key: u64, link: u32, name: u64, packet: &Packet) -> u64 {
    let kind = packet.kind as u64;
    // What is sent again is told apart by its number, which no other sending of the connection has.
    let sending = match packet.kind {
        Kind::Data if packet.attempt == 0 => 0,
        Kind::Data => u64::from(packet.number) + 1,
        _ => u64::from(packet.number) << 32 | u64::from(packet.count),
    };
    let key = mix(mix(key, name), u64::from(link) << 8 | kind);
    mix(mix(key, u64::from(packet.sequence)), sending)
}

#[cfg(test)]
mod tests {
    use topology::{Efficiency, FabricSpec, StarSpec};
    use units::{Bandwidth, Duration};

    use super::*;
    use crate::{Loss, LossRate};

    /// The first sendings of 10,000 packets that a link loses at a rate.
    fn lost(seed: u64, per_billion: u32) -> Vec<u32> {
        let spec = StarSpec {
            cards: 2,
            bandwidth: Bandwidth::from_gigabits_per_second(1),
            latency: Duration::ZERO,
            efficiency: Efficiency::ONE,
        };
        let fabric = Fabric::build(&FabricSpec::Star(spec)).expect("a star of two");
        let rates = vec![LossRate { link: LinkId(3), per_billion }];
        let loss = Loss { rates, listed: Vec::new() };
        let wires = Wires::new(&Settings { loss, seed, ..Settings::IDEAL }, &fabric, &[]);
        let packet = |sequence| Packet { sequence, ..Packet::default() };
        (0..10_000).filter(|&sequence| wires.loses((0, 3), 8, &packet(sequence))).collect()
    }

    #[test]
    fn a_higher_rate_loses_the_same_packets_and_more() {
        // CASES O17 e. 10,000 draws at 0.1 %, 0.2 % and 20 %: 10, 20 and 2,000 expected, with
        // standard deviations of 3.2, 4.5 and 40.
        let sets = [0, 1_000_000, 2_000_000, 200_000_000, 1_000_000_000].map(|rate| lost(5, rate));
        for pair in sets.windows(2) {
            assert!(pair[0].iter().all(|packet| pair[1].contains(packet)));
        }
        let counts = sets.map(|set| set.len());
        assert_eq!((counts[0], counts[4]), (0, 10_000));
        assert!(counts[1].abs_diff(10) <= 15 && counts[2].abs_diff(20) <= 22, "{counts:?}");
        assert!(counts[3].abs_diff(2_000) <= 200, "{counts:?}");
        assert_ne!(lost(5, 200_000_000), lost(6, 200_000_000), "another seed, other packets");
    }
}
