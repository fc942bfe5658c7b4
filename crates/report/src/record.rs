//! What one point of a sweep came to: exact integers only.

use serde::{Deserialize, Serialize};

use crate::{JobRecord, PacketRecord, show};

/// One point: what was asked, what it was run on, and what came out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The sweep axes and their values in the order of the scenario, e.g. ("ratio", "4:1"), and
    /// ("workload", its name) where no other field tells two workloads apart.
    pub labels: Vec<(String, String)>,
    /// The name of the fabric.
    pub fabric: String,
    /// The oversubscription ratio asked for, over all tiers; "-" where the fabric has none.
    pub ratio: String,
    /// The collective, e.g. "`AllReduce`".
    pub collective: String,
    /// The algorithm, e.g. "ring" or "hierarchical (direct x ring)".
    pub algorithm: String,
    /// How many ranks take part.
    pub ranks: u32,
    /// The bytes of one rank's whole buffer that the scenario asks for.
    pub size_asked: u64,
    /// The bytes used: `size_asked`, or less where the size is aligned.
    pub size: u64,
    /// How many channels share the buffer.
    pub channels: u32,
    /// How the run ended.
    pub status: Status,
    /// The completion time in picoseconds; of a run that did not complete, when it stopped; of a point
    /// told by its bound alone, the bound.
    pub time_ps: u64,
    /// busbw = algbw × numerator / denominator (denominator at least 1); see [`crate::rates`].
    pub bus_factor: (u64, u64),
    /// The lower bound of the completion time in picoseconds.
    pub bound_ps: u64,
    /// The cut that sets the bound, e.g. "nic out".
    pub bound_cut: String,
    /// The traffic of each tier of links, from the cards outwards.
    pub tiers: Vec<TierRecord>,
    /// What was lost and sent again; nothing where no packet can be lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost: Option<LossRecord>,
    /// What packets did; nothing at flow level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub packets: Option<PacketRecord>,
    /// What was built, line by line.
    pub fabric_echo: Vec<String>,
    /// What a reader should know about this point, e.g. a default that was used.
    pub notes: Vec<String>,
    /// The jobs that ran at once; empty for other workloads, and when the run did not complete.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub jobs: Vec<JobRecord>,
    /// How much work the engine did.
    pub counters: Counters,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Status {
    /// Every transfer arrived.
    Complete,
    /// Nothing was simulated: the time is the lower bound of the completion time.
    Bounded {
        /// Why it was not.
        why: String,
    },
    /// Nothing could move any more.
    Stalled {
        /// Who waits for whom.
        why: String,
    },
    /// A sender gave up: it had repeated a packet as often as it may.
    RetryLimit {
        /// Which transfer, and where it is lost.
        why: String,
    },
    /// Some transfers had no way left, and nothing else could move any more.
    Unreachable {
        /// Which ones, how much of them was delivered, and who waits for whom.
        why: String,
    },
    /// The run could not be done.
    Failed {
        /// What went wrong.
        why: String,
    },
    /// Asked to stop before it was done: the record says nothing about the point but how far it came.
    Stopped {
        /// How far it came.
        why: String,
    },
}

/// What was lost and sent again, by transfers; means where losses are averaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LossRecord {
    /// The payload of all transfers in bytes, each counted once.
    #[serde(with = "decimal")]
    pub payload_bytes: u128,
    /// The payload bytes sent again.
    #[serde(with = "decimal")]
    pub repeated_bytes: u128,
    /// How often a sender waited for a timeout, in parts of 10¹².
    #[serde(with = "decimal")]
    pub timeouts: u128,
    /// How many transfers lost something, in parts of 10¹².
    #[serde(with = "decimal")]
    pub hit: u128,
}

/// The traffic of one tier of links.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TierRecord {
    /// The tier's name, e.g. "nic".
    pub tier: String,
    /// The bytes put on its links, both directions together.
    #[serde(with = "decimal")]
    pub bytes: u128,
    /// How busy its busiest link was over the run, in parts per million of what payload may use
    /// (0 … 1,000,000).
    pub utilisation_ppm: u32,
    /// The name of that link.
    pub busiest: String,
}

/// How much work the engine did for a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counters {
    /// Events taken from the queue.
    pub events: u64,
    /// Classes of flows that behave alike.
    pub flow_classes: u64,
    /// Transfers of the schedule.
    #[serde(with = "decimal")]
    pub transfers: u128,
    /// How often rates were solved.
    pub solves: u64,
    /// Steps skipped because the state had recurred.
    pub skipped_steps: u64,
}

impl Status {
    /// In a word or two: "complete", "bound only", "stalled", "retry limit", "unreachable", "failed" or "stopped".
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Bounded { .. } => "bound only",
            Self::Stalled { .. } => "stalled",
            Self::RetryLimit { .. } => "retry limit",
            Self::Unreachable { .. } => "unreachable",
            Self::Failed { .. } => "failed",
            Self::Stopped { .. } => "stopped",
        }
    }

    /// Why the run did not complete; empty when it did.
    pub fn why(&self) -> &str {
        match self {
            Self::Complete => "",
            Self::Bounded { why }
            | Self::Stalled { why }
            | Self::RetryLimit { why }
            | Self::Unreachable { why }
            | Self::Failed { why }
            | Self::Stopped { why } => why,
        }
    }
}

impl Record {
    /// Whether every transfer arrived, so that times and rates mean something.
    pub fn is_complete(&self) -> bool {
        self.status == Status::Complete
    }

    /// The tier with the busiest link, the one nearest to the cards among equals; `None` when
    /// nothing moved.
    pub fn busiest_tier(&self) -> Option<&TierRecord> {
        let most = self.tiers.iter().map(|tier| tier.utilisation_ppm).max()?;
        self.tiers.iter().find(|tier| tier.utilisation_ppm == most && most > 0)
    }

    /// The bytes put on the links of `tier`; 0 when the fabric has no such tier.
    pub fn tier_bytes(&self, tier: &str) -> u128 {
        self.tiers.iter().filter(|record| record.tier == tier).map(|record| record.bytes).sum()
    }

    /// The sweep labels that set apart what should not be compared: not those of fabric, ratio,
    /// algorithm and size, by the words of the axis or by their value.
    pub fn other_labels(&self) -> impl Iterator<Item = &(String, String)> {
        self.labels.iter().filter(|(axis, value)| {
            let told = ["fabric", "workload", "ratio", "algorithm", "size"];
            !told.iter().any(|word| has_word(axis, word)) && !self.tells(value)
        })
    }

    /// The sweep labels of an axis with `word` in its name whose value no field of the record
    /// tells, e.g. the ratio of one tier where the record tells the product of all.
    pub fn labels_about(&self, word: &'static str) -> impl Iterator<Item = &(String, String)> {
        self.labels.iter().filter(move |(axis, value)| has_word(axis, word) && !self.tells(value))
    }

    /// The name of the workload where a label gives one, else collective, algorithm and size.
    pub fn workload(&self) -> String {
        let named = self.labels.iter().find(|(axis, _)| axis == "workload");
        let size = show::size(self.size_asked);
        let plain = || format!("{} {} {size}", self.collective, self.algorithm);
        named.map_or_else(plain, |(_, name)| name.clone())
    }

    /// A name that tells the point from the others of its scenario: fabric, the value on every
    /// sweep axis, workload.
    pub fn name(&self) -> String {
        let mut words = vec![self.fabric.clone()];
        let told = ["fabric", "workload"];
        let swept = self.labels.iter().filter(|(axis, _)| !told.contains(&axis.as_str()));
        words.extend(swept.map(|(axis, value)| format!("{axis}={value}")));
        words.push(self.workload());
        words.join(" ")
    }

    /// Whether a field of the record has this value of a sweep axis.
    fn tells(&self, value: &str) -> bool {
        [&self.fabric, &self.ratio, &self.algorithm].iter().any(|it| *it == value)
    }
}

/// Whether `word` stands in the name of a sweep axis.
fn has_word(axis: &str, word: &str) -> bool {
    axis.split(|letter: char| !letter.is_alphanumeric()).any(|part| part == word)
}

/// Integers beyond 2⁵³ as decimal strings: JSON readers keep numbers as doubles.
mod decimal {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(value: &u128, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(value)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u128, D::Error> {
        let text = String::deserialize(from)?;
        text.parse().map_err(|_| D::Error::custom(format!("`{text}` is not a whole number")))
    }
}

#[cfg(test)]
mod tests {
    use crate::example::record;

    #[test]
    fn labels_that_a_field_tells_do_not_set_points_apart() {
        let mut point = record("a", "16:1", 5);
        let label = |axis: &str, value: &str| (axis.to_owned(), value.to_owned());
        point.labels = vec![
            label("fabric", "a"),
            label("leaf ratio", "4:1"),
            label("placement", "random"),
            label("how", "ring"),
            label("oversized", "yes"),
        ];
        let other: Vec<_> = point.other_labels().map(|(axis, _)| axis.as_str()).collect();
        assert_eq!(other, ["placement", "oversized"]);
        let ratios: Vec<_> = point.labels_about("ratio").map(|(_, value)| value.as_str()).collect();
        assert_eq!(ratios, ["4:1"], "one tier's ratio is not the product that the record tells");
        let name = "a leaf ratio=4:1 placement=random how=ring oversized=yes AllReduce ring 1 GiB";
        assert_eq!(point.name(), name);
    }

    #[test]
    fn the_busiest_tier_is_the_innermost_of_equals() {
        let mut point = record("a", "1:1", 5);
        point.tiers[2].utilisation_ppm = 980_000;
        assert_eq!(point.busiest_tier().map(|tier| tier.tier.as_str()), Some("nic"));
        assert_eq!(point.tier_bytes("nic"), 4_000_000_000);
        point.tiers.iter_mut().for_each(|tier| tier.utilisation_ppm = 0);
        assert_eq!(point.busiest_tier(), None);
    }
}
