//! How large a fabric may be, checked by estimate before anything is built.

use crate::BuildError;

/// The most cards of one fabric.
pub const MAX_CARDS: u64 = 2_000_000;

/// The most one-way links of one fabric.
pub const MAX_LINKS: u64 = 40_000_000;

/// Refuses more than [`MAX_CARDS`] cards.
pub(super) fn check_cards(cards: u64) -> Result<(), BuildError> {
    if cards > MAX_CARDS {
        return Err(BuildError::TooManyCards { cards, limit: MAX_CARDS });
    }
    Ok(())
}

/// Refuses more than [`MAX_LINKS`] one-way links.
pub(super) fn check_links(links: u128) -> Result<(), BuildError> {
    if links > u128::from(MAX_LINKS) {
        return Err(BuildError::TooManyLinks { links, limit: MAX_LINKS });
    }
    Ok(())
}

/// Refuses a fabric of too many cards or one-way links.
pub(super) fn check((cards, links): (u64, u128)) -> Result<(), BuildError> {
    check_cards(cards)?;
    check_links(links)
}
