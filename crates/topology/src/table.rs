//! Lists of varying length in one table: row `i` holds the items filed under `i`.

/// Rows of items, frozen.
#[derive(Clone, Debug)]
pub(crate) struct Table<T> {
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy + Default> Table<T> {
    /// Files every item under its row, keeping the order of `entries` within a row.
    ///
    /// Time and memory are linear in rows and entries; `entries` is walked twice.
    pub(crate) fn new(rows: usize, entries: impl Iterator<Item = (usize, T)> + Clone) -> Self {
        let mut starts = vec![0u32; rows + 1];
        for (row, _) in entries.clone() {
            starts[row + 1] += 1;
        }
        for row in 0..rows {
            starts[row + 1] += starts[row];
        }
        let mut items = vec![T::default(); starts[rows] as usize];
        let mut next = starts.clone();
        for (row, item) in entries {
            items[next[row] as usize] = item;
            next[row] += 1;
        }
        Self { starts, items }
    }

    /// Sorts the items within each row.
    pub(crate) fn sort_rows_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K) {
        for row in self.starts.windows(2) {
            self.items[row[0] as usize..row[1] as usize].sort_unstable_by_key(&key);
        }
    }

    /// The items of row `row`.
    pub(crate) fn row(&self, row: usize) -> &[T] {
        &self.items[self.starts[row] as usize..self.starts[row + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_keep_their_order_and_may_be_empty() {
        let table = Table::new(3, [(2, 'a'), (0, 'b'), (2, 'c')].into_iter());
        assert_eq!([table.row(0), table.row(1), table.row(2)], [&['b'][..], &[], &['a', 'c']]);
    }
}
