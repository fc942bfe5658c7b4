//! Scratch notes on what forwards, wiped in no time.

/// A number per switch, valid until the next [`wipe`](Self::wipe).
#[derive(Debug)]
pub(super) struct Marks {
    first: u32,
    round: u32,
    /// By switch: the round of its note, and the note.
    notes: Vec<(u32, u32)>,
}

impl Marks {
    /// No notes on `switches` switches, which are the nodes from `first` on.
    pub(super) fn new(first: u32, switches: usize) -> Self {
        Self { first, round: 1, notes: vec![(0, 0); switches] }
    }

    /// Forgets all notes.
    pub(super) fn wipe(&mut self) {
        if self.round == u32::MAX {
            self.notes.fill((0, 0));
            self.round = 0;
        }
        self.round += 1;
    }

    /// Notes `number` on `switch`.
    pub(super) fn set(&mut self, switch: u32, number: u32) {
        self.notes[(switch - self.first) as usize] = (self.round, number);
    }

    /// The note on `switch`.
    pub(super) fn get(&self, switch: u32) -> Option<u32> {
        let (round, number) = self.notes[(switch - self.first) as usize];
        (round == self.round).then_some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wipe_forgets_even_when_rounds_wrap() {
        let mut marks = Marks::new(10, 2);
        marks.set(11, 7);
        assert_eq!((marks.get(10), marks.get(11)), (None, Some(7)));
        marks.round = u32::MAX;
        marks.set(10, 3);
        marks.wipe();
        assert_eq!((marks.get(10), marks.get(11), marks.round), (None, None, 1));
    }
}
