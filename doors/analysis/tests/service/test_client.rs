//! A service with small engines, and a client whose answers can be read.

use std::sync::mpsc::{Receiver, channel};

use jigo_analysis::{AnalysisService, Client, Options};
use jigo_board::{Game, Rules};
use jigo_engine::{Engine, Parameters};
use jigo_search::TreeSearcher;
use serde_json::Value;

pub fn service(workers: usize) -> AnalysisService {
    let make_engine = || {
        let mut parameters = Parameters::default();
        parameters.searching.search.tree_megabytes = 8;
        let searcher = TreeSearcher::new(parameters.searching.clone(), None, 1, 1);
        let mut engine = Engine::new(Game::new(9, Rules::default()), Box::new(searcher), 1);
        engine.set_parameters(parameters).unwrap();
        engine
    };
    AnalysisService::new(Box::new(make_engine), Options { workers, default_visits: 20, ..Options::default() })
}

/// One who asks and can read the answers in the order in which they came.
pub struct TestClient {
    pub client: Client,
    answers: Receiver<String>,
}

impl TestClient {
    pub fn at(service: &AnalysisService) -> TestClient {
        let (sender, answers) = channel();
        // Answers that come after the client is gone are nobody's.
        TestClient { client: service.client(move |line| drop(sender.send(line))), answers }
    }

    pub fn ask(&self, query: &Value) {
        self.client.line(&query.to_string());
    }

    /// The next answer, which is coming.
    pub fn answer(&self) -> Value {
        serde_json::from_str(&self.answers.recv().expect("an answer comes")).expect("answers are JSON")
    }

    /// Everything that was answered by the time nothing was left to do.
    pub fn all_answers(&self) -> Vec<Value> {
        self.client.wait();
        self.answers.try_iter().map(|line| serde_json::from_str(&line).expect("answers are JSON")).collect()
    }
}
