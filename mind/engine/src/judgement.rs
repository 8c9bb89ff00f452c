//! Which stones are dead. One judgement serves the score, the status lists and the decision to pass.

use jigo_board::{Board, Color, Count, GRID, Game, Point, PointSet};
use jigo_playout::{Outcome, Playout, PlayoutParameters, Position, Simulation};
use jigo_tactics::{Unconditional, UnconditionalLife};

use crate::stop::StopFlag;

/// What became of a stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Alive,
    Dead,
    Seki,
}

/// The fate of every stone on the board.
#[derive(Clone, Debug)]
pub struct Judgement {
    stones: PointSet,
    dead: PointSet,
    seki: PointSet,
    is_settled: bool,
}

/// Enough that a share near the threshold is off by less than 0.03.
const PLAYOUTS: usize = 256;

/// A chain is dead if the opponent ends up with its points in this share of the playouts, and its fate is plain if
/// either side does.
const PLAIN: f32 = 0.7;

/// A neutral region larger than this is open ground, not the shared liberties of a seki.
const SHARED_LIBERTIES: usize = 6;

impl Judgement {
    /// Judges the position by Benson's life where it decides, and elsewhere by playouts. The same position with
    /// the same seed is always judged alike.
    ///
    /// Under rules without agreement about dead stones everything on the board counts as alive.
    pub fn new(game: &Game, seed: u64, stop: &StopFlag) -> Judgement {
        let board = game.board();
        let stones: PointSet = board.points().filter(|&point| !board.is_empty(point)).collect();
        if !game.rules().friendly_pass_ok {
            return Judgement { stones, dead: PointSet::EMPTY, seki: PointSet::EMPTY, is_settled: true };
        }
        let ownership = Ownership::by_playouts(board, seed ^ board.hash(), stop);
        let life = UnconditionalLife::new(board);
        let mut dead = PointSet::EMPTY;
        let mut is_settled = true;
        for chain in board.chain_heads() {
            let is_dead = match life.at(board, chain) {
                Unconditional::Alive => false,
                Unconditional::Dead => true,
                Unconditional::Territory(_) | Unconditional::Undecided => {
                    let [kept, lost] = ownership.shares_of_chain(board, chain);
                    is_settled &= kept.max(lost) >= PLAIN;
                    lost >= PLAIN
                }
            };
            if is_dead {
                dead.extend(board.stones(chain));
            }
        }
        let seki = chains_in_seki(board, &dead);
        Judgement { stones, dead, seki, is_settled: is_settled && !stones.is_empty() }
    }

    pub fn dead(&self) -> &PointSet {
        &self.dead
    }

    /// Is every chain's fate plain?
    pub fn is_settled(&self) -> bool {
        self.is_settled
    }

    pub fn stones_with(&self, status: Status) -> PointSet {
        match status {
            Status::Dead => self.dead,
            Status::Seki => self.seki,
            Status::Alive => self.stones.difference(&self.dead).difference(&self.seki),
        }
    }
}

/// How often each point ended up with each colour.
struct Ownership {
    counts: [[u32; GRID]; 2],
    games: u32,
}

impl Ownership {
    fn by_playouts(start: &Board, seed: u64, stop: &StopFlag) -> Ownership {
        let mut ownership = Ownership { counts: [[0; GRID]; 2], games: 0 };
        let mut playout = Playout::new(&PlayoutParameters::default(), start.size(), seed);
        let mut simulation = Simulation::new();
        let mut outcome = Outcome::default();
        // Both players begin equally often, since after two passes neither is to move.
        let starts = Color::BOTH.map(|color| Position::new(start.clone(), color, Vec::new()));
        for game in 0..PLAYOUTS {
            if stop.is_raised() {
                break;
            }
            simulation.restart(&starts[game % 2]);
            playout.run(&mut simulation, 0.0, &mut outcome);
            for point in start.points() {
                for color in Color::BOTH {
                    ownership.counts[color.index()][point.index()] += u32::from(outcome.owner(point).is(color));
                }
            }
            ownership.games += 1;
        }
        ownership
    }

    /// How often its owner and the opponent ended up with the points of a chain.
    fn shares_of_chain(&self, board: &Board, chain: Point) -> [f32; 2] {
        let Some(color) = board.color_at(chain) else { return [0.0; 2] };
        let possible = (self.games as usize * board.chain_size(chain)).max(1);
        [color, color.opponent()].map(|owner| {
            let owned: u32 = board.stones(chain).map(|stone| self.counts[owner.index()][stone.index()]).sum();
            owned as f32 / possible as f32
        })
    }
}

/// Living stones that share a few neutral liberties with the opponent and own nothing but an eye taxed in seki.
fn chains_in_seki(board: &Board, dead: &PointSet) -> PointSet {
    let count = Count::new(board, dead);
    let shared = small_regions(&count.neutral);
    let mut seki = PointSet::EMPTY;
    for chain in board.chain_heads() {
        let Some(color) = board.color_at(chain) else { continue };
        let beside: PointSet = board.stones(chain).flat_map(|stone| stone.neighbours()).collect();
        let borders_real_territory =
            !beside.intersection(&count.territory[color.index()]).is_subset(&count.seki_eyes[color.index()]);
        let is_alive = count.stones[color.index()].contains(chain);
        if is_alive && !borders_real_territory && !beside.intersection(&shared).is_empty() {
            seki.extend(board.stones(chain));
        }
    }
    seki
}

fn small_regions(points: &PointSet) -> PointSet {
    let mut left = *points;
    let mut small = PointSet::EMPTY;
    while let Some(start) = left.first() {
        let mut region = PointSet::EMPTY;
        let mut frontier = vec![start];
        left.remove(start);
        while let Some(point) = frontier.pop() {
            region.insert(point);
            frontier.extend(point.neighbours().into_iter().filter(|&next| left.remove(next)));
        }
        if region.len() <= SHARED_LIBERTIES {
            small.extend(region.iter());
        }
    }
    small
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::{Diagram, Rules};

    fn judge(diagram: &str, rules: &str) -> (Game, Judgement) {
        let board = Diagram::parse(diagram).unwrap().board;
        let game = Game::from_position(board, Color::Black, Rules::by_name(rules).unwrap());
        let judgement = Judgement::new(&game, 1, &StopFlag::default());
        (game, judgement)
    }

    fn vertices(game: &Game, points: PointSet) -> Vec<String> {
        points.iter().map(|point| point.vertex(game.size())).collect()
    }

    const INVADED: &str = "
        . . X . X O . O .
        . . X X X O O O .
        . . . X O O . O .
        X X X X O . O O .
        . . . X O O . O .
        . O . X O . . O .
        . . . X O . O O O
        X X . X O O . . .
        . X X X O . O . O";

    #[test]
    fn a_lone_stone_in_enemy_territory_is_dead() {
        let (game, judgement) = judge(INVADED, "chinese");
        assert_eq!(vertices(&game, *judgement.dead()), ["B4"]);
    }

    #[test]
    fn unconditional_life_overrules_chance() {
        // Random White plays inside Black's corner, but can never take it; White's stone there can never live.
        let (game, judgement) = judge(
            "
            . X . X . O .
            O X X X . O .
            X X X . . O .
            . X . . . O .
            X X . . O O .
            O O O O O . O
            . . O . O O .",
            "chinese",
        );
        assert_eq!(vertices(&game, *judgement.dead()), ["A6"]);
    }

    #[test]
    fn rules_without_agreement_leave_every_stone_alive() {
        let (_, judgement) = judge(INVADED, "tromp-taylor");
        assert!(judgement.dead().is_empty());
    }

    #[test]
    fn every_stone_has_exactly_one_status() {
        let (game, judgement) = judge(INVADED, "japanese");
        let lists = [Status::Alive, Status::Dead, Status::Seki].map(|status| judgement.stones_with(status).len());
        assert_eq!(lists.iter().sum::<usize>(), game.board().area() - game.board().empties().len());
    }

    #[test]
    fn chains_that_only_share_liberties_are_in_seki() {
        // Whoever plays at C7 or C6 loses the stones beside.
        let (game, judgement) = judge(
            "
            O O . X O . O
            O O . X O O .
            O O X X O . O
            X X O O O O O
            X X X X X X X
            X X X X X X X
            . X . X X X X",
            "japanese",
        );
        let seki = ["A7", "B7", "D7", "A6", "B6", "D6", "A5", "B5", "C5", "D5"];
        assert_eq!(vertices(&game, judgement.stones_with(Status::Seki)), seki);
        assert!(judgement.dead().is_empty());
    }

    #[test]
    fn stones_on_an_open_board_are_not_in_seki() {
        let (_, judgement) = judge(". . . . .\n. X . O .\n. . . . .\n. . . . .\n. . . . .", "japanese");
        assert!(judgement.stones_with(Status::Seki).is_empty());
    }
}
