//! Disjoint sets of things that belong together.

/// A partition of 0 … n − 1 that grows coarser (union–find with path halving).
#[derive(Clone, Debug)]
pub struct DisjointSets {
    parent: Vec<u32>,
}

impl DisjointSets {
    /// Every one of `count` for itself.
    pub fn new(count: usize) -> Self {
        Self { parent: (0..count as u32).collect() }
    }

    /// Makes one set of the sets of `left` and `right`; its root is the smaller of their roots.
    pub fn join(&mut self, left: u32, right: u32) {
        let (left, right) = (self.root(left), self.root(right));
        self.parent[left.max(right) as usize] = left.min(right);
    }

    /// The smallest member of the set of `one`.
    pub fn root(&mut self, mut one: u32) -> u32 {
        while self.parent[one as usize] != one {
            let above = self.parent[self.parent[one as usize] as usize];
            self.parent[one as usize] = above;
            one = above;
        }
        one
    }

    /// The set of each, numbered by first appearance, and the number of sets.
    pub fn numbered(mut self) -> (Vec<u32>, usize) {
        let mut number = vec![u32::MAX; self.parent.len()];
        let mut sets = 0;
        let of = (0..self.parent.len() as u32)
            .map(|one| {
                let root = self.root(one) as usize;
                if number[root] == u32::MAX {
                    number[root] = sets;
                    sets += 1;
                }
                number[root]
            })
            .collect();
        (of, sets as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_sets_are_numbered_by_first_appearance() {
        let mut sets = DisjointSets::new(6);
        sets.join(5, 1);
        sets.join(1, 3);
        sets.join(4, 2);
        assert_eq!(sets.root(5), 1);
        assert_eq!(sets.numbered(), (vec![0, 1, 2, 1, 2, 1], 3));
    }
}
