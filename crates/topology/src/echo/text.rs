//! The echo in lines for people.

use units::Ratio;

use super::{Echo, SwitchCount, TierEcho};
use crate::{Domain, Tier};

impl Echo {
    /// One line each for cards, the inside, the outer switches, the links of each outer tier,
    /// bisection and notes.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![self.cards_line()];
        let (inside, outer): (Vec<_>, Vec<_>) =
            self.tiers.iter().partition(|tier| tier.tier == Tier::Inside);
        let mut parts = self.switches_of(Domain::Inside);
        parts.extend(inside.into_iter().map(links_text));
        if !parts.is_empty() {
            lines.push(format!("inside: {}", parts.join(", ")));
        }
        let switches = self.switches_of(Domain::Outside);
        if !switches.is_empty() {
            lines.push(format!("outside: {}", switches.join(", ")));
        }
        lines.extend(outer.into_iter().map(|tier| format!("{}: {}", tier.tier, links_text(tier))));
        let several = self.tiers.iter().filter(|tier| tier.built.is_some()).count() > 1;
        if let Some(ratio) = self.ratio.filter(|_| several) {
            lines.push(format!("ratio of all tiers: {}", ratio_text(ratio)));
        }
        lines.push(format!("bisection of the outer fabric: {}", rate_text(self.bisection)));
        lines.extend(self.notes.iter().map(|note| format!("note: {note}")));
        lines
    }

    /// The switches of one network, tier by tier.
    fn switches_of(&self, domain: Domain) -> Vec<String> {
        let switches = self.switches.iter().filter(|switches| switches.domain == domain);
        switches.map(switches_text).collect()
    }

    /// The cards and how they are grouped.
    fn cards_line(&self) -> String {
        let Self { cards, supernodes, supernode_cards, last_supernode_cards, .. } = self;
        let all = count(u64::from(*cards), "card", "cards");
        if *supernode_cards == 1 {
            return all;
        }
        let groups = count(u64::from(*supernodes), "supernode", "supernodes");
        let ragged = if last_supernode_cards == supernode_cards {
            String::new()
        } else {
            format!(", the last of {last_supernode_cards}")
        };
        format!("{all} in {groups} of {supernode_cards}{ragged}")
    }
}

/// "160 × leaf (64 down + 16 up)", or "16 × spine (160 ports)" where none leads up.
fn switches_text(switches: &SwitchCount) -> String {
    let SwitchCount { name, count, ports, uplinks, .. } = switches;
    let ports = if *uplinks > 0 {
        format!("{} down + {uplinks} up", ports - uplinks)
    } else {
        format!("{ports} ports")
    };
    format!("{} × {name} ({ports})", digits(u128::from(*count)))
}

/// The links of one tier in words.
fn links_text(tier: &TierEcho) -> String {
    let links = count(tier.cables, "link", "links");
    let line = format!("{links}, {} each way", rate_text(tier.capacity));
    match (tier.asked, tier.built) {
        (Some(asked), Some(built)) if asked == built => {
            format!("{line}, ratio {} as asked", ratio_text(asked))
        }
        (Some(asked), Some(built)) => {
            format!("{line}, ratio asked {} built {}", ratio_text(asked), ratio_text(built))
        }
        (Some(asked), None) => format!("{line}, ratio asked {}, none built", ratio_text(asked)),
        (None, _) => line,
    }
}

/// "19:16".
fn ratio_text(ratio: Ratio) -> String {
    format!("{}:{}", ratio.over(), ratio.under())
}

/// A count with its noun: "1 card", "10,240 cards".
fn count(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", digits(u128::from(number)), if number == 1 { one } else { many })
}

/// Digits in groups of three: "10,240".
fn digits(number: u128) -> String {
    let plain = number.to_string();
    let mut text = String::new();
    for (place, digit) in plain.chars().enumerate() {
        if place > 0 && (plain.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A rate in the largest unit of which there is at least one: "25.6 Tb/s"; after "about" when it
/// is cut to six decimals.
fn rate_text(milli_bits: u128) -> String {
    const UNITS: [(&str, u32); 6] =
        [("Pb/s", 18), ("Tb/s", 15), ("Gb/s", 12), ("Mb/s", 9), ("kb/s", 6), ("b/s", 3)];
    const DECIMALS: usize = 6;
    let (unit, power) =
        UNITS.into_iter().find(|&(_, power)| milli_bits >= 10u128.pow(power)).unwrap_or(("b/s", 3));
    let (whole, rest) = (milli_bits / 10u128.pow(power), milli_bits % 10u128.pow(power));
    let all = format!("{rest:0width$}", width = power as usize);
    let shown = &all[..all.len().min(DECIMALS)];
    let about = if all[shown.len()..].bytes().all(|digit| digit == b'0') { "" } else { "about " };
    match shown.trim_end_matches('0') {
        "" => format!("{about}{} {unit}", digits(whole)),
        decimals => format!("{about}{}.{decimals} {unit}", digits(whole)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_told_with_their_unit() {
        // 64 × 400 Gb/s = 25.6 Tb/s; 10,240 × 400 Gb/s / 2 = 2.048 Pb/s.
        assert_eq!(rate_text(64 * 400_000_000_000_000), "25.6 Tb/s");
        assert_eq!(rate_text(5_120 * 400_000_000_000_000), "2.048 Pb/s");
        assert_eq!(rate_text(0), "0 b/s");
        assert_eq!(rate_text(1_001), "1.001 b/s");
        // 2 milli-bit/s less than 73.728 Pb/s.
        assert_eq!(rate_text(73_727_999_999_999_999_998), "about 73.727999 Pb/s");
        assert_eq!(rate_text(1_234_000_000_000_000_000_000), "1,234 Pb/s");
    }
}
