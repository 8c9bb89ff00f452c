//! Whole training runs in miniature: they learn, they resume exactly, and self-play feeds them.

use std::path::Path;
use std::sync::Arc;

use jigo_board::{Board, Color, Move, Rng, Symmetry, random_game};
use jigo_net::kernel::Isa;
use jigo_net::weights::Weights;
use jigo_net::{Architecture, Evaluator, Net, Position};
use jigo_records::tsv::{GameLine, GameResult};
use jigo_records::{Counting, Library, Record, Sample, Split, mover};
use jigo_train::checkpoint::{Checkpoint, read_weights};
use jigo_train::loss::LossWeights;
use jigo_train::optimizer::Schedule;
use jigo_train::self_play::{Batch, PlayedGame, Players, SelfPlayError, ThisMachine};
use jigo_train::supervised::{SelfPlay, SupervisedSettings, train, train_on, train_on_self_play};
use jigo_train::value_games::Wanted;
use jigo_train::{reinforce, value_games};

fn architecture() -> Architecture {
    "planes=compact-1 channels=32 blocks=p head=32 hidden=16 value=mixture ownership=yes".parse().unwrap()
}

/// Games in which everybody always takes the first legal point: easy to foresee.
fn orderly_games(size: usize) -> Split {
    let mut split = Split { size, ..Split::default() };
    for game in 0..12 {
        let (mut board, mut rng, mut moves) = (Board::new(size), Rng::new(game), Vec::new());
        for ply in 0..20 {
            let color = mover(ply);
            let random = random_game::random_point(&board, color, &mut rng);
            let first = board.points().find(|&p| board.is_legal(color, p));
            let Some(point) = (if ply < 2 { random } else { first }) else { break };
            board.play(color, point);
            moves.push(Move::Play(point));
        }
        let result = GameResult::parse(if game % 2 == 0 { "B+R" } else { "W+R" }).unwrap();
        let line = GameLine { id: game.to_string(), date: String::new(), size, komi: 7.0, result, moves };
        let library = if game < 10 { &mut split.training } else { &mut split.validation };
        library.push(Record::new(&line, Counting::ResultOnly).unwrap());
    }
    split
}

fn settings(run: &Path, steps: u64) -> SupervisedSettings {
    SupervisedSettings {
        data: run.to_path_buf(),
        files: Vec::new(),
        run: run.to_path_buf(),
        architecture: architecture(),
        start: None,
        seed: 7,
        threads: 2,
        boards: vec![(5, 8), (7, 4)],
        schedule: Schedule { peak: 0.01, final_share: 0.1, warm_up: 5, steps },
        validate_every: 1000,
        validation_positions: 50,
        loss: LossWeights::default(),
        self_play: None,
        taught: None,
    }
}

fn train_in(folder: &Path, steps: u64) -> Checkpoint {
    // The schedule is fixed by the longest run, so that a part of it is a part of the same run.
    let mut settings = settings(folder, 60);
    settings.schedule.steps = steps;
    train_on(&settings, &[orderly_games(5), orderly_games(7)], None).unwrap();
    Checkpoint::read(&folder.join("state.safetensors")).unwrap()
}

#[test]
fn a_run_learns_what_is_easy() {
    let folder = tempfile::tempdir().unwrap();
    train_in(folder.path(), 60);
    let history = std::fs::read_to_string(folder.path().join("history.tsv")).unwrap();
    let top1: f64 = history.lines().last().unwrap().split('\t').nth(4).unwrap().parse().unwrap();
    assert!(top1 > 0.5, "{history}");
    assert_eq!(read_weights(&folder.path().join("net.safetensors")).unwrap().architecture, architecture());
}

#[test]
fn the_same_seed_gives_the_same_weights() {
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    assert_eq!(train_in(one.path(), 4).optimizer.values, train_in(two.path(), 4).optimizer.values);
}

#[test]
fn a_finished_run_asked_for_more_steps_goes_on_where_it_stood() {
    let folder = tempfile::tempdir().unwrap();
    let first = train_in(folder.path(), 3);
    let second = train_in(folder.path(), 6);
    assert_eq!((first.step, second.step), (3, 6));
    assert_ne!(first.optimizer.values, second.optimizer.values);
}

#[test]
fn another_architecture_in_the_same_folder_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    train_in(folder.path(), 1);
    let mut other = settings(folder.path(), 2);
    other.architecture.hidden = 32;
    let error = train_on(&other, &[orderly_games(5), orderly_games(7)], None).unwrap_err();
    assert!(error.to_string().contains("another architecture"), "{error}");
}

#[test]
fn self_play_reaches_the_end_and_reinforcement_learns_from_it() {
    let folder = tempfile::tempdir().unwrap();
    train_in(folder.path(), 2);
    let net = folder.path().join("net.safetensors");
    let wanted = Wanted { size: 5, komi: 0.5, games: 6, seed: 3 };
    let split = value_games::generate(&net, wanted, &mut ThisMachine, &folder.path().join("games.txt")).unwrap();
    assert_eq!(split.training.games().len() + split.validation.games().len(), 6);
    for record in split.training.games() {
        let end = record.board_at(record.len());
        let outcome = jigo_records::Outcome::of(record, &end);
        assert!(outcome.black_margin.is_some() && outcome.ownership.is_some());
        let passes = (record.len() - 2..record.len()).filter(|&ply| record.mv(ply) == Move::Pass).count();
        assert!(passes == 2 || record.len() > 75);
        assert_eq!(mover(0), Color::Black);
    }
    let run = folder.path().join("rl");
    let settings = reinforce::ReinforceSettings {
        start: net.clone(),
        run: run.clone(),
        size: 5,
        komi: 0.5,
        iterations: 2,
        games: 24,
        pool_every: 1,
        rate: 0.01,
        threads: 1,
        baseline: true,
        hold: 0.1,
        seed: 1,
    };
    reinforce::train(&settings, &mut ThisMachine).unwrap();
    let (before, after) = (read_weights(&net).unwrap(), read_weights(&run.join("net.safetensors")).unwrap());
    assert_ne!(before.values, after.values);
}

/// Plays a few times, and then the cable is pulled.
struct PlaysUntil(usize);

impl Players for PlaysUntil {
    fn play(
        &mut self,
        nets: [&Weights; 2],
        batches: &[Batch],
        finished: &mut dyn FnMut(usize),
    ) -> Result<Vec<PlayedGame>, SelfPlayError> {
        self.0 = self.0.checked_sub(1).ok_or_else(|| SelfPlayError::Elsewhere("no more".to_string()))?;
        ThisMachine.play(nets, batches, finished)
    }
}

#[test]
fn an_interrupted_reinforcement_goes_on_as_if_nothing_had_happened() {
    let folder = tempfile::tempdir().unwrap();
    train_in(folder.path(), 2);
    let settings = |run: &str| reinforce::ReinforceSettings {
        start: folder.path().join("net.safetensors"),
        run: folder.path().join(run),
        size: 5,
        komi: 0.5,
        iterations: 5,
        games: 16,
        pool_every: 2,
        rate: 0.01,
        threads: 1,
        baseline: true,
        hold: 0.1,
        seed: 1,
    };
    reinforce::train(&settings("whole"), &mut ThisMachine).unwrap();
    let error = reinforce::train(&settings("broken"), &mut PlaysUntil(3)).unwrap_err();
    assert!(error.to_string().contains("no more"), "{error}");
    reinforce::train(&settings("broken"), &mut PlaysUntil(2)).unwrap();
    let net = |run: &str| read_weights(&folder.path().join(run).join("net.safetensors")).unwrap().values;
    assert_eq!(net("broken"), net("whole"));
    reinforce::train(&settings("broken"), &mut PlaysUntil(0)).unwrap();
}

/// How much chance two policies give to different moves, on average over positions: 0 to 1.
fn difference(one: &Path, other: &Path, library: &Library) -> f32 {
    let evaluator = |net: &Path| Evaluator::new(Arc::new(Net::new(&read_weights(net).unwrap(), Isa::Portable)));
    let mut evaluators = [evaluator(one), evaluator(other)];
    let positions = library.positions();
    let at = |position: usize| {
        let (record, ply) = library.locate(position);
        let Sample { board, to_move, recent, .. } = Sample::of(record, ply);
        let position = Position { board: &board, to_move, recent };
        let [one, other] = evaluators.each_mut().map(|evaluator| evaluator.evaluate(&position, Symmetry::IDENTITY));
        one.moves().zip(other.moves()).map(|((_, a), (_, b))| (a - b).abs() / 2.0).sum::<f32>()
    };
    (0..positions).map(at).sum::<f32>() / positions as f32
}

#[test]
fn games_with_itself_teach_a_net_results_and_hold_its_policy() {
    let folder = tempfile::tempdir().unwrap();
    train_in(folder.path(), 60);
    let net = folder.path().join("net.safetensors");
    let wanted = Wanted { size: 5, komi: 0.5, games: 200, seed: 3 };
    let split = value_games::generate(&net, wanted, &mut ThisMachine, &folder.path().join("games.txt")).unwrap();
    let strays = |policy: f32| {
        let mut settings = settings(&folder.path().join(policy.to_string()), 400);
        settings.start = Some(net.clone());
        settings.schedule.peak = 0.02;
        settings.boards = vec![(5, 16)];
        settings.loss = LossWeights { policy: [policy, 0.0, 0.0], value: 1.0, ownership: 1.0 };
        train_on_self_play(&settings, std::slice::from_ref(&split)).unwrap();
        difference(&net, &settings.run.join("net.safetensors"), &split.validation)
    };
    let (held, free) = (strays(1.0), strays(0.0));
    assert!(held < 0.7 * free, "{held} {free}");
}

#[test]
fn games_of_self_play_teach_results_but_no_moves_and_are_played_once() {
    let folder = tempfile::tempdir().unwrap();
    train_in(folder.path(), 2);
    let run = folder.path().join("mixed");
    std::fs::write(folder.path().join("a.sgf"), "(;GM[1]SZ[5]KM[7]RE[B+R];B[cc];W[bb])").unwrap();
    let mut mixed = settings(folder.path(), 3);
    mixed.run = run.clone();
    mixed.files = vec![".sgf".into()];
    mixed.boards = vec![(5, 8)];
    mixed.self_play = Some(SelfPlay { games: 40, share: 1.0 });
    let error = train(&mixed, &mut ThisMachine).unwrap_err();
    assert!(error.to_string().contains("which one to start from"), "{error}");
    mixed.start = Some(folder.path().join("net.safetensors"));
    train(&mixed, &mut ThisMachine).unwrap();
    let kept = run.join("self-play-5.txt");
    assert_eq!(std::fs::read_to_string(&kept).unwrap().lines().count(), 40);
    let history = std::fs::read_to_string(run.join("history.tsv")).unwrap();
    let last: Vec<f64> = history.lines().last().unwrap().split('\t').filter_map(|cell| cell.parse().ok()).collect();
    let (policy, top1, value) = (last[3], last[4], last[5]);
    assert_eq!((policy, top1), (0.0, 0.0), "no position had a move to learn");
    assert!(value > 0.0, "{history}");

    mixed.schedule.steps = 4;
    train(&mixed, &mut PlaysUntil(0)).unwrap();
    // Cut off while the second batch was played: it is played again, and the same.
    let whole = std::fs::read_to_string(&kept).unwrap();
    let first: String = whole.lines().take(32).map(|line| format!("{line}\n")).collect();
    std::fs::write(&kept, first).unwrap();
    mixed.schedule.steps = 5;
    train(&mixed, &mut ThisMachine).unwrap();
    assert_eq!(std::fs::read_to_string(&kept).unwrap(), whole);
    // More games: those of the batch that was smaller then are not counted twice.
    let wanted = Wanted { size: 5, komi: 7.5, games: 70, seed: mixed.seed };
    let net = folder.path().join("net.safetensors");
    let more = value_games::generate(&net, wanted, &mut ThisMachine, &kept).unwrap();
    assert_eq!(more.training.games().len() + more.validation.games().len(), 70);
    assert_eq!(std::fs::read_to_string(&kept).unwrap().lines().count(), 70);
    let single = Wanted { games: 1, ..wanted };
    let single = value_games::generate(&net, single, &mut ThisMachine, &folder.path().join("one.txt")).unwrap();
    assert_eq!(single.training.games().len(), 1, "a single game is there to be learnt from");
    std::fs::write(&kept, "nonsense\n").unwrap();
    let error = train(&mixed, &mut PlaysUntil(0)).unwrap_err();
    assert!(error.to_string().contains("does not hold the games of this run"), "{error}");
}
