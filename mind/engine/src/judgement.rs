//! Which stones are dead and what the game is worth if play stops here. One judgement serves the score, the status lists and
//! the decision to pass; the end of the game inside the tree is judged by the same [`DeadStones`].

use jigo_board::{Board, Color, Count, Game, Move, Point, PointSet, Score, Symmetry};
use jigo_playout::{Playout, PlayoutParameters};
use jigo_search::{Counting, DeadStones, Evaluation, Manner, PlayoutOwners, Searcher};

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
    score: Score,
}

/// Enough that a share near the threshold is off by less than 0.03.
const PLAYOUTS: usize = 256;
/// Beside a net that tells owners, fewer do, and the net counts more.
const PLAYOUTS_BESIDE_NET: usize = 64;
const NET_SHARE: f32 = 0.75;

/// A neutral region larger than this is open ground, not the shared liberties of a seki.
const SHARED_LIBERTIES: usize = 6;

/// A point that nobody surrounds yet is as good as somebody's if it is expected to be by this much ...
const EXPECTED: f32 = 0.5;
/// ... and with so many of them the game is not over.
const UNFINISHED: usize = 4;

impl Judgement {
    /// Judges the position by Benson's life where it decides, and elsewhere by the net of a searcher and by playouts. The
    /// same position with the same seed is always judged alike.
    pub fn of(game: &Game, searcher: &mut dyn Searcher, seed: u64, stop: &StopFlag) -> Judgement {
        let mut before_passes = game.clone();
        while before_passes.last_move() == Some(Move::Pass) {
            before_passes.undo();
        }
        let look = searcher.raw_net(&before_passes, game.to_move(), Symmetry::IDENTITY, Manner::PLAIN);
        Judgement::new(game, look.as_ref(), seed, stop)
    }

    /// Under rules without agreement about dead stones everything on the board counts as alive.
    pub fn new(game: &Game, look: Option<&Evaluation>, seed: u64, stop: &StopFlag) -> Judgement {
        let board = game.board();
        let stones: PointSet = board.points().filter(|&point| !board.is_empty(point)).collect();
        if !game.rules().friendly_pass_ok {
            let (dead, seki, score) = (PointSet::EMPTY, PointSet::EMPTY, game.score(&PointSet::EMPTY));
            return Judgement { stones, dead, seki, is_settled: true, score };
        }
        let look = look.filter(|look| look.black_territory().is_some());
        let mut playout = Playout::new(&PlayoutParameters::default(), board.size(), seed ^ board.hash());
        let playouts = if look.is_some() { PLAYOUTS_BESIDE_NET } else { PLAYOUTS };
        let owners = PlayoutOwners::new(board, &mut playout, playouts, || !stop.is_raised());
        let black_owns = |point: Point| match look.and_then(|look| look.black_ownership(point)) {
            Some(expected) => NET_SHARE * expected + (1.0 - NET_SHARE) * owners.black_owns(point),
            None => owners.black_owns(point),
        };
        let DeadStones { dead, are_plain } = DeadStones::new(board, black_owns);
        let seki = chains_in_seki(board, &dead);
        let score = if game.is_over() { game.score(&dead) } else { estimate(game, &dead, look, black_owns) };
        Judgement { stones, dead, seki, is_settled: are_plain && !stones.is_empty(), score }
    }

    pub fn dead(&self) -> &PointSet {
        &self.dead
    }

    /// Is every chain's fate plain?
    pub fn is_settled(&self) -> bool {
        self.is_settled
    }

    /// The result: the count once the game is over, before that the best estimate.
    pub fn score(&self) -> Score {
        self.score
    }

    pub fn stones_with(&self, status: Status) -> PointSet {
        match status {
            Status::Dead => self.dead,
            Status::Seki => self.seki,
            Status::Alive => self.stones.difference(&self.dead).difference(&self.seki),
        }
    }
}

/// What the game is worth before both have passed. While borders are open, counting makes no sense of large parts of the board:
/// then the net's word is taken, in whole points, and without one every open point is given to whom it is expected to be.
fn estimate(game: &Game, dead: &PointSet, look: Option<&Evaluation>, black_owns: impl Fn(Point) -> f32) -> Score {
    let counted = game.score(dead);
    let open = Count::new(game.board(), dead).neutral;
    let expected: Vec<f32> = open.iter().map(black_owns).filter(|owned| owned.abs() >= EXPECTED).collect();
    if expected.len() < UNFINISHED {
        return counted;
    }
    let net_score = look.and_then(|look| {
        let surplus = || Counting::of(game).area_surplus(game.to_move(), look.probability(Move::Pass));
        Some(look.value.black_score()? - if look.counts_by_rules() { 0.0 } else { surplus() })
    });
    match net_score {
        Some(score) => Score::black_lead(score.round() - game.effective_komi()),
        None => {
            let given: f32 = expected.iter().map(|owned| owned.signum()).sum();
            Score::black_lead(counted.lead_of(Color::Black) + given)
        }
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
        let judgement = Judgement::new(&game, None, 1, &StopFlag::default());
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
    fn an_open_border_is_estimated_and_not_called_neutral() {
        // One stone is missing in the wall at D5 and E5: the count alone would call the whole board neutral.
        let (_, judgement) = judge(
            ". . . X . O . . .
             . . . X O . . . .
             . . . X O . . . .
             . . . X O . . . .
             . . . . . . . . .
             . . . X O . . . .
             . . . X O . . . .
             . . . X O . . . .
             . . . X O . . . .",
            "chinese",
        );
        let lead = judgement.score().lead_of(Color::Black) + 7.5;
        assert!((-12.0..=-4.0).contains(&lead), "{lead}");
    }

    #[test]
    fn stones_on_an_open_board_are_not_in_seki() {
        let (_, judgement) = judge(". . . . .\n. X . O .\n. . . . .\n. . . . .\n. . . . .", "japanese");
        assert!(judgement.stones_with(Status::Seki).is_empty());
    }
}
