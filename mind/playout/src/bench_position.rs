//! The positions that speed is measured on, and one number for everything playouts do there.

use jigo_board::{Game, Move, Rules};

use crate::generator::Generator;
use crate::go_intellect;
use crate::parameters::{PlayoutParameters, PolicyName};
use crate::playouts::Playouts;
use crate::simulation::StartPosition;

/// A position that `jigo bench` starts from.
pub struct BenchPosition {
    pub name: &'static str,
    pub moves: Vec<Move>,
    pub size: usize,
}

/// The empty boards, and two of our own games in their middle.
pub fn bench_positions() -> [BenchPosition; 4] {
    let bench_position = |name, size, text: &str| {
        let moves = text.split_whitespace().filter_map(|vertex| Move::parse(vertex, size));
        BenchPosition { name, moves: moves.collect(), size }
    };
    [
        bench_position("9x9, empty", 9, ""),
        bench_position("9x9, middle game", 9, include_str!("../positions/middle_game_9x9.txt")),
        bench_position("19x19, empty", 19, ""),
        bench_position("19x19, middle game", 19, include_str!("../positions/middle_game_19x19.txt")),
    ]
}

/// Latest moves that generators may look at.
const RECENT_MOVES: usize = 4;

impl BenchPosition {
    /// The game up to here; a test makes sure that every move is legal.
    pub fn game(&self) -> Game {
        let mut game = Game::new(self.size, Rules::default());
        for &mv in &self.moves {
            let _ = game.play(game.to_move(), mv);
        }
        game
    }

    pub fn position(&self) -> StartPosition {
        let game = self.game();
        let recent = self.moves.iter().rev().take(RECENT_MOVES).rev().copied();
        StartPosition::new(game.board().clone(), game.to_move(), recent.collect())
    }
}

/// A number that changes with every move that these policies play from the bench positions, and with the generator that
/// made it.
pub fn fingerprint() -> u64 {
    let mut fingerprint = Fingerprint::default();
    for policy in [PolicyName::Pachi, PolicyName::GoIntellect, PolicyName::Random] {
        let parameters = PlayoutParameters { policy, ..Default::default() };
        for bench_position in bench_positions() {
            let playouts = Playouts { parameters: parameters.clone(), count: 50, seed: 1 };
            playouts.play(&bench_position.position(), |simulation, outcome| {
                for played in simulation.moves() {
                    let point = played.mv.point().map_or(0, |point| point.index());
                    fingerprint.add(point as u64 * 256 + number(played.by));
                }
                fingerprint.add(outcome.black_score.to_bits().into());
            });
        }
    }
    fingerprint.number()
}

/// The number of a generator in fingerprints, which outlive renames and moves.
fn number(by: Generator) -> u64 {
    match by {
        Generator::Given => 0,
        Generator::RetakeKo => 1,
        Generator::Nakade => 2,
        Generator::GoIntellect(go_intellect::GoIntellectGenerator::NakadeOfThree) => 3,
        Generator::CaptureLastMove => 4,
        Generator::SaveFromAtari => 5,
        Generator::TwoLiberties => 6,
        Generator::ManyLiberties => 7,
        Generator::PatternAroundLast => 8,
        Generator::PatternAroundSecondLast => 9,
        Generator::Joseki => 10,
        Generator::GoIntellect(go_intellect::GoIntellectGenerator::CaptureAnything) => 11,
        Generator::GoIntellect(go_intellect::GoIntellectGenerator::LastGoodReply) => 12,
        Generator::GoIntellect(go_intellect::GoIntellectGenerator::TwoLibertyBlock) => 13,
        Generator::GoIntellect(go_intellect::GoIntellectGenerator::FillBoard) => 14,
        Generator::Random => 15,
        Generator::GoIntellect(go_intellect::GoIntellectGenerator::RandomWithReplacement) => 16,
        Generator::Pass => 17,
    }
}

/// Folds numbers into one, order and all (FNV-1a with whole words).
pub struct Fingerprint(u64);

impl Default for Fingerprint {
    fn default() -> Fingerprint {
        Fingerprint(0xcbf2_9ce4_8422_2325)
    }
}

impl Fingerprint {
    #[inline]
    pub fn add(&mut self, number: u64) {
        self.0 = (self.0 ^ number).wrapping_mul(0x0100_0000_01b3).rotate_left(29);
    }

    pub fn number(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_games_are_legal_and_whole() {
        let [_, small, _, large] = bench_positions();
        assert_eq!((small.moves.len(), large.moves.len()), (26, 110));
        for bench_position in [small, large] {
            assert_eq!(bench_position.game().moves().len(), bench_position.moves.len());
        }
    }
}
