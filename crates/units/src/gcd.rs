//! The greatest common divisor, by which shares and ratios are brought to lowest terms.

/// The greatest common divisor, with gcd(0, n) = gcd(n, 0) = n.
///
/// Source: Euclid, *Elements*, book VII, proposition 2; O(log min) divisions.
///
/// ```
/// assert_eq!(units::gcd(12, 18), 6);
/// assert_eq!(units::gcd(0, 5), 5);
/// ```
pub const fn gcd(mut left: u128, mut right: u128) -> u128 {
    while left != 0 {
        (left, right) = (right % left, left);
    }
    right
}
