//! A server of our own and a tab on it.

use std::collections::VecDeque;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use jigo_board::{Game, Rules};
use jigo_engine::{Engine, Human, Level, NetCard, NetCollection, OpenNet};
use jigo_katago::KataNet;
use jigo_net::Net;
use jigo_search::{Parameters, TreeSearcher};
use jigo_web::{ClusterView, Minds, Server};
use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::handshake::client::Request;
use tungstenite::{Message, WebSocket};

/// A test that waits longer than this for one message has failed.
const PATIENCE: Duration = Duration::from_secs(60);

/// The engine of this level panics.
pub const BROKEN_LEVEL: u64 = 12;

/// A door with quick minds: no net, one thread, a handful of simulations.
pub struct Door {
    pub address: SocketAddr,
    folder: tempfile::TempDir,
}

impl Door {
    pub fn open() -> Door {
        let folder = tempfile::tempdir().unwrap();
        let address = serve(folder.path());
        Door { address, folder }
    }

    /// Another door over the same saved games, as after a restart. (The old one has the folder until this process ends, so the new one
    /// gets a copy.)
    pub fn reopen(self) -> Door {
        let folder = tempfile::tempdir().unwrap();
        for file in std::fs::read_dir(self.folder.path()).unwrap().map(Result::unwrap) {
            if file.path().extension().is_some_and(|end| end == "sgf") {
                std::fs::copy(file.path(), folder.path().join(file.file_name())).unwrap();
            }
        }
        Door { address: serve(folder.path()), folder }
    }

    pub fn tab(&self) -> Tab {
        Tab::connect(self.address).unwrap()
    }

    /// The answer to raw bytes, to the end of the connection.
    pub fn raw(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Status and body of an HTTP request from a well-behaved program.
    pub fn http(&self, method: &str, path: &str, body: Option<&Value>) -> (u16, String) {
        let body = body.map(Value::to_string).unwrap_or_default();
        let answer = self.raw(&format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            self.address,
            body.len(),
        ));
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        (status, body.to_owned())
    }
}

fn serve(folder: &Path) -> SocketAddr {
    let server = Server::bind("127.0.0.1:0".parse().unwrap(), None, folder, minds()).unwrap();
    let address = server.address().unwrap();
    std::thread::spawn(move || server.run());
    address
}

/// The embedded net, and a tiny one that knows people.
struct TwoNets;

fn card(name: &str, knows_people: bool) -> NetCard {
    NetCard { knows_people, ..NetCard::ours(name) }
}

impl NetCollection for TwoNets {
    fn cards(&self) -> Vec<NetCard> {
        vec![card("embedded", false), card("people", true)]
    }

    fn open(&self, name: &str) -> Result<OpenNet, String> {
        match name {
            "embedded" => Ok(OpenNet { card: card(name, false), net: Some(Net::embedded()), human: None }),
            "people" => {
                let bytes = include_bytes!("../../../../mind/katago/tests/data/tiny-v15-meta.bin.gz");
                let net = Arc::new(KataNet::read(bytes).map_err(|error| error.to_string())?);
                let human = Human::new(net.clone(), None).ok();
                Ok(OpenNet { card: card(name, true), net: Some(net), human })
            }
            _ => Err("no such net".into()),
        }
    }
}

fn minds() -> Minds {
    let searcher = || {
        let mut parameters = Parameters::default();
        parameters.search.tree_megabytes = 16;
        Box::new(TreeSearcher::new(parameters, None, 1, 7))
    };
    let game = || Game::new(9, Rules::default());
    Minds {
        player: Box::new(move |level: Level| {
            assert_ne!(level.number, BROKEN_LEVEL, "this opponent is made to fail");
            let mut engine = Engine::new(game(), searcher(), 7);
            engine.set_level(level);
            engine
        }),
        analyst: Box::new(move || Engine::new(game(), searcher(), 7)),
        // The protocol has tests of its own; here its lines only have to arrive.
        analysis: Box::new(|answer| Box::new(move |line: &str| answer(format!("heard {line}")))),
        nets: Arc::new(TwoNets),
        analyst_net: Mutex::default(),
        cluster: Some(Box::new(|| ClusterView { playouts: 17, ..ClusterView::default() })),
    }
}

pub struct Tab {
    socket: WebSocket<TcpStream>,
    next: u64,
    /// What came with the last answer: the engine may have been quicker than the answer.
    with_answer: VecDeque<Value>,
}

impl Tab {
    pub fn connect(address: SocketAddr) -> Result<Tab, String> {
        let request = format!("ws://{address}/ws").into_client_request().unwrap();
        Tab::connect_with(address, request)
    }

    pub fn connect_with(address: SocketAddr, request: Request) -> Result<Tab, String> {
        let stream = TcpStream::connect(address).map_err(|error| error.to_string())?;
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let (socket, _) = tungstenite::client(request, stream).map_err(|error| error.to_string())?;
        let mut tab = Tab { socket, next: 1, with_answer: VecDeque::new() };
        let hello = tab.receive().ok_or("the connection ended")?;
        assert_eq!(hello["type"], "hello");
        Ok(tab)
    }

    /// The next message; none once the connection is closed.
    pub fn receive(&mut self) -> Option<Value> {
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).unwrap()),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// A bare connection to `/analysis`.
    pub fn analysis(address: SocketAddr) -> WebSocket<TcpStream> {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        tungstenite::client(format!("ws://{address}/analysis"), stream).unwrap().0
    }

    pub fn say_raw(&mut self, message: Message) {
        // A door that has closed already shows it in what is heard next.
        let _ = self.socket.send(message);
    }

    /// Asks, and gives back everything heard up to the answer, which comes last.
    pub fn ask(&mut self, mut request: Value) -> Vec<Value> {
        let re = self.next;
        self.next += 1;
        request["re"] = re.into();
        self.say_raw(Message::text(request.to_string()));
        let mut heard = Vec::new();
        loop {
            let message = self.receive().expect("the connection ended before the answer");
            let is_answer = message["re"] == re;
            heard.push(message);
            if is_answer {
                self.with_answer = heard.clone().into();
                return heard;
            }
        }
    }

    /// Asks for something that must be granted.
    pub fn please(&mut self, request: Value) -> Vec<Value> {
        let heard = self.ask(request);
        assert_eq!(heard.last().unwrap()["type"], "done", "{heard:#?}");
        heard
    }

    /// Asks for something that must be refused, and gives back the refusal.
    pub fn refused(&mut self, request: Value) -> Value {
        let answer = self.ask(request).pop().unwrap();
        assert!(answer["type"] == "error" || answer["type"] == "illegal", "{answer}");
        answer
    }

    /// Listens until a message is as wanted, beginning with those that came with the last answer.
    pub fn until(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let next = self.with_answer.pop_front().or_else(|| self.receive());
            let message = next.expect("the connection ended before the message");
            if wanted(&message) {
                return message;
            }
        }
    }

    /// A new game with these settings beside the quick ones; gives back its name.
    pub fn begin(&mut self, settings: Value) -> String {
        let mut request = json!({"type": "new", "size": 9, "pace": "instant", "level": 5});
        request.as_object_mut().unwrap().extend(settings.as_object().unwrap().clone());
        let heard = self.please(request);
        last(&heard, "game")["id"].as_str().unwrap().to_owned()
    }

    pub fn play(&mut self, mv: &str) -> Vec<Value> {
        self.please(json!({"type": "play", "move": mv}))
    }
}

/// The first message of a type.
pub fn first<'a>(messages: &'a [Value], kind: &str) -> &'a Value {
    let found = messages.iter().find(|message| message["type"] == kind);
    found.unwrap_or_else(|| panic!("no {kind} in {messages:#?}"))
}

/// The last message of a type.
pub fn last<'a>(messages: &'a [Value], kind: &str) -> &'a Value {
    let found = messages.iter().rev().find(|message| message["type"] == kind);
    found.unwrap_or_else(|| panic!("no {kind} in {messages:#?}"))
}

pub fn has(messages: &[Value], kind: &str) -> bool {
    messages.iter().any(|message| message["type"] == kind)
}
