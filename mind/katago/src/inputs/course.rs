//! The course of a game as KataGo's nets are told it: who may see which moves, what a pass would do, which points are banned.
//!
//! A move by the player who is not expected to move begins a new course from the board as it stands.

use jigo_board::{Board, Color, Game, KoRule, Move, PointSet, Rng, Rules, Scoring};

/// Everything of a game that matters to such a net. A search keeps the course of its root and plays a copy on to each leaf.
#[derive(Clone)]
pub struct Course {
    rules: Rules,
    komi: f32,
    to_move: Color,
    /// The last three boards in a ring, the present one at `at`.
    boards: [Board; 3],
    at: usize,
    /// The moves of this course, the colours in turn, and the first of them that may be shown.
    moves: Vec<(Color, Move)>,
    shown_from: usize,
    /// The position at the start and after every move, and who was to move.
    positions: Vec<(u64, Color)>,
    /// Positions before this one do not count as repeated.
    repeated_from: usize,
    /// The positions in which somebody has passed.
    passes: Vec<(u64, Color)>,
    /// Passes in a row that count towards the end.
    ending_passes: usize,
    /// Who took the button; nobody yet while it is there.
    button: Option<Color>,
    stage: Stage,
    handicap: Handicap,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Playing,
    /// Over, by passes or by repetition.
    Finished,
    /// Two passes under territory rules, where the dead are then agreed on, and play may go on.
    Prolonged,
}

/// Black stones before White's first.
#[derive(Clone, Copy)]
struct Handicap {
    stones: usize,
    settled: bool,
}

impl Handicap {
    fn of_board(board: &Board) -> Handicap {
        let count = |color| board.points().filter(|&point| board.color_at(point) == Some(color)).count();
        if count(Color::White) > 0 {
            return Handicap { stones: 0, settled: true };
        }
        Handicap { stones: count(Color::Black), settled: false }
    }

    fn take(&mut self, color: Color, mv: Move) {
        match (color, mv) {
            (_, Move::Pass) => {}
            (Color::White, _) => self.settled = true,
            (Color::Black, _) if !self.settled => self.stones += 1,
            (Color::Black, _) => {}
        }
    }
}

/// What a pass would do now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassMeans {
    /// Play goes on.
    Nothing,
    /// It would be the second in a row, or a later one.
    EndInARow,
    /// The same side has passed in this position before.
    EndByRepetition,
}

impl Course {
    pub fn of_game(game: &Game) -> Course {
        let first = game.moves().first().map_or(game.to_move(), |&(color, _)| color);
        let mut course = Course::new(*game.rules(), game.komi(), game.start_board(), first);
        for &(color, mv) in game.moves() {
            course.play(color, mv);
        }
        course.turn_to(game.to_move());
        course
    }

    pub fn new(rules: Rules, komi: f32, board: &Board, to_move: Color) -> Course {
        Course {
            rules,
            komi,
            to_move,
            boards: [board.clone(), board.clone(), board.clone()],
            at: 0,
            moves: Vec::new(),
            shown_from: 0,
            positions: vec![(board.hash(), to_move)],
            repeated_from: 0,
            passes: Vec::new(),
            ending_passes: 0,
            button: None,
            stage: Stage::Playing,
            handicap: Handicap::of_board(board),
        }
    }

    /// Becomes a copy of `other` in the memory it has.
    pub fn copy_from(&mut self, other: &Course) {
        let Course { rules, komi, to_move, ref boards, at, ref moves, shown_from, .. } = *other;
        let Course { ref positions, repeated_from, ref passes, ending_passes, button, stage, handicap, .. } = *other;
        self.boards.iter_mut().zip(boards).for_each(|(board, other)| board.copy_from(other));
        self.moves.clone_from(moves);
        self.positions.clone_from(positions);
        self.passes.clone_from(passes);
        (self.rules, self.komi, self.to_move, self.at) = (rules, komi, to_move, at);
        (self.shown_from, self.repeated_from, self.ending_passes) = (shown_from, repeated_from, ending_passes);
        (self.button, self.stage, self.handicap) = (button, stage, handicap);
    }

    /// Makes a move, which must be possible on the board.
    pub fn play(&mut self, color: Color, mv: Move) {
        self.turn_to(color);
        if self.stage == Stage::Finished {
            // Play goes on after all: what led to the end is no longer shown.
            self.shown_from = self.moves.len() - 1;
        }
        self.stage = Stage::Playing;
        let pass_means = self.pass_means();
        let before = self.at;
        self.at = (self.at + 1) % 3;
        let [now, last] = self.boards.get_disjoint_mut([self.at, before]).expect("two of three");
        now.copy_from(last);
        self.handicap.take(color, mv);
        self.moves.push((color, mv));
        self.to_move = color.opponent();
        match mv {
            Move::Play(point) => {
                now.play(color, point);
                self.positions.push((now.hash(), self.to_move));
                self.ending_passes = 0;
                if self.has_repeated_twice() {
                    self.stage = Stage::Finished;
                }
            }
            Move::Pass => {
                now.pass();
                self.pass(color, pass_means);
            }
        }
    }

    fn pass(&mut self, color: Color, means: PassMeans) {
        let hash = self.board().hash();
        if self.button_is_there() {
            self.button = Some(color);
            self.passes.clear();
        } else {
            self.ending_passes += 1;
        }
        self.passes.push((hash, color));
        self.positions.push((hash, self.to_move));
        self.repeated_from = self.positions.len() - 1;
        if means != PassMeans::Nothing {
            if self.rules.scoring == Scoring::Area {
                self.stage = Stage::Finished;
            } else {
                self.stage = Stage::Prolonged;
                self.shown_from = self.moves.len() - 1;
            }
        }
    }

    /// Says who moves now. If it is not whose turn it is, nothing before counts any more.
    pub fn turn_to(&mut self, color: Color) {
        if color != self.to_move {
            let mut board = self.board().clone();
            board.pass();
            *self = Course::new(self.rules, self.komi, &board, color);
        }
    }

    /// Under simple ko a game ends without result when a position stands for the third time without a pass between.
    fn has_repeated_twice(&self) -> bool {
        let Some(now) = self.positions.last() else { return false };
        let same = self.positions[self.repeated_from..].iter().filter(|&position| position == now).count();
        self.rules.ko == KoRule::Simple && same >= 3
    }

    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    pub fn to_move(&self) -> Color {
        self.to_move
    }

    pub fn board(&self) -> &Board {
        &self.boards[self.at]
    }

    /// The board this many moves ago, at most two, which must have been made in this course.
    pub fn board_before(&self, moves: usize) -> &Board {
        &self.boards[(self.at + 3 - moves) % 3]
    }

    /// The moves that may be shown, newest first, at most five.
    pub fn shown_moves(&self) -> impl Iterator<Item = Move> + '_ {
        let most = if self.stage == Stage::Playing { 5 } else { 1 };
        self.moves[self.shown_from..].iter().rev().take(most).map(|&(_, mv)| mv)
    }

    /// Is there half a point for the next pass?
    pub fn button_is_there(&self) -> bool {
        self.rules.has_button && self.rules.scoring == Scoring::Area && self.button.is_none()
    }

    pub fn pass_means(&self) -> PassMeans {
        let here = (self.board().hash(), self.to_move);
        if self.rules.ko == KoRule::Simple && self.passes.contains(&here) {
            PassMeans::EndByRepetition
        } else if self.ending_passes >= 1 {
            PassMeans::EndInARow
        } else {
            PassMeans::Nothing
        }
    }

    /// Would a pass be the second in a row, and no more than that?
    pub fn is_second_pass(&self) -> bool {
        self.ending_passes == 1 && self.pass_means() == PassMeans::EndInARow
    }

    /// Points where the side to move would bring back an earlier position, beside the simple ko.
    pub fn superko_bans(&self) -> PointSet {
        let (board, color) = (self.board(), self.to_move);
        let came_before = |hash: u64| match self.rules.ko {
            KoRule::Simple => false,
            KoRule::Positional => self.positions.iter().any(|&(earlier, _)| earlier == hash),
            KoRule::Situational => self.positions.contains(&(hash, color.opponent())),
        };
        if self.rules.ko == KoRule::Simple {
            return PointSet::EMPTY;
        }
        let banned = board.points().filter(|&point| {
            self.may_be_played(point)
                // Without a capture there are more stones than ever before, but for suicide.
                && (board.captures(color, point) || board.is_suicide(color, point))
                && came_before(board.hash_after(color, point))
        });
        banned.collect()
    }

    /// Empty, no simple ko and no suicide that the rules forbid.
    fn may_be_played(&self, point: jigo_board::Point) -> bool {
        let (board, color) = (self.board(), self.to_move);
        board.is_empty(point)
            && board.ko_point(color) != Some(point)
            && (!board.is_suicide(color, point) || (self.rules.suicide && !board.is_single_stone_suicide(color, point)))
    }

    /// Where the side to move may play.
    pub fn legal_points(&self) -> PointSet {
        let playable: PointSet = self.board().points().filter(|&point| self.may_be_played(point)).collect();
        playable.difference(&self.superko_bans())
    }

    /// What White has beside the stones on the board: komi, compensation for handicap, the button, and under territory rules what
    /// turns area into territory, a point for every black move and one less for every white one.
    pub fn white_komi(&self) -> f32 {
        let button = match self.button {
            Some(Color::White) => 0.5,
            Some(Color::Black) => -0.5,
            None => 0.0,
        };
        let running = match self.rules.scoring {
            Scoring::Area => 0.0,
            Scoring::Territory => self.stones_played(Color::Black) - self.stones_played(Color::White),
        };
        let stones = if self.handicap.stones >= 2 { self.handicap.stones } else { 0 };
        self.komi + self.rules.white_handicap_bonus(stones) + button + running
    }

    /// Stones that were ever put on the board: those that stand, and those that were taken.
    fn stones_played(&self, color: Color) -> f32 {
        let board = self.board();
        let standing = board.points().filter(|&point| board.color_at(point) == Some(color)).count();
        (standing + board.stones_lost(color) as usize) as f32
    }

    /// Plays on as if White had so many points more.
    pub fn imagine_komi(&mut self, more: f32) {
        self.komi += more;
    }

    /// One number for all that a net sees of this game. Equal numbers mean equal inputs, for all we will ever see.
    pub fn fingerprint(&self) -> u64 {
        let place = |mv: Move| mv.point().map_or(1, |point| 2 + point.index() as u64);
        let moves = self.shown_moves().enumerate().map(|(ago, mv)| place(mv) << (9 * ago));
        let bans =
            self.superko_bans().iter().map(|point| 1 + point.index() as u64).fold(0, |bans, at| bans * 7919 + at);
        let ko = self.board().ko_point(self.to_move).map_or(0, |point| 1 + point.index() as u64);
        let state = self.pass_means() as u64
            + 4 * u64::from(self.is_second_pass())
            + 8 * u64::from(self.button_is_there())
            + 16 * u64::from(self.to_move == Color::Black)
            + 32 * u64::from(self.rules.friendly_pass_ok)
            + 64 * u64::from(self.rules.suicide)
            + 128 * self.rules.ko as u64
            + 512 * self.rules.scoring as u64
            + 1024 * self.rules.tax as u64
            + 4096 * self.board().size() as u64;
        let parts = [
            self.board_before(1).hash(),
            self.board_before(2).hash(),
            bans,
            ko,
            moves.fold(0, |all, one| all | one),
            u64::from(self.white_komi().to_bits()),
            state,
        ];
        parts.into_iter().fold(self.board().hash(), |hash, part| Rng::new(hash ^ part).next_u64())
    }

    /// Can the game be drawn at this komi?
    pub fn can_be_drawn(&self) -> bool {
        (self.komi.fract() == 0.0) != self.rules.has_button
    }

    /// Can the game end without a result?
    pub fn can_have_no_result(&self) -> bool {
        self.rules.ko == KoRule::Simple || self.rules.scoring == Scoring::Territory
    }
}
