//! Which corner positions recur in games, and what was played there.

use std::collections::HashMap;

use jigo_board::{Board, Color, MAX_SIZE, Move, Point};
use jigo_patterns::{Joseki, JosekiPosition, Quadrant, QuadrantKey, Spot};

use crate::corpus::{Corpus, CorpusError};
use crate::progress::Progress;

/// What counts as joseki.
#[derive(Clone, Copy, Debug)]
pub struct JosekiPlan {
    pub games: usize,
    /// Moves of a game after which the opening is over.
    pub moves: usize,
    /// A position is kept if moves were played in it this often.
    pub support: u32,
    /// A move is kept if it was played this often in its position ...
    pub move_support: u32,
    /// ... and made up this share of the moves there.
    pub share: f32,
}

/// What was seen in one position.
#[derive(Default)]
struct Tally {
    plays: HashMap<Spot, u32>,
    /// Times the opponent had just moved in the quadrant, and how often that was answered there.
    calls: u32,
    answers: u32,
}

/// Counts positions first, then what was played in the frequent ones, so that only these need a tally.
pub fn build_joseki(corpus: &Corpus, plan: &JosekiPlan, progress: &mut Progress) -> Result<Joseki, CorpusError> {
    let mut openings: Vec<Vec<Move>> = Vec::new();
    corpus.for_each_game(plan.games, |game| {
        if game.size == MAX_SIZE {
            openings.push(game.moves.iter().copied().take(plan.moves).collect());
            progress.at("reading games", openings.len() as u64, plan.games as u64);
        }
    })?;
    let total = openings.len() as u64;
    let mut counts: HashMap<u64, u32> = HashMap::new();
    for (done, opening) in openings.iter().enumerate() {
        for_each_play(opening, |play| {
            if let Some(quadrant) = Quadrant::of(play.chosen) {
                *counts.entry(play.key(quadrant).key).or_default() += 1;
            }
        });
        progress.at("counting positions", done as u64 + 1, total);
    }
    counts.retain(|_, count| *count >= plan.support);
    let mut tallies: HashMap<u64, Tally> = counts.into_keys().map(|key| (key, Tally::default())).collect();
    for (done, opening) in openings.iter().enumerate() {
        for_each_play(opening, |play| play.note(&mut tallies));
        progress.at("counting moves", done as u64 + 1, total);
    }
    Ok(Joseki::new(tallies.into_iter().filter_map(|(key, tally)| tally.position(key, plan)).collect()))
}

struct Play<'a> {
    board: &'a Board,
    to_play: Color,
    last: Option<Point>,
    chosen: Point,
}

fn for_each_play(opening: &[Move], mut visit: impl FnMut(Play)) {
    let mut board = Board::new(MAX_SIZE);
    let mut to_play = Color::Black;
    let mut last = None;
    for &mv in opening {
        if let Move::Play(chosen) = mv {
            if !board.is_legal(to_play, chosen) {
                return;
            }
            visit(Play { board: &board, to_play, last, chosen });
            board.play(to_play, chosen);
        }
        last = mv.point();
        to_play = to_play.opponent();
    }
}

impl Play<'_> {
    fn key(&self, quadrant: Quadrant) -> QuadrantKey {
        QuadrantKey::of(self.board, self.to_play, quadrant)
    }

    fn note(&self, tallies: &mut HashMap<u64, Tally>) {
        let here = Quadrant::of(self.chosen);
        if let Some(quadrant) = here {
            let key = self.key(quadrant);
            if let Some(tally) = tallies.get_mut(&key.key) {
                *tally.plays.entry(key.turn(quadrant.spot(self.chosen))).or_default() += 1;
            }
        }
        if let Some(called) = self.last.and_then(Quadrant::of)
            && let Some(tally) = tallies.get_mut(&self.key(called).key)
        {
            tally.calls += 1;
            tally.answers += u32::from(here == Some(called));
        }
    }
}

impl Tally {
    fn position(self, key: u64, plan: &JosekiPlan) -> Option<JosekiPosition> {
        let all: u32 = self.plays.values().sum();
        let mut plays: Vec<(Spot, u32)> = self.plays.into_iter().collect();
        plays.sort_by_key(|&(spot, count)| (std::cmp::Reverse(count), spot));
        let share = |count: u32| count as f32 / all as f32;
        let is_usual = |count: u32| count >= plan.move_support && share(count) >= plan.share;
        let moves: Vec<(Spot, f32)> =
            plays.into_iter().filter(|&(_, n)| is_usual(n)).map(|(spot, n)| (spot, share(n))).collect();
        let urgency = self.answers as f32 / self.calls.max(1) as f32;
        (!moves.is_empty()).then_some(JosekiPosition { key, urgency, moves })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opening(vertices: &str) -> Vec<Move> {
        vertices.split_whitespace().map(|v| Move::parse(v, MAX_SIZE).unwrap()).collect()
    }

    #[test]
    fn answers_and_tenuki_are_told_apart() {
        let mut tallies = HashMap::new();
        let mut board = Board::new(MAX_SIZE);
        board.play(Color::Black, Point::parse("Q16", MAX_SIZE).unwrap());
        let corner = Quadrant::of(Point::parse("Q16", MAX_SIZE).unwrap()).unwrap();
        let key = QuadrantKey::of(&board, Color::White, corner);
        tallies.insert(key.key, Tally::default());
        // The 4-4 stone is approached at once, from either side and by either colour, or later, or never.
        for game in ["Q16 R14", "K10 Q16 O17", "Q16 K10 K4 R14", "Q16 K10"] {
            for_each_play(&opening(game), |play| play.note(&mut tallies));
        }
        let tally = tallies.remove(&key.key).unwrap();
        assert_eq!((tally.calls, tally.answers), (4, 2));
        let plan = JosekiPlan { games: 4, moves: 10, support: 1, move_support: 2, share: 0.1 };
        let position = tally.position(key.key, &plan).unwrap();
        assert_eq!(position.urgency, 0.5);
        assert_eq!(position.moves, [(key.turn(corner.spot(Point::parse("R14", MAX_SIZE).unwrap())), 1.0)]);
    }
}
