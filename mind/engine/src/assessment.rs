//! A reviewed game in numbers: what every move lost, how each player did in each part of the game, which moves decided it. Doors
//! that show reviews ask here what moves lost and how players did, so that they agree.

use jigo_board::{Color, Move, Score, WinRate};

use crate::mistake::points_lost;

/// What a review holds of one position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JudgedPosition {
    /// By all simulations, komi counted.
    pub black_lead: f32,
    pub win_rate: WinRate,
    pub best: Option<BestMove>,
}

/// The engine's choice in a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BestMove {
    pub mv: Move,
    /// By the simulations that went through it.
    pub black_lead: f32,
}

impl JudgedPosition {
    /// Is this the move that the engine would have played?
    pub fn is_best(&self, mv: Move) -> bool {
        self.best.is_some_and(|best| best.mv == mv)
    }

    /// Points that a move from here to `after` lost: how far its player's lead after it is behind that after the engine's choice.
    /// Both leads come from simulations below a move, so that they see equally far. The choice itself loses nothing, whatever a
    /// second look at it says.
    pub fn lost_by(&self, mover: Color, mv: Move, after: &JudgedPosition) -> f32 {
        let best_lead = self.best.map_or(self.black_lead, |best| best.black_lead);
        if self.is_best(mv) { 0.0 } else { points_lost(mover, best_lead, after.black_lead) }
    }
}

/// The parts of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GamePart {
    Opening,
    Middle,
    Endgame,
}

impl GamePart {
    pub const ALL: [GamePart; 3] = [GamePart::Opening, GamePart::Middle, GamePart::Endgame];

    /// The part that move `number`, counted from one, belongs to: on the large board up to move 50, up to 150 and beyond, on others in
    /// proportion to their points.
    pub fn of(number: usize, size: usize) -> GamePart {
        let on_large = number * 361 / (size * size).max(1);
        match on_large {
            0..=50 => GamePart::Opening,
            51..=150 => GamePart::Middle,
            _ => GamePart::Endgame,
        }
    }
}

/// How one player did, in the whole game or in a part of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Performance {
    pub moves: usize,
    pub points_lost: f32,
    /// Moves that were the engine's first choice.
    pub best_moves: usize,
    accuracy: f32,
}

/// A move that loses so many points counts half in the accuracy.
const HALF_ACCURATE: f32 = 4.0;

impl Performance {
    fn add(&mut self, lost: f32, is_best: bool) {
        self.moves += 1;
        self.points_lost += lost;
        self.best_moves += usize::from(is_best);
        self.accuracy += 0.5f32.powf(lost / HALF_ACCURATE);
    }

    fn share(&self, sum: f32) -> Option<f32> {
        (self.moves > 0).then(|| sum / self.moves as f32)
    }

    pub fn mean_loss(&self) -> Option<f32> {
        self.share(self.points_lost)
    }

    pub fn best_share(&self) -> Option<f32> {
        self.share(self.best_moves as f32)
    }

    /// From 0 to 1: 1 if no move lost anything, and every move that loses four points counts half.
    pub fn accuracy(&self) -> Option<f32> {
        self.share(self.accuracy)
    }
}

/// A line of play with what is known of its positions.
#[derive(Clone, Debug, Default)]
pub struct Assessment {
    pub size: usize,
    pub moves: Vec<(Color, Move)>,
    /// One more than there are moves; entry `n` is about the position after `n` moves.
    pub positions: Vec<Option<JudgedPosition>>,
}

impl Assessment {
    fn around(&self, number: usize) -> Option<(Color, Move, &JudgedPosition, &JudgedPosition)> {
        let &(color, mv) = self.moves.get(number.checked_sub(1)?)?;
        Some((color, mv, self.positions.get(number - 1)?.as_ref()?, self.positions.get(number)?.as_ref()?))
    }

    /// What move `number`, counted from one, lost, if both positions around it are judged.
    pub fn points_lost(&self, number: usize) -> Option<f32> {
        let (color, mv, before, after) = self.around(number)?;
        Some(before.lost_by(color, mv, after))
    }

    /// The whole game, or one part of it. Passes are no performance.
    pub fn performance(&self, color: Color, part: Option<GamePart>) -> Performance {
        let mut performance = Performance::default();
        for number in 1..=self.moves.len() {
            let Some((mover, mv, before, after)) = self.around(number) else { continue };
            if mover == color && mv != Move::Pass && part.is_none_or(|part| part == GamePart::of(number, self.size)) {
                performance.add(before.lost_by(mover, mv, after), before.is_best(mv));
            }
        }
        performance
    }

    /// The moves that decided the game: those that cost their player most chances to win, and among equals most points. At most so
    /// many, in the order they were played.
    pub fn deciding_moves(&self, most: usize) -> Vec<usize> {
        let cost = |number: usize| {
            let (mover, mv, before, after) = self.around(number)?;
            let lost = before.lost_by(mover, mv, after);
            let chance = (before.win_rate.share_of(mover) - after.win_rate.share_of(mover)).max(0.0);
            (lost >= LEAST_DECIDING).then_some((number, chance + POINTS_WEIGHT * lost))
        };
        let mut costs: Vec<(usize, f32)> = (1..=self.moves.len()).filter_map(cost).collect();
        costs.sort_by(|a, b| b.1.total_cmp(&a.1));
        let mut numbers: Vec<usize> = costs.into_iter().take(most).map(|(number, _)| number).collect();
        numbers.sort_unstable();
        numbers
    }

    /// By how many points `color` led after so many moves, if that is known.
    pub fn lead_of(&self, color: Color, moves: usize) -> Option<f32> {
        Some(Score::black_lead(self.positions.get(moves)?.as_ref()?.black_lead).lead_of(color))
    }
}

/// A smaller loss decides nothing.
const LEAST_DECIDING: f32 = 1.0;
/// Where chances are equal, a hundred points weigh as much as the whole game.
const POINTS_WEIGHT: f32 = 0.01;

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::Point;

    fn at(n: usize) -> Move {
        Move::Play(Point::new(n % 9, n / 9))
    }

    /// Black and White in turn; each position has a lead of Black's, and a best move that nobody plays.
    fn assessment(leads: &[f32]) -> Assessment {
        let judged = |&black_lead: &f32| {
            let best = Some(BestMove { mv: at(80), black_lead });
            Some(JudgedPosition { black_lead, win_rate: WinRate::black(0.5 + black_lead / 40.0), best })
        };
        let moves = (0..leads.len() - 1).map(|n| (Color::BOTH[n % 2], at(n))).collect();
        Assessment { size: 9, moves, positions: leads.iter().map(judged).collect() }
    }

    #[test]
    fn a_move_loses_what_its_own_players_lead_falls_and_the_best_move_nothing() {
        let mut game = assessment(&[0.0, -2.0, 5.0, 6.0]);
        let lost = |game: &Assessment| (1..=3).map(|number| game.points_lost(number)).collect::<Vec<_>>();
        assert_eq!(lost(&game), [Some(2.0), Some(7.0), Some(0.0)]);
        game.positions[1].as_mut().unwrap().best = Some(BestMove { mv: at(1), black_lead: -2.0 });
        assert_eq!(game.points_lost(2), Some(0.0), "a move is not better than itself");
        game.positions[2] = None;
        assert_eq!(lost(&game), [Some(2.0), None, None]);
        assert_eq!((game.points_lost(0), game.points_lost(9)), (None, None));
    }

    #[test]
    fn accuracy_is_whole_without_losses_and_half_at_four_points() {
        let game = assessment(&[0.0, -4.0, -4.0, -4.0]);
        let black = game.performance(Color::Black, None);
        assert_eq!((black.moves, black.mean_loss(), black.accuracy()), (2, Some(2.0), Some(0.75)));
        assert_eq!(game.performance(Color::White, None).accuracy(), Some(1.0));
        assert_eq!(Performance::default().accuracy(), None);
    }

    #[test]
    fn every_move_belongs_to_one_part_of_the_game() {
        assert_eq!([1, 50, 51, 150, 151].map(|n| GamePart::of(n, 19)), {
            use GamePart::*;
            [Opening, Opening, Middle, Middle, Endgame]
        });
        let game = assessment(&vec![0.0; 60]);
        let parts = GamePart::ALL.map(|part| game.performance(Color::Black, Some(part)).moves);
        assert_eq!(parts.iter().sum::<usize>(), game.performance(Color::Black, None).moves);
        assert!(parts.iter().all(|&moves| moves > 0), "{parts:?}");
    }

    #[test]
    fn the_moves_that_decided_are_the_costliest_in_order() {
        let game = assessment(&[0.0, -4.0, 8.0, 1.0, 1.5, 1.0]);
        assert_eq!(game.deciding_moves(2), [2, 3]);
        assert_eq!(game.deciding_moves(9), [1, 2, 3], "half a point decides nothing");
    }
}
