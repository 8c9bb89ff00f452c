//! A game: the position with everything that led to it. Superko and scoring need the whole history.

use crate::board::Board;
use crate::color::Color;
use crate::point::{Move, Point};
use crate::point_set::PointSet;
use crate::rules::{Illegal, KoRule, Rules, Score};
use crate::scoring::Count;

#[derive(Clone)]
pub struct Game {
    rules: Rules,
    komi: f32,
    start: Start,
    moves: Vec<(Color, Move)>,
    board: Board,
    /// The position after each move, the start first; and who was then to move.
    positions: Vec<(u64, Color)>,
}

/// How the game began.
#[derive(Clone)]
struct Start {
    board: Board,
    to_move: Color,
    handicap: Vec<Point>,
}

impl Game {
    /// A game on an empty board with the ruleset's own komi. Panics outside sizes 2..=19.
    pub fn new(size: usize, rules: Rules) -> Game {
        Game::from_position(Board::new(size), Color::Black, rules)
    }

    /// A game that starts from a position, with nothing known of what came before.
    pub fn from_position(board: Board, to_move: Color, rules: Rules) -> Game {
        Game {
            rules,
            komi: rules.default_komi,
            positions: vec![(board.hash(), to_move)],
            start: Start { board: board.clone(), to_move, handicap: Vec::new() },
            moves: Vec::new(),
            board,
        }
    }

    pub fn size(&self) -> usize {
        self.board.size()
    }

    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The position before the first move: set-up and handicap stones included.
    pub fn start_board(&self) -> &Board {
        &self.start.board
    }

    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    pub fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
    }

    pub fn komi(&self) -> f32 {
        self.komi
    }

    /// Any komi: what may be asked for is [`acceptable_komi`](crate::acceptable_komi)'s to say.
    pub fn set_komi(&mut self, komi: f32) {
        self.komi = komi;
    }

    /// Komi with White's compensation for handicap: what Black must make up.
    pub fn effective_komi(&self) -> f32 {
        self.komi + self.rules.white_handicap_bonus(self.handicap().len())
    }

    pub fn moves(&self) -> &[(Color, Move)] {
        &self.moves
    }

    pub fn last_move(&self) -> Option<Move> {
        self.moves.last().map(|&(_, mv)| mv)
    }

    pub fn handicap(&self) -> &[Point] {
        &self.start.handicap
    }

    /// The hashes of all positions of this game so far, the present one included.
    pub fn position_hashes(&self) -> impl Iterator<Item = u64> + '_ {
        self.positions.iter().map(|&(hash, _)| hash)
    }

    pub fn to_move(&self) -> Color {
        self.positions.last().map_or(self.start.to_move, |&(_, to_move)| to_move)
    }

    /// Says who is to move now, for set-up positions and clients that let a colour move twice.
    pub fn set_to_move(&mut self, color: Color) {
        if self.moves.is_empty() {
            self.start.to_move = color;
        }
        if let Some(last) = self.positions.last_mut() {
            last.1 = color;
        }
    }

    /// Two passes in a row end the game.
    pub fn is_over(&self) -> bool {
        matches!(self.moves[..], [.., (_, Move::Pass), (_, Move::Pass)])
    }

    pub fn is_at_start(&self) -> bool {
        self.moves.is_empty()
    }

    /// Begins anew with these handicap stones, however few or many; White is then to move.
    pub fn place_handicap(&mut self, points: &[Point]) -> Result<(), Illegal> {
        let size = self.size();
        let mut board = Board::new(size);
        for &point in points {
            if point.col() >= size || point.row() >= size {
                return Err(Illegal::OffBoard);
            }
            if !board.is_empty(point) {
                return Err(Illegal::Occupied);
            }
            if board.is_suicide(Color::Black, point) {
                return Err(Illegal::Suicide);
            }
            board.play(Color::Black, point);
        }
        let start = Start { board: board.clone(), to_move: Color::White, handicap: points.to_vec() };
        *self = Game { positions: vec![(board.hash(), Color::White)], start, moves: Vec::new(), board, ..self.clone() };
        Ok(())
    }

    /// May `color` make this move under the rules of this game? A pass always may.
    pub fn check(&self, color: Color, mv: Move) -> Result<(), Illegal> {
        self.check_with(self.rules.ko, color, mv)
    }

    fn check_with(&self, ko: KoRule, color: Color, mv: Move) -> Result<(), Illegal> {
        let Move::Play(point) = mv else { return Ok(()) };
        let board = &self.board;
        if point.col() >= self.size() || point.row() >= self.size() {
            return Err(Illegal::OffBoard);
        }
        if !board.is_empty(point) {
            return Err(Illegal::Occupied);
        }
        if board.is_suicide(color, point) && (!self.rules.suicide || board.is_single_stone_suicide(color, point)) {
            return Err(Illegal::Suicide);
        }
        // Under superko a retaken ko is refused by the repeated position, not by the last move alone.
        let stood_before = |same: &dyn Fn(Color) -> bool| {
            let reached = board.hash_after(color, point);
            self.positions.iter().any(|&(hash, to_move)| hash == reached && same(to_move))
        };
        match ko {
            KoRule::Simple if board.ko_point(color) == Some(point) => Err(Illegal::Ko),
            KoRule::Positional if stood_before(&|_| true) => Err(Illegal::PositionalSuperko),
            KoRule::Situational if stood_before(&|next| next != color) => Err(Illegal::SituationalSuperko),
            _ => Ok(()),
        }
    }

    /// Makes a move, or says why it is illegal and leaves the game as it was.
    pub fn play(&mut self, color: Color, mv: Move) -> Result<(), Illegal> {
        self.play_with(self.rules.ko, color, mv)
    }

    /// Makes a move although the whole-board position repeats: human records contain such moves.
    pub fn play_despite_superko(&mut self, color: Color, mv: Move) -> Result<(), Illegal> {
        self.play_with(KoRule::Simple, color, mv)
    }

    fn play_with(&mut self, ko: KoRule, color: Color, mv: Move) -> Result<(), Illegal> {
        self.check_with(ko, color, mv)?;
        put(&mut self.board, color, mv);
        self.moves.push((color, mv));
        self.positions.push((self.board.hash(), color.opponent()));
        Ok(())
    }

    /// Takes back the last move, if there is one.
    pub fn undo(&mut self) -> Option<(Color, Move)> {
        let undone = *self.moves.last()?;
        self.rewind_to(self.moves.len() - 1);
        Some(undone)
    }

    /// Takes back all moves after the first `moves`, in one go however many they are.
    pub fn rewind_to(&mut self, moves: usize) {
        self.moves.truncate(moves);
        self.positions.truncate(moves + 1);
        self.board.copy_from(&self.start.board);
        for &(color, mv) in &self.moves {
            put(&mut self.board, color, mv);
        }
    }

    /// All legal points for `color`, top left first.
    pub fn legal_points(&self, color: Color) -> Vec<Point> {
        self.board.points().filter(|&point| self.check(color, Move::Play(point)).is_ok()).collect()
    }

    /// The result if play stops here and these stones are dead.
    pub fn score(&self, dead: &PointSet) -> Score {
        let count = Count::new(&self.board, dead);
        let lost = Color::BOTH.map(|color| self.board.stones_lost(color));
        let points = |color| count.points(&self.rules, color, lost);
        let button = match self.moves.iter().find(|(_, mv)| *mv == Move::Pass) {
            Some((Color::Black, _)) if self.rules.has_button => 0.5,
            Some((Color::White, _)) if self.rules.has_button => -0.5,
            _ => 0.0,
        };
        Score::black_lead(points(Color::Black) - points(Color::White) - self.effective_komi() + button)
    }
}

fn put(board: &mut Board, color: Color, mv: Move) {
    match mv {
        Move::Play(point) => drop(board.play(color, point)),
        Move::Pass => board.pass(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagram::Diagram;

    fn rules(name: &str) -> Rules {
        Rules::by_name(name).unwrap()
    }

    #[test]
    fn undo_returns_to_every_earlier_position() {
        let mut game = Game::new(5, rules("tromp-taylor"));
        let mut hashes = vec![game.board().hash()];
        for vertex in ["C3", "C4", "D4", "D5", "B4", "B5", "pass", "A4", "C5"] {
            game.play(game.to_move(), Move::parse(vertex, 5).unwrap()).unwrap();
            hashes.push(game.board().hash());
        }
        while let Some(hash) = hashes.pop() {
            assert_eq!(game.board().hash(), hash);
            assert_eq!(game.undo().is_none(), hashes.is_empty());
        }
    }

    #[test]
    fn rewinding_equals_undoing_move_by_move() {
        let mut undone = Game::new(5, rules("tromp-taylor"));
        for vertex in ["C3", "C4", "D4", "D5", "B4", "B5", "pass", "A4", "C5"] {
            undone.play(undone.to_move(), Move::parse(vertex, 5).unwrap()).unwrap();
        }
        let mut rewound = undone.clone();
        (0..4).for_each(|_| assert!(undone.undo().is_some()));
        rewound.rewind_to(5);
        assert_eq!((rewound.board().hash(), rewound.moves()), (undone.board().hash(), undone.moves()));
        assert_eq!(rewound.to_move(), undone.to_move());
    }

    #[test]
    fn a_refused_move_changes_nothing() {
        let mut game = Game::new(3, rules("chinese"));
        game.play(Color::Black, Move::Play(Point::new(1, 1))).unwrap();
        let refused = game.play(Color::White, Move::Play(Point::new(1, 1)));
        assert_eq!(refused, Err(Illegal::Occupied));
        assert_eq!((game.moves().len(), game.to_move()), (1, Color::White));
    }

    #[test]
    fn handicap_stones_give_white_the_move_and_the_bonus() {
        let mut game = Game::new(9, rules("chinese"));
        game.place_handicap(&crate::handicap::fixed_handicap(9, 3).unwrap()).unwrap();
        assert_eq!(game.to_move(), Color::White);
        assert_eq!(game.effective_komi(), 10.5);
    }

    #[test]
    fn simple_ko_is_refused_until_another_move() {
        let diagram = Diagram::parse(
            ". X O .
             X a X O
             . X O .
             . . . .",
        )
        .unwrap();
        let take = diagram.point('a');
        let back = Point::new(2, 1);
        let mut game = Game::from_position(diagram.board, Color::White, rules("chinese"));
        game.play(Color::White, Move::Play(take)).unwrap();
        assert_eq!(game.check(Color::Black, Move::Play(back)), Err(Illegal::Ko));
        game.play(Color::Black, Move::Pass).unwrap();
        game.play(Color::White, Move::Pass).unwrap();
        assert_eq!(game.check(Color::Black, Move::Play(back)), Ok(()));
    }
}
