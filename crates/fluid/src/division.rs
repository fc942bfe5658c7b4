//! Division of numbers that are wide only now and then.

/// ⌊left / right⌋; most numbers here fit 64 bits, whose division is several times faster.
pub(crate) fn quotient(left: u128, right: u128) -> u128 {
    match (u64::try_from(left), u64::try_from(right)) {
        (Ok(left), Ok(right)) => u128::from(left / right),
        _ => left / right,
    }
}
