//! The machines of a cluster for the page that shows them.

use jigo_cluster::{ClusterStatus, CoordinatorService, WorkerStatus};
use jigo_web::{ClusterView, FlowView, MachineState, MachineView};

use crate::engine_options::EngineMaker;

type Look = Box<dyn Fn() -> ClusterView + Send + Sync>;

/// A look at the machines that think along, if there are any.
pub fn look(maker: &EngineMaker) -> Option<Look> {
    // Somebody listens from the beginning, so that workers are seen before anybody thinks.
    let service = CoordinatorService::new(maker.cluster.as_ref()?);
    Some(Box::new(move || ClusterStatus::together(service.status()).as_ref().map(view).unwrap_or_default()))
}

fn view(status: &ClusterStatus) -> ClusterView {
    let traffic = &status.traffic;
    let each_second = |messages: u64, bytes: u64| {
        let seconds = status.seconds.max(1.0);
        FlowView { messages: messages as f64 / seconds, bytes: bytes as f64 / seconds }
    };
    let machine = |worker: &WorkerStatus| MachineView {
        name: worker.name.clone(),
        threads: worker.threads,
        state: match (&worker.refused, &worker.declines, worker.is_alive) {
            (Some(_), _, _) => MachineState::Refused,
            (None, Some(_), true) => MachineState::Declines,
            (None, None, true) => MachineState::Here,
            (None, _, false) => MachineState::Gone,
        },
        reason: worker.refused.clone().or_else(|| worker.declines.clone()),
        playouts: worker.playouts,
        playouts_per_second: worker.playouts_per_second,
        lag_ms: worker.silent_ms,
        bytes: worker.traffic.bytes_in,
    };
    let mut machines: Vec<MachineView> = status.workers.iter().map(machine).collect();
    machines.sort_by(|a, b| a.name.cmp(&b.name));
    ClusterView {
        searching: status.is_searching,
        playouts: status.playouts_in_search,
        received: each_second(traffic.messages_in, traffic.bytes_in),
        sent: each_second(traffic.messages_out, traffic.bytes_out),
        dropped: traffic.oversize + traffic.malformed + traffic.foreign,
        machines,
    }
}
