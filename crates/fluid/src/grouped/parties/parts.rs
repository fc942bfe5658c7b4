//! Small groups as others see them: told apart, counted, moved in time.

use engine::{Digest, Error};
use units::{Duration, Time};

use super::{Group, Parties, Track, members};

impl Parties<'_> {
    /// The same of some of the groups, between two instants, with the flows called by other names.
    pub(in crate::grouped) fn part(&self, groups: &[u32], name: impl Fn(u32) -> u32) -> Self {
        let of = |group: u32| &self.groups[group as usize];
        let mut part = Self::new(groups.iter().map(|&group| of(group).small));
        for (new, &group) in groups.iter().enumerate() {
            part.groups[new].active = of(group).active;
            for index in members(of(group).active) {
                let here = of(group).first as usize + index;
                let there = part.groups[new].first as usize + index;
                let Track { left, since, rate, flow, .. } = self.tracks[here];
                let fresh = part.tracks[there];
                part.tracks[there] = Track { left, since, rate, flow: name(flow), ..fresh };
                part.ends.set(there, self.ends.get(here));
            }
        }
        part
    }

    /// The group of a track, and the track's index in it.
    pub(in crate::grouped) fn place(&self, track: u32) -> (u32, u32) {
        let group = self.tracks[track as usize].group;
        (group, track - self.groups[group as usize].first)
    }

    /// How many tracks a group has.
    pub(in crate::grouped) fn tracks_of(&self, group: u32) -> u32 {
        self.groups[group as usize].tracks
    }

    /// How many groups there are.
    pub(in crate::grouped) const fn groups(&self) -> usize {
        self.groups.len()
    }

    /// The tracks under way.
    fn under_way(&self) -> impl Iterator<Item = usize> {
        let of = |group: &Group<'_>| (group.first as usize, group.active);
        let groups = self.groups.iter().map(of);
        groups.flat_map(|(first, active)| members(active).map(move |index| first + index))
    }

    /// Adds the state relative to `now`.
    pub(in crate::grouped) fn digest(&self, now: Time, digest: &mut Digest) {
        for track in self.under_way() {
            let Track { left, since, rate, flow, .. } = self.tracks[track];
            let left = left - u128::from(rate) * u128::from(now.since(since).as_picos());
            let words = [left as u64, (left >> 64) as u64, rate];
            digest.add(0x40 | u64::from(flow) << 8, words);
        }
    }

    /// Moves every instant later.
    pub(in crate::grouped) fn shift(&mut self, by: Duration) -> Result<(), Error> {
        let later = |at: Time| at.checked_add(by).ok_or(Error::TimeRange);
        let tracks: Vec<usize> = self.under_way().collect();
        for track in tracks {
            self.tracks[track].since = later(self.tracks[track].since)?;
            let end = self.ends.get(track);
            if end < Time::MAX {
                self.ends.set(track, later(end)?);
            }
        }
        Ok(())
    }
}
