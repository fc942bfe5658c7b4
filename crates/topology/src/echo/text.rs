//! The echo in lines for people.

use units::Ratio;

use super::{Echo, SwitchCount, TierEcho};
use crate::Domain;

impl Echo {
    /// One line each for cards, switches, links per tier, bisection and notes.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![self.cards_line()];
        for domain in [Domain::Inside, Domain::Outside] {
            let switches = self.switches.iter().filter(|switches| switches.domain == domain);
            let list: Vec<String> = switches.map(switches_text).collect();
            if !list.is_empty() {
                lines.push(format!("{}: {}", domain_text(domain), list.join(", ")));
            }
        }
        lines.extend(self.tiers.iter().map(tier_line));
        let several = self.tiers.iter().filter(|tier| tier.built.is_some()).count() > 1;
        if let Some(ratio) = self.ratio.filter(|_| several) {
            lines.push(format!("ratio of all tiers: {}", ratio_text(ratio)));
        }
        lines.push(format!("bisection of the outer fabric: {}", rate_text(self.bisection)));
        lines.extend(self.notes.iter().map(|note| format!("note: {note}")));
        lines
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

/// "160 leaf switches (most ports 128)".
fn switches_text(switches: &SwitchCount) -> String {
    let SwitchCount { name, count, ports, .. } = switches;
    format!("{} × {name} ({ports} ports)", digits(u128::from(*count)))
}

/// The links of one tier in words.
fn tier_line(tier: &TierEcho) -> String {
    let links = count(tier.cables, "link", "links");
    let line = format!("{}: {links}, {} each way", tier.tier, rate_text(tier.capacity));
    match (tier.asked.map(ratio_text), tier.built.map(ratio_text)) {
        (Some(asked), Some(built)) => format!("{line}, ratio asked {asked} built {built}"),
        (Some(asked), None) => format!("{line}, ratio asked {asked}, none built"),
        (None, _) => line,
    }
}

/// The network in words.
fn domain_text(domain: Domain) -> &'static str {
    match domain {
        Domain::Inside => "inside",
        Domain::Outside => "outside",
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
