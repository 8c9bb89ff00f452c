//! A position to ask a teacher about, with the game that led to it.

use jigo_board::{Board, Color, Game, HandicapBonus, Move, Point, Rules, Scoring};
use serde::{Deserialize, Serialize};

use crate::journal::Entry;

/// Where a position comes from, and what it should teach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Kind {
    /// Games of strong players.
    Record,
    /// Two players who draw their moves from the policy, each as wild as one of our lower levels.
    Policy,
    /// The same after an opening at random.
    Opening,
    /// The same with stones given: two to nine on their stars, or any number anywhere.
    Handicap,
    /// Just after a move at random: a good position spoilt.
    Slip,
    /// Just after a pass, wanted or not.
    Pass,
    /// Late in games played until no sensible move is left, with large dead groups on the way.
    End,
    /// A ko that may not be retaken at once.
    Ko,
    /// A chain of three stones or more that a ladder catches.
    Ladder,
    /// Two chains that neither side may approach.
    Seki,
    /// Games between two of our levels.
    Level,
    /// Where a student and its teacher were furthest apart.
    Dispute,
    /// A game of strong players left by a few moves that came to mind: what a search looks at.
    Departure,
    /// On a line that a search of ours thought about, after a game of strong players.
    Line,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Exercise {
    pub kind: Kind,
    pub size: u8,
    /// The name of the ruleset.
    pub rules: String,
    /// What Black's area must exceed White's by; stones given are paid for in this number, if at all.
    pub komi: f32,
    /// Black stones from before the first move, which is then White's.
    pub given: Vec<u16>,
    /// Row times size plus column, and the board's area for a pass; colours alternate.
    pub moves: Vec<u16>,
}

/// Those made by one draw of the mixture. They are kept or lost together, so an interrupted file is always whole draws.
#[derive(Serialize, Deserialize)]
pub struct Draw(pub Vec<Exercise>);

impl Entry for Draw {
    const WHAT: &'static str = "positions for a teacher, 1";
}

/// The same positions by other rules, each ruleset as often as the others. Which it is depends on the position alone, so a journal
/// that is continued asks the same questions.
pub fn ask_by_rules(exercises: &mut [Exercise], rulesets: &[&'static str]) {
    for exercise in exercises {
        if let Some(at) = exercise.fingerprint().checked_rem(rulesets.len() as u64) {
            exercise.rules = rulesets[at as usize].into();
        }
    }
}

/// Where a move stands among all moves of a board.
pub fn place_of(mv: Move, size: usize) -> u16 {
    match mv {
        Move::Play(point) => (point.row() * size + point.col()) as u16,
        Move::Pass => (size * size) as u16,
    }
}

/// The move at a place, if the board has it.
pub fn move_at(place: u16, size: usize) -> Option<Move> {
    let place = usize::from(place);
    match place.cmp(&(size * size)) {
        std::cmp::Ordering::Less => Some(Move::Play(Point::new(place % size, place / size))),
        std::cmp::Ordering::Equal => Some(Move::Pass),
        std::cmp::Ordering::Greater => None,
    }
}

impl Exercise {
    /// The game up to the position; `None` if this is no game. It may repeat positions, as records do.
    pub fn game(&self) -> Option<Game> {
        let size = usize::from(self.size);
        if !(jigo_board::MIN_SIZE..=jigo_board::MAX_SIZE).contains(&size) || !self.komi.is_finite() {
            return None;
        }
        let rules = Rules { handicap_bonus: HandicapBonus::Zero, ..Rules::by_name(&self.rules)? };
        let mut board = Board::new(size);
        for &place in &self.given {
            let point = move_at(place, size)?.point().filter(|&point| board.is_legal(Color::Black, point))?;
            board.play(Color::Black, point);
        }
        let first = if self.given.is_empty() { Color::Black } else { Color::White };
        let mut game = Game::from_position(board, first, rules);
        game.set_komi(self.komi);
        for &place in &self.moves {
            game.play_despite_superko(game.to_move(), move_at(place, size)?).ok()?;
        }
        Some(game)
    }

    /// Are points of territory counted, and not areas?
    pub fn counts_territory(&self) -> bool {
        Rules::by_name(&self.rules).is_some_and(|rules| rules.scoring == Scoring::Territory)
    }

    /// One number for the position and the question about it, but for the rules.
    pub fn fingerprint(&self) -> u64 {
        let numbers = self.given.iter().chain([&u16::MAX]).chain(&self.moves).map(|&place| u64::from(place));
        let start = u64::from(self.komi.to_bits()) << 8 | u64::from(self.size);
        numbers.fold(start, |hash, number| jigo_board::Rng::new(hash ^ number).next_u64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exercise(given: &[u16], moves: &[u16]) -> Exercise {
        let (given, moves) = (given.to_vec(), moves.to_vec());
        Exercise { kind: Kind::Policy, size: 5, rules: "chinese".into(), komi: 0.5, given, moves }
    }

    #[test]
    fn an_exercise_is_a_game_or_nothing() {
        let game = exercise(&[], &[12, 7, 25]).game().unwrap();
        assert_eq!((game.moves().len(), game.to_move()), (3, Color::White));
        assert_eq!(game.last_move(), Some(Move::Pass));
        let game = exercise(&[6, 18], &[12]).game().unwrap();
        assert_eq!((game.to_move(), game.effective_komi()), (Color::Black, 0.5));
        assert_eq!(game.board().color_at(Point::new(1, 1)), Some(Color::Black));
        for broken in [exercise(&[], &[12, 12]), exercise(&[], &[26]), exercise(&[25], &[]), exercise(&[3, 3], &[])] {
            assert!(broken.game().is_none(), "{broken:?}");
        }
        assert!(Exercise { size: 25, ..exercise(&[], &[]) }.game().is_none());
        assert!(Exercise { rules: "house".into(), ..exercise(&[], &[]) }.game().is_none());
        assert!(Exercise { komi: f32::NAN, ..exercise(&[], &[]) }.game().is_none());
    }

    #[test]
    fn other_rules_are_asked_by_in_turn_and_always_alike() {
        let mut exercises: Vec<Exercise> = (0..25).map(|place| exercise(&[], &[place])).collect();
        let plain = exercises.clone();
        ask_by_rules(&mut exercises, &[]);
        assert_eq!(exercises, plain);
        ask_by_rules(&mut exercises, &["chinese", "japanese"]);
        let territory = exercises.iter().filter(|exercise| exercise.counts_territory()).count();
        assert!((5..=20).contains(&territory), "{territory} of 25");
        let again = exercises.clone();
        ask_by_rules(&mut exercises, &["chinese", "japanese"]);
        assert_eq!(exercises, again);
    }

    #[test]
    fn every_question_has_its_own_number() {
        let questions = [
            exercise(&[], &[1, 2]),
            exercise(&[1], &[2]),
            exercise(&[], &[2, 1]),
            Exercise { komi: 1.5, ..exercise(&[], &[1, 2]) },
        ];
        let numbers: std::collections::HashSet<u64> = questions.iter().map(Exercise::fingerprint).collect();
        assert_eq!(numbers.len(), 4);
    }
}
