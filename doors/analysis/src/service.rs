//! The service: workers, each with an engine of its own, and clients who send lines and are sent lines.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread::{self, JoinHandle};

use jigo_engine::{Engine, NetCard, NetCollection};
use serde_json::{Map, Value, json};
use tracing::{debug, trace};

use crate::fault::Fault;
use crate::message::{Message, Refused};
use crate::queue::{ClientId, Queue, Sink};
use crate::render::no_results;
use crate::serve::LONGEST_LINE;
use crate::settings::Viewpoint;
use crate::worker::work;

/// Called by a worker when its first position comes. The engine's threads are its share of the machine's.
pub type MakeEngine = Box<dyn Fn() -> Engine + Send + Sync>;

/// What a service is started with.
#[derive(Clone)]
pub struct Options {
    /// Positions that are analysed at the same time.
    pub workers: usize,
    /// For queries that name no `maxVisits`.
    pub default_visits: u64,
    /// For queries without `reportAnalysisWinratesAs`.
    pub viewpoint: Viewpoint,
    /// What `query_version` and `query_models` tell. The commit may be unknown.
    pub version: String,
    pub commit: Option<String>,
    pub models: Vec<NetCard>,
    /// So many positions a net looks at together at most.
    pub largest_batch: u32,
    /// The nets that a query may name as its `model`.
    pub nets: Option<Arc<dyn NetCollection>>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            workers: 1,
            default_visits: 500,
            viewpoint: Viewpoint::Black,
            version: env!("CARGO_PKG_VERSION").into(),
            commit: None,
            models: Vec::new(),
            largest_batch: 1,
            nets: None,
        }
    }
}

impl Options {
    /// Is there somebody to ask how people play, among the nets in use or as the net of this name?
    pub(crate) fn knows_people(&self, model: Option<&str>) -> bool {
        let named = self.nets.iter().flat_map(|nets| nets.cards()).filter(|card| model == Some(card.name.as_str()));
        self.models.iter().cloned().chain(named).any(|card| card.knows_people)
    }
}

/// Answers any number of clients. When it is dropped, everything under way ends and the threads are gone.
pub struct AnalysisService {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
}

/// What workers and clients share.
pub(crate) struct Shared {
    pub queue: Queue,
    pub make_engine: MakeEngine,
    /// Counted up by `clear_cache`: a worker whose engine is older makes a new one.
    pub generation: AtomicU64,
    pub options: Options,
    next_client: AtomicU64,
}

impl AnalysisService {
    pub fn new(make_engine: MakeEngine, options: Options) -> AnalysisService {
        let count = options.workers.max(1);
        let shared = Arc::new(Shared {
            queue: Queue::default(),
            make_engine,
            generation: AtomicU64::new(0),
            options,
            next_client: AtomicU64::new(0),
        });
        let start = |index: usize| {
            let shared = shared.clone();
            thread::Builder::new().name(format!("analysis-{index}")).spawn(move || work(&shared)).ok()
        };
        let workers = (0..count).filter_map(start).collect();
        AnalysisService { shared, workers }
    }

    /// A new client. Answers to its lines go to the sink, from several threads and in any order; the sink should not
    /// keep them waiting.
    pub fn client(&self, sink: impl Fn(String) + Send + Sync + 'static) -> Client {
        let id = ClientId(self.shared.next_client.fetch_add(1, Relaxed));
        Client { shared: self.shared.clone(), id, sink: Arc::new(sink) }
    }
}

impl Drop for AnalysisService {
    fn drop(&mut self) {
        self.shared.queue.close();
        for worker in self.workers.drain(..) {
            // A worker that panicked has nothing more to tell.
            let _ = worker.join();
        }
    }
}

/// One who asks. When it is dropped, nothing more is done or said for it.
pub struct Client {
    shared: Arc<Shared>,
    id: ClientId,
    sink: Sink,
}

impl Client {
    /// Takes one line, without its line feed; it returns at once. Blank lines mean nothing.
    pub fn line(&self, line: &str) {
        if line.len() > LONGEST_LINE {
            return self.refuse_overlong_line();
        }
        if line.trim().is_empty() {
            return;
        }
        trace!(client = self.id.0, "< {line}");
        if let Err(Refused { fault, id }) = self.respond(line) {
            debug!(client = self.id.0, id, fault = fault.message, "refused");
            (self.sink)(fault.error_line(id.as_deref()));
        }
    }

    /// For those who do not even read such a line to its end.
    pub fn refuse_overlong_line(&self) {
        (self.sink)(Fault::new(format!("the line is longer than {LONGEST_LINE} bytes")).error_line(None));
    }

    /// For whoever finds out that nobody reads the answers any more: ends everything asked so far.
    pub fn hang_up(&self) -> impl Fn() + Send + Sync + 'static {
        let (shared, id) = (self.shared.clone(), self.id);
        move || drop(shared.queue.terminate(id, None, None))
    }

    /// Returns when everything asked so far is answered.
    pub fn wait(&self) {
        self.shared.queue.wait_for(self.id);
    }

    fn respond(&self, line: &str) -> Result<(), Refused> {
        let (shared, options) = (&self.shared, &self.shared.options);
        match Message::read(line, options)? {
            Message::Analyse { query, turns, warnings } => {
                let id = query.id.clone();
                debug!(client = self.id.0, id, positions = turns.len(), "query");
                for warning in &warnings {
                    (self.sink)(warning.warning_line(Some(&id)));
                }
                let pushed = shared.queue.push(self.id, self.sink.clone(), *query, &turns, line.len());
                pushed.map_err(|fault| Refused { fault, id: Some(id) })?;
            }
            Message::Terminate { id, turns, echo } => {
                debug!(client = self.id.0, id, "terminate");
                let dropped = shared.queue.terminate(self.id, id.as_deref(), turns.as_deref());
                (self.sink)(echo.to_string());
                for job in dropped {
                    (self.sink)(no_results(&job));
                }
            }
            Message::ClearCache { echo } => {
                shared.generation.fetch_add(1, Relaxed);
                (self.sink)(echo.to_string());
            }
            Message::QueryVersion { echo } => {
                let told =
                    json!({ "version": options.version, "git_hash": options.commit.as_deref().unwrap_or("<omitted>") });
                (self.sink)(with_fields(echo, told));
            }
            Message::QueryModels { echo } => {
                let model = |card: &NetCard| model(card, options.largest_batch);
                let models: Vec<Value> = options.models.iter().map(model).collect();
                let others: Vec<Value> =
                    options.nets.iter().flat_map(|nets| nets.cards()).map(|card| model(&card)).collect();
                (self.sink)(with_fields(echo, json!({ "models": models, "available": others })));
            }
        }
        Ok(())
    }
}

/// As KataGo tells it; nothing is computed in floating point of 16 bits.
fn model(card: &NetCard, largest_batch: u32) -> Value {
    json!({
        "name": card.name, "internalName": card.internal_name, "usesHumanSLProfile": card.knows_people,
        "version": card.version, "maxBatchSize": largest_batch, "usingFP16": "false",
    })
}

fn with_fields(mut echo: Map<String, Value>, told: Value) -> String {
    if let Value::Object(fields) = told {
        echo.extend(fields);
    }
    Value::Object(echo).to_string()
}

impl Drop for Client {
    fn drop(&mut self) {
        self.shared.queue.terminate(self.id, None, None);
    }
}
