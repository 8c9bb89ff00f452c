//! The rules of a game, read literally: the history is a list of whole positions.

use std::rc::Rc;

use jigo_board::{Color, Illegal, KoRule, Rules};

use crate::position::{Position, Taken};

#[derive(Clone)]
pub struct SlowGame {
    pub rules: Rules,
    pub komi: f32,
    pub handicap_stones: usize,
    pub now: Position,
    pub to_move: Color,
    /// What was done, and the position and player to move it was done from; oldest first.
    pub past: Vec<Past>,
    /// Stones taken off the board: black ones, white ones.
    pub lost: [usize; 2],
    pub first_to_pass: Option<Color>,
}

#[derive(Clone)]
pub struct Past {
    pub position: Rc<Position>,
    pub to_move: Color,
    pub player: Color,
    pub passed: bool,
}

impl SlowGame {
    pub fn new(size: usize, rules: Rules) -> SlowGame {
        SlowGame {
            rules,
            komi: rules.default_komi,
            handicap_stones: 0,
            now: Position::empty(size),
            to_move: Color::Black,
            past: Vec::new(),
            lost: [0, 0],
            first_to_pass: None,
        }
    }

    pub fn place_handicap(&mut self, places: &[usize]) {
        for &place in places {
            self.now.cells[place] = Some(Color::Black);
        }
        self.handicap_stones = places.len();
        self.to_move = Color::White;
    }

    /// What a stone here would lead to, whatever the rules say; none on an occupied point.
    pub fn try_out(&self, color: Color, place: usize) -> Option<(Position, Taken)> {
        self.now.cells[place].is_none().then(|| {
            let mut after = self.now.clone();
            let taken = after.put(color, place);
            (after, taken)
        })
    }

    /// Do the rules allow what was tried out?
    pub fn judge(&self, color: Color, tried: Option<&(Position, Taken)>) -> Result<(), Illegal> {
        let Some((after, taken)) = tried else { return Err(Illegal::Occupied) };
        if taken.own.len() == 1 || (taken.own.len() > 1 && !self.rules.suicide) {
            return Err(Illegal::Suicide);
        }
        let next = color.opponent();
        let earlier = self.past.iter().map(|past| (&*past.position, past.to_move));
        let mut stood_before = earlier.chain([(&self.now, self.to_move)]).filter(|(position, _)| *position == after);
        match self.rules.ko {
            KoRule::Simple if self.takes_back_last_move(color, after) => Err(Illegal::Ko),
            KoRule::Positional if stood_before.next().is_some() => Err(Illegal::PositionalSuperko),
            KoRule::Situational if stood_before.any(|(_, to_move)| to_move == next) => Err(Illegal::SituationalSuperko),
            _ => Ok(()),
        }
    }

    /// Simple ko: a move may not restore the position before the opponent's move just made.
    fn takes_back_last_move(&self, color: Color, after: &Position) -> bool {
        self.past.last().is_some_and(|last| !last.passed && last.player != color && *last.position == *after)
    }

    /// The point simple ko forbids to this player, found by trying.
    pub fn ko_place(&self, color: Color) -> Option<usize> {
        let refused = |place: &usize| {
            let mut after = self.now.clone();
            after.put(color, *place);
            self.takes_back_last_move(color, &after)
        };
        // Only a stone just taken can be put back, so no other point needs a try.
        let before = &self.past.last()?.position;
        let just_taken = |place: &usize| before.cells[*place] == Some(color) && self.now.cells[*place].is_none();
        self.now.places().filter(just_taken).find(refused)
    }

    /// What a legal stone here leads to; none if the rules forbid it.
    pub fn try_legally(&self, color: Color, place: usize) -> Option<(Position, Taken)> {
        let tried = self.try_out(color, place);
        self.judge(color, tried.as_ref()).ok().and(tried)
    }

    /// Plays a legal move.
    pub fn play(&mut self, color: Color, place: usize) -> Taken {
        let tried = self.try_legally(color, place).expect("only legal moves are played");
        self.go_on(color, tried)
    }

    /// The same with a move that was tried out.
    pub fn go_on(&mut self, color: Color, (after, taken): (Position, Taken)) -> Taken {
        self.lost[color.opponent().index()] += taken.enemies.len();
        self.lost[color.index()] += taken.own.len();
        self.remember(color, false, after);
        taken
    }

    pub fn pass(&mut self, color: Color) {
        self.first_to_pass = self.first_to_pass.or(Some(color));
        self.remember(color, true, self.now.clone());
    }

    fn remember(&mut self, player: Color, passed: bool, after: Position) {
        let position = Rc::new(std::mem::replace(&mut self.now, after));
        self.past.push(Past { position, to_move: self.to_move, player, passed });
        self.to_move = player.opponent();
    }

    pub fn is_over(&self) -> bool {
        matches!(&self.past[..], [.., a, b] if a.passed && b.passed)
    }
}
