//! The greatest common divisor, by which shares and ratios are brought to lowest terms.
//!
//! Source: Euclid, *Elements*, book VII, proposition 2; O(log min) divisions.

/// The greatest common divisor, with gcd(0, n) = gcd(n, 0) = n.
///
/// ```
/// assert_eq!(units::gcd(12, 18), 6);
/// assert_eq!(units::gcd(0, 5), 5);
/// ```
pub const fn gcd(mut left: u128, mut right: u128) -> u128 {
    while left != 0 {
        // Division of 64 bits is several times faster than of 128.
        if left <= u64::MAX as u128 && right <= u64::MAX as u128 {
            return gcd_u64(left as u64, right as u64) as u128;
        }
        (left, right) = (right % left, left);
    }
    right
}

/// The same for numbers of 64 bits.
pub const fn gcd_u64(mut left: u64, mut right: u64) -> u64 {
    while left != 0 {
        (left, right) = (right % left, left);
    }
    right
}
