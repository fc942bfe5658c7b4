//! Dense numbers of cards, nodes, links and supernodes.

/// Declares one dense id: a `u32` newtype that indexes a table.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The number as an index into a table.
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id! {
    /// An accelerator card: 0 … cards − 1, in the order of attachment.
    CardId
}

id! {
    /// A card or a switch: card `i` is node `i`, switches follow.
    NodeId
}

id! {
    /// A one-way link; links 2k and 2k + 1 are the two directions of one cable.
    LinkId
}

id! {
    /// A supernode (or server): 0 … supernodes − 1.
    SupernodeId
}

impl CardId {
    /// The node of this card.
    pub const fn node(self) -> NodeId {
        NodeId(self.0)
    }
}

impl LinkId {
    /// The other direction of the same cable.
    #[must_use]
    pub const fn reverse(self) -> Self {
        Self(self.0 ^ 1)
    }
}
