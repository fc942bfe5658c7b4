//! Runs what peers were measured on by the plain engine, again and again, named on stdin:
//! `echo 'poisson 20' | cargo run --release -p fluid --example peers`.
//!
//! * `poisson N`: 10,000 flows that arrive at 1,024 hosts;
//! * `permutation N`: 10,240 flows at once between 10,240 hosts;
//! * `ring N`: 16 steps of a ring of 10,240 hosts.
//!
//! With N = 0 the world is only read, which tells what of the time is none of the engine's.

#[expect(dead_code, reason = "the test reads when flows finish, and has a fabric more")]
mod fat_tree;

use std::io::{Error, Write as _, read_to_string, stdin, stdout};

use fat_tree::{Case, FatTree, read};
use units::Time;

fn main() -> Result<(), Error> {
    let asked = read_to_string(stdin())?;
    let mut words = asked.split_whitespace();
    let (kind, number) = (words.next(), words.next().and_then(|word| word.parse().ok()));
    let last = match (kind, number) {
        (Some("poisson"), Some(runs)) => {
            let flows = read(include_str!("../../tests/data/simgrid/poisson10k_1024.csv"));
            again(runs, &|| FatTree::SMALL.flows(&flows))
        }
        (Some("permutation"), Some(runs)) => {
            let flows = read(include_str!("../../tests/data/simgrid/perm_10240.csv"));
            again(runs, &|| FatTree::LARGE.flows(&flows))
        }
        (Some("ring"), Some(runs)) => again(runs, &|| FatTree::LARGE.ring(16, 1 << 20)),
        _ => return Err(Error::other("say `poisson N`, `permutation N` or `ring N`")),
    };
    writeln!(stdout(), "{}", last.as_picos())
}

/// When the last of so many runs ended, each from the world as it is given.
fn again(runs: u32, case: &dyn Fn() -> Case) -> Time {
    (0..runs).map(|_| case().run().ended).last().unwrap_or_default()
}
