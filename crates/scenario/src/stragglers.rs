//! From the checked fields of late and slow ranks to how each rank behaves.

use std::collections::BTreeSet;

use engine::Costs;
use fluid::Conduct;
use report::show;
use units::{Duration, Ratio, Time};

use crate::unfit::Unfit;
use crate::value::{Fields, Value};
use crate::{Keys, Purpose};

/// Ranks that have something in common, by the entries of a list.
type Entries<T> = Vec<(Vec<u32>, T)>;

/// Who is late or slow.
#[derive(Clone, Debug)]
pub(crate) struct Stragglers {
    late: Entries<Duration>,
    /// The most that a rank is late at random.
    jitter: Duration,
    slow: Entries<Ratio>,
    clocks: Entries<Duration>,
}

impl Stragglers {
    /// The stragglers that the fields describe.
    pub(crate) fn new(fields: &Fields) -> Self {
        Self {
            late: entries(fields, "late", |entry| entry.duration("by")),
            jitter: fields.duration("jitter"),
            slow: entries(fields, "slow", |entry| entry.ratio("factor")),
            clocks: entries(fields, "clocks", |entry| entry.duration("ahead")),
        }
    }

    /// Whether all ranks behave alike.
    pub(crate) fn are_none(&self) -> bool {
        self.late.is_empty() && self.jitter == Duration::ZERO && self.slow.is_empty()
    }

    /// The lists with the ranks of their entries.
    fn lists(&self) -> [(&'static str, Vec<&[u32]>); 3] {
        fn ranks<T>(entries: &Entries<T>) -> Vec<&[u32]> {
            entries.iter().map(|(ranks, _)| ranks.as_slice()).collect()
        }
        [("late", ranks(&self.late)), ("slow", ranks(&self.slow)), ("clocks", ranks(&self.clocks))]
    }

    /// Refuses a rank that stands twice in a list.
    pub(crate) fn check(&self) -> Result<(), Unfit> {
        for (list, entries) in self.lists() {
            let mut known = BTreeSet::new();
            for (entry, ranks) in entries.into_iter().enumerate() {
                if let Some(rank) = ranks.iter().find(|&&rank| !known.insert(rank)) {
                    let found = format!("rank {rank} stands twice in `{list}`");
                    return Err(Unfit::Straggler { list, entry, found });
                }
            }
        }
        Ok(())
    }

    /// Refuses ranks that do not exist.
    pub(crate) fn fit(&self, all: u32) -> Result<(), Unfit> {
        for (list, entries) in self.lists() {
            for (entry, ranks) in entries.into_iter().enumerate() {
                if let Some(rank) = ranks.iter().find(|&&rank| rank >= all) {
                    let found = format!("rank {rank} does not exist: there are {all} ranks");
                    return Err(Unfit::Straggler { list, entry, found });
                }
            }
        }
        Ok(())
    }

    /// How each rank of job number `job` behaves.
    pub(crate) fn conducts(
        &self,
        ranks: u32,
        costs: Costs,
        (job, keys): (u32, Keys),
    ) -> Vec<Conduct> {
        let most = u128::from(self.jitter.as_picos()) + 1;
        let jitter = |rank: u32| {
            // At most 2²⁸ ranks of 2¹⁴ jobs share the 2⁴² entities of a purpose.
            let key = keys.key(Purpose::Lateness, u64::from(job) << 28 | u64::from(rank));
            Duration::from_picos(((u128::from(key) * most) >> 64) as u64)
        };
        let mut conducts = vec![Conduct::plain(costs); ranks as usize];
        if self.jitter > Duration::ZERO {
            for (rank, conduct) in conducts.iter_mut().enumerate() {
                conduct.late = jitter(rank as u32);
            }
        }
        for (late, by) in &self.late {
            for &rank in late {
                let conduct = &mut conducts[rank as usize];
                // Beyond the range of time the run says so.
                conduct.late = conduct.late.checked_add(*by).unwrap_or(Duration::MAX);
            }
        }
        for (slow, factor) in &self.slow {
            for &rank in slow {
                conducts[rank as usize].slowness = *factor;
            }
        }
        conducts
    }

    /// What a reader should know about them.
    pub(crate) fn notes(&self) -> Vec<String> {
        let time = |span: &Duration| show::time(span.as_picos());
        let mut notes = Vec::new();
        for (ranks, by) in &self.late {
            notes.push(format!("late by {}: {}", time(by), told(ranks)));
        }
        if self.jitter > Duration::ZERO {
            notes.push(format!("every rank late by up to {} at random", time(&self.jitter)));
        }
        for (ranks, factor) in &self.slow {
            notes.push(format!("slow, {factor}: {}", told(ranks)));
        }
        notes
    }

    /// When ranks end by clocks that are ahead; `ends` are those of all ranks by the clock of the run.
    pub(crate) fn clock_notes(&self, ends: &[Option<Time>]) -> Vec<String> {
        let mut notes = Vec::new();
        for (ranks, ahead) in &self.clocks {
            for &rank in ranks {
                let Some(end) = ends[rank as usize] else { continue };
                let end = end.as_picos();
                let own = end.saturating_add(ahead.as_picos());
                notes.push(format!(
                    "rank {rank} ends at {}, at {} by its own clock",
                    show::time(end),
                    show::time(own)
                ));
            }
        }
        notes
    }
}

/// "rank 3" or "ranks 3, 4 and 5"; of many the first and how many more.
fn told(ranks: &[u32]) -> String {
    const NAMED: usize = 8;
    let names: Vec<String> = ranks.iter().take(NAMED).map(u32::to_string).collect();
    match ranks.len() {
        1 => format!("rank {}", names[0]),
        more if more > NAMED => format!("ranks {} and {} more", names.join(", "), more - NAMED),
        _ => format!("ranks {}", names.join(", ")),
    }
}

fn entries<T>(fields: &Fields, list: &str, value: impl Fn(&Fields) -> T) -> Entries<T> {
    let entry = |item: &Value| {
        let fields = item.fields();
        (fields.list("ranks").iter().map(Value::count32).collect(), value(fields))
    };
    fields.list(list).iter().map(entry).collect()
}
