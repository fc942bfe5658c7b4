//! Selective repeat: only what is lost is sent again.

use std::collections::VecDeque;

use super::{Progress, Report, Sending};

/// A sending under way.
#[derive(Clone, Copy, Debug)]
struct Flight {
    sequence: u32,
    attempt: u8,
    /// It has come, or counts as lost.
    is_settled: bool,
}

/// A sender that knows of every sending whether it came.
#[derive(Clone, Debug)]
pub(crate) struct Selective {
    window: u32,
    reordering: u32,
    /// All before it have been sent at least once.
    sent: u32,
    /// The sendings from the oldest unsettled one on, by number.
    flights: VecDeque<Flight>,
    /// The number of the first of them.
    base: u32,
    /// Those not settled.
    under_way: u32,
    /// What is to be sent again.
    lost: VecDeque<Sending>,
    /// From the first packet that is not known to have come: which have.
    come: VecDeque<bool>,
    acknowledged: u32,
}

impl Selective {
    pub(super) const fn new(window: u32, reordering: u32) -> Self {
        Self {
            window,
            reordering,
            sent: 0,
            flights: VecDeque::new(),
            base: 0,
            under_way: 0,
            lost: VecDeque::new(),
            come: VecDeque::new(),
            acknowledged: 0,
        }
    }

    /// New packets may be no further ahead of the first missing one than twice the window, which bounds
    /// what both sides remember.
    pub(super) fn can_send(&self, end: u32) -> bool {
        let ahead = self.sent - self.acknowledged;
        let has_new = self.sent < end && ahead / 2 < self.window;
        let has_lost = || self.lost.iter().any(|lost| !self.has_come(lost.sequence));
        self.under_way < self.window && (has_new || has_lost())
    }

    /// Whether a packet that was sent is known to have come.
    fn has_come(&self, sequence: u32) -> bool {
        match sequence.checked_sub(self.acknowledged) {
            Some(place) => self.come[place as usize],
            None => true,
        }
    }

    pub(super) fn send(&mut self, number: u32) -> Sending {
        debug_assert_eq!(number, self.base + self.flights.len() as u32, "sendings are numbered");
        let mut lost = std::iter::from_fn(|| self.lost.pop_front());
        let missing = lost.find(|&lost| match lost.sequence.checked_sub(self.acknowledged) {
            Some(place) => !self.come[place as usize],
            None => false,
        });
        let sending = missing.unwrap_or_else(|| {
            self.sent += 1;
            self.come.push_back(false);
            Sending { sequence: self.sent - 1, attempt: 0 }
        });
        let Sending { sequence, attempt } = sending;
        self.flights.push_back(Flight { sequence, attempt, is_settled: false });
        self.under_way += 1;
        sending
    }

    pub(super) fn on_acknowledged(&mut self, report: Report) -> Progress {
        let mut progress = Progress::None;
        while self.acknowledged < report.count {
            self.arrive(self.acknowledged, &mut progress);
        }
        if report.sequence >= self.acknowledged {
            self.arrive(report.sequence, &mut progress);
        }
        let sure = report.number.saturating_sub(self.reordering.saturating_sub(1));
        self.settle(sure, report.number);
        progress
    }

    /// A packet has come.
    fn arrive(&mut self, sequence: u32, progress: &mut Progress) {
        let place = (sequence - self.acknowledged) as usize;
        let known = &mut self.come[place];
        if !*known {
            *known = true;
            *progress = Progress::Some;
        }
        while self.come.front() == Some(&true) {
            self.come.pop_front();
            self.acknowledged += 1;
        }
    }

    /// Settles the sendings whose packets have come; those before `sure` whose packets have not are
    /// lost, and sending `came` itself is over.
    fn settle(&mut self, sure: u32, came: u32) {
        for place in 0..self.flights.len() {
            let number = self.base + place as u32;
            let flight = self.flights[place];
            if flight.is_settled {
                continue;
            }
            if self.has_come(flight.sequence) || number == came {
                self.flights[place].is_settled = true;
                self.under_way -= 1;
            } else if number < sure {
                self.lose(place);
            } else if number > came {
                break;
            }
        }
        self.forget();
    }

    fn lose(&mut self, place: usize) {
        let flight = &mut self.flights[place];
        flight.is_settled = true;
        self.under_way -= 1;
        let attempt = flight.attempt.saturating_add(1);
        self.lost.push_back(Sending { sequence: flight.sequence, attempt });
    }

    fn forget(&mut self) {
        while self.flights.front().is_some_and(|flight| flight.is_settled) {
            self.flights.pop_front();
            self.base += 1;
        }
    }

    pub(super) fn on_timeout(&mut self) {
        for place in 0..self.flights.len() {
            if !self.flights[place].is_settled {
                self.lose(place);
            }
        }
        self.forget();
    }

    pub(super) const fn acknowledged(&self) -> u32 {
        self.acknowledged
    }

    pub(super) const fn sent(&self) -> u32 {
        self.sent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn send(sender: &mut Selective, numbers: std::ops::Range<u32>) -> Vec<(u32, u8)> {
        numbers.map(|number| sender.send(number)).map(|it| (it.sequence, it.attempt)).collect()
    }

    #[test]
    fn only_what_was_overtaken_is_sent_again() {
        let mut sender = Selective::new(8, 2);
        assert_eq!(send(&mut sender, 0..5), [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0)]);
        // Packet 1 is lost. Its successor overtakes it by one place, which is borne, then the next.
        let report = |sequence, number| Report { sequence, number, count: 1 };
        assert_eq!(sender.on_acknowledged(report(0, 0)), Progress::Some);
        assert_eq!(sender.on_acknowledged(report(2, 2)), Progress::Some);
        assert_eq!(send(&mut sender, 5..6), [(5, 0)]);
        assert_eq!(sender.on_acknowledged(report(3, 3)), Progress::Some);
        assert_eq!(send(&mut sender, 6..8), [(1, 1), (6, 0)]);
        // The second sending of packet 1 is lost as well; sending 8 proves it.
        assert_eq!(send(&mut sender, 8..9), [(7, 0)]);
        assert_eq!(sender.on_acknowledged(report(7, 8)), Progress::Some);
        assert_eq!(send(&mut sender, 9..12), [(4, 1), (5, 1), (1, 2)]);
        assert_eq!(sender.acknowledged(), 1);
    }

    #[test]
    fn a_timeout_sends_everything_again_but_what_came_late() {
        let mut sender = Selective::new(4, 100);
        send(&mut sender, 0..4);
        sender.on_timeout();
        let late = Report { sequence: 0, number: 0, count: 1 };
        assert_eq!(sender.on_acknowledged(late), Progress::Some);
        assert_eq!(send(&mut sender, 4..7), [(1, 1), (2, 1), (3, 1)]);
        assert!(!sender.can_send(4), "there is nothing else to send");
    }
}
