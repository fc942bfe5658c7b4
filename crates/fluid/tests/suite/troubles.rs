//! What goes wrong in random small worlds: broken and lossy links, late and slow ranks.

use engine::Costs;
use fluid::{Conduct, Conducts, Draw, Recovery, Scheme};
use topology::{Fabric, Fault, Link, LinkId, LossRule, Part, mix};
use units::{Bytes, Duration, Probability, Ratio, Time};

use crate::choices::Choices;

impl Choices {
    /// Every third fabric with one link dead or slow, any one.
    pub(crate) fn broken(&self, fabric: Fabric, fault: u64) -> Fabric {
        if !fault.is_multiple_of(3) || fabric.links().is_empty() {
            return fabric;
        }
        let link = LinkId((fault / 3 % fabric.links().len() as u64) as u32);
        let Link { src, dst, .. } = *fabric.link(link);
        let (from, to) = (fabric.node_name(src), fabric.node_name(dst));
        let part = Part::Link { from, to, count: 1 };
        let speed_ppm = [0, 500_000, 750_000][(self.0[2] % 3) as usize];
        fabric.with_faults(&[Fault { part, speed_ppm }]).expect("the link is there")
    }

    /// Three of four fabrics with links that lose packets, now and then all of them: one link, a tier,
    /// or both, some from an instant on or until one.
    pub(crate) fn lossy(&self, fabric: Fabric, loss: u64) -> Fabric {
        if loss.is_multiple_of(4) || fabric.links().is_empty() {
            return fabric;
        }
        let link = *fabric.link(LinkId((loss / 4 % fabric.links().len() as u64) as u32));
        let (from, to) = (fabric.node_name(link.src), fabric.node_name(link.dst));
        let tier = fabric.link(LinkId((loss / 7 % fabric.links().len() as u64) as u32)).tier;
        let parts = [Part::Link { from, to, count: 1 }, Part::Tier(tier.to_string())];
        let often = [0, 10, 1_000, 50_000, 300_000, 1_000_000][(loss / 11 % 6) as usize];
        let rule = |part: Part, ppm: u32, span: (u64, Option<u64>)| LossRule {
            part,
            loss: Probability::from_ppm(ppm).expect("at most 1"),
            from: Time::from_picos(span.0),
            until: span.1.map(Time::from_picos),
        };
        let [link, tier] = parts;
        let ends = self.pick(8, &[40_000_000, 4_000_000]);
        let rules = match loss / 13 % 4 {
            0 => vec![rule(link, often, (0, None))],
            1 => vec![rule(tier, often.min(300_000), (0, None))],
            2 => vec![rule(tier, 100, (0, None)), rule(link, often, (0, None))],
            _ => vec![rule(tier, 100, (0, Some(ends))), rule(link, often, (3_000_000, None))],
        };
        fabric.with_losses(&rules).expect("the parts are there")
    }

    /// How it is recovered, mostly as expected.
    pub(crate) fn recovery(&self, loss: u64) -> Recovery {
        let window = Bytes::new([20_000, u64::MAX][(loss / 17 % 2) as usize]);
        let schemes =
            [Scheme::GoBackN { window }, Scheme::SelectiveRepeat { window }, Scheme::LinkRetry];
        let draw = match loss / 19 % 4 {
            0 => Draw::Sampled { key: self.0[3] },
            _ => Draw::Expected,
        };
        Recovery {
            scheme: schemes[(loss / 23 % 3) as usize],
            mtu: Bytes::new([1_024, 4_096][(loss / 29 % 2) as usize]),
            timeout: Duration::from_micros(100),
            retries: [1, 7][(loss / 31 % 2) as usize],
            draw,
        }
    }
}

/// In every second world some ranks are late and some are slow.
pub(crate) fn conducts(ranks: u32, costs: Costs, habits: u64) -> Conducts {
    if habits.is_multiple_of(2) {
        return Conducts::alike(costs);
    }
    let conduct = |rank| {
        let number = mix(habits, rank);
        let late = [0, 0, 1_000_000, number % 9_999_999][(number >> 32) as usize % 4];
        let slowness = [(1, 1), (1, 1), (3, 2), (17, 7)][(number >> 40) as usize % 4];
        let slowness = Ratio::new(slowness.0, slowness.1).expect("positive");
        Conduct { late: Duration::from_picos(late), slowness, costs }
    };
    Conducts::new(&(0..u64::from(ranks)).map(conduct).collect::<Vec<_>>())
}
