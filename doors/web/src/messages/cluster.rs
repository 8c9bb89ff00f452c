//! The machines that think along, as their owner sees them.

use serde::Serialize;

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ClusterView {
    pub searching: bool,
    /// Simulations of all machines in this search, or the last one.
    pub playouts: u64,
    pub received: FlowView,
    pub sent: FlowView,
    /// Messages that were too large, unreadable or of another version.
    pub dropped: u64,
    pub machines: Vec<MachineView>,
}

/// What goes over the network in a second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct FlowView {
    pub messages: f64,
    pub bytes: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MachineView {
    pub name: String,
    pub threads: u16,
    pub state: MachineState,
    /// Why it was refused or declines.
    pub reason: Option<String>,
    pub playouts: u64,
    pub playouts_per_second: f64,
    /// Since its last message.
    pub lag_ms: u64,
    /// Received from it.
    pub bytes: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MachineState {
    Here,
    Gone,
    /// Its version or net is another one.
    Refused,
    /// It cannot take part in this search.
    Declines,
}
