//! `cargo xtask worlds`: every reduction against the plain way on thousands of random worlds.

use crate::checks::Step;

/// The properties that draw worlds, each at least so many times, and the named worlds of 1,024 cards.
pub(crate) const WORLDS: [Step; 1] = [Step {
    arguments: &[
        "test",
        "--release",
        "--package",
        "fluid",
        "--test",
        "suite",
        "--",
        "reductions",
        "trees",
        "in_network",
        "named_worlds",
    ],
    environment: &[("PROPTEST_CASES", "10000")],
}];
