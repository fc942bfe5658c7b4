//! From the checked fields of single lost packets to what the packet level takes.

use packet::CardDrop;
use topology::{Fabric, FaultError};

use crate::value::{Fields, Value};

/// Packets that links of a fabric lose.
#[derive(Clone, Debug)]
pub(crate) struct DropCase {
    from: String,
    to: String,
    sender: String,
    receiver: String,
    packets: Vec<u32>,
    sending: u8,
}

impl DropCase {
    /// The entries of the list of a fabric.
    pub(crate) fn list(fields: &Fields) -> Vec<Self> {
        fields.list("drops").iter().map(Self::new).collect()
    }

    fn new(value: &Value) -> Self {
        let fields = value.fields();
        Self {
            from: fields.text("from"),
            to: fields.text("to"),
            sender: fields.text("sender"),
            receiver: fields.text("receiver"),
            packets: fields.list("packets").iter().map(Value::count32).collect(),
            sending: u8::try_from(fields.count("sending")).expect("the table bounds the count"),
        }
    }

    /// The packets on a built fabric, on each of the links between the nodes.
    ///
    /// # Errors
    /// A node that is not there, a switch for a card, or nodes without a link.
    pub(crate) fn on(&self, fabric: &Fabric) -> Result<Vec<CardDrop>, FaultError> {
        let (src, dst) = (fabric.card_named(&self.sender)?, fabric.card_named(&self.receiver)?);
        let links = fabric.links_between(&self.from, &self.to)?;
        let packets = links.iter().flat_map(|&link| self.packets.iter().map(move |&it| (link, it)));
        let attempt = self.sending;
        let drop = |(link, sequence)| CardDrop { src, dst, link, sequence, attempt };
        Ok(packets.map(drop).collect())
    }

    /// The entry in words.
    pub(crate) fn line(&self) -> String {
        let Self { from, to, sender, receiver, packets, sending } = self;
        let packets: Vec<String> = packets.iter().map(ToString::to_string).collect();
        let packets = packets.join(", ");
        format!(
            "lossy: {from} → {to} loses packets {packets} of {sender} → {receiver}, sending {sending}"
        )
    }
}
