//! What a run tells.

use collectives::RankId;
use engine::name_of;
use topology::{Fabric, Tier};
use units::{Bytes, Duration, Time};

use crate::Tally;

/// The result of a simulation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Whether everything finished.
    pub status: Status,
    /// When the last lane finished, counted from 0; of a run that does not finish, when the last event
    /// happened; where nothing was simulated, the bound.
    pub makespan: Duration,
    /// When each lane of the schedule finished.
    pub lanes: Vec<Option<Time>>,
    /// When each rank finished the last of its lanes; 0 for a rank without one.
    pub ranks: Vec<Option<Time>>,
    /// The bytes that the schedule puts on the links, without what is sent again; where routes change,
    /// what has been put on them until the end.
    pub traffic: Traffic,
    /// What packets were lost; `None` where nothing can be, or where the run did not finish.
    pub lost: Option<Tally>,
    /// What no run of this schedule on this fabric can be faster than.
    pub bound: Bound,
    /// What the run did.
    pub counters: Counters,
}

/// Whether a run came to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// Every rank did all its steps.
    Finished,
    /// Nothing was simulated: there are so many transfers, each hashed to a path of its own. The makespan
    /// is the lower bound, from loads that were counted transfer by transfer; why, in words.
    Bounded(String),
    /// Nothing moves any more; who waits for whom, a few of them.
    Stalled(Vec<String>),
    /// A sender repeated a packet as often as it may, in vain: the first transfer that was given up.
    /// What depends on it never happens.
    RetryLimit(String),
    /// Some transfers have no way left, and nothing else moves any more.
    Unreachable {
        /// These transfers, by sender, receiver and instant, switches after ranks.
        transfers: Vec<Unreachable>,
        /// Who waits for whom, a few of them.
        waits: Vec<String>,
    },
}

/// A transfer, or the part of one that takes its own path, for which no way is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unreachable {
    /// The sender, a rank or switches that add up.
    pub src: RankId,
    /// The receiver, which cannot be reached; of several switches that add up at least one.
    pub dst: RankId,
    /// When that was certain.
    pub at: Time,
    /// The bytes of the transfer.
    pub asked: Bytes,
    /// Those that had left the sender, in whole bytes.
    pub delivered: Bytes,
}

impl Unreachable {
    /// Says which bytes of it were delivered, and who cannot reach whom from when on.
    pub fn tell(&self, fabric: &Fabric) -> String {
        let (asked, delivered) = (self.asked.as_u64(), self.delivered.as_u64());
        format!("{}: {delivered} of {asked} bytes delivered", self.tell_pair(fabric))
    }

    /// Says who cannot reach whom from when on: "rank 0 cannot reach rank 1 from 60 ms on". Of a set of
    /// switches that add up each has a part of its own, so it takes one of them that is out of reach.
    pub fn tell_pair(&self, fabric: &Fabric) -> String {
        let several =
            |end: RankId| end.switches().is_some_and(|set| fabric.switches_of(set).len() > 1);
        let (src, dst) = (name_of(self.src, fabric), name_of(self.dst, fabric));
        let pair = match (several(self.src), several(self.dst)) {
            (_, true) => format!("{src} cannot reach all of {dst}"),
            (true, false) => format!("not all of {src} can reach {dst}"),
            (false, false) => format!("{src} cannot reach {dst}"),
        };
        format!("{pair} from {} on", self.at)
    }
}

/// Bytes by kind of link, in the order of the tiers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// The tiers that the fabric has.
    pub tiers: Vec<TierTraffic>,
}

/// The traffic of one kind of link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TierTraffic {
    /// The kind of link.
    pub tier: Tier,
    /// Payload bytes put on all its links, both directions, each link counted; rounded up.
    pub bytes: u128,
    /// Payload over capacity × makespan of its busiest link, in parts per million, rounded down.
    pub utilisation_ppm: u32,
    /// The busiest link, as "source → destination".
    pub busiest: String,
}

/// A lower bound of the completion time of this schedule on this fabric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The largest of the times below which some cut or chain cannot be.
    pub time: Duration,
    /// What binds: "nic", "leaf uplinks", "supernode border", "bisection", "chain of steps", …
    pub cut: String,
}

/// The work of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// News and timers handled.
    pub events: u64,
    /// Agents simulated (seats, or classes of seats).
    pub agents: u64,
    /// Flows simulated (transfers repeated over steps, or classes of them).
    pub flows: u64,
    /// Transfers that the schedule consists of.
    pub transfers: u128,
    /// Times that a set of rates was solved.
    pub solves: u64,
    /// Steps of simulated agents that recurrence made unnecessary.
    pub skipped_steps: u64,
}
