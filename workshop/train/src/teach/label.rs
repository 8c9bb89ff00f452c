//! A teacher's answer, and how it is kept: small, and with nothing lost that a student could notice.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::path::PathBuf;

use jigo_board::{Color, Game};
use serde::{Deserialize, Serialize};

use super::labelling::TeachError;
use crate::journal::{Entry, read_journal};
use crate::positions::{Exercise, mover};

/// What a teacher says about one position.
#[derive(Clone, Debug)]
pub struct TeacherOpinion {
    /// The chance of every point, row by row, and of a pass.
    pub policy: Vec<f32>,
    /// At the komi asked.
    pub black_win_rate: f32,
    /// Black's area minus White's that would be even: the komi at which both win as often.
    pub even_komi: f32,
    /// The standard deviation of the final score.
    pub spread: f32,
    /// Who will own each point: 1 is Black, -1 White.
    pub black_ownership: Vec<f32>,
}

/// One in so many of a policy is the least that is kept.
const LEAST: f32 = 1.0 / 2000.0;
const CERTAIN: f32 = u16::MAX as f32;
const OWNED: f32 = i8::MAX as f32;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Label {
    /// Places and chances of the moves worth mentioning.
    policy: Vec<(u16, u16)>,
    /// Komi, and Black's chance to win there.
    win_rates: Vec<(f32, u16)>,
    pub even_komi: f32,
    pub spread: f32,
    ownership: Vec<i8>,
}

impl Label {
    /// The win rates of all opinions, and everything else of the last one.
    pub fn new(asked: &[(f32, TeacherOpinion)]) -> Option<Label> {
        let (_, last) = asked.last()?;
        let chance = |chance: f32| (chance.clamp(0.0, 1.0) * CERTAIN).round() as u16;
        let mentioned = last.policy.iter().enumerate().filter(|(_, policy)| **policy >= LEAST);
        Some(Label {
            policy: mentioned.map(|(place, policy)| (place as u16, chance(*policy))).collect(),
            win_rates: asked.iter().map(|(komi, opinion)| (*komi, chance(opinion.black_win_rate))).collect(),
            even_komi: last.even_komi,
            spread: last.spread,
            ownership: last.black_ownership.iter().map(|owned| (owned * OWNED).round() as i8).collect(),
        })
    }

    /// Places and chances, which sum to one.
    pub fn policy(&self) -> impl Iterator<Item = (usize, f32)> + '_ {
        let total: f32 = self.policy.iter().map(|(_, chance)| f32::from(*chance)).sum();
        self.policy.iter().map(move |&(place, chance)| (place.into(), f32::from(chance) / total))
    }

    /// The place it likes best.
    pub fn first(&self) -> Option<usize> {
        self.policy.iter().max_by_key(|(_, chance)| *chance).map(|&(place, _)| place.into())
    }

    pub fn win_rates(&self) -> impl Iterator<Item = (f32, f32)> + '_ {
        self.win_rates.iter().map(|&(komi, rate)| (komi, f32::from(rate) / CERTAIN))
    }

    pub fn black_ownership(&self) -> impl Iterator<Item = f32> + '_ {
        self.ownership.iter().map(|&owned| f32::from(owned) / OWNED)
    }

    /// These places have these owners; returns how many were thought to be the other side's.
    pub(super) fn owned_by(&mut self, owners: impl Iterator<Item = (usize, Color)>) -> usize {
        let mut wrong = 0;
        for (place, owner) in owners {
            let Some(owned) = self.ownership.get_mut(place) else { continue };
            let right = if owner == Color::Black { i8::MAX } else { -i8::MAX };
            wrong += usize::from(i16::from(*owned) * i16::from(right) < 0);
            *owned = right;
        }
        wrong
    }

    /// Black's area minus White's is this for certain.
    pub(super) fn score_is(&mut self, margin: f32) {
        for (komi, rate) in &mut self.win_rates {
            *rate = match margin.total_cmp(komi) {
                Ordering::Greater => u16::MAX,
                Ordering::Equal => u16::MAX / 2,
                Ordering::Less => 0,
            };
        }
        (self.even_komi, self.spread) = (margin, 0.0);
    }

    /// Is every number one that such a board can have?
    fn fits(&self, game: &Game) -> bool {
        let area = game.board().area();
        let open = |place: usize| place == area || self.is_legal(game, place);
        let numbers = self.win_rates.iter().map(|(komi, _)| *komi).chain([self.even_komi, self.spread]);
        self.policy().all(|(place, chance)| chance.is_finite() && place <= area && open(place))
            && !self.policy.is_empty()
            && numbers.into_iter().all(f32::is_finite)
            && (self.ownership.is_empty() || self.ownership.len() == area)
    }

    fn is_legal(&self, game: &Game, place: usize) -> bool {
        let size = game.size();
        let point = jigo_board::Point::new(place % size, place / size);
        game.board().is_legal(game.to_move(), point)
    }
}

/// A position and what a teacher said about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lesson {
    pub exercise: Exercise,
    pub label: Label,
}

/// Answers written down together, with the name of the one who gave them.
#[derive(Clone, Serialize, Deserialize)]
pub struct Answers {
    pub teacher: String,
    pub lessons: Vec<Lesson>,
}

impl Entry for Answers {
    const WHAT: &'static str = "answers of a teacher, 1";
}

impl Lesson {
    /// The game up to the position, if the lesson makes sense.
    pub fn game(&self) -> Option<Game> {
        self.exercise.game().filter(|game| self.label.fits(game))
    }

    /// One in this many is kept aside.
    const VALIDATION_SHARE: u64 = 20;

    /// Chosen by the game it comes from rather than by the position: neighbours must not meet across the divide.
    pub fn is_kept_aside(&self) -> bool {
        let Exercise { given, moves, size, .. } = &self.exercise;
        let opening = given.iter().chain(moves.iter().take(OPENING)).map(|&place| u64::from(place));
        let hash = opening.fold(u64::from(*size), |hash, place| jigo_board::Rng::new(hash ^ place).next_u64());
        hash.is_multiple_of(Lesson::VALIDATION_SHARE)
    }

    pub fn to_move(&self) -> Color {
        mover(!self.exercise.given.is_empty(), self.exercise.moves.len())
    }
}

/// Moves that tell one game from another.
const OPENING: usize = 8;

/// All lessons of some journals that make sense, each once, and the names of the teachers.
pub fn read_lessons(paths: &[PathBuf]) -> Result<(Vec<Lesson>, Vec<String>), TeachError> {
    let (mut lessons, mut teachers, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
    let mut entries = Vec::new();
    for path in paths {
        entries.extend(read_journal::<Answers>(path)?);
    }
    for entry in entries {
        if !teachers.contains(&entry.teacher) {
            teachers.push(entry.teacher);
        }
        let fresh = entry.lessons.into_iter().filter(|lesson| lesson.game().is_some());
        lessons.extend(fresh.filter(|lesson| seen.insert(lesson.exercise.fingerprint())));
    }
    if lessons.is_empty() { Err(TeachError::Empty) } else { Ok((lessons, teachers)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::positions::Kind;

    fn opinion() -> TeacherOpinion {
        let mut policy = vec![0.0; 26];
        (policy[12], policy[25], policy[3]) = (0.75, 0.25, 0.0001);
        TeacherOpinion { policy, black_win_rate: 0.625, even_komi: 3.25, spread: 4.0, black_ownership: vec![-0.5; 25] }
    }

    #[test]
    fn a_label_says_what_the_teacher_said() {
        let second = TeacherOpinion { black_win_rate: 0.25, ..opinion() };
        let label = Label::new(&[(0.5, opinion()), (7.5, second)]).unwrap();
        let policy: Vec<_> = label.policy().collect();
        assert_eq!(policy.iter().map(|(place, _)| *place).collect::<Vec<_>>(), [12, 25]);
        assert!((policy[0].1 - 0.75).abs() < 1e-4 && (policy[0].1 + policy[1].1 - 1.0).abs() < 1e-6);
        assert_eq!(label.first(), Some(12));
        let rates: Vec<_> = label.win_rates().collect();
        assert!((rates[0].1 - 0.625).abs() < 1e-4 && (rates[1].1 - 0.25).abs() < 1e-4);
        assert!(label.black_ownership().all(|owned| (owned + 0.5).abs() < 0.01));
    }

    #[test]
    fn lessons_that_make_no_sense_are_left_out() {
        let exercise = |moves: &[u16]| Exercise {
            kind: Kind::Policy,
            size: 5,
            rules: "chinese".into(),
            komi: 0.5,
            given: Vec::new(),
            moves: moves.to_vec(),
        };
        let label = Label::new(&[(0.5, opinion())]).unwrap();
        let lesson = |moves: &[u16]| Lesson { exercise: exercise(moves), label: label.clone() };
        assert!(lesson(&[7, 8]).game().is_some());
        assert!(lesson(&[12]).game().is_none(), "the move it likes is taken");
        let odd = Label { even_komi: f32::NAN, ..label.clone() };
        assert!(Lesson { exercise: exercise(&[]), label: odd }.game().is_none());
        let silent = Label { policy: vec![(3, 0)], ..label.clone() };
        assert!(Lesson { exercise: exercise(&[]), label: silent }.game().is_none());
        let short = Label { ownership: vec![1; 24], ..label };
        assert!(Lesson { exercise: exercise(&[]), label: short }.game().is_none());
    }
}
