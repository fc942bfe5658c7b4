//! An all-to-all-v by a table of sizes.

use std::sync::Arc;

use units::{Bytes, Time};

use crate::draft::{Draft, Task, stage};
use crate::{Action, Pattern, Payload, RankId, Refusal, Schedule};

/// The most ranks of a table.
const MAX_RANKS: usize = 1_024;

/// The schedule in which rank i sends `table[i][j]` bytes to rank j, all at once; what is 0 is not
/// sent, and what a rank has for itself stays where it is.
///
/// # Errors
/// A [`Refusal`] for a table that is empty, not square, or too large.
pub fn exchange(table: &[Vec<Bytes>]) -> Result<Schedule, Refusal> {
    let ranks = table.len();
    if ranks == 0 {
        return Err(Refusal::EmptyGroup { group: 0 });
    }
    if ranks > MAX_RANKS {
        let pairs = |ranks: usize| ranks as u64 * (ranks as u64 - 1);
        return Err(Refusal::TooManyPairs { pairs: pairs(ranks), limit: pairs(MAX_RANKS) });
    }
    let mut ends = Vec::with_capacity(ranks * ranks);
    let mut pairs = Vec::new();
    for (row, sizes) in table.iter().enumerate() {
        if sizes.len() != ranks {
            return Err(Refusal::UnevenTable { row, found: sizes.len(), ranks });
        }
        let mut end = 0_u64;
        for (column, size) in sizes.iter().enumerate() {
            end = end.saturating_add(size.as_u64());
            ends.push(end);
            if row != column && *size > Bytes::ZERO {
                pairs.push((row as u32, column as u32));
            }
        }
    }
    let mut draft = Draft::new(Time::ZERO);
    let seats = (0..ranks as u32).map(RankId).collect();
    let task = Task { seats, range: 0..0, channel: 0, after: Vec::new() };
    let payload = Payload::Listed(Arc::from(ends));
    draft.lane("exchange", &task, vec![stage(Pattern::List(pairs), payload, Action::Store, 1)]);
    Ok(draft.finish(ranks as u32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::{Receipt, Start, execute};

    fn table(sizes: &[&[u64]]) -> Vec<Vec<Bytes>> {
        sizes.iter().map(|row| row.iter().copied().map(Bytes::new).collect()).collect()
    }

    #[test]
    fn each_rank_gets_what_the_table_says() {
        let schedule = exchange(&table(&[&[9, 5, 0], &[2, 0, 3], &[0, 4, 7]])).expect("square");
        let held = execute(&schedule, &Start::Blocks, &mut |_| 0).expect("it ends");
        let receipt =
            |src, dst, bytes| Receipt { group: 0, dst: RankId(dst), src: RankId(src), bytes };
        let mut received = held.received;
        received.sort();
        assert_eq!(
            received,
            [
                receipt(1, 0, (0, 2)),
                receipt(0, 1, (9, 14)),
                receipt(2, 1, (0, 4)),
                receipt(1, 2, (2, 5))
            ]
        );
        assert_eq!(held.bytes, 5 + 2 + 3 + 4);
    }

    #[test]
    fn tables_that_are_not_square_are_refused() {
        let refused = exchange(&table(&[&[0, 1], &[2]])).map(|_| ());
        assert_eq!(refused, Err(Refusal::UnevenTable { row: 1, found: 1, ranks: 2 }));
        assert_eq!(exchange(&[]).map(|_| ()), Err(Refusal::EmptyGroup { group: 0 }));
    }
}
