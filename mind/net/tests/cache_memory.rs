//! The cache keeps to the memory that it may have. Alone in its process, where nobody else takes any.
#![cfg(target_os = "linux")]

use std::sync::Arc;
use std::thread;

use jigo_board::{Board, Color, Symmetry};
use jigo_net::{AtKomi, Backend, Cache, Evaluate, Evaluation, Forecast, Position, Service, Value, View};

const SIZE: usize = 19;
const MEGABYTES: usize = 32;

/// A net to which every question is a new one.
struct EverNew;

struct Asked {
    count: u64,
}

impl Backend for EverNew {
    fn evaluator(self: Arc<Self>) -> Box<dyn Evaluate> {
        Box::new(Asked { count: 0 })
    }

    fn judges_alone(&self) -> bool {
        true
    }

    fn description(&self) -> String {
        "everything is new to it".to_owned()
    }

    fn digest(&self) -> u64 {
        0
    }
}

impl Evaluate for Asked {
    fn evaluate_batch(&mut self, views: &[View<'_>]) -> Vec<Evaluation> {
        views.iter().map(|_| evaluation()).collect()
    }

    fn fingerprint(&mut self, view: &View<'_>) -> u64 {
        self.count += 8;
        self.count ^ view.position.fingerprint()
    }
}

/// Its policy has something in reserve, as vectors have that were pushed to.
fn evaluation() -> Evaluation {
    let mut policy: Vec<f32> = vec![0.5; SIZE * SIZE];
    policy.push(0.5);
    let value = Value::AtKomi(AtKomi { komi: 7.5, black_rate: 0.5, fair_komi: 7.5, spread: 10.0 });
    let forecast = Forecast {
        black_win: 0.5,
        white_win: 0.5,
        no_result: 0.0,
        black_lead: 0.0,
        black_score: 0.0,
        score_square: 0.0,
        later: None,
    };
    Evaluation::from_parts(SIZE, policy, value, vec![0.5; SIZE * SIZE], forecast)
}

fn resident_megabytes() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.split_whitespace().next().unwrap().parse::<usize>().unwrap() / 1024
}

#[test]
fn a_cache_takes_the_memory_it_was_given_and_no_more() {
    let before = resident_megabytes();
    let service = Service::new(Arc::new(EverNew), Arc::new(Cache::new(MEGABYTES)), 1, 1);
    // As many games as a server may have at once, each with a heap of its own; eight times what there is room for.
    thread::scope(|scope| {
        for game in 0..4u64 {
            let mut connection = service.connect();
            scope.spawn(move || {
                let mut board = Board::new(SIZE);
                board.play(Color::Black, board.points().nth(game as usize).unwrap());
                for _ in 0..((2 * MEGABYTES) << 20) / 3000 {
                    let position = Position { board: &board, to_move: Color::White, recent: Default::default() };
                    connection.look_from(View::of(position, Symmetry::IDENTITY));
                }
            });
        }
    });
    let taken = resident_megabytes() - before;
    assert!((MEGABYTES / 2..=MEGABYTES + 4).contains(&taken), "{taken} MB of {MEGABYTES}");
}
