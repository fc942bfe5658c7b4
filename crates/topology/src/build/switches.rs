//! What switches can do beside forwarding.

/// What the switches of a fabric can do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SwitchKind {
    /// They forward.
    #[default]
    Forward,
    /// They also add up what is sent to them and send one message to all that hang on them.
    Reduce,
}
