//! What the positions are made of. One draw is a few games of one kind on one board size.

use std::sync::Arc;

use jigo_board::handicap::{fixed_handicap, max_fixed_handicap};
use jigo_board::{Board, Color, Move, Point, Rng};
use jigo_net::{Backend, Evaluator, Net};
use jigo_records::Split;
use jigo_tactics::Reader;

use super::exercise::{Exercise, Kind, move_at, place_of};
use super::levels;
use super::lines::think_aloud;
use super::policy_game::{Plan, PolicyGame, PolicyPlayer, mover, play_all, take_turns};
use super::question::{choose_komi, komi_of_game, tactic};

/// Parts of the whole. A draw from records or of levels is smaller than the others.
pub const SHARES: [(Kind, usize); 11] = [
    (Kind::Record, 30),
    (Kind::Policy, 20),
    (Kind::Opening, 10),
    (Kind::Handicap, 12),
    (Kind::Slip, 12),
    (Kind::Pass, 5),
    (Kind::End, 13),
    // Kos, ladders and sekis, found in games of the policy.
    (Kind::Ko, 8),
    (Kind::Level, 3),
    (Kind::Departure, 10),
    (Kind::Line, 5),
];
/// Board sizes in hundredths; what is left is shared by all sizes from the smallest to the largest.
const SIZES: [(usize, usize); 3] = [(19, 40), (9, 24), (13, 15)];
const SMALLEST: usize = 5;
/// Games of a draw.
const GAMES: usize = 16;
const LEVEL_GAMES: usize = 2;
/// A question about each game for so many points of the board: to play a game costs as much as to ask about many positions.
const POINTS_PER_QUESTION: usize = 15;
const FEWEST_QUESTIONS: usize = 4;
/// Positions of a draw from records.
const FROM_RECORDS: usize = 96;
/// Games of records that a search goes on with.
const THOUGHT_ABOUT: usize = 6;
/// Temperatures of players who draw from the policy, from sure of themselves to wild.
const TEMPERATURES: [f32; 7] = [0.2, 0.5, 0.8, 1.0, 1.0, 1.4, 2.0];
/// How often they slip.
const SLIPS: [f32; 5] = [0.0, 0.0, 0.0, 0.03, 0.1];
/// A game is left by at most so many moves, by somebody to whom more comes to mind than to a strong player.
const DEPARTURE: usize = 3;
const DEPARTING: PolicyPlayer = PolicyPlayer { temperature: 1.4, slip: 0.05, pass: 0.0 };
/// Where both of a pair slip now and then, so that there is something to ask about.
const CARELESS: f32 = 0.06;
/// The rules all questions are asked by.
const RULES: &str = "chinese";

/// Where games come from: records, and a net that plays.
pub struct Mixture {
    pub records: Vec<Split>,
    pub net: Arc<Net>,
    /// The net whose searches are listened to: that of the student, whose own mistakes are what it has to see.
    pub thinker: Arc<dyn Backend>,
    /// Boards of these sizes only, each as often as the others; if it is empty, all sizes in the usual shares.
    pub sizes: Vec<usize>,
    /// Draws of each kind.
    pub shares: Vec<(Kind, usize)>,
}

impl Mixture {
    /// The draw with this number: the same for ever, for one seed, the same nets, the same records, sizes and shares.
    pub fn draw(&self, seed: u64, number: u64) -> Vec<Exercise> {
        let mut rng = Rng::new(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let rng = &mut rng.fork();
        let kind = draw_kind(&self.shares, rng);
        let mut exercises = match kind {
            Kind::Record => self.of_records(rng),
            Kind::Departure => self.of_departures(rng),
            Kind::Level => self.of_levels(rng),
            Kind::Line => self.of_lines(rng),
            _ => self.of_policy(kind, rng),
        };
        choose_komi(&self.net, &mut exercises, rng);
        exercises
    }

    fn of_records(&self, rng: &mut Rng) -> Vec<Exercise> {
        let mut exercises = Vec::new();
        let total: usize = self.records.iter().map(|split| split.training.positions()).sum();
        if total == 0 {
            return exercises;
        }
        // By split first: there are far more positions on the large board than anybody needs.
        let splits: Vec<&Split> = self.records.iter().filter(|split| split.training.positions() > 0).collect();
        for _ in 0..FROM_RECORDS {
            let largest = splits[splits.len() - 1];
            let split = if rng.chance(0.6) { largest } else { splits[rng.below(splits.len())] };
            let (record, ply) = split.training.locate(rng.below(split.training.positions()));
            let moves: Vec<Move> = (0..ply).map(|ply| record.mv(ply)).collect();
            exercises.push(exercise(Kind::Record, record.size, record.komi, &[], &moves));
        }
        exercises
    }

    fn of_departures(&self, rng: &mut Rng) -> Vec<Exercise> {
        let left = self.of_records(rng);
        let mut evaluator = Evaluator::new(Arc::clone(&self.net));
        let mut exercises = Vec::new();
        for record in left {
            let size = usize::from(record.size);
            let moves: Vec<Move> = record.moves.iter().filter_map(|&place| move_at(place, size)).collect();
            let mut game = [PolicyGame::after(size, &moves, DEPARTING)];
            for _ in 0..=rng.below(DEPARTURE) {
                take_turns(&mut evaluator, &mut game, rng);
            }
            if !game[0].is_over() {
                exercises.push(exercise(Kind::Departure, size, record.komi, &[], &game[0].moves));
            }
        }
        exercises
    }

    fn of_lines(&self, rng: &mut Rng) -> Vec<Exercise> {
        // Half of them as they were played, half after somebody left the way.
        let mut begun = if rng.chance(0.5) { self.of_records(rng) } else { self.of_departures(rng) };
        begun.truncate(THOUGHT_ABOUT);
        let mut exercises = Vec::new();
        for record in begun {
            let Some(game) = record.game().filter(|game| !game.is_over()) else { continue };
            for line in think_aloud(&self.thinker, game, rng) {
                let line = exercise(Kind::Line, record.size.into(), record.komi, &[], &line);
                // A line may have been thought to its end.
                exercises.extend(line.game().filter(|game| !game.is_over()).map(|_| line));
            }
        }
        exercises
    }

    fn of_levels(&self, rng: &mut Rng) -> Vec<Exercise> {
        let size = self.draw_size(rng);
        let mut exercises = Vec::new();
        for _ in 0..LEVEL_GAMES {
            let given = if rng.chance(0.3) { handicap(size, rng) } else { Vec::new() };
            let komi = komi_of_game(size, rng);
            let moves = levels::play(&self.net, size, komi, &given, rng);
            for ply in spread(size, 0, moves.len(), rng) {
                exercises.push(exercise(Kind::Level, size, komi, &given, &moves[..ply]));
            }
        }
        exercises
    }

    fn of_policy(&self, kind: Kind, rng: &mut Rng) -> Vec<Exercise> {
        let size = self.draw_size(rng);
        let plans = (0..GAMES).map(|_| plan(kind, size, rng)).collect();
        let games = play_all(&self.net, size, plans, rng);
        let mut exercises = Vec::new();
        for game in &games {
            let komi = komi_of_game(size, rng);
            for (kind, ply) in questions(kind, game, rng) {
                exercises.push(exercise(kind, size, komi, &game.plan.given, &game.moves[..ply]));
            }
        }
        exercises
    }

    fn draw_size(&self, rng: &mut Rng) -> usize {
        draw_size(&self.sizes, rng)
    }
}

/// One of these sizes, or if there are none, one of all in the usual shares.
pub fn draw_size(sizes: &[usize], rng: &mut Rng) -> usize {
    if !sizes.is_empty() {
        return sizes[rng.below(sizes.len())];
    }
    let mut left = rng.below(100);
    for (size, share) in SIZES {
        if left < share {
            return size;
        }
        left -= share;
    }
    SMALLEST + rng.below(jigo_board::MAX_SIZE + 1 - SMALLEST)
}

/// A kind of game that two players of the policy can be asked for: no records, no levels, no hunt for tactics.
pub fn draw_played_kind(rng: &mut Rng) -> Kind {
    loop {
        let kind = draw_kind(&SHARES, rng);
        if !matches!(kind, Kind::Record | Kind::Level | Kind::Ko | Kind::Departure | Kind::Line) {
            return kind;
        }
    }
}

pub fn exercise(kind: Kind, size: usize, komi: f32, given: &[Point], moves: &[Move]) -> Exercise {
    let given = given.iter().map(|&point| place_of(Move::Play(point), size)).collect();
    let moves = moves.iter().map(|&mv| place_of(mv, size)).collect();
    Exercise { kind, size: size as u8, rules: RULES.into(), komi, given, moves }
}

fn draw_kind(shares: &[(Kind, usize)], rng: &mut Rng) -> Kind {
    let mut left = rng.below(shares.iter().map(|(_, share)| share).sum::<usize>().max(1));
    for &(kind, share) in shares {
        if left < share {
            return kind;
        }
        left -= share;
    }
    Kind::Policy
}

/// A game of this kind.
pub fn plan(kind: Kind, size: usize, rng: &mut Rng) -> Plan {
    let mut players = [(); 2].map(|()| PolicyPlayer {
        temperature: TEMPERATURES[rng.below(TEMPERATURES.len())],
        slip: SLIPS[rng.below(SLIPS.len())],
        pass: 0.0,
    });
    match kind {
        Kind::Slip => players.iter_mut().for_each(|player| player.slip = CARELESS),
        Kind::Pass => players.iter_mut().for_each(|player| player.pass = CARELESS),
        _ => {}
    }
    Plan {
        given: if kind == Kind::Handicap { handicap(size, rng) } else { Vec::new() },
        opening: if kind == Kind::Opening { 2 + rng.below(size) } else { 0 },
        players,
        to_the_bitter_end: kind == Kind::End || rng.chance(0.2),
    }
}

/// Mostly the usual stones; every fourth time, and where boards are too small for stars, any number anywhere.
fn handicap(size: usize, rng: &mut Rng) -> Vec<Point> {
    let most = max_fixed_handicap(size);
    if most >= 2 && rng.chance(0.75) {
        return fixed_handicap(size, 2 + rng.below(most - 1)).unwrap_or_default();
    }
    let stones = 1 + rng.below((size * size / 16).max(2));
    let mut board = Board::new(size);
    for _ in 0..stones {
        let point = Point::new(rng.below(size), rng.below(size));
        if board.is_legal(Color::Black, point) {
            board.play(Color::Black, point);
        }
    }
    board.points().filter(|&point| !board.is_empty(point)).collect()
}

/// How many questions a game on this board is worth.
fn worth(size: usize) -> usize {
    (size * size / POINTS_PER_QUESTION).max(FEWEST_QUESTIONS)
}

/// Plies of `from..=to`, spread over all of them.
fn spread(size: usize, from: usize, to: usize, rng: &mut Rng) -> Vec<usize> {
    let width = (to - from) as f32 + 1.0;
    let part = width / worth(size) as f32;
    let drawn = |i: usize| from + (part * (i as f32 + rng.unit())) as usize;
    let mut plies: Vec<usize> = (0..worth(size)).map(drawn).map(|ply| ply.min(to)).collect();
    plies.dedup();
    plies
}

fn questions(kind: Kind, game: &PolicyGame, rng: &mut Rng) -> Vec<(Kind, usize)> {
    let (moves, size) = (game.moves.len(), game.board.size());
    // After two passes there is nothing left to ask.
    let last = if game.moves.ends_with(&[Move::Pass, Move::Pass]) { moves - 1 } else { moves };
    let some = |mut plies: Vec<usize>, rng: &mut Rng| {
        plies.retain(|&ply| ply <= last);
        rng.shuffle(&mut plies);
        plies.truncate(worth(size));
        plies
    };
    let plies = match kind {
        Kind::Slip => some(game.slips.iter().map(|ply| ply + 1).collect(), rng),
        Kind::Pass => {
            let passed = |&ply: &usize| game.moves[ply - 1] == Move::Pass;
            some((1..=moves).filter(passed).collect(), rng)
        }
        Kind::End => spread(size, last / 2, last, rng),
        Kind::Ko => return tactics(game, last, rng),
        _ => spread(size, 0, last, rng),
    };
    plies.into_iter().map(|ply| (kind, ply)).collect()
}

/// Kos, ladders and sekis of a game, in any order and not too many.
fn tactics(game: &PolicyGame, last: usize, rng: &mut Rng) -> Vec<(Kind, usize)> {
    let (mut found, mut reader) = (Vec::new(), Reader::new());
    let with_stones_given = !game.plan.given.is_empty();
    let mut board = PolicyGame::new(game.board.size(), game.plan.clone()).board;
    for (ply, mv) in game.moves.iter().enumerate().take(last) {
        match mv {
            Move::Pass => board.pass(),
            Move::Play(point) => drop(board.play(mover(with_stones_given, ply), *point)),
        }
        // A seki stays on the board for many moves; one look in four finds it all the same.
        if (rng.chance(0.25) || board.ko_point(mover(with_stones_given, ply + 1)).is_some())
            && let Some(kind) = tactic(&board, mover(with_stones_given, ply + 1), &mut reader)
        {
            found.push((kind, ply + 1));
        }
    }
    rng.shuffle(&mut found);
    let mut kept: Vec<(Kind, usize)> = Vec::new();
    for (kind, ply) in found {
        if kept.iter().filter(|(other, _)| *other == kind).count() < worth(game.board.size()) / 2 {
            kept.push((kind, ply));
        }
    }
    kept
}
