//! The program under test, on a thread of its own.

use std::io::{BufReader, ErrorKind, Read, Result, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use jigo_board::{Game, Rules};
use jigo_engine::{Engine, NetCard};
use jigo_gtp::{Session, serve};
use jigo_net::Net;
use jigo_search::{Parameters, TreeSearcher};

/// Simulations for each move of somebody who has little time, and of somebody who never comes to an end.
pub const FEW: u32 = 24;
pub const ENDLESS: u32 = u32::MAX;

/// A player who searches on one thread with one seed.
pub fn session(size: usize, playouts: u32) -> Session {
    let searcher = TreeSearcher::new(Parameters::default(), Some(Net::embedded()), 1, 1);
    let mut engine = Engine::new(Game::new(size, Rules::default()), Box::new(searcher), 1);
    let mut parameters = engine.parameters().clone();
    parameters.engine.most_playouts = playouts;
    engine.set_parameters(parameters).unwrap();
    Session::new(engine).with_net(Some(NetCard::ours("embedded")))
}

/// What the client says, line by line.
struct Mouth {
    lines: Receiver<String>,
}

impl Read for Mouth {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let line = self.lines.recv().unwrap_or_default();
        buffer[..line.len()].copy_from_slice(line.as_bytes());
        Ok(line.len())
    }
}

/// Cuts what the program says into lines.
struct Lines {
    begun: Vec<u8>,
    lines: Sender<String>,
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        for &byte in bytes {
            if byte == b'\n' {
                let line = String::from_utf8(std::mem::take(&mut self.begun)).unwrap();
                self.lines.send(line).map_err(|_| ErrorKind::BrokenPipe)?;
            } else {
                self.begun.push(byte);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

pub struct Program {
    pub input: Sender<String>,
    pub output: Receiver<String>,
    pub thread: JoinHandle<Result<()>>,
}

impl Program {
    pub fn start(mut session: Session) -> Program {
        let (input, lines) = channel();
        let (sender, output) = channel();
        let thread = thread::spawn(move || {
            let mut output = Lines { begun: Vec::new(), lines: sender };
            serve(&mut session, BufReader::new(Mouth { lines }), &mut output)
        });
        Program { input, output, thread }
    }

    pub fn send(&self, line: &str) {
        self.input.send(format!("{line}\n")).unwrap();
    }

    /// The next line that begins like this; others are skipped.
    pub fn line(&self, beginning: &str) -> String {
        self.output.iter().find(|line| line.starts_with(beginning)).expect("the program has ended")
    }
}
